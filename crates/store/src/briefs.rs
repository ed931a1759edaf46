//! What packs are put together from, as it is read for them: bounded, and in an order that depends on nothing but the rows.

use crate::claims::known::Expressions;
use crate::{StoreResult, conflicts, relations};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use um_model::work::{ItemRef, ItemType};
use um_model::{AgentId, ClaimId, ConflictId, EntryId, EpochMs, EventId, SessionId, SpaceId, StateId, UnitId};

/// What is in hand.
#[derive(Debug)]
pub struct InHand {
    /// Its id.
    pub id: StateId,
    /// Who wrote it.
    pub actor: AgentId,
    /// What is to be done.
    pub goal: String,
    /// How far it is.
    pub summary: Option<String>,
    /// What is worked on.
    pub working_set: Vec<String>,
    /// The events it rests on.
    pub source_event_ids: Vec<EventId>,
}

const IN_HAND: &str = "t.id, t.actor_id, t.current_goal, t.summary, t.working_set, t.source_event_ids";

fn in_hand(row: &Row<'_>) -> StoreResult<InHand> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(InHand {
        id: StateId::parse(text(0)?)?,
        actor: AgentId::parse(text(1)?)?,
        goal: text(2)?,
        summary: row.get(3)?,
        working_set: serde_json::from_str(&text(4)?)?,
        source_event_ids: serde_json::from_str(&text(5)?)?,
    })
}

/// What is in hand in a session, or in a space outside of sessions, and goes on.
///
/// # Errors
/// SQLite's.
pub fn active_state(
    connection: &Connection,
    space: &SpaceId,
    session: Option<&SessionId>,
) -> StoreResult<Option<InHand>> {
    let which = if session.is_some() { "t.session_id = ?2" } else { "t.session_id IS NULL AND ?2 IS NULL" };
    connection
        .prepare_cached(&format!(
            "SELECT {IN_HAND} FROM session_states t
             WHERE t.space_id = ?1 AND {which} AND t.status = 'active' AND t.is_redacted = 0
             ORDER BY t.updated_at DESC, t.rid DESC LIMIT 1"
        ))?
        .query_row(params![space.as_str(), session.map(SessionId::as_str)], |row| Ok(in_hand(row)))
        .optional()?
        .transpose()
}

/// How the last session of a space ended that has something to tell: an agent's own, or anybody's.
///
/// # Errors
/// SQLite's.
pub fn last_session(
    connection: &Connection,
    space: &SpaceId,
    (agent, but): (Option<&AgentId>, Option<&SessionId>),
) -> StoreResult<Option<(SessionId, InHand)>> {
    connection
        .prepare_cached(&format!(
            "SELECT {IN_HAND}, s.id FROM sessions s JOIN session_states t ON t.session_id = s.id AND t.is_redacted = 0
             WHERE s.space_id = ?1 AND s.status = 'completed' AND s.is_redacted = 0 AND (?2 IS NULL OR s.agent_id = ?2)
               AND s.id IS NOT ?3
             ORDER BY s.started_at DESC, s.rid DESC LIMIT 1"
        ))?
        .query_row(params![space.as_str(), agent.map(AgentId::as_str), but.map(SessionId::as_str)], |row| {
            Ok((row.get::<_, String>(6)?, in_hand(row)))
        })
        .optional()?
        .map(|(session, state)| Ok((SessionId::parse(session)?, state?)))
        .transpose()
}

/// A tool, guideline or piece of knowledge in its current version.
#[derive(Debug)]
pub struct CurrentEntry {
    /// Its id.
    pub id: EntryId,
    /// The session that it belongs to, where it is of one alone.
    pub session: Option<SessionId>,
    /// `tool`, `guideline` or `knowledge`.
    pub entry_type: String,
    /// What it is called.
    pub name: String,
    /// 0 to 100.
    pub priority: u8,
    /// Who wrote the version, where that is known.
    pub actor: Option<AgentId>,
    /// What it says, as JSON.
    pub body: String,
    /// Where and of what state of a work tree it was written, as JSON.
    pub metadata: String,
}

const ENTRY_COLUMNS: &str =
    "e.id, e.entry_type, e.name, e.priority, ifnull(v.created_by, e.created_by), v.body, v.metadata,
    e.session_id";
const ENTRIES: &str = "entries e JOIN entry_versions v ON v.id = e.current_version_id";

fn entry(row: &Row<'_>) -> StoreResult<CurrentEntry> {
    Ok(CurrentEntry {
        id: EntryId::parse(row.get::<_, String>(0)?)?,
        session: row.get::<_, Option<String>>(7)?.map(SessionId::parse).transpose()?,
        entry_type: row.get(1)?,
        name: row.get(2)?,
        priority: row.get(3)?,
        actor: row.get::<_, Option<String>>(4)?.map(AgentId::parse).transpose()?,
        body: row.get(5)?,
        metadata: row.get(6)?,
    })
}

/// The entries of a type in one level, the highest priority first.
///
/// # Errors
/// SQLite's.
pub fn entries(
    connection: &Connection,
    (space, session): (&SpaceId, Option<&SessionId>),
    entry_type: &str,
    limit: u32,
) -> StoreResult<Vec<CurrentEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {ENTRY_COLUMNS} FROM {ENTRIES}
             WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ?2 AND e.entry_type = ?3 AND e.is_active = 1
               AND e.is_redacted = 0
             ORDER BY e.priority DESC, e.updated_at DESC LIMIT ?4"
        ))?
        .query_and_then(params![space.as_str(), session.map_or("", SessionId::as_str), entry_type, limit], entry)?
        .collect()
}

/// The entries in use of a space with those numbers of their rows, in that order.
///
/// # Errors
/// SQLite's.
pub fn entries_at(connection: &Connection, space: &SpaceId, rids: &[i64]) -> StoreResult<Vec<CurrentEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {ENTRY_COLUMNS} FROM json_each(?2) given CROSS JOIN {ENTRIES}
             WHERE e.rid = given.value AND e.space_id = ?1 AND e.is_active = 1 AND e.is_redacted = 0 ORDER BY given.key"
        ))?
        .query_and_then(params![space.as_str(), serde_json::to_string(rids)?], entry)?
        .collect()
}

/// The entries of a space with those numbers of their rows, in that order, each as it said at a time: where that was not forgotten.
///
/// # Errors
/// SQLite's.
pub fn entries_then(
    connection: &Connection,
    space: &SpaceId,
    rids: &[i64],
    at: EpochMs,
) -> StoreResult<Vec<CurrentEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {ENTRY_COLUMNS} FROM json_each(?2) given CROSS JOIN entries e JOIN entry_versions v ON v.id = {}
             WHERE e.rid = given.value AND e.space_id = ?1 AND e.is_redacted = 0 AND v.is_redacted = 0 ORDER BY given.key",
            version_at("?3")
        ))?
        .query_and_then(params![space.as_str(), serde_json::to_string(rids)?, at], entry)?
        .collect()
}

/// The version of an entry `e` that there was at a time.
fn version_at(at: &str) -> String {
    format!(
        "(SELECT n.id FROM entry_versions n WHERE n.entry_id = e.id AND n.created_at <= {at} ORDER BY n.version_num DESC LIMIT 1)"
    )
}

/// Which of some entries are there and in use, each asked for by its space, its session (none where that is empty), its type and its
/// name: their places in what was asked.
///
/// # Errors
/// SQLite's.
pub fn entries_there(connection: &Connection, asked: &[[&str; 4]]) -> StoreResult<Vec<usize>> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    Ok(connection
        .prepare_cached(
            "SELECT n.key FROM json_each(?1) n CROSS JOIN entries e
             WHERE e.space_id = n.value ->> 0 AND ifnull(e.session_id, '') = n.value ->> 1 AND e.entry_type = n.value ->> 2
               AND e.name = n.value ->> 3 AND e.is_redacted = 0 AND e.is_active = 1",
        )?
        .query_map([serde_json::to_string(asked)?], |row| Ok(row.get::<_, u32>(0)? as usize))?
        .collect::<Result<_, _>>()?)
}

/// An entry in use by its id.
///
/// # Errors
/// SQLite's.
pub fn entry_by_id(connection: &Connection, id: &str) -> StoreResult<Option<CurrentEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {ENTRY_COLUMNS} FROM {ENTRIES} WHERE e.id = ?1 AND e.is_active = 1 AND e.is_redacted = 0"
        ))?
        .query_row([id], |row| Ok(entry(row)))
        .optional()?
        .transpose()
}

/// What is in hand, or was when a session ended, by its own id or the session's.
///
/// # Errors
/// SQLite's.
pub fn state(connection: &Connection, (id, is_session): (&str, bool)) -> StoreResult<Option<InHand>> {
    let which = if is_session { "t.session_id" } else { "t.id" };
    connection
        .prepare_cached(&format!(
            "SELECT {IN_HAND} FROM session_states t WHERE {which} = ?1 AND t.is_redacted = 0
             ORDER BY t.updated_at DESC, t.rid DESC LIMIT 1"
        ))?
        .query_row([id], |row| Ok(in_hand(row)))
        .optional()?
        .transpose()
}

/// The words of sources that support a claim: the first few.
///
/// # Errors
/// SQLite's.
pub fn said_of(connection: &Connection, claim: &str, limit: u32) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT extracted_text FROM claim_evidence WHERE claim_id = ?1 AND polarity = 'supporting' AND is_redacted = 0
             ORDER BY rid LIMIT ?2",
        )?
        .query_map(params![claim, limit], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// What contradicts an item of some, or stands in its place.
#[derive(Debug)]
pub struct Against {
    /// Which of them it is: its place in what was asked.
    pub at: usize,
    /// `contradicts` or `supersedes`.
    pub relation: String,
    /// Whether the relation leads from it.
    pub is_from: bool,
    /// The other one.
    pub other: String,
}

/// What contradicts items or stands in their place at a time, and was on record at `known_at` where that is given, from either side:
/// of each the first 20.
///
/// # Errors
/// SQLite's.
pub fn against(
    connection: &Connection,
    items: &[&ItemRef],
    (at, known_at): (EpochMs, Option<EpochMs>),
) -> StoreResult<Vec<Against>> {
    let items: Vec<[&str; 3]> =
        items.iter().map(|item| [item.item_type.as_str(), item.id.as_str(), item.space_id.as_str()]).collect();
    Ok(connection
        .prepare_cached(&AGAINST)?
        .query_map(params![serde_json::to_string(&items)?, at, known_at.unwrap_or(EpochMs::MAX)], |row| {
            let at = row.get::<_, u32>(0)? as usize;
            Ok(Against { at, relation: row.get(1)?, is_from: row.get(2)?, other: row.get(3)? })
        })?
        .collect::<Result<_, _>>()?)
}

/// Reads what contradicts the items ?1, or stands in their place, as of ?2, as was known at ?3.
static AGAINST: LazyLock<String> = LazyLock::new(|| {
    let side = |own: &str, other: &str, is_from: u8| {
        format!(
            "SELECT n.key AS at, r.relation_type, {is_from} AS is_from, r.{other}_id AS other
             FROM json_each(?1) n CROSS JOIN item_relations r
               ON r.{own}_type = n.value ->> 0 AND r.{own}_id = n.value ->> 1 AND +r.space_id = n.value ->> 2
             WHERE r.relation_type IN ('contradicts', 'supersedes') AND {}",
            relations::holds("r", "?2", "?3")
        )
    };
    format!(
        "SELECT at, relation_type, is_from, other FROM (
           SELECT *, row_number() OVER (PARTITION BY at ORDER BY relation_type, is_from, other) AS place
           FROM ({} UNION ALL {})) WHERE place <= 20 ORDER BY at, place",
        side("from", "to", 1),
        side("to", "from", 0)
    )
});

/// How old items are, each with its place in what was asked, in that order: since when nobody confirmed a memory, where it is stale, and
/// until when knowledge held that ran out by a time. All others are left out. As it said at `then`, where that is given; what was
/// confirmed after that was not stale for long.
///
/// # Errors
/// SQLite's.
pub fn aged(
    connection: &Connection,
    items: &[&ItemRef],
    (by, then): (EpochMs, Option<EpochMs>),
) -> StoreResult<Vec<(usize, EpochMs)>> {
    let items: Vec<[&str; 2]> = items.iter().map(|item| [item.item_type.as_str(), item.id.as_str()]).collect();
    Ok(connection
        .prepare_cached(&format!(
            "SELECT n.key AS at, ifnull(m.last_confirmed_at, m.created_at)
               FROM json_each(?1) n CROSS JOIN memories m ON m.id = n.value ->> 1
               WHERE n.value ->> 0 = 'memory' AND m.confidence_label = 'stale'
                 AND ifnull(m.last_confirmed_at, m.created_at) <= ifnull(?3, ifnull(m.last_confirmed_at, m.created_at))
             UNION ALL SELECT n.key, v.body ->> '$.valid_until'
               FROM json_each(?1) n CROSS JOIN entries e ON e.id = n.value ->> 1
               CROSS JOIN entry_versions v ON v.id = CASE WHEN ?3 IS NULL THEN e.current_version_id ELSE {} END
               WHERE n.value ->> 0 = 'entry' AND e.is_redacted = 0 AND v.body ->> '$.valid_until' <= ?2
             ORDER BY at",
            version_at("?3")
        ))?
        .query_map(params![serde_json::to_string(&items)?, by, then], |row| {
            Ok((row.get::<_, u32>(0)? as usize, row.get(1)?))
        })?
        .collect::<Result<_, _>>()?)
}

/// That evidence `e` speaks for its claim.
pub(crate) const SUPPORTS: &str = "e.is_redacted = 0 AND e.polarity = 'supporting'";
/// That evidence `e` stands in a unit `u` of its text.
pub(crate) const IN_PASSAGE: &str = "e.start_offset < u.end_offset AND e.end_offset > u.start_offset";

/// Items, each with the passage of it that counts, where one is given.
pub type Items<'a> = [(&'a ItemRef, Option<&'a UnitId>)];

/// The claims that `found` gives of those that items are, or say, with the conflict for which it gives them: each with the place of its item
/// in what was asked, of each the first 20. No evidence is read of an item `n` for which `may_be` does not hold.
fn of_said(may_be: &str, found: &str) -> String {
    format!(
        "WITH said(at, claim) AS (
           SELECT n.key, n.value ->> 1 FROM json_each(?1) n WHERE n.value ->> 0 = 'claim'
           UNION SELECT n.key, e.claim_id FROM json_each(?1) n CROSS JOIN claim_evidence e ON e.memory_id = n.value ->> 1
             LEFT JOIN text_units u ON u.id = n.value ->> 2
             WHERE n.value ->> 0 = 'memory' AND {may_be} AND {SUPPORTS} AND (n.value ->> 2 IS NULL OR {IN_PASSAGE})
           UNION SELECT n.key, e.claim_id FROM json_each(?1) n CROSS JOIN text_units u ON u.id = n.value ->> 2
             CROSS JOIN claim_evidence e ON e.derived_text_view_id = u.text_view_id
             WHERE n.value ->> 0 = 'memory' AND {may_be} AND +u.space_id = n.value ->> 3 AND {SUPPORTS} AND {IN_PASSAGE})
         SELECT at, other, conflict FROM (SELECT *, row_number() OVER (PARTITION BY at ORDER BY other) AS place
           FROM ({found})) WHERE place <= 20 ORDER BY at, place"
    )
}

/// A claim, with the place of the item that it was found for, and the conflict that it was found by.
type Found = (usize, ClaimId, Option<ConflictId>);

/// Reads them, as of a time.
fn read_of_said(connection: &Connection, sql: &str, items: &Items<'_>, at: EpochMs) -> StoreResult<Vec<Found>> {
    let items: Vec<[Option<&str>; 4]> = items
        .iter()
        .map(|(item, unit)| {
            [Some(item.item_type.as_str()), Some(&item.id), unit.map(UnitId::as_str), Some(item.space_id.as_str())]
        })
        .collect();
    connection
        .prepare_cached(sql)?
        .query_and_then(params![serde_json::to_string(&items)?, at], |row| {
            let conflict = row.get::<_, Option<String>>(2)?.map(ConflictId::parse).transpose()?;
            Ok((row.get::<_, u32>(0)? as usize, ClaimId::parse(row.get::<_, String>(1)?)?, conflict))
        })?
        .collect()
}

/// The facts that stand in an open conflict with those that items are, or say, and that are believed, as of now or as was known at a time:
/// each with the place of its item in what was asked, of each the first 20, and with a conflict in which it stands. Of a memory, what its
/// passage says counts, where one is given.
///
/// # Errors
/// SQLite's.
pub fn disputed(
    connection: &Connection,
    items: &Items<'_>,
    known_at: Option<EpochMs>,
) -> StoreResult<Vec<(usize, ClaimId, ConflictId)>> {
    // Most spaces have none, and then no evidence is read.
    let is_any = match known_at {
        None => "o.status = 'open' AND o.detected_at <= ?2",
        Some(_) => "o.detected_at <= ?2",
    };
    let at = known_at.unwrap_or(EpochMs::MAX);
    let any = |space: &str| format!("EXISTS (SELECT 1 FROM conflicts o WHERE o.space_id = {space} AND {is_any})");
    if !may_be_told(connection, items, (&any("n.value"), Some(at)))? {
        return Ok(Vec::new());
    }
    let may_be = any("n.value ->> 3");
    let found = read_of_said(connection, &of_said(&may_be, &in_conflict(known_at.is_some())), items, at)?;
    Ok(found.into_iter().filter_map(|(at, other, conflict)| Some((at, other, conflict?))).collect())
}

/// Finds them among what is said, as of now or as was known at ?2.
fn in_conflict(as_known: bool) -> String {
    let Expressions { state, .. } = Expressions::at(as_known.then_some("?2"));
    let is_open = match as_known {
        false => "+k.status = 'open' AND k.detected_at <= ?2".to_owned(),
        // What was forgotten since is told of no time.
        true => format!("{} AND c.is_redacted = 0 AND x.is_redacted = 0", conflicts::was_open("?2")),
    };
    let side = |own: &str, other: &str| {
        format!(
            "SELECT s.at, x.id AS other, k.id AS conflict FROM said s CROSS JOIN claims c ON c.id = s.claim
             CROSS JOIN conflicts k ON k.claim_{own}_id = c.id CROSS JOIN claims x ON x.id = k.claim_{other}_id
             WHERE {state} IN ('asserted', 'disputed') AND {is_open}"
        )
    };
    // Where an item says several facts that the same other one contradicts, the first conflict stands for all.
    let both = format!("{} UNION ALL {}", side("a", "b"), side("b", "a"));
    format!("SELECT at, other, min(conflict) AS conflict FROM ({both}) GROUP BY at, other")
}

/// The facts that items are, or say, and that the person took back or decided against by a time, and that are out for that still: each
/// with the place of its item in what was asked, of each the first 20. Of a memory, what its passage says counts, where one is given. None
/// of it is read where no space has any claim that is out.
///
/// # Errors
/// SQLite's.
pub fn decided_against(connection: &Connection, items: &Items<'_>, by: EpochMs) -> StoreResult<Vec<(usize, ClaimId)>> {
    if !may_be_told(connection, items, (&conflicts::any_out("n.value"), None))? {
        return Ok(Vec::new());
    }
    let found = read_of_said(connection, &out_of_said(), items, by)?;
    Ok(found.into_iter().map(|(at, claim, _)| (at, claim)).collect())
}

/// Finds them.
fn out_of_said() -> String {
    let out = format!(
        "SELECT s.at, c.id AS other, NULL AS conflict FROM said s CROSS JOIN claims c ON c.id = s.claim WHERE {}",
        conflicts::decided_against("?2")
    );
    of_said(&conflicts::any_out("n.value ->> 3"), &out)
}

/// Whether any of some items is a claim, or of a space `n.value` for which a condition holds, as of ?2 where it asks for that.
fn may_be_told(
    connection: &Connection,
    items: &Items<'_>,
    (condition, at): (&str, Option<EpochMs>),
) -> StoreResult<bool> {
    if items.iter().any(|(item, _)| item.item_type == ItemType::Claim) {
        return Ok(true);
    }
    let spaces: BTreeSet<&str> = items.iter().map(|(item, _)| item.space_id.as_str()).collect();
    let (spaces, mut statement) = (serde_json::to_string(&spaces)?, connection.prepare_cached(&any_space(condition))?);
    Ok(match at {
        Some(at) => statement.exists(params![spaces, at])?,
        None => statement.exists([spaces])?,
    })
}

/// Finds the spaces, of ?1, for which a condition holds.
fn any_space(condition: &str) -> String {
    format!("SELECT 1 FROM json_each(?1) n WHERE {condition}")
}

/// How much somebody is trusted in a space: 0 to 1.
///
/// # Errors
/// SQLite's.
pub fn trust(connection: &Connection, space: &SpaceId, actor: &AgentId) -> StoreResult<f64> {
    let trust: Option<f64> = connection
        .prepare_cached(
            "SELECT ifnull((SELECT p.trust_weight FROM space_memberships p WHERE p.space_id = ?1 AND p.agent_id = g.id),
               g.default_trust_weight) FROM agents g WHERE g.id = ?2",
        )?
        .query_row([space.as_str(), actor.as_str()], |row| row.get(0))
        .optional()?;
    Ok(trust.unwrap_or_default())
}

/// What an agent is called; none for the person and the product.
///
/// # Errors
/// SQLite's.
pub fn agent_name(connection: &Connection, actor: &AgentId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT name FROM agents WHERE id = ?1 AND agent_type = 'ai'")?
        .query_row([actor.as_str()], |row| row.get(0))
        .optional()?)
}

/// So many events are named that a fact rests on.
const SOURCES: u32 = 100;

/// The events that a fact rests on, those that are not there any more too: those that the memories which its evidence quotes were made
/// of, and those by which it was stated.
///
/// # Errors
/// SQLite's.
pub fn events_of_claim(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<EventId>> {
    connection
        .prepare_cached(
            "WITH quoted(id) AS (SELECT memory_id FROM claim_evidence
               WHERE claim_id = ?1 AND is_redacted = 0 AND memory_id IS NOT NULL),
             stated(id) AS (
               SELECT r.to_id FROM quoted q JOIN item_relations r ON r.from_type = 'memory' AND r.from_id = q.id
                 AND r.to_type = 'event' AND r.relation_type = 'derives'
               UNION SELECT s.id FROM quoted q JOIN memories m ON m.id = q.id JOIN evidence_events s
                 ON s.space_id = m.space_id AND s.recorded_at = m.created_at AND +s.kind = 'explicit_memory'
                 AND s.content = m.content AND s.is_redacted = 0)
             SELECT t.id FROM stated t LEFT JOIN evidence_events e ON e.id = t.id ORDER BY e.rid, t.id LIMIT ?2",
        )?
        .query_and_then(params![claim.as_str(), SOURCES], |row| Ok(EventId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan, scanned};

    #[test]
    fn what_was_decided_against_is_looked_up_by_what_items_say() {
        let plan = plan(&migrated(), &out_of_said());
        for step in [
            "SEARCH o USING COVERING INDEX idx_claims_space_state (space_id=? AND state=?)",
            "SEARCH e USING INDEX idx_evidence_memory (memory_id=?)",
            "SEARCH e USING INDEX idx_evidence_view (derived_text_view_id=?)",
            "SEARCH c USING INDEX sqlite_autoindex_claims_1 (id=?)",
            "USING COVERING INDEX idx_claim_history_claim (claim_id=?)",
            "SEARCH k USING INDEX idx_conflicts_claim_b (claim_b_id=?)",
        ] {
            assert!(plan.contains(step), "{step}: {plan}");
        }
        // What is given, and what was found of it, and no table.
        assert_eq!(scanned(&plan), ["CONSTANT", "n", "s"], "{plan}");
    }

    #[test]
    fn whether_a_space_has_any_claim_that_is_out_is_looked_up() {
        let plan = plan(&migrated(), &any_space(&conflicts::any_out("n.value")));
        let step = "SEARCH o USING COVERING INDEX idx_claims_space_state (space_id=? AND state=?)";
        assert!(plan.contains(step), "{plan}");
        assert_eq!(scanned(&plan), ["CONSTANT", "n"], "{plan}");
    }
}
