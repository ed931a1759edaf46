//! What the full text tables stand for: the rows that each kind indexes, and their words. By it they are checked and built anew.

use super::table::{self, Kind};
use crate::{StoreError, StoreResult, units};
use rusqlite::{Connection, Row, params};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use um_model::work::EntryBody;
use um_model::{EpochMs, SpaceId};

/// So many rows are read at once.
const PORTION: usize = 512;

/// Where the rows of a kind stand, and which of them, as `t`, are indexed.
const fn source(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Units => ("text_units", "t.status = 'active'"),
        Kind::Claims => ("claims", "t.is_redacted = 0"),
        Kind::Events => ("evidence_events", "t.is_redacted = 0"),
        Kind::Entries => ("entries", "t.is_redacted = 0 AND t.current_version_id IS NOT NULL"),
        Kind::Resources => ("workspace_resources", "t.is_redacted = 0 AND t.status = 'active'"),
        Kind::SessionStates => ("session_states", "t.is_redacted = 0"),
    }
}

/// What a row says, one column for each of the kind. Passages are cut from their texts.
const fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Units => "",
        Kind::Claims => "t.statement",
        Kind::Events => "t.content",
        Kind::Entries => "t.name, (SELECT v.body FROM entry_versions v WHERE v.id = t.current_version_id)",
        Kind::Resources => "t.title, t.uri, ifnull(t.content, '')",
        Kind::SessionStates => {
            "t.current_goal, ifnull(t.summary, ''),
             ifnull((SELECT group_concat(value, char(10)) FROM json_each(t.working_set)), '')"
        }
    }
}

/// How many rows of a space stand in full text and should not, or should and do not. No text is read for this: the rows of full
/// text are those of which it keeps the lengths.
///
/// # Errors
/// SQLite's.
pub(crate) fn differing(connection: &Connection, space: &SpaceId, kind: Kind) -> StoreResult<u64> {
    let (rows, is_indexed) = source(kind);
    let wanted = format!("FROM {rows} t WHERE t.space_id = ?1 AND {is_indexed}");
    let sql = match table::find(connection, space, kind)? {
        Some(table) => format!(
            "SELECT (SELECT count(*) {wanted} AND t.rid NOT IN (SELECT id FROM {table}_docsize))
                  + (SELECT count(*) FROM {table}_docsize d WHERE NOT EXISTS (SELECT 1 {wanted} AND t.rid = d.id))"
        ),
        None => format!("SELECT count(*) {wanted}"),
    };
    Ok(connection.query_row(&sql, [space.as_str()], |row| row.get(0))?)
}

/// How many rows of a space should stand in full text, do not, and cannot be read: no index can be made of these.
///
/// # Errors
/// SQLite's.
pub(crate) fn unreadable(connection: &Connection, space: &SpaceId, kind: Kind) -> StoreResult<u64> {
    let (rows, is_indexed) = source(kind);
    let missing = match table::find(connection, space, kind)? {
        Some(table) => format!("AND t.rid NOT IN (SELECT id FROM {table}_docsize)"),
        None => String::new(),
    };
    let rids: Vec<i64> = connection
        .prepare(&format!(
            "SELECT t.rid FROM {rows} t WHERE t.space_id = ?1 AND {is_indexed} {missing} ORDER BY t.rid"
        ))?
        .query_map([space.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut count = 0;
    for portion in rids.chunks(PORTION) {
        let said = readable(connection, kind, portion)?;
        count += portion.iter().filter(|rid| !said.contains_key(rid)).count() as u64;
    }
    Ok(count)
}

/// A row of full text that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differing {
    space: SpaceId,
    pub rid: i64,
    /// What it should say, one text for each column; none where there should be no such row.
    says: Option<Vec<String>>,
}

/// What a comparison of some rows came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// How many should be there.
    pub rows: u64,
    /// What differs.
    pub differing: Vec<Differing>,
    /// How many should be there, and what they say cannot be read.
    pub unreadable: u64,
}

/// Where the rows of a kind stand.
pub(crate) const fn rows_of(kind: Kind) -> &'static str {
    source(kind).0
}

/// Compares the full text of a kind, word by word, with what it stands for: in all spaces, behind one rid and up to another.
///
/// # Errors
/// SQLite's; of a full text that cannot be read among them.
pub(crate) fn compare(connection: &Connection, kind: Kind, (after, upto): (i64, i64)) -> StoreResult<Compared> {
    let (rows, is_indexed) = source(kind);
    let mut wanted: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    let mut statement = connection.prepare_cached(&format!(
        "SELECT t.space_id, t.rid FROM {rows} t WHERE t.rid > ?1 AND t.rid <= ?2 AND {is_indexed} ORDER BY t.rid"
    ))?;
    for row in statement.query_map([after, upto], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (space, rid) = row?;
        wanted.entry(space).or_default().push(rid);
    }
    let mut spaces: BTreeSet<String> = wanted.keys().cloned().collect();
    spaces.extend(table::spaces(connection, kind)?);
    let mut all = Compared::default();
    for space in spaces {
        let rids = wanted.remove(&space).unwrap_or_default();
        compare_in(connection, (&SpaceId::parse(space)?, kind), &rids, (after, upto), &mut all)?;
    }
    Ok(all)
}

fn compare_in(
    connection: &Connection,
    (space, kind): (&SpaceId, Kind),
    wanted: &[i64],
    range: (i64, i64),
    all: &mut Compared,
) -> StoreResult<()> {
    let mut indexed = match table::find(connection, space, kind)? {
        Some(table) => indexed(connection, &table, kind, range)?,
        None => HashMap::new(),
    };
    let mut said = readable(connection, kind, wanted)?;
    all.rows += wanted.len() as u64;
    all.unreadable += wanted.iter().filter(|rid| !said.contains_key(rid)).count() as u64;
    for rid in wanted {
        let is = indexed.remove(rid);
        if let Some(says) = said.remove(rid).filter(|says| is.is_none_or(|is| !is_of(&is, says))) {
            all.differing.push(Differing { space: space.clone(), rid: *rid, says: Some(says) });
        }
    }
    let mut strays: Vec<i64> = indexed.into_keys().collect();
    strays.sort_unstable();
    all.differing.extend(strays.into_iter().map(|rid| Differing { space: space.clone(), rid, says: None }));
    Ok(())
}

/// Whether full text has of a row what the row says.
fn is_of(indexed: &[String], said: &[String]) -> bool {
    indexed.len() == said.len() && indexed.iter().zip(said).all(|(is, said)| *is == super::indexed_form(said))
}

/// What rows say, of those that can be read.
fn readable(connection: &Connection, kind: Kind, rids: &[i64]) -> StoreResult<HashMap<i64, Vec<String>>> {
    match said(connection, kind, rids) {
        Err(StoreError::Damaged(_)) => {}
        said => return Ok(said?.into_iter().collect()),
    }
    let mut found = HashMap::new();
    for rid in rids {
        match said(connection, kind, &[*rid]) {
            Err(StoreError::Damaged(_)) => {}
            said => found.extend(said?),
        }
    }
    Ok(found)
}

/// What a full text has of some rids. A row that has lost its words or its lengths is there, and says nothing. Every slice asks
/// this of every space's table, as a row may stand where it never should: its statements are kept.
fn indexed(
    connection: &Connection,
    table: &str,
    kind: Kind,
    (after, upto): (i64, i64),
) -> StoreResult<HashMap<i64, Vec<String>>> {
    let with_lengths: HashSet<i64> = connection
        .prepare_cached(&format!("SELECT id FROM {table}_docsize WHERE id > ?1 AND id <= ?2"))?
        .query_map([after, upto], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let columns = kind.columns().len();
    let mut statement = connection.prepare_cached(&format!(
        "SELECT rowid, {} FROM {table} WHERE rowid > ?1 AND rowid <= ?2",
        kind.columns().join(", ")
    ))?;
    let mut rows = statement.query(params![after, upto])?;
    let mut found: HashMap<i64, Vec<String>> = with_lengths.iter().map(|rid| (*rid, Vec::new())).collect();
    while let Some(row) = rows.next()? {
        let rid = row.get(0)?;
        let texts = (1..=columns).map(|at| row.get(at)).collect::<Result<Option<Vec<String>>, _>>()?;
        let texts = texts.filter(|_| with_lengths.contains(&rid));
        found.insert(rid, texts.unwrap_or_default());
    }
    Ok(found)
}

/// Indexes anew what differs, as it was read to be compared, and takes out what should not be there.
///
/// # Errors
/// SQLite's.
pub(crate) fn mend(connection: &Connection, kind: Kind, differing: &[Differing], now: EpochMs) -> StoreResult<()> {
    for of_space in differing.chunk_by(|one, next| one.space == next.space) {
        let at = (&of_space[0].space, kind);
        let rids: Vec<i64> = of_space.iter().map(|one| one.rid).collect();
        table::remove_all(connection, at, &rids)?;
        for one in of_space {
            if let Some(says) = &one.says {
                put(connection, at, (one.rid, says), now)?;
            }
        }
    }
    Ok(())
}

/// Builds the full text of a kind in a space anew; makes it where there is something to index.
///
/// # Errors
/// SQLite's.
pub(crate) fn rebuild(connection: &Connection, space: &SpaceId, kind: Kind, now: EpochMs) -> StoreResult<()> {
    let (rows, is_indexed) = source(kind);
    let rids: Vec<i64> = connection
        .prepare(&format!("SELECT t.rid FROM {rows} t WHERE t.space_id = ?1 AND {is_indexed} ORDER BY t.rid"))?
        .query_map([space.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    table::renew(connection, space, kind)?;
    if !rids.is_empty() {
        table::find_or_make(connection, space, kind, now)?;
    }
    for portion in rids.chunks(PORTION) {
        index(connection, (space, kind), portion, now)?;
    }
    Ok(())
}

fn index(connection: &Connection, at: (&SpaceId, Kind), rids: &[i64], now: EpochMs) -> StoreResult<()> {
    said(connection, at.1, rids)?.iter().try_for_each(|(rid, says)| put(connection, at, (*rid, says), now))
}

fn put(connection: &Connection, at: (&SpaceId, Kind), (rid, says): (i64, &[String]), now: EpochMs) -> StoreResult<()> {
    let texts: Vec<&str> = says.iter().map(String::as_str).collect();
    table::put(connection, at, rid, &texts, now)
}

/// What rows of a kind say: one text for each column.
fn said(connection: &Connection, kind: Kind, rids: &[i64]) -> StoreResult<Vec<(i64, Vec<String>)>> {
    if kind == Kind::Units {
        let form = |unit: units::UnitText| {
            (unit.rid, vec![super::form::joined(&unit.text), unit.heading_path.unwrap_or_default(), unit.title])
        };
        return Ok(units::texts(connection, rids)?.into_iter().map(form).collect());
    }
    let mut statement = connection.prepare_cached(&format!(
        "SELECT t.rid, {} FROM json_each(?1) wanted CROSS JOIN {} t ON t.rid = wanted.value",
        words(kind),
        source(kind).0
    ))?;
    let mut rows = statement.query([serde_json::to_string(rids)?])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push((row.get(0)?, texts(row, kind)?));
    }
    Ok(found)
}

fn texts(row: &Row<'_>, kind: Kind) -> StoreResult<Vec<String>> {
    let mut texts = (1..=kind.columns().len()).map(|at| row.get(at)).collect::<Result<Vec<String>, _>>()?;
    if kind == Kind::Entries {
        let body: EntryBody = serde_json::from_str(&texts[1])?;
        texts[1] = body.words().join("\n");
    }
    Ok(texts)
}

/// Every space with every kind.
///
/// # Errors
/// SQLite's.
pub(crate) fn all(connection: &Connection) -> StoreResult<Vec<(SpaceId, Kind)>> {
    let spaces: Vec<SpaceId> = connection
        .prepare("SELECT id FROM memory_spaces ORDER BY rid")?
        .query_and_then([], |row| Ok(SpaceId::parse(row.get::<_, String>(0)?)?))?
        .collect::<StoreResult<_>>()?;
    Ok(spaces.into_iter().flat_map(|space| Kind::ALL.iter().map(move |kind| (space.clone(), *kind))).collect())
}

/// Builds what has rows and no full text yet: a version that knew no full text of its kind wrote them.
///
/// # Errors
/// SQLite's.
pub(crate) fn build_missing(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    for (space, kind) in all(connection)? {
        if table::find(connection, &space, kind)?.is_none() && differing(connection, &space, kind)? > 0 {
            rebuild(connection, &space, kind, now)?;
        }
    }
    Ok(())
}
