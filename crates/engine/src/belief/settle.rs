//! Bringing a claim in line with its evidence: its confidence, its state, its conflicts, its edge. Every path
//! that changes evidence or a claim ends here, so that no conflict and no stale edge slips through.

use super::confidence::{confidence, weight};
use super::conflict::{Limits, conflict_between, is_agents, overlap, parted_with};
use super::decided;
use super::family::{Family, Sure};
use super::leaving;
use super::places;
use super::quotes::take_spares;
use crate::Engine;
use crate::error::{Fault, Outcome, not_found};
use std::collections::{BTreeMap, BTreeSet};
use um_model::belief::{
    ClaimState, ConflictFinder, ConflictType, EvidencePolarity, ExtractionMethod, Polarity, ResolutionType,
};
use um_model::claims::{Claim, ClaimObject, Confidence};
use um_model::{AgentId, ClaimId, ConflictId, EpochMs};
use um_store::claims::{self, Cause, Rivalry};
use um_store::conflicts::{self, Stored};
use um_store::evidence::{self, Found};
use um_store::rejected::{Checked, Remark};
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

/// Whether words count as an agent's own voice: what it writes itself, in however many notes and files that only it brought in,
/// and what it quotes. `in_file` where they stand in a file that speaks for itself.
pub(super) fn is_of_agent(actor: &AgentId, method: ExtractionMethod, in_file: bool) -> bool {
    is_agents(actor) && (method == ExtractionMethod::User || !in_file)
}

/// The confidence of a claim by its evidence. What was made of other texts (spine 1.2) adds nothing to what a source says
/// itself; where none does, the strongest piece of it counts. What one states outright, however often, is one source; and so
/// is all that an agent writes itself, or quotes for it from sources of which nobody else says so.
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
    let of_agent = |piece: &Found| is_of_agent(&piece.actor, piece.method, piece.in_file);
    let said: BTreeSet<(&str, &str)> = counted
        .iter()
        .filter(|piece| !piece.stated && !of_agent(piece))
        .map(|piece| (piece.polarity.as_str(), piece.cluster.as_str()))
        .collect();
    let is_voice = |piece: &Found| {
        piece.stated || (of_agent(piece) && !said.contains(&(piece.polarity.as_str(), piece.cluster.as_str())))
    };
    let mut spoken: BTreeMap<&AgentId, &str> = BTreeMap::new();
    for piece in counted.iter().filter(|piece| is_voice(piece)) {
        let first = spoken.entry(&piece.actor).or_insert(&piece.cluster);
        *first = (*first).min(&piece.cluster);
    }
    confidence(counted.iter().map(|piece| {
        let voice = spoken.get(&piece.actor).filter(|_| is_voice(piece));
        (voice.copied().unwrap_or(&piece.cluster), piece.polarity, weight(piece))
    }))
}

/// All that speaks for a claim and against it. What speaks for the opposite speaks against it, as long as that is
/// believed too and at the same time; what says less of the same speaks for it.
pub(crate) fn evidence_of(tx: &Connection, claim: &Claim) -> Result<Vec<Found>, Fault> {
    let family = Family::of(tx, &claim.id)?;
    let found = family.words(tx)?;
    Ok(family.weighing(claim, &found, &Sure::of(&found)))
}

/// Whether a source that is in use speaks for a claim, be it with words that were too much on their day: those take the
/// place of what is gone.
pub(super) fn keeps_support(tx: &Connection, id: &ClaimId) -> Result<bool, Fault> {
    take_spares(tx, id)?;
    Ok(evidence::is_supported(tx, id)?)
}

fn get(tx: &Connection, id: &ClaimId) -> Result<Claim, Fault> {
    claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()).into())
}

/// Settles a claim: brings its confidence and state in line with its evidence, its conflicts and its edge in line
/// with its state. Gives the conflicts of it that are open.
pub(crate) fn settle(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<Vec<ConflictId>, Fault> {
    let claim = get(tx, id)?;
    let supported = keeps_support(tx, id)?;
    evidence::keep_times(tx, id)?;
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
    let (family, mut changed) = Family::of(tx, id)?.arrange(tx, id, why)?;
    changed.extend(leaving::end_untold(tx, &family)?);
    let known = Why { new_source: false, ..why.clone() };
    if claim.polarity == Polarity::Negative {
        // Whoever left may be told by another predicate to have been there until then.
        settle_all(tx, family.parted().map(|told| told.id.clone()), &known)?;
    }
    let conflicts = find_conflicts(tx, id, why)?;
    release(tx, std::slice::from_ref(id), why)?;
    let why = known;
    for other in changed.iter().filter(|other| *other != id) {
        find_conflicts(tx, other, &why)?;
        release(tx, std::slice::from_ref(other), &why)?;
    }
    let found = family.words(tx)?;
    let sure = Sure::of(&found);
    for claim in family.claims() {
        weigh_anew(tx, claim, &family.weighing(claim, &found, &sure), why.now)?;
    }
    // How sure it is tells whether it counts there.
    for other in places::told_apart_by(tx, &claim)? {
        find_conflicts(tx, &other, &why)?;
        release(tx, std::slice::from_ref(&other), &why)?;
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
/// for it (ruling 25). One that a person took back stays so until then, and so does what a decision keeps out.
fn bring_back(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    if why.new_source {
        conflicts::let_in(tx, &claim.id)?;
    } else if conflicts::is_kept_out(tx, &claim.id)? {
        return Ok(());
    }
    match claims::last_change(tx, &claim.id)? {
        Some((_, last)) if last.cause == "evidence" => {
            // Whoever is new is heard, whatever was decided against others.
            if why.new_source || !decided::stays_out(tx, claim, why.now)? {
                undo_last(tx, claim, why)?;
            }
            Ok(())
        }
        _ if why.new_source => assert(tx, claim, &Cause::Evidence, why),
        _ => Ok(()),
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

/// Has a claim believed again that was put out, as if the latest change of its state had not been. Gives the change; none where
/// no words speak for it any more, as these went to another claim: it stays out then.
pub(super) fn undo_last(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<Option<String>, Fault> {
    take_spares(tx, &claim.id)?;
    let Some((last, ..)) = claims::last_change(tx, &claim.id)? else { return Ok(None) };
    if !evidence::has_support(tx, &claim.id)? {
        return Ok(None);
    }
    claims::set_superseded_by(tx, &claim.id, None)?;
    Ok(Some(claims::set_state(tx, claim, ClaimState::Asserted, &Cause::Undo(last), why.actor, why.now)?))
}

pub(super) fn is_believed(claim: &Claim) -> bool {
    matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed)
}

/// Whether the two claims of a conflict still cannot both stand. What a model found to contradict does so as long as
/// both speak of one subject at one time.
fn stands(
    tx: &Connection,
    conflict: &Stored,
    [a, b]: [&Claim; 2],
    limits: &Limits,
    now: EpochMs,
) -> Result<bool, Fault> {
    if !is_believed(a) || !is_believed(b) || is_to_come(a, b, now) {
        return Ok(false);
    }
    let judged = conflict.found_by == ConflictFinder::Model && a.subject.id == b.subject.id;
    Ok(match clash(tx, a, b, limits)? {
        Some(ConflictType::CardinalityViolation) => !places::lie_in_one(tx, a, b)?,
        Some(_) => true,
        None => judged && overlap(a, b),
    })
}

/// Why the two cannot both stand, by what stands behind them, too, where one denies the other.
fn clash(tx: &Connection, a: &Claim, b: &Claim, limits: &Limits) -> Result<Option<ConflictType>, Fault> {
    let by_own_words = conflict_between(a, b, limits);
    if by_own_words.is_some() || a.polarity == b.polarity {
        return Ok(by_own_words);
    }
    Ok(conflict_between(&leaving::with_words_behind(tx, a)?, &leaving::with_words_behind(tx, b)?, limits))
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
        if stands(tx, conflict, [&claim, other], &limits, why.now)? {
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
    for (mut rival, conflict_type) in rivals(tx, &claim, &limits, why.now)? {
        if !known.contains(&rival.id) {
            open.insert(begin(tx, [&mut claim, &mut rival], (conflict_type, ConflictFinder::Rule), why)?);
        }
    }
    Ok(open.into_iter().collect())
}

/// The believed claims that a believed claim cannot stand beside: what detecting a conflict comes to.
pub(crate) fn rivals(
    tx: &Connection,
    claim: &Claim,
    limits: &Limits,
    now: EpochMs,
) -> Result<Vec<(Claim, ConflictType)>, Fault> {
    let mut apart = Vec::new();
    for (rival, why) in clashing(tx, claim, limits, now)? {
        if why != ConflictType::CardinalityViolation || !places::lie_in_one(tx, claim, &rival)? {
            apart.push((rival, why));
        }
    }
    Ok(apart)
}

/// As [`rivals`], those too of which one is believed to lie in the other.
pub(super) fn clashing(
    tx: &Connection,
    claim: &Claim,
    limits: &Limits,
    now: EpochMs,
) -> Result<Vec<(Claim, ConflictType)>, Fault> {
    if !is_believed(claim) {
        return Ok(Vec::new());
    }
    let mut found = claims::rivals(tx, claim, limits.rivalry())?;
    // Of many rivals only the newest are looked at; what tells or denies this very fact is looked up by its key.
    let family = Family::of(tx, &claim.id)?;
    let others = family.claims().filter(|other| is_believed(other) && other.id != claim.id);
    let others: Vec<Claim> = others.filter(|other| found.iter().all(|rival| rival.id != other.id)).cloned().collect();
    found.extend(others);
    if let Some(other) = parted_with(claim) {
        found.extend(claims::rivals(tx, &other, Rivalry::default())?);
    }
    let mut clashing = Vec::new();
    for rival in found.into_iter().filter(|rival| !is_to_come(claim, rival, now)) {
        clashing.extend(clash(tx, claim, &rival, limits)?.map(|why| (rival, why)));
    }
    if !clashing.is_empty() {
        // What lost its words is no rival, also where it is settled after this.
        let ids: Vec<&ClaimId> = clashing.iter().map(|(rival, _)| &rival.id).collect();
        let supported = evidence::supported(tx, &ids)?;
        clashing.retain(|(rival, _)| supported.contains(&rival.id));
    }
    Ok(clashing)
}

/// Whether only one of two begins after today: the two dispute nothing until then, when the daily reconciliation looks again.
fn is_to_come(a: &Claim, b: &Claim, now: EpochMs) -> bool {
    let is_later = |claim: &Claim| claim.valid_from.is_some_and(|from| from > now);
    is_later(a) != is_later(b)
}

impl Engine {
    /// How many believed claims a claim cannot stand beside, looked for anew: what detecting its conflicts comes to, to be
    /// measured by itself.
    ///
    /// # Errors
    /// `NotFound`, `Database`.
    pub fn rivals_of(&self, id: &ClaimId) -> Outcome<usize> {
        let now = self.now();
        self.read(|c| {
            let claim = get(c, id)?;
            Ok(rivals(c, &claim, &super::conflict::limits(c, &claim)?, now)?.len())
        })
    }
}

/// Disputes two claims without a conflict of which a model found that they cannot both stand.
pub(crate) fn contradict(tx: &Connection, claim: &Claim, rival: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    let found = (ConflictType::ContradictingValue, ConflictFinder::Model);
    let (mut claim, mut rival) = (get(tx, &claim.id)?, get(tx, &rival.id)?);
    begin(tx, [&mut claim, &mut rival], found, why).map(drop)
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
    let gone = match claim.is_forgotten() || other.is_forgotten() {
        true => "The other side was forgotten.",
        false => "The other side is no longer believed.",
    };
    let (resolution, notes) = match (is_believed(claim), is_believed(other)) {
        (true, true) => (ResolutionType::ManualOverride, "Both can stand now."),
        (true, false) => (conflict.wins(&claim.id), gone),
        (false, true) => (conflict.wins(&other.id), gone),
        (false, false) => (conflict.wins(&other.id), "Neither side is believed any more."),
    };
    conflicts::resolve(tx, conflict, resolution, &Checked::held(Remark(Some(notes))), &AgentId::system(), why.now)?;
    Ok(())
}

/// Closes the conflicts of which both sides were forgotten at once, so that none is left to be settled.
pub(crate) fn close_forgotten(tx: &Connection, ids: &[ClaimId], actor: &AgentId, now: EpochMs) -> Result<(), Fault> {
    let why = Why { actor, now, cause: Cause::Evidence, new_source: false };
    for conflict in conflicts::of_claims(tx, ids)?.iter().filter(|conflict| conflict.resolution.is_none()) {
        let sides = claims::by_ids(tx, &[conflict.claim_a.clone(), conflict.claim_b.clone()])?;
        if let [a, b] = sides.as_slice()
            && a.is_forgotten()
            && b.is_forgotten()
        {
            close(tx, conflict, a, b, &why)?;
        }
    }
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
        let mut is_disputed = false;
        for conflict in undecided.iter().filter(|k| k.claim_a == claim.id || k.claim_b == claim.id) {
            if let Some(other) = sides.get(conflict.other(&claim.id)) {
                is_disputed = is_disputed || stands(tx, conflict, [&claim, other], &limits, why.now)?;
            }
        }
        if !is_disputed {
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
