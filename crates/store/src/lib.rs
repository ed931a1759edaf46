//! What is kept: SQLite, its migrations, full text and vector indexes.
//!
//! The store knows no rules: it keeps what it is told, and the schema's triggers and CHECKs refuse
//! what may never be. Functions of the table modules take a connection; [`Store`] decides which: one
//! writer thread owns the write connection, a small pool of read-only ones serves reads.

pub mod artifacts;
pub mod associations;
pub mod audit;
pub mod blocks;
pub mod briefs;
pub mod candidates;
pub mod checks;
pub mod cipher;
pub mod claims;
mod codes;
pub mod conflicts;
mod connection;
pub mod content_columns;
pub mod contexts;
pub mod decisions;
pub mod derivations;
pub mod divergence;
pub mod edges;
pub mod entities;
pub mod entries;
pub mod envelope;
mod error;
pub mod events;
pub mod evidence;
pub mod expiries;
pub mod filter;
pub mod findings;
pub mod forget;
pub mod fts;
pub mod held;
pub mod hits;
pub mod ids;
pub mod items;
pub mod jobs;
mod journal;
pub mod keyed;
pub mod locks;
mod mail;
pub mod members;
pub mod memories;
mod migrate;
pub mod named;
mod pages;
pub mod pairing;
pub mod parts;
pub mod pinned;
pub mod projections;
pub mod promotions;
pub mod provenance;
pub mod query;
mod reader;
pub mod rebuild;
pub mod redact;
pub mod rejected;
pub mod relations;
pub mod resources;
mod scan;
mod scrub;
pub mod searches;
pub mod sessions;
pub mod settings;
mod shared_file;
pub mod space_settings;
pub mod spaces;
pub mod strings;
pub mod tags;
pub mod thumbnails;
pub mod traces;
pub mod undo;
pub mod units;
pub mod unsettled;
pub mod vectors;
pub mod verification;
pub mod versions;
pub mod views;
pub mod vocabulary;
pub mod watches;
mod writer;

pub use connection::{register_functions, register_sqlite_vec};
pub use error::{ChangeRefused, StoreError, StoreResult};
pub use migrate::{MIGRATIONS, schema_version};
pub use rusqlite::{Connection, Transaction};

use cipher::DatabaseKey;
use codes::Codes;
use reader::Reader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, TryLockError};
use um_model::{EpochMs, JobKind};

/// Does something within a transaction, and undoes it where it comes to nothing.
///
/// # Errors
/// SQLite's, and those of what is done.
pub fn tentatively<T, E, F: From<StoreError>>(
    connection: &Connection,
    act: impl FnOnce() -> Result<Result<T, E>, F>,
) -> Result<Result<T, E>, F> {
    let run = |sql: &str| connection.prepare_cached(sql).and_then(|mut s| s.execute([])).map_err(StoreError::from);
    run("SAVEPOINT tentative")?;
    let done = act()?;
    if done.is_err() {
        run("ROLLBACK TO tentative")?;
    }
    run("RELEASE tentative")?;
    Ok(done)
}

/// So often the log is tried to be emptied.
const TRIES: u32 = 6;
/// How many read-only connections there are at most.
const READERS: usize = 4;

/// An open database. Clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// What a database is opened with.
#[derive(Clone)]
pub struct Keys {
    /// What decrypts it. One that is not encrypted needs none.
    pub database: Option<DatabaseKey>,
    /// What its hashes are made under that nobody else shall be able to make.
    pub hashes: keyed::Key,
}

impl Keys {
    /// Those of a database that is not encrypted.
    pub fn hashing(hashes: keyed::Key) -> Self {
        Self { database: None, hashes }
    }
}

struct Inner {
    path: PathBuf,
    keys: Keys,
    queued: Arc<Queued>,
    codes: Arc<Codes>,
    /// Before the connections: it has one, too.
    loader: codes::Loader,
    copying: journal::Turn,
    /// Held by whoever makes the indexes anew: one at a time.
    rebuilding: Mutex<()>,
    // Dropped in this order: the last connection to close empties the journal, which only the writer can.
    readers: Mutex<Readers>,
    returned: Condvar,
    writer: writer::Writer,
    /// Last of all: whoever closes a file of an open database lets its locks go.
    files: Mutex<Vec<Arc<std::fs::File>>>,
}

#[derive(Default)]
struct Readers {
    idle: Vec<Reader>,
    open: usize,
}

/// Of which kinds jobs were queued, a bit each.
#[derive(Default)]
struct Queued {
    /// In the transaction under way: nobody who looks for work finds them yet.
    noted: Arc<AtomicU32>,
    /// By what is committed.
    kept: AtomicU32,
}

/// Runs `work` in a transaction. What it queued counts once it is committed.
fn transact<T, E: From<StoreError>>(
    connection: &mut Connection,
    (queued, codes): &(Arc<Queued>, Arc<Codes>),
    work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    queued.noted.store(0, Ordering::SeqCst);
    codes.begin();
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(StoreError::from)?;
    let value = work(&transaction)?;
    transaction.commit().map_err(StoreError::from)?;
    codes.committed(connection);
    queued.kept.fetch_or(queued.noted.swap(0, Ordering::SeqCst), Ordering::SeqCst);
    Ok(value)
}

impl Store {
    /// Opens or makes the database at `path`, brings its schema up to date, and starts the writer.
    ///
    /// # Errors
    /// [`StoreError::TooNew`] when a newer version of the product made it; [`StoreError::KeyNeeded`],
    /// [`StoreError::WrongKey`] and [`StoreError::EncryptionMissing`] where it is encrypted; SQLite's errors.
    pub fn open(path: &Path, mut keys: Keys, now: EpochMs) -> StoreResult<Self> {
        let mut connection = connection::open_writer(path, keys.database.as_ref())?;
        let files = shared_file::open(path).into_iter().collect();
        connection::hash_under(&connection, &keys.hashes)?;
        migrate::migrate(&mut connection, now)?;
        rebuild::end_cut_off(&connection, now)?;
        keys.database = keys.database.filter(|_| cipher::is_encrypted(path));
        let queued = Arc::<Queued>::default();
        connection::note_queued(&connection, &queued.noted)?;
        let codes = Codes::follow(&connection)?;
        let followed = (queued.clone(), codes.clone());
        let copying = journal::Turn::default();
        let journal = journal::Journal::of(&mut connection, &copying, path.to_owned(), keys.database.clone())?;
        let writer = writer::Writer::start(connection, journal, move |connection, works| {
            let all = |tx: &Transaction<'_>| {
                works.into_iter().for_each(|work| work(tx));
                Ok::<_, StoreError>(())
            };
            if let Err(error) = transact(connection, &followed, all) {
                tracing::warn!(%error, "what readers left behind was not kept");
            }
        });
        let store = Self {
            inner: Arc::new(Inner {
                path: path.to_owned(),
                keys,
                queued,
                codes,
                loader: codes::Loader::default(),
                copying,
                rebuilding: Mutex::default(),
                writer,
                readers: Mutex::default(),
                returned: Condvar::new(),
                files: Mutex::new(files),
            }),
        };
        store.tend_codes();
        Ok(store)
    }

    /// Reads the vectors into memory where they are looked through often enough.
    fn tend_codes(&self) {
        let Inner { codes, path, keys, writer, .. } = &*self.inner;
        self.inner.loader.tend(codes, path, keys, writer);
    }

    /// Compares the vectors in memory with their index, and has them read anew where they differ. Gives whether they agree.
    ///
    /// # Errors
    /// SQLite's.
    pub fn check_vectors(&self) -> StoreResult<bool> {
        let codes = self.inner.codes.clone();
        self.inner.writer.run(move |connection| codes.check(connection))
    }

    /// Waits until the vectors that are being read into memory are there. Gives how many are: few are not held there.
    ///
    /// # Errors
    /// [`StoreError::Closed`].
    pub fn wait_for_vectors(&self) -> StoreResult<u64> {
        self.inner.loader.wait();
        let codes = self.inner.codes.clone();
        self.inner.writer.run(move |_| Ok(codes.count()))
    }

    /// What a transaction tells of what it did.
    fn followed(&self) -> (Arc<Queued>, Arc<Codes>) {
        (self.inner.queued.clone(), self.inner.codes.clone())
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Whether it is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.inner.keys.database.is_some()
    }

    /// Reads a file byte by byte; the database itself page by page as it is without encryption, unused pages included.
    ///
    /// # Errors
    /// The system's; `InvalidData` where pages cannot be decrypted.
    pub fn raw(&self, file: &Path) -> std::io::Result<Box<dyn std::io::Read>> {
        // Its log and the index of that are open as long as it is, too.
        let is_its_own = self.inner.path.file_name().zip(file.file_name()).is_some_and(|(database, name)| {
            name.as_encoded_bytes().starts_with(database.as_encoded_bytes())
                && file.parent() == self.inner.path.parent()
        });
        if is_its_own {
            let open = shared_file::open(file)?;
            let mut files = self.inner.files.lock().unwrap_or_else(PoisonError::into_inner);
            if !files.iter().any(|known| Arc::ptr_eq(known, &open)) {
                files.push(open);
            }
        }
        pages::open(file, self.inner.keys.database.as_ref().filter(|_| file == self.inner.path))
    }

    /// Of which kinds jobs were queued since this was last asked, by whatever came to be written.
    pub fn take_queued(&self) -> Vec<JobKind> {
        let kinds = self.inner.queued.kept.swap(0, Ordering::SeqCst);
        JobKind::ALL.iter().copied().filter(|kind| kinds >> *kind as u32 & 1 == 1).collect()
    }

    /// Runs `work` in a transaction on the writer thread and waits for it. All of it is kept, or, when
    /// it gives an error, nothing.
    ///
    /// # Errors
    /// What `work` gives, and SQLite's errors at commit.
    pub fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    {
        self.write_beside(work, || ())
    }

    /// Whether what is written now would wait for others: for as long as they take.
    pub fn is_writing(&self) -> bool {
        self.inner.writer.is_busy()
    }

    /// The same as [`Self::write`], and does something else `beside` it, on the caller's thread, before it waits. That neither writes nor waits for
    /// whoever does: `work` may wait for it, on the one thread that writes.
    ///
    /// # Errors
    /// What `work` gives, and SQLite's errors at commit.
    pub fn write_beside<T, E, F>(&self, work: F, beside: impl FnOnce()) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    {
        let followed = self.followed();
        self.inner.writer.run_beside(move |connection| transact(connection, &followed, work), beside)
    }

    /// Like [`Self::write`], and does not wait for it: for what a reader leaves behind. It is written a second later at most,
    /// together with others, and before what is written afterwards. `done` gets what came of it, on the writer thread, before
    /// that is committed. Gives whether it will be written: where so much waits already that it would only fill the memory, it is not.
    ///
    /// # Errors
    /// [`StoreError::Closed`].
    pub fn write_later<E, F>(&self, work: F, done: impl FnOnce(Result<(), E>) + Send + 'static) -> StoreResult<bool>
    where
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<(), E> + Send + 'static,
    {
        // One that fails, or panics, takes the others not along.
        let whole = move |tx: &Transaction<'_>| {
            catch_unwind(AssertUnwindSafe(|| work(tx))).unwrap_or_else(|_| Err(StoreError::Closed.into()))
        };
        let later = move |tx: &Transaction<'_>| done(tentatively(tx, || Ok::<_, E>(whole(tx))).and_then(|done| done));
        self.inner.writer.leave(later)
    }

    /// Like [`Self::write`], and what it wrote survives the loss of power as well (ruling 9).
    ///
    /// # Errors
    /// What `work` gives, and SQLite's errors at commit.
    pub fn write_durably<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    {
        let followed = self.followed();
        self.inner
            .writer
            .run(move |connection| scrub::durably(connection, |connection| transact(connection, &followed, work)))
    }

    /// Makes every index anew from what it stands for: the full text of each kind in each space in a transaction, and then the vectors,
    /// some in each, so that others write in between. By its words everything is found meanwhile; by its meaning, what is in the index
    /// again. Waits where another one is under way. A vector that cannot be read is left out; [`checks`] tell it.
    ///
    /// # Errors
    /// SQLite's; [`StoreError::Damaged`] where something cannot be read that belongs into an index. What was not made anew by then
    /// stays as it is, and is compared with what it stands for soon; vectors are missing in their index until
    /// [`Self::go_on_rebuilding`] made it whole.
    pub fn rebuild(&self, now: EpochMs) -> StoreResult<()> {
        let _mine = self.inner.rebuilding.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = self.write(move |tx| rebuild::begin(tx, now))?;
        let made = self.make_anew(texts, now);
        let ended = match made {
            Ok(()) => self.write(move |tx| divergence::rebuilt(tx, now)),
            Err(_) => self.write(move |tx| rebuild::failed(tx, now)),
        };
        made.and(ended)
    }

    /// Indexes the next vectors, where making their index anew failed or was cut off. Gives whether more may be left; not where all
    /// indexes are being made anew at this moment.
    ///
    /// # Errors
    /// SQLite's.
    pub fn go_on_rebuilding(&self, now: EpochMs) -> StoreResult<bool> {
        let _mine = match self.inner.rebuilding.try_lock() {
            Ok(mine) => mine,
            Err(TryLockError::Poisoned(mine)) => mine.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        if !self.read(rebuild::is_incomplete)? {
            return Ok(false);
        }
        self.write(move |tx| rebuild::index_next(tx, rebuild::VECTORS, now))
    }

    fn make_anew(&self, texts: Vec<(um_model::SpaceId, fts::Kind)>, now: EpochMs) -> StoreResult<()> {
        for (space, kind) in texts {
            self.write(move |tx| fts::sources::rebuild(tx, &space, kind, now))?;
        }
        // With the first of them, so that a small index is never seen empty.
        let first = move |tx: &Transaction<'_>| {
            rebuild::renew_vectors(tx, now)?;
            rebuild::index_next(tx, rebuild::VECTORS, now)
        };
        let mut is_left = self.write(first)?;
        while is_left {
            is_left = self.write(move |tx| rebuild::index_next(tx, rebuild::VECTORS, now))?;
        }
        Ok(())
    }

    /// Clears away what is left of emptied rows outside of their tables: clears the separators of these spaces' full text and
    /// empties the write-ahead log. With `whole`, the whole database is written anew as well.
    ///
    /// # Errors
    /// SQLite's; [`StoreError::Busy`] where readers kept the log from being emptied.
    pub fn scrub(&self, spaces: Vec<um_model::SpaceId>, whole: bool) -> StoreResult<()> {
        let writer = &self.inner.writer;
        writer
            .run(move |connection| scrub::durably(connection, |connection| scrub::scrub(connection, &spaces, whole)))?;
        // Between the tries, others write.
        let mut emptied = Err(StoreError::Busy);
        for _ in 0..TRIES {
            let copying = self.inner.copying.clone();
            emptied = writer.run(move |connection| {
                let _mine = journal::taken(&copying);
                scrub::durably(connection, scrub::empty_log)
            });
            if !matches!(emptied, Err(StoreError::Busy)) {
                break;
            }
        }
        emptied
    }

    /// Runs `work` on a read-only connection, inside one read transaction, so that all it reads is of
    /// one moment. Waits when all connections are in use.
    ///
    /// # Errors
    /// What `work` gives.
    pub fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        E: From<StoreError>,
        F: FnOnce(&Connection) -> Result<T, E>,
    {
        let mut borrowed = Borrowed { store: self, reader: Some(self.borrow_reader().map_err(E::from)?) };
        borrowed.reader.as_mut().ok_or(StoreError::Closed)?.settle()?;
        let connection = &borrowed.reader.as_ref().ok_or(StoreError::Closed)?.connection;
        let snapshot = connection.unchecked_transaction().map_err(StoreError::from)?;
        let value = work(&snapshot)?;
        snapshot.finish().map_err(StoreError::from)?;
        self.tend_codes();
        Ok(value)
    }

    /// Like [`Self::read`], on a connection of its own: for checks of the file itself. FTS5 checks its index
    /// against what the connection remembers of it, which on a pooled one may be of an earlier moment.
    ///
    /// # Errors
    /// What `work` gives.
    pub fn inspect<T, E: From<StoreError>>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let Reader { connection, .. } = self.open_reader()?;
        let snapshot = connection.unchecked_transaction().map_err(StoreError::from)?;
        work(&snapshot)
    }

    fn borrow_reader(&self) -> StoreResult<Reader> {
        let mut readers = self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(reader) = readers.idle.pop() {
                return Ok(reader);
            }
            if readers.open < READERS {
                readers.open += 1;
                drop(readers);
                return self.open_reader().inspect_err(|_| {
                    self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner).open -= 1;
                    // Whoever waits for one may open it now, as none comes back.
                    self.inner.returned.notify_one();
                });
            }
            readers = self.inner.returned.wait(readers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open_reader(&self) -> StoreResult<Reader> {
        let key = self.inner.keys.database.as_ref();
        let connection = connection::open_reader(&self.inner.path, key)?;
        connection::hash_under(&connection, &self.inner.keys.hashes)?;
        self.inner.codes.answer(&connection, false)?;
        Ok(Reader::new(connection, key.is_some()))
    }

    fn give_back(&self, reader: Reader) {
        self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner).idle.push(reader);
        self.inner.returned.notify_one();
    }
}

/// A connection on loan: it comes back however the loan ends, a panic included.
struct Borrowed<'a> {
    store: &'a Store,
    reader: Option<Reader>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.store.give_back(reader);
        }
    }
}
