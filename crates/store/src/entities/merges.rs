//! `entity_merges`: what merges moved, so that they can be undone.

use crate::{StoreResult, filter, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::claims::{EntityRef, Merge};
use um_model::{AgentId, EntityId, EpochMs, MergeId, SpaceId};

/// Keeps a merge with what it moved.
///
/// # Errors
/// SQLite's.
pub fn insert_merge(
    connection: &Connection,
    space: &SpaceId,
    kept: &EntityId,
    merged: &EntityId,
    moved: &serde_json::Value,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<MergeId> {
    let id = new_id(now);
    connection.execute(
        "INSERT INTO entity_merges (id, space_id, kept_entity_id, merged_entity_id, moved, actor_id, merged_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![id, space.as_str(), kept.as_str(), merged.as_str(), moved.to_string(), actor.as_str(), now],
    )?;
    Ok(MergeId::parse(id)?)
}

const MERGE: &str = "SELECT g.id, k.id, k.name, k.entity_type, m.id, m.name, m.entity_type, g.merged_at,
    g.undone_at IS NOT NULL, g.moved, g.space_id
  FROM entity_merges g JOIN entities k ON k.id = g.kept_entity_id JOIN entities m ON m.id = g.merged_entity_id";

/// A merge with what it moved and its space.
pub type StoredMerge = (Merge, serde_json::Value, SpaceId);

fn merge(row: &Row<'_>) -> StoreResult<StoredMerge> {
    let reference = |at: usize| -> StoreResult<EntityRef> {
        Ok(EntityRef {
            id: EntityId::parse(row.get::<_, String>(at)?)?,
            name: row.get(at + 1)?,
            entity_type: row.get::<_, String>(at + 2)?.parse()?,
        })
    };
    let merge = Merge {
        id: MergeId::parse(row.get::<_, String>(0)?)?,
        kept: reference(1)?,
        merged: reference(4)?,
        merged_at: row.get(7)?,
        undone: row.get(8)?,
    };
    Ok((merge, serde_json::from_str(&row.get::<_, String>(9)?)?, SpaceId::parse(row.get::<_, String>(10)?)?))
}

/// The merge of that id.
///
/// # Errors
/// SQLite's.
pub fn merge_by_id(connection: &Connection, id: &MergeId) -> StoreResult<Option<StoredMerge>> {
    connection
        .prepare_cached(&format!("{MERGE} WHERE g.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(merge(row)))
        .optional()?
        .transpose()
}

/// The merges of these spaces that an entity was part of, the latest first.
///
/// # Errors
/// SQLite's.
pub fn merges_of(connection: &Connection, id: &EntityId, spaces: &[SpaceId]) -> StoreResult<Vec<Merge>> {
    connection
        .prepare_cached(&format!(
            "{MERGE} WHERE (g.kept_entity_id = ?1 OR g.merged_entity_id = ?1)
               AND (g.space_id = 'GLOBAL' OR +g.space_id IN (SELECT value FROM json_each(?2)))
             ORDER BY g.rid DESC LIMIT 50"
        ))?
        .query_and_then(params![id.as_str(), filter::ids(spaces)?], |row| Ok(merge(row)?.0))?
        .collect()
}

/// Whether an entity went into another one before and that was undone.
///
/// # Errors
/// SQLite's.
pub fn was_parted(connection: &Connection, merged: &EntityId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM entity_merges WHERE merged_entity_id = ?1 AND undone_at IS NOT NULL")?
        .exists([merged.as_str()])?)
}

/// The merge by which an actor put whoever bears a name (in its canonical form) into an entity, where it stands.
///
/// # Errors
/// SQLite's.
pub fn merge_by(
    connection: &Connection,
    actor: &AgentId,
    kept: &EntityId,
    canonical: &str,
) -> StoreResult<Option<StoredMerge>> {
    connection
        .prepare_cached(&format!(
            "{MERGE} WHERE g.kept_entity_id = ?1 AND g.actor_id = ?2 AND g.undone_at IS NULL AND m.canonical_name = ?3
             ORDER BY g.rid DESC LIMIT 1"
        ))?
        .query_row([kept.as_str(), actor.as_str(), canonical], |row| Ok(merge(row)))
        .optional()?
        .transpose()
}

/// Whether either entity of a merge took part in a later one that stands. What other spaces merged into a shared entity
/// is no hindrance: a merge moves what its own space knows.
///
/// # Errors
/// SQLite's.
pub fn merged_since(connection: &Connection, merge: &Merge) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM entity_merges g JOIN entity_merges later ON later.undone_at IS NULL AND later.rid > g.rid
               AND (later.kept_entity_id IN (?2, ?3) OR later.merged_entity_id IN (?2, ?3))
               AND (later.space_id IN (g.space_id, 'GLOBAL') OR g.space_id = 'GLOBAL'
                 OR later.merged_entity_id IN (?2, ?3))
             WHERE g.id = ?1",
        )?
        .exists(params![merge.id.as_str(), merge.kept.id.as_str(), merge.merged.id.as_str()])?)
}

/// Marks a merge as undone.
///
/// # Errors
/// SQLite's.
pub fn undo_merge(connection: &Connection, id: &MergeId, actor: &AgentId, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE entity_merges SET undone_by = ?2, undone_at = ?3 WHERE id = ?1 AND undone_at IS NULL",
        params![id.as_str(), actor.as_str(), now],
    )?;
    Ok(())
}

/// Moves rows that name one entity to another, and gives the ids of what moved: other names and links.
/// Links that the target has already stay where they are.
///
/// # Errors
/// SQLite's.
pub fn move_names_and_links(
    connection: &Connection,
    from: &EntityId,
    to: &EntityId,
) -> StoreResult<(Vec<String>, Vec<String>)> {
    let aliases = connection
        .prepare(
            "UPDATE entity_aliases AS a SET entity_id = ?2 WHERE entity_id = ?1 AND NOT EXISTS
               (SELECT 1 FROM entity_aliases b WHERE b.entity_id = ?2 AND b.space_id = a.space_id AND b.canonical_alias = a.canonical_alias)
             RETURNING id",
        )?
        .query_map([from.as_str(), to.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let links = connection
        .prepare(
            "UPDATE memory_entity_links AS l SET entity_id = ?2 WHERE entity_id = ?1 AND NOT EXISTS
               (SELECT 1 FROM memory_entity_links b WHERE b.entity_id = ?2 AND b.memory_id = l.memory_id
                  AND b.link_type = l.link_type) RETURNING id",
        )?
        .query_map([from.as_str(), to.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok((aliases, links))
}

/// Gives an entity all other names and links that a space has of another one.
///
/// # Errors
/// SQLite's.
pub fn move_of_space(connection: &Connection, space: &SpaceId, from: &EntityId, to: &EntityId) -> StoreResult<()> {
    for (table, rest) in [
        ("entity_aliases", "b.canonical_alias = a.canonical_alias"),
        ("memory_entity_links", "b.memory_id = a.memory_id AND b.link_type = a.link_type"),
    ] {
        connection
            .prepare_cached(&format!(
                "UPDATE {table} AS a SET entity_id = ?3 WHERE entity_id = ?2 AND +space_id = ?1 AND NOT EXISTS
                   (SELECT 1 FROM {table} b WHERE b.entity_id = ?3 AND b.space_id = a.space_id AND {rest})"
            ))?
            .execute([space.as_str(), from.as_str(), to.as_str()])?;
    }
    Ok(())
}

/// Gives rows back to an entity: the reverse of [`move_names_and_links`].
///
/// # Errors
/// SQLite's.
pub fn return_names_and_links(
    connection: &Connection,
    to: &EntityId,
    aliases: &[String],
    links: &[String],
) -> StoreResult<()> {
    for (table, ids) in [("entity_aliases", aliases), ("memory_entity_links", links)] {
        connection.execute(
            &format!("UPDATE {table} SET entity_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))"),
            params![to.as_str(), serde_json::to_string(ids)?],
        )?;
    }
    Ok(())
}
