//! The events that setting a standing rule, a resource, a state or a relation leaves: what it was set to, so that it can be made
//! anew from them.

use crate::fts::table::{self, Kind};
use crate::{StoreResult, events::sha256_hex, ids::new_id};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use um_model::{AgentId, EpochMs, EventId, SpaceId};

/// What was set.
#[derive(Debug)]
pub struct Projected<'a> {
    /// The space it lies in.
    pub space: &'a SpaceId,
    /// Who set it.
    pub actor: &'a AgentId,
    /// Its id.
    pub about: &'a str,
    /// What it is: `core_block`, `resource`.
    pub is: &'a str,
    /// What happened, in words. They stand in the row that was set, and were compared when it was.
    pub says: &'a str,
    /// All that it was set to.
    pub state: Value,
}

/// Appends such an event. Gives its id.
///
/// # Errors
/// SQLite's.
pub fn note(connection: &Connection, new: &Projected<'_>, now: EpochMs) -> StoreResult<EventId> {
    let metadata = json!({ "about": new.about, "is": new.is, "state": new.state }).to_string();
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO evidence_events (id, space_id, actor_id, kind, content, content_hash, metadata, occurred_at,
               recorded_at)
             VALUES (?1, ?2, ?3, 'system_event', ?4, ?5, ?6, ?7, ?7)",
        )?
        .execute(params![id, new.space.as_str(), new.actor.as_str(), new.says, sha256_hex(new.says), metadata, now])?;
    table::put(connection, (new.space, Kind::Events), connection.last_insert_rowid(), &[new.says], now)?;
    Ok(EventId::parse(id)?)
}

/// The event that wrote a version, and what stood with it.
pub type Said = (EventId, Map<String, Value>);

/// What something was set to besides its content, by the number of the version that it got then: of those that were set at some
/// times. What was forgotten since is not there.
///
/// # Errors
/// SQLite's.
pub fn set_to(connection: &Connection, about: &str, times: &[EpochMs]) -> StoreResult<HashMap<u32, Said>> {
    connection
        .prepare_cached(
            "SELECT e.metadata ->> '$.state.version', e.id, json_remove(e.metadata -> '$.state', '$.content')
             FROM evidence_events e
             WHERE e.kind = 'system_event' AND json_extract(e.metadata, '$.about') = ?1
               AND e.recorded_at IN (SELECT value FROM json_each(?2)) AND e.is_redacted = 0
               AND e.metadata ->> '$.state.version' IS NOT NULL",
        )?
        .query_and_then(params![about, serde_json::to_string(times)?], |row| {
            let state: Map<String, Value> = serde_json::from_str(&row.get::<_, String>(2)?)?;
            Ok((row.get(0)?, (EventId::parse(row.get::<_, String>(1)?)?, state)))
        })?
        .collect()
}
