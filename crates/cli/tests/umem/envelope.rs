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
    for importance in ["NaN", "inf", "1.5", "much"] {
        let refused = folder.run(&["remember", "x", "--space", "default", "--importance", importance]);
        let says = words(&refused);
        assert!(code(&refused) == 2 && says.contains("give a number from 0 to 1"), "{importance}: {says}");
        assert_eq!(code(&folder.run(&["event", "promote", id, "--importance", importance])), 2, "{importance}");
    }
    assert_eq!(code(&folder.run(&["remove", id])), 3, "raw memories stay");
}

#[test]
fn a_memory_is_in_use_all_of_the_day_with_which_it_goes() {
    let folder = Folder::new();
    let said = "The museum in Lund is free on Fridays.";
    let (exit, kept) = folder.json(&["remember", said, "--space", "default", "--expires", "2099-12-31"]);
    assert_eq!(exit, 0, "{kept}");
    for (as_of, found) in [("2099-12-30", 1), ("2099-12-31T12:00", 1), ("2099-12-31", 1), ("2100-01-01T00:00", 0)] {
        let (_, recalled) = folder.json(&["recall", "museum Lund", "--as-of", as_of]);
        assert_eq!(recalled["hits"].as_array().unwrap().len(), found, "{as_of}: {recalled}");
    }
}

#[test]
fn a_memory_is_in_use_for_a_time_and_put_out_of_the_way() {
    let folder = Folder::new();
    let said = ["remember", "The ferry leaves at noon.", "--space", "default", "--expires", "2099-05-01T14:30Z"];
    let (exit, kept) = folder.json(&said);
    assert_eq!((exit, &kept["memory"]["expires_at"]), (0, &json!(4_081_329_060_000_i64)), "{kept}");
    let id = kept["memory"]["id"].as_str().unwrap();
    let why = words(&folder.run(&["recall", "ferry", "--why-not", &id[..8]]));
    assert!(why.starts_with("It is there, in place 1."), "{why}");
    let until = words(&folder.run(&["expire", id, "2099-05-01T14:30:00Z"]));
    assert!(until.starts_with("It goes out of use 2099-05-01T14:30:01Z"), "{until}");
    let stays = words(&folder.run(&["expire", id, "never"]));
    assert!(stays.starts_with("It stays in use: memory "), "{stays}");
    for time in ["2001-01-01", "soon"] {
        assert_ne!(code(&folder.run(&["expire", id, time])), 0, "{time}");
    }
    let (exit, cold) = folder.json(&["tier", id, "cold"]);
    assert_eq!((exit, &cold["tier"]), (0, &json!("cold")), "{cold}");
    for (question, found) in [("ferry", 0), ("tier:cold ferry", 1)] {
        let (_, recalled) = folder.json(&["recall", question]);
        assert_eq!(recalled["hits"].as_array().unwrap().len(), found, "{recalled}");
    }
    assert_eq!(code(&folder.run(&["tier", id, "icy"])), 2);
    // A file is named by its own id, too.
    let file = folder.file("pier.md", "The pier is painted red.");
    let (_, came) = folder.json(&["ingest", file.to_str().unwrap(), "--space", "default"]);
    let (artifact, memory) = (came["files"][0]["artifact_id"].as_str().unwrap(), &came["files"][0]["memory_id"]);
    let (exit, cold) = folder.json(&["tier", artifact, "cold"]);
    assert_eq!((exit, &cold["id"], &cold["tier"]), (0, memory, &json!("cold")), "{cold}");
    let (exit, none) = folder.json(&["tier", um_model::OWNER_AGENT, "cold"]);
    assert_eq!((exit, &none["error"]["code"]), (1, &json!("not_found")), "{none}");
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
