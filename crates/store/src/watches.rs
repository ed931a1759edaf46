//! `watch_folders` and `watched_files`.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::watch::WatchFolder;
use um_model::{AgentId, ArtifactId, DeletePolicy, EpochMs, MemoryId, SpaceId, WatchId};

const FOLDER: &str = "w.id, w.space_id, w.path, w.include_globs, w.exclude_globs, w.honour_gitignore, w.on_delete,
  w.last_scan_at";
const FILES: &str = "(SELECT count(*) FROM watched_files f WHERE f.watch_id = w.id AND f.status = 'present')";

fn folder(row: &Row<'_>) -> StoreResult<WatchFolder> {
    Ok(WatchFolder {
        id: WatchId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        path: row.get(2)?,
        include: serde_json::from_str(&row.get::<_, String>(3)?)?,
        exclude: serde_json::from_str(&row.get::<_, String>(4)?)?,
        honour_gitignore: row.get(5)?,
        on_delete: row.get::<_, String>(6)?.parse()?,
        last_scan_at: row.get(7)?,
        files: row.get(8)?,
        problem: None,
    })
}

/// Begins to watch a folder, or changes how one is watched.
///
/// # Errors
/// SQLite's.
#[allow(clippy::too_many_arguments, reason = "one value a column")]
pub fn upsert(
    connection: &Connection,
    space: &SpaceId,
    path: &str,
    include: &[String],
    exclude: &[String],
    honour_gitignore: bool,
    on_delete: DeletePolicy,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<WatchId> {
    let id: String = connection.query_row(
        "INSERT INTO watch_folders (id, space_id, path, include_globs, exclude_globs, honour_gitignore, on_delete, actor_id, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (space_id, path) DO UPDATE SET include_globs = excluded.include_globs,
           exclude_globs = excluded.exclude_globs, honour_gitignore = excluded.honour_gitignore,
           on_delete = excluded.on_delete, is_active = 1
         RETURNING id",
        params![
            new_id(now),
            space.as_str(),
            path,
            serde_json::to_string(include)?,
            serde_json::to_string(exclude)?,
            honour_gitignore,
            on_delete.as_str(),
            actor.as_str(),
            now
        ],
        |row| row.get(0),
    )?;
    Ok(WatchId::parse(id)?)
}

/// The folders that are watched, without counting their files: [`WatchFolder::files`] is 0.
///
/// # Errors
/// SQLite's.
pub fn watched(connection: &Connection) -> StoreResult<Vec<WatchFolder>> {
    connection
        .prepare_cached(&format!("SELECT {FOLDER}, 0 FROM watch_folders w WHERE w.is_active = 1 ORDER BY w.rid"))?
        .query_and_then([], folder)?
        .collect()
}

/// The folders that are watched, with how many files of each are there, which takes counting.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection) -> StoreResult<Vec<WatchFolder>> {
    connection
        .prepare_cached(&format!("SELECT {FOLDER}, {FILES} FROM watch_folders w WHERE w.is_active = 1 ORDER BY w.rid"))?
        .query_and_then([], folder)?
        .collect()
}

/// The watched folder of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &WatchId) -> StoreResult<Option<WatchFolder>> {
    connection
        .prepare_cached(&format!("SELECT {FOLDER}, {FILES} FROM watch_folders w WHERE w.id = ?1 AND w.is_active = 1"))?
        .query_row([id.as_str()], |row| Ok(folder(row)))
        .optional()?
        .transpose()
}

/// Whether a folder is watched still.
///
/// # Errors
/// SQLite's.
pub fn is_watched(connection: &Connection, id: &WatchId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM watch_folders WHERE id = ?1 AND is_active = 1")?
        .exists([id.as_str()])?)
}

/// Ends the watching of a folder.
///
/// # Errors
/// SQLite's.
pub fn deactivate(connection: &Connection, id: &WatchId) -> StoreResult<()> {
    connection.execute("UPDATE watch_folders SET is_active = 0 WHERE id = ?1", [id.as_str()])?;
    Ok(())
}

/// Keeps when a folder was last compared with the disk.
///
/// # Errors
/// SQLite's.
pub fn set_scanned(connection: &Connection, id: &WatchId, now: EpochMs) -> StoreResult<()> {
    connection.execute("UPDATE watch_folders SET last_scan_at = ?2 WHERE id = ?1", params![id.as_str(), now])?;
    Ok(())
}

/// What is known of a file in a watched folder.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedFile {
    /// Its row.
    pub rid: i64,
    /// Its path below the folder.
    pub rel_path: String,
    /// Size when it was last read.
    pub size: u64,
    /// Time of change when it was last read, in nanoseconds.
    pub mtime_ns: i64,
    /// Device, inode and time of birth: what a moved file keeps.
    pub file_key: Option<String>,
    /// SHA-256 of what was read.
    pub content_hash: Option<String>,
    /// The file as it is kept.
    pub artifact: Option<ArtifactId>,
    /// The memory that stands for it.
    pub memory: Option<MemoryId>,
    /// `present`, `missing`, `ignored`, `failed`
    pub status: String,
}

const FILE: &str =
    "rid, rel_path, ifnull(size, 0), ifnull(mtime_ns, 0), file_key, content_hash, artifact_id, memory_id, status";

fn file(row: &Row<'_>) -> StoreResult<WatchedFile> {
    Ok(WatchedFile {
        rid: row.get(0)?,
        rel_path: row.get(1)?,
        size: row.get(2)?,
        mtime_ns: row.get(3)?,
        file_key: row.get(4)?,
        content_hash: row.get(5)?,
        artifact: row.get::<_, Option<String>>(6)?.map(ArtifactId::parse).transpose()?,
        memory: row.get::<_, Option<String>>(7)?.map(MemoryId::parse).transpose()?,
        status: row.get(8)?,
    })
}

/// Every file known below a folder.
///
/// # Errors
/// SQLite's.
pub fn files(connection: &Connection, watch: &WatchId) -> StoreResult<Vec<WatchedFile>> {
    connection
        .prepare_cached(&format!("SELECT {FILE} FROM watched_files WHERE watch_id = ?1"))?
        .query_and_then([watch.as_str()], file)?
        .collect()
}

/// The files known at these paths, or below them where they are folders.
///
/// # Errors
/// SQLite's.
pub fn files_below(connection: &Connection, watch: &WatchId, paths: &[String]) -> StoreResult<Vec<WatchedFile>> {
    // '0' follows '/', so that the range holds just what begins with the path and a slash.
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {FILE} FROM watched_files WHERE watch_id = ?1 AND (rel_path = ?2 OR (rel_path > ?2 || '/' AND rel_path < ?2 || '0'))"
    ))?;
    let mut found = Vec::new();
    for path in paths {
        for row in statement.query_and_then([watch.as_str(), path], file)? {
            found.push(row?);
        }
    }
    Ok(found)
}

/// The files of a space that had this identity on disk when they were last looked at, each with the folder that it
/// was watched in.
///
/// # Errors
/// SQLite's.
pub fn by_file_key(connection: &Connection, space: &SpaceId, key: &str) -> StoreResult<Vec<(String, WatchedFile)>> {
    connection
        .prepare_cached(&format!(
            "SELECT {FILE}, (SELECT path FROM watch_folders WHERE id = watch_id) FROM watched_files
             WHERE watch_id IN (SELECT id FROM watch_folders WHERE space_id = ?1) AND file_key = ?2 ORDER BY rid"
        ))?
        .query_and_then([space.as_str(), key], |row| Ok((row.get(9)?, file(row)?)))?
        .collect()
}

/// A file's state on disk, to be kept.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    /// The folder.
    pub watch: &'a WatchId,
    /// Its space.
    pub space: &'a SpaceId,
    /// Path below the folder.
    pub rel_path: &'a str,
    /// Size.
    pub size: u64,
    /// Time of change in nanoseconds.
    pub mtime_ns: i64,
    /// Device, inode and time of birth.
    pub file_key: Option<&'a str>,
    /// SHA-256.
    pub content_hash: Option<&'a str>,
    /// The file as it is kept.
    pub artifact: Option<&'a ArtifactId>,
    /// The memory that stands for it.
    pub memory: Option<&'a MemoryId>,
    /// `present`, `ignored` or `failed`
    pub status: &'a str,
    /// Why it failed.
    pub error: Option<&'a str>,
}

/// Keeps a file's state.
///
/// # Errors
/// SQLite's.
pub fn put_file(connection: &Connection, seen: &Seen<'_>, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO watched_files (id, watch_id, space_id, rel_path, size, mtime_ns, file_key, content_hash,
               artifact_id, memory_id, status, last_error, last_seen_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)
             ON CONFLICT (watch_id, rel_path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,
               file_key = excluded.file_key, content_hash = excluded.content_hash, artifact_id = excluded.artifact_id,
               memory_id = excluded.memory_id, status = excluded.status, last_error = excluded.last_error,
               last_seen_at = excluded.last_seen_at",
        )?
        .execute(params![
            new_id(now),
            seen.watch.as_str(),
            seen.space.as_str(),
            seen.rel_path,
            seen.size,
            seen.mtime_ns,
            seen.file_key,
            seen.content_hash,
            seen.artifact.map(ArtifactId::as_str),
            seen.memory.map(MemoryId::as_str),
            seen.status,
            seen.error,
            now
        ])?;
    Ok(())
}

/// Says that a file is no longer on disk.
///
/// # Errors
/// SQLite's.
pub fn set_missing(connection: &Connection, rid: i64, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE watched_files SET status = 'missing', last_seen_at = ?2 WHERE rid = ?1")?
        .execute(params![rid, now])?;
    Ok(())
}

/// Gives a file its new place, which may lie in another folder; a row that stood for that path before goes.
///
/// # Errors
/// SQLite's.
pub fn rename(connection: &Connection, watch: &WatchId, rid: i64, rel_path: &str, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "DELETE FROM watched_files WHERE watch_id = ?1 AND rel_path = ?2 AND rid <> ?3",
        params![watch.as_str(), rel_path, rid],
    )?;
    connection.execute(
        "UPDATE watched_files SET watch_id = ?4, rel_path = ?2, last_seen_at = ?3 WHERE rid = ?1",
        params![rid, rel_path, now, watch.as_str()],
    )?;
    Ok(())
}

/// A watched path other than `path` at which a memory's content is present.
///
/// # Errors
/// SQLite's.
pub fn copy_elsewhere(connection: &Connection, memory: &MemoryId, path: &str) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT w.path || '/' || f.rel_path FROM watched_files f JOIN watch_folders w ON w.id = f.watch_id
             WHERE f.memory_id = ?1 AND w.path || '/' || f.rel_path <> ?2 AND f.status = 'present' AND w.is_active = 1
             ORDER BY f.rid LIMIT 1",
        )?
        .query_row(params![memory.as_str(), path], |row| row.get(0))
        .optional()?)
}
