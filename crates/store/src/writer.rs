//! The one thread that writes.

use crate::StoreError;
use crate::journal::Journal;
use rusqlite::Connection;
use std::sync::mpsc;

pub(crate) type Work = Box<dyn FnOnce(&mut Connection) + Send>;

/// Owns the write connection on a thread of its own and runs what it is given, one after another.
/// Dropping it lets the queued work finish and closes the connection.
pub(crate) struct Writer {
    queue: Option<mpsc::Sender<Work>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(mut connection: Connection) -> Self {
        let mut journal = Journal::of(&connection);
        let (queue, inbox) = mpsc::channel::<Work>();
        let thread = std::thread::Builder::new()
            .name("um-writer".to_owned())
            .spawn(move || {
                for work in inbox {
                    // A panic inside one piece of work rolls its transaction back as it unwinds; the
                    // caller sees the reply channel close, and the writer goes on.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut connection)));
                    journal.tend(&connection);
                }
            })
            .expect("the system can start a thread");
        Self { queue: Some(queue), thread: Some(thread) }
    }

    /// Runs `work` and waits for what it gives.
    pub(crate) fn run<T, E>(&self, work: impl FnOnce(&mut Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answer) = mpsc::sync_channel(1);
        self.queue(move |connection| drop(reply.send(work(connection))))?;
        answer.recv().map_err(|_| E::from(StoreError::Closed))?
    }
}

impl Writer {
    /// What may be queued from elsewhere. The writer ends once it is dropped everywhere.
    pub(crate) fn sender(&self) -> Option<mpsc::Sender<Work>> {
        self.queue.clone()
    }

    /// Runs `work` after what is queued, and does not wait for it.
    pub(crate) fn queue(&self, work: impl FnOnce(&mut Connection) + Send + 'static) -> Result<(), StoreError> {
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(Box::new(work)).map_err(|_| StoreError::Closed)
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
