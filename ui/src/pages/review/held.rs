//! What is proposed and not done before the person says so: each with its words, what accepting it does, and why it waits.

use crate::{
    actions,
    components::{
        icon::{Glyph, Icon},
        pairing::plain,
        states::shown,
    },
    dates,
    format::count,
    ipc,
    query::Query,
    state::{App, Changes},
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    CandidateId, MemoryId, SpaceId,
    capture::{MemoryRemove, MemoryRestore},
    held::*,
};

/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 50;

/// Asks what is proposed in a space and waits.
pub fn open_held(space: RwSignal<Option<SpaceId>>, changes: Changes, limit: u32) -> Query<HeldListed> {
    Query::new(move || {
        changes.held.track();
        changes.forgotten.track();
        Some(HeldList { space: space.get().map(String::from), limit: Some(limit), ..HeldList::default() })
    })
}

/// What waits, above the names. Nothing where nothing does.
#[component]
pub fn HeldWrites() -> impl IntoView {
    let app = App::get();
    let listed = open_held(app.space, app.changes, LISTED);
    shown(listed, "What is proposed could not be listed.", (1, "card"), |listed| {
        let more = listed.total.saturating_sub(listed.held.len() as u64);
        (!listed.held.is_empty()).then(|| {
            view! {
                <ol class="plain" data-testid="held-list">
                    {listed.held.into_iter().map(|one| view! { <Held one/> }).collect_view()}
                </ol>
                {(more > 0).then(|| {
                    let after = format!("and {} after these", count(more, "more proposal"));
                    view! { <p class="muted small">{after}</p> }
                })}
            }
        })
    })
}

#[component]
fn Held(one: HeldWrite) -> impl IntoView {
    let app = App::get();
    let (heading, why, words) = (one.heading(&plain(&one.actor_name)), one.why(), one.proposal().words());
    let now = dates::now();
    let (until, is_over, instead) = (one.until(now, dates::until), one.is_over(now), one.instead());
    let label = format!("held-{}", one.id);
    let id = StoredValue::new(one.id.clone());
    let choose = move |decision| move |_| decide(app, id.get_value(), decision);
    view! {
        <li class="panel name" aria-labelledby=label.clone() data-testid="held">
            <div class="head-row">
                <h2 id=label.clone() class="grow"><bdi>{heading}</bdi></h2>
                <span class="muted small">{dates::moment(one.created_at)}</span>
            </div>
            <p class="state"><Glyph icon=Icon::Alert/> {why}</p>
            {instead.map(|instead| view! { <p class="small" data-testid="held-instead">{instead}</p> })}
            {until.map(|until| view! { <p class="small" data-testid="held-until">{until}</p> })}
            {one.title.map(|title| view! { <p class="strong"><bdi>{title}</bdi></p> })}
            {(!one.labels.is_empty()).then(|| view! { <p class="muted small"><bdi>{one.labels.join(", ")}</bdi></p> })}
            <pre class="held-words" tabindex="0" data-testid="held-says">{one.says}</pre>
            <p class="actions">
                <button type="button" class="button small" data-testid="held-dismiss"
                    on:click=choose(HeldDecision::Dismiss)>{words.dismiss}</button>
                {(!is_over).then(|| view! {
                    <button type="button" class="button small" data-testid="held-accept"
                        on:click=choose(HeldDecision::Accept)>{words.accept}</button>
                })}
            </p>
        </li>
    }
}

fn decide(app: App, id: CandidateId, decision: HeldDecision) {
    spawn_local(async move {
        match ipc::call(HeldDecide { id, decision }).await {
            Ok(decided) => say(app, decided),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// What came of it, with its way back where there is one.
fn say(app: App, decided: HeldWrite) {
    let words = decided.proposal().words();
    let memory = decided.item_id.clone().and_then(|id| MemoryId::parse(id).ok());
    match (decided.state, decided.proposal(), memory) {
        (HeldState::Dismissed, ..) => {
            let id = decided.id.clone();
            app.toasts.say_with_undo(dismissed(&decided), move || wait_again(app, id.clone()));
        }
        (HeldState::Accepted, Proposal::Removal, Some(id)) => {
            app.toasts.say_with_undo(format!("{}.", words.accepted), move || {
                actions::run(app, MemoryRestore { id: id.clone() });
            });
        }
        (HeldState::Accepted, Proposal::Note | Proposal::Correction, Some(id)) => {
            app.toasts.say_with_undo(format!("{}.", words.accepted), move || {
                actions::run(app, MemoryRemove { id: id.clone() });
            });
        }
        (HeldState::Accepted, proposal, _) => app.toasts.say(accepted(proposal)),
        (HeldState::Waiting, ..) => {}
    }
}

/// What was dismissed, and whether it goes.
fn dismissed(decided: &HeldWrite) -> String {
    let words = decided.proposal().words();
    match decided.proposal() {
        Proposal::Removal => format!("{}.", words.dismissed),
        _ => format!("{}. It goes for good in 30 days.", words.dismissed),
    }
}

/// What was accepted, and where it is taken back.
fn accepted(proposal: Proposal) -> String {
    let at = match proposal {
        Proposal::Facts => " Each fact can be taken back under Beliefs.",
        Proposal::Entry | Proposal::Rule | Proposal::Resource => " It stands under Work.",
        Proposal::Note | Proposal::Correction | Proposal::Removal => "",
    };
    format!("{}.{at}", proposal.words().accepted)
}

/// Lets what was dismissed wait again.
pub fn wait_again(app: App, id: CandidateId) {
    actions::run(app, HeldDecide { id, decision: HeldDecision::Wait });
}
