//! Embedding: memories whose passages have no vector yet, in batches, each batch kept at once.

use super::workers::{Step, claim, finish, give_back, outcome_of};
use crate::Engine;
use crate::error::{Outcome, from_provider};
use crate::provider::{Cancel, ProviderError};
use crate::reading::Stopped;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use um_model::{ApiError, ErrorCode, JobKind, JobStatus};
use um_store::jobs::{self, Claimed, Subject};
use um_store::{units, vectors};

/// So many memories are claimed at once.
const CLAIM: usize = 64;
/// So many passages are embedded and kept at once.
const BATCH: usize = 32;

pub(super) fn embed_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    let claimed = claim(engine, JobKind::Embed, worker, CLAIM);
    if claimed.is_empty() {
        return Step::Idle;
    }
    if stopping.load(Ordering::SeqCst) {
        // The stop came between the claim and its entry among the running jobs: they were not told.
        claimed.iter().for_each(|(_, cancel)| cancel.cancel());
    }
    let together = embed_guarded(engine, &claimed);
    for job in &claimed {
        let ended = match &together {
            // One bad passage must not fail its neighbours: each is tried alone.
            Err(Stopped::Retries(_)) if claimed.len() > 1 => embed_guarded(engine, std::slice::from_ref(job)),
            Err(Stopped::Waits(status, error)) => Err(Stopped::Waits(*status, error.clone())),
            Err(Stopped::Retries(error)) => Err(Stopped::Retries(error.clone())),
            Err(_) | Ok(()) => Ok(()),
        };
        let (job, cancel) = job;
        match ended {
            Ok(()) if stopping.load(Ordering::Relaxed) => give_back(engine, worker, job),
            Ok(()) if cancel.is_cancelled() => finish(engine, worker, job, jobs::Outcome::Cancelled),
            Ok(()) => {
                finish(engine, worker, job, jobs::Outcome::Completed);
                look_for_duplicates(engine, job);
            }
            Err(ended) => finish(engine, worker, job, outcome_of(ended, job)),
        }
    }
    Step::Worked
}

/// Now that the memory has its vector, it can be compared with others.
fn look_for_duplicates(engine: &Engine, job: &Claimed) {
    if let Subject::Memory(memory) = &job.subject
        && let Err(error) = crate::ingest::queue_if_alike(engine, memory)
    {
        tracing::error!(code = %error.code, "a memory could not be compared with others");
    }
}

/// Embeds, and turns a panic of a model's library into a failure of these jobs only.
fn embed_guarded(engine: &Engine, claimed: &[(Claimed, Cancel)]) -> Result<(), Stopped> {
    match catch_unwind(AssertUnwindSafe(|| embed_all(engine, claimed))) {
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

fn embed_all(engine: &Engine, claimed: &[(Claimed, Cancel)]) -> Outcome<()> {
    let model = check_model(engine)?;
    let mut passages = Vec::new();
    for (job, cancel) in claimed {
        if let Subject::Memory(memory) = &job.subject {
            let rids = engine.read(|c| Ok(units::unembedded(c, memory, &model)?))?;
            passages.extend(rids.into_iter().map(|rid| (rid, cancel)));
        }
    }
    embed_passages(engine, &passages, &model, |_| {})
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
