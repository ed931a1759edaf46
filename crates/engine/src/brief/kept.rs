//! Packs that are kept, listed.

use crate::error::{Outcome, not_found};
use crate::{Caller, Engine};
use um_model::SpaceId;
use um_model::work::{ContextsList, ContextsListed};
use um_store::contexts::{self, Listed};

/// Lists packs: an agent's own in what it reads, or all for the person.
pub(crate) fn contexts_list(engine: &Engine, caller: &Caller, request: ContextsList) -> Outcome<ContextsListed> {
    let (limit, now) = (request.limit.unwrap_or(50).clamp(1, 200), engine.now());
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let actor = caller.is_agent().then_some(&caller.actor);
        let which = Listed { spaces: &spaces, actor, after: request.after.as_ref() };
        if let Some(after) = &request.after {
            // After what is gone nothing comes, and that would look like the end of the list.
            super::hydrate::kept(c, caller, (after, now), || {
                let hint = "It may have gone since it was listed: list the packs from the newest again.";
                not_found("pack", after.as_str()).hint(hint)
            })?;
        }
        let mut packs = contexts::list(c, &which, (limit + 1, now))?;
        let more = packs.len() > limit as usize;
        packs.truncate(limit as usize);
        Ok(ContextsListed { packs, more })
    })
}
