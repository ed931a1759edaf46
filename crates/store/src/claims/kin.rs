//! Claims that tell one fact, each with circumstances of its own.

use super::{by_ids, select};
use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use um_model::claims::Claim;
use um_model::{ClaimId, EntityId, SpaceId};

/// Of so many claims of one fact the oldest are looked at.
const MOST: u32 = 100;

/// A claim that tells a fact or denies it.
#[derive(Debug, Clone)]
pub struct Kin {
    /// The claim.
    pub claim: Claim,
    /// The more exact claim that it stands behind.
    pub behind: Option<ClaimId>,
}

/// Which claim a superseded one stands behind since the latest change of its state.
const BEHIND: &str = "CASE WHEN f.state = 'superseded' AND (SELECT cause FROM claim_state_history h
    WHERE h.claim_id = f.id ORDER BY h.rid DESC LIMIT 1) = 'refinement' THEN f.superseded_by_id END";

/// The claims that tell the fact that a claim tells, or deny it, that claim among them; at most 100 others.
///
/// # Errors
/// SQLite's.
pub fn kin(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<Kin>> {
    let mut behind: HashMap<ClaimId, Option<ClaimId>> = connection
        .prepare_cached(&format!(
            "SELECT f.id, {BEHIND} FROM claims f WHERE f.id = ?1 UNION
             SELECT * FROM (SELECT f.id, {BEHIND} FROM claims c
               JOIN claims f ON f.space_id = c.space_id AND f.fact_key = c.fact_key
               WHERE c.id = ?1 AND f.is_redacted = 0 ORDER BY f.rid LIMIT {MOST})"
        ))?
        .query_and_then([claim.as_str()], |row| {
            let behind = row.get::<_, Option<String>>(1)?.map(ClaimId::parse).transpose()?;
            Ok((ClaimId::parse(row.get::<_, String>(0)?)?, behind))
        })?
        .collect::<StoreResult<_>>()?;
    let ids: Vec<ClaimId> = behind.keys().cloned().collect();
    let with = |claim: Claim| Kin { behind: behind.remove(&claim.id).flatten(), claim };
    Ok(by_ids(connection, &ids)?.into_iter().map(with).collect())
}

/// One of the claims that tell the fact of that key or deny it.
///
/// # Errors
/// SQLite's.
pub fn any_of_fact(connection: &Connection, space: &SpaceId, fact: &str) -> StoreResult<Option<ClaimId>> {
    let id: Option<String> = connection
        .prepare_cached("SELECT id FROM claims WHERE space_id = ?1 AND fact_key = ?2 AND is_redacted = 0 LIMIT 1")?
        .query_row([space.as_str(), fact], |row| row.get(0))
        .optional()?;
    Ok(id.map(ClaimId::parse).transpose()?)
}

/// The claims of these spaces whose ids begin or end so, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_part(connection: &Connection, spaces: &[SpaceId], part: &str, limit: u32) -> StoreResult<Vec<ClaimId>> {
    let spaces = crate::filter::ids(spaces)?;
    connection
        .prepare_cached(&format!(
            "SELECT c.id FROM claims c WHERE {} AND c.is_redacted = 0
               AND +c.space_id IN (SELECT value FROM json_each(?1)) ORDER BY c.id LIMIT ?3",
            crate::ids::has_part("c.id", "claims")
        ))?
        .query_and_then(params![spaces, part, limit], |row| Ok(ClaimId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// The asserted claims of a space that one of two entities stands to the other in one of those relations.
///
/// # Errors
/// SQLite's.
pub fn relating(
    connection: &Connection,
    space: &SpaceId,
    [one, other]: [&EntityId; 2],
    relations: &[&str],
) -> StoreResult<Vec<Claim>> {
    select(
        connection,
        // The claims of an entity are few; those of a relation may be many.
        "WHERE c.entity_id IN (?2, ?3) AND +c.target_entity_id IN (?2, ?3) AND c.polarity = 'positive'
           AND +c.space_id = ?1 AND +c.state = 'asserted' AND +r.name IN (SELECT value FROM json_each(?4))",
        &[&space.as_str(), &one.as_str(), &other.as_str(), &serde_json::to_string(relations)?],
    )
}

/// The believed claims of a space that name an entity, where the same is said of their subject with another one; at most 200.
///
/// # Errors
/// SQLite's.
pub fn naming_both(
    connection: &Connection,
    space: &SpaceId,
    one: &EntityId,
    other: &EntityId,
) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(
            "SELECT a.id FROM claims a JOIN claims b ON b.entity_id = a.entity_id AND +b.target_entity_id = ?3
               AND +b.relationship_type_id = a.relationship_type_id AND +b.state IN ('asserted', 'disputed')
             WHERE a.target_entity_id = ?2 AND +a.space_id = ?1 AND +a.state IN ('asserted', 'disputed') LIMIT 200",
        )?
        .query_and_then(params![space.as_str(), one.as_str(), other.as_str()], |row| {
            Ok(ClaimId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// The claims that stand behind these: which one behind which, and how many pieces of evidence it has.
///
/// # Errors
/// SQLite's.
pub fn behind(connection: &Connection, claims: &[ClaimId]) -> StoreResult<Vec<(ClaimId, ClaimId, u32)>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(&format!(
            "SELECT f.id, f.superseded_by_id, f.evidence_count FROM json_each(?1) wanted
             JOIN claims f ON f.superseded_by_id = wanted.value
             WHERE f.is_redacted = 0 AND {BEHIND} IS NOT NULL ORDER BY f.rid"
        ))?
        .query_and_then([ids], |row| {
            Ok((ClaimId::parse(row.get::<_, String>(0)?)?, ClaimId::parse(row.get::<_, String>(1)?)?, row.get(2)?))
        })?
        .collect()
}
