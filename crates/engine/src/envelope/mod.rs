//! How sure a memory is and stays: confirmed by somebody, or stale where nobody did for long; and what is kept of raw ones
//! (memory-envelope document).

mod stale;

pub(crate) use stale::stale_when_due;

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::held::{self, Written};
use crate::ingest::{self, MadeOf};
use crate::{Caller, Engine};
use um_model::capture::{Memory, MemoryRemember, Remembered};
use um_model::envelope::*;
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, MemoryId, MemoryStatus};
use um_store::{Connection, envelope, memories};

/// An agent that says so is refused.
pub(crate) fn only_the_person_verifies() -> ApiError {
    ApiError::new(ErrorCode::Forbidden, "That a memory is verified only the person says.")
        .hint("Say that it is observed, or ask them: umem confirm ID --verified.")
}

/// A memory in use that the caller may do what it wishes with.
pub(crate) fn in_use(c: &Connection, caller: &Caller, id: &MemoryId) -> Result<Memory, Fault> {
    let unknown = || not_found("memory", id.as_str());
    let memory = memories::by_id(c, id)?;
    crate::spaces::open(c, caller, memory.as_ref().map(|memory| memory.space_id.clone()), unknown)?;
    let memory = memory.ok_or_else(unknown)?;
    match memory.status {
        MemoryStatus::Active => Ok(memory),
        // What the person removed is theirs to look at.
        MemoryStatus::Deleted if caller.is_agent() => Err(unknown().into()),
        status => Err(invalid(format!("This memory is {status}.")).hint("Name one that is in use.").into()),
    }
}

/// Says that a memory is still so.
pub(crate) fn memory_confirm(engine: &Engine, caller: &Caller, request: MemoryConfirm) -> Outcome<Memory> {
    if caller.is_agent() && request.label == Some(Confirmation::Verified) {
        return Err(only_the_person_verifies());
    }
    let (caller, now) = (caller.clone(), engine.now());
    let memory = engine.write(move |tx| {
        let memory = in_use(tx, &caller, &request.id)?;
        let is_verified = memory.confidence_label == ConfidenceLabel::Verified;
        match request.label {
            // What the person verified no agent makes less sure.
            _ if is_verified && caller.is_agent() => {}
            None if is_verified => confirm(tx, &caller, &memory, ConfidenceLabel::Verified, now)?,
            Some(Confirmation::Verified) => confirm(tx, &caller, &memory, ConfidenceLabel::Verified, now)?,
            Some(Confirmation::Observed) | None => confirm(tx, &caller, &memory, ConfidenceLabel::Observed, now)?,
        }
        memories::by_id(tx, &memory.id)?.ok_or_else(|| not_found("memory", memory.id.as_str()).into())
    })?;
    engine.tell(Event::Library);
    Ok(memory)
}

/// Keeps how sure a memory is, as somebody says it now.
pub(crate) fn confirm(
    tx: &Connection,
    caller: &Caller,
    memory: &Memory,
    label: ConfidenceLabel,
    now: i64,
) -> Result<(), Fault> {
    envelope::confirm(tx, &memory.id, label, now)?;
    let payload = serde_json::json!({ "label": label, "was": memory.confidence_label });
    let object = ("memories", memory.id.as_str());
    Engine::audit(tx, caller, "memory.confirmed", object, &memory.space_id, payload, now)
}

/// A memory was said, or its file brought in, again: what was stale is observed.
pub(crate) fn seen_again(tx: &Connection, caller: &Caller, known: &Memory, now: i64) -> Result<(), Fault> {
    match known.confidence_label {
        ConfidenceLabel::Stale => confirm(tx, caller, known, ConfidenceLabel::Observed, now),
        _ => Ok(envelope::seen_again(tx, &known.id, now)?),
    }
}

/// Keeps what a raw memory says as a distilled one, beside it. What an agent makes of it may be held for the person.
pub(crate) fn memory_distill(engine: &Engine, caller: &Caller, request: MemoryDistill) -> Outcome<Remembered> {
    let (text, made_of) = distilled(engine, caller, &request)?;
    ingest::keep_if(engine, caller, text, made_of, |door, text| {
        held::pass(engine, caller, door, |door| {
            let mut met = ingest::met(engine, caller, door, text)?;
            // What is kept word by word was looked at when it came in.
            met.known |= request.text.is_none();
            Ok(Written::distilled(&request, text, met))
        })
    })
}

/// Keeps what the person looked at.
pub(crate) fn keep_distilled(engine: &Engine, caller: &Caller, request: &MemoryDistill) -> Outcome<Remembered> {
    let (text, made_of) = distilled(engine, caller, request)?;
    ingest::keep_written(engine, caller, text, made_of)
}

/// The memory that is to be kept of a raw one, and that it is made of it.
fn distilled(engine: &Engine, caller: &Caller, request: &MemoryDistill) -> Outcome<(MemoryRemember, MadeOf)> {
    let raw = engine.read(|c| in_use(c, caller, &request.id))?;
    if raw.layer != MemoryLayer::Raw {
        return Err(invalid("This memory is distilled already.").hint("memory_remember keeps another text."));
    }
    let text = MemoryRemember {
        text: request.text.clone().or(raw.content).unwrap_or_default(),
        space: raw.space_id.to_string(),
        kind: Some(MemoryLayer::Distilled),
        title: raw.title,
        owner: raw.owner,
        artifact_ref: raw.artifact_ref,
        session: raw.session_id,
        record_kind: raw.record_kind,
        importance: Some(raw.importance),
        metadata: raw.metadata,
        occurred_at: raw.occurred_at,
        ..MemoryRemember::default()
    };
    Ok((text, MadeOf { raw: Some(raw.id), event: None }))
}
