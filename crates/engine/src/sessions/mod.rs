//! Sessions: stretches of work of an agent in a space. Begun or taken up again ([`begin`]), with what is in hand ([`state`]),
//! ended or given up ([`end`]), shown ([`show`]).

mod begin;
mod end;
mod show;
mod state;

pub(crate) use begin::{session_begin, session_set};
pub(crate) use end::{session_discard, session_end};
pub(crate) use show::{session_get, sessions_list};
pub(crate) use state::{state_get, state_set};

use crate::Caller;
use crate::error::{Fault, Outcome, not_found};
use serde_json::{Map, Value};
use um_model::work::{Session, SessionStatus};
use um_model::{ApiError, ErrorCode, SessionId};
use um_store::{Connection, sessions};

/// The largest metadata, in bytes of JSON.
const MAX_METADATA: usize = 4 * 1024;

/// Refuses to write into a session that has ended.
///
/// # Errors
/// `Conflict`.
pub(crate) fn refuse_ended(c: &Connection, session: &SessionId) -> Result<(), Fault> {
    if sessions::is_over(c, session)? {
        let error = ApiError::new(ErrorCode::Conflict, "That session has ended.");
        return Err(error.hint("Begin a new one, or write to its space.").into());
    }
    Ok(())
}

/// A session that the caller may do that with.
fn find(c: &Connection, caller: &Caller, id: &SessionId) -> Result<Session, Fault> {
    let found = sessions::by_id(c, id)?;
    let unknown = || not_found("session", id.as_str());
    crate::spaces::open(c, caller, found.as_ref().map(|session| session.space_id.clone()), unknown)?;
    found.ok_or_else(|| unknown().into())
}

/// A session that is the caller's; the person has part in all.
///
/// # Errors
/// `Forbidden` for an agent and another's.
pub(crate) fn own(c: &Connection, caller: &Caller, id: &SessionId) -> Result<Session, Fault> {
    let session = find(c, caller, id)?;
    if caller.is_agent() && session.agent_id.as_ref() != Some(&caller.actor) {
        let error = ApiError::new(ErrorCode::Forbidden, format!("That session is {}'s.", session.agent));
        return Err(error.hint("Begin one of your own: session_begin.").into());
    }
    Ok(session)
}

/// Whether a session may become that.
fn may_become(session: &Session, next: SessionStatus) -> Outcome<()> {
    match session.status.may_become(next) {
        true => Ok(()),
        false => Err(ApiError::new(ErrorCode::Conflict, format!("That session is {}.", session.status)).hint(
            if session.status.is_over() {
                "What has ended stays so; begin a new one."
            } else {
                "Nothing is to be done."
            },
        )),
    }
}

/// Refuses words that are too long.
fn short(what: &str, words: Option<&str>, most: usize) -> Outcome<()> {
    match words {
        Some(words) if words.len() > most => {
            Err(ApiError::new(ErrorCode::TextTooLong, format!("{what} has at most {most} bytes.")))
        }
        _ => Ok(()),
    }
}

fn small(metadata: &Map<String, Value>) -> Outcome<()> {
    let json = serde_json::to_string(metadata).unwrap_or_default();
    short("Metadata", Some(&json), MAX_METADATA)
}
