//! The tab Context: what an agent would be given to read before it works, put together within a budget.

use super::{
    before::Before,
    moment::{AsOf, first_day},
    pack, tabs,
};
use crate::{
    components::{
        add_files::SpaceField,
        choose_path::PathField,
        icon::{Glyph, Icon},
        pairing::plain,
        states::{Empty, Skeleton, Trouble},
    },
    dates,
    format::sentence,
    pages::work::session_title,
    query::Query,
    state::{App, Changes},
};
use leptos::{ev::SubmitEvent, prelude::*};
use um_model::{
    AgentId, SessionId, SpaceId,
    access::{AgentInfo, AgentType},
    work::{Briefing, ContextCompile, Policy, Session, SessionStatus, SessionsList, SessionsListed},
};

/// The least and the largest budget, in tokens, and the one where nothing is said.
const BUDGET: (u32, u32, u32) = (200, 32_000, 1_200);

/// What goes in by a policy, in a few words.
fn policy_name(policy: Policy) -> String {
    match policy {
        Policy::Auto => "All that helps".into(),
        Policy::Task => "For a task: without resources".into(),
        Policy::Workspace => "For the space: without what is in hand, facts and passages".into(),
        #[allow(unreachable_patterns, reason = "policies are added")]
        other => sentence(&other.as_str().replace('_', " ")),
    }
}

/// Who reads a pack: what is asked for, and its words. Where the tokens of a model are not known, they are reckoned on the safe side.
const READERS: [(&str, &str); 3] =
    [("o200k_base", "GPT-4o or later"), ("cl100k_base", "GPT-4 or GPT-3.5"), ("other", "Any other model")];

/// Sessions that a pack can be for: those of its space that are not ended.
fn sessions_of(space: RwSignal<Option<SpaceId>>) -> Query<SessionsListed> {
    Query::new(move || {
        Some(SessionsList {
            space: Some(space.get()?.to_string()),
            statuses: vec![SessionStatus::Active, SessionStatus::Paused],
            limit: Some(50),
            ..SessionsList::default()
        })
    })
}

/// A budget that was typed, within what is allowed.
fn budget(typed: &str) -> Option<u32> {
    let number: u32 = typed.trim().replace([',', ' '], "").parse().ok()?;
    (BUDGET.0..=BUDGET.1).contains(&number).then_some(number)
}

/// What a pack is asked for, as it stands in the form, and the pack.
#[derive(Clone, Copy)]
pub struct Packing {
    typed: RwSignal<String>,
    space: RwSignal<Option<SpaceId>>,
    policy: RwSignal<Policy>,
    tokens: RwSignal<String>,
    session: RwSignal<Option<SessionId>>,
    reader: RwSignal<String>,
    /// The folder that is worked in, where what was written of it is compared with it.
    tree: RwSignal<String>,
    /// The agent as which the person looks; none as themselves.
    agent: RwSignal<Option<AgentId>>,
    /// The day that is asked of; now where there is none.
    day: RwSignal<Option<i64>>,
    /// What was asked for last.
    asked: RwSignal<Option<ContextCompile>>,
    /// How much was forgotten when the tab was shown last: a pack is built again after that, and only while it is shown.
    forgotten: RwSignal<u32>,
    built: Query<Briefing>,
}

impl Packing {
    /// None yet. `used` is the space in use: where another one is chosen, the form is about that, and the pack of the one before goes.
    pub fn start(used: RwSignal<Option<SpaceId>>, changes: Changes) -> Self {
        let asked = RwSignal::new(None::<ContextCompile>);
        let forgotten = RwSignal::new(changes.forgotten.get_untracked());
        let packing = Self {
            typed: RwSignal::new(String::new()),
            space: RwSignal::new(used.get_untracked()),
            policy: RwSignal::new(Policy::Auto),
            tokens: RwSignal::new(BUDGET.2.to_string()),
            session: RwSignal::new(None),
            reader: RwSignal::new(READERS[0].0.to_owned()),
            tree: RwSignal::new(String::new()),
            agent: RwSignal::new(None),
            day: RwSignal::new(None),
            asked,
            forgotten,
            built: Query::new(move || {
                forgotten.track();
                asked.get()
            }),
        };
        Effect::new(move |_| {
            let used = used.get();
            if used.is_some() && used != packing.space.get_untracked() {
                packing.space.set(used);
                packing.asked.set(None);
            }
        });
        // A session lies in one space.
        Effect::new(move |before: Option<Option<SpaceId>>| {
            let now = packing.space.get();
            if before.is_some_and(|before| before != now) {
                packing.session.set(None);
            }
            now
        });
        packing
    }

    /// Builds again what was built before something was forgotten, for as long as the tab is shown. What says it is shown no more.
    fn keep_up(self, changes: Changes) {
        Effect::new(move |_| {
            let now = changes.forgotten.get();
            if self.forgotten.get_untracked() != now {
                self.built.value.set(None);
                self.forgotten.set(now);
            }
        });
    }

    /// What the form asks for; none where something is wrong or lacking.
    fn request(self) -> Option<ContextCompile> {
        let words = |typed: RwSignal<String>| Some(typed.get().trim().to_owned()).filter(|words| !words.is_empty());
        let (utc_offset, day) = (dates::utc_offset(), self.day.get());
        Some(ContextCompile {
            space: Some(self.space.get()?.to_string()),
            query: words(self.typed),
            session: self.session.get(),
            model: Some(self.reader.get()),
            policy: Some(self.policy.get()),
            budget_tokens: Some(budget(&self.tokens.get())?),
            // The folder is as it is now.
            workspace: words(self.tree).filter(|_| day.is_none()),
            utc_offset,
            as_of: day.map(|day| dates::end_of(day, utc_offset)),
            known_at: None,
            as_agent: self.agent.get().map(String::from),
        })
    }
}

/// The tab.
#[component]
pub fn Context() -> impl IntoView {
    let App { packing, changes, .. } = App::get();
    packing.keep_up(changes);
    let Packing { asked, built: pack, .. } = packing;
    let content = move || {
        match (asked.with(Option::is_some), pack.value.get(), pack.error.get()) {
        (false, _, _) => view! {
            <Empty icon=Icon::Agent says="Before an agent works, it reads a pack: rules, what is in hand, and passages that speak of its task. Build shows you one. Nothing is sent anywhere."/>
        }
        .into_any(),
        (_, _, Some(error)) => view! {
            <Trouble what="The pack could not be put together." error retry=Callback::new(move |()| pack.refresh())/>
        }
        .into_any(),
        (_, Some(built), None) => view! { <pack::Pack built/> }.into_any(),
        (_, None, None) => view! { <Skeleton rows=4 shape="card"/> }.into_any(),
    }
    };
    view! {
        <div class="page-head">
            <h1 class="hidden-words">"Context"</h1>
            {tabs(1)}
            <Ask/>
        </div>
        <div class="page-body" aria-busy=move || pack.loading.get().to_string()>
            {content}
            <Before space=packing.space built=pack.value/>
        </div>
    }
}

/// The form: what it is about, for which space, by which policy, how large, and beside which folder.
#[component]
fn Ask() -> impl IntoView {
    let app = App::get();
    let packing = app.packing;
    let Packing { typed, space, policy, tokens, session, reader, tree, agent, day, asked, .. } = packing;
    let sessions = sessions_of(space);
    let wrong = move || budget(&tokens.get()).is_none();
    let build = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(request) = untrack(|| packing.request()) {
            asked.set(Some(request));
        }
    };
    let session_options = move || {
        let one = |found: Session| {
            let (id, name) = (found.id.to_string(), session_title(&found));
            let selected = move || session.with(|chosen| chosen.as_ref() == Some(&found.id));
            view! { <option value=id prop:selected=selected>{name}</option> }
        };
        let found = sessions.value.with(|found| found.as_ref().map(|found| found.sessions.clone()).unwrap_or_default());
        found.into_iter().map(one).collect_view()
    };
    let agent_options = move || {
        let one = |found: AgentInfo| {
            let (id, name) = (found.id.to_string(), format!("As {}", plain(&found.name)));
            let selected = move || agent.with(|chosen| chosen.as_ref() == Some(&found.id));
            view! { <option value=id prop:selected=selected>{name}</option> }
        };
        let all = app.agents.value.with(|listed| listed.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        all.into_iter()
            .filter(|one| one.agent_type == AgentType::Ai && one.is_active && !one.tokens.is_empty())
            .map(one)
            .collect_view()
    };
    let readers = READERS.map(|(word, name)| {
        view! { <option value=word prop:selected=move || reader.with(|chosen| chosen == word)>{name}</option> }
    });
    let policies = Policy::ALL.iter().map(|one| {
        let one = *one;
        view! { <option value=one.as_str() prop:selected=move || policy.get() == one>{policy_name(one)}</option> }
    });
    view! {
        <form class="pack-form" on:submit=build aria-label="A pack">
            <div class="search">
                <Glyph icon=Icon::Agent/>
                <input id="search" class="grow" type="text" maxlength="2000" autocomplete="off" aria-label="What it is about"
                    placeholder="What the agent is to do" data-testid="pack-query"
                    prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))/>
                <button type="submit" class="button accent" data-testid="pack-build" disabled=move || packing.request().is_none()>"Build"</button>
            </div>
            <div class="filters">
                <SpaceField id="pack-space" chosen=space/>
                <select class="field" aria-label="What goes in" data-testid="pack-policy"
                    on:change=move |e| policy.set(event_target_value(&e).parse().unwrap_or(Policy::Auto))>{policies.collect_view()}</select>
                <select class="field" aria-label="Session" data-testid="pack-session"
                    on:change=move |e| session.set(SessionId::parse(event_target_value(&e)).ok())>
                    <option value="" prop:selected=move || session.with(Option::is_none)>"No session"</option>
                    {session_options}
                </select>
                <select class="field" aria-label="As whom you look" data-testid="pack-as"
                    on:change=move |e| agent.set(AgentId::parse(event_target_value(&e)).ok())>
                    <option value="" prop:selected=move || agent.with(Option::is_none)>"As you"</option>
                    {agent_options}
                </select>
                <select class="field" aria-label="Who reads it: its tokens are counted" title="Who reads it: its tokens are counted"
                    data-testid="pack-reader" on:change=move |e| reader.set(event_target_value(&e))>{readers}</select>
                <label class="small pack-budget">"Tokens at most "
                    <input class="field number" type="text" inputmode="numeric" data-testid="pack-budget" aria-invalid=move || wrong().to_string()
                        prop:value=move || tokens.get() on:input=move |e| tokens.set(event_target_value(&e))/>
                </label>
                <span class="failed small" role="status">{move || wrong().then_some("200 to 32,000")}</span>
            </div>
            <div class="filters pack-tree">
                <AsOf day first=first_day(app)/>
                {move || day.get().is_none().then(|| view! {
                    <div class="pack-warn">
                        <PathField id="pack-tree" label="Warn of what changed in the folder" value=tree files=false/>
                    </div>
                })}
            </div>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::budget;

    #[test]
    fn a_budget_is_a_number_within_what_is_allowed() {
        for (typed, expected) in [
            ("1200", Some(1_200)),
            (" 1,200 ", Some(1_200)),
            ("199", None),
            ("32001", None),
            ("many", None),
            ("", None),
        ] {
            assert_eq!(budget(typed), expected, "{typed}");
        }
    }
}
