//! Events as they are read.

use crate::error::{Outcome, not_found};
use crate::recall::words::Question;
use crate::scopes::resolve_at;
use crate::{Caller, Engine, bounded};
use um_model::work::*;
use um_model::{EventId, SpaceId};
use um_store::events::{self, list, list::Wanted};

/// Lists events.
pub(crate) fn events_list(engine: &Engine, caller: &Caller, request: EventsList) -> Outcome<EventsListed> {
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    if let Some(event) = &request.event {
        return one(engine, caller, event);
    }
    engine.read(|c| {
        let spaces: Vec<SpaceId> = match (&request.space, &request.session) {
            (None, None) => crate::spaces::readable(c, caller, None)?.into_iter().map(|space| space.id).collect(),
            (space, session) => vec![resolve_at(c, caller, space.as_deref(), session.as_ref())?.space.id],
        };
        let wanted = Wanted {
            spaces: &spaces,
            session: request.session.as_ref(),
            kinds: &request.kinds,
            since: request.since,
            until: request.until,
        };
        let page = (request.offset, limit + 1);
        let mut events = match request.text.as_deref().map(|text| Question::parse(text).match_expression()) {
            None => list::latest(c, &wanted, page)?,
            Some(Some(expression)) => list::saying(c, &wanted, &expression, page)?,
            Some(None) => Vec::new(),
        };
        let more = events.len() > limit as usize;
        events.truncate(limit as usize);
        events.iter_mut().for_each(bounded::event);
        Ok(EventsListed { events, more })
    })
}

/// One event, with all that it says.
fn one(engine: &Engine, caller: &Caller, id: &EventId) -> Outcome<EventsListed> {
    engine.read(|c| {
        let unknown = || not_found("event", id.as_str());
        crate::spaces::open(c, caller, events::space_of(c, id)?, unknown)?;
        Ok(EventsListed { events: list::by_ids(c, std::slice::from_ref(id))?, more: false })
    })
}
