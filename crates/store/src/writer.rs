//! The one thread that writes.

use crate::StoreError;
use crate::journal::Journal;
use rusqlite::{Connection, Transaction};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What readers leave behind waits so long at most, and no more of it than so much. Each change of the database makes every reader
/// read anew what it had in memory, so that what nobody waits for is written together.
const LATE: Duration = Duration::from_secs(1);
const MANY: usize = 256;
/// Behind a write that takes long, no more of it than so much waits: it stands in memory.
const WAITING: usize = 1_000;

pub(crate) type Now = Box<dyn FnOnce(&mut Connection) + Send>;
pub(crate) type Later = Box<dyn FnOnce(&Transaction<'_>) + Send>;

/// What the writer is given.
pub(crate) enum Work {
    /// Runs at once.
    Now(Now),
    /// Waits for others, and runs together with them; always before what is given after it.
    Later(Later),
}

/// Owns the write connection on a thread of its own and runs what it is given, one after another.
/// Dropping it lets the queued work finish and closes the connection.
pub(crate) struct Writer {
    queue: Option<mpsc::Sender<Work>>,
    thread: Option<std::thread::JoinHandle<()>>,
    /// How much was left behind and is not written yet.
    left: Arc<AtomicUsize>,
    /// How much that somebody waits for is not written yet.
    awaited: Arc<AtomicUsize>,
}

/// What is to be written counts until it is, or is given up.
struct Left(Arc<AtomicUsize>);

impl Left {
    fn one_more(of: &Arc<AtomicUsize>) -> Self {
        of.fetch_add(1, Ordering::Relaxed);
        Self(of.clone())
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Writer {
    /// `together` runs what waited in one transaction.
    pub(crate) fn start(
        connection: Connection,
        journal: Journal,
        together: impl Fn(&mut Connection, Vec<Later>) + Send + 'static,
    ) -> Self {
        let (queue, inbox) = mpsc::channel::<Work>();
        let thread = std::thread::Builder::new()
            .name("um-writer".to_owned())
            .spawn(move || serve(connection, journal, &inbox, together))
            .expect("the system can start a thread");
        Self { queue: Some(queue), thread: Some(thread), left: Arc::default(), awaited: Arc::default() }
    }

    /// Runs `work` and waits for what it gives.
    pub(crate) fn run<T, E>(&self, work: impl FnOnce(&mut Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run_beside(work, || ())
    }

    /// Runs `work` and waits for what it gives; what is done `beside` it runs on the caller's thread first. That neither writes nor
    /// waits for whoever does: `work` may wait for it, on the one thread that writes.
    pub(crate) fn run_beside<T, E>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E> + Send + 'static,
        beside: impl FnOnce(),
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answer) = mpsc::sync_channel(1);
        let awaited = Left::one_more(&self.awaited);
        self.queue(Work::Now(Box::new(move |connection| {
            let written = work(connection);
            // Before whoever waits for it goes on.
            drop(awaited);
            drop(reply.send(written));
        })))?;
        beside();
        answer.recv().map_err(|_| E::from(StoreError::Closed))?
    }

    /// Whether anything is written, or waits for that, that somebody waits for.
    pub(crate) fn is_busy(&self) -> bool {
        self.awaited.load(Ordering::Relaxed) > 0
    }

    /// What may be queued from elsewhere. The writer ends once it is dropped everywhere.
    pub(crate) fn sender(&self) -> Option<mpsc::Sender<Work>> {
        self.queue.clone()
    }

    /// Runs work together with others, and does not wait for it. Gives whether it will run: not where too much waits already.
    pub(crate) fn leave(&self, work: impl FnOnce(&Transaction<'_>) + Send + 'static) -> Result<bool, StoreError> {
        // A few more than that are no harm.
        if self.left.load(Ordering::Relaxed) >= WAITING {
            return Ok(false);
        }
        let left = Left::one_more(&self.left);
        let later = move |tx: &Transaction<'_>| {
            let _left = left;
            work(tx);
        };
        self.queue(Work::Later(Box::new(later)))?;
        Ok(true)
    }

    /// Runs work after what is queued, and does not wait for it.
    pub(crate) fn queue(&self, work: Work) -> Result<(), StoreError> {
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(work).map_err(|_| StoreError::Closed)
    }
}

/// Runs what comes until nobody can give any more.
fn serve(
    mut connection: Connection,
    mut journal: Journal,
    inbox: &Receiver<Work>,
    together: impl Fn(&mut Connection, Vec<Later>),
) {
    let mut waiting: Vec<Later> = Vec::new();
    let mut due = Instant::now();
    loop {
        let next = match waiting.is_empty() {
            true => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        let now = match next {
            Ok(Work::Now(work)) => Some(work),
            Ok(Work::Later(work)) => {
                if waiting.is_empty() {
                    due = Instant::now() + LATE;
                }
                waiting.push(work);
                if waiting.len() < MANY {
                    continue;
                }
                None
            }
            Err(RecvTimeoutError::Disconnected) if waiting.is_empty() => return,
            Err(_) => None,
        };
        // A panic inside one piece of work rolls its transaction back as it unwinds; the caller sees the reply channel close, and
        // the writer goes on.
        if !waiting.is_empty() {
            let all = std::mem::take(&mut waiting);
            let _ = catch_unwind(AssertUnwindSafe(|| together(&mut connection, all)));
        }
        if let Some(work) = now {
            let _ = catch_unwind(AssertUnwindSafe(|| work(&mut connection)));
        }
        journal.tend(&connection);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // The last owner may be a closure on the writer thread itself, which cannot wait for its own end.
            if thread.thread().id() != std::thread::current().id() {
                drop(thread.join());
            }
        }
    }
}
