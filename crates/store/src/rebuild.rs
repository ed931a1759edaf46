//! The indexes made anew from what they stand for, each part in a transaction of its own, so that others write in between. A mark
//! stands in the database meanwhile: what one that failed, or was cut off, left undone is found and mended by the next comparison of
//! the indexes, which begins at once.

use crate::fts::{Kind, sources};
use crate::{StoreResult, divergence, settings};
use rusqlite::Connection;
use um_model::{EpochMs, SpaceId};

/// So many vectors are looked at in one transaction.
pub(crate) const VECTORS: usize = 2_000;
/// Stands in `system_settings` while it is under way.
const MARK: &str = "indexes.rebuilding";

/// Begins. Gives the full texts that are to be made anew.
pub(crate) fn begin(connection: &Connection, now: EpochMs) -> StoreResult<Vec<(SpaceId, Kind)>> {
    settings::set(connection, MARK, "true", now)?;
    sources::all(connection)
}

/// Ends, with all of it done or not.
pub(crate) fn end(connection: &Connection, is_whole: bool, now: EpochMs) -> StoreResult<()> {
    match is_whole {
        true => divergence::rebuilt(connection, now)?,
        false => divergence::again(connection, now)?,
    }
    settings::remove(connection, MARK)
}

/// Ends one that was cut off, where there is one.
pub(crate) fn end_cut_off(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    match settings::get(connection, MARK)? {
        Some(_) => end(connection, false, now),
        None => Ok(()),
    }
}
