//! Memories that no index holds, as they are out of use or cold.

use crate::StoreResult;
use crate::forget::{folded, text_at};
use rusqlite::{Connection, Row, params};
use um_model::{EpochMs, MemoryId, MemoryStatus, SpaceId};

/// So many of each space and state are looked through, the newest first, and so many of all.
const OF_EACH: usize = 2_000;
const OF_ALL: usize = 20_000;

/// Those of a space that are out of use by a state, by the index that leads to them in the order of their dates.
const OUT_OF_USE: &str = "SELECT m.id, ifnull(m.status_changed_at, m.created_at), m.title, m.content
  FROM memories m INDEXED BY idx_memories_when
  WHERE m.space_id = ?1 AND m.status = ?2 AND m.is_redacted = 0
  ORDER BY ifnull(m.occurred_at, m.created_at) DESC LIMIT ?3";

/// Those of a space that are cold and in use.
const COLD: &str = "SELECT m.id, m.created_at, m.title, m.content FROM memories m INDEXED BY idx_memories_cold
  WHERE m.space_id = ?1 AND m.tier = 'cold' AND m.status = 'active' AND +m.status = ?2 AND m.is_redacted = 0
  ORDER BY m.rid DESC LIMIT ?3";

/// Memories that are out of use or cold.
#[derive(Debug, Default)]
pub struct PutAway {
    /// Their ids, those that went out of use last first.
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
    let words = folded(words);
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut found: Vec<(EpochMs, MemoryId)> = Vec::new();
    let (mut left, mut is_cut) = (OF_ALL, false);
    for space in spaces {
        for status in MemoryStatus::ALL {
            let most = OF_EACH.min(left);
            let walked = walk(connection, (space, *status), &words, (limit, most))?;
            left -= walked.looked_at;
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
    is_cut: bool,
}

fn walk(
    connection: &Connection,
    (space, status): (&SpaceId, MemoryStatus),
    words: &[&str],
    (limit, most): (usize, usize),
) -> StoreResult<Walked> {
    let sql = if status == MemoryStatus::Active { COLD } else { OUT_OF_USE };
    let mut statement = connection.prepare_cached(sql)?;
    // One more than is looked at tells whether there are more.
    let mut rows = statement.query(params![space.as_str(), status.as_str(), most as i64 + 1])?;
    let mut walked = Walked::default();
    while let Some(row) = rows.next()? {
        if walked.looked_at == most {
            walked.is_cut = true;
            break;
        }
        walked.looked_at += 1;
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
}
