//! The write-ahead log, kept from growing without end.
//!
//! What stands in it is copied into the database on a thread and a connection of their own: both files are synced to the disk for
//! that, which takes longer than dozens of writes do, and whoever writes has not to wait for it. As the disk is busy with it all the
//! same, it waits for a moment when nothing is written, unless none comes. SQLite begins the log anew at a moment when all of it is
//! copied and nobody reads from it. Under a steady load that moment never comes by itself: the log grows by all that is written, and
//! each read searches all of it. Then the writer sees to it that it begins anew.

use crate::StoreResult;
use crate::cipher::DatabaseKey;
use crate::connection;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Each time so many pages came to the log they are copied, once nothing more is written: 8 MB.
const MANY: u32 = 2_000;
/// After so long without a commit nothing more is.
const QUIET: Duration = Duration::from_millis(100);
/// With so many pages it is copied while more is written: 64 MB, some four hundred notes that are added one by one.
const FULL: u32 = 16_000;
/// With so many pages the log is to begin anew, or is tried to, again each time it grew by [`MANY`]: 80 MB.
const LARGE: u32 = 20_000;
/// Its file stays so long, in bytes, when it begins anew: to write into a file costs half of what it costs to let it grow.
const KEPT: u32 = 88 << 20;
/// So long the writer waits for readers that still need the log; after that it goes on, and tries again later.
const WAIT: Duration = Duration::from_millis(250);

/// Held by whoever copies the log: where another one does, SQLite refuses at once, however long one would wait.
pub(crate) type Turn = Arc<Mutex<()>>;

/// Waits for the turn to copy the log.
pub(crate) fn taken(turn: &Turn) -> MutexGuard<'_, ()> {
    turn.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The log of one database.
pub(crate) struct Journal {
    turn: Turn,
    /// How many pages it has, by the last commit.
    pages: Arc<AtomicU32>,
    /// How many it had when it was last copied, and when it was last to begin anew.
    copied: u32,
    tried: u32,
    copier: Copier,
}

impl Journal {
    /// The log that the writer's connection writes to. Nothing else copies it from now on.
    pub(crate) fn of(
        writer: &mut Connection,
        turn: &Turn,
        path: PathBuf,
        key: Option<DatabaseKey>,
    ) -> StoreResult<Self> {
        let pages = Arc::<AtomicU32>::default();
        let noted = pages.clone();
        writer.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages| {
            noted.store(u32::try_from(pages).unwrap_or_default(), Ordering::Relaxed);
            Ok(())
        }))?;
        writer.pragma_update(None, "journal_size_limit", KEPT)?;
        let copier = Copier::start(turn.clone(), pages.clone(), path, key);
        Ok(Self { turn: turn.clone(), pages, copied: 0, tried: 0, copier })
    }

    /// To be called after each write, outside of any transaction.
    pub(crate) fn tend(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.copied.max(self.tried) {
            // It was begun anew.
            (self.copied, self.tried) = (0, 0);
        }
        if pages >= LARGE.max(self.tried + MANY) {
            // Where readers are in the way, or the disk is full, the log stays as it is: nothing is lost by that.
            let _ = self.begin_anew(writer);
            self.tried = pages;
        } else if pages >= self.copied + MANY {
            self.copied = pages;
            self.copier.ask();
        }
    }

    fn begin_anew(&self, writer: &Connection) -> rusqlite::Result<()> {
        let _mine = taken(&self.turn);
        writer.busy_timeout(WAIT)?;
        let done = writer.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
        writer.busy_timeout(connection::BUSY)?;
        done
    }
}

/// The thread that copies the log into the database.
struct Copier {
    asked: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Copier {
    fn start(turn: Turn, pages: Arc<AtomicU32>, path: PathBuf, key: Option<DatabaseKey>) -> Self {
        let (asked, inbox) = mpsc::sync_channel(1);
        let copy = move || {
            // Many a database is closed before its log is long: its connection is opened when it is needed first.
            let mut own = None;
            while inbox.recv().is_ok() && is_time(&inbox, &pages) {
                if own.is_none() {
                    own = connection::open_copier(&path, key.as_ref()).ok();
                }
                // What cannot be copied now is copied the next time, or by the writer.
                if let Some(own) = &own {
                    let _mine = taken(&turn);
                    let _ = own.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                }
            }
        };
        let thread = std::thread::Builder::new().name("um-journal".to_owned()).spawn(copy);
        // Without a thread the writer does all.
        Self { asked: thread.is_ok().then_some(asked), thread: thread.ok() }
    }

    fn ask(&self) {
        if let Some(asked) = &self.asked {
            // One that is asked for already comes to all that stands there by then.
            let _ = asked.try_send(());
        }
    }
}

/// Waits until no more is written, or the log is full. Whether the database is still open then.
fn is_time(asked: &Receiver<()>, pages: &AtomicU32) -> bool {
    let count = || pages.load(Ordering::Relaxed);
    let mut seen = count();
    while seen < FULL {
        match asked.recv_timeout(QUIET) {
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) if count() == seen => break,
            // It may have been asked again.
            _ => seen = count(),
        }
    }
    true
}

impl Drop for Copier {
    fn drop(&mut self) {
        drop(self.asked.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_copied_in_a_pause_or_once_it_is_full_while_the_database_is_open() {
        let check = |pages: u32, is_open: bool, expected: bool| {
            let (ask, asked) = mpsc::sync_channel(1);
            let ask = is_open.then_some(ask);
            assert_eq!(is_time(&asked, &AtomicU32::new(pages)), expected, "{pages} {is_open}");
            drop(ask);
        };
        check(FULL, true, true);
        check(MANY, true, true);
        check(MANY, false, false);
    }

    #[test]
    fn once_it_is_begun_anew_it_may_grow_as_far_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let mut writer = connection::open_writer(&path, None).unwrap();
        let mut journal = Journal::of(&mut writer, &Turn::default(), path, None).unwrap();
        // One write of so many pages has it begin anew before any were copied; the next one finds it short.
        for (pages, noted) in [(LARGE + 5_000, (0, LARGE + 5_000)), (50, (0, 0)), (MANY, (MANY, 0)), (9, (0, 0))] {
            journal.pages.store(pages, Ordering::Relaxed);
            journal.tend(&writer);
            assert_eq!((journal.copied, journal.tried), noted, "{pages}");
        }
    }
}
