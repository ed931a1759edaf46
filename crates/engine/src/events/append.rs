//! Appending events: all of a batch or none of it.

use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::scopes::{At, resolve_at};
use crate::{Caller, Engine};
use serde_json::{Map, Value};
use std::borrow::Cow;
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, EventId};
use um_store::rejected::{Said, Says, tell_map};
use um_store::{Connection, events, events::TOLD};

/// So many events are told at once.
const MOST: usize = 500;
/// The longest event, in bytes.
const MAX_CONTENT: usize = 100_000;
/// The largest metadata of one, in bytes of JSON.
const MAX_METADATA: usize = 4 * 1024;
/// The largest batch, in bytes.
const MAX_BATCH: usize = 1 << 20;

/// The events of a request.
pub(crate) struct Batch<'a>(pub &'a [NewEvent]);

impl Says for Batch<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        for event in self.0 {
            tell(Said::Text(&event.content));
            tell_map(&event.metadata, tell);
        }
    }
}

/// Appends events.
pub(crate) fn events_append(engine: &Engine, caller: &Caller, request: EventsAppend) -> Outcome<EventsAppended> {
    if request.events.is_empty() {
        return Err(ApiError::new(ErrorCode::Empty, "There is no event to append."));
    }
    check(&request.events)?;
    let (door, session) = engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        Ok((Door::compared(c, engine.key(), &at.space.id, &Batch(&request.events))?, at.session))
    })?;
    let (caller, now) = (caller.clone(), engine.now());
    let events = engine.write(move |tx| {
        // Where the words were compared: another space may bear the name by now.
        let at = resolve_at(tx, &caller, Some(door.space.as_str()), session.as_ref())?;
        append(tx, &caller, &door, (&at, &request.events), now)
    })?;
    engine.tell(Event::Work);
    Ok(EventsAppended { events })
}

/// Refuses what is too much.
pub(crate) fn check(events: &[NewEvent]) -> Outcome<()> {
    let too_long = |what: String| ApiError::new(ErrorCode::TextTooLong, what).hint("Append it in several calls.");
    if events.len() > MOST {
        return Err(too_long(format!("At most {MOST} events are appended at once; these are {}.", events.len())));
    }
    let mut whole = 0;
    for (number, event) in events.iter().enumerate() {
        let metadata = size(&event.metadata);
        if event.content.trim().is_empty() {
            return Err(ApiError::new(ErrorCode::Empty, format!("Event {} says nothing.", number + 1)));
        }
        if event.content.len() > MAX_CONTENT {
            return Err(too_long(format!("Event {} has more than {MAX_CONTENT} bytes.", number + 1)));
        }
        if metadata > MAX_METADATA {
            return Err(too_long(format!("The metadata of event {} have more than {MAX_METADATA} bytes.", number + 1)));
        }
        crate::clock::check(&[event.occurred_at])?;
        // By it the product knows what its own events are about.
        if event.kind == EventKind::SystemEvent && event.metadata.contains_key("about") {
            return Err(invalid(format!("The metadata of event {} say \"about\".", number + 1))
                .hint("That is kept for events that the product appends itself."));
        }
        whole += event.content.len() + metadata;
    }
    match whole > MAX_BATCH {
        true => Err(too_long(format!("These events have more than {MAX_BATCH} bytes."))),
        false => Ok(()),
    }
}

fn size(metadata: &Map<String, Value>) -> usize {
    serde_json::to_string(metadata).map_or(usize::MAX, |json| json.len())
}

/// Appends events within a transaction that does more than that.
pub(crate) fn append(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (at, new): (&At, &[NewEvent]),
    now: EpochMs,
) -> Result<Vec<EventId>, Fault> {
    if let Some(session) = &at.session {
        crate::sessions::own(tx, caller, session)?;
        crate::sessions::refuse_ended(tx, session)?;
    }
    let mut ids = Vec::with_capacity(new.len());
    for event in new {
        let mut metadata = Cow::Borrowed(&event.metadata);
        if event.kind == EventKind::ExplicitMemory {
            metadata.to_mut().insert(TOLD.to_owned(), true.into());
        }
        let row = events::NewEvent {
            space: &at.space.id,
            session: at.session.as_ref(),
            actor: &caller.actor,
            kind: event.kind,
            content: &event.content,
            metadata: &metadata,
            occurred_at: event.occurred_at.unwrap_or(now),
        };
        ids.push(events::append(tx, &door.pass(tx, row)?, now)?);
    }
    if let Some(first) = ids.first() {
        let payload = serde_json::json!({ "events": ids.len(), "session": at.session });
        let object = ("evidence_events", first.as_str());
        Engine::audit(tx, caller, "events.appended", object, &at.space.id, payload, now)?;
    }
    Ok(ids)
}
