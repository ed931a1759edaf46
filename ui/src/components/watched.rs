//! Watched folders: a list of them, as Settings and Spaces & access show it.

use super::{
    forget::Ask,
    icon::{Glyph, Icon},
    states::shown,
};
use crate::{actions, dates, format::count, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    DeletePolicy, SpaceId,
    forget::ForgetWhat,
    watch::{WatchFolder, WatchRemove, WatchesList},
};

/// The watched folders of a space, or of all where none is named.
#[component]
pub fn WatchedFolders(
    /// The space.
    of: Signal<Option<SpaceId>>,
) -> impl IntoView {
    let app = App::get();
    let watches = Query::new(move || {
        app.changes.spaces.track();
        Some(WatchesList {})
    });
    shown(watches, "The folders could not be listed.", (2, "row"), move |listed| {
        let space = of.get();
        let own: Vec<_> =
            listed.watches.into_iter().filter(|w| space.as_ref().is_none_or(|s| *s == w.space_id)).collect();
        if own.is_empty() {
            let says = "No folder is watched. The files of one come in by themselves, and stay where they are.";
            return view! { <p class="muted">{says}</p> }.into_any();
        }
        view! { <ul class="plain">{own.into_iter().map(|watch| row(app, watch)).collect_view()}</ul> }.into_any()
    })
}

/// What a folder holds and how it is watched.
fn facts(watch: &WatchFolder) -> String {
    let mut facts = vec![count(watch.files, "file")];
    if !watch.include.is_empty() {
        facts.push(format!("only {}", watch.include.join(", ")));
    }
    if !watch.exclude.is_empty() {
        facts.push(format!("never {}", watch.exclude.join(", ")));
    }
    if watch.honour_gitignore {
        facts.push("obeys .gitignore".into());
    }
    if watch.on_delete == DeletePolicy::Keep {
        facts.push("keeps what is deleted".into());
    }
    if let Some(at) = watch.last_scan_at {
        facts.push(format!("looked at {}", dates::moment(at)));
    }
    facts.join(", ")
}

/// Asks whether all that came from a folder is to be forgotten, which has no way back.
fn forget(app: App, path: &str) {
    let what = ForgetWhat { folder: Some(path.to_owned()), ..ForgetWhat::default() };
    Ask { what, of: format!("from {path}") }.open(app);
}

fn row(app: App, watch: WatchFolder) -> impl IntoView {
    let (id, space, facts) = (watch.id.clone(), watch.space_id.clone(), facts(&watch));
    let path = watch.path.clone();
    view! {
        <li class="entry" data-testid="watch-row">
            <Glyph icon=Icon::Folder/>
            <span class="entry-text grow">
                <span class="file">{watch.path.clone()}</span>
                <span class="muted small">{move || app.space_name(&space).map(|n| format!("to {n}, "))} {facts}</span>
                {watch.problem.clone().map(|problem| view! { <span class="small failed"><Glyph icon=Icon::Alert/> {problem}</span> })}
            </span>
            <button type="button" class="button small" aria-label=format!("Stop watching {}", watch.path)
                on:click=move |_| actions::run(app, WatchRemove { id: id.clone() })>"Stop watching"</button>
            <button type="button" class="button ghost small" aria-label=format!("Forget all from {}", watch.path)
                data-testid="watch-forget" on:click=move |_| forget(app, &path)>"Forget"</button>
        </li>
    }
}
