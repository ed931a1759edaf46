//! `entity_aliases`: the other names of entities. One that is removed stays in the table, out of use.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use um_model::{EntityId, EpochMs, SpaceId};

/// Gives an entity another name; `canonical` is the form that it is compared in. One that it has already stays, one that
/// was removed is back. Tells whether it is new to it.
///
/// # Errors
/// SQLite's.
pub fn add_alias(
    connection: &Connection,
    space: &SpaceId,
    id: &EntityId,
    alias: &str,
    canonical: &str,
    now: EpochMs,
) -> StoreResult<bool> {
    let back = connection
        .prepare_cached(
            "UPDATE entity_aliases SET removed_at = NULL WHERE space_id = ?1 AND canonical_alias = ?2 AND entity_id = ?3
               AND is_redacted = 0 AND removed_at IS NOT NULL",
        )?
        .execute(params![space.as_str(), canonical, id.as_str()])?;
    let added = connection
        .prepare_cached(
            "INSERT INTO entity_aliases (id, entity_id, alias, canonical_alias, space_id, created_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM entity_aliases
               WHERE space_id = ?5 AND canonical_alias = ?4 AND entity_id = ?2 AND is_redacted = 0)",
        )?
        .execute(params![new_id(now), id.as_str(), alias, canonical, space.as_str(), now])?;
    Ok(back + added > 0)
}

/// Takes another name of an entity out of use, in these spaces; tells whether it had it.
///
/// # Errors
/// SQLite's.
pub fn remove_alias(connection: &Connection, id: &EntityId, canonical: &str, now: EpochMs) -> StoreResult<bool> {
    let removed = connection
        .prepare_cached(
            "UPDATE entity_aliases SET removed_at = ?3 WHERE entity_id = ?1 AND canonical_alias = ?2
               AND is_redacted = 0 AND removed_at IS NULL",
        )?
        .execute(params![id.as_str(), canonical, now])?;
    Ok(removed > 0)
}
