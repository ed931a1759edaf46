//! Recall without one of its parts, as an evaluation asks: what the part does is not done.

use crate::support::{BEGIN, Rig, SPACE};
use um_engine::provider::ProviderResult;
use um_engine::{Caller, Part};
use um_model::ErrorCode;
use um_model::capture::MemoryRemember;
use um_model::recall::{MemoryRecall, Recalled, ScoreParts};
use um_model::work::{ItemType, TagAttach};

/// What speaks of searching, and is left out.
const CHATTER: &str = "Do you remember the boat?";

/// A talk of two who each say enough for it to be told who says what.
fn rig() -> Rig {
    let rig = Rig::new();
    let talk = [
        "Ana: Which boat would suit us best?",
        "Ben: The wooden boat of the order AB-1234.",
        "Ana: The boat was bought by me in May.",
        "Ben: The harbour is full of gulls.",
        "Ana: The boat needs paint at the stern.",
        "Ben: The weather was cold on Sunday.",
        "Ana: The boat has a torn sail.",
        "Ben: The market sells good cheese.",
        "Ana: The boat sleeps four people.",
        "Ben: The train came late again.",
        "Ana: The boat is painted blue.",
        "Ben: The garden needs some rain.",
        CHATTER,
    ];
    for text in talk {
        let (text, session) = (text.to_owned(), Some("talk".to_owned()));
        let request = MemoryRemember {
            text,
            session,
            space: SPACE.to_owned(),
            occurred_at: Some(BEGIN),
            ..MemoryRemember::default()
        };
        let memory = rig.run(request).unwrap().memory;
        let id = memory.id.to_string();
        rig.run(TagAttach { item_type: ItemType::Memory, id, tags: vec!["boat".to_owned()] }).unwrap();
    }
    let likes_long_ones: fn(&str, &str) -> ProviderResult<f64> = |_, passage| Ok(passage.len() as f64);
    *rig.script.reranker.lock().unwrap() = Some(likes_long_ones);
    rig.settled();
    rig
}

fn request() -> MemoryRecall {
    let query = "Which boat did Ana buy in June, AB-1234 or ZZ-9876?".to_owned();
    MemoryRecall { query, limit: Some(50), ..MemoryRecall::default() }
}

fn any(recalled: &Recalled, has: fn(&ScoreParts) -> bool) -> bool {
    recalled.hits.iter().any(|hit| has(&hit.score_parts))
}

fn order(recalled: &Recalled) -> Vec<(&str, f64)> {
    recalled.hits.iter().map(|hit| (hit.quote.as_str(), hit.score)).collect()
}

/// Whether a passage has a signal.
type Has = fn(&ScoreParts) -> bool;

#[test]
fn what_a_part_does_is_not_done_without_it() {
    let rig = rig();
    let whole = rig.run(request()).unwrap();
    let signals: [(Part, Has); 9] = [
        (Part::Words, |parts| parts.bm25_rank.is_some()),
        (Part::Meaning, |parts| parts.cosine.is_some()),
        (Part::Neighbours, |parts| parts.near.is_some_and(|near| near > 0.0)),
        (Part::Names, |parts| parts.said_by.is_some()),
        (Part::Times, |parts| parts.date.is_some()),
        (Part::Identifiers, |parts| parts.exact.is_some()),
        (Part::Tags, |parts| parts.tags.is_some()),
        (Part::Reranking, |parts| parts.rerank.is_some()),
        (Part::Diversity, |parts| parts.repeats.is_some()),
    ];
    for (part, has) in signals {
        assert!(any(&whole, has), "{part:?}: {whole:?}");
        for other in Part::ALL {
            let without = rig.engine().recall_without(&Caller::owner("test"), request(), other).unwrap();
            assert_eq!(any(&without, has), part != other, "{part:?} without {other:?}");
        }
    }
}

#[test]
fn without_gates_all_is_given_that_was_found() {
    let rig = rig();
    let gives_chatter = |recalled: &Recalled| recalled.hits.iter().any(|hit| hit.quote == CHATTER);
    assert!(!gives_chatter(&rig.run(request()).unwrap()));
    for part in Part::ALL {
        let without = rig.engine().recall_without(&Caller::owner("test"), request(), part).unwrap();
        assert_eq!(gives_chatter(&without), part == Part::Gates, "{part:?}");
    }
}

#[test]
fn what_tells_how_well_it_answers_changes_no_passage() {
    let rig = rig();
    let whole = rig.run(request()).unwrap();
    for part in [Part::AnswerSaid, Part::AnswerShare, Part::AnswerMeaning, Part::AnswerUnheld] {
        let without = rig.engine().recall_without(&Caller::owner("test"), request(), part).unwrap();
        assert_eq!(order(&without), order(&whole), "{part:?}");
        assert!((without.answerability - whole.answerability).abs() > 1e-6, "{part:?}: {}", whole.answerability);
    }
}

#[test]
fn who_leaves_a_part_out_is_the_person_and_no_trace_is_kept() {
    let rig = rig();
    let without = rig.engine().recall_without(&Caller::owner("test"), request(), Part::Words).unwrap();
    assert_eq!(without.trace, None);
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    let refused = rig.engine().recall_without(&agent, request(), Part::Words).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden);
}

#[test]
fn every_part_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = Part::ALL.iter().map(|part| part.name()).collect();
    assert_eq!(names.len(), Part::ALL.len());
}
