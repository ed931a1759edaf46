//! A decision stands against the voice that it was taken against: what that says again, in whatever form, asks nothing anew.

use super::confidence::is_live;
use super::conflict::limits;
use super::family::{Family, Told};
use super::quotes::{Voice, is_one_voice};
use super::record::{Origin, supports};
use super::settle::{WEIGHED, Why, clashing, is_believed, undo_last};
use crate::error::Fault;
use um_model::belief::{ClaimState, EvidencePolarity};
use um_model::claims::{Claim, StateChange};
use um_model::{AgentId, ClaimId, EpochMs, EvidenceId};
use um_store::claims::{self, Cause, Window};
use um_store::conflicts::{self, Lost, Stored};
use um_store::evidence::Found;
use um_store::{Connection, evidence};

/// The decisions against a claim that is not believed and was just said, be it by a piece of evidence that came in or by one that
/// was there: where it is what a person decided to be wrong when the very voice said so that says it now, or could only stand
/// beside what they decided to be right against that voice. None where anything else could be.
pub(super) fn against(
    tx: &Connection,
    origin: &Origin<'_>,
    claim: &ClaimId,
    piece: Option<&EvidenceId>,
    now: EpochMs,
) -> Result<Option<Vec<String>>, Fault> {
    if origin.decides.is_some()
        || !conflicts::any_decided(tx, origin.space)?
        || claims::by_id(tx, claim)?.is_none_or(|claim| is_believed(&claim))
    {
        return Ok(None);
    }
    evidence::keep_times(tx, claim)?;
    let Some(claim) = claims::by_id(tx, claim)? else { return Ok(None) };
    let claim = Claim { state: ClaimState::Asserted, ..claim };
    Said { voice: Voice::of(tx, origin)?, claim: &claim, piece }.decisions(tx, now)
}

/// Whether a claim that lost its sources stays out though one of them is there again: decisions stand against all who say so, or
/// a person took back what the same voices tell of the fact in other words.
pub(super) fn stays_out(tx: &Connection, claim: &Claim, now: EpochMs) -> Result<bool, Fault> {
    let mut found = evidence::of_claims(tx, std::slice::from_ref(&claim.id), WEIGHED)?;
    found.retain(|piece| piece.polarity == EvidencePolarity::Supporting && is_live(piece));
    if is_taken_back(tx, claim, &found)? {
        return Ok(true);
    }
    if !conflicts::any_decided(tx, &claim.space_id)? {
        return Ok(false);
    }
    let claim = Claim { state: ClaimState::Asserted, ..claim.clone() };
    let mut all = Vec::new();
    for piece in &found {
        let said = Said { voice: Voice::of_piece(tx, piece)?, claim: &claim, piece: Some(&piece.id) };
        match said.decisions(tx, now)? {
            Some(decisions) => all.extend(decisions),
            None => return Ok(false),
        }
    }
    conflicts::keep_out(tx, &claim.id, &all)?;
    Ok(!all.is_empty())
}

/// Whether a person took back what tells the fact of a claim more or less exactly, and all who say this said that.
fn is_taken_back(tx: &Connection, claim: &Claim, found: &[Found]) -> Result<bool, Fault> {
    let told = Told::of(claim);
    for kin in Family::of(tx, &claim.id)?.claims().filter(|kin| kin.id != claim.id) {
        let of_kin = Told::of(kin);
        let is_form = told.says_no_more_than(&of_kin) || of_kin.says_no_more_than(&told);
        if kin.polarity != claim.polarity || !is_form || !was_taken_back_by_person(tx, kin)? {
            continue;
        }
        let before = evidence::of_claims(tx, std::slice::from_ref(&kin.id), WEIGHED)?;
        if found.iter().all(|piece| before.iter().any(|other| is_one_voice(piece, other))) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn was_taken_back_by_person(tx: &Connection, claim: &Claim) -> Result<bool, Fault> {
    let by_person =
        || Ok::<_, Fault>(claims::last_change(tx, &claim.id)?.is_some_and(|(_, last)| last.cause == "user"));
    Ok(claim.state == ClaimState::Retracted && by_person()?)
}

/// Keeps a new claim behind one of the same fact that a person took back, where a voice tells it that told that one. Gives
/// whether it did.
pub(super) fn was_taken_back(
    tx: &Connection,
    origin: &Origin<'_>,
    claim: &ClaimId,
    piece: Option<&EvidenceId>,
    now: EpochMs,
) -> Result<bool, Fault> {
    let Some(piece) = piece.filter(|_| origin.decides.is_none() && supports(origin)) else { return Ok(false) };
    let Some(claim) = claims::by_id(tx, claim)?.filter(|claim| claim.state == ClaimState::Draft) else {
        return Ok(false);
    };
    let said = Said { voice: Voice::of(tx, origin)?, claim: &claim, piece: Some(piece) };
    for kin in Family::of(tx, &claim.id)?.claims() {
        let is_out = kin.polarity == claim.polarity && was_taken_back_by_person(tx, kin)?;
        if is_out && said.before(tx, std::slice::from_ref(&kin.id))? {
            // It comes back with that one, or when somebody else says it.
            put_aside(tx, &claim, ClaimState::Superseded, &Cause::Refinement, now)?;
            claims::set_superseded_by(tx, &claim.id, Some(&kin.id))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// A claim with the piece of evidence by which a voice says it.
struct Said<'a> {
    voice: Voice<'a>,
    claim: &'a Claim,
    /// None where it had said so before.
    piece: Option<&'a EvidenceId>,
}

impl Said<'_> {
    /// The decisions that stand against its being said; none where anything else could be so.
    fn decisions(&self, tx: &Connection, now: EpochMs) -> Result<Option<Vec<String>>, Fault> {
        let lost = self.lost_itself(tx, now)?;
        if !lost.is_empty() {
            return Ok(Some(lost));
        }
        let claim = self.completed(tx)?;
        let mut all = Vec::new();
        for (rival, _) in clashing(tx, &claim, &limits(tx, &claim)?, now)? {
            let decisions = self.lost_to(tx, &rival)?;
            if decisions.is_empty() {
                return Ok(None);
            }
            all.extend(decisions);
        }
        Ok(Some(all).filter(|all| !all.is_empty()))
    }

    /// The claim with the ends of its time that it leaves open and that what is believed of the fact tells: they are told as one.
    fn completed(&self, tx: &Connection) -> Result<Claim, Fault> {
        let mut claim = self.claim.clone();
        let family = Family::of(tx, &claim.id)?;
        let told =
            family.claims().filter(|kin| kin.id != claim.id && kin.polarity == claim.polarity && is_believed(kin));
        let ends = told.map(|kin| (claim.valid_from.or(kin.valid_from), claim.valid_to.or(kin.valid_to)));
        let fits = |(from, until): &Window| from.zip(*until).is_none_or(|(from, until)| from < until);
        if let Some(whole) = ends.into_iter().find(fits) {
            (claim.valid_from, claim.valid_to) = whole;
        }
        Ok(claim)
    }

    /// Whether the voice told one of these claims before.
    fn before(&self, tx: &Connection, claims: &[ClaimId]) -> Result<bool, Fault> {
        let is_before = |piece: &evidence::Found| Some(&piece.id) != self.piece && self.voice.said_before(piece);
        Ok(evidence::of_claims(tx, claims, WEIGHED)?.iter().any(is_before))
    }

    /// The decisions of a person against the fact itself when this voice told it. What began since may be told by an agent; what
    /// is to begin at some time to come is nothing that began.
    fn lost_itself(&self, tx: &Connection, now: EpochMs) -> Result<Vec<String>, Fault> {
        let of_fact = side_of(tx, self.claim)?;
        let mut lost = conflicts::lost_of(tx, &of_fact)?;
        let has_begun = self.claim.valid_from.is_some_and(|from| from <= now);
        lost.retain(|lost| !(self.voice.of_agent && has_begun && self.began_after(lost)));
        if lost.is_empty() || !self.before(tx, &of_fact)? {
            return Ok(Vec::new());
        }
        Ok(lost.into_iter().map(|lost| lost.decision).collect())
    }

    /// The decisions of a person for a rival of the claim against this voice.
    fn lost_to(&self, tx: &Connection, rival: &Claim) -> Result<Vec<String>, Fault> {
        let right = side_of(tx, rival)?;
        let mut decisions = Vec::new();
        for lost in conflicts::lost_to(tx, &right)? {
            if self.lost(tx, rival, &lost)? {
                decisions.push(lost.decision);
            }
        }
        Ok(decisions)
    }

    /// An agent's word is heard again where it tells of what began after the decision; that of a file, where it says neither
    /// what lost nor the opposite of what is right.
    fn lost(&self, tx: &Connection, rival: &Claim, lost: &Lost) -> Result<bool, Fault> {
        let Some(wrong) = claims::by_id(tx, &lost.claim)? else { return Ok(false) };
        let is_of =
            |other: &ClaimId| Ok::<_, Fault>(claims::fact_key(tx, other)? == claims::fact_key(tx, &self.claim.id)?);
        // Where each is right at its time, that of a fact was decided against whoever told the fact, too.
        let at_its_time = is_believed(&wrong) && rival.polarity == self.claim.polarity && is_of(&rival.id)?;
        let heard =
            self.before(tx, &side_of(tx, &wrong)?)? || (at_its_time && self.before(tx, &side_of(tx, rival)?)?);
        if !heard {
            return Ok(false);
        }
        Ok(is_of(&wrong.id)? || is_of(&rival.id)? || (self.voice.of_agent && !self.began_after(lost)))
    }

    fn began_after(&self, lost: &Lost) -> bool {
        self.claim.valid_from.is_some_and(|from| from > lost.at)
    }
}

/// The claims that tell the fact of a claim, or all those that deny it, as it does.
fn side_of(tx: &Connection, claim: &Claim) -> Result<Vec<ClaimId>, Fault> {
    let family = Family::of(tx, &claim.id)?;
    Ok(family.claims().filter(|kin| kin.polarity == claim.polarity).map(|kin| kin.id.clone()).collect())
}

/// Keeps a claim that would be believed by what was just said out of it, as decisions stand against that. What was taken back
/// otherwise stays so as it is.
pub(super) fn keep_out(tx: &Connection, claim: &ClaimId, decisions: &[String], now: EpochMs) -> Result<(), Fault> {
    let Some(claim) = claims::by_id(tx, claim)? else { return Ok(()) };
    if claim.state != ClaimState::Draft && !was_kept_out(tx, &claim)? {
        return Ok(());
    }
    conflicts::keep_out(tx, &claim.id, decisions)?;
    put_aside(tx, &claim, ClaimState::Retracted, &Cause::Resolution, now)
}

/// Puts a claim that is new out of what is believed.
fn put_aside(tx: &Connection, claim: &Claim, to: ClaimState, why: &Cause, now: EpochMs) -> Result<(), Fault> {
    if claim.state != ClaimState::Draft {
        return Ok(());
    }
    let mut claim = claim.clone();
    for (to, cause) in [(ClaimState::Asserted, &Cause::Extraction), (to, why)] {
        claims::set_state(tx, &claim, to, cause, &AgentId::system(), now)?;
        claim.state = to;
    }
    Ok(())
}

/// Has what a decision kept out believed again, now that it is taken back, unless another one keeps it out. Gives which claims.
pub(super) fn let_in(tx: &Connection, conflict: &Stored, why: &Why<'_>) -> Result<Vec<ClaimId>, Fault> {
    let Some((decision, _)) = &conflict.resolution else { return Ok(Vec::new()) };
    let mut back = Vec::new();
    for claim in claims::by_ids(tx, &conflicts::no_longer_kept_out(tx, &conflict.space, decision)?)? {
        if was_kept_out(tx, &claim)? && undo_last(tx, &claim, why)?.is_some() {
            back.push(claim.id);
        }
    }
    Ok(back)
}

/// Whether a claim is out for want of sources, or as a decision keeps it out: nobody took it back.
fn was_kept_out(tx: &Connection, claim: &Claim) -> Result<bool, Fault> {
    let by_itself = |last: &StateChange| match last.cause.as_str() {
        "evidence" => true,
        "resolution" => last.actor_id == AgentId::system(),
        _ => false,
    };
    let last = claims::last_change(tx, &claim.id)?;
    Ok(claim.state == ClaimState::Retracted && last.is_some_and(|(_, last)| by_itself(&last)))
}
