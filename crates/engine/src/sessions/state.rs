//! What is in hand. Each writing leaves an event that says all of it, so that what was in hand can be read of any time.

use super::{own, short, small};
use crate::access::told;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::scopes::{At, resolve_at};
use crate::{Caller, Engine};
use serde_json::{Value, json};
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, EventId, StateId};
use um_store::Connection;
use um_store::events::{self, NewEvent};
use um_store::sessions::states::{self, NewState};

/// The longest goal, in bytes.
const MAX_GOAL: usize = 2_000;
/// The longest summary, in bytes.
pub(super) const MAX_SUMMARY: usize = 8 * 1024;
/// So much is worked on at once.
const MAX_WORKING_SET: usize = 100;
/// The longest part of it, in bytes.
const MAX_WORK: usize = 500;
/// So many events say what is in hand.
const MAX_SOURCES: usize = 50;

/// Writes down what is in hand.
pub(crate) fn state_set(engine: &Engine, caller: &Caller, mut request: StateSet) -> Outcome<State> {
    check(&request)?;
    if let Some(metadata) = &mut request.metadata {
        crate::drift::fill(engine, caller, (request.space.as_deref(), request.session.as_ref()), metadata)?;
    }
    let (writer, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let state = engine.write(move |tx| {
        let at = resolve_at(tx, &writer, request.space.as_deref(), request.session.as_ref())?;
        if let Some(session) = &at.session {
            own(tx, &writer, session)?;
            super::refuse_ended(tx, session)?;
        }
        put(tx, &writer, &Door::of(&key, &at.space.id), (&at, &request), now)
    })?;
    engine.tell(Event::Work);
    Ok(told(caller, state))
}

fn check(request: &StateSet) -> Outcome<()> {
    short("A goal", request.current_goal.as_deref(), MAX_GOAL)?;
    short("A summary", request.summary.as_deref(), MAX_SUMMARY)?;
    request.metadata.as_ref().map_or(Ok(()), small)?;
    let works = request.working_set.as_deref().unwrap_or_default();
    if works.len() > MAX_WORKING_SET || works.iter().any(|work| work.len() > MAX_WORK) {
        let message =
            format!("At most {MAX_WORKING_SET} things are worked on, each named in at most {MAX_WORK} bytes.");
        return Err(ApiError::new(ErrorCode::TextTooLong, message));
    }
    if request.source_event_ids.as_ref().is_some_and(|ids| ids.len() > MAX_SOURCES) {
        return Err(invalid(format!("At most {MAX_SOURCES} events say what is in hand.")));
    }
    Ok(())
}

/// Writes down what is in hand, within a transaction that does more than that. What nothing is said of stays as it was.
pub(super) fn put(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (at, request): (&At, &StateSet),
    now: EpochMs,
) -> Result<State, Fault> {
    let before = states::current(tx, &at.space.id, at.session.as_ref())?;
    let before = before.as_ref();
    let goal = request.current_goal.as_deref().map(str::trim).filter(|goal| !goal.is_empty());
    let goal = goal.or_else(|| before.map(|state| state.current_goal.as_str())).ok_or_else(|| {
        ApiError::new(ErrorCode::Empty, "What is wanted is not said.").hint("Give current_goal: there is none yet.")
    })?;
    let sources: &[EventId] = match (&request.source_event_ids, before) {
        (Some(ids), _) => ids,
        (None, Some(state)) => &state.source_event_ids,
        (None, None) => &[],
    };
    let named: Vec<String> = sources.iter().map(EventId::to_string).collect();
    if let Some(missing) =
        events::missing(tx, &at.space.id, &named)?.first().filter(|_| request.source_event_ids.is_some())
    {
        return Err(not_found("event in this space", missing).into());
    }
    let empty = Default::default();
    let new = NewState {
        space: &at.space.id,
        session: at.session.as_ref(),
        actor: &caller.actor,
        status: request.status.unwrap_or(before.map_or(StateStatus::Active, |state| state.status)),
        current_goal: goal,
        summary: request.summary.as_deref().or_else(|| before?.summary.as_deref()),
        working_set: request.working_set.as_deref().or_else(|| Some(&before?.working_set)).unwrap_or_default(),
        source_event_ids: sources,
        metadata: request.metadata.as_ref().or_else(|| Some(&before?.metadata)).unwrap_or(&empty),
    };
    let (says, words) = (snapshot(&new), in_words(&new));
    let id = states::put(tx, &door.pass(tx, new)?, now)?;
    let event = tell(tx, caller, door, (at, &id), (says, &words), now)?;
    let payload = json!({ "event": event, "session": at.session });
    Engine::audit(tx, caller, "state.set", ("session_states", id.as_str()), &at.space.id, payload, now)?;
    // A space's that is done is not current any more, and is told of here for the last time.
    states::by_id(tx, &id)?.ok_or_else(|| not_found("state", id.as_str()).into())
}

fn snapshot(state: &NewState<'_>) -> Value {
    json!({
        "status": state.status,
        "current_goal": state.current_goal,
        "summary": state.summary,
        "working_set": state.working_set,
        "source_event_ids": state.source_event_ids,
        "metadata": state.metadata,
    })
}

fn in_words(state: &NewState<'_>) -> String {
    let goal = format!("In hand ({}): {}", state.status, state.current_goal);
    let summary = state.summary.map(|summary| format!("\n{summary}")).unwrap_or_default();
    format!("{goal}{summary}")
}

/// The event that writing it down leaves.
fn tell(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (at, id): (&At, &StateId),
    (says, words): (Value, &str),
    now: EpochMs,
) -> Result<EventId, Fault> {
    let metadata = json!({ "about": id, "is": "session_state", "state": says });
    let metadata = metadata.as_object().cloned().unwrap_or_default();
    let event = NewEvent {
        space: &at.space.id,
        session: at.session.as_ref(),
        actor: &caller.actor,
        kind: EventKind::SystemEvent,
        content: words,
        metadata: &metadata,
        occurred_at: now,
    };
    Ok(events::append(tx, &door.pass(tx, event)?, now)?)
}

/// Tells what is in hand.
pub(crate) fn state_get(engine: &Engine, caller: &Caller, request: StateGet) -> Outcome<StateGot> {
    engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        Ok(StateGot { state: states::current(c, &at.space.id, at.session.as_ref())? })
    })
}
