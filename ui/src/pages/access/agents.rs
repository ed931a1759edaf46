//! The agents: what each may do where, by which tokens, and how that ends.

use super::{
    choose::trust,
    opened::folders,
    words::{self, Standing},
};
use crate::{
    actions::run,
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
        link::PageLink,
        pairing::plain,
        states::kept,
    },
    dates,
    route::Route,
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{
    AgentId,
    access::{AgentEdit, AgentInfo, AgentRevoke, AgentToken, AgentType},
};

/// The section.
#[component]
pub fn Agents() -> impl IntoView {
    let app = App::get();
    let programs = move || {
        let all = app.agents.value.with(|listed| listed.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        all.into_iter().filter(|one| one.agent_type == AgentType::Ai).collect::<Vec<_>>()
    };
    let all = Memo::new(move |_| programs());
    let none = Memo::new(move |_| all.with(Vec::is_empty));
    let another = move || {
        (!none.get()).then(|| {
            view! {
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>
                    <Glyph icon=Icon::Plug/> "Connect another"
                </button>
            }
        })
    };
    let list = move || {
        let says = move || {
            none.get().then(|| {
                view! {
                    <p class="muted">"No agent was let in yet. Each asks you first, and sees nothing before."</p>
                }
            })
        };
        view! {
            {says}
            <ul class="plain">
                <For each=move || all.get() key=|one| one.id.clone() children=move |one| view! { <Agent one all/> }/>
            </ul>
        }
        .into_any()
    };
    view! {
        <section class="panel" aria-labelledby="agents-title">
            <div class="head-row"><h2 id="agents-title" class="grow">"Agents"</h2> {another}</div>
            {kept(app.agents, "The agents could not be listed.", (2, "row"), list)}
        </section>
    }
}

#[component]
fn Agent(one: AgentInfo, all: Memo<Vec<AgentInfo>>) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(one.id.clone());
    let name = StoredValue::new(plain(&one.name));
    let now = Memo::new(move |_| {
        all.with(|all| all.iter().find(|one| one.id == id.get_value()).cloned()).unwrap_or_else(|| one.clone())
    });
    let edit = move || AgentEdit { agent: id.get_value().into(), ..AgentEdit::default() };
    let standing = Memo::new(move |_| now.with(words::standing));
    let suspend =
        move |_| run(app, AgentEdit { is_active: Some(standing.get_untracked() == Standing::Suspended), ..edit() });
    let revoke = move |_| app.dialog.set(Some(Dialog::RevokeAgent { id: id.get_value(), name: name.get_value() }));
    let label = move |does: &str| format!("{does} {}", name.get_value());
    let suspend_words = move || if standing.get() == Standing::Suspended { "Resume" } else { "Suspend" };
    view! {
        <li class="agent" data-testid="agent-row">
            <div class="head-row">
                <Glyph icon=Icon::Agent/>
                <span class="grow"><bdi class="strong">{name.get_value()}</bdi> " " {move || state(standing.get())}</span>
                <label class="rule-trust small muted" title="How much is believed of what it says, where a space says nothing else">"Trust "
                    {trust(label("Trust in what is said by"), move || now.with(|now| Some(now.trust_weight)),
                        move |weight| AgentEdit { trust_weight: Some(weight), ..edit() })}
                </label>
                <PageLink to=Signal::stored(Route::Audit { agent: Some(id.get_value()) }) class="button small">"What it did"</PageLink>
                <button type="button" class="button small" data-testid="agent-suspend" aria-label=move || label(suspend_words())
                    on:click=suspend>{suspend_words}</button>
                <button type="button" class="button small" data-testid="agent-revoke" aria-label=label("Revoke")
                    disabled=move || standing.get() == Standing::Out on:click=revoke>"Revoke"</button>
            </div>
            <p class="muted small">{move || now.with(parts)}</p>
            {move || now.with(|now| tokens(app, now))}
            {move || now.with(|now| folders(app, now))}
        </li>
    }
}

fn state(standing: Standing) -> impl IntoView {
    let (icon, words, class) = match standing {
        Standing::LetIn => (Icon::CheckCircle, "Let in", "working"),
        Standing::Suspended => (Icon::Pause, "Suspended", "waiting"),
        Standing::Out => (Icon::Ban, "Has no access", "muted"),
    };
    view! { <span class=format!("state small {class}") data-testid="agent-state"><Glyph icon/> {words}</span> }
}

/// Its parts in spaces, and when it asked last.
fn parts(agent: &AgentInfo) -> String {
    let part = |one: &um_model::access::Membership| {
        let stopped = if one.status == um_model::access::MembershipStatus::Active { "" } else { ", suspended" };
        let grants = one.grants.iter().map(|grant| words::grant(*grant).to_lowercase()).collect::<Vec<_>>();
        let grants = if grants.is_empty() { String::new() } else { format!(", may {}", grants.join(", ")) };
        format!("{} ({}{grants}{stopped})", one.space, words::role_word(one.role))
    };
    let parts: Vec<String> = agent.memberships.iter().map(part).collect();
    let spaces = if parts.is_empty() { "No part in any space".to_owned() } else { parts.join(", ") };
    match agent.last_seen_at {
        Some(at) => format!("{spaces}. Asked last {}.", dates::moment(at)),
        None => format!("{spaces}. Has not asked yet."),
    }
}

fn tokens(app: App, agent: &AgentInfo) -> impl IntoView + use<> {
    let several = agent.tokens.len() > 1;
    let id = agent.id.clone();
    let row = move |token: AgentToken| {
        let spaces = words::token_spaces(&token, |id| app.space_name(id));
        let end = match token.expires_at {
            Some(at) => format!("ends {}", dates::moment(at)),
            None => "until you revoke it".to_owned(),
        };
        let used =
            token.last_used_at.map_or_else(|| "never used".to_owned(), |at| format!("used {}", dates::moment(at)));
        let facts = format!(
            " {}, {end}, {used}, at most {} requests a minute",
            dates::moment(token.created_at),
            token.requests_per_minute
        );
        let (agent, key) = (id.clone(), token.id.clone());
        let revoke = move |_| run(app, AgentRevoke { agent: agent.to_string(), token: Some(key.clone()) });
        view! {
            <li class="token" data-testid="token-row">
                <Glyph icon=Icon::Lock/>
                <span class="grow">{words::rights(&token.rights)} " in " {spaces} <span class="muted small">"; since" {facts}</span></span>
                {several.then(|| view! { <button type="button" class="button small" on:click=revoke>"End this one"</button> })}
            </li>
        }
    };
    view! { <ul class="plain">{agent.tokens.iter().cloned().map(row).collect_view()}</ul> }
}

/// Says what revoking does, and does it.
#[component]
pub fn Revoke(
    /// The agent.
    id: AgentId,
    /// What it calls itself.
    name: String,
) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(id);
    let request = move || Some(AgentRevoke { agent: id.get_value().into(), token: None });
    let done = Callback::new(move |agent: AgentInfo| {
        app.agents.refresh();
        app.toasts.say(format!("{} has no access any more.", plain(&agent.name)));
    });
    view! {
        <Form request button="Revoke" done>
            <p>{format!("{name} can read and write nothing any more. What it has under way ends.")}</p>
            <p>"What it wrote stays. What it has read it may have kept. Should it ask again, you are asked again."</p>
        </Form>
    }
}
