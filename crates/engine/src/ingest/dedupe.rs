//! Near-duplicates among memories of words (spine 6.1, step 5). A newer memory takes an older one's place only
//! where their vectors are alike, their words hold nothing that tells them apart, and a model says that each
//! follows from the other. Without that model the job waits; a doubt keeps both.

use crate::Engine;
use crate::caller::Caller;
use crate::error::{Fault, Outcome, from_provider};
use crate::language::{Entailment, EntailmentLabel};
use crate::lexical::may_merge;
use crate::provider::Cancel;
use um_model::capture::Memory;
use um_model::envelope::MemoryLayer;
use um_model::health::Event;
use um_model::{AgentId, EpochMs, MemoryId, MemoryStatus};
use um_store::{Connection, audit, jobs, memories, units, vectors};

/// Memories whose vectors are at least so alike are compared.
const ALIKE: f64 = 0.92;
/// Each must follow from the other with at least this probability.
const SURE: f64 = 0.9;
/// So many neighbours are looked at.
const NEIGHBOURS: usize = 6;

/// Queues the comparison of a memory that was just embedded, where it can be a duplicate.
pub(crate) fn queue_comparison(tx: &Connection, id: &MemoryId, now: EpochMs) -> Result<(), Fault> {
    if let Some(memory) = memories::by_id(tx, id)?.filter(is_comparable) {
        crate::work::queue_dedupe(tx, &memory.id, &memory.space_id, jobs::PRIORITY_SCAN, now)?;
    }
    Ok(())
}

/// Whether a memory can be a duplicate: words of its own, in use, without a key, as keys say themselves which
/// version is which. Nothing takes the place of a raw one, and a raw one that of none.
fn is_comparable(memory: &Memory) -> bool {
    memory.status == MemoryStatus::Active
        && memory.layer == MemoryLayer::Distilled
        && memory.artifact_id.is_none()
        && memory.memory_key.is_none()
}

/// A memory and the older ones that seem to say the same, the likest first; `None` where there are none.
fn alike(c: &Connection, id: &MemoryId) -> Result<Option<(Memory, Vec<Memory>)>, Fault> {
    let Some(memory) = memories::by_id(c, id)?.filter(is_comparable) else { return Ok(None) };
    let Some(vector) = vectors::of_only_unit(c, id)? else { return Ok(None) };
    let near = vectors::alike(c, &memory.space_id, &vector, ALIKE, NEIGHBOURS)?;
    let rids: Vec<i64> = near.iter().map(|(rid, _)| *rid).collect();
    let mut older = Vec::new();
    for owner in units::owners_of_only(c, &rids)? {
        let Some(other) = memories::by_id(c, &owner)?.filter(is_comparable) else { continue };
        // What was brought back after it was replaced stays.
        if older_twin(&memory, &other) && !audit::deduplicated(c, &memory.id, &other.id)? {
            older.push(other);
        }
    }
    Ok((!older.is_empty()).then_some((memory, older)))
}

fn older_twin(memory: &Memory, other: &Memory) -> bool {
    let (Some(words), Some(others)) = (&memory.content, &other.content) else { return false };
    other.id < memory.id
        && may_replace(memory, other)
        && other.scope == memory.scope
        && other.owner == memory.owner
        && other.session_id == memory.session_id
        && !of_another_day(memory, other)
        && may_merge(words, others)
}

/// Whether a memory is said to be of another day than an older one: the same words of two days tell two things.
fn of_another_day(memory: &Memory, other: &Memory) -> bool {
    let day = memory.occurred_at.and_then(um_rules::date_written);
    day.is_some() && day != um_rules::date_written(other.occurred_at.unwrap_or(other.created_at))
}

/// Whether whoever said a memory may have it take the place of another one: what the person said only the person replaces.
fn may_replace(memory: &Memory, other: &Memory) -> bool {
    memory.actor_id == AgentId::owner() || other.actor_id != AgentId::owner()
}

/// Compares a memory with the older ones that seem to say the same, and lets it take their place where it does.
pub(crate) fn dedupe_memory(engine: &Engine, id: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let Some((memory, older)) = engine.read(|c| alike(c, id))? else { return Ok(()) };
    let words = |memory: &Memory| memory.content.clone().unwrap_or_default();
    let (new, olds) = (words(&memory), older.iter().map(words).collect::<Vec<_>>());
    let pairs: Vec<(&str, &str)> =
        olds.iter().flat_map(|old| [(new.as_str(), old.as_str()), (old.as_str(), new.as_str())]).collect();
    let judged = engine.providers().entailment.entailment(&pairs, cancel).map_err(|e| from_provider(&e))?;
    let entails = |e: &Entailment| e.label == EntailmentLabel::Entails && e.score >= SURE;
    let same: Vec<Memory> = older
        .into_iter()
        .zip(judged.chunks(2))
        .filter(|(_, both)| both.iter().all(entails))
        .map(|(old, _)| old)
        .collect();
    if same.is_empty() {
        return Ok(());
    }
    let now = engine.now();
    engine.write(move |tx| {
        // Either may have changed since they were compared.
        if !memories::by_id(tx, &memory.id)?.is_some_and(|memory| is_comparable(&memory)) {
            return Ok(());
        }
        for old in same {
            if memories::by_id(tx, &old.id)?.is_some_and(|old| is_comparable(&old)) {
                let until = super::replace::so_until(&old, memory.occurred_at, now);
                super::replace::supersede(tx, &old, &memory.id, until, now)?;
                let payload = serde_json::json!({ "superseded": old.id });
                let object = ("memories", memory.id.as_str());
                Engine::audit(
                    tx,
                    &Caller::system("dedupe"),
                    "memory.deduplicated",
                    object,
                    &memory.space_id,
                    payload,
                    now,
                )?;
            }
        }
        Ok(())
    })?;
    engine.tell(Event::Library);
    Ok(())
}
