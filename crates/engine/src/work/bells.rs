//! What wakes a worker: a job of its own kinds that waits, and what concerns all. To wake all for each job costs more than many
//! jobs do: each of them looks into the database for work.

use crate::engine::lock;
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use um_model::JobKind;

/// Who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bell {
    /// Whoever does jobs as this one.
    Of(JobKind),
    /// Whoever is woken by what concerns all.
    Any,
}

/// How many bells there are: one for each kind of job that has workers of its own, and one.
const BELLS: usize = 7;

impl Bell {
    fn number(self) -> usize {
        match self {
            Self::Any => 0,
            Self::Of(JobKind::Read) => 1,
            Self::Of(JobKind::Listen) => 2,
            Self::Of(JobKind::Embed) => 3,
            // One worker does both.
            Self::Of(JobKind::Extract | JobKind::Dedupe) => 4,
            Self::Of(JobKind::Detect) => 5,
            Self::Of(JobKind::Ask) => 6,
        }
    }
}

/// The bells, each with how often it was rung.
#[derive(Default)]
pub(crate) struct Bells {
    rung: Mutex<[u64; BELLS]>,
    changed: [Condvar; BELLS],
}

impl Bells {
    pub(crate) fn ring_all(&self) {
        lock(&self.rung).iter_mut().for_each(|rung| *rung += 1);
        self.changed.iter().for_each(Condvar::notify_all);
    }

    pub(crate) fn ring(&self, kinds: &[JobKind]) {
        for number in kinds.iter().map(|kind| Bell::Of(*kind).number()) {
            lock(&self.rung)[number] += 1;
            self.changed[number].notify_all();
        }
    }

    /// Waits until it is rung, at most so long. `seen` is how often the caller knows it was.
    pub(crate) fn wait(&self, bell: Bell, seen: &mut u64, at_most: Duration) {
        let number = bell.number();
        let rung = lock(&self.rung);
        let (rung, _) = self.changed[number]
            .wait_timeout_while(rung, at_most, |rung| rung[number] == *seen)
            .expect("nobody panics while it holds this lock");
        *seen = rung[number];
    }
}
