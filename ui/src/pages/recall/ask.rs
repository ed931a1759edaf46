//! The tab Ask: a question, and the passages that answer it.

use super::{
    RecallDialog, answer::Answer, filters::FilterBar, first_run::FirstRun, moment::first_space, saved::Chips, tabs,
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        model_notice::ModelNotices,
        states::{Skeleton, Trouble},
    },
    dates,
    query::Query,
    state::{App, Dialog},
    voice,
};
use leptos::{ev::SubmitEvent, html, prelude::*};
use um_model::{
    ApiError, EpochMs, ErrorCode,
    belief::ClaimState,
    claims::{FactsFound, FactsSearch},
    recall::Recalled,
};

/// So many beliefs are looked at for the first day of which anything is known.
const LOOKED_AT: u32 = 200;

/// The page.
#[component]
pub fn Recall() -> impl IntoView {
    let app = App::get();
    let (asked, filters) = (app.asked, app.filters);
    let request = Memo::new(move |_| {
        let query = asked.get();
        let space = app.space.get().map(String::from);
        (!query.trim().is_empty() || filters.narrow()).then(|| filters.request(query.trim(), space))
    });
    let answer = Query::new(move || {
        app.changes.forgotten.track();
        app.track_asks();
        request.get()
    });
    let first = first_day(app, asked, answer);
    // What was found for the question before stays as it is until the next one is answered: drawn anew, it would stand under that one.
    let is_asked = Memo::new(move |_| request.with(Option::is_some));
    let content = move || match (is_asked.get(), answer.value.get(), answer.error.get()) {
        (false, _, _) => view! { <FirstRun/> }.into_any(),
        (_, _, Some(error)) if error.code == ErrorCode::InvalidRequest => unread(app, &error).into_any(),
        (_, _, Some(error)) => view! {
            <Trouble what="The question could not be answered." error retry=Callback::new(move |()| answer.refresh())/>
        }
        .into_any(),
        (_, Some(recalled), None) => {
            let request = request.get_untracked().unwrap_or_default();
            view! { <Answer recalled request day=filters.day known=filters.known/> }.into_any()
        }
        (_, None, None) => view! { <Skeleton rows=4 shape="card"/> }.into_any(),
    };
    view! {
        <div class="page-head">
            <h1 class="hidden-words">"Recall"</h1>
            {tabs(0)}
            <SearchBox asked/>
            <FilterBar filters first/>
            <Chips/>
        </div>
        <div class="page-body" aria-busy=move || answer.loading.get().to_string()>
            <ModelNotices/>
            {content}
        </div>
    }
}

/// What of a question cannot be read, and how it is written; the question stays in its field as it was typed.
fn unread(app: App, error: &ApiError) -> impl IntoView + use<> {
    let tell = move |_| app.dialog.set(Some(Dialog::Recall(RecallDialog::Syntax)));
    view! {
        <div class="notice" role="status" data-testid="question-unread">
            <Glyph icon=Icon::Info/>
            <span class="grow">{voice::failure(error)}</span>
            <button type="button" class="button ghost small" on:click=tell>"What can be written"</button>
        </div>
    }
}

/// The first day of which anything is known: when the first space was made, when what answers happened, and since when
/// what is believed of whom the question names was so.
fn first_day(app: App, asked: Memo<String>, answer: Query<Recalled>) -> Signal<i64> {
    let believed: Query<FactsFound> = Query::new(move || {
        app.changes.beliefs.track();
        let query = Some(asked.with(|query| words::bare(query))).filter(|query| !query.is_empty())?;
        Some(FactsSearch {
            space: app.space.get().map(String::from),
            query: Some(query),
            states: vec![ClaimState::Asserted, ClaimState::Disputed, ClaimState::Superseded],
            limit: Some(LOOKED_AT),
            uncounted: true,
            ..FactsSearch::default()
        })
    });
    let first = Memo::new(move |before: Option<&(String, EpochMs)>| {
        let query = asked.get();
        let said = believed.value.with(|found| {
            let facts = found.iter().flat_map(|found| &found.facts);
            facts.flat_map(|fact| [fact.valid_from, fact.valid_to]).flatten().min()
        });
        let given = answer.value.with(|recalled| {
            let hits = recalled.iter().flat_map(|recalled| &recalled.hits);
            hits.map(|hit| hit.occurred_at.unwrap_or(hit.recorded_at)).min()
        });
        // What was asked as of an earlier day does not draw the beginning nearer.
        let earlier = before.filter(|(of, _)| *of == query).map(|(_, at)| *at);
        let at = [first_space(app), said, given, earlier].into_iter().flatten().min();
        (query, at.unwrap_or_else(dates::now))
    });
    Signal::derive(move || first.with(|(_, at)| dates::local_day(*at, dates::utc_offset())))
}

#[component]
fn SearchBox(asked: Memo<String>) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(asked.get_untracked());
    Effect::new(move |_| typed.set(asked.get()));
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // An element that cannot be focused leaves the focus where it is.
            let _ = input.focus();
        }
    });
    let ask = move |event: SubmitEvent| {
        event.prevent_default();
        app.ask_for(typed.get_untracked().trim().to_owned());
    };
    view! {
        <form class="search" role="search" aria-label="Recall" on:submit=ask>
            <Glyph icon=Icon::Search/>
            <input id="search" class="grow" type="text" node_ref=input maxlength="2000" autocomplete="off"
                aria-label="Your question" data-testid="recall-box"
                placeholder=move || format!("Ask {}", app.space_label())
                prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))/>
            <button type="submit" class="button accent" data-testid="recall-ask">"Ask"</button>
        </form>
    }
}
