//! Redactions: what is personal in files and memories, drawn over them; what is accepted is blacked out for good.

mod apply;
mod desk;
mod list;
mod side;
mod words;

pub use apply::{Ask, BlackOut, Blacking, Underway};
pub use words::kinds;

use super::{Tab, head, listens};
use crate::{
    components::{
        icon::{Glyph, Icon, of_modality},
        states::{Empty, Skeleton, Trouble},
        viewer::{Source, Target, Viewer},
    },
    format::count,
    query::Query,
    state::{App, Changes, Dialog},
};
use desk::{Desk, Listing, Part};
use leptos::{ev, prelude::*};
use um_model::{
    Modality, SpaceId,
    capture::Memory,
    findings::{FindingDecision, RedactionsList, RedactionsListed},
};

/// Asks how many files and memories of a space wait.
pub fn open_redactions(space: RwSignal<Option<SpaceId>>, changes: Changes) -> Query<RedactionsListed> {
    Query::new(move || {
        changes.findings.track();
        changes.library.track();
        let space = space.get().map(String::from);
        // Names alone are looked through by whoever wants to, and call for nobody.
        Some(RedactionsList { space, names_only: Some(false), limit: Some(1), ..RedactionsList::default() })
    })
}

/// The tab.
#[component]
pub fn Redactions() -> impl IntoView {
    let app = App::get();
    let desk = Desk::new(app);
    let keys = window_event_listener(ev::keydown, move |press| pressed(desk, &press));
    on_cleanup(move || keys.remove());
    let shape = Memo::new(move |_| {
        let items = desk.items;
        (items.value.with(|l| l.as_ref().map(|l| l.items.is_empty())), items.error.with(Option::is_some))
    });
    let nothing = move || shape.get().0 == Some(true) && desk.current.with(Option::is_none);
    let body = Memo::new(move |_| (nothing(), shape.get()));
    let body = move || match body.get() {
        (_, (None, true)) => {
            let retry = Callback::new(move |()| desk.items.refresh());
            desk.items
                .error
                .get_untracked()
                .map(|error| view! { <Trouble what="What is personal could not be listed." error retry/> })
                .into_any()
        }
        (_, (None, false)) => view! { <Skeleton rows=3 shape="card"/> }.into_any(),
        (nothing, _) => {
            let detail = move || match nothing {
                true => view! { <Nothing desk/> }.into_any(),
                false => view! { <Item desk/> }.into_any(),
            };
            view! {
                <div class="review-grid redactions">
                    <list::Items desk/>
                    {detail}
                </div>
            }
            .into_any()
        }
    };
    view! {
        {head(Tab::Redactions)}
        <div class="page-body fill review">{body}</div>
    }
}

#[component]
fn Nothing(desk: Desk) -> impl IntoView {
    let names = move || desk.names.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total));
    let says = Signal::derive(move || match desk.listing.get() {
        Listing::Applied => "Nothing was blacked out yet.".to_owned(),
        Listing::Names => "No names wait alone.".to_owned(),
        Listing::Waiting if names() > 0 => {
            format!("Nothing to decide but names, in {}.", count(names(), "source"))
        }
        Listing::Waiting => "Nothing to decide. What is personal is looked for in everything that comes in.".to_owned(),
    });
    view! { <Empty icon=Icon::CheckCircle says/> }
}

/// J and K go through the findings, A accepts, D dismisses, B shows before and after. A key that is held down decides nothing.
fn pressed(desk: Desk, press: &ev::KeyboardEvent) {
    let held = press.ctrl_key() || press.alt_key() || press.meta_key() || press.repeat();
    if held || desk.app.holds_keys() || press.default_prevented() || !desk.app.single_keys() || !listens() {
        return;
    }
    let decide = |decision| {
        if let Some(finding) = desk.settled() {
            desk.decide(&finding, decision);
        }
    };
    match press.key().as_str() {
        "j" | "J" => desk.step(1),
        "k" | "K" => desk.step(-1),
        "a" | "A" => decide(FindingDecision::Accept),
        "d" | "D" => decide(FindingDecision::Dismiss),
        "b" | "B" => desk.over.before.update(|before| *before = !*before),
        _ => return,
    }
    press.prevent_default();
}

/// The file or memory that is looked at.
#[component]
fn Item(desk: Desk) -> impl IntoView {
    // Drawn anew for another one, and once something was blacked out of it; not for each decision.
    let shown = Memo::new_with_compare(
        move |_| (desk.memory(), desk.renewed.get()),
        |before, now| {
            let key = |of: Option<&(Option<Memory>, u32)>| {
                of.map(|(memory, renewed)| (memory.as_ref().map(|m| (m.id.clone(), m.artifact_id.clone())), *renewed))
            };
            key(before) != key(now)
        },
    );
    let error = move || desk.memory.error.get().filter(|_| desk.memory.value.with(Option::is_none));
    let failed = Memo::new(move |_| error().is_some());
    move || match (shown.get().0, failed.get()) {
        (Some(memory), _) => view! { <Sheet desk memory/> }.into_any(),
        (None, true) => {
            let retry = Callback::new(move |()| desk.memory.refresh());
            let error = desk.memory.error.get_untracked();
            error.map(|error| view! { <Trouble what="It could not be opened." error retry/> }).into_any()
        }
        (None, false) => view! { <Skeleton rows=3 shape="card"/> }.into_any(),
    }
}

fn target_of(memory: &Memory, title: String) -> Target {
    let source = match &memory.artifact_id {
        Some(id) => Source::File(id.clone()),
        None => Source::Memory(memory.id.clone()),
    };
    let (view, span, page, time, quote) = (None, None, None, None, None);
    Target { source, title, view, span, page, boxes: Vec::new(), time, matches: Vec::new(), quote }
}

fn modality(memory: &Memory) -> Modality {
    memory.modality.parse().unwrap_or(Modality::Other)
}

#[component]
fn Sheet(desk: Desk, memory: Memory) -> impl IntoView {
    let title = move || desk.title();
    let target = target_of(&memory, untrack(title));
    let icon = of_modality(modality(&memory));
    let place = move || desk.place().map(|(at, total)| format!("{} of {total}", at + 1));
    let over = desk.over;
    let side = |before: bool, words: &'static str, testid: &'static str| {
        view! {
            <button type="button" class="button small" data-testid=testid title=format!("{words} (B)")
                aria-pressed=move || (over.before.get() == before).to_string()
                on:click=move |_| over.before.set(before)>{words}</button>
        }
    };
    view! {
        <section class="redact" aria-labelledby="conflict" data-testid="redact">
            <header class="redact-head">
                <Glyph icon/>
                <h2 id="conflict" class="grow file" tabindex="-1" title=title>{title}</h2>
                <span class="muted small" data-testid="redact-place">{place}</span>
                <button type="button" class="button ghost square" aria-label="Previous file or note" title="Previous"
                    on:click=move |_| desk.turn(-1)><Glyph icon=Icon::ChevronLeft/></button>
                <button type="button" class="button ghost square" aria-label="Next file or note" title="Next"
                    on:click=move |_| desk.turn(1)><Glyph icon=Icon::ChevronRight/></button>
                <span class="segmented" role="group" aria-label="Show it">
                    {side(true, "Before", "redact-before")}
                    {side(false, "After", "redact-after")}
                </span>
            </header>
            <div class="redact-body">
                <div class="redact-source"><Viewer target redacting=over/></div>
                <side::Side desk memory=memory.clone()/>
            </div>
            <Foot desk memory/>
        </section>
    }
}

#[component]
fn Foot(desk: Desk, memory: Memory) -> impl IntoView {
    let memory = StoredValue::new(memory);
    let going = Memo::new(move |_| desk.going());
    let left = Memo::new(move |_| desk.listed(Part::Open).len() as u64);
    let says = move || match (left.get(), going.get()) {
        (0, _) => "Nothing waits in it.".to_owned(),
        (all, going) if all == going => "All is decided.".to_owned(),
        (all, going) => format!("{} to decide", count(all - going, "place")),
    };
    let ask = move |_| {
        let (memory, findings) = (memory.get_value(), going.get_untracked());
        let ask = apply::Ask {
            memory: memory.id.clone(),
            title: untrack(|| desk.title()),
            findings,
            modality: modality(&memory),
            is_file: memory.artifact_id.is_some(),
            renewed: desk.renewed,
        };
        desk.app.dialog.set(Some(Dialog::BlackOut(ask)));
    };
    let busy = Memo::new(move |_| {
        let id = memory.with_value(|memory| memory.id.clone());
        desk.app.blacking.with(|all| all.iter().any(|one| one.memory == id))
    });
    let label = move || match going.get() {
        0 => "Black out".to_owned(),
        going => format!("Black out {going}"),
    };
    view! {
        <footer class="redact-foot">
            <button type="button" class="button danger" data-testid="black-out" disabled=move || going.get() == 0 || busy.get()
                on:click=ask>
                <Glyph icon=Icon::Blacked/> {label}
            </button>
            <button type="button" class="button" data-testid="redact-later" on:click=move |_| desk.turn(1)>"Later"</button>
            <span class="muted small" role="status" data-testid="redact-left">{says}</span>
        </footer>
    }
}
