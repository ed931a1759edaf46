//! Beginning a session, or taking one up again.

use super::{find, may_become, own, short, small};
use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::{Caller, Engine};
use um_model::health::Event;
use um_model::work::*;
use um_model::{EpochMs, SessionId};
use um_store::sessions::{self, About, states};
use um_store::{Connection, Transaction};

/// The longest name and name by a program, in bytes.
const MAX_NAME: usize = 200;
/// The longest purpose, in bytes.
const MAX_PURPOSE: usize = 1_000;

/// Begins a session, or takes one up again.
pub(crate) fn session_begin(engine: &Engine, caller: &Caller, mut request: SessionBegin) -> Outcome<SessionBegun> {
    // Programs that call it nothing do not call it the same.
    request.client_ref = request.client_ref.map(|called| called.trim().to_owned()).filter(|called| !called.is_empty());
    short("A name", request.name.as_deref(), MAX_NAME)?;
    short("The program's name of a session", request.client_ref.as_deref(), MAX_NAME)?;
    short("A purpose", request.purpose.as_deref(), MAX_PURPOSE)?;
    small(&request.metadata)?;
    crate::brief::check_budget(request.budget_tokens)?;
    if let Some(workspace) = &request.workspace {
        check_workspace(engine, caller, &request, workspace)?;
    }
    let (asked, reader) = (asked(&request), caller.clone());
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let begun = engine.write(move |tx| {
        let (session, notices) = match known(tx, &caller, &request)? {
            Some(session) => {
                go_on(tx, &caller, &session, now)?;
                let notices = not_changed(&session, &request);
                (session.id, Some(notices))
            }
            None => {
                let space = crate::spaces::resolve_or_usual(tx, &caller, request.space.as_deref())?;
                (begin(tx, &caller, &Door::of(&key, &space.id), &request, now)?, None)
            }
        };
        let session = find(tx, &caller, &session)?;
        let state = match states::current(tx, &session.space_id, Some(&session.id))? {
            Some(state) => Some(state),
            None => states::current(tx, &session.space_id, None)?,
        };
        Ok((session, notices, state))
    })?;
    engine.tell(Event::Work);
    let (session, notices, state) = begun;
    let state = state.filter(|_| reader.reads());
    let asked = ContextCompile { session: Some(session.id.clone()), ..asked };
    let briefing = crate::brief::compile(engine, &reader, &asked, &serde_json::json!([session, state]))?;
    let (resumed, notices) = (notices.is_some(), notices.unwrap_or_default());
    Ok(SessionBegun { session, resumed, notices, state, briefing })
}

/// Refuses a work tree that is closed to the caller, before anything is begun.
fn check_workspace(engine: &Engine, caller: &Caller, request: &SessionBegin, workspace: &str) -> Outcome<()> {
    let space = engine.read(|c| {
        let named = request.space.as_deref();
        Ok::<_, Fault>(crate::scopes::resolve_at(c, caller, named, request.resume.as_ref())?.space)
    })?;
    crate::drift::WorkTree::named(engine, caller, &space, workspace).map(drop)
}

/// What is asked for the briefing.
fn asked(request: &SessionBegin) -> ContextCompile {
    ContextCompile {
        policy: request.policy,
        budget_tokens: request.budget_tokens,
        workspace: request.workspace.clone(),
        ..ContextCompile::default()
    }
}

/// The session that is meant, where one is: by its id, or by what the program calls it.
fn known(tx: &Connection, caller: &Caller, request: &SessionBegin) -> Result<Option<Session>, Fault> {
    if let Some(id) = &request.resume {
        // It lies where it lies: another space is refused.
        crate::scopes::resolve_at(tx, caller, request.space.as_deref(), Some(id))?;
        return own(tx, caller, id).map(Some);
    }
    let Some(client_ref) = request.client_ref.as_deref() else { return Ok(None) };
    let space = crate::spaces::resolve_or_usual(tx, caller, request.space.as_deref())?;
    Ok(sessions::by_client(tx, &space.id, &caller.actor, client_ref)?)
}

/// What is told of a session that goes on where it is asked for as another one.
fn not_changed(session: &Session, request: &SessionBegin) -> Vec<String> {
    let differs = |asked: &Option<String>, is: &Option<String>| asked.is_some() && asked != is;
    let fields = [
        ("name", differs(&request.name, &session.name)),
        ("purpose", differs(&request.purpose, &session.purpose)),
        ("client_ref", differs(&request.client_ref, &session.client_ref)),
        ("metadata", !request.metadata.is_empty() && request.metadata != session.metadata),
    ];
    let fields: Vec<&str> = fields.into_iter().filter_map(|(field, differs)| differs.then_some(field)).collect();
    match fields.as_slice() {
        [] => Vec::new(),
        fields => {
            let fields = fields.join(", ");
            vec![format!("It goes on as it was: {fields} of this call changed nothing. session_set changes a session.")]
        }
    }
}

fn begin(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    request: &SessionBegin,
    now: EpochMs,
) -> Result<SessionId, Fault> {
    let about = About {
        name: request.name.as_deref(),
        purpose: request.purpose.as_deref(),
        client_ref: request.client_ref.as_deref(),
        metadata: &request.metadata,
    };
    let id = sessions::insert(tx, (&door.space, &caller.actor), &door.pass(tx, about)?, now)?;
    Engine::audit(tx, caller, "session.begun", ("sessions", id.as_str()), &door.space, serde_json::json!({}), now)?;
    Ok(id)
}

/// Takes a session up again, where it was put off.
fn go_on(tx: &Connection, caller: &Caller, session: &Session, now: EpochMs) -> Result<(), Fault> {
    if session.status == SessionStatus::Active {
        return Ok(());
    }
    may_become(session, SessionStatus::Active)?;
    sessions::set_status(tx, &session.id, SessionStatus::Active, now)?;
    let object = ("sessions", session.id.as_str());
    Engine::audit(tx, caller, "session.resumed", object, &session.space_id, serde_json::json!({}), now)
}

/// Pauses a session, takes it up again, or says what it is.
pub(crate) fn session_set(engine: &Engine, caller: &Caller, request: SessionSet) -> Outcome<Session> {
    if request.status.is_some_and(SessionStatus::is_over) {
        return Err(invalid("A session is ended by session_end, and given up by session_discard."));
    }
    short("A name", request.name.as_deref(), MAX_NAME)?;
    short("A purpose", request.purpose.as_deref(), MAX_PURPOSE)?;
    request.metadata.as_ref().map_or(Ok(()), small)?;
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let session = engine.write(move |tx| {
        let session = own(tx, &caller, &request.session)?;
        super::refuse_ended(tx, &session.id)?;
        match request.status {
            Some(SessionStatus::Active) => go_on(tx, &caller, &session, now)?,
            Some(SessionStatus::Paused) if session.status == SessionStatus::Active => {
                sessions::set_status(tx, &session.id, SessionStatus::Paused, now)?;
                let object = ("sessions", session.id.as_str());
                let payload = serde_json::json!({});
                Engine::audit(tx, &caller, "session.paused", object, &session.space_id, payload, now)?;
            }
            _ => {}
        }
        edit(tx, &caller, &Door::of(&key, &session.space_id), (&session, &request), now)?;
        find(tx, &caller, &session.id)
    })?;
    engine.tell(Event::Work);
    Ok(session)
}

fn edit(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (session, request): (&Session, &SessionSet),
    now: EpochMs,
) -> Result<(), Fault> {
    if request.name.is_none() && request.purpose.is_none() && request.metadata.is_none() {
        return Ok(());
    }
    let about = About {
        name: request.name.as_deref().or(session.name.as_deref()),
        purpose: request.purpose.as_deref().or(session.purpose.as_deref()),
        client_ref: session.client_ref.as_deref(),
        metadata: request.metadata.as_ref().unwrap_or(&session.metadata),
    };
    sessions::set_about(tx, &session.id, &door.pass(tx, about)?)?;
    let object = ("sessions", session.id.as_str());
    Engine::audit(tx, caller, "session.edited", object, &session.space_id, serde_json::json!({}), now)
}
