//! `item_relations`: how items bear on one another. A row lies in the space of the item that it leads from; what it leads to
//! lies there too, or in GLOBAL.

use crate::{StoreResult, ids::new_id, items};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::claims::Direction;
use um_model::work::{ItemKey, Relation, RelationType};
use um_model::{AgentId, EpochMs, EventId, RelationId, SpaceId};

/// A relation that is to be written down. It holds no words of anybody's.
#[derive(Debug)]
pub struct NewRelation<'a> {
    /// The space of the item that it leads from.
    pub space: &'a SpaceId,
    /// The item that it leads from.
    pub from: &'a ItemKey,
    /// The item that it leads to.
    pub to: &'a ItemKey,
    /// How the first bears on the second.
    pub relation_type: RelationType,
    /// Since when.
    pub valid_from: Option<EpochMs>,
    /// Until when.
    pub valid_until: Option<EpochMs>,
    /// The events that it rests on.
    pub source_event_ids: &'a [EventId],
    /// Who says so.
    pub actor: &'a AgentId,
}

/// Writes a relation down.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, new: &NewRelation<'_>, now: EpochMs) -> StoreResult<RelationId> {
    let id = RelationId::parse(new_id(now))?;
    connection
        .prepare_cached(
            "INSERT INTO item_relations (id, space_id, from_type, from_id, to_type, to_id, relation_type, valid_from, valid_until,
               source_event_ids, created_at, created_by)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            id.as_str(),
            new.space.as_str(),
            new.from.item_type.as_str(),
            new.from.id,
            new.to.item_type.as_str(),
            new.to.id,
            new.relation_type.as_str(),
            new.valid_from,
            new.valid_until,
            serde_json::to_string(new.source_event_ids)?,
            now,
            new.actor.as_str()
        ])?;
    if let Some(until) = new.valid_until {
        note_end(connection, &id, until, now)?;
    }
    Ok(id)
}

/// Keeps until when a relation holds, as it was said just now.
fn note_end(connection: &Connection, id: &RelationId, until: EpochMs, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO item_relation_ends (id, relation_id, valid_until, recorded_at)
             SELECT ?1 || ':' || (count(*) + 1), ?1, ?2, ?3 FROM item_relation_ends WHERE relation_id = ?1",
        )?
        .execute(params![id.as_str(), until, now])?;
    Ok(())
}

/// Says that an item was made of another one.
///
/// # Errors
/// SQLite's.
pub fn derives(
    connection: &Connection,
    space: &SpaceId,
    (made, of): (&ItemKey, &ItemKey),
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    let relation_type = RelationType::Derives;
    if between(connection, (made, of), relation_type)?.is_empty() {
        let (valid_from, valid_until) = (None, None);
        let new = NewRelation {
            space,
            from: made,
            to: of,
            relation_type,
            valid_from,
            valid_until,
            source_event_ids: &[],
            actor,
        };
        insert(connection, &new, now)?;
    }
    Ok(())
}

/// When a relation holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Its id.
    pub id: RelationId,
    /// Since when.
    pub valid_from: Option<EpochMs>,
    /// Until when.
    pub valid_until: Option<EpochMs>,
}

/// The relations of a type that lead from one item to another, the last written down first.
///
/// # Errors
/// SQLite's.
pub fn between(
    connection: &Connection,
    (from, to): (&ItemKey, &ItemKey),
    relation_type: RelationType,
) -> StoreResult<Vec<Held>> {
    connection
        .prepare_cached(
            "SELECT id, valid_from, valid_until FROM item_relations
             WHERE from_type = ?1 AND from_id = ?2 AND to_type = ?3 AND to_id = ?4 AND relation_type = ?5 ORDER BY rid DESC",
        )?
        .query_and_then(
            params![from.item_type.as_str(), from.id, to.item_type.as_str(), to.id, relation_type.as_str()],
            |row| {
                let id = RelationId::parse(row.get::<_, String>(0)?)?;
                Ok(Held { id, valid_from: row.get(1)?, valid_until: row.get(2)? })
            },
        )?
        .collect()
}

/// Says until when a relation held. What was said of that before stays on record, as known until now.
///
/// # Errors
/// SQLite's.
pub fn end(connection: &Connection, id: &RelationId, at: EpochMs, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE item_relations SET valid_until = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), at])?;
    note_end(connection, id, at, now)
}

/// Until when a relation holds by what was on record at a time. What has no end by now had none before.
fn until(relation: &str, known_at: &str) -> String {
    format!(
        "iif({relation}.valid_until IS NULL, NULL, (SELECT told.valid_until FROM item_relation_ends told
           WHERE told.relation_id = {relation}.id AND told.recorded_at <= {known_at} ORDER BY told.rid DESC LIMIT 1))"
    )
}

/// The condition that a relation was on record at a time, and held at another one by what was; at any where that is null.
pub(crate) fn holds(relation: &str, at: &str, known_at: &str) -> String {
    let until = until(relation, known_at);
    format!(
        "{relation}.created_at <= {known_at} AND ({at} IS NULL
           OR ifnull({relation}.valid_from, {at}) <= {at} AND ifnull({until}, {at} + 1) > {at})"
    )
}

/// Takes a relation back.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, id: &RelationId) -> StoreResult<()> {
    connection.prepare_cached("DELETE FROM item_relations WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}

/// A relation as it is stored: its ends by type and id.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its rid.
    pub rid: i64,
    /// Its id.
    pub id: RelationId,
    /// The space that it lies in.
    pub space_id: SpaceId,
    /// The item that it leads from.
    pub from: ItemKey,
    /// The item that it leads to.
    pub to: ItemKey,
    relation_type: RelationType,
    valid_from: Option<EpochMs>,
    valid_until: Option<EpochMs>,
    source_event_ids: Vec<EventId>,
    created_at: EpochMs,
    created_by: Option<AgentId>,
}

fn columns(until: &str) -> String {
    format!(
        "r.rid, r.id, r.space_id, r.from_type, r.from_id, r.to_type, r.to_id, r.relation_type, r.valid_from,
         {until}, r.source_event_ids, r.created_at, r.created_by"
    )
}

fn stored(row: &Row<'_>) -> StoreResult<Stored> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Stored {
        rid: row.get(0)?,
        id: RelationId::parse(text(1)?)?,
        space_id: SpaceId::parse(text(2)?)?,
        from: ItemKey { item_type: text(3)?.parse()?, id: text(4)? },
        to: ItemKey { item_type: text(5)?.parse()?, id: text(6)? },
        relation_type: text(7)?.parse()?,
        valid_from: row.get(8)?,
        valid_until: row.get(9)?,
        source_event_ids: serde_json::from_str(&text(10)?)?,
        created_at: row.get(11)?,
        created_by: row.get::<_, Option<String>>(12)?.map(AgentId::parse).transpose()?,
    })
}

/// A relation as it is read, with what its ends are called; nothing where one of them was blacked out.
///
/// # Errors
/// SQLite's.
pub fn named(connection: &Connection, one: Stored) -> StoreResult<Option<Relation>> {
    let (Some(from), Some(to)) = (items::by_key(connection, &one.from)?, items::by_key(connection, &one.to)?) else {
        return Ok(None);
    };
    Ok(Some(Relation {
        id: one.id,
        space_id: one.space_id,
        from,
        to,
        relation_type: one.relation_type,
        valid_from: one.valid_from,
        valid_until: one.valid_until,
        source_event_ids: one.source_event_ids,
        created_at: one.created_at,
        created_by: one.created_by,
    }))
}

/// A relation by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &RelationId) -> StoreResult<Option<Stored>> {
    connection
        .prepare_cached(&format!("SELECT {} FROM item_relations r WHERE r.id = ?1", columns("r.valid_until")))?
        .query_row([id.as_str()], |row| Ok(stored(row)))
        .optional()?
        .transpose()
}

/// Which relations are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Only in these spaces.
    pub spaces: &'a [SpaceId],
    /// Only of these types; of all where there are none.
    pub types: &'a [RelationType],
    /// Only those that hold at this time.
    pub at: Option<EpochMs>,
    /// As was on record at this time.
    pub known_at: Option<EpochMs>,
}

impl Wanted<'_> {
    /// What is read of relations that meet the conditions of the first four parameters, and `of_these`.
    fn select(of_these: &str) -> String {
        format!(
            "SELECT {} FROM item_relations r WHERE {of_these} r.space_id IN (SELECT value FROM json_each(?1))
               AND (json_array_length(?2) = 0 OR r.relation_type IN (SELECT value FROM json_each(?2))) AND {}",
            columns(&until("r", "?4")),
            holds("r", "?3", "?4")
        )
    }

    fn known_at(&self) -> EpochMs {
        self.known_at.unwrap_or(EpochMs::MAX)
    }

    fn words(&self) -> StoreResult<(String, String)> {
        Ok((serde_json::to_string(self.spaces)?, serde_json::to_string(self.types)?))
    }
}

/// Relations of those spaces, the last written down first, at most `limit` after `offset`.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, wanted: Wanted<'_>, (offset, limit): (usize, usize)) -> StoreResult<Vec<Stored>> {
    let (spaces, types) = wanted.words()?;
    connection
        .prepare_cached(&format!("{} ORDER BY r.rid DESC LIMIT ?5 OFFSET ?6", Wanted::select("")))?
        .query_and_then(params![spaces, types, wanted.at, wanted.known_at(), limit as i64, offset as i64], stored)?
        .collect()
}

/// Relations that lead from or to an item, the last written down first, at most `limit` after `offset`.
///
/// # Errors
/// SQLite's.
pub fn of_item(
    connection: &Connection,
    item: &ItemKey,
    direction: Direction,
    wanted: Wanted<'_>,
    (offset, limit): (usize, usize),
) -> StoreResult<Vec<Stored>> {
    let (spaces, types) = wanted.words()?;
    let (item_type, limit, offset) = (item.item_type.as_str(), limit as i64, offset as i64);
    connection
        .prepare_cached(&at_item(direction))?
        .query_and_then(
            params![spaces, types, wanted.at, wanted.known_at(), item_type, item.id, limit, offset],
            stored,
        )?
        .collect()
}

/// The statement of the relations at the item `?5` with the id `?6`.
fn at_item(direction: Direction) -> String {
    let from = Wanted::select("r.from_type = ?5 AND r.from_id = ?6 AND");
    let to = Wanted::select("r.to_type = ?5 AND r.to_id = ?6 AND");
    // What says the same from either end leads both ways.
    let mutual = "r.relation_type IN ('contradicts', 'conflicts_with', 'related_to')";
    let sql = match direction {
        Direction::Out => format!("{from} UNION ALL {to} AND {mutual}"),
        Direction::In => format!("{to} UNION ALL {from} AND {mutual}"),
        Direction::Both => format!("{from} UNION ALL {to}"),
    };
    format!("{sql} ORDER BY 1 DESC LIMIT ?7 OFFSET ?8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn relations_of_an_item_are_looked_up_from_both_ends() {
        let db = migrated();
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            let plan = plan(&db, &at_item(direction));
            assert!(plan.contains("idx_relations_from (from_type=? AND from_id=?)"), "{plan}");
            assert!(plan.contains("idx_relations_to (to_type=? AND to_id=?)"), "{plan}");
            assert!(plan.contains("idx_relation_ends (relation_id=?)") && !plan.contains("SCAN told"), "{plan}");
            assert!(!plan.contains("SCAN r"), "{plan}");
        }
    }
}
