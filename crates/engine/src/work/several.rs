//! A job on memories that came in together: each turn does some of them. One that fails, or waits for something, has a job
//! of its own from then on and keeps no other waiting.

use super::queue::queue_memory;
use super::workers::Done;
use crate::Engine;
use crate::error::Outcome;
use crate::reading::Stopped;
use std::ops::RangeInclusive;
use um_model::numbers::grouped;
use um_model::{JobKind, MemoryId, SpaceId};
use um_store::jobs::{Claimed, Turn};
use um_store::memories;

/// So many are done in a turn.
const PORTION: usize = 32;

/// Does the next ones with a job of that kind, each by `act`.
pub(super) fn turn(
    engine: &Engine,
    job: &Claimed,
    (kind, space, rids): (JobKind, &SpaceId, &RangeInclusive<i64>),
    act: impl Fn(&MemoryId) -> Result<(), Stopped>,
) -> Result<Done, Stopped> {
    let from = job.at.unwrap_or(*rids.start());
    let portion =
        engine.read(|c| Ok(memories::among(c, space, &(from..=*rids.end()), PORTION)?)).map_err(Stopped::Retries)?;
    for (rid, id) in &portion {
        match act(id) {
            Ok(()) => {}
            Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
            Err(_) => alone(engine, (kind, space, job.priority), vec![*rid]).map_err(Stopped::Retries)?,
        }
    }
    let last = portion.last().filter(|_| portion.len() == PORTION).map(|(rid, _)| *rid);
    Ok(done(rids, last.map(|last| last + 1)))
}

/// Gives some of them a job of their own each.
pub(super) fn alone(
    engine: &Engine,
    (kind, space, priority): (JobKind, &SpaceId, i64),
    memories: Vec<i64>,
) -> Outcome<()> {
    let (space, now) = (space.clone(), engine.now());
    engine.write(move |tx| {
        for rid in memories {
            for (_, id) in memories::among(tx, &space, &(rid..=rid), 1)? {
                queue_memory(tx, kind, (&id, &space), priority, now)?;
            }
        }
        Ok(())
    })
}

/// What a turn did that goes on at a memory, if it does.
pub(super) fn done(rids: &RangeInclusive<i64>, next: Option<i64>) -> Done {
    let Some(at) = next.filter(|at| rids.contains(at)) else { return Done::All };
    let (done, total) = (at - rids.start(), rids.end() - rids.start() + 1);
    let note = format!("{} of {} notes", grouped(done.unsigned_abs()), grouped(total.unsigned_abs()));
    Done::Part(Turn { share: done as f64 / total as f64, note, at: Some(at) })
}
