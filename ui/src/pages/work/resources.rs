//! Resources: what a space works with, as a tree of addresses; beside it the one that is open.

use super::{
    Tab, WorkDialog,
    branches::Tree,
    choose_space,
    found::Found,
    head,
    narrow::rested,
    resource::Detail,
    then::{self, Day, Then},
    tree_view::Shape,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::Empty,
    },
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{ResourceId, SpaceId, work::ResourceGet};

/// The page.
#[component]
pub fn Resources() -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let rested = rested(typed);
    let chosen = Memo::new(move |before: Option<&Option<ResourceId>>| match app.route.get() {
        Route::Resources { open } => open,
        // What is left is drawn as it was until it is gone.
        _ => before.cloned().flatten(),
    });
    let actions = move || {
        app.space.get().map(|space| {
            view! {
                <button type="button" class="button accent" data-testid="resource-new"
                    disabled=move || then::is_past(app) title=move || then::reason(app)
                    on:click=move |_| WorkDialog::NewResource(space.clone(), None).open(app)><Glyph icon=Icon::Plus/> "New resource"</button>
            }
        })
    };
    let search = view! {
        <div class="filters" role="search" aria-label="Find a resource">
            <input id="search" class="field grow" type="text" placeholder="Find by title, address or content" aria-label="Find by title, address or content"
                autocomplete="off" data-testid="resources-find" prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))/>
            <Day/>
        </div>
        <Then/>
    };
    let body = move || match app.space.get() {
        None => choose_space("Resources belong to a space. Choose one to see what it works with.").into_any(),
        Some(space) => view! { <Space space typed rested chosen/> }.into_any(),
    };
    view! {
        {head(Tab::Resources, actions, search)}
        <div class="page-body fill resources">{body}</div>
    }
}

/// The tree of a space, or what was looked for in it; beside it the one that is open.
#[component]
fn Space(
    space: SpaceId,
    typed: RwSignal<String>,
    rested: ReadSignal<String>,
    chosen: Memo<Option<ResourceId>>,
) -> impl IntoView {
    let app = App::get();
    let opened = Query::new(move || {
        app.changes.work.track();
        Some(ResourceGet { id: Some(chosen.get()?), as_of: then::as_of(app), ..ResourceGet::default() })
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
    let looking = Memo::new(move |_| !rested.with(|typed| typed.trim().is_empty()));
    let side = move || match looking.get() {
        true => view! { <Found tree typed rested chosen/> }.into_any(),
        false => view! { <Shape tree chosen/> }.into_any(),
    };
    let detail = move || match chosen.with(Option::is_some) {
        true => view! { <Detail opened/> }.into_any(),
        false => view! { <p class="muted resource-none">"Open a resource to see what it says."</p> }.into_any(),
    };
    let bare = Memo::new(move |_| tree.is_empty() && !looking.get() && chosen.with(Option::is_none));
    move || match bare.get() {
        true => nothing(app, tree),
        false => view! {
            <div class="resources-grid" class:opened=move || chosen.with(Option::is_some)>
                <div class="resources-side">{side}</div>
                <div class="resources-detail">{detail}</div>
            </div>
        }
        .into_any(),
    }
}

fn nothing(app: App, tree: Tree) -> AnyView {
    if then::is_past(app) {
        return view! {
            <Empty icon=Icon::Older says="No resource was here on that day.">
                <button type="button" class="button" on:click=move |_| app.work_day.set(None)>"Back to now"</button>
            </Empty>
        }
        .into_any();
    }
    view! {
        <Empty icon=Icon::Folder says="No resource yet. Files, services and notes that agents work with are put here, as a tree.">
            <button type="button" class="button accent" on:click=move |_| WorkDialog::NewResource(tree.space.get_value(), None).open(app)>
                <Glyph icon=Icon::Plus/> "New resource"
            </button>
        </Empty>
    }
    .into_any()
}
