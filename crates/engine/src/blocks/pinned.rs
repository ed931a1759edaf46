//! Memories that are pinned: what every agent of a space always reads.

use crate::error::{Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::MemoryStatus;
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::work::MemoryPin;
use um_store::{memories, pinned};

/// Pins a memory, or lets it go again.
pub(crate) fn memory_pin(engine: &Engine, caller: &Caller, request: MemoryPin) -> Outcome<Memory> {
    let (caller, now) = (caller.clone(), engine.now());
    let memory = engine.write(move |tx| {
        let unknown = || not_found("memory", request.id.as_str());
        let memory = memories::by_id(tx, &request.id)?;
        crate::spaces::open(tx, &caller, memory.as_ref().map(|memory| memory.space_id.clone()), unknown)?;
        let memory = memory.ok_or_else(unknown)?;
        if request.pinned {
            if memory.status != MemoryStatus::Active {
                return Err(invalid("It was removed.").hint("Restore it first.").into());
            }
            if memory.content.is_none() {
                return Err(invalid("A file is too much to be read always.")
                    .hint("Remember what matters of it as a text, and pin that.")
                    .into());
            }
        }
        if pinned::set(tx, &memory.id, request.pinned)? {
            let event = if request.pinned { "memory.pinned" } else { "memory.unpinned" };
            let object = ("memories", memory.id.as_str());
            Engine::audit(tx, &caller, event, object, &memory.space_id, serde_json::json!({}), now)?;
        }
        Ok(memory)
    })?;
    engine.tell(Event::Work);
    engine.tell(Event::Library);
    Ok(memory)
}
