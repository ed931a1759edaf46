//! Spaces & access by a person's clicks: parts and grants of agents, what is read together, why an agent sees it, and its suspension.

use crate::app::App;
use crate::browser::key;
use serde_json::json;

/// Chooses, in the field of a selector, what holds these words.
fn choose(app: &App, selector: &str, words: &str) {
    app.find(selector);
    app.run(
        "const field = document.querySelector(arguments[0]);
         const at = [...field.options].findIndex(one => one.innerText.includes(arguments[1]));
         if (at < 0) throw new Error('no such choice: ' + field.innerText);
         field.selectedIndex = at;
         field.dispatchEvent(new Event('change', { bubbles: true }));",
        json!([selector, words]),
    );
}

/// Waits until the engine says something of the agent's part in Work, which is `part` here.
fn wait_part(app: &App, says: &str) {
    let asked = "(await window.__TAURI__.core.invoke('call', { name: 'access_get', request: { space: 'Work' } }))";
    app.wait(says, &format!("{asked}.members.filter(one => one.name === 'Claude Code').some(part => {says})"), 10);
}

/// Waits until it is told why the agent sees a space, or does not.
fn wait_why(app: &App, space: &str, words: &[&str]) {
    for words in words {
        let row = format!(
            "[...document.querySelectorAll('[data-testid=reached-row]')]
               .some(row => row.innerText.includes({}) && row.innerText.includes({}))",
            json!(space),
            json!(words)
        );
        app.wait(&format!("{space}: {words}"), &row, 10);
    }
}

#[test]
fn parts_grants_and_overlays_are_given_seen_and_taken() {
    let Some(app) = App::start() else { return };
    for name in ["Work", "Shelf"] {
        app.call("space_create", json!({ "name": name }));
    }
    app.call("agent_pair", json!({ "name": "Claude Code", "spaces": ["default"] }));
    app.go("/access");
    app.click_words("[data-testid=space-open]", "Work");
    app.find("[data-testid=space-access]");
    app.wait_settled();

    choose(&app, "[data-testid=member-add-agent]", "Claude Code");
    choose(&app, "[aria-label='What it is there']", "Member");
    app.click("[data-testid=member-add]");
    wait_part(&app, "part.role === 'member' && part.status === 'active'");
    choose(&app, "[data-testid=member-role]", "Leader");
    wait_part(&app, "part.role === 'leader'");

    let forget = "[data-testid=member-grant][value=forget]";
    app.click(forget);
    wait_part(&app, "part.grants.join() === 'forget'");
    let told = "document.querySelector('[data-testid=agent-row]').innerText.includes('Work (leader, may forget)')";
    app.wait("what was granted, with the agent", told, 10);
    app.click(forget);
    wait_part(&app, "part.grants.length === 0 && part.role === 'leader'");

    choose(&app, "[data-testid=overlay-add-space]", "Shelf");
    app.click("[data-testid=overlay-add]");
    app.wait(
        "what is read with it",
        "document.querySelector('[data-testid=overlay-row]')?.innerText.includes('Shelf')",
        10,
    );
    choose(&app, "[data-testid=overlay-mode]", "may be written to");

    wait_why(&app, "Work", &["Does not see it", "No token of Claude Code opens it."]);
    app.call("agent_pair", json!({ "name": "Claude Code", "spaces": ["Work"] }));
    wait_why(&app, "Work", &["Reads and writes", "Claude Code is a leader there."]);
    wait_why(&app, "Shelf", &["Does not see it", "Claude Code has no part in it.", "By way of Work."]);
    app.call("space_edit", json!({ "space": "Shelf", "read_policy": "public" }));
    wait_why(&app, "Shelf", &["Reads", "Every agent that was let in may read it."]);

    let state = |words: &str| {
        let says = format!("document.querySelector('[data-testid=agent-state]').innerText.includes({})", json!(words));
        app.wait(words, &says, 10);
    };
    app.click("[data-testid=agent-suspend]");
    state("Suspended");
    wait_why(&app, "Work", &["Does not see it", "Claude Code is suspended."]);
    app.click("[data-testid=agent-suspend]");
    state("Let in");
    wait_why(&app, "Work", &["Reads and writes"]);

    app.click("[data-testid=overlay-end]");
    app.wait("nothing is read with it", "!document.querySelector('[data-testid=overlay-row]')", 10);
    choose(&app, "[data-testid=member-status]", "Suspended");
    wait_part(&app, "part.status === 'suspended'");
    wait_why(&app, "Work", &["Does not see it", "Claude Code's part in it is suspended."]);
}

#[test]
fn a_space_is_told_how_sure_it_must_be() {
    let Some(app) = App::start() else { return };
    app.call("space_create", json!({ "name": "Work" }));
    app.go("/access");
    app.click_words("[data-testid=space-open]", "Work");
    let at = |words: &str| {
        let says = format!("document.querySelector('[data-testid=answers-at]')?.innerText === {}", json!(words));
        app.wait(words, &says, 10);
    };
    let kept = |says: &str| {
        let asked = "(await window.__TAURI__.core.invoke('call', { name: 'spaces_list', request: {} }))";
        app.wait(says, &format!("{asked}.spaces.filter(one => one.name === 'Work').some(one => {says})"), 10);
    };
    at("20 %, the usual");
    assert_eq!(app.value("!document.querySelector('[data-testid=answers-usual]')"), json!(true));

    // One step of the keyboard is kept at once.
    app.run("document.querySelector('[data-testid=answers-from]').focus()", json!([]));
    app.press(&[key::RIGHT]);
    at("21 %");
    kept("one.abstain_below === 0.21");
    app.call("space_edit", json!({ "space": "Work", "abstain_below": 0.4 }));
    at("40 %");

    app.click("[data-testid=answers-usual]");
    at("20 %, the usual");
    kept("one.abstain_below === undefined");
    app.wait("no way back any more", "!document.querySelector('[data-testid=answers-usual]')", 10);
}
