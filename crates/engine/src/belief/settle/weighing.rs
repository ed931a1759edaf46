//! What text that was made of other text does to a confidence: nothing, or as little as it can.

use super::*;
use proptest::prelude::*;
use um_model::belief::ExtractionMethod;
use um_model::{EvidenceId, MemoryId, SpaceId, Utf16Span};
use um_store::evidence::Source;

/// A piece of evidence of a cluster, that speaks for or against with so much weight.
fn piece((cluster, supports, confidence, derived): (u8, bool, f64, bool)) -> Found {
    let id = format!("00000000-0000-7000-8000-0000000000{cluster:02}");
    let memory = MemoryId::parse(id.clone()).unwrap();
    Found {
        id: EvidenceId::parse(id.clone()).unwrap(),
        claim: ClaimId::parse(um_model::OWNER_AGENT).unwrap(),
        space: SpaceId::default_project(),
        source: Source::Memory(memory.clone()),
        memory,
        artifact: None,
        in_file: false,
        quote: "blip".to_owned(),
        span: Utf16Span::new(0, 4),
        span_hash: String::new(),
        polarity: if supports { EvidencePolarity::Supporting } else { EvidencePolarity::Contradicting },
        confidence,
        method: ExtractionMethod::User,
        cluster: id,
        derived,
        stated: false,
        drift: "ok".to_owned(),
        redacted: false,
        trust: 1.0,
        source_type: "user_input".to_owned(),
        quality: 1.0,
        in_use: true,
        removed: false,
        title: None,
        modality: "text".to_owned(),
        view_type: None,
        actor: AgentId::owner(),
        actor_name: String::new(),
        author_name: String::new(),
        observed_at: 0,
        occurred_at: None,
        recorded_at: 0,
        heard_at: 0,
    }
}

fn pieces() -> impl Strategy<Value = Vec<Found>> {
    prop::collection::vec((0..6u8, any::<bool>(), 0.0..=1.0f64, any::<bool>()).prop_map(piece), 0..12)
}

fn sure(found: &[Found]) -> f64 {
    weigh(found).confidence
}

proptest! {
    #[test]
    fn text_that_was_summed_up_never_counts(pieces in pieces(), more in pieces()) {
        let summed = more.into_iter().map(|piece| Found { source_type: "consolidation".to_owned(), ..piece });
        let all: Vec<Found> = pieces.iter().cloned().chain(summed).collect();
        prop_assert_eq!(sure(&pieces), sure(&all));
    }

    #[test]
    fn what_is_made_of_texts_adds_nothing_to_what_a_source_says(pieces in pieces(), more in pieces(), said in 0.01..=1.0f64) {
        let mut known = pieces;
        known.extend([true, false].map(|supports| piece((7, supports, said, false))));
        let all: Vec<Found> =
            known.iter().cloned().chain(more.into_iter().map(|piece| Found { derived: true, ..piece })).collect();
        prop_assert_eq!(sure(&known), sure(&all));
    }

    #[test]
    fn of_what_is_only_made_of_texts_the_strongest_counts(weights in prop::collection::vec((0..6u8, 0.0..=1.0f64), 1..9)) {
        let derived: Vec<Found> = weights.iter().map(|(cluster, sure)| piece((*cluster, true, *sure, true))).collect();
        let strongest = weights.iter().map(|(_, sure)| *sure).fold(0.0, f64::max);
        prop_assert!((sure(&derived) - strongest).abs() < 1e-9);
    }

    #[test]
    fn who_repeats_themselves_is_one_source(weights in prop::collection::vec((0..6u8, 0.0..=1.0f64), 1..9)) {
        let stated = weights.iter().map(|(cluster, sure)| piece((*cluster, true, *sure, false)));
        let stated: Vec<Found> = stated.map(|piece| Found { stated: true, ..piece }).collect();
        let strongest = weights.iter().map(|(_, sure)| *sure).fold(0.0, f64::max);
        prop_assert!((sure(&stated) - strongest).abs() < 1e-9);
    }

    #[test]
    fn the_order_does_not_matter(pieces in pieces(), turn in 0usize..12) {
        let mut turned = pieces.clone();
        turned.rotate_left(turn.min(pieces.len()));
        turned.reverse();
        prop_assert_eq!(weigh(&pieces).arithmetic, weigh(&turned).arithmetic);
        prop_assert_eq!(sure(&pieces), sure(&turned));
    }
}
