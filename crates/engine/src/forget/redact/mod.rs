//! Blacking out what a person accepted in a file or memory: the words in every text, the pixels and the sound in a new
//! rendition. The original's bytes are destroyed, and what rested on the words goes with them.

mod copies;
mod gather;
mod rendition;

pub(super) use self::gather::{Work, is_long};
use self::rendition::Rendition;
use super::clear::{self, Clearing};
use super::proof::{self, Probes};
use super::run;
use super::tombstones;
use crate::engine::lock;
use crate::error::{Fault, Outcome};
use crate::ingest::blobs;
use crate::work::{self, Underway};
use crate::{Caller, Engine};
use std::path::PathBuf;
use std::time::Instant;
use um_model::capture::Artifact;
use um_model::forget::{RedactionApplied, RedactionApply};
use um_model::{ApiError, ArtifactId, ErrorCode, JobId, SpaceId};
use um_store::artifacts;
use um_store::forget::{self, Eraser, Rows, Status, Telling};
use um_store::rejected::Checked;
use um_store::units::Source;
use um_store::{Transaction, jobs, redact};

/// Applies what was accepted, and the same to the copies that promotion made. The copies go first: only then is nothing left
/// that says it when the proof is made.
pub(crate) fn redaction_apply(engine: &Engine, caller: &Caller, request: RedactionApply) -> Outcome<RedactionApplied> {
    let work = engine.read(|c| gather::gather(c, caller, &request))?;
    if work.accepted.findings.is_empty() {
        return Err(ApiError::new(ErrorCode::Conflict, "Nothing in it was accepted to be blacked out.")
            .hint("Accept findings in Review, or mark words there, then apply them."));
    }
    let mut copies = 0;
    for (memory, is_marked) in copies::mark(engine, caller, &work)? {
        let copy =
            engine.read(|c| gather::gather(c, caller, &RedactionApply { memory: Some(memory), artifact: None }))?;
        // What was applied to it before is not marked anew, and its file stays where nothing in it changes.
        let changes = is_marked && !copy.accepted.findings.is_empty();
        let done = apply_one(engine, caller, copy.beside_source(&work, changes))?;
        copies += u64::from(changes || done.facts > 0);
    }
    Ok(RedactionApplied { copies, ..apply_one(engine, caller, work)? })
}

fn apply_one(engine: &Engine, caller: &Caller, work: Work) -> Outcome<RedactionApplied> {
    let begun = Instant::now();
    let mut call = Underway::begin::<RedactionApply>(engine, caller, Some(&work.memory.space_id))?;
    call.moved(0, Some(3), "making the copy that is left");
    let rendition = work.artifact.as_ref().map(|file| rendition::make(engine, file, &work)).transpose()?;
    let kept_as = rendition.as_ref().map(|rendition| rendition.kept_as.to_owned());
    call.moved(1, Some(3), "taking the words out of every text");
    let done = apply(engine, caller, &work, rendition)?;
    let findings = work.accepted.findings.len() as u64;
    done.blobs.iter().try_for_each(|blob| blobs::destroy(engine.data_dir(), blob))?;
    for job in &done.jobs {
        if let Some(cancel) = lock(&engine.core().running).get(job) {
            cancel.cancel();
        }
    }
    crate::belief::settle_marked(engine)?;
    call.moved(2, Some(3), "looking through every copy in the data folder");
    let mut own = work.rows;
    if let Some(kept) = &done.artifact {
        own.add("artifacts", kept.as_str());
    }
    let clearing = Clearing {
        id: Some(done.forgetting),
        caller: caller.clone(),
        spaces: vec![work.memory.space_id],
        probes: Some(Probes::of_values(&work.said, own)),
        status: Status::Done,
        begun,
        tried_at: 0,
    };
    let proof = clear::finish(engine, clearing)?;
    super::tell(engine);
    Ok(RedactionApplied {
        findings,
        artifact_id: done.artifact,
        kept_as,
        facts: done.facts,
        copies: 0,
        proof: proof::told(caller, proof),
    })
}

/// What was done within the database.
struct Applied {
    forgetting: String,
    artifact: Option<ArtifactId>,
    facts: u64,
    jobs: Vec<JobId>,
    /// Large files that no row names any more.
    blobs: Vec<String>,
}

/// All of it in one transaction: a death of the process leaves the old or the new, and what is left to be cleared away is
/// cleared away at the next start.
fn apply(engine: &Engine, caller: &Caller, work: &Work, rendition: Option<Rendition>) -> Outcome<Applied> {
    let rendition = rendition.map(|rendition| rendition.placed(engine, &work.memory.space_id)).transpose()?;
    // What the person blacked out comes in nowhere again; what an agent did says nothing about other spaces.
    let refused_in = if caller.is_agent() { work.memory.space_id.clone() } else { SpaceId::global() };
    let refused = engine.read(|c| tombstones::of_redacted(c, engine.key(), work, &refused_in))?;
    let telling = engine.read(|c| Ok(Telling::new(c, &work.rows, &work.values)?))?;
    let (caller, work, key, now) = (caller.clone(), work.clone(), engine.key().clone(), engine.now());
    engine.write_durably(move |tx| {
        gather::still_so(tx, &work)?;
        let space = &work.memory.space_id;
        let forgetting = forget::begin(tx, &caller.actor, "redaction", &Rows::default(), now)?;
        let actor = &caller.actor;
        let by = tombstones::Rejects { space: &refused_in, forgetting: &forgetting, actor, now };
        tombstones::reject(tx, &refused, &by)?;
        let (mut gone, paths) = mask(tx, &work, now)?;
        tombstones::reject(tx, &tombstones::of_paths(&key, &paths), &by)?;
        let mut affected = run::lose_names(tx, &mut gone, (&work.values, &telling), now)?;
        affected.extend(forget::affected_claims(tx, &gone)?);
        let mut blobs = run::blob_files(tx, &gone)?;
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
            blobs.extend(run::blob_files(tx, &original)?);
            forget::erase(tx, &original, &Eraser { actor, key: &key, now })?;
        }
        redact::set_applied(tx, &work.accepted.findings, now)?;
        work::queue_embedding(tx, &work.memory.id, space, jobs::PRIORITY_PERSON, now)?;
        work::queue_extraction(tx, &work.memory.id, space, jobs::PRIORITY_PERSON, now)?;
        let payload = serde_json::json!({ "findings": work.accepted.findings.len() });
        let object = ("memories", work.memory.id.as_str());
        Engine::audit(tx, &caller, "redaction.applied", object, space, payload, now)?;
        forget::finish(tx, &forgetting, Status::Erased, &clear::waits(), now)?;
        let facts = counts.get("claims").copied().unwrap_or_default();
        let jobs = gone.of("jobs").filter_map(|id| JobId::parse(id).ok()).collect();
        Ok(Applied { forgetting, artifact, facts, jobs, blobs })
    })
}

/// Blacks the words out of every text, and out of what the memory and its file are called by. Gives what rested on them, and
/// goes, with the paths that said them.
fn mask(tx: &Transaction<'_>, work: &Work, now: i64) -> Result<(Rows, Vec<PathBuf>), Fault> {
    let (memory, space) = (&work.memory.id, &work.memory.space_id);
    let of = (memory, work.artifact.as_ref().map(|file| &file.id));
    let mut gone = work.made.clone();
    gone.extend(redact::made_since(tx, &work.values, work.until)?);
    gone.extend(redact::claimed(tx, of, &work.own)?);
    let paths = redact::black_out_short(tx, space, of, &work.own)?;
    let words = work.accepted.words();
    let stated = if words.is_empty() { Vec::new() } else { redact::stated_in(tx, memory)? };
    let own = (!words.is_empty()).then_some((Source::Memory(memory), &words));
    let views = work.views.iter().map(|(view, spans)| (Source::View(view), spans));
    for (source, spans) in own.into_iter().chain(views) {
        gone.extend(redact::resting_on(tx, memory, source, spans)?);
        redact::black_out(tx, space, source, spans, now)?;
    }
    if let Some(file) = &work.artifact {
        gone.extend(redact::other_readings(tx, &file.id)?);
    }
    // The memory keeps what is left of its words; what says them as an event does not.
    let mut gone = forget::closure(tx, &gone)?;
    for event in stated {
        gone.add("evidence_events", event);
    }
    Ok((gone, paths))
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
    let new = Checked::held(rendition.of(file, work, &caller.actor));
    let id = artifacts::insert_rendition(tx, &new, &file.id, now)?;
    redact::replace_file(tx, &work.memory.id, (&file.id, &id), rendition.memory_modality)?;
    Ok(id)
}
