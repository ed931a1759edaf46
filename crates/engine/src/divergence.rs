//! The indexes are compared with what they stand for once a day, and what differs is mended: a slice at a time, while nothing waits to
//! be read or embedded, and on from where it was after a restart.

use crate::Engine;
use crate::error::{Outcome, from_store};
use um_model::health::{Check, Event};
use um_model::{EpochMs, JobKind};
use um_store::divergence::{self, Report, Round, SLICE, Slice};
use um_store::{Connection, StoreError, jobs, settings};

/// When a round last began, or the database was new: `system_settings`.
const COMPARED_AT: &str = "indexes.compared_at";
/// A round begins once a day.
const DAY_MS: i64 = 86_400_000;
/// What is told while full text is brought into the form in which words are looked up.
const ANEW: &str = "After an update the words of what was kept before are indexed anew, bit by bit: until that is done, some of it may not \
    be found.";
/// A round that was begun so long ago gives way to nothing any more.
const PATIENCE_MS: i64 = 21_600_000;

/// Goes on making the index of vectors where that was cut off: nothing comes before it, as recall misses what is not in it. Else compares
/// the next slice, where a round is under way or a day has passed since one began. A database that was never compared is new:
/// its day begins now. Gives whether it did anything.
pub(crate) fn compare_when_due(engine: &Engine) -> Outcome<bool> {
    let now = engine.now();
    match engine.store().go_on_rebuilding(now) {
        Ok(true) => return Ok(true),
        Ok(false) => {}
        Err(error @ (StoreError::Closed | StoreError::Busy)) => return Err(from_store(error)),
        Err(error) => tracing::error!(%error, "the index of vectors could not be made whole"),
    }
    let (round, last) = engine.read(|c| Ok((divergence::under_way(c)?, settings::get(c, COMPARED_AT)?)))?;
    let last = last.and_then(|at| at.parse::<i64>().ok());
    let round = match round {
        Some(round) => round,
        None if last.is_some_and(|last| now - last < DAY_MS) => return Ok(false),
        None => {
            let begun = engine.write(move |tx| {
                settings::set(tx, COMPARED_AT, &now.to_string(), now)?;
                Ok(last.map(|_| divergence::begin(tx, now)).transpose()?)
            })?;
            let Some(round) = begun else { return Ok(false) };
            round
        }
    };
    if now - round.begun_at < PATIENCE_MS && engine.read(|c| busy(c, now).map_err(Into::into))? {
        return Ok(false);
    }
    compare_next(engine, round)?;
    Ok(true)
}

/// Whether something waits or is worked on that somebody wants to find. What is worked on counts: a job on many memories waits only
/// between its turns.
pub(crate) fn busy(c: &Connection, now: EpochMs) -> Result<bool, StoreError> {
    for kind in [JobKind::Read, JobKind::Listen, JobKind::Embed] {
        if jobs::any_open(c, kind, now)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compares the next slice of a round, and mends what differs. What cannot be read or mended is told, and the round goes on behind it.
fn compare_next(engine: &Engine, mut round: Round) -> Outcome<()> {
    let Some(slice) = engine.store().read(|c| round.report.next(c, SLICE)).map_err(from_store)? else {
        return Ok(());
    };
    let now = engine.now();
    match mended(engine, slice, now) {
        Ok((rows, mended, unreadable)) => {
            round.report.compared += rows;
            round.report.mended += mended;
            round.report.unreadable += unreadable;
            if mended + unreadable > 0 {
                let of = slice.called();
                tracing::warn!(of, mended, unreadable, "rows of an index differed from what they stand for");
            }
        }
        // That is no fault of the index: it is compared when it can be.
        Err(error @ (StoreError::Closed | StoreError::Busy)) => return Err(from_store(error)),
        Err(error) => {
            round.report.failed += 1;
            tracing::error!(of = slice.called(), %error, "a part of an index could not be compared or mended");
        }
    }
    round.report = round.report.behind(&slice);
    let is_whole = round.report.is_whole();
    engine.write(move |tx| Ok(divergence::keep(tx, &round, now)?))?;
    if is_whole {
        // What the status tells of the indexes may be over.
        engine.tell(Event::Jobs);
    }
    Ok(())
}

/// How many rows of a slice there should be, how many were mended, and how many cannot be read. It is compared among the readers; only
/// where something differs is it looked at again, and mended, by the writer: a part at a time, so that others write in between.
fn mended(engine: &Engine, slice: Slice, now: EpochMs) -> Result<(u64, u64, u64), StoreError> {
    let found = engine.store().read(|c| slice.compare(c))?;
    let mut mended = 0;
    for part in found.parts {
        mended += engine.store().write(move |tx| part.mend(tx, now))?;
    }
    Ok((found.rows, mended, found.unreadable))
}

/// What the last round came to, for the health of the data folder.
pub(crate) fn check(c: &Connection) -> Result<Check, StoreError> {
    let last = divergence::last(c)?;
    let ok = last.is_none_or(|(report, _)| report.failed + report.unreadable == 0);
    let detail = match last {
        None => "The indexes are compared with what they stand for once a day; this was not done yet.".to_owned(),
        Some((report, at)) => {
            let day = um_rules::date_written(at).unwrap_or_default();
            let (compared, left) = (report.compared, left(report));
            let found = match report.mended {
                0 => "nothing differed".to_owned(),
                mended => format!("{mended} that differed were mended"),
            };
            format!("Of {compared} rows of the indexes, last compared by themselves on {day}, {found}.{left}")
        }
    };
    let detail = match um_store::rebuild::is_renewing_form(c)? {
        true => format!("{detail} {ANEW}"),
        false => detail,
    };
    Ok(Check { name: "self_check".to_owned(), ok, detail })
}

/// What a round left as it was, and what to do about it. Indexes are not made anew of what cannot be read.
fn left(Report { failed, unreadable, .. }: Report) -> String {
    let parts = match failed {
        0 => String::new(),
        1 => " 1 part could not be compared or mended.".to_owned(),
        failed => format!(" {failed} parts could not be compared or mended."),
    };
    match (failed, unreadable) {
        (0, 0) => parts,
        (_, 0) => format!("{parts} Run `umem doctor --rebuild`."),
        (_, 1) => format!("{parts} 1 row cannot be read. Restore the database from a backup."),
        _ => format!("{parts} {unreadable} rows cannot be read. Restore the database from a backup."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_with_what_helps() {
        #[track_caller]
        fn check(failed: u64, unreadable: u64, told: &str) {
            let report = serde_json::json!({
                "index": 0, "after": 0, "compared": 9, "mended": 1, "failed": failed, "unreadable": unreadable,
            });
            assert_eq!(left(serde_json::from_value(report).unwrap()).trim_start(), told);
        }
        check(0, 0, "");
        check(1, 0, "1 part could not be compared or mended. Run `umem doctor --rebuild`.");
        check(2, 0, "2 parts could not be compared or mended. Run `umem doctor --rebuild`.");
        check(0, 1, "1 row cannot be read. Restore the database from a backup.");
        check(0, 7, "7 rows cannot be read. Restore the database from a backup.");
        check(
            1,
            2,
            "1 part could not be compared or mended. 2 rows cannot be read. Restore the database from a backup.",
        );
    }
}
