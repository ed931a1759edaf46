//! What a memory is about, by local rules (ruling 13). Precision before recall: what no rule knows is a
//! fact of low confidence.

use um_model::MemoryScope;

/// Names these rules in `memories.classifier_id`.
pub(crate) const CLASSIFIER_ID: &str = "rules-2";

/// The scope and how sure the rules are, 0 to 1.
pub(crate) fn classify(text: &str) -> (MemoryScope, f64) {
    let found = um_rules::classify(text);
    (found.scope, found.confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_asked() {
        let (scope, confidence) = classify("I prefer tea to coffee.");
        assert_eq!(scope, MemoryScope::Preference);
        assert!(confidence > classify("Hm.").1);
    }
}
