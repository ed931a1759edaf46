//! The first minutes: an empty data folder explains itself.

use crate::app::App;
use serde_json::json;

#[test]
fn the_first_run_explains_itself() {
    let Some(app) = App::start() else { return };
    let welcome = app.wait("the welcome", "document.querySelector('[data-testid=first-run]')?.innerText", 10);
    let words = welcome.as_str().expect("words");
    assert!(words.starts_with("Drop a file, or watch a folder. It is read here and stays here."), "{words}");
    let cards = app.value("[...document.querySelectorAll('[data-testid=first-run] h2')].map(h => h.textContent)");
    assert_eq!(cards, json!(["Add files", "Models", "Connect an agent"]));
    for (button, dialog) in [("Add files", "add-files"), ("Watch a folder", "watch"), ("Show the line", "connect")] {
        app.click_words("[data-testid=first-run] .button", button);
        app.wait_dialog(dialog);
        app.press(&[crate::browser::key::ESC]);
        app.wait_no_dialog();
    }
    app.click_words("[data-testid=first-run] .button", "See the models");
    app.wait(
        "the models",
        "location.pathname === '/settings' && document.querySelector('[data-testid=model-row]')",
        10,
    );
}

#[test]
fn empty_pages_say_what_to_do() {
    let Some(app) = App::start() else { return };
    for (address, sentence, action) in [
        ("/library", "Nothing in default yet. Drop files anywhere.", "Add files"),
        ("/work", "No session yet.", "Connect an agent"),
        ("/work?tab=rules", "No standing rule yet.", "New rule"),
        ("/work?tab=rules&show=all", "No guideline, tool or knowledge yet.", "New entry"),
        ("/work?tab=resources", "No resource yet.", "New resource"),
        ("/activity", "All read in default.", ""),
        ("/access", "No agent has asked yet.", "Connect one"),
        ("/recall?q=anything", "Nothing in default yet. Drop files anywhere.", "Add files"),
        ("/settings", "No folder is watched.", "Watch a folder"),
        ("/nowhere", "No page has this address.", "Go to Recall"),
    ] {
        app.go(address);
        let shown = format!("document.getElementById('main').innerText.includes({})", json!(sentence));
        app.wait(&format!("{address}: {sentence}"), &shown, 10);
        let buttons = app.value("[...document.querySelectorAll('#main button')].map(b => b.innerText.trim())");
        let there = buttons.as_array().expect("a list").iter().any(|b| b.as_str() == Some(action));
        assert!(action.is_empty() || there, "{address} has no button {action}: {buttons}");
    }
}

#[test]
fn errors_say_what_failed_and_what_to_do_next() {
    let Some(app) = App::start() else { return };
    app.go("/library/0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b");
    let words = app.wait("the error", "document.querySelector('[data-testid=error]')?.innerText", 10);
    let words = words.as_str().expect("words");
    for part in [
        "The file could not be opened.",
        "There is no file",
        "The other pages go on working.",
        "Try again",
        "Copy details",
    ] {
        assert!(words.contains(part), "{part:?} is missing: {words}");
    }
    app.click_words("[data-testid=error] .button", "Try again");
    app.wait("the same error", "document.querySelector('[data-testid=error]')", 10);
}

#[test]
fn a_second_start_leads_to_the_window_that_is_there() {
    let Some(app) = App::start() else { return };
    let again =
        std::process::Command::new(App::program()).arg("--data").arg(app.folder().join("data")).output().unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    app.call("status_get", json!({}));
}

#[test]
fn a_window_that_cannot_be_drawn_says_so_and_begins_anew() {
    let Some(app) = App::start() else { return };
    let boot = include_str!("../../ui/public/boot.js");
    assert_eq!(boot.matches("\"/um_ui.js\"").count(), 1);
    let lacking = boot.replace("\"/um_ui.js\"", "\"/not-there.js\"");
    // Neither is the storage to be read.
    let shut = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('It is shut.'); } });";
    app.settle(&format!("{shut}\n{lacking}"), json!([])).expect("what fails is told, and not thrown");
    let told = app.wait("why", "document.querySelector('main.broken [role=alert]')?.innerText", 10);
    let told = told.as_str().expect("words");
    for part in ["The window could not be drawn.", "Nothing of what you keep was changed.", "Copy details"] {
        assert!(told.contains(part), "{part:?} is missing: {told}");
    }
    let reason = app.value("document.querySelector('.broken-why').textContent");
    // A reason without a space in it stays inside, too.
    let fits = app.run(
        "const main = document.querySelector('main.broken');
         main.querySelector('.broken-why').textContent = 'x'.repeat(500);
         return main.scrollWidth <= main.clientWidth;",
        json!([]),
    );
    assert_eq!(fits, json!(true));
    app.run(
        "window.__copied = null;
         Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async text => { window.__copied = text; } } });",
        json!([]),
    );
    app.click_words("main.broken button", "Copy details");
    app.wait(
        "that they are copied",
        "document.querySelector('main.broken [role=status]').innerText === 'Details copied.'",
        10,
    );
    let copied = app.value("window.__copied");
    let (copied, reason) = (copied.as_str().expect("what was copied"), reason.as_str().expect("why"));
    assert!(!reason.is_empty() && copied.contains(reason) && copied.starts_with("The window"), "{copied}");
    app.click_words("main.broken button", "Reload");
    app.wait("the window", "document.querySelector('[data-testid=shell]')", 120);
}
