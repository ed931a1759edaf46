//! What is personal: found on a picture, in a note and in a recording, decided by keys and buttons, blacked out for good.

use crate::app::App;
use crate::base64;
use crate::browser::key;
use crate::samples::{a_model, shared};
use serde_json::{Value, json};
use std::path::PathBuf;

const MAIL: &str = "ana.ruiz@halden.example";

/// A picture with an e-mail address on it, drawn by the window itself.
pub fn a_picture(app: &App, name: &str) -> PathBuf {
    let drawn = app.run(
        "const canvas = document.createElement('canvas');
         [canvas.width, canvas.height] = [900, 320];
         const pen = canvas.getContext('2d');
         pen.fillStyle = '#ffffff';
         pen.fillRect(0, 0, 900, 320);
         pen.fillStyle = '#000000';
         pen.font = '34px sans-serif';
         pen.fillText('The boat club meets on the lake.', 40, 80);
         pen.fillText('Write to ' + arguments[0], 40, 170);
         pen.fillText('or call +47 22 85 50 50', 40, 260);
         return canvas.toDataURL('image/png').split(',')[1];",
        json!([MAIL]),
    );
    app.file(&format!("in/{name}"), &base64::decode(drawn.as_str().expect("a picture")).expect("well-formed base64"))
}

/// Opens the redactions of a file or note by the beginning of its name.
pub fn open(app: &App, title: &str) {
    let listed = app.call("redactions_list", json!({ "limit": 1000 }));
    let items = listed["items"].as_array().expect("a list");
    let found = items.iter().find(|item| item["title"].as_str().is_some_and(|name| name.starts_with(title)));
    let id =
        found.and_then(|item| item["memory_id"].as_str()).unwrap_or_else(|| panic!("{title} is not in {listed:.600}"));
    app.go(&format!("/review?tab=redactions&memory={id}"));
    app.wait(title, &format!("document.querySelector('[data-testid=redact] h2')?.textContent.includes({title:?})"), 20);
}

/// A finding must be seen for a moment before a key decides it.
fn look(app: &App) {
    let seen = "window.__seen ? performance.now() > window.__seen + 600 : (window.__seen = performance.now(), false)";
    app.wait("a finding that was seen", seen, 5);
    app.run("window.__seen = 0;", json!([]));
}

fn going(app: &App, count: usize) {
    let label = if count == 0 { "Black out".to_owned() } else { format!("Black out {count}") };
    let says = format!("document.querySelector('[data-testid=black-out]')?.innerText.trim() === {label:?}");
    app.wait(&format!("{count} that will go"), &says, 10);
}

fn black_out(app: &App) {
    app.click("[data-testid=black-out]");
    app.wait_dialog("black-out");
    let said = app.value("document.querySelector('[data-testid=dialog-black-out]').innerText");
    assert!(said.as_str().is_some_and(|words| words.contains("This cannot be undone.")), "{said}");
    assert_eq!(app.value("document.activeElement.dataset.testid"), json!("black-out-later"));
    // The page goes on working: it says how far that is, from the first moment to the last.
    app.run(
        "window.__told = [];
         new MutationObserver(() => {
            const says = document.querySelector('[data-testid=blacking]')?.innerText;
            if (says) window.__told.push(says);
         }).observe(document.body, { childList: true, subtree: true, characterData: true });",
        json!([]),
    );
    app.click("[data-testid=black-out-now]");
    app.wait_no_dialog();
    app.wait("what is being done", "window.__told.some(says => says.includes('Blacking out '))", 10);
    wait_gone(app);
    app.wait("that it is over", "!document.querySelector('[data-testid=blacking]')", 10);
}

fn wait_gone(app: &App) {
    let said = "[...document.querySelectorAll('[data-testid=toast]')].map(e => e.innerText).find(e => e.includes('Blacked out '))";
    let said = app.wait("what came of it", said, 60);
    assert!(said.as_str().is_some_and(|words| words.contains("Nothing of it is left.")), "{said}");
    app.wait_no_dialog();
}

fn findings(app: &App, statuses: &[&str]) -> Vec<Value> {
    let listed = app.call("findings_list", json!({ "statuses": statuses }));
    listed["findings"].as_array().cloned().expect("a list")
}

/// How many pixels of a box of the picture that is shown are not black.
fn not_black(app: &App, boxed: &Value) -> Value {
    // The findings may be there before the picture is.
    app.wait("the picture", "document.querySelector('[data-testid=redact] [data-testid=page] image')", 20);
    app.settle(
        "const image = document.querySelector('[data-testid=redact] [data-testid=page] image');
         const picture = new Image();
         picture.src = image.getAttribute('href');
         await picture.decode();
         const canvas = document.createElement('canvas');
         [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
         const pen = canvas.getContext('2d');
         pen.drawImage(picture, 0, 0);
         const [x, y, w, h] = arguments[0].map(Math.round);
         const data = pen.getImageData(x, y, w, h).data;
         let light = 0;
         for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] > 0) light++;
         return light;",
        json!([boxed]),
    )
    .expect("the pixels are read")
}

#[test]
fn an_address_on_a_picture_is_found_accepted_and_blacked_out() {
    let Some(app) = App::start() else { return };
    app.go("/review?tab=redactions");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing to decide.')",
        10,
    );
    let picture = a_picture(&app, "club.png");
    app.ingest("default", &[picture]);
    open(&app, "club.png");
    let found = findings(&app, &["pending"]);
    let mail = found.iter().find(|one| one["kind"] == "email").unwrap_or_else(|| panic!("no address: {found:?}"));
    let boxed = mail["citation"]["bbox"].clone();
    app.wait("it on the picture", "document.querySelector('[data-testid=page] [data-testid=spot] .fill')", 20);
    assert!(not_black(&app, &boxed).as_u64() > Some(100), "nothing is black yet");
    let row = "[...document.querySelectorAll('[data-testid=finding]')].find(e => e.innerText.includes('e-mail'))";
    let says = app.value(&format!("{row}.innerText"));
    assert!(says.as_str().is_some_and(|says| says.contains("ana...") && says.contains('%')), "{says}");
    app.click("[data-testid=show-values]");
    app.wait("its value", &format!("{row}.innerText.includes({MAIL:?})"), 5);
    // The key decides what is looked at; Ctrl+Z takes it back.
    app.run(&format!("{row}.querySelector('[data-focus]').focus()"), json!([]));
    look(&app);
    app.press(&['a']);
    going(&app, 1);
    app.wait("that it is black", "document.querySelector('[data-testid=page] .spot.goes')", 5);
    app.press(&['b']);
    app.wait("what is under it", "!document.querySelector('[data-testid=page] .spot.goes')", 5);
    app.press(&['b']);
    app.press(&[key::CTRL, 'z']);
    going(&app, 0);
    app.click_words("[data-testid=accept-all]", "e-mail");
    going(&app, 1);
    app.ask(MAIL);
    assert!(app.words().contains("club.png"), "it is found as long as it stands there");
    open(&app, "club.png");
    let shown = "document.querySelector('[data-testid=redact] [data-testid=page] image')?.getAttribute('href')";
    let before = app.wait("the picture as it is", shown, 20);
    black_out(&app);
    app.wait_until_read();
    app.wait("the picture that is left", &format!("![undefined, {before}].includes({shown})"), 20);
    app.wait_settled();
    assert_eq!(not_black(&app, &boxed), json!(0), "its pixels are black in what is shown now");
    assert_eq!(findings(&app, &["applied"]).len(), 1);
    let recalled = app.call("memory_recall", json!({ "query": MAIL, "space": "default" }));
    let hits = recalled["hits"].to_string();
    assert!(!hits.contains("ana.ruiz"), "{hits:.600}");
    app.click("[data-testid=redact-applied]");
    app.wait(
        "it among what was blacked out",
        "document.querySelector('[data-testid=redact-row]')?.innerText.includes('1 blacked out')",
        10,
    );
}

#[test]
fn boxes_are_added_by_a_drag_and_by_keys() {
    let Some(app) = App::start() else { return };
    let picture = a_picture(&app, "club.png");
    app.ingest("default", &[picture]);
    open(&app, "club.png");
    app.wait("the picture", "document.querySelector('[data-testid=page] image')", 20);
    app.wait_settled();
    app.drag("[data-testid=page]", (-60, -40), (40, -10));
    going(&app, 1);
    app.run("document.querySelector('[data-testid=add-box]').focus()", json!([]));
    app.press(&[key::ENTER]);
    app.wait("a box to move", "document.activeElement?.dataset.testid === 'draft'", 5);
    let side = |name: &str| {
        app.value(&format!("Number(document.querySelector('[data-testid=draft]').getAttribute({name:?}))"))
    };
    let (x, width) = (side("x").as_f64(), side("width").as_f64());
    app.press(&[key::RIGHT]);
    app.press(&[key::SHIFT, key::RIGHT]);
    assert!(side("x").as_f64() > x && side("width").as_f64() > width, "arrows move it, with Shift they size it");
    app.press(&[key::ENTER]);
    going(&app, 2);
    let marked = findings(&app, &["accepted"]);
    assert!(marked.iter().all(|one| one["region"]["page"] == 1 && one["detector"] == "person"), "{marked:?}");
    app.run("document.querySelector('[data-testid=add-box]').focus()", json!([]));
    app.press(&[key::ENTER]);
    app.wait("a box to drop", "document.activeElement?.dataset.testid === 'draft'", 5);
    app.press(&[key::ESC]);
    app.wait("no box", "!document.querySelector('[data-testid=draft]')", 5);
    going(&app, 2);
}

#[test]
fn words_of_a_note_go_by_selection_and_by_keys_alone() {
    let Some(app) = App::start() else { return };
    let text = format!("The heron project is secret.\nWrite to {MAIL} about the heron project.");
    let kept = app.call("memory_remember", json!({ "text": text, "space": "default" }));
    app.wait_until_read();
    open(&app, "The heron project");
    app.wait("the words", "document.querySelector('.redact-source [data-start]')", 10);
    app.run(
        "const line = document.querySelector('.redact-source [data-start]').firstChild;
         getSelection().setBaseAndExtent(line, 18, line, 27);
         document.querySelector('.viewer-body.text').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));",
        json!([]),
    );
    app.click("[data-testid=add-selected]");
    going(&app, 1);
    let marked = findings(&app, &["accepted"]);
    assert_eq!(marked[0]["value"], json!("is secret"), "{marked:?}");
    app.fill("[data-testid=add-words]", "HERON project");
    app.press(&[key::ENTER]);
    going(&app, 3);
    // By keys alone from here: the address is accepted, and all of it blacked out.
    app.run("document.getElementById('main').focus()", json!([]));
    for _ in 0..4 {
        let at = "document.querySelector('.redact-finding.here')?.innerText.includes('e-mail')";
        if app.holds_within(at, 1) {
            break;
        }
        app.press(&['j']);
    }
    look(&app);
    app.press(&['a']);
    going(&app, 4);
    tab_to(&app, "black-out");
    app.press(&[key::ENTER]);
    app.wait_dialog("black-out");
    tab_to(&app, "black-out-now");
    app.press(&[key::ENTER]);
    wait_gone(&app);
    let left = app.call("memory_get", json!({ "id": kept["memory"]["id"] }));
    let bars = |words: &str| "█".repeat(words.len());
    let expected = format!(
        "The {heron} {secret}.\nWrite to {} about the {heron}.",
        bars(MAIL),
        heron = bars("heron project"),
        secret = bars("is secret"),
    );
    assert_eq!(left["memory"]["content"].as_str().or(left["content"].as_str()), Some(expected.as_str()), "{left}");
    app.wait("it as it is now", "document.querySelector('.redact-source .words')?.innerText.includes('████')", 10);
    let recalled = app.call("memory_recall", json!({ "query": "heron project", "space": "default" }));
    assert!(!recalled.to_string().contains("heron project is"), "{recalled:.600}");
}

/// Presses Tab until an element has the focus.
fn tab_to(app: &App, testid: &str) {
    for _ in 0..60 {
        if app.value("document.activeElement?.dataset.testid") == json!(testid) {
            return;
        }
        app.press(&[key::TAB]);
    }
    panic!("Tab does not lead to {testid}");
}

#[test]
fn what_is_said_in_a_recording_is_silenced() {
    let Some(app) = App::start() else { return };
    let Some(memo) = shared("asr/memo/memo-1.wav").filter(|_| a_model(&app)) else { return };
    app.ingest("default", &[memo]);
    let memory = app.call("memory_recall", json!({ "query": "When was the office moved?", "space": "default" }));
    let memory = memory["hits"][0]["ids"]["memory"].as_str().expect("a memory").to_owned();
    app.go(&format!("/review?tab=redactions&memory={memory}"));
    app.wait("the words", "document.querySelector('.redact-source [data-testid=transcript-line]')", 20);
    app.fill("[data-testid=add-words]", "office");
    app.press(&[key::ENTER]);
    app.wait("it in the waveform", "document.querySelector('[data-testid=wave-goes]')", 10);
    app.wait("it in the words", "document.querySelector('.transcript mark.goes')?.textContent === '██████'", 10);
    app.fill("[data-testid=stretch-from]", "0.5");
    app.press(&[key::TAB]);
    app.fill("[data-testid=stretch-to]", "1.2");
    app.press(&[key::TAB]);
    app.click("[data-testid=add-stretch]");
    app.wait("both", "document.querySelectorAll('[data-testid=wave-goes]').length === 2", 10);
    // The button is drawn anew with the number.
    going(&app, 2);
    black_out(&app);
    app.wait_until_read();
    let recalled = app.call("memory_recall", json!({ "query": "office", "space": "default" }));
    assert!(!recalled.to_string().to_lowercase().contains("the office"), "{recalled:.600}");
    app.wait(
        "the recording that is left",
        "document.querySelector('.redact-source [data-testid=audio]')?.readyState >= 1",
        30,
    );
}

/// Keeps a note in which these words are found as a name that nobody decided about.
fn named(app: &App, text: &str, name: &str) -> Value {
    let kept = app.call("memory_remember", json!({ "text": text, "space": "default" }));
    app.wait_until_read();
    let memory = kept["memory"]["id"].clone();
    let marked = app.call("findings_mark", json!({ "memory": memory, "words": name, "kind": "person" }));
    app.call("findings_decide", json!({ "decision": "reopen", "ids": marked["marked"] }));
    memory
}

#[test]
fn names_alone_stand_apart_and_are_kept_at_once() {
    let Some(app) = App::start() else { return };
    named(&app, "Rosa Vane rows to the island.", "Rosa Vane");
    named(&app, "Ivo Brandt mends the roof.", "Ivo Brandt");
    app.call("memory_remember", json!({ "text": format!("Write to {MAIL} about the keys."), "space": "default" }));
    app.wait_until_read();
    app.go("/review?tab=redactions");
    let rows = "[...document.querySelectorAll('[data-testid=redact-row]')].map(e => e.innerText)";
    app.wait("the address alone", &format!("{rows}.length === 1 && {rows}[0].includes('Write to')"), 20);
    let count = "document.querySelector('[data-testid=tab-redactions]').innerText";
    app.wait("what calls for the person", &format!("{count} === 'Redactions (1)'"), 10);
    app.click("[data-testid=redact-names]");
    app.wait("the names", &format!("{rows}.length === 2 && {rows}.every(words => words.includes('1 name'))"), 20);
    app.click("[data-testid=keep-names]");
    app.wait("none", &format!("{rows}.length === 0"), 20);
    assert_eq!(findings(&app, &["pending"]).len(), 1, "the address waits");
    app.press(&[key::CTRL, 'z']);
    app.wait("both again", &format!("{rows}.length === 2"), 20);
    assert_eq!(findings(&app, &["pending"]).len(), 3);
}
