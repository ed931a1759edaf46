//! Searching by the rarest words of a question. To score a row takes some thirty times as long as to count it, and the common
//! words, which match most rows, say the least about them.

use crate::StoreResult;
use rusqlite::Connection;

/// So many rows are scored at most, where the rarest words find enough: they take some 2 ms.
const SCORED: usize = 2_500;

/// Where the rarest words find too few, so many times the rows that they match are looked through next.
const MORE: usize = 8;

/// Runs `search` with the rarest words of an expression that find `wanted` rows; where these do not suffice, as where few of the rows
/// pass a filter, with more and more of them, and with all of it in the end. Only quoted words joined by OR can be told apart: any
/// other expression is searched as it is.
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
    let counted = counted(connection, table, expression, most)?;
    // A row may have several of the words.
    let mut taken = rarest(&counted, wanted.saturating_mul(2), most);
    while taken < counted.len() {
        let (rows, words): (Vec<usize>, Vec<&str>) = counted.iter().take(taken).copied().unzip();
        let found = search(&words.join(" OR "))?;
        if found.len() >= wanted {
            return Ok(found);
        }
        taken = rarest(&counted, rows.iter().sum::<usize>().saturating_mul(MORE), most);
    }
    search(expression)
}

/// How many of the words are needed for `enough` rows, at least one; more where all of them match no more than `most` together.
fn rarest(counted: &[(usize, &str)], enough: usize, most: usize) -> usize {
    let mut rows = 0;
    let is_taken = |(more, _): &&(usize, &str)| {
        let before = rows;
        rows += more;
        before < enough.max(1) || rows <= most
    };
    counted.iter().take_while(is_taken).count()
}

/// The words of an expression with how many rows match each, as far as `most` and one more, the rarest first; none where all of it
/// is searched: its words cannot be told apart, or the table has no more than `most` rows.
fn counted<'a>(
    connection: &Connection,
    table: &str,
    expression: &'a str,
    most: usize,
) -> StoreResult<Vec<(usize, &'a str)>> {
    let Some(words) = words(expression) else { return Ok(Vec::new()) };
    // Where there are no more rows, as in most spaces, all of them may be scored: no word need be counted.
    let is_large = connection
        .prepare_cached(&format!("SELECT 1 FROM {table}_docsize LIMIT 1 OFFSET ?1"))?
        .exists([most as i64])?;
    if !is_large {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT {})",
        most + 1
    ))?;
    let mut counted = Vec::with_capacity(words.len());
    for word in words {
        counted.push((statement.query_row([word], |row| row.get::<_, usize>(0))?, word));
    }
    counted.sort_by_key(|(rows, _)| *rows);
    Ok(counted)
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
            let counted = counted(&connection, "t", expression, most).unwrap();
            let taken = rarest(&counted, wanted * 2, most);
            let words: Vec<&str> = counted.iter().take(taken).map(|(_, word)| *word).collect();
            let rare = (taken < counted.len()).then(|| words.join(" OR "));
            assert_eq!(rare.as_deref(), expected, "{expression}");
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
    fn more_and_more_words_are_searched_where_few_of_their_rows_pass() {
        let connection = table();
        // They match 1, 2 and 4 rows, and the others more than the 6 that are counted.
        let words = ["w60", "w30", "w15", "w3", "w2", "w1", "w4", "w5"].map(|word| format!("\"{word}\""));
        let first = |count: usize| words[..count].join(" OR ");
        let check = |needed: usize, expected: &[usize]| {
            let searched = std::cell::RefCell::new(Vec::new());
            let search = |expression: &str| {
                searched.borrow_mut().push(expression.to_owned());
                Ok(vec![(); usize::from(expression.split(" OR ").count() >= needed)])
            };
            let found = first_of(&connection, "t", (&first(8), 1), 6, search).unwrap();
            let expected: Vec<String> = expected.iter().map(|count| first(*count)).collect();
            assert_eq!((found.len(), searched.into_inner()), (usize::from(needed <= 8), expected), "{needed}");
        };
        check(1, &[2]);
        check(3, &[2, 6]);
        check(7, &[2, 6, 8]);
        check(9, &[2, 6, 8]);
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
