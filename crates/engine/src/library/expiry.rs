//! Memories that go out of use by themselves when their time comes: as if they were removed, and to be brought back as those are.

use super::refuse_newer;
use crate::engine::lock;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::sync::Mutex;
use um_model::capture::Memory;
use um_model::envelope::{MemoryExpire, MemoryLayer};
use um_model::health::Event;
use um_model::{EpochMs, MemoryId, MemoryStatus};
use um_store::jobs::{self, Subject};
use um_store::{Connection, Transaction, expiries, memories, units};

/// So many memories go out of use in one transaction.
const STEP: u32 = 200;

/// When the next memory goes out of use, as it is known without looking: whoever asks or tells anything looks at this alone.
pub(crate) struct Expiries(Mutex<EpochMs>);

impl Default for Expiries {
    fn default() -> Self {
        Self(Mutex::new(EpochMs::MIN))
    }
}

impl Expiries {
    /// Somebody said when a memory goes: it is looked anew.
    pub(crate) fn changed(&self) {
        *lock(&self.0) = EpochMs::MIN;
    }
}

/// Takes what is due out of use. Until one is due this looks at a number in memory; whoever comes while they go waits for that. What
/// cannot be taken out now is at the next call, or by upkeep: nobody is refused an answer for it.
pub(crate) fn expire_due(engine: &Engine) {
    if let Err(error) = expire_all(engine) {
        tracing::error!(code = %error.code, "memories whose time has come could not be taken out of use");
    }
}

fn expire_all(engine: &Engine) -> Outcome<()> {
    let mut next = lock(&engine.core().expiries.0);
    let now = engine.now();
    if now < *next {
        return Ok(());
    }
    let mut any = false;
    loop {
        let known = engine.read(|c| Ok(expiries::next(c)?))?.unwrap_or(EpochMs::MAX);
        if now < known {
            *next = known;
            break;
        }
        engine.write(move |tx| expire(tx, now))?;
        any = true;
    }
    drop(next);
    if any {
        engine.tell(Event::Library);
    }
    Ok(())
}

fn expire(tx: &Transaction<'_>, now: EpochMs) -> Result<(), Fault> {
    for (id, space) in expiries::due(tx, now, STEP)? {
        expiries::expire(tx, &id, now)?;
        units::deactivate(tx, &space, units::Which::OfMemory(&id))?;
        jobs::cancel_subject(tx, &Subject::Memory(id.clone()), now)?;
        // What rests on it is believed on other grounds, or no more.
        crate::work::queue_extraction(tx, &id, &space, jobs::PRIORITY_AGENT, now)?;
        let object = ("memories", id.as_str());
        Engine::audit(tx, &Caller::system("upkeep"), "memory.expired", object, &space, serde_json::json!({}), now)?;
    }
    Ok(())
}

/// Refuses a time that is over.
pub(crate) fn check_expiry(at: Option<EpochMs>, now: EpochMs) -> Outcome<()> {
    match at {
        Some(at) if at <= now => {
            Err(invalid("The time at which it is to go out of use is over already.").hint("Name one that is to come."))
        }
        _ => Ok(()),
    }
}

/// Keeps when a memory goes out of use, with an entry in the ledger where that is another time.
pub(crate) fn set_expiry(
    tx: &Connection,
    caller: &Caller,
    memory: &Memory,
    at: Option<EpochMs>,
    now: EpochMs,
) -> Result<(), Fault> {
    if memory.expires_at == at {
        return Ok(());
    }
    expiries::set(tx, &memory.id, at)?;
    let payload = serde_json::json!({ "expires_at": at });
    Engine::audit(tx, caller, "memory.expiry_set", ("memories", memory.id.as_str()), &memory.space_id, payload, now)
}

/// Says when a memory goes out of use by itself; one that did comes back.
pub(crate) fn memory_expire(engine: &Engine, caller: &Caller, request: MemoryExpire) -> Outcome<Memory> {
    let (caller, now) = (caller.clone(), engine.now());
    let MemoryExpire { id, expires_at } = request;
    check_expiry(expires_at, now)?;
    let memory = engine.write(move |tx| {
        let memory = expiring(tx, &caller, &id)?;
        set_expiry(tx, &caller, &memory, expires_at, now)?;
        if memory.status == MemoryStatus::Expired {
            refuse_newer(tx, &memory)?;
            crate::ingest::bring_back(tx, &caller, &memory, None, now)?;
        }
        memories::by_id(tx, &memory.id)?.ok_or_else(|| not_found("memory", memory.id.as_str()).into())
    })?;
    engine.core().expiries.changed();
    engine.tell(Event::Library);
    Ok(memory)
}

/// A memory of words that is in use or was until its time came.
fn expiring(c: &Connection, caller: &Caller, id: &MemoryId) -> Result<Memory, Fault> {
    let unknown = || not_found("memory", id.as_str());
    let memory = memories::by_id(c, id)?;
    crate::spaces::open(c, caller, memory.as_ref().map(|memory| memory.space_id.clone()), unknown)?;
    let memory = memory.ok_or_else(unknown)?;
    if !matches!(memory.status, MemoryStatus::Active | MemoryStatus::Expired) || memories::is_redacted(c, id)? {
        return Err(invalid(format!("This memory is {}.", memory.status)).hint("Name one that is in use.").into());
    }
    if memory.content.is_none() {
        return Err(invalid("A file stays until somebody removes it.")
            .hint("Remember what matters of it as a text, with its time.")
            .into());
    }
    if memory.layer == MemoryLayer::Raw {
        return Err(invalid("This memory is raw: nothing changes it, and it stays.")
            .hint("Keep a distilled one of it, and name the time of that.")
            .into());
    }
    Ok(memory)
}
