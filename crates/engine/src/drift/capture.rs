//! What state of a work tree something is written of: filled in where its writer names the tree and the file, and no state.

use super::look::Look;
use super::tree::Place;
use crate::error::Outcome;
use crate::scopes::resolve_at;
use crate::{Caller, Engine};
use serde_json::{Map, Value};
use um_model::SessionId;
use um_model::work::Provenance;

/// Adds branch, commit and hash to metadata that name a work tree and a file in it, and no state. Where the tree is not there, or
/// is closed to the caller, they stay as they are.
///
/// # Errors
/// `NotFound` and `Forbidden` for the space.
pub(crate) fn fill(
    engine: &Engine,
    caller: &Caller,
    (space, session): (Option<&str>, Option<&SessionId>),
    metadata: &mut Map<String, Value>,
) -> Outcome<()> {
    let said = Provenance::of(metadata);
    let (Some(workspace), Some(file), false) = (&said.workspace_path, &said.file_path, said.has_state()) else {
        return Ok(());
    };
    let space = engine.read(|c| Ok(resolve_at(c, caller, space, session)?.space))?;
    let mut look = Look::of(engine, caller, &space, None)?;
    let Some(tree) = look.tree_at(workspace) else { return Ok(()) };
    let head = look.head(tree).cloned();
    let hash = match look.file(tree, (Some(workspace), file)) {
        Place::There(file) => look.hash(&file),
        Place::Missing | Place::Outside => None,
    };
    let (branch, commit) = head.map_or((None, None), |head| (head.branch, head.commit));
    for (key, value) in Provenance::STATE.into_iter().zip([branch, commit, hash]) {
        if let Some(value) = value {
            metadata.insert(key.to_owned(), value.into());
        }
    }
    Ok(())
}
