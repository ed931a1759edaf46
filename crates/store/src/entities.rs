//! `entities`, their other names, the memories that name them, and merges.

mod aliases;
mod form;
mod links;
mod merges;

pub use aliases::{add_alias, remove_alias};
pub(crate) use form::renew_form;
pub use links::{
    LOOKED_THROUGH, Link, Mentioned, link, memories_naming, mentions, named_at, named_only_in, naming_any, unlink_since,
};
pub use merges::{
    StoredMerge, insert_merge, merge_by, merge_by_id, merged_since, merges_of, move_names_and_links, move_of_space,
    return_names_and_links, undo_merge, was_parted,
};

use crate::{StoreResult, filter, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::{BTreeMap, HashMap, HashSet};
use um_model::belief::{EntityType, MatchType};
use um_model::claims::{Entity, EntityRef};
use um_model::{EntityId, EpochMs, SpaceId};

/// An entity as the spaces of `?1` see it. Of one that every space may name, only its name and type are shared: what
/// else is known of it stands in the space that learned it, and is seen from there.
const COLUMNS: &str = "e.id, e.name, e.entity_type, e.space_id, e.merged_into, e.created_at,
  (SELECT json_group_array(alias) FROM (SELECT alias FROM entity_aliases a
     WHERE a.entity_id = e.id AND a.is_redacted = 0 AND a.removed_at IS NULL AND a.canonical_alias <> e.canonical_name
       AND (a.space_id = 'GLOBAL' OR a.space_id IN (SELECT value FROM json_each(?1)))
     ORDER BY is_primary DESC, rid)),
  (SELECT count(*) FROM claims c WHERE c.entity_id = e.id AND c.state IN ('asserted', 'disputed')
     AND +c.space_id IN (SELECT value FROM json_each(?1))),
  (SELECT count(*) FROM claims c WHERE c.entity_id = e.id AND c.state = 'disputed'
     AND +c.space_id IN (SELECT value FROM json_each(?1))),
  (SELECT count(DISTINCT memory_id) FROM memory_entity_links l WHERE l.entity_id = e.id
     AND +l.space_id IN (SELECT value FROM json_each(?1)))";

fn entity(row: &Row<'_>) -> StoreResult<Entity> {
    // Two spaces may know it by the same name.
    let mut aliases: Vec<String> = serde_json::from_str(&row.get::<_, String>(6)?)?;
    let mut known = std::collections::BTreeSet::new();
    aliases.retain(|alias| known.insert(alias.clone()));
    Ok(Entity {
        id: EntityId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        entity_type: row.get::<_, String>(2)?.parse()?,
        space_id: SpaceId::parse(row.get::<_, String>(3)?)?,
        merged_into: row.get::<_, Option<String>>(4)?.map(EntityId::parse).transpose()?,
        created_at: row.get(5)?,
        aliases,
        claims: row.get(7)?,
        disputed: row.get(8)?,
        memories: row.get(9)?,
    })
}

/// The entity of that id, with what the given spaces know of it: their names for it, and how much they say of it.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &EntityId, seen_from: &[SpaceId]) -> StoreResult<Option<Entity>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM entities e WHERE e.id = ?2"))?
        .query_row(params![filter::ids(seen_from)?, id.as_str()], |row| Ok(entity(row)))
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

/// The space of an entity.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, id: &EntityId) -> StoreResult<Option<SpaceId>> {
    let space: Option<String> = connection
        .prepare_cached("SELECT space_id FROM entities WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(space.map(SpaceId::parse).transpose()?)
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
               WHERE a.canonical_alias = ?2 AND a.space_id IN (?1, 'GLOBAL') AND a.is_redacted = 0 AND a.removed_at IS NULL
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

/// Those of some names (in their canonical form) that may be borne in some spaces and in `GLOBAL`, by the space; the others
/// [nobody bears](by_name).
///
/// # Errors
/// SQLite's.
pub fn borne(
    connection: &Connection,
    spaces: &[SpaceId],
    canonical: &[String],
) -> StoreResult<HashMap<String, HashSet<String>>> {
    let mut all = spaces.to_vec();
    all.push(SpaceId::global());
    let mut borne: HashMap<String, HashSet<String>> = HashMap::new();
    let mut statement = connection.prepare_cached(BORNE)?;
    let mut rows = statement.query([filter::ids(&all)?, serde_json::to_string(canonical)?])?;
    while let Some(row) = rows.next()? {
        borne.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(borne)
}

/// The names of `?2` that stand in the spaces of `?1`, each with its space.
const BORNE: &str = "SELECT e.space_id, e.canonical_name FROM json_each(?2) n CROSS JOIN entities e
    ON e.space_id IN (SELECT value FROM json_each(?1)) AND e.canonical_name = n.value
  UNION ALL SELECT a.space_id, a.canonical_alias FROM json_each(?2) n CROSS JOIN entity_aliases a
    ON a.canonical_alias = n.value WHERE +a.space_id IN (SELECT value FROM json_each(?1))";

/// Persons in use in the space whose canonical name begins with this word and goes on; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn persons_called(
    connection: &Connection,
    space: &SpaceId,
    first_name: &str,
    limit: u32,
) -> StoreResult<Vec<Named>> {
    connection
        .prepare_cached(
            // Between the space and the character after it lie all names that go on after the word.
            "SELECT id, name, entity_type, 0 FROM entities
             WHERE space_id = ?1 AND canonical_name > ?2 || ' ' AND canonical_name < ?2 || '!'
               AND entity_type = 'person' AND is_active = 1 AND is_redacted = 0 ORDER BY rid LIMIT ?3",
        )?
        .query_and_then(params![space.as_str(), first_name, limit], named)?
        .collect()
}

/// An entity that holds a word, in use.
const OF_WORD: &str = "SELECT e.id, e.name, e.entity_type, 0, e.canonical_name, w.rid FROM entity_words w
  CROSS JOIN entities e ON e.rid = w.rid
  WHERE w.space_id = ?1 AND w.word = ?2 AND e.is_active = 1 AND e.is_redacted = 0 ORDER BY w.rid LIMIT ?3";

/// Entities in use in the space whose canonical name holds one of these words as a whole word, in the order in which they came; at
/// most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_words(
    connection: &Connection,
    space: &SpaceId,
    words: &[&str],
    limit: u32,
) -> StoreResult<Vec<(Named, String)>> {
    let mut statement = connection.prepare_cached(OF_WORD)?;
    let mut found = BTreeMap::new();
    for word in words {
        let mut rows = statement.query(params![space.as_str(), word, limit])?;
        while let Some(row) = rows.next()? {
            found.insert(row.get::<_, i64>(5)?, (named(row)?, row.get(4)?));
        }
    }
    Ok(found.into_values().take(limit as usize).collect())
}

/// Changes what an entity is.
///
/// # Errors
/// SQLite's.
pub fn set_type(connection: &Connection, id: &EntityId, entity_type: EntityType, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE entities SET entity_type = ?2, updated_at = ?3 WHERE id = ?1")?
        .execute(params![id.as_str(), entity_type.as_str(), now])?;
    Ok(())
}

/// Gives an entity another name, without keeping the one that it had.
///
/// # Errors
/// SQLite's.
pub fn rename(connection: &Connection, id: &EntityId, name: &str, canonical: &str, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE entities SET name = ?2, canonical_name = ?3, updated_at = ?4 WHERE id = ?1")?
        .execute(params![id.as_str(), name, canonical, now])?;
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

/// A page of the entities in use as these spaces see them: those with the most claims first; with their number in
/// all. `query` is the beginning of a name or of a word of it.
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
    let spaces = filter::ids(spaces)?;
    let types = serde_json::to_string(&types.iter().map(|t| t.as_str()).collect::<Vec<_>>())?;
    // A global entity belongs to every space that says something of it or names it.
    let filter = "(e.space_id IN (SELECT value FROM json_each(?1)) OR e.space_id = 'GLOBAL' AND (
             EXISTS (SELECT 1 FROM claims g WHERE g.entity_id = e.id
               AND +g.space_id IN (SELECT value FROM json_each(?1)))
             OR EXISTS (SELECT 1 FROM claims g WHERE g.target_entity_id = e.id
               AND +g.space_id IN (SELECT value FROM json_each(?1)))
             OR EXISTS (SELECT 1 FROM memory_entity_links l WHERE l.entity_id = e.id
               AND +l.space_id IN (SELECT value FROM json_each(?1)))))
        AND e.is_active = 1 AND e.is_redacted = 0
        AND (?2 IS NULL OR instr(' ' || e.canonical_name, ' ' || ?2) > 0 OR EXISTS (SELECT 1 FROM entity_aliases a
             WHERE a.entity_id = e.id AND a.is_redacted = 0 AND a.removed_at IS NULL AND instr(' ' || a.canonical_alias, ' ' || ?2) > 0
               AND (a.space_id = 'GLOBAL' OR a.space_id IN (SELECT value FROM json_each(?1)))))
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
                 AND +c.space_id IN (SELECT value FROM json_each(?1))
               WHERE {filter} GROUP BY e.id ORDER BY weight DESC, place LIMIT ?4 OFFSET ?5)
             JOIN entities e ON e.id = chosen ORDER BY weight DESC, place"
        ))?
        .query_and_then(params![spaces, query, types, limit, offset], entity)?
        .collect::<StoreResult<_>>()?;
    Ok((entities, total))
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

/// Takes entities out of use that nothing names: no claim, no memory, no other name, no merge. Those after `after` in the
/// order of their making, `limit` of them looked at. Gives where it got to; nothing at the end.
///
/// # Errors
/// SQLite's.
pub fn drop_orphans(connection: &Connection, after: i64, limit: u32, now: EpochMs) -> StoreResult<Option<i64>> {
    let last: Option<i64> = connection
        .prepare_cached(
            "SELECT max(rid) FROM (SELECT rid FROM entities WHERE rid > ?1 AND is_active = 1 ORDER BY rid LIMIT ?2)",
        )?
        .query_row(params![after, limit], |row| row.get(0))?;
    let Some(last) = last else { return Ok(None) };
    connection
        .prepare_cached(
            "UPDATE entities AS e SET is_active = 0, updated_at = ?3 WHERE rid > ?1 AND rid <= ?2 AND is_active = 1
               AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = e.id)
               AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.target_entity_id = e.id)
               AND NOT EXISTS (SELECT 1 FROM memory_entity_links l WHERE l.entity_id = e.id)
               AND NOT EXISTS (SELECT 1 FROM entity_aliases a WHERE a.entity_id = e.id)
               AND NOT EXISTS (SELECT 1 FROM entity_merges g WHERE g.kept_entity_id = e.id)
               AND NOT EXISTS (SELECT 1 FROM entity_merges g WHERE g.merged_entity_id = e.id)",
        )?
        .execute(params![after, last, now])?;
    Ok(Some(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    /// A database with entities of these canonical names, of `GLOBAL`, in this order.
    fn of(names: &[&str]) -> Connection {
        let db = migrated();
        for name in names {
            insert(&db, &SpaceId::global(), name, name, EntityType::Person, 1).unwrap();
        }
        db
    }

    #[test]
    fn entities_are_looked_up_by_any_word_of_their_name() {
        let db = of(&["maya okafor", "okafor", "jo okafor ruiz", "mayak", "old haldon", "left haldon"]);
        db.execute_batch(
            "UPDATE entities SET canonical_name = 'new haldon' WHERE canonical_name = 'old haldon';
             UPDATE entities SET is_active = 0 WHERE canonical_name = 'left haldon'",
        )
        .unwrap();
        let check = |words: &[&str], limit: u32, expected: &[&str]| {
            let found = with_words(&db, &SpaceId::global(), words, limit).unwrap();
            let found: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
            assert_eq!(found, expected, "{words:?}");
        };
        check(&[], 9, &[]);
        check(&["okafor"], 9, &["maya okafor", "okafor", "jo okafor ruiz"]);
        check(&["ruiz", "maya"], 9, &["maya okafor", "jo okafor ruiz"]);
        check(&["okafor", "ruiz"], 2, &["maya okafor", "okafor"]);
        check(&["old"], 9, &[]);
        check(&["haldon"], 9, &["new haldon"]);
    }

    #[test]
    fn words_are_looked_up_in_their_index() {
        let db = of(&[]);
        let plan = plan(&db, OF_WORD);
        assert!(plan.starts_with("SEARCH w USING PRIMARY KEY (space_id=? AND word=?)"), "{plan}");
        assert!(!plan.contains("SCAN") && !plan.contains("B-TREE"), "{plan}");
    }

    #[test]
    fn names_are_looked_up_in_all_spaces_at_once() {
        let db = of(&[]);
        let plan = plan(&db, BORNE);
        for step in [
            "SEARCH e USING COVERING INDEX idx_entities_canonical (space_id=? AND canonical_name=?)",
            "SEARCH a USING INDEX idx_alias_lookup (canonical_alias=?)",
        ] {
            assert!(plan.contains(step), "{plan}");
        }
    }
}
