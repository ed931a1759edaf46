//! What full text holds of rows that stay, in the form in which it holds it: their texts as they are indexed, and the words of its
//! index, in lower case, without diacritics and stemmed. No row says these so: of `jalapeño` the index has `jalapeno`.

use super::Rows;
use super::erase::INDEXED;
use crate::StoreResult;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::BTreeSet;

/// Calls `look` with each text that full text keeps of rows beside these, as it is indexed.
///
/// # Errors
/// SQLite's.
pub fn indexed_texts_beside(connection: &Connection, rows: &Rows, mut look: impl FnMut(&str)) -> StoreResult<()> {
    for Beside { table, rids } in tables(connection, rows)? {
        let sql = format!("SELECT * FROM {table} WHERE rowid NOT IN (SELECT value FROM json_each(?1))");
        let mut statement = connection.prepare(&sql)?;
        let columns = statement.column_count();
        let mut found = statement.query([rids])?;
        while let Some(row) = found.next()? {
            for at in 0..columns {
                if let ValueRef::Text(text) = row.get_ref(at)? {
                    look(&String::from_utf8_lossy(text));
                }
            }
        }
    }
    Ok(())
}

/// The words, as the index of full text holds them, that a row beside these has and that are asked for. The whole index is read, on a
/// connection that is used for nothing else afterwards: it may write tables of its own from here on, and nothing of the file where it
/// was opened to be read.
///
/// # Errors
/// SQLite's.
pub fn indexed_words_beside(
    connection: &Connection,
    rows: &Rows,
    is_asked: impl Fn(&str) -> bool,
) -> StoreResult<BTreeSet<String>> {
    connection.pragma_update(None, "query_only", "OFF")?;
    let mut held = BTreeSet::new();
    for beside in tables(connection, rows)? {
        let table = &beside.table;
        connection.execute_batch(&format!(
            "CREATE VIRTUAL TABLE temp.every_word USING fts5vocab(main, {table}, row);
             CREATE VIRTUAL TABLE temp.word_places USING fts5vocab(main, {table}, instance);"
        ))?;
        let found = beside.words(connection, &is_asked);
        connection.execute_batch("DROP TABLE temp.every_word; DROP TABLE temp.word_places;")?;
        held.extend(found?);
    }
    Ok(held)
}

/// A table of full text, with the rids of the rows in it that are not meant, as JSON.
struct Beside {
    table: String,
    rids: String,
}

impl Beside {
    fn words(&self, connection: &Connection, is_asked: impl Fn(&str) -> bool) -> StoreResult<Vec<String>> {
        let mut statement = connection.prepare("SELECT CAST(term AS BLOB) FROM temp.every_word")?;
        let mut terms = statement.query([])?;
        let mut asked = Vec::new();
        while let Some(row) = terms.next()? {
            let term = String::from_utf8_lossy(row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?);
            if is_asked(&term) {
                asked.push(term.into_owned());
            }
        }
        let mut beside = connection.prepare(
            "SELECT 1 FROM temp.word_places WHERE term = ?1 AND doc NOT IN (SELECT value FROM json_each(?2)) LIMIT 1",
        )?;
        let mut held = Vec::new();
        for term in asked {
            if beside.exists([&term, &self.rids])? {
                held.push(term);
            }
        }
        Ok(held)
    }
}

/// Every table of full text.
fn tables(connection: &Connection, rows: &Rows) -> StoreResult<Vec<Beside>> {
    let mut tables = Vec::new();
    for (kind, source) in INDEXED {
        let of_kind: Vec<String> = connection
            .prepare("SELECT fts_table FROM space_indexes WHERE kind = ?1")?
            .query_map([kind], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        if of_kind.is_empty() {
            continue;
        }
        let rids: Vec<i64> = connection
            .prepare(&format!("SELECT rid FROM {source} WHERE id IN (SELECT value FROM json_each(?1))"))?
            .query_map([rows.json(source)], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let rids = serde_json::to_string(&rids)?;
        tables.extend(of_kind.into_iter().map(|table| Beside { table, rids: rids.clone() }));
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two facts in one table of full text.
    fn database() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE space_indexes (space_id, kind, fts_table);
             INSERT INTO space_indexes VALUES ('GLOBAL', 'claims', 'fts_claims_1');
             CREATE TABLE claims (rid INTEGER PRIMARY KEY, id TEXT);
             INSERT INTO claims VALUES (1, 'goes'), (2, 'stays');
             CREATE VIRTUAL TABLE fts_claims_1 USING fts5(statement, tokenize = \"porter unicode61 remove_diacritics 2\");
             INSERT INTO fts_claims_1 (rowid, statement) VALUES (1, 'A Jalapeño by telegraphy'), (2, 'In Valparaíso by telegraphy');
             PRAGMA query_only = ON;",
        )
        .unwrap();
        db
    }

    #[test]
    fn the_words_of_an_index_are_told_as_it_holds_them_and_of_what_stays_alone() {
        let db = database();
        let check = |goes: &[&str], word: &str, expected: &[&str]| {
            let mut rows = Rows::default();
            for id in goes {
                rows.add("claims", *id);
            }
            let held = indexed_words_beside(&db, &rows, |held| held.contains(word)).unwrap();
            assert_eq!(held.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{word} without {goes:?}");
        };
        check(&[], "jalapeno", &["jalapeno"]);
        check(&["goes"], "jalapeno", &[]);
        check(&["goes"], "valparaiso", &["valparaiso"]);
        check(&["goes"], "telegraph", &["telegraphi"]);
        check(&["goes", "stays"], "telegraph", &[]);
        check(&["goes"], "Valparaíso", &[]);
    }

    #[test]
    fn the_texts_of_an_index_are_those_of_what_stays() {
        let (db, mut rows, mut texts) = (database(), Rows::default(), Vec::new());
        rows.add("claims", "goes");
        indexed_texts_beside(&db, &rows, |text| texts.push(text.to_owned())).unwrap();
        assert_eq!(texts, ["In Valparaíso by telegraphy"]);
    }
}
