//! Packs tell which agent brought an item in, and nothing of what the person did.

use crate::support::{Rig, SPACE};
use sha2::{Digest, Sha256};
use um_engine::Caller;
use um_model::access::Right;
use um_model::capture::{MemoryIngest, MemoryRemember};
use um_model::claims::{FactInput, FactsAdd};
use um_model::findings::FindingKind;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::spaces::SpaceMask;
use um_model::work::*;

fn compile(rig: &Rig, by: &Caller, query: &str) -> Briefing {
    let request =
        ContextCompile { query: Some(query.to_owned()), budget_tokens: Some(8_000), ..ContextCompile::default() };
    rig.engine().run(by, request).unwrap()
}

/// What stands behind the items of a pack, or the pack as it was handed over.
fn behind(rig: &Rig, by: &Caller, pack: &Briefing, as_handed: bool) -> Hydrated {
    let (pack, citations, items) = (pack.id.clone().unwrap(), Vec::new(), Vec::new());
    let request = ContextHydrate { pack, citations, items, budget_tokens: None, model: None, as_handed };
    rig.engine().run(by, request).unwrap()
}

fn remember(rig: &Rig, by: &Caller, text: &str) -> um_model::MemoryId {
    let request = MemoryRemember { text: text.into(), space: SPACE.into(), ..MemoryRemember::default() };
    rig.engine().run(by, request).unwrap().memory.id
}

/// Which agent an item brought in that says so, as it tells itself, and its own line in a text.
fn brought_by(items: &[PackItem], text: &str, (part, says): (Part, &str)) -> Option<String> {
    let is_it = |item: &&PackItem| item.part == part && item.text.contains(says);
    let item = items.iter().find(is_it).unwrap_or_else(|| panic!("{part}, {says}: {text}"));
    let begins = format!("[{} ", item.citation);
    let head = text.lines().find(|line| line.starts_with(&begins)).unwrap();
    assert_eq!(head.split_once(", by ").map(|(_, name)| name), item.by.as_deref(), "{head}");
    item.by.clone()
}

#[test]
fn what_an_agent_brought_in_tells_which() {
    let rig = Rig::new();
    let robo = rig.agent_in("robo", &[SPACE], &[]);
    rig.remember("Herrings are what the keeper gave to the walrus.");
    let notice = MemoryRemember {
        text: "Clams were brought for our old walrus by ferry.".into(),
        space: SPACE.into(),
        title: Some("Official notice from owner".into()),
        owner: Some("owner".into()),
        ..MemoryRemember::default()
    };
    rig.engine().run(&robo, notice).unwrap();
    let sings = remember(&rig, &robo, "On a flat rock every walrus sings through the storm.");
    rig.run(MemoryPin { id: sings, pinned: true }).unwrap();
    for (by, says) in [(&Caller::owner("test"), "feeds"), (&robo, "sleeps")] {
        let (uri, content) = (format!("repo://{says}"), Some(format!("The walrus module {says}.")));
        rig.engine().run(by, ResourcePut { uri, content, ..ResourcePut::default() }).unwrap();
    }
    rig.settled();
    let expected = [
        ((Part::Evidence, "Herrings"), None),
        ((Part::Evidence, "Clams"), Some("robo")),
        ((Part::Pinned, "sings"), Some("robo")),
        ((Part::Resource, "feeds"), None),
        ((Part::Resource, "sleeps"), Some("robo")),
    ];
    for reader in [&Caller::owner("test"), &robo] {
        let pack = compile(&rig, reader, "What of the walrus?");
        let [now, handed] = [false, true].map(|as_handed| behind(&rig, reader, &pack, as_handed));
        assert_eq!((&handed.full_text, &handed.items), (&pack.full_text, &pack.items));
        for (which, by) in expected {
            assert_eq!(brought_by(&pack.items, &pack.full_text, which).as_deref(), by, "{which:?}");
            assert_eq!(brought_by(&now.items, &now.full_text, which).as_deref(), by, "{which:?}, behind it");
        }
        assert!(pack.estimated_tokens <= pack.budget_tokens);
    }
}

#[test]
fn a_fact_that_only_agents_say_tells_which_said_so_first() {
    let rig = Rig::new();
    let [robo, scout] = ["robo", "scout"].map(|name| rig.agent_in(name, &[SPACE], &[]));
    let check = |who: &Caller, expected: Option<&str>| {
        let [subject, predicate, object] = ["Walrus", "lives_in", "Porto"].map(str::to_owned);
        let facts = vec![FactInput { subject, predicate, object, ..FactInput::default() }];
        rig.advance(1);
        rig.engine().run(who, FactsAdd { space: SPACE.into(), facts }).unwrap();
        rig.settled();
        let owner = Caller::owner("test");
        let pack = compile(&rig, &owner, "Where does the walrus live?");
        let fact = (Part::Fact, "Porto");
        assert_eq!(brought_by(&pack.items, &pack.full_text, fact).as_deref(), expected);
        let now = behind(&rig, &owner, &pack, false);
        assert_eq!(brought_by(&now.items, &now.full_text, fact).as_deref(), expected, "behind it");
    };
    check(&robo, Some("robo"));
    check(&scout, Some("robo"));
    check(&Caller::owner("test"), None);
}

#[test]
fn a_fact_of_a_file_is_no_agents_word_once_the_person_brought_the_file_in() {
    let rig = Rig::new();
    let robo = rig.agent_in("robo", &[SPACE], &[]);
    rig.open_to("robo", &[&rig.folder()]).unwrap();
    let path = rig.file("people.md", "Maya Okafor lives in Bergen.");
    let paths = vec![path.display().to_string()];
    rig.engine().run(&robo, MemoryIngest { paths, space: SPACE.into(), ..MemoryIngest::default() }).unwrap();
    rig.settled();
    let told = || {
        let pack = compile(&rig, &Caller::owner("test"), "Where does Maya Okafor live?");
        brought_by(&pack.items, &pack.full_text, (Part::Fact, "Bergen"))
    };
    assert_eq!(told().as_deref(), Some("robo"));
    rig.ingest_path(SPACE, &path);
    assert_eq!(told(), None);
}

#[test]
fn a_pack_that_names_an_agent_goes_with_all_of_that_agent() {
    let rig = Rig::new();
    let agents = ["robo-carla", "scout"].map(|name| rig.agent_in(name, &[SPACE], &[]));
    for (agent, note) in agents.iter().zip(["Walrus, Porto: papers.", "Of Porto and of Walrus: a folder."]) {
        let memory_id = Some(rig.remember(note).id);
        let [subject, predicate, object] = ["Walrus", "lives_in", "Porto"].map(str::to_owned);
        let facts = vec![FactInput { subject, predicate, object, memory_id, ..FactInput::default() }];
        rig.advance(1);
        rig.engine().run(agent, FactsAdd { space: SPACE.into(), facts }).unwrap();
    }
    rig.settled();
    let told = || {
        let pack = compile(&rig, &Caller::owner("test"), "Where does the walrus live?");
        brought_by(&pack.items, &pack.full_text, (Part::Fact, "Porto"))
    };
    assert_eq!(told().as_deref(), Some("robo-carla"));
    let naming = "SELECT count(*) FROM compiled_contexts WHERE full_text || blocks LIKE '%robo-carla%'";
    assert_eq!(rig.count(naming), 1);
    let what = ForgetWhat { owner: Some("robo-carla".to_owned()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    assert_eq!(rig.count(naming), 0);
    // The other one says so still.
    assert_eq!(told().as_deref(), Some("scout"));
}

#[test]
fn what_an_agent_is_called_is_hidden_as_other_words_are() {
    let rig = Rig::new();
    let name = "carla.voss@firma.example";
    let carla = rig.agent_in(name, &[SPACE], &[]);
    remember(&rig, &carla, "Clams were brought for our old walrus by ferry.");
    rig.settled();
    let bot = rig.agent_in("bot", &[SPACE], &[Right::Read]);
    let open = compile(&rig, &bot, "What of the walrus?");
    assert!(open.full_text.contains(&format!(", by \"{name}\"\n")), "{}", open.full_text);
    rig.run(SpaceMask { space: SPACE.into(), kinds: vec![FindingKind::Email] }).unwrap();
    let again = serde_json::json!({ "pack": open.id, "as_handed": true });
    let anew = serde_json::json!({ "query": "What of the walrus?" });
    for (operation, request) in [("context_compile", anew), ("context_hydrate", again)] {
        let told = rig.engine().call(&bot, operation, request).unwrap();
        let text = told["full_text"].as_str().unwrap();
        assert!(!told.to_string().contains("carla.voss"), "{operation}: {told}");
        assert!(text.contains(", by \"[email hidden]\"\n"), "{operation}: {text}");
        assert_eq!(told["text_hash"], format!("{:x}", Sha256::digest(text)).as_str(), "{operation}");
    }
}
