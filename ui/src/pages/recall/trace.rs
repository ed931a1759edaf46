//! One trace: what was asked, how it was searched, what was given and what was not, and how sure that was.

use super::{
    behind::Behind,
    connected::way,
    event::event,
    opinion::Opinion,
    passed::{rejected, thing},
    path::paths,
    replay::Replay,
    signals::{Scale, bar, bars, connected_bar},
    traces::{asked, ended, thought, who},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        states::shown,
    },
    dates,
    format::count,
    query::Query,
    route::Route,
    state::App,
    voice,
};
use leptos::prelude::*;
use um_model::{
    TraceId,
    traces::{AnswerTrace, RecallTrace, TraceGet},
};

/// The page.
#[component]
pub fn Trace(
    /// The trace.
    id: TraceId,
) -> impl IntoView {
    let app = App::get();
    let of = id.clone();
    let told: Query<AnswerTrace> = Query::new(move || {
        app.changes.forgotten.track();
        Some(TraceGet { id: of.clone() })
    });
    let title =
        move || told.value.with(|told| told.as_ref().map_or_else(|| "Trace".to_owned(), |told| asked(&told.summary)));
    view! {
        <div class="page-head">
            <p><PageLink to=Signal::stored(Route::Traces) class="back" testid="traces-back">"Traces"</PageLink></p>
            <h1 data-testid="trace-asked">{title}</h1>
        </div>
        <div class="page-body narrow">{shown(told, "The trace cannot be told.", (4, "card"), page)}</div>
    }
}

fn page(trace: AnswerTrace) -> AnyView {
    let summary = &trace.summary;
    let head = view! {
        <section class="panel" aria-labelledby="asked-title">
            <div class="head-row"><h2 id="asked-title" class="grow">"Asked"</h2> {trace.recall.as_ref().and_then(ask_again)}</div>
            {facts(&trace)}
            {trace.recall.as_ref().and_then(wordless)}
            {trace.recall.as_ref().and_then(|recall| event(recall.event.clone(), recall.event_notice.clone()))}
            {pack(&trace)}
        </section>
    };
    let opinion = view! { <Opinion trace=Some(summary.id.clone()) before=summary.feedback/> };
    let Some(recall) = &trace.recall else {
        return view! {
            {head}
            <p class="notice" data-testid="trace-forgotten"><Glyph icon=Icon::Eraser/>
                <span class="grow">"What was asked and found here was forgotten. Only that somebody asked is left."</span></p>
        }
        .into_any();
    };
    if let Some(error) = &recall.failed {
        return view! {
            {head}
            <p class="notice" data-testid="trace-failed"><Glyph icon=Icon::Alert/>
                <span class="grow">{format!("The search failed: {}", voice::failure(error))}</span></p>
        }
        .into_any();
    }
    view! {
        {head}
        <section class="panel" aria-labelledby="sure-title">
            <div class="head-row"><h2 id="sure-title" class="grow">"How well it answers"</h2> {opinion}</div>
            {answerability(recall)}
            {feedback(&trace)}
        </section>
        <section class="panel" aria-labelledby="given-title">
            <h2 id="given-title">{format!("Given: {}", count(recall.given.len() as u64, "passage"))}</h2>
            {given(&trace, recall)}
        </section>
        {connected(&trace, recall)}
        <section class="panel" aria-labelledby="passed-title">
            <h2 id="passed-title">"Passed over"</h2>
            {rejected(&trace)}
        </section>
        <section class="panel" aria-labelledby="time-title">
            <h2 id="time-title">"Time"</h2>
            {timings(recall)}
        </section>
        <Replay id=summary.id.clone() names=trace.memories.clone() wordless=recall.wordless/>
    }
    .into_any()
}

/// The way back to the question, with all that narrowed it down; none where its words are not kept.
fn ask_again(recall: &RecallTrace) -> Option<impl IntoView + use<>> {
    let app = App::get();
    let asked = recall.asked.clone();
    (!recall.wordless).then(|| {
        view! {
            <button type="button" class="button" data-testid="trace-ask" on:click=move |_| app.ask(&asked)>
                <Glyph icon=Icon::Search/> "Ask again"
            </button>
        }
    })
}

/// Why the words of a question are not told.
fn wordless(recall: &RecallTrace) -> Option<impl IntoView + use<>> {
    recall.wordless.then(|| {
        view! {
            <p class="muted small" data-testid="trace-wordless">
                "Nothing that fits was found, or nothing that has one of its words, so the words of this question are not kept: they may be those of something that was forgotten."
            </p>
        }
    })
}

fn facts(trace: &AnswerTrace) -> impl IntoView + use<> {
    let app = App::get();
    let summary = &trace.summary;
    let (icon, word, class) = ended(summary.outcome);
    let mut rows = vec![("When", dates::moment(summary.created_at)), ("Who", who(summary))];
    if let Some(recall) = &trace.recall {
        let spaces: Vec<String> = recall.spaces.iter().filter_map(|id| app.space_name(id)).collect();
        let narrowed = words::narrowed(&recall.asked, dates::day, dates::numbered_day);
        let indexes: Vec<String> = recall.indexes.iter().map(|name| words::index(name)).collect();
        rows.push(("Where", spaces.join(", ")));
        rows.push(("Narrowed down", narrowed.join(", ")));
        rows.push(("Words", recall.words.join(", ")));
        rows.push(("Searched by", indexes.join(", ")));
        rows.push(("Model", recall.model.clone().unwrap_or_default()));
        rows.push(("Reranked by", recall.reranker.clone().unwrap_or_default()));
        rows.push(("Looked at", count(u64::from(recall.considered), "passage")));
    }
    rows.push(("Kept until", summary.expires_at.map(dates::day).unwrap_or_default()));
    let rows = rows.into_iter().filter(|(_, says)| !says.is_empty());
    let rows = rows.map(|(name, says)| view! { <div><dt>{name}</dt><dd>{says}</dd></div> }).collect_view();
    view! {
        <p class=format!("state {class}")><Glyph icon/> {word}</p>
        <dl class="facts">{rows}</dl>
    }
}

fn answerability(recall: &RecallTrace) -> impl IntoView + use<> {
    let at = format!("{:.1}%", recall.threshold.clamp(0.0, 1.0) * 100.0);
    let wide = format!("{:.1}%", recall.answerability.clamp(0.0, 1.0) * 100.0);
    let parts = words::answer_parts(&recall.answer_parts).into_iter().map(|(name, value)| {
        let against = if value < 0.0 { "against" } else { "" };
        view! { <div><dt>{name}</dt><dd>{bar(value.abs(), against)} <span class="signal-says">{format!("{value:.2}")}</span></dd></div> }
    });
    view! {
        <p data-testid="trace-sure">{words::sure(recall.answerability, recall.threshold)}</p>
        <svg class="signal-bar sure" width="100%" height="16" aria-hidden="true" focusable="false">
            <rect class="ground" y="4" width="100%" height="8" rx="2"></rect>
            <rect class="full" y="4" width=wide height="8" rx="2"></rect>
            <line class="threshold" x1=at.clone() x2=at y1="0" y2="16"></line>
        </svg>
        <dl class="signals">{parts.collect_view()}</dl>
        {recall.reason.clone().map(|reason| view! { <p>{reason}</p> })}
        {recall.notices.iter().cloned().map(|notice| view! { <p class="muted small">{notice}</p> }).collect_view()}
    }
}

fn feedback(trace: &AnswerTrace) -> impl IntoView + use<> {
    let said = trace.summary.feedback.map(|feedback| view! { <p>"Somebody said: " {thought(feedback)}</p> });
    let text =
        |name: &'static str, says: Option<String>| says.map(|says| view! { <div><dt>{name}</dt><dd>{says}</dd></div> });
    let answer = text("Answered", trace.answer.clone());
    let right = text("Right is", trace.correction.clone());
    let any = answer.is_some() || right.is_some();
    view! {
        <div data-testid="trace-feedback">{said} {any.then(|| view! { <dl class="facts">{answer}{right}</dl> })}</div>
    }
}

fn given(trace: &AnswerTrace, recall: &RecallTrace) -> impl IntoView + use<> {
    if recall.given.is_empty() {
        return view! { <p class="muted">"Nothing was given."</p> }.into_any();
    }
    let all = recall.given.iter().chain(&recall.rejected);
    let scale = Scale::of(all.map(|one| (one.score, &one.signals)), &recall.weights);
    let rows: Vec<_> = recall
        .given
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let title = match trace.memories.get(&one.memory) {
                Some(title) => thing(one.memory.clone(), Some(one.unit.clone()), title.clone()).into_any(),
                None => view! { <span class="muted">"No longer there"</span> }.into_any(),
            };
            let signals = bars(one.score, &one.signals, &scale);
            view! {
                <li class="given-row" data-testid="trace-given">
                    <div class="given-head"><span class="muted">{format!("{}.", at + 1)}</span> {title}</div>
                    {paths(&one.named)}
                    {signals}
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <ol class="given-list" aria-label="Given">{rows}</ol> }.into_any()
}

/// The pack that the passages were put in, to be read here.
fn pack(trace: &AnswerTrace) -> Option<impl IntoView + use<>> {
    let pack = trace.context.clone()?;
    Some(view! {
        <div class="in-pack" data-testid="trace-pack">
            <p>"It was asked for a pack that an agent reads before it works."</p>
            <Behind pack item=None words="Show what is in it" of="the pack".to_owned()/>
        </div>
    })
}

/// What is connected with what was given, the way there, and why it was not told where it was not.
fn connected(trace: &AnswerTrace, recall: &RecallTrace) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = recall
        .associated
        .iter()
        .map(|one| {
            let title = match trace.memories.get(&one.memory) {
                Some(title) => thing(one.memory.clone(), Some(one.unit.clone()), title.clone()).into_any(),
                None => view! { <span class="muted">"No longer there"</span> }.into_any(),
            };
            let left = one.gate.map(|gate| view! { <span class="muted small">{words::gate(gate)}</span> });
            view! {
                <li class="passed-row" data-testid="trace-connected">
                    {title} <span class="muted small grow">{way(&one.path)}</span> {left} {connected_bar(one.activation)}
                </li>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="panel" aria-labelledby="trace-connected-title">
                <h2 id="trace-connected-title">"Connected with it"</h2>
                <ol class="passed-list" aria-label="Connected with it">{rows}</ol>
            </section>
        }
    })
}

fn timings(recall: &RecallTrace) -> impl IntoView + use<> {
    let most = recall.timings.values().copied().fold(0.0, f64::max);
    let mut steps: Vec<(&String, &f64)> = recall.timings.iter().collect();
    steps.sort_by(|a, b| b.1.total_cmp(a.1));
    let rows = steps.into_iter().map(|(name, ms)| {
        let share = if most > 0.0 { ms / most } else { 0.0 };
        view! { <div><dt>{words::step(name)}</dt><dd>{bar(share, "")} <span class="signal-says">{words::spent(*ms)}</span></dd></div> }
    });
    view! { <dl class="signals">{rows.collect_view()}</dl> }
}
