//! Recall: a question, and the passages that answer it.

use super::result::ResultCard;
use crate::{
    components::{
        citation::Cited,
        icon::{Glyph, Icon},
        model_notice::ModelNotices,
        states::{Empty, Skeleton, Trouble},
        viewer::Target,
    },
    dates,
    format::{count, modality_name},
    query::Query,
    route::Route,
    state::{App, Dialog},
    voice,
};
use leptos::{
    ev::{KeyboardEvent, SubmitEvent},
    html,
    prelude::*,
};
use um_model::{
    EpochMs, Modality,
    recall::{Hit, MemoryRecall, Recalled},
};
use wasm_bindgen::JsCast;

/// How many hits are asked for.
const LIMIT: u32 = 20;
/// How many of them are shown where nothing answers.
const CLOSEST: usize = 3;

/// What narrows the search down.
#[derive(Clone, Copy)]
struct Filters {
    modality: RwSignal<Option<Modality>>,
    period: RwSignal<Period>,
    since: RwSignal<String>,
    until: RwSignal<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Period {
    Any,
    Days(u32),
    Between,
}

impl Period {
    const ALL: [(&'static str, &'static str, Period); 6] = [
        ("any", "Any date", Period::Any),
        ("1", "Past day", Period::Days(1)),
        ("7", "Past week", Period::Days(7)),
        ("31", "Past month", Period::Days(31)),
        ("365", "Past year", Period::Days(365)),
        ("between", "Between...", Period::Between),
    ];
}

impl Filters {
    fn new() -> Self {
        Self {
            modality: RwSignal::new(None),
            period: RwSignal::new(Period::Any),
            since: RwSignal::new(String::new()),
            until: RwSignal::new(String::new()),
        }
    }

    fn times(&self) -> (Option<EpochMs>, Option<EpochMs>) {
        match self.period.get() {
            Period::Any => (None, None),
            Period::Days(days) => (Some(dates::days_ago(days)), None),
            // The last day belongs to the period.
            Period::Between => (dates::start_of_day(&self.since.get(), 0), dates::start_of_day(&self.until.get(), 1)),
        }
    }

    fn request(&self, query: &str, space: Option<String>) -> MemoryRecall {
        let (since, until) = self.times();
        MemoryRecall {
            query: query.to_owned(),
            space,
            limit: Some(LIMIT),
            fielded: true,
            modalities: self.modality.get().into_iter().collect(),
            since,
            until,
            ..MemoryRecall::default()
        }
    }
}

/// The page.
#[component]
pub fn Recall() -> impl IntoView {
    let app = App::get();
    let asked = Memo::new(move |before: Option<&String>| match app.route.get() {
        Route::Recall { query } => query,
        // While another page comes, this one keeps its question.
        _ => before.cloned().unwrap_or_default(),
    });
    let filters = Filters::new();
    let answer = Query::new(move || {
        app.changes.forgotten.track();
        let query = asked.get();
        let space = app.space.get().map(String::from);
        (!query.trim().is_empty()).then(|| filters.request(query.trim(), space))
    });
    let content = move || match (asked.with(|q| q.trim().is_empty()), answer.value.get(), answer.error.get()) {
        (true, _, _) => view! { <FirstRun/> }.into_any(),
        (_, _, Some(error)) => view! {
            <Trouble what="The question could not be answered." error retry=Callback::new(move |()| answer.refresh())/>
        }
        .into_any(),
        (_, Some(recalled), None) => view! { <Answer recalled/> }.into_any(),
        (_, None, None) => view! { <Skeleton rows=4 shape="card"/> }.into_any(),
    };
    view! {
        <div class="page-head">
            <h1 class="hidden-words">"Recall"</h1>
            <SearchBox asked/>
            <FilterBar filters/>
        </div>
        <div class="page-body" aria-busy=move || answer.loading.get().to_string()>
            <ModelNotices/>
            {content}
        </div>
    }
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
        app.go(Route::Recall { query: typed.get_untracked().trim().to_owned() });
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

#[component]
fn FilterBar(filters: Filters) -> impl IntoView {
    let modalities = Modality::ALL.iter().filter(|m| **m != Modality::Other);
    let types = modalities.map(|m| view! { <option value=m.as_str()>{modality_name(*m)}</option> }).collect_view();
    let periods = Period::ALL.map(|(word, name, _)| view! { <option value=word>{name}</option> });
    let choose_period = move |event| {
        let word = event_target_value(&event);
        let chosen = Period::ALL.iter().find(|(w, _, _)| *w == word).map_or(Period::Any, |(_, _, p)| *p);
        filters.period.set(chosen);
    };
    let between = move || filters.period.get() == Period::Between;
    view! {
        <div class="filters" role="group" aria-label="Filters">
            <select class="field" aria-label="Type" data-testid="filter-type"
                on:change=move |e| filters.modality.set(event_target_value(&e).parse().ok())>
                <option value="">"Any type"</option>
                {types}
            </select>
            <select class="field" aria-label="Date" data-testid="filter-date" on:change=choose_period>{periods}</select>
            <Show when=between>
                <label class="small">"from "
                    <input class="field" type="date" on:change=move |e| filters.since.set(event_target_value(&e))/>
                </label>
                <label class="small">"to "
                    <input class="field" type="date" on:change=move |e| filters.until.set(event_target_value(&e))/>
                </label>
            </Show>
        </div>
    }
}

#[component]
fn Answer(recalled: Recalled) -> impl IntoView {
    let app = App::get();
    // The viewer outlines the other passages of the page that it shows.
    let cited = Cited::answer(&recalled.hits);
    app.results.set(cited.iter().map(Target::of).collect());
    let cited = StoredValue::new(cited);
    let recalled = StoredValue::new(recalled);
    let (abstained, hits) = recalled.with_value(|r| (r.abstained || r.hits.is_empty(), r.hits.len()));
    let closest = RwSignal::new(false);
    let count_words = if abstained { "No answer".to_owned() } else { count(hits as u64, "passage") };
    let notices = recalled.with_value(|r| r.notices.clone());
    view! {
        <p class="hidden-words" role="status" data-testid="result-count">{count_words}</p>
        {notices.into_iter().map(|n| view! {
            <p class="notice small"><Glyph icon=Icon::Info/> <span class="grow">{n}</span></p>
        }).collect_view()}
        {abstained.then(|| view! { <NoAnswer recalled closest/> })}
        {move || (!abstained || closest.get()).then(|| {
            let limit = if abstained { CLOSEST } else { LIMIT as usize };
            view! { <Results hits=recalled.with_value(|r| r.hits.clone()) cited=cited.get_value() limit/> }
        })}
    }
}

#[component]
fn NoAnswer(recalled: StoredValue<Recalled>, closest: RwSignal<bool>) -> impl IntoView {
    let app = App::get();
    let (reason, hits) = recalled.with_value(|r| (r.reason.clone(), r.hits.len().min(CLOSEST)));
    let empty = move || app.current_space().is_some_and(|s| s.artifacts + s.memories == 0);
    view! {
        <div class="no-answer" data-testid="no-answer">
            <p class="strong">
                {move || if empty() { voice::nothing_yet(&app.space_label()) } else { voice::no_answer(&app.space_label()) }}
            </p>
            {reason.map(|reason| view! { <p class="muted">{reason}</p> })}
            {(hits > 0).then(|| view! {
                <button type="button" class="button" data-testid="show-closest" aria-expanded=move || closest.get().to_string()
                    on:click=move |_| closest.update(|c| *c = !*c)>
                    {move || if closest.get() { "Hide them".to_owned() } else { voice::show_closest(hits) }}
                </button>
            })}
            {move || empty().then(|| view! {
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            })}
        </div>
    }
}

#[component]
fn Results(hits: Vec<Hit>, cited: Vec<Cited>, limit: usize) -> impl IntoView {
    let cards = hits.into_iter().zip(cited).take(limit).map(|(hit, cited)| view! { <ResultCard hit cited/> });
    view! { <ol class="results" aria-label="Passages" on:keydown=move_in_results>{cards.collect_view()}</ol> }
}

/// Up and Down go from result to result; Up from the first leads back to the question.
fn move_in_results(press: KeyboardEvent) {
    let step: i32 = match press.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    let Ok(all) = document().query_selector_all(".results [data-focus]") else {
        return;
    };
    let here = document().active_element();
    let at = (0..all.length()).find(|at| all.item(*at).as_ref() == here.as_ref().map(AsRef::as_ref));
    let Some(at) = at else { return };
    press.prevent_default();
    let next = match at as i32 + step {
        -1 => document().get_element_by_id("search"),
        next => all.item(next as u32).map(JsCast::unchecked_into),
    };
    if let Some(next) = next {
        let _ = next.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// What a person sees before the first question.
#[component]
fn FirstRun() -> impl IntoView {
    let app = App::get();
    let known = move || app.spaces.value.with(Option::is_some);
    let all_files = move || {
        app.spaces.value.with(|s| s.iter().flat_map(|s| &s.spaces).map(|s| s.artifacts + s.memories).sum::<u64>())
    };
    app.results.set(Vec::new());
    move || {
        match (known(), all_files()) {
        (false, _) => ().into_any(),
        (true, 0) => view! { <Welcome/> }.into_any(),
        (true, _) => view! {
            <Empty icon=Icon::Search says=Signal::derive(move || match app.current_space() {
                Some(space) if space.artifacts + space.memories == 0 => voice::nothing_yet(&app.space_label()),
                Some(space) => format!("{} and what they say are ready. Ask in your own words.", count(space.artifacts, "file")),
                None => "Ask in your own words. All spaces are searched.".to_owned(),
            })>
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            </Empty>
        }
        .into_any(),
    }
    }
}

#[component]
fn Welcome() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="welcome" data-testid="first-run">
            <p class="title">{voice::INVITATION}</p>
            <ul class="cards">
                <li class="card-plain">
                    <Glyph icon=Icon::Plus/>
                    <h2>"Add files"</h2>
                    <p class="muted">"Notes, PDFs, pictures, recordings. Drop them anywhere, or let a folder be watched."</p>
                    <div class="actions">
                        <button type="button" class="button accent" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>"Add files"</button>
                        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::WatchFolder))>"Watch a folder"</button>
                    </div>
                </li>
                <li class="card-plain">
                    <Glyph icon=Icon::Model/>
                    <h2>"Models"</h2>
                    <p class="muted">"Speech needs a model on this machine. You choose which, and see its size first."</p>
                    <div class="actions">
                        <button type="button" class="button" on:click=move |_| app.go(Route::Settings)>"See the models"</button>
                    </div>
                </li>
                <li class="card-plain">
                    <Glyph icon=Icon::Plug/>
                    <h2>"Connect an agent"</h2>
                    <p class="muted">"It asks the same questions over a local socket, and gets the same citations."</p>
                    <div class="actions">
                        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>"Show the line"</button>
                    </div>
                </li>
            </ul>
        </div>
    }
}
