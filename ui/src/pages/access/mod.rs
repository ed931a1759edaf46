//! Spaces & access: who may read what, and who did.

mod agents;
mod choose;
mod members;
mod overlays;
mod reach;
mod requests;
mod space;
mod spaces;
mod words;

use crate::{
    components::{
        icon::{Glyph, Icon},
        watched::WatchedFolders,
    },
    state::{App, Dialog},
};
use leptos::prelude::*;

pub use agents::Revoke;

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
            <spaces::Spaces/>
            <agents::Agents/>
            <requests::Requests/>
            <Folders/>
        </div>
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
