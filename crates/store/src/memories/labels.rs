//! What memories are known by, and the versions of one thing.

use crate::StoreResult;
use crate::rejected::{Checked, Said, Says};
use rusqlite::{Connection, params};
use um_model::capture::FileVersion;
use um_model::{ArtifactId, MemoryId, SpaceId};

/// Links two versions of one thing.
///
/// # Errors
/// SQLite's.
pub fn set_superseded_by(connection: &Connection, old: &MemoryId, new: Option<&MemoryId>) -> StoreResult<()> {
    connection.execute(
        "UPDATE memories SET superseded_by_id = ?2 WHERE id = ?1",
        params![old.as_str(), new.map(MemoryId::as_str)],
    )?;
    Ok(())
}

/// What a memory is known by.
#[derive(Debug, Clone, Copy)]
pub struct Label<'a> {
    /// Groups the versions of one thing.
    pub key: Option<&'a str>,
    /// Another title, where it gets one.
    pub title: Option<&'a str>,
}

impl Says for Label<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        [self.key, self.title].into_iter().flatten().for_each(|label| tell(Said::Name(label)));
    }
}

/// Gives a memory another key and title: its file was moved.
///
/// # Errors
/// An active memory that has the key; SQLite's.
pub fn set_label(connection: &Connection, id: &MemoryId, label: &Checked<Label<'_>>) -> StoreResult<()> {
    connection.execute(
        "UPDATE memories SET memory_key = ?2, title = ifnull(?3, title) WHERE id = ?1",
        params![id.as_str(), label.key, label.title],
    )?;
    Ok(())
}

/// Gives every version of one thing another key: its file was moved.
///
/// # Errors
/// An active memory that has the key; SQLite's.
pub fn rename_key(connection: &Connection, space: &SpaceId, from: &str, to: &Checked<Label<'_>>) -> StoreResult<()> {
    connection.execute(
        "UPDATE memories SET memory_key = ?3 WHERE space_id = ?1 AND memory_key = ?2",
        params![space.as_str(), from, to.key],
    )?;
    Ok(())
}

/// The versions of one thing, newest first.
///
/// # Errors
/// SQLite's.
pub fn versions(connection: &Connection, space: &SpaceId, key: &str) -> StoreResult<Vec<FileVersion>> {
    connection
        .prepare_cached(
            "SELECT m.id, m.primary_artifact_id, m.status, m.created_at, a.source_path,
               ifnull(a.metadata -> '$.earlier_paths', '[]')
             FROM memories m JOIN artifacts a ON a.id = m.primary_artifact_id
             WHERE m.space_id = ?1 AND m.memory_key = ?2 ORDER BY m.rid DESC LIMIT 200",
        )?
        .query_and_then([space.as_str(), key], |row| {
            Ok(FileVersion {
                memory_id: MemoryId::parse(row.get::<_, String>(0)?)?,
                artifact_id: ArtifactId::parse(row.get::<_, String>(1)?)?,
                status: row.get::<_, String>(2)?.parse()?,
                created_at: row.get(3)?,
                path: row.get(4)?,
                earlier_paths: serde_json::from_str(&row.get::<_, String>(5)?)?,
            })
        })?
        .collect()
}
