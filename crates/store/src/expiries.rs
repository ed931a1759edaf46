//! `memories.expires_at`: when memories go out of use by themselves.

use crate::StoreResult;
use rusqlite::{Connection, params};
use std::collections::HashSet;
use um_model::{EpochMs, MemoryId, SpaceId};

/// Says when a memory goes out of use by itself; never without a time.
///
/// # Errors
/// SQLite's.
pub fn set(connection: &Connection, id: &MemoryId, at: Option<EpochMs>) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET expires_at = ?2 WHERE id = ?1 AND expires_at IS NOT ?2")?
        .execute(params![id.as_str(), at])?;
    Ok(())
}

/// When the next memory in use goes out of use by itself, where one does.
///
/// # Errors
/// SQLite's.
pub fn next(connection: &Connection) -> StoreResult<Option<EpochMs>> {
    Ok(connection
        .prepare_cached("SELECT min(expires_at) FROM memories WHERE expires_at IS NOT NULL AND status = 'active'")?
        .query_row([], |row| row.get(0))?)
}

/// The memories in use, at most `limit`, that were to go out of use by now; those whose time came first, first.
///
/// # Errors
/// SQLite's.
pub fn due(connection: &Connection, now: EpochMs, limit: u32) -> StoreResult<Vec<(MemoryId, SpaceId)>> {
    connection
        .prepare_cached(
            "SELECT id, space_id FROM memories WHERE expires_at IS NOT NULL AND expires_at <= ?1 AND status = 'active'
             ORDER BY expires_at, rid LIMIT ?2",
        )?
        .query_and_then(params![now, limit], |row| {
            Ok((MemoryId::parse(row.get::<_, String>(0)?)?, SpaceId::parse(row.get::<_, String>(1)?)?))
        })?
        .collect()
}

/// Those of some memories (`memories.rid`) that go out of use by themselves by a time, or did.
///
/// # Errors
/// SQLite's.
pub fn gone_by(connection: &Connection, rids: &[i64], at: EpochMs) -> StoreResult<HashSet<i64>> {
    Ok(connection
        .prepare_cached(
            "SELECT m.rid FROM json_each(?1) given CROSS JOIN memories m ON m.rid = given.value WHERE m.expires_at <= ?2",
        )?
        .query_map(params![serde_json::to_string(rids)?, at], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Takes a memory whose time has come out of use: it was so until that time, whenever that is noticed.
///
/// # Errors
/// A refusal; SQLite's.
pub fn expire(connection: &Connection, id: &MemoryId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE memories SET status = 'expired', status_changed_at = ?2, valid_to = max(expires_at, valid_from)
             WHERE id = ?1 AND expires_at <= ?2",
        )?
        .execute(params![id.as_str(), now])?;
    Ok(())
}

/// Lets a memory whose time is over, and that is in use again, stay.
///
/// # Errors
/// SQLite's.
pub fn outlive(connection: &Connection, id: &MemoryId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET expires_at = NULL WHERE id = ?1 AND expires_at <= ?2")?
        .execute(params![id.as_str(), now])?;
    Ok(())
}
