//! What was found and not given, and why.

use super::{
    signals::{Scale, told_bar},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::shown,
        viewer::Target,
    },
    ipc,
    query::Query,
    route::{At, Route},
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    MemoryId, TraceId, UnitId,
    capture::{Got, MemoryGet, ViewRead},
    traces::{AnswerTrace, TraceGet, Traced},
};

/// How many were found besides, in words.
fn found_besides(considered: usize, given: usize) -> String {
    match considered.saturating_sub(given) {
        0 => "Nothing else was found.".into(),
        1 => "1 other was found.".into(),
        more => format!("{more} others were found."),
    }
}

/// The trace of an answer, fetched once, as soon as a part of the page tells of it.
#[derive(Clone, Copy)]
pub struct Told {
    is_asked: RwSignal<bool>,
    trace: Query<AnswerTrace>,
}

impl Told {
    /// That of an answer, by its id.
    pub fn of(app: App, id: TraceId) -> Self {
        let is_asked = RwSignal::new(false);
        let trace = Query::new(move || {
            app.changes.forgotten.track();
            is_asked.get().then(|| TraceGet { id: id.clone() })
        });
        Self { is_asked, trace }
    }

    fn ask(self) -> Query<AnswerTrace> {
        if !self.is_asked.get_untracked() {
            self.is_asked.set(true);
        }
        self.trace
    }
}

/// What was passed over, once it is asked for.
#[component]
pub fn PassedOver(
    /// The trace of the answer.
    told: Told,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let list = move || shown(told.ask(), "What else was found cannot be told.", (3, "row"), |told| rejected(&told));
    view! {
        <section class="passed">
            <button type="button" class="button ghost small" data-testid="passed-over" aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)>
                "What else was found" <Glyph icon=Icon::ChevronDown/>
            </button>
            {move || open.get().then(list)}
        </section>
    }
}

/// What left others out and did not leave a passage out that was given: every check is made of each of them. Nothing where nothing was.
pub fn left_out(told: Told) -> impl IntoView {
    let line = |told: AnswerTrace| {
        let says = told.recall.as_ref().and_then(words::left_out);
        says.map(|says| view! { <p class="why-gates muted" data-testid="why-gates">{says}</p> })
    };
    shown(told.ask(), "What left others out cannot be told.", (1, "row"), line)
}

/// The list of what a trace says was passed over.
pub fn rejected(told: &AnswerTrace) -> impl IntoView + use<> {
    let Some(recall) = &told.recall else {
        return view! { <p class="muted">"What this told was forgotten."</p> }.into_any();
    };
    let all = recall.given.iter().chain(&recall.rejected);
    let scale = Scale::of(all.map(|one| (one.score, &one.signals)), &recall.weights);
    let rows: Vec<_> =
        recall.rejected.iter().map(|one| row(one, told.memories.get(&one.memory), &scale).into_any()).collect();
    let listed = rows.len();
    let besides = (recall.considered as usize).saturating_sub(recall.given.len());
    let more = (besides > listed && listed > 0).then(|| format!("The best {listed} of them:"));
    view! {
        <p class="muted small" data-testid="passed-count">{found_besides(recall.considered as usize, recall.given.len())} " " {more}</p>
        <ol class="passed-list" aria-label="What else was found">{rows}</ol>
        {words::behind(&recall.behind).map(|says| view! { <p class="muted small" data-testid="passed-behind">{says}</p> })}
        {words::forgotten(recall.forgotten).map(|says| view! { <p class="muted small" data-testid="passed-forgotten">{says}</p> })}
    }
    .into_any()
}

fn row(one: &Traced, title: Option<&String>, scale: &Scale) -> impl IntoView + use<> {
    let why = one.gate.map_or("", words::gate);
    let title = match title {
        Some(title) => thing(one.memory.clone(), Some(one.unit.clone()), title.clone()).into_any(),
        None => view! { <span class="muted">"No longer there"</span> }.into_any(),
    };
    view! {
        <li class="passed-row" data-testid="passed-row">
            {title}
            <span class="muted small grow" data-testid="passed-why">{why}</span>
            {told_bar(scale.score(one.score))}
        </li>
    }
}

/// A memory by its title: a click shows it, at a passage of it where one is meant.
pub fn thing(memory: MemoryId, passage: Option<UnitId>, title: String) -> impl IntoView {
    let app = App::get();
    let (id, passage, name) = (memory, StoredValue::new(passage), title.clone());
    let words = if title.is_empty() { "Without a title".to_owned() } else { title.clone() };
    view! {
        <button type="button" class="clip thing" title=title
            on:click=move |_| open_memory(app, id.clone(), passage.get_value(), name.clone())>{words}</button>
    }
}

/// Where a passage stands: the beginning, where it was read anew since and is there no more.
async fn place_of(passage: UnitId) -> At {
    let Ok(Got::Unit(unit)) = ipc::call(MemoryGet { id: passage.to_string() }).await else {
        return At::default();
    };
    let read = match unit.view_id.clone() {
        Some(id) => ipc::call(ViewRead { id, span: Some(unit.span) }).await.ok(),
        None => None,
    };
    let here = |text: um_model::capture::ViewText| {
        text.anchors.iter().filter(|anchor| anchor.span.overlaps(unit.span)).find_map(|anchor| anchor.page)
    };
    At { page: read.and_then(here), view: unit.view_id, span: Some(unit.span) }
}

/// Shows a memory: a note beside the page, a file on its own.
fn open_memory(app: App, id: MemoryId, passage: Option<UnitId>, title: String) {
    spawn_local(async move {
        let at = match passage {
            Some(passage) => place_of(passage).await,
            None => At::default(),
        };
        match ipc::call(MemoryGet { id: id.to_string() }).await {
            Ok(Got::Memory(memory)) => match memory.artifact_id {
                // Without a view it is not known in which of its texts the words stand.
                Some(file) => {
                    let at = Some(at).filter(|at| at.view.is_some()).unwrap_or_default();
                    app.go(Route::Item { id: file, at });
                }
                None => {
                    app.viewer.set(Some(Target { span: at.span, ..Target::of_note(id, title) }));
                    app.focus_viewer();
                }
            },
            Ok(_) => {}
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::found_besides;

    #[test]
    fn what_was_found_besides_is_counted() {
        for (considered, given, says) in [
            (5, 5, "Nothing else was found."),
            (6, 5, "1 other was found."),
            (17, 5, "12 others were found."),
            (0, 0, "Nothing else was found."),
        ] {
            assert_eq!(found_besides(considered, given), says);
        }
    }
}
