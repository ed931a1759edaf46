//! `undo_log`: what a decision changed, so that it can be taken back.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{AgentId, EpochMs, SpaceId};

/// What was done to what.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    /// The operation's name.
    pub operation: &'a str,
    /// The table of the object.
    pub object_type: &'a str,
    /// Its id.
    pub object_id: &'a str,
}

/// Keeps what stood before an act.
///
/// # Errors
/// SQLite's.
pub fn keep(
    connection: &Connection,
    space: &SpaceId,
    actor: &AgentId,
    act: Act<'_>,
    before: &serde_json::Value,
    now: EpochMs,
) -> StoreResult<()> {
    connection.execute(
        "INSERT INTO undo_log (id, space_id, actor_id, operation, object_type, object_id, before_state, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            new_id(now),
            space.as_str(),
            actor.as_str(),
            act.operation,
            act.object_type,
            act.object_id,
            before.to_string(),
            now
        ],
    )?;
    Ok(())
}

/// What stood before the latest such act that still stands.
///
/// # Errors
/// SQLite's.
pub fn before(connection: &Connection, act: Act<'_>) -> StoreResult<Option<serde_json::Value>> {
    let json: Option<String> = connection
        .prepare_cached(
            "SELECT before_state FROM undo_log WHERE operation = ?1 AND object_type = ?2 AND object_id = ?3
               AND undone_at IS NULL AND is_redacted = 0 ORDER BY rid DESC LIMIT 1",
        )?
        .query_row(params![act.operation, act.object_type, act.object_id], |row| row.get(0))
        .optional()?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}

/// Takes the latest such act that still stands, marks it as undone, and gives what stood before it.
///
/// # Errors
/// SQLite's.
pub fn take(
    connection: &Connection,
    act: Act<'_>,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<Option<serde_json::Value>> {
    let json: Option<String> = connection
        .prepare_cached(
            "UPDATE undo_log SET undone_by = ?4, undone_at = ?5
             WHERE rid = (SELECT max(rid) FROM undo_log WHERE operation = ?1 AND object_type = ?2 AND object_id = ?3
               AND undone_at IS NULL AND is_redacted = 0) RETURNING before_state",
        )?
        .query_row(params![act.operation, act.object_type, act.object_id, actor.as_str(), now], |row| row.get(0))
        .optional()?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}
