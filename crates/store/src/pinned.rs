//! Memories that are pinned, and how much of what always is read a space reads.

use crate::StoreResult;
use crate::filter::Then;
use rusqlite::{Connection, OptionalExtension, params};
use um_model::work::{PinnedBudget, PinnedMemory};
use um_model::{AgentId, EpochMs, MemoryId, SpaceId};

/// `space_settings`: the budget of a space.
const BUDGET: &str = "pinned";
/// So many are listed at most.
const MAX: u32 = 50;

/// Pins a memory, or lets it go. Gives whether that changed anything.
///
/// # Errors
/// SQLite's.
pub fn set(connection: &Connection, id: &MemoryId, pinned: bool) -> StoreResult<bool> {
    let changed = connection
        .prepare_cached("UPDATE memories SET pinned = ?2 WHERE id = ?1 AND pinned <> ?2")?
        .execute(params![id.as_str(), pinned])?;
    Ok(changed > 0)
}

/// The memories that are pinned in a space, the latest first: 50 at most.
///
/// # Errors
/// SQLite's.
pub fn of_space(connection: &Connection, space: &SpaceId) -> StoreResult<Vec<PinnedMemory>> {
    connection
        .prepare_cached(
            "SELECT id, space_id, title, content FROM memories INDEXED BY idx_memories_pinned
             WHERE space_id = ?1 AND pinned = 1 AND status = 'active' AND content IS NOT NULL
             ORDER BY rid DESC LIMIT ?2",
        )?
        .query_and_then(params![space.as_str(), MAX], |row| {
            Ok(PinnedMemory {
                id: MemoryId::parse(row.get::<_, String>(0)?)?,
                space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
                title: row.get(2)?,
                content: row.get(3)?,
                truncated: None,
            })
        })?
        .collect()
}

/// Those of them that were in use at another time than now. Since when each is pinned is not kept.
///
/// # Errors
/// SQLite's.
pub fn of_space_then(connection: &Connection, space: &SpaceId, then: Then) -> StoreResult<Vec<PinnedMemory>> {
    let mut pinned = of_space(connection, space)?;
    let ids: Vec<&str> = pinned.iter().map(|memory| memory.id.as_str()).collect();
    let sql = format!(
        "SELECT m.id FROM json_each(?1) n CROSS JOIN memories m ON m.id = n.value WHERE {}",
        then.in_use("?2", "?3")
    );
    let used: Vec<String> = connection
        .prepare_cached(&sql)?
        .query_map(params![serde_json::to_string(&ids)?, then.as_of, then.known_at], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    pinned.retain(|memory| used.iter().any(|id| id == memory.id.as_str()));
    Ok(pinned)
}

/// How much of what always is read a space reads.
///
/// # Errors
/// SQLite's.
pub fn budget(connection: &Connection, space: &SpaceId) -> StoreResult<PinnedBudget> {
    let value: Option<String> = connection
        .prepare_cached("SELECT value FROM space_settings WHERE space_id = ?1 AND key = ?2")?
        .query_row([space.as_str(), BUDGET], |row| row.get(0))
        .optional()?;
    Ok(value.map(|value| serde_json::from_str(&value)).transpose()?.unwrap_or_default())
}

/// Sets it.
///
/// # Errors
/// SQLite's.
pub fn set_budget(
    connection: &Connection,
    space: &SpaceId,
    budget: PinnedBudget,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    crate::space_settings::set(connection, space, BUDGET, &budget, by, now)
}
