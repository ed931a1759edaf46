//! Places and parts that lie in one another: who lives in Oslo lives in Norway, too.

use super::conflict::is_agents;
use super::settle::EDGE_CONFIDENCE;
use crate::error::Fault;
use um_model::ClaimId;
use um_model::belief::Polarity;
use um_model::claims::{Claim, ClaimObject};
use um_store::{Connection, claims, conflicts};

/// The relations by which one thing lies in another.
const WITHIN: [&str; 2] = ["located_in", "part_of"];

/// Whether of the two things that claims of one subject name one lies in the other: that is asserted, surely enough, by others
/// than one agent alone, and not the other way round as well.
pub(super) fn lie_in_one(tx: &Connection, a: &Claim, b: &Claim) -> Result<bool, Fault> {
    let (ClaimObject::Entity(of_a), ClaimObject::Entity(of_b)) = (&a.object, &b.object) else { return Ok(false) };
    if a.subject.id != b.subject.id || of_a.id == of_b.id {
        return Ok(false);
    }
    let mut found = claims::relating(tx, &a.space_id, [&of_a.id, &of_b.id], &WITHIN)?;
    found.retain(|within| within.confidence >= EDGE_CONFIDENCE && !is_of_one_agent(within));
    Ok(found.first().is_some_and(|first| found.iter().all(|within| within.subject.id == first.subject.id)))
}

fn is_of_one_agent(claim: &Claim) -> bool {
    claim.telling.voice.as_ref().is_some_and(is_agents)
}

/// The claims that name what another one says to lie somewhere, or what a claim says that this disputes, beside others of the
/// same subject that name where.
pub(super) fn told_apart_by(tx: &Connection, within: &Claim) -> Result<Vec<ClaimId>, Fault> {
    if !WITHIN.contains(&within.predicate.as_str()) {
        return Ok(Vec::new());
    }
    let disputed = conflicts::of_claims(tx, std::slice::from_ref(&within.id))?;
    let disputed: Vec<ClaimId> = disputed.iter().map(|conflict| conflict.other(&within.id).clone()).collect();
    let mut found = Vec::new();
    for claim in claims::by_ids(tx, &disputed)?.iter().chain([within]) {
        if let (ClaimObject::Entity(object), Polarity::Positive) = (&claim.object, claim.polarity) {
            found.extend(claims::naming_both(tx, &claim.space_id, &claim.subject.id, &object.id)?);
        }
    }
    Ok(found)
}
