//! Measuring an extractor: which of its proposals are among the claims that a person drew from the same text.

use crate::normal_value;
use std::collections::BTreeMap;
use um_model::belief::{CandidateObject, ClaimCandidate, Polarity, ValueKind};
use um_model::predicates::{Likeness, same_predicate};

/// A claim as a person wrote it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    /// Of whom or what.
    pub subject: String,
    /// Any name of the predicate.
    pub predicate: String,
    /// The object's name or value.
    pub object: String,
    /// Affirmed or denied.
    pub polarity: Polarity,
    /// Circumstances.
    pub qualifiers: BTreeMap<String, String>,
}

/// How many proposals were right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Proposals that are among the expected claims, each expected claim counted once.
    pub right: usize,
    /// Proposals.
    pub proposed: usize,
    /// Expected claims.
    pub expected: usize,
}

impl Score {
    /// The share of proposals that are right; one where nothing was proposed.
    pub fn precision(self) -> f64 {
        if self.proposed == 0 { 1.0 } else { self.right as f64 / self.proposed as f64 }
    }

    /// The share of expected claims that were proposed; one where nothing was expected.
    pub fn recall(self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.right as f64 / self.expected as f64 }
    }
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.proposed += other.proposed;
        self.expected += other.expected;
    }
}

/// Counts which proposals are among the expected claims. What only follows from another proposal counts where it is
/// expected, and is not held against a set that leaves it out.
pub fn score(proposed: &[ClaimCandidate], expected: &[Gold]) -> Score {
    let mut open: Vec<&Gold> = expected.iter().collect();
    let mut score = Score { expected: expected.len(), ..Score::default() };
    for claim in proposed {
        let known = open.iter().position(|gold| same_claim(claim, gold));
        if let Some(at) = known {
            open.swap_remove(at);
            score.right += 1;
        }
        score.proposed += usize::from(known.is_some() || !follows(claim, proposed));
    }
    score
}

/// Whether a proposal only says what follows from another one: that who is divorced is not married any more.
pub fn follows(claim: &ClaimCandidate, proposed: &[ClaimCandidate]) -> bool {
    proposed.iter().any(|told| crate::ended_by(told).as_ref() == Some(claim))
}

/// Whether a proposal says what a person wrote: the predicate by any of its names, subject and object swapped for an
/// inverse one, names, values and circumstances by their normal forms.
pub fn same_claim(claim: &ClaimCandidate, gold: &Gold) -> bool {
    let object = match &claim.object {
        CandidateObject::Entity(mention) => &mention.name,
        CandidateObject::Value { text, .. } => text,
    };
    // Who prefers to use metric units prefers metric units.
    let plain = |object: &str| object.strip_prefix("uses ").unwrap_or(object).to_owned();
    let wished = claim.predicate == "prefers" && same(&plain(object), &plain(&gold.object));
    let direct = same(&claim.subject.name, &gold.subject) && (same(object, &gold.object) || wished);
    let swapped = same(&claim.subject.name, &gold.object) && same(object, &gold.subject);
    let about_the_same = match same_predicate(&claim.predicate, &gold.predicate) {
        Likeness::Same => direct,
        Likeness::Swapped => swapped,
        Likeness::Symmetric => direct || swapped,
        Likeness::Different => false,
    };
    about_the_same
        && claim.polarity == gold.polarity
        && circumstances(&claim.qualifiers) == circumstances(&gold.qualifiers)
}

fn same(a: &str, b: &str) -> bool {
    [ValueKind::Text, ValueKind::Number].into_iter().any(|kind| normal_value(a, kind) == normal_value(b, kind))
}

/// Names of circumstances that mean the same, the one that the rules use first; `docs/rules.md` has the same table.
const SAME_CIRCUMSTANCE: &[(&str, &[&str])] = &[
    ("at", &["on", "in", "date", "when", "year", "time"]),
    ("since", &["from", "start", "starting", "start_date"]),
    ("until", &["to", "till", "through", "end", "end_date"]),
    ("for", &["duration"]),
    ("role", &["as", "title", "position"]),
    ("over", &["than", "rather_than"]),
];

fn circumstances(qualifiers: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    qualifiers
        .iter()
        .map(|(key, value)| {
            let key = normal_value(key, ValueKind::Boolean).replace(' ', "_");
            let known = SAME_CIRCUMSTANCE.iter().find(|(_, others)| others.contains(&key.as_str()));
            (known.map_or(key.clone(), |(name, _)| (*name).to_owned()), normal_value(value, ValueKind::Text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, claims};

    fn gold(subject: &str, predicate: &str, object: &str, qualifiers: &[(&str, &str)]) -> Gold {
        Gold {
            subject: subject.into(),
            predicate: predicate.into(),
            object: object.into(),
            polarity: Polarity::Positive,
            qualifiers: qualifiers.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
        }
    }

    #[test]
    fn claims_are_told_apart() {
        let proposed = claims("Maya works at Halden Labs since May 2021.", &Context::default());
        for (gold, right) in [
            (gold("maya", "works_at", "the Halden Labs", &[("since", "2021-05")]), true),
            (gold("Halden Labs", "employs", "Maya", &[("from", "May 2021")]), true),
            (gold("Halden Labs", "works_at", "Maya", &[("since", "May 2021")]), false),
            (gold("Maya", "works_at", "Halden Labs", &[]), false),
            (gold("Maya", "lives_in", "Halden Labs", &[("since", "May 2021")]), false),
            (
                Gold {
                    polarity: Polarity::Negative,
                    ..gold("Maya", "works_at", "Halden Labs", &[("since", "May 2021")])
                },
                false,
            ),
        ] {
            let found = score(&proposed, std::slice::from_ref(&gold));
            assert_eq!(found.right == 1, right, "{gold:?}");
        }
    }

    #[test]
    fn what_follows_is_counted_where_it_is_expected() {
        let proposed = claims("Omar divorced Layla in 2021.", &Context::default());
        let told = gold("Omar", "divorced_from", "Layla", &[("at", "2021")]);
        let ended = Gold { predicate: "married_to".into(), polarity: Polarity::Negative, ..told.clone() };
        for (expected, counts) in [(vec![told.clone()], (1, 1)), (vec![told, ended], (2, 2)), (vec![], (0, 1))] {
            let found = score(&proposed, &expected);
            assert_eq!((found.right, found.proposed), counts, "{expected:?}");
        }
    }

    #[test]
    fn the_names_of_circumstances_stand_in_the_documentation() {
        let documented = include_str!("../../../docs/rules.md");
        for (name, others) in SAME_CIRCUMSTANCE {
            let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
            let row = format!("| `{name}` | {} |", others.join(", "));
            assert!(documented.contains(&row), "docs/rules.md lacks: {row}");
        }
    }

    #[test]
    fn each_expected_claim_counts_once() {
        let proposed = claims("Maya lives in Porto. Maya lives in Porto.", &Context::default());
        let found = score(&proposed, &[gold("Maya", "lives_in", "Porto", &[])]);
        assert_eq!((found.right, found.expected), (1, 1));
        assert_eq!(score(&[], &[]).precision(), 1.0);
    }
}
