//! Entries of one level, without those that a nearer level has by the same type and name (ruling 18).

use super::Place;
use crate::StoreResult;
use rusqlite::{Connection, params_from_iter};
use um_model::EpochMs;
use um_model::work::{EntryCategory, EntryType};

/// Which entries of a level are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Only of this type.
    pub entry_type: Option<EntryType>,
    /// Only about this.
    pub category: Option<EntryCategory>,
    /// Those out of use as well.
    pub inactive: bool,
}

/// An entry in a list: what it is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its rid.
    pub rid: i64,
    /// Its priority: the highest first.
    pub priority: u8,
    /// When its current version was written: the latest first.
    pub updated_at: EpochMs,
}

/// The first entries of a level by priority, at most `limit`, without those that one of the nearer levels overrides. Reads no
/// more rows than that of each type and state, besides those that are overridden: `idx_entries_listed` has them in order.
///
/// # Errors
/// SQLite's.
pub fn first(
    connection: &Connection,
    level: Place<'_>,
    nearer: &[Place<'_>],
    wanted: Wanted,
    limit: usize,
) -> StoreResult<Vec<Listed>> {
    // What is about something is of one type: the others have none of it, and would be read to their end.
    let mut types = wanted.entry_type.map_or_else(|| EntryType::ALL.to_vec(), |one| vec![one]);
    types.retain(|of| wanted.category.is_none_or(|category| category.of() == *of));
    let states: &[bool] = if wanted.inactive { &[true, false] } else { &[true] };
    let mut listed = Vec::new();
    for (of, is_active) in types.iter().flat_map(|of| states.iter().map(move |state| (*of, *state))) {
        listed.extend(of_type(connection, level, nearer, (of, is_active), wanted, limit)?);
    }
    listed.sort_by_key(|one| (std::cmp::Reverse((one.priority, one.updated_at)), one.rid));
    listed.truncate(limit);
    Ok(listed)
}

fn of_type(
    connection: &Connection,
    level: Place<'_>,
    nearer: &[Place<'_>],
    (of, is_active): (EntryType, bool),
    wanted: Wanted,
    limit: usize,
) -> StoreResult<Vec<Listed>> {
    let mut values: Vec<String> = vec![level.space.to_string(), level.session_word().to_owned()];
    let hides = if wanted.inactive { "" } else { " AND n.is_active = 1" };
    let mut sql = format!(
        "SELECT e.rid, e.priority, ifnull(e.updated_at, e.created_at) FROM entries e INDEXED BY idx_entries_listed
         WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ?2 AND e.entry_type = '{of}' AND e.is_active = {}
           AND e.is_redacted = 0",
        u8::from(is_active)
    );
    if let Some(category) = wanted.category {
        sql += &format!(" AND e.category = '{category}'");
    }
    for place in nearer {
        let at = values.len();
        values.extend([place.space.to_string(), place.session_word().to_owned()]);
        sql += &format!(
            " AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.space_id = ?{} AND ifnull(n.session_id, '') = ?{}
                AND n.entry_type = e.entry_type AND n.name = e.name{hides} AND n.is_redacted = 0)",
            at + 1,
            at + 2
        );
    }
    values.push(limit.to_string());
    sql += &format!(" ORDER BY e.priority DESC, e.updated_at DESC, e.rid LIMIT CAST(?{} AS INTEGER)", values.len());
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values), |row| {
            Ok(Listed { rid: row.get(0)?, priority: row.get(1)?, updated_at: row.get(2)? })
        })?
        .map(|row| Ok(row?))
        .collect()
}
