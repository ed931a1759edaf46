//! Promotions: what an agent or a person asks to copy into another space. Nothing is copied before it was looked at.

use super::{Tab, head};
use crate::{
    components::{
        citation::OWNER,
        icon::{Glyph, Icon},
        link::PageLink,
        pairing::plain,
        states::{Empty, kept},
    },
    dates,
    format::count,
    ipc,
    pages::{access::reads, review::redactions::kinds},
    query::Query,
    route::{At, Route},
    state::{App, Changes},
};
use leptos::{ev, prelude::*, task::spawn_local};
use um_model::{PromotionId, SpaceId, access::ReadPolicy, promote::*};
use wasm_bindgen::JsCast;

/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 50;

/// Asks which requests of a space wait, from it or for it.
pub fn open_promotions(
    space: RwSignal<Option<SpaceId>>,
    changes: Changes,
    statuses: &'static [PromotionStatus],
    limit: u32,
) -> Query<PromotionsListed> {
    Query::new(move || {
        changes.promotions.track();
        let space = space.get().map(String::from);
        Some(PromotionsList { space, statuses: statuses.to_vec(), limit: Some(limit), ..PromotionsList::default() })
    })
}

/// The tab.
#[component]
pub fn Promotions() -> impl IntoView {
    let app = App::get();
    let listed = open_promotions(app.space, app.changes, &[PromotionStatus::Pending], LISTED);
    let decided =
        open_promotions(app.space, app.changes, &[PromotionStatus::Approved, PromotionStatus::Rejected], LISTED);
    let keys = window_event_listener(ev::keydown, move |press| pressed(app, &press));
    on_cleanup(move || keys.remove());
    view! {
        {head(Tab::Promotions)}
        <div class="page-body narrow review">
            {kept(listed, "What is to be copied could not be listed.", (3, "card"), move || cards(listed))}
            {move || decided.value.get().map(|listed| history(&listed.promotions))}
        </div>
    }
}

/// J and K go from one request to the next. No letter decides: what is copied cannot be unread.
fn pressed(app: App, press: &ev::KeyboardEvent) {
    let held = press.ctrl_key() || press.alt_key() || press.meta_key() || press.repeat();
    if held || app.holds_keys() || press.default_prevented() || !app.single_keys() || !super::listens() {
        return;
    }
    match press.key().as_str() {
        "j" | "J" => step(1),
        "k" | "K" => step(-1),
        _ => return,
    }
    press.prevent_default();
}

/// The heading of the next request gets the focus, or of the one before.
fn step(by: i32) {
    let Ok(all) = document().query_selector_all(".promotion h2") else { return };
    let here = document().active_element().and_then(|e| e.closest(".promotion").ok().flatten());
    let of = |at: u32| all.item(at).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    let inside = |at: &u32| here.as_ref().is_some_and(|card| of(*at).is_some_and(|title| card.contains(Some(&title))));
    let to = (0..all.length()).find(inside).map_or(0, |at| (at as i32 + by).clamp(0, all.length() as i32 - 1));
    if let Some(title) = of(to as u32) {
        // An element that cannot be focused leaves the focus where it is.
        let _ = title.focus();
    }
}

/// A card for each request. A request that comes or goes draws none of the others anew.
fn cards(listed: Query<PromotionsListed>) -> AnyView {
    let all = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.promotions.clone())));
    let more = Memo::new(move |_| {
        listed.value.with(|l| l.as_ref().map_or(0, |l| l.total.saturating_sub(l.promotions.len() as u64)))
    });
    let none = Memo::new(move |_| all.with(Vec::is_empty));
    let nothing = move || {
        none.get().then(|| {
            view! { <Empty icon=Icon::CheckCircle says="Nothing to decide. Agents ask here to copy something into another space."/> }
        })
    };
    view! {
        {nothing}
        <ol class="plain promotions">
            <For each=move || all.get() key=|one| one.id.clone() children=|one| view! { <Card one/> }/>
        </ol>
        {move || (more.get() > 0).then(|| view! { <p class="muted small">{format!("and {} after these", count(more.get(), "more request"))}</p> })}
    }
    .into_any()
}

/// What is asked for, in a word.
fn kind(of: PromotedKind) -> &'static str {
    match of {
        PromotedKind::Memory => "a note",
        PromotedKind::Claim => "a fact",
        PromotedKind::Entity => "whom or what is meant",
        PromotedKind::Artifact => "a file",
    }
}

/// What one of the things is.
fn part(of: PromotionItemKind) -> &'static str {
    match of {
        PromotionItemKind::Memory => "note",
        PromotionItemKind::File => "file",
        PromotionItemKind::Text => "what was read",
        PromotionItemKind::Claim => "fact",
        PromotionItemKind::Quote => "quote",
        PromotionItemKind::Entity => "who or what",
        PromotionItemKind::Alias => "other name",
    }
}

/// What becomes of one of the things.
fn standing(of: PromotionStanding) -> (Icon, &'static str) {
    match of {
        PromotionStanding::New => (Icon::Plus, "new there"),
        PromotionStanding::There => (Icon::Check, "already there"),
        PromotionStanding::Returns => (Icon::Undo, "comes back"),
    }
}

/// One request; what it would copy is asked for with it.
#[component]
fn Card(one: Promotion) -> impl IntoView {
    let app = App::get();
    let id = one.id.clone();
    let asked = id.clone();
    let detail = Query::new(move || {
        app.changes.promotions.track();
        app.changes.findings.track();
        Some(PromotionShow { id: asked.clone() })
    });
    let title_id = format!("promotion-{id}");
    let labelled = title_id.clone();
    let title = format!("Copy {} to {}", kind(one.kind), one.target_space);
    let who = match one.requested_by_name.as_str() {
        OWNER => "You ask".to_owned(),
        name => format!("{} asks", plain(name)),
    };
    let by = format!("{who}, {}. From {}.", dates::moment(one.requested_at), one.space);
    let notes = one.notes.clone().map(|notes| view! { <p class="promotion-notes"><bdi>{plain(&notes)}</bdi></p> });
    let body = kept(detail, "What would be copied could not be shown.", (2, "row"), move || {
        view! { <Detail asked=detail/> }.into_any()
    });
    view! {
        <li class="panel promotion" aria-labelledby=labelled data-testid="promotion">
            <h2 id=title_id tabindex="-1">{title}</h2>
            <p class="muted small">{by}</p>
            {notes}
            {body}
        </li>
    }
}

/// What a request would copy. What changes while it is looked at is drawn anew, and nothing else, so that no click is lost.
#[component]
fn Detail(asked: Query<PromotionDetail>) -> impl IntoView {
    let detail = Memo::new(move |_| asked.value.get());
    let of = move |part: fn(&PromotionDetail) -> String| {
        Memo::new(move |_| detail.with(|detail| detail.as_ref().map(part).unwrap_or_default()))
    };
    let changed = Memo::new(move |_| detail.with(|detail| detail.as_ref().is_some_and(|d| d.changed_since_asked)));
    let changed = move || {
        changed.get().then(|| {
            view! {
                <p class="notice"><Glyph icon=Icon::Info/> <span>"It says something else now than when it was asked for."</span></p>
            }
        })
    };
    let more = of(|detail| match detail.total.saturating_sub(detail.items.len() as u64) {
        0 => String::new(),
        more => format!("and {}", count(more, "more thing")),
    });
    let items = move || detail.with(|detail| detail.as_ref().map_or_else(Vec::new, |d| d.items.clone()));
    let blocks = move || detail.with(|detail| detail.as_ref().map_or_else(Vec::new, |d| d.blocks.clone()));
    let seen_by = of(readers);
    view! {
        {changed}
        <h3>"What is copied"</h3>
        <ul class="plain"><For each=items key=|one| format!("{one:?}") children=item/></ul>
        {move || Some(more.get()).filter(|more| !more.is_empty()).map(|more| view! { <p class="muted small">{more}</p> })}
        <h3>"Who will see it"</h3>
        <p data-testid="promotion-readers">{move || seen_by.get()}</p>
        <For each=blocks key=|one| format!("{one:?}") children=block/>
        <Buttons detail/>
    }
}

/// Who reads the copy: those who read the target, and by name those to whom it is new.
fn readers(detail: &PromotionDetail) -> String {
    let target = &detail.promotion.target_space;
    let all = match detail.target_read_policy {
        ReadPolicy::OwnerOnly => format!("Only you read {target}."),
        policy => format!("{target} is read by: {}.", reads(policy).to_lowercase()),
    };
    let names: Vec<String> = detail.new_readers.iter().map(|one| plain(&one.name)).collect();
    match names.as_slice() {
        [] => format!("{all} Nobody sees it who did not before."),
        names => format!("{all} New to: {}.", names.join(", ")),
    }
}

fn item(one: PromotionItem) -> impl IntoView {
    let (icon, words) = standing(one.standing);
    let (title, text) = (plain(&one.title), plain(&one.text));
    let said =
        (!text.is_empty() && text != title).then(|| view! { <span class="promotion-text"><bdi>{text}</bdi></span> });
    view! {
        <li class="promotion-item" data-testid="promotion-item">
            <span class="head-row">
                <span class="muted small promotion-kind">{part(one.kind)}</span>
                <bdi class="grow strong">{title}</bdi>
                <span class="state small muted"><Glyph icon/> {words}</span>
            </span>
            {said}
        </li>
    }
}

/// What stands in the way, what to do about it, and the way there.
fn block(block: PromotionBlock) -> impl IntoView {
    let found = Some(kinds(&block.findings)).filter(|found| !found.is_empty()).map(|found| format!(" ({found})"));
    let (what, way) = settled(&block);
    let way = way.map(|(to, words)| {
        view! { <PageLink to=Signal::stored(to) class="button small" testid="promotion-settle">{words}</PageLink> }
    });
    view! {
        <div class="notice" role="note" data-testid="promotion-block">
            <Glyph icon=Icon::Alert/>
            <p class="grow">{plain(&block.message)} {found} " " {what}</p>
            {way}
        </div>
    }
}

/// What a person does about what stands in the way, and the page where that is done, with the words of its link.
fn settled(block: &PromotionBlock) -> (&'static str, Option<(Route, &'static str)>) {
    use PromotionSettledAt::{Entity, File, Memory};
    let at = block.settled_at.clone();
    let memory = match &at {
        Some(Memory(id)) => Some(id.clone()),
        _ => None,
    };
    match (block.obstacle, at) {
        (PromotionObstacle::Undecided, _) => {
            ("Decide what of it is to be blacked out.", Some((Route::Redactions { memory }, "Decide it")))
        }
        (PromotionObstacle::NotBlackedOut, _) => {
            ("Black it out first, or leave it as it is.", Some((Route::Redactions { memory }, "Black it out")))
        }
        (PromotionObstacle::NotLookedAt, Some(File(id))) => {
            ("That is done in the background.", Some((Route::Item { id, at: At::default() }, "Open it")))
        }
        (PromotionObstacle::NotLookedAt, _) => {
            ("That is done in the background.", Some((Route::Activity { health: false }, "See how far it is")))
        }
        (PromotionObstacle::Gone, Some(File(id))) => {
            ("Bring it back, or reject this.", Some((Route::Item { id, at: At::default() }, "Open it")))
        }
        (PromotionObstacle::Gone, _) => ("Reject this, or bring it back first.", None),
        (PromotionObstacle::NotBelieved, Some(Entity(id))) => {
            ("Decide what is right, or reject this.", Some((Route::Entity(id), "Decide it")))
        }
        (PromotionObstacle::NotBelieved, _) => ("Decide what is right, or reject this.", None),
        (PromotionObstacle::Ambiguous, _) => ("Merge or rename them first.", Some((Route::Beliefs, "To the beliefs"))),
        (PromotionObstacle::Forgotten, _) => ("It stays out as long as that holds: reject this.", None),
    }
}

#[component]
fn Buttons(detail: Memo<Option<PromotionDetail>>) -> impl IntoView {
    let app = App::get();
    let may = Memo::new(move |_| detail.with(|detail| detail.as_ref().is_some_and(|d| d.may_decide)));
    let ready = Memo::new(move |_| {
        detail.with(|detail| detail.as_ref().is_some_and(|d| d.blocks.is_empty() && d.may_decide && d.token.is_some()))
    });
    let busy = RwSignal::new(false);
    // When what would be copied changed under the eyes of whoever reads it, by the clock of the page.
    let changed = StoredValue::new(0.0);
    let token = Memo::new(move |_| detail.with(|detail| detail.as_ref().and_then(|d| d.token.clone())));
    Effect::new(move |before: Option<Option<String>>| {
        let now = token.get();
        if before.is_some_and(|before| before.is_some() && before != now) {
            changed.set_value(js_sys::Date::now());
        }
        now
    });
    let act = move |decision: PromotionDecision| {
        let Some(detail) = detail.get_untracked() else { return };
        let approves = decision == PromotionDecision::Approve;
        if approves && js_sys::Date::now() - changed.get_value() < super::SETTLING_MS {
            return app.toasts.say("It changed just now. Look at it again, then approve it.".to_owned());
        }
        let says = match decision {
            PromotionDecision::Approve => format!("Copied to {}.", detail.promotion.target_space),
            PromotionDecision::Reject => "It stays where it is. Nothing was copied.".to_owned(),
        };
        decide(app, detail.promotion.id, decision, detail.token.filter(|_| approves), busy, says);
    };
    view! {
        <p class="actions" role="group" aria-label="Decide">
            <button type="button" class="button accent" data-testid="promotion-approve" disabled=move || !ready.get() || busy.get()
                on:click=move |_| act(PromotionDecision::Approve)>"Approve"</button>
            <button type="button" class="button" data-testid="promotion-reject" disabled=move || !may.get() || busy.get()
                on:click=move |_| act(PromotionDecision::Reject)>"Reject"</button>
            <button type="button" class="button" data-testid="promotion-later" on:click=move |_| step(1)>"Later"</button>
        </p>
    }
}

fn decide(
    app: App,
    id: PromotionId,
    decision: PromotionDecision,
    token: Option<String>,
    busy: RwSignal<bool>,
    says: String,
) {
    busy.set(true);
    spawn_local(async move {
        match ipc::call(PromotionDecide { id, decision, token, notes: None }).await {
            Ok(_) => app.toasts.say(says),
            Err(error) => app.toasts.trouble(&error),
        }
        busy.try_set(false);
        app.changes.promotions.update(|n| *n = n.wrapping_add(1));
    });
}

/// What was decided.
fn history(all: &[Promotion]) -> impl IntoView + use<> {
    let row = |one: &Promotion| {
        let (icon, what) = match one.status {
            PromotionStatus::Approved => (Icon::Check, "copied"),
            _ => (Icon::Ban, "rejected"),
        };
        let when = dates::moment(one.reviewed_at.unwrap_or(one.requested_at));
        let says = format!("{}, to {}", plain(&one.title), one.target_space);
        view! {
            <li class="entry" data-testid="promotion-decided">
                <bdi class="grow clip" title=says.clone()>{says.clone()}</bdi>
                <span class="state small muted"><Glyph icon/> {what}</span>
                <span class="muted small">{when}</span>
            </li>
        }
    };
    let rows = all.iter().map(row).collect_view();
    (!all.is_empty()).then(|| {
        view! { <section class="panel"><h2>"Decided"</h2><ul class="plain">{rows}</ul></section> }
    })
}
