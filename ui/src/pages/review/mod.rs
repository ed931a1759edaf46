//! Review: what waits for a decision: conflicts, two claims that cannot both stand; what is personal in files and memories;
//! copies into other spaces; what agents wrote that is not kept yet, and names that may mean several; agents that ask to be
//! let in.

mod asking;
mod conflict;
mod decide;
mod decided;
mod differ;
mod held;
mod matters;
mod names;
mod other;
mod promotions;
mod redactions;
mod sought;
mod waiting;

pub use asking::Asking;
pub use decided::Decided;
pub use held::open_held;
pub use names::{Names, open_names};
pub use other::Other;
pub use promotions::{Promotions, open_promotions};
pub use redactions::{Ask, BlackOut, Blacking, Redactions, open_redactions};
pub use waiting::Waiting;

use super::beliefs::words::{about, disagreement, question, sides};
use crate::{
    components::{
        icon::{Glyph, Icon},
        list::VirtualList,
        states::{Empty, Skeleton, Trouble},
        tabs,
    },
    dates,
    format::count,
    ipc,
    query::Query,
    route::Route,
    state::{App, Changes},
};
use conflict::Sides;
use decide::{CHOICES, by_choice, decide, related};
use leptos::{ev, prelude::*, task::spawn_local};
use matters::matters;
use sought::Sought;
use std::ops::Range;
use um_model::{
    ConflictId, SpaceId,
    claims::{Conflict, ConflictsList, ConflictsListed},
};
use wasm_bindgen::JsCast;

/// Height of a conflict's row in the list, in pixels.
const ROW: f64 = 64.0;
/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 100;
/// How long a conflict is seen before a key decides it, in milliseconds: what was pressed for the one before must not
/// decide the next.
const SETTLING_MS: f64 = 400.0;

/// Asks how many conflicts of a space are open.
pub fn open_conflicts(space: RwSignal<Option<SpaceId>>, changes: Changes) -> Query<ConflictsListed> {
    Query::new(move || {
        changes.beliefs.track();
        Some(ConflictsList { space: space.get().map(String::from), limit: Some(1), ..ConflictsList::default() })
    })
}

/// Says it where a conflict has come up in the space in use.
pub fn announce_conflicts(app: App) {
    Effect::new(move |before: Option<(Option<SpaceId>, Option<u64>)>| {
        let space = app.space.get();
        let total = app.conflicts.value.with(|listed| listed.as_ref().map(|listed| listed.total));
        // Where another space was chosen, the list is still that of the one before.
        let elsewhere = before.as_ref().is_some_and(|(of, _)| *of != space);
        let known = before.filter(|_| !elsewhere).and_then(|(_, total)| total);
        // What was reopened by hand is no news.
        let reopened = app.reopened.get_untracked().is_some();
        if let (Some(known), Some(total)) = (known, total)
            && total > known
            && !reopened
        {
            announce(app, total, total - known);
        }
        app.reopened.set(None);
        (space, total.filter(|_| !elsewhere))
    });
}

fn announce(app: App, total: u64, new: u64) {
    let space = app.space.get_untracked().map(String::from);
    spawn_local(async move {
        let newest = ConflictsList { space, offset: (total - 1) as u32, limit: Some(1), ..ConflictsList::default() };
        let Ok(listed) = ipc::call(newest).await else { return };
        if let Some(conflict) = listed.conflicts.first() {
            let first = disagreement(conflict);
            app.toasts.say(match new {
                1 => format!("{first} Nothing was changed."),
                more => format!("{first} {} came up with it. Nothing was changed.", count(more - 1, "more conflict")),
            });
        }
    });
}

/// What the parts of the page share.
#[derive(Clone, Copy)]
struct Inbox {
    /// The conflicts, each beside those that it shares a claim with.
    matters: Memo<Vec<Vec<Conflict>>>,
    /// The conflict that is shown.
    current: RwSignal<Option<ConflictId>>,
    /// What became of the one that the address names.
    sought: RwSignal<Sought>,
    /// How often one was asked for by its id.
    asked: StoredValue<u32>,
    /// The one that the address names, where it is open and not among those that are listed.
    beyond: Memo<Option<ConflictId>>,
    /// When it came up, by the clock of the page.
    since: StoredValue<f64>,
}

impl Inbox {
    /// All of them, in the order in which they are walked through.
    fn ids(&self) -> Vec<ConflictId> {
        self.matters.with(|all| all.iter().flatten().map(|c| c.id.clone()).collect())
    }

    /// The number of the one that is shown, from 0.
    fn at(&self) -> Option<usize> {
        let current = self.current.get()?;
        self.ids().iter().position(|id| *id == current)
    }

    /// The matter that it belongs to.
    fn matter_at(&self) -> Option<usize> {
        let current = self.current.get()?;
        self.matters.with(|all| all.iter().position(|matter| matter.iter().any(|c| c.id == current)))
    }

    fn matter_id(&self, index: usize) -> Option<String> {
        self.matters.with(|all| all.get(index)?.first().map(|c| c.id.to_string()))
    }

    fn matter(&self) -> Vec<Conflict> {
        self.matter_at().and_then(|at| self.matters.with(|all| all.get(at).cloned())).unwrap_or_default()
    }

    fn shown(&self) -> Option<Conflict> {
        let current = self.current.get()?;
        self.matter().into_iter().find(|c| c.id == current)
    }

    fn show(&self, index: usize) {
        if let Some(id) = untrack(|| self.ids()).get(index) {
            self.current.set(Some(id.clone()));
        }
    }

    /// Shows a matter by its first conflict, where it is not in sight already.
    fn show_matter(&self, index: usize) {
        if untrack(|| self.matter_at()) != Some(index)
            && let Some(id) = self.matters.with_untracked(|all| all.get(index)?.first().map(|c| c.id.clone()))
        {
            self.current.set(Some(id));
        }
    }

    fn step(&self, by: isize) {
        let at = untrack(|| self.at()).unwrap_or(0);
        self.show(at.saturating_add_signed(by));
    }

    /// Whether the conflict has been in sight long enough to be decided by a key or a button.
    fn settled(&self) -> bool {
        js_sys::Date::now() - self.since.get_value() >= SETTLING_MS
    }

    /// Shows the one after that which was decided, else the one before. Those that were settled with it are left out.
    fn leave(&self, decided: &ConflictId, settled: &[ConflictId]) {
        let mut ids = untrack(|| self.ids());
        ids.retain(|id| !settled.contains(id));
        let next = ids.iter().position(|id| id == decided).and_then(|at| {
            let after = ids.get(at + 1).or_else(|| ids.get(at.checked_sub(1)?));
            after.cloned()
        });
        self.current.set(next);
    }
}

/// Where the conflict that had the focus is gone, the next one gets it, or else the page: its heading, never a button
/// that decides.
fn keep_focus() {
    request_animation_frame(|| {
        let lost = document().active_element().is_none_or(|e| e.tag_name() == "BODY");
        let heading = document().get_element_by_id("conflict").or_else(|| document().get_element_by_id("main"));
        if let Some(heading) = heading.filter(|_| lost) {
            // An element that cannot be focused leaves the focus where it is.
            let _ = heading.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

/// The page.
#[component]
pub fn Review() -> impl IntoView {
    let app = App::get();
    let listed = Query::new(move || {
        app.changes.beliefs.track();
        Some(ConflictsList {
            space: app.space.get().map(String::from),
            limit: Some(LISTED),
            ..ConflictsList::default()
        })
    });
    let sought = RwSignal::new(Sought::Nothing);
    // Before the list is there, it is not known what is beyond it.
    let beyond = move || {
        listed.value.with(|l| {
            let is_listed = |id: &ConflictId| l.as_ref().is_none_or(|l| l.conflicts.iter().any(|one| one.id == *id));
            sought.with(|sought| sought.open().filter(|one| !is_listed(&one.id)).cloned())
        })
    };
    let matters = Memo::new_with_compare(
        move |_| {
            let listed = listed.value.with(|l| l.as_ref().map(|l| l.conflicts.clone()).unwrap_or_default());
            matters(listed.into_iter().chain(beyond()))
        },
        |_, _| true,
    );
    let inbox = Inbox {
        matters,
        current: RwSignal::new(None),
        sought,
        asked: StoredValue::new(0),
        beyond: Memo::new(move |_| beyond().map(|one| one.id)),
        since: StoredValue::new(0.0),
    };
    follow(app, inbox);
    let shape = Memo::new(move |_| {
        let is_empty = listed.value.with(Option::is_some).then(|| matters.with(Vec::is_empty));
        (is_empty, listed.error.with(Option::is_some))
    });
    let total = move || listed.value.with(|l| l.as_ref().map_or(0, |l| l.total));
    let body = move || match (shape.get().0, listed.error.get_untracked()) {
        (Some(true), _) => view! { <Empty icon=Icon::CheckCircle says="Nothing to decide."/> }.into_any(),
        (Some(false), _) => view! { <Conflicts inbox total=Signal::derive(total)/> }.into_any(),
        (None, Some(error)) => view! {
            <Trouble what="The conflicts could not be listed." error retry=Callback::new(move |()| listed.refresh())/>
        }
        .into_any(),
        (None, None) => view! { <Skeleton rows=3 shape="card"/> }.into_any(),
    };
    view! {
        {head(Tab::Conflicts)}
        <div class="page-body fill review">{sought::over(inbox)} {body}</div>
    }
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Conflicts,
    Redactions,
    Promotions,
    Names,
    Access,
    History,
}

/// The head of all tabs, each with how much waits in it.
fn head(here: Tab) -> impl IntoView {
    let app = App::get();
    let waiting = Memo::new(move |_| app.waiting());
    let tab = move |of: Tab, testid, to: Route, name| {
        let number = Signal::derive(move || {
            let waiting = waiting.get();
            match of {
                Tab::Conflicts => waiting.conflicts,
                Tab::Redactions => waiting.redactions,
                Tab::Promotions => waiting.promotions,
                Tab::Names => waiting.held + waiting.names,
                Tab::Access => waiting.agents,
                Tab::History => 0,
            }
        });
        tabs::Tab::new(name, testid, here == of, to).with(number)
    };
    let all = vec![
        tab(Tab::Conflicts, "tab-conflicts", Route::Review { conflict: None }, "Conflicts"),
        tab(Tab::Redactions, "tab-redactions", Route::Redactions { memory: None }, "Redactions"),
        tab(Tab::Promotions, "tab-promotions", Route::Promotions, "Promotions"),
        tab(Tab::Names, "tab-names", Route::Names, "Candidates"),
        tab(Tab::Access, "tab-access", Route::Asking, "Access"),
        tab(Tab::History, "tab-history", Route::Decided, "History"),
    ];
    view! {
        <div class="page-head">
            <div class="head-row">
                <h1 class="grow">"Review"</h1>
                <span class="muted small" role="status">
                    {move || Some(waiting.get().words()).filter(|words| !words.is_empty())}
                </span>
            </div>
            <tabs::Tabs label="Review" all/>
            <redactions::Underway/>
        </div>
    }
}

/// Keeps one conflict shown: the one that the address names, else the first; one that comes back is shown again.
fn follow(app: App, inbox: Inbox) {
    sought::seek(app, inbox);
    Effect::new(move |_| {
        if let Some(back) = app.reopened.get() {
            inbox.current.set(Some(back));
        }
    });
    Effect::new(move |_| {
        inbox.matters.track();
        let is_awaited = inbox.sought.with(|sought| matches!(sought, Sought::Awaited));
        if !is_awaited && untrack(|| inbox.at()).is_none() {
            inbox.show(0);
        }
    });
    let keys = window_event_listener(ev::keydown, move |press| pressed(app, inbox, &press));
    on_cleanup(move || keys.remove());
}

/// J and K go through the list, 1 to 4 decide. A key that is held down decides nothing, and Enter never does.
fn pressed(app: App, inbox: Inbox, press: &ev::KeyboardEvent) {
    let held = press.ctrl_key() || press.alt_key() || press.meta_key() || press.repeat();
    let elsewhere = app.dialog.with_untracked(Option::is_some) || app.switcher.with_untracked(Option::is_some);
    if held || elsewhere || press.default_prevented() || !app.single_keys() || !listens() {
        return;
    }
    match press.key().as_str() {
        "j" | "J" => inbox.step(1),
        "k" | "K" => inbox.step(-1),
        "4" => other(app, inbox),
        key => match CHOICES.iter().find(|(of, ..)| *of == key) {
            Some((_, _, resolution)) => settle(app, inbox, *resolution),
            None => return,
        },
    }
    press.prevent_default();
}

/// Whether the focus is on the page itself, and not in a field, the viewer or the navigation.
fn listens() -> bool {
    let Some(element) = document().active_element() else { return true };
    let inside = element.closest(".review, #main").ok().flatten().is_some();
    let ticks = element.get_attribute("type").as_deref() == Some("checkbox");
    let typing = matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT") && !ticks;
    (inside || element.tag_name() == "BODY") && !typing
}

/// The conflict that is shown, once it has been in sight long enough.
fn current(inbox: Inbox) -> Option<Conflict> {
    untrack(|| inbox.shown()).filter(|_| inbox.settled())
}

fn settle(app: App, inbox: Inbox, resolution: um_model::belief::ResolutionType) {
    if let Some(conflict) = current(inbox) {
        let id = conflict.id.clone();
        decide(app, by_choice(conflict.id.clone(), resolution), related(&conflict), move |left| {
            let settled: Vec<ConflictId> = related(&conflict).into_iter().filter(|id| !left.contains(id)).collect();
            inbox.leave(&id, &settled);
        });
    }
}

fn other(app: App, inbox: Inbox) {
    use crate::{pages::BeliefDialog, state::Dialog};
    if let Some(conflict) = current(inbox) {
        let (sides, related) = (sides(&conflict), related(&conflict));
        app.dialog.set(Some(Dialog::Belief(BeliefDialog::Other { conflict: conflict.id, sides, related })));
    }
}

/// The list, and the conflict that is shown.
#[component]
fn Conflicts(inbox: Inbox, total: Signal<u64>) -> impl IntoView {
    let app = App::get();
    let cursor = RwSignal::new(untrack(|| inbox.matter_at()).unwrap_or(0));
    Effect::new(move |_| {
        if let Some(at) = inbox.matter_at() {
            cursor.set(at);
        }
    });
    let (_, set_visible) = signal::<Range<usize>>(0..1);
    let length = Signal::derive(move || inbox.matters.with(Vec::len));
    let item = move |index: usize| {
        let words = Memo::new(move |_| inbox.matters.with(|all| all.get(index).and_then(|matter| row_words(matter))));
        move || words.get().map(|words| view! { <Row inbox words index cursor/> })
    };
    // Drawn anew for another conflict, not for each answer of the engine.
    let id = Memo::new(move |_| inbox.shown().map(|c| c.id));
    let place = move || {
        let (at, total) = (inbox.at()?, total.get());
        // How many stand before one that is not listed is not known.
        let is_beyond = inbox.beyond.get().is_some_and(|id| inbox.current.get() == Some(id));
        Some(if is_beyond { count(total, "open conflict") } else { format!("Conflict {} of {total}", at + 1) })
    };
    let place = Signal::derive(move || place().unwrap_or_default());
    let matter = Signal::derive(move || inbox.matter());
    let detail = move || {
        id.get()?;
        inbox.since.set_value(js_sys::Date::now());
        keep_focus();
        let conflict = untrack(|| inbox.shown())?;
        let choose = Callback::new(move |resolution| settle(app, inbox, resolution));
        let other = Callback::new(move |()| other(app, inbox));
        let step = Callback::new(move |by| inbox.step(by));
        let show = Callback::new(move |id| inbox.current.set(Some(id)));
        Some(view! { <Sides conflict matter place choose other step show/> })
    };
    view! {
        <div class="review-grid">
            <div class="review-list">
                <VirtualList total=length label="Open conflicts" cursor id=move |index| inbox.matter_id(index) visible=set_visible on_key=Callback::new(|_| {}) item
                    column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
            </div>
            <div class="review-detail">{detail}</div>
        </div>
    }
}

/// A matter in the list.
#[derive(Clone, PartialEq)]
struct RowWords {
    /// Of whom or what it is.
    name: String,
    /// What is to be decided: all that is said.
    question: String,
    /// `3 conflicts`, where it is more than one conflict; else since when.
    meta: String,
}

fn row_words(matter: &[Conflict]) -> Option<RowWords> {
    let first = matter.first()?;
    let meta = match matter.len() as u64 {
        1 => dates::day(first.reopened_at.unwrap_or(first.detected_at)),
        more => count(more, "conflict"),
    };
    Some(RowWords { name: about(first).name, question: question(matter), meta })
}

#[component]
fn Row(inbox: Inbox, words: RowWords, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let RowWords { name, question, meta } = words;
    let here = Memo::new(move |_| inbox.matter_at() == Some(index));
    view! {
        <button type="button" class="conflict-row" class:here=here data-focus="" data-testid="conflict-row"
            aria-current=move || here.get().then_some("true")
            tabindex=move || if cursor.get() == index { "0" } else { "-1" }
            on:focus=move |_| inbox.show_matter(index) on:click=move |_| inbox.show_matter(index)>
            <Glyph icon=Icon::Conflict/>
            <span class="conflict-words">
                <span class="conflict-name">
                    <span class="clip strong grow" title=name.clone()>{name.clone()}</span>
                    <span class="muted small">{meta}</span>
                </span>
                <span class="clip small" title=question.clone()>{question.clone()}</span>
            </span>
        </button>
    }
}
