//! `conflicts` and how they were decided.

mod decided;

pub use decided::{
    Lost, any_decided, is_kept_out, keep_out, keep_out_still, let_in, lost_of, lost_to, no_longer_kept_out,
};
pub(crate) use decided::{any_out, decided_against};

use crate::StoreResult;
use crate::ids::{has_part, new_id};
use crate::rejected::{Checked, Remark};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::belief::{ConflictFinder, ConflictType, ResolutionType};
use um_model::claims::Resolution;
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
    let Some((resolution, _)) = &conflict.resolution else { return Ok(()) };
    match undo {
        Some(actor) => connection.execute(
            "UPDATE conflict_resolutions SET undone_by_actor = ?2, undone_at = ?3 WHERE id = ?1",
            params![resolution, actor.as_str(), now],
        )?,
        None => connection
            .execute("UPDATE conflict_resolutions SET reopened_at = ?2 WHERE id = ?1", params![resolution, now])?,
    };
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

/// The condition that a conflict `k` was open at a time, as was known then: it was found, and no decision stood: each was taken back, or the
/// conflict had come up again.
pub(crate) fn was_open(at: &str) -> String {
    format!(
        "k.detected_at <= {at} AND NOT EXISTS (
           SELECT 1 FROM conflict_resolutions d WHERE d.conflict_id = k.id AND d.resolved_at <= {at}
             AND ifnull(d.undone_at > {at}, 1) AND ifnull(d.reopened_at > {at}, 1))"
    )
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
