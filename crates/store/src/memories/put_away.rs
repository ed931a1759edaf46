//! Memories that no index holds, as they are out of use or cold.

use crate::StoreResult;
use crate::forget::{folded, text_at};
use rusqlite::{Connection, Row, params};
use um_model::{EpochMs, MemoryId, MemoryStatus, SpaceId};

/// So many of each space and state are looked through, the newest first, and so many of all, with so many bytes: it is asked with each letter
/// that somebody types.
const OF_EACH: usize = 2_000;
const OF_ALL: (usize, usize) = (20_000, 20_000_000);

/// Those of a space that are out of use by a state, by the index that leads to them in the order of their dates.
const OUT_OF_USE: &str = "SELECT m.id, ifnull(m.occurred_at, m.created_at), m.title, m.content
  FROM memories m INDEXED BY idx_memories_when
  WHERE m.space_id = ?1 AND m.status = ?2 AND m.is_redacted = 0
  ORDER BY ifnull(m.occurred_at, m.created_at) DESC LIMIT ?3";

/// Those of a space that are cold and in use, those that were kept last first.
const COLD: &str = "SELECT m.id, m.created_at, m.title, m.content FROM memories m INDEXED BY idx_memories_cold
  WHERE m.space_id = ?1 AND m.tier = 'cold' AND m.status = 'active' AND +m.status = ?2 AND m.is_redacted = 0
  ORDER BY m.rid DESC LIMIT ?3";

/// Memories that are out of use or cold.
#[derive(Debug, Default)]
pub struct PutAway {
    /// Their ids, the newest first: cold ones by when they were kept, others by when they happened.
    pub ids: Vec<MemoryId>,
    /// Whether there are so many that not all were looked at.
    pub is_cut: bool,
}

/// The memories of some spaces that no index of words holds, as they are out of use or cold, and whose title or text has all of some words,
/// wherever they stand in it and without regard to case; at most `limit`. What was forgotten is none of them.
///
/// # Errors
/// SQLite's.
pub fn put_away(connection: &Connection, spaces: &[SpaceId], words: &str, limit: usize) -> StoreResult<PutAway> {
    put_away_of(connection, spaces, words, (limit, OF_ALL))
}

/// Each space has its share of how many are looked through, and of the bytes; what it does not need is left to those behind it.
fn put_away_of(
    connection: &Connection,
    spaces: &[SpaceId],
    words: &str,
    (limit, (mut left, mut bytes_left)): (usize, (usize, usize)),
) -> StoreResult<PutAway> {
    let words = folded(words);
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut found: Vec<(EpochMs, MemoryId)> = Vec::new();
    let mut is_cut = false;
    for (space, sharing) in spaces.iter().zip((1..=spaces.len()).rev()) {
        let (mut share, mut bytes) = (left.div_ceil(sharing), bytes_left.div_ceil(sharing));
        for status in MemoryStatus::ALL {
            let walked = walk(connection, (space, *status), &words, (limit, OF_EACH.min(share), bytes))?;
            share -= walked.looked_at;
            bytes = bytes.saturating_sub(walked.bytes);
            left -= walked.looked_at;
            bytes_left = bytes_left.saturating_sub(walked.bytes);
            is_cut |= walked.is_cut;
            found.extend(walked.found);
        }
    }
    found.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    found.truncate(limit);
    Ok(PutAway { ids: found.into_iter().map(|(_, id)| id).collect(), is_cut })
}

/// What came of looking through those of one space and state.
#[derive(Default)]
struct Walked {
    found: Vec<(EpochMs, MemoryId)>,
    looked_at: usize,
    bytes: usize,
    is_cut: bool,
}

fn walk(
    connection: &Connection,
    (space, status): (&SpaceId, MemoryStatus),
    words: &[&str],
    (limit, most, most_bytes): (usize, usize, usize),
) -> StoreResult<Walked> {
    let sql = if status == MemoryStatus::Active { COLD } else { OUT_OF_USE };
    let mut statement = connection.prepare_cached(sql)?;
    // One more than is looked at tells whether there are more.
    let mut rows = statement.query(params![space.as_str(), status.as_str(), most as i64 + 1])?;
    let mut walked = Walked::default();
    while let Some(row) = rows.next()? {
        if walked.looked_at == most || walked.bytes >= most_bytes {
            walked.is_cut = true;
            break;
        }
        walked.looked_at += 1;
        walked.bytes += text_at(row, 3)?.map_or(0, str::len);
        if has(row, words)? {
            walked.found.push((row.get(1)?, MemoryId::parse(row.get::<_, String>(0)?)?));
        }
        if walked.found.len() == limit {
            break;
        }
    }
    Ok(walked)
}

/// Whether the title and text of a memory have all of the words.
fn has(row: &Row<'_>, words: &[&str]) -> StoreResult<bool> {
    let title = text_at(row, 2)?.map(folded).unwrap_or_default();
    if words.iter().all(|word| title.contains(word)) {
        return Ok(true);
    }
    let text = text_at(row, 3)?.map(folded).unwrap_or_default();
    Ok(words.iter().all(|word| title.contains(word) || text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn what_is_put_away_is_walked_along_an_index() {
        for (sql, step) in [
            (OUT_OF_USE, "SEARCH m USING INDEX idx_memories_when (space_id=? AND status=?)"),
            (COLD, "SEARCH m USING INDEX idx_memories_cold (space_id=?)"),
        ] {
            let plan = plan(&migrated(), sql);
            assert!(plan.contains(step) && !plan.contains("SCAN") && !plan.contains("B-TREE"), "{plan}");
        }
    }

    /// A memory of that number that is replaced, or cold where it says so, in the seeded space.
    fn plant(db: &Connection, number: i64, content: &str, is_cold: bool) {
        plant_in(db, um_model::DEFAULT_SPACE, number, content, is_cold);
    }

    fn plant_in(db: &Connection, space: &str, number: i64, content: &str, is_cold: bool) {
        let id = format!("0190f5e2-7c1a-7d3e-9b1f-{number:012}");
        db.execute(
            "INSERT INTO memories (rid, id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
             VALUES (?1, ?2, ?3, ?2, 'fact', 0, ?1, ?4, (SELECT id FROM agents LIMIT 1))",
            params![number, id, content, space],
        )
        .unwrap();
        let away = match is_cold {
            true => "UPDATE memories SET tier = 'cold' WHERE rid = ?1",
            false => "UPDATE memories SET status = 'superseded', status_changed_at = rid WHERE rid = ?1",
        };
        db.execute(away, [number]).unwrap();
    }

    #[test]
    fn what_is_put_away_has_all_of_the_words_and_the_newest_come_first() {
        let db = migrated();
        let texts = ["The Élysée is white", "A white boat", "White as the ÉLYSÉE", "A cold boat"];
        for (number, text) in (1..).zip(texts) {
            plant(&db, number, text, number == 4);
        }
        let space = SpaceId::parse(um_model::DEFAULT_SPACE).unwrap();
        let check = |words: &str, limit: usize, expected: &[i64]| {
            let found = put_away(&db, std::slice::from_ref(&space), words, limit).unwrap();
            let numbers: Vec<i64> = found.ids.iter().map(|id| id.as_str()[24..].parse().unwrap()).collect();
            assert_eq!((numbers.as_slice(), found.is_cut), (expected, false), "{words}");
        };
        check("white", 9, &[3, 2, 1]);
        check("élys WHITE", 9, &[3, 1]);
        check("boat", 9, &[4, 2]);
        check("white", 1, &[3]);
        check("red", 9, &[]);
        let cut = |most: usize, bytes: usize| {
            let walked = walk(&db, (&space, MemoryStatus::Superseded), &["élysée", "is"], (9, most, bytes)).unwrap();
            (walked.found.len(), walked.looked_at, walked.is_cut)
        };
        assert_eq!([cut(2, 99), cut(3, 99), cut(0, 99)], [(0, 2, true), (1, 3, false), (0, 0, true)]);
        let two = texts[1].len() + texts[2].len();
        assert_eq!([cut(9, two), cut(9, two + 1), cut(9, 0)], [(0, 2, true), (1, 3, false), (0, 0, true)]);
    }

    #[test]
    fn a_space_leaves_those_behind_it_their_share() {
        let db = migrated();
        let spaces = [SpaceId::parse(um_model::DEFAULT_SPACE).unwrap(), SpaceId::global()];
        for number in 1..=6 {
            plant(&db, number, "A grey boat", false);
        }
        plant_in(&db, spaces[1].as_str(), 7, "A white boat", false);
        let check = |words: &str, most: (usize, usize), expected: &[i64], is_cut: bool| {
            let found = put_away_of(&db, &spaces, words, (9, most)).unwrap();
            let numbers: Vec<i64> = found.ids.iter().map(|id| id.as_str()[24..].parse().unwrap()).collect();
            assert_eq!((numbers.as_slice(), found.is_cut), (expected, is_cut), "{words} {most:?}");
        };
        check("white", (4, 999), &[7], true);
        check("white", (99, 30), &[7], true);
        check("boat", (4, 999), &[7, 6, 5], true);
        check("boat", (99, 999), &[7, 6, 5, 4, 3, 2, 1], false);
    }

    #[test]
    fn the_newest_are_those_that_happened_last() {
        let db = migrated();
        let space = SpaceId::parse(um_model::DEFAULT_SPACE).unwrap();
        for (number, happened) in [(1, 30), (2, 10), (3, 20)] {
            plant(&db, number, "A grey boat", false);
            // They went out of use in another order.
            db.execute("UPDATE memories SET occurred_at = ?2 WHERE rid = ?1", [number, happened]).unwrap();
        }
        let told = |limit: usize| {
            let found = put_away(&db, std::slice::from_ref(&space), "boat", limit).unwrap();
            found.ids.iter().map(|id| id.as_str()[24..].parse().unwrap()).collect::<Vec<i64>>()
        };
        assert_eq!((told(9), told(2)), (vec![1, 3, 2], vec![1, 3]));
    }
}
