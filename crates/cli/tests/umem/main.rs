//! `umem` as a person or a script runs it.

mod beliefs;
mod connecting;
#[cfg(not(feature = "encryption"))]
mod encrypted;
mod envelope;
mod forgetting;
mod governance;
#[cfg(unix)]
mod hostile;
mod pii;
mod support;
#[cfg(unix)]
mod tokens;
mod verify;
mod work;

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use support::{Folder, code, words};
use um_model::access::Right;

#[test]
fn wrong_usage_is_exit_code_2_and_says_what_there_is() {
    let folder = Folder::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().to_str().unwrap();
    for args in [
        &["recall"][..],
        &["nonsense"],
        &["remember", "x"],
        &["ingest", "--space", "default"],
        &["watch", "remove", "x"],
        &["recall", "x", "--limit", "0"],
        &["recall", "x", "--limit", "-1"],
        &["recall", "?!"],
        &["artifacts", "--limit", "0"],
        &["remember", "x", "--space", "default", "--occurred-at", "yesterday"],
        &["remember", "x", "--space", "default", "--occurred-at", "20240501"],
        &["remove", "x"],
        &["job", "retry", "x"],
        &["call", "spaces_list", "{}", "--schema"],
        &["claim", "show", "x"],
        &["why", "x"],
        &["conflicts", "resolve", "x", "a"],
        &["conflicts", "resolve", "x"],
        &["facts", "add", "Ana", "likes", "--space", "default"],
        &["facts", "add", "Ana", "likes", "tea", "--space", "default", "--from", "05/01/2024"],
        &["facts", "add", "Ana", "likes", "tea", "--space", "default", "--until", "05/01/2024"],
        &["facts", "list", "--as-of", "soon"],
        &["facts", "list", "--as-of", "05/01/2024"],
        &["recall", "x", "--as-of", "2024-05-01T25:99"],
        &["recall", "x", "--known-at", "05/01/2024"],
        &["remember", "x", "--space", "default", "--occurred-at", "2024-05-01T25:99"],
        &["remember", "x", "--space", "default", "--occurred-at", "05/01/2024"],
        &["entry", "list", "--as-of", "soon"],
        &["entry", "show", "x", "--type", "guideline", "--as-of", "05/01/2024"],
        &["resource", "tree", "--as-of", "05/01/2024"],
        &["resource", "show", "doc://x", "--as-of", "2024-05-01 24:00"],
        &["relation", "list", "--as-of", "05/01/2024"],
        &["relation", "list", "--known-at", "soon"],
        &["query", "--as-of", "05/01/2024"],
        &["entity", "unmerge", "x"],
        &["graph", "Ana", "--direction", "up"],
        &["eval", "beliefs", "no-such-file.jsonl"],
    ] {
        assert_eq!(code(&folder.run(args)), 2, "{args:?}");
    }
    for args in [
        &["remember", "x", "--space", "Nowhere"][..],
        &["recall", "x", "--space", "Nowhere"],
        &["ingest", elsewhere, "--space", "Nowhere"],
        &["artifacts", "--space", "Nowhere"],
        &["jobs", "--space", "Nowhere"],
        &["watch", "add", elsewhere, "--space", "Nowhere"],
        &["space", "create", "x", "--parent", "Nowhere"],
        &["space", "rename", "Nowhere", "x"],
        &["facts", "add", "Ana", "likes", "tea", "--space", "Nowhere"],
        &["facts", "list", "--space", "Nowhere"],
        &["entity", "list", "--space", "Nowhere"],
        &["entity", "show", "Ana", "--space", "Nowhere"],
        &["entity", "resolve", "Ana", "--space", "Nowhere"],
        &["conflicts", "list", "--space", "Nowhere"],
        &["graph", "Ana", "--space", "Nowhere"],
        &["predicate", "define", "reports_on", "--space", "Nowhere"],
        &["audit", "list", "--space", "Nowhere"],
        &["access", "Nowhere"],
        &["space", "policy", "Nowhere", "--read", "members"],
        &["space", "member", "Nowhere", "bot"],
        &["space", "overlay", "default", "Nowhere"],
        &["agents", "pair", "bot", "--space", "default", "--space", "Nowhere"],
        &["entity", "candidates", "--space", "Nowhere"],
        &["session", "start", "--space", "Nowhere"],
        &["session", "list", "--space", "Nowhere"],
        &["state", "set", "--space", "Nowhere", "--goal", "x"],
        &["state", "show", "--space", "project:Nowhere"],
        &["event", "add", "x", "--space", "Nowhere"],
        &["event", "list", "--space", "Nowhere"],
        &["lock", "take", "x", "--space", "Nowhere"],
        &["lock", "release", "x", "--space", "Nowhere"],
        &["lock", "list", "--space", "Nowhere"],
        &["entry", "save", "guideline", "x", "y", "--space", "Nowhere"],
        &["entry", "show", "x", "--type", "guideline", "--space", "Nowhere"],
        &["entry", "list", "--space", "Nowhere"],
        &["entry", "conflicts", "--space", "Nowhere"],
        &["tag", "list", "--space", "Nowhere"],
        &["tag", "create", "x", "--space", "Nowhere"],
        &["relation", "list", "--space", "Nowhere"],
        &["query", "x", "--space", "Nowhere"],
        &["rule", "list", "--space", "Nowhere"],
        &["resource", "tree", "--space", "Nowhere"],
        &["context", "x", "--space", "Nowhere"],
        &["search", "save", "x", "y", "--space", "Nowhere"],
        &["held", "list", "--space", "Nowhere"],
    ] {
        let output = folder.run(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", words(&output));
        assert!(words(&output).contains("default"), "the candidates are listed: {}", words(&output));
        assert!(output.stdout.is_empty());
    }
    let (exit, answer) = folder.json(&["remember", "x", "--space", "Nowhere"]);
    assert_eq!((exit, &answer["error"]["code"]), (2, &json!("not_found")));
    assert!(answer["error"]["hint"].as_str().unwrap().contains("default"));
}

#[test]
fn what_is_refused_is_3_and_what_fails_is_1() {
    let folder = Folder::new();
    for args in [&["remember", "", "--space", "default"][..], &["space", "create", "default", "--type", "project"]] {
        let output = folder.run(args);
        assert_eq!(code(&output), 3, "{args:?}: {}", words(&output));
    }
    let long = folder.feed(&["remember", "-", "--space", "default"], &"word ".repeat(30_000));
    assert_eq!(code(&long), 3, "{}", words(&long));
    assert!(words(&long).contains("more than 102400 bytes"), "{}", words(&long));
    let unknown = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";
    for args in [
        &["get", unknown][..],
        &["state", "show", "--session", unknown],
        // The space is there, what is looked for in it is not.
        &["resource", "show", "doc://none", "--space", "project:default"],
        &["entry", "show", "none", "--type", "tool", "--space", "default"],
    ] {
        let output = folder.run(args);
        assert_eq!(code(&output), 1, "{args:?}: {}", words(&output));
    }
    folder.file("some/empty.txt", "");
    let (exit, answer) =
        folder.json(&["ingest", folder.0.path().join("some").to_str().unwrap(), "--space", "default", "--wait"]);
    assert_eq!((exit, &answer["files"][0]["state"]), (0, &json!("done")), "{answer}");
    assert_eq!(answer["files"][0]["note"], "The file is empty.", "{answer}");
}

#[test]
fn what_to_do_next_is_told_in_words_of_the_command_line() {
    let folder = Folder::new();
    for (args, says) in [
        (&["resource", "tree", "res://nope"][..], "See: umem resource tree"),
        (&["resource", "put", "doc://x", "It is wet.", "--parent", "doc://nope"], "leave --parent out"),
        (&["entry", "show", "none", "--type", "tool"], "umem entry list lists what there is; --inactive looks"),
        (&["get", "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b"], "umem entity show"),
    ] {
        let output = folder.run(args);
        let said = words(&output);
        assert!(code(&output) == 1 && said.contains(says) && !said.contains('_'), "{args:?}: {said}");
    }
    // Who calls operations by their names and writes the fields of requests is told of these.
    let called = folder.run(&["call", "entry_get", r#"{"entry_type": "tool", "name": "none"}"#]);
    let said = words(&called);
    assert!(code(&called) == 1 && said.contains("entries_list lists") && said.contains("inactive: true"), "{said}");
}

#[test]
fn many_texts_are_kept_from_the_lines_of_a_file() {
    let folder = Folder::new();
    let keep = ["remember", "--space", "default", "--file"];
    let file =
        folder.file("notes.jsonl", "The quay is wet.\n\n{\"text\": \"The jetty is long.\", \"key\": \"jetty\"}\n");
    let file = file.to_str().unwrap();
    let (exit, first) = folder.json(&[&keep[..], &[file]].concat());
    assert_eq!((exit, &first["created"], &first["refused"]), (0, &json!(2), &json!(0)), "{first}");
    assert_eq!((&first["memories"][0]["line"], &first["memories"][1]["line"]), (&json!(1), &json!(3)));
    let (_, got) = folder.json(&["get", first["memories"][1]["id"].as_str().unwrap()]);
    assert_eq!((&got["content"], &got["memory_key"]), (&json!("The jetty is long."), &json!("jetty")));
    let again = folder.feed(&[&keep[..], &["-"]].concat(), "The quay is wet.\n{\"text\": \" \"}\nThe oar is red.\n");
    let says = "Line 2: There is no text to remember.\n1 remembered, 1 known already, 1 not kept";
    assert_eq!((code(&again), words(&again).trim()), (1, says));
    // More than one call of the service takes.
    let many: String = (0..1_500).map(|number| format!("Boat number {number} is blue.\n")).collect();
    let (exit, many) = folder.json(&[&keep[..], &[folder.file("many.txt", &many).to_str().unwrap()]].concat());
    assert_eq!((exit, &many["created"], &many["memories"][1_499]["line"]), (0, &json!(1_500), &json!(1_500)));
    for (args, expected) in [
        (&[&keep[..], &["no-such-file"]].concat()[..], 2),
        (&[&keep[..], &[file, "a text"]].concat(), 2),
        (&[&keep[..], &[file, "--title", "T"]].concat(), 2),
        (&["remember", "--space", "Nowhere", "--file", file], 2),
    ] {
        assert_eq!(code(&folder.run(args)), expected, "{args:?}");
    }
    let wrong = folder.feed(&[&keep[..], &["-"]].concat(), "The plum is blue.\n{\"text\": \"A.\", \"keey\": \"a\"}\n");
    assert_eq!(code(&wrong), 2, "{}", words(&wrong));
    assert!(words(&wrong).contains("Line 2"), "{}", words(&wrong));
    let (_, found) = folder.json(&["recall", "plum"]);
    assert!(found["hits"].as_array().unwrap().iter().all(|hit| hit["quote"] != "The plum is blue."), "{found}");
}

#[test]
fn an_unusable_data_folder_is_told_in_a_sentence() {
    let folder = Folder::new();
    let file = folder.file("file", "x");
    for data in [file.clone(), file.join("below")] {
        let output = Command::new(env!("CARGO_BIN_EXE_umem")).arg("--data").arg(&data).arg("status").output().unwrap();
        let said = words(&output);
        assert!(code(&output) == 1 && said.contains("cannot be used") && said.contains("--data"), "{said}");
        assert!(!said.contains("os error"), "{said}");
    }
}

#[test]
fn wrong_usage_is_told_the_same_where_the_data_folder_is_named_by_the_environment() {
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_umem"));
    let output = command.env("UM_DATA", folder.data()).args(["recall"]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(words(&output).contains("Usage: umem recall <QUERY>"), "{}", words(&output));
    let mut command = Command::new(env!("CARGO_BIN_EXE_umem"));
    let stopped = command.env("UM_DATA", folder.data()).args(["stop", "--json"]).output().unwrap();
    assert_eq!((code(&stopped), words(&stopped).trim()), (0, r#"{"stopped":false}"#));
}

#[test]
fn spaces_have_paths_and_are_renamed_and_put_away() {
    let folder = Folder::new();
    for create in [&["Trips"][..], &["Notes"], &["Notes", "--parent", "Trips"]] {
        assert_eq!(code(&folder.run(&[&["space", "create"], create].concat())), 0);
    }
    folder.run(&["remember", "The ferry leaves at nine.", "--space", "trips/notes"]);
    let found = |space: &str| folder.json(&["recall", "ferry", "--space", space]).1["hits"].as_array().unwrap().len();
    assert_eq!((found("Trips/Notes"), found("Notes")), (1, 0), "what stands under nothing goes first");
    let listed = words(&folder.run(&["space", "list"]));
    assert!(listed.contains("PARENT") && listed.contains("Notes    Trips"), "{listed}");
    let (exit, renamed) = folder.json(&["space", "rename", "Trips/Notes", "Diary"]);
    assert_eq!((exit, &renamed["name"]), (0, &json!("Diary")));
    assert_eq!(code(&folder.run(&["space", "create", "a/b"])), 2);
    assert_eq!(code(&folder.run(&["space", "archive", "Trips"])), 3, "a space stands under it");
    assert_eq!(code(&folder.run(&["space", "archive", "Diary"])), 0);
    assert_eq!(code(&folder.run(&["recall", "ferry", "--space", "Diary"])), 2);
    assert!(words(&folder.run(&["space", "list"])).contains("Trips/Diary is archived"));
    assert_eq!(code(&folder.run(&["space", "restore", "Trips/Diary"])), 0);
    assert_eq!(found("Diary"), 1);
    let (exit, got) = folder.json(&["get", "trips/diary"]);
    assert_eq!((exit, &got["name"]), (0, &json!("Diary")));
}

#[test]
fn files_are_removed_restored_and_read_again() {
    let folder = Folder::new();
    let file = folder.file("tea.txt", "Tea grows in Assam.");
    let (_, came) = folder.json(&["ingest", file.to_str().unwrap(), "--space", "default"]);
    let id = came["files"][0]["artifact_id"].as_str().unwrap().to_owned();
    folder.run(&["jobs", "--wait"]);
    let total = |removed: &[&str]| folder.json(&[&["artifacts"], removed].concat()).1["total"].clone();
    assert_eq!(code(&folder.run(&["remove", &id])), 0);
    assert_eq!((total(&[]), total(&["--removed"])), (json!(0), json!(1)));
    assert_eq!(code(&folder.run(&["restore", &id])), 0);
    assert_eq!((total(&[]), total(&["--removed"])), (json!(1), json!(0)));
    let (exit, job) = folder.json(&["reread", &id]);
    assert_eq!((exit, &job["kind"]), (0, &json!("read")), "{job}");
    folder.run(&["jobs", "--wait"]);
    let job = job["id"].as_str().unwrap();
    let over = words(&folder.run(&["job", "cancel", job]));
    assert!(over.contains("read of tea.txt: completed"), "what is over is not cancelled: {over}");
    assert_eq!(code(&folder.feed(&["unlock", &id], "\n")), 2);
    let unlocked = folder.feed(&["unlock", &id], "secret\n");
    assert!(code(&unlocked) != 2 && !words(&unlocked).contains("secret"), "{}", words(&unlocked));
    let watched = folder.0.path().join("watched");
    std::fs::create_dir(&watched).unwrap();
    folder.run(&["watch", "add", watched.to_str().unwrap(), "--space", "default"]);
    let watches = words(&folder.run(&["watch", "list"]));
    assert!(watches.contains("SPACE") && watches.contains("  default  "), "{watches}");
}

/// The last characters of an id, which are random.
fn end(id: &str) -> &str {
    &id[28..]
}

#[test]
fn things_are_fetched_removed_and_forgotten_by_the_ends_of_their_ids() {
    let folder = Folder::new();
    let file = folder.file("tea.txt", "Tea grows in Assam.");
    let (_, came) = folder.json(&["ingest", file.to_str().unwrap(), "--space", "default"]);
    let file = came["files"][0]["artifact_id"].as_str().unwrap().to_owned();
    let (_, kept) = folder.json(&["remember", "The quay is wet.", "--space", "default"]);
    let note = kept["memory"]["id"].as_str().unwrap().to_owned();
    let (_, stated) = folder.json(&["facts", "add", "Ana Silva", "birthday", "1990-03-12", "--space", "default"]);
    let claim = stated["facts"][0]["claim"]["id"].as_str().unwrap().to_owned();
    folder.run(&["jobs", "--wait"]);
    for (id, kind) in [(&note, "memory"), (&file, "artifact")] {
        let (exit, got) = folder.json(&["get", end(id)]);
        assert_eq!((exit, got["item_type"].as_str()), (0, Some(kind)), "{got}");
    }
    for (id, word) in [(&file, "Assam"), (&note, "quay")] {
        let is_found = || {
            let hits = folder.json(&["recall", word]).1["hits"].clone();
            hits.as_array().unwrap().iter().any(|hit| hit["quote"].as_str().unwrap().contains(word))
        };
        assert!(is_found(), "{word}");
        assert_eq!(code(&folder.run(&["remove", end(id)])), 0);
        assert!(!is_found(), "{word}");
        assert_eq!(code(&folder.run(&["restore", end(id)])), 0);
        folder.run(&["jobs", "--wait"]);
        assert!(is_found(), "{word}");
    }
    for (of, id) in [("--memory", &note), ("--artifact", &file), ("--claim", &claim)] {
        let shown = folder.run(&["forget", of, end(id), "--dry-run"]);
        assert!(code(&shown) == 0 && words(&shown).contains("This would go:"), "{of}: {}", words(&shown));
    }
    assert_eq!(code(&folder.run(&["get", "ffffffff"])), 1);
    // What is too short for an id may be the name of a space.
    let short = &end(&note)[1..];
    for (verb, exit) in [(&["get", short][..], 1), (&["remove", short], 2), (&["claim", "show", "0"], 2)] {
        let short = folder.run(verb);
        let told = words(&short);
        assert_eq!(code(&short), exit, "{verb:?}: {told}");
        assert!(told.contains("at least its first or last eight characters"), "{verb:?}: {told}");
    }
    // A space may be called what looks like a part of an id.
    folder.run(&["space", "create", end(&note)]);
    assert_eq!(folder.json(&["get", end(&note)]).1["item_type"], "space");
}

#[test]
fn a_part_of_several_ids_tells_these_and_does_nothing() {
    let folder = Folder::new();
    let remember = |text: &str| {
        folder.json(&["remember", text, "--space", "default"]).1["memory"]["id"].as_str().unwrap().to_owned()
    };
    let mut notes = [remember("The quay is wet."), remember("The pier is dry.")];
    if notes[0][..8] != notes[1][..8] {
        // Every minute or so ids begin otherwise: it began between these two.
        let [_, last] = notes;
        notes = [last, remember("The mole is long.")];
    }
    let part = &notes[0][..8];
    for verb in [&["remove", part][..], &["forget", "--memory", part, "--yes"], &["get", part]] {
        let several = folder.run(verb);
        let told = words(&several);
        assert!(code(&several) == 2 && told.contains("so nothing was done"), "{verb:?}: {told}");
        assert!(told.contains("last eight characters"), "{verb:?}: {told}");
        assert!(verb[0] == "get" || notes.iter().all(|note| told.contains(note.as_str())), "{verb:?}: {told}");
    }
    for note in &notes {
        assert_eq!(folder.json(&["get", note]).1["status"], "active");
    }
    assert!(words(&folder.run(&["get", part])).contains("(memory: The "));
}

#[test]
fn what_has_no_answer_says_so_first() {
    let folder = Folder::new();
    for text in ["Tea grows in Assam.", "Coffee grows in Kenya.", "Maize grows in Mexico.", "Rice grows in Laos."] {
        folder.run(&["remember", text, "--space", "default", "--occurred-at", "2024-05-01"]);
    }
    folder.run(&["jobs", "--wait"]);
    let (_, found) = folder.json(&["recall", "Tea in Assam"]);
    assert_eq!(found["hits"][0]["occurred_at"], 1_714_521_600_000_i64);
    let unknown = folder.run(&["recall", "quaternion eigenvalue zxcvb"]);
    let said = words(&unknown);
    assert!(code(&unknown) == 0 && said.starts_with("Nothing answers this."), "{said}");
    assert!(said.matches("(no answer) ").count() <= 3 && !said.contains("\n4. "), "{said}");
}

#[test]
fn a_language_model_is_set_up_tried_and_turned_off() {
    let folder = Folder::new();
    let shown = folder.run(&["llm"]);
    assert!(code(&shown) == 0 && words(&shown).contains("nothing is sent anywhere"), "{}", words(&shown));
    assert_eq!(code(&folder.run(&["llm", "test"])), 2);
    assert_eq!(code(&folder.run(&["llm", "set", "--url", "http://example.org/v1", "--model", "m"])), 2);
    // Nothing listens there.
    let near = ["llm", "set", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--key-from", "-", "--for", "claims"];
    let set = folder.feed(&near, "sk-secret\n");
    assert!(code(&set) == 0 && !words(&set).contains("sk-secret"), "{}", words(&set));
    let (_, llm) = folder.json(&["llm", "show"]);
    assert_eq!((&llm["enabled"], &llm["key_set"], &llm["cloud"]), (&json!(true), &json!(true), &Value::Null));
    let (exit, tested) = folder.json(&["llm", "test"]);
    assert_eq!((exit, &tested["ok"]), (1, &json!(false)));
    assert!(tested["problem"].as_str().unwrap().contains("cannot be reached"), "{tested}");
    let (_, far) = folder.json(&["llm", "set", "--url", "https://example.org/v1", "--budget", "5"]);
    assert_eq!(
        (&far["cloud"], &far["key_set"], &far["daily_token_budget"]),
        (&json!("example.org"), &json!(false), &json!(5))
    );
    assert!(words(&folder.run(&["status"])).contains("example.org"));
    let (_, off) = folder.json(&["llm", "off"]);
    assert_eq!((&off["enabled"], &off["cloud"], &off["model"]), (&json!(false), &Value::Null, &json!("m")));
}

#[test]
fn a_file_goes_in_and_comes_out_as_a_cited_answer() {
    let folder = Folder::new();
    let file = folder.file("notes/bears.md", "# Bears\n\nPolar bears live in the Arctic.\n");
    let (exit, made) = folder.json(&["space", "create", "Animals"]);
    assert_eq!((exit, &made["name"]), (0, &json!("Animals")));
    let id = made["id"].as_str().unwrap();

    let notes = file.parent().unwrap().to_str().unwrap();
    let (exit, answer) =
        folder.json(&["ingest", notes, "--space", "animals", "--wait", "--owner", "me", "--session", "s1"]);
    // Without its model, embedding waits, and the verb says so.
    let has_model = answer["files"][0]["embedding"] == "embedded";
    let (state, embedding) = if has_model { ("done", "embedded") } else { ("waiting_for_model", "waiting_for_model") };
    assert_eq!((exit, &answer["counts"]), (0, &json!({ state: 1 })), "{answer}");
    assert_eq!(answer["files"][0]["embedding"], embedding, "{answer}");
    assert_eq!(has_model, answer["files"][0]["reason"].is_null(), "{answer}");
    assert_eq!(answer["files"][0]["path"], file.to_str().unwrap());
    assert_eq!([&answer["created"], &answer["known"], &answer["cancelled"]], [&json!(1), &json!(0), &json!(false)]);
    let (_, again) = folder.json(&["ingest", notes, "--space", id]);
    assert_eq!(again["files"][0]["created"], false);

    for space in ["Animals", id] {
        let (exit, answer) = folder.json(&["recall", "polar bears", "--space", space, "--limit", "1"]);
        assert_eq!(exit, 0, "{answer}");
        let hit = &answer["hits"][0];
        assert!(hit["quote"].as_str().unwrap().contains("Polar bears live in the Arctic."), "{hit}");
        assert_eq!(hit["ids"]["artifact"], answer_of(&folder, space), "{hit}");
        assert!(hit["score"].is_number() && hit["lines"].is_array(), "{hit}");
    }
    let output = folder.run(&["recall", "polar bears"]);
    assert!(words(&output).contains("1. bears.md  line"), "{}", words(&output));
    let (exit, jobs) = folder.json(&["jobs", "--wait"]);
    assert_eq!((exit, &jobs["busy"]), (0, &json!(false)));
    let (exit, health) = folder.json(&["doctor"]);
    assert_eq!((exit, &health["ok"]), (0, &json!(true)), "{health}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_ingest_keeps_what_came_in_and_says_so() {
    let folder = Folder::new();
    for number in 0..3_000 {
        folder.file(&format!("notes/{}/{number}.txt", number % 7), &format!("Note {number}."));
    }
    let notes = folder.0.path().join("notes");
    folder.run(&["status"]);
    let mut command = folder.command(&["ingest", notes.to_str().unwrap(), "--space", "default", "--json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let is_under_way = || {
        let (_, report) = folder.json(&["call", "jobs_status", r#"{"limit": 0}"#]);
        report["calls"][0]["done"].as_u64().is_some_and(|done| done > 0)
    };
    while !is_under_way() {}
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", words(&output)));
    assert_eq!((code(&output), &answer["cancelled"]), (1, &json!(true)));
    let created = answer["created"].as_u64().unwrap();
    assert!((1..3_000).contains(&created), "{created}");
    assert!(output.stderr.is_empty(), "no terminal, no line: {}", words(&output));
    let (_, kept) = folder.json(&["artifacts", "--limit", "1"]);
    assert_eq!(kept["total"], created);
    let (_, report) = folder.json(&["call", "jobs_status", r#"{"limit": 0}"#]);
    assert_eq!(report["calls"], json!([]));
}

fn answer_of(folder: &Folder, space: &str) -> Value {
    folder.json(&["artifacts", "--space", space]).1["artifacts"][0]["id"].clone()
}

#[test]
fn a_text_is_kept_once_and_read_from_standard_input_too() {
    let folder = Folder::new();
    let (_, kept) = folder.json(&["remember", "Call Anna on Friday.", "--space", "default"]);
    assert_eq!(kept["created"], true);
    let output = folder.feed(&["remember", "-", "--space", "default", "--json"], "Call Anna on Friday.");
    let again: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&again["created"], &again["memory"]["id"]), (&json!(false), &kept["memory"]["id"]));
    let (exit, got) = folder.json(&["get", kept["memory"]["id"].as_str().unwrap()]);
    assert_eq!((exit, &got["item_type"], &got["content"]), (0, &json!("memory"), &json!("Call Anna on Friday.")));
    let page = words(&folder.run(&["get", kept["memory"]["id"].as_str().unwrap()]));
    assert!(page.starts_with("memory ") && page.contains("\n   | Call Anna on Friday."), "{page}");
    assert!(!page.contains('{'), "{page}");
}

#[test]
fn those_who_start_at_once_share_one_service() {
    let folder = Folder::new();
    let children: Vec<_> = (0..4)
        .map(|_| folder.command(&["--json", "status"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let answers: Vec<Value> = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .map(|output| serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", words(&output))))
        .collect();
    assert!(answers.iter().all(|answer| answer["started_at"] == answers[0]["started_at"]), "{answers:?}");
    let refused = folder.run(&["serve"]);
    assert_eq!(code(&refused), 3, "{}", words(&refused));
    assert_eq!(folder.json(&["stop"]), (0, json!({"stopped": true})));
    assert_eq!(folder.json(&["stop"]), (0, json!({"stopped": false})));
    let engine_is_gone = std::fs::File::open(folder.data().join("service.lock")).unwrap().try_lock().is_ok();
    assert!(engine_is_gone, "who asked for the end has seen it");
    assert_eq!(logs(&folder.data()), ["service.log"], "what was said while starting is gone");
}

fn logs(data: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(data.join("logs")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn logs_hold_no_content() {
    let folder = Folder::new();
    folder.run(&["remember", "The secret word is xylophone.", "--space", "default"]);
    folder.run(&["recall", "xylophone"]);
    folder.run(&["get", "xylophone"]);
    folder.run(&["agents", "pair", "test"]);
    folder.feed(
        &["mcp"],
        &(initialize().to_string()
            + "\n"
            + &call(1, "memory_recall", json!({"query": "xylophone"})).to_string()
            + "\n"),
    );
    folder.run(&["stop"]);
    let log = std::fs::read_to_string(folder.data().join("logs/service.log")).unwrap();
    assert!(log.contains("serving") && !log.contains("xylophone"), "{log}");
}

#[test]
fn every_operation_can_be_called_by_name() {
    let folder = Folder::new();
    let output = folder.run(&["call", "nothing"]);
    assert_eq!(code(&output), 2);
    for operation in um_model::ops::OPERATIONS {
        assert!(words(&output).contains(operation.name), "{}", operation.name);
    }
    let (exit, answer) = folder.json(&["call", "spaces_list"]);
    assert_eq!(exit, 0);
    assert!(answer["spaces"].as_array().unwrap().len() >= 3);
    assert_eq!(code(&folder.run(&["call", "spaces_list", "[]"])), 2);
    let untouched = Folder::new();
    let (exit, schema) = untouched.json(&["call", "facts_add", "--schema"]);
    assert_eq!((exit, &schema["operation"], &schema["effect"]), (0, &json!("facts_add"), &json!("writes")));
    assert!(schema["request"]["properties"]["facts"].is_object() && schema["response"]["properties"].is_object());
    assert!(!untouched.data().exists(), "a schema needs no service");
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

#[test]
fn the_bridge_speaks_nothing_but_protocol_and_needs_no_token() {
    let folder = Folder::new();
    let lines = [
        initialize(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(1, "spaces_list", json!({})),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ];
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let missing = folder.feed(&["mcp"], &input);
    assert!(words(&missing).contains("There is no data folder") && !folder.data().exists(), "{}", words(&missing));
    folder.run(&["status"]);
    folder.run(&["agents", "pair", "test"]);
    let answers = answers(&folder, &input);
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!(answers[1]["result"]["isError"], false, "{}", answers[1]);
    let tools = answers[2]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let usable = um_server::tools::for_agent(Right::ALL, &[], um_model::access::ToolProfile::Default);
    let usable: Vec<&str> = usable.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, usable, "what was not granted is not listed");
}

/// What is emptied can be removed for good, and only in compliance mode.
#[test]
fn rows_are_archived_removed_and_purged() {
    let folder = Folder::new();
    let (_, kept) = folder.json(&["remember", "The quince is ripe.", "--space", "default"]);
    let id = kept["memory"]["id"].as_str().unwrap();
    for verb in ["remove", "restore"] {
        assert_eq!(code(&folder.run(&[verb, id])), 0, "{verb}");
    }
    assert_eq!(code(&folder.run(&["archive", id, "--reason", "no longer wanted"])), 2, "it is no raw memory");
    assert_eq!(code(&folder.run(&["forget", "--memory", id, "--everywhere", "--yes"])), 0);
    let report = folder.data().with_file_name("report.json");
    let save = || code(&folder.run(&["forget", "--save-report", report.to_str().unwrap()]));
    assert_eq!((save(), save()), (0, 3), "no file is written over");
    let told: Value = serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    assert_eq!((&told["status"], &told["proof"]["left"]), (&json!("done"), &json!(0)), "{told}");
    assert_eq!(code(&folder.run(&["purge"])), 3, "nobody is there to confirm");
    assert_eq!(code(&folder.run(&["purge", "--yes"])), 3, "compliance mode is off");
    let (exit, plan) = folder.json(&["purge", "--dry-run"]);
    assert_eq!((exit, &plan["counts"]["memories"]), (0, &json!(1)), "{plan}");
    for (arguments, counted) in [(&["--compliance-mode", "on"][..], Value::Null), (&["--yes"], json!(1))] {
        let (exit, told) = folder.json(&[&["purge"], arguments].concat());
        assert_eq!((exit, &told["counts"]["memories"]), (0, &counted), "{told}");
    }
    assert_eq!(folder.json(&["purge", "--dry-run"]).1["counts"], json!({}));
}

/// What the bridge answers to these lines, by the ids of the requests.
fn answers(folder: &Folder, input: &str) -> Vec<Value> {
    let output = folder.feed(&["mcp", "--space", "default", "--rights", "read"], input);
    assert_eq!(code(&output), 0, "{}", words(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

#[test]
fn an_agent_is_asked_about_let_in_and_shut_out() {
    let folder = Folder::new();
    folder.run(&["remember", "The ferry leaves at noon.", "--space", "default"]);
    let ask = |tool: &str, arguments: Value| {
        let lines = format!("{}\n{}\n", initialize(), call(1, tool, arguments));
        let answer = answers(&folder, &lines).remove(1)["result"].clone();
        let error = answer["_meta"]["org.ultimatememory/error"]["code"].as_str().map(str::to_owned);
        error.map_or_else(|| Ok(answer["structuredContent"].clone()), Err)
    };
    let recall = || ask("memory_recall", json!({"query": "ferry"}));
    assert_eq!(recall(), Err("not_paired".to_owned()));
    let (_, listed) = folder.json(&["agents", "list"]);
    let waiting = listed["waiting"].as_array().unwrap();
    assert_eq!(waiting.len(), 1, "the second request asks no second time: {listed}");
    let (name, rights, spaces) = (&waiting[0]["client_name"], &waiting[0]["rights"], &waiting[0]["spaces"]);
    assert_eq!((name, rights, spaces), (&json!("test"), &json!(["read"]), &json!(["default"])));
    let (exit, paired) = folder.json(&["agents", "pair", "test"]);
    assert_eq!((exit, &paired["token"]), (0, &Value::Null), "the agent made its secret itself: {paired}");
    assert_eq!(recall().unwrap()["hits"].as_array().unwrap().len(), 1);
    assert_eq!(ask("memory_remember", json!({"text": "x", "space": "default"})), Err("forbidden".to_owned()));
    let (_, asked) = folder.json(&["agents", "requests"]);
    let seen = &asked["requests"][1];
    assert_eq!((&seen["agent"], &seen["asked"], &seen["error"]), (&json!("test"), &json!("ferry"), &Value::Null));
    assert_eq!(code(&folder.run(&["agents", "suspend", "test"])), 0);
    assert_eq!(recall(), Err("forbidden".to_owned()));
    assert_eq!(code(&folder.run(&["agents", "resume", "test"])), 0);
    assert!(recall().is_ok());
    assert_eq!(code(&folder.run(&["agents", "revoke", "test"])), 0);
    assert_eq!(recall(), Err("access_ended".to_owned()));
    assert_eq!(recall(), Err("not_paired".to_owned()), "the bridge comes with another token, and the person is asked");
    assert_eq!(code(&folder.run(&["agents", "refuse", "test"])), 0);
    assert_eq!(recall(), Err("not_paired".to_owned()));
    assert_eq!(folder.json(&["agents", "list"]).1["waiting"], json!([]), "who is refused for good asks no more");
    assert_eq!(code(&folder.run(&["agents", "pair", "test"])), 2, "nothing is left that it could keep");
    assert_eq!(code(&folder.run(&["agents", "pair", "test", "--space", "default"])), 0);
    assert!(recall().is_ok(), "by hand it is let in again");
    assert_eq!(code(&folder.run(&["agents", "refuse", "nobody"])), 1);
}

#[test]
fn who_reads_a_space_is_told_and_changed() {
    let folder = Folder::new();
    for name in ["Work", "Archive"] {
        folder.run(&["space", "create", name]);
    }
    assert_eq!(code(&folder.run(&["agents", "pair", "bot", "--space", "Work"])), 0);
    let told = |args: &[&str]| words(&folder.run(args));
    let overlaid = told(&["space", "overlay", "Work", "Archive"]);
    assert!(
        overlaid.contains("Archive through Work: read and write. You own it.")
            || overlaid.contains("Archive through Work: read. You own it."),
        "{overlaid}"
    );
    let closed = told(&["access", "Work", "--agent", "bot"]);
    assert!(closed.contains("Archive through Work: closed. bot has no part in it."), "{closed}");
    told(&["space", "member", "Archive", "bot", "--role", "observer", "--trust", "0.5"]);
    let open = told(&["access", "Work", "--agent", "bot"]);
    assert!(open.contains("Archive through Work: read. bot is an observer there."), "{open}");
    assert!(told(&["space", "policy", "Archive", "--read", "owner_only"]).contains("read by owner_only"));
    assert!(told(&["access", "Work", "--agent", "bot"]).contains("Archive through Work: closed."));
    assert_eq!(code(&folder.run(&["space", "overlay", "Archive", "Work"])), 3, "no circle");
    assert!(!told(&["space", "overlay", "Work", "Archive", "--end"]).contains("Archive"));
}

#[test]
fn folders_are_opened_to_an_agent_and_closed() {
    let folder = Folder::new();
    assert_eq!(code(&folder.run(&["agents", "pair", "bot", "--space", "default"])), 0);
    let file = folder.file("reports/one.txt", "one");
    let reports = file.parent().unwrap().canonicalize().unwrap();
    let path = reports.to_str().unwrap();
    let told = |args: &[&str]| words(&folder.run(&[&["agents", "folders", "bot"], args].concat()));
    let none = "bot may bring in files from folders that its spaces watch only.";
    assert!(told(&[]).contains(none));
    assert!(told(&["--add", path]).contains(path));
    assert!(told(&["--add", path]).matches(path).count() == 1, "once is enough");
    assert!(told(&["--remove", path]).contains(none));
    assert_eq!(code(&folder.run(&["agents", "folders", "bot", "--remove", path])), 2);
    assert_eq!(code(&folder.run(&["agents", "folders", "nobody", "--add", path])), 1);
    let root = reports.ancestors().last().unwrap().to_str().unwrap();
    assert!(!told(&["--add", path]).contains("Warning:"));
    assert_eq!(told(&["--add", root]).matches("Warning:").count(), 1, "it is opened, and warned of");
    assert!(told(&[]).contains("Warning:"));
    assert!(!told(&["--remove", root]).contains("Warning:"));
}

#[cfg(unix)]
#[test]
fn the_bridge_answers_when_the_service_cannot_be_started() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    // A database that is none.
    std::fs::create_dir_all(folder.data()).unwrap();
    std::fs::set_permissions(folder.data(), std::fs::Permissions::from_mode(0o700)).unwrap();
    std::fs::write(folder.data().join("memory.db"), "x".repeat(5000)).unwrap();
    let output = folder.feed(&["mcp"], &format!("{}\n", initialize()));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", words(&output)));
    assert_eq!(answer["id"], 0);
    assert!(answer["error"]["data"]["code"].is_string(), "{answer}");
}

#[test]
fn evaluation_scores_a_set_without_a_service() {
    let folder = Folder::new();
    let lines = [
        json!({"type": "doc", "corpus": "a", "id": "1", "session": "s", "text": "The zeppelin lands in Oslo.", "occurred_at": 1000}),
        json!({"type": "doc", "corpus": "a", "id": "2", "session": "s", "text": "Marmalade goes with toast.", "occurred_at": null}),
        json!({"type": "doc", "corpus": "b", "id": "1", "session": "s", "text": "A zeppelin is lighter than air.", "occurred_at": 1000}),
        json!({"type": "query", "corpus": "a", "text": "Where does the zeppelin land?", "gold": ["1"], "category": "place"}),
        json!({"type": "query", "corpus": "b", "text": "zeppelin lighter than air", "gold": ["1"], "category": "thing"}),
        json!({"type": "query", "corpus": "a", "text": "Who painted the ceiling?", "gold": [], "category": "adversarial"}),
    ];
    let set = folder.file("set.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    let output = folder.command(&["eval", "recall", set.to_str().unwrap(), "--json"]).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(
        text.starts_with(r#"{"overall":{"R@1":1.0,"R@5":1.0,"R@10":1.0,"R@20":1.0,"MRR":1.0,"nDCG@10":1.0,"AUROC":"#),
        "{}",
        words(&output)
    );
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["categories"]["place"]["R@1"], 1.0);
    assert_eq!(report["categories"]["adversarial"]["R@1"], Value::Null);
    assert!(!folder.data().join("memory.db").exists(), "the data folder is not touched");
    let wrong = folder.run(&["eval", "recall", "no-such-file.jsonl"]);
    assert_eq!(code(&wrong), 2, "{}", words(&wrong));
    let empty = folder.file("empty.jsonl", "\n");
    for of in ["recall", "beliefs", "pii"] {
        let wrong = folder.run(&["eval", of, empty.to_str().unwrap()]);
        assert!(code(&wrong) == 2 && words(&wrong).contains("empty.jsonl has no "), "{of}: {}", words(&wrong));
    }
}

fn metric(scores: &Value, category: &str, name: &str) -> f64 {
    let scores = if category.is_empty() { &scores["overall"] } else { &scores["categories"][category] };
    scores[name].as_f64().unwrap_or_else(|| panic!("{category} {name}: {scores}"))
}

/// The small set of questions, asked once with all parts of recall and once without each.
#[test]
fn a_small_set_is_answered_and_each_part_of_recall_brings_what_it_is_for() {
    let folder = Folder::new();
    let set = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sets/recall.jsonl");
    let output = folder.run(&["eval", "recall", set.to_str().unwrap(), "--ablate", "--json"]);
    assert_eq!(code(&output), 0, "{}", words(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["overall"]["queries"], 61, "{report}");
    assert_eq!(report["categories"]["adversarial"]["queries"], 15, "{report}");
    // Where no embedding model is installed, only words are searched.
    let has_meaning = !String::from_utf8_lossy(&output.stderr).contains("without a vector");
    each_category_is_answered(&report, has_meaning);
    each_part_brings_what_it_is_for(&report, has_meaning);
    how_well_it_answers_counts_for_abstention_alone(&report, has_meaning);
    each_signal_is_told_by_category_and_only_what_an_order_tells(&report);
}

fn each_category_is_answered(report: &Value, has_meaning: bool) {
    let floors = [
        ("fact", 0.7),
        ("time", 0.6),
        ("names", 0.6),
        ("period", 0.9),
        ("exact", 0.9),
        ("reply", 0.6),
        ("chatter", 0.9),
        ("long", 0.7),
        ("paraphrase", if has_meaning { 0.6 } else { 0.0 }),
    ];
    for (category, floor) in floors {
        let found = metric(report, category, "R@5");
        assert!(found >= floor, "{category}: {found} of {floor} in {report}");
    }
    assert!(metric(report, "", "AUROC") > 0.6, "{}", report["overall"]);
}

fn each_part_brings_what_it_is_for(report: &Value, has_meaning: bool) {
    let parts = &report["parts"];
    let all = |scores: &Value| (scores["overall"].clone(), scores["categories"].clone());
    // Nothing bears a tag here, and no reranker is installed: without these all is as it was.
    for part in ["tags", "reranking"] {
        assert_eq!(all(&parts[part]), all(report), "{part}");
    }
    let needed = [("times", "period"), ("gates", "chatter"), ("neighbours", "reply")];
    let of_meaning = [("meaning", "paraphrase")];
    for (part, category) in needed.iter().chain(of_meaning.iter().filter(|_| has_meaning)) {
        let [without, with] = [&parts[*part], report].map(|scores| metric(scores, category, "MRR"));
        assert!(without < with, "{category} without {part}: {without}, with it {with}");
    }
    for part in ["words", "names", "identifiers"] {
        assert_ne!(all(&parts[part]), all(report), "{part}");
    }
    assert_eq!(all(&parts["meaning"]) != all(report), has_meaning);
    // No word of these questions is in what answers them.
    assert_eq!(metric(&parts["meaning"], "paraphrase", "R@10"), 0.0, "{parts}");
}

fn how_well_it_answers_counts_for_abstention_alone(report: &Value, has_meaning: bool) {
    for (part, counts) in
        [("answer_said", true), ("answer_share", true), ("answer_unheld", true), ("answer_meaning", has_meaning)]
    {
        let change = &report["parts"][part]["change"];
        assert!(["R@5", "R@10", "MRR"].iter().all(|name| change[*name] == json!(0.0)), "{part}: {change}");
        assert_eq!(change["AUROC"] != json!(0.0), counts, "{part}: {change}");
    }
    let unheld = report["parts"]["answer_unheld"]["change"]["AUROC"].as_f64().unwrap();
    assert!(unheld < 0.0, "that nothing holds a number tells of questions without an answer: {unheld}");
}

fn each_signal_is_told_by_category_and_only_what_an_order_tells(report: &Value) {
    let (without, best) = (report["without"].as_object().unwrap(), &report["best_hundred"]);
    assert!(["words", "thread", "repeats"].iter().all(|signal| without.contains_key(*signal)), "{without:?}");
    for (signal, scores) in without {
        let categories = scores["categories"].as_object().unwrap();
        assert!(categories.keys().eq(report["categories"].as_object().unwrap().keys()), "{signal}");
        for (name, of) in categories.iter().map(|(name, of)| (name.as_str(), of)).chain([("", &scores["overall"])]) {
            assert_eq!(of["AUROC"], Value::Null, "{signal} {name}");
            assert_eq!(of["R@10"].is_number(), name != "adversarial", "{signal} {name}");
        }
    }
    let orders = |scores: &Value| {
        let of = |scores: &Value| ["R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10"].map(|name| scores[name].clone());
        let categories = scores["categories"].as_object().unwrap().values();
        categories.chain([&scores["overall"]]).map(of).collect::<Vec<_>>()
    };
    // A signal that none of them has brings nothing; one that counts puts some question's passages in another order.
    for (signal, counts) in [("rerank", false), ("tags", false), ("words", true), ("reply", true), ("date", true)] {
        assert_eq!(orders(&without[signal]) != orders(best), counts, "{signal}");
    }
    let [other, first] = [&without["date"], best].map(|scores| metric(scores, "period", "MRR"));
    assert!(other < first, "{other} without the date, {first} with it");
}
