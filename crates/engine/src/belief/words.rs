//! Claims in words.

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
    let not = if polarity == Polarity::Negative { "It is not so that " } else { "" };
    let more = if circumstances.is_empty() { String::new() } else { format!(" ({})", circumstances.join(", ")) };
    format!("{not}{subject} {phrase} {object}{more}")
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
    Ok(defined.unwrap_or_else(|| predicate.replace('_', " ")))
}

/// Says a claim in the words of today: one of its entities bears another name.
pub(crate) fn restate(tx: &Connection, claim: &Claim) -> Result<(), Fault> {
    let (phrase, more) = (phrase_of(tx, claim)?, circumstances(&claim.qualifiers));
    let words = sentence(&claim.subject.name, &phrase, claim.object.text(), claim.polarity, &more);
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
