//! What agents wrote that is not kept before the person says so: each with its words and why it waits.

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
use um_model::{CandidateId, MemoryId, SpaceId, capture::MemoryRemove, held::*};

/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 50;

/// Asks what agents wrote in a space that waits.
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
    shown(listed, "What agents wrote could not be listed.", (1, "card"), |listed| {
        let more = listed.total.saturating_sub(listed.held.len() as u64);
        (!listed.held.is_empty()).then(|| {
            view! {
                <ol class="plain" data-testid="held-list">
                    {listed.held.into_iter().map(|one| view! { <Held one/> }).collect_view()}
                </ol>
                {(more > 0).then(|| view! { <p class="muted small">{format!("and {} after these", count(more, "more note"))}</p> })}
            }
        })
    })
}

/// Why something waits, as a sentence.
pub fn why(reasons: &[HoldReason]) -> String {
    let looks: Vec<&str> = reasons.iter().map(|reason| reason.looks_like()).collect();
    format!("It looks like {}.", looks.join(" and "))
}

#[component]
fn Held(one: HeldWrite) -> impl IntoView {
    let app = App::get();
    let name = plain(&one.actor_name);
    let what = if one.operation == "facts_add" { "facts" } else { "a note" };
    let heading = format!("{name} wants to keep {what}");
    let label = format!("held-{}", one.id);
    let id = StoredValue::new(one.id.clone());
    let choose = move |decision| move |_| decide(app, id.get_value(), decision);
    view! {
        <li class="panel name" aria-labelledby=label.clone() data-testid="held">
            <div class="head-row">
                <h2 id=label.clone() class="grow"><bdi>{heading}</bdi></h2>
                <span class="muted small">{dates::moment(one.created_at)}</span>
            </div>
            <p class="state"><Glyph icon=Icon::Alert/> {why(&one.reasons)}</p>
            {one.title.map(|title| view! { <p class="strong"><bdi>{title}</bdi></p> })}
            {(!one.labels.is_empty()).then(|| view! { <p class="muted small"><bdi>{one.labels.join(", ")}</bdi></p> })}
            <pre class="held-words" tabindex="0" data-testid="held-says">{one.says}</pre>
            <p class="actions">
                <button type="button" class="button small" data-testid="held-drop" on:click=choose(HeldDecision::Drop)>"Drop it"</button>
                <button type="button" class="button small" data-testid="held-keep" on:click=choose(HeldDecision::Keep)>"Keep it"</button>
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
    let memory = decided.kept_id.as_deref().filter(|_| decided.operation == "memory_remember");
    match (decided.state, memory.and_then(|id| MemoryId::parse(id).ok())) {
        (HeldState::Dropped, _) => {
            let id = decided.id;
            app.toasts
                .say_with_undo("Dropped. It goes for good in 30 days.".to_owned(), move || wait_again(app, id.clone()));
        }
        (HeldState::Kept, Some(id)) => {
            app.toasts.say_with_undo("Kept.".to_owned(), move || actions::run(app, MemoryRemove { id: id.clone() }));
        }
        (HeldState::Kept, None) => app.toasts.say("Kept. Each fact can be taken back under Beliefs."),
        (HeldState::Waiting, _) => {}
    }
}

/// Lets what was dropped wait again.
pub fn wait_again(app: App, id: CandidateId) {
    actions::run(app, HeldDecide { id, decision: HeldDecision::Wait });
}
