//! What is believed, decided and measured, from the command line.

use crate::support::{Folder, code, words};
use serde_json::{Value, json};

/// States a fact; gives the claim's id and the conflicts that it makes.
fn add(folder: &Folder, fact: &[&str]) -> (String, Vec<String>) {
    let (exit, added) = folder.json(&[&["facts", "add", "--space", "default"], fact].concat());
    assert_eq!(exit, 0, "{added}");
    let fact = &added["facts"][0];
    let conflicts = fact["conflicts"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    (fact["claim"]["id"].as_str().unwrap().to_owned(), conflicts)
}

fn state(folder: &Folder, claim: &str) -> Value {
    folder.json(&["claim", "show", claim]).1["state"].clone()
}

#[test]
fn a_fact_is_stated_listed_and_explained() {
    let folder = Folder::new();
    let stated = ["Maya Okafor", "works_at", "Halden Labs", "--qualifier", "role=cook", "--from", "2021-05"];
    let (claim, conflicts) = add(&folder, &stated);
    assert!(conflicts.is_empty());
    let (_, again) = folder.json(&["facts", "add", "--space", "default", "Maya Okafor", "works_at", "Halden Labs"]);
    assert_eq!(again["facts"][0]["claim"]["subject"]["name"], "Maya Okafor");

    let (exit, listed) = folder.json(&["facts", "list", "--entity", "maya okafor", "--space", "default"]);
    assert_eq!(exit, 0);
    let fact = listed["facts"].as_array().unwrap().iter().find(|fact| fact["id"] == claim).unwrap();
    assert_eq!(
        (&fact["predicate"], &fact["qualifiers"]),
        (&json!("works_at"), &json!({"role": "cook", "since": "2021-05"}))
    );
    assert_eq!(fact["object"]["entity"]["name"], "Halden Labs");
    assert_eq!(fact["valid_from"], 1_619_827_200_000_i64);
    assert!(fact["citations"][0]["quote"].as_str().unwrap().contains("Halden Labs"), "{fact}");
    let (_, past) = folder.json(&["facts", "list", "--as-of", "2019", "--predicate", "works_at"]);
    assert!(past["facts"].as_array().unwrap().iter().all(|fact| fact["id"] != claim), "{past}");

    let (exit, why) = folder.json(&["why", &claim]);
    assert_eq!(exit, 0);
    assert_eq!(why["claim"]["id"], claim);
    assert!(why["confidence"]["arithmetic"].as_str().unwrap().contains('='), "{why}");
    assert!(why["evidence"][0]["citation"]["memory_id"].is_string(), "{why}");
    let said = words(&folder.run(&["why", &claim]));
    assert!(said.contains("Maya Okafor works at Halden Labs") && said.contains("Confidence: "), "{said}");
    assert_eq!(code(&folder.run(&["why", "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b"])), 1);
}

#[test]
fn facts_come_from_a_file_and_from_a_memorys_words() {
    let folder = Folder::new();
    let lines = r#"{"subject":"Ana","predicate":"likes","object":"tea"}
{"subject":"Ana","predicate":"lives_in","object":"Porto"}"#;
    let added = folder.feed(&["facts", "add", "--space", "default", "--file", "-", "--json"], lines);
    let added: Value = serde_json::from_slice(&added.stdout).unwrap();
    assert_eq!(added["facts"].as_array().unwrap().len(), 2, "{added}");
    for (text, said) in [("", "no facts"), ("{}", "Line 1")] {
        let wrong = folder.feed(&["facts", "add", "--space", "default", "--file", "-"], text);
        assert!(code(&wrong) == 2 && words(&wrong).contains(said), "{}", words(&wrong));
    }
    let (_, kept) = folder.json(&["remember", "Ana Silva was born in Lisbon.", "--space", "default"]);
    let memory = kept["memory"]["id"].as_str().unwrap();
    let quote = ["Ana Silva", "born_in", "Lisbon", "--memory", memory, "--quote", "Ana Silva was born in Lisbon"];
    let (claim, _) = add(&folder, &quote);
    let (_, why) = folder.json(&["why", &claim]);
    assert!(why["evidence"].as_array().unwrap().iter().any(|piece| piece["citation"]["memory_id"] == memory), "{why}");
    let made = ["remember", "Ana Silva comes from Lisbon, then.", "--space", "default", "--from", memory];
    let (_, made) = folder.json(&made);
    let before = why["claim"]["confidence"].clone();
    let concluded = ["Ana Silva", "born_in", "Lisbon", "--memory", made["memory"]["id"].as_str().unwrap()];
    assert_eq!(add(&folder, &concluded).0, claim);
    assert_eq!(
        folder.json(&["why", &claim]).1["claim"]["confidence"],
        before,
        "it adds nothing to what it was made of"
    );
    assert_eq!(code(&folder.run(&["remember", "x", "--space", "default", "--from", "nothing"])), 2);
    let strange = ["facts", "add", "--space", "default", "A", "likes", "B", "--memory", memory, "--quote", "not there"];
    assert_ne!(code(&folder.run(&strange)), 0);
}

#[test]
fn claims_are_taken_back_and_restored() {
    let folder = Folder::new();
    let (claim, _) = add(&folder, &["Ana", "likes", "tea"]);
    let (exit, retracted) = folder.json(&["claim", "retract", &claim]);
    assert_eq!((exit, &retracted["state"]), (0, &json!("retracted")));
    assert_eq!(code(&folder.run(&["claim", "retract", &claim])), 2);
    let (exit, restored) = folder.json(&["claim", "restore", &claim]);
    assert_eq!((exit, &restored["state"]), (0, &json!("asserted")));
    let (exit, history) = folder.json(&["why", &claim]);
    assert_eq!((exit, history["history"].as_array().unwrap().len() >= 3), (0, true), "{history}");
}

#[test]
fn conflicts_are_decided_by_side_value_or_time_and_opened_again() {
    let folder = Folder::new();
    let (first, _) = add(&folder, &["Ana Silva", "birthday", "1990-03-12"]);
    let (second, conflicts) = add(&folder, &["Ana Silva", "birthday", "1991-03-12"]);
    let [conflict] = conflicts.as_slice() else { panic!("one conflict, not {conflicts:?}") };
    assert_eq!((state(&folder, &first), state(&folder, &second)), (json!("disputed"), json!("disputed")));
    let (_, open) = folder.json(&["conflicts", "list", "--space", "default"]);
    assert_eq!((&open["total"], &open["conflicts"][0]["id"]), (&json!(1), &json!(conflict)));
    let of_a = open["conflicts"][0]["claim_a"]["id"].as_str().unwrap().to_owned();
    let of_b = open["conflicts"][0]["claim_b"]["id"].as_str().unwrap().to_owned();
    assert!(words(&folder.run(&["conflicts", "list"])).contains(&format!("umem conflicts resolve {conflict}")));

    let decide = |how: &[&str]| {
        let (exit, decided) = folder.json(&[&["conflicts", "resolve", conflict], how].concat());
        assert_eq!(exit, 0, "{decided}");
        let states = [state(&folder, &of_a), state(&folder, &of_b)];
        let (exit, opened) = folder.json(&["conflicts", "reopen", conflict]);
        assert!(exit == 0 && opened["resolution"].is_null(), "{opened}");
        (decided["resolution"].clone(), states)
    };
    let (resolution, states) = decide(&["a", "--note", "It stands on her passport."]);
    assert_eq!(resolution["resolution_type"], "claim_a_wins");
    assert_eq!(resolution["notes"], "It stands on her passport.");
    assert_eq!(states, ["asserted", "retracted"]);
    assert_eq!(decide(&["b"]).1, ["retracted", "asserted"]);
    assert_eq!(decide(&["both"]).1, ["disputed", "disputed"]);
    let (resolution, states) = decide(&["--value", "1992-03-12"]);
    assert_eq!(resolution["resolution_type"], "manual_override");
    assert_eq!(states, ["superseded", "superseded"]);
    assert_eq!(decide(&["--windows", "..2020", "2020.."]).1, ["asserted", "asserted"]);
    for wrong in [&["c"][..], &[], &["a", "--value", "x"], &["--windows", "2019", "2020.."]] {
        assert_eq!(code(&folder.run(&[&["conflicts", "resolve", conflict], wrong].concat())), 2, "{wrong:?}");
    }
    folder.run(&["conflicts", "resolve", conflict, "a"]);
    assert_eq!(code(&folder.run(&["conflicts", "resolve", conflict, "b"])), 3, "it was decided already");
    let (_, decided) = folder.json(&["conflicts", "list", "--resolved"]);
    assert!(decided["conflicts"].as_array().unwrap().iter().any(|one| one["id"] == *conflict), "{decided}");
    assert_eq!(folder.json(&["conflicts", "list"]).1["total"], 0);
}

#[test]
fn entities_are_listed_merged_parted_and_named() {
    let folder = Folder::new();
    add(&folder, &["Ana Silva", "works_at", "Halden Labs"]);
    add(&folder, &["Anna Sylva", "likes", "tea", "--subject-type", "person"]);
    let (_, people) = folder.json(&["entity", "list", "--type", "person", "--space", "default"]);
    assert_eq!(people["total"], 2, "{people}");
    let (exit, merged) = folder.json(&["entity", "merge", "Ana Silva", "Anna Sylva", "--space", "default"]);
    assert_eq!((exit, &merged["entity"]["name"]), (0, &json!("Ana Silva")));
    assert_eq!(merged["claims"].as_array().unwrap().len(), 2, "{merged}");
    let merge = merged["merges"][0]["id"].as_str().unwrap();
    let (exit, parted) = folder.json(&["entity", "unmerge", merge]);
    assert_eq!((exit, parted["claims"].as_array().unwrap().len()), (0, 1), "{parted}");
    let (exit, shared) = folder.json(&["entity", "share", "Halden Labs", "--space", "default"]);
    assert_eq!((exit, &shared["entity"]["space_id"]), (0, &json!("GLOBAL")), "{shared}");
    let (exit, renamed) = folder.json(&["entity", "rename", "Ana Silva", "Ana Maria Silva", "--space", "default"]);
    assert_eq!((exit, &renamed["entity"]["name"]), (0, &json!("Ana Maria Silva")));
    let (exit, retyped) = folder.json(&["entity", "retype", "Ana Maria Silva", "organization"]);
    assert_eq!((exit, retyped["entity"]["entity_type"].as_str()), (0, Some("organization")), "{retyped}");
    assert_eq!(folder.json(&["entity", "retype", "Ana Maria Silva", "person"]).0, 0);
    assert_ne!(code(&folder.run(&["entity", "retype", "Ana Maria Silva", "ghost"])), 0, "there is no such type");
    let (exit, aliased) = folder.json(&["entity", "alias", "Ana Maria Silva", "Aninha"]);
    assert!(exit == 0 && aliased["entity"]["aliases"].as_array().unwrap().contains(&json!("Aninha")), "{aliased}");
    let (exit, resolved) = folder.json(&["entity", "resolve", "Aninha met Halden Labs.", "--space", "default"]);
    let mentions = resolved["mentions"].as_array().unwrap();
    assert_eq!((exit, mentions.len()), (0, 2), "{resolved}");
    assert_eq!(mentions[0]["candidates"][0]["entity"]["name"], "Ana Maria Silva");
    let (exit, shown) = folder.json(&["entity", "show", "aninha"]);
    assert_eq!((exit, &shown["entity"]["id"]), (0, &renamed["entity"]["id"]));
    assert!(words(&folder.run(&["entity", "show", "Aninha"])).contains("works at Halden Labs"));
    assert_eq!(code(&folder.run(&["entity", "show", "Nobody"])), 1);
}

#[test]
fn a_name_that_may_mean_two_is_decided() {
    let folder = Folder::new();
    for name in ["Jordan Smith", "Jordan Lee"] {
        add(&folder, &[name, "likes", "tea", "--subject-type", "person"]);
        assert_eq!(folder.json(&["entity", "alias", name, "Jordan", "--space", "default"]).0, 0);
    }
    assert!(words(&folder.run(&["entity", "candidates"])).contains("No name waits"));
    folder.json(&["remember", "Nora Quist reports to Jordan.", "--space", "default"]);
    folder.json(&["jobs", "--wait"]);
    let (exit, listed) = folder.json(&["entity", "candidates", "--space", "default"]);
    let held = &listed["candidates"][0];
    assert_eq!((exit, &listed["total"], &held["name"]), (0, &json!(1), &json!("Jordan")), "{listed}");
    let said = words(&folder.run(&["entity", "candidates"]));
    assert!(said.contains("Who is \"Jordan\"?") && said.contains("Jordan Lee (person): umem entity decide"), "{said}");
    let id = held["id"].as_str().unwrap();
    assert_eq!(code(&folder.run(&["entity", "decide", id, "x"])), 2);
    let lee = held["choices"][1]["id"].as_str().unwrap();
    let (exit, decided) = folder.json(&["entity", "decide", id, lee]);
    assert_eq!((exit, &decided["meant"]["name"]), (0, &json!("Jordan Lee")), "{decided}");
    folder.json(&["jobs", "--wait"]);
    let (_, nora) = folder.json(&["facts", "list", "--entity", "Nora Quist"]);
    assert_eq!(nora["facts"][0]["statement"], "Nora Quist reports to Jordan Lee", "{nora}");
    assert_eq!(code(&folder.run(&["entity", "decide", id, "none"])), 3, "it was decided already");
}

#[test]
fn relations_are_defined_and_walked() {
    let folder = Folder::new();
    let define = ["predicate", "define", "lends_to", "--space", "default", "--relation", "--inverse", "borrows_from"];
    let (exit, defined) = folder.json(&[&define[..], &["--cardinality", "one_to_many"]].concat());
    assert_eq!((exit, &defined["name"], &defined["cardinality"]), (0, &json!("lends_to"), &json!("one_to_many")));
    assert_eq!(code(&folder.run(&["predicate", "define", "works_at", "--space", "default"])), 3, "it is predefined");
    assert_eq!(code(&folder.run(&define)), 3, "it is defined");
    assert_eq!(code(&folder.run(&[&define[..], &["--change"]].concat())), 0);
    add(&folder, &["Ana Silva", "lends_to", "Ben Okri"]);
    add(&folder, &["Ben Okri", "lends_to", "Cleo Park"]);
    let walk = |more: &[&str]| {
        let (exit, walk) = folder.json(&[&["graph", "Ana Silva", "--space", "default"], more].concat());
        assert_eq!(exit, 0, "{walk}");
        let edges = walk["edges"].as_array().unwrap().clone();
        edges.iter().map(|edge| edge["target"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(walk(&["--direction", "out"]), ["Ben Okri", "Cleo Park"]);
    assert_eq!(walk(&["--depth", "1"]), ["Ben Okri"]);
    assert!(walk(&["--direction", "in"]).is_empty());
    assert!(walk(&["--relation", "works_at"]).is_empty());
    let said = words(&folder.run(&["graph", "Ana Silva", "--space", "default"]));
    assert!(said.contains("Ana Silva -[lends to]-> Ben Okri") && said.contains("2 steps"), "{said}");
}

#[test]
fn the_rules_are_measured_without_a_service() {
    let folder = Folder::new();
    let claim = |object: &str| json!({"subject": "Maya Okafor", "predicate": "works_at", "object": object});
    let lines = [
        json!({"text": "Maya Okafor works at Halden Labs.", "claims": [claim("Halden Labs")]}),
        json!({"text": "Maya Okafor works at Halden Labs.", "claims": [claim("Halden Labs"), claim("Orion")]}),
        json!({"text": "It may rain.", "claims": []}),
    ];
    let set = folder.file("set.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    let output = folder.run(&["eval", "beliefs", set.to_str().unwrap(), "--json"]);
    let text = words(&output);
    assert!(text.starts_with(r#"{"precision":1.0,"recall":0.6666"#), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!([&report["right"], &report["proposed"], &report["expected"]], [&json!(2), &json!(2), &json!(3)]);
    assert_eq!(report["lines"][1]["missed"][0]["object"], "Orion");
    assert!(!folder.data().exists());
    let broken = folder.file("broken.jsonl", "{\"text\": 5}");
    let wrong = folder.run(&["eval", "beliefs", broken.to_str().unwrap()]);
    assert!(code(&wrong) == 2 && words(&wrong).contains("Line 1"), "{}", words(&wrong));
}
