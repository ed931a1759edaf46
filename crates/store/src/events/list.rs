//! Events as they are read: the latest first, or the best for some words.

use crate::StoreResult;
use crate::fts::table::{self, Kind};
use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value};
use um_model::work::{Event, EventKind};
use um_model::{AgentId, EpochMs, EventId, SessionId, SpaceId};

/// Which events are wanted.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    /// Those of these spaces.
    pub spaces: &'a [SpaceId],
    /// Only of this session.
    pub session: Option<&'a SessionId>,
    /// Only of these kinds; all where none is named.
    pub kinds: &'a [EventKind],
    /// Only what happened at this time or later.
    pub since: Option<EpochMs>,
    /// Only what happened before this time.
    pub until: Option<EpochMs>,
}

const SELECT: &str =
    "SELECT e.id, e.space_id, e.session_id, e.actor_id, g.name, e.kind, e.content, e.metadata, e.occurred_at,
    e.recorded_at FROM evidence_events e JOIN agents g ON g.id = e.actor_id";

fn event(row: &Row<'_>) -> StoreResult<Event> {
    let text = |at: usize| row.get::<_, String>(at);
    let kind: EventKind = text(5)?.parse()?;
    let mut metadata: Map<String, Value> = serde_json::from_str(&text(7)?)?;
    if kind == EventKind::ExplicitMemory {
        // The product's own note is nothing that somebody said.
        metadata.remove(super::TOLD);
    }
    Ok(Event {
        id: EventId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        session_id: row.get::<_, Option<String>>(2)?.map(SessionId::parse).transpose()?,
        actor_id: AgentId::parse(text(3)?)?,
        actor: text(4)?,
        kind,
        content: text(6)?,
        metadata,
        occurred_at: row.get(8)?,
        recorded_at: row.get(9)?,
        truncated: None,
    })
}

/// The events of those ids, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn by_ids(connection: &Connection, ids: &[EventId]) -> StoreResult<Vec<Event>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE e.id IN (SELECT value FROM json_each(?1)) AND e.is_redacted = 0 ORDER BY e.rid"
        ))?
        .query_and_then([serde_json::to_string(ids)?], event)?
        .collect()
}

/// The conditions of a list; ?1 the spaces, ?2 the session, ?3 the kinds, ?4 and ?5 the times.
const LISTED: &str = "e.is_redacted = 0 AND (?2 IS NULL OR e.session_id = ?2)
    AND (?3 = '[]' OR e.kind IN (SELECT value FROM json_each(?3)))
    AND (?4 IS NULL OR e.occurred_at >= ?4) AND (?5 IS NULL OR e.occurred_at < ?5)";

/// A page, the latest first.
///
/// # Errors
/// SQLite's.
pub fn latest(connection: &Connection, wanted: &Wanted<'_>, (offset, limit): (u32, u32)) -> StoreResult<Vec<Event>> {
    let session = wanted.session.map(SessionId::as_str);
    let most = u64::from(offset) + u64::from(limit);
    let mut found: Vec<(EpochMs, i64)> = Vec::new();
    // Each space, or session, or kind of a space, has an index that ends with its last events: the first of each are enough.
    let (which, kinds) = match (session, wanted.kinds) {
        (Some(_), _) => ("+e.space_id = ?1 AND e.session_id = ?2", vec![serde_json::to_string(wanted.kinds)?]),
        (None, []) => ("e.space_id = ?1", vec!["[]".to_owned()]),
        (None, kinds) => ("e.space_id = ?1", kinds.iter().map(|kind| format!("[\"{kind}\"]")).collect()),
    };
    for (space, kinds) in wanted.spaces.iter().flat_map(|space| kinds.iter().map(move |kinds| (space, kinds))) {
        let (kind, order) = match (session, wanted.kinds) {
            (None, [_, ..]) => ("AND e.kind = json_extract(?3, '$[0]')", "e.rid DESC"),
            _ => ("", "e.recorded_at DESC, e.rid DESC"),
        };
        found.extend(
            connection
                .prepare_cached(&format!(
                    "SELECT e.recorded_at, e.rid FROM evidence_events e WHERE {which} {kind} AND {LISTED}
                     ORDER BY {order} LIMIT ?6"
                ))?
                .query_map(params![space.as_str(), session, kinds, wanted.since, wanted.until, most], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?
                .collect::<Result<Vec<_>, _>>()?,
        );
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.dedup();
    let rids: Vec<i64> = found.into_iter().skip(offset as usize).take(limit as usize).map(|(_, rid)| rid).collect();
    connection
        .prepare_cached(&format!("{SELECT} JOIN json_each(?1) f ON f.value = e.rid ORDER BY f.key"))?
        .query_and_then([serde_json::to_string(&rids)?], event)?
        .collect()
}

/// So many of a space's best events are looked through for words, and all of a session's.
const BEST: usize = 500;

/// A page of those that say some words, the best first by BM25 within their space.
///
/// # Errors
/// SQLite's.
pub fn saying(
    connection: &Connection,
    wanted: &Wanted<'_>,
    expression: &str,
    (offset, limit): (u32, u32),
) -> StoreResult<Vec<Event>> {
    let mut ranked: Vec<(i64, f64)> = Vec::new();
    for space in wanted.spaces {
        let of = (space, Kind::Events);
        ranked.extend(match wanted.session {
            Some(session) => {
                let allowed = of_session(connection, session)?;
                table::ranked_among(connection, of, expression, &allowed, allowed.len())?
            }
            None => table::ranked(connection, of, expression, BEST)?,
        });
    }
    ranked.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(b.cmp(a)));
    let rids: Vec<i64> = ranked.into_iter().map(|(rid, _)| rid).collect();
    connection
        .prepare_cached(&format!(
            "{SELECT} JOIN json_each(?1) f ON f.value = e.rid WHERE {LISTED} ORDER BY f.key LIMIT ?6 OFFSET ?7"
        ))?
        .query_and_then(
            params![
                serde_json::to_string(&rids)?,
                wanted.session.map(SessionId::as_str),
                serde_json::to_string(wanted.kinds)?,
                wanted.since,
                wanted.until,
                limit,
                offset
            ],
            event,
        )?
        .collect()
}

fn of_session(connection: &Connection, session: &SessionId) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached("SELECT rid FROM evidence_events WHERE session_id = ?1")?
        .query_map([session.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// What was said in a session, the oldest first: messages of the person and of assistants.
///
/// # Errors
/// SQLite's.
pub fn messages(connection: &Connection, session: &SessionId) -> StoreResult<Vec<(EventId, String)>> {
    connection
        .prepare_cached(
            "SELECT id, content FROM evidence_events WHERE session_id = ?1 AND is_redacted = 0
               AND kind IN ('user_message', 'assistant_message') ORDER BY recorded_at, rid",
        )?
        .query_and_then([session.as_str()], |row| Ok((EventId::parse(row.get::<_, String>(0)?)?, row.get(1)?)))?
        .collect()
}
