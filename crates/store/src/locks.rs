//! `file_locks`: files that agents hold. One is free once its time is up, though nobody came to say so.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::Lock;
use um_model::{AgentId, EpochMs, LockId, SessionId, SpaceId};

/// A file that is to be held.
#[derive(Debug)]
pub struct NewLock<'a> {
    /// The space it is held in.
    pub space: &'a SpaceId,
    /// The file.
    pub path: &'a str,
    /// Who holds it.
    pub agent: &'a AgentId,
    /// The session that it is held for.
    pub session: Option<&'a SessionId>,
    /// What for.
    pub note: Option<&'a str>,
    /// When it is free by itself.
    pub expires_at: EpochMs,
}

impl Says for NewLock<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Path(self.path));
        self.note.iter().for_each(|words| tell(Said::Text(words)));
    }
}

/// Takes a file that nobody holds.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, new: &Checked<NewLock<'_>>, now: EpochMs) -> StoreResult<LockId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO file_locks (id, space_id, path, agent_id, session_id, note, checked_out_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            id,
            new.space.as_str(),
            new.path,
            new.agent.as_str(),
            new.session.map(SessionId::as_str),
            new.note,
            now,
            new.expires_at
        ])?;
    Ok(LockId::parse(id)?)
}

/// Holds a file longer.
///
/// # Errors
/// SQLite's.
pub fn renew(connection: &Connection, id: &LockId, new: &Checked<NewLock<'_>>) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE file_locks SET expires_at = ?2, note = ifnull(?3, note), session_id = ifnull(?4, session_id) WHERE id = ?1",
        )?
        .execute(params![id.as_str(), new.expires_at, new.note, new.session.map(SessionId::as_str)])?;
    Ok(())
}

/// Lets a file go.
///
/// # Errors
/// SQLite's.
pub fn release(connection: &Connection, id: &LockId, by: &AgentId, was_forced: bool, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE file_locks SET released_at = ?2, released_by = ?3, was_forced = ?4 WHERE id = ?1 AND released_at IS NULL",
        )?
        .execute(params![id.as_str(), now, by.as_str(), was_forced])?;
    Ok(())
}

/// Lets all files go whose time is up.
///
/// # Errors
/// SQLite's.
pub fn release_due(connection: &Connection, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE file_locks SET released_at = expires_at WHERE released_at IS NULL AND expires_at <= ?1",
        )?
        .execute([now])?)
}

/// Lets all files of a session go. Gives how many it held.
///
/// # Errors
/// SQLite's.
pub fn release_of(connection: &Connection, session: &SessionId, by: &AgentId, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE file_locks SET released_at = ?2, released_by = ?3 WHERE session_id = ?1 AND released_at IS NULL",
        )?
        .execute(params![session.as_str(), now, by.as_str()])?)
}

const SELECT: &str =
    "SELECT l.id, l.space_id, l.path, l.agent_id, g.name, l.session_id, l.note, l.checked_out_at, l.expires_at,
    l.released_at, l.was_forced FROM file_locks l JOIN agents g ON g.id = l.agent_id";

fn lock(row: &Row<'_>) -> StoreResult<Lock> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Lock {
        id: LockId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        path: text(2)?,
        agent_id: AgentId::parse(text(3)?)?,
        agent: text(4)?,
        session_id: row.get::<_, Option<String>>(5)?.map(SessionId::parse).transpose()?,
        note: row.get(6)?,
        checked_out_at: row.get(7)?,
        expires_at: row.get(8)?,
        released_at: row.get(9)?,
        was_forced: row.get(10)?,
    })
}

/// A lock by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &LockId) -> StoreResult<Option<Lock>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE l.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(lock(row)))
        .optional()?
        .transpose()
}

/// The lock under which a file of a space is held, be its time up or not.
///
/// # Errors
/// SQLite's.
pub fn held(connection: &Connection, space: &SpaceId, path: &str) -> StoreResult<Option<Lock>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE l.space_id = ?1 AND l.path = ?2 AND l.released_at IS NULL"))?
        .query_row([space.as_str(), path], |row| Ok(lock(row)))
        .optional()?
        .transpose()
}

/// Which locks are wanted.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    /// Those of these spaces.
    pub spaces: &'a [SpaceId],
    /// Only of this session.
    pub session: Option<&'a SessionId>,
    /// Those that were let go as well.
    pub released: bool,
}

/// A page of locks, the latest first; without those whose time is up, unless those that were let go are wanted as well.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    wanted: &Wanted<'_>,
    now: EpochMs,
    (offset, limit): (u32, u32),
) -> StoreResult<Vec<Lock>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE l.space_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR l.session_id = ?2)
               AND (?3 OR (l.released_at IS NULL AND l.expires_at > ?4))
             ORDER BY l.checked_out_at DESC, l.rid DESC LIMIT ?5 OFFSET ?6"
        ))?
        .query_and_then(
            params![
                serde_json::to_string(wanted.spaces)?,
                wanted.session.map(SessionId::as_str),
                wanted.released,
                now,
                limit,
                offset
            ],
            lock,
        )?
        .collect()
}
