//! `relationship_types` and `attribute_keys`: the words for what may be said. The predefined ones, in `GLOBAL`, are
//! those of [`um_model::predicates`]; a space may add its own.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::belief::{Cardinality, ValueKind};
use um_model::claims::{PredicateInfo, PredicateKnown};
use um_model::{EpochMs, SpaceId};

/// How many values an attribute has at a time.
fn how_many(cardinality: Cardinality) -> &'static str {
    if cardinality == Cardinality::ManyToOne { "one" } else { "many" }
}

/// A relation as a space knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its name the other way round.
    pub inverse: Option<String>,
    /// How many may stand on each side.
    pub cardinality: Cardinality,
    /// How it reads, where the space that defined it said so.
    pub phrase: Option<String>,
}

impl Relation {
    /// Whether it reads the same both ways.
    pub fn is_symmetric(&self) -> bool {
        self.inverse.as_ref() == Some(&self.name)
    }
}

/// What the space or `GLOBAL` knows of a relation, by its name or by its name the other way round.
///
/// # Errors
/// SQLite's.
pub fn relation(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Option<Relation>> {
    connection
        .prepare_cached(
            "SELECT id, name, inverse_name, cardinality, description FROM relationship_types
             WHERE (name = ?2 OR inverse_name = ?2) AND space_id IN (?1, 'GLOBAL')
             ORDER BY name <> ?2, space_id = 'GLOBAL' LIMIT 1",
        )?
        .query_row(params![space.as_str(), name], |row| {
            let known = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?);
            Ok((known, row.get::<_, String>(3)?))
        })
        .optional()?
        .map(|((id, name, inverse, phrase), cardinality)| {
            Ok(Relation { id, name, inverse, cardinality: cardinality.parse()?, phrase })
        })
        .transpose()
}

/// An attribute as a space knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its id.
    pub id: String,
    /// Whether it has one value at a time.
    pub single: bool,
    /// What kind of value it has.
    pub kind: ValueKind,
    /// How it reads, where the space that defined it said so.
    pub phrase: Option<String>,
}

/// All relations and attributes of these spaces, by their names; `GLOBAL` ones are of no space.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Vec<PredicateKnown>> {
    let spaces = crate::filter::ids(spaces)?;
    connection
        .prepare_cached(
            "SELECT name, ifnull(description, replace(name, '_', ' ')), 1, inverse_name, cardinality, NULL, nullif(space_id, 'GLOBAL')
             FROM relationship_types WHERE space_id IN (SELECT value FROM json_each(?1))
             UNION ALL
             SELECT name, ifnull(description, replace(name, '_', ' ')), 0, NULL,
               iif(cardinality = 'one', 'many_to_one', 'many_to_many'), value_kind, nullif(space_id, 'GLOBAL')
             FROM attribute_keys WHERE space_id IN (SELECT value FROM json_each(?1)) ORDER BY 1, 7",
        )?
        .query_and_then([spaces], |row| {
            let predicate = PredicateInfo {
                name: row.get(0)?,
                phrase: row.get(1)?,
                relates: row.get(2)?,
                inverse: row.get(3)?,
                cardinality: row.get::<_, String>(4)?.parse()?,
                value_kind: row.get::<_, Option<String>>(5)?.map(|kind| kind.parse()).transpose()?,
            };
            let space = row.get::<_, Option<String>>(6)?.map(SpaceId::parse).transpose()?;
            Ok(PredicateKnown { predicate, space })
        })?
        .collect()
}

/// What the space or `GLOBAL` knows of an attribute.
///
/// # Errors
/// SQLite's.
pub fn attribute(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Option<Attribute>> {
    connection
        .prepare_cached(
            "SELECT id, cardinality = 'one', value_kind, description FROM attribute_keys
             WHERE name = ?2 AND space_id IN (?1, 'GLOBAL') ORDER BY space_id = 'GLOBAL' LIMIT 1",
        )?
        .query_row(params![space.as_str(), name], |row| {
            let known = (row.get(0)?, row.get(1)?, row.get(3)?);
            Ok((known, row.get::<_, String>(2)?))
        })
        .optional()?
        .map(|((id, single, phrase), kind)| Ok(Attribute { id, single, kind: kind.parse()?, phrase }))
        .transpose()
}

/// Adds a relation or attribute to a space.
///
/// # Errors
/// A name that is taken; SQLite's.
pub fn define(connection: &Connection, space: &SpaceId, new: &PredicateInfo, now: EpochMs) -> StoreResult<String> {
    let id = new_id(now);
    if new.relates {
        connection.execute(
            "INSERT INTO relationship_types (id, space_id, name, inverse_name, cardinality, description, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![id, space.as_str(), new.name, new.inverse, new.cardinality.as_str(), new.phrase, now],
        )?;
    } else {
        let kind = new.value_kind.unwrap_or(ValueKind::Text);
        connection.execute(
            "INSERT INTO attribute_keys (id, space_id, name, cardinality, value_kind, description, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![id, space.as_str(), new.name, how_many(new.cardinality), kind.as_str(), new.phrase, now],
        )?;
    }
    Ok(id)
}

/// Changes a definition of a space, but for its name.
///
/// # Errors
/// SQLite's.
pub fn redefine(connection: &Connection, id: &str, new: &PredicateInfo) -> StoreResult<()> {
    if new.relates {
        connection.execute(
            "UPDATE relationship_types SET inverse_name = ?2, cardinality = ?3, description = ?4 WHERE id = ?1",
            params![id, new.inverse, new.cardinality.as_str(), new.phrase],
        )?;
    } else {
        let kind = new.value_kind.unwrap_or(ValueKind::Text);
        connection.execute(
            "UPDATE attribute_keys SET cardinality = ?2, value_kind = ?3, description = ?4 WHERE id = ?1",
            params![id, how_many(new.cardinality), kind.as_str(), new.phrase],
        )?;
    }
    Ok(())
}
