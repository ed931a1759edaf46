//! When what memories say was said, and by what that is known.

use crate::StoreResult;
use rusqlite::{Connection, params};
use um_model::{ArtifactId, EpochMs, MemoryId};

/// Notes that the time of a file is that of its last change on disk: what it holds was written by then, and nobody knows when.
///
/// # Errors
/// SQLite's.
pub fn set_only_modified(connection: &Connection, artifact: &ArtifactId) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE artifacts SET metadata = json_set(metadata, '$.only_modified', 1) WHERE id = ?1")?
        .execute([artifact.as_str()])?;
    Ok(())
}

/// Whether nothing tells when the words of a memory `m` were said: they are those of a file `f` that does not say so itself,
/// and neither did whoever brought it in; or they were copied from such a one.
pub(crate) const UNTOLD: &str =
    "(f.id IS NOT NULL AND (m.occurred_at IS NULL OR ifnull(f.metadata ->> '$.only_modified', 0))
    OR ifnull(m.metadata ->> '$.untold', 0))";

/// When the words of a memory were said, where anything tells; none where it is only known by when they were written.
///
/// # Errors
/// SQLite's; no such memory.
pub fn said_at(connection: &Connection, id: &MemoryId) -> StoreResult<Option<EpochMs>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT iif({UNTOLD}, NULL, ifnull(m.occurred_at, m.created_at)) FROM memories m
             LEFT JOIN artifacts f ON f.id = m.primary_artifact_id WHERE m.id = ?1"
        ))?
        .query_row([id.as_str()], |row| row.get(0))?)
}

/// Keeps when what a file holds was made or happened by its own word, for the file and for the memory that stands for it,
/// unless somebody told otherwise.
///
/// # Errors
/// SQLite's.
pub fn set_occurred(connection: &Connection, artifact: &ArtifactId, at: EpochMs) -> StoreResult<()> {
    let changed = connection.execute(
        "UPDATE artifacts SET occurred_at = ?2, metadata = json_remove(metadata, '$.only_modified')
         WHERE id = ?1 AND json_extract(metadata, '$.occurred_told') IS NULL",
        params![artifact.as_str(), at],
    )?;
    if changed > 0 { occurred(connection, artifact, at) } else { Ok(()) }
}

/// Keeps when what a file holds was made or happened as somebody tells it.
///
/// # Errors
/// SQLite's.
pub fn tell_occurred(connection: &Connection, artifact: &ArtifactId, at: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE artifacts SET occurred_at = ?2,
           metadata = json_remove(json_set(metadata, '$.occurred_told', json('true')), '$.only_modified') WHERE id = ?1",
        params![artifact.as_str(), at],
    )?;
    occurred(connection, artifact, at)
}

fn occurred(connection: &Connection, artifact: &ArtifactId, at: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE memories SET occurred_at = ?2 WHERE primary_artifact_id = ?1",
        params![artifact.as_str(), at],
    )?;
    // What was read from it before was said then, too.
    connection.execute(
        "UPDATE claim_evidence SET observed_at = ?2 WHERE extraction_method <> 'user'
           AND (memory_id IN (SELECT id FROM memories WHERE primary_artifact_id = ?1)
             OR derived_text_view_id IN (SELECT id FROM derived_text_views WHERE artifact_id = ?1))",
        params![artifact.as_str(), at],
    )?;
    Ok(())
}
