//! Who says "I" in a text: its owner, where one is named, and the space's person under any of their names. An agent that writes
//! for itself is nobody of the space: its "I" is not the person, and its sister nobody's.

use super::key::canonical_name;
use super::resolve::{PERSON, means_the_person};
use crate::error::Fault;
use um_model::belief::{CandidateObject, ClaimCandidate, Mention, Referent};
use um_model::{SpaceId, Utf16Span};
use um_rules::Talker;
use um_store::Connection;
use um_store::entities;

/// Words for the one who speaks. `US` is a country, but in capitals throughout.
const FIRST_PERSON: &[&str] = &["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"];

/// Words for somebody who is told of: with one of these, nobody is left out who could be the one who speaks.
const TOLD_OF: &[&str] =
    &["user", "users", "he", "him", "his", "she", "her", "hers", "they", "them", "their", "theirs"];

/// A text as far as it matters who speaks in it.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) text: &'a str,
    /// Whose it is, where that is told.
    pub(super) owner: Option<&'a str>,
    /// Whether an agent wrote it for itself.
    pub(super) of_agent: bool,
}

/// A candidate whose speaker is whoever owns the text, and the person where a speaker bears a name of theirs.
pub(super) fn settled(
    tx: &Connection,
    space: &SpaceId,
    spoken: Spoken<'_>,
    mut candidate: ClaimCandidate,
) -> Result<ClaimCandidate, Fault> {
    let quote = candidate.quote.slice(spoken.text).unwrap_or_default();
    let by_itself = spoken.of_agent
        && spoken.owner.is_none()
        && !says_for_the_person(spoken.text, candidate.quote)
        && speaks_itself(quote);
    let owner = match spoken.owner.map(str::trim).filter(|owner| !owner.is_empty()) {
        Some(owner) if !is_person(tx, space, owner)? => Some(owner),
        _ => None,
    };
    let object = match &mut candidate.object {
        CandidateObject::Entity(mention) => Some(mention),
        CandidateObject::Value { .. } => None,
    };
    for mention in std::iter::once(&mut candidate.subject).chain(object) {
        if let Some(owner) = owner {
            owned(mention, owner);
        } else if by_itself {
            nobodys(mention);
        }
        known(tx, space, mention)?;
    }
    Ok(candidate)
}

/// Whether words stand in the person's turn of a conversation: `User: I live in Graz`.
fn says_for_the_person(text: &str, quote: Utf16Span) -> bool {
    let before = Utf16Span::new(0, quote.end).slice(text).unwrap_or_default();
    before.lines().rev().find_map(um_rules::talker) == Some(Talker::Person)
}

/// Whether who writes the words speaks in them: by `I`, or by leaving it out as in `Mum lives in Leeds`.
fn speaks_itself(quote: &str) -> bool {
    let shouted = !quote.chars().any(char::is_lowercase);
    let words: Vec<&str> = quote.split(|c: char| !c.is_alphanumeric()).collect();
    let any =
        |of: &[&str]| words.iter().any(|word| (shouted || *word != "US") && of.contains(&word.to_lowercase().as_str()));
    any(FIRST_PERSON) || !any(TOLD_OF)
}

/// Nobody in the place of an agent's "I" and of its own; whoever it names outright is who bears that name.
fn nobodys(mention: &mut Mention) {
    let is_speaker = mention.referent == Referent::Speaker && mention.name == PERSON;
    if is_speaker || mention.name.starts_with("user's ") {
        mention.name.clear();
    }
    if is_speaker || matches!(mention.referent, Referent::OfSpeaker(_)) {
        mention.referent = Referent::Named;
    }
}

/// The owner in the person's place, and their sister in that of the person's.
fn owned(mention: &mut Mention, owner: &str) {
    if mention.referent == Referent::Speaker && mention.name == PERSON {
        owner.clone_into(&mut mention.name);
    } else if let Some(theirs) = mention.name.strip_prefix("user's ") {
        mention.name = format!("{owner}'s {theirs}");
    }
    // Who is called Ana outright is no relative of the person.
    if matches!(mention.referent, Referent::OfSpeaker(_)) {
        mention.referent = Referent::Named;
    }
}

/// A speaker who bears a name of the person is the person, and theirs are the person's; those of others are not.
fn known(tx: &Connection, space: &SpaceId, mention: &mut Mention) -> Result<(), Fault> {
    match &mention.referent {
        Referent::Speaker if mention.name != PERSON && is_person(tx, space, &mention.name)? => {
            PERSON.clone_into(&mut mention.name);
        }
        Referent::OfSpeaker(relation) => {
            let of = mention.name.strip_suffix(relation.as_str()).and_then(|name| name.strip_suffix("'s "));
            match of.map(str::to_owned) {
                Some(speaker) if speaker == PERSON => {}
                Some(speaker) if is_person(tx, space, &speaker)? => mention.name = format!("{PERSON}'s {relation}"),
                Some(_) => mention.referent = Referent::Named,
                None => {}
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a name is one of the space's person.
pub(crate) fn is_person(tx: &Connection, space: &SpaceId, name: &str) -> Result<bool, Fault> {
    let canonical = canonical_name(name);
    if means_the_person(&canonical) {
        return Ok(true);
    }
    let Some(person) = entities::by_name(tx, space, PERSON)?.into_iter().next() else { return Ok(false) };
    Ok(entities::by_name(tx, space, &canonical)?.iter().any(|named| named.id == person.id))
}
