//! The events that setting a standing rule, a resource, a state or a relation leaves: what it was set to, so that it can be made
//! anew from them.

use crate::fts::table::{self, Kind};
use crate::{StoreResult, events::sha256_hex, ids::new_id};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
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
