//! Resources: what a space works with, as a tree of addresses; beside it the one that is open.

use super::{
    Tab, WorkDialog, choose_space, head,
    resource::Detail,
    tree::{Branch, Branches, ROOTS, Row, Step, What, rows, step},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        states::{Empty, Skeleton, Trouble, shown},
    },
    format::{count, grouped},
    ipc,
    query::Query,
    route::Route,
    state::App,
};
use leptos::{ev, html, prelude::*, task::spawn_local};
use std::collections::{BTreeMap, BTreeSet};
use um_model::{
    ApiError, ErrorCode, ResourceId, SpaceId,
    work::{Resource, ResourceGet, ResourceKind, ResourcesBrowse},
};
use wasm_bindgen::JsCast;

/// So many are read at a time.
const PART: usize = 200;
/// So many are shown of what was looked for.
const FOUND: u32 = 100;

/// The page.
#[component]
pub fn Resources() -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let chosen = Memo::new(move |before: Option<&Option<ResourceId>>| match app.route.get() {
        Route::Resources { open } => open,
        // What is left is drawn as it was until it is gone.
        _ => before.cloned().flatten(),
    });
    let actions = move || {
        app.space.get().map(|space| {
            view! {
                <button type="button" class="button accent" data-testid="resource-new"
                    on:click=move |_| WorkDialog::NewResource(space.clone(), None).open(app)><Glyph icon=Icon::Plus/> "New resource"</button>
            }
        })
    };
    let search = view! {
        <div class="filters" role="search" aria-label="Find a resource">
            <input id="search" class="field grow" type="text" placeholder="Find by title, address or content" aria-label="Find by title, address or content"
                autocomplete="off" data-testid="resources-find" prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))/>
        </div>
    };
    let body = move || match app.space.get() {
        None => choose_space("Resources belong to a space. Choose one to see what it works with.").into_any(),
        Some(space) => view! { <Space space typed chosen/> }.into_any(),
    };
    view! {
        {head(Tab::Resources, actions, search)}
        <div class="page-body fill resources">{body}</div>
    }
}

/// The tree of a space, or what was looked for in it; beside it the one that is open.
#[component]
fn Space(space: SpaceId, typed: RwSignal<String>, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
    let app = App::get();
    let opened = Query::new(move || {
        app.changes.work.track();
        Some(ResourceGet { id: Some(chosen.get()?), ..ResourceGet::default() })
    });
    let tree = Tree::of(app, space);
    Effect::new(move |before: Option<Option<ResourceId>>| {
        let resource = opened.value.get();
        let id = resource.as_ref().map(|resource| resource.id.clone());
        if let Some(resource) = resource.filter(|_| before.as_ref() != Some(&id)) {
            tree.reveal(&resource);
        }
        id
    });
    let looking = Memo::new(move |_| !typed.with(|typed| typed.trim().is_empty()));
    let side = move || match looking.get() {
        true => view! { <Found tree typed chosen/> }.into_any(),
        false => view! { <Shape tree chosen/> }.into_any(),
    };
    let detail = move || match chosen.with(Option::is_some) {
        true => view! { <Detail opened/> }.into_any(),
        false => view! { <p class="muted resource-none">"Open a resource to see what it says."</p> }.into_any(),
    };
    let bare = Memo::new(move |_| tree.is_empty() && !looking.get() && chosen.with(Option::is_none));
    move || match bare.get() {
        true => nothing(app, tree).into_any(),
        false => view! {
            <div class="resources-grid" class:opened=move || chosen.with(Option::is_some)>
                <div class="resources-side">{side}</div>
                <div class="resources-detail">{detail}</div>
            </div>
        }
        .into_any(),
    }
}

fn nothing(app: App, tree: Tree) -> impl IntoView {
    view! {
        <Empty icon=Icon::Folder says="No resource yet. Files, services and notes that agents work with are put here, as a tree.">
            <button type="button" class="button accent" on:click=move |_| WorkDialog::NewResource(tree.space.get_value(), None).open(app)>
                <Glyph icon=Icon::Plus/> "New resource"
            </button>
        </Empty>
    }
}

/// The tree as far as it is open.
#[derive(Clone, Copy)]
struct Tree {
    space: StoredValue<SpaceId>,
    branches: RwSignal<Branches>,
    open: RwSignal<BTreeSet<String>>,
    rows: Memo<Vec<Row>>,
    /// The row that the focus is on, or comes to first.
    cursor: RwSignal<Option<String>>,
    /// Why the roots could not be read.
    error: RwSignal<Option<ApiError>>,
    /// How often each branch was asked for: an answer that another one has overtaken is dropped.
    turns: StoredValue<BTreeMap<String, u64>>,
}

impl Tree {
    fn of(app: App, space: SpaceId) -> Self {
        let (branches, open) = (RwSignal::new(Branches::new()), RwSignal::new(BTreeSet::new()));
        let tree = Self {
            space: StoredValue::new(space),
            branches,
            open,
            rows: Memo::new(move |_| branches.with(|branches| open.with(|open| rows(branches, open)))),
            cursor: RwSignal::new(None),
            error: RwSignal::new(None),
            turns: StoredValue::new(BTreeMap::new()),
        };
        Effect::new(move |_| {
            app.changes.work.track();
            untrack(|| tree.read_anew());
        });
        tree
    }

    fn is_empty(&self) -> bool {
        self.branches.with(|all| all.get(ROOTS).is_some_and(|roots| roots.total == 0 && !roots.failed))
    }

    /// Reads what is open anew, as far as it was read. What is closed is read when it is opened again.
    fn read_anew(self) {
        let open = self.open.get();
        self.branches.update(|all| all.retain(|under, _| under == ROOTS || open.contains(under)));
        for under in open.iter().map(String::as_str).chain([ROOTS]) {
            let known = self.branches.with(|all| all.get(under).map_or(0, |branch| branch.children.len()));
            self.read(under, known);
        }
    }

    /// Reads at least so many of what lies under an address.
    fn read(self, under: &str, wanted: usize) {
        let (space, under) = (self.space.get_value(), under.to_owned());
        let turn = self.turns.try_update_value(|turns| {
            let turn = turns.entry(under.clone()).or_default();
            *turn += 1;
            *turn
        });
        spawn_local(async move {
            let read = children(&space, &under, wanted).await;
            if self.turns.try_with_value(|turns| turns.get(&under).copied()).flatten() == turn {
                self.take(under, read);
            }
        });
    }

    fn take(self, under: String, read: Result<Branch, ApiError>) {
        match read {
            Ok(branch) => {
                if under == ROOTS {
                    self.error.set(None);
                }
                self.branches.update(|all| drop(all.insert(under, branch)));
            }
            // It was taken away, and is left out where it lay.
            Err(error) if error.code == ErrorCode::NotFound && under != ROOTS => {
                self.open.update(|open| {
                    open.remove(&under);
                });
                self.branches.update(|all| drop(all.remove(&under)));
            }
            Err(error) if under == ROOTS => self.error.set(Some(error)),
            Err(_) => self.branches.update(|all| all.entry(under).or_default().failed = true),
        }
    }

    fn unfold(self, uri: &str) {
        self.open.update(|open| {
            open.insert(uri.to_owned());
        });
        if self.branches.with_untracked(|all| !all.contains_key(uri)) {
            self.read(uri, 0);
        }
    }

    fn fold(self, uri: &str) {
        self.open.update(|open| {
            open.remove(uri);
        });
    }

    /// Opens what a resource lies under, so that it is seen.
    fn reveal(self, resource: &Resource) {
        let is_seen = self.rows.with_untracked(|rows| rows.iter().any(|row| row.uri() == Some(&resource.uri)));
        let space = self.space.get_value();
        let Some(parent) = resource.parent_uri.clone().filter(|_| !is_seen && resource.space_id == space) else {
            return;
        };
        spawn_local(async move {
            let asked = ResourcesBrowse {
                space: Some(space.to_string()),
                parent_uri: Some(parent),
                limit: Some(1),
                ..ResourcesBrowse::default()
            };
            // Where that fails, the resource is shown without its place.
            if let Ok(way) = ipc::call(asked).await
                && self.turns.try_with_value(|_| ()).is_some()
            {
                way.path.iter().for_each(|above| self.unfold(&above.uri));
            }
        });
    }

    /// The number of the row that the focus is on, or comes to first.
    fn at(&self) -> usize {
        let cursor = self.cursor.get();
        self.rows.with(|rows| rows.iter().position(|row| Some(&row.key) == cursor.as_ref()).unwrap_or(0))
    }
}

async fn children(space: &SpaceId, under: &str, wanted: usize) -> Result<Branch, ApiError> {
    let mut branch = Branch::default();
    loop {
        let part = ipc::call(ResourcesBrowse {
            space: Some(space.to_string()),
            parent_uri: (under != ROOTS).then(|| under.to_owned()),
            offset: branch.children.len() as u32,
            limit: Some(PART as u32),
            ..ResourcesBrowse::default()
        })
        .await?;
        let read = part.children.len();
        branch.children.extend(part.children);
        branch.total = part.total;
        if read == 0 || branch.children.len() >= wanted.max(1) || branch.children.len() as u64 >= part.total {
            return Ok(branch);
        }
    }
}

/// The tree itself, once it is known what it begins with.
#[component]
fn Shape(tree: Tree, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
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
            attr:aria-level=level attr:aria-posinset=place attr:aria-setsize=of
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

/// The resources that speak of some words.
#[component]
fn Found(tree: Tree, typed: RwSignal<String>, chosen: Memo<Option<ResourceId>>) -> impl IntoView {
    let app = App::get();
    let found = Query::new(move || {
        app.changes.work.track();
        let text = Some(typed.get().trim().to_owned()).filter(|text| !text.is_empty())?;
        Some(ResourcesBrowse {
            space: Some(tree.space.get_value().to_string()),
            text: Some(text),
            limit: Some(FOUND),
            ..ResourcesBrowse::default()
        })
    });
    let row = move |resource: Resource| {
        let (icon, kind) = words::resource(resource.kind);
        let id = resource.id.clone();
        let here = Memo::new(move |_| chosen.with(|chosen| chosen.as_ref() == Some(&id)));
        let (title, uri) = (resource.title.clone(), resource.uri.clone());
        view! {
            <li class="found-row" class:here=move || here.get() data-testid="resource-found">
                <PageLink to=Signal::stored(Route::Resources { open: Some(resource.id) }) class="row-link" tabindex=Signal::stored("0")>
                    <Glyph icon/> <span class="hidden-words">{kind}</span>
                    <span class="entry-words grow">
                        <span class="clip" title=title.clone()><bdi>{title.clone()}</bdi></span>
                        <span class="clip muted small" title=uri.clone()><bdi>{uri.clone()}</bdi></span>
                    </span>
                </PageLink>
            </li>
        }
    };
    shown(found, "The resources could not be looked through.", (4, "row"), move |listed| {
        if listed.children.is_empty() {
            return view! {
                <Empty icon=Icon::Search says="No resource has these words.">
                    <button type="button" class="button" on:click=move |_| typed.set(String::new())>"Clear the search"</button>
                </Empty>
            }
            .into_any();
        }
        let more = listed.total.saturating_sub(listed.children.len() as u64);
        view! {
            <ul class="plain" aria-label="Resources that were found">{listed.children.into_iter().map(row).collect_view()}</ul>
            {(more > 0).then(|| view! { <p class="muted small">{format!("and {}. Say more of what you look for.", count(more, "more resource"))}</p> })}
        }
        .into_any()
    })
}
