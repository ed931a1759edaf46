//! What a space hides from agents is in no answer that they get; the person sees it all the same.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use um_model::capture::MemoryRemove;
use um_model::claims::{EntityEdit, FactsAdd};
use um_model::spaces::{SpaceMask, SpacesList};
use um_model::work::{BlockSet, MemoryPin, Policy, ResourcePut};

pub(super) fn mask(rig: &Rig, space: &str, kinds: &[FindingKind]) {
    rig.run(SpaceMask { space: space.to_owned(), kinds: kinds.to_vec() }).unwrap();
}

/// What an agent gets.
fn told_agents(rig: &Rig, operation: &str, request: Value) -> Value {
    rig.engine().call(&agent(rig), operation, request).unwrap()
}

/// The hits that an agent gets.
fn recall(rig: &Rig, query: &str) -> String {
    told_agents(rig, "memory_recall", json!({ "query": query }))["hits"].to_string()
}

/// A pack is counted, and within its budget, as it is shown: with what stands in the place of what is hidden.
#[track_caller]
pub(super) fn check_masked(pack: &Value, budget: u64, instead: &str) {
    let text = pack["full_text"].as_str().unwrap();
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64;
    assert!(tokens <= budget, "{tokens} of {budget}: {text}");
    assert_eq!(pack["estimated_tokens"], tokens, "{text}");
    assert_eq!(pack["text_hash"], format!("{:x}", Sha256::digest(text)), "{text}");
    assert!(text.contains(instead), "{text}");
}

#[test]
fn the_chosen_kinds_of_a_space_are_hidden_from_agents_alone() {
    let rig = Rig::new();
    rig.remember(&format!("The bakery writes to {MAIL} and pays with {CARD}."));
    rig.space("open");
    rig.remember_in("open", &format!("The bakery of others writes to {MAIL}."));
    rig.settled();
    let before = recall(&rig, "bakery");
    assert!(before.contains(MAIL) && before.contains(CARD));
    mask(&rig, SPACE, &[FindingKind::Email, FindingKind::Phone]);
    let answer = told_agents(&rig, "memory_recall", json!({ "query": "bakery", "space": SPACE }));
    let hit = &answer["hits"][0];
    assert_eq!(hit["quote"], format!("The bakery writes to [email hidden] and pays with {CARD}."));
    assert_eq!(hit["span_hash"], "", "the hash of hidden words would tell a guess");
    assert_eq!(hit["span"], json!({ "start": 0, "end": 74 }), "offsets are those of the source");
    assert!(!answer.to_string().contains(MAIL), "{answer}");
    let of_other = told_agents(&rig, "memory_recall", json!({ "query": "bakery", "space": "open" })).to_string();
    assert!(of_other.contains(MAIL), "each space for itself: {of_other}");
    let of_both = told_agents(&rig, "memory_recall", json!({ "query": "bakery" }));
    let quotes: Vec<bool> =
        of_both["hits"].as_array().unwrap().iter().map(|hit| hit["quote"].as_str().unwrap().contains(MAIL)).collect();
    assert_eq!((quotes.len(), quotes.iter().filter(|told| **told).count()), (2, 1), "{of_both}");
    // The person sees it all the same.
    assert_eq!(rig.found("bakery").iter().filter(|hit| hit.quote.contains(MAIL)).count(), 2);
    let listed = rig.run(SpacesList {}).unwrap().spaces;
    let of_space = listed.iter().find(|one| one.space.id.as_str() == SPACE).unwrap();
    assert_eq!(of_space.mask_kinds, [FindingKind::Email, FindingKind::Phone]);
    mask(&rig, SPACE, &[]);
    assert_eq!(recall(&rig, "bakery"), before);
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'space.masked'"), 2);
}

#[test]
fn nothing_that_leaves_for_an_agent_holds_what_is_hidden() {
    let rig = Rig::new();
    let phone = "555-0142";
    let said = rig.remember(&format!("Ana Ruiz runs the bakery. Her telephone is {phone}. Her e-mail is {MAIL}."));
    let file = rig.ingest("note.md", format!("# {MAIL}\n\nThe bakery of Ana Ruiz takes {CARD}."));
    let fact = json!({ "subject": "Ana Ruiz", "predicate": "phone", "object": phone, "memory_id": said.id,
        "quote": format!("Her telephone is {phone}.") });
    rig.run(FactsAdd { space: SPACE.into(), facts: vec![serde_json::from_value(fact).unwrap()] }).unwrap();
    rig.settled();
    let view = rig.artifact(&file).views[0].id.to_string();
    let entity =
        rig.db().query_row("SELECT id FROM entities WHERE name = 'Ana Ruiz'", [], |row| row.get::<_, String>(0));
    let claim = rig.db().query_row("SELECT claim_id FROM claim_evidence LIMIT 1", [], |row| row.get::<_, String>(0));
    let asked = |rig: &Rig| -> Vec<(&'static str, String)> {
        [
            ("memory_recall", json!({ "query": "bakery telephone" })),
            ("memory_recall", json!({ "query": "the bakery of Ana Ruiz", "limit": 1, "associated": true })),
            ("memory_get", json!({ "id": said.id })),
            ("memory_get", json!({ "id": file })),
            ("memory_get", json!({ "id": view })),
            ("view_read", json!({ "id": view, "span": { "start": 2, "end": 9 } })),
            ("facts_search", json!({ "query": "telephone" })),
            ("facts_search", json!({ "query": "Ana Ruiz" })),
            ("entities_list", json!({})),
            ("entity_get", json!({ "entity": entity.as_ref().unwrap(), "space": SPACE })),
            ("claim_explain", json!({ "claim": claim.as_ref().unwrap() })),
            ("conflicts_list", json!({})),
            ("artifacts_list", json!({})),
            ("jobs_status", json!({})),
        ]
        .into_iter()
        .map(|(operation, request)| match rig.engine().call(&agent(rig), operation, request) {
            Ok(answer) => (operation, answer.to_string()),
            Err(error) => panic!("{operation}: {error}"),
        })
        .collect()
    };
    let values = [MAIL, "halden", phone, CARD, "Ana Ruiz"];
    let open: String = asked(&rig).into_iter().map(|(_, answer)| answer).collect();
    for value in values {
        assert!(open.contains(value), "{value} is there to be hidden");
    }
    mask(&rig, SPACE, &[FindingKind::Email, FindingKind::Phone, FindingKind::Card, FindingKind::Person]);
    for (operation, answer) in asked(&rig) {
        for value in values {
            assert!(!answer.contains(value), "{operation} tells {value}: {answer}");
        }
    }
}

#[test]
fn a_way_through_the_graph_names_no_person_who_is_hidden() {
    let rig = Rig::new();
    let person =
        |subject: &str| json!({ "subject": subject, "subject_type": "person", "predicate": "likes", "object": "tea" });
    let facts = vec![serde_json::from_value(person("Ana Ruiz")).unwrap()];
    rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap();
    rig.remember("The bakery of Ana Ruiz opens at seven.");
    rig.remember("Ana Ruiz has a boat.");
    rig.settled();
    let ways = || {
        let answer = told_agents(
            &rig,
            "memory_recall",
            json!({ "query": "Ana Ruiz bakery opens", "limit": 1, "associated": true }),
        );
        let via = |step: &Value| step["via"].as_str().unwrap().to_owned();
        let path = answer["associated"][0]["path"].as_array().unwrap().iter().map(via);
        answer["hits"][0]["named"].as_array().unwrap().iter().map(via).chain(path).collect::<Vec<_>>()
    };
    assert_eq!(ways(), ["Ana Ruiz", "Ana Ruiz"]);
    mask(&rig, SPACE, &[FindingKind::Person]);
    assert_eq!(ways(), ["[person hidden]", "[person hidden]"]);
}

/// What is called so is spoken of by another name alone: no passage that is told has the one that is hidden.
#[test]
fn a_way_through_the_graph_says_no_name_that_a_person_marked() {
    let rig = Rig::new();
    let fact =
        json!({ "subject": "Bluebird House", "subject_type": "thing", "predicate": "located_in", "object": "Oslo" });
    rig.run(FactsAdd { space: SPACE.into(), facts: vec![serde_json::from_value(fact).unwrap()] }).unwrap();
    let (entity, alias) = ("Bluebird House".to_owned(), Some("Sparrow Hall".to_owned()));
    rig.run(EntityEdit { entity, space: Some(SPACE.into()), alias, ..EntityEdit::default() }).unwrap();
    let memory = rig.remember("Bluebird House was built in Leeds.").id;
    rig.remember("The bakery of Sparrow Hall opens at seven.");
    rig.remember("Sparrow Hall has a boat.");
    rig.settled();
    let marked =
        FindingsMark { words: "Bluebird House".to_owned(), memory: Some(memory.clone()), ..FindingsMark::default() };
    rig.run(marked).unwrap();
    rig.run(MemoryRemove { id: memory }).unwrap();
    let ways = |query: &str| {
        let asked = json!({ "query": query, "limit": 1, "associated": true });
        let answer = told_agents(&rig, "memory_recall", asked);
        let of = |steps: &Value| steps.as_array().cloned().unwrap_or_default();
        let steps = [of(&answer["hits"][0]["named"]), of(&answer["associated"][0]["path"])].concat();
        steps.iter().map(|step| step["via"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let check = |said: &str| {
        assert_eq!(ways("Sparrow Hall bakery opens"), [said, said], "named, and on the way from it");
        assert_eq!(ways("bakery opens"), [said, said], "on the way from a passage to it, and from there");
    };
    check("Bluebird House");
    mask(&rig, SPACE, &[FindingKind::Other]);
    check("[other hidden]");
}

#[test]
fn what_is_cut_in_two_is_hidden_whether_anybody_looked_or_not() {
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
        "MIIEvQIBADANBgkqhkiG9w0BAQE\n".repeat(40)
    );
    let check = |looked: bool| {
        let rig = if looked { Rig::new() } else { Rig::resting() };
        let text = format!("The server's key, as it came:\n\n{key}\n\nKeep it safe.");
        let memory = rig.remember(&text);
        mask(&rig, SPACE, &[FindingKind::Secret]);
        if looked {
            rig.settled();
        }
        let units: Vec<String> = rig
            .db()
            .prepare("SELECT id FROM text_units WHERE owner_memory_id = ?1")
            .unwrap()
            .query_map([memory.id.as_str()], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert!(units.len() > 1, "the key is cut: {units:?}");
        for unit in units {
            let answer = told_agents(&rig, "memory_get", json!({ "id": unit })).to_string();
            assert!(!answer.contains("MIIEv") && !answer.contains("gkqhkiG9w0"), "looked: {looked}: {answer}");
        }
        let titles = told_agents(&rig, "jobs_status", json!({})).to_string();
        assert!(!titles.contains("MIIEv"), "{titles}");
    };
    check(true);
    check(false);
}

#[test]
fn a_title_made_of_first_words_hides_what_it_cuts() {
    let rig = Rig::new();
    // The sixtieth letter lies within the number.
    rig.remember("The bakery at the corner of the square can be paid by 4111 1111 1111 1111, they say.");
    rig.settled();
    mask(&rig, SPACE, &[FindingKind::Card]);
    let answer = told_agents(&rig, "memory_recall", json!({ "query": "bakery" }));
    assert!(answer["hits"][0]["title"].as_str().unwrap().contains("[card hidden]"), "{answer}");
    assert!(!answer.to_string().contains("4111"), "{answer}");
}

#[test]
fn what_a_person_marked_is_hidden_with_its_kind() {
    let rig = Rig::new();
    let memory = rig.remember("The project is called Bluebird at the bakery.");
    let span = Some(um_model::Utf16Span::new(22, 30));
    rig.run(FindingAdd { memory: Some(memory.id), span, ..FindingAdd::default() }).unwrap();
    rig.settled();
    assert!(recall(&rig, "bakery").contains("Bluebird"));
    mask(&rig, SPACE, &[FindingKind::Other]);
    let answer = recall(&rig, "bakery");
    assert!(answer.contains("called [other hidden] at") && !answer.contains("Bluebird"), "{answer}");
}

#[test]
fn errors_and_pictures_tell_agents_nothing_either() {
    let rig = Rig::new();
    let picture = rig.ingest("shot.png", inputs::png(&format!("write to {MAIL}")));
    rig.settled();
    let read = json!({ "id": picture, "part": { "what": "original" } });
    mask(&rig, SPACE, &[FindingKind::Email]);
    let refused = |operation: &str, request: Value| rig.engine().call(&agent(&rig), operation, request).unwrap_err();
    assert_eq!(refused("media_read", read).code, ErrorCode::Forbidden);
    let error = refused("memory_get", json!({ "id": MAIL }));
    assert!(!error.to_string().contains(MAIL), "{error}");
    assert_eq!(refused("space_mask", json!({ "space": SPACE, "kinds": [] })).code, ErrorCode::Forbidden);
}

#[test]
fn a_pack_is_within_its_budget_as_an_agent_reads_it() {
    let rig = Rig::new();
    // What stands in the place of each of these has more tokens than it.
    let values = ["Ana Ruiz", "Polish", "Estonia"];
    let says = |from: usize, to: usize| -> String {
        (from..to).map(|at| format!("Ana Ruiz saw a Polish film about Estonia, and keeper {at} saw it. ")).collect()
    };
    rig.run(BlockSet { label: "films".into(), content: says(0, 2), ..BlockSet::default() }).unwrap();
    let pinned = rig.remember(&says(2, 4));
    rig.run(MemoryPin { id: pinned.id, pinned: true }).unwrap();
    for at in 1..20 {
        rig.remember(&says(at * 10, at * 10 + 1));
        let content = Some(says(at * 1_000, at * 1_000 + at * 2));
        rig.run(ResourcePut { uri: format!("repo://{at}"), content, ..ResourcePut::default() }).unwrap();
    }
    rig.settled();
    mask(&rig, SPACE, &[FindingKind::Person, FindingKind::Nationality, FindingKind::Place]);
    let reader = agent(&rig);
    let told = |operation: &str, request: &Value| rig.engine().call(&reader, operation, request.clone()).unwrap();
    let check = |pack: &Value, budget: u64| {
        check_masked(pack, budget, "[place hidden]");
        assert!(values.iter().all(|value| !pack.to_string().contains(value)), "{pack}");
    };
    for policy in Policy::ALL {
        for budget in [200, 1_200, 8_000] {
            for query in [None, Some("What did Ana Ruiz see in Estonia?")] {
                let request = json!({ "space": SPACE, "policy": policy, "budget_tokens": budget, "query": query });
                let pack = told("context_compile", &request);
                check(&pack, budget);
                assert_eq!(pack, told("context_compile", &request), "{policy} {budget} {query:?}");
                check(&told("context_hydrate", &json!({ "pack": pack["id"], "budget_tokens": budget })), budget);
            }
            // What else the answer says is hidden in the pack, too.
            let begin =
                json!({ "space": SPACE, "policy": policy, "budget_tokens": budget, "name": "Ana Ruiz, keeper" });
            check(&told("session_begin", &begin)["briefing"], budget);
        }
    }
}

/// Values that detectors know by their form, in whatever stands around them.
fn values() -> impl Strategy<Value = (Vec<String>, String)> {
    let value = prop_oneof![
        "[a-z]{3,8}\\.[a-z]{3,8}@[a-z]{4,9}\\.example",
        Just(CARD.to_owned()),
        Just(IBAN.to_owned()),
        "sk_live_[0-9a-zA-Z]{24}".prop_map(|key| format!("api_key = {key}")),
    ];
    let between = prop_oneof![
        3 => "[a-z]{1,9}( [a-z]{1,9}){0,12}",
        1 => Just("🦊 e\u{301}tude 日本語の文章。".to_owned()),
        1 => Just("\n\n## Über uns\n\n".to_owned()),
        1 => "([a-z]{1,9} ){60,90}",
    ];
    proptest::collection::vec((between, value), 1..8).prop_map(|parts| {
        let text = parts.iter().map(|(between, value)| format!("{between} {value} . ")).collect();
        (parts.into_iter().map(|(_, value)| value).collect(), text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_to_an_agent_holds_a_planted_value((values, text) in values(), looked in any::<bool>()) {
        let rig = if looked { Rig::new() } else { Rig::resting() };
        let text = format!("The marker. {text} The marker ends.");
        let memory = rig.remember(&text);
        if looked {
            rig.settled();
        }
        use FindingKind::{Card, Email, Iban, Secret};
        mask(&rig, SPACE, &[Email, Card, Iban, Secret]);
        let answers = [
            recall(&rig, "marker"),
            told_agents(&rig, "memory_get", json!({ "id": memory.id })).to_string(),
            told_agents(&rig, "jobs_status", json!({})).to_string(),
        ];
        for value in values {
            let secret = value.strip_prefix("api_key = ").unwrap_or(&value);
            for answer in &answers {
                prop_assert!(!answer.contains(secret), "{} in {}", secret, answer);
            }
        }
    }
}
