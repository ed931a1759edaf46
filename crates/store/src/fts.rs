//! Full text: one FTS5 table a space, as BM25's statistics are global to a table and would leak from
//! one space into the scores of another (ruling 4). The rows are those of `text_units` whose memory is
//! active; what leaves recall leaves the table.

pub(crate) mod form;
mod rare;
pub(crate) mod sources;
pub mod table;
pub(crate) mod then;

use crate::filter::{self, Admitted, UnitFilter, WIDE};
use crate::{StoreResult, hits};
pub use form::{COMMON, indexed_form, is_mark_on, is_unseen, is_unspaced, is_within_word, joined, joins, plain, whole};
use rusqlite::{Connection, params};
use std::cell::OnceCell;
use std::collections::HashSet;
pub use table::Kind;
use um_model::{EpochMs, SpaceId};

/// Makes the table of every space that has none.
pub(crate) fn create_missing(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    let missing: Vec<String> = connection
        .prepare(
            "SELECT s.id FROM memory_spaces s
             WHERE NOT EXISTS (SELECT 1 FROM space_indexes i WHERE i.space_id = s.id AND i.kind = 'units')",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for space in missing {
        table::find_or_make(connection, &SpaceId::parse(space)?, Kind::Units, now)?;
    }
    Ok(())
}

/// The name of a space's table of units.
///
/// # Errors
/// SQLite's.
pub(crate) fn table(connection: &Connection, space: &SpaceId) -> StoreResult<Option<String>> {
    table::find(connection, space, Kind::Units)
}

/// What is indexed of a unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Indexed<'a> {
    /// `text_units.rid`
    pub unit_rid: i64,
    /// Its words.
    pub text: &'a str,
    /// The headings above it.
    pub heading: &'a str,
    /// The name of the file or memory.
    pub title: &'a str,
}

/// Adds units to a space's table.
pub(crate) fn insert(connection: &Connection, table: &str, units: &[Indexed<'_>]) -> StoreResult<()> {
    let mut statement = connection
        .prepare_cached(&format!("INSERT INTO {table}(rowid, text, heading, title) VALUES (?1, ?2, ?3, ?4)"))?;
    for unit in units {
        let text = indexed_form(&form::joined(unit.text));
        statement.execute(params![unit.unit_rid, text, indexed_form(unit.heading), indexed_form(unit.title)])?;
    }
    Ok(())
}

/// Takes units out of a space's table.
pub(crate) fn remove(connection: &Connection, table: &str, unit_rids: &[i64]) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?;
    for rid in unit_rids {
        statement.execute([rid])?;
    }
    table::removed(connection, table)
}

/// The best units of a space by BM25 that pass: `(text_units.rid, score)`, best first, higher is better, ties by
/// rid. Units that are a file's name and nothing else come after all that are text, whatever their score. `expression` is an FTS5 MATCH expression;
/// of many rows, those that have its [rarest words](rare) are scored.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn search(
    connection: &Connection,
    space: &SpaceId,
    expression: &str,
    admitted: &Admitted<'_>,
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let Some(table) = table(connection, space)? else { return Ok(Vec::new()) };
    let listed = OnceCell::new();
    let best = |expression: &str| {
        // All that match are scored, however many are wanted: to search again for more would take as long again.
        admitted.best(connection, std::slice::from_ref(space), (limit, WIDE), &listed, |wanted, allowed| {
            let found = ranked(connection, (space, &table), expression, wanted, allowed)?;
            let are_all = found.len() < wanted;
            Ok((found, are_all))
        })
    };
    match admitted {
        Admitted::Few(_) => best(expression),
        // Whether the rarest words suffice is told by what they find that passes.
        Admitted::All | Admitted::Many(_) => rare::first(connection, &table, (expression, limit), best),
    }
}

/// Whether any unit of a space that passes matches an FTS5 expression: nothing is scored for it, and nothing listed.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn any(connection: &Connection, space: &SpaceId, expression: &str, admitted: &Admitted<'_>) -> StoreResult<bool> {
    let given = match admitted {
        Admitted::All => None,
        Admitted::Few(few) => match few.get(space.as_str()) {
            Some(rids) => Some(serde_json::to_string(rids)?),
            None => return Ok(false),
        },
        Admitted::Many(filter) => return any_passing(connection, space, expression, filter),
    };
    let Some(table) = table(connection, space)? else { return Ok(false) };
    let among = if given.is_some() { "+rowid IN (SELECT value FROM json_each(?2))" } else { "?2 IS NULL" };
    let sql = format!("SELECT 1 FROM {table} WHERE {table} MATCH ?1 AND {among} LIMIT 1");
    Ok(connection.prepare_cached(&sql)?.exists(params![expression, given])?)
}

/// So many of what matches are asked first whether they pass, and twice as many each time, up to the most at once.
const ASKED: usize = 256;
const ASKED_MOST: usize = 4_096;

/// Whether any unit of a space that matches an FTS5 expression passes a filter: they are asked some at a time, until one does.
fn any_passing(connection: &Connection, space: &SpaceId, expression: &str, filter: &UnitFilter) -> StoreResult<bool> {
    let Some(table) = table(connection, space)? else { return Ok(false) };
    let mut statement = connection.prepare_cached(&format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1"))?;
    let mut matching = statement.query_map([expression], |row| row.get::<_, i64>(0))?;
    let mut asked = ASKED;
    loop {
        let some: Vec<i64> = matching.by_ref().take(asked).collect::<Result<_, _>>()?;
        if some.is_empty() || !filter.keep(connection, &some)?.is_empty() {
            return Ok(!some.is_empty());
        }
        asked = ASKED_MOST.min(asked * 2);
    }
}

/// Where files are known by their names alone, so many more rows are looked at, and so many times as many where names fill these.
const SPARE: usize = 100;
const MORE: usize = 32;

/// As [`search`], the best `wanted`, of all or of those that are allowed.
fn ranked(
    connection: &Connection,
    (space, table): (&SpaceId, &str),
    expression: &str,
    wanted: usize,
    allowed: Option<&[i64]>,
) -> StoreResult<Vec<(i64, f64)>> {
    if !has_mere_names(connection, space)? {
        return table::by_score(connection, (table, Kind::Units), expression, wanted, allowed);
    }
    // To ask of each row that matches whether it is a name takes longer than to score it, and to list all names of a space longer
    // still: it is asked of the best alone, of more of them where too few are text.
    let mut most = wanted.saturating_add(SPARE);
    loop {
        let found = table::by_score(connection, (table, Kind::Units), expression, most, allowed)?;
        let is_all = found.len() < most;
        let names = mere_names(connection, &found)?;
        let (named, mut texts): (Vec<_>, Vec<_>) = found.into_iter().partition(|(rid, _)| names.contains(rid));
        if is_all || texts.len() >= wanted {
            texts.extend(named);
            texts.truncate(wanted);
            return Ok(texts);
        }
        most = most.saturating_mul(MORE);
    }
}

/// Whether a space has a file of which only the name is known.
fn has_mere_names(connection: &Connection, space: &SpaceId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM derived_text_views WHERE space_id = ?1 AND view_type = 'metadata_text'")?
        .exists([space.as_str()])?)
}

/// Those of what was found that are a file's name and nothing else.
fn mere_names(connection: &Connection, found: &[(i64, f64)]) -> StoreResult<HashSet<i64>> {
    hits::names_alone(connection, &found.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())
}

/// The words of units of a space, as they are indexed, in the form in which they are read.
///
/// # Errors
/// SQLite's.
pub(crate) fn texts(connection: &Connection, space: &SpaceId, rids: &[i64]) -> StoreResult<Vec<(i64, String)>> {
    let Some(table) = table(connection, space)? else { return Ok(Vec::new()) };
    // From where FTS5 keeps them, its first column first: to ask the table itself for one row takes half as long again.
    let sql = format!("SELECT t.id, t.c0 FROM json_each(?1) given CROSS JOIN {table}_content t ON t.id = given.value");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([serde_json::to_string(rids)?], |row| Ok((row.get(0)?, form::read(row.get(1)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Those of some spaces that have a unit in use, in their order: one statement for all, where each would be asked one of its own.
///
/// # Errors
/// SQLite's.
pub fn that_have_units(connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Vec<SpaceId>> {
    connection
        .prepare_cached(HAVE_UNITS)?
        .query_and_then([filter::ids(spaces)?], |row| Ok(SpaceId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

const HAVE_UNITS: &str = "SELECT given.value FROM json_each(?1) given
  WHERE EXISTS (SELECT 1 FROM text_units u WHERE u.space_id = given.value AND u.status = 'active') ORDER BY given.key";

/// Words that stand after each other, as an FTS5 expression: a string, in which nothing is read as an operator.
pub fn quoted(words: &str) -> String {
    format!("\"{}\"", indexed_form(words).replace('"', "\"\""))
}

/// What units begin with a word, as an FTS5 expression.
fn begins_with(word: &str) -> String {
    format!("text : ^ {}", quoted(word))
}

/// Whether any unit of a space begins with one of some words.
///
/// # Errors
/// SQLite's.
pub fn any_beginning_with(connection: &Connection, space: &SpaceId, words: &[String]) -> StoreResult<bool> {
    let Some(table) = table(connection, space)?.filter(|_| !words.is_empty()) else { return Ok(false) };
    let expression = words.iter().map(|word| begins_with(word)).collect::<Vec<_>>().join(" OR ");
    let sql = format!("SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT 1");
    Ok(connection.prepare_cached(&sql)?.exists([expression])?)
}

/// Units of a space that begin with a word: the words of some of them.
///
/// # Errors
/// SQLite's.
pub fn beginning_with(connection: &Connection, space: &SpaceId, word: &str, most: u32) -> StoreResult<Vec<String>> {
    let Some(table) = table(connection, space)? else { return Ok(Vec::new()) };
    let sql = format!("SELECT text FROM {table} WHERE {table} MATCH ?1 LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![begins_with(word), most], |row| Ok(form::read(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The rids of a space's units that match an FTS5 expression; only of those given, where some are.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn matching(
    connection: &Connection,
    space: &SpaceId,
    expression: &str,
    given: Option<&[i64]>,
) -> StoreResult<HashSet<i64>> {
    let Some(table) = table(connection, space)? else { return Ok(HashSet::new()) };
    let among = if given.is_some() { "+rowid IN (SELECT value FROM json_each(?2))" } else { "?2 IS NULL" };
    let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 AND {among}");
    let given = given.map(serde_json::to_string).transpose()?;
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![expression, given], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether any unit of a space but for those, by their rids, matches an FTS5 expression.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub(crate) fn any_but(connection: &Connection, space: &SpaceId, expression: &str, but: &[i64]) -> StoreResult<bool> {
    let Some(table) = table(connection, space)? else { return Ok(false) };
    let sql = format!(
        "SELECT 1 FROM {table} WHERE {table} MATCH ?1 AND +rowid NOT IN (SELECT value FROM json_each(?2)) LIMIT 1"
    );
    Ok(connection.prepare_cached(&sql)?.exists(params![expression, serde_json::to_string(but)?])?)
}

/// How many units of a space match an FTS5 expression, as far as `most`.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub(crate) fn count(connection: &Connection, space: &SpaceId, expression: &str, most: usize) -> StoreResult<usize> {
    let Some(table) = table(connection, space)? else { return Ok(0) };
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT ?2)");
    Ok(connection.prepare_cached(&sql)?.query_row(params![expression, most], |row| row.get(0))?)
}

/// Units that are in no index. They are indexed in memory once somebody looks for words in them, and for that one only.
pub struct Past<'a> {
    connection: &'a Connection,
    rids: Vec<i64>,
    table: OnceCell<Connection>,
}

impl<'a> Past<'a> {
    /// Those of these rids.
    pub fn of(connection: &'a Connection, rids: Vec<i64>) -> Self {
        Self { connection, rids, table: OnceCell::new() }
    }

    /// The rids of those that are left.
    pub fn rids(&self) -> &[i64] {
        &self.rids
    }

    /// Keeps those that match an FTS5 expression, or those that do not.
    ///
    /// # Errors
    /// SQLite's; a malformed expression among them.
    pub fn keep(&mut self, expression: &str, matching: bool) -> StoreResult<()> {
        let mut statement = self.table()?.prepare_cached("SELECT rowid FROM past WHERE past MATCH ?1")?;
        let found: HashSet<i64> = statement.query_map([expression], |row| row.get(0))?.collect::<Result<_, _>>()?;
        drop(statement);
        self.rids.retain(|rid| found.contains(rid) == matching);
        Ok(())
    }

    /// The best `limit` of those that are left, by BM25 among all that were given: as [`search`].
    ///
    /// # Errors
    /// SQLite's; a malformed expression among them.
    pub fn search(&self, expression: &str, limit: usize) -> StoreResult<Vec<(i64, f64)>> {
        if self.rids.is_empty() {
            return Ok(Vec::new());
        }
        table::by_score(self.table()?, ("past", Kind::Units), expression, limit, Some(&self.rids))
    }

    fn table(&self) -> StoreResult<&Connection> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let memory = Connection::open_in_memory()?;
        table::make(&memory, "past", Kind::Units)?;
        // In one transaction: else each row is a segment of its own.
        let all = memory.unchecked_transaction()?;
        for unit in crate::units::texts(self.connection, &self.rids)? {
            let heading = unit.heading_path.as_deref().unwrap_or("");
            insert(&memory, "past", &[Indexed { unit_rid: unit.rid, text: &unit.text, heading, title: &unit.title }])?;
        }
        all.commit()?;
        Ok(self.table.get_or_init(|| memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn what_is_asked_of_all_spaces_is_looked_up() {
        let plan = plan(&migrated(), HAVE_UNITS);
        assert!(plan.contains("USING COVERING INDEX idx_units_space (space_id=? AND status=?)"), "{plan}");
    }
}
