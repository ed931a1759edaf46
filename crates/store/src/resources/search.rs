//! The resources that speak of something, or spoke of it at another time.

use super::{COLUMNS, changed, moments, resource};
use crate::StoreResult;
use crate::filter::Then;
use crate::fts::table::{self, Fitting, Kind};
use crate::fts::then::{self, READ};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::SpaceId;
use um_model::work::Resource;

/// The resources of a space that a full text expression finds, best first, without what they say.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn search(connection: &Connection, space: &SpaceId, expression: &str, limit: usize) -> StoreResult<Vec<Resource>> {
    let mut found = Vec::new();
    let mut by_rid = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM workspace_resources r WHERE r.rid = ?1 AND r.status = 'active'"
    ))?;
    for (rid, _) in table::ranked(connection, (space, Kind::Resources), expression, limit)? {
        found.extend(by_rid.query_row([rid], |row| Ok(resource(row))).optional()?.transpose()?);
    }
    Ok(found)
}

/// The rids of those that were there at another time and that the expression finds by what they said then, the best first, at most
/// `limit`.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn search_at(
    connection: &Connection,
    space: &SpaceId,
    expression: &str,
    then: Then,
    limit: usize,
) -> StoreResult<Fitting> {
    let [at, known_at] = moments(then);
    let stood = |rids: &[i64]| {
        let mut statement = connection.prepare_cached(STOOD)?;
        let rows = statement.query_map(params![serde_json::to_string(rids)?, at.min(known_at)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    let found = table::ranked_fitting(connection, (space, Kind::Resources), (expression, None), limit, stood)?;
    Ok(found.beside(said_then(connection, space, expression, then)?, limit))
}

/// Those of ?1 that are there and did not change since a time ?2.
const STOOD: &str = "SELECT r.rid FROM json_each(?1) f CROSS JOIN workspace_resources r ON r.rid = f.value
   WHERE r.status = 'active' AND r.updated_at <= ?2 AND r.is_redacted = 0 ORDER BY f.key";

/// The rids of those that were there at another time, changed since, and that the expression finds by what they said then, the best
/// first.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub(crate) fn said_then(
    connection: &Connection,
    space: &SpaceId,
    expression: &str,
    then: Then,
) -> StoreResult<Fitting> {
    let [at, known_at] = moments(then);
    let mut statement = connection.prepare_cached(&said())?;
    let said = statement.query_and_then(
        params![space.as_str(), READ as i64, at, known_at],
        |row| -> StoreResult<(i64, Vec<String>)> { Ok((row.get(0)?, vec![row.get(1)?, row.get(2)?, row.get(3)?])) },
    )?;
    then::ranked(Kind::Resources, expression, said)
}

/// What those said, at most ?2 of them.
fn said() -> String {
    format!("{} LIMIT ?2", changed("r.rid, v.title, r.uri, ifnull(v.content, '')", ""))
}

#[cfg(test)]
#[test]
fn what_was_said_then_is_looked_up() {
    let plan = crate::migrate::plan(&crate::migrate::migrated(), &said());
    assert!(!plan.contains("SCAN r") && !plan.contains("SCAN v") && !plan.contains("B-TREE"), "{plan}");
    for step in [
        "idx_resources_recent (space_id=? AND status=? AND updated_at>?)",
        "(resource_id=? AND version_num=?)",
        "idx_events_about (<expr>=?)",
    ] {
        assert!(plan.contains(step), "{step}: {plan}");
    }
}
