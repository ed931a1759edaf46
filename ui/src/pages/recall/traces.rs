//! The tab Traces: what was asked, by whom, and how it ended; the newest first.

use super::{tabs, words};
use crate::{
    components::{
        citation::OWNER,
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        states::{Empty, listed},
    },
    dates,
    grown::Grown,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::traces::{Feedback, TraceOutcome, TraceSummary, TracesList, TracesListed};

/// Height of a row in pixels.
const ROW: f64 = 56.0;

/// What a trace says where its question was forgotten.
const FORGOTTEN: &str = "[REDACTED]";

/// What was asked, that it was forgotten, or that its words are not kept.
pub fn asked(summary: &TraceSummary) -> String {
    match (summary.query.as_str(), summary.outcome) {
        (FORGOTTEN, _) => "What was asked was forgotten".to_owned(),
        ("", TraceOutcome::Abstained) => "A question for which nothing fitting was found".to_owned(),
        ("", _) => "The newest of what was narrowed down".to_owned(),
        (query, _) => query.to_owned(),
    }
}

/// Who asked, as the person calls them.
pub fn who(summary: &TraceSummary) -> String {
    called(&summary.actor_name)
}

fn called(name: &str) -> String {
    if name == OWNER { "You".to_owned() } else { crate::components::pairing::plain(name) }
}

/// How a question ended, as a drawing and a word.
pub fn ended(outcome: TraceOutcome) -> (Icon, &'static str, &'static str) {
    let (icon, class) = match outcome {
        TraceOutcome::Success => (Icon::Check, "muted"),
        TraceOutcome::Abstained => (Icon::Search, "waiting"),
        TraceOutcome::Error => (Icon::Alert, "failed"),
    };
    (icon, words::outcome(outcome), class)
}

/// What somebody thought of it, as a drawing and a word.
pub fn thought(feedback: Feedback) -> impl IntoView {
    let icon = if feedback == Feedback::Positive { Icon::Right } else { Icon::Wrong };
    view! { <span class="state small"><Glyph icon/> {words::feedback(feedback)}</span> }
}

/// Which traces are listed.
#[derive(Clone, Copy)]
pub struct TracesShown {
    words: RwSignal<String>,
    /// The id of who asked; empty for anybody.
    actor: RwSignal<String>,
    /// The day on which it was asked, such as `2026-05-12`; empty for any.
    day: RwSignal<String>,
    outcome: RwSignal<Option<TraceOutcome>>,
    with_feedback: RwSignal<bool>,
}

impl TracesShown {
    /// All of them.
    pub fn new() -> Self {
        Self {
            words: RwSignal::new(String::new()),
            actor: RwSignal::new(String::new()),
            day: RwSignal::new(String::new()),
            outcome: RwSignal::new(None),
            with_feedback: RwSignal::new(false),
        }
    }

    /// What asks for them.
    fn request(&self, app: App, last: Option<&TraceSummary>, limit: u32) -> TracesList {
        let said = |of: RwSignal<String>| Some(of.get().trim().to_owned()).filter(|said| !said.is_empty());
        let begins = |days| self.day.with(|day| dates::start_of_day(day, days));
        TracesList {
            space: app.space.get().map(String::from),
            query: said(self.words),
            actor: said(self.actor),
            since: begins(0),
            until: begins(1),
            outcome: self.outcome.get(),
            with_feedback: self.with_feedback.get(),
            after: last.map(|trace| trace.id.clone()),
            limit: Some(limit),
        }
    }

    fn is_narrow(&self) -> bool {
        let is_said = |of: RwSignal<String>| of.with(|said| !said.trim().is_empty());
        let is_asked_for = [self.words, self.actor, self.day].into_iter().any(is_said);
        is_asked_for || self.outcome.with(Option::is_some) || self.with_feedback.get()
    }

    fn widen(&self) {
        for said in [self.words, self.actor, self.day] {
            said.set(String::new());
        }
        self.outcome.set(None);
        self.with_feedback.set(false);
    }
}

/// The tab.
#[component]
pub fn Traces() -> impl IntoView {
    let app = App::get();
    let list = Grown::new(
        move |last: Option<&TraceSummary>, limit| app.traces.request(app, last, limit),
        move || app.changes.forgotten.track(),
        |listed: TracesListed| (listed.traces, listed.more),
    );
    let empty = move || nothing(app.traces).into_any();
    view! {
        <div class="page-head">
            <h1 class="hidden-words">"Traces"</h1>
            {tabs(2)}
            <div class="filters" role="group" aria-label="Which traces">
                <Choices/>
                <button type="button" class="button ghost" on:click=move |_| list.refresh()><Glyph icon=Icon::Reread/> "Look again"</button>
            </div>
        </div>
        <div class="page-body fill">
            {listed(list.listing(), "The traces could not be listed.", empty, move || rows(list).into_any())}
        </div>
    }
}

/// What narrows the list down.
#[component]
fn Choices() -> impl IntoView {
    let app = App::get();
    let TracesShown { words: typed, actor, day, outcome, with_feedback } = app.traces;
    let agents = move || {
        let agents = app.agents.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let option = move |agent: um_model::access::AgentInfo| {
            let (id, name) = (agent.id.to_string(), called(&agent.name));
            let here = id.clone();
            view! { <option value=id prop:selected=move || actor.with(|chosen| *chosen == here)>{name}</option> }
        };
        agents.into_iter().map(option).collect_view()
    };
    let outcomes = TraceOutcome::ALL.iter().map(|one| {
        let one = *one;
        view! { <option value=one.as_str() prop:selected=move || outcome.get() == Some(one)>{words::outcome(one)}</option> }
    });
    view! {
        <input id="search" class="field grow" type="text" maxlength="2000" placeholder="Find by words of the question"
            aria-label="Find by words of the question" autocomplete="off" data-testid="traces-words"
            prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))/>
        <select class="field" aria-label="Who asked" data-testid="traces-who" on:change=move |e| actor.set(event_target_value(&e))>
            <option value="" prop:selected=move || actor.with(String::is_empty)>"Whoever asked"</option>{agents}
        </select>
        <input class="field" type="date" aria-label="Asked on the day" data-testid="traces-day"
            prop:value=move || day.get() on:change=move |e| day.set(event_target_value(&e))/>
        <select class="field" aria-label="How it ended" data-testid="traces-outcome"
            on:change=move |e| outcome.set(event_target_value(&e).parse().ok())>
            <option value="" prop:selected=move || outcome.with(Option::is_none)>"However it ended"</option>
            {outcomes.collect_view()}
        </select>
        <label class="check small">
            <input type="checkbox" data-testid="traces-feedback" prop:checked=move || with_feedback.get()
                on:change=move |e| with_feedback.set(event_target_checked(&e))/>
            "Right or wrong was said of it"
        </label>
    }
}

fn nothing(which: TracesShown) -> impl IntoView {
    let narrow = untrack(|| which.is_narrow());
    let app = App::get();
    let days = Memo::new(move |_| app.settings.value.with(|s| s.as_ref().map(|s| s.traces_kept_days)));
    let says = Signal::derive(move || match (narrow, days.get()) {
        (true, _) => "No question was of this kind.".to_owned(),
        (false, Some(0)) => words::kept_for(0),
        (false, Some(days)) => format!("Nothing was asked yet. {}", words::kept_for(days)),
        (false, None) => "Nothing was asked yet.".to_owned(),
    });
    let change = move || {
        (!narrow && days.get() == Some(0)).then(|| {
            view! { <PageLink to=Signal::stored(Route::Settings) class="button" testid="traces-keep">"Change it in Settings"</PageLink> }
        })
    };
    let all = narrow.then(|| {
        view! { <button type="button" class="button" data-testid="traces-all" on:click=move |_| which.widen()>"Show all"</button> }
    });
    view! { <Empty icon=Icon::Clock says>{all} {change}</Empty> }
}

fn rows(list: Grown<TraceSummary>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        let trace = Memo::new(move |_| list.row(index));
        move || match trace.get() {
            Some(trace) => view! { <Row trace index cursor/> }.into_any(),
            None => view! { <div class="bar row"></div> }.into_any(),
        }
    };
    view! {
        <VirtualList total=list.length() label="Traces, the newest first" cursor
            id=move |index| list.row(index).map(|trace| trace.id.to_string()) visible=list.sight()
            on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

#[component]
fn Row(trace: TraceSummary, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let app = App::get();
    let (icon, word, class) = ended(trace.outcome);
    let title = asked(&trace);
    let space = app.space_name(&trace.space_id);
    let facts =
        [Some(dates::moment(trace.created_at)), Some(who(&trace)), space].into_iter().flatten().collect::<Vec<_>>();
    let tabindex = Signal::derive(move || if cursor.get() == index { "0" } else { "-1" });
    view! {
        <div class="trace-row" data-testid="trace-row" on:focusin=move |_| cursor.set(index)>
            <PageLink to=Signal::stored(Route::Trace(trace.id.clone())) class="row-link" tabindex>
                <span class="trace-words grow">
                    <span class="clip strong" title=title.clone()>{title.clone()}</span>
                    <span class="muted small clip" title=facts.join(", ")>{facts.join(", ")}</span>
                </span>
                {trace.feedback.map(thought)}
                <span class=format!("state small trace-end {class}")><Glyph icon/> {word}</span>
            </PageLink>
        </div>
    }
}
