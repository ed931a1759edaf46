//! Seeing that nothing is left in the file of what the tables hold no more.
//!
//! `secure_delete` overwrites what is deleted with zeros. That leaves two places: the separators of full text's own
//! b-tree, which keep the beginnings of words, and the write-ahead log, which keeps whole pages as they were.

use crate::{StoreError, StoreResult};
use rusqlite::Connection;
use um_model::SpaceId;

/// So often the log is tried to be emptied; each try waits for readers as long as any statement does.
const TRIES: u32 = 6;

/// Does something that survives the loss of power, and goes back to the ordinary afterwards.
pub(crate) fn durably<T, E: From<StoreError>>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.pragma_update(None, "synchronous", "FULL").map_err(StoreError::from)?;
    let done = work(connection);
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::from)?;
    done
}

/// Makes the full text of some spaces anew, writes the whole file anew where that is wanted, and empties the log.
pub(crate) fn scrub(connection: &mut Connection, spaces: &[SpaceId], whole: bool) -> StoreResult<()> {
    for space in spaces {
        let tables: Vec<String> = connection
            .prepare("SELECT fts_table FROM space_indexes WHERE space_id = ?1")?
            .query_map([space.as_str()], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for table in tables {
            connection.execute_batch(&format!("INSERT INTO {table}({table}) VALUES ('rebuild')"))?;
        }
    }
    if whole {
        connection.execute_batch("VACUUM")?;
    }
    for _ in 0..TRIES {
        let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy == 0 {
            return Ok(());
        }
    }
    Err(StoreError::Busy)
}
