//! From a mention to an entity. A name that fits one entity is that entity; one that fits several is not
//! guessed; one that fits none makes a new one.

use super::full_names::FullNames;
use super::key::canonical_name;
use crate::error::Fault;
use um_model::belief::{EntityType, MatchType, Mention, Referent};
use um_model::{EntityId, EpochMs, SpaceId};
use um_store::entities::{self, Named};
use um_store::{Connection, claims};

/// The canonical name of the space's person, whom "I" and "me" mean.
pub(crate) const PERSON: &str = "user";
/// How the person is shown.
pub(crate) const PERSON_NAME: &str = "You";
/// Other names of the person.
pub(crate) const PERSON_ALIASES: &[&str] = &["me", "I", "myself", "you", PERSON];
/// The longest name, in bytes: what is longer is no name.
const MAX_NAME: usize = 200;

/// Of those who have one first name, so many are asked about.
const MOST_CALLED: u32 = 12;

/// Whom a mention means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Resolved {
    /// This one.
    One(EntityId, MatchType),
    /// One of several.
    Ambiguous(Vec<Named>),
    /// Nobody: it is no name.
    Nobody,
}

/// Whether a mention of one type may mean an entity of another: what is only a thing or concept so far may
/// turn out to be anything.
pub(crate) fn may_be(found: EntityType, wanted: EntityType) -> bool {
    let vague = |t: EntityType| matches!(t, EntityType::Thing | EntityType::Concept);
    found == wanted || vague(found) || vague(wanted)
}

/// Whether a canonical name is one that means the person: "me", "I".
pub(crate) fn means_the_person(canonical: &str) -> bool {
    PERSON_ALIASES.iter().any(|alias| canonical_name(alias) == canonical)
}

/// Whether a canonical name is the person's own, or that of somebody known by the person alone: `user's sister`.
pub(crate) fn is_of_the_person(canonical: &str) -> bool {
    canonical == PERSON || canonical.starts_with("user's ")
}

/// What is known of a mention beside its words.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around<'a> {
    /// The full names that its text gives; none where somebody states a fact.
    pub(crate) names: Option<&'a FullNames>,
    /// The source that it is of, where it describes something of that source alone: "the contract".
    pub(crate) source: Option<&'a str>,
}

/// Finds or makes the entity that a mention means.
pub(crate) fn resolve(
    tx: &Connection,
    space: &SpaceId,
    mention: &Mention,
    around: Around<'_>,
    now: EpochMs,
) -> Result<Resolved, Fault> {
    if let Referent::Known(id) = &mention.referent {
        return Ok(Resolved::One(id.clone(), MatchType::User));
    }
    let canonical = canonical_name(&mention.name);
    if mention.referent == Referent::Speaker && canonical == PERSON {
        return Ok(Resolved::One(person(tx, space, now)?, MatchType::Exact));
    }
    if canonical.is_empty() || canonical.len() > MAX_NAME {
        return Ok(Resolved::Nobody);
    }
    let resolved = match around.names.filter(|_| is_first_name(mention, &canonical)) {
        Some(names) => of_first_name(tx, space, mention, (names, &canonical), now)?,
        None => of_name(tx, space, mention, (around.source, &canonical), now)?,
    };
    if let Resolved::One(id, _) = &resolved {
        learn_type(tx, id, mention.entity_type, now)?;
    }
    Ok(resolved)
}

fn is_first_name(mention: &Mention, canonical: &str) -> bool {
    mention.entity_type == EntityType::Person && !canonical.contains(' ')
}

/// The entity of a name. What only describes something is that of its own source, unless somebody gave it that name.
fn of_name(
    tx: &Connection,
    space: &SpaceId,
    mention: &Mention,
    (source, canonical): (Option<&str>, &str),
    now: EpochMs,
) -> Result<Resolved, Fault> {
    let bearing = |canonical: &str| -> Result<Vec<Named>, Fault> {
        let mut found = entities::by_name(tx, space, canonical)?;
        found.retain(|named| may_be(named.entity_type, mention.entity_type));
        Ok(found)
    };
    let mut found = bearing(canonical)?;
    let own = source.map(|source| format!("{canonical} @{source}"));
    if let Some(own) = &own {
        found.retain(|named| named.match_type == MatchType::Exact);
        found.extend(bearing(own)?);
    }
    match choose(found, mention.entity_type) {
        Resolved::Nobody => {}
        found => return Ok(found),
    }
    let Some(own) = own else {
        // One who is called so is not enough to know who is meant: it may be somebody who was never named in full.
        let called = if is_first_name(mention, canonical) { called(tx, space, canonical)? } else { Vec::new() };
        return Ok(match called.as_slice() {
            [_, _, ..] => Resolved::Ambiguous(called),
            _ => Resolved::One(add(tx, space, mention, canonical, now)?, MatchType::Exact),
        });
    };
    let id = add(tx, space, mention, &own, now)?;
    entities::add_alias(tx, space, &id, &mention.name, canonical, now)?;
    Ok(Resolved::One(id, MatchType::Exact))
}

/// Whoever a text calls by the first name alone: the one whom it names in full. Where it names nobody so, it is somebody
/// of their own, unless several are known who are called so: then it may be any of them, in whichever order they
/// became known.
fn of_first_name(
    tx: &Connection,
    space: &SpaceId,
    mention: &Mention,
    (names, canonical): (&FullNames, &str),
    now: EpochMs,
) -> Result<Resolved, Fault> {
    if let Some(full) = names.only(tx, space, canonical)? {
        let mention = Mention { name: full, ..mention.clone() };
        match of_name(tx, space, &mention, (None, &canonical_name(&mention.name)), now)? {
            Resolved::One(id, _) => return Ok(Resolved::One(id, MatchType::Alias)),
            Resolved::Nobody => {}
            several => return Ok(several),
        }
    }
    let mut called = called(tx, space, canonical)?;
    if called.len() > 1 {
        let found = choose(entities::by_name(tx, space, canonical)?, mention.entity_type);
        match found {
            // Whoever was stated to bear that very name may be meant as well.
            Resolved::One(id, MatchType::Exact) => {
                if let Some(entity) = entities::standing(tx, &id)?
                    && claims::is_believed_of(tx, &id)?
                {
                    let match_type = MatchType::Exact;
                    called.push(Named { id, name: entity.name, entity_type: entity.entity_type, match_type });
                }
                return Ok(Resolved::Ambiguous(called));
            }
            Resolved::Nobody => return Ok(Resolved::Ambiguous(called)),
            found => return Ok(found),
        }
    }
    of_name(tx, space, mention, (None, canonical), now)
}

/// Of those that bear a name the one that is meant: by name before by alias, the same type before a vague one.
fn choose(found: Vec<Named>, wanted: EntityType) -> Resolved {
    for exact in [MatchType::Exact, MatchType::Alias] {
        let bearing: Vec<&Named> = found.iter().filter(|named| named.match_type == exact).collect();
        let same: Vec<&Named> = bearing.iter().copied().filter(|named| named.entity_type == wanted).collect();
        match (bearing.as_slice(), same.as_slice()) {
            ([], _) => {}
            ([one], _) | (_, [one]) => return Resolved::One(one.id.clone(), exact),
            (several, _) => return Resolved::Ambiguous(several.iter().map(|named| (*named).clone()).collect()),
        }
    }
    Resolved::Nobody
}

/// Those who have a first name.
fn called(tx: &Connection, space: &SpaceId, first_name: &str) -> Result<Vec<Named>, Fault> {
    Ok(entities::persons_called(tx, space, first_name, MOST_CALLED)?)
}

fn add(tx: &Connection, space: &SpaceId, mention: &Mention, canonical: &str, now: EpochMs) -> Result<EntityId, Fault> {
    let name = match canonical.strip_prefix("user's ") {
        Some(relative) => format!("Your {relative}"),
        None => mention.name.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let id = entities::insert(tx, space, &name, canonical, mention.entity_type, now)?;
    if mention.entity_type == EntityType::Person {
        super::held::share_first_name(tx, space, canonical, &id, now)?;
    }
    Ok(id)
}

/// What was only a thing so far is now known to be a person, a place, an organization. What every space may name is what
/// whoever shared it said: no space's memories tell the others more.
fn learn_type(tx: &Connection, id: &EntityId, wanted: EntityType, now: EpochMs) -> Result<(), Fault> {
    match entities::space_of(tx, id)? {
        Some(space) if space != SpaceId::global() => make_known(tx, id, wanted, now),
        _ => Ok(()),
    }
}

/// What was only a thing so far is a person, a place, an organization.
pub(crate) fn make_known(tx: &Connection, id: &EntityId, wanted: EntityType, now: EpochMs) -> Result<(), Fault> {
    if matches!(wanted, EntityType::Thing | EntityType::Concept) {
        return Ok(());
    }
    let Some(entity) = entities::standing(tx, id)? else { return Ok(()) };
    if matches!(entity.entity_type, EntityType::Thing | EntityType::Concept) {
        entities::set_type(tx, id, wanted, now)?;
        if wanted == EntityType::Person
            && let Some(space) = entities::space_of(tx, id)?
        {
            super::held::share_first_name(tx, &space, &canonical_name(&entity.name), id, now)?;
        }
    }
    Ok(())
}

/// The space's person.
pub(crate) fn person(tx: &Connection, space: &SpaceId, now: EpochMs) -> Result<EntityId, Fault> {
    // By name first; one that was renamed still bears it as an alias.
    if let Some(named) = entities::by_name(tx, space, PERSON)?.into_iter().next() {
        return Ok(named.id);
    }
    let id = entities::insert(tx, space, PERSON_NAME, PERSON, EntityType::Person, now)?;
    for alias in PERSON_ALIASES {
        entities::add_alias(tx, space, &id, alias, &canonical_name(alias), now)?;
    }
    Ok(id)
}

/// How near two names are, 0 to 1, where they may be one: the same words in another order, one within the
/// other, or a letter apart. `None` where they are plainly two.
pub(crate) fn likeness(a: &str, b: &str) -> Option<f64> {
    if a == b {
        return Some(1.0);
    }
    let words = |name: &str| -> Vec<String> { name.split(' ').map(str::to_owned).collect() };
    let (mut one, mut other) = (words(a), words(b));
    one.sort();
    other.sort();
    if one == other {
        return Some(0.95);
    }
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    if short.len() < long.len() && short.iter().all(|word| word.len() > 1 && long.contains(word)) {
        return Some(0.7);
    }
    // A slip of the pen: one edit in a name that is long enough to bear it.
    (a.chars().count().min(b.chars().count()) >= 6 && edit_distance_at_most_one(a, b)).then_some(0.8)
}

fn edit_distance_at_most_one(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    let rest = if short.len() == long.len() { &short[(same + 1).min(short.len())..] } else { &short[same..] };
    long[(same + 1).min(long.len())..] == *rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_be_one() {
        for (a, b, expected) in [
            ("maya okafor", "maya okafor", Some(1.0)),
            ("okafor maya", "maya okafor", Some(0.95)),
            ("maya", "maya okafor", Some(0.7)),
            ("halden labs", "haldon labs", Some(0.8)),
            ("halden labs", "halden lab", Some(0.8)),
            ("ana", "anna", None),
            ("maya okafor", "maya ruiz", None),
            ("j okafor", "maya okafor", None),
        ] {
            assert_eq!(likeness(a, b), expected, "{a} / {b}");
        }
    }
}
