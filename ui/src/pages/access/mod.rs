//! Spaces & access: who may read what, and who did.

mod agents;
mod answers;
mod audit;
mod choose;
mod entries;
mod members;
mod opened;
mod overlays;
mod reach;
mod requests;
mod space;
mod spaces;
mod words;

use crate::{
    components::{
        icon::{Glyph, Icon},
        tabs::{Tab, Tabs},
        watched::WatchedFolders,
    },
    route::Route,
    state::{App, Dialog},
};
use leptos::prelude::*;

pub use agents::Revoke;
pub use audit::{Audit, ExportLedger};
pub use opened::OpenFolder;
pub use words::reads;

/// The page.
#[component]
pub fn Access() -> impl IntoView {
    let app = App::get();
    let new = view! {
        <button type="button" class="button accent" data-testid="space-new"
            on:click=move |_| app.dialog.set(Some(Dialog::NewSpace))>
            <Glyph icon=Icon::Plus/> "New space"
        </button>
    };
    view! {
        {head(false, new)}
        <div class="page-body narrow">
            <spaces::Spaces/>
            <agents::Agents/>
            <requests::Requests/>
            <Folders/>
        </div>
    }
}

/// The head of both tabs, with what can be done there.
fn head(audit: bool, actions: impl IntoView) -> impl IntoView {
    let all = vec![
        Tab::new("Who may", "tab-access-now", !audit, Route::Access),
        Tab::new("Audit", "tab-audit", audit, Route::Audit { agent: None }),
    ];
    view! {
        <div class="page-head">
            <div class="head-row"><h1 class="grow">"Spaces & access"</h1> {actions}</div>
            <Tabs label="Spaces & access" all/>
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
