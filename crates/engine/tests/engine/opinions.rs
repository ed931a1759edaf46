//! Opinions on answers: what a wrong one lets wait in Review, and what goes once somebody thinks otherwise.

use crate::support::Rig;
use crate::traces::{DAY, get, quotes};
use um_model::access::{MembershipSet, OverlayMode, OverlaySet, Role};
use um_model::held::{HeldDecide, HeldDecision, HeldList};
use um_model::recall::MemoryRecall;
use um_model::traces::*;
use um_model::{ErrorCode, MemoryStatus, TraceId};

/// Passages that answer one question, each in part.
const ZEPPELINS: [&str; 6] = [
    "The zeppelin is in the barn.",
    "The barn with the zeppelin has a red door.",
    "Ana painted the zeppelin in the barn.",
    "Nobody may smoke in the barn of the zeppelin.",
    "Ben sweeps the barn beneath the zeppelin.",
    "In May the zeppelin left the barn for a day.",
];

/// That question, asked among some of them, with its trace.
fn asked_among(zeppelins: &[&str]) -> (Rig, TraceId) {
    let rig = Rig::new();
    for text in zeppelins {
        rig.remember(text);
    }
    rig.settled();
    let id = rig.recall("Which zeppelin is in the barn?").trace.unwrap();
    (rig, id)
}

#[test]
fn an_answer_is_kept_with_what_is_thought_of_it_or_without() {
    let rig = Rig::new();
    rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let recalled = rig.recall("Where is the zeppelin?");
    let id = recalled.trace.clone().unwrap();
    let say = |feedback, correction: Option<&str>, answer: Option<&str>| {
        let [correction, answer] = [correction, answer].map(|words| words.map(str::to_owned));
        rig.run(TraceFeedback { id: id.clone(), feedback, correction, answer, withdraw: false })
    };
    let check = |feedback, correction: Option<&str>, answer: Option<&str>| {
        let told = get(&rig, &recalled);
        let found = (told.summary.feedback, told.correction.as_deref(), told.answer.as_deref());
        assert_eq!(found, (feedback, correction, answer));
    };
    for (correction, answer) in [(None, None), (None, Some("  ")), (Some("In the hangar."), Some("In the barn."))] {
        let error = say(None, correction, answer).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest, "{correction:?}, {answer:?}");
    }
    check(None, None, None);
    let given = say(None, None, Some("In the barn.")).unwrap();
    assert!(given.blamed.is_empty() && given.proposed.is_empty(), "{given:?}");
    check(None, None, Some("In the barn."));
    say(Some(Feedback::Positive), None, None).unwrap();
    check(Some(Feedback::Positive), None, Some("In the barn."));
    let right = Some("In the hangar.");
    say(Some(Feedback::Correction), right, None).unwrap();
    say(None, None, Some("In a barn.")).unwrap();
    check(Some(Feedback::Correction), right, Some("In a barn."));
    let take_back = |feedback, correction: Option<&str>| {
        let (id, correction) = (id.clone(), correction.map(str::to_owned));
        rig.run(TraceFeedback { id, feedback, correction, answer: None, withdraw: true })
    };
    for (feedback, correction) in [(Some(Feedback::Negative), None), (Some(Feedback::Correction), right), (None, right)]
    {
        let error = take_back(feedback, correction).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest, "{feedback:?}, {correction:?}");
    }
    check(Some(Feedback::Correction), right, Some("In a barn."));
    // What was answered is no opinion, and stays.
    for _ in 0..2 {
        assert_eq!(take_back(None, None).unwrap().trace.feedback, None);
        check(None, None, Some("In a barn."));
    }
}

#[test]
fn a_wrong_answer_waits_in_review_and_changes_nothing() {
    let rig = Rig::new();
    let memory = rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let recalled = rig.recall("Where is the zeppelin?");
    let id = recalled.trace.clone().unwrap();
    let say = |feedback, correction: Option<&str>| {
        let correction = correction.map(str::to_owned);
        rig.run(TraceFeedback { id: id.clone(), feedback: Some(feedback), correction, answer: None, withdraw: false })
    };
    assert!(say(Feedback::Positive, None).unwrap().proposed.is_empty());
    assert_eq!(say(Feedback::Correction, None).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(say(Feedback::Negative, Some("x")).unwrap_err().code, ErrorCode::InvalidRequest);
    let given = say(Feedback::Correction, Some("The zeppelin is in the hangar.")).unwrap();
    assert_eq!(given.trace.feedback, Some(Feedback::Correction));
    assert_eq!(given.blamed.iter().map(|one| (&one.memory, one.share)).collect::<Vec<_>>(), [(&memory.id, 1.0)]);
    assert_eq!(rig.recall("zeppelin").hits.len(), 1, "nothing changes by itself");
    let waiting = rig.run(HeldList::default()).unwrap().held;
    let operations: Vec<&str> = waiting.iter().map(|one| one.operation.as_str()).collect();
    assert_eq!(operations, ["memory_remember", "memory_remove"]);
    // Said again, it waits once.
    say(Feedback::Correction, Some("The zeppelin is in the hangar.")).unwrap();
    assert_eq!(rig.run(HeldList::default()).unwrap().total, 2);
    for held in waiting {
        rig.run(HeldDecide { id: held.id, decision: HeldDecision::Accept }).unwrap();
    }
    rig.settled();
    assert_eq!(rig.recall("zeppelin").hits[0].quote, "The zeppelin is in the hangar.");
    assert_eq!(rig.memory(&memory.id).status, MemoryStatus::Deleted);
}

#[test]
fn a_wrong_answer_of_many_passages_waits_in_review_with_what_carries_most_of_it() {
    let (rig, id) = asked_among(&ZEPPELINS);
    let wrong =
        TraceFeedback { id, feedback: Some(Feedback::Negative), correction: None, answer: None, withdraw: false };
    let given = rig.run(wrong).unwrap();
    assert_eq!(given.blamed.len(), 5);
    let much = given.blamed.iter().skip(1).filter(|one| one.share >= 0.25).count();
    assert_eq!(given.proposed.len(), 1 + much, "{:?}", given.blamed);
}

#[test]
fn once_the_culprit_is_out_of_use_nothing_innocent_is_proposed_in_its_place() {
    let (rig, id) = asked_among(&ZEPPELINS[..5]);
    let wrong = || {
        let (id, feedback) = (id.clone(), Some(Feedback::Negative));
        rig.run(TraceFeedback { id, feedback, correction: None, answer: None, withdraw: false }).unwrap()
    };
    let first = wrong();
    let shares =
        |given: &FeedbackGiven| -> Vec<_> { given.blamed.iter().map(|one| (one.memory.clone(), one.share)).collect() };
    let mut gone = Vec::new();
    for held in rig.run(HeldList::default()).unwrap().held {
        let done = rig.run(HeldDecide { id: held.id, decision: HeldDecision::Accept }).unwrap();
        gone.extend(done.item_id);
    }
    assert_eq!(gone.len(), first.proposed.len());
    let again = wrong();
    assert!(again.proposed.is_empty(), "{again:?}");
    let left: Vec<_> = shares(&first).into_iter().filter(|(memory, _)| !gone.contains(&memory.to_string())).collect();
    assert_eq!(shares(&again), left, "each carries what it carried");
    assert_eq!(rig.run(HeldList::default()).unwrap().total, 0);
}

#[test]
fn what_was_dismissed_in_review_is_proposed_no_more() {
    let rig = Rig::new();
    rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let id = rig.recall("Where is the zeppelin?").trace.unwrap();
    let proposed = || {
        let feedback = Some(Feedback::Negative);
        let wrong = TraceFeedback { id: id.clone(), feedback, correction: None, answer: None, withdraw: false };
        rig.run(wrong).unwrap().proposed
    };
    let noted = || rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'write.held'");
    let [doubted] = proposed().try_into().unwrap();
    assert_eq!((proposed(), rig.run(HeldList::default()).unwrap().total), (vec![doubted.clone()], 1));
    rig.run(HeldDecide { id: doubted, decision: HeldDecision::Dismiss }).unwrap();
    let before = noted();
    assert_eq!((proposed(), noted()), (Vec::new(), before));
    assert_eq!(rig.run(HeldList::default()).unwrap().total, 0);
}

/// What waits after some opinions of one answer, one after the other, and how much the last of them took back.
#[test]
fn what_waits_for_an_opinion_goes_with_it() {
    const RIGHT: Option<Feedback> = Some(Feedback::Positive);
    const WRONG: Option<Feedback> = Some(Feedback::Negative);
    const CORRECTED: Option<Feedback> = Some(Feedback::Correction);
    /// What was said before is taken back.
    const BACK: Option<Feedback> = None;
    let check = |opinions: &[(Option<Feedback>, Option<&str>)], waits: &[&str], withdrawn: usize| {
        let rig = Rig::new();
        rig.remember("The zeppelin is in the barn.");
        rig.settled();
        let id = rig.recall("Where is the zeppelin?").trace.unwrap();
        let mut given = None;
        for (feedback, correction) in opinions {
            let (id, feedback, correction) = (id.clone(), *feedback, correction.map(str::to_owned));
            let said = TraceFeedback { id, feedback, correction, answer: None, withdraw: feedback == BACK };
            given = Some(rig.run(said).unwrap());
        }
        let held = rig.run(HeldList::default()).unwrap().held;
        let left: Vec<&str> = held
            .iter()
            .map(|one| if one.operation == "memory_remove" { "removal" } else { one.says.as_str() })
            .collect();
        assert_eq!(left, waits, "{opinions:?}");
        assert_eq!(given.map(|given| given.withdrawn.len()), Some(withdrawn), "{opinions:?}");
        let noted = rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'write.withdrawn'");
        let closed = rig.count("SELECT count(*) FROM candidates WHERE status = 'rejected' AND is_redacted = 1");
        assert_eq!(noted, closed, "each stays as a row that says nothing, and stands in the ledger");
        assert!(rig.run(HeldList { dismissed: true, ..HeldList::default() }).unwrap().held.is_empty());
    };
    let (hangar, tower) = (Some("It is in the hangar."), Some("It is on the tower."));
    check(&[(WRONG, None), (WRONG, None)], &["removal"], 0);
    check(&[(WRONG, None), (RIGHT, None)], &[], 1);
    check(&[(CORRECTED, hangar), (RIGHT, None)], &[], 2);
    check(&[(CORRECTED, hangar), (CORRECTED, hangar)], &["It is in the hangar.", "removal"], 0);
    check(&[(CORRECTED, hangar), (CORRECTED, tower)], &["removal", "It is on the tower."], 1);
    check(&[(CORRECTED, hangar), (WRONG, None)], &["removal"], 1);
    check(&[(WRONG, None), (RIGHT, None), (WRONG, None)], &["removal"], 0);
    check(&[(BACK, None)], &[], 0);
    check(&[(WRONG, None), (BACK, None)], &[], 1);
    check(&[(CORRECTED, hangar), (BACK, None)], &[], 2);
    check(&[(WRONG, None), (BACK, None), (WRONG, None)], &["removal"], 0);
}

#[test]
fn what_was_decided_or_another_answer_proposes_too_is_not_taken_back() {
    let rig = Rig::new();
    let memory = rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let [first, second] =
        ["Where is the zeppelin?", "Is the zeppelin in the barn?"].map(|query| rig.recall(query).trace.unwrap());
    let say = |id: &TraceId, feedback, correction: Option<&str>| {
        let (id, correction) = (id.clone(), correction.map(str::to_owned));
        rig.run(TraceFeedback { id, feedback: Some(feedback), correction, answer: None, withdraw: false }).unwrap()
    };
    let waiting = || rig.run(HeldList::default()).unwrap().held;
    say(&first, Feedback::Negative, None);
    say(&second, Feedback::Negative, None);
    assert_eq!(waiting().len(), 1, "the same is proposed once");
    assert!(say(&first, Feedback::Positive, None).withdrawn.is_empty());
    assert_eq!(waiting().len(), 1, "the second answer is still called wrong");
    assert_eq!(say(&second, Feedback::Positive, None).withdrawn.len(), 1);
    assert!(waiting().is_empty());
    // What an agent asked and called wrong, it takes back; the person takes back what both did.
    let bot = rig.agent_in("bot", &[crate::support::SPACE], &[]);
    let query = "zeppelin barn".to_owned();
    let own = rig.engine().run(&bot, MemoryRecall { query, ..MemoryRecall::default() }).unwrap().trace.unwrap();
    let by_bot = |feedback| {
        let request = TraceFeedback {
            id: own.clone(),
            feedback: Some(feedback),
            correction: None,
            answer: None,
            withdraw: false,
        };
        rig.engine().run(&bot, request).unwrap()
    };
    by_bot(Feedback::Negative);
    say(&own, Feedback::Negative, None);
    assert_eq!(waiting().len(), 1, "the person's own proposal stands in the place of the agent's");
    rig.run(TraceFeedback { id: own.clone(), feedback: None, correction: None, answer: None, withdraw: true }).unwrap();
    assert_eq!(waiting().len(), 0, "the person takes back whatever it is");
    by_bot(Feedback::Negative);
    assert_eq!((waiting().len(), by_bot(Feedback::Positive).withdrawn.len(), waiting().len()), (1, 1, 0));
    // What is decided stays so, and what was accepted is not proposed again.
    let right = Some("The zeppelin is in the hangar.");
    say(&own, Feedback::Correction, right);
    for held in waiting() {
        let id = held.id.clone();
        let done = rig.run(HeldDecide { id, decision: HeldDecision::Accept }).unwrap();
        assert_eq!(done.item_id.as_deref() == Some(memory.id.as_str()), held.operation == "memory_remove");
    }
    assert!(say(&own, Feedback::Positive, None).withdrawn.is_empty());
    assert_eq!(rig.memory(&memory.id).status, MemoryStatus::Deleted);
    assert!(say(&own, Feedback::Correction, right).proposed.is_empty());
}

#[test]
fn what_several_answers_propose_says_the_question_of_one_that_still_does() {
    let queries = ["Where is the zeppelin?", "Is the zeppelin in the barn?", "Which zeppelin has the barn?"];
    let check = |taken_back: &[usize], title: usize| {
        let rig = Rig::new();
        rig.remember("The zeppelin is in the barn.");
        rig.settled();
        let traces = queries.map(|query| rig.recall(query).trace.unwrap());
        let say = |at: usize, feedback| {
            let (id, feedback) = (traces[at].clone(), Some(feedback));
            rig.run(TraceFeedback { id, feedback, correction: None, answer: None, withdraw: false }).unwrap();
        };
        (0..queries.len()).for_each(|at| say(at, Feedback::Negative));
        taken_back.iter().for_each(|at| say(*at, Feedback::Positive));
        let waiting = rig.run(HeldList::default()).unwrap().held;
        let titles: Vec<Option<&str>> = waiting.iter().map(|one| one.title.as_deref()).collect();
        assert_eq!(titles, [Some(queries[title])], "{taken_back:?}");
    };
    check(&[], 0);
    check(&[0], 1);
    check(&[1], 0);
    check(&[0, 1], 2);
    check(&[1, 0], 2);
    check(&[0, 2], 1);
}

#[test]
fn what_the_person_said_of_an_answer_no_agent_changes() {
    const RIGHT: Option<Feedback> = Some(Feedback::Positive);
    const WRONG: Option<Feedback> = Some(Feedback::Negative);
    const BACK: Option<Feedback> = None;
    /// What the last of some opinions finds: those of the person and of the agent whose question it was.
    fn check(before: &[(bool, Option<Feedback>)], last: (bool, Option<Feedback>), is_taken: bool) {
        let rig = Rig::new();
        rig.remember("The zeppelin is in the barn.");
        rig.settled();
        let bot = rig.agent_in("bot", &[crate::support::SPACE], &[]);
        let asked = MemoryRecall { query: "zeppelin barn".to_owned(), ..MemoryRecall::default() };
        let id = rig.engine().run(&bot, asked).unwrap().trace.unwrap();
        let say = |(is_person, feedback): (bool, Option<Feedback>)| {
            let (id, withdraw) = (id.clone(), feedback == BACK);
            let said = TraceFeedback { id, feedback, correction: None, answer: None, withdraw };
            if is_person { rig.run(said) } else { rig.engine().run(&bot, said) }
        };
        let stands = || rig.run(TraceGet { id: id.clone() }).unwrap().summary.feedback;
        before.iter().for_each(|one| drop(say(*one).unwrap()));
        let stood = stands();
        match say(last) {
            Ok(_) => assert_eq!((is_taken, stands()), (true, last.1), "{before:?}, {last:?}"),
            Err(error) => {
                assert_eq!(
                    (is_taken, stands(), error.code),
                    (false, stood, ErrorCode::Forbidden),
                    "{before:?}, {last:?}"
                );
            }
        }
        // What was answered is no opinion.
        let answer = Some("In the barn.".to_owned());
        let answered = TraceFeedback { id: id.clone(), feedback: None, correction: None, answer, withdraw: false };
        rig.engine().run(&bot, answered).unwrap();
        assert_eq!(stands(), if is_taken { last.1 } else { stood });
    }
    let (person, agent) = (true, false);
    check(&[(person, WRONG)], (agent, RIGHT), false);
    check(&[(person, WRONG)], (agent, BACK), false);
    check(&[(agent, RIGHT), (person, WRONG)], (agent, RIGHT), false);
    check(&[(agent, RIGHT)], (person, WRONG), true);
    check(&[(agent, RIGHT)], (person, BACK), true);
    check(&[(agent, RIGHT)], (agent, WRONG), true);
    // What the person took back stands no more.
    check(&[(person, WRONG), (person, BACK)], (agent, RIGHT), true);
}

#[test]
fn a_wrong_answer_proposes_nothing_where_who_calls_it_so_only_reads() {
    let rig = Rig::new();
    let (base, shared) = (rig.space("Base").id, rig.space("Shared").id);
    rig.remember_in("Base", "The zeppelin is in the barn by the lake.");
    let read = rig.remember_in("Shared", "The zeppelin barn has a red door.").id;
    rig.settled();
    let overlay = |mode| {
        rig.run(OverlaySet { space: "Base".into(), overlay: "Shared".into(), mode: Some(mode) }).unwrap();
    };
    let bot = rig.agent_in("bot", &["Base"], &[]);
    let (space, agent, role) = ("Shared".to_owned(), "bot".to_owned(), Some(Role::Member));
    rig.run(MembershipSet { space, agent, role, status: None, trust_weight: None, grants: None }).unwrap();
    overlay(OverlayMode::ReadOnly);
    let asked = MemoryRecall {
        query: "zeppelin barn lake".to_owned(),
        space: Some("Base".to_owned()),
        ..MemoryRecall::default()
    };
    let id = rig.engine().run(&bot, asked).unwrap().trace.unwrap();
    let say = |feedback| {
        let (id, feedback) = (id.clone(), Some(feedback));
        rig.engine().run(&bot, TraceFeedback { id, feedback, correction: None, answer: None, withdraw: false }).unwrap()
    };
    let waits = |space: &um_model::SpaceId| {
        rig.count(&format!("SELECT count(*) FROM candidates WHERE space_id = '{space}' AND status = 'pending'"))
    };
    let noted = "SELECT count(*) FROM audit_events WHERE event_type = 'write.held'";
    let given = say(Feedback::Negative);
    assert!(given.blamed.iter().any(|one| one.memory == read && one.share >= 0.25), "{:?}", given.blamed);
    assert_eq!((given.proposed.len(), waits(&base), waits(&shared), rig.count(noted)), (1, 1, 0, 1));
    // Where it writes, it proposes; and takes that back as long as it does.
    overlay(OverlayMode::ReadWrite);
    assert_eq!((say(Feedback::Negative).proposed.len(), waits(&shared)), (2, 1));
    overlay(OverlayMode::ReadOnly);
    assert_eq!((say(Feedback::Positive).withdrawn.len(), waits(&shared)), (1, 1));
    overlay(OverlayMode::ReadWrite);
    assert_eq!((say(Feedback::Positive).withdrawn.len(), waits(&shared)), (1, 0));
}

#[test]
fn an_opinion_counts_once_and_is_taken_back_and_fades() {
    let rig = Rig::new();
    let one = rig.remember("The ferry leaves at noon.").id;
    let other = rig.remember("Noon is when the ferry bell rings.").id;
    rig.settled();
    let trace = |query: &str| {
        let recalled = rig.recall(query);
        assert_eq!(recalled.hits.len(), 2, "{:?}", quotes(&recalled));
        recalled.trace.unwrap()
    };
    let say = |id: &TraceId, feedback| {
        rig.run(TraceFeedback {
            id: id.clone(),
            feedback: Some(feedback),
            correction: None,
            answer: None,
            withdraw: false,
        })
        .unwrap();
    };
    let weight = || -> f64 {
        let sql = "SELECT ifnull(max(weight), 0.0) FROM associations WHERE basis = 'co_use'";
        rig.db().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let (first, second) = (trace("ferry noon"), trace("bell of the ferry at noon"));
    let near = |expected: f64| assert!((weight() - expected).abs() < 1e-9, "{} is not {expected}", weight());
    say(&first, Feedback::Negative);
    near(0.0);
    for _ in 0..3 {
        say(&first, Feedback::Positive);
        near(0.3);
    }
    say(&second, Feedback::Positive);
    near(0.51);
    say(&first, Feedback::Negative);
    near(0.3);
    // All taken back, nothing is left, as before.
    say(&second, Feedback::Negative);
    assert_eq!(rig.count("SELECT count(*) FROM associations WHERE basis = 'co_use'"), 0);
    // So it is where the opinion itself is taken back.
    let take_back = |id: &TraceId| {
        let id = id.clone();
        rig.run(TraceFeedback { id, feedback: None, correction: None, answer: None, withdraw: true }).unwrap();
    };
    say(&first, Feedback::Positive);
    near(0.3);
    for _ in 0..2 {
        take_back(&first);
        near(0.0);
    }
    say(&second, Feedback::Positive);
    say(&first, Feedback::Positive);
    say(&second, Feedback::Negative);
    near(0.3);
    // One right answer connects for two months, and no longer.
    let connected = || {
        let request =
            MemoryRecall { query: "leaves".to_owned(), limit: Some(1), associated: true, ..MemoryRecall::default() };
        let recalled = rig.run(request).unwrap();
        assert_eq!(recalled.hits[0].ids.memory, one);
        recalled.associated.iter().any(|reached| reached.hit.ids.memory == other)
    };
    assert!(connected());
    rig.advance(50 * DAY);
    assert!(connected());
    rig.advance(20 * DAY);
    assert!(!connected());
}
