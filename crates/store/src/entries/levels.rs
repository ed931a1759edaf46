//! Entries of one level, without those that a nearer level has by the same type and name (ruling 18).

use super::{Place, in_use_at, was_there};
use crate::StoreResult;
use rusqlite::types::Value;
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
    /// Only those that were there at this time; in use then.
    pub as_of: Option<EpochMs>,
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

/// A page of a level's entries by priority: from the one of number `offset` on, at most `limit`, without those that one of the
/// nearer levels overrides. `idx_entries_listed` has those of each type and state in order; SQLite merges them, and passes over
/// what comes before the page without handing it out.
///
/// # Errors
/// SQLite's.
pub fn page(
    connection: &Connection,
    level: Place<'_>,
    nearer: &[Place<'_>],
    wanted: Wanted,
    (offset, limit): (usize, usize),
) -> StoreResult<Vec<Listed>> {
    let (selects, mut values) = selects(level, nearer, wanted, "e.rid, e.priority, e.updated_at");
    if selects.is_empty() {
        return Ok(Vec::new());
    }
    values.extend([limit, offset].map(|rows| Value::Integer(rows as i64)));
    let sql = format!(
        "{} ORDER BY 2 DESC, 3 DESC, 1 LIMIT ?{} OFFSET ?{}",
        selects.join(" UNION ALL "),
        values.len() - 1,
        values.len()
    );
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values), |row| {
            let updated_at = row.get::<_, Option<EpochMs>>(2)?.unwrap_or_default();
            Ok(Listed { rid: row.get(0)?, priority: row.get(1)?, updated_at })
        })?
        .map(|row| Ok(row?))
        .collect()
}

/// How many entries a level has, without those that one of the nearer levels overrides.
///
/// # Errors
/// SQLite's.
pub fn count(connection: &Connection, level: Place<'_>, nearer: &[Place<'_>], wanted: Wanted) -> StoreResult<usize> {
    let (selects, values) = selects(level, nearer, wanted, "count(*)");
    if selects.is_empty() {
        return Ok(0);
    }
    let mut statement = connection.prepare_cached(&selects.join(" UNION ALL "))?;
    let counts = statement.query_map(params_from_iter(values), |row| row.get::<_, usize>(0))?;
    counts.map(|count| Ok(count?)).sum()
}

/// What is bound for a level.
fn place(level: Place<'_>) -> [Value; 2] {
    [level.space.to_string().into(), level.session_bound().map(str::to_owned).into()]
}

/// What is read of the entries of a level that are wanted, type by type and state by state.
fn selects(level: Place<'_>, nearer: &[Place<'_>], wanted: Wanted, columns: &str) -> (Vec<String>, Vec<Value>) {
    let mut values = place(level).to_vec();
    let mut narrowed = String::new();
    if let Some(category) = wanted.category {
        narrowed += &format!(" AND e.category = '{category}'");
    }
    let then = wanted.as_of.map(|at| {
        values.push(at.into());
        format!("?{}", values.len())
    });
    let there = |entry: &str| match &then {
        Some(at) => {
            let used = if wanted.inactive { String::new() } else { format!(" AND {}", in_use_at(entry, at)) };
            format!(" AND {}{used}", was_there(entry, at))
        }
        None => String::new(),
    };
    narrowed += &there("e");
    // What was in use then may not be now, and the other way round.
    let by_now = !wanted.inactive && then.is_none();
    let hides = there("n") + if by_now { " AND n.is_active = 1" } else { "" };
    for level in nearer {
        values.extend(place(*level));
        narrowed += &format!(
            " AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.space_id = ?{} AND ifnull(n.session_id, '') = ifnull(?{}, '')
                AND n.entry_type = e.entry_type AND n.name = e.name{hides} AND n.is_redacted = 0)",
            values.len() - 1,
            values.len()
        );
    }
    // What is about something is of one type: the others have none of it, and would be read to their end.
    let mut types = wanted.entry_type.map_or_else(|| EntryType::ALL.to_vec(), |one| vec![one]);
    types.retain(|of| wanted.category.is_none_or(|category| category.of() == *of));
    let states: &[u8] = if by_now { &[1] } else { &[1, 0] };
    let selects = types.iter().flat_map(|of| states.iter().map(move |state| (of, state))).map(|(of, state)| {
        format!(
            "SELECT {columns} FROM entries e INDEXED BY idx_entries_listed
             WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ifnull(?2, '') AND e.entry_type = '{of}' AND e.is_active = {state}
               AND e.is_redacted = 0{narrowed}"
        )
    });
    (selects.collect(), values)
}

#[cfg(test)]
#[test]
fn what_was_in_use_is_looked_up_in_the_ledger() {
    let space = um_model::SpaceId::default_project();
    let (space, session) = (&space, None);
    let wanted = Wanted { as_of: Some(1), ..Wanted::default() };
    let (selects, _) = selects(Place { space, session }, &[Place { space, session }], wanted, "e.rid");
    let db = crate::migrate::migrated();
    for select in selects {
        let plan = crate::migrate::plan(&db, &select);
        let looked_up = plan.matches("idx_audit_object (object_id=? AND object_type=?)").count();
        assert!(looked_up == 4 && !plan.contains("B-TREE") && !plan.contains("SCAN"), "{plan}");
    }
}
