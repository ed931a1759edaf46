//! Claims in words.

use super::resolve::PERSON_NAME;
use crate::error::Fault;
use std::collections::BTreeMap;
use um_model::belief::Polarity;
use um_model::claims::Claim;
use um_model::{SpaceId, predicates};
use um_store::{Connection, claims, vocabulary};

/// What is said, as a sentence that a person reads: `Maya Okafor works at Halden Labs (role: lead engineer)`.
pub(crate) fn sentence(
    subject: &str,
    phrase: &str,
    object: &str,
    polarity: Polarity,
    circumstances: &[String],
) -> String {
    let negative = polarity == Polarity::Negative;
    let not = if negative { "It is not so that " } else { "" };
    let more = if circumstances.is_empty() { String::new() } else { format!(" ({})", circumstances.join(", ")) };
    let phrase = if subject == PERSON_NAME { second_person(phrase) } else { phrase.to_owned() };
    let within = |name: &str, first: bool| match name {
        PERSON_NAME if !first => "you".to_owned(),
        name => name.to_owned(),
    };
    format!("{not}{} {phrase} {}{more}", within(subject, !negative), within(object, false))
}

/// What a claim says, in the words that the space has for its predicate. What reads the same both ways is said of "You".
pub(crate) fn statement(
    c: &Connection,
    space: &SpaceId,
    predicate: &str,
    [subject, object]: [&str; 2],
    polarity: Polarity,
    circumstances: &[String],
) -> Result<String, Fault> {
    let both_ways =
        object == PERSON_NAME && vocabulary::relation(c, space, predicate)?.is_some_and(|r| r.is_symmetric());
    let [subject, object] = if both_ways { [object, subject] } else { [subject, object] };
    Ok(sentence(subject, &phrase(c, space, predicate)?, object, polarity, circumstances))
}

/// A phrase of the third person as it is said of "you": `lives in` is `live in`.
fn second_person(phrase: &str) -> String {
    let (verb, rest) = phrase.split_once(' ').map_or((phrase, ""), |(verb, rest)| (verb, rest));
    let stem = |ending: &str| verb.strip_suffix(ending);
    let said = match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        _ => match (stem("ies"), stem("es").filter(|stem| HISSING.iter().any(|end| stem.ends_with(end))), stem("s")) {
            (Some(stem), _, _) => format!("{stem}y"),
            (None, Some(stem), _) | (None, None, Some(stem)) => stem.to_owned(),
            (None, None, None) => verb.to_owned(),
        },
    };
    if rest.is_empty() { said } else { format!("{said} {rest}") }
}

/// Stems that take `es`: teaches, passes, fixes, goes.
const HISSING: [&str; 5] = ["ch", "sh", "ss", "x", "o"];

/// How an attribute that nobody described is read: a verb as it is, the name of a thing as what somebody has.
fn described(predicate: &str) -> String {
    let words = predicate.replace('_', " ");
    let first = words.split(' ').next().unwrap_or_default();
    let verb = first.len() > 2 && (first.ends_with('s') && !first.ends_with("ss") || first.ends_with("ed"));
    if verb || matches!(first, "is" | "has" | "was") { words } else { format!("has the {words}") }
}

/// Qualifiers as they stand in a sentence.
pub(crate) fn circumstances(qualifiers: &BTreeMap<String, String>) -> Vec<String> {
    qualifiers.iter().map(|(key, value)| format!("{key}: {value}")).collect()
}

/// How a person reads a predicate, as the space defined it or as it is known.
pub(crate) fn phrase(c: &Connection, space: &SpaceId, predicate: &str) -> Result<String, Fault> {
    if let Some(known) = predicates::lookup(predicate) {
        return Ok(known.predicate.phrase.to_owned());
    }
    let defined = match vocabulary::relation(c, space, predicate)? {
        Some(relation) => relation.phrase,
        None => vocabulary::attribute(c, space, predicate)?.and_then(|attribute| attribute.phrase),
    };
    Ok(defined.unwrap_or_else(|| described(predicate)))
}

/// Says a claim in the words of today: one of its entities bears another name.
pub(crate) fn restate(tx: &Connection, claim: &Claim) -> Result<(), Fault> {
    let (ends, more) = ([claim.subject.name.as_str(), claim.object.text()], circumstances(&claim.qualifiers));
    let words = statement(tx, &claim.space_id, &claim.predicate, ends, claim.polarity, &more)?;
    if words != claim.statement {
        claims::set_statement(tx, claim, &words)?;
    }
    Ok(())
}

/// How a person reads the predicate of a claim.
pub(crate) fn phrase_of(c: &Connection, claim: &Claim) -> Result<String, Fault> {
    phrase(c, &claim.space_id, &claim.predicate)
}

/// Qualifiers without what is empty.
pub(crate) fn tidy_qualifiers(qualifiers: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    qualifiers
        .iter()
        .map(|(key, value)| (key.trim().to_lowercase(), value.trim().to_owned()))
        .filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_said_as_people_say_them() {
        let check = |subject: &str, phrase: &str, object: &str, positive: bool, expected: &str| {
            let polarity = if positive { Polarity::Positive } else { Polarity::Negative };
            assert_eq!(sentence(subject, phrase, object, polarity, &[]), expected);
        };
        check("Maya", "works at", "Orbis", true, "Maya works at Orbis");
        check("You", "works at", "Orbis", true, "You work at Orbis");
        check("You", "is a sibling of", "Clara", true, "You are a sibling of Clara");
        check("Dr Leitner", "is the doctor of", "You", true, "Dr Leitner is the doctor of you");
        check("You", "teaches at", "Curtin", false, "It is not so that you teach at Curtin");
        check("You", "studied at", "Curtin", true, "You studied at Curtin");
        check("You", "carries", "an umbrella", true, "You carry an umbrella");
        check("You", "likes", "rye", true, "You like rye");
        check("You", &described("internet_provider"), "Nordnet", true, "You have the internet provider Nordnet");
        check("Tom", &described("favorite_colour"), "green", true, "Tom has the favorite colour green");
        check("Tom", &described("sings"), "alto", true, "Tom sings alto");
        check("Tom", &described("dress_size"), "M", true, "Tom has the dress size M");
    }
}
