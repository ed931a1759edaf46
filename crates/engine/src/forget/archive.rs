//! Raw memories say what was said, and nothing changes them. The one way out is the archive (ruling 38).

use crate::error::{Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::capture::Done;
use um_model::forget::MemoryArchive;
use um_model::health::Event;
use um_store::forget::{self, Eraser};
use um_store::memories;

/// The longest reason, in bytes.
const MAX_REASON: usize = 500;

/// Takes a raw memory out: what it said is destroyed; its envelope and the reason stay.
pub(crate) fn memory_archive(engine: &Engine, caller: &Caller, request: MemoryArchive) -> Outcome<Done> {
    let reason = request.reason.trim().to_owned();
    if reason.is_empty() || reason.len() > MAX_REASON {
        return Err(invalid(format!("A reason has 1 to {MAX_REASON} bytes.")));
    }
    let by = caller;
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let space = engine.write_durably(move |tx| {
        crate::access::may_act(tx, &caller)?;
        let memory = memories::by_id(tx, &request.id)?.ok_or_else(|| not_found("memory", request.id.as_str()))?;
        let by = Eraser { actor: &caller.actor, key: &key, now };
        if !forget::archive(tx, &memory.id, &reason, &by)? {
            return Err(invalid("Only a raw memory that is still there is archived.")
                .hint("Remove another one, or forget it.")
                .into());
        }
        let object = ("memories", memory.id.as_str());
        Engine::audit(tx, &caller, "memory.archived", object, &memory.space_id, serde_json::json!({}), now)?;
        Ok(memory.space_id)
    })?;
    super::clear::finish_quietly(engine, by, vec![space])?;
    engine.tell(Event::Library);
    Ok(Done {})
}
