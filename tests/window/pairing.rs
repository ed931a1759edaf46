//! An agent asks to be let in: the question in the window, its answer, what the agent asked, and the way out again.

use crate::app::App;
use crate::browser::key;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An agent that talks to the app under test through `umem mcp`.
pub struct Agent {
    process: Child,
    said: Option<ChildStdin>,
    heard: BufReader<ChildStdout>,
    next: u64,
}

impl Agent {
    /// Starts the bridge on the app's data folder and says who it is.
    pub fn start(app: &App, name: &str, asks: &[&str]) -> Self {
        let mut command = Command::new(umem());
        command.arg("--data").arg(app.folder().join("data")).arg("mcp").args(asks);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("umem starts");
        let said = process.stdin.take();
        let heard = BufReader::new(process.stdout.take().expect("its output"));
        let mut agent = Self { process, said, heard, next: 0 };
        agent.ask(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": name, "version": "1" } }),
        );
        agent
    }

    /// Asks, and gives the answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        writeln!(self.said.as_mut().expect("its input"), "{request}").expect("the bridge listens");
        loop {
            let mut line = String::new();
            assert!(self.heard.read_line(&mut line).expect("the bridge answers") > 0, "the bridge went away");
            let answer: Value = serde_json::from_str(&line).expect("a line is JSON");
            if answer["id"] == json!(self.next) {
                return answer;
            }
        }
    }

    /// Searches, and gives the answer in words.
    pub fn recall(&mut self, query: &str) -> String {
        self.tool("memory_recall", json!({ "query": query, "space": "default" })).to_string()
    }

    /// Calls a tool, and gives the answer.
    pub fn tool(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": name, "arguments": arguments }))
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The bridge ends with its input.
        drop(self.said.take());
        let _ = self.process.wait();
    }
}

/// The program beside the app.
fn umem() -> std::path::PathBuf {
    if let Some(named) = std::env::var_os("UM_UMEM_BIN") {
        return named.into();
    }
    std::path::PathBuf::from(App::program()).with_file_name(format!("umem{}", std::env::consts::EXE_SUFFIX))
}

/// How the agents stand: names of those that wait, and how many tokens there are.
fn stand(app: &App) -> (Vec<String>, usize) {
    let listed = app.call("agents_list", json!({}));
    let all = |name: &str| listed[name].as_array().cloned().unwrap_or_default();
    let waiting = all("waiting").iter().map(|one| one["client_name"].as_str().unwrap_or_default().to_owned()).collect();
    (waiting, all("agents").iter().map(|one| one["tokens"].as_array().map_or(0, Vec::len)).sum())
}

/// An agent that nobody knows yet asks; the question about it is there.
pub fn ask_to_be_let_in(app: &App) {
    static ASKED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);
    // One that was told "not now" asks no more for a while.
    let number = ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let mut agent = Agent::start(app, &format!("Codex {number}"), &["--space", "default", "--space", "Nowhere"]);
    agent.recall("When does the ferry leave?");
    wait_question(app);
}

/// The question is there and listens.
fn wait_question(app: &App) -> String {
    app.wait_dialog("pairing");
    app.wait("a dialog that listens", "document.querySelector('dialog[data-testid=dialog-pairing]:not(.deaf)')", 10);
    app.value("document.querySelector('[data-testid=dialog-pairing]').innerText")
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn an_agent_is_let_in_by_a_click_and_never_by_enter() {
    let Some(app) = App::start() else { return };
    app.call("memory_remember", json!({ "text": "The ferry leaves at nine.", "space": "default" }));
    app.go("/library");
    // Pressed in passing, as the question comes up: it goes nowhere, or means "not now" where it came too late for that.
    let mut hasty = Agent::start(&app, "Hasty", &[]);
    hasty.recall("When does the ferry leave?");
    app.wait_dialog("pairing");
    app.press(&[key::ENTER]);
    if stand(&app).0 == ["Hasty"] {
        wait_question(&app);
        app.click("[data-testid=pairing-never]");
    }
    app.wait_no_dialog();
    assert_eq!(stand(&app), (vec![], 0), "Enter lets nobody in");
    let mut agent =
        Agent::start(&app, "Claude Code", &["--space", "default", "--space", "Nowhere", "--rights", "read"]);
    let told = agent.recall("When does the ferry leave?");
    assert!(told.contains("person") && !told.contains("nine"), "it sees nothing yet: {told}");
    let words = wait_question(&app);
    for part in [
        "Claude Code asks to read default and Nowhere. It has seen nothing yet.",
        "Nobody checked this.",
        "Program umem, process ",
        "your user",
        "Started by ",
        "there is no such space",
    ] {
        assert!(words.contains(part), "{part:?} is missing: {words}");
    }
    assert_eq!(app.value("document.activeElement.dataset.testid"), json!("pairing-not-now"));
    let ticked = app.value("document.querySelectorAll('[data-testid=pairing-space]:checked').length");
    assert_eq!(ticked, json!(1), "the space that it asks for, and that there is");
    app.run("document.querySelector('[data-testid=pairing-always]').focus()", json!([]));
    app.press(&[key::ENTER]);
    assert_eq!(stand(&app), (vec!["Claude Code".to_owned()], 0), "Enter lets nobody in");
    let lasts = app.value("document.querySelector('[data-testid=pairing-always]').innerText");
    assert_eq!(lasts, json!("For 90 days"), "an access ends by itself unless the person says otherwise");
    let choose = "const s = document.querySelector('[data-testid=pairing-days]'); s.value = arguments[0]; \
                  s.dispatchEvent(new Event('change', { bubbles: true }))";
    app.run(choose, json!(["0"]));
    app.wait("another term", "document.querySelector('[data-testid=pairing-always]').innerText === 'For 30 days'", 10);
    app.click("[data-testid=pairing-always]");
    app.wait_no_dialog();
    assert_eq!(stand(&app), (vec![], 1));
    let token = &app.call("agents_list", json!({}))["agents"][1]["tokens"][0];
    let (made, ends) = (token["created_at"].as_i64().unwrap_or_default(), token["expires_at"].as_i64());
    assert_eq!(ends, Some(made + 30 * 24 * 60 * 60 * 1000), "{token}");
    assert!(agent.recall("When does the ferry leave?").contains("nine"), "it sees what it was let into");
    app.go("/access");
    let row = "document.querySelector('[data-testid=request-row]')?.innerText";
    let asked = app.wait("what it asked", row, 10);
    let asked = asked.as_str().unwrap_or_default();
    assert!(asked.contains("Claude Code") && asked.contains("When does the ferry leave?"), "{asked}");
    folders_are_opened_and_closed(&app);
    app.click("[data-testid=agent-revoke]");
    app.wait_dialog("revoke");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait(
        "an agent without access",
        "document.querySelector('[data-testid=agent-state]').innerText.includes('no access')",
        10,
    );
    let told = agent.recall("When does the ferry leave?");
    assert!(!told.contains("nine"), "its next request is refused: {told}");
}

fn folders_are_opened_and_closed(app: &App) {
    let folder = app.folder().join("opened");
    std::fs::create_dir_all(&folder).expect("a folder");
    app.click("[data-testid=folder-open]");
    app.wait_dialog("open-folder");
    app.fill("#open-folder-path", "/nowhere/at/all");
    app.click("[data-testid=form-submit]");
    app.wait("why not", "document.querySelector('.form-error').innerText.includes('/nowhere/at/all')", 10);
    app.fill("#open-folder-path", folder.to_str().expect("a plain path"));
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait("an open folder", "document.querySelector('[data-testid=folder-row]')?.innerText.includes('opened')", 10);
    app.click("[data-testid=folder-row] button");
    app.wait("no open folder", "!document.querySelector('[data-testid=folder-row]')", 10);
}

#[test]
fn not_now_is_escape_and_a_closed_space_stays_closed() {
    let Some(app) = App::start() else { return };
    app.call("space_create", json!({ "name": "Diary", "space_type": "user_personal" }));
    app.call("space_edit", json!({ "space": "Diary", "read_policy": "owner_only" }));
    let mut agent = Agent::start(&app, "Codex", &["--space", "Diary"]);
    agent.recall("anything");
    wait_question(&app);
    app.click("[data-testid=pairing-once]");
    let why = "document.querySelector('[data-testid=pairing-error]')?.innerText";
    let why = app.wait("why not", why, 10);
    assert!(why.as_str().unwrap_or_default().contains("Diary is read by its owner only"), "{why}");
    assert_eq!(stand(&app).1, 0);
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    app.wait(
        "what became of it",
        "document.querySelector('[data-testid=toast]')?.innerText.includes('stays out for now')",
        10,
    );
    assert_eq!(stand(&app), (vec![], 0));
}

#[test]
fn a_space_that_was_just_made_is_ticked_however_late_the_list_has_it() {
    let Some(app) = App::start() else { return };
    app.go("/review?tab=access");
    app.hold("spaces_list");
    app.call("space_create", json!({ "name": "Diary", "space_type": "user_personal" }));
    let mut agent = Agent::start(&app, "Codex", &["--space", "Diary", "--rights", "read"]);
    agent.recall("anything");
    let listed = "document.querySelector('[data-testid=asking]')?.innerText.includes('Codex asks to read Diary.')";
    app.wait("the request in its list", listed, 10);
    app.let_go(Value::Null);
    let words = wait_question(&app);
    assert!(!words.contains("there is no such space"), "{words}");
    let ticked = app.value("document.querySelectorAll('[data-testid=pairing-space]:checked').length");
    assert_eq!(ticked, json!(1), "{words}");
}

#[test]
fn a_request_is_answered_from_the_page_that_lists_it() {
    let Some(app) = App::start() else { return };
    app.call("memory_remember", json!({ "text": "The ferry leaves at nine.", "space": "default" }));
    app.go("/review?tab=access");
    app.wait("nobody asks", "document.body.innerText.includes('No agent waits to be let in.')", 10);
    let mut agent = Agent::start(&app, "Codex", &["--rights", "read"]);
    agent.recall("When does the ferry leave?");
    wait_question(&app);
    let listed = "document.querySelector('[data-testid=asking]')?.innerText.includes('Codex asks to read default.')";
    app.wait("the request in its list", listed, 10);
    app.click("[data-testid=pairing-once]");
    app.wait_no_dialog();
    app.wait("nobody asks any more", "document.body.innerText.includes('No agent waits to be let in.')", 10);
    assert_eq!(stand(&app), (vec![], 1));
    assert!(agent.recall("When does the ferry leave?").contains("nine"));
}
