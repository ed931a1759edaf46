//! Files brought in through the window: by path and by the browser's own field; progress, reasons, undo.

use crate::app::App;
use crate::browser::key;
use crate::samples::{folder, sample, shared};
use serde_json::json;

fn toast(app: &App, words: &str) {
    let said = format!(
        "[...document.querySelectorAll('[data-testid=toast]')].some(t => t.innerText.includes({}))",
        json!(words)
    );
    app.wait(&format!("the message {words:?}"), &said, 20);
}

fn rows(app: &App, count: usize, words: &str) {
    let there = format!(
        "document.querySelectorAll('[data-testid=job-row]').length === {count} &&
         [...document.querySelectorAll('.job-state')].every(s => s.innerText.includes({}))",
        json!(words)
    );
    app.wait(&format!("{count} jobs: {words}"), &there, 20);
}

#[test]
fn paths_come_in_and_their_progress_is_seen() {
    let Some(app) = App::start() else { return };
    app.go("/activity");
    app.click("[data-testid=pause]");
    app.wait("Resume", "document.querySelector('[data-testid=pause]').innerText.includes('Resume')", 10);
    app.press(&[key::CTRL, 'o']);
    app.wait_dialog("add-files");
    let note = app.file("in/a note.txt", b"The spare key of the boathouse is under the third plank.");
    // A line ends with the Enter key: the driver types no control characters.
    let lines = format!("{}{}\"{}\"", sample("larch-house.md").display(), key::ENTER, note.display());
    app.type_into("#add-paths-input", &lines);
    app.click("[data-testid=add-paths-submit]");
    app.wait_no_dialog();
    toast(&app, "Added 2 files to default.");
    rows(&app, 2, "Waiting its turn");
    app.wait(
        "the status line",
        "document.querySelector('[data-testid=status-work]').innerText.includes('2 paused')",
        10,
    );
    app.click("[data-testid=pause]");
    app.wait(
        "everything read",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('All read in default.')",
        60,
    );
    app.click_words(".filters .button", "Done");
    rows(&app, 2, "Done");
    app.click_words(".job .button", "Open");
    app.wait("the file's page", "document.querySelector('[data-testid=item] .facts')", 10);
}

#[test]
fn a_file_chosen_in_the_browsers_field_comes_in_and_can_be_taken_back() {
    let Some(app) = App::start() else { return };
    app.go("/library");
    app.click("[data-testid=library-add]");
    app.wait_dialog("add-files");
    app.type_into("#add-files-input", sample("garden-plan.md").to_str().expect("a plain path"));
    app.wait_no_dialog();
    toast(&app, "Added 1 file to default.");
    app.wait(
        "the file",
        "document.querySelector('[data-testid=library-item]')?.innerText.includes('garden-plan.md')",
        20,
    );
    app.wait_until_read();
    let listed = app.call("artifacts_list", json!({ "space": "default" }));
    let length = std::fs::metadata(sample("garden-plan.md")).expect("a sample").len();
    assert_eq!(listed["artifacts"][0]["byte_size"], json!(length));
    app.click("[data-testid=toast-undo]");
    toast(&app, "Taken back.");
    app.wait("an empty library", "document.querySelector('[data-testid=empty]')", 10);
}

#[test]
fn work_on_new_notes_says_what_it_looks_for_and_what_is_left_undone_without_it() {
    let Some(app) = App::start() else { return };
    app.call("work_pause", json!({ "paused": true }));
    app.call("memory_remember", json!({ "text": "Ana Ruiz lives in Porto.", "space": "default" }));
    app.go("/activity");
    let row = |words: &str| {
        format!("[...document.querySelectorAll('[data-testid=job-row]')].find(e => e.innerText.includes({words:?}))")
    };
    // What they repeat is looked for once they are embedded.
    for looked_for in ["New notes: facts", "New notes: personal data"] {
        app.wait(looked_for, &row(looked_for), 10);
    }
    let cancel = |words: &str| {
        app.run(&format!("{}.querySelector('[data-testid=job-cancel]').click();", row(words)), json!([]));
        app.wait_dialog("cancel-job");
    };
    cancel("New notes: personal data");
    let says = app.value("document.querySelector('[data-testid=left-undone]').innerText");
    assert!(says.as_str().is_some_and(|says| says.contains("does not come to Review")), "{says}");
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    app.wait("the job, still", &row("New notes: personal data"), 10);
    cancel("New notes: personal data");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait("no such job", &format!("!{}", row("New notes: personal data")), 10);
}

#[test]
fn what_cannot_be_read_says_why() {
    let Some(app) = App::start() else { return };
    app.file("in/broken.pdf", b"%PDF-1.7\nnot much of one");
    app.file("in/backup.bin", &[0x93, 0x17, 0x00, 0xfe, 0x81, 0x02]);
    app.ingest("default", &[app.folder().join("in")]);
    app.go("/activity");
    let reason = "[...document.querySelectorAll('[data-testid=job-row]')].find(r => r.innerText.includes('broken.pdf'))
        ?.innerText";
    let words = app.wait("the job that failed", reason, 20);
    let words = words.as_str().expect("words");
    assert!(words.contains("Failed") && words.contains("cannot be read"), "{words}");
    app.click("[data-testid=job-retry]");
    app.wait_until_read();
    app.wait("the same reason again", reason, 20);
    app.go("/library");
    app.wait(
        "no reader",
        "[...document.querySelectorAll('[data-testid=library-item]')].some(i => i.innerText.includes('No reader for this type'))",
        20,
    );
    let missing = folder().join("no-such-file.txt");
    app.press(&[key::CTRL, 'o']);
    app.wait_dialog("add-files");
    app.type_into("#add-paths-input", missing.to_str().expect("a plain path"));
    app.click("[data-testid=add-paths-submit]");
    app.wait("what went wrong", "document.querySelector('.toast.trouble')?.innerText.includes('no-such-file.txt')", 10);
}

#[test]
fn a_locked_file_asks_for_its_password() {
    let Some(locked) = shared("pdf/libreoffice-writer-password.pdf") else { return };
    let Some(app) = App::start() else { return };
    app.ingest("default", &[locked]);
    app.go("/library");
    app.click("[data-testid=password-enter]");
    app.wait_dialog("password");
    app.type_into("[data-testid=password]", "wrong");
    app.click("[data-testid=form-submit]");
    app.wait("a refusal", "document.querySelector('.form-error')?.innerText || !document.querySelector('dialog')", 20);
    app.wait_until_read();
    if app.value("document.querySelector('dialog[open]') !== null") == json!(false) {
        app.click("[data-testid=password-enter]");
        app.wait_dialog("password");
    }
    app.fill("[data-testid=password]", "openpassword");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait_until_read();
    app.wait("a file that was read", "!document.querySelector('[data-testid=password-enter]')", 20);
    let listed = app.call("artifacts_list", json!({ "space": "default" }));
    assert_eq!(listed["artifacts"][0]["has_text"], json!(true), "{listed}");
}
