//! How memories are connected: by whom they speak of, by their tags, by relations that somebody stated, by what is believed, and
//! by having answered a question together (`associations`, which nothing else tells: traces expire; the rest is read where it stands).

use crate::edges::Use;
use crate::filter::{self, Then};
use crate::{StoreResult, ids::new_id, relations, tags};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::belief::EntityType;
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
    /// What the entity of that name is, where it is one.
    pub entity_type: Option<EntityType>,
    /// 0 to 1.
    pub weight: f64,
    /// Of how many such links of its node it is one, as far as they are counted: those that are not followed, too.
    pub fan: u32,
}

/// Of one node so many links of a kind are followed.
const FAN_OUT: u32 = 12;
/// So many of them are counted: what has more is damped to a twentieth, and tells nothing by itself.
const COUNTED: u32 = 400;
/// What carries a tag that more memories than this carry, of those that may be reached, is not connected by it; nor by one that more
/// than [`COUNTED`] carry in all.
const COMMON_TAG: u32 = 40;

/// All links of some nodes, in some spaces, that hold now, or as of another time: to what was in use then, and as was on record then,
/// with the time that they were known with. By what they name and by tags they lead to cold memories only `with_cold`. The newest of each
/// kind first, at most so many of each node and kind.
///
/// # Errors
/// SQLite's.
pub fn links(
    connection: &Connection,
    nodes: &[&str],
    spaces: &[SpaceId],
    (then, with_cold): (Then, bool),
    now: EpochMs,
) -> StoreResult<Vec<Link>> {
    let (nodes, spaces) = (serde_json::to_string(nodes)?, filter::ids(spaces)?);
    let (at, known_at) = (then.as_of.unwrap_or(now), then.known_at.unwrap_or(EpochMs::MAX));
    let mut all = Vec::new();
    for kind in kinds(then, with_cold) {
        let mut statement = connection.prepare_cached(&followed(&kind))?;
        let rows = statement
            .query_and_then(params![nodes, spaces, at, COUNTED, COMMON_TAG, known_at, then.as_of, FAN_OUT], |row| {
                link(row, at)
            })?;
        all.extend(rows.collect::<StoreResult<Vec<_>>>()?);
    }
    Ok(all)
}

/// A row of [`followed`], at a time.
fn link(row: &Row<'_>, at: EpochMs) -> StoreResult<Link> {
    let (basis, weight): (Basis, f64) = (row.get::<_, String>(3)?.parse()?, row.get(6)?);
    Ok(Link {
        from: row.get(0)?,
        to: row.get(1)?,
        to_memory: row.get(2)?,
        basis,
        via: row.get(4)?,
        entity_type: row.get::<_, Option<String>>(5)?.map(|is| is.parse()).transpose()?,
        // That of answers together is as it was when it was noted.
        weight: if basis == Basis::CoUse { faded(weight, row.get(7)?, at) } else { weight },
        fan: row.get(8)?,
    })
}

/// The links of a kind that are followed, each with the number of those of its node, counted before they are cut. A kind gives of each
/// the node, where it leads, whether to a memory, its basis, its name, what the entity of that name is, its weight, and by what it comes
/// early: the greater first.
fn followed(kind: &str) -> String {
    format!(
        "WITH found(node, other, is_memory, basis, via, entity_type, weight, early) AS ({kind})
         SELECT node, other, is_memory, basis, via, entity_type, weight, early, fan FROM (
           SELECT *, count(*) OVER (PARTITION BY node) AS fan,
             row_number() OVER (PARTITION BY node ORDER BY early DESC, other DESC, via) AS place FROM found)
         WHERE place <= ?8"
    )
}

/// The kinds of links, as of a time. No time stands in them as a number: each would be a statement of its own.
fn kinds(then: Then, with_cold: bool) -> [String; 6] {
    let in_use = then.in_use("?7", "?6");
    // What is not told must not take the place of what is.
    let in_use = if with_cold { in_use } else { format!("{in_use} AND +m.tier <> 'cold'") };
    [of_entities(&in_use), TO_ENTITIES.to_owned(), believed(then), stated(), tagged(&in_use, then), TOGETHER.to_owned()]
}

// Each has of the parameters what it needs; the last one stands in `followed`, so that all are there.

/// From entities to the memories that name them. That one does has no other time than the one since when it is known.
fn of_entities(in_use: &str) -> String {
    format!(
        "SELECT n.value, l.memory_id, 1, 'entity', e.name, e.entity_type, max(l.confidence), max(l.rid)
         FROM json_each(?1) n JOIN entities e ON e.id = n.value
         CROSS JOIN memory_entity_links l ON l.rid IN (
           SELECT o.rid FROM memory_entity_links o CROSS JOIN memories m ON m.id = o.memory_id
           WHERE o.entity_id = n.value AND {in_use} AND +o.space_id IN (SELECT value FROM json_each(?2))
             AND o.created_at <= ?6
           ORDER BY o.rid DESC LIMIT ?4)
         GROUP BY n.value, l.memory_id"
    )
}
/// From memories to the entities that they name, the first that they name first.
const TO_ENTITIES: &str =
    "SELECT n.value, l.entity_id, 0, 'entity', e.name, e.entity_type, max(l.confidence), -min(l.rid)
  FROM json_each(?1) n CROSS JOIN memory_entity_links l ON l.rid IN (
    SELECT o.rid FROM memory_entity_links o
    WHERE o.memory_id = n.value AND +o.space_id IN (SELECT value FROM json_each(?2)) AND o.created_at <= ?6
    ORDER BY o.rid LIMIT ?4)
  JOIN entities e ON e.id = l.entity_id
  GROUP BY n.value, l.entity_id";
/// Between entities, by what is believed, or was at a time.
fn believed(then: Then) -> String {
    let Use { is_used, carried, from, until } = Use::then(then, "?7", "?6");
    format!(
        "SELECT n.value, iif(r.source_entity_id = n.value, r.target_entity_id, r.source_entity_id), 0, 'relation',
           t.name, NULL, r.confidence * 0.6, r.rid
         FROM json_each(?1) n CROSS JOIN entity_relationships r ON r.rid IN (
           SELECT e.rid FROM entity_relationships e {carried}
           WHERE (e.source_entity_id = n.value OR e.target_entity_id = n.value) AND {is_used}
             AND ifnull({from}, ?3) <= ?3 AND ifnull({until}, ?3 + 1) > ?3
             AND e.space_id IN (SELECT value FROM json_each(?2))
           ORDER BY e.rid DESC LIMIT ?4)
         JOIN relationship_types t ON t.id = r.relationship_type_id"
    )
}
/// Between memories, by relations that somebody stated. What contradicts is connected as well: one wants to see it.
fn stated() -> String {
    format!(
        "SELECT n.value, iif(r.from_id = n.value, r.to_id, r.from_id), 1, 'relation', r.relation_type, NULL, 0.9, r.rid
         FROM json_each(?1) n CROSS JOIN item_relations r ON r.rid IN (
           SELECT o.rid FROM item_relations o
           WHERE (o.from_type = 'memory' AND o.from_id = n.value OR o.to_type = 'memory' AND o.to_id = n.value)
             AND +o.from_type = 'memory' AND +o.to_type = 'memory' AND {}
             AND +o.space_id IN (SELECT value FROM json_each(?2))
           ORDER BY o.rid DESC LIMIT ?4)",
        relations::holds("o", "?3", "?6")
    )
}
/// Between memories, by tags that few of those that may be reached carry in these spaces, or carried then: the rarer, the closer. What
/// bears them in other spaces counts for nothing, as every space knows the predefined ones (ruling 4).
fn tagged(in_use: &str, then: Then) -> String {
    let [on, taken_off] = tags::counts("?7", "?6");
    let mut borne = vec![("item_tags", on)];
    // Now nothing counts that was taken off.
    if !then.is_now() {
        borne.push(("past_item_tags", taken_off));
    }
    let of_each = |select: &dyn Fn(&str) -> String| {
        let selected = borne.iter().map(|(table, counts)| format!("{} AND {counts}", select(table)));
        selected.collect::<Vec<_>>().join(" UNION ")
    };
    let own = of_each(&|table| {
        format!(
            "SELECT n.value, t.id, t.name FROM json_each(?1) n
             CROSS JOIN {table} i ON i.item_type = 'memory' AND i.item_id = n.value
             JOIN tags t ON t.id = i.tag_id WHERE 1"
        )
    });
    let bearing = of_each(&|table| {
        format!(
            "SELECT i.item_id FROM {table} i WHERE i.tag_id = own.tag AND i.item_type = 'memory'
               AND i.space_id IN (SELECT value FROM json_each(?2))"
        )
    });
    let counted = of_each(&|table| {
        format!(
            "SELECT i.item_id FROM {table} i CROSS JOIN memories m ON m.id = i.item_id
             WHERE i.tag_id = own.tag AND i.item_type = 'memory'
               AND i.space_id IN (SELECT value FROM json_each(?2)) AND {in_use}"
        )
    });
    let found = of_each(&|table| {
        format!(
            "SELECT few.node, i.item_id, 1, 'tag', few.name, NULL, 1.0 / (1.0 + few.many), -few.many
             FROM few CROSS JOIN {table} i ON i.tag_id = few.tag AND i.item_type = 'memory' AND i.item_id <> few.node
               AND i.space_id IN (SELECT value FROM json_each(?2))
             CROSS JOIN memories m ON m.id = i.item_id
             WHERE few.many <= ?5 AND {in_use}"
        )
    });
    format!(
        "WITH own(node, tag, name) AS MATERIALIZED ({own}),
         few(node, tag, name, many) AS MATERIALIZED (
           SELECT node, tag, name, iif((SELECT count(*) FROM ({bearing} LIMIT ?4 + 1)) > ?4, ?5 + 1,
             (SELECT count(*) FROM ({counted} LIMIT ?5 + 1))) FROM own)
         {found}"
    )
}
/// Between memories that answered a question together, and were said to be right: as much as was left of it when that was noted,
/// and when that was.
const TOGETHER: &str =
    "SELECT n.value, iif(a.from_id = n.value, a.to_id, a.from_id), 1, 'co_use', '', NULL, a.weight, a.updated_at
  FROM json_each(?1) n CROSS JOIN associations a ON a.rid IN (
    SELECT o.rid FROM associations o
    WHERE (o.from_type = 'memory' AND o.from_id = n.value OR o.to_type = 'memory' AND o.to_id = n.value)
      AND o.basis = 'co_use' AND o.weight > 0 AND o.updated_at <= ?6
      AND o.space_id IN (SELECT value FROM json_each(?2))
    ORDER BY o.updated_at DESC, o.rid LIMIT ?4)";

/// How much closer one answer together brings two memories: of what is missing to 1.
const CLOSER: f64 = 0.3;
/// After so long, half of what an answer gave is left: what belonged together in one season's work need not in the next. One right
/// answer alone is enough for recall to tell of for two months (`ENOUGH` in the engine), two of them for five.
const HALF_LIFE_MS: f64 = 90.0 * DAY_MS as f64;
const DAY_MS: EpochMs = 86_400_000;

/// What is left of one answer after a time.
fn left(since: EpochMs, now: EpochMs) -> f64 {
    0.5_f64.powf(now.saturating_sub(since).max(0) as f64 / HALF_LIFE_MS)
}

/// Weights from numbers of answers, and back. The numbers add up and fade, so that what is taken back leaves what was before.
fn weight(answers: f64) -> f64 {
    1.0 - (1.0 - CLOSER).powf(answers)
}

fn answers(weight: f64) -> f64 {
    (1.0 - weight.min(1.0 - f64::EPSILON)).ln() / (1.0 - CLOSER).ln()
}

/// A weight as it is after a time: it fades from day to day of UTC, so that what is asked twice on a day is answered the same.
fn faded(weight_then: f64, since: EpochMs, now: EpochMs) -> f64 {
    let day = |at: EpochMs| at.saturating_sub(at.rem_euclid(DAY_MS));
    weight(answers(weight_then) * left(day(since), day(now)))
}

/// So few answers are none: what is left by rounding where all were taken back.
const NONE: f64 = 1e-6;

/// Notes that memories of a space rightly answered together what was asked at `asked_at`, or takes that back: then all is as it was
/// before.
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
            if !counts && before + gain < NONE {
                connection
                    .prepare_cached(
                        "DELETE FROM associations WHERE from_type = 'memory' AND from_id = ?1
                           AND to_type = 'memory' AND to_id = ?2 AND basis = 'co_use'",
                    )?
                    .execute([from, to])?;
                continue;
            }
            connection
                .prepare_cached(
                    "INSERT INTO associations (id, space_id, from_type, from_id, to_type, to_id, basis, weight, updated_at)
                     VALUES (?1, ?2, 'memory', ?3, 'memory', ?4, 'co_use', ?5, ?6)
                     ON CONFLICT (from_type, from_id, to_type, to_id, basis) DO UPDATE SET weight = ?5, updated_at = ?6",
                )?
                .execute(params![new_id(now), space.as_str(), from, to, weight(before + gain), now])?;
        }
    }
    Ok(())
}

/// A passage of each memory that is of one of these spaces, in use or of the `past`: where it names the entity by which it was reached,
/// as far as that is known, else its first. `(memory, text_units.rid, its id)`.
///
/// # Errors
/// SQLite's.
pub fn passages(
    connection: &Connection,
    spaces: &[SpaceId],
    reached: &[(&str, Option<&str>)],
    past: &[i64],
) -> StoreResult<Vec<(MemoryId, i64, UnitId)>> {
    let given = [serde_json::to_string(reached)?, filter::ids(spaces)?, serde_json::to_string(past)?];
    connection
        .prepare_cached(PASSAGES)?
        .query_and_then(given, |row| {
            let text = |at: usize| row.get::<_, String>(at);
            Ok((MemoryId::parse(text(0)?)?, row.get(1)?, UnitId::parse(text(2)?)?))
        })?
        .collect()
}

/// The first place of a name tells enough: looking for all of them would go through the text once for each.
const PASSAGES: &str = "SELECT m.id, u.rid, u.id
  FROM json_each(?1) n CROSS JOIN memories m ON m.id = n.value ->> 0
  CROSS JOIN text_units u ON u.rid = ifnull(
    (SELECT min(p.rid) FROM memory_entity_links l CROSS JOIN text_units p
       ON p.text_view_id = l.text_view_id OR p.memory_id = iif(l.text_view_id IS NULL, l.memory_id, NULL)
     WHERE l.memory_id = m.id AND l.entity_id = n.value ->> 1 AND +p.owner_memory_id = m.id
       AND p.start_offset < l.spans ->> '$[0][1]' AND p.end_offset > l.spans ->> '$[0][0]'
       AND (p.status = 'active' AND m.status = 'active' OR +p.rid IN (SELECT value FROM json_each(?3)))),
    (SELECT min(p.rid) FROM text_units p WHERE p.owner_memory_id = m.id
       AND (p.status = 'active' AND m.status = 'active' OR +p.rid IN (SELECT value FROM json_each(?3)))))
  WHERE +m.space_id IN (SELECT value FROM json_each(?2)) ORDER BY n.key";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn every_kind_of_link_is_looked_up() {
        const LOOKED_UP: [&[&str]; 6] = [
            &["idx_mel_entity (entity_id=?)"],
            &["memory_entity_links_2 (memory_id=?)"],
            &["(source_entity_id=?", "(target_entity_id=?"],
            &["idx_relations_from (from_type=? AND from_id=?)", "idx_relations_to (to_type=? AND to_id=?)"],
            &["item_tags_2 (item_type=? AND item_id=?)", "SEARCH i USING INDEX idx_item_tags_found (tag_id=?"],
            &["associations_2 (from_type=? AND from_id=?)", "idx_associations_to (to_type=? AND to_id=?)"],
        ];
        let db = migrated();
        // What is gone through is given, or found by then.
        let is_small = |step: &str| {
            let of = ["VIRTUAL TABLE", "SCAN found", "SCAN own", "SCAN few", "SCAN (subquery"];
            of.iter().any(|small| step.contains(small))
        };
        let check = |sql: &str, looked_up: &[&str]| {
            let plan = plan(&db, sql);
            assert!(looked_up.iter().all(|index| plan.contains(index)), "{sql}: {plan}");
            let scans: Vec<&str> = plan.lines().filter(|step| step.starts_with("SCAN") && !is_small(step)).collect();
            assert!(scans.is_empty(), "{sql}: {plan}");
        };
        for (as_of, known_at) in [(None, None), (Some(1), None), (None, Some(1)), (Some(-1), Some(1))] {
            for with_cold in [false, true] {
                let all = kinds(Then { as_of, known_at }, with_cold);
                all.iter().zip(LOOKED_UP).for_each(|(kind, looked_up)| check(&followed(kind), looked_up));
            }
        }
        let then = Then { as_of: Some(1), known_at: None };
        let of_past = ["idx_past_item_tags_item (item_type=? AND item_id=?)", "idx_past_item_tags_tag (tag_id=?"];
        check(&followed(&tagged(&then.in_use("?7", "?6"), then)), &of_past);
        let units =
            ["text_units_3 (text_view_id=?)", "text_units_2 (memory_id=?)", "idx_units_owner (owner_memory_id=?)"];
        check(PASSAGES, &units);
    }

    #[test]
    fn each_kind_of_link_is_one_statement_for_all_times() {
        let of = |as_of, known_at| kinds(Then { as_of, known_at }, false);
        assert_eq!(of(Some(1), None), of(Some(2), None));
        assert_eq!(of(None, Some(1)), of(None, Some(2)));
        assert_eq!(of(Some(1), Some(-2)), of(Some(2), Some(1)));
    }

    #[test]
    fn answers_add_up_and_fade_and_are_taken_back() {
        let day = 86_400_000;
        for number in [0.5, 20.0, 45.0] {
            assert!((answers(weight(number)) - number).abs() < 1e-6, "{number}");
        }
        for (number, expected) in [(0.0, 0.0), (1.0, 0.3), (2.0, 0.51)] {
            assert!((weight(number) - expected).abs() < 1e-12 && (answers(weight(number)) - number).abs() < 1e-12);
        }
        for (days, expected) in [(0, 0.51), (90, 0.3), (-5, 0.51)] {
            assert!((faded(0.51, 0, days * day) - expected).abs() < 1e-12, "{days}");
        }
        // All day long it is the same.
        for (since, now) in [(0, 90 * day + day - 1), (day - 1, 90 * day), (7, 90 * day + 5)] {
            assert!((faded(0.51, since, now) - 0.3).abs() < 1e-12, "{since} to {now}");
        }
        assert!(faded(0.51, 7, 91 * day) < 0.299);
        // One answer, and a second one two months later; the first is taken back another month later.
        let both = answers(0.3) * left(0, 60 * day) + 1.0;
        let rest = both * left(60 * day, 90 * day) - left(0, 90 * day);
        assert!((rest - left(60 * day, 90 * day)).abs() < 1e-12);
    }
}
