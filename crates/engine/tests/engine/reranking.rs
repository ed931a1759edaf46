//! A reranker reads the best passages together with the question; and what repeats the passages before it comes later.

use crate::support::{Rig, SPACE};
use um_engine::Caller;
use um_engine::provider::{ProviderError, ProviderResult};
use um_model::capture::MemoryRemember;
use um_model::health::{SettingsGet, SettingsSet};
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::traces::{TraceGet, TraceReplay};

const PASSAGES: [&str; 4] = [
    "The ferry to Vexmark leaves at noon.",
    "The ferry to Vexmark was late, and the harbour cold.",
    "A ferry once had a bell, and somebody at the harbour bought it.",
    "Whoever waits for the ferry in the harbour may buy tea.",
];

fn rig() -> Rig {
    let rig = Rig::new();
    PASSAGES.iter().for_each(|text| drop(rig.remember(text)));
    rig.settled();
    rig
}

fn ask(rig: &Rig) -> Recalled {
    rig.run(MemoryRecall { query: "When does the ferry to Vexmark leave?".to_owned(), ..MemoryRecall::default() })
        .unwrap()
}

fn quotes(recalled: &Recalled) -> Vec<&str> {
    recalled.hits.iter().map(|hit| hit.quote.as_str()).collect()
}

/// Likes a bell most, and tea least.
fn likes_bells(question: &str, passage: &str) -> ProviderResult<f64> {
    assert!(question.contains("leave"), "it reads the question as it was asked: {question}");
    Ok(match (passage.contains("bell"), passage.contains("tea")) {
        (true, _) => 7.5,
        (_, true) => -2.5,
        _ => 0.0,
    })
}

fn install(rig: &Rig, ranker: fn(&str, &str) -> ProviderResult<f64>) {
    *rig.script.reranker.lock().unwrap() = Some(ranker);
}

#[test]
fn the_order_follows_the_reranker_and_its_trace_gives_it_again() {
    let rig = rig();
    let before = ask(&rig);
    assert_eq!(quotes(&before)[0], PASSAGES[0]);
    install(&rig, likes_bells);
    let after = ask(&rig);
    assert_eq!((quotes(&after)[0], quotes(&after)[3]), (PASSAGES[2], PASSAGES[3]));
    let signals: Vec<f64> = after.hits.iter().filter_map(|hit| hit.score_parts.rerank).collect();
    let shares: Vec<f64> = signals.iter().map(|signal| signal / signals[0]).collect();
    assert_eq!(shares, [1.0, 0.25, 0.25, 0.0]);
    assert!(after.notices.is_empty(), "{:?}", after.notices);
    let id = after.trace.clone().unwrap();
    let trace = rig.run(TraceGet { id: id.clone() }).unwrap().recall.unwrap();
    assert_eq!(trace.given[0].signals.rerank, Some(signals[0]));
    assert_eq!(trace.reranker.as_deref(), Some("double-reranker"));
    assert_eq!(rig.run(TraceReplay { id: id.clone() }).unwrap().other_reranker, None);
    // It is gone, and the trace still tells how it was.
    *rig.script.reranker.lock().unwrap() = None;
    let replayed = rig.run(TraceReplay { id }).unwrap();
    assert!(replayed.exact);
    assert_eq!(replayed.now[0].quote, PASSAGES[0]);
    let other = "The best passages were reranked by double-reranker then, and by no model now.";
    assert_eq!(replayed.other_reranker.as_deref(), Some(other));
}

/// What it puts first may have none of the words and another meaning: that something answers is told by the best of the first few.
#[test]
fn a_reranker_that_knows_better_takes_no_answer_away() {
    let bell = "Whoever hears the bell to the east must go down now.";
    let rig = Rig::new();
    [PASSAGES[0], PASSAGES[1], PASSAGES[3], bell].iter().for_each(|text| drop(rig.remember(text)));
    rig.settled();
    let before = ask(&rig);
    assert!(!before.abstained);
    install(&rig, likes_bells);
    let after = ask(&rig);
    assert_eq!((quotes(&after)[0], quotes(&after)[1]), (bell, PASSAGES[0]));
    assert_eq!((after.abstained, after.answerability), (false, before.answerability), "{after:?}");
    assert!(rig.run(TraceReplay { id: after.trace.unwrap() }).unwrap().exact);
}

#[test]
fn without_a_reranker_or_with_one_that_is_off_nothing_changes() {
    let rig = rig();
    let none = ask(&rig);
    assert!(none.notices.is_empty() && none.hits.iter().all(|hit| hit.score_parts.rerank.is_none()));
    install(&rig, likes_bells);
    assert!(rig.run(SettingsGet {}).unwrap().rerank);
    rig.run(SettingsSet { rerank: Some(false), ..SettingsSet::default() }).unwrap();
    let off = ask(&rig);
    assert_eq!((quotes(&off), off.notices.len()), (quotes(&none), 0));
    assert!(off.hits.iter().all(|hit| hit.score_parts.rerank.is_none()));
    rig.run(SettingsSet { rerank: Some(true), ..SettingsSet::default() }).unwrap();
    assert_eq!(quotes(&ask(&rig))[0], PASSAGES[2]);
}

#[test]
fn each_step_has_its_own_time_and_an_agent_is_not_told_how_long_it_waited() {
    let rig = rig();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let request = MemoryRecall { query: "When does the ferry leave?".to_owned(), ..MemoryRecall::default() };
    let steps = |by: &Caller| -> Vec<String> {
        let recalled = rig.engine().run(by, request.clone()).unwrap();
        let trace = rig.run(TraceGet { id: recalled.trace.unwrap() }).unwrap().recall.unwrap();
        assert_eq!(trace.timings, recalled.timings);
        recalled.timings.into_keys().collect()
    };
    let all =
        ["cite", "embed", "entities", "event", "filter", "fuse", "meaning", "question", "rerank", "wait", "words"];
    let without = |left_out: &[&str]| all.into_iter().filter(|step| !left_out.contains(step)).collect::<Vec<_>>();
    assert_eq!(steps(&Caller::owner("test")), without(&["rerank"]));
    install(&rig, likes_bells);
    assert_eq!(steps(&Caller::owner("test")), all);
    assert_eq!(steps(&bot), without(&["wait"]));
}

#[test]
fn a_reranker_that_fails_leaves_a_notice_and_the_order_as_it_was() {
    let rig = rig();
    let before = ask(&rig);
    install(&rig, |_, _| Err(ProviderError::Failed("The model is broken.".to_owned())));
    let failed = ask(&rig);
    assert_eq!(quotes(&failed), quotes(&before));
    assert_eq!(failed.notices, ["The best passages were not reranked. The model is broken."]);
    let trace = rig.run(TraceGet { id: failed.trace.unwrap() }).unwrap().recall.unwrap();
    assert_eq!((trace.notices, trace.reranker), (failed.notices, None));
    install(&rig, |_, _| Ok(f64::NAN));
    assert!(ask(&rig).notices[0].contains("one number a passage"));
    install(&rig, |_, _| panic!("it takes its thread down"));
    let broke = ask(&rig);
    assert_eq!((quotes(&broke), broke.notices.len()), (quotes(&before), 1));
}

#[test]
fn the_more_of_a_thread_is_given_the_more_the_next_of_it_repeats() {
    let rig = Rig::new();
    let said = |session: &str, text: &str| {
        let request = MemoryRemember {
            text: text.to_owned(),
            space: SPACE.to_owned(),
            session: Some(session.to_owned()),
            ..MemoryRemember::default()
        };
        rig.run(request).unwrap();
    };
    for day in ["Monday", "Tuesday", "Wednesday", "Thursday"] {
        said("talk", &format!("The redwing came to the garden again on {day}."));
    }
    said("letter", "A redwing was seen in the garden of my aunt near the coast.");
    rig.settled();
    let asked = MemoryRecall { query: "redwing garden".to_owned(), ..MemoryRecall::default() };
    let recalled = rig.run(asked).unwrap();
    let (talk, letter): (Vec<_>, Vec<_>) = recalled.hits.iter().partition(|hit| !hit.quote.contains("aunt"));
    let repeats = |hits: &[&Hit]| hits.iter().map(|hit| hit.score_parts.repeats.unwrap_or(0.0)).collect::<Vec<_>>();
    let (talk, letter) = (repeats(&talk), repeats(&letter));
    assert!(talk[0] == 0.0 && talk.is_sorted_by(|one, next| one < next), "{talk:?}");
    assert!(letter[0] > 0.0 && letter[0] < talk[3], "{letter:?} {talk:?}");
    assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact);
}
