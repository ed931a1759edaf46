//! What was decided against, and what decisions keep out of what is believed.

use super::Stored;
use crate::StoreResult;
use rusqlite::{Connection, Row};
use um_model::ids::SYSTEM_AGENT;
use um_model::{ClaimId, EpochMs, SpaceId};

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
