//! `entry_versions`: what an entry said, each time it was written.

use super::index;
use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};
use um_model::work::{EntryBody, EntryVersion};
use um_model::{AgentId, EntryId, EpochMs, SpaceId, VersionId};

/// A version that is to be written.
#[derive(Debug)]
pub struct NewVersion<'a> {
    /// The space of the entry.
    pub space: &'a SpaceId,
    /// What it says.
    pub body: &'a EntryBody,
    /// Why it is written.
    pub change_reason: Option<&'a str>,
    /// Where it was written.
    pub metadata: &'a Map<String, Value>,
    /// Who writes it.
    pub actor: &'a AgentId,
    /// Whether it was written without regard to the one before it.
    pub is_flagged: bool,
}

impl Says for NewVersion<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.body.words().into_iter().for_each(|words| tell(Said::Text(words)));
        self.change_reason.iter().for_each(|words| tell(Said::Text(words)));
        crate::rejected::tell_map(self.metadata, tell);
    }
}

/// Appends a version to an entry and makes it the current one. Gives its id and number.
///
/// # Errors
/// SQLite's.
pub fn append(
    connection: &Connection,
    entry: &EntryId,
    new: &Checked<NewVersion<'_>>,
    now: EpochMs,
) -> StoreResult<(VersionId, u32)> {
    let id = new_id(now);
    let number: u32 = connection
        .prepare_cached(
            "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, change_reason, conflict_flag, created_at,
               created_by, metadata)
             SELECT ?1, ?2, ?3, 1 + ifnull((SELECT max(version_num) FROM entry_versions WHERE entry_id = ?3), 0),
               ?4, ?5, ?6, ?7, ?8, ?9
             RETURNING version_num",
        )?
        .query_row(
            params![
                id,
                new.space.as_str(),
                entry.as_str(),
                serde_json::to_string(new.body)?,
                new.change_reason,
                new.is_flagged,
                now,
                new.actor.as_str(),
                serde_json::to_string(new.metadata)?
            ],
            |row| row.get(0),
        )?;
    connection
        .prepare_cached("UPDATE entries SET current_version_id = ?2, updated_at = ?3 WHERE id = ?1")?
        .execute(params![entry.as_str(), id, now])?;
    index(connection, (new.space, entry), new.body, now)?;
    Ok((VersionId::parse(id)?, number))
}

/// The columns of a version, with its author's name.
const COLUMNS: &str =
    "v.id, v.version_num, v.body, v.change_reason, v.conflict_flag, v.created_at, v.created_by, g.name, v.metadata";

/// A version from the nine columns from there on.
pub(super) fn version(row: &Row<'_>, at: usize) -> StoreResult<EntryVersion> {
    let text = |offset: usize| row.get::<_, String>(at + offset);
    Ok(EntryVersion {
        id: VersionId::parse(text(0)?)?,
        number: row.get(at + 1)?,
        body: serde_json::from_str(&text(2)?)?,
        change_reason: row.get(at + 3)?,
        conflict_flag: row.get(at + 4)?,
        created_at: row.get(at + 5)?,
        created_by: row.get::<_, Option<String>>(at + 6)?.map(AgentId::parse).transpose()?,
        author: row.get::<_, Option<String>>(at + 7)?.unwrap_or_default(),
        metadata: serde_json::from_str(&text(8)?)?,
        truncated: None,
    })
}

/// The version of that number.
///
/// # Errors
/// SQLite's.
pub fn by_number(connection: &Connection, entry: &EntryId, number: u32) -> StoreResult<Option<EntryVersion>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM entry_versions v LEFT JOIN agents g ON g.id = v.created_by
             WHERE v.entry_id = ?1 AND v.version_num = ?2"
        ))?
        .query_row(params![entry.as_str(), number], |row| Ok(version(row, 0)))
        .optional()?
        .transpose()
}

/// The newest version that there was at a time.
///
/// # Errors
/// SQLite's.
pub fn at(connection: &Connection, entry: &EntryId, at: EpochMs) -> StoreResult<Option<EntryVersion>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM entry_versions v LEFT JOIN agents g ON g.id = v.created_by
             WHERE v.entry_id = ?1 AND v.created_at <= ?2 ORDER BY v.version_num DESC LIMIT 1"
        ))?
        .query_row(params![entry.as_str(), at], |row| Ok(version(row, 0)))
        .optional()?
        .transpose()
}

/// Until when what an entry says holds, or what it said at a time, where that is told.
///
/// # Errors
/// SQLite's.
pub fn valid_until(connection: &Connection, entry: &str, as_of: Option<EpochMs>) -> StoreResult<Option<EpochMs>> {
    Ok(connection
        .prepare_cached(
            "SELECT v.body ->> '$.valid_until' FROM entries e JOIN entry_versions v ON v.entry_id = e.id
             WHERE e.id = ?1 AND e.is_redacted = 0
               AND CASE WHEN ?2 IS NULL THEN v.id = e.current_version_id ELSE v.created_at <= ?2 END
             ORDER BY v.version_num DESC LIMIT 1",
        )?
        .query_row(params![entry, as_of], |row| row.get(0))
        .optional()?
        .flatten())
}

/// The version of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &VersionId) -> StoreResult<Option<EntryVersion>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM entry_versions v LEFT JOIN agents g ON g.id = v.created_by WHERE v.id = ?1"
        ))?
        .query_row([id.as_str()], |row| Ok(version(row, 0)))
        .optional()?
        .transpose()
}
