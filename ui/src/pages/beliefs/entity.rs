//! One entity: what is believed about it, when it was so, what is near, and what may be the same.

use super::{
    BeliefDialog,
    claims::{Claims, NamedIn},
    list::other_names,
    mentions::Mentions,
    near::Near,
    share::{is_shared, part},
    timeline::Timeline,
    words::{type_icon, type_name},
};
use crate::{
    components::{
        forget::Ask,
        icon::{Glyph, Icon},
        link::PageLink,
        menu::{Item as MenuItem, MenuButton},
        states::{Skeleton, Trouble},
    },
    dates, ipc,
    query::Query,
    route::Route,
    state::{App, Dialog},
};
use leptos::{ev::KeyboardEvent, prelude::*, task::spawn_local};
use um_model::{
    ClaimId, EntityId,
    claims::{Entity as Known, EntityDetail, EntityGet, EntityRef, EntityUnmerge, Merge},
    forget::ForgetWhat,
};
use wasm_bindgen::JsCast;

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct Page {
    /// Whose page it is.
    pub detail: Query<EntityDetail>,
    /// The claim whose evidence is shown.
    pub why: RwSignal<Option<ClaimId>>,
    /// Whether what is near is drawn as a graph.
    pub graph: RwSignal<bool>,
}

/// The page.
#[component]
pub fn Entity(
    /// The entity.
    id: EntityId,
) -> impl IntoView {
    let app = App::get();
    let day = RwSignal::new(String::new());
    let history = RwSignal::new(false);
    let detail = Query::new(move || {
        app.changes.beliefs.track();
        // What is believed is so from one date to another, as sources name them.
        let as_of = dates::day_number(&day.get()).map(|day| dates::end_of(day, 0));
        Some(EntityGet { entity: id.to_string(), as_of, history: history.get(), ..EntityGet::default() })
    });
    let page = Page { detail, why: RwSignal::new(None), graph: RwSignal::new(true) };
    let known = Memo::new(move |_| detail.value.with(|d| d.as_ref().map(|d| d.entity.clone())));
    let error = move || detail.error.get().filter(|_| known.with(Option::is_none));
    let body = move || match (known.with(Option::is_some), error()) {
        (true, _) => view! { <Body page day history/> }.into_any(),
        (false, Some(error)) => view! {
            <Trouble what="The entity could not be opened." error retry=Callback::new(move |()| detail.refresh())/>
        }
        .into_any(),
        (false, None) => view! { <Skeleton rows=8 shape="row"/> }.into_any(),
    };
    let shape = Memo::new(move |_| (known.with(Option::is_some), error().is_some()));
    view! {
        <div class="page-head item-head">
            <div class="head-row">
                <PageLink to=Signal::stored(Route::Beliefs) class="button ghost">
                    <Glyph icon=Icon::ChevronLeft/> "Beliefs"
                </PageLink>
                {move || match known.get() {
                    Some(entity) => view! { <Head entity/> }.into_any(),
                    None => view! { <h1 class="grow">"Entity"</h1> }.into_any(),
                }}
            </div>
        </div>
        <div class="page-body entity" data-testid="entity" on:keydown=move |press| pressed(&press, page)>
            {move || { let _ = shape.get(); untrack(body) }}
        </div>
    }
}

/// G changes between graph and list, S shares or stops that; the arrows go from claim to claim.
fn pressed(press: &KeyboardEvent, page: Page) {
    if press.ctrl_key() || press.alt_key() || press.meta_key() || typing(press) {
        return;
    }
    match press.key().as_str() {
        "g" | "G" if App::get().single_keys() => page.graph.update(|graph| *graph = !*graph),
        "s" | "S" if App::get().single_keys() => {
            if let Some(entity) = page.detail.value.with_untracked(|d| d.as_ref().map(|d| d.entity.clone())) {
                press.prevent_default();
                App::get().dialog.set(Some(Dialog::Belief(share_dialog(Box::new(entity)))));
            }
        }
        "ArrowDown" => step(press, 1),
        "ArrowUp" => step(press, -1),
        _ => {}
    }
}

/// The dialog that shares it, or that ends that.
fn share_dialog(entity: Box<Known>) -> BeliefDialog {
    if is_shared(&entity) { BeliefDialog::Unshare(entity) } else { BeliefDialog::Share(entity) }
}

fn typing(press: &KeyboardEvent) -> bool {
    let element: web_sys::Element = event_target(press);
    matches!(element.tag_name().as_str(), "INPUT" | "SELECT" | "TEXTAREA")
}

fn step(press: &KeyboardEvent, by: i32) {
    let Ok(all) = document().query_selector_all(".claim [data-focus]") else { return };
    let element: web_sys::Element = event_target(press);
    let own =
        element.closest(".claim").ok().flatten().and_then(|row| row.query_selector("[data-focus]").ok().flatten());
    let at = (0..all.length() as i32).find(|at| all.item(*at as u32).as_ref() == own.as_ref().map(AsRef::as_ref));
    let Some(next) = at.and_then(|at| all.item(u32::try_from(at + by).ok()?)) else { return };
    press.prevent_default();
    // An element that cannot be focused leaves the focus where it is.
    let _ = next.unchecked_into::<web_sys::HtmlElement>().focus();
}

#[component]
fn Head(entity: Known) -> impl IntoView {
    let app = App::get();
    let names = other_names(&entity);
    let open = move |dialog: BeliefDialog| app.dialog.set(Some(Dialog::Belief(dialog)));
    let boxed = StoredValue::new(Box::new(entity.clone()));
    let shared = is_shared(&entity);
    let items = Callback::new(move |()| {
        let item = |label: &str, icon, key, dialog: fn(Box<Known>) -> BeliefDialog| MenuItem {
            label: label.into(),
            icon,
            key,
            act: Callback::new(move |()| open(dialog(boxed.get_value()))),
        };
        let share = if shared { "Stop sharing" } else { "Share with all spaces" };
        vec![
            item("Rename", Icon::Edit, None, BeliefDialog::Rename),
            item("Add a name", Icon::Tag, None, BeliefDialog::AddName),
            item("Change the type", Icon::Thing, None, BeliefDialog::Retype),
            item("Add a fact", Icon::Plus, None, BeliefDialog::AddFact),
            item(share, Icon::Layers, Some("S"), share_dialog),
            MenuItem {
                label: "Forget".into(),
                icon: Icon::Eraser,
                key: None,
                act: Callback::new(move |()| forget(app, &boxed.get_value())),
            },
        ]
    });
    view! {
        <h1 class="file" title=entity.name.clone() data-testid="entity-name">{entity.name.clone()}</h1>
        <span class="entity-kind"><Glyph icon=type_icon(entity.entity_type)/> {type_name(entity.entity_type)}</span>
        {shared.then(|| view! {
            <span class="entity-kind" title="Every space that names it means this one" data-testid="shared">
                <Glyph icon=Icon::Layers/> "shared with all spaces"
            </span>
        })}
        <span class="muted small clip grow" title=names.clone()>{names.clone()}</span>
        <button type="button" class="button" data-testid="merge"
            on:click=move |_| open(BeliefDialog::Merge(boxed.get_value(), None))>
            <Glyph icon=Icon::Merge/> "Merge"
        </button>
        <MenuButton label="More" items/>
    }
}

/// Asks whether all of it is to be forgotten, which has no way back.
fn forget(app: App, entity: &Known) {
    let what = ForgetWhat { entity: Some(entity.id.clone()), ..ForgetWhat::default() };
    Ask::named(what, &entity.name).open(app);
}

#[component]
fn Body(page: Page, day: RwSignal<String>, history: RwSignal<bool>) -> impl IntoView {
    let app = App::get();
    let similar =
        Memo::new(move |_| page.detail.value.with(|d| d.as_ref().map(|d| d.similar.clone()).unwrap_or_default()));
    let merges =
        Signal::derive(move || page.detail.value.with(|d| d.as_ref().map(|d| d.merges.clone()).unwrap_or_default()));
    let shared = Memo::new(move |_| page.detail.value.with(|d| d.as_ref().is_some_and(|d| is_shared(&d.entity))));
    let add = move |_| {
        if let Some(entity) = page.detail.value.with(|d| d.as_ref().map(|d| d.entity.clone())) {
            app.dialog.set(Some(Dialog::Belief(BeliefDialog::AddFact(Box::new(entity)))));
        }
    };
    view! {
        {move || similar.get().into_iter().map(|other| view! { <Alike page other/> }).collect_view()}
        <section class="panel" aria-labelledby="claims-title">
            <div class="head-row">
                <h2 id="claims-title" class="grow">"What is believed"</h2>
                <label class="as-of small">"As of "
                    <input class="field" type="date" data-testid="as-of" prop:value=move || day.get()
                        on:change=move |e| day.set(event_target_value(&e))/>
                </label>
                <label class="check small">
                    <input type="checkbox" data-testid="claims-history" prop:checked=move || history.get()
                        on:change=move |e| history.set(event_target_checked(&e))/>
                    "Taken back, too"
                </label>
                <button type="button" class="button" data-testid="fact-add" on:click=add>
                    <Glyph icon=Icon::Plus/> "Add a fact"
                </button>
            </div>
            <Claims page/>
        </section>
        <Timeline page/>
        <Near page/>
        <NamedIn page/>
        <Mentions page/>
        {move || (!merges.get().is_empty()).then(|| view! {
            <section class="panel" aria-labelledby="merges-title">
                <h2 id="merges-title">"Merged"</h2>
                <ul class="plain">{merges.get().into_iter().map(|merge| view! { <Merged merge shared=shared.get()/> }).collect_view()}</ul>
            </section>
        })}
    }
}

/// An entity that may be the same.
#[component]
fn Alike(page: Page, other: EntityRef) -> impl IntoView {
    let app = App::get();
    let name = other.name.clone();
    let compare = move |_| {
        if let Some(entity) = page.detail.value.with(|d| d.as_ref().map(|d| d.entity.clone())) {
            app.dialog.set(Some(Dialog::Belief(BeliefDialog::Merge(Box::new(entity), Some(other.clone())))));
        }
    };
    view! {
        <p class="notice" data-testid="similar">
            <Glyph icon=Icon::Merge/>
            <span class="grow">"Perhaps the same: " <span class="strong">{name}</span></span>
            <button type="button" class="button small" on:click=compare>"Compare"</button>
        </p>
    }
}

/// A merge and its way back. Where `shared`, that what it went into may be gone with the last one parted from it.
#[component]
fn Merged(merge: Merge, shared: bool) -> impl IntoView {
    let app = App::get();
    let (id, name) = (merge.id.clone(), merge.merged.name.clone());
    let undo = move |_| {
        let (id, name) = (id.clone(), name.clone());
        if shared {
            return part(app, vec![id]);
        }
        spawn_local(async move {
            match ipc::call(EntityUnmerge { merge: id }).await {
                Ok(_) => app.toasts.say(format!("{name} stands by itself again.")),
                Err(error) => app.toasts.trouble(&error),
            }
        });
    };
    let undone = merge.undone;
    // Of a shared one, those that took its name came from a space of their own.
    let (since, back) = if shared && merge.kept.name == merge.merged.name {
        ("shared since", "Stop sharing")
    } else {
        ("", "Un-merge")
    };
    view! {
        <li class="entry" data-testid="merged">
            <Glyph icon=Icon::Merge/>
            <span class="grow">{merge.merged.name.clone()} <span class="muted small">{format!(" {since} {}", dates::day(merge.merged_at))}</span></span>
            {if undone {
                view! { <span class="muted small">"undone"</span> }.into_any()
            } else {
                view! {
                    <button type="button" class="button small" data-testid="unmerge" on:click=undo>{back}</button>
                }.into_any()
            }}
        </li>
    }
}
