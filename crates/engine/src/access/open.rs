//! What agents may ask for at all. All other operations are the person's.

use um_model::access::Right;

/// The operations that agents may call, each with the right that its token must carry.
const TO_AGENTS: &[(&str, Right)] = &[
    ("memory_remember", Right::Write),
    ("memory_ingest", Right::Write),
    ("memory_recall", Right::Read),
    ("memory_get", Right::Read),
    ("spaces_list", Right::Read),
    ("artifacts_list", Right::Read),
    ("artifact_get", Right::Read),
    ("view_read", Right::Read),
    ("media_read", Right::Read),
    ("jobs_status", Right::Read),
    ("facts_add", Right::Write),
    ("facts_search", Right::Read),
    ("entities_list", Right::Read),
    ("entity_get", Right::Read),
    ("entities_resolve", Right::Read),
    ("claim_explain", Right::Read),
    ("graph_traverse", Right::Read),
    ("conflicts_list", Right::Read),
    ("conflicts_resolve", Right::Write),
];

/// The right that an agent needs for an operation; nothing where no agent may call it.
pub(crate) fn right_for(operation: &str) -> Option<Right> {
    TO_AGENTS.iter().find(|(name, _)| *name == operation).map(|(_, right)| *right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::ops::{Effect, operation};

    #[test]
    fn what_writes_needs_the_right_to_write() {
        for (name, right) in TO_AGENTS {
            let known = operation(name).unwrap_or_else(|| panic!("{name} is gone"));
            assert_ne!(known.effect, Effect::Destroys, "{name}");
            assert!(known.effect == Effect::Reads || *right == Right::Write, "{name}");
        }
    }
}
