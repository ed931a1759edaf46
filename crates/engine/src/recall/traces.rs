//! Traces: kept after each recall, shown, and replayed.

use super::cite::first_words;
use super::{DAY, follow_up, gates, replay, score, trace};
use crate::access::Wish;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use std::collections::{BTreeMap, HashMap, HashSet};
use um_model::access::Right;
use um_model::recall::{Hit, MemoryRecall};
use um_model::traces::*;
use um_model::{ApiError, EpochMs, ErrorCode, MemoryId, SpaceId, TraceId};
use um_store::Connection;
use um_store::memories::{self, Called};
use um_store::traces::{self, Kept, Most, NewTrace};

/// So many are kept at most; those that somebody said something of besides.
const MOST: Most = Most { all: 5_000, wordless: 300 };
/// Each time so many came in, the oldest beyond that go: whoever asks once a second need not wait for the day's upkeep.
const EACH: i64 = 256;

/// Keeps the trace of a recall, without waiting for it. None where no traces are kept. Where nothing was found, given or not, or only
/// what is weakly near, it is kept without its words, in the first space that was searched: whoever asks whether something is
/// forgotten does not write it down again. So it is where nothing that was found is an answer, and the question has a word that nothing
/// holds. What only goes on with a talk is of few words that everybody says, and keeps them.
/// `forgotten` is the last forgetting before the recall: what was forgotten since is not kept anew.
pub(super) fn keep(engine: &Engine, caller: &Caller, recall: RecallTrace, forgotten: i64) -> Outcome<Option<TraceId>> {
    let first = || recall.spaces.first().cloned();
    let Some(space) = best(&recall).map(|best| best.space.clone()).or_else(first) else { return Ok(None) };
    let recall = if keeps_words(&recall) { recall } else { trace::without_words(recall) };
    let outcome = if recall.reason.is_some() { TraceOutcome::Abstained } else { TraceOutcome::Success };
    write_down(engine, caller, (space, outcome, recall), forgotten)
}

/// The best passage that was found, given or not.
fn best(recall: &RecallTrace) -> Option<&Traced> {
    let kept_back = || recall.rejected.iter().find(|one| gates::is_found(&one.signals));
    recall.given.first().or_else(kept_back)
}

/// Whether the words of a question are kept, as [`keep`] tells it.
pub(super) fn keeps_words(recall: &RecallTrace) -> bool {
    !recall.wordless && best(recall).is_some() || follow_up::reason(&recall.asked).is_some()
}

/// Keeps that a search failed, and why, in the first space that was to be searched. What was refused was not searched.
pub(super) fn keep_failed(engine: &Engine, caller: &Caller, asked: MemoryRecall, error: &ApiError, forgotten: i64) {
    if is_of_the_question(error.code) {
        return;
    }
    let kept = || {
        let spaces = engine.read(|c| crate::spaces::asked(c, caller, asked.space.as_deref()))?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let Some(first) = spaces.first().cloned() else { return Ok(None) };
        // What could not be read is told by the error, and may be of any memory: a trace outlives those.
        let told = match error.code {
            ErrorCode::Database | ErrorCode::Internal => {
                ApiError::new(error.code, "The database could not be read for this question.")
                    .hint("`umem doctor` checks the data folder.")
            }
            _ => error.clone(),
        };
        let recall = trace::failed(asked, spaces, told);
        write_down(engine, caller, (first, TraceOutcome::Error, recall), forgotten)
    };
    // What keeps a search from being done may keep this from being written, too: the error that is told is the first one.
    let _: Outcome<Option<TraceId>> = kept();
}

/// Writes a trace down without waiting for it, unless none are kept, or too much waits to be written.
fn write_down(
    engine: &Engine,
    caller: &Caller,
    (space, outcome, recall): (SpaceId, TraceOutcome, RecallTrace),
    forgotten: i64,
) -> Outcome<Option<TraceId>> {
    if engine.read(crate::settings::traces_kept_days)? == 0 {
        return Ok(None);
    }
    let now = engine.now();
    let id = traces::new_trace_id(now).map_err(crate::error::from_store)?;
    let actor = caller.actor.clone();
    let mut new = NewTrace { id: id.clone(), space, actor, outcome, recall, created_at: now, expires_at: now };
    let key = engine.key().clone();
    let is_kept = engine.write_later("a trace", move |tx| {
        // For how long it is kept may have been changed meanwhile.
        let days = crate::settings::traces_kept_days(tx)?;
        if days == 0 || forgotten != um_store::forget::last(tx)? {
            return Ok(());
        }
        new.expires_at += EpochMs::from(days) * DAY;
        let checked = match Door::of(&key, &new.space).and_of(&new.recall.spaces).pass(tx, &new) {
            Ok(checked) => checked,
            // A question that says what a space that it was asked of forgot is not written down.
            Err(Fault::Api(error)) if error.code == ErrorCode::Forgotten => return Ok(()),
            Err(other) => return Err(other),
        };
        if traces::insert(tx, &checked)? % EACH == 0 {
            traces::expire(tx, MOST, now)?;
        }
        Ok(())
    })?;
    Ok(is_kept.then_some(id))
}

/// Drops what expired, and the oldest of too many.
pub(crate) fn expire(engine: &Engine) -> Outcome<usize> {
    let now = engine.now();
    engine.write(move |tx| Ok(traces::expire(tx, MOST, now)?))
}

/// Keeps what is kept no longer than so many days from now.
pub(crate) fn keep_for(tx: &Connection, days: u32, now: EpochMs) -> Result<(), Fault> {
    traces::keep_until(tx, now + EpochMs::from(days) * DAY)?;
    traces::expire(tx, MOST, now)?;
    Ok(())
}

/// Waits until what was queued to be written is.
pub(crate) fn settle(engine: &Engine) -> Outcome<()> {
    engine.write(|_| Ok(()))
}

/// Lists traces, of whoever asked: no agent may ask for the list.
pub(crate) fn traces_list(engine: &Engine, caller: &Caller, request: TracesList) -> Outcome<TracesListed> {
    if request.query.as_ref().is_some_and(|query| query.chars().count() > super::MAX_QUERY) {
        return Err(invalid(format!("Words to look for have at most {} characters.", super::MAX_QUERY)));
    }
    // What is asked right behind a recall shows it. A search is asked with each letter that is typed, and a page behind another goes back:
    // neither waits for what is written meanwhile.
    if request.query.is_none() && request.after.is_none() {
        settle(engine)?;
    }
    let (limit, now) = (request.limit.unwrap_or(50).clamp(1, 200), engine.now());
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, None)?.into_iter().map(|space| space.id).collect();
        let only = request.space.as_deref().map(|space| crate::spaces::resolve(c, caller, space)).transpose()?;
        let named = request.actor.as_deref().map(|actor| crate::access::named(c, actor)).transpose()?;
        let asked_by = named.as_ref().map(|agent| &agent.id);
        if let Some(last) = &request.after {
            // After what is gone nothing comes, and that would look like the end of the list.
            find(c, caller, last, now).map_err(|fault| match fault {
                Fault::Api(error) if error.code == ErrorCode::NotFound => {
                    error.hint("It may have gone since it was listed: list the traces from the newest again.").into()
                }
                other => other,
            })?;
        }
        let mut traces =
            traces::list(c, &spaces, only.as_ref().map(|space| &space.id), asked_by, &request, (limit + 1, now))?;
        let more = traces.len() > limit as usize;
        traces.truncate(limit as usize);
        Ok(TracesListed { traces, more })
    })
}

/// A trace that the caller may see: their own, or any for the person; of spaces all of which they may read. One whose time is over is gone,
/// whether or not upkeep dropped it yet.
pub(super) fn find(c: &Connection, caller: &Caller, id: &TraceId, now: EpochMs) -> Result<Kept, Fault> {
    let unknown = || not_found("trace", id.as_str());
    let is_kept = |kept: &Kept| kept.summary.expires_at.is_none_or(|at| at > now);
    let kept = traces::by_id(c, id)?.filter(is_kept).ok_or_else(unknown)?;
    if caller.is_agent() && kept.summary.actor_id != caller.actor {
        return Err(unknown().into());
    }
    let reader = Caller { wish: Wish::Use(Right::Read), ..caller.clone() };
    let readable: HashSet<SpaceId> =
        crate::spaces::readable(c, &reader, None)?.into_iter().map(|space| space.id).collect();
    let searched = kept.recall.iter().flat_map(|recall| &recall.spaces).chain([&kept.summary.space_id]);
    let known = searched.into_iter().all(|space| readable.contains(space));
    if known { Ok(kept) } else { Err(unknown().into()) }
}

/// Finds a trace, also one that is not written yet.
pub(super) fn found(engine: &Engine, caller: &Caller, id: &TraceId) -> Outcome<Kept> {
    settle(engine)?;
    let now = engine.now();
    engine.read(|c| find(c, caller, id, now))
}

/// Shows how an answer came about.
pub(crate) fn trace_get(engine: &Engine, caller: &Caller, request: TraceGet) -> Outcome<AnswerTrace> {
    let Kept { summary, recall, context, answer, correction, .. } = found(engine, caller, &request.id)?;
    let passages = recall.iter().flat_map(|recall| recall.given.iter().chain(&recall.rejected));
    let connected = recall.iter().flat_map(|recall| &recall.associated).map(|one| &one.memory);
    let memories: Vec<&MemoryId> = passages.map(|traced| &traced.memory).chain(connected).collect();
    let memories = engine.read(|c| named(c, memories.into_iter()))?;
    Ok(AnswerTrace { summary, recall, memories, context, answer, correction })
}

/// The titles or first words of those memories that are still there.
pub(crate) fn named<'a>(
    c: &Connection,
    ids: impl Iterator<Item = &'a MemoryId>,
) -> Result<BTreeMap<MemoryId, String>, Fault> {
    let ids: HashSet<&MemoryId> = ids.collect();
    let name = |called| match called {
        Called::Title(title) => title,
        Called::Words(words) => first_words(&words),
    };
    let called = memories::called(c, &ids.into_iter().collect::<Vec<_>>())?;
    Ok(called.into_iter().map(|(id, called)| (id, name(called))).collect())
}

/// Computes a trace again from its signals, and asks again now, where that can be asked.
pub(crate) fn trace_replay(engine: &Engine, caller: &Caller, request: TraceReplay) -> Outcome<TraceReplayed> {
    let kept = found(engine, caller, &request.id)?;
    let recall = kept.recall.ok_or_else(|| invalid("What this trace told was forgotten."))?;
    // Whoever asks again what an agent asked reads more than it did: what lies there is no change since.
    let only = (kept.summary.actor_id != caller.actor).then(|| recall.spaces.clone());
    let abstained_then = recall.reason.is_some() || recall.failed.is_some();
    let differs = replay::differs(&recall);
    let kept = TraceReplayed {
        replayed: replay::order(&recall),
        exact: differs.is_empty(),
        differs,
        as_told: replay::as_told(&recall),
        other_ranking: (recall.ranking != score::VERSION).then(|| score::VERSION.to_owned()),
        other_reranker: None,
        failed: None,
        now: Vec::new(),
        changes: Vec::new(),
        abstained_then,
        abstains_now: abstained_then,
    };
    if recall.wordless {
        let error =
            invalid("Nothing that fits was found for this question, or for a word of it, so its words are not kept.");
        return Ok(TraceReplayed { failed: Some(error.hint("Ask it anew.")), ..kept });
    }
    let asked = super::read(asked_again(&recall), engine.now());
    let asking = Caller { spaces: only.or_else(|| caller.spaces.clone()), ..caller.clone() };
    match asked.and_then(|asked| super::run::run(engine, &asking, asked, None)) {
        Ok((now, told)) => Ok(TraceReplayed {
            other_reranker: replay::other_reranker(&recall, &told),
            changes: changes(&recall.given, &now.hits),
            now: now.hits,
            abstains_now: now.abstained,
            ..kept
        }),
        // What the trace holds is told all the same where the question, or where it was asked, is at fault.
        Err(error) if is_of_the_question(error.code) => Ok(TraceReplayed { failed: Some(error), ..kept }),
        Err(error) => Err(error),
    }
}

fn is_of_the_question(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::InvalidRequest | ErrorCode::NotFound | ErrorCode::Forbidden)
}

/// What a trace asked, in the space that was meant then: that may be called otherwise by now. What a space includes comes after it.
fn asked_again(recall: &RecallTrace) -> MemoryRecall {
    let base = recall.asked.space.as_ref().and(recall.spaces.first());
    let space = base.map(ToString::to_string).or_else(|| recall.asked.space.clone());
    MemoryRecall { space, ..recall.asked.clone() }
}

/// What stands elsewhere than it stood, each memory by the first of its passages.
fn changes(then: &[Traced], now: &[Hit]) -> Vec<RankChange> {
    let stood = places(then.iter().map(|one| &one.memory));
    let stands = places(now.iter().map(|hit| &hit.ids.memory));
    let mut told = HashSet::new();
    let all = now.iter().map(|hit| &hit.ids.memory).chain(then.iter().map(|one| &one.memory));
    all.filter(|memory| told.insert(*memory))
        .map(|memory| RankChange {
            memory: memory.clone(),
            then: stood.get(memory).copied(),
            now: stands.get(memory).copied(),
        })
        .filter(|change| change.then != change.now)
        .collect()
}

/// In which place, from 1, each memory stands first.
fn places<'a>(memories: impl Iterator<Item = &'a MemoryId>) -> HashMap<&'a MemoryId, u32> {
    let mut places = HashMap::new();
    for (at, memory) in memories.enumerate() {
        places.entry(memory).or_insert(at as u32 + 1);
    }
    places
}
