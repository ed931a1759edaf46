//! What of a job is done, where it is done in parts: kept with the job, so that a part that is done is never paid for
//! again. Parts are named by whoever works on them, never by their words.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeSet;
use um_model::{EpochMs, JobId};

/// The parts of a job that are done.
///
/// # Errors
/// SQLite's.
pub fn parts(connection: &Connection, id: &JobId) -> StoreResult<BTreeSet<String>> {
    let kept: Option<String> = connection
        .prepare_cached("SELECT ifnull(payload -> '$.parts', '[]') FROM jobs WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(kept.map(|kept| serde_json::from_str(&kept)).transpose()?.unwrap_or_default())
}

/// Says that a part is done.
///
/// # Errors
/// SQLite's.
pub fn add_part(connection: &Connection, id: &JobId, part: &str, now: EpochMs) -> StoreResult<()> {
    let mut known = parts(connection, id)?;
    known.insert(part.to_owned());
    connection
        .prepare_cached(
            "UPDATE jobs SET payload = json_set(payload, '$.parts', json(?2)), updated_at = ?3 WHERE id = ?1",
        )?
        .execute(params![id.as_str(), serde_json::to_string(&known)?, now])?;
    Ok(())
}
