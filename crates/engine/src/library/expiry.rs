//! Memories that go out of use by themselves when their time comes: as if they were removed, and to be brought back as those are.

use super::refuse_newer;
use crate::engine::lock;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::sync::{Mutex, TryLockError};
use um_model::capture::Memory;
use um_model::envelope::{MemoryExpire, MemoryLayer};
use um_model::health::Event;
use um_model::{EpochMs, MemoryId, MemoryStatus, SpaceId};
use um_store::filter::Then;
use um_store::jobs::{self, Subject};
use um_store::{Connection, Transaction, expiries, memories, units};

/// So many memories go out of use in one transaction of upkeep, and so many with a call, which waits for it.
const STEP: u32 = 200;
const STEP_OF_CALL: u32 = 20;

/// When the next memory goes out of use, as it is known without looking: whoever asks or tells anything looks at this alone.
#[derive(Default)]
pub(crate) struct Expiries {
    known: Mutex<Known>,
    /// Whoever takes out what is due holds it. No call waits for that.
    turn: Mutex<()>,
}

/// What is known of what is due.
struct Known {
    /// When the next one is; the earliest time there is where that is to be looked up.
    next: EpochMs,
    /// How often somebody said when a memory goes.
    changes: u64,
    /// Whether what is due could not be taken out the last time: upkeep tries again, and no call does.
    has_failed: bool,
}

impl Default for Known {
    fn default() -> Self {
        Self { next: EpochMs::MIN, changes: 0, has_failed: false }
    }
}

impl Expiries {
    /// Somebody said when a memory goes: it is looked anew.
    pub(crate) fn changed(&self) {
        let mut known = lock(&self.known);
        known.next = EpochMs::MIN;
        known.changes += 1;
    }

    /// Whether anything may be due that is in use still.
    fn may_be_due(&self, now: EpochMs) -> bool {
        lock(&self.known).next <= now
    }

    /// Notes how it ended to take out what is due.
    fn ended(&self, end: Outcome<()>) {
        lock(&self.known).has_failed = end.is_err();
        if let Err(error) = end {
            tracing::error!(code = %error.code, "memories whose time has come could not be taken out of use");
        }
    }
}

/// Takes some of what is due out of use, before a call is carried out. Until one is due this looks at a number in memory. Whoever comes
/// while somebody else is at it, or something else is written, waits for neither: the rest is left to the next call and to upkeep, and
/// until then to [`gone_by`]. Nobody is refused an answer for it.
pub(crate) fn expire_due(engine: &Engine) {
    let (expiries, now) = (&engine.core().expiries, engine.now());
    if !expiries.may_be_due(now) || lock(&expiries.known).has_failed {
        return;
    }
    let _turn = match expiries.turn.try_lock() {
        Ok(turn) => turn,
        Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    expiries.ended(expire_some(engine, now));
}

fn expire_some(engine: &Engine, now: EpochMs) -> Outcome<()> {
    if !are_due(engine, now)? || engine.store().is_writing() {
        return Ok(());
    }
    engine.write(move |tx| expire(tx, STEP_OF_CALL, now))?;
    engine.tell(Event::Library);
    are_due(engine, now).map(drop)
}

/// Takes all that is due out of use, for as long as that is `wanted`: for upkeep, which waits for whoever writes.
pub(crate) fn expire_all_due(engine: &Engine, wanted: &impl Fn() -> bool) {
    let (expiries, now) = (&engine.core().expiries, engine.now());
    if expiries.may_be_due(now) {
        let _turn = lock(&expiries.turn);
        expiries.ended(expire_all(engine, wanted, now));
    }
}

fn expire_all(engine: &Engine, wanted: &impl Fn() -> bool, now: EpochMs) -> Outcome<()> {
    while wanted() && are_due(engine, now)? {
        engine.write(move |tx| expire(tx, STEP, now))?;
        engine.tell(Event::Library);
    }
    Ok(())
}

/// Looks whether any are due, and notes when the next one is.
fn are_due(engine: &Engine, now: EpochMs) -> Outcome<bool> {
    let expiries = &engine.core().expiries;
    let changes = lock(&expiries.known).changes;
    let next = engine.read(|c| Ok(expiries::next(c)?))?.unwrap_or(EpochMs::MAX);
    let mut known = lock(&expiries.known);
    // What somebody said meanwhile need not be in it.
    if known.changes == changes {
        known.next = next;
    }
    Ok(next <= now)
}

/// By when what goes out of use by itself is left out of an answer about a time, where some of it may be in use still: as nobody took
/// it out yet, or as the time that is asked about is to come.
pub(crate) fn gone_by(engine: &Engine, then: Then) -> Option<EpochMs> {
    // That they went is known since somebody noticed: not yet.
    if then.known_at.is_some() {
        return None;
    }
    let now = engine.now();
    let by = then.as_of.unwrap_or(now);
    engine.core().expiries.may_be_due(by.max(now)).then_some(by)
}

fn expire(tx: &Transaction<'_>, most: u32, now: EpochMs) -> Result<(), Fault> {
    for (id, space) in expiries::due(tx, now, most)? {
        expire_one(tx, (&id, &space), now)?;
    }
    Ok(())
}

/// Takes a memory [whose time has come](is_due) out of use.
pub(crate) fn expire_one(tx: &Connection, (id, space): (&MemoryId, &SpaceId), now: EpochMs) -> Result<(), Fault> {
    expiries::expire(tx, id, now)?;
    units::deactivate(tx, space, units::Which::OfMemory(id))?;
    jobs::cancel_subject(tx, &Subject::Memory(id.clone()), now)?;
    // What rests on it is believed on other grounds, or no more.
    crate::work::queue_extraction(tx, id, space, jobs::PRIORITY_AGENT, now)?;
    let object = ("memories", id.as_str());
    Engine::audit(tx, &Caller::system("upkeep"), "memory.expired", object, space, serde_json::json!({}), now)
}

/// Whether the time of a memory has come. It may be in use still, until somebody takes it out.
pub(crate) fn is_due(memory: &Memory, now: EpochMs) -> bool {
    memory.expires_at.is_some_and(|at| at <= now)
}

/// Whether a memory is in use, and its time has not come.
pub(crate) fn is_in_use(memory: &Memory, now: EpochMs) -> bool {
    memory.status == MemoryStatus::Active && !is_due(memory, now)
}

/// A memory as it is once it was noticed that its time has come. Whatever brings it back is for longer than that.
pub(crate) fn out_if_due(tx: &Connection, memory: Memory, now: EpochMs) -> Result<Memory, Fault> {
    if memory.status != MemoryStatus::Active || !is_due(&memory, now) {
        return Ok(memory);
    }
    expire_one(tx, (&memory.id, &memory.space_id), now)?;
    memories::by_id(tx, &memory.id)?.ok_or_else(|| not_found("memory", memory.id.as_str()).into())
}

/// Refuses a time that is over, and one without a date.
pub(crate) fn check_expiry(at: Option<EpochMs>, now: EpochMs) -> Outcome<()> {
    crate::clock::check(&[at])?;
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
