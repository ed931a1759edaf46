//! Sessions as they are read.

use super::find;
use crate::error::Outcome;
use crate::{Caller, Engine, bounded};
use um_model::SpaceId;
use um_model::work::*;
use um_store::entries::levels::{self, Wanted};
use um_store::entries::{self, Place};
use um_store::sessions::{self, states};
use um_store::{events, locks};

/// So many entries and locks of a session are told.
const SHOWN: u32 = 50;

/// Lists sessions, the latest first.
pub(crate) fn sessions_list(engine: &Engine, caller: &Caller, request: SessionsList) -> Outcome<SessionsListed> {
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        let page = (request.offset, limit + 1);
        let mut sessions = sessions::list(c, &spaces, &request.statuses, request.agent.as_ref(), page)?;
        let more = sessions.len() > limit as usize;
        sessions.truncate(limit as usize);
        Ok(SessionsListed { sessions, more })
    })
}

/// Fetches a session with what belongs to it.
pub(crate) fn session_get(engine: &Engine, caller: &Caller, request: SessionGet) -> Outcome<SessionDetail> {
    let now = engine.now();
    engine.read(|c| {
        let session = find(c, caller, &request.session)?;
        let (space, id) = (std::slice::from_ref(&session.space_id), Some(&session.id));
        let place = Place { space: &session.space_id, session: id };
        let listed = levels::page(c, place, &[], Wanted::default(), (0, SHOWN as usize))?;
        let rids: Vec<i64> = listed.iter().map(|one| one.rid).collect();
        let of_session = events::list::Wanted { spaces: space, session: id, ..Default::default() };
        let last = (0, request.events.unwrap_or(20).min(200));
        let held = locks::Wanted { spaces: space, session: id, released: false };
        let mut events = events::list::latest(c, &of_session, last)?;
        events.iter_mut().for_each(bounded::event);
        let mut entries = entries::by_rids(c, &rids)?;
        crate::entries::mark_run_out(&mut entries, now);
        Ok(SessionDetail {
            state: states::current(c, &session.space_id, id)?,
            entries: bounded::entries(entries),
            events,
            locks: locks::list(c, &held, now, (0, SHOWN))?,
            session,
        })
    })
}
