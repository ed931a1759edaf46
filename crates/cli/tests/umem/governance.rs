//! The verbs of the ledger, of copies, of personal data and of forgetting, each with its exit code.

use crate::support::{Folder, code, words};
use serde_json::{Value, json};

/// Runs verbs one after the other: each ends with that code, and says that.
#[track_caller]
fn check(folder: &Folder, rows: &[(&[&str], i32, &str)]) {
    for (args, exit, said) in rows {
        let output = folder.run(args);
        let told = words(&output);
        assert!(code(&output) == *exit && told.contains(said), "{args:?} ended with {}: {told}", code(&output));
    }
}

/// A memory's id.
fn remember(folder: &Folder, space: &str, text: &str) -> String {
    let (exit, kept) = folder.json(&["remember", text, "--space", space]);
    assert_eq!(exit, 0, "{kept}");
    kept["memory"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_ledger_is_listed_checked_and_exported() {
    let folder = Folder::new();
    let memory = remember(&folder, "default", "The heron stands in the reeds.");
    folder.run(&["jobs", "--wait"]);
    folder.run(&["call", "work_pause", "{\"paused\": true}"]);
    check(
        &folder,
        &[
            (&["audit", "list"], 0, "memory.remembered"),
            (&["audit", "list", "--object", &memory], 0, "memory.remembered"),
            (&["audit", "list", "--topic", "sources"], 0, "memory.remembered"),
            (&["audit", "list", "--topic", "upkeep"], 0, "work.paused"),
            (&["audit", "list", "--type", "memory"], 0, "memory.remembered"),
            (
                &["audit", "list", "--agent", "owner", "--limit", "1"],
                0,
                "There are older ones: umem audit list --agent owner --limit 1 --before",
            ),
            (&["audit", "list", "--space", "default"], 0, "memory.remembered"),
            (&["audit", "list", "--before", "1"], 0, "NUMBER"),
            (&["audit", "list", "--topic", "weather"], 2, "weather"),
            (&["audit", "list", "--space", "Nowhere"], 2, "Nowhere"),
            (&["audit", "list", "--agent", "nobody"], 1, "nobody"),
            (&["audit", "list", "--limit", "x"], 2, "limit"),
            (&["audit"], 2, "Usage: umem audit"),
            (&["audit", "verify"], 0, "each as it was written"),
            (&["audit", "export"], 0, "\"event_type\":\"memory.remembered\""),
        ],
    );
    let (_, listed) = folder.json(&["audit", "list", "--limit", "1000"]);
    let exported = words(&folder.run(&["audit", "export"]));
    let lines: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(lines), listed["events"], "the export is the list");
    assert!(!exported.contains("heron"), "{exported}");
    let (exit, verified) = folder.json(&["audit", "verify"]);
    assert_eq!((exit, &verified["ok"], &verified["checked"]), (0, &json!(true), &json!(lines.len())));
    // Without the key of its end, nobody can say that it is whole.
    folder.run(&["stop"]);
    std::fs::remove_file(folder.data().join("forgotten.key")).unwrap();
    check(&folder, &[(&["audit", "verify"], 1, "forgotten.key is another one")]);
}

#[test]
fn copies_are_asked_for_looked_at_and_decided() {
    let folder = Folder::new();
    folder.run(&["space", "create", "Team"]);
    let memory = remember(&folder, "default", "The heron stands in the reeds.");
    let other = remember(&folder, "default", "The jetty is long.");
    folder.run(&["jobs", "--wait"]);
    let nowhere = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";
    check(
        &folder,
        &[
            (&["promotions", "list"], 0, ""),
            (&["promote", "memory", &memory, "--to", "Nowhere"], 2, "Nowhere"),
            (&["promote", "memory", nowhere, "--to", "Team"], 1, nowhere),
            (&["promote", "weather", &memory, "--to", "Team"], 2, "weather"),
            (&["promote", "memory", &memory], 2, "--to"),
            (&["promotions", "show", nowhere], 1, nowhere),
            (&["promotions", "show", "x"], 2, "x"),
        ],
    );
    let ask = |memory: &str| {
        let (exit, asked) = folder.json(&["promote", "memory", memory, "--to", "Team", "--notes", "of use"]);
        assert_eq!((exit, &asked["status"]), (0, &json!("pending")), "{asked}");
        asked["id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (ask(&memory), ask(&other));
    check(
        &folder,
        &[
            (&["promotions", "list", "--status", "pending", "--space", "Team"], 0, &first),
            (&["promotions", "show", &first], 0, "heron"),
            (&["promotions", "approve", &first, "--token", "another"], 3, ""),
            (&["promotions", "approve", &first], 0, ""),
            (&["promotions", "approve", &first], 3, ""),
            (&["promotions", "reject", &second, "--notes", "no"], 0, ""),
            (&["promotions", "list", "--status", "rejected"], 0, &second),
            (&["recall", "heron", "--space", "Team"], 0, "heron stands"),
            (&["recall", "jetty", "--space", "Team"], 0, "Nothing"),
        ],
    );
}

#[test]
fn findings_are_listed_decided_and_blacked_out() {
    let folder = Folder::new();
    let memory = remember(&folder, "default", "Write to ana@finch.example or bo@finch.example soon.");
    folder.run(&["jobs", "--wait"]);
    let (_, listed) = folder.json(&["findings", "list", "--memory", &memory]);
    let ids: Vec<&str> = listed["findings"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2, "{listed}");
    check(
        &folder,
        &[
            (&["findings", "list"], 0, "ana@finch.example"),
            (&["findings", "list", "--kind", "email", "--space", "default"], 0, "bo@finch.example"),
            (&["findings", "list", "--status", "weather"], 2, "weather"),
            (&["findings", "list", "--limit", "0"], 2, "limit"),
            (&["findings", "accept"], 2, "Usage: umem findings accept"),
            (&["findings", "accept", "x"], 2, "x"),
            (&["findings", "accept", "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b"], 1, ""),
            (&["findings", "dismiss", ids[0]], 0, ""),
            (&["findings", "list", "--status", "dismissed"], 0, ids[0]),
            (&["findings", "reopen", ids[0]], 0, ""),
            (&["findings", "apply", "--memory", &memory, "--yes"], 3, ""),
            (&["findings", "accept", "--all", "--memory", &memory, "--kind", "email"], 0, ""),
            (&["findings", "list", "--status", "accepted"], 0, ids[1]),
            (&["findings", "add", "--memory", &memory, "--span", "0-5", "--kind", "other"], 0, "Marked:"),
            (&["findings", "add", "--memory", &memory, "--span", "5-0"], 2, "two numbers"),
            (&["findings", "add", "--memory", &memory], 2, "Usage: umem findings add"),
            (&["findings", "apply", "--memory", &memory], 3, "Nobody is there to confirm"),
            (&["findings", "apply", "--memory", &memory, "--yes"], 0, "3 findings blacked out"),
            (&["findings", "apply", "--memory", &memory, "--yes"], 3, ""),
            (&["recall", "soon"], 0, "█████ to █████"),
        ],
    );
}

#[test]
fn kinds_are_hidden_from_agents_by_the_space() {
    let folder = Folder::new();
    check(
        &folder,
        &[
            (&["space", "mask", "default", "--kinds", "email,phone"], 0, ""),
            (&["space", "mask", "default", "--kinds", "weather"], 2, "weather"),
            (&["space", "mask", "Nowhere", "--kinds", "email"], 2, "Nowhere"),
            (&["space", "mask", "default"], 2, "--kinds"),
            (&["space", "mask"], 2, "Usage: umem space mask"),
            (&["audit", "list", "--topic", "personal"], 0, "space.masked"),
        ],
    );
}

#[test]
fn forgetting_by_each_of_its_targets_is_shown_asked_and_done() {
    let folder = Folder::new();
    let file = folder.file("letters/quince.md", "The quince of the yard is ripe.");
    let letters = file.parent().unwrap().to_str().unwrap().to_owned();
    let pear = folder.file("pear.md", "The pear of the yard is green.");
    let bring_in = |path: &str, owner: &str| {
        let (exit, came) = folder.json(&["ingest", path, "--space", "default", "--owner", owner, "--wait"]);
        assert!(exit == 0 || exit == 1, "{came}");
        came["files"][0]["artifact_id"].as_str().unwrap().to_owned()
    };
    bring_in(&letters, "Zed");
    let artifact = bring_in(pear.to_str().unwrap(), "Zed");
    let owned = ["remember", "The plum is blue.", "--space", "default", "--owner", "Quill"];
    folder.run(&owned);
    remember(&folder, "default", "The medlar is not ripe.");
    folder.run(&["facts", "add", "Mira Quell", "lives in", "Leeds", "--space", "default"]);
    folder.run(&["remember", "The oak is old.", "--space", "default"]);
    folder.run(&["jobs", "--wait"]);

    check(
        &folder,
        &[
            (&["forget"], 2, "Usage: umem forget"),
            (&["forget", "--owner", "Quill", "--query", "plum"], 2, "cannot be used with"),
            (&["forget", "--owner", "Quill", "--dry-run", "--yes"], 2, "cannot be used with"),
            (&["forget", "--owner", "Nobody", "--yes"], 1, "Nobody"),
            (&["forget", "--entity", "Nobody", "--yes"], 1, "Nobody"),
            (&["forget", "--artifact", "x", "--yes"], 2, "x"),
            (&["forget", "--folder", "/nowhere/at/all", "--yes"], 1, ""),
            (&["forget", "--query", "nowhere at all", "--yes"], 1, ""),
            (&["forget", "--owner", "Quill", "--space", "Nowhere", "--yes"], 2, "Nowhere"),
        ],
    );
    let targets: [(&[&str], &str); 5] = [
        (&["--owner", "Quill"], "plum"),
        (&["--entity", "Mira Quell"], "Leeds"),
        (&["--artifact", &artifact], "pear"),
        (&["--folder", &letters], "quince"),
        (&["--query", "medlar"], "medlar"),
    ];
    let found = |word: &str| {
        let hits = folder.json(&["recall", word]).1["hits"].clone();
        hits.as_array().unwrap().iter().any(|hit| hit["quote"].as_str().unwrap().contains(word))
    };
    for (target, word) in targets {
        let forget = |how: &[&'static str]| [&["forget"], target, how].concat();
        assert!(found(word), "{word} is there");
        check(
            &folder,
            &[
                (&forget(&["--dry-run"]), 0, "This would go:"),
                (&forget(&[]), 3, "Nobody is there to confirm. Add --yes to forget this."),
            ],
        );
        assert!(found(word), "nothing of {word} went so far");
        let (exit, report) = folder.json(&forget(&["--yes"]));
        let told = (exit, &report["status"], &report["proof"]["left"]);
        assert_eq!(told, (0, &json!("done"), &json!(0)), "{target:?}: {report}");
        assert!(!found(word), "{word} went");
        assert_eq!(code(&folder.run(&forget(&["--yes"]))), 1, "{target:?} is there no more");
    }
    assert!(found("oak"));
    check(
        &folder,
        &[
            (&["forget", "--report"], 0, ": 0 left."),
            (&["remember", "The medlar is not ripe.", "--space", "default"], 3, ""),
            (&["forget", "--allow", "The medlar is not ripe."], 0, "may come in again"),
            (&["remember", "The medlar is not ripe.", "--space", "default"], 0, ""),
            (&["forget", "--allow", "Something else."], 0, "Nothing of it was refused."),
            (&["doctor"], 0, ""),
            (&["ingest", pear.to_str().unwrap(), "--space", "default", "--wait"], 1, "umem forget --allow-file FILE"),
            (&["forget", "--allow-file", pear.to_str().unwrap()], 0, "may come in again"),
            (&["ingest", pear.to_str().unwrap(), "--space", "default"], 0, ""),
        ],
    );
}
