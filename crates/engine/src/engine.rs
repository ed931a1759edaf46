//! The engine: the open data folder and all that works on it.

use crate::encryption::{self, DatabaseKey};
use crate::error::{Fault, Outcome, from_io, from_store};
use crate::provider::{Cancel, Providers};
use crate::timings::Timings;
use crate::watch::Watching;
use crate::work::{Bell, Bells, Workers};
use crate::{Caller, Clock};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast;
use um_model::health::Event;
use um_model::{ApiError, ArtifactId, CallId, EpochMs, ErrorCode, JobId, JobKind};
use um_store::keyed::Key;
use um_store::{Connection, Keys, Store, Transaction};

/// What an engine is opened with.
pub struct EngineConfig {
    /// The folder that everything is kept in; made where it is not there.
    pub data_dir: PathBuf,
    /// What opens it where it is encrypted: see [`crate::encryption::unlock`].
    pub key: Option<DatabaseKey>,
    /// Models and readers.
    pub providers: Providers,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

/// An open data folder. Clones share it.
#[derive(Clone)]
pub struct Engine {
    core: Arc<Core>,
}

pub(crate) struct Core {
    store: Store,
    key: Key,
    providers: Providers,
    clock: Arc<dyn Clock>,
    data_dir: PathBuf,
    started_at: EpochMs,
    events: broadcast::Sender<Event>,
    timings: Timings,
    paused: AtomicBool,
    agents: AtomicU64,
    socket: Mutex<Option<String>>,
    /// Passwords that were given, kept while the service runs so that pages can be shown; never written anywhere.
    pub(crate) passwords: Mutex<HashMap<ArtifactId, String>>,
    /// The jobs that this process works on now.
    pub(crate) running: Mutex<HashMap<JobId, Cancel>>,
    /// The calls under way that take long, and what stops each.
    pub(crate) calls: Mutex<BTreeMap<CallId, crate::work::Running>>,
    /// Forgettings whose rows are gone and that are not at their end.
    pub(crate) clearings: Mutex<Vec<crate::forget::Clearing>>,
    /// What agents asked last.
    pub(crate) requests: crate::access::requests::Requests,
    /// Whose the requests for access are.
    pub(crate) peers: crate::access::Peers,
    /// The requests under names that were forgotten.
    pub(crate) silent: crate::access::Silent,
    /// Whoever decodes a picture or page for display holds it: each takes hundreds of megabytes.
    pub(crate) pictures: Mutex<()>,
    /// Whoever decodes sound for display holds it. Pictures do not wait for a long recording.
    pub(crate) sounds: Mutex<()>,
    /// When notes last came in.
    pub(crate) arrivals: crate::work::Arrivals,
    /// Behind which file mails are looked for that an earlier version read as plain text.
    pub(crate) old_mails: crate::reading::OldMails,
    /// When the next memory goes out of use by itself.
    pub(crate) expiries: crate::library::Expiries,
    bells: Bells,
    workers: Mutex<Option<Workers>>,
    pub(crate) watching: Mutex<Option<Watching>>,
    _lock: File,
}

impl Engine {
    /// Opens a data folder and takes its lock.
    ///
    /// # Errors
    /// `DataFolderInUse` when another process has it open, `DatabaseTooNew`, `Io`, `Database`; `KeyNeeded`, `WrongKey` or
    /// `EncryptionMissing` where it is encrypted; `Conflict` where its key is there and it is not.
    pub fn open(config: EngineConfig) -> Outcome<Self> {
        let data_dir = prepare_folder(&config.data_dir)?;
        let lock = lock_folder(&data_dir)?;
        let now = config.clock.now();
        encryption::settle(&data_dir)?;
        let files = encryption::Files::of(&data_dir);
        files.check_database_is_there()?;
        let database = files.database;
        // Made before SQLite does, as what it makes beside it (journal, shared memory) takes its permissions.
        File::options().create(true).append(true).open(&database).map_err(|e| from_io("Opening", &database, &e))?;
        own_only(&database)?;
        let key = crate::key::load(&data_dir)?;
        let keys = Keys { database: config.key, hashes: key.clone() };
        let store = Store::open(&database, keys, now).map_err(from_store)?;
        sweep(&data_dir, &store)?;
        // A past version took them from the person where somebody revoked `owner`.
        store.write(|tx| um_store::members::own_again(tx)).map_err(from_store)?;
        store.write(move |tx| um_store::jobs::recover(tx, true, now)).map_err(from_store)?;
        let paused = store
            .read(|c| um_store::settings::get(c, crate::settings::PAUSED))
            .map_err(from_store)?
            .is_some_and(|value| value == "true");
        let engine = Self {
            core: Arc::new(Core {
                store,
                key,
                providers: config.providers,
                clock: config.clock,
                data_dir,
                started_at: now,
                events: broadcast::channel(256).0,
                timings: Timings::default(),
                paused: AtomicBool::new(paused),
                agents: AtomicU64::new(0),
                socket: Mutex::default(),
                passwords: Mutex::default(),
                running: Mutex::default(),
                calls: Mutex::default(),
                clearings: Mutex::default(),
                requests: Default::default(),
                peers: Default::default(),
                silent: Default::default(),
                pictures: Mutex::default(),
                sounds: Mutex::default(),
                arrivals: crate::work::Arrivals::default(),
                old_mails: crate::reading::OldMails::default(),
                expiries: crate::library::Expiries::default(),
                bells: Bells::default(),
                workers: Mutex::default(),
                watching: Mutex::default(),
                _lock: lock,
            }),
        };
        // The service starts all the same: what does not end now is tried again at the next start.
        if let Err(error) = crate::forget::resume(&engine) {
            tracing::error!(%error, "a forgetting that was cut off cannot be ended yet");
        }
        Ok(engine)
    }

    /// Begins the background work: reading, embedding, watching. Does nothing when it has begun.
    pub fn start(&self) {
        let mut workers = lock(&self.core.workers);
        if workers.is_none() {
            *workers = Some(Workers::start(self));
            drop(workers);
            crate::watch::start(self);
        }
    }

    /// Ends the background work and waits for it. What was begun goes back into the queue; calls that take
    /// long are told to stop.
    pub fn stop(&self) {
        crate::work::cancel_all(self);
        // Taken out first: the watching thread, which is waited for, may want the lock.
        let watching = lock(&self.core.watching).take();
        drop(watching);
        let workers = lock(&self.core.workers).take();
        if let Some(workers) = workers {
            workers.stop(self);
        }
    }

    /// The folder that everything is kept in.
    pub fn data_dir(&self) -> &Path {
        &self.core.data_dir
    }

    /// What changes from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Event> {
        self.core.events.subscribe()
    }

    /// Asks for the window, where there is one.
    pub fn show_window(&self) {
        self.tell(Event::Window);
    }

    /// Says which socket agents connect to, for the status line.
    pub fn set_socket(&self, socket: Option<String>) {
        *lock(&self.core.socket) = socket;
    }

    /// Counts an agent that connected.
    pub fn agent_connected(&self) {
        self.core.agents.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an agent that left.
    pub fn agent_disconnected(&self) {
        self.core.agents.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    pub(crate) fn providers(&self) -> &Providers {
        &self.core.providers
    }

    pub(crate) fn timings(&self) -> &Timings {
        &self.core.timings
    }

    /// Waits until the vectors that are being read into memory are there. Gives how many are: few are not held there.
    ///
    /// # Errors
    /// The database's.
    pub fn wait_for_vectors(&self) -> Outcome<u64> {
        self.store().wait_for_vectors().map_err(crate::error::from_store)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.core.store
    }

    /// Larger files lie beside the database. Where it is encrypted, none do: it is what encrypts them.
    pub(crate) fn inline_below(&self) -> u64 {
        if self.store().is_encrypted() { u64::MAX } else { um_model::capture::INLINE_FILE_BYTES }
    }

    /// The key of hashes that nobody else shall be able to make: of what was forgotten, or must not be guessed.
    pub(crate) fn key(&self) -> &Key {
        &self.core.key
    }

    pub(crate) fn now(&self) -> EpochMs {
        self.core.clock.now()
    }

    pub(crate) fn started_at(&self) -> EpochMs {
        self.core.started_at
    }

    pub(crate) fn socket(&self) -> Option<String> {
        lock(&self.core.socket).clone()
    }

    pub(crate) fn agents_connected(&self) -> u64 {
        self.core.agents.load(Ordering::Relaxed)
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.core.paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        self.core.paused.store(paused, Ordering::Relaxed);
        self.wake();
    }

    /// Tells whoever listens that something changed. Nobody need listen.
    pub(crate) fn tell(&self, event: Event) {
        drop(self.core.events.send(event));
    }

    /// Wakes all workers: there may be work, or the service ends.
    pub(crate) fn wake(&self) {
        self.core.bells.ring_all();
    }

    /// Wakes the workers that do such jobs.
    pub(crate) fn wake_for(&self, kinds: &[JobKind]) {
        self.core.bells.ring(kinds);
    }

    /// Waits until somebody rings, at most so long. `seen` is what the caller saw last.
    pub(crate) fn wait_for_work(&self, bell: Bell, seen: &mut u64, at_most: std::time::Duration) {
        self.core.bells.wait(bell, seen, at_most);
    }

    /// Reads in one snapshot.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Outcome<T> {
        self.core.store.read(work).map_err(ApiError::from)
    }

    /// Writes in one transaction. Wakes the workers where it queued a job.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Outcome<T> {
        let written = self.core.store.write(work).map_err(ApiError::from);
        self.wake_if_queued();
        written
    }

    /// The same, and does something else `beside` it, on the caller's thread. That neither writes nor waits for whoever does: `work`
    /// may wait for it, on the one thread that writes.
    pub(crate) fn write_beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault> + Send + 'static,
        beside: impl FnOnce(),
    ) -> Outcome<T> {
        let written = self.core.store.write_beside(work, beside).map_err(ApiError::from);
        self.wake_if_queued();
        written
    }

    /// Writes in one transaction after what is queued, and does not wait for it: what a reader leaves behind. A failure is logged. Gives
    /// whether it will be written: not where too much waits already.
    pub(crate) fn write_later(
        &self,
        what: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> Result<(), Fault> + Send + 'static,
    ) -> Outcome<bool> {
        let done = move |written: Result<(), Fault>| {
            if let Err(error) = written.map_err(ApiError::from) {
                tracing::warn!(code = %error.code, "{what} was not kept");
            }
        };
        let will_be = self.core.store.write_later(work, done).map_err(from_store)?;
        if !will_be {
            tracing::warn!("{what} was not kept: too much waits to be written");
        }
        Ok(will_be)
    }

    /// The same, and it survives the loss of power as well.
    pub(crate) fn write_durably<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Outcome<T> {
        let written = self.core.store.write_durably(work).map_err(ApiError::from);
        self.wake_if_queued();
        written
    }

    fn wake_if_queued(&self) {
        self.wake_for(&self.core.store.take_queued());
    }

    /// Writes an entry of the audit ledger of what was done elsewhere than in the database, and of nothing that a space holds.
    pub(crate) fn note(
        &self,
        caller: &Caller,
        event_type: &'static str,
        object: (&'static str, &str),
        payload: serde_json::Value,
    ) -> Outcome<()> {
        let (caller, id, now) = (caller.clone(), object.1.to_owned(), self.now());
        self.write(move |tx| {
            let global = um_model::SpaceId::global();
            Self::audit(tx, &caller, event_type, (object.0, &id), &global, payload, now)
        })
    }

    /// Writes an entry of the audit ledger in the caller's name, inside a transaction.
    pub(crate) fn audit(
        tx: &Connection,
        caller: &Caller,
        event_type: &str,
        object: (&str, &str),
        space: &um_model::SpaceId,
        payload: serde_json::Value,
        now: EpochMs,
    ) -> Result<(), Fault> {
        let entry = um_store::audit::Entry {
            event_type,
            object_type: object.0,
            object_id: object.1,
            space,
            actor: &caller.actor,
            request_id: &caller.request_id,
            purpose: caller.purpose.as_deref(),
            payload,
        };
        Ok(um_store::audit::append(tx, &entry, now)?)
    }
}

/// Locks a mutex of the engine. Nothing panics while it holds one, so none is ever poisoned.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

pub(crate) fn prepare_folder(folder: &Path) -> Outcome<PathBuf> {
    std::fs::create_dir_all(folder).map_err(|e| from_io("Making the data folder", folder, &e))?;
    let folder = folder.canonicalize().map_err(|e| from_io("Opening the data folder", folder, &e))?;
    own_only(&folder)?;
    Ok(folder)
}

/// Sweeps up what an earlier process left half done; nothing that was acknowledged is among it. Only
/// whoever holds the folder's lock may do this: what lies there may be in use.
fn sweep(folder: &Path, store: &Store) -> Outcome<()> {
    let scratch = folder.join("tmp");
    // What another program holds open cannot be overwritten, and keeps nobody from starting this one.
    if let Err(error) = encryption::destroy_folder(&scratch) {
        tracing::warn!(code = %error.code, "work files could not all be overwritten");
    }
    std::fs::create_dir_all(&scratch).map_err(|e| from_io("Making the folder", &scratch, &e))?;
    let known = store.read(um_store::artifacts::blob_files).map_err(from_store)?;
    for stray in crate::ingest::blobs::left_behind(folder, &known) {
        crate::ingest::blobs::destroy_file(&stray)?;
    }
    Ok(())
}

/// Takes group and others out of a file's or folder's permissions.
pub(crate) fn own_only(path: &Path) -> Outcome<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(path).map_err(|e| from_io("Opening", path, &e))?;
        let mode = if metadata.is_dir() { 0o700 } else { 0o600 };
        if metadata.permissions().mode() & 0o777 != mode {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
                .map_err(|e| from_io("Protecting", path, &e))?;
        }
    }
    Ok(())
}

pub(crate) fn lock_folder(folder: &Path) -> Outcome<File> {
    let path = folder.join("service.lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| from_io("Opening", &path, &e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ApiError::new(
            ErrorCode::DataFolderInUse,
            format!("Another Ultimate Memory has the data folder {} open.", folder.display()),
        )
        .hint("Use that one, or choose another folder with --data.")),
        Err(TryLockError::Error(e)) => Err(from_io("Locking", &path, &e)),
    }
}
