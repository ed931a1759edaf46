//! A job on memories that came in together, or one after the other: each turn does some of them. One that fails, or waits
//! for something, has a job of its own from then on and keeps no other waiting. So do all of a turn that fails as a whole each
//! time, or takes the service down with it.

use super::queue::{queue_detection, queue_memory};
use super::workers::Done;
use crate::Engine;
use crate::error::{Fault, Outcome};
use crate::reading::Stopped;
use std::ops::RangeInclusive;
use um_model::numbers::grouped;
use um_model::{EpochMs, JobId, JobKind, MemoryId, SpaceId};
use um_store::jobs::{self, Claimed, OfNew, Turn};
use um_store::{Connection, memories};

/// So many are done in a turn.
const PORTION: usize = 32;
/// Of new ones that are left, so many are counted at most, those of other spaces among them.
const COUNTED: i64 = 10_000;

/// Does the next ones with a job of that kind, each by `act`.
pub(super) fn turn(
    engine: &Engine,
    job: &Claimed,
    (kind, space, rids): (JobKind, &SpaceId, &RangeInclusive<i64>),
    act: impl Fn(&MemoryId) -> Result<(), Stopped>,
) -> Result<Done, Stopped> {
    let portion = engine.read(|c| Ok(next(c, job, (space, rids))?)).map_err(Stopped::Retries)?;
    for (rid, id) in &portion {
        match act(id) {
            Ok(()) => {}
            Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
            Err(stopped @ (Stopped::Waits(..) | Stopped::Fails(_) | Stopped::Retries(_))) => {
                if let Stopped::Fails(error) | Stopped::Retries(error) = stopped {
                    tracing::warn!(%kind, code = %error.code, "one of several memories could not be done with the others");
                }
                alone(engine, (kind, space, job.priority), vec![*rid]).map_err(Stopped::Retries)?;
            }
        }
    }
    let last = portion.last().filter(|_| portion.len() == PORTION).map(|(rid, _)| *rid);
    let next = last.map(|last| last + 1).filter(|at| rids.contains(at));
    let Some(at) = next else { return Ok(Done::All) };
    let turn = engine.read(|c| Ok(until(c, job, (space, rids), (at, portion.len()))?));
    turn.map(Done::Part).map_err(Stopped::Retries)
}

/// The next ones of a job.
fn next(
    c: &Connection,
    job: &Claimed,
    (space, rids): (&SpaceId, &RangeInclusive<i64>),
) -> Result<Vec<(i64, MemoryId)>, um_store::StoreError> {
    memories::among(c, space, &(job.at.unwrap_or(*rids.start())..=*rids.end()), PORTION)
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
                queue_one(tx, kind, (&id, &space), priority, now)?;
            }
        }
        Ok(())
    })
}

/// Gives the next ones of a claimed job one of their own each, and lets it go on behind them: its own way to do them came to nothing
/// too often. Where none is left the job stays with its worker. Gives whether there were any.
pub(super) fn part(
    tx: &Connection,
    worker: &str,
    job: &Claimed,
    (kind, space, rids): (JobKind, &SpaceId, &RangeInclusive<i64>),
    now: EpochMs,
) -> Result<bool, Fault> {
    let portion = next(tx, job, (space, rids))?;
    let Some((last, _)) = portion.last() else { return Ok(false) };
    for (_, id) in &portion {
        queue_one(tx, kind, (id, space), job.priority, now)?;
    }
    tracing::warn!(%kind, memories = portion.len(), "a job on several memories failed each time: the next ones are done alone");
    let turn = until(tx, job, (space, rids), (last + 1, portion.len()))?;
    jobs::pass_on(tx, &job.id, worker, &turn, now)?;
    Ok(true)
}

/// Queues a job of one of them, the same that it would have had by itself.
fn queue_one(
    tx: &Connection,
    kind: JobKind,
    of: (&MemoryId, &SpaceId),
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    match kind {
        JobKind::Detect => queue_detection(tx, of, um_pii::VERSION, priority, now),
        _ => queue_memory(tx, kind, of, priority, now),
    }
}

/// What a turn did that goes on at a memory, if it does.
pub(super) fn done(rids: &RangeInclusive<i64>, next: Option<i64>) -> Done {
    next.filter(|at| rids.contains(at)).map_or(Done::All, |at| Done::Part(of_range(rids, at)))
}

/// A turn that did so many, all before a memory.
fn until(
    c: &Connection,
    job: &Claimed,
    (space, rids): (&SpaceId, &RangeInclusive<i64>),
    (at, did): (i64, usize),
) -> Result<Turn, um_store::StoreError> {
    if *rids != jobs::NEW {
        return Ok(of_range(rids, at));
    }
    let done = job.done.map_or(0, |known| known.done) + did as u64;
    // They are counted once, and again once more came in than there were: counting costs more than a turn.
    let of = match job.done.filter(|known| known.total > done) {
        Some(known) => OfNew { done, ..known },
        None => {
            let (left, is_least) = memories::count_among(c, space, &(at..=*rids.end()), COUNTED)?;
            OfNew { done, total: done + left, is_least }
        }
    };
    Ok(of_new(of, at))
}

/// One of memories that came in together: their range tells how many they are.
fn of_range(rids: &RangeInclusive<i64>, at: i64) -> Turn {
    let (done, total) = (at - rids.start(), rids.end() - rids.start() + 1);
    let note = format!("{} of {} notes", grouped(done.unsigned_abs()), grouped(total.unsigned_abs()));
    Turn { share: done as f64 / total as f64, note, at: Some(at), passage: None, done: None }
}

/// One of new memories: of those that were there when they were counted. More may come in.
fn of_new(of: OfNew, at: i64) -> Turn {
    let OfNew { done, total, is_least } = of;
    let at_least = if is_least { "more than " } else { "" };
    let note = format!("{} of {at_least}{} notes", grouped(done), grouped(total));
    Turn { share: done as f64 / total.max(1) as f64, note, at: Some(at), passage: None, done: Some(of) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_new_ones_are_is_told_of_those_that_are_there() {
        let check = |done: u64, total: u64, is_least: bool, share: f64, note: &str| {
            let of = OfNew { done, total, is_least };
            let turn = of_new(of, 7);
            assert_eq!((turn.note.as_str(), turn.done, turn.at), (note, Some(of), Some(7)));
            assert!((turn.share - share).abs() < 1e-9, "{turn:?}");
        };
        check(32, 64, false, 0.5, "32 of 64 notes");
        check(32, 32, false, 1.0, "32 of 32 notes");
        check(2_500, 10_000, false, 0.25, "2,500 of 10,000 notes");
        check(10_000, 20_000, true, 0.5, "10,000 of more than 20,000 notes");
    }
}
