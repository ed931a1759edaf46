//! What makes two names the same name, and two claims the same claim (spine 7.4, ruling 28).

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use um_model::belief::{ClaimType, Polarity, ValueKind};
use um_model::{EntityId, SpaceId};
use unicode_normalization::UnicodeNormalization;

/// The form that names are compared in: NFKC, lower case, single spaces, without an article before or a stop
/// after. Whoever is known by the person alone is `user's sister`, as which they were kept, "my" or "your" before.
pub(crate) fn canonical_name(name: &str) -> String {
    let folded: String = name.nfkc().collect::<String>().to_lowercase().replace(['’', 'ʼ'], "'");
    let mut words: Vec<&str> = folded
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '\'')))
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > 1 && matches!(words[0], "the" | "a" | "an") {
        words.remove(0);
    }
    match words.as_slice() {
        ["you"] => super::resolve::PERSON.to_owned(),
        ["my" | "your", relative @ ..] if !relative.is_empty() => format!("user's {}", relative.join(" ")),
        words => words.join(" "),
    }
}

/// What a claim is identified by.
#[derive(Debug, Clone)]
pub(crate) struct ClaimIdentity<'a> {
    pub(crate) space: &'a SpaceId,
    pub(crate) claim_type: ClaimType,
    pub(crate) subject: &'a EntityId,
    /// The attribute with its value and what kind of value it is.
    pub(crate) attribute: Option<(&'a str, &'a str, ValueKind)>,
    /// The relation's id with the other entity.
    pub(crate) relation: Option<(&'a str, &'a EntityId)>,
    pub(crate) qualifiers: &'a BTreeMap<String, String>,
    pub(crate) polarity: Polarity,
}

/// Qualifiers that tell how or when rather than which: two claims that differ in them speak of one thing.
pub(crate) const CIRCUMSTANCES: &[&str] = &["since", "until", "at", "for", "role", "source", "as", "told"];

/// The key that all claims share that tell one fact or deny it, each with circumstances of its own.
pub(crate) fn fact_key(claim: &ClaimIdentity<'_>) -> String {
    let mut qualifiers = canonical_qualifiers(claim.qualifiers);
    qualifiers.retain(|key, _| !CIRCUMSTANCES.contains(&key.as_str()));
    let identity = serde_json::json!(["fact", identity(claim), qualifiers]);
    format!("{:x}", Sha256::digest(identity.to_string()))
}

/// Of whom a claim says what, without how.
fn identity(claim: &ClaimIdentity<'_>) -> serde_json::Value {
    let attribute = claim.attribute.map(|(key, value, kind)| (fold(key), um_rules::normal_value(value, kind)));
    serde_json::json!([claim.space, claim.claim_type, claim.subject, attribute, claim.relation])
}

/// The canonical key of a claim: SHA-256 of its identity as canonical JSON, in hex. Order, white space and
/// case of what it is made of do not matter.
pub(crate) fn claim_key(claim: &ClaimIdentity<'_>) -> String {
    let identity = serde_json::json!([identity(claim), canonical_qualifiers(claim.qualifiers), claim.polarity]);
    format!("{:x}", Sha256::digest(identity.to_string()))
}

/// Qualifiers with folded keys and comparable values. Where two keys fold to one, both values count.
pub(crate) fn canonical_qualifiers(qualifiers: &BTreeMap<String, String>) -> BTreeMap<String, Vec<String>> {
    let mut canonical: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, value) in qualifiers {
        canonical.entry(fold(key)).or_default().push(um_rules::normal_value(value, value_kind(value)));
    }
    for values in canonical.values_mut() {
        values.sort();
        values.dedup();
    }
    canonical
}

/// A qualifier says nothing of its kind: what reads as a date is compared as one.
fn value_kind(value: &str) -> ValueKind {
    if value.chars().any(|c| c.is_ascii_digit()) { ValueKind::Date } else { ValueKind::Text }
}

fn fold(key: &str) -> String {
    let folded: String = key.nfkc().collect::<String>().to_lowercase();
    folded.split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_are_one_name() {
        for (name, canonical) in [
            ("The  Halden Labs", "halden labs"),
            ("halden labs.", "halden labs"),
            ("A", "a"),
            ("C++", "c++"),
            ("Ｈalden", "halden"),
            ("Peter’s mother", "peter's mother"),
            ("Your sister", "user's sister"),
            ("You", "user"),
            ("  ", ""),
        ] {
            assert_eq!(canonical_name(name), canonical, "{name}");
        }
    }

    fn key(value: &str, qualifiers: &[(String, String)], polarity: Polarity) -> String {
        let id = EntityId::parse(um_model::ids::OWNER_AGENT).unwrap();
        let space = SpaceId::default_project();
        claim_key(&ClaimIdentity {
            space: &space,
            claim_type: ClaimType::Attribute,
            subject: &id,
            attribute: Some(("note", value, ValueKind::Text)),
            relation: None,
            qualifiers: &qualifiers.iter().cloned().collect(),
            polarity,
        })
    }

    proptest! {
        #[test]
        fn order_white_space_and_case_do_not_matter(
            words in prop::collection::vec("[a-z]{1,8}", 1..5),
            qualifiers in prop::collection::btree_map("[a-z]{1,6}", "[a-z]{1,6}", 0..5),
        ) {
            let pairs: Vec<(String, String)> = qualifiers.into_iter().collect();
            let mut turned: Vec<(String, String)> =
                pairs.iter().map(|(k, v)| (format!(" {} ", k.to_uppercase()), format!("\t{v}\n"))).collect();
            turned.reverse();
            let spaced = format!("  {} ", words.join(" \u{a0} ").to_uppercase());
            prop_assert_eq!(
                key(&words.join(" "), &pairs, Polarity::Positive),
                key(&spaced, &turned, Polarity::Positive)
            );
        }

        #[test]
        fn different_claims_have_different_keys(
            a in "[a-z]{1,8}( [a-z]{1,8}){0,2}", b in "[a-z]{1,8}( [a-z]{1,8}){0,2}",
            ka in "[a-z]{1,6}", kb in "[a-z]{1,6}",
        ) {
            let of = |value: &str, k: &str, polarity| key(value, &[(k.to_owned(), "x".to_owned())], polarity);
            let same_value =
                um_rules::normal_value(&a, ValueKind::Text) == um_rules::normal_value(&b, ValueKind::Text);
            let same_key = of(&a, &ka, Polarity::Positive) == of(&b, &kb, Polarity::Positive);
            prop_assert_eq!(same_key, same_value && ka == kb);
            prop_assert_ne!(of(&a, &ka, Polarity::Positive), of(&a, &ka, Polarity::Negative));
            // What stands in the value is not what stands in a qualifier.
            let inside = key(&format!("{a} {ka} x"), &[], Polarity::Positive);
            prop_assert_ne!(inside, of(&a, &ka, Polarity::Positive));
        }
    }
}
