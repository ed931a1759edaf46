//! Settings, models that are missing, spaces and watched folders.

use crate::app::App;
use crate::samples::{sample, shared};
use serde_json::json;

#[test]
fn a_missing_model_says_why_how_large_and_both_ways_out() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("memo.wav")]);
    for address in ["/recall", "/library", "/activity"] {
        app.go(address);
        let words = app.wait("the notice", "document.querySelector('[data-testid=model-notice]')?.innerText", 10);
        let words = words.as_str().expect("words");
        assert!(
            words.contains("1 recording waits for a speech model (") && words.contains("MB)."),
            "{address}: {words}"
        );
        assert!(words.contains("Download") && words.contains("Use a file"), "{address}: {words}");
        assert_eq!(
            app.value("document.querySelectorAll('[data-testid=model-notice]').length"),
            json!(1),
            "one recording, one notice"
        );
    }
    app.click("[data-testid=model-use-file]");
    app.wait_dialog("model-file");
    let wrong = app.file("not-a-model.bin", b"certainly no model");
    app.type_into("#model-path", wrong.to_str().expect("a plain path"));
    app.click("[data-testid=form-submit]");
    app.wait("the reason", "document.querySelector('dialog .form-error')?.innerText", 20);
    app.press(&[crate::browser::key::ESC]);
    app.wait_no_dialog();
}

#[test]
fn a_recording_is_heard_once_there_is_a_model() {
    let Some(model) = shared("asr/memo-whisper.bin") else { return };
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("memo.wav")]);
    app.go("/activity");
    app.find("[data-testid=model-notice]");
    app.call("model_add", json!({ "path": model, "id": "memo-whisper" }));
    app.wait(
        "everything read",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('All read in default.')",
        60,
    );
    assert_eq!(app.value("document.querySelector('[data-testid=model-notice]')"), json!(null));
}

#[test]
fn the_theme_is_chosen_and_kept() {
    let Some(app) = App::start() else { return };
    app.go("/settings");
    let background = || app.value("getComputedStyle(document.body).backgroundColor");
    app.click("[data-testid=theme-dark]");
    app.wait("the dark theme", "document.documentElement.dataset.theme === 'dark'", 10);
    assert_eq!(background(), json!("rgb(21, 23, 25)"));
    assert_eq!(app.call("settings_get", json!({}))["theme"], json!("dark"));
    app.click("[data-testid=theme-light]");
    app.wait("the light theme", "document.documentElement.dataset.theme === 'light'", 10);
    assert_eq!(background(), json!("rgb(246, 245, 241)"));
    app.click("[data-testid=theme-system]");
    app.wait("the system's theme", "!document.documentElement.dataset.theme", 10);
    how_long_answers_are_kept_is_chosen(&app);
}

fn how_long_answers_are_kept_is_chosen(app: &App) {
    let off = app.value("document.querySelector('[data-testid=rerank]').disabled");
    assert_eq!(off, json!(true), "no reranking model is installed");
    crate::work::choose(app, "traces-kept", "0");
    app.wait("that none is kept", "document.body.innerText.includes('Traces stays empty')", 10);
    assert_eq!(app.call("settings_get", json!({}))["traces_kept_days"], json!(0));
    app.go("/recall?tab=traces");
    app.wait("that none is kept", "document.querySelector('[data-testid=empty]')?.innerText.includes('not kept')", 10);
    app.click("[data-testid=traces-keep]");
    app.find("[data-testid=traces-kept]");
}

#[test]
fn a_space_is_made_and_used() {
    let Some(app) = App::start() else { return };
    app.go("/access");
    app.click("[data-testid=space-new]");
    app.wait_dialog("new-space");
    app.type_into("[data-testid=space-name]", "Larch House");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait("the space in use", "document.title === 'Spaces & access - Larch House'", 10);
    app.wait(
        "its row",
        "[...document.querySelectorAll('[data-testid=space-row]')].some(r => r.innerText.includes('Larch House'))",
        10,
    );
    // The same name again is refused in the form itself.
    app.click("[data-testid=space-new]");
    app.wait_dialog("new-space");
    app.type_into("[data-testid=space-name]", "larch house");
    app.click("[data-testid=form-submit]");
    app.wait("the reason", "document.querySelector('dialog .form-error')?.innerText", 10);
}

#[test]
fn a_watched_folder_brings_its_files_in() {
    let Some(app) = App::start() else { return };
    let first = app.file("watched/first.txt", b"The ferry leaves at seven.");
    app.go("/settings");
    app.click("[data-testid=watch-add]");
    app.wait_dialog("watch");
    app.type_into("#watch-path", first.parent().and_then(|f| f.to_str()).expect("a plain path"));
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.find("[data-testid=watch-row]");
    app.go("/library");
    app.wait(
        "the first file",
        "document.querySelector('[data-testid=library-item]')?.innerText.includes('first.txt')",
        30,
    );
    app.file("watched/second.txt", b"The last ferry leaves at nine.");
    app.wait("the second", "document.querySelectorAll('[data-testid=library-item]').length === 2", 30);
    app.wait_until_read();
    app.ask("When does the last ferry leave?");
    app.wait("the answer", "document.querySelector('[data-testid=result]')?.innerText.includes('nine')", 10);
}
