//! The job in which a memory is put to the language model: which parts of it are done, and how far it is.

use crate::Engine;
use crate::error::Outcome;
use crate::provider::Cancel;
use std::collections::BTreeSet;
use um_model::JobId;
use um_model::health::Event;
use um_store::jobs;

/// A job that asks the language model.
pub(crate) struct Asking<'a> {
    engine: &'a Engine,
    job: &'a JobId,
    worker: &'a str,
    cancel: &'a Cancel,
    done: BTreeSet<String>,
}

impl<'a> Asking<'a> {
    /// Begins where the job was left.
    pub(crate) fn begin(engine: &'a Engine, job: &'a JobId, worker: &'a str, cancel: &'a Cancel) -> Outcome<Self> {
        let done = engine.read(|c| Ok(jobs::parts(c, job)?))?;
        Ok(Self { engine, job, worker, cancel, done })
    }

    /// What tells that it is to stop.
    pub(super) fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    /// Whether a part is done with.
    pub(super) fn is_done(&self, part: &str) -> bool {
        self.done.contains(part)
    }

    /// Remembers that a part is done with, across restarts.
    pub(super) fn done(&mut self, part: &str) -> Outcome<()> {
        let (job, name, now) = (self.job.clone(), part.to_owned(), self.engine.now());
        self.engine.write(move |tx| Ok(jobs::add_part(tx, &job, &name, now)?))?;
        self.done.insert(part.to_owned());
        Ok(())
    }

    /// Says how far it is, 0 to 1 and in words, and hears whether it is to stop.
    pub(super) fn tell(&self, share: f64, note: &str) {
        let (job, worker, note, now) = (self.job.clone(), self.worker.to_owned(), note.to_owned(), self.engine.now());
        let told = self.engine.write(move |tx| Ok(jobs::heartbeat(tx, &job, &worker, share, Some(&note), now)?));
        if let Ok(false) = told {
            self.cancel.cancel();
        }
        self.engine.tell(Event::Jobs);
    }
}
