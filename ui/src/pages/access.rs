//! Spaces & access: the tree of spaces with what each holds, its watched folders, and the agents.

use crate::{
    components::{
        dialogs::Connect,
        icon::{Glyph, Icon},
        states::{Empty, shown},
        watched::WatchedFolders,
    },
    format::{count, grouped},
    state::{App, Dialog},
    tree::{Branch, branches},
};
use leptos::prelude::*;
use um_model::SpaceType;

/// The page.
#[component]
pub fn Access() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="page-head">
            <div class="head-row">
                <h1 class="grow">"Spaces & access"</h1>
                <button type="button" class="button accent" data-testid="space-new"
                    on:click=move |_| app.dialog.set(Some(Dialog::NewSpace))>
                    <Glyph icon=Icon::Plus/> "New space"
                </button>
            </div>
        </div>
        <div class="page-body narrow">
            <section class="panel" aria-labelledby="spaces-title">
                <h2 id="spaces-title">"Spaces"</h2>
                <p class="muted">"Memories do not cross from one space to another."</p>
                {shown(app.spaces, "The spaces could not be listed.", (4, "row"), move |listed| tree(branches(&listed.spaces)))}
            </section>
            <Folders/>
            <section class="panel" aria-labelledby="agents-title">
                <h2 id="agents-title">"Agents"</h2>
                {move || agents(app)}
            </section>
        </div>
    }
}

fn tree(branches: Vec<Branch>) -> impl IntoView {
    view! {
        <div class="tree-head muted small" aria-hidden="true">
            <span class="grow">"Name"</span><span class="column">"Files"</span><span class="column">"Memories"</span><span class="column wide"></span>
        </div>
        <ul class="plain tree" data-testid="space-tree">{branches.into_iter().map(branch_row).collect_view()}</ul>
    }
}

fn type_word(space: SpaceType) -> &'static str {
    match space {
        SpaceType::Global => "names that every space may use",
        SpaceType::UserCore => "core facts about you",
        SpaceType::UserPersonal => "personal",
        SpaceType::Organization => "organization",
        SpaceType::Project => "project",
        SpaceType::Shared => "shared",
        SpaceType::Hive => "swarm",
    }
}

fn branch_row(branch: Branch) -> impl IntoView {
    let app = App::get();
    let Branch { space, depth } = branch;
    let id = space.space.id.clone();
    let chosen = id.clone();
    let here = Memo::new(move |_| app.space.with(|s| s.as_ref() == Some(&id)));
    let usable = space.space.space_type != SpaceType::Global;
    let action = move || match (usable, here.get()) {
        (false, _) => ().into_any(),
        (true, true) => view! { <span class="in-use small"><Glyph icon=Icon::Check/> "In use"</span> }.into_any(),
        (true, false) => {
            let chosen = chosen.clone();
            let name = app.space_name(&chosen).unwrap_or_default();
            view! {
                <button type="button" class="button small" aria-label=format!("Use {name}")
                    on:click=move |_| app.space.set(Some(chosen.clone()))>"Use"</button>
            }
            .into_any()
        }
    };
    let facts = format!(
        "{}, {}",
        count(space.artifacts, "file"),
        count(space.memories, "memory").replace("memorys", "memories")
    );
    view! {
        <li class="tree-row" data-testid="space-row" aria-label=format!("{}: {facts}", space.space.name)>
            <span class="indent" style:width=format!("{}px", depth * 24)></span>
            <Glyph icon=Icon::Layers/>
            <span class="grow">
                <span class="file">{space.space.name.clone()}</span> " "
                <span class="muted small">{type_word(space.space.space_type)}</span>
            </span>
            <span class="column">{grouped(space.artifacts)}</span>
            <span class="column">{grouped(space.memories)}</span>
            <span class="column wide">{action}</span>
        </li>
    }
}

#[component]
fn Folders() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="panel" aria-labelledby="watched-title">
            <div class="head-row">
                <h2 id="watched-title" class="grow">"Watched folders of " {move || app.space_label()}</h2>
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::WatchFolder))>
                    <Glyph icon=Icon::FolderPlus/> "Watch a folder"
                </button>
            </div>
            <WatchedFolders of=app.space.into()/>
        </section>
    }
}

fn agents(app: App) -> AnyView {
    let connected = app.status.value.with(|s| s.as_ref().map_or(0, |s| s.agents_connected));
    if connected == 0 {
        view! {
            <Empty icon=Icon::Agent says="No agent has asked yet.">
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>
                    <Glyph icon=Icon::Plug/> "Connect one"
                </button>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <p>{count(connected, "agent")} " connected now."</p>
            <Connect/>
        }
        .into_any()
    }
}
