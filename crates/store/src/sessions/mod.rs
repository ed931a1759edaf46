//! `sessions`: stretches of work, each in a space.

pub mod states;

use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};
use um_model::work::{Session, SessionStatus};
use um_model::{AgentId, EpochMs, SessionId, SpaceId};

/// What is said of a session.
#[derive(Debug)]
pub struct About<'a> {
    /// What it is called.
    pub name: Option<&'a str>,
    /// What it is for.
    pub purpose: Option<&'a str>,
    /// What its program calls it.
    pub client_ref: Option<&'a str>,
    /// What its program notes of it.
    pub metadata: &'a Map<String, Value>,
}

impl Says for About<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        [self.name, self.client_ref].into_iter().flatten().for_each(|words| tell(Said::Name(words)));
        self.purpose.iter().for_each(|words| tell(Said::Text(words)));
        tell_map(self.metadata, tell);
    }
}

/// Begins a session.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    (space, agent): (&SpaceId, &AgentId),
    about: &Checked<About<'_>>,
    now: EpochMs,
) -> StoreResult<SessionId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO sessions (id, space_id, name, purpose, agent_id, client_ref, status, started_at, metadata)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'active', ?7, ?8)",
        )?
        .execute(params![
            id,
            space.as_str(),
            about.name,
            about.purpose,
            agent.as_str(),
            about.client_ref,
            now,
            serde_json::to_string(about.metadata)?
        ])?;
    Ok(SessionId::parse(id)?)
}

/// Says what a session is.
///
/// # Errors
/// SQLite's.
pub fn set_about(connection: &Connection, id: &SessionId, about: &Checked<About<'_>>) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE sessions SET name = ?2, purpose = ?3, client_ref = ?4, metadata = ?5 WHERE id = ?1")?
        .execute(params![
            id.as_str(),
            about.name,
            about.purpose,
            about.client_ref,
            serde_json::to_string(about.metadata)?
        ])?;
    Ok(())
}

/// Says how far a session is. What its program calls it is free again once it is over.
///
/// # Errors
/// SQLite's.
pub fn set_status(connection: &Connection, id: &SessionId, status: SessionStatus, now: EpochMs) -> StoreResult<()> {
    let ended = status.is_over().then_some(now);
    connection
        .prepare_cached(
            "UPDATE sessions SET status = ?2, ended_at = ?3, client_ref = CASE WHEN ?3 IS NULL THEN client_ref END WHERE id = ?1",
        )?
        .execute(params![id.as_str(), status.as_str(), ended])?;
    Ok(())
}

/// Empties what the program of a session noted of it.
///
/// # Errors
/// SQLite's.
pub fn empty_metadata(connection: &Connection, id: &SessionId) -> StoreResult<()> {
    connection.prepare_cached("UPDATE sessions SET metadata = '{}' WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}

const SELECT: &str =
    "SELECT n.id, n.space_id, s.name, n.name, n.purpose, n.agent_id, g.name, n.client_ref, n.status, n.started_at,
    n.ended_at, n.metadata, (SELECT count(*) FROM evidence_events e WHERE e.session_id = n.id)
  FROM sessions n JOIN memory_spaces s ON s.id = n.space_id LEFT JOIN agents g ON g.id = n.agent_id";

fn session(row: &Row<'_>) -> StoreResult<Session> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Session {
        id: SessionId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        space: text(2)?,
        name: row.get(3)?,
        purpose: row.get(4)?,
        agent_id: row.get::<_, Option<String>>(5)?.map(AgentId::parse).transpose()?,
        agent: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
        client_ref: row.get(7)?,
        status: text(8)?.parse()?,
        started_at: row.get(9)?,
        ended_at: row.get(10)?,
        metadata: serde_json::from_str(&text(11)?)?,
        events: row.get(12)?,
    })
}

/// A session by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &SessionId) -> StoreResult<Option<Session>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE n.id = ?1 AND n.is_redacted = 0"))?
        .query_row([id.as_str()], |row| Ok(session(row)))
        .optional()?
        .transpose()
}

/// The session of an agent that its program calls so.
///
/// # Errors
/// SQLite's.
pub fn by_client(
    connection: &Connection,
    space: &SpaceId,
    agent: &AgentId,
    client_ref: &str,
) -> StoreResult<Option<Session>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE n.space_id = ?1 AND n.agent_id = ?2 AND n.client_ref = ?3 AND n.is_redacted = 0"
        ))?
        .query_row(params![space.as_str(), agent.as_str(), client_ref], |row| Ok(session(row)))
        .optional()?
        .transpose()
}

/// A page of sessions of some spaces, the latest first.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    statuses: &[SessionStatus],
    agent: Option<&AgentId>,
    (offset, limit): (u32, u32),
) -> StoreResult<Vec<Session>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE n.rid IN (SELECT n.rid FROM sessions n
               WHERE n.space_id IN (SELECT value FROM json_each(?1)) AND n.is_redacted = 0
                 AND (?2 = '[]' OR n.status IN (SELECT value FROM json_each(?2))) AND (?3 IS NULL OR n.agent_id = ?3)
               ORDER BY n.started_at DESC, n.rid DESC LIMIT ?4 OFFSET ?5)
             ORDER BY n.started_at DESC, n.rid DESC"
        ))?
        .query_and_then(
            params![
                serde_json::to_string(spaces)?,
                serde_json::to_string(statuses)?,
                agent.map(AgentId::as_str),
                limit,
                offset
            ],
            session,
        )?
        .collect()
}

/// The space of a session that was not blacked out.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, session: &SessionId) -> StoreResult<Option<SpaceId>> {
    connection
        .prepare_cached("SELECT space_id FROM sessions WHERE id = ?1 AND is_redacted = 0")?
        .query_row([session.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}

/// Whether a session was completed or discarded.
///
/// # Errors
/// SQLite's.
pub fn is_over(connection: &Connection, session: &SessionId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM sessions WHERE id = ?1 AND status IN ('completed', 'discarded')")?
        .exists([session.as_str()])?)
}

/// The ids of rows that belong to a session alone, by table: what is in hand, with the events that say so; its entries with their
/// versions, conflicts and tags; what was found when either was checked; what waits of it.
///
/// # Errors
/// SQLite's.
pub fn scratch(connection: &Connection, session: &SessionId) -> StoreResult<Vec<(&'static str, String)>> {
    const OF: &[(&str, &str)] = &[
        (
            "evidence_events",
            // With the plus the index of what events are about is used.
            "SELECT e.id FROM session_states t CROSS JOIN evidence_events e
               ON e.kind = 'system_event' AND json_extract(e.metadata, '$.about') = +t.id
             WHERE t.session_id = ?1 AND e.is_redacted = 0",
        ),
        ("session_states", "SELECT id FROM session_states WHERE session_id = ?1 AND is_redacted = 0"),
        ("candidates", "SELECT id FROM candidates WHERE session_id = ?1 AND status = 'pending' AND is_redacted = 0"),
        (
            "entry_conflicts",
            "SELECT c.id FROM entry_conflicts c JOIN entries e ON e.id = c.entry_id WHERE e.session_id = ?1",
        ),
        (
            "entry_versions",
            "SELECT v.id FROM entry_versions v JOIN entries e ON e.id = v.entry_id
             WHERE e.session_id = ?1 AND v.is_redacted = 0",
        ),
        (
            "item_tags",
            "SELECT i.id FROM entries e JOIN item_tags i ON i.item_type = 'entry' AND i.item_id = e.id WHERE e.session_id = ?1",
        ),
        (
            "past_item_tags",
            "SELECT i.id FROM entries e JOIN past_item_tags i ON i.item_type = 'entry' AND i.item_id = e.id
             WHERE e.session_id = ?1",
        ),
        (
            "verification_records",
            "SELECT r.id FROM entries e JOIN verification_records r ON r.target_type = 'entry' AND r.target_id = e.id
             WHERE e.session_id = ?1 AND r.is_redacted = 0
             UNION ALL SELECT r.id FROM session_states t
               JOIN verification_records r ON r.target_type = 'session_state' AND r.target_id = t.id
             WHERE t.session_id = ?1 AND r.is_redacted = 0",
        ),
        (
            "item_relations",
            "WITH own(item_type, id) AS (SELECT 'entry', id FROM entries WHERE session_id = ?1
               UNION ALL SELECT 'session_state', id FROM session_states WHERE session_id = ?1)
             SELECT r.id FROM own CROSS JOIN item_relations r ON r.from_type = own.item_type AND r.from_id = own.id
             UNION SELECT r.id FROM own CROSS JOIN item_relations r ON r.to_type = own.item_type AND r.to_id = own.id",
        ),
        ("compiled_contexts", "SELECT id FROM compiled_contexts WHERE session_id = ?1"),
        ("entries", "SELECT id FROM entries WHERE session_id = ?1 AND is_redacted = 0"),
    ];
    let mut rows = Vec::new();
    for (table, sql) in OF {
        let mut statement = connection.prepare_cached(sql)?;
        for id in statement.query_map([session.as_str()], |row| row.get(0))? {
            rows.push((*table, id?));
        }
    }
    Ok(rows)
}
