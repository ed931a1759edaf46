//! Work: sessions, rules and knowledge, resources, their dialogs.

use super::{Scene, scene, session};
use serde_json::json;

/// The scenes.
pub const SCENES: &[Scene] = &[
    scene("work", |app| {
        app.go("/recall");
        crate::work::sessions(app);
    }),
    scene("work-none", |app| {
        app.go("/recall");
        crate::work::sessions(app);
        crate::work::choose(app, "sessions-state", "discarded");
        app.wait("the sentence", "document.querySelector('[data-testid=empty]')", 10);
    }),
    scene("work-held", |app| {
        app.go("/recall");
        crate::work::sessions(app);
        app.click("[data-testid=locks-open]");
        app.find("[data-testid=lock-row]");
    }),
    scene("session", session),
    scene("session-ended", |app| crate::work::session(app, "Shopping list for the ferry")),
    scene("session-below", |app| {
        session(app);
        app.run("const page = document.querySelector('.page-body'); page.scrollTop = page.scrollHeight;", json!([]));
    }),
    scene("session-menu", |app| {
        session(app);
        app.click("[aria-label=More]");
        app.find("[role=menu]:popover-open [role=menuitem]");
    }),
    scene("session-missing", |app| app.go("/work/sessions/0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b")),
    scene("dialog-begin", |app| {
        crate::work::sessions(app);
        app.click("[data-testid=session-begin]");
        app.wait_dialog("begin");
    }),
    scene("dialog-write-down", |app| {
        session(app);
        app.click("[data-testid=hand-write]");
        app.wait_dialog("write-down");
    }),
    scene("dialog-end", |app| {
        session(app);
        app.click("[data-testid=session-end]");
        app.wait_dialog("end");
    }),
    scene("dialog-give-up", |app| {
        session(app);
        app.click("[aria-label=More]");
        app.click_words("[role=menuitem]", "Give up");
        app.wait_dialog("give-up");
    }),
    scene("dialog-take-away", |app| {
        session(app);
        app.click("[data-testid=lock-take]");
        app.wait_dialog("take-away");
    }),
    scene("rules", |app| {
        app.go("/work?tab=rules");
        app.wait("the rules", "document.querySelectorAll('[data-testid=rule-row]').length > 1", 10);
    }),
    scene("rules-all", |app| {
        app.go("/recall");
        crate::work::entries(app, "all");
    }),
    scene("rules-earlier", |app| {
        app.go("/recall");
        crate::work::entries(app, "all");
        crate::work::choose(app, "as-of-day", "2018-05-03");
        app.find("[data-testid=work-then]");
    }),
    scene("rules-levels", |app| {
        app.go("/recall");
        crate::work::entries(app, "guideline");
        app.click("[data-testid=entries-levels]");
        app.click("[data-testid=entries-inactive]");
        app.wait("what is overridden", "document.getElementById('main').innerText.includes('overridden')", 10);
    }),
    scene("rules-clashes", |app| {
        app.go("/work?tab=rules&show=clashes");
        app.find("[data-testid=clash] [data-testid=diff]");
    }),
    scene("rule", |app| {
        app.go("/work?tab=rules");
        app.click("[data-testid=rule-row] a");
        app.find("[data-testid=version-row]");
    }),
    scene("dialog-rule", |app| {
        app.go("/work?tab=rules");
        app.click("[data-testid=rules-new]");
        app.wait_dialog("rule");
    }),
    scene("entry", |app| crate::work::entry(app, "Times of day")),
    scene("entry-versions", |app| {
        crate::work::entry(app, "Times of day");
        app.click("[data-testid=version-show]");
        app.run("const page = document.querySelector('.page-body'); page.scrollTop = page.scrollHeight;", json!([]));
    }),
    scene("entry-tool", |app| crate::work::entry(app, "timetable")),
    scene("entry-clash", |app| {
        crate::work::entry(app, "Harbour");
        app.find("[data-testid=clash] [data-testid=diff]");
    }),
    scene("entry-missing", |app| app.go("/work/entries/0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b")),
    scene("dialog-entry", |app| {
        crate::work::entry(app, "Times of day");
        app.click("[data-testid=entry-edit]");
        app.wait_dialog("entry");
    }),
    scene("dialog-entry-tool", |app| {
        crate::work::entry(app, "timetable");
        app.click("[data-testid=entry-edit]");
        app.wait_dialog("entry");
    }),
    scene("dialog-merge-versions", |app| {
        crate::work::entry(app, "Harbour");
        app.click("[data-testid=clash-merge]");
        app.wait_dialog("merge-versions");
    }),
    scene("resources", |app| {
        app.go("/recall");
        crate::work::resources(app);
    }),
    scene("resources-open", |app| crate::work::resource(app, "repo://ferry/src/times.rs")),
    scene("resources-found", |app| {
        app.go("/recall");
        crate::work::resources(app);
        app.fill("#search", "harbour");
        app.find("[data-testid=resource-found]");
    }),
    scene("resources-none", |app| {
        app.go("/recall");
        crate::work::resources(app);
        app.fill("#search", "nosuchword");
        app.wait("the sentence", "document.querySelector('[data-testid=empty]')", 10);
    }),
    scene("dialog-resource", |app| {
        crate::work::resource(app, "repo://ferry/src/times.rs");
        app.click("[data-testid=resource-edit]");
        app.wait_dialog("resource");
    }),
    scene("dialog-remove-resource", |app| {
        crate::work::resource(app, "repo://ferry/src/times.rs");
        app.click("[data-testid=resource-remove]");
        app.wait_dialog("remove-resource");
    }),
];
