//! What came in while two entities were one, once they are parted again: each text names its own person, and what was decided
//! of claims that are no longer of one is open.

use super::conflict::{concern_one, limits};
use super::decide::{instead_of, take_back};
use super::key::canonical_name;
use super::merge::hand_over;
use super::settle::Why;
use crate::error::Fault;
use crate::work;
use std::collections::BTreeSet;
use um_model::belief::{ConflictFinder, ExtractionMethod};
use um_model::claims::Claim;
use um_model::{ClaimId, EntityId, EpochMs, SpaceId};
use um_store::conflicts::{self, Stored};
use um_store::evidence::ReadOf;
use um_store::{Connection, claims, entities, evidence, jobs, memories, units};

/// Two entities of a space that were one since then.
pub(super) struct Parted<'a> {
    pub(super) space: &'a SpaceId,
    pub(super) of: [&'a EntityId; 2],
    pub(super) since: EpochMs,
}

/// Takes back the decisions taken since of claims that no longer concern one thing.
pub(super) fn take_decisions_back(tx: &Connection, parted: &Parted<'_>, why: &Why<'_>) -> Result<(), Fault> {
    let mut of = Vec::new();
    for entity in parted.of {
        of.extend(claims::naming(tx, entity)?.into_iter().filter(|claim| claim.space_id == *parted.space));
    }
    let of: Vec<ClaimId> = of.into_iter().map(|claim| claim.id).collect();
    for stored in conflicts::of_claims(tx, &of)? {
        let decided = stored.resolution.as_ref().filter(|(_, decided)| !decided.by_itself);
        if decided.is_some_and(|(_, decided)| decided.resolved_at >= parted.since) && stands_apart(tx, &stored)? {
            take_back(tx, &stored, why)?;
        }
    }
    Ok(())
}

/// Whether the sides of a conflict, or what was decided to stand in their place, are no longer of one thing.
fn stands_apart(tx: &Connection, stored: &Stored) -> Result<bool, Fault> {
    let instead = instead_of(tx, stored)?;
    let sides: Vec<ClaimId> = [&stored.claim_a, &stored.claim_b].into_iter().cloned().chain(instead).collect();
    let known = claims::by_ids(tx, &sides)?;
    let Some((first, others)) = known.split_first() else { return Ok(false) };
    let limits = limits(tx, first)?;
    let judged = |other: &Claim| stored.found_by == ConflictFinder::Model && other.subject.id == first.subject.id;
    Ok(!others.iter().all(|other| concern_one(first, other, &limits) || judged(other)))
}

/// Whether a person decided something since of claims that name an entity.
pub(super) fn was_decided(tx: &Connection, entity: &EntityId, since: EpochMs) -> Result<bool, Fault> {
    let of: Vec<ClaimId> = claims::naming(tx, entity)?.into_iter().map(|claim| claim.id).collect();
    let decided = |stored: &Stored| {
        stored.resolution.as_ref().is_some_and(|(_, decided)| !decided.by_itself && decided.resolved_at >= since)
    };
    Ok(conflicts::of_claims(tx, &of)?.iter().any(decided))
}

/// Has the texts that were read since of either entity read again, which takes back what is no longer found. What was read in
/// a text that names the other one says nothing until then; what a model found by the other one's name, or somebody stated by
/// their full one, is said of that one. Gives the claims that this concerns.
pub(super) fn read_again(tx: &Connection, parted: &Parted<'_>, now: EpochMs) -> Result<Vec<ClaimId>, Fault> {
    let names = [names(tx, parted, 0)?, names(tx, parted, 1)?];
    let (mut memories, mut touched) = (BTreeSet::new(), Vec::new());
    for (at, entity) in parted.of.into_iter().enumerate() {
        let other = parted.of[1 - at];
        let mut naming_other = BTreeSet::new();
        for name in &names[1 - at] {
            naming_other.extend(units::saying(tx, parted.space, name)?);
        }
        for read in evidence::read_of(tx, parted.space, entity, parted.since)? {
            let of_rules = read.method == ExtractionMethod::Rule;
            if of_rules && naming_other.contains(&read.memory) {
                evidence::set_neutral(tx, &read.id)?;
                touched.push(read.claim);
            } else if !of_rules && names_only(&read.quote, &naming(&read, &names[1 - at]), &names[at]) {
                touched.extend(hand_over(tx, &read, [entity, other], now)?);
            }
            if of_rules {
                memories.insert(read.memory);
            }
        }
        memories.extend(entities::unlink_since(tx, parted.space, entity, parted.since)?);
    }
    for memory in memories {
        memories::set_extractor(tx, &memory, "two that were one")?;
        work::queue_extraction(tx, &memory, parted.space, jobs::PRIORITY_PERSON, now)?;
    }
    Ok(touched)
}

/// By which of these names words are of whom they name: a model reads what is there; who states a fact by a bare name means the
/// one who was called so then.
fn naming(read: &ReadOf, names: &[String]) -> Vec<String> {
    let is_full = |name: &&String| read.method != ExtractionMethod::User || name.contains(' ');
    names.iter().filter(is_full).cloned().collect()
}

/// The names of one of the two, as they are compared.
fn names(tx: &Connection, parted: &Parted<'_>, at: usize) -> Result<Vec<String>, Fault> {
    let entity = entities::by_id(tx, parted.of[at], std::slice::from_ref(parted.space))?;
    let all = entity.into_iter().flat_map(|entity| [vec![entity.name], entity.aliases].concat());
    Ok(all.map(|name| canonical_name(&name)).collect())
}

/// Whether words name somebody by one of these names and nobody by one of the others; of names that contain each other the
/// longer one is the one that is said.
fn names_only(words: &str, these: &[String], others: &[String]) -> bool {
    let mut words = format!(" {} ", canonical_name(words));
    let mut all: Vec<(&String, bool)> =
        these.iter().map(|name| (name, true)).chain(others.iter().map(|name| (name, false))).collect();
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut named = [false; 2];
    for (name, is_of_these) in all {
        let said = format!(" {name} ");
        if words.contains(&said) {
            named[usize::from(is_of_these)] = true;
            words = words.replace(&said, " | ");
        }
    }
    named == [false, true]
}

#[cfg(test)]
mod tests {
    use super::{canonical_name, names_only};

    #[test]
    fn of_names_that_contain_each_other_the_longer_one_is_said() {
        let names = |all: &[&str]| all.iter().map(|name| canonical_name(name)).collect::<Vec<_>>();
        let check = |words: &str, these: &[&str], others: &[&str], expected: bool| {
            assert_eq!(names_only(words, &names(these), &names(others)), expected, "{words}");
        };
        check("M. Okafor was elected.", &["m. okafor"], &["maya okafor"], true);
        check("Maya Okafor was elected.", &["maya okafor"], &["maya"], true);
        check("Maya was elected.", &["maya okafor"], &["maya"], false);
        check("Maya Okafor and Maya were elected.", &["maya okafor"], &["maya"], false);
        check("She was elected.", &["maya okafor"], &["m. okafor"], false);
    }
}
