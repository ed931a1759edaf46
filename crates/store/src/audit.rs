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
    let hash = link(&previous, clock, entry.event_type, entry.object_id, &payload, now);
    connection
        .prepare_cached(
            "INSERT INTO audit_events (id, event_type, object_type, object_id, payload, instance_id, logical_clock,
               space_id, actor_id, request_id, purpose, occurred_at, recorded_at, prev_hash, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, 'local', ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)",
        )?
        .execute(params![
            new_id(now),
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

fn link(previous: &str, clock: i64, event: &str, object: &str, payload: &str, at: EpochMs) -> String {
    format!("{:x}", Sha256::digest(format!("{previous}\n{clock}\n{event}\n{object}\n{payload}\n{at}")))
}

/// The first link that does not fit, by its logical clock; `None` when the chain is whole.
///
/// # Errors
/// SQLite's.
pub fn first_break(connection: &Connection) -> StoreResult<Option<i64>> {
    let mut statement = connection.prepare(
        "SELECT logical_clock, event_type, object_id, payload, recorded_at, prev_hash, hash FROM audit_events ORDER BY rid",
    )?;
    let mut rows = statement.query([])?;
    let mut previous = String::new();
    while let Some(row) = rows.next()? {
        let clock: i64 = row.get(0)?;
        let (event, object, payload): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let (at, prev, hash): (EpochMs, String, String) = (row.get(4)?, row.get(5)?, row.get(6)?);
        if prev != previous || hash != link(&prev, clock, &event, &object, &payload, at) {
            return Ok(Some(clock));
        }
        previous = hash;
    }
    Ok(None)
}
