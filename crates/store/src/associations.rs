//! How memories are connected: by whom they speak of, by their tags, by relations that somebody stated, by what is believed, and
//! by having answered a question together (`associations`, derived; the rest is read where it stands).

use crate::{StoreResult, edges::Use, filter, ids::new_id, relations};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::recall::Basis;
use um_model::{EpochMs, MemoryId, SpaceId, UnitId};

/// A connection from a node that was reached to another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The id of the node that it goes from: a memory or an entity.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
    /// Whether that is a memory.
    pub to_memory: bool,
    /// What connects them.
    pub basis: Basis,
    /// Its name: of the entity or tag, or of the relation.
    pub via: String,
    /// 0 to 1.
    pub weight: f64,
}

/// Of one node so many links are followed.
const FAN_OUT: u32 = 12;
/// What carries a tag that more memories than this carry is not connected by it.
const COMMON_TAG: u32 = 40;

/// All links of some nodes, in some spaces, that hold at a time, and were on record at `known_at` where that is given, with the time
/// that they were known with: the newest of each kind first, at most so many of each node and kind.
///
/// # Errors
/// SQLite's.
pub fn links(
    connection: &Connection,
    nodes: &[&str],
    spaces: &[SpaceId],
    (at, known_at): (EpochMs, Option<EpochMs>),
) -> StoreResult<Vec<Link>> {
    let (nodes, spaces) = (serde_json::to_string(nodes)?, filter::ids(spaces)?);
    let mut all = Vec::new();
    let (believed, stated) = (believed(known_at), stated());
    let known_at = known_at.unwrap_or(EpochMs::MAX);
    for sql in [OF_ENTITIES, TO_ENTITIES, believed.as_str(), stated.as_str(), TAGGED, TOGETHER] {
        let mut statement = connection.prepare_cached(sql)?;
        let fades = sql == TOGETHER;
        let rows = statement.query_and_then(params![nodes, spaces, at, FAN_OUT, COMMON_TAG, known_at], |row| {
            let weight = row.get(5)?;
            Ok(Link {
                from: row.get(0)?,
                to: row.get(1)?,
                to_memory: row.get(2)?,
                basis: row.get::<_, String>(3)?.parse()?,
                via: row.get(4)?,
                weight: if fades { faded(weight, row.get(6)?, at) } else { weight },
            })
        })?;
        all.extend(rows.collect::<StoreResult<Vec<_>>>()?);
    }
    Ok(all)
}

// Each takes all six parameters, whether it needs them or not.

/// From entities to the memories that name them.
const OF_ENTITIES: &str = "SELECT n.value, l.memory_id, 1, 'entity', e.name, max(l.confidence)
  FROM json_each(?1) n JOIN entities e ON e.id = n.value
  CROSS JOIN memory_entity_links l ON l.rid IN (
    SELECT o.rid FROM memory_entity_links o JOIN memories m ON m.id = o.memory_id
    WHERE o.entity_id = n.value AND m.status = 'active' AND o.space_id IN (SELECT value FROM json_each(?2))
      AND m.created_at <= ?6
    ORDER BY o.rid DESC LIMIT ?4)
  WHERE ?3 = ?3 AND ?5 = ?5 GROUP BY n.value, l.memory_id";
/// From memories to the entities that they name.
const TO_ENTITIES: &str = "SELECT n.value, l.entity_id, 0, 'entity', e.name, max(l.confidence)
  FROM json_each(?1) n CROSS JOIN memory_entity_links l ON l.rid IN (
    SELECT o.rid FROM memory_entity_links o
    WHERE o.memory_id = n.value AND o.space_id IN (SELECT value FROM json_each(?2)) ORDER BY o.rid LIMIT ?4)
  JOIN entities e ON e.id = l.entity_id
  WHERE ?3 = ?3 AND ?5 = ?5 AND ?6 = ?6 GROUP BY n.value, l.entity_id";
/// Between entities, by what is believed, or was at a time.
fn believed(known_at: Option<EpochMs>) -> String {
    let Use { is_used, carried, from, until } = Use::at(known_at);
    format!(
        "SELECT n.value, iif(r.source_entity_id = n.value, r.target_entity_id, r.source_entity_id), 0, 'relation',
           t.name, r.confidence * 0.6
         FROM json_each(?1) n CROSS JOIN entity_relationships r ON r.rid IN (
           SELECT e.rid FROM entity_relationships e {carried}
           WHERE (e.source_entity_id = n.value OR e.target_entity_id = n.value) AND {is_used}
             AND ifnull({from}, ?3) <= ?3 AND ifnull({until}, ?3 + 1) > ?3
             AND e.space_id IN (SELECT value FROM json_each(?2))
           ORDER BY e.rid DESC LIMIT ?4)
         JOIN relationship_types t ON t.id = r.relationship_type_id
         WHERE ?5 = ?5 AND ?6 = ?6"
    )
}
/// Between memories, by relations that somebody stated. What contradicts is connected as well: one wants to see it.
fn stated() -> String {
    format!(
        "SELECT n.value, iif(r.from_id = n.value, r.to_id, r.from_id), 1, 'relation', r.relation_type, 0.9
         FROM json_each(?1) n CROSS JOIN item_relations r ON r.rid IN (
           SELECT o.rid FROM item_relations o
           WHERE (o.from_type = 'memory' AND o.from_id = n.value OR o.to_type = 'memory' AND o.to_id = n.value)
             AND +o.from_type = 'memory' AND +o.to_type = 'memory' AND {}
             AND +o.space_id IN (SELECT value FROM json_each(?2))
           ORDER BY o.rid DESC LIMIT ?4)
         WHERE ?5 = ?5",
        relations::holds("o", "?3", "?6")
    )
}
/// Between memories, by tags that few carry in these spaces: the rarer, the closer. What bears them in other spaces counts for
/// nothing, as every space knows the predefined ones (ruling 4).
const TAGGED: &str = "SELECT n.value, i.item_id, 1, 'tag', t.name, 1.0 / (1.0 + (
      SELECT count(*) FROM (SELECT 1 FROM item_tags u WHERE u.tag_id = t.id AND u.item_type = 'memory'
        AND u.space_id IN (SELECT value FROM json_each(?2)) LIMIT ?5 + 1)))
  FROM json_each(?1) n CROSS JOIN item_tags own ON own.item_type = 'memory' AND own.item_id = n.value AND own.created_at <= ?6
  JOIN tags t ON t.id = own.tag_id
  CROSS JOIN item_tags i ON i.rid IN (
    SELECT o.rid FROM item_tags o JOIN memories m ON m.id = o.item_id
    WHERE o.tag_id = t.id AND o.item_type = 'memory' AND o.item_id <> n.value AND m.status = 'active'
      AND o.space_id IN (SELECT value FROM json_each(?2)) AND o.created_at <= ?6
    ORDER BY o.rid DESC LIMIT ?4)
  WHERE ?3 = ?3 AND (SELECT count(*) FROM (SELECT 1 FROM item_tags u WHERE u.tag_id = t.id AND u.item_type = 'memory'
        AND u.space_id IN (SELECT value FROM json_each(?2)) LIMIT ?5 + 1)) <= ?5";
/// Between memories that answered a question together, and were said to be right: as much as was left of it when that was noted,
/// and when that was.
const TOGETHER: &str =
    "SELECT n.value, iif(a.from_id = n.value, a.to_id, a.from_id), 1, 'co_use', '', a.weight, a.updated_at
  FROM json_each(?1) n CROSS JOIN associations a ON a.rid IN (
    SELECT o.rid FROM associations o
    WHERE (o.from_type = 'memory' AND o.from_id = n.value OR o.to_type = 'memory' AND o.to_id = n.value)
      AND o.basis = 'co_use' AND o.weight > 0 AND o.updated_at <= ?6
      AND o.space_id IN (SELECT value FROM json_each(?2))
    ORDER BY o.updated_at DESC LIMIT ?4)
  WHERE ?3 = ?3 AND ?5 = ?5";

/// How much closer one answer together brings two memories: of what is missing to 1.
const CLOSER: f64 = 0.3;
/// After so long, half of what an answer gave is left: what belonged together in one season's work need not in the next. One right
/// answer alone is enough for recall to tell of for two months (`ENOUGH` in the engine), two of them for half a year.
const HALF_LIFE_MS: f64 = 90.0 * 86_400_000.0;

/// What is left of one answer after a time.
fn left(since: EpochMs, now: EpochMs) -> f64 {
    0.5_f64.powf((now - since).max(0) as f64 / HALF_LIFE_MS)
}

/// Weights from numbers of answers, and back. The numbers add up and fade, so that what is taken back leaves what was before.
fn weight(answers: f64) -> f64 {
    1.0 - (1.0 - CLOSER).powf(answers)
}

fn answers(weight: f64) -> f64 {
    (1.0 - weight.min(0.999_999)).ln() / (1.0 - CLOSER).ln()
}

/// A weight as it is after a time.
fn faded(weight_then: f64, since: EpochMs, now: EpochMs) -> f64 {
    weight(answers(weight_then) * left(since, now))
}

/// Notes that memories of a space rightly answered together what was asked at `asked_at`, or takes that back.
///
/// # Errors
/// SQLite's.
pub fn used_together(
    connection: &Connection,
    space: &SpaceId,
    memories: &[MemoryId],
    (counts, asked_at): (bool, EpochMs),
    now: EpochMs,
) -> StoreResult<()> {
    let mut ids: Vec<&str> = memories.iter().map(MemoryId::as_str).collect();
    ids.sort_unstable();
    let gain = if counts { left(asked_at, now) } else { -left(asked_at, now) };
    for (at, from) in ids.iter().enumerate() {
        for to in &ids[at + 1..] {
            let known: Option<(f64, EpochMs)> = connection
                .prepare_cached(
                    "SELECT weight, updated_at FROM associations WHERE from_type = 'memory' AND from_id = ?1
                       AND to_type = 'memory' AND to_id = ?2 AND basis = 'co_use'",
                )?
                .query_row([from, to], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let before = known.map_or(0.0, |(weight, since)| answers(weight) * left(since, now));
            connection
                .prepare_cached(
                    "INSERT INTO associations (id, space_id, from_type, from_id, to_type, to_id, basis, weight, updated_at)
                     VALUES (?1, ?2, 'memory', ?3, 'memory', ?4, 'co_use', ?5, ?6)
                     ON CONFLICT (from_type, from_id, to_type, to_id, basis) DO UPDATE SET weight = ?5, updated_at = ?6",
                )?
                .execute(params![new_id(now), space.as_str(), from, to, weight((before + gain).max(0.0)), now])?;
        }
    }
    Ok(())
}

/// The first passage in use of each memory that is of one of these spaces: `(memory, text_units.rid, its id)`.
///
/// # Errors
/// SQLite's.
pub fn first_passages(
    connection: &Connection,
    spaces: &[SpaceId],
    memories: &[&str],
) -> StoreResult<Vec<(MemoryId, i64, UnitId)>> {
    connection
        .prepare_cached(
            // Of the row that has the least, SQLite takes the other columns as well.
            "SELECT n.value, min(u.rid), u.id FROM json_each(?1) n CROSS JOIN text_units u ON u.owner_memory_id = n.value
             JOIN memories m ON m.id = n.value
             WHERE u.status = 'active' AND m.status = 'active' AND +m.space_id IN (SELECT value FROM json_each(?2))
             GROUP BY n.value ORDER BY n.key",
        )?
        .query_and_then([serde_json::to_string(memories)?, filter::ids(spaces)?], |row| {
            let text = |at: usize| row.get::<_, String>(at);
            Ok((MemoryId::parse(text(0)?)?, row.get(1)?, UnitId::parse(text(2)?)?))
        })?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_add_up_and_fade_and_are_taken_back() {
        let day = 86_400_000;
        for (number, expected) in [(0.0, 0.0), (1.0, 0.3), (2.0, 0.51)] {
            assert!((weight(number) - expected).abs() < 1e-12 && (answers(weight(number)) - number).abs() < 1e-12);
        }
        for (days, expected) in [(0, 0.51), (90, 0.3), (-5, 0.51)] {
            assert!((faded(0.51, 0, days * day) - expected).abs() < 1e-12, "{days}");
        }
        // One answer, and a second one two months later; the first is taken back another month later.
        let both = answers(0.3) * left(0, 60 * day) + 1.0;
        let rest = both * left(60 * day, 90 * day) - left(0, 90 * day);
        assert!((rest - left(60 * day, 90 * day)).abs() < 1e-12);
    }
}
