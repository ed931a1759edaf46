//! `thumbnails`: small pictures of files, kept so that a list need not decode them again. Derived: any of them
//! may go at any time. The schema takes a file's away with its bytes, and when it leaves use.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{ArtifactId, EpochMs};

/// So many are kept; the one made first goes first. At some 15 KB each they take 60 MB at most.
pub const MOST: u32 = 4_000;

/// A file's thumbnail as JPEG, where one is kept.
///
/// # Errors
/// SQLite's.
pub fn of(connection: &Connection, artifact: &ArtifactId) -> StoreResult<Option<Vec<u8>>> {
    Ok(connection
        .prepare_cached("SELECT blob FROM thumbnails WHERE artifact_id = ?1")?
        .query_row([artifact.as_str()], |row| row.get(0))
        .optional()?)
}

/// Keeps a file's thumbnail, if the file is in use, and lets go of the oldest beyond [`MOST`].
///
/// # Errors
/// SQLite's.
pub fn keep(connection: &Connection, artifact: &ArtifactId, jpeg: &[u8], now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO thumbnails (id, artifact_id, space_id, blob, created_at)
             SELECT ?1, id, space_id, ?3, ?4 FROM artifacts WHERE id = ?2 AND status = 'active' AND is_redacted = 0
             ON CONFLICT (artifact_id) DO NOTHING",
        )?
        .execute(params![new_id(now), artifact.as_str(), jpeg, now])?;
    connection
        .prepare_cached("DELETE FROM thumbnails WHERE rid <= (SELECT max(rid) FROM thumbnails) - ?1")?
        .execute([MOST])?;
    Ok(())
}
