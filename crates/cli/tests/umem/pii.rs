//! How well personal and secret data is found, measured from the command line.

use crate::support::{Folder, code, words};
use serde_json::{Value, json};

fn mark(start: u32, end: u32, kind: &str) -> Value {
    json!({"start": start, "end": end, "type": kind})
}

#[test]
fn findings_are_scored_by_characters_without_a_service() {
    let folder = Folder::new();
    // The card and the name are found, the code is not, and the set marks no secrets and no titles.
    let lines = [
        json!({"text": "Card 4111 1111 1111 1111", "spans": [mark(5, 24, "CREDIT_CARD")]}),
        json!({"text": "😀 Dr. Ana Ruiz", "spans": [mark(7, 15, "person")]}),
        json!({"text": "code x5", "spans": [mark(5, 7, "PERSON")]}),
        json!({"text": "password: hunter2!x", "spans": []}),
    ];
    let set = folder.file("set.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    let output = folder.run(&["eval", "pii", set.to_str().unwrap(), "--json"]);
    let text = words(&output);
    assert!(text.starts_with(r#"{"precision":1.0,"recall":0.93"#), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!([&report["right"], &report["found"], &report["expected"]], [&json!(27), &json!(27), &json!(29)]);
    assert_eq!([&report["kinds"]["card"]["f2"], &report["kinds"]["person"]["recall"]], [&json!(1.0), &json!(0.8)]);
    assert_eq!(report["unmarked_kinds"], json!({"secret": 1, "title": 1}));
    assert_eq!(report["lines"][0]["missed"], json!([{"kind": "person", "text": "x5"}]));
    assert!(!folder.data().exists());
}

#[test]
fn a_set_that_cannot_be_read_is_told_by_its_line() {
    let folder = Folder::new();
    for (spans, said) in [
        (json!([mark(0, 9, "person")]), "from 0 to 9"),
        (json!([mark(0, 1, "colour")]), "colour"),
        (json!(5), "Line 1"),
    ] {
        let set = folder.file("set.jsonl", &json!({"text": "x", "spans": spans}).to_string());
        let wrong = folder.run(&["eval", "pii", set.to_str().unwrap()]);
        assert!(code(&wrong) == 2 && words(&wrong).contains(said), "{}", words(&wrong));
    }
}

/// The folder of shared data: `UM_SHARED_DATA`, else beside the checkout.
fn shared(name: &str) -> Option<std::path::PathBuf> {
    let named = std::env::var_os("UM_SHARED_DATA").map(std::path::PathBuf::from);
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = named.unwrap_or(beside).join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there; UM_SHARED_DATA names the shared data", path.display());
    None
}

/// Kinds that have a form of their own, which a check digit, a length or a label tells.
const STRUCTURED: &[&str] = &["card", "driver_licence", "email", "iban", "ip_address", "phone", "url", "us_ssn"];

/// The goals that [docs/pii.md](../../../../docs/pii.md) tells of.
#[test]
fn the_goals_of_finding_are_kept() {
    let Some(set) = shared("pii/synthetic-dev.jsonl") else { return };
    let output = Folder::new().run(&["eval", "pii", set.to_str().unwrap(), "--json"]);
    assert_eq!(code(&output), 0, "{}", words(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let f2 = report["f2"].as_f64().unwrap();
    println!("F2 of all kinds: {f2:.3}");
    assert!(f2 >= 0.90, "F2 of all kinds is {f2:.3}");
    for kind in STRUCTURED {
        let f2 = report["kinds"][kind]["f2"].as_f64().unwrap_or_else(|| panic!("{kind} is in the set"));
        println!("F2 of {kind}: {f2:.3}");
        assert!(f2 >= 0.97, "F2 of {kind} is {f2:.3}");
    }
}
