//! The page of one file: its name once, its readers by what they do, what it says, its versions, its keys.

use crate::app::App;
use crate::browser::key;
use crate::samples::{folder, sample};
use crate::scenes::artifact;
use serde_json::json;

fn open(app: &App, name: &str) {
    app.go(&format!("/library/{}", artifact(app, name)));
    app.wait("the file's name", &format!("document.querySelector('h1')?.textContent === {name:?}"), 10);
    app.wait("what is about it", "document.querySelector('.facts')", 10);
}

#[test]
fn a_file_is_told_in_plain_words() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    open(&app, "train-ticket.png");
    app.wait_settled();
    let words = app.words();
    assert_eq!(words.matches("train-ticket.png").count(), 1, "its name stands there once: {words}");
    assert!(words.contains("Text recognition (Tesseract"), "{words}");
    open(&app, "insurance.pdf");
    let words = app.words();
    assert!(words.contains("The words that the PDF holds") && words.contains("p. 1-2"), "{words}");
    for jargon in ["pdfium", "umem", "config", "sha"] {
        assert!(!words.to_lowercase().contains(jargon), "{jargon}: {words}");
    }
}

#[test]
fn what_a_file_says_leads_to_its_words() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/team.txt", b"Dana Moss works at Orbis.\n");
    app.ingest("default", &[file]);
    crate::beliefs::entity(&app, "Dana Moss");
    open(&app, "team.txt");
    let says = "document.querySelector('[data-testid=item-claim]')?.innerText.replace(/\\s+/g, ' ')";
    app.wait("the claim", &format!("{says}?.includes('Dana Moss works at Orbis')"), 20);
    app.click("[data-testid=item-claim] [data-testid=citation]");
    let marked =
        "[...document.querySelectorAll('.pane mark.cited')].map(e => e.textContent).join('').includes('Orbis')";
    app.wait("the marked words", marked, 10);
}

#[test]
fn versions_are_walked_by_the_arrows_and_opened_by_enter() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/plan.txt", b"The shed is green.\n");
    app.ingest("default", std::slice::from_ref(&file));
    app.file("in/plan.txt", b"The shed is white.\n");
    app.ingest("default", &[file]);
    open(&app, "plan.txt");
    app.find("[data-testid=versions] a");
    let here = app.value("location.pathname");
    app.run("document.querySelector('.item-side').focus();", json!([]));
    for _ in 0..8 {
        app.press(&[key::DOWN]);
        if app.value("!!document.activeElement.closest('[data-testid=versions]')") == json!(true) {
            break;
        }
    }
    app.press(&[key::ENTER]);
    app.wait("the older version", &format!("location.pathname !== {here}"), 10);
    let words = "document.querySelector('.viewer-body')?.innerText.includes('The shed is green.')";
    app.wait("its words", words, 10);
}

#[test]
fn keys_read_again_remove_and_restore() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("costs.csv")]);
    open(&app, "costs.csv");
    app.run("document.getElementById('main').focus();", json!([]));
    app.press(&['r']);
    let said = |words: &str| {
        let all = "[...document.querySelectorAll('[data-testid=toast]')].map(t => t.innerText).join(' ')";
        app.wait(words, &format!("{all}.includes({words:?})"), 10);
    };
    said("costs.csv is read again.");
    app.wait_until_read();
    app.press(&[key::DELETE]);
    said("costs.csv was removed.");
    app.find("[data-testid=item-restore]");
    app.press(&['r']);
    said("costs.csv is back.");
    app.wait("no word of removal", "!document.querySelector('[data-testid=item-restore]')", 10);
}
