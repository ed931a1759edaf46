//! Beside the source: its findings, what is decided about them, and how more is marked.

use super::{
    desk::{Desk, Part},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        list::VirtualList,
    },
    format::percent,
};
use leptos::{ev, prelude::*};
use std::{collections::BTreeMap, ops::Range};
use um_model::{
    Modality, TimeSpan,
    capture::Memory,
    findings::{Finding, FindingAdd, FindingDecision, FindingKind, FindingStatus, Region},
};

/// Height of a row in pixels.
const ROW: f64 = 40.0;

/// All that stands beside the source.
#[component]
pub fn Side(desk: Desk, memory: Memory) -> impl IntoView {
    let findings = Memo::new(move |_| desk.listed(desk.part.get()));
    let at = Memo::new(move |_| {
        let at = desk.over.at.get()?;
        findings.with(|all| all.iter().position(|one| one.id == at))
    });
    let cursor = RwSignal::new(0);
    Effect::new(move |_| {
        if let Some(at) = at.get() {
            cursor.set(at);
        }
    });
    let (_, set_visible) = signal::<Range<usize>>(0..1);
    let id = move |index: usize| findings.with(|all| all.get(index).map(|one| one.id.to_string()));
    let item = move |index: usize| {
        let one = Memo::new(move |_| findings.with(|all| all.get(index).cloned()));
        move || one.get().map(|finding| view! { <Row desk finding index cursor/> })
    };
    view! {
        <section class="redact-side" aria-label="What was found">
            <Add desk memory/>
            <Kinds desk/>
            <Parts desk/>
            {move || findings.with(Vec::is_empty).then(|| view! { <p class="muted small">"Nothing was found in it that waits."</p> })}
            <div class="redact-findings">
                <VirtualList total=Signal::derive(move || findings.with(Vec::len)) label="Findings" cursor id visible=set_visible
                    on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
            </div>
        </section>
    }
}

/// Which findings are listed, where there are others than those that wait; and whether their values are shown.
#[component]
fn Parts(desk: Desk) -> impl IntoView {
    let number = move |part: Part| Memo::new(move |_| desk.listed(part).len());
    let parts = [(Part::Open, "Waiting"), (Part::Dismissed, "Dismissed"), (Part::Applied, "Blacked out")];
    let parts = parts.map(|(part, words)| (part, words, number(part)));
    let choice = move |(part, words, number): (Part, &'static str, Memo<usize>)| {
        let there = move || part == Part::Open || number.get() > 0;
        move || {
            there().then(|| {
                view! {
                    <button type="button" class="button small" aria-pressed=move || (desk.part.get() == part).to_string()
                        on:click=move |_| desk.part.set(part)>{words} " " {move || number.get()}</button>
                }
            })
        }
    };
    let (label, toggle) = (
        move || if desk.in_full.get() { "Hide values" } else { "Show values" },
        move |_| desk.in_full.update(|shown| *shown = !*shown),
    );
    view! {
        <div class="redact-parts">
            <span class="segmented" role="group" aria-label="Which findings">{parts.map(choice).into_iter().collect_view()}</span>
            <button type="button" class="button small ghost" data-testid="show-values" on:click=toggle>{label}</button>
        </div>
    }
}

/// A finding and what is decided about it.
#[component]
fn Row(desk: Desk, finding: Finding, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let id = finding.id.clone();
    let here = Memo::new(move |_| desk.over.at.with(|at| at.as_ref() == Some(&id)));
    let look = {
        let id = finding.id.clone();
        move || desk.over.at.set(Some(id.clone()))
    };
    let look_too = look.clone();
    let sure = (finding.detector != "person").then(|| percent(finding.confidence));
    let what = words::kind(finding.kind);
    let shown = StoredValue::new(finding.clone());
    let value = move || shown.with_value(|finding| words::value(finding, desk.in_full.get()));
    view! {
        <div class="redact-finding" class:here=here data-testid="finding">
            {decision(desk, &finding, index)}
            <button type="button" class="redact-look" data-focus="" aria-current=move || here.get().then_some("true")
                tabindex=move || if cursor.get() == index { "0" } else { "-1" }
                on:focus=move |_| look_too() on:click=move |_| look()>
                <span class="strong">{what}</span>
                <span class="clip grow" title=value data-testid="finding-value">{value}</span>
                <span class="muted small">{sure}</span>
            </button>
            {other_decision(desk, finding)}
        </div>
    }
}

/// The tick: what is ticked will go. What was blacked out has none.
fn decision(desk: Desk, finding: &Finding, index: usize) -> Option<AnyView> {
    let (finding, goes) = (StoredValue::new(finding.clone()), finding.status == FindingStatus::Accepted);
    let label = format!("{}, {}: black out", index + 1, words::kind(finding.with_value(|one| one.kind)));
    let tick = move |event: ev::Event| {
        let decision = if event_target_checked(&event) { FindingDecision::Accept } else { FindingDecision::Reopen };
        finding.with_value(|finding| desk.decide(finding, decision));
    };
    let open = finding.with_value(words::is_open);
    open.then(|| {
        view! {
            <label class="redact-tick">
                <input type="checkbox" data-testid="finding-accept" aria-label=label prop:checked=goes on:change=tick/>
                <span aria-hidden="true">{index + 1}</span>
            </label>
        }
        .into_any()
    })
}

/// What else can be done: it stays as it is, or what was dismissed is asked about again.
fn other_decision(desk: Desk, finding: Finding) -> Option<AnyView> {
    let (words, icon, decision) = match finding.status {
        FindingStatus::Pending | FindingStatus::Accepted => ("Dismiss", Icon::Cross, FindingDecision::Dismiss),
        FindingStatus::Dismissed => ("Decide again", Icon::Undo, FindingDecision::Reopen),
        FindingStatus::Applied => return None,
    };
    let label = format!("{words}: {}", words::kind(finding.kind));
    let view = view! {
        <button type="button" class="button small ghost square" data-testid="finding-dismiss" aria-label=label title=words
            on:click=move |_| desk.decide(&finding, decision)><Glyph icon/></button>
    };
    Some(view.into_any())
}

/// All of a kind at once.
#[component]
fn Kinds(desk: Desk) -> impl IntoView {
    let kinds = Memo::new(move |_| {
        let mut kinds: BTreeMap<FindingKind, u64> = BTreeMap::new();
        let open = desk.listed(Part::Open);
        open.iter()
            .filter(|one| one.status == FindingStatus::Pending)
            .for_each(|one| *kinds.entry(one.kind).or_default() += 1);
        kinds.into_iter().collect::<Vec<_>>()
    });
    let one = move |(kind, number): (FindingKind, u64)| {
        let says = format!("Accept all {} ({number})", words::several(kind));
        view! {
            <button type="button" class="button small" data-testid="accept-all"
                on:click=move |_| desk.decide_all(kind, FindingDecision::Accept)>{says}</button>
        }
    };
    move || {
        let all = kinds.get();
        (!all.is_empty()).then(|| view! { <p class="redact-kinds">{all.into_iter().map(one).collect_view()}</p> })
    }
}

/// How more is marked.
#[component]
fn Add(desk: Desk, memory: Memory) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let said = words.get_untracked().trim().to_owned();
        if !said.is_empty() {
            desk.add_words(said);
            words.set(String::new());
        }
    };
    let modality = super::modality(&memory);
    let more = match modality {
        Modality::Image | Modality::Pdf => view! { <AddBox desk/> }.into_any(),
        Modality::Audio | Modality::Video => view! { <AddStretch desk memory/> }.into_any(),
        _ => view! { <AddSelected desk/> }.into_any(),
    };
    view! {
        <form class="redact-add" on:submit=submit>
            <label class="label" for="redact-words">"Black out these words, too"</label>
            <span class="redact-words">
                <input id="redact-words" class="field grow" type="text" maxlength="200" autocomplete="off" data-testid="add-words"
                    prop:value=move || words.get() on:input=move |e| words.set(event_target_value(&e))/>
                <button type="submit" class="button" data-testid="add-words-submit"
                    disabled=move || words.with(|words| words.trim().is_empty())>"Add by words"</button>
            </span>
        </form>
        {more}
    }
}

#[component]
fn AddBox(desk: Desk) -> impl IntoView {
    view! {
        <p class="redact-more">
            <button type="button" class="button small" data-testid="add-box" on:click=move |_| desk.over.begun.update(|n| *n += 1)>
                <Glyph icon=Icon::Plus/> "Add a box"
            </button>
            <span class="muted small">"Or drag one over the page. Arrow keys move it, with Shift they size it, Enter marks it."</span>
        </p>
    }
}

#[component]
fn AddSelected(desk: Desk) -> impl IntoView {
    let selected = desk.over.selected;
    let memory = desk.current;
    let add = move |_| {
        let Some((view, span)) = selected.get_untracked() else { return };
        selected.set(None);
        let of = if view.is_none() { memory.get_untracked() } else { None };
        desk.add(FindingAdd { view, memory: of, span: Some(span), ..FindingAdd::default() });
    };
    view! {
        <p class="redact-more">
            <button type="button" class="button small" data-testid="add-selected" disabled=move || selected.with(Option::is_none)
                on:click=add><Glyph icon=Icon::Plus/> "Add what is selected"</button>
        </p>
    }
}

/// Seconds as they stand in a field.
fn seconds(ms: u64) -> String {
    format!("{:.1}", ms as f64 / 1000.0)
}

#[component]
fn AddStretch(desk: Desk, memory: Memory) -> impl IntoView {
    let stretch = desk.over.stretch;
    let file = StoredValue::new(memory.artifact_id);
    let field = move |label: &'static str, testid: &'static str, end: bool| {
        let value = move || {
            // An end that is not given yet is no second.
            let of = |time: TimeSpan| match end {
                true => (time.end_ms > time.start_ms).then(|| seconds(time.end_ms)),
                false => Some(seconds(time.start_ms)),
            };
            stretch.get().and_then(of).unwrap_or_default()
        };
        let set = move |event: ev::Event| {
            let Ok(second) = event_target_value(&event).parse::<f64>() else { return };
            let ms = (second.max(0.0) * 1000.0) as u64;
            stretch.update(|stretch| {
                let time = stretch.get_or_insert(TimeSpan { start_ms: 0, end_ms: 0 });
                *(if end { &mut time.end_ms } else { &mut time.start_ms }) = ms;
            });
        };
        view! {
            <label class="small">{label} " "
                <input class="field number" type="number" min="0" step="0.1" data-testid=testid prop:value=value on:change=set/>
            </label>
        }
    };
    let fits = move || stretch.get().filter(|time| time.start_ms < time.end_ms);
    let add = move |_| {
        let Some(time) = untrack(fits) else { return };
        stretch.set(None);
        desk.add(FindingAdd { artifact: file.get_value(), region: Some(Region::Time(time)), ..FindingAdd::default() });
    };
    view! {
        <p class="redact-more">
            {field("Second", "stretch-from", false)}
            {field("to", "stretch-to", true)}
            <button type="button" class="button small" data-testid="add-stretch" disabled=move || fits().is_none() on:click=add>
                <Glyph icon=Icon::Plus/> "Silence it"
            </button>
            <span class="muted small">"Or drag over the waveform."</span>
        </p>
    }
}
