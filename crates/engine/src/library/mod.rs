//! What was captured: files and what was read from them, fetched, listed, removed, restored.

mod expiry;
mod media;
mod memory;
mod tier;

pub(crate) use expiry::{
    Expiries, check_expiry, expire_all_due, expire_due, expire_one, gone_by, is_due, is_in_use, memory_expire,
    out_if_due, set_expiry,
};
pub(crate) use media::media_read;
pub(crate) use memory::{memory_remove, memory_restore};
pub(crate) use tier::{memory_tier, warm_up};

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::capture::*;
use um_model::health::Event;
use um_model::jobs::Job;
use um_model::{
    ApiError, ArtifactId, ErrorCode, JobId, JobStatus, MemoryId, MemoryStatus, Modality, Utf16Span, ViewId,
};
use um_store::jobs::{self, Subject};
use um_store::{Connection, StoreError, artifacts, memories, spaces, units, views};

/// The most text that `view_read` gives at once, in code units.
const MAX_VIEW_TEXT: u32 = 200_000;
/// So many memories are told of at once.
const MOST_TOLD: usize = 200;

/// Fetches anything by its id.
pub(crate) fn memory_get(engine: &Engine, caller: &Caller, request: MemoryGet) -> Outcome<Got> {
    let id = request.id.trim().to_owned();
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        if um_model::MemoryId::parse(id.clone()).is_err() {
            // Only spaces have names; what is neither a name nor an id is no thing here.
            let space = crate::spaces::resolve(c, caller, &id).map_err(|_| not_found("thing with the id", &id))?;
            return Ok(Got::Space(space));
        }
        let told_elsewhere = "A claim is told by claim_explain, an entity by entity_get, a conflict by conflicts_list.";
        let parsed = || not_found("thing with the id", &id).hint(told_elsewhere);
        // Where it is is looked up before what it says: what lies in a closed space is not read.
        crate::spaces::open(c, caller, spaces::of_thing(c, &id)?, parsed)?;
        match thing(c, &id)? {
            // What the person removed is theirs to look at and to restore.
            Some(Got::Memory(memory)) if caller.is_agent() && memory.status == MemoryStatus::Deleted => {
                Err(parsed().into())
            }
            Some(got) => Ok(got),
            None => Err(parsed().into()),
        }
    })
}

/// Tells of several memories whether they are in use.
pub(crate) fn memories_status(engine: &Engine, caller: &Caller, request: MemoriesStatus) -> Outcome<MemoriesTold> {
    if request.ids.len() > MOST_TOLD {
        return Err(invalid(format!("At most {MOST_TOLD} memories are told of at once.")));
    }
    engine.read(|c| {
        let spaces: Vec<_> = crate::spaces::readable(c, caller, None)?.into_iter().map(|space| space.id).collect();
        Ok(MemoriesTold { memories: memories::told(c, &spaces, &request.ids)? })
    })
}

/// Whatever has that id, in whatever space.
pub(crate) fn thing(c: &Connection, id: &str) -> Result<Option<Got>, Fault> {
    if let Some(memory) = memories::by_id(c, &MemoryId::parse(id).map_err(StoreError::from)?)? {
        return Ok(Some(Got::Memory(memory)));
    }
    let artifact = ArtifactId::parse(id).map_err(StoreError::from)?;
    if artifacts::by_id(c, &artifact)?.is_some() {
        return Ok(Some(Got::Artifact(Box::new(detail(c, &artifact)?))));
    }
    let view = ViewId::parse(id).map_err(StoreError::from)?;
    if views::by_id(c, &view)?.is_some() {
        return Ok(Some(Got::View(view_text(c, &view, None)?)));
    }
    if let Some(unit) = units::by_id(c, id)? {
        return Ok(Some(Got::Unit(unit)));
    }
    if let Some(space) = spaces::by_id(c, id)? {
        return Ok(Some(Got::Space(space)));
    }
    Ok(jobs::by_id(c, &JobId::parse(id).map_err(StoreError::from)?)?.map(Got::Job))
}

/// Lists files.
pub(crate) fn artifacts_list(engine: &Engine, caller: &Caller, request: ArtifactsList) -> Outcome<ArtifactsListed> {
    let limit = request.limit.unwrap_or(100).min(1000);
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let spaces: Vec<_> = spaces.into_iter().map(|space| space.id).collect();
        let (found, total) = artifacts::list(c, &request, &spaces, limit)?;
        Ok(ArtifactsListed { artifacts: summaries(c, found)?, total })
    })
}

fn summaries(c: &Connection, found: Vec<Artifact>) -> Result<Vec<ArtifactSummary>, Fault> {
    let ids: Vec<_> = found.iter().map(|a| a.id.clone()).collect();
    let mut reading = jobs::reading(c, &ids)?;
    let mut embedding = jobs::embedding(c, &ids)?;
    let mut memories = artifacts::memories_of(c, &ids)?;
    Ok(found
        .into_iter()
        .map(|artifact| {
            let reading = reading.remove(&artifact.id);
            let memory = memories.remove(&artifact.id);
            let has_text = memory.as_ref().is_some_and(|memory| memory.has_text);
            let is_damaged = memory.as_ref().is_some_and(|memory| memory.is_damaged);
            ArtifactSummary {
                memory_status: memory.as_ref().map(|memory| memory.status),
                memory_id: memory.map(|memory| memory.id),
                has_text,
                note: note(&artifact, reading.as_ref())
                    .filter(|_| reading.is_some() || !has_text)
                    .or_else(|| is_damaged.then(|| PARTLY_READ.to_owned())),
                reading,
                embedding: embedding.remove(&artifact.id),
                artifact,
            }
        })
        .collect())
}

/// A plain sentence on a file that gives no text.
fn note(artifact: &Artifact, reading: Option<&Job>) -> Option<String> {
    match reading {
        None if artifact.byte_size == 0 => Some("The file is empty.".to_owned()),
        None if artifact.modality == Modality::Image => {
            Some("No reader for this kind of picture. It is kept as it came.".to_owned())
        }
        None => Some("No reader for this type. It is kept as it came.".to_owned()),
        Some(job) if job.status == JobStatus::Cancelled && !artifact.redacted => {
            Some("Its reading was cancelled.".to_owned())
        }
        Some(job) => {
            let told = job.error.as_ref().map(|error| error.message.clone());
            told.or_else(|| artifact.redacted.then(|| FORGOTTEN.to_owned()))
        }
    }
}

/// What is told of a mail of which something could not be decoded.
const PARTLY_READ: &str = "Parts of it could not be read.";

/// What is told of a file that says what was forgotten, or was forgotten itself.
const FORGOTTEN: &str = "What it says was forgotten, so it is not kept.";

/// Why only the name of a file is found, in a sentence that says nothing of what the file is.
pub(crate) fn why_wordless(c: &Connection, id: &ArtifactId) -> Result<Option<&'static str>, Fault> {
    let Some(file) = artifacts::by_id(c, id)? else { return Ok(None) };
    if file.byte_size == 0 {
        return Ok(Some("The file is empty."));
    }
    let reading = jobs::reading(c, std::slice::from_ref(id))?.remove(id);
    Ok(Some(match reading.map(|job| job.status) {
        None => "There is no reader for this type of file.",
        Some(JobStatus::Completed) => "There are no words in it.",
        Some(JobStatus::Pending | JobStatus::Processing) => "It is not read yet.",
        Some(JobStatus::WaitingForModel | JobStatus::WaitingForPassword) => "It waits for what it takes to read it.",
        Some(JobStatus::Failed | JobStatus::Poison | JobStatus::Cancelled) => "It was not read.",
    }))
}

/// Tells all about a file.
pub(crate) fn artifact_get(engine: &Engine, caller: &Caller, request: ArtifactGet) -> Outcome<ArtifactDetail> {
    engine.read(|c| {
        existing(c, caller, &request.id)?;
        detail(c, &request.id)
    })
}

fn detail(c: &Connection, id: &ArtifactId) -> Result<ArtifactDetail, Fault> {
    let artifact = artifacts::by_id(c, id)?.ok_or_else(|| not_found("file", id.as_str()))?;
    let memory = memories::by_artifact(c, id)?;
    let versions = match memory.as_ref().and_then(|m| m.memory_key.as_deref()) {
        Some(key) => {
            let mut versions = memories::versions(c, &artifact.space_id, key)?;
            versions.retain(|version| version.artifact_id != *id);
            versions
        }
        None => Vec::new(),
    };
    let page_sizes = match (artifact.width, artifact.height) {
        (Some(width), Some(height)) => vec![[f64::from(width), f64::from(height)]],
        _ => artifacts::page_sizes(c, id)?,
    };
    let summary = summaries(c, vec![artifact])?.pop().ok_or_else(|| not_found("file", id.as_str()))?;
    let earlier_paths = artifacts::earlier_paths(c, id)?;
    Ok(ArtifactDetail { summary, views: views::of_artifact(c, id)?, versions, earlier_paths, page_sizes })
}

/// Reads a text view.
pub(crate) fn view_read(engine: &Engine, caller: &Caller, request: ViewRead) -> Outcome<ViewText> {
    engine.read(|c| {
        let unknown = || not_found("text view", request.id.as_str());
        crate::spaces::open(c, caller, spaces::of_thing(c, request.id.as_str())?, unknown)?;
        view_text(c, &request.id, request.span)
    })
}

fn view_text(c: &Connection, id: &ViewId, span: Option<Utf16Span>) -> Result<ViewText, Fault> {
    let (view, text) = views::by_id(c, id)?.ok_or_else(|| not_found("text view", id.as_str()))?;
    let wanted = span.unwrap_or(Utf16Span::new(0, view.length));
    let end = wanted.end.min(view.length).min(wanted.start.saturating_add(MAX_VIEW_TEXT));
    let wanted = Utf16Span::new(wanted.start.min(view.length), end);
    // An end that would cut a surrogate pair moves one unit outwards.
    let shifts = [(0, 0), (1, 0), (0, 1), (1, 1)];
    let (span, part) = shifts
        .iter()
        .map(|(left, right)| Utf16Span::new(wanted.start.saturating_sub(*left), wanted.end + right))
        .find_map(|span| Some((span, span.slice(&text)?.to_owned())))
        .ok_or_else(|| invalid("The span does not fit the text."))?;
    let mut anchors = views::anchors(c, id)?;
    anchors.retain(|anchor| anchor.span.overlaps(span));
    Ok(ViewText { view, span, text: part, anchors })
}

/// The file, where it is still in the database and the caller's to use.
pub(crate) fn existing(c: &Connection, caller: &Caller, id: &ArtifactId) -> Result<Artifact, Fault> {
    let unknown = || not_found("file", id.as_str());
    crate::spaces::open(c, caller, spaces::of_thing(c, id.as_str())?, unknown)?;
    artifacts::by_id(c, id)?.ok_or_else(|| unknown().into())
}

/// Takes a file out of recall.
pub(crate) fn artifact_remove(engine: &Engine, caller: &Caller, request: ArtifactRemove) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let artifact = existing(tx, &caller, &request.id)?;
        remove(tx, &caller, &artifact, now)
    })?;
    engine.tell(Event::Library);
    Ok(Done {})
}

/// Takes a file out of recall, inside a transaction.
pub(crate) fn remove(tx: &Connection, caller: &Caller, artifact: &Artifact, now: i64) -> Result<(), Fault> {
    if artifact.deleted {
        return Ok(());
    }
    artifacts::set_deleted(tx, &artifact.id, true, now)?;
    if let Some(memory) = memories::by_artifact(tx, &artifact.id)?
        && memory.status != MemoryStatus::Deleted
    {
        memories::set_status(tx, &memory.id, MemoryStatus::Deleted, now)?;
        units::deactivate(tx, &artifact.space_id, units::Which::OfMemory(&memory.id))?;
        jobs::cancel_subject(tx, &Subject::Memory(memory.id.clone()), now)?;
        crate::work::queue_extraction(tx, &memory.id, &artifact.space_id, jobs::PRIORITY_PERSON, now)?;
    }
    jobs::cancel_subject(tx, &Subject::Artifact(artifact.id.clone()), now)?;
    let object = ("artifacts", artifact.id.as_str());
    Engine::audit(tx, caller, "artifact.deleted", object, &artifact.space_id, serde_json::json!({}), now)
}

/// Brings a removed file back.
pub(crate) fn artifact_restore(engine: &Engine, caller: &Caller, request: ArtifactRestore) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let artifact = existing(tx, &caller, &request.id)?;
        if artifact.redacted {
            return Err(ApiError::new(ErrorCode::Conflict, "Its content was destroyed; it cannot be restored.").into());
        }
        if !artifact.deleted {
            return Ok(());
        }
        artifacts::set_deleted(tx, &artifact.id, false, now)?;
        if let Some(memory) = memories::by_artifact(tx, &artifact.id)? {
            refuse_newer(tx, &memory)?;
            crate::ingest::bring_back(tx, &caller, &memory, None, now)?;
        }
        crate::ingest::read_on(tx, &artifact, jobs::PRIORITY_PERSON, now)?;
        Ok(())
    })?;
    engine.tell(Event::Library);
    Ok(Done {})
}

/// An old version does not push a newer one aside by being restored.
fn refuse_newer(tx: &Connection, memory: &Memory) -> Result<(), Fault> {
    let Some(key) = memory.memory_key.as_deref() else { return Ok(()) };
    match memories::active_by_key(tx, &memory.space_id, key)? {
        Some(current) if current.id != memory.id => {
            Err(ApiError::new(ErrorCode::Conflict, "A newer version of this file is in use.")
                .hint("Remove that one first.")
                .into())
        }
        _ => Ok(()),
    }
}

/// Reads a file again.
pub(crate) fn artifact_reread(engine: &Engine, caller: &Caller, request: ArtifactReread) -> Outcome<Job> {
    queue_reading(engine, caller, request.id, "artifact.reread")
}

/// Takes a file's password and reads it. The password stays in memory until it is used.
pub(crate) fn artifact_unlock(engine: &Engine, caller: &Caller, request: ArtifactUnlock) -> Outcome<Job> {
    engine.read(|c| existing(c, caller, &request.id))?;
    crate::engine::lock(&engine.core().passwords).insert(request.id.clone(), request.password);
    queue_reading(engine, caller, request.id, "artifact.unlocked")
}

fn queue_reading(engine: &Engine, caller: &Caller, id: ArtifactId, event_type: &'static str) -> Outcome<Job> {
    let (caller, now) = (caller.clone(), engine.now());
    let job = engine.write(move |tx| {
        let artifact = existing(tx, &caller, &id)?;
        if artifact.redacted {
            return Err(
                ApiError::new(ErrorCode::Conflict, "Its content was destroyed; it cannot be read again.").into()
            );
        }
        if artifact.deleted {
            return Err(ApiError::new(ErrorCode::Conflict, "The file was removed.").hint("Restore it first.").into());
        }
        let (space, person) = (&artifact.space_id, jobs::PRIORITY_PERSON);
        let job = crate::work::queue_reading(tx, (&artifact.id, artifact.modality), space, person, true, now)?;
        let object = ("artifacts", artifact.id.as_str());
        Engine::audit(tx, &caller, event_type, object, space, serde_json::json!({}), now)?;
        jobs::by_id(tx, &job)?.ok_or_else(|| not_found("job", job.as_str()).into())
    })?;
    engine.tell(Event::Jobs);
    Ok(job)
}
