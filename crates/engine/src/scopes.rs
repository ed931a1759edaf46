//! Where something of what agents work with belongs, and the levels that are read with it: session, space, the spaces above it,
//! GLOBAL. The nearest level wins by type and name (rulings 17 and 18).

use crate::Caller;
use crate::access::{Wish, usable};
use crate::error::{Fault, invalid, not_found};
use um_model::access::Right;
use um_model::scope::Scope;
use um_model::spaces::Space;
use um_model::{GLOBAL, SessionId};
use um_store::{Connection, sessions, spaces};

/// A space, or a session in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct At {
    pub space: Space,
    pub session: Option<SessionId>,
}

/// One of the levels that are read, the nearest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Level {
    pub space: Space,
    /// What belongs to this session alone; nothing where the level is the space itself.
    pub session: Option<SessionId>,
    /// How far it is: 0 is the nearest.
    pub distance: u8,
}

/// Where a request belongs that names a space, by name, path, id or [scope](Scope), or a session, or both. Where it names
/// neither, that is an agent's only space, else the default project. A session that the caller cannot reach is unknown to it.
pub(crate) fn resolve_at(
    c: &Connection,
    caller: &Caller,
    wanted: Option<&str>,
    session: Option<&SessionId>,
) -> Result<At, Fault> {
    let named = match wanted.and_then(Scope::parse) {
        Some(Scope::Session(id)) => Some(id),
        _ => None,
    };
    let (session, wanted) = match (named, session) {
        (Some(named), Some(session)) if named != *session => {
            return Err(invalid("Two sessions are named.").hint("Name one of them.").into());
        }
        (Some(named), _) => (Some(named), None),
        (None, session) => (session.cloned(), wanted),
    };
    let Some(session) = session else {
        let space = crate::spaces::resolve_or_usual(c, caller, wanted)?;
        return Ok(At { space, session: None });
    };
    let unknown = || not_found("session", session.as_str());
    let lies_in = crate::spaces::open(c, caller, sessions::space_of(c, &session)?, unknown)?;
    let space = crate::spaces::resolve(c, caller, lies_in.as_str())?;
    if let Some(wanted) = wanted
        && crate::spaces::resolve(c, caller, wanted)?.id != space.id
    {
        let message = format!("That session belongs to {}, not to {wanted}.", space.name);
        return Err(invalid(message).hint("Leave the space out; a session lies in one.").into());
    }
    Ok(At { space, session: Some(session) })
}

/// The levels that are read with a place, the nearest first. A space above it counts only where the caller reads it.
pub(crate) fn chain(c: &Connection, caller: &Caller, at: &At) -> Result<Vec<Level>, Fault> {
    let every = spaces::all(c)?;
    let mut above: Vec<Space> = Vec::new();
    let mut next = at.space.parent_space_id.clone();
    // The schema lets no space stand above itself.
    while let Some(space) = next.and_then(|id| every.iter().find(|space| space.id == id)) {
        next = space.parent_space_id.clone();
        above.push(space.clone());
    }
    if at.space.id.as_str() != GLOBAL {
        above.extend(every.iter().find(|space| space.id.as_str() == GLOBAL).cloned());
    }
    let read = usable(c, caller, above, Wish::Use(Right::Read))?;
    let session = at.session.iter().map(|id| (at.space.clone(), Some(id.clone())));
    let levels = session.chain([(at.space.clone(), None)]).chain(read.into_iter().map(|space| (space, None)));
    Ok(levels
        .enumerate()
        .map(|(at, (space, session))| Level { space, session, distance: u8::try_from(at).unwrap_or(u8::MAX) })
        .collect())
}
