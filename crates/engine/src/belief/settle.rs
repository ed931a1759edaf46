//! Bringing a claim in line with its evidence: its confidence, its state, its conflicts, its edge. Every path
//! that changes evidence or a claim ends here, so that no conflict and no stale edge slips through.

use super::confidence::{confidence, weight};
use super::conflict::{Limits, conflict_between, overlap};
use super::record::{Said, key_of};
use crate::error::{Fault, not_found};
use std::collections::BTreeSet;
use um_model::belief::{ClaimState, ConflictType, EvidencePolarity, Polarity, ResolutionType};
use um_model::claims::{Claim, ClaimObject, Confidence};
use um_model::{AgentId, ClaimId, ConflictId, EpochMs};
use um_store::claims::{self, Cause};
use um_store::conflicts::{self, Stored};
use um_store::evidence::{self, Found};
use um_store::{Connection, edges};

/// An edge needs a claim at least as sure.
pub(crate) const EDGE_CONFIDENCE: f64 = 0.5;
/// At most so many pieces of evidence of a claim are weighed.
pub(crate) const WEIGHED: u32 = 2_000;

/// Why claims are settled, and by whom.
#[derive(Debug, Clone)]
pub(crate) struct Why<'a> {
    pub(crate) actor: &'a AgentId,
    pub(crate) now: EpochMs,
    /// `Evidence` or `Extraction`: what is written where a draft becomes asserted.
    pub(crate) cause: Cause,
    /// Whether a source that the claim did not have speaks for it: that brings a retracted claim back.
    pub(crate) new_source: bool,
}

/// The confidence of a claim by its evidence.
pub(crate) fn weigh(found: &[Found]) -> Confidence {
    confidence(found.iter().map(|piece| (piece.cluster.as_str(), piece.polarity, weight(piece))))
}

/// The claim that says the opposite, whatever became of it.
pub(crate) fn opposite(tx: &Connection, claim: &Claim) -> Result<Option<Claim>, Fault> {
    let polarity = match claim.polarity {
        Polarity::Positive => Polarity::Negative,
        Polarity::Negative => Polarity::Positive,
    };
    Ok(claims::by_key(tx, &claim.space_id, &key_of(tx, &Said::of(claim), polarity)?)?)
}

/// All that speaks for a claim and against it. What speaks for the opposite speaks against it, as long as that is
/// believed too and at the same time.
pub(crate) fn evidence_of(tx: &Connection, claim: &Claim, opposite: Option<&Claim>) -> Result<Vec<Found>, Fault> {
    let mut found = evidence::of_claims(tx, std::slice::from_ref(&claim.id), WEIGHED)?;
    if let Some(opposite) = opposite.filter(|other| is_believed(other) && overlap(claim, other)) {
        let denials = evidence::of_claims(tx, std::slice::from_ref(&opposite.id), WEIGHED)?;
        found.extend(
            denials
                .into_iter()
                .filter(|piece| piece.polarity == EvidencePolarity::Supporting)
                .map(|piece| Found { polarity: EvidencePolarity::Contradicting, ..piece }),
        );
    }
    Ok(found)
}

/// Whether a source that is in use speaks for a claim.
pub(crate) fn is_supported(tx: &Connection, id: &ClaimId) -> Result<bool, Fault> {
    let found = evidence::of_claims(tx, std::slice::from_ref(id), WEIGHED)?;
    Ok(found.iter().any(|piece| piece.polarity == EvidencePolarity::Supporting && weight(piece) > 0.0))
}

fn get(tx: &Connection, id: &ClaimId) -> Result<Claim, Fault> {
    claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()).into())
}

/// Settles a claim: brings its confidence and state in line with its evidence, its conflicts and its edge in line
/// with its state. Gives the conflicts of it that are open.
pub(crate) fn settle(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<Vec<ConflictId>, Fault> {
    let claim = get(tx, id)?;
    let supported = is_supported(tx, id)?;
    match claim.state {
        ClaimState::Draft if supported => assert(tx, &claim, &why.cause, why)?,
        ClaimState::Asserted | ClaimState::Disputed if !supported => {
            claims::set_state(tx, &claim, ClaimState::Retracted, &Cause::Evidence, why.actor, why.now)?;
        }
        ClaimState::Retracted if supported => bring_back(tx, &claim, why)?,
        _ => {}
    }
    let conflicts = find_conflicts(tx, &get(tx, id)?, why)?;
    release(tx, id, why)?;
    let claim = get(tx, id)?;
    let opposite = opposite(tx, &claim)?;
    weigh_anew(tx, &claim, opposite.as_ref(), why.now)?;
    if let Some(opposite) = &opposite {
        weigh_anew(tx, opposite, Some(&claim), why.now)?;
    }
    Ok(conflicts)
}

/// Brings a claim's confidence in line with its evidence, and its place in the graph with its confidence.
fn weigh_anew(tx: &Connection, claim: &Claim, opposite: Option<&Claim>, now: EpochMs) -> Result<(), Fault> {
    claims::set_confidence(tx, &claim.id, weigh(&evidence_of(tx, claim, opposite)?).confidence)?;
    refresh_edge(tx, claim, now)
}

fn assert(tx: &Connection, claim: &Claim, cause: &Cause, why: &Why<'_>) -> Result<(), Fault> {
    claims::set_state(tx, claim, ClaimState::Asserted, cause, why.actor, why.now)?;
    Ok(())
}

/// A retracted claim comes back when the sources that it had lost are there again, or when a new one speaks
/// for it (ruling 25). One that a person took back stays so until then.
fn bring_back(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    let lost_its_sources = claims::last_change(tx, &claim.id)?
        .filter(|(_, _, to, cause)| *to == ClaimState::Retracted && cause == "evidence");
    match lost_its_sources {
        Some((change, ..)) => assert(tx, claim, &Cause::Undo(change), why),
        None if why.new_source => assert(tx, claim, &Cause::Evidence, why),
        None => Ok(()),
    }
}

fn is_believed(claim: &Claim) -> bool {
    matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed)
}

/// Whether the two claims of a conflict still cannot both stand. What a model found to contradict does so as long as
/// both speak of one subject at one time.
fn stands(conflict: &Stored, a: &Claim, b: &Claim, limits: &Limits) -> bool {
    let judged = conflict.conflict_type == ConflictType::ContradictingValue && a.subject.id == b.subject.id;
    is_believed(a) && is_believed(b) && (conflict_between(a, b, limits).is_some() || (judged && overlap(a, b)))
}

/// Brings the conflicts of a claim in line: those that are none any more are closed, and what the claim cannot
/// stand beside is disputed with it. Gives those that are open now.
fn find_conflicts(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<Vec<ConflictId>, Fault> {
    let limits = super::conflict::limits(tx, claim)?;
    let mut open = BTreeSet::new();
    for conflict in conflicts::of_claim(tx, &claim.id)? {
        let other = get(tx, conflict.other(&claim.id))?;
        if stands(&conflict, claim, &other, &limits) {
            open.extend(hold(tx, &conflict, why)?);
        } else {
            if conflict.resolution.is_none() {
                close(tx, &conflict, claim, &other, why)?;
            }
            release(tx, &other.id, why)?;
        }
    }
    if is_believed(claim) {
        for rival in claims::rivals(tx, claim, limits.rivalry())? {
            if let Some(conflict_type) = conflict_between(claim, &rival, &limits) {
                open.extend(contradict(tx, claim, &rival, conflict_type, why)?);
            }
        }
    }
    Ok(open.into_iter().collect())
}

/// Disputes two claims that cannot both stand, with a conflict of theirs. Gives it where it is open.
pub(crate) fn contradict(
    tx: &Connection,
    claim: &Claim,
    rival: &Claim,
    conflict_type: ConflictType,
    why: &Why<'_>,
) -> Result<Option<ConflictId>, Fault> {
    if let Some(known) = conflicts::of_pair(tx, &claim.id, &rival.id)? {
        return hold(tx, &known, why);
    }
    let id = conflicts::insert(tx, &claim.space_id, &claim.id, &rival.id, conflict_type, why.now)?;
    dispute(tx, &claim.id, why)?;
    dispute(tx, &rival.id, why)?;
    Ok(Some(id))
}

/// Disputes both sides of a conflict that stands. It is open again where what was decided holds no more, as both are
/// believed; what a person decided to leave disputed stays decided until a new source is heard.
fn hold(tx: &Connection, conflict: &Stored, why: &Why<'_>) -> Result<Option<ConflictId>, Fault> {
    dispute(tx, &conflict.claim_a, why)?;
    dispute(tx, &conflict.claim_b, why)?;
    if conflict.leaves_disputed() && !why.new_source {
        return Ok(None);
    }
    if conflict.resolution.is_some() {
        conflicts::reopen(tx, conflict, None, why.now)?;
    }
    Ok(Some(conflict.id.clone()))
}

/// Closes an open conflict whose sides can both stand, or of which one is believed no more.
fn close(tx: &Connection, conflict: &Stored, claim: &Claim, other: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    let gone = "The other side is no longer believed.";
    let (resolution, notes) = match (is_believed(claim), is_believed(other)) {
        (true, true) => (ResolutionType::ManualOverride, "Both can stand now."),
        (true, false) => (conflict.wins(&claim.id), gone),
        (false, _) => (conflict.wins(&other.id), gone),
    };
    conflicts::resolve(tx, conflict, resolution, Some(notes), &AgentId::system(), why.now)?;
    Ok(())
}

fn dispute(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<(), Fault> {
    let claim = get(tx, id)?;
    if claim.state == ClaimState::Asserted {
        claims::set_state(tx, &claim, ClaimState::Disputed, &Cause::Conflict, why.actor, why.now)?;
        // The trigger took its edge away; the slot may go to another claim.
        refresh_edge(tx, &get(tx, id)?, why.now)?;
    }
    Ok(())
}

/// Asserts a disputed claim that nothing disputes any more: no conflict that is open, or decided to be left
/// disputed, has another side that it cannot stand beside.
fn release(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<(), Fault> {
    let claim = get(tx, id)?;
    if claim.state != ClaimState::Disputed {
        return Ok(());
    }
    let limits = super::conflict::limits(tx, &claim)?;
    for conflict in conflicts::of_claim(tx, id)? {
        let undecided = conflict.resolution.is_none() || conflict.leaves_disputed();
        if undecided && stands(&conflict, &claim, &get(tx, conflict.other(id))?, &limits) {
            return Ok(());
        }
    }
    assert(tx, &claim, &Cause::Resolution, why)?;
    refresh_edge(tx, &get(tx, id)?, why.now)
}

/// Gives the slot of a relationship claim in the graph to whoever may have it (ruling 30).
pub(crate) fn refresh_edge(tx: &Connection, claim: &Claim, now: EpochMs) -> Result<(), Fault> {
    let ClaimObject::Entity(object) = &claim.object else { return Ok(()) };
    if claim.polarity == Polarity::Negative {
        return Ok(());
    }
    let (space, source, relation) = (&claim.space_id, &claim.subject.id, claim.predicate.as_str());
    let first = edges::contenders(tx, space, source, &object.id, relation, EDGE_CONFIDENCE)?.into_iter().next();
    let holder = edges::holder(tx, space, source, &object.id, relation)?;
    if let Some(holder) = holder.filter(|holder| Some(holder) != first.as_ref()) {
        edges::deactivate(tx, &holder, now)?;
    }
    if let Some(first) = first {
        edges::activate(tx, &get(tx, &first)?, now)?;
    }
    Ok(())
}

/// Settles many claims, each once.
pub(crate) fn settle_all(tx: &Connection, ids: impl IntoIterator<Item = ClaimId>, why: &Why<'_>) -> Result<(), Fault> {
    for id in ids.into_iter().collect::<BTreeSet<_>>() {
        settle(tx, &id, why)?;
    }
    Ok(())
}
