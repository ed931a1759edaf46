//! Spaces keep apart what they hold, and recall finds what it may.

use crate::support::{BEGIN, Rig, SPACE};
use serde_json::json;
use std::sync::atomic::Ordering;
use um_engine::Caller;
use um_model::access::{OverlayMode, OverlaySet, Right};
use um_model::capture::{Got, MemoryGet, MemoryRemember};
use um_model::recall::MemoryRecall;
use um_model::spaces::{SpaceCreate, SpaceEdit, SpacesList};
use um_model::{AgentId, ErrorCode, Modality, SpaceType};

#[test]
fn names_find_spaces_and_say_what_is_wrong() {
    fn check(rig: &Rig, name: &str, expected: Result<&str, ErrorCode>) {
        let found = rig.run(MemoryRecall { query: "x".into(), space: Some(name.into()), ..MemoryRecall::default() });
        match (found, expected) {
            (Ok(found), Ok(id)) => assert_eq!(found.spaces[0].as_str(), id, "{name}"),
            (Err(error), Err(code)) => {
                assert_eq!(error.code, code, "{name}: {error}");
                assert!(error.hint.is_some(), "{name}: {error}");
            }
            (found, expected) => panic!("{name}: {:?} instead of {expected:?}", found.map(|f| f.spaces)),
        }
    }
    let rig = Rig::resting();
    let home = rig.space("Home");
    let work = rig.space("Work");
    for parent in ["Home", "Work"] {
        let request = SpaceCreate { name: "Notes".into(), parent: Some(parent.into()), ..SpaceCreate::default() };
        rig.run(request).unwrap();
    }
    check(&rig, "Home", Ok(home.id.as_str()));
    check(&rig, " home ", Ok(home.id.as_str()));
    check(&rig, work.id.as_str(), Ok(work.id.as_str()));
    check(&rig, "Notes", Err(ErrorCode::Ambiguous));
    for (path, parent) in [("Home/Notes", &home), ("work / notes", &work)] {
        let found = rig.run(MemoryRecall { query: "x".into(), space: Some(path.into()), ..MemoryRecall::default() });
        let found = found.unwrap().spaces[0].clone();
        let all = rig.run(SpacesList {}).unwrap().spaces;
        let one = all.iter().find(|one| one.space.id == found).unwrap();
        assert_eq!((one.space.name.as_str(), one.space.parent_space_id.as_ref()), ("Notes", Some(&parent.id)));
    }
    let top = rig.space("Notes");
    check(&rig, "Notes", Ok(top.id.as_str()));
    check(&rig, "Nowhere", Err(ErrorCode::NotFound));
    check(&rig, "", Err(ErrorCode::InvalidRequest));
}

#[test]
fn spaces_that_may_not_be_are_refused() {
    fn check(rig: &Rig, name: &str, space_type: Option<SpaceType>, code: ErrorCode) {
        let request = SpaceCreate { name: name.into(), space_type, ..SpaceCreate::default() };
        assert_eq!(rig.run(request).unwrap_err().code, code, "{name:?}");
    }
    let rig = Rig::resting();
    rig.space("Élan");
    check(&rig, "", None, ErrorCode::InvalidRequest);
    check(&rig, " \t ", None, ErrorCode::InvalidRequest);
    check(&rig, &"n".repeat(101), None, ErrorCode::InvalidRequest);
    check(&rig, um_model::OWNER_AGENT, None, ErrorCode::InvalidRequest);
    check(&rig, "a/b", None, ErrorCode::InvalidRequest);
    check(&rig, "éLAN", None, ErrorCode::AlreadyExists);
    check(&rig, "another", Some(SpaceType::Global), ErrorCode::InvalidRequest);
    for name in ["Tr\u{200b}ip", "\u{202e}pirT", "Trip\u{1b}[2J", "Sa\u{ad}go"] {
        check(&rig, name, None, ErrorCode::InvalidRequest);
        let renamed = SpaceEdit { space: "Élan".into(), name: Some(name.into()), ..SpaceEdit::default() };
        assert!(rig.run(renamed).unwrap_err().message.contains("cannot be seen"), "{name:?}");
    }
    let global = SpaceCreate { name: um_model::GLOBAL.into(), ..SpaceCreate::default() };
    let refused = rig.run(global).unwrap_err();
    assert!(refused.message.starts_with("GLOBAL is the space that every agent reads"), "{refused}");
}

#[test]
fn spaces_are_renamed_archived_and_brought_back() {
    fn edit(rig: &Rig, space: &str, name: Option<&str>, archived: Option<bool>) -> Result<String, ErrorCode> {
        let request =
            SpaceEdit { space: space.into(), name: name.map(str::to_owned), archived, ..SpaceEdit::default() };
        rig.run(request).map(|space| space.name).map_err(|error| error.code)
    }
    let rig = Rig::resting();
    rig.space("Trip");
    rig.run(SpaceCreate { name: "Notes".into(), parent: Some("Trip".into()), ..SpaceCreate::default() }).unwrap();
    rig.remember_in("Trip", "The ferry leaves at nine.");
    assert_eq!(edit(&rig, "trip", Some(" Old  trip "), None).as_deref(), Ok("Old trip"));
    assert_eq!(edit(&rig, "Old trip", Some("default"), None), Err(ErrorCode::AlreadyExists));
    assert_eq!(edit(&rig, "Old trip", Some("a/b"), None), Err(ErrorCode::InvalidRequest));
    for whole in ["Me", "Global"] {
        assert_eq!(edit(&rig, whole, None, Some(true)), Err(ErrorCode::InvalidRequest));
    }
    assert_eq!(edit(&rig, "default", None, Some(true)), Err(ErrorCode::Conflict));
    assert_eq!(edit(&rig, "Old trip", None, Some(true)), Err(ErrorCode::Conflict), "a space stands under it");
    assert_eq!(edit(&rig, "Old trip/Notes", None, Some(true)).as_deref(), Ok("Notes"));
    assert_eq!(edit(&rig, "Old trip", None, Some(true)).as_deref(), Ok("Old trip"));
    assert_eq!(edit(&rig, "Old trip", None, Some(true)), Err(ErrorCode::NotFound));
    assert!(rig.recall("ferry").hits.is_empty(), "what is archived is not found");
    assert_eq!(rig.run(SpacesList {}).unwrap().archived.len(), 2);
    let again = SpaceCreate { name: "old trip".into(), ..SpaceCreate::default() };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::AlreadyExists);
    assert_eq!(edit(&rig, "Old trip/Notes", None, Some(false)), Err(ErrorCode::Conflict), "its parent comes first");
    assert_eq!(edit(&rig, "old trip", None, Some(false)).as_deref(), Ok("Old trip"));
    assert_eq!(edit(&rig, "old trip", None, Some(false)), Err(ErrorCode::InvalidRequest));
    assert_eq!(rig.recall_in(&rig.run(SpacesList {}).unwrap().spaces.last().unwrap().space.id, "ferry").len(), 1);
}

#[test]
fn an_unknown_agent_may_nothing() {
    let rig = Rig::resting();
    let stranger = Caller {
        actor: AgentId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b").unwrap(),
        request_id: "test".into(),
        purpose: None,
        ..Caller::owner("")
    };
    for (name, request) in [
        ("spaces_list", serde_json::json!({})),
        ("memory_recall", serde_json::json!({"query": "x"})),
        ("memory_remember", serde_json::json!({"text": "x", "space": SPACE})),
        ("memory_get", serde_json::json!({"id": SPACE})),
        ("artifacts_list", serde_json::json!({})),
        ("jobs_status", serde_json::json!({})),
        ("settings_get", serde_json::json!({})),
        ("settings_set", serde_json::json!({"theme": "dark"})),
        ("work_pause", serde_json::json!({"paused": true})),
        ("health_check", serde_json::json!({})),
        ("watches_list", serde_json::json!({})),
        ("models_list", serde_json::json!({})),
    ] {
        let refused = rig.engine().call(&stranger, name, request).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Forbidden, "{name}: {refused}");
    }
}

#[test]
fn operations_are_called_by_name() {
    let rig = Rig::resting();
    let owner = Caller::owner("test");
    let kept = rig.engine().call(&owner, "memory_remember", serde_json::json!({"text": "x", "space": SPACE})).unwrap();
    assert_eq!(kept["created"], true);
    assert!(rig.engine().call(&owner, "spaces_list", serde_json::Value::Null).is_ok(), "no request is an empty one");
    for (name, request, code) in [
        ("memory_forget_all", serde_json::json!({}), ErrorCode::NotFound),
        ("memory_remember", serde_json::json!({"space": SPACE}), ErrorCode::InvalidRequest),
        ("memory_remember", serde_json::json!({"text": 5, "space": SPACE}), ErrorCode::InvalidRequest),
    ] {
        assert_eq!(rig.engine().call(&owner, name, request).unwrap_err().code, code, "{name}");
    }
}

#[test]
fn what_is_in_one_space_is_not_in_another() {
    let rig = Rig::new();
    let (a, b) = (rig.space("A"), rig.space("B"));
    let kept = rig.remember_in("A", "The walrus sleeps on the quay.");
    rig.settled();
    assert_eq!(rig.recall_in(&a.id, "walrus quay")[0].ids.memory, kept.id);
    assert!(rig.recall_in(&b.id, "walrus quay").is_empty());
    let all = rig.run(SpacesList {}).unwrap().spaces;
    let memories = |id| all.iter().find(|s| s.space.id == id).unwrap().memories;
    assert_eq!((memories(a.id), memories(b.id)), (1, 0));
}

#[test]
fn words_are_found_at_once_and_meaning_once_it_is_embedded() {
    let rig = Rig::new();
    rig.script.embedding.close();
    let kept = rig.remember("Herons stand in the shallow water.");
    rig.until("the text is being embedded", || rig.script.embedding.inside() == 1);
    // The question's own vector needs the model as well.
    rig.script.embedding_missing.store(true, Ordering::Relaxed);
    let words = rig.recall("herons");
    assert_eq!(words.hits[0].ids.memory, kept.id);
    assert_eq!((words.hits[0].score_parts.bm25_rank, words.hits[0].score_parts.vector_rank), (Some(1), None));
    assert!(!words.notices.is_empty(), "that meaning was not searched is said");
    rig.script.embedding_missing.store(false, Ordering::Relaxed);
    rig.script.embedding.open();
    rig.settled();
    let both = rig.recall("herons water");
    assert_eq!(both.hits[0].score_parts.vector_rank, Some(1));
    assert!(both.hits[0].score_parts.cosine.unwrap() > 0.3);
    assert!(both.notices.is_empty(), "{:?}", both.notices);
}

#[test]
fn filters_hold_for_words_and_for_meaning() {
    fn check(rig: &Rig, change: impl FnOnce(&mut MemoryRecall), expected: &[&str]) {
        let mut request = MemoryRecall { query: "glacier".into(), ..MemoryRecall::default() };
        change(&mut request);
        let mut found: Vec<String> = rig.run(request).unwrap().hits.into_iter().map(|hit| hit.quote).collect();
        found.sort();
        assert_eq!(found, expected);
    }
    let rig = Rig::new();
    for (text, occurred_at) in [("glacier one", Some(1_000)), ("glacier two", Some(2_000)), ("glacier now", None)] {
        rig.run(MemoryRemember { text: text.into(), space: SPACE.into(), occurred_at, ..Default::default() }).unwrap();
    }
    let id = rig.ingest("note.md", "glacier file");
    let path = rig.folder().join("note.md");
    assert_eq!(rig.artifact(&id).summary.artifact.source_path, Some(path.display().to_string()));
    rig.settled();
    check(&rig, |_| {}, &["glacier file", "glacier now", "glacier one", "glacier two"]);
    check(&rig, |r| r.until = Some(2_000), &["glacier one"]);
    check(&rig, |r| (r.since, r.until) = (Some(2_000), Some(3_000)), &["glacier two"]);
    check(&rig, |r| (r.since, r.until) = (Some(BEGIN), Some(BEGIN + 1)), &["glacier now"]);
    check(&rig, |r| r.modalities = vec![Modality::Image], &[]);
    let of_file = rig.artifact(&id).summary.artifact.modality;
    check(&rig, |r| (r.modalities, r.since) = (vec![of_file], Some(BEGIN + 1)), &["glacier file"]);
    check(&rig, |r| r.limit = Some(1), &[&rig.recall("glacier").hits[0].quote.clone()]);
}

#[test]
fn a_question_is_never_an_expression() {
    let rig = Rig::new();
    rig.remember("Plain words about nothing.");
    rig.settled();
    for query in
        ["\"a", "a OR", "NEAR(x y)", "text:words", "*a", "^a", "words*", "-words", "(a", "';--a", "😀a", "\u{0}a", "東"]
    {
        let asked = rig.run(MemoryRecall { query: query.into(), ..MemoryRecall::default() });
        assert!(asked.is_ok(), "{query:?}: {:?}", asked.err());
    }
    for query in ["", "  ", "?!", "\"", "*", "(", "';--", "😀", "\u{0}", &"q".repeat(2_001)] {
        let refused = rig.run(MemoryRecall { query: query.into(), ..MemoryRecall::default() }).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidRequest);
        // What is too long is told how long it is.
        assert_eq!(refused.message.contains("this one has 2,001."), query.len() > 2_000, "{}", refused.message);
    }
}

#[test]
fn anything_is_fetched_by_its_id() {
    let rig = Rig::new();
    let memory = rig.remember("A text to fetch.");
    let artifact = rig.ingest("fetch.txt", "Fetched words.");
    rig.settled();
    let view = rig.artifact(&artifact).views[0].id.to_string();
    let unit = rig.found("fetched")[0].ids.unit.to_string();
    let job = rig.reading(&artifact).id.to_string();
    for (id, kind) in [
        (memory.id.to_string(), "memory"),
        (artifact.to_string(), "artifact"),
        (view, "view"),
        (unit, "unit"),
        (SPACE.to_owned(), "space"),
        (job, "job"),
    ] {
        let got = serde_json::to_value(rig.run(MemoryGet { id }).unwrap()).unwrap();
        assert!(serde_json::from_value::<Got>(got.clone()).is_ok(), "the other end understands {kind}: {got}");
    }
    for id in ["0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b", "no id", ""] {
        assert_eq!(rig.run(MemoryGet { id: id.into() }).unwrap_err().code, ErrorCode::NotFound, "{id:?}");
    }
}

#[test]
fn a_space_says_from_where_on_it_answers() {
    fn told(rig: &Rig, space: &str) -> Option<f64> {
        let all = rig.run(SpacesList {}).unwrap();
        all.spaces.iter().find(|one| one.space.name == space).unwrap().abstain_below
    }
    let rig = Rig::resting();
    rig.space("Trip");
    rig.remember_in("Trip", "The ferry leaves at nine.");
    let edit = |change: SpaceEdit| rig.run(SpaceEdit { space: "Trip".into(), ..change }).map(drop);
    let abstains = || {
        let request = MemoryRecall { query: "When does the ferry leave?".into(), ..MemoryRecall::default() };
        rig.run(MemoryRecall { space: Some("Trip".into()), ..request }).unwrap().abstained
    };
    let below = |number| SpaceEdit { abstain_below: Some(number), ..SpaceEdit::default() };
    let usual = || SpaceEdit { usual_abstain_below: true, ..SpaceEdit::default() };
    let usually = abstains();
    assert_eq!(rig.run(SpacesList {}).unwrap().usual_abstain_below, um_model::spaces::ABSTAIN_BELOW);
    assert_eq!(told(&rig, "Trip"), None);
    for (number, expected) in [(1.0, true), (0.0, false)] {
        edit(below(number)).unwrap();
        assert_eq!((told(&rig, "Trip"), abstains()), (Some(number), expected));
    }
    assert_eq!(told(&rig, "default"), None, "another space keeps the usual");
    for wrong in [below(1.1), below(-0.1), below(f64::NAN), SpaceEdit { usual_abstain_below: true, ..below(0.5) }] {
        assert_eq!(edit(wrong).unwrap_err().code, ErrorCode::InvalidRequest);
    }
    edit(SpaceEdit { description: Some("By sea".into()), ..SpaceEdit::default() }).unwrap();
    assert_eq!(told(&rig, "Trip"), Some(0.0), "what is not spoken of stays");
    for _ in 0..2 {
        edit(usual()).unwrap();
        assert_eq!((told(&rig, "Trip"), abstains()), (None, usually));
    }
}

#[test]
fn an_agent_that_names_no_space_means_the_only_one_that_it_has() {
    let rig = Rig::resting();
    let [apollo, gemini] = ["Apollo", "Gemini"].map(|name| rig.space(name).id.to_string());
    // What is read with a space is none that was opened by itself.
    let (space, overlay) = ("Apollo".to_owned(), "Gemini".to_owned());
    rig.run(OverlaySet { space, overlay, mode: Some(OverlayMode::ReadWrite) }).unwrap();
    let asks = [
        ("session_begin", json!({"client_ref": "run-1"}), Some("/session/space_id")),
        ("session_begin", json!({"client_ref": "run-1"}), Some("/session/space_id")),
        ("context_compile", json!({}), Some("/base_space_id")),
        ("tag_create", json!({"name": "night shift"}), Some("/space_id")),
        (
            "entry_save",
            json!({"entry_type": "guideline", "name": "Tabs", "body": {"content": "Use tabs."}}),
            Some("/entry/space_id"),
        ),
        ("items_query", json!({"text": "tabs"}), Some("/items/0/space_id")),
        ("jobs_status", json!({}), None),
    ];
    let check = |caller: &Caller, expected: Result<&str, [&str; 2]>| {
        for (operation, request, at) in &asks {
            match (rig.engine().call(caller, operation, request.clone()), expected) {
                (Ok(answer), Ok(space)) => {
                    let is_of = at.map(|at| answer.pointer(at).and_then(|id| id.as_str()));
                    assert_eq!(is_of, at.map(|_| Some(space)), "{operation} of {:?}: {answer}", caller.agent_name);
                }
                (Err(error), Err(spaces)) => {
                    assert_eq!(error.code, ErrorCode::InvalidRequest, "{operation}: {error}");
                    let hint = error.hint.unwrap();
                    assert!(spaces.iter().all(|space| hint.contains(space)), "{operation}: {hint}");
                }
                (found, expected) => panic!("{operation}: {found:?} instead of {expected:?}"),
            }
        }
    };
    let bot = |name: &str, spaces: &[&str]| rig.agent_in(name, spaces, &[]);
    check(&bot("one", &["Apollo"]), Ok(&apollo));
    check(&bot("other", &["Gemini"]), Ok(&gemini));
    check(&bot("usual", &["default"]), Ok(SPACE));
    check(&bot("both", &["Apollo", "default"]), Ok(SPACE));
    check(&bot("two", &["Apollo", "Gemini"]), Err([&apollo, &gemini]));
    let reader = rig.agent_in("reader", &["Apollo"], &[Right::Read]);
    let pack = rig.engine().call(&reader, "context_compile", json!({})).unwrap();
    assert_eq!(pack["base_space_id"], json!(apollo));
    check(&Caller::owner("test"), Ok(SPACE));
}

#[test]
fn an_agent_that_names_no_space_writes_to_the_only_one_that_it_has() {
    let rig = Rig::resting();
    let [apollo, gemini] = ["Apollo", "Gemini"].map(|name| rig.space(name).id.to_string());
    let (one, two) = (rig.agent_in("one", &["Apollo"], &[]), rig.agent_in("two", &["Apollo", "Gemini"], &[]));
    let fact = json!({"subject": "Ana", "predicate": "lives_in", "object": "Porto"});
    let file = rig.file("tabs.md", "Use tabs.").display().to_string();
    for (operation, request) in [
        ("memory_remember", json!({"text": "The ferry is red."})),
        ("memory_remember", json!({"text": "The ferry is old.", "space": null})),
        ("memory_remember", json!({"text": "The ferry is new.", "space": " "})),
        ("memories_add", json!({"memories": [{"text": "The pier is long."}]})),
        ("facts_add", json!({"facts": [fact]})),
        ("memory_ingest", json!({"paths": [file]})),
    ] {
        let call = |caller: &Caller| rig.engine().call(caller, operation, request.clone());
        // No folder is open to it.
        let refused = call(&one).err().map(|error| error.code);
        assert!(refused.is_none_or(|code| code == ErrorCode::Forbidden), "{operation}: {refused:?}");
        assert!(refused.is_none() || operation == "memory_ingest", "{operation}: {refused:?}");
        let several = call(&two).unwrap_err();
        let hint = several.hint.unwrap_or_default();
        assert_eq!(several.code, ErrorCode::InvalidRequest, "{operation}: {}", several.message);
        assert!([&apollo, &gemini].iter().all(|space| hint.contains(space.as_str())), "{operation}: {hint}");
        // The person is not guessed at.
        assert_eq!(call(&Caller::owner("test")).unwrap_err().code, ErrorCode::InvalidRequest, "{operation}");
    }
    let kept =
        |is_apollo: &str| rig.count(&format!("SELECT count(*) FROM memories WHERE space_id {is_apollo} '{apollo}'"));
    assert_eq!((kept("=") >= 4, kept("<>")), (true, 0));
}
