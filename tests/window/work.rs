//! Work: sessions and how they end, rules and knowledge in versions, resources as a tree.

use crate::app::App;
use crate::browser::key;
use serde_json::{Value, json};

/// What agents left in the default project: sessions of each kind, rules, entries of each type in several versions and on two
/// levels, two that were written at once, a tree of resources, a file that is held.
pub fn a_project(app: &App) {
    let begin = |name: &str, purpose: &str| {
        let begun = app.call("session_begin", json!({ "space": "default", "name": name, "purpose": purpose }));
        begun["session"]["id"].as_str().expect("a session has an id").to_owned()
    };
    let event = |kind: &str, content: &str| json!({ "kind": kind, "content": content });
    let ended = begin("Shopping list for the ferry", "Find out what is needed on board");
    app.call(
        "session_end",
        json!({ "session": ended, "summary": "Bread, tea and the tickets. The tickets are still to be printed." }),
    );
    let paused = begin("Photos of Larch House", "Sort them by room and by year");
    app.call("session_set", json!({ "session": paused, "status": "paused" }));
    let active =
        begin("Ferry timetable", "Know when the next ferry leaves, on every day of the year and from both harbours");
    app.call(
        "state_set",
        json!({ "session": active, "current_goal": "Read the summer timetable", "summary": "The winter one is read.\nSundays are missing.",
            "working_set": ["src/times.rs", "notes/a-rather-long-name-of-a-file-about-the-timetable.md"] }),
    );
    let told = [
        event("user_message", "When does the last ferry leave on a Sunday?"),
        event("tool_call", "timetable --day sunday"),
        event("tool_result", "no line for Sunday"),
        event("assistant_message", &"The timetable of the winter has no line for Sundays. ".repeat(20)),
    ];
    app.call("events_append", json!({ "session": active, "events": told }));
    app.call(
        "lock_checkout",
        json!({ "session": active, "path": "src/times.rs", "note": "adds the Sundays", "ttl_ms": 86_400_000 }),
    );
    app.call("entry_save", json!({ "session": active, "entry_type": "knowledge", "name": "Sundays", "body": { "content": "No ferry in winter." } }));
    rules(app);
    resources_of(app);
    app.wait_until_read();
}

fn rules(app: &App) {
    app.call(
        "block_set",
        json!({ "space": "default", "label": "Language", "content": "Write plain English.\nNo word of another language where there is one.",
            "authority": 90, "read_only": true }),
    );
    app.call(
        "block_set",
        json!({ "space": "GLOBAL", "label": "Safety", "content": "Never send anything without being asked." }),
    );
    let note = app.call("memory_remember", json!({ "text": "The harbour office opens at nine.", "space": "default" }));
    app.call("memory_pin", json!({ "id": note["memory"]["id"], "pinned": true }));
    let guideline = |space: &str, name: &str, content: &str| {
        let body = json!({ "content": content, "rationale": "Two ways of writing them were mixed up.", "examples": { "good": ["14:05"], "bad": ["5 past 2"] } });
        json!({ "space": space, "entry_type": "guideline", "name": name, "body": body, "category": "behavior", "tags": ["times"] })
    };
    app.call("entry_save", guideline("GLOBAL", "Times of day", "Write times as people say them."));
    app.call(
        "entry_save",
        guideline("default", "Times of day", "Write times with a colon.\nMidnight is 00:00.\nNoon is 12:00."),
    );
    let mut next = guideline(
        "default",
        "Times of day",
        "Write times with a colon, in 24 hours.\nMidnight is 00:00.\nNoon is 12:00.",
    );
    next["base_version"] = json!(1);
    next["change_reason"] = json!("Nobody knew whether 2:00 was at night.");
    app.call("entry_save", next);
    let unused = app.call("entry_save", guideline("default", "Dates in words", "Write months out."));
    app.call("entry_disable", json!({ "id": unused["entry"]["id"] }));
    let parameters = json!({ "required": ["day"], "optional": ["harbour"], "schema": { "type": "object", "properties": { "day": { "type": "string" } } } });
    let tool = json!({ "description": "Tells when the ferries of a day leave.", "constraints": "Knows the winter only.", "parameters": parameters,
        "examples": [{ "description": "Mondays", "input": "timetable --day monday", "output": "07:10 12:40 18:05" }] });
    app.call(
        "entry_save",
        json!({ "space": "default", "entry_type": "tool", "name": "timetable", "body": tool, "category": "cli" }),
    );
    written_at_once(app, "Harbour");
}

/// A piece of knowledge of which two wrote the next version at once; gives its id.
fn written_at_once(app: &App, name: &str) -> String {
    let save = |content: &str, seen: Option<u32>| {
        let body = json!({ "content": content, "source": "The notice at the pier", "confidence": 0.9 });
        app.call(
            "entry_save",
            json!({ "space": "default", "entry_type": "knowledge", "name": name, "body": body, "base_version": seen }),
        )
    };
    save("The ferry leaves from the old harbour.", None);
    save("The ferry leaves from the new harbour.", Some(1));
    let last = save("The ferry leaves from the old harbour, in summer from the new one.", Some(1));
    assert!(last["conflict"].is_string(), "whoever saw version 1 had not seen version 2: {last}");
    last["entry"]["id"].as_str().expect("an entry has an id").to_owned()
}

fn resources_of(app: &App) {
    let put = |uri: &str, under: Option<&str>, kind: &str, content: Option<&str>| {
        app.call(
            "resource_put",
            json!({ "space": "default", "uri": uri, "parent_uri": under, "kind": kind, "content": content }),
        );
    };
    put("repo://ferry", None, "folder", None);
    put("repo://ferry/src", Some("repo://ferry"), "folder", None);
    put(
        "repo://ferry/src/times.rs",
        Some("repo://ferry/src"),
        "file",
        Some("fn times() -> Vec<Time> {\n    Vec::new()\n}\n"),
    );
    put(
        "repo://ferry/src/times.rs",
        Some("repo://ferry/src"),
        "file",
        Some("fn times() -> Vec<Time> {\n    harbour::times()\n}\n"),
    );
    put("repo://ferry/notes", Some("repo://ferry"), "note", Some("The harbour office knows the summer timetable."));
    put("https://ferries.example/timetable-of-the-summer-with-a-rather-long-address", None, "url", None);
}

/// Goes to the sessions.
pub fn sessions(app: &App) {
    app.go("/work");
    app.wait("the sessions", "document.querySelectorAll('[data-testid=session-row]').length > 1", 10);
}

/// Goes to the page of a session.
pub fn session(app: &App, name: &str) {
    let listed = app.call("sessions_list", json!({}));
    let all = listed["sessions"].as_array().expect("a list");
    let id = all.iter().find(|one| one["name"] == json!(name)).and_then(|one| one["id"].as_str());
    app.go(&format!("/work/sessions/{}", id.unwrap_or_else(|| panic!("no session is called {name}"))));
    title(app, "session-title", name);
}

fn title(app: &App, testid: &str, name: &str) {
    let there = format!("document.querySelector('[data-testid={testid}]')?.innerText === {name:?}");
    app.wait(&format!("the title {name}"), &there, 10);
}

/// Goes to the list of entries.
pub fn entries(app: &App, show: &str) {
    app.go(&format!("/work?tab=rules&show={show}"));
    app.wait("the entries", "document.querySelectorAll('[data-testid=entry-row]').length > 0", 10);
}

/// Goes to the page of an entry of the default project.
pub fn entry(app: &App, name: &str) {
    let listed = app.call("entries_list", json!({ "space": "default", "only_here": true, "limit": 200 }));
    let all = listed["entries"].as_array().expect("a list");
    let id = all.iter().find(|one| one["name"] == json!(name)).and_then(|one| one["id"].as_str());
    app.go(&format!("/work/entries/{}", id.unwrap_or_else(|| panic!("no entry is called {name}"))));
    title(app, "entry-title", name);
    app.find("[data-testid=version-row]");
}

/// Goes to the tree of resources.
pub fn resources(app: &App) {
    app.go("/work?tab=resources");
    app.wait("the roots", "document.querySelectorAll('[data-testid=resource-row]').length > 1", 10);
}

/// Goes to a resource of the default project; what it lies under is open.
pub fn resource(app: &App, uri: &str) {
    let id = app.call("resource_get", json!({ "space": "default", "uri": uri }))["id"].clone();
    // Away first: the page keeps what is looked for as long as it is shown.
    app.go("/recall");
    app.go(&format!("/work?tab=resources&open={}", id.as_str().expect("a resource has an id")));
    app.find("[data-testid=resource] [data-testid=resource-content]");
    app.find("[data-testid=version-row]");
    app.wait("its place", "document.querySelector('[data-testid=resource-row][aria-selected=true]')", 10);
}

/// Chooses a word of a field.
pub fn choose(app: &App, testid: &str, word: &str) {
    app.run(
        "const field = document.querySelector(`[data-testid=${arguments[0]}]`);
         field.value = arguments[1];
         field.dispatchEvent(new Event('change', { bubbles: true }));",
        json!([testid, word]),
    );
}

/// Runs the form that is open. The driver does not scroll to what a dialog alone cuts off.
fn submit(app: &App) {
    app.find("[data-testid=form-submit]");
    app.run("document.querySelector('[data-testid=form-submit]').scrollIntoView({ block: 'nearest' });", json!([]));
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
}

/// Takes the last thing back by its key.
fn undo(app: &App) {
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::CTRL, 'z']);
}

fn state(app: &App, word: &str) {
    let there = format!("document.querySelector('[data-testid=session-state]')?.innerText.trim() === {word:?}");
    app.wait(&format!("the state {word}"), &there, 10);
}

#[test]
fn a_session_is_followed_from_its_row_to_its_end() {
    let Some(app) = App::start() else { return };
    app.go("/work");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No session yet.')",
        10,
    );
    a_project(&app);
    let row = "[...document.querySelectorAll('[data-testid=session-row]')].find(e => e.innerText.includes('Ferry timetable'))";
    app.wait("what is in hand", &format!("{row}?.innerText.includes('In hand: Read the summer timetable')"), 20);
    let ended = "[...document.querySelectorAll('[data-testid=session-row]')].some(e => e.innerText.includes('What came of it: Bread'))";
    app.wait("what came of another", ended, 10);
    let day = app.value("document.querySelector('[data-index=\"0\"] .session-day').innerText !== '' && document.querySelector('[data-index=\"1\"] .session-day').innerText === ''");
    assert_eq!(day, json!(true), "the day stands at its first session alone");
    choose(&app, "sessions-state", "paused");
    app.wait("the paused one", "document.querySelectorAll('[data-testid=session-row]').length === 1", 10);
    choose(&app, "sessions-state", "");
    app.click("[data-testid=locks-open]");
    app.wait("the file", "document.querySelector('[data-testid=lock-row]')?.innerText.includes('src/times.rs')", 10);
    app.run("document.querySelector('[data-testid=session-row] a').focus();", json!([]));
    app.press(&[key::ENTER]);
    title(&app, "session-title", "Ferry timetable");
    app.wait("its events", "document.querySelectorAll('[data-testid=event]').length >= 4", 10);
    app.fill("[data-testid=events-find]", "last ferry");
    app.wait("the one event", "document.querySelectorAll('[data-testid=event]').length === 1", 10);
    // A file is taken away only after it was asked.
    app.click("[data-testid=lock-take]");
    app.wait_dialog("take-away");
    submit(&app);
    app.wait("no file", "!document.querySelector('[data-testid=lock-row]')", 10);
    app.click("[data-testid=session-pause]");
    state(&app, "Paused");
    undo(&app);
    state(&app, "Under way");
    app.click("[data-testid=session-end]");
    app.wait_dialog("end");
    app.fill("[data-testid=session-summary]", "Sundays are in.");
    submit(&app);
    state(&app, "Ended");
    app.wait(
        "what came of it",
        "document.querySelector('[data-testid=hand]')?.innerText.includes('Sundays are in.')",
        10,
    );
    assert_eq!(
        app.value("!document.querySelector('[data-testid=session-pause]')"),
        json!(true),
        "what has ended stays so"
    );
}

#[test]
fn a_session_that_is_given_up_says_what_goes_and_what_stays() {
    let Some(app) = App::start() else { return };
    let begun = app.call("session_begin", json!({ "space": "default", "name": "Draft" }));
    let id = begun["session"]["id"].clone();
    app.call("events_append", json!({ "session": id, "events": [{ "kind": "user_message", "content": "Try it." }] }));
    let body = json!({ "content": "Only here." });
    app.call("entry_save", json!({ "session": id, "entry_type": "knowledge", "name": "Scratch", "body": body }));
    session(&app, "Draft");
    app.find("[data-testid=entry-line]");
    app.click("[aria-label=More]");
    app.click_words("[role=menuitem]", "Give up");
    app.wait_dialog("give-up");
    let says = app.value("document.querySelector('[data-testid=give-up-says]').innerText");
    let says = says.as_str().expect("words");
    for part in ["What goes for good", "What stays", "1 event stays", "What is let go"] {
        assert!(says.contains(part), "{part:?} is missing: {says}");
    }
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    state(&app, "Under way");
    app.click("[aria-label=More]");
    app.click_words("[role=menuitem]", "Give up");
    app.wait_dialog("give-up");
    submit(&app);
    state(&app, "Given up");
    app.wait("no entry of its own", "!document.querySelector('[data-testid=entry-line]')", 10);
    app.wait("its event", "document.querySelectorAll('[data-testid=event]').length === 1", 10);
}

#[test]
fn an_entry_is_written_in_versions_that_are_compared() {
    let Some(app) = App::start() else { return };
    app.go("/work?tab=rules");
    app.click("[data-testid=rules-guideline] a");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No guideline yet.')",
        10,
    );
    app.click("[data-testid=rules-new]");
    app.wait_dialog("entry");
    app.fill("[data-testid=entry-name]", "Indentation");
    app.fill("[data-testid=entry-text]", "Use tabs.");
    submit(&app);
    title(&app, "entry-title", "Indentation");
    app.click("[data-testid=entry-edit]");
    app.wait_dialog("entry");
    app.fill("[data-testid=entry-text]", "Use spaces.");
    app.fill("[data-testid=entry-reason]", "Everybody else does.");
    submit(&app);
    app.wait("both versions", "document.querySelectorAll('[data-testid=version-row]').length === 2", 10);
    let changed = "[document.querySelector('.diff-line.from .diff-text')?.textContent, document.querySelector('.diff-line.to .diff-text')?.textContent]";
    app.wait(
        "what changed",
        &format!("JSON.stringify({changed}) === JSON.stringify(['Gone: Use tabs.', 'New: Use spaces.'])"),
        10,
    );
    choose(&app, "diff-from", "2");
    app.wait("nothing that changed", "document.querySelector('[data-testid=diff-none]')", 10);
    let says = app.value("document.querySelector('[data-testid=entry-says]').innerText");
    assert!(says.as_str().is_some_and(|says| says.contains("Everybody else does.")), "{says}");
    app.click("[data-testid=entry-disable]");
    app.wait(
        "an entry out of use",
        "document.querySelector('[data-testid=entry-says]').innerText.includes('out of use')",
        10,
    );
    undo(&app);
    app.wait(
        "an entry in use",
        "!document.querySelector('[data-testid=entry-says]').innerText.includes('out of use')",
        10,
    );
}

#[test]
fn another_day_is_looked_at_and_not_changed() {
    let Some(app) = App::start() else { return };
    for (name, content) in [("Deployments", "Never on Fridays."), ("Indentation", "Use tabs.")] {
        let body = json!({ "content": content });
        app.call("entry_save", json!({ "space": "default", "entry_type": "guideline", "name": name, "body": body }));
    }
    app.go("/work?tab=rules&show=guideline");
    let rows = |number: usize| {
        let shown = format!("document.querySelectorAll('[data-testid=entry-row]').length === {number}");
        app.wait("the entries", &shown, 10);
    };
    rows(2);
    app.fill("[data-testid=rules-find]", "fridays");
    rows(1);
    choose(&app, "as-of-day", "2018-05-03");
    app.wait("another day", "document.querySelector('[data-testid=work-then]')", 10);
    rows(0);
    app.wait("nothing to be changed", "document.querySelector('[data-testid=rules-new]').disabled", 10);
    app.click("[data-testid=work-now]");
    rows(1);
    let is_now = "!document.querySelector('[data-testid=work-then]') && !document.querySelector('[data-testid=rules-new]').disabled";
    app.wait("what is so now", is_now, 10);
}

#[test]
fn a_version_that_was_written_meanwhile_is_told_and_decided() {
    let Some(app) = App::start() else { return };
    let save = |content: &str, seen: Option<u32>| {
        let body = json!({ "content": content });
        app.call("entry_save", json!({ "space": "default", "entry_type": "knowledge", "name": "Harbour", "body": body, "base_version": seen }));
    };
    save("It is the old one.", None);
    entry(&app, "Harbour");
    app.click("[data-testid=entry-edit]");
    app.wait_dialog("entry");
    save("It is the new one.", Some(1));
    app.find("[data-testid=entry-meanwhile]");
    app.fill("[data-testid=entry-text]", "It depends on the season.");
    submit(&app);
    app.find("[data-testid=clash] [data-testid=diff]");
    let side =
        |letter: char| app.value(&format!("document.querySelector('[data-testid=clash-side-{letter}]').innerText"));
    assert!(side('a').to_string().contains("the new one") && side('b').to_string().contains("the season"));
    app.click("[data-testid=clash-a]");
    app.find("[data-testid=decide-says]");
    submit(&app);
    app.wait("nothing to decide", "!document.querySelector('[data-testid=clash]')", 10);
    app.wait(
        "what counts",
        "document.querySelector('[data-testid=entry-says]').innerText.includes('It is the new one.')",
        10,
    );
    app.wait("all versions", "document.querySelectorAll('[data-testid=version-row]').length === 4", 10);
    // Two more, which are put together by hand.
    written_at_once(&app, "Pier");
    app.go("/work?tab=rules");
    app.wait(
        "how many wait",
        "document.querySelector('[data-testid=rules-clashes]')?.innerText.includes('To decide (1)')",
        10,
    );
    app.click("[data-testid=rules-clashes] a");
    app.find("[data-testid=clash] [data-testid=diff]");
    app.click("[data-testid=clash-merge]");
    app.wait_dialog("merge-versions");
    app.fill("[data-testid=entry-text]", "In winter the old harbour, in summer the new one.");
    submit(&app);
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing to decide.')",
        10,
    );
    entry(&app, "Pier");
    app.wait(
        "both in one",
        "document.querySelector('[data-testid=entry-says]').innerText.includes('In winter the old harbour')",
        10,
    );
}

#[test]
fn a_nearer_entry_overrides_one_farther_away() {
    let Some(app) = App::start() else { return };
    for (space, content) in [("GLOBAL", "Tabs."), ("default", "Spaces.")] {
        let body = json!({ "content": content });
        app.call(
            "entry_save",
            json!({ "space": space, "entry_type": "guideline", "name": "Indentation", "body": body }),
        );
    }
    let rows = |words: &[&str]| {
        let there = "[...document.querySelectorAll('[data-testid=entry-row]')].map(e => e.innerText)";
        let fits = format!(
            "(rows => rows.length === {} && {}.every((words, at) => rows[at].includes(words)))({there})",
            words.len(),
            json!(words)
        );
        app.wait(&format!("the rows {words:?}"), &fits, 10);
    };
    app.go("/work?tab=rules&show=guideline");
    rows(&["Spaces."]);
    app.click("[data-testid=entries-levels]");
    rows(&["overrides another", "overridden"]);
    let levels = app.value("[...document.querySelectorAll('[data-testid=level]')].map(e => e.innerText.trim())");
    assert_eq!(levels, json!(["Project default", "GLOBAL: every space"]));
    app.click("[data-testid=entry-row] a");
    app.wait("both levels", "document.querySelectorAll('[data-testid=level-row]').length === 2", 10);
    let counts = "[...document.querySelectorAll('[data-testid=level-row]')].map(e => e.querySelector('.state').innerText.trim())";
    assert_eq!(app.value(counts), json!(["counts here", "overridden"]));
    app.click("[data-testid=entry-disable]");
    app.wait(
        "what counts then",
        &format!("JSON.stringify({counts}) === JSON.stringify(['out of use', 'counts here'])"),
        10,
    );
}

#[test]
fn a_standing_rule_is_set_changed_and_brought_back() {
    let Some(app) = App::start() else { return };
    app.go("/work?tab=rules");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No standing rule yet.')",
        10,
    );
    app.click("[data-testid=rules-new]");
    app.wait_dialog("rule");
    app.fill("[data-testid=rule-label]", "Language");
    app.fill("[data-testid=rule-content]", "Write plain English.");
    submit(&app);
    title(&app, "rule-title", "Language");
    app.click("[data-testid=rule-edit]");
    app.wait_dialog("rule");
    app.fill("[data-testid=rule-content]", "Write plain English, and little of it.");
    submit(&app);
    app.wait("both versions", "document.querySelectorAll('[data-testid=version-row]').length === 2", 10);
    app.find("[data-testid=diff]");
    app.go("/work?tab=rules");
    let row = "document.querySelector('[data-testid=rule-row]')?.innerText";
    app.wait("the rule", &format!("{row}?.includes('and little of it')"), 10);
    app.click("[data-testid=rule-remove]");
    app.wait("no rule", "!document.querySelector('[data-testid=rule-row]')", 10);
    undo(&app);
    app.wait("the rule again", &format!("{row}?.includes('and little of it')"), 10);
    // What is pinned stands below it.
    let note = app.call("memory_remember", json!({ "text": "The harbour office opens at nine.", "space": "default" }));
    app.call("memory_pin", json!({ "id": note["memory"]["id"], "pinned": true }));
    app.wait("the note", "document.querySelector('[data-testid=pinned-row]')?.innerText.includes('opens at nine')", 10);
    app.click("[data-testid=unpin]");
    app.wait("no note", "!document.querySelector('[data-testid=pinned-row]')", 10);
}

/// The titles of the rows of the tree, each with its level, and whether it is open.
fn drawn(app: &App, wanted: &[&str]) {
    let rows =
        "[...document.querySelectorAll('[data-testid=resource-row]')].map(e => e.getAttribute('aria-level') + ' ' +
        e.querySelector('.file').innerText + ({ true: ' v', false: ' >' }[e.getAttribute('aria-expanded')] ?? ''))";
    app.wait(
        &format!("the tree {wanted:?}"),
        &format!("JSON.stringify({rows}) === JSON.stringify({})", json!(wanted)),
        10,
    );
}

fn focus_is(app: &App, name: &str) {
    let there = format!(
        "document.activeElement.matches('[role=treeitem]') && document.activeElement.querySelector('.file').innerText === {name:?}"
    );
    app.wait(&format!("the focus on {name}"), &there, 10);
}

#[test]
fn resources_are_a_tree_that_the_arrows_open_and_close() {
    let Some(app) = App::start() else { return };
    resources_of(&app);
    resources(&app);
    let page = "1 timetable-of-the-summer-with-a-rather-long-address";
    drawn(&app, &["1 ferry >", page]);
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::DOWN]);
    focus_is(&app, "ferry");
    app.press(&[key::RIGHT]);
    drawn(&app, &["1 ferry v", "2 notes", "2 src >", page]);
    app.press(&[key::RIGHT]);
    focus_is(&app, "notes");
    app.press(&[key::DOWN]);
    app.press(&[key::RIGHT]);
    drawn(&app, &["1 ferry v", "2 notes", "2 src v", "3 times.rs", page]);
    app.press(&[key::RIGHT]);
    focus_is(&app, "times.rs");
    app.press(&[key::ENTER]);
    app.wait(
        "its content",
        "document.querySelector('[data-testid=resource-content]')?.innerText.includes('harbour::times()')",
        10,
    );
    app.wait("both versions", "document.querySelectorAll('[data-testid=version-row]').length === 2", 10);
    app.press(&[key::LEFT]);
    focus_is(&app, "src");
    app.press(&[key::LEFT]);
    drawn(&app, &["1 ferry v", "2 notes", "2 src >", page]);
    app.press(&[key::END]);
    focus_is(&app, "timetable-of-the-summer-with-a-rather-long-address");
    // What comes in stands in its place, and the focus stays.
    app.call(
        "resource_put",
        json!({ "space": "default", "uri": "repo://ferry/a", "parent_uri": "repo://ferry", "kind": "note" }),
    );
    drawn(&app, &["1 ferry v", "2 a", "2 notes", "2 src >", page]);
    focus_is(&app, "timetable-of-the-summer-with-a-rather-long-address");
}

#[test]
fn a_resource_is_put_changed_found_and_taken_away() {
    let Some(app) = App::start() else { return };
    app.go("/work?tab=resources");
    app.click("[data-testid=empty] .button");
    app.wait_dialog("resource");
    app.fill("[data-testid=resource-uri]", "repo://app");
    choose(&app, "resource-kind", "folder");
    submit(&app);
    drawn(&app, &["1 app"]);
    app.click("[data-testid=resource-under]");
    app.wait_dialog("resource");
    let uri = app.value("document.querySelector('[data-testid=resource-uri]').value");
    assert_eq!(uri, json!("repo://app/"), "the address begins with that of what it lies under");
    app.fill("[data-testid=resource-uri]", "repo://app/readme");
    app.fill("[data-testid=resource-says]", "Begin here.");
    submit(&app);
    app.wait(
        "its content",
        "document.querySelector('[data-testid=resource-content]')?.innerText === 'Begin here.'",
        10,
    );
    drawn(&app, &["1 app v", "2 readme"]);
    app.click("[data-testid=resource-edit]");
    app.wait_dialog("resource");
    app.fill("[data-testid=resource-says]", "Begin there.");
    submit(&app);
    app.wait("what changed", "document.querySelector('.diff-line.to')?.innerText.includes('Begin there.')", 10);
    app.fill("[data-testid=resources-find]", "there");
    app.wait("the one that says so", "document.querySelectorAll('[data-testid=resource-found]').length === 1", 10);
    app.run("document.querySelector('[data-testid=resources-find]').value = ''; document.querySelector('[data-testid=resources-find]').dispatchEvent(new Event('input', { bubbles: true }));", json!([]));
    drawn(&app, &["1 app v", "2 readme"]);
    // What nothing lies under comes back as it was.
    app.click_words("[data-testid=resource-row]", "readme");
    app.wait("the leaf", "document.getElementById('resource-title')?.innerText === 'readme'", 10);
    app.click("[data-testid=resource-remove]");
    app.wait_dialog("remove-resource");
    submit(&app);
    drawn(&app, &["1 app"]);
    app.click("[data-testid=toast-undo]");
    drawn(&app, &["1 app v", "2 readme"]);
    app.click_words("[data-testid=resource-row]", "app");
    app.wait("the folder", "document.getElementById('resource-title')?.innerText === 'app'", 10);
    app.click("[data-testid=resource-remove]");
    app.wait_dialog("remove-resource");
    let says = app.value("document.querySelector('[data-testid=dialog-remove-resource]').innerText");
    assert!(says.as_str().is_some_and(|says| says.contains("1 that lies directly under it goes with it")), "{says}");
    submit(&app);
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No resource yet.')",
        10,
    );
}

#[test]
fn where_all_spaces_are_looked_at_one_is_chosen_first() {
    let Some(app) = App::start() else { return };
    app.press(&[key::CTRL, key::SHIFT, 's']);
    app.click_words("[data-testid=space-choice]", "All spaces");
    app.wait("all spaces", "document.title.endsWith('All spaces')", 10);
    for address in ["/work?tab=rules", "/work?tab=resources"] {
        app.go(address);
        app.click_words("[data-testid=empty] .button", "Choose a space");
        app.find(".switcher:popover-open [data-testid=space-choice]");
        app.press(&[key::ESC]);
        app.wait("no switcher", "!document.querySelector('.switcher')", 10);
    }
    let none: Value = app.value("document.querySelector('[data-testid=rules-new], [data-testid=resource-new]')");
    assert_eq!(none, Value::Null, "nothing is put where it is not known where");
}
