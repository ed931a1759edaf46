//! Claims that tell one fact, one more exactly than the other: "works at Orbis" and "works at Orbis since 2021". They are
//! claims of their own (spine 2.3), each with the words that say just it; of those that are true together only the most
//! exact one is shown as believed, and what says less supports it. The others stand behind it until it falls for want of
//! its own words. When and as what a fact is so makes it more exact; which one it is makes it another fact.

use super::conflict::overlap;
use super::key::{CIRCUMSTANCES, canonical_qualifiers};
use super::settle::{Why, is_believed, keeps_support, undo_last};
use crate::error::Fault;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use um_model::belief::{ClaimState, EvidencePolarity, Polarity};
use um_model::claims::Claim;
use um_model::{ClaimId, EpochMs};
use um_store::Connection;
use um_store::claims::{self, Cause, Kin};
use um_store::evidence::Found;

const DAY_MS: i64 = 86_400_000;

/// How a claim tells its fact: since when, until when, and its other circumstances.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) since: Option<String>,
    pub(super) until: Option<String>,
    others: BTreeMap<String, Vec<String>>,
}

impl Told {
    pub(super) fn of(claim: &Claim) -> Self {
        let mut others = canonical_qualifiers(&claim.qualifiers);
        others.retain(|key, _| CIRCUMSTANCES.contains(&key.as_str()));
        let mut said = |key: &str| others.remove(key).and_then(|mut values| values.pop());
        let (since, until) = (said("since"), said("until"));
        Self { since: end(since, claim.valid_from), until: end(until, claim.valid_to), others }
    }

    /// Whether everything that this tells is told by another one, at least as exactly.
    fn says_no_more_than(&self, other: &Self) -> bool {
        let no_more = |one: &Option<String>, other: &Option<String>| match (one, other) {
            (None, _) => true,
            (Some(one), Some(other)) => is_within(other, one),
            (Some(_), None) => false,
        };
        no_more(&self.since, &other.since)
            && no_more(&self.until, &other.until)
            && self.others.iter().all(|(key, values)| match other.others.get(key) {
                Some(more) => values.iter().all(|one| more.iter().any(|other| is_within(other, one))),
                None => false,
            })
    }

    /// Whether the two tell of one fact that it began, or ended, at different times. What happens may happen again.
    pub(super) fn disagrees_on_times(&self, other: &Self) -> bool {
        let apart = |one: &Option<String>, other: &Option<String>| match (one, other) {
            (Some(one), Some(other)) => !is_within(one, other) && !is_within(other, one),
            _ => false,
        };
        let is_once = !self.others.contains_key("at");
        is_once && self.others == other.others && (apart(&self.since, &other.since) || apart(&self.until, &other.until))
    }

    /// The more, the more is told.
    fn exactness(&self) -> usize {
        let values = self.others.values().flatten().chain(&self.since).chain(&self.until);
        values.map(|value| 1 + value.len()).sum()
    }
}

/// Whether a value is another one, or a date within it: `2021-05` is within `2021`.
fn is_within(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    let is_date = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    rest.is_some_and(|rest| rest.is_empty() || (is_date(outer) && rest.starts_with('-')))
}

/// An end of the time in which a claim is so, as exactly as it is told: in words that fit the window, else by the window
/// itself. The first day of a year or month may stand for all of it.
fn end(said: Option<String>, at: Option<EpochMs>) -> Option<String> {
    let Some(at) = at else { return said };
    let fits = said.filter(|said| {
        let length = DAY_MS * [366, 31, 1][said.matches('-').count().min(2)];
        um_rules::date_begins(said).is_some_and(|begins| (begins..=begins + length).contains(&at))
    });
    fits.or_else(|| {
        let day = um_rules::date_written(at)?;
        let month = day.strip_suffix("-01").unwrap_or(&day);
        Some(month.strip_suffix("-01").filter(|_| month != day).unwrap_or(month).to_owned())
    })
}

/// Whether a claim tells the same fact more exactly than another one does, and both can be so.
fn refines(more: &Claim, less: &Claim) -> bool {
    let affirmed = more.polarity == Polarity::Positive && less.polarity == Polarity::Positive;
    affirmed && place(more) < place(less) && Told::of(less).says_no_more_than(&Told::of(more)) && overlap(more, less)
}

/// The order of claims that tell one fact: the most exact one first, of equals the one with the most words for it, of
/// those the oldest.
fn place(claim: &Claim) -> (Reverse<usize>, Reverse<usize>, &ClaimId) {
    (Reverse(Told::of(claim).exactness()), Reverse(claim.qualifiers.len()), &claim.id)
}

/// Those of one fact, the most exact ones first.
pub(super) struct Family(Vec<Kin>);

impl Family {
    /// All that tell the fact that a claim tells, or deny it.
    pub(super) fn of(c: &Connection, claim: &ClaimId) -> Result<Self, Fault> {
        let mut members = claims::kin(c, claim)?;
        members.sort_by(|a, b| place(&a.claim).cmp(&place(&b.claim)));
        Ok(Self(members))
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.0.iter().map(|member| &member.claim)
    }

    pub(super) fn ids(&self) -> Vec<ClaimId> {
        self.claims().map(|claim| claim.id.clone()).collect()
    }

    pub(super) fn get(&self, id: &ClaimId) -> Option<&Claim> {
        self.claims().find(|claim| claim.id == *id)
    }

    /// Whether a member's words count: it is believed, or stands behind one that is.
    fn counts(&self, member: &Kin) -> bool {
        let behind = member.behind.as_ref().and_then(|id| self.get(id));
        is_believed(&member.claim) || behind.is_some_and(is_believed)
    }

    /// Those of the pieces of this family's evidence that speak for a claim of it or against it: its own, and what says
    /// less of the same; against it what denies it, or of a denial what affirms it.
    pub(super) fn weighing(&self, claim: &Claim, found: &[Found]) -> Vec<Found> {
        let told = Told::of(claim);
        let mut pieces = Vec::new();
        for member in &self.0 {
            let other = &member.claim;
            let own = || found.iter().filter(|piece| piece.claim == other.id);
            if other.id == claim.id || (self.counts(member) && refines(claim, other)) {
                pieces.extend(own().cloned());
            } else if other.polarity != claim.polarity && self.counts(member) && overlap(claim, other) {
                let (denial, denied) = if other.polarity == Polarity::Negative {
                    (Told::of(other), &told)
                } else {
                    (Told::of(claim), &Told::of(other))
                };
                if (Told { since: None, until: None, ..denial }).says_no_more_than(denied) {
                    let against = own().filter(|piece| piece.polarity == EvidencePolarity::Supporting);
                    pieces.extend(
                        against.map(|piece| Found { polarity: EvidencePolarity::Contradicting, ..piece.clone() }),
                    );
                }
            }
        }
        pieces
    }

    /// Puts each claim behind the most exact one that is believed, and brings those back whose more exact one fell for
    /// want of words. One that a person decided against takes what stands behind it along, until a new source speaks.
    /// Gives which of them changed, and how the family stands then.
    pub(super) fn arrange(
        mut self,
        tx: &Connection,
        of: &ClaimId,
        why: &Why<'_>,
    ) -> Result<(Self, Vec<ClaimId>), Fault> {
        let mut changed = Vec::new();
        for at in 0..self.0.len() {
            let member = &self.0[at];
            let less = &member.claim;
            let before = self.0[..at].iter().map(|more| &more.claim);
            let front =
                before.clone().find(|more| is_believed(more) && refines(more, less)).map(|more| more.id.clone());
            let (state, behind) = match (front, &member.behind) {
                (Some(front), None) if is_believed(less) => {
                    claims::set_state(tx, less, ClaimState::Superseded, &Cause::Refinement, why.actor, why.now)?;
                    claims::set_superseded_by(tx, &less.id, Some(&front))?;
                    (ClaimState::Superseded, Some(front))
                }
                (Some(front), Some(behind)) if front != *behind => {
                    claims::set_superseded_by(tx, &less.id, Some(&front))?;
                    (ClaimState::Superseded, Some(front))
                }
                (None, Some(behind)) => {
                    let asked = why.new_source && less.id == *of;
                    if !(asked || self.is_free(tx, less, behind)?) || !keeps_support(tx, &less.id)? {
                        continue;
                    }
                    undo_last(tx, less, why)?;
                    (ClaimState::Asserted, None)
                }
                _ => continue,
            };
            changed.push(less.id.clone());
            (self.0[at].claim.state, self.0[at].behind) = (state, behind);
        }
        Ok((self, changed))
    }

    /// Whether a claim need not stand behind another one any more: that one lost its words or tells something else by now.
    fn is_free(&self, tx: &Connection, less: &Claim, behind: &ClaimId) -> Result<bool, Fault> {
        let Some(more) = self.get(behind) else {
            // It went with an entity that was merged, or says something else since.
            return Ok(!super::merge::names_merged(tx, less)? && !stands_for(tx, less, behind)?);
        };
        let by_words = |(.., cause): (String, ClaimState, ClaimState, String)| cause == "evidence";
        Ok(is_believed(more) || claims::last_change(tx, behind)?.is_some_and(by_words))
    }
}

/// Whether a claim says just what another one says, as after a merge.
fn stands_for(tx: &Connection, claim: &Claim, by: &ClaimId) -> Result<bool, Fault> {
    Ok(super::record::keys_of(tx, &super::record::Said::of(claim), claim.polarity)?.claim == claims::key(tx, by)?)
}

/// The more exact claim that a claim stands behind.
pub(super) fn front(c: &Connection, claim: &ClaimId) -> Result<Option<ClaimId>, Fault> {
    let is_behind = claims::last_change(c, claim)?.is_some_and(|(.., cause)| cause == "refinement");
    Ok(if is_behind { claims::superseded_by(c, claim)? } else { None })
}
