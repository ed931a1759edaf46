//! Embedding: memories whose passages have no vector yet, batch by batch. Each batch is kept at once, and each is a
//! turn: a text of thousands of passages keeps nothing waiting behind it.

use super::workers::{End, Step, claim, end_all, outcome_of};
use crate::Engine;
use crate::error::{Fault, Outcome, from_provider};
use crate::provider::{Cancel, ProviderError};
use crate::reading::Stopped;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use um_model::{ApiError, EpochMs, ErrorCode, JobKind, JobStatus};
use um_store::jobs::{self, Claimed, Subject};
use um_store::units::{self, Unembedded};
use um_store::{Transaction, vectors};

/// So many passages are embedded and kept at once. A turn is one such batch: what it embedded is never embedded
/// again, and after it whoever came meanwhile has a turn too.
const BATCH: usize = 32;

/// How far a memory is: so many of its passages have a vector now, of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reached {
    done: usize,
    total: usize,
}

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
    let together = embed_guarded(engine, &claimed);
    let reached: Vec<Result<Reached, Stopped>> = (0..claimed.len())
        .map(|at| match &together {
            // One bad passage must not fail its neighbours: each is tried alone.
            Err(Stopped::Retries(_)) if claimed.len() > 1 => {
                embed_guarded(engine, &claimed[at..=at]).map(|reached| reached[0])
            }
            Err(stopped) => Err(stopped.clone()),
            Ok(reached) => Ok(reached[at]),
        })
        .collect();
    let stopping = stopping.load(Ordering::Relaxed);
    let ended = claimed.into_iter().zip(reached).map(|((job, cancel), reached)| {
        let end = end_of(&job, &cancel, reached, stopping);
        (job, end)
    });
    end_all(engine, worker, ended.collect(), compare_later);
    let now = engine.now();
    if !engine.read(|c| Ok(jobs::any_pending(c, JobKind::Embed, now)?)).unwrap_or(true) {
        // Those that gave way go on.
        engine.wake();
    }
    Step::Worked
}

fn end_of(job: &Claimed, cancel: &Cancel, reached: Result<Reached, Stopped>, stopping: bool) -> End {
    match reached {
        Err(stopped) => End::Of(outcome_of(stopped, job)),
        Ok(_) if stopping => End::Back,
        Ok(_) if cancel.is_cancelled() => End::Of(jobs::Outcome::Cancelled),
        Ok(Reached { done, total }) if done < total => {
            let note = format!("embedded {} of {}", grouped(done), grouped(total));
            End::Turn(done as f64 / total as f64, note)
        }
        Ok(_) => End::Of(jobs::Outcome::Completed),
    }
}

/// Now that the memory has its vector, it can be compared with others.
fn compare_later(tx: &Transaction<'_>, job: &Claimed, now: EpochMs) -> Result<(), Fault> {
    match &job.subject {
        Subject::Memory(memory) => crate::ingest::queue_comparison(tx, memory, now),
        Subject::Artifact(_) => Ok(()),
    }
}

/// A number as people write it: `7,444`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

/// Embeds, and turns a panic of a model's library into a failure of these jobs only.
fn embed_guarded(engine: &Engine, claimed: &[(Claimed, Cancel)]) -> Result<Vec<Reached>, Stopped> {
    match catch_unwind(AssertUnwindSafe(|| embed_turn(engine, claimed))) {
        Ok(ended) => ended.map_err(|error| stopped(&error)),
        Err(_) => {
            Err(Stopped::Retries(ApiError::new(ErrorCode::Internal, "The model stopped with a fault of its own.")))
        }
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

/// Embeds a batch that every memory has its share of; tells how far each is then.
fn embed_turn(engine: &Engine, claimed: &[(Claimed, Cancel)]) -> Outcome<Vec<Reached>> {
    let model = check_model(engine)?;
    let waiting: Vec<Unembedded> = engine.read(|c| {
        let unembedded = |(job, cancel): &(Claimed, Cancel)| match &job.subject {
            Subject::Memory(memory) if !cancel.is_cancelled() => Ok(units::unembedded(c, memory, &model, BATCH)?),
            _ => Ok(Unembedded::default()),
        };
        claimed.iter().map(unembedded).collect::<Result<_, Fault>>()
    })?;
    let shares = shares(&waiting.iter().map(|unembedded| unembedded.rids.len()).collect::<Vec<_>>(), BATCH);
    let batch: Vec<i64> = waiting.iter().zip(&shares).flat_map(|(w, share)| &w.rids[..*share]).copied().collect();
    if !batch.is_empty() {
        embed_batch(engine, &batch, &model)?;
    }
    let reached = |(w, share): (&Unembedded, &usize)| Reached { done: w.total - w.left + share, total: w.total };
    Ok(waiting.iter().zip(&shares).map(reached).collect())
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

/// Embeds passages and keeps their vectors, [`BATCH`] at a time; `kept` hears after each batch how many are
/// done with. A passage that is no longer wanted when its batch comes is left out.
pub(crate) fn embed_passages(
    engine: &Engine,
    passages: &[(i64, &Cancel)],
    model: &str,
    mut kept: impl FnMut(usize),
) -> Outcome<()> {
    for (number, batch) in passages.chunks(BATCH).enumerate() {
        let wanted: Vec<i64> = batch.iter().filter(|(_, cancel)| !cancel.is_cancelled()).map(|(rid, _)| *rid).collect();
        if !wanted.is_empty() {
            embed_batch(engine, &wanted, model)?;
        }
        kept(number * BATCH + batch.len());
    }
    Ok(())
}

fn embed_batch(engine: &Engine, rids: &[i64], model: &str) -> Outcome<()> {
    let found = engine.read(|c| Ok(units::texts(c, rids)?))?;
    let texts: Vec<String> = found.iter().map(embedded_text).collect();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = engine.providers().embedding.embed(&borrowed).map_err(|e| from_provider(&e))?;
    if !vectors.iter().all(|vector| has_direction(vector)) {
        return Err(from_provider(&ProviderError::Failed("The model gave a vector without a direction".to_owned())));
    }
    let kept: Vec<(i64, Vec<f32>)> = found.iter().map(|unit| unit.rid).zip(vectors).collect();
    let (model, now) = (model.to_owned(), engine.now());
    engine.write(move |tx| {
        for (rid, vector) in &kept {
            vectors::insert_unit(tx, *rid, &model, vector, now)?;
        }
        Ok(())
    })
}

/// Cosine similarity means nothing for a vector of zeros, or of what is no number.
fn has_direction(vector: &[f32]) -> bool {
    vector.iter().all(|value| value.is_finite()) && vector.iter().any(|value| *value != 0.0)
}

/// What a passage says on its own says more under its headings.
fn embedded_text(unit: &units::UnitText) -> String {
    match &unit.heading_path {
        Some(path) => format!("{path}\n{}", unit.text),
        None => unit.text.clone(),
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
