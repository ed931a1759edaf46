//! `session_states`: what is in hand, one for each session, and one for a space itself that is not done yet.

use crate::fts::table::{self, Kind};
use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};
use um_model::work::{State, StateStatus};
use um_model::{AgentId, EpochMs, EventId, SessionId, SpaceId, StateId};

/// What is in hand, as it is to be written down.
#[derive(Debug)]
pub struct NewState<'a> {
    /// The space it belongs to.
    pub space: &'a SpaceId,
    /// The session it belongs to.
    pub session: Option<&'a SessionId>,
    /// Who writes it down.
    pub actor: &'a AgentId,
    /// How far it is.
    pub status: StateStatus,
    /// What is wanted.
    pub current_goal: &'a str,
    /// How far it came.
    pub summary: Option<&'a str>,
    /// What is worked on.
    pub working_set: &'a [String],
    /// The events that say so.
    pub source_event_ids: &'a [EventId],
    /// What goes with it.
    pub metadata: &'a Map<String, Value>,
}

impl Says for NewState<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.current_goal));
        self.summary.iter().for_each(|words| tell(Said::Text(words)));
        self.working_set.iter().for_each(|one| tell(Said::Path(one)));
        tell_map(self.metadata, tell);
    }
}

/// Writes down what is in hand, in the place of what was.
///
/// # Errors
/// SQLite's.
pub fn put(connection: &Connection, new: &Checked<NewState<'_>>, now: EpochMs) -> StoreResult<StateId> {
    let known = current(connection, new.space, new.session)?;
    let id = match known {
        Some(state) => state.id.to_string(),
        None => insert(connection, new, now)?,
    };
    let rid: i64 = connection
        .prepare_cached(
            "UPDATE session_states SET actor_id = ?2, status = ?3, current_goal = ?4, summary = ?5, working_set = ?6,
               source_event_ids = ?7, metadata = ?8, updated_at = ?9 WHERE id = ?1 RETURNING rid",
        )?
        .query_row(
            params![
                id,
                new.actor.as_str(),
                new.status.as_str(),
                new.current_goal,
                new.summary,
                serde_json::to_string(new.working_set)?,
                serde_json::to_string(new.source_event_ids)?,
                serde_json::to_string(new.metadata)?,
                now
            ],
            |row| row.get(0),
        )?;
    let kind = (new.space, Kind::SessionStates);
    table::remove(connection, kind, rid)?;
    let words = [new.current_goal, new.summary.unwrap_or_default(), &new.working_set.join("\n")];
    table::put(connection, kind, rid, &words, now)?;
    Ok(StateId::parse(id)?)
}

/// A row that has yet to say what is in hand.
fn insert(connection: &Connection, new: &NewState<'_>, now: EpochMs) -> StoreResult<String> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO session_states (id, space_id, session_id, actor_id, current_goal, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, '', ?5, ?5)",
        )?
        .execute(params![id, new.space.as_str(), new.session.map(SessionId::as_str), new.actor.as_str(), now])?;
    Ok(id)
}

fn state(row: &Row<'_>) -> StoreResult<State> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(State {
        id: StateId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        session_id: row.get::<_, Option<String>>(2)?.map(SessionId::parse).transpose()?,
        status: text(3)?.parse()?,
        current_goal: text(4)?,
        summary: row.get(5)?,
        working_set: serde_json::from_str(&text(6)?)?,
        source_event_ids: serde_json::from_str(&text(7)?)?,
        metadata: serde_json::from_str(&text(8)?)?,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
    })
}

const SELECT: &str =
    "SELECT id, space_id, session_id, status, current_goal, summary, working_set, source_event_ids, metadata,
    created_at, updated_at FROM session_states";

/// One by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &StateId) -> StoreResult<Option<State>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE id = ?1 AND is_redacted = 0"))?
        .query_row([id.as_str()], |row| Ok(state(row)))
        .optional()?
        .transpose()
}

/// What is in hand in a session; without one, what is in hand in the space itself and not done yet.
///
/// # Errors
/// SQLite's.
pub fn current(connection: &Connection, space: &SpaceId, session: Option<&SessionId>) -> StoreResult<Option<State>> {
    let which = match session {
        Some(_) => "session_id = ?2",
        None => "session_id IS NULL AND ?2 IS NULL AND status <> 'complete'",
    };
    connection
        .prepare_cached(&format!("{SELECT} WHERE space_id = ?1 AND {which} AND is_redacted = 0"))?
        .query_row(params![space.as_str(), session.map(SessionId::as_str)], |row| Ok(state(row)))
        .optional()?
        .transpose()
}
