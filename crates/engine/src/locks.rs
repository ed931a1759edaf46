//! Files that agents hold. What a lock says is words: nothing on the disk is looked at, and nothing there is kept from anybody.

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::scopes::resolve_at;
use crate::{Caller, Engine};
use um_model::health::Event;
use um_model::spaces::Space;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, LockId, SpaceId};
use um_store::locks::{self, NewLock, Wanted};
use um_store::{Connection, spaces};

/// How long a file is held: at least, where nothing is said, at most.
const TTL_MS: (EpochMs, EpochMs, EpochMs) = (60_000, 30 * 60_000, 24 * 3_600_000);
/// The longest path, in bytes.
const MAX_PATH: usize = 1_000;
/// The longest note, in bytes.
const MAX_NOTE: usize = 500;

/// Takes a file, or holds it longer.
pub(crate) fn lock_checkout(engine: &Engine, caller: &Caller, request: LockCheckout) -> Outcome<Lock> {
    let (least, usual, most) = TTL_MS;
    let ttl = request.ttl_ms.unwrap_or(usual);
    if !(least..=most).contains(&ttl) {
        return Err(invalid("A file is held for a minute to a day."));
    }
    if request.note.as_ref().is_some_and(|note| note.len() > MAX_NOTE) {
        return Err(ApiError::new(ErrorCode::TextTooLong, format!("A note has at most {MAX_NOTE} bytes.")));
    }
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let lock = engine.write(move |tx| {
        let at = resolve_at(tx, &caller, request.space.as_deref(), request.session.as_ref())?;
        if let Some(session) = &at.session {
            crate::sessions::own(tx, &caller, session)?;
            crate::sessions::refuse_ended(tx, session)?;
        }
        locks::release_due(tx, now)?;
        let path = path(tx, &at.space, &request.path)?;
        let held = locks::held(tx, &at.space.id, &path)?;
        // Two sessions of one agent are two that work.
        let is_anothers = |held: &&Lock| held.agent_id != caller.actor || held.session_id != at.session;
        if let Some(other) = held.as_ref().filter(is_anothers) {
            return Err(taken(other, now).into());
        }
        let new = NewLock {
            space: &at.space.id,
            path: &path,
            agent: &caller.actor,
            session: at.session.as_ref(),
            note: request.note.as_deref(),
            expires_at: now + ttl,
        };
        let new = Door::of(&key, &at.space.id).pass(tx, new)?;
        let id = match held {
            Some(held) => {
                locks::renew(tx, &held.id, &new)?;
                held.id
            }
            None => locks::insert(tx, &new, now)?,
        };
        let payload = serde_json::json!({ "until": now + ttl });
        Engine::audit(tx, &caller, "lock.taken", ("file_locks", id.as_str()), &at.space.id, payload, now)?;
        by_id(tx, &caller, &id)
    })?;
    engine.tell(Event::Work);
    Ok(lock)
}

fn taken(by: &Lock, now: EpochMs) -> ApiError {
    let minutes = (by.expires_at - now + 59_999) / 60_000;
    let whose = if by.session_id.is_some() { " in a session" } else { "" };
    ApiError::new(ErrorCode::Conflict, format!("{} holds it{whose}, for {minutes} more minutes at most.", by.agent))
        .hint("Work on something else until then; locks_list tells what for. The person can take it away: umem lock force.")
}

/// A path below the root of its space, or a whole one, in one form: no `.`, no `..`, no double slash.
fn path(c: &Connection, space: &Space, given: &str) -> Result<String, Fault> {
    let given = given.trim().replace('\\', "/");
    if given.len() > MAX_PATH || given.contains(char::is_control) {
        return Err(invalid(format!("A path has at most {MAX_PATH} bytes.")).into());
    }
    let root = spaces::root_path(c, &space.id)?.map(|root| root.replace('\\', "/"));
    let parts_of = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
    };
    let mut parts = parts_of(&given);
    let mut is_whole = given.starts_with('/');
    if let Some(root) = root.as_deref().map(parts_of).filter(|root| is_whole && parts.starts_with(root)) {
        parts.drain(..root.len());
        is_whole = false;
    }
    if parts.is_empty() || parts.iter().any(|part| part == "..") {
        return Err(invalid("That is no path of a file.")
            .hint("Name one below the root of the space, without \"..\".")
            .into());
    }
    Ok(format!("{}{}", if is_whole { "/" } else { "" }, parts.join("/")))
}

fn by_id(c: &Connection, caller: &Caller, id: &LockId) -> Result<Lock, Fault> {
    let found = locks::by_id(c, id)?;
    let unknown = || not_found("lock", id.as_str());
    crate::spaces::open(c, caller, found.as_ref().map(|lock| lock.space_id.clone()), unknown)?;
    found.ok_or_else(|| unknown().into())
}

/// Lets a file go. One that is free already stays so.
pub(crate) fn lock_checkin(engine: &Engine, caller: &Caller, request: LockCheckin) -> Outcome<Lock> {
    let (caller, now) = (caller.clone(), engine.now());
    let lock = engine.write(move |tx| {
        let lock = match (&request.lock, &request.path) {
            (Some(id), None) => by_id(tx, &caller, id)?,
            (None, Some(given)) => {
                let at = resolve_at(tx, &caller, request.space.as_deref(), None)?;
                let path = path(tx, &at.space, given)?;
                let unknown = || not_found("file that is held", &path);
                locks::held(tx, &at.space.id, &path)?.ok_or_else(unknown)?
            }
            _ => return Err(invalid("Give the id of the lock, or the path of the file.").into()),
        };
        if lock.agent_id != caller.actor {
            let error = ApiError::new(ErrorCode::Forbidden, format!("{} holds it.", lock.agent));
            return Err(error.hint("Only they let it go; the person can take it away: umem lock force.").into());
        }
        let_go(tx, &caller, &lock, ("lock.released", false), now)?;
        by_id(tx, &caller, &lock.id)
    })?;
    engine.tell(Event::Work);
    Ok(lock)
}

/// Takes a file away from whoever holds it.
pub(crate) fn lock_force(engine: &Engine, caller: &Caller, request: LockForce) -> Outcome<Lock> {
    let (caller, now) = (caller.clone(), engine.now());
    let lock = engine.write(move |tx| {
        let lock = by_id(tx, &caller, &request.lock)?;
        let_go(tx, &caller, &lock, ("lock.forced", true), now)?;
        by_id(tx, &caller, &lock.id)
    })?;
    engine.tell(Event::Work);
    Ok(lock)
}

fn let_go(
    tx: &Connection,
    caller: &Caller,
    lock: &Lock,
    (event, was_forced): (&str, bool),
    now: EpochMs,
) -> Result<(), Fault> {
    if lock.released_at.is_some() {
        return Ok(());
    }
    locks::release(tx, &lock.id, &caller.actor, was_forced, now)?;
    let object = ("file_locks", lock.id.as_str());
    Engine::audit(tx, caller, event, object, &lock.space_id, serde_json::json!({}), now)
}

/// Lists files that are held.
pub(crate) fn locks_list(engine: &Engine, caller: &Caller, request: LocksList) -> Outcome<LocksListed> {
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    let now = engine.now();
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        let wanted = Wanted { spaces: &spaces, session: None, released: request.released };
        let mut locks = locks::list(c, &wanted, now, (request.offset, limit + 1))?;
        let more = locks.len() > limit as usize;
        locks.truncate(limit as usize);
        Ok(LocksListed { locks, more })
    })
}
