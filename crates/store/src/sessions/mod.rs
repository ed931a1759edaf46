//! `sessions`: stretches of work, each in a space.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension};
use um_model::{SessionId, SpaceId};

/// The space of a session that was not blacked out.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, session: &SessionId) -> StoreResult<Option<SpaceId>> {
    connection
        .prepare_cached("SELECT space_id FROM sessions WHERE id = ?1 AND is_redacted = 0")?
        .query_row([session.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}
