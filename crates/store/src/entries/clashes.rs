//! `entry_conflicts`: versions of an entry that were written without regard to one another.

use super::versions;
use crate::rejected::{Checked, Remark};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::{Clash, ClashOutcome};
use um_model::{AgentId, EntryConflictId, EntryId, EpochMs, SpaceId, VersionId};

/// Notes that a version was written without regard to the one before it.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    (space, entry): (&SpaceId, &EntryId),
    (a, b): (&VersionId, &VersionId),
    now: EpochMs,
) -> StoreResult<EntryConflictId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO entry_conflicts (id, space_id, entry_id, version_a_id, version_b_id, detected_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![id, space.as_str(), entry.as_str(), a.as_str(), b.as_str(), now])?;
    Ok(EntryConflictId::parse(id)?)
}

/// Decides one.
///
/// # Errors
/// SQLite's.
pub fn resolve(
    connection: &Connection,
    id: &EntryConflictId,
    outcome: ClashOutcome,
    note: &Checked<Remark<'_>>,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE entry_conflicts SET resolved = 1, outcome = ?2, resolution = ?3, resolved_at = ?4, resolved_by = ?5
             WHERE id = ?1",
        )?
        .execute(params![id.as_str(), outcome.as_str(), note.0, now, actor.as_str()])?;
    Ok(())
}

const SELECT: &str =
    "SELECT c.id, c.space_id, c.entry_id, e.entry_type, e.name, c.version_a_id, c.version_b_id, c.detected_at,
    c.outcome, c.resolution, c.resolved_at, c.resolved_by
  FROM entry_conflicts c JOIN entries e ON e.id = c.entry_id";

fn clash(connection: &Connection, row: &Row<'_>) -> StoreResult<Clash> {
    let text = |at: usize| row.get::<_, String>(at);
    let version = |at: usize| {
        let id = VersionId::parse(text(at)?)?;
        let gone = || crate::StoreError::from(rusqlite::Error::QueryReturnedNoRows);
        versions::by_id(connection, &id)?.ok_or_else(gone)
    };
    Ok(Clash {
        id: EntryConflictId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        entry_id: EntryId::parse(text(2)?)?,
        entry_type: text(3)?.parse()?,
        name: text(4)?,
        a: version(5)?,
        b: version(6)?,
        detected_at: row.get(7)?,
        outcome: row.get::<_, Option<String>>(8)?.map(|word| word.parse()).transpose()?,
        note: row.get(9)?,
        resolved_at: row.get(10)?,
        resolved_by: row.get::<_, Option<String>>(11)?.map(AgentId::parse).transpose()?,
    })
}

/// One by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &EntryConflictId) -> StoreResult<Option<Clash>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE c.id = ?1 AND e.is_redacted = 0"))?
        .query_row([id.as_str()], |row| Ok(clash(connection, row)))
        .optional()?
        .transpose()
}

/// How many of an entry were found by a time and not decided by then.
///
/// # Errors
/// SQLite's.
pub fn open_at(connection: &Connection, (space, entry): (&SpaceId, &EntryId), at: EpochMs) -> StoreResult<u32> {
    Ok(connection.prepare_cached(OPEN_AT)?.query_row(params![space.as_str(), entry.as_str(), at], |row| row.get(0))?)
}

/// The plus keeps SQLite from going through all of the space.
const OPEN_AT: &str = "SELECT count(*) FROM entry_conflicts
    WHERE +space_id = ?1 AND entry_id = ?2 AND detected_at <= ?3 AND (resolved = 0 OR resolved_at > ?3)";

/// A page of those of some spaces, or of one entry in them, the latest first; with their number in all.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    entry: Option<&EntryId>,
    is_resolved: bool,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<Clash>, u64)> {
    let spaces = crate::filter::ids(spaces)?;
    let of_entry = if entry.is_some() { "c.entry_id = ?2" } else { "?2 IS NULL" };
    let listed = format!(
        "WHERE c.space_id IN (SELECT value FROM json_each(?1)) AND {of_entry} AND c.resolved = ?3 AND e.is_redacted = 0"
    );
    let entry = entry.map(EntryId::as_str);
    let total = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM entry_conflicts c JOIN entries e ON e.id = c.entry_id {listed}"
        ))?
        .query_row(params![spaces, entry, is_resolved], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!("{SELECT} {listed} ORDER BY c.rid DESC LIMIT ?4 OFFSET ?5"))?
        .query_and_then(params![spaces, entry, is_resolved, limit, offset], |row| clash(connection, row))?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

#[cfg(test)]
mod tests {
    #[test]
    fn those_of_an_entry_are_looked_up_by_it() {
        let plan = crate::migrate::plan(&crate::migrate::migrated(), super::OPEN_AT);
        let by_entry = "USING INDEX idx_entry_conflicts_entry (entry_id=? AND detected_at<?)";
        assert_eq!(plan, format!("SEARCH entry_conflicts {by_entry}"));
    }
}
