//! How sure a claim is (spine 7.7 as ruling 27 corrects it): in each cluster of evidence, which is one source,
//! the strongest piece counts; clusters add up by noisy-OR; half of what speaks against it is taken off.

use std::collections::BTreeMap;
use um_model::belief::EvidencePolarity;
use um_model::claims::{Cluster, Confidence};
use um_store::evidence::Found;

/// The weight of a kind of source (spine 7.7). Consolidated text weighs nothing, so that what was summed up
/// never makes its own sources surer.
pub(crate) fn source_weight(source_type: &str) -> f64 {
    match source_type {
        "user_input" => 1.0,
        "observation" => 0.9,
        "inference" => 0.7,
        _ => 0.0,
    }
}

/// Whether the source of a piece of evidence still stands behind it.
pub(crate) fn is_live(found: &Found) -> bool {
    found.in_use && !found.redacted && found.drift != "missing"
}

/// What a piece of evidence weighs, 0 to 1.
pub(crate) fn weight(found: &Found) -> f64 {
    if !is_live(found) {
        return 0.0;
    }
    (found.confidence * found.trust * source_weight(&found.source_type) * found.quality).clamp(0.0, 1.0)
}

/// A piece of evidence, as far as confidence goes: its cluster, what it does, its weight.
pub(crate) type Piece<'a> = (&'a str, EvidencePolarity, f64);

/// The confidence that evidence gives. The order of the pieces does not matter.
pub(crate) fn confidence<'a>(pieces: impl Iterator<Item = Piece<'a>>) -> Confidence {
    let mut sides: [BTreeMap<&str, (f64, u32)>; 2] = Default::default();
    for (cluster, polarity, weight) in pieces.filter(|(_, _, weight)| *weight > 0.0) {
        let side = match polarity {
            EvidencePolarity::Supporting => 0,
            EvidencePolarity::Contradicting => 1,
            EvidencePolarity::Neutral => continue,
        };
        let (strongest, pieces) = sides[side].entry(cluster).or_default();
        *strongest = strongest.max(weight);
        *pieces += 1;
    }
    let [supporting, contradicting] = sides.map(strongest_first);
    let combined = 1.0 - supporting.iter().map(|c| 1.0 - c.weight).product::<f64>();
    let penalty = 0.5 * contradicting.iter().map(|c| c.weight).sum::<f64>();
    let confidence = (combined - penalty).clamp(0.0, 1.0);
    let arithmetic = arithmetic(&supporting, &contradicting, confidence);
    Confidence { supporting, contradicting, combined, penalty, confidence, arithmetic }
}

fn strongest_first(clusters: BTreeMap<&str, (f64, u32)>) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = clusters
        .into_iter()
        .map(|(cluster, (weight, pieces))| Cluster { cluster: cluster.to_owned(), weight, pieces })
        .collect();
    clusters.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.cluster.cmp(&b.cluster)));
    clusters
}

/// More factors than this are not written out.
const WRITTEN: usize = 8;

fn arithmetic(supporting: &[Cluster], contradicting: &[Cluster], confidence: f64) -> String {
    if supporting.is_empty() {
        return "0: nothing that is in use speaks for it".to_owned();
    }
    let mut words = "1 - ".to_owned();
    for cluster in supporting.iter().take(WRITTEN) {
        words += &format!("(1 - {:.2})", cluster.weight);
    }
    if supporting.len() > WRITTEN {
        words += &format!(" and {} more", supporting.len() - WRITTEN);
    }
    if !contradicting.is_empty() {
        let against: Vec<String> = contradicting.iter().take(WRITTEN).map(|c| format!("{:.2}", c.weight)).collect();
        words += &format!(" - 0.5 ({})", against.join(" + "));
    }
    format!("{words} = {confidence:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvidencePolarity::{Contradicting, Neutral, Supporting};
    use proptest::prelude::*;

    fn check(pieces: &[Piece<'_>], expected: f64, words: &str) {
        let found = confidence(pieces.iter().copied());
        assert!((found.confidence - expected).abs() < 1e-9, "{pieces:?}: {found:?}");
        assert_eq!(found.arithmetic, words);
    }

    #[test]
    fn the_arithmetic() {
        check(&[], 0.0, "0: nothing that is in use speaks for it");
        check(&[("a", Supporting, 0.8)], 0.8, "1 - (1 - 0.80) = 0.80");
        // One source that says it three times says it once.
        check(&[("a", Supporting, 0.8), ("a", Supporting, 0.6), ("a", Supporting, 0.8)], 0.8, "1 - (1 - 0.80) = 0.80");
        check(&[("a", Supporting, 0.8), ("b", Supporting, 0.5)], 0.9, "1 - (1 - 0.80)(1 - 0.50) = 0.90");
        check(&[("a", Supporting, 0.8), ("b", Contradicting, 0.6)], 0.5, "1 - (1 - 0.80) - 0.5 (0.60) = 0.50");
        check(&[("a", Supporting, 0.2), ("b", Contradicting, 0.9)], 0.0, "1 - (1 - 0.20) - 0.5 (0.90) = 0.00");
        check(&[("a", Supporting, 0.2), ("b", Neutral, 0.9)], 0.2, "1 - (1 - 0.20) = 0.20");
    }

    fn pieces() -> impl Strategy<Value = Vec<(String, EvidencePolarity, f64)>> {
        let polarity = prop_oneof![Just(Supporting), Just(Contradicting), Just(Neutral)];
        prop::collection::vec(("[a-d]", polarity, 0.0..=1.0f64), 0..12)
    }

    fn borrowed(pieces: &[(String, EvidencePolarity, f64)]) -> impl Iterator<Item = Piece<'_>> {
        pieces.iter().map(|(cluster, polarity, weight)| (cluster.as_str(), *polarity, *weight))
    }

    proptest! {
        #[test]
        fn stays_between_none_and_certain_whatever_the_order(pieces in pieces(), turn in 0usize..12) {
            let first = confidence(borrowed(&pieces));
            prop_assert!((0.0..=1.0).contains(&first.confidence));
            let mut turned = pieces.clone();
            turned.rotate_left(turn.min(pieces.len()));
            turned.reverse();
            prop_assert_eq!(first.confidence, confidence(borrowed(&turned)).confidence);
        }

        #[test]
        fn more_of_one_source_that_is_no_stronger_changes_nothing(pieces in pieces(), share in 0.0..=1.0f64) {
            let first = confidence(borrowed(&pieces));
            let mut more = pieces.clone();
            for (cluster, polarity, weight) in &pieces {
                more.push((cluster.clone(), *polarity, weight * share));
            }
            prop_assert_eq!(first.confidence, confidence(borrowed(&more)).confidence);
        }
    }
}
