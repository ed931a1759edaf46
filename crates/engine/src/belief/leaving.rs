//! Who left, when, and what that ends. What is told of no time, in words of which nobody knows when they were said, is neither
//! before a leaving nor after it: it goes with the one that is told, as one history.

use super::conflict::may_add_to;
use super::family::{Family, Sure, Told, is_within, written};
use super::settle::is_believed;
use crate::error::Fault;
use um_model::belief::{ClaimType, Polarity};
use um_model::claims::Claim;
use um_model::{ClaimId, EpochMs};
use um_store::Connection;
use um_store::claims;

/// Since when a claim denies that something is so, as "left in 2021" does.
pub(super) fn since(leaving: &Claim) -> Option<EpochMs> {
    leaving.valid_from.filter(|_| leaving.polarity == Polarity::Negative && leaving.valid_to.is_none())
}

/// Whether a claim is of no time that anything tells: neither its words do, nor is it known when any of these were said.
pub(super) fn is_untold(claim: &Claim) -> bool {
    let said = claim.telling.heard_at.is_some() && claim.first_said_at.is_none();
    said && (claim.valid_from, claim.valid_to) == (None, None) && claim.claim_type != ClaimType::Event
}

/// Whether one denies from some day on what the other one tells of another time: of one that nobody knows, which is taken to be
/// before where whoever denies it may say so, or of one that began again after that.
pub(super) fn is_of_another_time(leaving: &Claim, told: &Claim) -> bool {
    let Some(left) = since(leaving).filter(|_| told.polarity == Polarity::Positive) else { return false };
    let again = |began: EpochMs| {
        let (left_in, began_in) = (written(left), Told::of(told).since);
        let at_once = |(left, began): (String, String)| is_within(&left, &began) || is_within(&began, &left);
        // Who is not there since some day is told so of all days after it; who left on it may come back.
        leaving.qualifiers.contains_key("at") && left < began && !left_in.zip(began_in).is_some_and(at_once)
    };
    match told.valid_from {
        Some(began) => again(began),
        None => {
            let before = told.last_said_at.is_none_or(|said| said < left);
            is_untold(told) && before && may_add_to(leaving, told)
        }
    }
}

/// When claims were last said, as far as they say that it is so on that day.
fn last_said<'a>(claims: impl Iterator<Item = &'a Claim>) -> Option<EpochMs> {
    claims.filter(|claim| Told::of(claim).since.is_none()).filter_map(|claim| claim.last_said_at).max()
}

/// A claim of which nobody knows when it was said, as said last when those were that stand behind it.
pub(super) fn with_words_behind(c: &Connection, claim: &Claim) -> Result<Claim, Fault> {
    let mut claim = claim.clone();
    if is_untold(&claim) {
        let behind = claims::behind(c, std::slice::from_ref(&claim.id))?;
        let behind: Vec<ClaimId> = behind.into_iter().map(|(id, ..)| id).collect();
        claim.last_said_at = last_said(claims::by_ids(c, &behind)?.iter());
    }
    Ok(claim)
}

/// Has what was said at no time that anybody knows end when somebody left. Gives which claims do.
pub(super) fn end_untold(tx: &Connection, family: &Family) -> Result<Vec<ClaimId>, Fault> {
    let affirmed = family.claims().filter(|claim| claim.polarity == Polarity::Positive && is_believed(claim));
    let untold: Vec<&Claim> = affirmed.filter(|claim| is_untold(claim) && !Told::of(claim).is_counted()).collect();
    let leavings: Vec<&Claim> = family
        .claims()
        .chain(family.parted())
        .filter(|leaving| is_believed(leaving) && since(leaving).is_some())
        .collect();
    let mut ended = Vec::new();
    if untold.is_empty() || leavings.is_empty() {
        return Ok(ended);
    }
    let sure = Sure::of(&family.words(tx)?);
    for claim in untold {
        // It goes on where words that stand behind it were said later, as in a mail.
        let said = last_said(family.behind(&claim.id));
        let later = |leaving: &Claim| said.is_some_and(|said| since(leaving).is_some_and(|left| left <= said));
        let ends = leavings.iter().filter(|leaving| ends(leaving, claim, &sure) && !later(leaving));
        if let Some(end) = ends.filter_map(|leaving| since(leaving)).min()
            && claims::set_ends_told(tx, &claim.id, (None, Some(end)))?
        {
            ended.push(claim.id.clone());
        }
    }
    Ok(ended)
}

/// Whether a leaving is of what a claim tells, and as sure as it must be to end that.
fn ends(leaving: &Claim, claim: &Claim, sure: &Sure) -> bool {
    let mut qualifiers = leaving.qualifiers.clone();
    qualifiers.retain(|key, _| !["at", "since", "until"].contains(&key.as_str()));
    Told::with(&qualifiers, (None, None)).says_no_more_than(&Told::of(claim)) && sure.carries(leaving, claim)
}
