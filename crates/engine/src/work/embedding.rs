//! Embedding: memories whose passages have no vector yet, batch by batch. Each batch is kept at once, and each is a
//! turn: a text of thousands of passages keeps nothing waiting behind it.

use super::queue::queue_several;
use super::several;
use super::workers::{Done, End, Step, claim, end_all, end_or_tell, guarded, outcome_of};
use crate::Engine;
use crate::error::{Fault, Outcome, from_provider};
use crate::provider::{Cancel, ProviderError};
use crate::reading::Stopped;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use um_model::numbers::grouped;
use um_model::{ApiError, EpochMs, ErrorCode, JobKind, JobStatus, MemoryId, SpaceId};
use um_store::jobs::{self, Claimed, Passage, Subject, Turn};
use um_store::units::{self, NewUnit, Unembedded, UnitText};
use um_store::{Connection, Transaction, vectors};

/// So many passages are embedded and kept at once. A turn is one such batch: what it embedded is never embedded
/// again, and after it whoever came meanwhile has a turn too.
const BATCH: usize = 32;

/// Embeds one batch, fairly taken from the memories whose turn it is.
pub(super) fn embed_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    let claimed = claim(engine, JobKind::Embed, worker, BATCH);
    if claimed.is_empty() {
        return Step::Idle;
    }
    if stopping.load(Ordering::SeqCst) {
        // The stop came between the claim and its entry among the running jobs: they were not told.
        claimed.iter().for_each(|(_, cancel)| cancel.cancel());
    }
    match turn(engine, worker, &claimed, stopping) {
        Ok(()) => {}
        // One bad passage must not fail its neighbours: each is tried alone.
        Err(Stopped::Retries(_)) if claimed.len() > 1 => claimed.chunks(1).for_each(|one| {
            if let Err(stopped) = turn(engine, worker, one, stopping) {
                end_stopped(engine, worker, one, &stopped);
            }
        }),
        Err(stopped) => end_stopped(engine, worker, &claimed, &stopped),
    }
    let now = engine.now();
    if !engine.read(|c| Ok(jobs::any_pending(c, JobKind::Embed, now)?)).unwrap_or(true) {
        // Those that gave way go on.
        engine.wake_for(&[JobKind::Extract, JobKind::Detect]);
    }
    Step::Worked
}

/// Embeds what has its turn, and keeps the vectors together with the ends of the jobs: none has ended where that fails.
fn turn(
    engine: &Engine,
    worker: &str,
    claimed: &[(Claimed, Cancel)],
    stopping: &Arc<AtomicBool>,
) -> Result<(), Stopped> {
    let (embedded, done) = guarded(|| embed(engine, claimed))?;
    let stopping = stopping.load(Ordering::Relaxed);
    let end = |((job, cancel), done): (&(Claimed, Cancel), Done)| {
        let end = match done {
            _ if stopping => End::Back,
            _ if cancel.is_cancelled() => End::Of(jobs::Outcome::Cancelled),
            done => End::of(done),
        };
        (job.clone(), end)
    };
    let ended = claimed.iter().zip(done).map(end).collect();
    end_all(engine, worker, ended, move |tx, now| embedded.keep(tx, now), compare_later).map_err(Stopped::Retries)
}

/// Ends jobs that could not be done.
fn end_stopped(engine: &Engine, worker: &str, claimed: &[(Claimed, Cancel)], stopped: &Stopped) {
    let end = |(job, _): &(Claimed, Cancel)| (job.clone(), End::Of(outcome_of(stopped.clone(), job)));
    end_or_tell(engine, worker, claimed.iter().map(end).collect(), |_, _, _| Ok(()));
}

/// Now that the memory has its vector, it can be compared with others.
fn compare_later(tx: &Transaction<'_>, job: &Claimed, now: EpochMs) -> Result<(), Fault> {
    match &job.subject {
        Subject::Memory(memory) => crate::ingest::queue_comparison(tx, memory, now),
        Subject::Memories(space, rids) => {
            queue_several(tx, JobKind::Dedupe, (space, rids), jobs::PRIORITY_SCAN, now).map(drop)
        }
        Subject::Artifact(_) => Ok(()),
    }
}

fn stopped(error: &ApiError) -> Stopped {
    match error.code {
        // Without its library a model is as good as missing: both are looked for again at the next start.
        ErrorCode::ModelMissing | ErrorCode::ModelMismatch | ErrorCode::ToolMissing => {
            Stopped::Waits(JobStatus::WaitingForModel, error.clone())
        }
        _ => Stopped::Retries(error.clone()),
    }
}

/// Embeds a batch of what the jobs are about; tells what each of them did.
fn embed(engine: &Engine, claimed: &[(Claimed, Cancel)]) -> Result<(Embedded, Vec<Done>), Stopped> {
    let model = check_model(engine).map_err(|error| stopped(&error))?;
    match claimed {
        [(job @ Claimed { subject: Subject::Memories(space, rids), .. }, _)] => {
            let (embedded, done) = embed_several(engine, job, model, (space, rids))?;
            Ok((embedded, vec![done]))
        }
        _ => embed_each(engine, claimed, model).map_err(|error| stopped(&error)),
    }
}

/// Embeds a batch of memories that came in together. Those that fail have a job of their own each from then on.
fn embed_several(
    engine: &Engine,
    job: &Claimed,
    model: String,
    (space, rids): (&SpaceId, &RangeInclusive<i64>),
) -> Result<(Embedded, Done), Stopped> {
    let left = job.at.unwrap_or(*rids.start())..=*rids.end();
    let from = job.passage.map_or(0, |passage| passage.rid);
    let next_from = |from| {
        let found = engine.read(|c| Ok(units::unembedded_among(c, space, (&left, from), &model, BATCH)?));
        found.map_err(|error| stopped(&error))
    };
    let mut waiting = next_from(from)?;
    if from > 0 && (waiting.len() < BATCH || waiting.last().is_none_or(|(_, memory)| memory != left.start())) {
        // Before it leaves a memory it looks at all of it again: some may have come before.
        waiting = next_from(0)?;
    }
    // The last one may have more passages than had room.
    let last = waiting.last().filter(|_| waiting.len() == BATCH);
    let mut next = last.map(|(_, memory)| *memory);
    let passage = last.map(|(unit, memory)| Passage { at: Some(*memory), rid: unit + 1, left: 0, total: 0 });
    let batch: Vec<i64> = waiting.iter().map(|(unit, _)| *unit).collect();
    let embedded = match guarded(|| embed_units(engine, &batch, &model).map_err(|error| stopped(&error))) {
        Err(Stopped::Retries(error)) => {
            tracing::warn!(code = %error.code, passages = batch.len(), "passages could not be embedded together");
            let mut memories: Vec<i64> = waiting.iter().map(|(_, memory)| *memory).collect();
            memories.dedup();
            several::alone(engine, (JobKind::Embed, space, job.priority), memories).map_err(Stopped::Retries)?;
            next = next.map(|memory| memory + 1);
            Embedded::default()
        }
        embedded => embedded?,
    };
    let done = match several::done(rids, next) {
        Done::Part(turn) => Done::Part(Turn { passage: passage.filter(|passage| passage.at == turn.at), ..turn }),
        Done::All => Done::All,
    };
    Ok((embedded, done))
}

/// The next passages of a memory from where its job is on; and, once none of them is left or more than were known, from the first on,
/// as some may have come before: `true` then. So what has its vector is gone through in its first turn and its last.
fn next_of(c: &Connection, job: &Claimed, memory: &MemoryId, model: &str) -> Result<(Unembedded, bool), Fault> {
    if let Some(Passage { rid, left, total, .. }) = job.passage {
        let rids = units::unembedded_from(c, memory, rid, model, BATCH)?;
        if (1..=left).contains(&rids.len()) {
            return Ok((Unembedded { rids, left, total }, false));
        }
    }
    Ok((units::unembedded(c, memory, model, BATCH)?, true))
}

/// Embeds a batch that every memory has its share of.
fn embed_each(engine: &Engine, claimed: &[(Claimed, Cancel)], model: String) -> Outcome<(Embedded, Vec<Done>)> {
    let waiting: Vec<(Unembedded, bool)> = engine.read(|c| {
        let unembedded = |(job, cancel): &(Claimed, Cancel)| match &job.subject {
            Subject::Memory(memory) if !cancel.is_cancelled() => next_of(c, job, memory, &model),
            _ => Ok((Unembedded::default(), true)),
        };
        claimed.iter().map(unembedded).collect::<Result<_, Fault>>()
    })?;
    let shares = shares(&waiting.iter().map(|(unembedded, _)| unembedded.rids.len()).collect::<Vec<_>>(), BATCH);
    let batch: Vec<i64> = waiting.iter().zip(&shares).flat_map(|((w, _), share)| &w.rids[..*share]).copied().collect();
    let embedded = embed_units(engine, &batch, &model)?;
    let done = |((w, is_all), share): (&(Unembedded, bool), &usize)| match (w.total - w.left + share, w.total) {
        (done, total) if done == total && *is_all => Done::All,
        (done, total) => {
            let note = format!("embedded {} of {}", grouped(done as u64), grouped(total as u64));
            let next = |rid: &i64| Passage { at: None, rid: rid + 1, left: w.left - share, total };
            let passage = w.rids[..*share].last().map(next);
            Done::Part(Turn { share: done as f64 / total as f64, note, at: None, passage, done: None })
        }
    };
    Ok((embedded, waiting.iter().zip(&shares).map(done).collect()))
}

/// Deals `room` places out, one after the other to whoever still wants one.
fn shares(wanted: &[usize], mut room: usize) -> Vec<usize> {
    let mut shares = vec![0; wanted.len()];
    while room > 0 && shares != wanted {
        for (share, wanted) in shares.iter_mut().zip(wanted) {
            if *share < *wanted && room > 0 {
                *share += 1;
                room -= 1;
            }
        }
    }
    shares
}

/// What became of passages that were to be embedded.
#[derive(Default)]
pub(crate) struct Passed {
    /// How many have their vector now.
    pub(crate) embedded: usize,
    /// Those that the model refuses (`text_units.rid`), each with what it says.
    pub(crate) refused: BTreeMap<i64, ApiError>,
}

impl Passed {
    /// How many are done with.
    pub(crate) fn done(&self) -> u64 {
        (self.embedded + self.refused.len()) as u64
    }
}

/// Embeds passages and keeps their vectors, [`BATCH`] at a time; `passed` hears after each batch what became of them by then. Once it
/// is cancelled, no further batch is begun.
///
/// # Errors
/// The model's, where it is not one passage that it refuses.
pub(crate) fn embed_passages(
    engine: &Engine,
    passages: &[i64],
    (model, cancel): (&str, &Cancel),
    mut passed: impl FnMut(&Passed),
) -> Outcome<Passed> {
    let mut all = Passed::default();
    for batch in passages.chunks(BATCH).take_while(|_| !cancel.is_cancelled()) {
        let (embedded, refused) = embed_willing(engine, batch, model)?;
        all.embedded += embedded.vectors.len();
        all.refused.extend(refused);
        let now = engine.now();
        engine.write(move |tx| embedded.keep(tx, now))?;
        passed(&all);
    }
    Ok(all)
}

/// What every model embeds.
const PLAIN: &str = "a word";

/// Embeds those of a batch that the model does not refuse, and gives those that it does. Where it refuses a batch each is tried alone;
/// and where it embeds nothing else either, it is at fault and not the passage.
fn embed_willing(engine: &Engine, rids: &[i64], model: &str) -> Outcome<(Embedded, Vec<(i64, ApiError)>)> {
    let texts = engine.read(|c| embedded_texts(c, rids))?;
    if let Ok(embedded) = attempt(engine, &texts, model) {
        return Ok((embedded, Vec::new()));
    }
    let mut willing = Embedded { model: model.to_owned(), vectors: Vec::new() };
    let mut refused = Vec::new();
    for text in texts.chunks(1) {
        match attempt(engine, text, model) {
            Ok(embedded) => willing.vectors.extend(embedded.vectors),
            Err(error) => {
                attempt(engine, &[(0, PLAIN.to_owned())], model)?;
                refused.extend(text.iter().map(|(rid, _)| (*rid, error.clone())));
            }
        }
    }
    Ok((willing, refused))
}

/// Embeds texts; where the model breaks at them, that is an error like others.
fn attempt(engine: &Engine, texts: &[(i64, String)], model: &str) -> Outcome<Embedded> {
    guarded(|| embed_texts(engine, texts, model).map_err(Stopped::Retries)).map_err(|stopped| match stopped {
        Stopped::Waits(_, error) | Stopped::Fails(error) | Stopped::Retries(error) => error,
        Stopped::Cancelled => ApiError::new(ErrorCode::Cancelled, "Embedding was stopped."),
    })
}

/// The vector of a text that is about to be kept.
pub(crate) struct Ahead {
    /// What made it.
    model: String,
    vector: Vec<f32>,
}

impl Ahead {
    /// That of a text of one passage, where the model can make it at once: what is kept together with its vector is found by what
    /// it means as soon as by its words. `None` where that would wait for anything, or needs another model than the one that the
    /// database is embedded with: a job does it then.
    pub(crate) fn of(engine: &Engine, model: &str, passages: &[NewUnit]) -> Option<Self> {
        let [passage] = passages else { return None };
        if engine.is_paused() || engine.providers().embedding.model_id() != model {
            return None;
        }
        let text = under_headings(passage.heading_path.as_deref(), &passage.text);
        // A text that the model breaks at is kept all the same; its job says so.
        let vector = guarded(|| Ok(engine.providers().embedding.embed_if_free(&text))).ok().flatten();
        let vector = vector.filter(|vector| has_direction(vector))?;
        Some(Self { model: model.to_owned(), vector })
    }

    /// Keeps it with the text's passage (`text_units.rid`).
    pub(crate) fn keep(&self, tx: &Transaction<'_>, passages: &[i64], now: EpochMs) -> Result<(), Fault> {
        for rid in passages {
            vectors::insert_unit(tx, *rid, &self.model, &self.vector, now)?;
        }
        Ok(())
    }
}

/// Vectors that are to be kept.
#[derive(Default)]
struct Embedded {
    /// What made them.
    model: String,
    /// Each with its passage (`text_units.rid`), and what was embedded of it.
    vectors: Vec<(i64, String, Vec<f32>)>,
}

impl Embedded {
    /// Keeps the vectors of passages that still say what was embedded: words may have been blacked out since, and whoever did that
    /// has the rest embedded anew.
    fn keep(&self, tx: &Transaction<'_>, now: EpochMs) -> Result<(), Fault> {
        let rids: Vec<i64> = self.vectors.iter().map(|(rid, ..)| *rid).collect();
        let said: HashMap<i64, String> = embedded_texts(tx, &rids)?.into_iter().collect();
        for (rid, _, vector) in self.vectors.iter().filter(|(rid, text, _)| said.get(rid) == Some(text)) {
            vectors::insert_unit(tx, *rid, &self.model, vector, now)?;
        }
        Ok(())
    }
}

fn embed_units(engine: &Engine, rids: &[i64], model: &str) -> Outcome<Embedded> {
    if rids.is_empty() {
        return Ok(Embedded::default());
    }
    let texts = engine.read(|c| embedded_texts(c, rids))?;
    embed_texts(engine, &texts, model)
}

/// Embeds what is embedded of passages, each with its rid.
fn embed_texts(engine: &Engine, texts: &[(i64, String)], model: &str) -> Outcome<Embedded> {
    let borrowed: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = engine.providers().embedding.embed(&borrowed).map_err(|e| from_provider(&e))?;
    if !vectors.iter().all(|vector| has_direction(vector)) {
        return Err(from_provider(&ProviderError::Failed("The model gave a vector without a direction".to_owned())));
    }
    let vectors = texts.iter().zip(vectors).map(|((rid, text), vector)| (*rid, text.clone(), vector)).collect();
    Ok(Embedded { model: model.to_owned(), vectors })
}

/// What is embedded of passages, each with its rid.
fn embedded_texts(c: &Connection, rids: &[i64]) -> Result<Vec<(i64, String)>, Fault> {
    let text = |unit: UnitText| (unit.rid, under_headings(unit.heading_path.as_deref(), &unit.text));
    Ok(units::texts(c, rids)?.into_iter().map(text).collect())
}

/// Cosine similarity means nothing for a vector of zeros, or of what is no number.
fn has_direction(vector: &[f32]) -> bool {
    vector.iter().all(|value| value.is_finite()) && vector.iter().any(|value| *value != 0.0)
}

/// What a passage says on its own says more under its headings.
fn under_headings(path: Option<&str>, text: &str) -> String {
    match path {
        Some(path) => format!("{path}\n{text}"),
        None => text.to_owned(),
    }
}

/// The model that the database is embedded with, where the provider has that one.
pub(crate) fn check_model(engine: &Engine) -> Outcome<String> {
    let wanted = engine.read(crate::settings::embedding_model)?;
    let have = engine.providers().embedding.model_id();
    if have == wanted {
        return Ok(wanted);
    }
    Err(ApiError::new(
        ErrorCode::ModelMismatch,
        format!("This database was embedded with {wanted}; the model in use is {have}."),
    )
    .hint("Run `umem reembed`, or choose the other model again."))
}

/// The model of the provider, where it is the one that is asked for.
pub(crate) fn check_model_provider(engine: &Engine, wanted: Option<&str>) -> Outcome<String> {
    let have = engine.providers().embedding.model_id();
    match wanted {
        Some(wanted) if wanted != have => {
            Err(ApiError::new(ErrorCode::ModelMissing, format!("The model in use is {have}, not {wanted}."))
                .hint("Install that model first; `umem models list` lists the catalogue."))
        }
        _ => Ok(have.to_owned()),
    }
}

/// The vector of a question, or why there is none: then only words are searched.
pub(crate) fn embed_query(engine: &Engine, query: &str) -> Result<Vec<f32>, ApiError> {
    check_model(engine)?;
    let mut vectors = engine.providers().embedding.embed(&[query]).map_err(|e| from_provider(&e))?;
    vectors
        .pop()
        .filter(|vector| has_direction(vector))
        .ok_or_else(|| from_provider(&ProviderError::Failed("The model gave no vector.".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_dealt_out_fairly() {
        #[track_caller]
        fn check(wanted: &[usize], expected: &[usize]) {
            assert_eq!(shares(wanted, 32), expected, "{wanted:?}");
        }
        check(&[], &[]);
        check(&[7], &[7]);
        check(&[7_444], &[32]);
        check(&[7_444, 1], &[31, 1]);
        check(&[0, 7_444, 7_444], &[0, 16, 16]);
        check(&[3, 100, 1, 100], &[3, 14, 1, 14]);
        check(&[1; 32], &[1; 32]);
        let mut many = [1; 32];
        many[0] = 100;
        check(&many, &[1; 32]);
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, words) in [(0, "0"), (32, "32"), (999, "999"), (7_444, "7,444"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(number), words);
        }
    }
}
