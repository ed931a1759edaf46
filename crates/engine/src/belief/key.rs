//! What makes two names the same name, and two claims the same claim (spine 7.4, ruling 28).

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use um_model::belief::{ClaimType, Polarity, ValueKind};
use um_model::{EntityId, SpaceId};
use unicode_normalization::UnicodeNormalization;

/// The form that names are compared in: [as words are in full text](um_store::fts::plain), in lower case, with single spaces, without an
/// article before or a stop after. Whoever is known by the person alone is `user's sister`, as which they were kept, "my" or "your" before.
pub(crate) fn canonical_name(name: &str) -> String {
    let folded = um_store::fts::plain(name).to_lowercase().replace(['’', 'ʼ'], "'");
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
            ("Jana Strauß", "jana strauss"),
            ("STRAẞE", "strasse"),
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

    /// All that a claim is identified by, owned.
    #[derive(Debug, Clone)]
    struct Whole {
        space: SpaceId,
        claim_type: ClaimType,
        subject: EntityId,
        attribute: Option<(String, String, ValueKind)>,
        relation: Option<(String, EntityId)>,
        qualifiers: BTreeMap<String, String>,
        polarity: Polarity,
    }

    /// What of it counts, field by field.
    type Canonical = (
        (SpaceId, ClaimType, EntityId, Polarity),
        Option<(String, String)>,
        Option<(String, EntityId)>,
        BTreeMap<String, std::collections::BTreeSet<String>>,
    );

    impl Whole {
        fn key(&self) -> String {
            claim_key(&ClaimIdentity {
                space: &self.space,
                claim_type: self.claim_type,
                subject: &self.subject,
                attribute: self.attribute.as_ref().map(|(key, value, kind)| (key.as_str(), value.as_str(), *kind)),
                relation: self.relation.as_ref().map(|(relation, target)| (relation.as_str(), target)),
                qualifiers: &self.qualifiers,
                polarity: self.polarity,
            })
        }

        fn canonical(&self) -> Canonical {
            let mut qualifiers: BTreeMap<String, std::collections::BTreeSet<String>> = BTreeMap::new();
            for (key, value) in &self.qualifiers {
                let value = um_rules::normal_value(value, value_kind(value));
                qualifiers.entry(fold(key)).or_default().insert(value);
            }
            let attribute = self.attribute.as_ref();
            (
                (self.space.clone(), self.claim_type, self.subject.clone(), self.polarity),
                attribute.map(|(key, value, kind)| (fold(key), um_rules::normal_value(value, *kind))),
                self.relation.clone(),
                qualifiers,
            )
        }
    }

    fn numbered<T>(number: u32, parse: impl FnOnce(String) -> T) -> T {
        parse(format!("00000000-0000-7000-8000-{number:012x}"))
    }

    fn entity(number: u32) -> EntityId {
        numbered(number, |id| EntityId::parse(id).unwrap())
    }

    fn space(number: u32) -> SpaceId {
        numbered(number, |id| SpaceId::parse(id).unwrap())
    }

    /// Words of which some are the same in other letters, and some would be two where they are glued together.
    fn words() -> impl Strategy<Value = String> {
        let known =
            &["tea", " TEA ", "Ｔea", "tea\",\"x", "x", "2021", "2021-05", "May 2021", "1,000", "1000", "the tea", ""];
        prop_oneof![
            4 => prop::sample::select(&known[..]).prop_map(str::to_owned),
            1 => "[a-z\"\\[\\],:]{0,4}",
        ]
    }

    fn whole() -> impl Strategy<Value = Whole> {
        let kinds = prop::sample::select(ValueKind::ALL);
        let attribute = prop::option::of((words(), words(), kinds));
        let relation = prop::option::of((prop::sample::select(&["r", "q"][..]), 0..2u32));
        let qualifiers = prop::collection::btree_map(words(), words(), 0..3);
        let types = prop::sample::select(ClaimType::ALL);
        let sides = (0..2u32, types, 0..2u32, prop::sample::select(Polarity::ALL));
        (sides, attribute, relation, qualifiers).prop_map(|(sides, attribute, relation, qualifiers)| Whole {
            space: space(sides.0),
            claim_type: sides.1,
            subject: entity(sides.2),
            attribute,
            relation: relation.map(|(relation, target)| (relation.to_owned(), entity(target))),
            qualifiers,
            polarity: sides.3,
        })
    }

    /// An identity with one field taken from another one.
    fn with_one_of(whole: &Whole, other: &Whole, field: usize) -> Whole {
        let mut mixed = whole.clone();
        match field {
            0 => mixed.space = other.space.clone(),
            1 => mixed.claim_type = other.claim_type,
            2 => mixed.subject = other.subject.clone(),
            3 => mixed.attribute = other.attribute.clone(),
            4 => mixed.relation = other.relation.clone(),
            5 => mixed.qualifiers = other.qualifiers.clone(),
            _ => mixed.polarity = other.polarity,
        }
        mixed
    }

    #[test]
    fn a_hundred_thousand_claims_have_a_hundred_thousand_keys() {
        let mut keys = std::collections::HashSet::new();
        for number in 0..100_000u32 {
            // Each number makes another claim; what differs wanders through the fields.
            let (high, low) = (number / 8, number % 8);
            let text = high.to_string();
            let mut claim = Whole {
                space: space(1),
                claim_type: ClaimType::Attribute,
                subject: entity(1),
                attribute: Some(("note".into(), "tea".into(), ValueKind::Text)),
                relation: None,
                qualifiers: BTreeMap::new(),
                polarity: if high % 2 == 0 { Polarity::Positive } else { Polarity::Negative },
            };
            match low {
                0 => claim.space = space(high + 2),
                1 => claim.subject = entity(high + 2),
                2 => claim.attribute = Some((format!("note{text}"), "tea".into(), ValueKind::Text)),
                3 => claim.attribute = Some(("note".into(), format!("tea {text}"), ValueKind::Number)),
                4 => claim.qualifiers = [(format!("key{text}"), "tea".into())].into(),
                5 => claim.qualifiers = [("note".into(), format!("tea {text}"))].into(),
                6 => (claim.attribute, claim.relation) = (None, Some((format!("r{text}"), entity(1)))),
                _ => (claim.attribute, claim.relation) = (None, Some(("r".into(), entity(high + 2)))),
            }
            assert!(keys.insert(claim.key()), "{claim:?}");
        }
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

        #[test]
        fn two_keys_are_equal_where_all_that_counts_is(a in whole(), b in whole(), field in 0..7usize) {
            // One field of many differs at most, so that both outcomes are tried.
            for other in [with_one_of(&a, &b, field), b.clone(), with_one_of(&b, &a, field)] {
                let same = a.canonical() == other.canonical();
                prop_assert_eq!(a.key() == other.key(), same, "{:?} and {:?}", a, other);
            }
        }
    }
}
