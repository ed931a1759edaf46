//! `entities`, their other names, the memories that name them, and merges.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use um_model::belief::{EntityType, MatchType};
use um_model::claims::{Entity, EntityRef, Merge};
use um_model::{AgentId, EntityId, EpochMs, MemoryId, MergeId, SpaceId, Utf16Span, ViewId};

const COLUMNS: &str = "e.id, e.name, e.entity_type, e.space_id, e.merged_into, e.created_at,
  (SELECT json_group_array(alias) FROM (SELECT alias FROM entity_aliases
     WHERE entity_id = e.id AND is_redacted = 0 AND canonical_alias <> e.canonical_name
     ORDER BY is_primary DESC, rid)),
  (SELECT count(*) FROM claims c WHERE c.entity_id = e.id AND c.state IN ('asserted', 'disputed')),
  (SELECT count(*) FROM claims c WHERE c.entity_id = e.id AND c.state = 'disputed'),
  (SELECT count(DISTINCT memory_id) FROM memory_entity_links l WHERE l.entity_id = e.id)";

fn entity(row: &Row<'_>) -> StoreResult<Entity> {
    Ok(Entity {
        id: EntityId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        entity_type: row.get::<_, String>(2)?.parse()?,
        space_id: SpaceId::parse(row.get::<_, String>(3)?)?,
        merged_into: row.get::<_, Option<String>>(4)?.map(EntityId::parse).transpose()?,
        created_at: row.get(5)?,
        aliases: serde_json::from_str(&row.get::<_, String>(6)?)?,
        claims: row.get(7)?,
        disputed: row.get(8)?,
        memories: row.get(9)?,
    })
}

/// The entity of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &EntityId) -> StoreResult<Option<Entity>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM entities e WHERE e.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(entity(row)))
        .optional()?
        .transpose()
}

/// The entity that stands for another one now: the end of its merges, or it itself. Counts nothing.
///
/// # Errors
/// SQLite's.
pub fn standing(connection: &Connection, id: &EntityId) -> StoreResult<Option<EntityRef>> {
    connection
        .prepare_cached(
            "WITH RECURSIVE way(id, step) AS (SELECT ?1, 0 UNION ALL
               SELECT e.merged_into, step + 1 FROM way JOIN entities e ON e.id = way.id
               WHERE e.merged_into IS NOT NULL AND step < 1000)
             SELECT e.id, e.name, e.entity_type FROM way JOIN entities e ON e.id = way.id ORDER BY step DESC LIMIT 1",
        )?
        .query_row([id.as_str()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })
        .optional()?
        .map(|(id, name, entity_type)| {
            Ok(EntityRef { id: EntityId::parse(id)?, name, entity_type: entity_type.parse()? })
        })
        .transpose()
}

/// Adds an entity.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    space: &SpaceId,
    name: &str,
    canonical: &str,
    entity_type: EntityType,
    now: EpochMs,
) -> StoreResult<EntityId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO entities (id, name, canonical_name, entity_type, space_id, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        )?
        .execute(params![id, name, canonical, entity_type.as_str(), space.as_str(), now])?;
    Ok(EntityId::parse(id)?)
}

/// An entity that a name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The entity.
    pub id: EntityId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub entity_type: EntityType,
    /// By its name, or by another name of it.
    pub match_type: MatchType,
}

impl Named {
    /// As a claim names it.
    pub fn reference(&self) -> EntityRef {
        EntityRef { id: self.id.clone(), name: self.name.clone(), entity_type: self.entity_type }
    }
}

fn named(row: &Row<'_>) -> StoreResult<Named> {
    Ok(Named {
        id: EntityId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        entity_type: row.get::<_, String>(2)?.parse()?,
        match_type: if row.get(3)? { MatchType::Exact } else { MatchType::Alias },
    })
}

/// The entities in use that bear a name (in its canonical form) in the space, by name before by alias; where there
/// is none, those of `GLOBAL`.
///
/// # Errors
/// SQLite's.
pub fn by_name(connection: &Connection, space: &SpaceId, canonical: &str) -> StoreResult<Vec<Named>> {
    let mut found: Vec<(Named, bool)> = connection
        .prepare_cached(
            "SELECT id, name, entity_type, max(exact), space_id = 'GLOBAL', rid FROM (
               SELECT e.id, e.name, e.entity_type, 1 AS exact, e.space_id, e.rid FROM entities e
               WHERE e.canonical_name = ?2 AND e.space_id IN (?1, 'GLOBAL') AND e.is_active = 1 AND e.is_redacted = 0
               UNION ALL
               SELECT e.id, e.name, e.entity_type, 0, e.space_id, e.rid FROM entity_aliases a
               JOIN entities e ON e.id = a.entity_id
               WHERE a.canonical_alias = ?2 AND a.space_id IN (?1, 'GLOBAL') AND a.is_redacted = 0
                 AND e.space_id IN (?1, 'GLOBAL') AND e.is_active = 1 AND e.is_redacted = 0)
             GROUP BY id ORDER BY max(exact) DESC, rid",
        )?
        .query_and_then(params![space.as_str(), canonical], |row| Ok((named(row)?, row.get(4)?)))?
        .collect::<StoreResult<_>>()?;
    if found.iter().any(|(_, global)| !global) {
        found.retain(|(_, global)| !global);
    }
    Ok(found.into_iter().map(|(named, _)| named).collect())
}

/// Entities in use in the space whose canonical name holds one of these words as a whole word; at most `limit`.
/// Goes through the space's entities once.
///
/// # Errors
/// SQLite's.
pub fn with_words(
    connection: &Connection,
    space: &SpaceId,
    words: &[&str],
    limit: u32,
) -> StoreResult<Vec<(Named, String)>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let holds: Vec<String> = (3..3 + words.len())
        .map(|at| format!("instr(' ' || canonical_name || ' ', ' ' || ?{at} || ' ') > 0"))
        .collect();
    let space = space.as_str();
    let mut params: Vec<&dyn ToSql> = vec![&space, &limit];
    params.extend(words.iter().map(|word| word as &dyn ToSql));
    connection
        .prepare_cached(&format!(
            "SELECT id, name, entity_type, 0, canonical_name FROM entities
             WHERE space_id = ?1 AND is_active = 1 AND is_redacted = 0 AND ({}) ORDER BY rid LIMIT ?2",
            holds.join(" OR ")
        ))?
        .query_and_then(&params[..], |row| Ok((named(row)?, row.get(4)?)))?
        .collect()
}

/// Gives an entity another name; `canonical` is the form that it is compared in. One that it has already stays.
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
    let added = connection
        .prepare_cached(
            "INSERT INTO entity_aliases (id, entity_id, alias, canonical_alias, space_id, created_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM entity_aliases
               WHERE space_id = ?5 AND canonical_alias = ?4 AND entity_id = ?2 AND is_redacted = 0)",
        )?
        .execute(params![new_id(now), id.as_str(), alias, canonical, space.as_str(), now])?;
    Ok(added > 0)
}

/// Changes an entity's name or type.
///
/// # Errors
/// SQLite's.
pub fn update(
    connection: &Connection,
    id: &EntityId,
    name: &str,
    canonical: &str,
    entity_type: EntityType,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE entities SET name = ?2, canonical_name = ?3, entity_type = ?4, updated_at = ?5 WHERE id = ?1",
        )?
        .execute(params![id.as_str(), name, canonical, entity_type.as_str(), now])?;
    Ok(())
}

/// Says that an entity went into another one, or (`None`) stands for itself again.
///
/// # Errors
/// SQLite's.
pub fn set_merged(connection: &Connection, id: &EntityId, into: Option<&EntityId>, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE entities SET merged_into = ?2, is_active = ?2 IS NULL, updated_at = ?3 WHERE id = ?1",
        params![id.as_str(), into.map(EntityId::as_str), now],
    )?;
    Ok(())
}

/// A page of the entities in use: those with the most claims first; with their number in all. `query` is the
/// beginning of a name or of a word of it.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    query: Option<&str>,
    types: &[EntityType],
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<Entity>, u64)> {
    let spaces = serde_json::to_string(&spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?;
    let types = serde_json::to_string(&types.iter().map(|t| t.as_str()).collect::<Vec<_>>())?;
    // A global entity belongs to every space that says something of it.
    let filter = "(e.space_id IN (SELECT value FROM json_each(?1)) OR e.space_id = 'GLOBAL' AND EXISTS (
           SELECT 1 FROM claims g WHERE g.entity_id = e.id AND g.space_id IN (SELECT value FROM json_each(?1))))
        AND e.is_active = 1 AND e.is_redacted = 0
        AND (?2 IS NULL OR instr(' ' || e.canonical_name, ' ' || ?2) > 0 OR EXISTS (SELECT 1 FROM entity_aliases a
             WHERE a.entity_id = e.id AND a.is_redacted = 0 AND instr(' ' || a.canonical_alias, ' ' || ?2) > 0))
        AND (?3 = '[]' OR e.entity_type IN (SELECT value FROM json_each(?3)))";
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM entities e WHERE {filter}"))?
        .query_row(params![spaces, query, types], |row| row.get(0))?;
    let entities = connection
        .prepare_cached(&format!(
            // The page is chosen first: names and counts are looked up for its rows only.
            "SELECT {COLUMNS} FROM (
               SELECT e.id AS chosen, count(c.rid) AS weight, e.rid AS place FROM entities e
               LEFT JOIN claims c ON c.entity_id = e.id AND c.state IN ('asserted', 'disputed')
               WHERE {filter} GROUP BY e.id ORDER BY weight DESC, place LIMIT ?4 OFFSET ?5)
             JOIN entities e ON e.id = chosen ORDER BY weight DESC, place"
        ))?
        .query_and_then(params![spaces, query, types, limit, offset], entity)?
        .collect::<StoreResult<_>>()?;
    Ok((entities, total))
}

/// Where a text names an entity.
#[derive(Debug, Clone)]
pub struct Link<'a> {
    /// The memory.
    pub memory: &'a MemoryId,
    /// The view of its file that holds the words, where it is one.
    pub view: Option<&'a ViewId>,
    /// The entity.
    pub entity: &'a EntityId,
    /// `subject` or `mention`
    pub link_type: &'static str,
    /// How it was matched.
    pub match_type: MatchType,
    /// Where.
    pub span: Option<Utf16Span>,
}

/// Says that a memory names an entity; a further place is added to those known.
///
/// # Errors
/// SQLite's.
pub fn link(connection: &Connection, space: &SpaceId, link: &Link<'_>, now: EpochMs) -> StoreResult<()> {
    let span = link.span.map_or_else(|| "[]".to_owned(), |s| format!("[[{},{}]]", s.start, s.end));
    connection
        .prepare_cached(
            "INSERT INTO memory_entity_links (id, memory_id, entity_id, link_type, match_type, text_view_id, spans,
               space_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (memory_id, entity_id, link_type) DO UPDATE SET spans = json_insert(spans, '$[#]', json(?10))
             WHERE text_view_id IS excluded.text_view_id AND ?10 IS NOT NULL AND json_array_length(spans) < 50
               AND NOT EXISTS (SELECT 1 FROM json_each(memory_entity_links.spans) WHERE value = ?10)",
        )?
        .execute(params![
            new_id(now),
            link.memory.as_str(),
            link.entity.as_str(),
            link.link_type,
            link.match_type.as_str(),
            link.view.map(ViewId::as_str),
            span,
            space.as_str(),
            now,
            link.span.map(|s| format!("[{},{}]", s.start, s.end)),
        ])?;
    Ok(())
}

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

/// The merges that an entity was part of, the latest first.
///
/// # Errors
/// SQLite's.
pub fn merges_of(connection: &Connection, id: &EntityId) -> StoreResult<Vec<Merge>> {
    connection
        .prepare_cached(&format!(
            "{MERGE} WHERE g.kept_entity_id = ?1 OR g.merged_entity_id = ?1 ORDER BY g.rid DESC LIMIT 50"
        ))?
        .query_and_then([id.as_str()], |row| Ok(merge(row)?.0))?
        .collect()
}

/// Whether either entity of a merge took part in a later one that stands.
///
/// # Errors
/// SQLite's.
pub fn merged_since(connection: &Connection, merge: &Merge) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM entity_merges WHERE undone_at IS NULL
               AND rid > (SELECT rid FROM entity_merges WHERE id = ?1)
               AND (kept_entity_id IN (?2, ?3) OR merged_entity_id IN (?2, ?3))",
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

/// Takes a `GLOBAL` entity out of use that no claim names and nothing is merged into any more.
///
/// # Errors
/// SQLite's.
pub fn drop_unused_global(connection: &Connection, id: &EntityId, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE entities SET is_active = 0, updated_at = ?2 WHERE id = ?1 AND space_id = 'GLOBAL'
           AND NOT EXISTS (SELECT 1 FROM claims WHERE entity_id = ?1 OR target_entity_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM entity_merges WHERE kept_entity_id = ?1 AND undone_at IS NULL)",
        params![id.as_str(), now],
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
