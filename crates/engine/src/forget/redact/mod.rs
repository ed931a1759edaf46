//! Blacking out what a person accepted in a file or memory: the words in every text, the pixels and the sound in a new
//! rendition. The original's bytes are destroyed, and what rested on the words goes with them.

mod gather;
mod rendition;

pub(super) use self::gather::Work;
use self::rendition::Rendition;
use super::proof::Probes;
use super::run;
use super::{may_forget, tombstones};
use crate::engine::lock;
use crate::error::{Fault, Outcome};
use crate::work::{self, Underway};
use crate::{Caller, Engine};
use std::time::Instant;
use um_model::capture::Artifact;
use um_model::forget::{ForgetProof, RedactionApplied, RedactionApply};
use um_model::health::Event;
use um_model::{ApiError, ArtifactId, ErrorCode, JobId, SpaceId};
use um_store::artifacts;
use um_store::forget::{self, Eraser, Rows, Status};
use um_store::units::Source;
use um_store::{Transaction, jobs, redact};

/// Applies what was accepted.
pub(crate) fn redaction_apply(engine: &Engine, caller: &Caller, request: RedactionApply) -> Outcome<RedactionApplied> {
    may_forget(caller)?;
    let begun = Instant::now();
    let work = engine.read(|c| gather::gather(c, caller, &request))?;
    if work.accepted.findings.is_empty() {
        return Err(ApiError::new(ErrorCode::Conflict, "Nothing in it was accepted to be blacked out.")
            .hint("Accept findings in Review, or mark words there, then apply them."));
    }
    let mut call = Underway::begin::<RedactionApply>(engine, caller, Some(&work.memory.space_id))?;
    call.moved(0, Some(2), "blacking out");
    let rendition = work.artifact.as_ref().map(|file| rendition::make(engine, file, &work)).transpose()?;
    let kept_as = rendition.as_ref().map(|rendition| rendition.kept_as.to_owned());
    let done = apply(engine, caller, &work, rendition)?;
    for job in &done.jobs {
        if let Some(cancel) = lock(&engine.core().running).get(job) {
            cancel.cancel();
        }
    }
    crate::belief::settle_marked(engine)?;
    call.moved(1, Some(2), "clearing the data folder");
    let space = std::slice::from_ref(&work.memory.space_id);
    let proof = run::clear(engine, space, Probes::of_values(&work.said), begun)?;
    run::end(engine, caller, &done.forgetting, Status::Done, proof.clone())?;
    for event in [Event::Library, Event::Beliefs, Event::Jobs] {
        engine.tell(event);
    }
    let findings = work.accepted.findings.len() as u64;
    Ok(RedactionApplied { findings, artifact_id: done.artifact, kept_as, facts: done.facts, proof })
}

/// What was done within the database.
struct Applied {
    forgetting: String,
    artifact: Option<ArtifactId>,
    facts: u64,
    jobs: Vec<JobId>,
}

/// All of it in one transaction: a death of the process leaves the old or the new, and what is left to be cleared away is
/// cleared away at the next start.
fn apply(engine: &Engine, caller: &Caller, work: &Work, rendition: Option<Rendition>) -> Outcome<Applied> {
    let rendition = rendition.map(|rendition| rendition.placed(engine, &work.memory.space_id)).transpose()?;
    let (caller, work, key, now) = (caller.clone(), work.clone(), engine.key().clone(), engine.now());
    run::durably(engine, move |tx| {
        gather::still_so(tx, &work)?;
        let (space, global) = (&work.memory.space_id, SpaceId::global());
        let forgetting = forget::begin(tx, &caller.actor, "redaction", &Rows::default(), now)?;
        let (selector, actor) = ("redaction", &caller.actor);
        let by = tombstones::Rejects { key: &key, space: &global, selector, forgetting: &forgetting, actor, now };
        tombstones::reject_redacted(tx, &work, &by)?;
        let mut gone = mask(tx, &work, now)?;
        let mut affected = run::lose_names(tx, &mut gone, &work.values, now)?;
        affected.extend(forget::affected_claims(tx, &gone)?);
        let counts = forget::erase(tx, &gone, &Eraser { actor, key: &key, now })?;
        forget::count(tx, &forgetting, &counts)?;
        crate::belief::settle_later(tx, affected, actor, now)?;
        let artifact = match (&work.artifact, rendition) {
            (Some(file), Some(rendition)) => Some(replace(tx, &caller, &work, file, rendition, now)?),
            _ => None,
        };
        if let Some(file) = &work.artifact {
            let mut original = Rows::default();
            original.add("artifacts", file.id.as_str());
            forget::erase(tx, &original, &Eraser { actor, key: &key, now })?;
        }
        redact::set_applied(tx, &work.accepted.findings, now)?;
        work::queue_embedding(tx, &work.memory.id, space, jobs::PRIORITY_PERSON, now)?;
        work::queue_extraction(tx, &work.memory.id, space, jobs::PRIORITY_PERSON, now)?;
        let payload = serde_json::json!({ "findings": work.accepted.findings.len() });
        let object = ("memories", work.memory.id.as_str());
        Engine::audit(tx, &caller, "redaction.applied", object, space, payload, now)?;
        forget::finish(tx, &forgetting, Status::Erased, &ForgetProof::default(), now)?;
        let facts = counts.get("claims").copied().unwrap_or_default();
        let jobs = gone.of("jobs").filter_map(|id| JobId::parse(id).ok()).collect();
        Ok(Applied { forgetting, artifact, facts, jobs })
    })
}

/// Blacks the words out of every text. Gives what rested on them, and goes.
fn mask(tx: &Transaction<'_>, work: &Work, now: i64) -> Result<Rows, Fault> {
    let (memory, space) = (&work.memory.id, &work.memory.space_id);
    let mut gone = redact::made_of(tx, &work.values)?;
    let stated = if work.accepted.words.is_empty() { Vec::new() } else { redact::stated_in(tx, memory)? };
    let own = (!work.accepted.words.is_empty()).then_some((Source::Memory(memory), &work.accepted.words));
    let views = work.views.iter().map(|(view, spans)| (Source::View(view), spans));
    for (source, spans) in own.into_iter().chain(views) {
        gone.extend(redact::resting_on(tx, memory, source, spans)?);
        redact::black_out(tx, space, source, spans, &work.values, now)?;
    }
    if let Some(file) = &work.artifact {
        gone.extend(redact::other_readings(tx, &file.id)?);
    }
    // The memory keeps what is left of its words; what says them as an event does not.
    let mut gone = forget::closure(tx, &gone)?;
    for event in stated {
        gone.add("evidence_events", event);
    }
    Ok(gone)
}

/// Puts the rendition in the file's place.
fn replace(
    tx: &Transaction<'_>,
    caller: &Caller,
    work: &Work,
    file: &Artifact,
    rendition: rendition::Placed,
    now: i64,
) -> Result<ArtifactId, Fault> {
    let new = rendition.of(file, work, &caller.actor);
    let id = artifacts::insert_rendition(tx, &new, &file.id, now)?;
    let title = work.title.as_deref();
    redact::replace_file(tx, &work.memory.id, (&file.id, &id), rendition.memory_modality, title)?;
    Ok(id)
}
