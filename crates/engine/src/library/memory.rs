//! Memories taken out of recall, and brought back.

use super::{artifact_remove, artifact_restore, out_if_due, refuse_newer};
use crate::error::{Fault, Outcome, not_found};
use crate::{Caller, Engine};
use um_model::capture::{ArtifactRemove, ArtifactRestore, Done, Memory, MemoryRemove, MemoryRestore};
use um_model::envelope::MemoryLayer;
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, MemoryId, MemoryStatus};
use um_store::jobs::{self, Subject};
use um_store::{Connection, memories, units};

fn existing(c: &Connection, caller: &Caller, id: &MemoryId) -> Result<Memory, Fault> {
    let unknown = || not_found("memory", id.as_str());
    let memory = memories::by_id(c, id)?.ok_or_else(unknown)?;
    crate::spaces::check(c, caller, &memory.space_id, unknown)?;
    Ok(memory)
}

/// Takes a memory out of recall; one that stands for a file goes with it.
pub(crate) fn memory_remove(engine: &Engine, caller: &Caller, request: MemoryRemove) -> Outcome<Done> {
    let memory = engine.read(|c| existing(c, caller, &request.id))?;
    if let Some(id) = memory.artifact_id {
        return artifact_remove(engine, caller, ArtifactRemove { id });
    }
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let memory = existing(tx, &caller, &request.id)?;
        if memory.status == MemoryStatus::Deleted {
            return Ok(());
        }
        if memory.layer == MemoryLayer::Raw {
            return Err(ApiError::new(ErrorCode::Conflict, "This memory is raw: nothing changes it, and it stays.")
                .hint("Take it out for good with `umem archive ID --reason WHY`, or forget it.")
                .into());
        }
        let (id, space) = (&memory.id, &memory.space_id);
        memories::set_status(tx, id, MemoryStatus::Deleted, now)?;
        units::deactivate(tx, space, units::Which::OfMemory(id))?;
        jobs::cancel_subject(tx, &Subject::Memory(id.clone()), now)?;
        // What rests on it is believed on other grounds, or no more.
        crate::work::queue_extraction(tx, id, space, jobs::PRIORITY_PERSON, now)?;
        let object = ("memories", id.as_str());
        Engine::audit(tx, &caller, "memory.deleted", object, space, serde_json::json!({}), now)
    })?;
    engine.tell(Event::Library);
    Ok(Done {})
}

/// Brings a removed memory back, whatever took it out of recall, unless its words were destroyed.
pub(crate) fn memory_restore(engine: &Engine, caller: &Caller, request: MemoryRestore) -> Outcome<Done> {
    let memory = engine.read(|c| existing(c, caller, &request.id))?;
    if let Some(id) = memory.artifact_id {
        return artifact_restore(engine, caller, ArtifactRestore { id });
    }
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let memory = existing(tx, &caller, &request.id)?;
        if memories::is_redacted(tx, &memory.id)? {
            return Err(ApiError::new(ErrorCode::Conflict, "What it said was destroyed; it cannot be restored.").into());
        }
        let memory = out_if_due(tx, memory, now)?;
        refuse_newer(tx, &memory)?;
        crate::ingest::bring_back(tx, &caller, &memory, None, now)
    })?;
    engine.core().expiries.changed();
    engine.tell(Event::Library);
    Ok(Done {})
}
