//! What settling costs.

use super::*;
use crate::belief::full_names::FullNames;
use crate::belief::record::{Origin, record};
use crate::statements::runs;
use um_model::belief::{CandidateObject, ClaimCandidate, ClaimType, EntityType, ExtractionMethod, Mention};
use um_model::belief::{Referent, ValueKind};
use um_model::{MemoryScope, SpaceId, Utf16Span};
use um_store::keyed::Key;
use um_store::memories::{self, NewMemory};
use um_store::rejected::Checked;
use um_store::{Keys, Store};

fn birthday(year: usize) -> ClaimCandidate {
    let name = "Ana".to_owned();
    ClaimCandidate {
        claim_type: ClaimType::Attribute,
        subject: Mention { name, referent: Referent::Named, entity_type: EntityType::Person, span: None },
        predicate: "birthday".to_owned(),
        object: CandidateObject::Value { text: format!("{year}-05-03"), kind: ValueKind::Date },
        qualifiers: BTreeMap::default(),
        polarity: Polarity::Positive,
        quote: Utf16Span::new(0, 3),
        confidence: 0.9,
        valid_from: None,
        valid_to: None,
    }
}

/// Statements that settling one of so many claims takes, each of which contradicts all others.
fn statements(claims: usize) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 1).unwrap();
    let counted: Result<i32, Fault> = store.write(move |tx| {
        let (space, text, actor) = (SpaceId::default_project(), "Ana.".to_owned(), AgentId::owner());
        let new = NewMemory {
            space: space.clone(),
            actor: actor.clone(),
            content: Some(text.clone()),
            content_hash: "x".to_owned(),
            modality: "text".to_owned(),
            artifact: None,
            title: None,
            scope: MemoryScope::Fact,
            classification_confidence: 0.5,
            classifier_id: "test".to_owned(),
            source_type: "user_input",
            memory_key: None,
            supersedes: None,
            owner: None,
            session: None,
            occurred_at: None,
            envelope: Default::default(),
        };
        let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
        let origin = Origin {
            space: &space,
            memory: &memory,
            view: None,
            segments: &[],
            text: &text,
            observed_at: 1,
            said_at: Some(1),
            author: &actor,
            method: ExtractionMethod::User,
            polarity: EvidencePolarity::Supporting,
            decides: None,
        };
        let candidates: Vec<_> = (0..claims).map(|n| birthday(1900 + n)).collect();
        let kept = record(tx, &origin, &candidates, &FullNames::default(), 1)?;
        let last = kept.last().and_then(|kept| kept.as_ref().ok()).map(|kept| kept.claim.clone()).unwrap();
        let why = Why { actor: &actor, now: 1, cause: Cause::Evidence, new_source: false };
        assert_eq!(settle(tx, &last, &why)?.len(), claims - 1);
        let before = runs(tx);
        settle(tx, &last, &why)?;
        Ok(runs(tx) - before)
    });
    counted.unwrap_or_else(|_| panic!("a claim could not be settled"))
}

#[test]
fn a_claim_costs_as_many_statements_however_many_it_conflicts_with() {
    let (few, many) = (statements(3), statements(60));
    assert!(0 < few && few == many, "{few} statements among 3, {many} among 60");
}
