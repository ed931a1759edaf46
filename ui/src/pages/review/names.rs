//! Names that may mean several: here a person says whom they mean, and the words are read again.

use super::{Tab, head, held::HeldWrites};
use crate::{
    components::{
        citation::{CitationLink, Cited, Shape},
        icon::Icon,
        states::{Empty, shown},
    },
    format::count,
    ipc,
    pages::beliefs::{EntityLink, type_name},
    query::Query,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    CandidateId, Modality, Place, SpaceId,
    citation::{Citation, CitationState},
    claims::{CandidatesDecide, CandidatesList, CandidatesListed, CandidatesReopen, EntityRef, NameCandidate},
};

/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 50;

/// Asks which names of a space wait.
pub fn open_names(
    space: RwSignal<Option<SpaceId>>,
    changes: crate::state::Changes,
    limit: u32,
) -> Query<CandidatesListed> {
    Query::new(move || {
        changes.beliefs.track();
        Some(CandidatesList { space: space.get().map(String::from), limit: Some(limit), ..CandidatesList::default() })
    })
}

/// The tab.
#[component]
pub fn Names() -> impl IntoView {
    let app = App::get();
    let listed = open_names(app.space, app.changes, LISTED);
    view! {
        {head(Tab::Names)}
        <div class="page-body names">
            <HeldWrites/>
            {shown(listed, "The names could not be listed.", (3, "card"), names)}
        </div>
    }
}

fn names(listed: CandidatesListed) -> impl IntoView {
    if listed.candidates.is_empty() {
        let app = App::get();
        // Nothing is said of names where something else waits.
        let waits = move || app.held.value.with(|held| held.as_ref().is_some_and(|held| held.total > 0));
        let says = "Nothing waits: no agent wrote what has to be looked at, and it is known whom each name means.";
        return (move || (!waits()).then(|| view! { <Empty icon=Icon::CheckCircle says/> })).into_any();
    }
    let more = listed.total.saturating_sub(listed.candidates.len() as u64);
    view! {
        <ol class="plain">{listed.candidates.into_iter().map(|one| view! { <Name one/> }).collect_view()}</ol>
        {(more > 0).then(|| view! { <p class="muted small">{format!("and {} after these", count(more, "more name"))}</p> })}
    }
    .into_any()
}

/// The words that wait. Who brought them is not told with a name that waits.
fn cited(one: &NameCandidate) -> Cited {
    Cited::from(Citation {
        quote: one.quote.clone(),
        span: one.span,
        span_hash: String::new(),
        state: CitationState::Exact,
        memory_id: one.memory_id.clone(),
        view_id: one.view_id.clone(),
        segment_id: None,
        artifact_id: one.artifact_id.clone(),
        space_id: one.space_id.clone(),
        place: Place::default(),
        title: one.title.clone(),
        modality: Modality::Text,
        view_type: None,
        quality: None,
        actor_name: String::new(),
        occurred_at: None,
        recorded_at: one.created_at,
    })
}

#[component]
fn Name(one: NameCandidate) -> impl IntoView {
    let app = App::get();
    let title = format!("Whom does \"{}\" mean?", one.name);
    let id = format!("name-{}", one.id);
    let waits = format!(
        "{} for it",
        if one.claims == 1 { "1 claim waits".into() } else { format!("{} wait", count(one.claims.into(), "claim")) }
    );
    let (held, name) = (StoredValue::new(one.id.clone()), StoredValue::new(one.name.clone()));
    let choose = move |meant: Option<EntityRef>| decide(app, held.get_value(), name.get_value(), meant);
    let choices = one.choices.clone().into_iter().map(|choice| {
        let says = format!("This one: {}", choice.name);
        let kind = type_name(choice.entity_type);
        let meant = choice.clone();
        view! {
            <li class="entry" data-testid="name-choice">
                <span class="grow"><EntityLink entity=choice/> <span class="muted small">{kind}</span></span>
                <button type="button" class="button small" aria-label=says data-testid="name-this"
                    on:click=move |_| choose(Some(meant.clone()))>"This one"</button>
            </li>
        }
    });
    view! {
        <li class="panel name" aria-labelledby=id.clone() data-testid="name">
            <div class="head-row"><h2 id=id.clone() class="grow">{title}</h2><span class="muted small">{waits}</span></div>
            <CitationLink cited=cited(&one) shape=Shape::Card/>
            <ul class="plain">{choices.collect_view()}</ul>
            <p class="actions">
                <button type="button" class="button small" data-testid="name-none" on:click=move |_| choose(None)>"None of them"</button>
            </p>
        </li>
    }
}

fn decide(app: App, candidate: CandidateId, name: String, meant: Option<EntityRef>) {
    spawn_local(async move {
        let entity = meant.as_ref().map(|meant| meant.id.to_string());
        match ipc::call(CandidatesDecide { candidate, entity }).await {
            Ok(decided) => {
                let says = match meant {
                    Some(meant) => format!("\"{name}\" means {} there. It is read again.", meant.name),
                    None => format!("\"{name}\" means none of them there."),
                };
                let candidate = decided.id;
                let undo = move || crate::actions::run(app, CandidatesReopen { candidate: candidate.clone() });
                app.toasts.say_with_undo(says, undo);
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}
