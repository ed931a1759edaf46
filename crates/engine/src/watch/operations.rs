//! Adding, listing and ending watched folders.

use crate::error::{Outcome, from_io, invalid, not_found};
use crate::{Caller, Engine};
use std::path::PathBuf;
use um_model::capture::Done;
use um_model::health::Event;
use um_model::watch::{WatchAdd, WatchFolder, WatchRemove, WatchesList, WatchesListed};
use um_model::{ApiError, DeletePolicy, ErrorCode};
use um_store::watches;

/// Begins to watch a folder.
pub(crate) fn watch_add(engine: &Engine, caller: &Caller, request: WatchAdd) -> Outcome<WatchFolder> {
    let given = PathBuf::from(&request.path);
    let folder = given.canonicalize().map_err(|e| from_io("Opening", &given, &e))?;
    if !folder.is_dir() {
        return Err(invalid(format!("{} is no folder.", folder.display())));
    }
    super::scan::look_into(&folder).map_err(|e| {
        from_io("Reading", &folder, &e).hint("Allow your user to open and list this folder, then watch it again.")
    })?;
    if folder.starts_with(engine.data_dir()) || engine.data_dir().starts_with(&folder) {
        return Err(invalid("This folder holds the data folder itself, or lies in it.").hint("Choose another folder."));
    }
    super::scan::Patterns::new(&request.include, &request.exclude)?;
    let path = folder
        .to_str()
        .ok_or_else(|| invalid("The folder's path is not valid Unicode.").hint("Rename it, then try again."))?
        .to_owned();
    let (caller, now) = (caller.clone(), engine.now());
    let watch = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &caller, &request.space)?;
        if let Some(around) = watches::watched(tx)?.iter().find(|w| w.space_id == space.id && nested(&w.path, &path)) {
            return Err(ApiError::new(
                ErrorCode::Conflict,
                format!("{} is watched for this space already.", around.path),
            )
            .hint("Remove that one first.")
            .into());
        }
        let policy = request.on_delete.unwrap_or(DeletePolicy::Mark);
        let id = watches::upsert(
            tx,
            &space.id,
            &path,
            &request.include,
            &request.exclude,
            request.honour_gitignore,
            policy,
            &caller.actor,
            now,
        )?;
        Engine::audit(
            tx,
            &caller,
            "watch.added",
            ("watch_folders", id.as_str()),
            &space.id,
            serde_json::json!({}),
            now,
        )?;
        watches::by_id(tx, &id)?.ok_or_else(|| not_found("watched folder", id.as_str()).into())
    })?;
    super::listen::added(engine, &watch);
    engine.tell(Event::Spaces);
    Ok(watch)
}

/// Whether one path lies in the other, but is not the same.
fn nested(a: &str, b: &str) -> bool {
    let (a, b) = (std::path::Path::new(a), std::path::Path::new(b));
    a != b && (a.starts_with(b) || b.starts_with(a))
}

/// Lists the watched folders.
pub(crate) fn watches_list(engine: &Engine, caller: &Caller, _: WatchesList) -> Outcome<WatchesListed> {
    let mut found = engine.read(|c| {
        crate::access::may_act(c, caller)?;
        Ok(watches::list(c)?)
    })?;
    for watch in &mut found {
        watch.problem = super::listen::problem(engine, watch);
    }
    Ok(WatchesListed { watches: found })
}

/// Stops watching a folder.
pub(crate) fn watch_remove(engine: &Engine, caller: &Caller, request: WatchRemove) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    let watch = engine.write(move |tx| {
        crate::access::may_act(tx, &caller)?;
        let watch = watches::by_id(tx, &request.id)?.ok_or_else(|| not_found("watched folder", request.id.as_str()))?;
        watches::deactivate(tx, &watch.id)?;
        let object = ("watch_folders", watch.id.as_str());
        Engine::audit(tx, &caller, "watch.removed", object, &watch.space_id, serde_json::json!({}), now)?;
        Ok(watch)
    })?;
    super::listen::removed(engine, &watch);
    engine.tell(Event::Spaces);
    Ok(Done {})
}
