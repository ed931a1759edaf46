//! The full text tables of a space, one of each kind: made with its first row, named in `space_indexes`. A row has the rid of
//! the row that it indexes.

use super::form::indexed_form;
use crate::{StoreResult, ids::new_id};
use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};
use std::cell::Cell;
use std::collections::HashSet;
use um_model::{EpochMs, SpaceId};

/// What a full text table indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Passages (`text_units`).
    Units,
    /// What is believed (`claims`).
    Claims,
    /// What was said and done (`evidence_events`).
    Events,
    /// Tools, guidelines, knowledge (`entries`, in their current version).
    Entries,
    /// Resources (`workspace_resources`).
    Resources,
    /// What is in hand (`session_states`).
    SessionStates,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: &'static [Self] =
        &[Self::Units, Self::Claims, Self::Events, Self::Entries, Self::Resources, Self::SessionStates];

    /// `space_indexes.kind`.
    const fn word(self) -> &'static str {
        match self {
            Self::Units => "units",
            Self::Claims => "claims",
            Self::Events => "events",
            Self::Entries => "entries",
            Self::Resources => "resources",
            Self::SessionStates => "session_states",
        }
    }

    /// What its rows are called.
    pub(crate) const fn called(self) -> &'static str {
        match self {
            Self::Units => "passages",
            Self::Claims => "facts",
            Self::Events => "events",
            Self::Entries => "entries",
            Self::Resources => "resources",
            Self::SessionStates => "states",
        }
    }

    pub(super) const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Units => &["text", "heading", "title"],
            Self::Claims => &["statement"],
            Self::Events => &["content"],
            Self::Entries => &["name", "body"],
            Self::Resources => &["title", "uri", "content"],
            Self::SessionStates => &["goal", "summary", "working_set"],
        }
    }

    /// What each column weighs in BM25.
    pub(super) const fn weights(self) -> &'static str {
        match self {
            Self::Units => "1.0, 0.6, 0.4",
            Self::Claims | Self::Events => "1.0",
            Self::Entries => "2.0, 1.0",
            Self::Resources => "2.0, 1.0, 1.0",
            Self::SessionStates => "2.0, 1.0, 1.0",
        }
    }
}

/// The name of a space's table, where it has one. It comes from the database, never from a caller.
///
/// # Errors
/// SQLite's.
pub fn find(connection: &Connection, space: &SpaceId, kind: Kind) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT fts_table FROM space_indexes WHERE space_id = ?1 AND kind = ?2")?
        .query_row([space.as_str(), kind.word()], |row| row.get(0))
        .optional()?)
}

/// The spaces that have a table of a kind.
///
/// # Errors
/// SQLite's.
pub(super) fn spaces(connection: &Connection, kind: Kind) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached("SELECT space_id FROM space_indexes WHERE kind = ?1")?
        .query_map([kind.word()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// The name of a space's table, made where there is none yet.
///
/// # Errors
/// SQLite's.
pub(crate) fn find_or_make(connection: &Connection, space: &SpaceId, kind: Kind, now: EpochMs) -> StoreResult<String> {
    if let Some(table) = find(connection, space, kind)? {
        return Ok(table);
    }
    let rid: i64 =
        connection.query_row("SELECT rid FROM memory_spaces WHERE id = ?1", [space.as_str()], |row| row.get(0))?;
    let table = format!("fts_{}_{rid}", kind.word());
    make(connection, &table, kind)?;
    connection.execute(
        "INSERT INTO space_indexes (id, space_id, kind, fts_table, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![new_id(now), space.as_str(), kind.word(), table, now],
    )?;
    Ok(table)
}

/// Most rows come in alone, each with a segment of its own. FTS5 merges four of them as soon as there are four, in the middle of a
/// write: of 3,000 writes to 100,000 rows, one in a hundred took 5.9 ms. With sixteen it takes 0.3, and all of them half; a word is
/// looked up in more segments, which costs some 0.03 ms.
const MERGED: usize = 16;
/// So many segments would be merged at once.
const AT_ONCE: usize = 32;

pub(super) fn make(connection: &Connection, table: &str, kind: Kind) -> StoreResult<()> {
    let columns = kind.columns().join(", ");
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {table} USING fts5({columns}, tokenize = \"porter unicode61 remove_diacritics 2\");
         INSERT INTO {table}({table}, rank) VALUES ('secure-delete', 1), ('automerge', {MERGED}), ('crisismerge', {AT_ONCE});"
    ))?;
    Ok(())
}

/// An empty table in the place of a space's own, where it has one. To delete its rows one by one takes far longer, and reads what
/// may be damaged.
///
/// # Errors
/// SQLite's.
pub(super) fn renew(connection: &Connection, space: &SpaceId, kind: Kind) -> StoreResult<()> {
    let Some(table) = find(connection, space, kind)? else { return Ok(()) };
    connection.execute_batch(&format!("DROP TABLE IF EXISTS {table}"))?;
    make(connection, &table, kind)
}

/// Indexes a row by its words, one text for each column of the kind, in the [form](indexed_form) that is looked up. What is indexed of
/// it already has to be [removed](remove) first.
///
/// # Errors
/// SQLite's.
pub(crate) fn put(
    connection: &Connection,
    (space, kind): (&SpaceId, Kind),
    rid: i64,
    texts: &[&str],
    now: EpochMs,
) -> StoreResult<()> {
    let table = find_or_make(connection, space, kind, now)?;
    insert(connection, (&table, kind), rid, texts)
}

/// Indexes a row in the table of that name.
///
/// # Errors
/// SQLite's.
pub(super) fn insert(
    connection: &Connection,
    (table, kind): (&str, Kind),
    rid: i64,
    texts: &[&str],
) -> StoreResult<()> {
    let columns = kind.columns();
    debug_assert_eq!(columns.len(), texts.len());
    let places: Vec<String> = (2..columns.len() + 2).map(|at| format!("?{at}")).collect();
    let texts: Vec<String> = texts.iter().map(|text| indexed_form(text)).collect();
    let mut values: Vec<&dyn ToSql> = vec![&rid];
    values.extend(texts.iter().map(|text| text as &dyn ToSql));
    connection
        .prepare_cached(&format!(
            "INSERT INTO {table}(rowid, {}) VALUES (?1, {})",
            columns.join(", "),
            places.join(", ")
        ))?
        .execute(params_from_iter(values))?;
    Ok(())
}

/// Takes a row out of its index.
///
/// # Errors
/// SQLite's.
pub(crate) fn remove(connection: &Connection, at: (&SpaceId, Kind), rid: i64) -> StoreResult<()> {
    remove_all(connection, at, &[rid])
}

/// Takes rows out of their index, which is written once for all of them.
///
/// # Errors
/// SQLite's.
pub(crate) fn remove_all(connection: &Connection, (space, kind): (&SpaceId, Kind), rids: &[i64]) -> StoreResult<()> {
    match find(connection, space, kind)? {
        Some(table) => super::remove(connection, &table, rids),
        None => Ok(()),
    }
}

/// After rows are removed from a table: FTS5 takes them out of its index at once. It would wait for the end of the transaction, and a row that
/// comes back before that, with a word that it has some hundred times, would leave an index that does not hold what its rows say: a fault
/// of `secure-delete` in SQLite 3.54.
///
/// # Errors
/// SQLite's.
pub(super) fn removed(connection: &Connection, table: &str) -> StoreResult<()> {
    connection.prepare_cached(&format!("INSERT INTO {table}({table}) VALUES ('flush')"))?.execute([])?;
    Ok(())
}

/// The rows of a space that match an FTS5 MATCH expression, best first by BM25, ties by rid: at most `limit` rids with their
/// scores, higher is better. Of many rows, those that have the rarest words are scored.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn ranked(
    connection: &Connection,
    (space, kind): (&SpaceId, Kind),
    expression: &str,
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let Some(table) = find(connection, space, kind)? else { return Ok(Vec::new()) };
    super::rare::first(connection, &table, (expression, limit), |expression| {
        by_score(connection, (&table, kind), expression, limit, None)
    })
}

/// The best rows of a table by BM25 alone, of all or of those that are allowed: as [`ranked`].
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub(super) fn by_score(
    connection: &Connection,
    (table, kind): (&str, Kind),
    expression: &str,
    limit: usize,
    allowed: Option<&[i64]>,
) -> StoreResult<Vec<(i64, f64)>> {
    // With the plus, what was matched is looked up among the allowed; without it, FTS5 would run the whole
    // search again for each of the allowed (measured: 300 times as long for 5,000 of 10,000).
    let among = if allowed.is_some() { "+rowid IN (SELECT value FROM json_each(?3))" } else { "?3 IS NULL" };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT rowid, -bm25({table}, {}) AS score FROM {table}
         WHERE {table} MATCH ?1 AND {among} ORDER BY score DESC, rowid LIMIT ?2",
        kind.weights()
    ))?;
    // More than SQLite can count is all.
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let allowed = allowed.map(serde_json::to_string).transpose()?;
    Ok(statement
        .query_map(params![expression, limit, allowed], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?)
}

/// What was found among what fits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fitting {
    /// Their rids, the best first.
    pub rids: Vec<i64>,
    /// Whether so much matches and so little of it fits that not all was looked at: more may fit than is told.
    pub is_cut: bool,
    /// Whether not all was compared that said something else at the time that is asked of.
    pub past_is_cut: bool,
}

impl Fitting {
    /// These and others, the best of each beside the best of the other, as scores of two indexes do not compare: at most `limit`, each
    /// once.
    pub(crate) fn beside(self, others: Self, limit: usize) -> Self {
        let mut seen = HashSet::new();
        let longest = self.rids.len().max(others.rids.len());
        let all = (0..longest).flat_map(|at| [self.rids.get(at), others.rids.get(at)]).flatten().copied();
        Self {
            rids: all.filter(|rid| seen.insert(*rid)).take(limit).collect(),
            is_cut: self.is_cut || others.is_cut,
            past_is_cut: self.past_is_cut || others.past_is_cut,
        }
    }
}

/// So much of what matches is looked at, the best first.
const LOOKED_AT: usize = 10_000;

/// The rids of the best so many that `fits` leaves of those that it is told, some at a time, each once; of `among` alone where that
/// is given. `fits` may give other rids for those that it is told.
///
/// # Errors
/// SQLite's, a malformed expression among them, and those of `fits`.
pub(crate) fn ranked_fitting(
    connection: &Connection,
    of: (&SpaceId, Kind),
    (expression, among): (&str, Option<&[i64]>),
    limit: usize,
    fits: impl Fn(&[i64]) -> StoreResult<Vec<i64>>,
) -> StoreResult<Fitting> {
    ranked_fitting_of(connection, of, (expression, among), (limit, LOOKED_AT), fits)
}

fn ranked_fitting_of(
    connection: &Connection,
    (space, kind): (&SpaceId, Kind),
    (expression, among): (&str, Option<&[i64]>),
    (limit, most): (usize, usize),
    fits: impl Fn(&[i64]) -> StoreResult<Vec<i64>>,
) -> StoreResult<Fitting> {
    let Some(table) = find(connection, space, kind)? else { return Ok(Fitting::default()) };
    let most = most.max(limit);
    let narrowed = if among.is_some() { "+rowid IN (SELECT value FROM json_each(?2))" } else { "?2 IS NULL" };
    let sql = format!(
        "SELECT rowid FROM {table} WHERE {table} MATCH ?1 AND {narrowed} ORDER BY -bm25({table}, {}) DESC, rowid LIMIT ?3",
        kind.weights()
    );
    let listed = among.map(serde_json::to_string).transpose()?;
    let is_cut = Cell::new(false);
    let search = |expression: &str| {
        let mut statement = connection.prepare_cached(&sql)?;
        let matching: Vec<i64> = statement
            .query_map(params![expression, listed, most as i64 + 1], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for some in matching[..matching.len().min(most)].chunks(limit.max(1)) {
            found.extend(fits(some)?.into_iter().filter(|rid| seen.insert(*rid)));
            if found.len() >= limit {
                break;
            }
        }
        is_cut.set(matching.len() > most && found.len() < limit);
        found.truncate(limit);
        Ok(found)
    };
    let rids = match among {
        Some(_) => search(expression)?,
        None => super::rare::first(connection, &table, (expression, limit), search)?,
    };
    Ok(Fitting { rids, is_cut: is_cut.get(), past_is_cut: false })
}

/// So many rows are handed to SQLite as a list; more are looked up here.
pub(crate) const LISTED: usize = 10_000;

/// As [`ranked`], of `allowed` alone.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub(crate) fn ranked_among(
    connection: &Connection,
    (space, kind): (&SpaceId, Kind),
    expression: &str,
    allowed: &[i64],
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let Some(table) = find(connection, space, kind)? else { return Ok(Vec::new()) };
    if allowed.len() > LISTED {
        return ranked_among_many(connection, (&table, kind), expression, allowed, limit);
    }
    by_score(connection, (&table, kind), expression, limit, Some(allowed))
}

/// Goes through all that match, the best first, until enough of them are allowed.
fn ranked_among_many(
    connection: &Connection,
    (table, kind): (&str, Kind),
    expression: &str,
    allowed: &[i64],
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let mut allowed = allowed.to_vec();
    allowed.sort_unstable();
    let sql = format!(
        "SELECT rowid, -bm25({table}, {}) AS score FROM {table} WHERE {table} MATCH ?1 ORDER BY score DESC, rowid",
        kind.weights()
    );
    super::rare::first(connection, table, (expression, limit), |expression| {
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([expression])?;
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(row) = rows.next()?
        {
            let rid: i64 = row.get(0)?;
            if allowed.binary_search(&rid).is_ok() {
                found.push((rid, row.get(1)?));
            }
        }
        Ok(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row n has the word `heron` n times among thirty, so that the last is the best.
    fn database() -> (Connection, SpaceId) {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE space_indexes (space_id, kind, fts_table)").unwrap();
        let space = SpaceId::global();
        let named = [space.as_str(), Kind::Claims.word(), "t"];
        connection.execute("INSERT INTO space_indexes VALUES (?1, ?2, ?3)", named).unwrap();
        make(&connection, "t", Kind::Claims).unwrap();
        for row in 1..=20 {
            let says = "heron ".repeat(row) + &"reed ".repeat(30 - row);
            connection.execute("INSERT INTO t(rowid, statement) VALUES (?1, ?2)", params![row as i64, says]).unwrap();
        }
        (connection, space)
    }

    #[test]
    fn the_index_holds_what_its_rows_say_where_a_long_one_is_said_anew() {
        let db = crate::migrate::migrated();
        let (space, words) = (SpaceId::global(), ["heron", "reed", "otter"]);
        for at in 0..60_usize {
            let says: Vec<String> = (0..8)
                .map(|part| format!("{} ", words[(at + part) % 3]).repeat(1 + (at * 71 + part * 131) % 300))
                .collect();
            let tx = db.unchecked_transaction().unwrap();
            remove(&tx, (&space, Kind::Claims), at as i64 % 3).unwrap();
            put(&tx, (&space, Kind::Claims), at as i64 % 3, &[&says.concat()], 1).unwrap();
            tx.commit().unwrap();
            let table = find(&db, &space, Kind::Claims).unwrap().unwrap();
            db.execute(&format!("INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 0)"), []).unwrap();
        }
    }

    #[test]
    fn no_more_is_looked_at_than_so_much_and_that_is_told() {
        let (c, space) = database();
        let check = |among: Option<&[i64]>, limit: usize, most: usize, rids: &[i64], is_cut: bool| {
            let looked_at = Cell::new(0);
            let fits = |rids: &[i64]| {
                looked_at.set(looked_at.get() + rids.len());
                Ok(rids.iter().copied().filter(|rid| rid % 5 == 0).collect())
            };
            let of = (&space, Kind::Claims);
            let found = ranked_fitting_of(&c, of, ("\"heron\"", among), (limit, most), fits).unwrap();
            assert_eq!(found, Fitting { rids: rids.to_vec(), is_cut, past_is_cut: false }, "{limit} of {most}");
            assert!(looked_at.get() <= most.max(limit), "{} of {most}", looked_at.get());
        };
        check(None, 3, 100, &[20, 15, 10], false);
        check(None, 9, 100, &[20, 15, 10, 5], false);
        check(None, 9, 20, &[20, 15, 10, 5], false);
        // What is wanted was found before the end.
        check(None, 2, 8, &[20, 15], false);
        check(None, 3, 8, &[20, 15], true);
        check(None, 3, 5, &[20], true);
        check(Some(&[1, 2, 3, 5, 10]), 3, 100, &[10, 5], false);
        check(Some(&[1, 2, 3, 5, 10]), 3, 3, &[10, 5], true);
        check(Some(&[1, 2, 3]), 3, 3, &[], false);
    }

    #[test]
    fn the_best_of_two_indexes_stand_beside_each_other() {
        let check = |one: &[i64], other: &[i64], limit: usize, expected: &[i64]| {
            let of = |rids: &[i64]| Fitting { rids: rids.to_vec(), ..Fitting::default() };
            assert_eq!(of(one).beside(of(other), limit), of(expected), "{one:?} {other:?} {limit}");
        };
        check(&[1, 2, 3], &[], 9, &[1, 2, 3]);
        check(&[], &[4, 5], 9, &[4, 5]);
        check(&[1, 2, 3], &[4, 2], 9, &[1, 4, 2, 3]);
        check(&[1, 2, 3], &[4, 5], 3, &[1, 4, 2]);
        let cut = Fitting { past_is_cut: true, ..Fitting::default() };
        assert!(Fitting::default().beside(cut, 1).past_is_cut);
    }

    #[test]
    fn what_several_rows_lead_to_is_told_once() {
        let (c, space) = database();
        let of = (&space, Kind::Claims);
        let halves = |rids: &[i64]| Ok(rids.iter().map(|rid| rid / 4).collect());
        let found = ranked_fitting_of(&c, of, ("\"heron\"", None), (4, 100), halves).unwrap();
        assert_eq!(found.rids, [5, 4, 3, 2]);
    }
}
