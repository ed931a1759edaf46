//! `conflicts` and how they were decided.

use crate::StoreResult;
use crate::ids::{has_part, new_id};
use crate::rejected::{Checked, Remark};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::belief::{ConflictFinder, ConflictType, ResolutionType};
use um_model::claims::Resolution;
use um_model::ids::SYSTEM_AGENT;
use um_model::{AgentId, ClaimId, ConflictId, EpochMs, SpaceId};

/// A conflict as it is kept; its claims are fetched with the others.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its id.
    pub id: ConflictId,
    /// The claim with the smaller id.
    pub claim_a: ClaimId,
    /// The other.
    pub claim_b: ClaimId,
    /// Why.
    pub conflict_type: ConflictType,
    /// Who found it.
    pub found_by: ConflictFinder,
    /// When it was found.
    pub detected_at: EpochMs,
    /// When it came up again.
    pub reopened_at: Option<EpochMs>,
    /// Its space.
    pub space: SpaceId,
    /// The standing decision, with its id.
    pub resolution: Option<(String, Resolution)>,
}

impl Stored {
    /// The claim that is not this one of the two.
    pub fn other(&self, claim: &ClaimId) -> &ClaimId {
        if self.claim_a == *claim { &self.claim_b } else { &self.claim_a }
    }

    /// The decision that this one of the two is right.
    pub fn wins(&self, claim: &ClaimId) -> ResolutionType {
        if self.claim_a == *claim { ResolutionType::ClaimAWins } else { ResolutionType::ClaimBWins }
    }

    /// Whether it ended by itself: nobody decided it.
    pub fn ended_by_itself(&self) -> bool {
        self.resolution.as_ref().is_some_and(|(_, decided)| decided.by_itself)
    }

    /// Whether it ended by itself as both sides can stand.
    pub fn can_both_stand(&self) -> bool {
        let both = |decided: &Resolution| decided.resolution_type == ResolutionType::ManualOverride;
        self.ended_by_itself() && self.resolution.as_ref().is_some_and(|(_, decided)| both(decided))
    }

    /// Whether its decision, where one stands, lets this one of the two not be believed.
    pub fn is_decided_against(&self, claim: &ClaimId) -> bool {
        self.resolution.as_ref().is_some_and(|(_, decided)| match decided.resolution_type {
            ResolutionType::ClaimAWins => *claim == self.claim_b,
            ResolutionType::ClaimBWins => *claim == self.claim_a,
            ResolutionType::ManualOverride => true,
            ResolutionType::BothDisputed => false,
        })
    }

    /// Whether it was decided to leave both sides disputed.
    pub fn leaves_disputed(&self) -> bool {
        self.resolution.as_ref().is_some_and(|(_, decided)| decided.resolution_type == ResolutionType::BothDisputed)
    }
}

/// Conflicts, each with the decision that stands.
fn with_standing() -> String {
    format!("{COLUMNS} FROM conflicts k LEFT JOIN conflict_resolutions d ON d.id = k.resolution_id {ACTORS}")
}

const COLUMNS: &str =
    "SELECT k.id, k.claim_a_id, k.claim_b_id, k.conflict_type, k.detected_at, k.reopened_at, k.space_id,
    d.id, d.resolution_type, d.resolved_by_actor, d.resolved_at, d.notes, g.name, g.agent_type = 'system', k.found_by,
    u.name, d.undone_at, d.undone_at IS NULL AND k.resolution_id IS NOT d.id";
const ACTORS: &str = "LEFT JOIN agents g ON g.id = d.resolved_by_actor LEFT JOIN agents u ON u.id = d.undone_by_actor";

fn stored(row: &Row<'_>) -> StoreResult<Stored> {
    let resolution = match row.get::<_, Option<String>>(7)? {
        None => None,
        Some(id) => Some((
            id,
            Resolution {
                resolution_type: row.get::<_, String>(8)?.parse()?,
                actor_id: AgentId::parse(row.get::<_, String>(9)?)?,
                actor_name: row.get(12)?,
                by_itself: row.get(13)?,
                resolved_at: row.get(10)?,
                notes: row.get(11)?,
                undone_by: row.get(15)?,
                undone_at: row.get(16)?,
                asked_again: row.get(17)?,
            },
        )),
    };
    Ok(Stored {
        id: ConflictId::parse(row.get::<_, String>(0)?)?,
        claim_a: ClaimId::parse(row.get::<_, String>(1)?)?,
        claim_b: ClaimId::parse(row.get::<_, String>(2)?)?,
        conflict_type: row.get::<_, String>(3)?.parse()?,
        found_by: row.get::<_, String>(14)?.parse()?,
        detected_at: row.get(4)?,
        reopened_at: row.get(5)?,
        space: SpaceId::parse(row.get::<_, String>(6)?)?,
        resolution,
    })
}

/// The conflict of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &ConflictId) -> StoreResult<Option<Stored>> {
    connection
        .prepare_cached(&format!("{} WHERE k.id = ?1", with_standing()))?
        .query_row([id.as_str()], |row| Ok(stored(row)))
        .optional()?
        .transpose()
}

/// Conflicts, once for each of their decisions: those that stand, and those that a person took or that were taken back.
fn with_each() -> String {
    format!("{COLUMNS} FROM conflicts k JOIN conflict_resolutions d ON d.conflict_id = k.id {ACTORS}")
}

/// Which decisions are told of: what ended by itself is none once it is open again.
pub(crate) const TOLD: &str = "(d.id = k.resolution_id OR d.undone_at IS NOT NULL OR (SELECT agent_type FROM agents WHERE id = d.resolved_by_actor) <> 'system')";

/// A conflict with the decision of that id.
///
/// # Errors
/// SQLite's.
pub fn of_decision(connection: &Connection, decision: &str) -> StoreResult<Option<Stored>> {
    connection
        .prepare_cached(&format!("{} WHERE d.id = ?1", with_each()))?
        .query_row([decision], |row| Ok(stored(row)))
        .optional()?
        .transpose()
}

/// The conflicts of these spaces whose ids begin or end so, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_part(connection: &Connection, spaces: &[SpaceId], part: &str, limit: u32) -> StoreResult<Vec<Stored>> {
    let spaces = crate::filter::ids(spaces)?;
    connection
        .prepare_cached(&format!(
            "{} WHERE {} AND +k.space_id IN (SELECT value FROM json_each(?1)) ORDER BY k.id LIMIT ?3",
            with_standing(),
            has_part("k.id", "conflicts")
        ))?
        .query_and_then(params![spaces, part, limit], stored)?
        .collect()
}

/// The conflict of two claims, in whichever order they are given.
///
/// # Errors
/// SQLite's.
pub fn of_pair(connection: &Connection, one: &ClaimId, other: &ClaimId) -> StoreResult<Option<Stored>> {
    let (a, b) = if one < other { (one, other) } else { (other, one) };
    connection
        .prepare_cached(&format!("{} WHERE k.claim_a_id = ?1 AND k.claim_b_id = ?2", with_standing()))?
        .query_row([a.as_str(), b.as_str()], |row| Ok(stored(row)))
        .optional()?
        .transpose()
}

/// Adds an open conflict of two claims.
///
/// # Errors
/// A pair that has one; SQLite's.
pub fn insert(
    connection: &Connection,
    space: &SpaceId,
    [one, other]: [&ClaimId; 2],
    (conflict_type, found_by): (ConflictType, ConflictFinder),
    now: EpochMs,
) -> StoreResult<ConflictId> {
    let (a, b) = if one < other { (one, other) } else { (other, one) };
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO conflicts (id, claim_a_id, claim_b_id, conflict_type, found_by, detected_at, space_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![id, a.as_str(), b.as_str(), conflict_type.as_str(), found_by.as_str(), now, space.as_str()])?;
    Ok(ConflictId::parse(id)?)
}

/// Keeps a decision and closes its conflict.
///
/// # Errors
/// SQLite's.
pub fn resolve(
    connection: &Connection,
    conflict: &Stored,
    resolution: ResolutionType,
    notes: &Checked<Remark<'_>>,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<String> {
    let id = new_id(now);
    connection.execute(
        "INSERT INTO conflict_resolutions (id, space_id, conflict_id, resolution_type, resolved_by_actor, resolved_at, notes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            id,
            conflict.space.as_str(),
            conflict.id.as_str(),
            resolution.as_str(),
            actor.as_str(),
            now,
            notes.0
        ],
    )?;
    connection.execute(
        "UPDATE conflicts SET status = 'resolved', resolution_id = ?2 WHERE id = ?1",
        params![conflict.id.as_str(), id],
    )?;
    Ok(id)
}

/// Opens a decided conflict again. `undo` takes its decision back; else the decision stays in history, and new
/// evidence asks for another one.
///
/// # Errors
/// SQLite's.
pub fn reopen(connection: &Connection, conflict: &Stored, undo: Option<&AgentId>, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE conflicts SET status = 'open', resolution_id = NULL, reopened_at = ?2 WHERE id = ?1",
        params![conflict.id.as_str(), now],
    )?;
    if let (Some(actor), Some((resolution, _))) = (undo, &conflict.resolution) {
        connection.execute(
            "UPDATE conflict_resolutions SET undone_by_actor = ?2, undone_at = ?3 WHERE id = ?1",
            params![resolution, actor.as_str(), now],
        )?;
    }
    Ok(())
}

/// The conflicts that a claim is part of, open ones first; at most 200.
///
/// # Errors
/// SQLite's.
pub fn of_claim(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<Stored>> {
    let mut of_it = of_claims(connection, std::slice::from_ref(claim))?;
    of_it.truncate(200);
    Ok(of_it)
}

/// The conflicts that claims are part of, open ones first, each once.
///
/// # Errors
/// SQLite's.
pub fn of_claims(connection: &Connection, claims: &[ClaimId]) -> StoreResult<Vec<Stored>> {
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(&format!(
            "{} WHERE k.rid IN (SELECT rid FROM conflicts WHERE claim_a_id IN (SELECT value FROM json_each(?1))
               UNION SELECT rid FROM conflicts WHERE claim_b_id IN (SELECT value FROM json_each(?1)))
             ORDER BY k.status = 'resolved', k.rid",
            with_standing()
        ))?
        .query_and_then([ids], stored)?
        .collect()
}

/// The open conflicts of those claims, as pairs of claim and conflict.
///
/// # Errors
/// SQLite's.
pub fn open_of(connection: &Connection, claims: &[ClaimId]) -> StoreResult<Vec<(ClaimId, ConflictId)>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "SELECT k.claim_a_id, k.id FROM conflicts k
             WHERE k.claim_a_id IN (SELECT value FROM json_each(?1)) AND k.status = 'open'
             UNION ALL SELECT k.claim_b_id, k.id FROM conflicts k
             WHERE k.claim_b_id IN (SELECT value FROM json_each(?1)) AND k.status = 'open'",
        )?
        .query_and_then([ids], |row| {
            Ok((ClaimId::parse(row.get::<_, String>(0)?)?, ConflictId::parse(row.get::<_, String>(1)?)?))
        })?
        .collect()
}

/// A claim that lost against another one by a decision of a person that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The claim.
    pub claim: ClaimId,
    /// The decision.
    pub decision: String,
    /// When that was decided.
    pub at: EpochMs,
}

/// What a person decided to be wrong where they decided for one of these claims: for it as a side, or as what is right instead of
/// both; and what they decided to be right at another time than it.
///
/// # Errors
/// SQLite's.
pub fn lost_to(connection: &Connection, winners: &[ClaimId]) -> StoreResult<Vec<Lost>> {
    let ids = serde_json::to_string(&winners.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "WITH lost AS (
               SELECT k.claim_b_id AS claim, k.resolution_id, 'claim_a_wins' AS type
                 FROM json_each(?1) w JOIN conflicts k ON k.claim_a_id = w.value
               UNION ALL
               SELECT k.claim_a_id, k.resolution_id, 'claim_b_wins'
                 FROM json_each(?1) w JOIN conflicts k ON k.claim_b_id = w.value
               UNION ALL
               SELECT c.id, k.resolution_id, 'manual_override' FROM json_each(?1) w
                 JOIN claims c ON c.superseded_by_id = w.value AND c.state = 'superseded'
                 JOIN conflicts k ON k.claim_a_id = c.id OR k.claim_b_id = c.id
               UNION ALL
               SELECT k.claim_b_id, k.resolution_id, 'windows' FROM json_each(?1) w JOIN conflicts k ON k.claim_a_id = w.value
               UNION ALL
               SELECT k.claim_a_id, k.resolution_id, 'windows' FROM json_each(?1) w JOIN conflicts k ON k.claim_b_id = w.value)
             SELECT DISTINCT l.claim, d.id, d.resolved_at FROM lost l
               JOIN conflict_resolutions d ON d.id = l.resolution_id
                 AND d.resolution_type = iif(l.type = 'windows', 'manual_override', l.type)
               JOIN claims c ON c.id = l.claim
             WHERE d.resolved_by_actor <> ?2
               AND (c.state IN ('retracted', 'superseded')) = (l.type <> 'windows')",
        )?
        .query_and_then([ids.as_str(), SYSTEM_AGENT], lost)?
        .collect()
}

/// Which of these claims a person decided to be wrong, by decisions that stand.
///
/// This asks for the decisions, to hold each against whoever says it again. What a passage says is asked of its claims alone, for what last
/// put them out (`decided_against`): that may be the person's taking one back without any decision, and it may have come after one.
///
/// # Errors
/// SQLite's.
pub fn lost_of(connection: &Connection, claims: &[ClaimId]) -> StoreResult<Vec<Lost>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "WITH sides AS (
               SELECT k.claim_a_id AS claim, k.resolution_id, 'claim_a_wins' AS won
                 FROM json_each(?1) w JOIN conflicts k ON k.claim_a_id = w.value
               UNION ALL
               SELECT k.claim_b_id, k.resolution_id, 'claim_b_wins'
                 FROM json_each(?1) w JOIN conflicts k ON k.claim_b_id = w.value)
             SELECT DISTINCT s.claim, d.id, d.resolved_at FROM sides s
               JOIN conflict_resolutions d ON d.id = s.resolution_id
                 AND d.resolution_type NOT IN ('both_disputed', s.won)
               JOIN claims c ON c.id = s.claim
             WHERE d.resolved_by_actor <> ?2 AND c.state IN ('retracted', 'superseded')",
        )?
        .query_and_then([ids.as_str(), SYSTEM_AGENT], lost)?
        .collect()
}

/// The condition that a claim `c` was taken back by the person or decided against, by the time `by`, and is out for that still. What lost its
/// sources, or was joined with another claim, was not decided against.
///
/// This asks for what last put the claim out, as of any time; [`lost_of`] asks for the decisions that stand against claims, whatever put
/// them out since. A history names no decision. One that a claim was superseded by had another value be right: it was made in the same
/// millisecond, and what came in that one besides is told apart by the ids, which rise: the decision is kept first, then what it changes, then
/// how to undo it.
pub(crate) fn decided_against(by: &str) -> String {
    format!(
        "c.state IN ('retracted', 'superseded') AND EXISTS (
           SELECT 1 FROM claim_state_history h
           WHERE h.rid = (SELECT max(rid) FROM claim_state_history WHERE claim_id = c.id) AND h.changed_at <= {by}
             AND (h.cause IN ('resolution', 'user') OR h.cause = 'supersession' AND EXISTS (
               SELECT 1 FROM conflicts k CROSS JOIN conflict_resolutions d ON d.id = k.resolution_id
               WHERE (k.claim_a_id = c.id OR k.claim_b_id = c.id) AND d.resolution_type = 'manual_override'
                 AND d.resolved_at = h.changed_at AND d.id < h.id AND d.resolved_by_actor <> '{SYSTEM_AGENT}'
                 AND NOT EXISTS (SELECT 1 FROM undo_log l
                   WHERE l.object_type = 'conflict_resolutions' AND l.object_id = d.id AND l.id < h.id))))"
    )
}

/// The condition that a space has any claim that is out, decided against or not: most have none. It is a value of its own, so that SQLite
/// asks it first, and does not join it behind what it is to spare.
pub(crate) fn any_out(space: &str) -> String {
    format!(
        "(SELECT EXISTS (SELECT 1 FROM claims o WHERE o.space_id = {space} AND o.state IN ('retracted', 'superseded')))"
    )
}

fn lost(row: &Row<'_>) -> StoreResult<Lost> {
    Ok(Lost { claim: ClaimId::parse(row.get::<_, String>(0)?)?, decision: row.get(1)?, at: row.get(2)? })
}

/// Whether somebody decided a conflict of a space, which did not end by itself, and nobody took that back.
///
/// # Errors
/// SQLite's.
pub fn any_decided(connection: &Connection, space: &SpaceId) -> StoreResult<bool> {
    let by = |is: &str| {
        format!(
            "SELECT 1 FROM conflict_resolutions WHERE space_id = ?1 AND undone_at IS NULL AND resolved_by_actor {is} ?2"
        )
    };
    Ok(connection
        .prepare_cached(&format!("{} UNION ALL {} LIMIT 1", by("<"), by(">")))?
        .exists([space.as_str(), SYSTEM_AGENT])?)
}

/// Keeps which decisions keep a claim out of what is believed, beside those that do already.
///
/// # Errors
/// SQLite's.
pub fn keep_out(connection: &Connection, claim: &ClaimId, decisions: &[String]) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE claims SET kept_out_by = (SELECT json_group_array(id) FROM (
               SELECT value AS id FROM json_each(kept_out_by) UNION SELECT value FROM json_each(?2))) WHERE id = ?1",
        )?
        .execute([claim.as_str(), &serde_json::to_string(decisions)?])?;
    Ok(())
}

/// Has what earlier decisions of a conflict kept out, which were asked about again since, kept out by one of the same kind.
///
/// # Errors
/// SQLite's.
pub fn keep_out_still(connection: &Connection, conflict: &Stored, decision: &str) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE claims AS c SET kept_out_by = json_insert(kept_out_by, '$[#]', ?3)
             WHERE space_id = ?1 AND kept_out_by <> '[]' AND EXISTS (
               SELECT 1 FROM json_each(c.kept_out_by) by JOIN conflict_resolutions d ON d.id = by.value
               WHERE d.conflict_id = ?2 AND d.undone_at IS NULL AND d.id <> ?3
                 AND d.resolution_type = (SELECT resolution_type FROM conflict_resolutions WHERE id = ?3))",
        )?
        .execute([conflict.space.as_str(), conflict.id.as_str(), decision])?;
    Ok(())
}

/// Forgets which decisions kept a claim out: somebody says it against whom they were not taken.
///
/// # Errors
/// SQLite's.
pub fn let_in(connection: &Connection, claim: &ClaimId) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE claims SET kept_out_by = '[]' WHERE id = ?1 AND kept_out_by <> '[]'")?
        .execute([claim.as_str()])?;
    Ok(())
}

/// Whether a decision that stands keeps a claim `c` out.
const IS_KEPT_OUT: &str =
    "EXISTS (SELECT 1 FROM json_each(c.kept_out_by) by JOIN conflict_resolutions d ON d.id = by.value
    JOIN conflicts k ON k.id = d.conflict_id AND k.resolution_id = d.id)";

/// Whether a decision that stands keeps a claim out of what is believed.
///
/// # Errors
/// SQLite's.
pub fn is_kept_out(connection: &Connection, claim: &ClaimId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!("SELECT 1 FROM claims c WHERE c.id = ?1 AND c.kept_out_by <> '[]' AND {IS_KEPT_OUT}"))?
        .exists([claim.as_str()])?)
}

/// The claims of a space that a decision kept out and that no decision keeps out any more.
///
/// # Errors
/// SQLite's.
pub fn no_longer_kept_out(connection: &Connection, space: &SpaceId, decision: &str) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(&format!(
            "SELECT c.id FROM claims c WHERE c.space_id = ?1 AND c.kept_out_by <> '[]'
               AND ?2 IN (SELECT value FROM json_each(c.kept_out_by)) AND NOT {IS_KEPT_OUT} ORDER BY c.rid"
        ))?
        .query_and_then([space.as_str(), decision], |row| Ok(ClaimId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// A page of conflicts: open ones, the oldest first, or decided ones, the latest first, once for each of their decisions; with
/// their number. Among the decisions are those that were taken back or asked about again.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    resolved: bool,
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<Stored>, u64)> {
    let spaces = crate::filter::ids(spaces)?;
    let (shown, which, order) = if resolved {
        (with_each(), TOLD, "d.resolved_at DESC, d.rid DESC")
    } else {
        (with_standing(), "k.status = 'open'", "ifnull(k.reopened_at, k.detected_at), k.rid")
    };
    let listed = format!("{shown} WHERE k.space_id IN (SELECT value FROM json_each(?1)) AND {which}");
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM ({listed})"))?
        .query_row([&spaces], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!("{listed} ORDER BY {order} LIMIT {limit} OFFSET {offset}"))?
        .query_and_then([&spaces], stored)?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}
