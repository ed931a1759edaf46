//! `umem verify`: what was checked, and how that came out.

use crate::support::{Folder, code, words};
use serde_json::json;

#[test]
fn what_was_checked_is_written_down_and_listed() {
    let folder = Folder::new();
    let (_, kept) = folder.json(&["remember", "The ferry leaves at noon.", "--space", "default"]);
    let id = kept["memory"]["id"].as_str().unwrap();
    let failed = ["verify", "memory", id, "--status", "failed", "--detail", "It left at one.", "--checker", "test"];
    let (exit, told) = folder.json(&failed);
    assert_eq!(
        (exit, &told["status"], &told["checker"], &told["item"]["id"]),
        (0, &json!("failed"), &json!("test"), &json!(id))
    );
    assert_eq!(code(&folder.run(&["verify", "memory", id, "--status", "passed"])), 0);
    let listed = words(&folder.run(&["verify", "--list", "memory", id]));
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("passed") && lines[1].starts_with("failed"), "{listed}");
    assert!(
        lines[0].contains("person") && lines[1].contains("It left at one.") && lines[2] == "2 of 2 checks",
        "{listed}"
    );
    let total = |more: &[&str]| folder.json(&[&["verify", "--list"], more].concat()).1["total"].clone();
    assert_eq!(total(&[]), json!(2));
    assert_eq!(total(&["--status", "failed", "--status", "stale"]), json!(1));
    assert_eq!(total(&["--status", "failed", "--latest", "--space", "default"]), json!(0), "it passed since");
    for wrong in [
        &["verify"][..],
        &["verify", "memory", id],
        &["verify", "memory", "--status", "passed"],
        &["verify", "memory", id, "--status", "passed", "--status", "failed"],
        &["verify", "memory", id, "--status", "fine"],
        &["verify", "space", "default", "--status", "passed"],
        &["verify", "--list", "--space", "Nowhere"],
        &["verify", "--list", "--detail", "x"],
    ] {
        let output = folder.run(wrong);
        assert_eq!(code(&output), 2, "{wrong:?}: {}", words(&output));
    }
}
