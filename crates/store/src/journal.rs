//! The write-ahead log, kept from growing without end.
//!
//! SQLite copies the log into the database as it goes, but begins it anew only at a moment when nobody reads from
//! it. Under a steady load of overlapping reads that moment never comes by itself: the log grows by all that is
//! written, and each read searches all of it.

use rusqlite::Connection;
use std::path::PathBuf;
use std::time::Duration;

/// Past this many bytes the log is emptied.
const LARGE: u64 = 64 << 20;
/// The log is looked at once in so many writes.
const EVERY: u32 = 64;
/// So long the writer waits for readers that still need the log; after that it goes on, and tries again later.
const WAIT: Duration = Duration::from_millis(250);

/// The log of one database.
pub(crate) struct Journal {
    path: Option<PathBuf>,
    writes: u32,
}

impl Journal {
    /// The log that the writer's connection writes to.
    pub(crate) fn of(connection: &Connection) -> Self {
        let database = connection.path().filter(|path| !path.is_empty());
        Self { path: database.map(|path| PathBuf::from(format!("{path}-wal"))), writes: 0 }
    }

    /// To be called after each write, outside of any transaction.
    pub(crate) fn tend(&mut self, connection: &Connection) {
        self.writes += 1;
        if self.writes.is_multiple_of(EVERY) && self.is_large() {
            // Where readers are in the way, or the disk is full, the log stays as it is: nothing is lost by that.
            let _ = empty(connection);
        }
    }

    fn is_large(&self) -> bool {
        let size = self.path.as_ref().and_then(|path| std::fs::metadata(path).ok()).map_or(0, |log| log.len());
        size > LARGE
    }
}

fn empty(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(WAIT)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(crate::connection::BUSY)?;
    emptied
}
