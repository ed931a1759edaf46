//! `memory_derivations`: which memories a memory was made of (spine 2.10).

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use um_model::{AgentId, EpochMs, MemoryId, SpaceId};

/// Keeps that a memory was concluded from another one. Does nothing where that is known.
///
/// # Errors
/// A memory of another space; SQLite's.
pub fn insert(
    connection: &Connection,
    space: &SpaceId,
    derived: &MemoryId,
    source: &MemoryId,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO memory_derivations (id, derived_memory_id, source_memory_id, method, space_id, actor_id, created_at)
             VALUES (?1, ?2, ?3, 'inference', ?4, ?5, ?6) ON CONFLICT (derived_memory_id, source_memory_id) DO NOTHING",
        )?
        .execute(params![new_id(now), derived.as_str(), source.as_str(), space.as_str(), actor.as_str(), now])?;
    Ok(())
}

/// Whether a memory was made of others.
///
/// # Errors
/// SQLite's.
pub fn is_derived(connection: &Connection, memory: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM memory_derivations WHERE derived_memory_id = ?1")?
        .exists([memory.as_str()])?)
}
