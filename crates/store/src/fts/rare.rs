//! Searching by the rarest words of a question. To score a row takes some thirty times as long as to count it, and the common
//! words, which match most rows, say the least about them.

use crate::StoreResult;
use rusqlite::Connection;

/// So many rows are scored at most, where the rarest words find enough: they take some 2 ms.
const SCORED: usize = 2_500;

/// Runs `search` with the rarest words of an expression that find `wanted` rows; with all of it where these do not suffice. Only
/// quoted words joined by OR can be told apart: any other expression is searched as it is.
///
/// # Errors
/// SQLite's, and those of `search`.
pub(super) fn first<T>(
    connection: &Connection,
    table: &str,
    (expression, wanted): (&str, usize),
    search: impl Fn(&str) -> StoreResult<Vec<T>>,
) -> StoreResult<Vec<T>> {
    first_of(connection, table, (expression, wanted), SCORED, search)
}

fn first_of<T>(
    connection: &Connection,
    table: &str,
    (expression, wanted): (&str, usize),
    most: usize,
    search: impl Fn(&str) -> StoreResult<Vec<T>>,
) -> StoreResult<Vec<T>> {
    if let Some(rare) = rarest(connection, table, (expression, wanted), most)? {
        let found = search(&rare)?;
        if found.len() >= wanted {
            return Ok(found);
        }
    }
    search(expression)
}

/// The rarest words of an expression, where they suffice; none where all of it is searched: its words cannot be told apart, the
/// table has no more than `most` rows, or all its words are needed or match no more than that together.
fn rarest(
    connection: &Connection,
    table: &str,
    (expression, wanted): (&str, usize),
    most: usize,
) -> StoreResult<Option<String>> {
    let Some(words) = words(expression) else { return Ok(None) };
    // Where there are no more rows, as in most spaces, all of them may be scored: no word need be counted.
    let is_large = connection
        .prepare_cached(&format!("SELECT 1 FROM {table}_docsize LIMIT 1 OFFSET ?1"))?
        .exists([most as i64])?;
    if !is_large {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT {})",
        most + 1
    ))?;
    let mut counted = Vec::with_capacity(words.len());
    for word in &words {
        counted.push((statement.query_row([word], |row| row.get::<_, usize>(0))?, *word));
    }
    counted.sort_by_key(|(rows, _)| *rows);
    // A row may have several of the words.
    let enough = wanted.saturating_mul(2);
    let (mut rows, mut rare) = (0, Vec::new());
    for (more, word) in counted {
        if rows >= enough && rows + more > most {
            break;
        }
        rows += more;
        rare.push(word);
    }
    Ok((rare.len() < words.len()).then(|| rare.join(" OR ")))
}

/// The quoted words of an expression that joins several by OR.
fn words(expression: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = expression.split(" OR ").collect();
    let is_word = |word: &&str| {
        let inner = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains('"'))
    };
    (words.len() > 1 && words.iter().all(is_word)).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row n has the words whose number divides it.
    fn table() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE VIRTUAL TABLE t USING fts5(text)").unwrap();
        for row in 1..=60 {
            let words: Vec<String> = (1..=60).filter(|n| row % n == 0).map(|n| format!("w{n}")).collect();
            connection.execute("INSERT INTO t(rowid, text) VALUES (?1, ?2)", (row, words.join(" "))).unwrap();
        }
        connection
    }

    #[test]
    fn common_words_are_left_out_where_rare_ones_find_enough() {
        let connection = table();
        let check = |expression: &str, wanted: usize, most: usize, expected: Option<&str>| {
            assert_eq!(
                rarest(&connection, "t", (expression, wanted), most).unwrap().as_deref(),
                expected,
                "{expression}"
            );
        };
        let of = "\"w1\" OR \"w10\" OR \"w20\"";
        check(of, 3, 10, Some("\"w20\" OR \"w10\""));
        check(of, 1, 8, Some("\"w20\""));
        // Too few without the common one; few enough with it.
        check(of, 10, 10, None);
        check(of, 3, 100, None);
        check("\"w1\"", 1, 1, None);
        check("\"w1\" AND \"w2\"", 1, 1, None);
        check("\"w1\" OR text:\"w2\"", 1, 1, None);
        check("\"w1 OR w2\" OR \"w3\"", 1, 1, None);
    }

    #[test]
    fn all_words_are_searched_where_the_rare_ones_find_too_few() {
        let connection = table();
        let of = "\"w1\" OR \"w30\"";
        let check = |wanted: usize, most: usize, expected: &[&str]| {
            let searched = std::cell::RefCell::new(Vec::new());
            let search = |expression: &str| {
                searched.borrow_mut().push(expression.to_owned());
                Ok(vec![(); if expression == of { 60 } else { 1 }])
            };
            let found = first_of(&connection, "t", (of, wanted), most, search).unwrap();
            assert_eq!(
                (found.len() >= wanted, searched.into_inner().as_slice()),
                (true, &expected.iter().map(ToString::to_string).collect::<Vec<_>>()[..])
            );
        };
        check(1, 10, &["\"w30\""]);
        check(1, 100, &[of]);
        check(2, 10, &[of]);
    }

    #[test]
    fn words_of_one_row_do_not_count_as_several() {
        let connection = table();
        let of = "\"w1\" OR \"w30\" OR \"w60\" OR \"w20\" OR \"w15\"";
        let search = |expression: &str| {
            let mut statement = connection.prepare("SELECT rowid FROM t WHERE t MATCH ?1")?;
            Ok(statement.query_map([expression], |row| row.get::<_, i64>(0))?.collect::<Result<Vec<_>, _>>()?)
        };
        // 60, 30, 20, 40, 15, 45 have the rarer words: ten in all, of six rows.
        assert_eq!(first_of(&connection, "t", (of, 5), 11, search).unwrap().len(), 6);
        assert_eq!(first_of(&connection, "t", (of, 7), 9, search).unwrap().len(), 60);
    }
}
