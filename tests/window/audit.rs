//! The ledger: what an agent read is found by whom, what and where; it is checked, and written to a file.

use crate::app::App;
use crate::browser::key;
use crate::pairing::Agent;
use crate::samples::space;
use serde_json::json;

const LAMP: &str = "The brass lamp stands in the attic.";

/// Chooses an option of a filter by its words.
fn choose(app: &App, testid: &str, words: &str) {
    let option = format!(
        "[...document.querySelectorAll('[data-testid={testid}] option')].find(o => o.textContent === {words:?})?.value"
    );
    let there = format!("({option}) !== undefined");
    app.wait(&format!("{words} among the choices"), &there, 10);
    app.run(
        &format!(
            "const field = document.querySelector('[data-testid={testid}]');
             field.value = {option};
             field.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ),
        json!([]),
    );
}

/// Waits until the entries in sight are these sentences, and no others.
fn wait_entries(app: &App, sentences: &[&str]) {
    let shown = "[...document.querySelectorAll('[data-testid=audit-row]')].map(e => e.getAttribute('aria-label'))";
    let all = json!(sentences).to_string();
    app.wait(&all, &format!("JSON.stringify({shown}) === JSON.stringify({all})"), 20);
}

#[test]
fn what_an_agent_read_is_found_and_the_ledger_is_whole() {
    let Some(app) = App::start() else { return };
    space(&app, "Research", None);
    app.call("memory_remember", json!({ "text": LAMP, "space": "Research" }));
    app.wait_until_read();
    let spaces = ["--space", "default", "--space", "Research", "--rights", "read"];
    let mut agent = Agent::start(&app, "Claude Code", &spaces);
    agent.recall("lamp");
    app.wait_dialog("pairing");
    app.wait("a dialog that listens", "document.querySelector('dialog[data-testid=dialog-pairing]:not(.deaf)')", 10);
    app.click("[data-testid=pairing-always]");
    app.wait_no_dialog();
    agent.tool("memory_recall", json!({ "query": "Where does the lamp stand?" }));
    app.go("/access");
    app.click("[data-testid=tab-audit] a");
    choose(&app, "audit-what", "What agents asked");
    choose(&app, "audit-who", "Claude Code");
    choose(&app, "audit-where", "Research");
    wait_entries(&app, &["Claude Code read 1 passage of Research"]);
    // What it is about opens by the keyboard, and stays where it is while others ask.
    app.run("document.querySelector('[data-testid=audit-row]').focus()", json!([]));
    app.press(&[key::ENTER]);
    app.wait("the note", &format!("document.querySelector('#viewer')?.innerText.includes({LAMP:?})"), 10);
    app.click("[data-testid=viewer-close]");
    choose(&app, "audit-who", "You");
    app.wait(
        "nothing",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing of that kind')",
        10,
    );
    app.click_words("[data-testid=empty] .button", "Show all");
    app.click("[data-testid=audit-verify]");
    let says = "document.querySelector('[data-testid=audit-verified] .state')?.innerText";
    let says = app.wait("what came of it", says, 20);
    assert!(says.as_str().is_some_and(|says| says.starts_with("Whole: ")), "{says}");
    let folder = app.folder().join("out");
    std::fs::create_dir_all(&folder).expect("a folder");
    app.click("[data-testid=audit-export]");
    app.wait_dialog("export-ledger");
    app.fill("#export-path", folder.to_str().expect("a plain path"));
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    let text = std::fs::read_to_string(folder.join("ledger.jsonl")).expect("the ledger");
    assert!(text.lines().count() > 3 && text.contains("agent.memory_recall") && !text.contains("lamp"), "{text}");
}

#[test]
fn a_long_ledger_is_read_as_far_as_it_is_looked_at() {
    let Some(app) = App::start() else { return };
    let script = "for (let n = 0; n < 250; n++)
        await window.__TAURI__.core.invoke('call', { name: 'memory_remember',
            request: { text: 'Plank ' + n + ' of the pier.', space: 'default' } });";
    app.settle(script, json!([])).expect("all are kept");
    app.go("/access?tab=audit");
    choose(&app, "audit-what", "Files and notes");
    let rows = "document.querySelectorAll('[data-testid=audit-row]')";
    app.wait(
        "the entries",
        &format!("{rows}.length > 5 && {rows}[0].innerText.includes('You kept a note in default')"),
        20,
    );
    app.run("document.querySelector('[data-testid=audit-row]').focus()", json!([]));
    // Each time as far as it is known, until the first entry of all is reached.
    let last = "document.querySelector('.virtual-item[aria-posinset=\"250\"] [data-testid=audit-row]')";
    for _ in 0..6 {
        app.press(&[key::END]);
        if app.holds_within(last, 3) {
            break;
        }
    }
    app.wait("the oldest entry", last, 10);
    let drawn = app.value(&format!("{rows}.length"));
    assert!(drawn.as_u64().is_some_and(|drawn| drawn < 60), "only what is seen stands in the page: {drawn}");
}
