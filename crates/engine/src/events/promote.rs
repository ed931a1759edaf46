//! An event that becomes a memory: raw, as it was said, or distilled, as somebody puts it. The memory says which event it is
//! from, and goes with it.

use crate::error::{Outcome, invalid, not_found};
use crate::held::{self, Written};
use crate::ingest::{self, MadeOf};
use crate::{Caller, Engine};
use um_model::capture::{MemoryRemember, Remembered};
use um_model::envelope::MemoryLayer;
use um_model::work::EventPromote;
use um_store::events;
use um_store::events::list;

/// Makes a memory of an event. What an agent makes of it may be held for the person.
pub(crate) fn event_promote(engine: &Engine, caller: &Caller, request: EventPromote) -> Outcome<Remembered> {
    let (text, made_of) = promoted(engine, caller, &request)?;
    ingest::keep_if(engine, caller, text, made_of, |door, text| {
        held::pass(engine, caller, door, |door| {
            let met = ingest::met(engine, caller, door, text)?;
            Ok(Written::promoted(&request, text, met))
        })
    })
}

/// Makes a memory of an event, as the person looked at it.
pub(crate) fn keep_promoted(engine: &Engine, caller: &Caller, request: &EventPromote) -> Outcome<Remembered> {
    let (text, made_of) = promoted(engine, caller, request)?;
    ingest::keep_written(engine, caller, text, made_of)
}

/// The memory that an event is to become, and that it is made of it.
fn promoted(engine: &Engine, caller: &Caller, request: &EventPromote) -> Outcome<(MemoryRemember, MadeOf)> {
    let unknown = || not_found("event", request.event.as_str());
    let event = engine.read(|c| {
        crate::spaces::open(c, caller, events::space_of(c, &request.event)?, unknown)?;
        list::by_ids(c, std::slice::from_ref(&request.event))?.pop().ok_or_else(|| unknown().into())
    })?;
    let layer = request.layer.unwrap_or_default();
    let says_otherwise = request.text.as_ref().is_some_and(|text| text.trim() != event.content.trim());
    if layer == MemoryLayer::Raw && says_otherwise {
        return Err(invalid("A raw memory says what the event says.")
            .hint("Leave the text out, or make a distilled memory of it."));
    }
    let text = MemoryRemember {
        text: request.text.clone().unwrap_or(event.content),
        space: event.space_id.to_string(),
        kind: Some(layer),
        title: request.title.clone(),
        session: event.session_id.map(|session| session.to_string()),
        record_kind: request.record_kind,
        importance: request.importance,
        occurred_at: Some(event.occurred_at),
        ..MemoryRemember::default()
    };
    Ok((text, MadeOf { event: Some(event.id), raw: None }))
}
