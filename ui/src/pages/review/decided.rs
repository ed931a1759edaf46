//! History: what was decided, of every kind, the latest first; with its way back where there is one.

use super::{
    Tab,
    decide::{decider, decision, reopen},
    head,
    held::wait_again,
    redactions::kinds,
};
use crate::{
    actions::run,
    components::{
        citation::OWNER,
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        pairing::plain,
        states::{Empty, listed},
    },
    dates,
    grown::Grown,
    pages::beliefs::words::{about, label, sides},
    route::{At, Route},
    state::App,
};
use leptos::prelude::*;
use um_model::{
    ArtifactId,
    access::{PairingAnswer, PairingRequest, PairingStatus},
    claims::{CandidatesReopen, Conflict, NameCandidate},
    decisions::*,
    findings::{FindingDecision, FindingStatus, FindingsDecide},
    held::HeldWrite,
    promote::{PromotedKind, Promotion, PromotionStatus},
};

/// Height of a row in pixels.
const ROW: f64 = 56.0;

/// What can be listed.
const VIEWS: [(&str, Option<DecisionKind>); 7] = [
    ("All", None),
    ("Conflicts", Some(DecisionKind::Conflict)),
    ("Redactions", Some(DecisionKind::Redaction)),
    ("Promotions", Some(DecisionKind::Promotion)),
    ("Names", Some(DecisionKind::Name)),
    ("Proposals", Some(DecisionKind::Held)),
    ("Access", Some(DecisionKind::Access)),
];

/// The tab.
#[component]
pub fn Decided() -> impl IntoView {
    let app = App::get();
    let kind = RwSignal::new(None::<DecisionKind>);
    let list = Grown::new(
        move |last: Option<&Decision>, limit| DecisionsList {
            space: app.space.get().map(String::from),
            kind: kind.get(),
            before: last.map(|last| DecisionPlace { at: last.at, id: last.id.clone() }),
            limit: Some(limit),
        },
        move || {
            let changes = app.changes;
            [changes.beliefs, changes.findings, changes.promotions, changes.held, changes.access]
                .iter()
                .for_each(|one| one.track());
        },
        |listed: DecisionsListed| (listed.decisions, listed.more),
    );
    let buttons = VIEWS.map(|(words, of)| {
        view! {
            <button type="button" class="button small" data-testid="history-kind" aria-pressed=move || (kind.get() == of).to_string()
                on:click=move |_| kind.set(of)>{words}</button>
        }
    });
    let empty = move || {
        let says = if untrack(|| kind.get()).is_none() {
            "Nothing was decided yet."
        } else {
            "Nothing of that kind was decided yet."
        };
        view! { <Empty icon=Icon::Clock says/> }.into_any()
    };
    view! {
        {head(Tab::History)}
        <div class="page-body fill">
            <div class="filters"><div class="segmented words" role="group" aria-label="Which decisions">{buttons}</div></div>
            {listed(list.listing(), "The history could not be listed.", empty, move || rows(list).into_any())}
        </div>
    }
}

fn rows(list: Grown<Decision>) -> impl IntoView {
    let app = App::get();
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        // What was taken back and decided again is another decision; else the row stays as it is drawn.
        let line = Memo::new(move |_| list.row(index).map(|one| Line::of(&one)));
        move || match line.get() {
            Some(line) => row(app, line, untrack(|| list.row(index)), index, cursor).into_any(),
            None => view! { <div class="bar row"></div> }.into_any(),
        }
    };
    view! {
        <VirtualList total=list.length() label="Decisions, the latest first" cursor
            id=move |index| list.row(index).map(|one| one.id) visible=list.sight() on_key=Callback::new(|_| {}) item
            column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

/// What a row says.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    /// About whom or what.
    of: String,
    /// Between what, or which words.
    what: String,
    /// What was decided.
    decision: String,
    /// What was said with it.
    note: Option<String>,
    /// By whom, and when.
    by: String,
    /// Whether it can be taken back.
    stands: bool,
    icon: Icon,
}

impl Line {
    fn of(one: &Decision) -> Self {
        let by = one
            .by
            .as_deref()
            .map(|name| if name == OWNER { "by you".to_owned() } else { format!("by {}", plain(name)) });
        let (by, at) = (by.unwrap_or_default(), dates::moment(one.at));
        let line = match &one.about {
            Decided::Conflict(conflict) => of_conflict(conflict),
            Decided::Name(name) => of_name(name),
            Decided::Redaction(found) => of_findings(found),
            Decided::Promotion(promotion) => of_promotion(promotion),
            Decided::Held(write) => of_held(write),
            Decided::Access(request) => of_access(request),
        };
        // A conflict says by itself who decided it, if anybody did.
        let by = if matches!(one.about, Decided::Conflict(_)) { line.by.clone() } else { by };
        let by = [by, at].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        Self { by, ..line }
    }

    fn new(of: String, what: String, decision: String, stands: bool, icon: Icon) -> Self {
        Self { of, what, decision, note: None, by: String::new(), stands, icon }
    }
}

fn of_conflict(conflict: &Conflict) -> Line {
    let [a, b] = sides(conflict);
    let resolution = conflict.resolution.as_ref();
    let stands = resolution.is_some_and(|r| !r.by_itself && r.undone_at.is_none() && !r.asked_again);
    let of = format!("{}, {}", about(conflict).name, label(&conflict.claim_a.predicate).to_lowercase());
    let words = decision(conflict).unwrap_or_default();
    let icon = if stands { Icon::Check } else { Icon::Reread };
    Line {
        // What the product says of itself says nothing more.
        note: resolution.filter(|r| !r.by_itself).and_then(|r| r.notes.clone()),
        by: resolution.and_then(decider).unwrap_or_default(),
        ..Line::new(of, format!("A {a} | B {b}"), words, stands, icon)
    }
}

fn of_name(name: &NameCandidate) -> Line {
    let means = match &name.meant {
        Some(meant) => format!("Means {}", plain(&meant.name)),
        None => "Means none of them".to_owned(),
    };
    Line::new(format!("\"{}\" in {}", name.name, name.title), name.quote.clone(), means, true, Icon::Check)
}

fn of_held(write: &HeldWrite) -> Line {
    let first = write.says.lines().next().unwrap_or_default().to_owned();
    let words = write.proposal().words();
    Line::new(write.heading(&plain(&write.actor_name)), first, words.dismissed.to_owned(), true, Icon::Ban)
}

fn of_findings(found: &DecidedFindings) -> Line {
    let (words, stands, icon) = match found.status {
        FindingStatus::Applied => ("Blacked out", false, Icon::Blacked),
        FindingStatus::Accepted => ("To be blacked out", true, Icon::Check),
        _ => ("Stays as it is", true, Icon::Check),
    };
    Line::new(found.title.clone(), kinds(&found.kinds), words.to_owned(), stands, icon)
}

fn of_promotion(promotion: &Promotion) -> Line {
    let (words, icon) = match promotion.status {
        PromotionStatus::Approved => ("Copied", Icon::Check),
        _ => ("Rejected", Icon::Ban),
    };
    let between = format!("from {} to {}", promotion.space, promotion.target_space);
    Line::new(plain(&promotion.title), between, words.to_owned(), false, icon)
}

fn of_access(request: &PairingRequest) -> Line {
    let (words, icon) = match (request.status, request.answer) {
        (PairingStatus::Approved, Some(PairingAnswer::Once)) => ("Let in for eight hours", Icon::Check),
        (PairingStatus::Approved, _) => ("Let in", Icon::Check),
        (PairingStatus::Denied, _) => ("Turned away for good", Icon::Ban),
        _ => ("Not now", Icon::Clock),
    };
    let asked = format!("asked for {}", request.spaces.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", "));
    Line::new(plain(&request.client_name), asked, words.to_owned(), false, icon)
}

fn row(app: App, line: Line, one: Option<Decision>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let Line { of, what, decision, note, by, stands, icon } = line;
    // What was said with the decision stands in its title.
    let title = [Some(decision.clone()), note].into_iter().flatten().collect::<Vec<_>>().join(". ");
    let tabindex = Signal::derive(move || if cursor.get() == index { "0" } else { "-1" });
    let act = one.map(|one| if stands { back(app, one, tabindex).into_any() } else { open(one, tabindex).into_any() });
    view! {
        <div class="decided-row" data-testid="decided-row" on:focusin=move |_| cursor.set(index)>
            <span class="decided-words grow">
                <span class="clip strong" title=of.clone()><bdi>{of.clone()}</bdi></span>
                <span class="clip muted small" title=what.clone()><bdi>{what.clone()}</bdi></span>
            </span>
            <span class="decided-how muted">
                <span class="state" title=title data-testid="decision"><Glyph icon/> <span class="clip">{decision}</span></span>
                <span class="clip small" title=by.clone() data-testid="decided-by">{by.clone()}</span>
            </span>
            {act}
        </div>
    }
}

/// The way back.
fn back(app: App, one: Decision, tabindex: Signal<&'static str>) -> impl IntoView {
    let undo = move |_| match &one.about {
        Decided::Conflict(conflict) => reopen(app, conflict.id.clone()),
        Decided::Name(name) => run(app, CandidatesReopen { candidate: name.id.clone() }),
        Decided::Redaction(found) => {
            run(app, FindingsDecide { decision: FindingDecision::Reopen, ids: found.ids.clone(), all: None });
        }
        Decided::Held(write) => wait_again(app, write.id.clone()),
        Decided::Promotion(_) | Decided::Access(_) => {}
    };
    view! {
        <button type="button" class="button small" data-testid="reopen" data-focus="" tabindex=tabindex on:click=undo>
            <Glyph icon=Icon::Undo/> "Reopen"
        </button>
    }
}

/// What nobody decided, was taken back, or cannot be taken back: the way to what became of it.
fn open(one: Decision, tabindex: Signal<&'static str>) -> impl IntoView {
    let to = match one.about {
        Decided::Conflict(conflict) => Route::Entity(conflict.claim_a.subject.id),
        Decided::Redaction(found) => Route::Redactions { memory: Some(found.memory_id) },
        Decided::Promotion(promotion) => copy_of(&promotion).unwrap_or(Route::Promotions),
        Decided::Name(_) | Decided::Held(_) => Route::Names,
        Decided::Access(_) => Route::Access,
    };
    view! {
        <span class="decided-open">
            <PageLink to=Signal::stored(to) class="button small" testid="settled-open" tabindex>"Open"</PageLink>
        </span>
    }
}

/// The page of a file's copy.
fn copy_of(promotion: &Promotion) -> Option<Route> {
    let id = promotion.promoted_id.clone().filter(|_| promotion.kind == PromotedKind::Artifact)?;
    ArtifactId::parse(id).ok().map(|id| Route::Item { id, at: At::default() })
}
