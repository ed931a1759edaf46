//! The tree of resources as it is drawn, with the keys of a tree: arrows open and close, Enter shows what one says.

use super::{
    branches::{PART, Tree},
    tree::{ROOTS, Row, Step, What, step},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::{Skeleton, Trouble},
    },
    format::grouped,
    route::Route,
    state::App,
};
use leptos::{attr::custom::custom_attribute, ev, html, prelude::*};
use um_model::{ResourceId, work::ResourceKind};
use wasm_bindgen::JsCast;

/// The tree itself, once it is known what it begins with.
#[component]
pub fn Shape(tree: Tree, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
    let known = Memo::new(move |_| tree.branches.with(|all| all.contains_key(ROOTS)));
    let failed = Memo::new(move |_| tree.error.get().filter(|_| !known.get()));
    move || {
        match (known.get(), failed.get()) {
        (true, _) => view! { <List tree chosen/> }.into_any(),
        (false, Some(error)) => view! {
            <Trouble what="The resources could not be listed." error retry=Callback::new(move |()| tree.read(ROOTS, 0))/>
        }
        .into_any(),
        (false, None) => view! { <Skeleton rows=6 shape="row"/> }.into_any(),
    }
    }
}

#[component]
fn List(tree: Tree, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Ul>::new();
    let focus = move |index: usize| {
        let item =
            node.get_untracked().and_then(|list| list.query_selector_all("[role=treeitem]").ok()?.item(index as u32));
        if let Some(item) = item {
            // An element that cannot be focused leaves the focus where it is.
            let _ = item.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    };
    let inside = StoredValue::new(false);
    let left = move |event: ev::FocusEvent| {
        if event.related_target().is_some() {
            inside.set_value(false);
        }
    };
    // A row that is drawn anew, or gone, had the focus: then it gets the focus again, or what stands there now does.
    Effect::new(move |_| {
        tree.rows.track();
        if inside.get_value() {
            request_animation_frame(move || {
                let lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
                if lost && inside.try_get_value() == Some(true) {
                    focus(untrack(|| tree.at()));
                }
            });
        }
    });
    let pressed = move |press: ev::KeyboardEvent| {
        if press.ctrl_key() || press.alt_key() || press.meta_key() {
            return;
        }
        let (rows, at) = untrack(|| (tree.rows.get(), tree.at()));
        match (press.key().as_str(), rows.get(at)) {
            ("Enter" | " ", Some(row)) => act(app, tree, &row.what),
            (key, _) => match step(&rows, at, key) {
                Some(Step::To(to)) => {
                    tree.cursor.set(rows.get(to).map(|row| row.key.clone()));
                    focus(to);
                }
                Some(Step::Open(uri)) => tree.unfold(&uri),
                Some(Step::Close(uri)) => tree.fold(&uri),
                None => return,
            },
        }
        press.prevent_default();
    };
    let key = |row: &Row| {
        let says = match &row.what {
            What::Resource(one, is_open) => format!("{} {} {} {}", one.id, one.title, one.kind, is_open.is_some()),
            other => format!("{other:?}"),
        };
        format!("{} {} {} {} {says}", row.key, row.level, row.place, row.of)
    };
    view! {
        <ul class="resource-tree" role="tree" aria-label="Resources" data-testid="resource-tree" node_ref=node
            on:keydown=pressed on:focusin=move |_| inside.set_value(true) on:focusout=left>
            <For each=move || tree.rows.get() key=key children=move |row| view! { <Item tree row chosen/> }/>
        </ul>
    }
}

/// What Enter or a click does with a row.
fn act(app: App, tree: Tree, what: &What) {
    match what {
        What::Resource(resource, _) => app.go(Route::Resources { open: Some(resource.id.clone()) }),
        What::More(under, _) => {
            let known = tree.branches.with_untracked(|all| all.get(under).map_or(0, |branch| branch.children.len()));
            tree.read(under, known + 1);
        }
        What::Failed(under) => {
            tree.branches.update(|all| drop(all.remove(under)));
            tree.read(under, 0);
        }
        What::Reading => {}
    }
}

/// So many levels are told by their indent; those below stand as far in as the last of them.
const INDENTED: usize = 8;

#[component]
fn Item(tree: Tree, row: Row, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
    let app = App::get();
    let Row { key, level, place, of, what } = row;
    let own = key.clone();
    let here = Memo::new(move |_| tree.rows.with(|rows| rows.get(tree.at()).is_some_and(|row| row.key == own)));
    let id = match &what {
        What::Resource(resource, _) => Some(resource.id.clone()),
        _ => None,
    };
    let selected = Memo::new(move |_| id.is_some() && chosen.with(|chosen| *chosen == id));
    let uri = match &what {
        What::Resource(resource, Some(_)) => Some(resource.uri.clone()),
        _ => None,
    };
    let folds = uri.clone();
    let is_open = Memo::new(move |_| uri.as_ref().map(|uri| tree.open.with(|open| open.contains(uri))));
    let content = content(&what, is_open);
    let clicked = move |click: ev::MouseEvent| {
        tree.cursor.set(Some(key.clone()));
        let at_arrow = event_target::<web_sys::Element>(&click).closest(".twist").ok().flatten().is_some();
        match (at_arrow, &folds) {
            (true, Some(uri)) if is_open.get_untracked() == Some(true) => tree.fold(uri),
            (true, Some(uri)) => tree.unfold(uri),
            _ => act(app, tree, &what),
        }
    };
    let far = (level - 1).min(INDENTED) * 16;
    view! {
        <li class="resource-row" class:here=move || selected.get() role="treeitem" data-testid="resource-row" data-focus=""
            aria-posinset=place.to_string() aria-setsize=of.to_string() {..custom_attribute("aria-level", level.to_string())}
            aria-expanded=move || is_open.get().map(|is_open| is_open.to_string())
            aria-selected=move || selected.get().to_string()
            tabindex=move || if here.get() { "0" } else { "-1" } on:click=clicked>
            <span class="indent" style:width=format!("{far}px")></span>
            {content}
        </li>
    }
}

fn content(what: &What, is_open: Memo<Option<bool>>) -> AnyView {
    match what {
        What::Resource(resource, _) => {
            let (icon, kind) = words::resource(resource.kind);
            let (title, uri) = (resource.title.clone(), resource.uri.clone());
            let folder = resource.kind == ResourceKind::Folder;
            let twist = move || match is_open.get() {
                Some(true) => view! { <Glyph icon=Icon::ChevronDown/> }.into_any(),
                Some(false) => view! { <Glyph icon=Icon::ChevronRight/> }.into_any(),
                None => ().into_any(),
            };
            let drawn = move || {
                let icon = if folder && is_open.get() == Some(true) { Icon::FolderOpen } else { icon };
                view! { <Glyph icon/> }
            };
            view! {
                <span class="twist">{twist}</span>
                {drawn}
                <span class="file grow" title=format!("{title}\n{uri}")><bdi>{title.clone()}</bdi></span>
                <span class="hidden-words">{kind}</span>
                {(resource.children > 0).then(|| view! { <span class="muted small" aria-hidden="true">{grouped(resource.children)}</span> })}
            }
            .into_any()
        }
        What::More(_, left) => {
            let words = format!("Show {} of {} more", grouped((*left).min(PART as u64)), grouped(*left));
            view! { <span class="twist"></span><Glyph icon=Icon::More/> <span class="grow">{words}</span> }.into_any()
        }
        What::Reading => view! { <span class="twist"></span><span class="muted grow">"Reading ..."</span> }.into_any(),
        What::Failed(_) => view! {
            <span class="twist"></span><span class="state failed"><Glyph icon=Icon::Alert/> "Could not be read. Try again"</span>
        }
        .into_any(),
    }
}
