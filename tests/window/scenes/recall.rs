//! Recall: its tabs, its dialogs, what a citation opens.

use super::{ANSWERS, Scene, cite, preview, scene};
use serde_json::json;

/// The scenes.
pub const SCENES: &[Scene] = &[
    scene("recall", |app| app.go("/recall")),
    scene("recall-answer", |app| app.ask(ANSWERS[0].0)),
    scene("recall-why", |app| {
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=why]");
        app.find("[data-testid=why-parts]");
    }),
    scene("recall-none", |app| app.ask("How many moons has Jupiter got according to Galileo?")),
    scene("recall-filters", |app| {
        app.go("/recall");
        crate::work::choose(app, "filter-date", "between");
        app.ask("boiler tag:no-such-tag after:2024 -lake");
        app.find("[data-testid=no-answer]");
    }),
    scene("recall-more-filters", |app| {
        app.go("/library");
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=more-filters]");
        app.find("[data-testid=known-at]");
    }),
    scene("recall-earlier", |app| {
        // Away first: what is opened on the page stays open as long as it is shown.
        app.go("/library");
        app.ask("Where does Ana Ruiz work?");
        crate::asking::as_of(app, "2019-05-03");
        app.find("[data-testid=believed]");
    }),
    scene("recall-passed", |app| {
        app.go("/library");
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=passed-over]");
        app.find("[data-testid=passed-count]");
        app.run("const page = document.querySelector('.page-body'); page.scrollTop = page.scrollHeight;", json!([]));
    }),
    scene("recall-wrong", |app| {
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=opinion-wrong]");
        app.find("[data-testid=correction]");
    }),
    scene("recall-saved", |app| {
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=save-search]");
        app.wait_dialog("save-search");
        app.fill("[data-testid=search-name]", "The boiler of Larch House, and who looks after it in winter");
        app.click("[data-testid=form-submit]");
        app.wait_no_dialog();
        app.find("[data-testid=saved-search]");
        app.click(".toast [aria-label=\"Close message\"]");
        app.wait("no message", "!document.querySelector('.toast')", 10);
    }),
    scene("dialog-save-search", |app| {
        app.ask(ANSWERS[0].0);
        app.click("[data-testid=save-search]");
        app.wait_dialog("save-search");
    }),
    scene("dialog-why-not", |app| {
        app.ask(ANSWERS[0].0);
        crate::asking::why_not(app, "insurance");
    }),
    scene("dialog-syntax", |app| {
        app.go("/recall");
        app.click("[data-testid=syntax]");
        app.wait_dialog("syntax");
    }),
    scene("context", |app| app.go("/recall?tab=context")),
    scene("context-pack", |app| crate::asking::pack(app, "ferry timetable", 1200)),
    scene("context-behind", |app| {
        crate::asking::pack(app, "ferry timetable", 1200);
        app.click("[data-testid=pack-item] [data-testid=behind]");
        app.find("[data-testid=behind-text] pre");
        app.run("document.querySelector('[data-testid=behind-text]').scrollIntoView();", json!([]));
    }),
    scene("context-before", |app| {
        crate::asking::pack(app, "ferry timetable", 1200);
        app.find("[data-testid=pack-before]");
        app.run("document.querySelector('[data-testid=pack-before]').scrollIntoView();", json!([]));
    }),
    scene("traces", |app| {
        app.ask(ANSWERS[1].0);
        app.go("/recall?tab=traces");
        app.find("[data-testid=trace-row]");
    }),
    scene("traces-none", |app| {
        app.go("/recall?tab=traces");
        app.click("[data-testid=traces-feedback]");
        app.find("[data-testid=empty]");
    }),
    scene("traces-found", |app| {
        app.ask(ANSWERS[1].0);
        app.go("/recall?tab=traces");
        app.fill("[data-testid=traces-words]", "ferry");
        crate::work::choose(app, "traces-outcome", "success");
        app.wait_settled();
    }),
    scene("trace", |app| {
        app.ask(ANSWERS[0].0);
        crate::asking::trace(app);
    }),
    scene("trace-replayed", |app| {
        app.ask(ANSWERS[0].0);
        crate::asking::trace(app);
        app.click("[data-testid=trace-replay]");
        app.find("[data-testid=trace-replayed] .state");
        app.run("const page = document.querySelector('.page-body'); page.scrollTop = page.scrollHeight;", json!([]));
    }),
    scene("citation-text", |app| cite(app, 0)),
    scene("citation-pdf", |app| cite(app, 1)),
    scene("citation-image", |app| cite(app, 2)),
    scene("citation-source", |app| cite(app, 3)),
    scene("preview-text", |app| preview(app, 0)),
    scene("preview-pdf", |app| preview(app, 1)),
    scene("preview-image", |app| preview(app, 2)),
];
