//! Ending a session, and giving one up.

use super::state::{self, MAX_SUMMARY};
use super::{find, may_become, own, short};
use crate::error::{Fault, Outcome};
use crate::events::{Batch, markers};
use crate::forget::Door;
use crate::held::MOST_WAITING;
use crate::scopes::{At, resolve_at};
use crate::{Caller, Engine};
use std::collections::HashSet;
use um_model::capture::MemoryRemember;
use um_model::health::Event;
use um_model::held::{HeldState, HoldReason};
use um_model::ops::Request as _;
use um_model::work::*;
use um_model::{ApiError, CandidateId, EpochMs, ErrorCode, SessionId};
use um_store::forget::{Eraser, Rows, erase};
use um_store::held::{self, Asked, NewHeld};
use um_store::{Connection, locks, sessions};

/// Ends a session.
pub(crate) fn session_end(engine: &Engine, caller: &Caller, request: SessionEnd) -> Outcome<SessionEnded> {
    short("A summary", request.summary.as_deref(), MAX_SUMMARY)?;
    crate::events::check(&request.transcript)?;
    let door = engine.read(|c| {
        let session = own(c, caller, &request.session)?;
        Door::compared(c, engine.key(), &session.space_id, &Batch(&request.transcript))
    })?;
    let (caller, now) = (caller.clone(), engine.now());
    let ended = engine.write(move |tx| {
        let session = own(tx, &caller, &request.session)?;
        may_become(&session, SessionStatus::Completed)?;
        let at = resolve_at(tx, &caller, None, Some(&session.id))?;
        crate::events::append(tx, &caller, &door, (&at, &request.transcript), now)?;
        if let Some(summary) = &request.summary {
            finish(tx, &caller, &door, (&at, &session, summary), now)?;
        }
        let (held, not_held) = hold_marked(tx, &caller, &door, &session, now)?;
        locks::release_of(tx, &session.id, &caller.actor, now)?;
        sessions::set_status(tx, &session.id, SessionStatus::Completed, now)?;
        let payload =
            serde_json::json!({ "held": held.len(), "not_held": not_held, "events": request.transcript.len() });
        let object = ("sessions", session.id.as_str());
        Engine::audit(tx, &caller, "session.ended", object, &session.space_id, payload, now)?;
        Ok(SessionEnded { session: find(tx, &caller, &session.id)?, held, not_held })
    })?;
    engine.tell(Event::Work);
    if !ended.held.is_empty() {
        engine.tell(Event::Held);
    }
    Ok(ended)
}

/// Writes down what came of it.
fn finish(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (at, session, summary): (&At, &Session, &str),
    now: EpochMs,
) -> Result<(), Fault> {
    let known = um_store::sessions::states::current(tx, &at.space.id, at.session.as_ref())?;
    let goal = session.purpose.as_ref().or(session.name.as_ref()).filter(|_| known.is_none()).cloned();
    let request = StateSet {
        status: Some(StateStatus::Complete),
        current_goal: goal.or_else(|| known.is_none().then(|| "A session".to_owned())),
        summary: Some(summary.to_owned()),
        ..StateSet::default()
    };
    state::put(tx, caller, door, (at, &request), now).map(drop)
}

/// Has what the messages of a session mark to be remembered wait for the person, each text once; and how many had no room.
fn hold_marked(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    session: &Session,
    now: EpochMs,
) -> Result<(Vec<CandidateId>, u32), Fault> {
    let actor = session.agent_id.as_ref().unwrap_or(&caller.actor);
    let (mut ids, mut not_held) = (Vec::new(), HashSet::new());
    for (event, message) in um_store::events::list::messages(tx, &session.id)? {
        for (record_kind, text) in markers::marked(&message) {
            let request = MemoryRemember {
                text: text.clone(),
                space: session.space_id.to_string(),
                session: Some(session.id.to_string()),
                record_kind: Some(record_kind),
                ..MemoryRemember::default()
            };
            let request =
                serde_json::to_value(request).map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
            let asked = Asked { operation: MemoryRemember::NAME.to_owned(), request };
            let new = NewHeld {
                space: &session.space_id,
                actor,
                kind: "memory",
                title: None,
                says: &text,
                reasons: &[HoldReason::Marker],
                asked: &asked,
                session: Some(&session.id),
                event: Some(&event),
                trace: None,
                seen: None,
            };
            let new = door.pass(tx, new)?;
            let known = held::known(tx, &new)?;
            if known.is_none() && held::waiting_of(tx, &session.space_id, actor)? >= MOST_WAITING {
                not_held.insert((record_kind.as_str(), text));
                continue;
            }
            let (id, state) = known.map_or_else(|| held::hold(tx, &new, now), Ok)?;
            if state == HeldState::Waiting && !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    Ok((ids, u32::try_from(not_held.len()).unwrap_or(u32::MAX)))
}

/// Gives a session up.
pub(crate) fn session_discard(engine: &Engine, caller: &Caller, request: SessionDiscard) -> Outcome<Session> {
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let session = engine.write(move |tx| {
        let session = own(tx, &caller, &request.session)?;
        may_become(&session, SessionStatus::Discarded)?;
        let rows = scratch(tx, &session.id)?;
        let gone = rows.counts();
        erase(tx, &rows, &Eraser { actor: &caller.actor, key: &key, now })?;
        sessions::empty_metadata(tx, &session.id)?;
        locks::release_of(tx, &session.id, &caller.actor, now)?;
        sessions::set_status(tx, &session.id, SessionStatus::Discarded, now)?;
        let object = ("sessions", session.id.as_str());
        let payload = serde_json::json!({ "gone": gone });
        Engine::audit(tx, &caller, "session.discarded", object, &session.space_id, payload, now)?;
        find(tx, &caller, &session.id)
    })?;
    engine.tell(Event::Work);
    engine.tell(Event::Held);
    Ok(session)
}

/// What belongs to a session alone. Its events stay: they are what was said and done.
fn scratch(tx: &Connection, session: &SessionId) -> Result<Rows, Fault> {
    let mut rows = Rows::default();
    for (table, id) in sessions::scratch(tx, session)? {
        rows.add(table, id);
    }
    Ok(rows)
}
