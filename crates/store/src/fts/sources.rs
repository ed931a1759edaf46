//! What the full text tables stand for: the rows that each kind indexes, and their words. By it they are checked and built anew.

use super::table::{self, Kind};
use crate::{StoreResult, units};
use rusqlite::{Connection, Row};
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

/// What a row says, one column for each of the kind. Passages are put together by [`units::index`].
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
        match kind {
            Kind::Units => units::index(connection, space, portion)?,
            _ => index(connection, (space, kind), portion, now)?,
        }
    }
    Ok(())
}

fn index(connection: &Connection, at: (&SpaceId, Kind), rids: &[i64], now: EpochMs) -> StoreResult<()> {
    let (rows, _) = source(at.1);
    let mut statement = connection.prepare_cached(&format!(
        "SELECT t.rid, {} FROM json_each(?1) wanted CROSS JOIN {rows} t ON t.rid = wanted.value",
        words(at.1)
    ))?;
    let mut found = statement.query([serde_json::to_string(rids)?])?;
    while let Some(row) = found.next()? {
        let texts = texts(row, at.1)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        table::put(connection, at, row.get(0)?, &texts, now)?;
    }
    Ok(())
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
