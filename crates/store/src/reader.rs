//! The read-only connections of a [`Store`](crate::Store): each reading borrows one.

use crate::StoreResult;
use rusqlite::Connection;

/// As much of a database is mapped into memory at most: all, where SQLite is built so (`.cargo/config.toml`), and else its first 2 GB.
const MAPPED: i64 = 1 << 40;

/// A read-only connection, and how it reads.
///
/// A database that does not change is read through memory into which it is mapped: no page is copied. Each change undoes the mapping,
/// and to map page after page anew takes twice as long as to copy what a single reading needs (ADR 14). So the first reading after a
/// change copies, and those after it map.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    may_map: bool,
    is_mapped: bool,
    /// `PRAGMA data_version` when it was borrowed last.
    version: Option<i64>,
}

impl Reader {
    /// Whether the database may be mapped: not an encrypted one, whose pages are decrypted as they are copied; and not where a file that is
    /// mapped cannot be shortened, as forgetting has to (Windows).
    pub(crate) fn new(connection: Connection, is_encrypted: bool) -> Self {
        Self { connection, may_map: cfg!(unix) && !is_encrypted, is_mapped: false, version: None }
    }

    /// Settles how it reads what is there now.
    ///
    /// # Errors
    /// SQLite's.
    pub(crate) fn settle(&mut self) -> StoreResult<()> {
        if !self.may_map {
            return Ok(());
        }
        let version = self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        let stays = self.version.replace(version) == Some(version);
        if stays != self.is_mapped {
            self.connection.pragma_update(None, "mmap_size", if stays { MAPPED } else { 0 })?;
            self.is_mapped = stays;
        }
        Ok(())
    }
}
