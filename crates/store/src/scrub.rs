//! Seeing that nothing is left in the file of what the tables hold no more.
//!
//! `secure_delete` overwrites what is deleted with zeros. That leaves two places: the separators of full text's own
//! b-tree, which keep the beginnings of words, and the write-ahead log, which keeps whole pages as they were.

use crate::connection::BUSY;
use crate::{StoreError, StoreResult};
use rusqlite::{Connection, OptionalExtension};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use um_model::SpaceId;

/// So long a try to empty the log waits for those who read: other writes wait as well.
const READERS_END: std::time::Duration = std::time::Duration::from_millis(500);

/// Does something that survives the loss of power, and goes back to the ordinary afterwards.
pub(crate) fn durably<T, E: From<StoreError>>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.pragma_update(None, "synchronous", "FULL").map_err(StoreError::from)?;
    // However it ends: what comes after it is not to be synced each time.
    let done = catch_unwind(AssertUnwindSafe(|| work(connection)));
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::from)?;
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Clears the separators of the full text of some spaces, and writes the whole file anew where that is wanted.
pub(crate) fn scrub(connection: &mut Connection, spaces: &[SpaceId], whole: bool) -> StoreResult<()> {
    for space in spaces {
        let tables: Vec<String> = connection
            .prepare("SELECT fts_table FROM space_indexes WHERE space_id = ?1")?
            .query_map([space.as_str()], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        tables.iter().try_for_each(|table| clear_separators(connection, table))?;
    }
    if whole {
        connection.execute_batch("VACUUM")?;
    }
    Ok(())
}

/// Tries to empty the log.
pub(crate) fn empty_log(connection: &mut Connection) -> StoreResult<()> {
    connection.busy_timeout(READERS_END)?;
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(BUSY)?;
    match busy? {
        0 => Ok(()),
        _ => Err(StoreError::Busy),
    }
}

/// A separator of full text's b-tree: the beginning of what was the first word of a page when it was written.
struct Separator {
    segment: i64,
    /// A sign of the index, then the bytes.
    term: Vec<u8>,
    /// The word to put in its place: the next that is there.
    instead: Option<Vec<u8>>,
}

/// Replaces each separator that begins no word any more by the next word that is there: whatever stood between them is gone,
/// so that it parts the same pages. Making the whole of a large space anew would hold all writes for long.
fn clear_separators(connection: &Connection, table: &str) -> StoreResult<()> {
    connection.execute_batch(&format!("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, {table}, instance)"))?;
    let stale = stale_separators(connection, table);
    connection.execute_batch("DROP TABLE temp.words")?;
    for separator in stale? {
        match separator.instead {
            Some(word) => connection
                .prepare_cached(&format!("UPDATE {table}_idx SET term = ?3 WHERE segid = ?1 AND term = ?2"))?
                .execute((separator.segment, separator.term, word))?,
            None => connection.execute(&format!("INSERT INTO {table}({table}) VALUES ('rebuild')"), [])?,
        };
    }
    Ok(())
}

fn stale_separators(connection: &Connection, table: &str) -> StoreResult<Vec<Separator>> {
    let all: Vec<(i64, Vec<u8>)> = connection
        .prepare(&format!("SELECT segid, term FROM {table}_idx WHERE length(term) > 1"))?
        .query_map([], |row| Ok((row.get(0)?, row.get_ref(1)?.as_bytes()?.to_vec())))?
        .collect::<Result<_, _>>()?;
    // A separator may end within a letter: it is compared as bytes.
    let mut next =
        connection.prepare("SELECT CAST(term AS BLOB) FROM temp.words WHERE term >= CAST(?1 AS TEXT) LIMIT 1")?;
    let mut stale = Vec::new();
    for (segment, term) in all {
        let word: Option<Vec<u8>> = next.query_row([&term[1..]], |row| row.get(0)).optional()?;
        if !word.as_ref().is_some_and(|word| word.starts_with(&term[1..])) {
            let instead = word.map(|word| [&term[..1], &word].concat());
            stale.push(Separator { segment, term, instead });
        }
    }
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::clear_separators;
    use rusqlite::Connection;

    fn db() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE VIRTUAL TABLE words_of USING fts5(text, tokenize = \"porter unicode61 remove_diacritics 2\");
             INSERT INTO words_of(words_of, rank) VALUES ('secure-delete', 1);
             INSERT INTO words_of(words_of, rank) VALUES ('pgsz', 64);",
        )
        .unwrap();
        db
    }

    fn beginnings(db: &Connection, of: &str) -> usize {
        let sql = "SELECT count(*) FROM words_of_idx WHERE instr(term, CAST(?1 AS BLOB)) > 0";
        db.query_row(sql, [of], |row| row.get(0)).unwrap()
    }

    #[test]
    fn separators_of_what_is_gone_go_and_the_rest_is_found() {
        // Words that end the index are replaced by none.
        for secret in ["murmel", "zirkel", "aal"] {
            let db = db();
            for number in 0..200 {
                for (words, row) in [("gamma", number), (secret, 1_000 + number), ("omega", 2_000 + number)] {
                    let sql = "INSERT INTO words_of (rowid, text) VALUES (?1, ?2)";
                    db.execute(sql, (row, format!("{words}{number}q"))).unwrap();
                }
            }
            db.execute("DELETE FROM words_of WHERE rowid BETWEEN 1000 AND 1999", []).unwrap();
            clear_separators(&db, "words_of").unwrap();
            assert_eq!(beginnings(&db, &secret.chars().take(3).collect::<String>()), 0, "{secret}");
            db.execute("INSERT INTO words_of(words_of) VALUES ('integrity-check')", []).unwrap();
            for number in 0..200 {
                let sql = "SELECT count(*) FROM words_of WHERE words_of MATCH ?1";
                let count = |word: String| db.query_row(sql, [word], |row| row.get::<_, i64>(0)).unwrap();
                assert_eq!((count(format!("gamma{number}q")), count(format!("omega{number}q"))), (1, 1));
            }
        }
    }
}
