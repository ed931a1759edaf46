//! `evidence_events`: what was said and done, as it was; nothing rewrites it.

pub mod list;

use crate::fts::table::{self, Kind};
use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use um_model::work::EventKind;
use um_model::{AgentId, EpochMs, EventId, SessionId, SpaceId};

/// In the metadata of what an agent tells that somebody asked to be remembered: what is stated to the product itself has it not.
pub const TOLD: &str = "told";

/// What somebody asks to be remembered.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a>(pub &'a str);

impl Says for Statement<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.0));
    }
}

/// The hash by which what was said is found again (`evidence_events.content_hash`): SHA-256, in hexadecimal.
pub(crate) fn sha256_hex(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}

/// An event that is to be appended.
#[derive(Debug)]
pub struct NewEvent<'a> {
    /// The space it belongs to.
    pub space: &'a SpaceId,
    /// The session that it happened in.
    pub session: Option<&'a SessionId>,
    /// Who tells of it.
    pub actor: &'a AgentId,
    /// What kind of thing it is.
    pub kind: EventKind,
    /// What was said or done.
    pub content: &'a str,
    /// What goes with it.
    pub metadata: &'a Map<String, Value>,
    /// When it happened.
    pub occurred_at: EpochMs,
}

impl Says for NewEvent<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.content));
        tell_map(self.metadata, tell);
    }
}

/// Appends an event, with its words in full text.
///
/// # Errors
/// SQLite's.
pub fn append(connection: &Connection, new: &Checked<NewEvent<'_>>, now: EpochMs) -> StoreResult<EventId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO evidence_events (id, space_id, session_id, actor_id, kind, content, content_hash, metadata, occurred_at,
               recorded_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            id,
            new.space.as_str(),
            new.session.map(SessionId::as_str),
            new.actor.as_str(),
            new.kind.as_str(),
            new.content,
            sha256_hex(new.content),
            serde_json::to_string(new.metadata)?,
            new.occurred_at,
            now
        ])?;
    table::put(connection, (new.space, Kind::Events), connection.last_insert_rowid(), &[new.content], now)?;
    Ok(EventId::parse(id)?)
}

/// The space of an event that was not blacked out.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, id: &EventId) -> StoreResult<Option<SpaceId>> {
    connection
        .prepare_cached("SELECT space_id FROM evidence_events WHERE id = ?1 AND is_redacted = 0")?
        .query_row([id.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}

/// Appends what somebody asked to be remembered. Gives its id.
///
/// # Errors
/// SQLite's.
pub fn append_explicit_memory(
    connection: &Connection,
    space: &SpaceId,
    actor: &AgentId,
    stated: &Checked<Statement<'_>>,
    now: EpochMs,
) -> StoreResult<String> {
    let (id, content) = (new_id(now), stated.0);
    let hash = sha256_hex(content);
    connection
        .prepare_cached(
            "INSERT INTO evidence_events (id, space_id, actor_id, kind, content, content_hash, occurred_at, recorded_at)
             VALUES (?1, ?2, ?3, 'explicit_memory', ?4, ?5, ?6, ?6)",
        )?
        .execute(params![id, space.as_str(), actor.as_str(), content, hash, now])?;
    table::put(connection, (space, Kind::Events), connection.last_insert_rowid(), &[content], now)?;
    Ok(id)
}

/// Whether a text that was kept at a time is what somebody stated outright at that time.
///
/// # Errors
/// SQLite's.
pub fn is_stated(connection: &Connection, space: &SpaceId, content: &str, at: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM evidence_events INDEXED BY idx_events_stated
             WHERE space_id = ?1 AND content_hash = ?3 AND kind = 'explicit_memory' AND recorded_at = ?2 AND is_redacted = 0
               AND metadata -> '$.told' IS NULL",
        )?
        .exists(params![space.as_str(), at, sha256_hex(content)])?)
}

/// Whether somebody stated a text outright after a time.
///
/// # Errors
/// SQLite's.
pub fn is_stated_after(connection: &Connection, space: &SpaceId, content: &str, at: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM evidence_events INDEXED BY idx_events_stated
             WHERE space_id = ?1 AND content_hash = ?3 AND kind = 'explicit_memory' AND recorded_at > ?2 AND is_redacted = 0
               AND metadata -> '$.told' IS NULL",
        )?
        .exists(params![space.as_str(), at, sha256_hex(content)])?)
}

/// Those of some event ids that the space does not have, or no longer.
///
/// # Errors
/// SQLite's.
pub fn missing(connection: &Connection, space: &SpaceId, ids: &[String]) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT w.value FROM json_each(?2) w WHERE NOT EXISTS
               (SELECT 1 FROM evidence_events e WHERE e.id = w.value AND +e.space_id = ?1 AND e.is_redacted = 0)",
        )?
        .query_map(params![space.as_str(), serde_json::to_string(ids)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// What was said in those of some events that the space has and that were not blacked out, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn contents(connection: &Connection, space: &SpaceId, ids: &[String]) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT content FROM evidence_events WHERE +space_id = ?1 AND is_redacted = 0
               AND id IN (SELECT value FROM json_each(?2)) ORDER BY rid",
        )?
        .query_map(params![space.as_str(), serde_json::to_string(ids)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}
