//! `tags` and `item_tags`: the predefined tags that every space may use, those of a space, and what bears them.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{EpochMs, MemoryId, SpaceId};

/// The names of the tags that every space may use, in the order of the alphabet.
///
/// # Errors
/// SQLite's.
pub fn predefined(connection: &Connection) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached("SELECT name FROM tags WHERE space_id = 'GLOBAL' AND is_predefined = 1 ORDER BY name")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Gives a memory these tags and no others. A name that neither the space nor GLOBAL knows becomes a tag of the space.
///
/// # Errors
/// SQLite's.
pub fn set_of_memory(
    connection: &Connection,
    space: &SpaceId,
    memory: &MemoryId,
    names: &[String],
    now: EpochMs,
) -> StoreResult<()> {
    let wanted = serde_json::to_string(names)?;
    connection
        .prepare_cached(
            "DELETE FROM item_tags WHERE item_type = 'memory' AND item_id = ?1
               AND tag_id NOT IN (SELECT t.id FROM tags t JOIN json_each(?2) w ON w.value = t.name)",
        )?
        .execute(params![memory.as_str(), wanted])?;
    for name in names {
        let tag = known(connection, space, name)?.map_or_else(|| add(connection, space, name, now), Ok)?;
        connection
            .prepare_cached(
                "INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, created_at)
                 SELECT ?1, ?2, 'memory', ?3, ?4, ?5 WHERE NOT EXISTS
                   (SELECT 1 FROM item_tags WHERE item_type = 'memory' AND item_id = ?3 AND tag_id = ?4)",
            )?
            .execute(params![new_id(now), space.as_str(), memory.as_str(), tag, now])?;
    }
    Ok(())
}

/// The id of a tag that the space may use.
fn known(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT id FROM tags WHERE name = ?1 AND space_id IN (?2, 'GLOBAL') ORDER BY space_id = 'GLOBAL' DESC LIMIT 1",
        )?
        .query_row(params![name, space.as_str()], |row| row.get(0))
        .optional()?)
}

fn add(connection: &Connection, space: &SpaceId, name: &str, now: EpochMs) -> StoreResult<String> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO tags (id, space_id, name, category, created_at) VALUES (?1, ?2, ?3, 'custom', ?4)",
        )?
        .execute(params![id, space.as_str(), name, now])?;
    Ok(id)
}
