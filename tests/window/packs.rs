//! Packs: within their budget, for a session and a reader, and beside the folder that is worked in.

use crate::app::App;
use crate::asking::pack;
use crate::samples::folder;
use serde_json::json;

#[test]
fn a_pack_is_built_within_its_budget() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    pack(&app, "When is the boiler serviced?", 600);
    let spent = app.value("document.querySelector('[data-testid=pack-spent]').innerText");
    let spent = spent.as_str().expect("words").to_owned();
    let tokens: u32 = spent.split(' ').next().and_then(|n| n.replace(',', "").parse().ok()).expect("a number");
    assert!(tokens <= 600 && spent.contains("of 600 tokens"), "{spent}");
    app.wait("its items", "document.querySelectorAll('[data-testid=pack-item]').length > 0", 10);
    app.wait("the colour of passages", "document.querySelector('[data-testid=budget-bar] .part-evidence')", 10);
    // What an item says is read in its place.
    app.click("[data-testid=pack-item] [data-testid=behind]");
    app.wait("all of it", "document.querySelector('[data-testid=behind-text] pre')?.innerText.length > 0", 20);
    // In tokens of a model that is not known there is less room, and the pack of a session is another one.
    let begun = app.call("session_begin", json!({ "space": "default", "name": "Boiler", "purpose": "Look after it" }));
    let session = begun["session"]["id"].as_str().expect("a session has an id").to_owned();
    app.go("/library");
    app.go("/recall?tab=context");
    app.wait("the session", &format!("document.querySelector('[data-testid=pack-session] [value={session:?}]')"), 10);
    crate::work::choose(&app, "pack-session", &session);
    crate::work::choose(&app, "pack-reader", "other");
    app.fill("[data-testid=pack-query]", "When is the boiler serviced?");
    app.click("[data-testid=pack-build]");
    app.find("[data-testid=pack-text]");
    let text = app.value("document.querySelector('[data-testid=pack-text]').innerText");
    assert!(text.as_str().is_some_and(|text| text.contains("boiler")), "{text}");
    let about = "document.querySelector('[data-testid=pack-spent]')?.innerText.startsWith('About')";
    app.wait("that the count is about", about, 20);
    app.find("[data-testid=pack-note]");
    app.fill("[data-testid=pack-budget]", "100");
    assert_eq!(app.value("document.querySelector('[data-testid=pack-build]').disabled"), json!(true));
}

#[test]
fn a_pack_stays_until_another_space_is_used_and_warns_of_its_folder() {
    let Some(app) = App::start() else { return };
    let file = app.file("work/gate.txt", b"The gate is open.");
    let tree = file.parent().and_then(|folder| folder.to_str()).expect("a plain path").to_owned();
    let body = json!({ "content": "Shut the gate." });
    let of_file = json!({ "workspace_path": tree, "file_path": "gate.txt" });
    let entry =
        json!({ "space": "default", "entry_type": "guideline", "name": "Gates", "body": body, "metadata": of_file });
    app.call("entry_save", entry);
    app.file("work/gate.txt", b"The gate is shut.");
    let warned =
        "!!document.querySelector('[data-testid=pack-warnings]')?.innerText.includes('gate.txt says something else')";
    pack(&app, "What about the gate?", 600);
    assert_eq!(app.value(warned), json!(false), "no folder is looked at that is not named");
    app.fill("[data-testid=pack-tree]", &tree);
    app.click("[data-testid=pack-build]");
    app.wait("what changed in the folder", warned, 20);
    crate::work::choose(&app, "pack-policy", "task");
    app.go("/recall?tab=traces");
    app.go("/recall?tab=context");
    app.wait("the pack", warned, 10);
    let form = "['pack-query', 'pack-policy', 'pack-budget', 'pack-tree']
        .map(name => document.querySelector(`[data-testid=${name}]`).value)";
    assert_eq!(app.value(form), json!(["What about the gate?", "task", "600", tree]));
    app.call("space_create", json!({ "name": "Garden" }));
    app.click("[data-testid=space-switcher]");
    app.click_words("[data-testid=space-choice]", "Garden");
    app.wait("no pack of another space", "!document.querySelector('[data-testid=pack]')", 10);
    let chosen = "document.getElementById('pack-space').selectedOptions[0]?.innerText === 'Garden'";
    app.wait("the space in its form", chosen, 10);
}

#[test]
fn a_pack_is_seen_as_an_agent_reads_it_and_those_of_before_are_read_again() {
    let Some(app) = App::start() else { return };
    let by = "document.querySelector('[data-testid=pack-read-by]')?.innerText";
    let text = "document.querySelector('[data-testid=pack-text]')?.innerText";
    app.call("memory_remember", json!({ "text": "Write to ana@quay.example about the gate.", "space": "default" }));
    app.call("space_mask", json!({ "space": "default", "kinds": ["email"] }));
    app.call("agent_pair", json!({ "name": "Claude Code", "spaces": ["default"] }));
    pack(&app, "What about the gate?", 600);
    assert!(app.value(by).as_str().is_some_and(|by| by.starts_with("As you read it")), "no agent reads that");
    app.wait("the address", &format!("{text}.includes('ana@quay.example')"), 10);
    let option = "[...document.querySelectorAll('[data-testid=pack-as] option')].find(one => one.innerText.includes('Claude'))?.value";
    app.wait("the agent", option, 10);
    let agent = app.value(option).as_str().expect("its id").to_owned();
    crate::work::choose(&app, "pack-as", &agent);
    app.click("[data-testid=pack-build]");
    app.wait("whose it is", &format!("{by} === 'As Claude Code reads it'"), 20);
    assert_eq!(app.value(&format!("{text}.includes('ana@quay.example')")), json!(false));
    let rows = "[...document.querySelectorAll('[data-testid=pack-before]')]";
    let last = format!("{rows}[0]?.innerText");
    app.wait("both packs", &format!("{rows}.length === 2 && {last}.includes('You, as Claude Code')"), 20);
    app.click("[data-testid=pack-before] [data-testid=behind]");
    let shown = "document.querySelector('[data-testid=behind-text] pre')?.innerText";
    app.wait("what was handed over", &format!("{shown}?.includes('[email hidden]')"), 20);
}
