//! Library and Beliefs: files, entities, their dialogs.

use super::{Scene, item, library, scene, shared};
use crate::browser::key;
use serde_json::json;

/// The scenes.
pub const SCENES: &[Scene] = &[
    scene("library", |app| library(app, "view-grid")),
    scene("library-list", |app| library(app, "view-list")),
    scene("library-none", |app| {
        app.go("/library");
        app.fill("#search", "no such name");
        app.wait("the sentence", "document.querySelector('[data-testid=empty]')", 10);
    }),
    scene("library-removed", |app| {
        // Away first: the page keeps its filters as long as it is shown.
        app.go("/recall");
        app.go("/library");
        app.run(
            "const field = document.querySelector('[data-testid=library-state]');
             field.value = 'removed';
             field.dispatchEvent(new Event('change', { bubbles: true }));",
            json!([]),
        );
        app.wait("the removed file", "document.querySelectorAll('[data-testid=library-item]').length === 1", 10);
    }),
    scene("item-claims", |app| {
        item(app, "people.md");
        app.find("[data-testid=item-claim]");
    }),
    scene("item-tags", |app| {
        item(app, "staff.md");
        app.find("[data-testid=tag]");
    }),
    scene("item-text", |app| item(app, "larch-house.md")),
    scene("item-pdf", |app| item(app, "insurance.pdf")),
    scene("item-image", |app| item(app, "train-ticket.png")),
    scene("item-sound", |app| item(app, "memo.wav")),
    scene("item-broken", |app| item(app, "scan-broken.pdf")),
    scene("item-unread", |app| item(app, "backup.bin")),
    scene("item-menu", |app| {
        item(app, "insurance.pdf");
        app.click("[aria-label=More]");
        app.find("[role=menu]:popover-open [role=menuitem]");
    }),
    scene("item-missing", |app| app.go("/library/0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b")),
    scene("not-found", |app| app.go("/nowhere")),
    scene("beliefs", |app| {
        app.go("/beliefs");
        app.wait("the entities", "document.querySelectorAll('[data-testid=entity-row]').length > 4", 20);
    }),
    scene("beliefs-none", |app| {
        app.go("/beliefs");
        app.fill("#search", "no such name");
        app.wait("the sentence", "document.querySelector('[data-testid=empty]')", 10);
    }),
    scene("entity", |app| crate::beliefs::open(app, "Ana Ruiz")),
    scene("entity-disputed", |app| {
        crate::beliefs::open(app, "Maya Lind");
        app.wait("what is disputed", "document.querySelectorAll('.claim-state .disputed').length === 3", 10);
    }),
    scene("entity-below", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.run("const page = document.querySelector('.page-body'); page.scrollTop = page.scrollHeight;", json!([]));
    }),
    scene("entity-why", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[data-testid=claim-why]");
        app.find("[data-testid=arithmetic]");
    }),
    scene("entity-source", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("#main [data-testid=citation]");
        app.wait("the highlight", "document.querySelector('.pane [data-testid=highlight]')", 10);
    }),
    scene("entity-list", |app| {
        crate::beliefs::open(app, "Northwind");
        app.click("[data-testid=near-list]");
    }),
    scene("entity-menu", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[aria-label=More]");
        app.find("[role=menu]:popover-open [role=menuitem]");
    }),
    scene("entity-missing", |app| app.go("/beliefs/0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b")),
    scene("dialog-merge", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[data-testid=merge]");
        app.wait_dialog("merge");
        app.find("[data-testid=pick]");
    }),
    scene("dialog-merge-sides", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[data-testid=merge]");
        app.wait_dialog("merge");
        app.fill("[data-testid=pick-field]", "Nils");
        app.click_words("[data-testid=pick]", "Nils Berg");
        app.find("[data-testid=merge-side]");
    }),
    scene("dialog-share", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[aria-label=More]");
        app.click_words("[role=menuitem]", "Share with all spaces");
        app.wait_dialog("share");
    }),
    scene("entity-shared", shared),
    scene("dialog-unshare", |app| {
        shared(app);
        app.click("[aria-label=More]");
        app.click_words("[role=menuitem]", "Stop sharing");
        app.wait_dialog("unshare");
        app.find("[data-testid=dialog-unshare] [data-testid=form-submit]");
    }),
    scene("dialog-forget", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[aria-label=More]");
        app.click_words("[role=menuitem]", "Forget");
        app.wait_dialog("forget");
        crate::forgetting::question(app);
    }),
    scene("dialog-forget-proof", |app| {
        // What was forgotten is refused when it comes again: another note each time.
        let note = app.value("'Pelican ' + Math.floor(performance.timeOrigin + performance.now())");
        let note = note.as_str().expect("words");
        app.call("memory_remember", json!({ "text": note, "space": "default" }));
        app.go("/recall");
        crate::forgetting::ask_for_words(app, note);
        crate::forgetting::question(app);
        app.click("[data-testid=forget-now]");
        app.wait("the proof", "document.querySelector('[data-testid=forget-checked]')", 30);
    }),
    scene("dialog-forget-choose", |app| {
        app.go("/recall");
        app.press(&[key::CTRL, 'k']);
        app.wait_dialog("palette");
        app.type_into("[data-testid=palette-input]", "forget");
        app.click_words("[data-testid=palette-offer]", "Forget something");
        app.wait_dialog("forget-choose");
    }),
    scene("dialog-add-fact", |app| {
        crate::beliefs::open(app, "Ana Ruiz");
        app.click("[data-testid=fact-add]");
        app.wait_dialog("add-fact");
    }),
];
