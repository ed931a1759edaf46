//! What was said at a time that has passed by what says something else now: no index holds it, so it is indexed in memory, for one
//! question only.

use super::table::{self, Fitting, Kind};
use crate::StoreResult;
use rusqlite::Connection;

/// So many rows are compared at most, with so many bytes in all.
const MOST_ROWS: usize = 2_000;
const MOST_BYTES: usize = 5_000_000;
/// So many are read: one more than are compared tells whether there are more.
pub(crate) const READ: usize = MOST_ROWS + 1;

/// The table in memory.
const TABLE: &str = "past";

/// The rids of those rows that match an FTS5 expression by what they said then, the best first by BM25. A row is its rid and one text
/// for each column of the kind.
///
/// # Errors
/// SQLite's, a malformed expression among them, and those of the rows.
pub(crate) fn ranked(
    kind: Kind,
    expression: &str,
    said: impl Iterator<Item = StoreResult<(i64, Vec<String>)>>,
) -> StoreResult<Fitting> {
    ranked_of(kind, expression, said, (MOST_ROWS, MOST_BYTES))
}

fn ranked_of(
    kind: Kind,
    expression: &str,
    said: impl Iterator<Item = StoreResult<(i64, Vec<String>)>>,
    (most_rows, most_bytes): (usize, usize),
) -> StoreResult<Fitting> {
    let mut said = said.peekable();
    if said.peek().is_none() {
        return Ok(Fitting::default());
    }
    let memory = Connection::open_in_memory()?;
    table::make(&memory, TABLE, kind)?;
    // In one transaction: else each row is a segment of its own.
    let all = memory.unchecked_transaction()?;
    let (mut rows, mut bytes, mut past_is_cut) = (0, 0, false);
    for one in said {
        let (rid, texts) = one?;
        rows += 1;
        bytes += texts.iter().map(String::len).sum::<usize>();
        past_is_cut = rows > most_rows || bytes > most_bytes;
        if past_is_cut {
            break;
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        table::insert(&memory, (TABLE, kind), rid, &texts)?;
    }
    all.commit()?;
    let rids = memory
        .prepare(&format!(
            "SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ?1 ORDER BY -bm25({TABLE}, {}) DESC, rowid",
            kind.weights()
        ))?
        .query_map([expression], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(Fitting { rids, is_cut: false, past_is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_then_is_compared_within_bounds_and_that_is_told() {
        let check = |says: &[&str], most: (usize, usize), rids: &[i64], past_is_cut: bool| {
            let said = says.iter().zip(1..).map(|(words, rid)| Ok((rid, vec![(*words).to_owned()])));
            let found = ranked_of(Kind::Claims, "\"heron\" OR \"stork\"", said, most).unwrap();
            assert_eq!(found, Fitting { rids: rids.to_vec(), is_cut: false, past_is_cut }, "{says:?} {most:?}");
        };
        let all = ["A heron stands.", "A reed.", "Herons: a heron, a heron.", "Nobody."];
        check(&[], (9, 99), &[], false);
        check(&all[1..2], (9, 99), &[], false);
        check(&all, (9, 99), &[3, 1], false);
        check(&all, (4, 99), &[3, 1], false);
        check(&all, (2, 99), &[1], true);
        check(&all, (9, 22), &[1], true);
    }
}
