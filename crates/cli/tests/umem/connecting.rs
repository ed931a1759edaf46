//! `umem connect`: what it writes into programs' settings, and that what it wrote starts `umem mcp`.

use crate::support::{Folder, code, words};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The variables that say where programs keep their settings.
const FOLDERS: [&str; 4] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"];

fn home(folder: &Folder) -> PathBuf {
    folder.0.path().join("home")
}

fn connect(folder: &Folder, args: &[&str]) -> Command {
    let mut command = folder.command(&[&["connect"], args].concat());
    for name in FOLDERS {
        command.env_remove(name);
    }
    command.env("HOME", home(folder)).env("USERPROFILE", home(folder)).env("APPDATA", home(folder).join("Roaming"));
    command
}

fn run(folder: &Folder, args: &[&str]) -> Output {
    connect(folder, args).output().unwrap()
}

fn told(folder: &Folder, args: &[&str]) -> Value {
    let output = connect(folder, args).arg("--json").output().unwrap();
    assert_eq!(code(&output), 0, "{args:?}: {}", words(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All files below a folder.
fn files(below: &Path) -> Vec<PathBuf> {
    let Ok(all) = std::fs::read_dir(below) else { return Vec::new() };
    let each = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    all.flat_map(|one| each(one.unwrap().path())).collect()
}

#[test]
fn every_client_is_shown_asked_about_written_and_taken_out_again() {
    let clients = ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "windsurf", "gemini", "zed"];
    let folder = Folder::new();
    for (at, client) in clients.into_iter().enumerate() {
        let shown = run(&folder, &[client, "--print"]);
        assert!(code(&shown) == 0 && words(&shown).contains("ultimate-memory"), "{}", words(&shown));
        let unasked = run(&folder, &[client]);
        assert!(code(&unasked) == 3 && words(&unasked).contains("--yes"), "{}", words(&unasked));
        assert_eq!(files(&home(&folder)).len(), at, "{client}: nothing was written yet");
        let written = told(&folder, &[client, "--yes", "--profile", "work"]);
        assert_eq!((&written["client"], &written["written"]), (&json!(client), &json!(true)), "{written}");
        let path = written["path"].as_str().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(words(&shown).contains(path) && text.contains("\"--profile\", \"work\""), "{text}");
        let again = told(&folder, &[client, "--yes", "--profile", "work"]);
        assert_eq!((&again["changed"], &again["written"]), (&json!(false), &json!(false)), "{again}");
        let taken = told(&folder, &[client, "--yes", "--remove"]);
        let backup = taken["backup"].as_str().unwrap();
        assert_eq!(std::fs::read_to_string(backup).unwrap(), text, "{client}");
        assert!(!std::fs::read_to_string(path).unwrap().contains("ultimate-memory"), "{client}");
        assert!(words(&run(&folder, &[client, "--remove"])).contains("does not stand"), "{client}");
        std::fs::remove_file(backup).unwrap();
    }
    assert!(!folder.data().exists(), "none of it needs a service, or makes a data folder");
}

#[test]
fn what_was_written_starts_the_bridge() {
    let folder = Folder::new();
    let path =
        folder.file("home/.cursor/mcp.json", "{\n  // mine\n  \"mcpServers\": { \"other\": { \"url\": \"x\" } }\n}\n");
    assert_eq!(told(&folder, &["cursor", "--yes", "--space", "Work"])["written"], true);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("// mine") && text.contains("\"other\": { \"url\": \"x\" }"), "{text}");
    let written: Value = serde_json::from_str(&text.replace("// mine", "")).unwrap();
    let ours = &written["mcpServers"]["ultimate-memory"];
    let args: Vec<&str> = ours["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    assert_eq!(args, ["--data", folder.data().to_str().unwrap(), "mcp", "--space", "Work"]);
    assert_eq!(code(&folder.run(&["status"])), 0, "makes the data folder");
    let mut bridge = Command::new(ours["command"].as_str().unwrap());
    bridge.args(args).env_remove("UM_DATA").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = bridge.spawn().unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "cursor", "version": "1"}}});
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{hello}\n").as_bytes()).unwrap();
    let said = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert!(answer["result"]["serverInfo"]["name"].is_string(), "{answer}");
}

#[test]
fn a_project_has_settings_of_its_own_that_name_no_place_of_this_machine() {
    let folder = Folder::new();
    let project = folder.0.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let project = project.to_str().unwrap();
    for (client, file) in [
        ("claude-code", Some(".mcp.json")),
        ("codex", Some(".codex/config.toml")),
        ("cursor", Some(".cursor/mcp.json")),
        ("vscode", Some(".vscode/mcp.json")),
        ("gemini", Some(".gemini/settings.json")),
        ("zed", Some(".zed/settings.json")),
        ("claude-desktop", None),
        ("windsurf", None),
    ] {
        let output = run(&folder, &[client, "--project", project, "--yes"]);
        assert_eq!(code(&output), if file.is_some() { 0 } else { 2 }, "{}", words(&output));
        if let Some(file) = file {
            let text = std::fs::read_to_string(Path::new(project).join(file)).unwrap();
            assert!(text.contains("\"umem\"") && !text.contains(env!("CARGO_BIN_EXE_umem")), "{client}: {text}");
        }
    }
    assert_eq!(code(&run(&folder, &["cursor", "--project", "/no/such/folder", "--yes"])), 2);
    assert_eq!(code(&run(&folder, &["emacs"])), 2);
    assert_eq!(code(&run(&folder, &["cursor", "--remove", "--profile", "all"])), 2);
    assert_eq!(code(&run(&folder, &["cursor", "--print", "--yes"])), 2);
    assert!(files(&home(&folder)).is_empty());
}

#[test]
fn settings_that_cannot_be_read_stay_as_they_are() {
    let folder = Folder::new();
    for (client, file, text, said) in [
        ("cursor", ".cursor/mcp.json", "{\n  \"mcpServers\": {,}\n}", "line 2, column 18"),
        ("codex", ".codex/config.toml", "a = \n", "line 1, column 5"),
        ("gemini", ".gemini/settings.json", "{\"mcpServers\": true}", "mcpServers"),
    ] {
        let path = folder.file(&format!("home/{file}"), text);
        for how in ["--yes", "--print", "--remove"] {
            let output = run(&folder, &[client, how]);
            assert!(code(&output) == 1 && words(&output).contains(said), "{client} {how}: {}", words(&output));
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(files(path.parent().unwrap()).len(), 1, "{client}: nothing was written");
    }
}

#[test]
fn rules_and_resources_tell_their_versions_by_name() {
    let folder = Folder::new();
    let address = "note://app/plan";
    for args in [
        &["rule", "set", "style", "Say it short."][..],
        &["rule", "set", "style", "Say it plainly.", "--reason", "clearer"],
        &["resource", "put", address, "One step."],
        &["resource", "put", address, "Two steps."],
    ] {
        let output = folder.run(args);
        assert_eq!(code(&output), 0, "{args:?}: {}", words(&output));
    }
    let id = folder.json(&["rule", "list"]).1["blocks"][0]["id"].as_str().unwrap().to_owned();
    let check = |rows: &[(&[&str], i32, &[&str])]| {
        for (args, exit, said) in rows {
            let output = folder.run(args);
            let told = words(&output);
            assert!(code(&output) == *exit && said.iter().all(|said| told.contains(said)), "{args:?}: {told}");
        }
    };
    let rows: [(&[&str], i32, &[&str]); 8] = [
        (&["rule", "history", "style"], 0, &["2  ", "1  ", ": clearer"]),
        (&["rule", "history", &id, "--limit", "1"], 0, &["2  "]),
        (&["rule", "diff", "style", "1", "2"], 0, &["- Say it short.", "+ Say it plainly."]),
        (&["resource", "history", address], 0, &["2  ", "1  "]),
        (&["resource", "diff", address, "1", "2"], 0, &["- One step.", "+ Two steps."]),
        (&["rule", "history", "tone"], 1, &["tone", "umem rule list"]),
        (&["resource", "history", "note://app/none"], 1, &["note://app/none"]),
        (&["rule", "diff", "style", "1", "9"], 1, &["9"]),
    ];
    check(&rows);
    assert_eq!(code(&folder.run(&["rule", "remove", &id])), 0);
    check(&[(&["rule", "history", "style"], 0, &["2  ", "1  "])]);
}
