//! The indexes made anew from what they stand for: the full text of each kind in each space in one transaction, then the vectors, some
//! in each, so that others write in between. A mark stands in the database meanwhile. One that failed, or was cut off, while it made
//! full texts left each of them as it was or made anew, and all is compared; the vectors are indexed on from where it was, and the mark
//! stands until they are whole.
//!
//! A full text is made in one transaction, so that everything is found by its words all along: in portions it would be there in part, or
//! what is written meanwhile would have to be indexed twice. An index is dropped whole, as it is made anew where it may be damaged: to
//! delete its rows one by one reads all of them, stops at the first that cannot be read, and leaves it emptied for longer.

use crate::fts::{Kind, sources};
use crate::{StoreResult, divergence, settings, vectors};
use rusqlite::Connection;
use um_model::{EpochMs, SpaceId};

/// So many vectors are looked at in one transaction.
pub const VECTORS: usize = 2_000;
/// Stands in `system_settings` while it is under way: [`TEXTS`], or the last vector (`memory_embeddings.rid`) that was looked at.
const MARK: &str = "indexes.rebuilding";
/// The full texts are made; the vectors are as they were.
const TEXTS: &str = "texts";

/// Stands in `system_settings` until every full text is in the form in which words are looked up now.
const OLD_FORM: &str = "indexes.old_form";

/// Has all full texts compared, and what is in an older form than words are looked up in made anew: a slice at a time, as whatever
/// differs. Until then that is missed.
pub(crate) fn renew_form(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    settings::set(connection, OLD_FORM, "", now)?;
    divergence::again(connection, now)
}

/// Whether words may be missed in full texts that are in an older form.
///
/// # Errors
/// SQLite's.
pub fn is_of_old_form(connection: &Connection) -> StoreResult<bool> {
    Ok(settings::get(connection, OLD_FORM)?.is_some())
}

/// Whether full texts in an older form are being brought into the form in which words are looked up. Where the last round could not
/// compare some of it and none is under way, they stay as they are until the next.
///
/// # Errors
/// SQLite's.
pub fn is_renewing_form(connection: &Connection) -> StoreResult<bool> {
    if !is_of_old_form(connection)? {
        return Ok(false);
    }
    let is_under_way = divergence::under_way(connection)?.is_some();
    Ok(is_under_way || divergence::last(connection)?.is_none_or(|(report, _)| report.failed == 0))
}

/// Keeps that every full text is in the form in which words are looked up.
pub(crate) fn form_is_renewed(connection: &Connection) -> StoreResult<()> {
    settings::remove(connection, OLD_FORM)
}

/// Begins. Gives the full texts that are to be made anew.
///
/// # Errors
/// SQLite's.
pub fn begin(connection: &Connection, now: EpochMs) -> StoreResult<Vec<(SpaceId, Kind)>> {
    // Where the vectors are not whole since an earlier one, that stays known.
    if !is_incomplete(connection)? {
        settings::set(connection, MARK, TEXTS, now)?;
    }
    sources::all(connection)
}

/// Puts an empty index of vectors in the place of the one that is there; [`index_next`] fills it.
///
/// # Errors
/// SQLite's; [`StoreError::Damaged`](crate::StoreError::Damaged) where the database does not say how long vectors are.
pub fn renew_vectors(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    vectors::renew(connection)?;
    settings::set(connection, MARK, &i64::MIN.to_string(), now)
}

/// Looks at the next `most` vectors, and indexes those that belong into the index. Gives whether more may be left: where none is, the
/// index is whole, and the mark goes.
///
/// # Errors
/// SQLite's.
pub fn index_next(connection: &Connection, most: usize, now: EpochMs) -> StoreResult<bool> {
    let Some(after) = vectors_after(connection)? else { return Ok(false) };
    let reached = vectors::index_next(connection, after, most)?;
    match reached {
        Some(reached) => settings::set(connection, MARK, &reached.to_string(), now)?,
        None => settings::remove(connection, MARK)?,
    }
    Ok(reached.is_some())
}

/// Whether vectors are missing in their index until it is made.
///
/// # Errors
/// SQLite's.
pub fn is_incomplete(connection: &Connection) -> StoreResult<bool> {
    Ok(vectors_after(connection)?.is_some())
}

/// The last vector that was looked at, while the index is not whole.
fn vectors_after(connection: &Connection) -> StoreResult<Option<i64>> {
    let mark = settings::get(connection, MARK)?.filter(|mark| mark != TEXTS);
    // To look at one again does no harm.
    Ok(mark.map(|mark| mark.parse().unwrap_or(i64::MIN)))
}

/// Ends one that failed: everything is compared from the beginning.
pub(crate) fn failed(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    divergence::again(connection, now)?;
    match is_incomplete(connection)? {
        true => Ok(()),
        false => settings::remove(connection, MARK),
    }
}

/// Ends one that was cut off, where there is one. A comparison that began since then goes on where it was.
pub(crate) fn end_cut_off(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    let is_known = is_incomplete(connection)? && divergence::under_way(connection)?.is_some();
    match settings::get(connection, MARK)? {
        Some(_) if !is_known => failed(connection, now),
        _ => Ok(()),
    }
}
