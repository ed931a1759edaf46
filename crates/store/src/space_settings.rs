//! `space_settings`: one row for each key of a space. Values are JSON.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use serde::{Serialize, de::DeserializeOwned};
use um_model::{AgentId, EpochMs, SpaceId};

/// The kinds of findings that are hidden from agents: a list of their names.
pub const MASK_KINDS: &str = "mask_kinds";
/// What answers a question by less is no answer.
pub const ABSTAIN_BELOW: &str = "abstain_below";
/// After how many days what nobody confirmed counts as stale.
pub const STALE_AFTER_DAYS: &str = "stale_after_days";

/// Sets a value.
///
/// # Errors
/// SQLite's.
pub fn set<T: Serialize>(
    connection: &Connection,
    space: &SpaceId,
    key: &str,
    value: &T,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO space_settings (id, space_id, key, value, updated_by, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (space_id, key) DO UPDATE SET value = excluded.value, updated_by = excluded.updated_by,
               updated_at = excluded.updated_at",
        )?
        .execute(params![new_id(now), space.as_str(), key, serde_json::to_string(value)?, by.as_str(), now])?;
    Ok(())
}

/// Takes a value away, so that the usual counts again.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, space: &SpaceId, key: &str) -> StoreResult<()> {
    connection
        .prepare_cached("DELETE FROM space_settings WHERE space_id = ?1 AND key = ?2")?
        .execute([space.as_str(), key])?;
    Ok(())
}

/// What each space has under a key; spaces that have nothing are left out.
///
/// # Errors
/// SQLite's; a value of another shape.
pub fn of_all<T: DeserializeOwned>(connection: &Connection, key: &str) -> StoreResult<Vec<(SpaceId, T)>> {
    connection
        .prepare_cached("SELECT space_id, value FROM space_settings WHERE key = ?1")?
        .query_and_then([key], |row| {
            Ok((SpaceId::parse(row.get::<_, String>(0)?)?, serde_json::from_str(&row.get::<_, String>(1)?)?))
        })?
        .collect()
}
