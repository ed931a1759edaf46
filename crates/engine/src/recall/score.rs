//! The score of a passage: a weighted sum of its signals, and of nothing else, so that a trace can be computed again.
//!
//! The weights were fitted on the development set of conversations, leaving one conversation out at a time, and rounded
//! (docs/adr/0016); `umem eval recall FILE --ablate` tells what each brings.

use std::collections::BTreeMap;
use um_model::recall::ScoreParts;

/// The version of the ranking: another one may order the same signals differently.
pub(super) const VERSION: &str = "signals-11";

/// A signal: its name, its weight, and how it is read from the parts of a score.
pub struct Signal {
    /// As in `ScoreParts`.
    pub name: &'static str,
    /// What it counts.
    pub weight: f64,
    /// Its value, where there is one.
    pub of: fn(&ScoreParts) -> Option<f64>,
}

/// Every signal.
pub const SIGNALS: &[Signal] = &[
    Signal { name: "words", weight: WORDS, of: |parts| parts.words },
    Signal { name: "cosine", weight: MEANING, of: |parts| parts.cosine },
    Signal { name: "near", weight: 0.12, of: |parts| parts.near },
    Signal { name: "thread", weight: 0.7, of: |parts| parts.thread },
    Signal { name: "reply", weight: 0.3, of: |parts| parts.reply },
    Signal { name: "said_by", weight: 1.0, of: |parts| parts.said_by },
    Signal { name: "entity", weight: ENTITY, of: |parts| parts.entity },
    Signal { name: "exact", weight: EXACT, of: |parts| parts.exact },
    Signal { name: "asks", weight: -0.25, of: |parts| parts.asks },
    Signal { name: "date", weight: 2.0, of: |parts| parts.date },
    Signal { name: "tells_time", weight: 0.75, of: |parts| parts.tells_time },
    Signal { name: "short", weight: 0.4, of: |parts| parts.short },
    Signal { name: "opening", weight: 0.25, of: |parts| parts.opening },
    Signal { name: "rerank", weight: RERANK, of: |parts| parts.rerank },
    Signal { name: "repeats", weight: -0.2, of: |parts| parts.repeats },
    // What is added comes last: a sum in another order may differ by a bit, and traces are computed again to the bit.
    Signal { name: "importance", weight: IMPORTANCE, of: |parts| parts.importance },
    Signal { name: "confidence", weight: CONFIDENCE, of: |parts| parts.confidence },
    Signal { name: "trust", weight: TRUST, of: |parts| parts.trust },
    Signal { name: "tags", weight: TAGS, of: |parts| parts.tags },
    Signal { name: "decided", weight: DECIDED, of: |parts| parts.decided },
    Signal { name: "latest", weight: 1.0, of: |parts| parts.latest },
];

const WORDS: f64 = 1.0;
const MEANING: f64 = 2.0;
/// It decides between what is nearly alike, and no more. It is not fitted.
const ENTITY: f64 = 0.2;
/// These four tell of a memory what its words do not: they decide between what is nearly alike, and no more. They are not fitted, and add
/// nothing where nothing was said.
const IMPORTANCE: f64 = 0.1;
const CONFIDENCE: f64 = 0.1;
const TRUST: f64 = 0.15;
const TAGS: f64 = 0.2;
/// It wins over what words and meaning tell between two passages that say the contrary of each other, which are alike in all else. It is not
/// fitted.
const DECIDED: f64 = 1.0;
/// It wins over all that meaning tells between two passages, which knows no identifiers. It is not fitted.
const EXACT: f64 = 1.5;
/// What a reranker says counts twice as much as all else together, as it alone reads both. It is not fitted.
const RERANK: f64 = 2.0;

/// What a passage carries by itself: its words and its meaning.
pub(super) fn own(parts: &ScoreParts) -> f64 {
    WORDS * parts.words.unwrap_or(0.0) + MEANING * parts.cosine.unwrap_or(0.0)
}

/// So many times do words count where a passage has no meaning to compare: for both then.
pub(super) const WORDS_ALONE: f64 = 2.0;

/// What each signal counts, by its name: an answer and its trace tell it, so that nobody else need know it.
pub(super) fn weights() -> BTreeMap<String, f64> {
    SIGNALS.iter().map(|signal| (signal.name.to_owned(), signal.weight)).collect()
}

/// The score of a passage with these signals.
pub(super) fn score(parts: &ScoreParts) -> f64 {
    SIGNALS.iter().map(|signal| signal.weight * (signal.of)(parts).unwrap_or(0.0)).sum()
}

/// The score that it had where each signal counted as these [`weights`] tell, and one that they do not name counted nothing; as it counts
/// now, where they tell of none.
pub(super) fn score_then(parts: &ScoreParts, weights: &BTreeMap<String, f64>) -> f64 {
    if weights.is_empty() {
        return score(parts);
    }
    let weight = |signal: &Signal| weights.get(signal.name).copied().unwrap_or(0.0);
    SIGNALS.iter().map(|signal| weight(signal) * (signal.of)(parts).unwrap_or(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signal_is_a_part_of_the_score() {
        let parts = serde_json::json!({});
        for signal in SIGNALS {
            let mut parts = parts.clone();
            parts[signal.name] = serde_json::json!(0.5);
            let parts: ScoreParts = serde_json::from_value(parts).unwrap();
            assert_eq!((signal.of)(&parts), Some(0.5), "{}", signal.name);
            assert!((score(&parts) - 0.5 * signal.weight).abs() < 1e-12, "{}", signal.name);
        }
    }

    #[test]
    fn every_signal_counts_and_for_or_against_as_it_is_meant() {
        for Signal { name, weight, .. } in SIGNALS {
            assert!(weight.abs() >= 0.1, "{name}: {weight}");
            assert_eq!(*weight < 0.0, ["asks", "repeats"].contains(name), "{name}: {weight}");
        }
    }

    #[test]
    fn a_score_of_then_counts_each_signal_as_it_counted_then() {
        let parts = ScoreParts { words: Some(0.3), cosine: Some(0.7), short: Some(0.9), ..ScoreParts::default() };
        let check = |weights: &[(&str, f64)], expected: f64| {
            let weights = weights.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect();
            assert_eq!(score_then(&parts, &weights).to_bits(), expected.to_bits(), "{weights:?}");
        };
        let now: Vec<(&str, f64)> = SIGNALS.iter().map(|signal| (signal.name, signal.weight)).collect();
        check(&now, score(&parts));
        check(&[], score(&parts));
        // What is no signal any more counts nothing here.
        check(&[("words", 2.0), ("cosine", 3.0), ("gone", 1.0)], 2.0 * 0.3 + 3.0 * 0.7);
    }
}
