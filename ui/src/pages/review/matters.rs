//! Conflicts that belong together. Three values for one thing make three conflicts, and whoever decides one of them
//! settles others, because they share a claim: so conflicts that share one are one matter.

use um_model::claims::Conflict;

fn share_a_claim(one: &Conflict, other: &Conflict) -> bool {
    [&one.claim_a.id, &one.claim_b.id].iter().any(|id| [&other.claim_a.id, &other.claim_b.id].contains(id))
}

/// Conflicts by what they are about. Each matter stands where the first of its conflicts stood.
pub fn matters(conflicts: impl IntoIterator<Item = Conflict>) -> Vec<Vec<Conflict>> {
    conflicts.into_iter().fold(Vec::new(), |all: Vec<Vec<Conflict>>, conflict| {
        let related = |matter: &Vec<Conflict>| matter.iter().any(|one| share_a_claim(one, &conflict));
        let at = all.iter().position(related).unwrap_or(all.len());
        // One conflict may join what stood apart so far.
        let (joined, mut all): (Vec<_>, Vec<_>) = all.into_iter().partition(related);
        all.insert(at, joined.into_iter().flatten().chain([conflict.clone()]).collect());
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(a: u8, b: u8) -> Conflict {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}");
        let claim = |n: u8| {
            serde_json::json!({
                "id": id(n), "space_id": id(0), "claim_type": "attribute", "predicate": "lives_in", "statement": "",
                "subject": { "id": id(0), "name": "Ana", "entity_type": "person" }, "object": { "value": "x" },
                "qualifiers": {}, "polarity": "positive", "state": "disputed", "confidence": 0.8, "evidence_count": 1,
                "last_updated_at": 0, "citations": [], "conflicts": [],
            })
        };
        serde_json::from_value(serde_json::json!({
            "id": id(a * 10 + b), "conflict_type": "contradicting_value", "summary": "", "claim_a": claim(a),
            "claim_b": claim(b), "detected_at": 0, "space_id": id(0), "found_by": "rule",
        }))
        .unwrap()
    }

    fn check(pairs: &[(u8, u8)], expected: &[&[(u8, u8)]]) {
        let found = matters(pairs.iter().map(|(a, b)| conflict(*a, *b)));
        let found: Vec<Vec<_>> = found.iter().map(|m| m.iter().map(|one| one.id.clone()).collect()).collect();
        let expected: Vec<Vec<_>> =
            expected.iter().map(|m| m.iter().map(|(a, b)| conflict(*a, *b).id).collect()).collect();
        assert_eq!(found, expected, "{pairs:?}");
    }

    #[test]
    fn conflicts_that_share_a_claim_are_one_matter() {
        check(&[], &[]);
        check(&[(1, 2), (3, 4)], &[&[(1, 2)], &[(3, 4)]]);
        check(&[(1, 2), (5, 6), (1, 3), (2, 3)], &[&[(1, 2), (1, 3), (2, 3)], &[(5, 6)]]);
        check(&[(1, 2), (5, 6), (3, 4), (2, 3)], &[&[(1, 2), (3, 4), (2, 3)], &[(5, 6)]]);
    }
}
