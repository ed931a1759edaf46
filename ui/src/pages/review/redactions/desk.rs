//! What the parts of the page share: the files and memories, the one that is looked at, and its findings.

use super::words::{is_open, kind, spots};
use crate::{components::viewer::Redacting, format::count, ipc, query::Query, route::Route, state::App};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    FindingId, MemoryId,
    capture::{Got, Memory, MemoryGet},
    findings::*,
    ops::Request,
};

/// So many files and memories are listed at once; those after them come up as these are decided.
const LISTED: u32 = 100;
/// So many findings of one are shown at once.
const FINDINGS: u32 = 1_000;

/// Which files and memories are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Those in which more waits than names.
    Waiting,
    /// Those in which nothing but names waits.
    Names,
    /// Those in which something was blacked out.
    Applied,
}

/// Which findings of a file or memory are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Those that wait.
    Open,
    /// Those that stay as they are.
    Dismissed,
    /// Those that were blacked out.
    Applied,
}

impl Part {
    /// Whether a finding is one of them.
    pub fn has(self, finding: &Finding) -> bool {
        match self {
            Part::Open => is_open(finding),
            Part::Dismissed => finding.status == FindingStatus::Dismissed,
            Part::Applied => finding.status == FindingStatus::Applied,
        }
    }
}

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The window's.
    pub app: App,
    /// Which files and memories are listed.
    pub listing: RwSignal<Listing>,
    /// In how many nothing but names waits.
    pub names: Query<RedactionsListed>,
    /// The files and memories.
    pub items: Query<RedactionsListed>,
    /// The one that is looked at.
    pub current: RwSignal<Option<MemoryId>>,
    /// Itself.
    pub memory: Query<Got>,
    /// Its findings.
    pub findings: Query<FindingsListed>,
    /// Which of them are listed.
    pub part: RwSignal<Part>,
    /// Whether values are shown in full.
    pub in_full: RwSignal<bool>,
    /// When the finding that is looked at came up, by the clock of the page.
    pub since: StoredValue<f64>,
    /// Rises when the source has changed under the viewer.
    pub renewed: RwSignal<u32>,
    /// What the viewer shows of it.
    pub over: Redacting,
}

impl Desk {
    /// An empty one that asks what there is.
    pub fn new(app: App) -> Self {
        let listing = RwSignal::new(Listing::Waiting);
        let current = RwSignal::new(None::<MemoryId>);
        let items = Query::new(move || {
            app.changes.findings.track();
            app.changes.library.track();
            Some(listed(app, listing.get(), LISTED))
        });
        let names = Query::new(move || {
            app.changes.findings.track();
            app.changes.library.track();
            Some(listed(app, Listing::Names, 1))
        });
        let memory = Query::new(move || {
            app.changes.library.track();
            current.get().map(|id| MemoryGet { id: id.into() })
        });
        let findings = Query::new(move || {
            app.changes.findings.track();
            app.changes.library.track();
            let statuses = FindingStatus::ALL.to_vec();
            current.get().map(|id| FindingsList {
                memory: Some(id),
                statuses,
                limit: Some(FINDINGS),
                ..FindingsList::default()
            })
        });
        let drawn = Memo::new(move |_| spots(&Self::of_current(findings, current)));
        let marked = RwSignal::new(None);
        let over = Redacting {
            spots: drawn,
            at: RwSignal::new(None),
            before: RwSignal::new(false),
            selected: RwSignal::new(None),
            draft: RwSignal::new(None),
            stretch: RwSignal::new(None),
            begun: RwSignal::new(0),
            marked,
        };
        let desk = Self {
            app,
            listing,
            names,
            items,
            current,
            memory,
            findings,
            part: RwSignal::new(Part::Open),
            in_full: RwSignal::new(false),
            since: StoredValue::new(0.0),
            renewed: RwSignal::new(0),
            over,
        };
        desk.follow();
        desk
    }

    /// Keeps something shown: what the address names, else the first; and one of its findings.
    fn follow(self) {
        Effect::new(move |_| {
            if let Route::Redactions { memory: Some(id) } = self.app.route.get() {
                self.current.set(Some(id));
            }
        });
        Effect::new(move |_| {
            let first =
                self.items.value.with(|l| l.as_ref().and_then(|l| l.items.first().map(|i| i.memory_id.clone())));
            if self.current.with_untracked(Option::is_none) && first.is_some() {
                self.current.set(first);
            }
        });
        Effect::new(move |_| {
            self.current.track();
            self.part.set(Part::Open);
            let over = self.over;
            over.at.set(None);
            over.selected.set(None);
            over.draft.set(None);
            over.stretch.set(None);
        });
        Effect::new(move |_| {
            let Some((page, bbox)) = self.over.marked.get() else { return };
            let file = Self::shown_memory(self.memory).and_then(|memory| memory.artifact_id);
            let region = Some(Region::Box { page, bbox });
            self.add(FindingAdd { artifact: file, region, ..FindingAdd::default() });
        });
        // One of those that wait is looked at, as long as there are any.
        Effect::new(move |_| {
            let open = self.listed(Part::Open);
            let known = self.over.at.with_untracked(|at| open.iter().any(|one| Some(&one.id) == at.as_ref()));
            if !known {
                let undecided = open.iter().find(|one| one.status == FindingStatus::Pending).or(open.first());
                self.over.at.set(undecided.map(|one| one.id.clone()));
            }
        });
        Effect::new(move |_| {
            self.over.at.track();
            self.since.set_value(js_sys::Date::now());
        });
    }

    fn shown_memory(of: Query<Got>) -> Option<Memory> {
        match of.value.get_untracked() {
            Some(Got::Memory(memory)) => Some(memory),
            _ => None,
        }
    }

    /// The memory that is looked at.
    pub fn memory(self) -> Option<Memory> {
        self.memory.value.track();
        let shown = Self::shown_memory(self.memory);
        shown.filter(|memory| self.current.with(|current| current.as_ref() == Some(&memory.id)))
    }

    /// Its name.
    pub fn title(self) -> String {
        let from_findings = self.findings.value.with(|l| l.as_ref()?.findings.first().map(|one| one.title.clone()));
        let title = self.memory().and_then(|memory| memory.title).or(from_findings);
        title.filter(|title| !title.is_empty()).unwrap_or_else(|| "Note".into())
    }

    /// The findings of what is looked at: those of what was looked at before may still be there.
    fn of_current(findings: Query<FindingsListed>, current: RwSignal<Option<MemoryId>>) -> Vec<Finding> {
        let of = current.get();
        findings.value.with(|listed| {
            let all = listed.iter().flat_map(|listed| &listed.findings);
            all.filter(|one| Some(&one.memory_id) == of.as_ref()).cloned().collect()
        })
    }

    /// Some of its findings.
    pub fn listed(self, part: Part) -> Vec<Finding> {
        let mut all = Self::of_current(self.findings, self.current);
        all.retain(|one| part.has(one));
        all
    }

    /// How many are to be blacked out.
    pub fn going(self) -> u64 {
        self.listed(Part::Open).iter().filter(|one| one.status == FindingStatus::Accepted).count() as u64
    }

    /// The finding that is looked at, once it has been in sight long enough to be decided.
    pub fn settled(self) -> Option<Finding> {
        let seen = js_sys::Date::now() - self.since.get_value() >= super::super::SETTLING_MS;
        let at = self.over.at.get_untracked()?;
        untrack(|| self.listed(Part::Open)).into_iter().find(|one| one.id == at).filter(|_| seen)
    }

    /// Looks at the next (1) finding or the one before (-1); after the last, at the next file or memory.
    pub fn step(self, by: isize) {
        let open = untrack(|| self.listed(Part::Open));
        let at = self.over.at.get_untracked();
        let here = open.iter().position(|one| Some(&one.id) == at.as_ref());
        match here.and_then(|here| here.checked_add_signed(by)).and_then(|to| open.get(to)) {
            Some(next) => self.over.at.set(Some(next.id.clone())),
            None => self.turn(by),
        }
    }

    /// The number of the item that is looked at, from 0, and how many there are.
    pub fn place(self) -> Option<(usize, u64)> {
        let current = self.current.get()?;
        self.items.value.with(|listed| {
            let listed = listed.as_ref()?;
            Some((listed.items.iter().position(|item| item.memory_id == current)?, listed.total))
        })
    }

    /// Looks at the next file or memory (1) or the one before (-1).
    pub fn turn(self, by: isize) {
        let at = untrack(|| self.place()).map(|(at, _)| at);
        let to = at.map_or(Some(0), |at| at.checked_add_signed(by));
        let next = self.items.value.with_untracked(|listed| {
            to.and_then(|to| listed.as_ref()?.items.get(to).map(|item| item.memory_id.clone()))
        });
        if next.is_some() {
            self.current.set(next);
        }
    }

    /// Decides about one finding, and looks at the next.
    pub fn decide(self, finding: &Finding, decision: FindingDecision) {
        if finding.status == decision.status() {
            return self.step(1);
        }
        let back = match finding.status {
            FindingStatus::Accepted => FindingDecision::Accept,
            FindingStatus::Dismissed => FindingDecision::Dismiss,
            _ => FindingDecision::Reopen,
        };
        let what = kind(finding.kind);
        let says = match decision {
            FindingDecision::Accept => format!("Will be blacked out: {what}."),
            FindingDecision::Dismiss => format!("Stays as it is: {what}."),
            FindingDecision::Reopen => format!("To be decided again: {what}."),
        };
        if self.over.at.get_untracked().as_ref() == Some(&finding.id) {
            let open = untrack(|| self.listed(Part::Open));
            let here = open.iter().position(|one| one.id == finding.id);
            let next = here.and_then(|here| open.get(here + 1).or_else(|| open.get(here.checked_sub(1)?)));
            if let Some(next) = next {
                self.over.at.set(Some(next.id.clone()));
            }
        }
        let ids = vec![finding.id.clone()];
        self.run(FindingsDecide { decision, ids, all: None }, move |_| says, back);
    }

    /// Leaves the names of all files and memories as they are in which nothing else waits, a part at a time.
    pub fn keep_names(self) {
        let spaces: Vec<String> = match self.app.space.get_untracked() {
            Some(space) => vec![space.into()],
            None => self.app.spaces.value.with_untracked(|all| {
                all.iter().flat_map(|all| &all.spaces).map(|one| one.space.id.to_string()).collect()
            }),
        };
        spawn_local(async move {
            let mut kept = Vec::new();
            for space in spaces {
                let all = AllFindings { space: Some(space), names_only: true, ..AllFindings::default() };
                let request = FindingsDecide { decision: FindingDecision::Dismiss, ids: Vec::new(), all: Some(all) };
                loop {
                    match ipc::call(request.clone()).await {
                        Ok(decided) => {
                            let is_done = decided.left == 0 || decided.changed.is_empty();
                            kept.extend(decided.changed);
                            if is_done {
                                break;
                            }
                        }
                        Err(error) => {
                            self.app.toasts.trouble(&error);
                            break;
                        }
                    }
                }
            }
            if !kept.is_empty() {
                let says = format!("{} stay as they are.", count(kept.len() as u64, "name"));
                self.app.toasts.say_with_undo(says, move || reopen_all(self.app, kept.clone()));
            }
        });
    }

    /// Decides about all that wait of a kind in what is looked at.
    pub fn decide_all(self, of: FindingKind, decision: FindingDecision) {
        let all = AllFindings { kind: Some(of), memory: self.current.get_untracked(), ..AllFindings::default() };
        let says = move |changed: u64| match decision {
            FindingDecision::Accept => format!("{} will be blacked out: {}.", count(changed, "place"), kind(of)),
            _ => format!("{} stay as they are: {}.", count(changed, "place"), kind(of)),
        };
        self.run(FindingsDecide { decision, ids: Vec::new(), all: Some(all) }, says, FindingDecision::Reopen);
    }

    /// Decides, says so, and offers the way back.
    fn run(self, request: FindingsDecide, says: impl FnOnce(u64) -> String + 'static, back: FindingDecision) {
        spawn_local(async move {
            match ipc::call(request).await {
                Ok(decided) => {
                    self.findings.refresh();
                    let (ids, words) = (decided.changed.clone(), says(decided.changed.len() as u64));
                    self.app.toasts.say_with_undo(words, move || self.undo(ids.clone(), back));
                }
                Err(error) => self.app.toasts.trouble(&error),
            }
        });
    }

    /// Takes a decision back, and looks at what it was about.
    fn undo(self, ids: Vec<FindingId>, decision: FindingDecision) {
        let first = ids.first().cloned();
        self.then(FindingsDecide { decision, ids, all: None }, move |_| self.over.at.set(first.clone()));
    }

    /// Marks something more, which is to be blacked out then, and looks at it.
    pub fn add(self, request: FindingAdd) {
        self.then(request, move |finding: Finding| self.added(vec![finding.id]));
    }

    /// Marks some words wherever they stand in what is looked at.
    pub fn add_words(self, words: String) {
        let request = FindingsMark { words, memory: self.current.get_untracked(), ..FindingsMark::default() };
        self.then(request, move |found: FindingsMarked| self.added(found.marked));
    }

    fn added(self, ids: Vec<FindingId>) {
        self.part.set(Part::Open);
        self.over.at.set(ids.first().cloned());
        let says = format!("{} marked, to be blacked out.", count(ids.len() as u64, "place"));
        self.app.toasts.say_with_undo(says, move || self.undo(ids.clone(), FindingDecision::Dismiss));
    }

    /// Runs an operation, and goes on once it worked.
    fn then<R: Request + 'static>(self, request: R, done: impl Fn(R::Response) + 'static) {
        spawn_local(async move {
            match ipc::call(request).await {
                Ok(answer) => {
                    done(answer);
                    self.findings.refresh();
                }
                Err(error) => self.app.toasts.trouble(&error),
            }
        });
    }
}

/// What is asked for a list.
fn listed(app: App, of: Listing, limit: u32) -> RedactionsList {
    let space = app.space.get().map(String::from);
    let names_only = match of {
        Listing::Waiting => Some(false),
        Listing::Names => Some(true),
        Listing::Applied => None,
    };
    RedactionsList { space, applied: of == Listing::Applied, names_only, offset: 0, limit: Some(limit) }
}

/// Takes decisions back, a part at a time.
fn reopen_all(app: App, ids: Vec<FindingId>) {
    spawn_local(async move {
        for part in ids.chunks(FINDINGS as usize) {
            let request = FindingsDecide { decision: FindingDecision::Reopen, ids: part.to_vec(), all: None };
            if let Err(error) = ipc::call(request).await {
                return app.toasts.trouble(&error);
            }
        }
    });
}
