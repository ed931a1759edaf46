//! What no detector finds in an answer, and what its source tells is hidden: what a person marked, and what the end of a passage cuts.

use super::masking::{check_masked, mask};
use super::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use um_engine::is_open;
use um_model::access::{Grant, Right};
use um_model::capture::Memory;
use um_model::claims::FactsAdd;
use um_model::ops::OPERATIONS;
use um_model::work::MemoryPin;
use um_model::{ArtifactId, Utf16Span};

/// Marks every place of a memory that says some words.
fn mark_in(rig: &Rig, memory: &Memory, words: &str) {
    let memory = Some(memory.id.clone());
    rig.run(FindingsMark { words: words.to_owned(), memory, ..FindingsMark::default() }).unwrap();
}

/// The same of a file.
fn mark_in_file(rig: &Rig, file: &ArtifactId, words: &str) {
    let artifact = Some(file.clone());
    rig.run(FindingsMark { words: words.to_owned(), artifact, ..FindingsMark::default() }).unwrap();
}

/// An agent that reads.
struct Reader<'a> {
    rig: &'a Rig,
    caller: Caller,
}

impl<'a> Reader<'a> {
    fn of(rig: &'a Rig) -> Self {
        Self { rig, caller: agent(rig) }
    }

    /// What it gets.
    fn told(&self, operation: &str, request: Value) -> Value {
        let answer = self.rig.engine().call(&self.caller, operation, request);
        answer.unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    /// A pack for a question.
    fn packed(&self, query: &str) -> Value {
        self.told("context_compile", json!({ "space": SPACE, "query": query }))
    }

    /// What stands behind a pack.
    fn hydrated(&self, pack: &Value) -> Value {
        self.told("context_hydrate", json!({ "pack": pack["id"] }))
    }
}

/// What a pack says: its text, and each item by itself.
fn said(pack: &Value) -> String {
    let items = pack["items"].as_array().unwrap().iter();
    let items = items.map(|item| format!("{}\n{}\n", item["item"]["title"], item["text"]));
    format!("{}\n{}", pack["full_text"].as_str().unwrap(), items.collect::<String>())
}

#[test]
fn what_a_person_marked_is_in_no_pack() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let recalled = rig.remember("The project of the bakery is called Bluebird, and its keeper is Zy.");
    let pinned = rig.remember("Bluebird is what the mill calls itself.");
    rig.run(MemoryPin { id: pinned.id.clone(), pinned: true }).unwrap();
    for words in ["Bluebird", "Zy"] {
        mark_in(&rig, &recalled, words);
    }
    mark_in(&rig, &pinned, "Bluebird");
    rig.settled();
    let open = said(&reader.packed("bakery project"));
    assert!(open.contains("Bluebird") && open.contains("Zy"), "{open}");
    mask(&rig, SPACE, &[FindingKind::Other]);
    let check = |pack: &Value, budget: u64| {
        check_masked(pack, budget, "[other hidden]");
        // What is short is hidden where it stands, in the text, too.
        assert!(!said(pack).contains("Bluebird") && !said(pack).contains("Zy"), "{pack}");
    };
    for budget in [200, 1_200] {
        let request = json!({ "space": SPACE, "query": "bakery project", "budget_tokens": budget });
        let pack = reader.told("context_compile", request.clone());
        check(&pack, budget);
        // The pack that was kept is the same one, and what it leads to is hidden as well.
        assert_eq!(reader.told("context_compile", request), pack);
        let request = json!({ "pack": pack["id"], "budget_tokens": budget });
        let behind = reader.told("context_hydrate", request.clone());
        check(&behind, budget);
        assert_eq!(reader.told("context_hydrate", request), behind);
    }
    let begun = reader.told("session_begin", json!({ "space": SPACE }));
    check(&begun["briefing"], 1_200);
}

#[test]
fn a_kept_pack_hides_what_was_marked_since() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let memory = rig.remember("The project of the bakery is called Bluebird.");
    rig.settled();
    mask(&rig, SPACE, &[FindingKind::Other]);
    let pack = reader.packed("bakery project");
    assert!(said(&reader.hydrated(&pack)).contains("Bluebird"), "nobody marked it");
    mark_in(&rig, &memory, "Bluebird");
    let behind = said(&reader.hydrated(&pack));
    assert!(behind.contains("called [other hidden].") && !behind.contains("Bluebird"), "{behind}");
}

#[test]
fn the_text_of_a_pack_does_not_tell_whether_a_guess_is_right() {
    let text = |keeper: &str| {
        let rig = Rig::resting();
        let reader = Reader::of(&rig);
        let memory = rig.remember(&format!("The keeper of the bakery is {keeper}."));
        mark_in(&rig, &memory, keeper);
        mask(&rig, SPACE, &[FindingKind::Other]);
        let text = reader.packed("bakery keeper")["full_text"].as_str().unwrap().to_owned();
        assert!(text.contains("[other hidden]"), "{text}");
        text
    };
    assert_eq!(text("Zy"), text("Qo"));
}

#[test]
fn the_text_of_a_pack_that_was_handed_over_before_it_was_hidden_tells_no_guess_either() {
    let text = |keeper: &str| {
        let rig = Rig::resting();
        let reader = Reader::of(&rig);
        let memory = rig.remember(&format!("The keeper of the bakery is {keeper}."));
        let pack = reader.packed("bakery keeper");
        assert!(said(&pack).contains(keeper), "{pack}");
        mark_in(&rig, &memory, keeper);
        mask(&rig, SPACE, &[FindingKind::Other]);
        let told = reader.told("context_hydrate", json!({ "pack": pack["id"], "as_handed": true }));
        assert!(said(&told).contains("The keeper of the bakery is [other hidden].\n"), "{told}");
        told["full_text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text("Zy"), text("Qo"));
}

#[test]
fn a_mark_that_goes_over_the_end_of_a_passage_is_hidden_in_each() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let text: String = (100..500).map(|at| format!("kelp{at} ")).collect();
    let memory = rig.remember(&text);
    let (from, to) = (text.find("kelp200").unwrap(), text.find(" kelp301").unwrap());
    let span = Some(Utf16Span::from_byte_range(&text, from..to));
    rig.run(FindingAdd { memory: Some(memory.id.clone()), span, ..FindingAdd::default() }).unwrap();
    rig.settled();
    mask(&rig, SPACE, &[FindingKind::Other]);
    let said = ["kelp199", "kelp301"].map(|query| said(&reader.packed(query))).concat();
    assert!(said.contains("kelp199") && said.contains("kelp301") && said.contains("[other hidden]"), "{said}");
    assert!((200..=300).all(|at| !said.contains(&format!("kelp{at}"))), "{said}");
}

#[test]
fn a_number_that_the_end_of_a_passage_cuts_is_in_no_pack() {
    let text: String = (100..300).map(|at| format!("tide{at} {} {CARD} ", "ebb ".repeat(at % 3))).collect();
    let check = |looked: bool| {
        let rig = if looked { Rig::new() } else { Rig::resting() };
        let reader = Reader::of(&rig);
        let memory = rig.remember(&text);
        if looked {
            rig.settled();
        }
        mask(&rig, SPACE, &[FindingKind::Card]);
        let passages: Vec<String> = rig
            .db()
            .prepare("SELECT start_offset, end_offset FROM text_units WHERE owner_memory_id = ?1 ORDER BY ordinal")
            .unwrap()
            .query_map([memory.id.as_str()], |row| {
                let (from, to): (u32, u32) = (row.get(0)?, row.get(1)?);
                Ok(text[from as usize..to as usize].trim().to_owned())
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let is_cut = |passage: &&String| passage.ends_with("11") && !passage.ends_with(CARD);
        let cut = passages.iter().find(is_cut).expect("a number is cut");
        let tide = cut.split_whitespace().rfind(|word| word.starts_with("tide")).unwrap();
        let pack = reader.packed(tide);
        let said = said(&pack);
        assert!(said.contains(tide) && said.contains("[card hidden]"), "looked: {looked}: {said}");
        assert!(!said.contains("1111"), "looked: {looked}: {said}");
        let behind = self::said(&reader.hydrated(&pack));
        assert!(behind.contains(tide) && !behind.contains("1111"), "looked: {looked}: {behind}");
    };
    check(true);
    check(false);
}

#[test]
fn the_passages_around_one_of_a_file_hide_what_was_marked_in_them() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let sentence = |at: u32| format!("Gull{at} flies over the pier in the evening and calls Bluebird. ");
    let text: String = (10..70).map(sentence).collect();
    let file = rig.ingest("gulls.txt", &text);
    rig.settled();
    mark_in_file(&rig, &file, "Bluebird");
    let passage = |pack: &Value| {
        let items = pack["items"].as_array().unwrap();
        let passage = items.iter().find(|item| item["citation"] == "E1").unwrap_or_else(|| panic!("{pack}"));
        passage["text"].as_str().unwrap().to_owned()
    };
    let open = reader.packed("gull40");
    let (one, around) = (passage(&open), passage(&reader.hydrated(&open)));
    assert!(one.contains("Bluebird") && around.contains("Bluebird") && around.len() > one.len(), "{around}");
    mask(&rig, SPACE, &[FindingKind::Other]);
    let pack = reader.packed("gull40");
    for said in [said(&pack), said(&reader.hydrated(&pack))] {
        assert!(said.contains("calls [other hidden].") && !said.contains("Bluebird"), "{said}");
    }
}

#[test]
fn headings_and_parts_of_pages_that_were_marked_are_hidden() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let note = rig.ingest("note.md", "# Bluebird\n\nThe ferry sails at noon.");
    let pages = [Page::Text("nothing".into()), Page::Text("first line here\nthe kittiwake sits".into())];
    let paper = rig.ingest("paper.pdf", inputs::pdf(None, &pages));
    rig.settled();
    mark_in_file(&rig, &note, "Bluebird");
    // Words are ten wide a letter, beginning at 10; lines stand at 300, 320, … and are 18 high.
    let region = Some(Region::Box { page: 2, bbox: [45.0, 315.0, 150.0, 30.0] });
    rig.run(FindingAdd { artifact: Some(paper), region, ..FindingAdd::default() }).unwrap();
    let asked = || {
        ["ferry", "first line"].map(|query| {
            let recalled = reader.told("memory_recall", json!({ "query": query }));
            format!("{recalled}{}", reader.packed(query))
        })
    };
    let [ferry, line] = asked();
    assert!(ferry.contains("Bluebird") && line.contains("kittiwake"), "{ferry} {line}");
    mask(&rig, SPACE, &[FindingKind::Other]);
    let [ferry, line] = asked();
    assert!(ferry.contains("[other hidden]") && !ferry.contains("Bluebird"), "{ferry}");
    assert!(line.contains("the [other hidden]") && !line.contains("kittiwake") && !line.contains("sits"), "{line}");
}

#[test]
fn a_whole_passage_that_was_marked_hides_what_was_read_from_it_and_nothing_else() {
    let rig = Rig::new();
    let reader = Reader::of(&rig);
    let fact = |memory: &Memory, object: &str| {
        let fact = json!({ "subject": "Ana Ruiz", "predicate": "works_at", "object": object, "memory_id": memory.id,
            "quote": memory.content });
        rig.run(FactsAdd { space: SPACE.into(), facts: vec![serde_json::from_value(fact).unwrap()] }).unwrap();
    };
    let marked = rig.remember("Ana Ruiz works at Bluebird.");
    fact(&marked, "Bluebird");
    let open = rig.remember("Ana Ruiz was seen at the pier.");
    let span = Some(Utf16Span::new(0, um_model::span::utf16_len(marked.content.as_deref().unwrap())));
    rig.run(FindingAdd { memory: Some(marked.id.clone()), span, ..FindingAdd::default() }).unwrap();
    rig.settled();
    mask(&rig, SPACE, &[FindingKind::Other]);
    for (operation, request) in [
        ("facts_search", json!({ "space": SPACE })),
        ("entities_list", json!({ "space": SPACE })),
        ("context_compile", json!({ "space": SPACE, "query": "Who works at the pier?" })),
    ] {
        let answer = reader.told(operation, request);
        assert!(!answer.to_string().contains("Bluebird"), "{operation}: {answer}");
    }
    let seen = reader.told("memory_get", json!({ "id": open.id }));
    assert!(seen.to_string().contains("Ana Ruiz"), "{seen}");
}

/// Operations open to agents whose answers say no words of a memory or file, or are what another one answers, too.
const OTHERS: &[&str] = &[
    "artifact_get",
    "block_set",
    "clash_resolve",
    "clashes_list",
    "conflicts_resolve",
    "contexts_list",
    "drift_check",
    "entities_resolve",
    "entries_list",
    "entry_disable",
    "entry_enable",
    "entry_get",
    "entry_save",
    "event_promote",
    "events_append",
    "events_list",
    "facts_add",
    "findings_decide",
    "forget_execute",
    "lock_checkin",
    "lock_checkout",
    "locks_list",
    "media_read",
    "membership_set",
    "memories_add",
    "memory_distill",
    "memory_ingest",
    "memory_remember",
    "promotion_decide",
    "promotion_request",
    "redaction_apply",
    "relation_add",
    "relation_end",
    "resource_get",
    "resource_put",
    "resource_remove",
    "resources_browse",
    "session_discard",
    "session_end",
    "session_get",
    "session_set",
    "sessions_list",
    "spaces_list",
    "state_get",
    "state_set",
    "tag_attach",
    "tag_create",
    "tag_detach",
    "tags_list",
    "versions_diff",
    "versions_list",
];

#[test]
fn no_answer_says_what_a_person_marked() {
    let rig = Rig::new();
    rig.space("open");
    let text = "Ana Ruiz works at Bluebird, the bakery by the pier.";
    let memory = rig.remember(text);
    let other = rig.remember("The pier is closed in winter.");
    let file = rig.ingest("note.md", "# Bluebird\n\nThe ferry of Bluebird sails at noon.");
    let owner = |operation: &str, request: Value| {
        rig.engine()
            .call(&Caller::owner("test"), operation, request)
            .unwrap_or_else(|error| panic!("{operation}: {error}"))
    };
    let fact = json!({ "subject": "Ana Ruiz", "predicate": "works_at", "object": "Bluebird", "memory_id": memory.id,
        "quote": text });
    let added = owner("facts_add", json!({ "space": SPACE, "facts": [fact] }));
    let claim = added["facts"][0]["claim"].clone();
    let item = |memory: &Memory| json!({ "item_type": "memory", "id": memory.id });
    owner("relation_add", json!({ "from": item(&other), "to": item(&memory), "relation_type": "supports" }));
    owner("verification_add", json!({ "item_type": "memory", "id": memory.id, "status": "failed" }));
    owner("memory_pin", json!({ "id": memory.id, "pinned": true }));
    mark_in(&rig, &memory, "Bluebird");
    mark_in_file(&rig, &file, "Bluebird");
    rig.settled();
    let view = rig.artifact(&file).views[0].id.to_string();
    let unit = rig.text(&format!("SELECT id FROM text_units WHERE owner_memory_id = '{}' LIMIT 1", memory.id));
    let clerk = Reader { rig: &rig, caller: rig.agent_granted("clerk", SPACE, &[Grant::Redact, Grant::Forget]) };
    let reader = Reader::of(&rig);
    let by = |operation: &str, request: Value| {
        let is_granted = matches!(operation, "findings_list" | "forget_preview");
        if is_granted { clerk.told(operation, request) } else { reader.told(operation, request) }
    };
    // Of what it brought in itself, an agent says how near at hand it is.
    let own = by("memory_remember", json!({ "space": SPACE, "text": "Bluebird bakes on Mondays." }))["memory"].clone();
    mark_in(&rig, &serde_json::from_value(own.clone()).unwrap(), "Bluebird");
    rig.settled();
    let promotion = by("promotion_request", json!({ "kind": "memory", "id": memory.id, "to": "open" }))["id"].clone();
    let asked = || -> Vec<(&'static str, bool, String)> {
        let recall = json!({ "query": "bakery pier", "space": SPACE });
        let trace = by("memory_recall", recall.clone())["trace"].clone();
        let question = json!({ "space": SPACE, "query": "bakery pier" });
        let pack = by("context_compile", question.clone())["id"].clone();
        [
            ("memory_recall", true, recall),
            ("memory_recall", true, json!({ "query": "ferry noon", "space": SPACE })),
            ("memory_get", true, json!({ "id": memory.id })),
            ("memory_get", true, json!({ "id": unit })),
            ("memory_get", true, json!({ "id": view })),
            ("view_read", true, json!({ "id": view })),
            ("view_read", false, json!({ "id": view, "span": { "start": 0, "end": 6 } })),
            ("items_query", true, json!({ "space": SPACE, "text": "bakery", "types": ["memory"] })),
            ("context_compile", true, question),
            ("context_hydrate", true, json!({ "pack": pack })),
            ("session_begin", true, json!({ "space": SPACE })),
            ("relations_list", true, json!({ "space": SPACE })),
            ("relations_walk", true, json!({ "item_type": "memory", "id": other.id })),
            ("verifications_list", true, json!({ "space": SPACE })),
            ("verification_add", true, json!({ "item_type": "memory", "id": memory.id, "status": "passed" })),
            ("blocks_list", true, json!({ "space": SPACE })),
            ("memory_confirm", true, json!({ "id": memory.id })),
            ("memory_tier", true, json!({ "id": own["id"], "tier": "hot" })),
            ("facts_search", true, json!({ "space": SPACE })),
            ("entities_list", true, json!({ "space": SPACE })),
            ("entity_get", true, json!({ "entity": claim["subject"]["id"], "space": SPACE })),
            ("claim_explain", true, json!({ "claim": claim["id"] })),
            ("graph_traverse", true, json!({ "entity": claim["subject"]["id"], "space": SPACE })),
            ("trace_feedback", true, json!({ "id": trace, "feedback": "negative" })),
            ("promotion_show", true, json!({ "id": promotion })),
            ("promotions_list", true, json!({})),
            ("findings_list", true, json!({ "space": SPACE, "statuses": ["accepted"] })),
            ("forget_preview", true, json!({ "memory": memory.id, "space": SPACE })),
            ("recall_explain", false, json!({ "recall": { "query": "zeppelin" }, "expected": memory.id })),
            ("conflicts_list", false, json!({ "space": SPACE })),
            ("artifacts_list", false, json!({ "space": SPACE })),
            ("jobs_status", false, json!({ "space": SPACE })),
        ]
        .into_iter()
        .map(|(operation, says, request)| (operation, says, by(operation, request).to_string()))
        .collect()
    };
    let answers = asked();
    let open: BTreeSet<&str> =
        OPERATIONS.iter().map(|one| one.name).filter(|name| is_open(name, Right::ALL, Grant::ALL)).collect();
    let known: BTreeSet<&str> = answers.iter().map(|(name, ..)| *name).chain(OTHERS.iter().copied()).collect();
    assert_eq!(known, open, "say here what each may say of a memory's words");
    for (operation, says, answer) in &answers {
        assert!(!says || answer.contains("Bluebird"), "{operation} says nothing that is to be hidden: {answer}");
    }
    mask(&rig, SPACE, &[FindingKind::Other]);
    for (operation, _, answer) in asked() {
        assert!(!answer.contains("Blue"), "{operation}: {answer}");
    }
}
