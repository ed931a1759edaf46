//! Bringing a claim in line with its evidence: its confidence, its state, its conflicts, its edge. Every path
//! that changes evidence or a claim ends here, so that no conflict and no stale edge slips through.

use super::confidence::{confidence, weight};
use super::conflict::{Limits, conflict_between, overlap};
use super::family::Family;
use crate::Engine;
use crate::error::{Fault, Outcome, not_found};
use std::collections::{BTreeMap, BTreeSet};
use um_model::belief::{ClaimState, ConflictFinder, ConflictType, EvidencePolarity, Polarity, ResolutionType};
use um_model::claims::{Claim, ClaimObject, Confidence};
use um_model::{AgentId, ClaimId, ConflictId, EpochMs};
use um_store::claims::{self, Cause};
use um_store::conflicts::{self, Stored};
use um_store::evidence::{self, Found};
use um_store::{Connection, edges};

/// An edge needs a claim at least as sure.
pub(crate) const EDGE_CONFIDENCE: f64 = 0.5;
/// A claim with so many conflicts, standing and past, gets no more of its own: where hundreds of values disagree, each pair
/// of them tells nobody anything.
const CONFLICTS: usize = 200;
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

/// The confidence of a claim by its evidence. What was made of other texts (spine 1.2) adds nothing to what a source says
/// itself; where none does, the strongest piece of it counts. What one states outright, however often, is one source.
pub(crate) fn weigh(found: &[Found]) -> Confidence {
    let mut counted: Vec<&Found> = Vec::new();
    for polarity in [EvidencePolarity::Supporting, EvidencePolarity::Contradicting] {
        let of_side = found.iter().filter(|piece| piece.polarity == polarity && weight(piece) > 0.0);
        let (derived, direct): (Vec<&Found>, Vec<&Found>) = of_side.partition(|piece| piece.derived);
        let surest = |a: &&Found, b: &&Found| weight(a).total_cmp(&weight(b)).then_with(|| b.cluster.cmp(&a.cluster));
        match direct.is_empty() {
            true => counted.extend(derived.into_iter().max_by(surest)),
            false => counted.extend(direct),
        }
    }
    let mut spoken: BTreeMap<&AgentId, &str> = BTreeMap::new();
    for piece in counted.iter().filter(|piece| piece.stated) {
        let first = spoken.entry(&piece.actor).or_insert(&piece.cluster);
        *first = (*first).min(&piece.cluster);
    }
    confidence(counted.iter().map(|piece| {
        let stated = spoken.get(&piece.actor).filter(|_| piece.stated);
        (stated.copied().unwrap_or(&piece.cluster), piece.polarity, weight(piece))
    }))
}

/// All that speaks for a claim and against it. What speaks for the opposite speaks against it, as long as that is
/// believed too and at the same time; what says less of the same speaks for it.
pub(crate) fn evidence_of(tx: &Connection, claim: &Claim) -> Result<Vec<Found>, Fault> {
    let family = Family::of(tx, &claim.id)?;
    let found = evidence::of_claims(tx, &family.ids(), WEIGHED)?;
    Ok(family.weighing(claim, &found))
}

/// Whether a source that is in use speaks for a claim, be it with words that were too much on their day: those take the
/// place of what is gone.
pub(super) fn keeps_support(tx: &Connection, id: &ClaimId) -> Result<bool, Fault> {
    let spares = |tx| evidence::take_spares(tx, id, super::quotes::DAILY_CAP);
    Ok(evidence::is_supported(tx, id)? || (spares(tx)? && evidence::is_supported(tx, id)?))
}

fn get(tx: &Connection, id: &ClaimId) -> Result<Claim, Fault> {
    claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()).into())
}

/// Settles a claim: brings its confidence and state in line with its evidence, its conflicts and its edge in line
/// with its state. Gives the conflicts of it that are open.
pub(crate) fn settle(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<Vec<ConflictId>, Fault> {
    let claim = get(tx, id)?;
    let supported = keeps_support(tx, id)?;
    let is_behind = super::family::front(tx, id)?.is_some();
    match claim.state {
        ClaimState::Draft if supported => assert(tx, &claim, &why.cause, why)?,
        ClaimState::Asserted | ClaimState::Disputed if !supported => {
            claims::set_state(tx, &claim, ClaimState::Retracted, &Cause::Evidence, why.actor, why.now)?;
        }
        ClaimState::Retracted if supported => bring_back(tx, &claim, why)?,
        ClaimState::Superseded if supported && why.new_source && !is_behind => ask_again(tx, &claim, why)?,
        _ => {}
    }
    let (family, changed) = Family::of(tx, id)?.arrange(tx, id, why)?;
    let conflicts = find_conflicts(tx, id, why)?;
    release(tx, std::slice::from_ref(id), why)?;
    let why = Why { new_source: false, ..why.clone() };
    for other in changed.iter().filter(|other| *other != id) {
        find_conflicts(tx, other, &why)?;
        release(tx, std::slice::from_ref(other), &why)?;
    }
    let found = evidence::of_claims(tx, &family.ids(), WEIGHED)?;
    for claim in family.claims() {
        weigh_anew(tx, claim, &family.weighing(claim, &found), why.now)?;
    }
    Ok(conflicts)
}

/// Brings a claim's confidence in line with its evidence, and its place in the graph with its confidence.
fn weigh_anew(tx: &Connection, claim: &Claim, found: &[Found], now: EpochMs) -> Result<(), Fault> {
    claims::set_confidence(tx, &claim.id, weigh(found).confidence)?;
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
        Some(_) => undo_last(tx, claim, why).map(drop),
        None if why.new_source => assert(tx, claim, &Cause::Evidence, why),
        None => Ok(()),
    }
}

/// A claim that a decision put another one in the place of is believed again when a new source speaks for it, so that the
/// two disagree and the person is asked. What went into another claim when entities were merged is said by that one.
fn ask_again(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    if super::merge::names_merged(tx, claim)? {
        return Ok(());
    }
    undo_last(tx, claim, why).map(drop)
}

/// Has a claim believed again that was put out, as if the latest change of its state had not been. Gives the change.
pub(super) fn undo_last(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<Option<String>, Fault> {
    let Some((last, ..)) = claims::last_change(tx, &claim.id)? else { return Ok(None) };
    claims::set_superseded_by(tx, &claim.id, None)?;
    Ok(Some(claims::set_state(tx, claim, ClaimState::Asserted, &Cause::Undo(last), why.actor, why.now)?))
}

pub(super) fn is_believed(claim: &Claim) -> bool {
    matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed)
}

/// Whether the two claims of a conflict still cannot both stand. What a model found to contradict does so as long as
/// both speak of one subject at one time.
fn stands(conflict: &Stored, a: &Claim, b: &Claim, limits: &Limits) -> bool {
    let judged = conflict.found_by == ConflictFinder::Model && a.subject.id == b.subject.id;
    is_believed(a) && is_believed(b) && (conflict_between(a, b, limits).is_some() || (judged && overlap(a, b)))
}

/// The claims of those ids, by id: one statement, whatever their number.
fn by_id(tx: &Connection, ids: impl IntoIterator<Item = ClaimId>) -> Result<BTreeMap<ClaimId, Claim>, Fault> {
    let ids: Vec<ClaimId> = ids.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    Ok(claims::by_ids(tx, &ids)?.into_iter().map(|claim| (claim.id.clone(), claim)).collect())
}

/// Brings the conflicts of a claim in line: those that are none any more are closed, and what the claim cannot
/// stand beside is disputed with it. Gives those that are open now.
fn find_conflicts(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<Vec<ConflictId>, Fault> {
    let known = conflicts::of_claims(tx, std::slice::from_ref(id))?;
    let sides = known.iter().map(|conflict| conflict.other(id).clone()).chain([id.clone()]);
    let mut sides = by_id(tx, sides)?;
    let mut claim = sides.remove(id).ok_or_else(|| not_found("claim", id.as_str()))?;
    let limits = super::conflict::limits(tx, &claim)?;
    let mut open = BTreeSet::new();
    let mut free = Vec::new();
    for conflict in &known {
        let Some(other) = sides.get_mut(conflict.other(id)) else { continue };
        if stands(conflict, &claim, other, &limits) {
            open.extend(hold(tx, conflict, [&mut claim, other], why)?);
            continue;
        }
        if conflict.resolution.is_none() {
            close(tx, conflict, &claim, other, why)?;
        }
        free.push(other.id.clone());
    }
    release(tx, &free, why)?;
    if known.len() >= CONFLICTS {
        return Ok(open.into_iter().collect());
    }
    let known: BTreeSet<&ClaimId> = known.iter().map(|conflict| conflict.other(id)).collect();
    for (mut rival, conflict_type) in rivals(tx, &claim, &limits)? {
        if !known.contains(&rival.id) {
            open.insert(begin(tx, [&mut claim, &mut rival], (conflict_type, ConflictFinder::Rule), why)?);
        }
    }
    Ok(open.into_iter().collect())
}

/// The believed claims that a believed claim cannot stand beside: what detecting a conflict comes to.
pub(crate) fn rivals(tx: &Connection, claim: &Claim, limits: &Limits) -> Result<Vec<(Claim, ConflictType)>, Fault> {
    if !is_believed(claim) {
        return Ok(Vec::new());
    }
    let clashing = |rival: Claim| conflict_between(claim, &rival, limits).map(|why| (rival, why));
    let mut found = claims::rivals(tx, claim, limits.rivalry())?;
    // Of many rivals only the newest are looked at; what tells or denies this very fact is looked up by its key.
    let family = Family::of(tx, &claim.id)?;
    let others = family.claims().filter(|other| is_believed(other) && other.id != claim.id);
    let others: Vec<Claim> = others.filter(|other| found.iter().all(|rival| rival.id != other.id)).cloned().collect();
    found.extend(others);
    Ok(found.into_iter().filter_map(clashing).collect())
}

impl Engine {
    /// How many believed claims a claim cannot stand beside, looked for anew: what detecting its conflicts comes to, to be
    /// measured by itself.
    ///
    /// # Errors
    /// `NotFound`, `Database`.
    pub fn rivals_of(&self, id: &ClaimId) -> Outcome<usize> {
        self.read(|c| {
            let claim = get(c, id)?;
            Ok(rivals(c, &claim, &super::conflict::limits(c, &claim)?)?.len())
        })
    }
}

/// Disputes two claims of which a model found that they cannot both stand, with a conflict of theirs. Gives it where it is
/// open.
pub(crate) fn contradict(
    tx: &Connection,
    claim: &Claim,
    rival: &Claim,
    why: &Why<'_>,
) -> Result<Option<ConflictId>, Fault> {
    let found = (ConflictType::ContradictingValue, ConflictFinder::Model);
    let (mut claim, mut rival) = (get(tx, &claim.id)?, get(tx, &rival.id)?);
    match conflicts::of_pair(tx, &claim.id, &rival.id)? {
        Some(known) => hold(tx, &known, [&mut claim, &mut rival], why),
        None => begin(tx, [&mut claim, &mut rival], found, why).map(Some),
    }
}

fn begin(
    tx: &Connection,
    sides: [&mut Claim; 2],
    found: (ConflictType, ConflictFinder),
    why: &Why<'_>,
) -> Result<ConflictId, Fault> {
    let [one, other] = &sides;
    let id = conflicts::insert(tx, &one.space_id, [&one.id, &other.id], found, why.now)?;
    sides.into_iter().try_for_each(|side| dispute(tx, side, why))?;
    Ok(id)
}

/// Disputes both sides of a conflict that stands. It is open again where what was decided holds no more, as both are
/// believed; what a person decided to leave disputed stays decided until a new source is heard.
fn hold(
    tx: &Connection,
    conflict: &Stored,
    sides: [&mut Claim; 2],
    why: &Why<'_>,
) -> Result<Option<ConflictId>, Fault> {
    sides.into_iter().try_for_each(|side| dispute(tx, side, why))?;
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

/// Disputes an asserted claim, as which it is known from then on.
fn dispute(tx: &Connection, claim: &mut Claim, why: &Why<'_>) -> Result<(), Fault> {
    if claim.state == ClaimState::Asserted {
        claims::set_state(tx, claim, ClaimState::Disputed, &Cause::Conflict, why.actor, why.now)?;
        claim.state = ClaimState::Disputed;
        // The trigger took its edge away; the slot may go to another claim.
        refresh_edge(tx, claim, why.now)?;
    }
    Ok(())
}

/// Asserts those of the claims that are disputed and that nothing disputes any more: no conflict that is open, or
/// decided to be left disputed, has another side that they cannot stand beside. Three statements find them, whatever
/// their number.
fn release(tx: &Connection, ids: &[ClaimId], why: &Why<'_>) -> Result<(), Fault> {
    let disputed: Vec<Claim> =
        by_id(tx, ids.iter().cloned())?.into_values().filter(|claim| claim.state == ClaimState::Disputed).collect();
    let ids: Vec<ClaimId> = disputed.iter().map(|claim| claim.id.clone()).collect();
    let mut undecided = conflicts::of_claims(tx, &ids)?;
    undecided.retain(|conflict| conflict.resolution.is_none() || conflict.leaves_disputed());
    let sides = by_id(tx, undecided.iter().flat_map(|k| [k.claim_a.clone(), k.claim_b.clone()]))?;
    for claim in disputed {
        let limits = super::conflict::limits(tx, &claim)?;
        let mut of_it = undecided.iter().filter(|k| k.claim_a == claim.id || k.claim_b == claim.id);
        let disputes =
            |k: &Stored| sides.get(k.other(&claim.id)).is_some_and(|other| stands(k, &claim, other, &limits));
        if !of_it.any(disputes) {
            assert(tx, &claim, &Cause::Resolution, why)?;
            refresh_edge(tx, &Claim { state: ClaimState::Asserted, ..claim }, why.now)?;
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests;
#[cfg(test)]
mod weighing;
