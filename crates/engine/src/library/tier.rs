//! How near at hand memories are. What is cold is in use, and stands in no index: no question pays for it that does not ask for it.

use crate::envelope::in_use;
use crate::error::{Fault, Outcome, not_found};
use crate::{Caller, Engine};
use um_model::capture::Memory;
use um_model::envelope::MemoryTier;
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, MemoryStatus, Tier};
use um_store::{Connection, jobs, memories, units};

/// Says of which tier a memory is; an agent of what it brought in itself.
pub(crate) fn memory_tier(engine: &Engine, caller: &Caller, request: MemoryTier) -> Outcome<Memory> {
    let (caller, now) = (caller.clone(), engine.now());
    let memory = engine.write(move |tx| {
        let memory = in_use(tx, &caller, &request.id)?;
        if caller.is_agent() && memory.actor_id != caller.actor {
            return Err(others(&memory, request.tier).into());
        }
        set(tx, &caller, &memory, request.tier, now)?;
        memories::by_id(tx, &memory.id)?.ok_or_else(|| not_found("memory", memory.id.as_str()).into())
    })?;
    engine.tell(Event::Library);
    Ok(memory)
}

/// What somebody else brought in no agent puts out of their way.
fn others(memory: &Memory, tier: Tier) -> ApiError {
    ApiError::new(ErrorCode::Forbidden, "How near at hand a memory is an agent says only of what it brought in itself.")
        .hint(format!("Ask the person: umem tier {} {tier}.", memory.id))
}

/// A memory in use was said, or its file brought in, again: it is found again.
pub(crate) fn warm_up(tx: &Connection, caller: &Caller, known: &Memory, now: i64) -> Result<(), Fault> {
    match (known.status, known.tier) {
        (MemoryStatus::Active, Tier::Cold) => set(tx, caller, known, Tier::Warm, now),
        _ => Ok(()),
    }
}

fn set(tx: &Connection, caller: &Caller, memory: &Memory, tier: Tier, now: i64) -> Result<(), Fault> {
    let (id, space, was) = (&memory.id, &memory.space_id, memory.tier);
    if was == tier {
        return Ok(());
    }
    memories::set_tier(tx, id, tier)?;
    if tier == Tier::Cold {
        units::deactivate(tx, space, units::Which::OfMemory(id))?;
    } else if was == Tier::Cold {
        units::activate(tx, space, id)?;
        // What was read meanwhile has no vector yet.
        crate::work::queue_embedding(tx, id, space, jobs::PRIORITY_AGENT, now)?;
    }
    let payload = serde_json::json!({ "tier": tier, "was": was });
    Engine::audit(tx, caller, "memory.tier_set", ("memories", id.as_str()), space, payload, now)
}
