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
    add(connection, space, (derived, source, "inference"), actor, now)
}

/// Keeps that a distilled memory was made of a raw one. Does nothing where that is known.
///
/// # Errors
/// A memory of another space; SQLite's.
pub fn distilled(
    connection: &Connection,
    space: &SpaceId,
    (distilled, raw): (&MemoryId, &MemoryId),
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    add(connection, space, (distilled, raw, "promotion"), actor, now)
}

fn add(
    connection: &Connection,
    space: &SpaceId,
    (derived, source, method): (&MemoryId, &MemoryId, &str),
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO memory_derivations (id, derived_memory_id, source_memory_id, method, space_id, actor_id, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (derived_memory_id, source_memory_id) DO NOTHING",
        )?
        .execute(params![new_id(now), derived.as_str(), source.as_str(), method, space.as_str(), actor.as_str(), now])?;
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
