//! What comes in goes before what is read of it: notes that are just being added, and what waits to be embedded.

use super::workers::Step;
use crate::Engine;
use crate::engine::lock;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use um_model::JobKind;
use um_store::jobs;

/// After so long without another note no more come in. Whoever adds one after the other needs a few milliseconds for each.
pub(super) const QUIET: Duration = Duration::from_millis(100);
/// Claims, repetitions and personal data are looked for in new notes once no more come in, or after so long, in milliseconds: many at
/// once cost less than one by one, and whoever adds need not wait for each of them.
const GATHERS_MS: i64 = 5_000;
/// They are looked for in all that came in once it is embedded, or after so long, in milliseconds.
const GIVES_WAY_MS: i64 = 60_000;

/// When the last note came in.
#[derive(Default)]
pub(crate) struct Arrivals(Mutex<Option<Instant>>);

impl Arrivals {
    /// One comes in now.
    pub(crate) fn note(&self) {
        *lock(&self.0) = Some(Instant::now());
    }

    /// Whether no more come in.
    fn are_quiet(&self) -> bool {
        lock(&self.0).is_none_or(|last| last.elapsed() >= QUIET)
    }
}

/// What a worker does instead where what comes in goes before its own kinds of jobs: what waits to be embedded, so that it is found
/// first and then read, and what is added just now, where nothing but the reading of new notes is to be done. Neither does where the
/// next job of any of these kinds came in long ago.
pub(super) fn gives_way(engine: &Engine, kinds: &[JobKind]) -> Option<Step> {
    let now = engine.now();
    let (next, embeds) = engine
        .read(|c| {
            let mut next = Vec::new();
            for kind in kinds {
                next.extend(jobs::next(c, *kind, now)?);
            }
            Ok((next, jobs::any_pending(c, JobKind::Embed, now)?))
        })
        .ok()?;
    // A clock that was set back says nothing of how long one waits.
    let all_wait = |limit: i64| next.iter().all(|(since, _)| (0..limit).contains(&(now - since)));
    if embeds && all_wait(GIVES_WAY_MS) {
        // Who embeds rings when it is done.
        return Some(Step::Idle);
    }
    let are_new = !next.is_empty() && next.iter().all(|(_, is_new)| *is_new);
    (are_new && all_wait(GATHERS_MS) && !engine.core().arrivals.are_quiet()).then_some(Step::Gathers)
}
