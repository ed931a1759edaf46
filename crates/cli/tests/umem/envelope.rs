//! A memory's envelope from the command line: kept, told, confirmed; raw memories and events made into others.

use crate::support::{Folder, code, words};
use serde_json::json;

#[test]
fn an_envelope_is_kept_told_and_confirmed() {
    let folder = Folder::new();
    let told = "Ana said that the ferry leaves at noon.";
    let flags =
        ["--scope", "project:default", "--kind", "raw", "--owner", "user:ana", "--artifact-ref", "gh://acme/pr/7"];
    let more =
        ["--record-kind", "decision", "--importance", "0.9", "--confidence", "inferred", "--metadata", r#"{"a": 1}"#];
    let (exit, raw) = folder.json(&[&["remember", told][..], &flags, &more].concat());
    let memory = &raw["memory"];
    assert_eq!((exit, &memory["kind"], &memory["metadata"]), (0, &json!("raw"), &json!({"a": 1})), "{raw}");
    let id = memory["id"].as_str().unwrap();

    let (exit, kept) = folder.json(&["distill", id, "--text", "The ferry leaves at noon."]);
    assert_eq!((exit, &kept["memory"]["derived_from"]), (0, &json!([id])), "{kept}");
    let (_, plain) = folder.json(&["recall", "ferry noon"]);
    assert!(plain["hits"].as_array().unwrap().iter().all(|hit| hit.get("envelope").is_none()), "{plain}");
    let why = words(&folder.run(&["recall", "ferry noon", "--why"]));
    for part in [
        "   raw, inferred, decision, importance 0.9, about ",
        "   distilled, observed, decision, importance 0.9, about ",
        "   owner: \"user:ana\"",
        "   from: \"gh://acme/pr/7\"",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    for (flags, label) in [(&[][..], "observed"), (&["--verified"], "verified")] {
        let (exit, confirmed) = folder.json(&[&["confirm", id][..], flags].concat());
        assert_eq!((exit, &confirmed["confidence_label"]), (0, &json!(label)), "{confirmed}");
    }
    assert_eq!(code(&folder.run(&["confirm", "x"])), 2);
    assert_eq!(code(&folder.run(&["remember", "x", "--space", "default", "--kind", "boiled"])), 2);
    assert_eq!(code(&folder.run(&["remove", id])), 3, "raw memories stay");
}

#[test]
fn an_event_is_promoted() {
    let folder = Folder::new();
    let (_, added) = folder.json(&["event", "add", "We call the pier Zorvex."]);
    let event = added["events"][0].as_str().unwrap();
    let (exit, kept) = folder.json(&["event", "promote", event, "--layer", "raw", "--title", "Pier"]);
    let memory = &kept["memory"];
    assert_eq!((exit, &memory["kind"], &memory["title"]), (0, &json!("raw"), &json!("Pier")), "{kept}");
    assert_eq!(memory["source_event_ids"], json!([event]));
    let text = ["--text", "The pier is the Zorvex.", "--record-kind", "other", "--importance", "0.2"];
    let said = words(&folder.run(&[&["event", "promote", event][..], &text].concat()));
    assert!(said.starts_with("Remembered: memory "), "{said}");
}
