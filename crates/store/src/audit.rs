//! `audit_events`: what was done, by whom, to what; never what it said. Each row carries the hash of the
//! one before it, so that a row taken out or changed later shows.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use um_model::{AgentId, EpochMs, SpaceId};

/// Something that was done. `payload` holds ids, counts and hashes only (spine 7.1).
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// `memory.remembered`, `artifact.ingested`, …
    pub event_type: &'a str,
    /// The table of the object.
    pub object_type: &'a str,
    /// Its id.
    pub object_id: &'a str,
    /// Its space.
    pub space: &'a SpaceId,
    /// Who did it.
    pub actor: &'a AgentId,
    /// The request it belongs to.
    pub request_id: &'a str,
    /// What for, where the caller said so.
    pub purpose: Option<&'a str>,
    /// Ids, counts and hashes.
    pub payload: serde_json::Value,
}

/// Appends an entry.
///
/// # Errors
/// SQLite's.
pub fn append(connection: &Connection, entry: &Entry<'_>, now: EpochMs) -> StoreResult<()> {
    let last: Option<(i64, String)> = connection
        .prepare_cached("SELECT logical_clock, hash FROM audit_events ORDER BY rid DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (clock, previous) = last.map_or((1, String::new()), |(clock, hash)| (clock + 1, hash));
    let payload = entry.payload.to_string();
    let id = new_id(now);
    let said = Row {
        clock,
        id: &id,
        event_type: entry.event_type,
        object_type: entry.object_type,
        object_id: entry.object_id,
        space: entry.space.as_str(),
        actor: entry.actor.as_str(),
        request_id: Some(entry.request_id),
        purpose: entry.purpose,
        payload: &payload,
        at: now,
    };
    let hash = link(&previous, &said);
    connection
        .prepare_cached(
            "INSERT INTO audit_events (id, event_type, object_type, object_id, payload, instance_id, logical_clock,
               space_id, actor_id, request_id, purpose, occurred_at, recorded_at, prev_hash, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, 'local', ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)",
        )?
        .execute(params![
            id,
            entry.event_type,
            entry.object_type,
            entry.object_id,
            payload,
            clock,
            entry.space.as_str(),
            entry.actor.as_str(),
            entry.request_id,
            entry.purpose,
            now,
            previous,
            hash
        ])?;
    Ok(())
}

/// The hash of a row: of the one before it and of everything that the row says.
fn link(previous: &str, row: &Row<'_>) -> String {
    let said = serde_json::json!([
        previous,
        row.clock,
        row.id,
        row.event_type,
        row.object_type,
        row.object_id,
        row.space,
        row.actor,
        row.request_id,
        row.purpose,
        row.payload,
        row.at
    ]);
    format!("{:x}", Sha256::digest(said.to_string()))
}

/// What a row says.
struct Row<'a> {
    clock: i64,
    id: &'a str,
    event_type: &'a str,
    object_type: &'a str,
    object_id: &'a str,
    space: &'a str,
    actor: &'a str,
    request_id: Option<&'a str>,
    purpose: Option<&'a str>,
    payload: &'a str,
    at: EpochMs,
}

/// The first link that does not fit, by its logical clock; `None` when the chain is whole.
///
/// # Errors
/// SQLite's.
pub fn first_break(connection: &Connection) -> StoreResult<Option<i64>> {
    let mut statement = connection.prepare(
        "SELECT logical_clock, id, event_type, object_type, object_id, space_id, actor_id, request_id, purpose,
           payload, recorded_at, prev_hash, hash FROM audit_events ORDER BY rid",
    )?;
    let mut rows = statement.query([])?;
    let mut previous = String::new();
    while let Some(row) = rows.next()? {
        let text = |at: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(at)?.as_str()?) };
        let maybe = |at: usize| -> rusqlite::Result<Option<&str>> { Ok(row.get_ref(at)?.as_str_or_null()?) };
        let said = Row {
            clock: row.get(0)?,
            id: text(1)?,
            event_type: text(2)?,
            object_type: text(3)?,
            object_id: text(4)?,
            space: text(5)?,
            actor: text(6)?,
            request_id: maybe(7)?,
            purpose: maybe(8)?,
            payload: text(9)?,
            at: row.get(10)?,
        };
        if text(11)? != previous || text(12)? != link(&previous, &said) {
            return Ok(Some(said.clock));
        }
        previous = text(12)?.to_owned();
    }
    Ok(None)
}
