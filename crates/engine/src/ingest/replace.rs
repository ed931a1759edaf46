//! Memories in one another's place: versions under a key, and what comes back.

use super::remember::queue_all;
use crate::error::Fault;
use crate::library::{expire_one, is_due};
use crate::{Caller, Engine, work};
use um_model::capture::Memory;
use um_model::{MemoryId, MemoryStatus, SpaceId, Tier};
use um_store::memories::{self, Label};
use um_store::rejected::Checked;
use um_store::{Connection, Transaction, expiries, jobs, units};

/// The memory in use under a key, whose place another one is to take. One that is due to go out of use goes by that, and nothing takes
/// its place.
pub(super) fn current(tx: &Connection, space: &SpaceId, key: &str, now: i64) -> Result<Option<Memory>, Fault> {
    match memories::active_by_key(tx, space, key)? {
        Some(memory) if is_due(&memory, now) => {
            expire_one(tx, (&memory.id, space), now)?;
            Ok(None)
        }
        current => Ok(current),
    }
}

/// A text that is active already and is said again under another key takes that key over.
pub(super) fn take_key(tx: &Connection, known: &Memory, label: &Checked<Label<'_>>, now: i64) -> Result<(), Fault> {
    let Some(key) = label.key.filter(|key| known.memory_key.as_deref() != Some(*key)) else { return Ok(()) };
    if known.status != MemoryStatus::Active {
        return Ok(());
    }
    if let Some(current) = current(tx, &known.space_id, key, now)? {
        supersede(tx, &current, &known.id, so_until(&current, known.occurred_at, now), now)?;
    }
    let only_the_key = Checked::held(Label { key: Some(key), title: None });
    Ok(memories::set_label(tx, &known.id, &only_the_key)?)
}

/// A memory that is said again is there again, whatever became of it since; what an agent says again of others' that they had
/// removed is its own. Content that the person
/// redacted stays redacted: its hash is gone, so it is never found here.
pub(crate) fn bring_back(
    tx: &Transaction<'_>,
    caller: &Caller,
    known: &Memory,
    label: Option<&Checked<Label<'_>>>,
    now: i64,
) -> Result<(), Fault> {
    if known.status == MemoryStatus::Active {
        return Ok(());
    }
    let key = label.and_then(|label| label.key).or(known.memory_key.as_deref());
    if let Some(key) = key
        && let Some(current) = current(tx, &known.space_id, key, now)?
    {
        // What comes back is so anew from now on, whenever it happened.
        supersede(tx, &current, &known.id, now, now)?;
    }
    // The key first: under its old one the memory might not become active again.
    if let Some(label) = label {
        memories::set_label(tx, &known.id, &Checked::held(Label { key, title: label.title }))?;
    }
    memories::set_status(tx, &known.id, MemoryStatus::Active, now)?;
    memories::set_superseded_by(tx, &known.id, None)?;
    expiries::outlive(tx, &known.id, now)?;
    if known.tier == Tier::Cold {
        memories::set_tier(tx, &known.id, Tier::Warm)?;
    }
    units::activate(tx, &known.space_id, &known.id)?;
    queue_all(tx, (&known.id, &known.space_id), now)?;
    let payload = serde_json::json!({ "was": known.status });
    Engine::audit(tx, caller, "memory.restored", ("memories", known.id.as_str()), &known.space_id, payload, now)
}

/// Until when an older version was so, by when a newer one happened, as far as that is told (valid time, ruling 19).
/// Where that is no later than the older one, the older one was so until now: it was said of a later day, and stood until
/// somebody said otherwise. So it was where the newer one is only to come: what takes another one's place does so at once.
pub(super) fn so_until(older: &Memory, happened: Option<i64>, now: i64) -> i64 {
    let said = older.occurred_at.unwrap_or(older.created_at);
    happened.filter(|at| said < *at && *at < now).unwrap_or(now)
}

/// Takes the older version, which was so `until` then, out of recall, before the newer one exists.
pub(super) fn retire(tx: &Connection, older: &Memory, until: i64, now: i64) -> Result<(), Fault> {
    memories::supersede(tx, &older.id, until, now)?;
    units::deactivate(tx, &older.space_id, units::Which::OfMemory(&older.id))?;
    work::queue_extraction(tx, &older.id, &older.space_id, jobs::PRIORITY_AGENT, now)?;
    Ok(())
}

/// Puts a newer version in the place of an older one, which was so `until` then.
pub(super) fn supersede(tx: &Connection, older: &Memory, newer: &MemoryId, until: i64, now: i64) -> Result<(), Fault> {
    retire(tx, older, until, now)?;
    memories::set_superseded_by(tx, &older.id, Some(newer))?;
    Ok(())
}
