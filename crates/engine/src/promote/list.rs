//! Requests, listed for whoever may see them.

use super::decided_by;
use crate::access::{Wish, usable};
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use um_model::access::Right;
use um_model::promote::{Promotion, PromotionStatus, PromotionsList, PromotionsListed};
use um_model::spaces::Space;
use um_store::promotions::{self, SeenBy, Wanted};
use um_store::{Connection, spaces};

/// Lists requests, the newest first.
pub(crate) fn promotions_list(engine: &Engine, caller: &Caller, request: PromotionsList) -> Outcome<PromotionsListed> {
    let limit = request.limit.unwrap_or(100).min(1000);
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let space = request.space.as_deref().map(|space| crate::spaces::resolve(c, caller, space)).transpose()?;
        let statuses =
            if request.statuses.is_empty() { vec![PromotionStatus::Pending] } else { request.statuses.clone() };
        let seen_by = if caller.is_agent() { Some(seen_by(c, caller)?) } else { None };
        let wanted = Wanted { statuses, space: space.map(|space| space.id), seen_by };
        let (found, total) = promotions::list(c, &wanted, request.offset, limit)?;
        let promotions = with_paths(c, found.into_iter().map(|stored| stored.promotion).collect())?;
        Ok(PromotionsListed { promotions, total })
    })
}

fn seen_by(c: &Connection, caller: &Caller) -> Result<SeenBy, Fault> {
    let reads = usable(c, caller, spaces::all(c)?, Wish::Use(Right::Read))?;
    let ids = |spaces: Vec<Space>| spaces.into_iter().map(|space| space.id).collect();
    let decides = ids(decided_by(c, caller, reads.clone())?);
    Ok(SeenBy { agent: caller.actor.clone(), reads: ids(reads), decides })
}

/// Requests with the paths of their spaces.
pub(crate) fn with_paths(c: &Connection, mut promotions: Vec<Promotion>) -> Result<Vec<Promotion>, Fault> {
    let every: Vec<Space> = spaces::all(c)?.into_iter().chain(spaces::archived(c)?).collect();
    let path = |id| {
        every.iter().find(|space| space.id == id).map(|space| um_model::spaces::path(&every, space)).unwrap_or_default()
    };
    for promotion in &mut promotions {
        promotion.space = path(promotion.space_id.clone());
        promotion.target_space = path(promotion.target_space_id.clone());
    }
    Ok(promotions)
}
