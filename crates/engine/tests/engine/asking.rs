//! What the language model is asked about the memories that come in, and what becomes of its answers.

use crate::support::{Rig, SPACE, inputs};
use serde_json::{Value, json};
use um_engine::language::LlmError;
use um_model::capture::ArtifactRemove;
use um_model::capture::ArtifactRestore;
use um_model::claims::{ClaimExplain, FactInput, FactsAdd, FactsSearch};
use um_model::health::SettingsSet;
use um_model::jobs::{Job, JobCancel};
use um_model::llm::{LlmChange, LlmUse};
use um_model::work::{ContextCompile, Part};
use um_model::{ErrorCode, JobKind, JobStatus, MemoryScope};

/// A text that the local rules find nothing in.
const TEXT: &str = "Zorblax Quillon -- on tea, ever so fond.";

fn turn_on(rig: &Rig, use_for: &[LlmUse]) {
    change(
        rig,
        LlmChange {
            enabled: Some(true),
            base_url: Some("http://127.0.0.1:1/v1".into()),
            model: Some("tiny".into()),
            use_for: Some(use_for.to_vec()),
            ..LlmChange::default()
        },
    );
}

fn change(rig: &Rig, llm: LlmChange) {
    rig.run(SettingsSet { llm: Some(llm), ..SettingsSet::default() }).unwrap();
}

fn fond() -> Value {
    json!({"claims": [{"quote": TEXT, "subject": "Zorblax Quillon", "subject_type": "person", "predicate": "fond_of",
        "object": "tea", "object_is_entity": false, "confidence": 0.8}]})
}

fn says(rig: &Rig, answer: Result<Value, LlmError>) {
    rig.script.llm_answers.lock().unwrap().push_back(answer);
}

fn asked(rig: &Rig) -> usize {
    rig.script.llm_asked.lock().unwrap().len()
}

fn facts(rig: &Rig) -> Vec<String> {
    let found = rig.run(FactsSearch { limit: Some(200), ..FactsSearch::default() }).unwrap().facts;
    found.into_iter().map(|fact| fact.statement).collect()
}

fn asking(rig: &Rig) -> Vec<Job> {
    rig.jobs().jobs.into_iter().filter(|job| job.kind == JobKind::Ask).collect()
}

/// Keeps two texts: what the first one claims is read by a language model alone, what the second one does by the local rules.
fn two_claims() -> Rig {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    says(&rig, Ok(fond()));
    rig.remember(TEXT);
    rig.settled();
    says(&rig, Ok(json!({"claims": []})));
    rig.remember("Maya Lind works at Halden Labs.");
    rig.settled();
    rig
}

/// The one question's end, with the kind of its error and what it says.
#[track_caller]
fn ended(rig: &Rig) -> (JobStatus, Option<ErrorCode>, String) {
    rig.settled();
    let [job] = asking(rig).try_into().unwrap();
    let error = job.error;
    (job.status, error.as_ref().map(|error| error.code), error.map(|error| error.message).unwrap_or_default())
}

#[test]
fn what_a_language_model_alone_read_is_of_low_trust_in_a_pack() {
    let rig = two_claims();
    let check = |query: &str, statement: &str, expected: bool| {
        let query = Some(query.to_owned());
        let pack = rig.run(ContextCompile { query, budget_tokens: Some(1_200), ..ContextCompile::default() }).unwrap();
        let facts: Vec<_> = pack.items.iter().filter(|item| item.part == Part::Fact).collect();
        let fact = facts.iter().find(|item| item.text.contains(statement)).unwrap_or_else(|| panic!("{facts:?}"));
        assert_eq!(
            (fact.low_trust, fact.mark.contains("read by a language model alone")),
            (expected, expected),
            "{fact:?}"
        );
    };
    check("What is Zorblax Quillon fond of?", "tea", true);
    check("Where does Maya Lind work?", "Halden", false);
}

#[test]
fn a_claim_says_whether_a_language_model_alone_read_it() {
    let rig = two_claims();
    let check = |known_at: Option<um_model::EpochMs>, expected: &[(&str, bool)]| {
        let found = rig.run(FactsSearch { known_at, ..FactsSearch::default() }).unwrap().facts;
        let mut told: Vec<_> = found.iter().map(|fact| (fact.statement.as_str(), fact.of_model)).collect();
        told.sort();
        assert_eq!(told, expected, "known at {known_at:?}");
        for fact in &found {
            let why = rig.run(ClaimExplain { claim: fact.id.clone(), known_at }).unwrap().claim;
            assert_eq!(why.of_model, fact.of_model, "{}", fact.statement);
        }
    };
    let works = ("Maya Lind works at Halden Labs", false);
    check(None, &[works, ("Zorblax Quillon likes tea", true)]);
    // What somebody states outright is theirs from then on.
    let before = rig.now();
    rig.advance(1_000);
    says(&rig, Ok(json!({"claims": []})));
    let [subject, predicate, object] = ["Zorblax Quillon", "likes", "tea"].map(str::to_owned);
    let fact = FactInput { subject, predicate, object, ..FactInput::default() };
    let added = rig.run(FactsAdd { space: SPACE.into(), facts: vec![fact] }).unwrap();
    assert!(!added.facts[0].claim.of_model);
    rig.settled();
    check(None, &[works, ("Zorblax Quillon likes tea", false)]);
    check(Some(before), &[works, ("Zorblax Quillon likes tea", true)]);
}

#[test]
fn nothing_is_asked_while_it_is_off() {
    let rig = Rig::new();
    rig.remember(TEXT);
    rig.settled();
    turn_on(&rig, &[LlmUse::Claims]);
    change(&rig, LlmChange { enabled: Some(false), ..LlmChange::default() });
    rig.remember("Another text, of no consequence.");
    rig.settled();
    assert_eq!((asking(&rig).len(), asked(&rig)), (0, 0));
}

#[test]
fn its_claims_are_kept_with_their_quotes_and_marked_as_its_own() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    says(&rig, Ok(fond()));
    rig.remember(TEXT);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
    assert_eq!(facts(&rig), ["Zorblax Quillon likes tea"]);
    assert_eq!(rig.count("SELECT count(*) FROM claim_evidence WHERE extraction_method = 'llm'"), 1);
    let (_, prompt) = rig.script.llm_asked.lock().unwrap().remove(0);
    assert!(prompt.user.contains(TEXT) && !prompt.system.contains("Zorblax"));
}

#[test]
fn the_same_texts_are_asked_about_once() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    says(&rig, Ok(fond()));
    let file = rig.ingest("note.txt", TEXT);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
    rig.run(ArtifactRemove { id: file.clone() }).unwrap();
    rig.settled();
    assert_eq!(facts(&rig).len(), 0);
    rig.run(ArtifactRestore { id: file }).unwrap();
    rig.settled();
    assert_eq!((facts(&rig).len(), asked(&rig)), (1, 1));
}

#[test]
fn what_it_makes_up_is_not_kept() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    let mut invented = fond();
    invented["claims"][0]["quote"] = json!("Zorblax Quillon drinks nothing but tea.");
    says(&rig, Ok(invented));
    rig.remember(TEXT);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
    assert_eq!(facts(&rig).len(), 0);
}

#[test]
fn a_spent_budget_waits_for_the_next_day() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    change(&rig, LlmChange { daily_token_budget: Some(10), ..LlmChange::default() });
    rig.remember(TEXT);
    let (status, code, words) = ended(&rig);
    assert_eq!((status, code), (JobStatus::WaitingForModel, Some(ErrorCode::LanguageModel)));
    assert!(words.contains("budget of the day is spent: 0 of 10 tokens"), "{words}");
    assert_eq!(asked(&rig), 0);
    // The budget is raised.
    says(&rig, Ok(fond()));
    change(&rig, LlmChange { daily_token_budget: Some(5_000), ..LlmChange::default() });
    rig.until("it was asked", || asked(&rig) == 1);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
}

#[test]
fn work_that_was_put_off_goes_on_by_itself() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    let recording = rig.ingest("memo.wav", inputs::wav(&["the whimbrel calls"]));
    rig.reads(&recording, JobStatus::WaitingForModel);
    let tried_at = rig.reading(&recording).updated_at;
    let away = LlmError::Unreachable { host: "127.0.0.1".into(), why: "connection refused".into() };
    says(&rig, Err(away));
    rig.remember(TEXT);
    let (status, _, words) = ended(&rig);
    assert_eq!(status, JobStatus::WaitingForModel);
    assert!(words.contains("cannot be reached: connection refused"), "{words}");
    rig.advance(14 * 60_000);
    rig.wake();
    rig.settled();
    assert_eq!(asked(&rig), 1);
    says(&rig, Ok(fond()));
    rig.advance(60_000);
    rig.until("it is asked again", || {
        rig.wake();
        asked(&rig) == 2
    });
    rig.until("it is read", || facts(&rig).len() == 1);
    rig.settled();
    assert_eq!(rig.reading(&recording).updated_at, tried_at, "what waits for a model of this machine is left alone");
}

#[test]
fn a_text_over_the_limit_waits_and_one_that_is_declined_fails() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    change(&rig, LlmChange { max_memory_chars: Some(20), ..LlmChange::default() });
    rig.remember(TEXT);
    let (status, code, words) = ended(&rig);
    assert_eq!((status, code), (JobStatus::WaitingForModel, Some(ErrorCode::LanguageModel)));
    assert!(words.contains("40 characters; at most 20"), "{words}");
    says(&rig, Err(LlmError::Declined));
    change(&rig, LlmChange { max_memory_chars: Some(2_000), ..LlmChange::default() });
    rig.until("it was asked", || asked(&rig) == 1);
    let (status, _, words) = ended(&rig);
    assert_eq!(status, JobStatus::Failed);
    assert!(words.contains("declined"), "{words}");
}

#[test]
fn it_says_what_a_memory_is_about_where_that_is_wanted() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Classification]);
    let tags =
        json!([{"tag": "web", "quote": "on tea"}, {"tag": "api", "quote": "an API"}, {"tag": "tea", "quote": "tea"}]);
    says(&rig, Ok(json!({"scope": "preference", "confidence": 0.9, "tags": tags})));
    let memory = rig.remember(TEXT);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
    assert_eq!(asked(&rig), 1);
    let row = "SELECT count(*) FROM memories WHERE scope = 'preference' AND classification_confidence = 0.9
               AND classifier_id = 'llm-3:tiny'";
    assert_eq!(rig.count(row), 1);
    let memory = rig.memory(&memory.id);
    assert_eq!((memory.scope, memory.tags), (MemoryScope::Preference, vec!["web".to_owned()]), "known and quoted");
}

#[test]
fn a_question_that_waits_can_be_cancelled() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    change(&rig, LlmChange { daily_token_budget: Some(10), ..LlmChange::default() });
    rig.remember(TEXT);
    ended(&rig);
    rig.run(JobCancel { id: asking(&rig)[0].id.clone() }).unwrap();
    change(&rig, LlmChange { daily_token_budget: Some(5_000), ..LlmChange::default() });
    rig.settled();
    assert_eq!((ended(&rig).0, asked(&rig)), (JobStatus::Cancelled, 0));
}

/// A text of several parts, each of which names one person at its head.
fn pages() -> String {
    let paragraph =
        |from: usize| (0..10).map(|at| format!("Zorblax{} -- ever so fond.", from + at)).collect::<Vec<_>>().join(" ");
    (0..80).map(|at| paragraph(at * 10)).collect::<Vec<_>>().join("\n\n")
}

/// An answer that finds one claim in the text that was asked about, once it was asked.
fn answer_all(rig: &Rig, count: usize) {
    // Each quotes what every part has, so that it is kept whichever part it answers; its subject is in the title.
    for at in 0..count {
        let claim = json!({"quote": "ever so fond", "subject": "Zorblax Quillon", "subject_type": "person",
            "predicate": "likes", "object": format!("so fond {at}"), "object_is_entity": false, "confidence": 0.8});
        let fond = json!({"quote": "ever so fond", "subject": "Zorblax Quillon", "subject_type": "person",
            "predicate": "likes", "object": "fond", "object_is_entity": false, "confidence": 0.8});
        says(rig, Ok(json!({"claims": [fond, claim]})));
    }
}

#[test]
fn what_a_part_gave_stays_where_another_fails_and_only_that_is_asked_again() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    rig.script.llm_answers.lock().unwrap().clear();
    answer_all(&rig, 1);
    says(&rig, Err(LlmError::Unfit("it is no JSON")));
    answer_all(&rig, 30);
    rig.ingest("Zorblax Quillon.txt", pages());
    rig.until("one part failed", || asking(&rig).iter().any(|job| job.error.is_some()));
    assert_eq!(facts(&rig).len(), 1, "{:?}", facts(&rig));
    let told = asking(&rig)[0].error.clone().unwrap().message;
    assert!(told.contains("1 of 10 parts: ") && told.contains("9 claims kept; 9 proposals dropped: 9 of"), "{told}");
    // The part that failed is tried again by itself.
    let parts = {
        rig.until("it is read", || {
            asking(&rig)[0].status == JobStatus::Completed || {
                rig.advance(10_000);
                rig.wake();
                false
            }
        });
        asked(&rig)
    };
    let texts: std::collections::BTreeSet<String> =
        rig.script.llm_asked.lock().unwrap().iter().map(|(_, prompt)| prompt.user.clone()).collect();
    assert_eq!(texts.len() + 1, parts, "one part was asked about twice, no other");
    let note = asking(&rig)[0].progress_note.clone().unwrap();
    assert!(note.contains("1 claim kept; 1 proposal dropped: 1 of what the text does not name"), "{note}");
}

#[test]
fn a_text_over_the_limit_is_read_as_far_as_that_goes() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    change(&rig, LlmChange { max_memory_chars: Some(12_000), ..LlmChange::default() });
    answer_all(&rig, 30);
    rig.ingest("Zorblax Quillon.txt", pages());
    let (status, _, words) = ended(&rig);
    assert_eq!(status, JobStatus::WaitingForModel);
    assert!(words.contains("at most 12000"), "{words}");
    let before = asked(&rig);
    assert!(before >= 1 && facts(&rig).len() == 1, "{before}");
    change(&rig, LlmChange { max_memory_chars: Some(200_000), ..LlmChange::default() });
    rig.until("the rest was asked about", || asked(&rig) > before);
    assert_eq!(ended(&rig).0, JobStatus::Completed);
    let texts: std::collections::BTreeSet<String> =
        rig.script.llm_asked.lock().unwrap().iter().map(|(_, prompt)| prompt.user.clone()).collect();
    assert_eq!(texts.len(), asked(&rig), "nothing is sent twice");
}

#[test]
fn a_timeout_costs_what_was_sent() {
    let rig = Rig::new();
    turn_on(&rig, &[LlmUse::Claims]);
    says(&rig, Err(LlmError::TimedOut(std::time::Duration::from_secs(120))));
    rig.remember(TEXT);
    assert_eq!(ended(&rig).0, JobStatus::WaitingForModel);
    let spent = rig.run(um_model::health::SettingsGet {}).unwrap().llm.tokens_today;
    assert!(spent > 500, "{spent}");
}
