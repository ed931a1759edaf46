//! Claims that tell one fact, one more exactly than the other: "works at Orbis" and "works at Orbis since 2021". They are
//! claims of their own (spine 2.3), each with the words that say just it; of those that are true together only the most
//! exact one is shown as believed, and what says less supports it. The others stand behind it until it falls for want of
//! its own words. When and as what a fact is so makes it more exact; which one it is makes it another fact.

use super::confidence::weight;
use super::conflict::{adds_to, disagree_on_times, may_add_to, overlap, parted_with};
use super::key::{CIRCUMSTANCES, canonical_qualifiers};
use super::leaving;
use super::quotes::is_one_voice;
use super::settle::{EDGE_CONFIDENCE, WEIGHED, Why, is_believed, keeps_support, undo_last, weigh};
use crate::error::Fault;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use um_model::belief::{ClaimState, ClaimType, EvidencePolarity, Polarity};
use um_model::claims::{Claim, ClaimObject};
use um_model::{ClaimId, EpochMs, SpaceId};
use um_store::Connection;
use um_store::claims::{self, Cause, Kin, Rivalry, Window};
use um_store::evidence::{self, Found};

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
        Self::with(&claim.qualifiers, (claim.valid_from, claim.valid_to))
    }

    /// As circumstances and a window tell it.
    pub(super) fn with(qualifiers: &BTreeMap<String, String>, (from, to): Window) -> Self {
        let mut others = canonical_qualifiers(qualifiers);
        // On which day something was told makes it no more exact.
        others.retain(|key, _| CIRCUMSTANCES.contains(&key.as_str()) && key != "told");
        let mut said = |key: &str| others.remove(key).and_then(|mut values| values.pop());
        let (since, until) = (said("since"), said("until"));
        Self { since: end(since, from), until: end(until, to), others }
    }

    /// Whether everything that this tells is told by another one, at least as exactly.
    pub(super) fn says_no_more_than(&self, other: &Self) -> bool {
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

    /// Whether its words say at what time or for how long it was so, by which its ends are counted.
    pub(super) fn is_counted(&self) -> bool {
        self.others.contains_key("at") || self.others.contains_key("for")
    }

    /// Whether the two tell of one fact that it began, or ended, at different times.
    pub(super) fn ends_apart(&self, other: &Self) -> bool {
        let apart = |one: &Option<String>, other: &Option<String>| match (one, other) {
            (Some(one), Some(other)) => !is_within(one, other) && !is_within(other, one),
            _ => false,
        };
        apart(&self.since, &other.since) || apart(&self.until, &other.until)
    }

    /// Whether the two tell one fact in all but its ends; what happens at some time may happen again.
    pub(super) fn is_one_with(&self, other: &Self) -> bool {
        !self.others.contains_key("at") && self.others == other.others
    }

    /// Whether another one tells an end that this does not.
    fn lacks_of(&self, other: &Self) -> bool {
        (self.since.is_none() && other.since.is_some()) || (self.until.is_none() && other.until.is_some())
    }

    /// Whether another one, which tells nothing else that this does not, tells the end that this leaves open: who left a company
    /// is no engineer there any more.
    fn ends_with(&self, other: &Self) -> bool {
        let rest = Self { since: other.since.clone(), until: None, others: other.others.clone() };
        self.until.is_none() && other.until.is_some() && !other.is_counted() && rest.says_no_more_than(self)
    }

    /// The more, the more is told.
    fn exactness(&self) -> usize {
        let values = self.others.values().flatten().chain(&self.since).chain(&self.until);
        values.map(|value| 1 + value.len()).sum()
    }
}

/// Whether a value is another one, or a date within it: `2021-05` is within `2021`.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    let is_date = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    rest.is_some_and(|rest| rest.is_empty() || (is_date(outer) && rest.starts_with('-')))
}

/// An end of the time in which a claim is so, as exactly as it is told: in words that fit the window, else by the window
/// itself.
fn end(said: Option<String>, at: Option<EpochMs>) -> Option<String> {
    let Some(at) = at else { return said };
    let fits = said.filter(|said| {
        let length = DAY_MS * [366, 31, 1][said.matches('-').count().min(2)];
        um_rules::date_begins(said).is_some_and(|begins| (begins..=begins + length).contains(&at))
    });
    fits.or_else(|| written(at))
}

/// A day as it is told: the first one of a year or month may stand for all of it.
pub(super) fn written(at: EpochMs) -> Option<String> {
    let day = um_rules::date_written(at)?;
    let month = day.strip_suffix("-01").unwrap_or(&day);
    Some(month.strip_suffix("-01").filter(|_| month != day).unwrap_or(month).to_owned())
}

/// Whether a claim tells the same fact more exactly than another one does, and both can be so. What both tell to have ended
/// at one time, as "until 2016" and "until April 2016" do, need not be known to be so at one moment.
fn refines(more: &Claim, less: &Claim) -> bool {
    let affirmed = more.polarity == Polarity::Positive && less.polarity == Polarity::Positive;
    affirmed
        && more.predicate == less.predicate
        && place(more) < place(less)
        && Told::of(less).says_no_more_than(&Told::of(more))
        && (overlap(more, less) || Told::of(less).until.is_some() || may_close(more, less))
        && !disagree_on_times(more, less)
}

/// How sure claims are by their own words alone.
pub(super) struct Sure(BTreeMap<ClaimId, f64>);

impl Sure {
    pub(super) fn of(found: &[Found]) -> Self {
        let mut pieces: BTreeMap<&ClaimId, Vec<Found>> = BTreeMap::new();
        for piece in found {
            pieces.entry(&piece.claim).or_default().push(piece.clone());
        }
        Self(pieces.into_iter().map(|(id, pieces)| (id.clone(), weigh(&pieces).confidence)).collect())
    }

    fn by_words(&self, claim: &Claim) -> f64 {
        self.0.get(&claim.id).copied().unwrap_or_default()
    }

    /// Whether what a claim tells beside another one may be told with the certainty of that: its own words are sure enough,
    /// and it does not rest on an agent alone where somebody else tells the other.
    pub(super) fn carries(&self, more: &Claim, less: &Claim) -> bool {
        self.by_words(more) >= self.by_words(less).min(EDGE_CONFIDENCE) && may_add_to(more, less)
    }
}

/// Whether a claim tells the end of what another one tells without a time, as somebody who may says: they need not meet then.
fn may_close(more: &Claim, less: &Claim) -> bool {
    more.claim_type != ClaimType::Event && Told::of(more).is_one_with(&Told::of(less)) && adds_to(more, less)
}

/// Whether a claim tells an end of the time that another one of the same fact leaves open, and both can be so: "until 2015"
/// beside "since 2010". They are told as one then.
fn completes(more: &Claim, less: &Claim) -> bool {
    let affirmed = more.polarity == Polarity::Positive && less.polarity == Polarity::Positive;
    let (of_more, of_less) = (Told::of(more), Told::of(less));
    let (from, until) = span(more, less);
    affirmed
        && more.claim_type != ClaimType::Event
        && (of_more.is_one_with(&of_less) || of_more.ends_with(&of_less))
        && !of_more.is_counted()
        && of_more.lacks_of(&of_less)
        && !of_more.ends_apart(&of_less)
        && from.zip(until).is_none_or(|(from, until)| from < until)
        && !disagree_on_times(more, less)
}

/// The time of a claim with the ends that it lacks and another one tells.
fn span(claim: &Claim, other: &Claim) -> Window {
    (claim.valid_from.or(other.valid_from), claim.valid_to.or(other.valid_to))
}

fn window(claim: &Claim) -> Window {
    (claim.valid_from, claim.valid_to)
}

/// Gives a claim the ends that it lacks and another one tells; who told the end stands for it.
fn take_over(claim: &mut Claim, other: Claim) {
    let whole = span(claim, &other);
    if claim.valid_to.is_none() && whole.1.is_some() && other.telling.stated_at.is_some() {
        (claim.telling.stated_at, claim.telling.voice) = (other.telling.stated_at, other.telling.voice);
    }
    (claim.valid_from, claim.valid_to) = whole;
}

/// The order of claims that tell one fact: the most exact one first, of equals the one with the most words for it, of
/// those the oldest.
fn place(claim: &Claim) -> (Reverse<usize>, Reverse<usize>, &ClaimId) {
    let qualifiers = claim.qualifiers.keys().filter(|key| *key != "told").count();
    (Reverse(Told::of(claim).exactness()), Reverse(qualifiers), &claim.id)
}

/// Whether a claim denies that something is so from some day on, as "left in 2022" does. Gives that day.
fn leaves_at(claim: &Claim) -> Option<EpochMs> {
    leaving::since(claim).filter(|_| is_believed(claim))
}

/// Those of one fact, the most exact ones first.
pub(super) struct Family {
    members: Vec<Kin>,
    /// What is believed and denies one of them by another predicate, or is denied so ([`parted_with`]).
    parted: Vec<Kin>,
}

impl Family {
    /// All that tell the fact that a claim tells, or deny it.
    pub(super) fn of(c: &Connection, claim: &ClaimId) -> Result<Self, Fault> {
        let members = claims::kin(c, claim)?;
        let mut parted = Vec::new();
        if let Some(other) = members.iter().find_map(|member| parted_with(&member.claim)) {
            let found = claims::rivals(c, &other, Rivalry::default())?.into_iter();
            let of_the_same = found.filter(|claim| is_of_one(claim, &other));
            parted.extend(of_the_same.map(|claim| Kin { claim, behind: None }));
        }
        Ok(Self { members, parted }.in_order())
    }

    fn in_order(mut self) -> Self {
        self.members.sort_by(|a, b| place(&a.claim).cmp(&place(&b.claim)));
        self
    }

    /// The pieces of evidence of all of them.
    pub(super) fn words(&self, c: &Connection) -> Result<Vec<Found>, Fault> {
        let ids: Vec<ClaimId> = self.members.iter().chain(&self.parted).map(|member| member.claim.id.clone()).collect();
        Ok(evidence::of_claims(c, &ids, WEIGHED)?)
    }

    /// What is believed and denies one of them by another predicate, or is denied so.
    pub(super) fn parted(&self) -> impl Iterator<Item = &Claim> {
        self.parted.iter().map(|other| &other.claim)
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.members.iter().map(|member| &member.claim)
    }

    /// Those that stand behind a claim.
    pub(super) fn behind(&self, front: &ClaimId) -> impl Iterator<Item = &Claim> {
        self.members.iter().filter(move |member| member.behind.as_ref() == Some(front)).map(|member| &member.claim)
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

    /// A member at the time at which it is believed: that of the claim that it stands behind.
    fn as_believed(&self, member: &Kin) -> Claim {
        let front = member.behind.as_ref().and_then(|id| self.get(id));
        let (valid_from, valid_to) = front.map_or_else(|| window(&member.claim), window);
        Claim { valid_from, valid_to, ..member.claim.clone() }
    }

    /// Those of the pieces of this family's evidence that speak for a claim of it or against it: its own, and what says
    /// less of the same, or what says more and stands behind it; against it what denies it, or of a denial what affirms it.
    pub(super) fn weighing(&self, claim: &Claim, found: &[Found], sure: &Sure) -> Vec<Found> {
        let told = Told::of(claim);
        let mut pieces = Vec::new();
        for member in self.members.iter().chain(&self.parted) {
            let other = &member.claim;
            let own = || found.iter().filter(|piece| piece.claim == other.id);
            let behind_it = member.behind.as_ref() == Some(&claim.id)
                && is_believed(claim)
                && (Told::of(other).says_no_more_than(&told) || refines(other, claim));
            let leads = || self.counts(member) && refines(claim, other) && sure.carries(claim, other);
            if other.id == claim.id || behind_it || leads() {
                pieces.extend(own().cloned());
            } else if other.polarity != claim.polarity
                && self.counts(member)
                && overlap(claim, &self.as_believed(member))
            {
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

    /// Puts each claim behind the most exact one that is believed, also what tells an end that this one leaves open, which
    /// takes it over; but what is too unsure, or an agent's alone, behind what says less. Brings those back whose front fell
    /// for want of words, or was taken back where other voices say less. One that a person decided against takes what stands
    /// behind it along, until a new source speaks. Gives which of them changed, and how the family stands then.
    pub(super) fn arrange(self, tx: &Connection, of: &ClaimId, why: &Why<'_>) -> Result<(Self, Vec<ClaimId>), Fault> {
        let known: BTreeMap<ClaimId, Window> = self.claims().map(|claim| (claim.id.clone(), window(claim))).collect();
        let mut family = self.by_own_words();
        let is_alone = known.len() == 1 && family.parted.is_empty();
        let found = if is_alone { Vec::new() } else { family.words(tx)? };
        let mut changed = family.fall(tx, why, &found)?;
        changed.extend(family.stand(tx, of, why, &found)?);
        family.end_by_leaving(&found);
        for claim in family.claims() {
            let own = claim.telling.window;
            if own == (None, None) && known.get(&claim.id) == Some(&window(claim)) {
                continue;
            }
            let told = |whole: Option<EpochMs>, own: Option<EpochMs>| whole.filter(|_| own.is_none());
            let ends = (told(claim.valid_from, own.0), told(claim.valid_to, own.1));
            if claims::set_ends_told(tx, &claim.id, ends)? && !changed.contains(&claim.id) {
                changed.push(claim.id.clone());
            }
        }
        Ok((family, changed))
    }

    /// Has what began before it was left end then, unless the words for it were said of a later time.
    fn end_by_leaving(&mut self, found: &[Found]) {
        let sure = Sure::of(found);
        let all = || self.members.iter().chain(&self.parted);
        let leavings: Vec<Claim> =
            all().filter(|other| leaves_at(&other.claim).is_some()).map(|other| other.claim.clone()).collect();
        for at in 0..self.members.len() {
            let ends =
                leavings.iter().filter(|leaving| self.is_ended_by(&self.members[at].claim, leaving, found, &sure));
            if let Some(end) = ends.filter_map(leaves_at).min() {
                self.members[at].claim.valid_to = Some(end);
            }
        }
    }

    /// Whether a claim is over since somebody left, who may say so. It is not where its words, or those that stand behind it,
    /// were said after that, as of a mail; what tells since when it is so says of no day but that on which it is known to be said
    /// that it goes on.
    fn is_ended_by(&self, claim: &Claim, leaving: &Claim, found: &[Found], sure: &Sure) -> bool {
        let Some(end) = leaves_at(leaving) else { return false };
        let open = claim.polarity == Polarity::Positive && is_believed(claim) && claim.valid_to.is_none();
        let told = Told::of(claim);
        let fits = {
            let mut of_leaving = Told { since: None, until: None, ..Told::of(leaving) };
            of_leaving.others.remove("at");
            of_leaving.says_no_more_than(&told) && !told.is_counted() && claim.claim_type != ClaimType::Event
        };
        let began = claim.valid_from.or(claim.first_said_at).is_some_and(|began| began < end);
        let goes_on = |piece: &Found| {
            let of = self.members.iter().find(|member| member.claim.id == piece.claim);
            let counts = of.filter(|of| of.claim.id == claim.id || of.behind.as_ref() == Some(&claim.id));
            let speaks = piece.polarity == EvidencePolarity::Supporting && weight(piece) > 0.0;
            let said = |of: &Kin| match Told::of(&of.claim).since {
                Some(_) => piece.occurred_at,
                None => Some(piece.observed_at),
            };
            speaks && counts.and_then(said).is_some_and(|said| said >= end)
        };
        open && fits && began && sure.carries(leaving, claim) && !found.iter().any(goes_on)
    }

    /// Each with the time that its own words tell, in the order of these.
    fn by_own_words(self) -> Self {
        let mut family = self;
        for member in &mut family.members {
            (member.claim.valid_from, member.claim.valid_to) = member.claim.telling.window;
        }
        family.in_order()
    }

    /// The place of the one that a member stands behind, and whether that one takes an end over.
    fn front_of(&self, tx: &Connection, at: usize, sure: &Sure) -> Result<Option<(usize, bool)>, Fault> {
        let less = &self.members[at];
        let counts = is_believed(&less.claim) || less.behind.is_some();
        for (before, more) in self.members[..at].iter().enumerate().filter(|(_, more)| is_believed(&more.claim)) {
            if refines(&more.claim, &less.claim) && sure.carries(&more.claim, &less.claim) {
                return Ok(Some((before, false)));
            }
            let carries = || sure.carries(&more.claim, &less.claim) && sure.carries(&less.claim, &more.claim);
            if counts && completes(&more.claim, &less.claim) && carries() && keeps_support(tx, &less.claim.id)? {
                return Ok(Some((before, true)));
            }
        }
        let leads = |other: &Kin| {
            self.counts(other) && refines(&less.claim, &other.claim) && !sure.carries(&less.claim, &other.claim)
        };
        Ok(self.members.iter().skip(at + 1).position(leads).map(|after| (at + 1 + after, false)))
    }

    /// Takes back what lost its words, whichever of the family is settled first: it would stand behind one that has some.
    fn fall(&mut self, tx: &Connection, why: &Why<'_>, found: &[Found]) -> Result<Vec<ClaimId>, Fault> {
        let mut fallen = Vec::new();
        if found.is_empty() {
            return Ok(fallen);
        }
        let speaks = |piece: &Found| piece.polarity == EvidencePolarity::Supporting && weight(piece) > 0.0;
        let told: BTreeSet<&ClaimId> = found.iter().filter(|piece| speaks(piece)).map(|piece| &piece.claim).collect();
        for Kin { claim, .. } in &mut self.members {
            if is_believed(claim) && !told.contains(&claim.id) && !keeps_support(tx, &claim.id)? {
                claims::set_state(tx, claim, ClaimState::Retracted, &Cause::Evidence, why.actor, why.now)?;
                claim.state = ClaimState::Retracted;
                fallen.push(claim.id.clone());
            }
        }
        Ok(fallen)
    }

    fn stand(&mut self, tx: &Connection, of: &ClaimId, why: &Why<'_>, found: &[Found]) -> Result<Vec<ClaimId>, Fault> {
        let (sure, mut changed) = (Sure::of(found), Vec::new());
        for at in 0..self.members.len() {
            let front = self.front_of(tx, at, &sure)?;
            if let Some((before, true)) = front {
                let less = self.members[at].claim.clone();
                take_over(&mut self.members[before].claim, less);
            }
            let member = &self.members[at];
            let less = &member.claim;
            let front = front.map(|(front, _)| self.members[front].claim.id.clone());
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
                    if !(asked || self.is_free(tx, less, behind, found)?) || !keeps_support(tx, &less.id)? {
                        continue;
                    }
                    undo_last(tx, less, why)?;
                    (ClaimState::Asserted, None)
                }
                _ => continue,
            };
            changed.push(less.id.clone());
            (self.members[at].claim.state, self.members[at].behind) = (state, behind);
        }
        Ok(changed)
    }

    /// Whether a claim need not stand behind another one any more: that one lost its words, tells something else by now or stands
    /// behind this one itself, or was taken back, this says no more than it did, and somebody else tells it.
    fn is_free(&self, tx: &Connection, less: &Claim, behind: &ClaimId, found: &[Found]) -> Result<bool, Fault> {
        let Some(more) = self.members.iter().find(|member| member.claim.id == *behind) else {
            // It went with an entity that was merged, or says something else since.
            return Ok(!super::merge::names_merged(tx, less)? && !stands_for(tx, less, behind)?);
        };
        if self.counts(more) || more.behind.as_ref() == Some(&less.id) {
            return Ok(true);
        }
        let cause = claims::last_change(tx, behind)?.map(|(_, last)| last.cause);
        let is_taken_back = more.claim.state == ClaimState::Retracted && cause.as_deref() == Some("user");
        let stands_alone = || !refines(less, &more.claim) && told_by_another(found, &less.id, behind);
        Ok(cause.as_deref() == Some("evidence") || (is_taken_back && stands_alone()))
    }
}

/// Whether two relations have the same object: who left one club is a member of another still.
fn is_of_one(a: &Claim, b: &Claim) -> bool {
    matches!((&a.object, &b.object), (ClaimObject::Entity(a), ClaimObject::Entity(b)) if a.id == b.id)
}

/// Whether somebody says so of a claim who never did of another one.
fn told_by_another(found: &[Found], claim: &ClaimId, other: &ClaimId) -> bool {
    let for_it = |piece: &&Found| piece.polarity == EvidencePolarity::Supporting;
    let of = |id: &ClaimId| found.iter().filter(for_it).filter(|piece| piece.claim == *id).collect::<Vec<_>>();
    let of_other = of(other);
    let is_apart = |piece: &Found| !of_other.iter().any(|other| is_one_voice(piece, other));
    of(claim).into_iter().any(|piece| weight(piece) > 0.0 && is_apart(piece))
}

/// The most exact believed claim that tells the fact of that key.
pub(super) fn told_of(tx: &Connection, space: &SpaceId, fact: &str) -> Result<Option<Claim>, Fault> {
    let Some(any) = claims::any_of_fact(tx, space, fact)? else { return Ok(None) };
    let family = Family::of(tx, &any)?;
    Ok(family.claims().find(|claim| is_believed(claim) && claim.polarity == Polarity::Positive).cloned())
}

/// Whether a claim says just what another one says, as after a merge.
fn stands_for(tx: &Connection, claim: &Claim, by: &ClaimId) -> Result<bool, Fault> {
    Ok(super::record::keys_of(tx, &super::record::Said::of(claim), claim.polarity)?.claim == claims::key(tx, by)?)
}

/// The more exact claim that a claim stands behind.
pub(super) fn front(c: &Connection, claim: &ClaimId) -> Result<Option<ClaimId>, Fault> {
    let is_behind = claims::last_change(c, claim)?.is_some_and(|(_, last)| last.cause == "refinement");
    Ok(if is_behind { claims::superseded_by(c, claim)? } else { None })
}

/// Whether a claim tells more than the one that it stands behind.
pub(super) fn says_more(c: &Connection, claim: &ClaimId, front: &ClaimId) -> Result<bool, Fault> {
    let known = claims::by_ids(c, &[claim.clone(), front.clone()])?;
    let [more, less] = known.as_slice() else { return Ok(false) };
    Ok(refines(more, less))
}
