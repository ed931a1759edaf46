//! Every page and state of the window that is looked at: what is checked for one, is checked for all.

use crate::app::App;
use crate::browser::key;
use serde_json::json;

/// A state of the window, over the data of [`crate::samples::a_week`].
pub struct Scene {
    /// A word for it, which names its picture.
    pub name: &'static str,
    /// Leads there from anywhere.
    pub open: fn(&App),
}

const fn scene(name: &'static str, open: fn(&App)) -> Scene {
    Scene { name, open }
}

/// A question that each kind of source answers: the scene, the question, the file.
pub const ANSWERS: [(&str, &str); 4] = [
    ("When is the boiler serviced?", "larch-house.md"),
    ("Within how many days must damage be reported?", "insurance.pdf"),
    ("From which platform does the train to Larch Lake depart?", "train-ticket.png"),
    ("How long does the water in the rain tank last?", "tank.rs"),
];

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
    scene("citation-text", |app| cite(app, 0)),
    scene("citation-pdf", |app| cite(app, 1)),
    scene("citation-image", |app| cite(app, 2)),
    scene("citation-source", |app| cite(app, 3)),
    scene("preview-text", |app| preview(app, 0)),
    scene("preview-pdf", |app| preview(app, 1)),
    scene("preview-image", |app| preview(app, 2)),
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
    scene("review", review),
    scene("review-three", |app| conflict(app, "Maya Lind", "Lives in: 3 values")),
    scene("review-denied", |app| conflict(app, "Iris Vale likes tea", "Likes: yes or no")),
    scene("review-two-at-once", |app| conflict(app, "Paul Kern", "Married to: two at once")),
    scene("review-source", |app| {
        review(app);
        app.click("#main [data-testid=citation]");
        app.wait("the highlight", "document.querySelector('.pane [data-testid=highlight]')", 10);
    }),
    scene("dialog-other", |app| {
        review(app);
        app.wait("a conflict that was seen", "(window.__at ??= performance.now()) + 600 < performance.now()", 5);
        app.run("window.__at = undefined;", json!([]));
        app.click("[data-testid=decide-4]");
        app.wait_dialog("other");
    }),
    scene("review-names", |app| {
        app.go("/review?tab=names");
        app.find("[data-testid=name]");
    }),
    scene("review-history", |app| app.go("/review?tab=history")),
    scene("redactions", |app| {
        app.go("/review?tab=redactions");
        app.find("[data-testid=finding]");
    }),
    scene("redactions-picture", picture),
    scene("redactions-before", |app| {
        picture(app);
        app.click("[data-testid=redact-before]");
        app.wait("what is under it", "!document.querySelector('[data-testid=page] .spot.goes')", 5);
    }),
    scene("redactions-box", |app| {
        picture(app);
        app.click("[data-testid=add-box]");
        app.find("[data-testid=draft]");
    }),
    scene("redactions-file", |app| {
        crate::redactions::open(app, "people.md");
        app.wait("its words", "document.querySelector('.redact-source mark.spot')", 10);
        app.click("[data-testid=redact-after]");
    }),
    scene("redactions-values", |app| {
        crate::redactions::open(app, "The locksmith");
        app.click("[data-testid=show-values]");
    }),
    scene("redactions-applied", |app| {
        app.go("/review?tab=redactions");
        app.click("[data-testid=redact-applied]");
        app.wait("the bars", "document.querySelector('.redact-source')?.innerText.includes('████')", 10);
    }),
    scene("dialog-black-out", |app| {
        picture(app);
        app.click("[data-testid=black-out]");
        app.wait_dialog("black-out");
    }),
    scene("item-findings", |app| {
        item(app, "club.png");
        app.find("[data-testid=item-findings]");
    }),
    scene("promotions", |app| {
        app.go("/review?tab=promotions");
        app.wait("what would be copied", "document.querySelectorAll('[data-testid=promotion-item]').length > 1", 20);
    }),
    scene("review-access", |app| app.go("/review?tab=access")),
    scene("access", |app| app.go("/access")),
    scene("access-space", |app| {
        app.go("/access");
        if app.value("!document.querySelector('[data-testid=space-access]')") == json!(true) {
            app.click("[data-testid=space-open]");
        }
        app.find("[data-testid=space-access]");
    }),
    scene("audit", |app| {
        app.go("/access?tab=audit");
        app.wait("the entries", "document.querySelectorAll('[data-testid=audit-row]').length > 4", 10);
        app.click("[data-testid=audit-verify]");
        app.wait("what came of it", "document.querySelector('[data-testid=audit-verified] .state')", 20);
    }),
    scene("dialog-export-ledger", |app| {
        app.go("/access?tab=audit");
        app.click("[data-testid=audit-export]");
        app.wait_dialog("export-ledger");
    }),
    scene("pairing", |app| {
        app.go("/library");
        crate::pairing::ask_to_be_let_in(app);
    }),
    scene("activity", |app| app.go("/activity")),
    scene("activity-all", |app| {
        app.go("/activity");
        app.click_words(".filters .button", "All");
        app.wait("finished jobs", "document.querySelectorAll('[data-testid=job-row]').length > 4", 10);
    }),
    scene("health", |app| app.go("/activity?tab=health")),
    scene("settings", |app| app.go("/settings")),
    scene("switcher", |app| {
        app.go("/library");
        app.press(&[key::CTRL, key::SHIFT, 's']);
        app.find(".switcher:popover-open [data-testid=space-choice]");
    }),
    scene("palette", |app| {
        app.go("/recall");
        app.press(&[key::CTRL, 'k']);
        app.wait_dialog("palette");
        app.type_into("[data-testid=palette-input]", "a");
    }),
    scene("dialog-add-files", |app| dialog(app, &[key::CTRL, 'o'], "add-files")),
    scene("dialog-keys", |app| dialog(app, &[key::SHIFT, '?'], "keys")),
    scene("dialog-new-space", |app| {
        app.go("/access");
        app.click("[data-testid=space-new]");
        app.wait_dialog("new-space");
    }),
    scene("dialog-watch", |app| {
        app.go("/settings");
        app.click("[data-testid=watch-add]");
        app.wait_dialog("watch");
    }),
    scene("dialog-model-file", |app| {
        app.go("/activity");
        app.click("[data-testid=model-use-file]");
        app.wait_dialog("model-file");
    }),
    scene("dialog-privacy", |app| {
        app.go("/library");
        app.click("[data-testid=status-local]");
        app.wait_dialog("privacy");
    }),
    scene("dialog-connect", |app| {
        app.go("/access");
        app.click_words(".panel .button", "Connect one");
        app.wait_dialog("connect");
    }),
    scene("drop", |app| {
        app.go("/library");
        let samples =
            ["insurance.pdf", "train-ticket.png"].map(|name| crate::samples::sample(name).display().to_string());
        drag(app, "enter", &[&samples[0], &samples[1]], (640.0, 200.0));
        app.wait(
            "the size",
            "document.querySelector('[data-testid=drop-words]')?.innerText.includes('kB') ||\
            document.querySelector('[data-testid=drop-words]')?.innerText.includes('KB')",
            5,
        );
        app.find("[data-testid=drop-overlay]");
    }),
];

/// Scenes that need a recording that was heard: see [`crate::samples::a_model`].
pub const SOUND_SCENES: &[Scene] = &[
    scene("citation-sound", |app| {
        app.ask("When is the meeting?");
        app.click(&card_of(app, "memo.wav"));
        app.wait("the sound", "document.querySelector('.pane [data-testid=audio]')?.readyState >= 1", 20);
    }),
    scene("item-transcript", |app| item(app, "memo.wav")),
    scene("redactions-sound", |app| {
        let file = artifact(app, "memo.wav");
        app.call("findings_mark", json!({ "artifact": file, "words": "the meeting" }));
        crate::redactions::open(app, "memo.wav");
        app.wait("what will go", "document.querySelector('[data-testid=wave-goes]')", 20);
    }),
];

/// Sends one of the shell's events about files that are dragged over the window.
pub fn drag(app: &App, what: &str, paths: &[&str], (x, y): (f64, f64)) {
    let payload = json!({ "paths": paths, "position": { "x": x, "y": y } });
    let script = "await window.__TAURI__.event.emit(arguments[0], arguments[1]);";
    app.settle(script, json!([format!("tauri://drag-{what}"), payload])).expect("the event is sent");
}

/// Opens a scene, from whatever was before.
pub fn show(app: &App, scene: &Scene) {
    leave(app);
    (scene.open)(app);
    app.wait_settled();
}

/// Closes all that stands above the pages.
pub fn leave(app: &App) {
    drag(app, "leave", &[], (0.0, 0.0));
    app.run(
        "document.activeElement?.blur();
         document.querySelectorAll('dialog[open]').forEach(d => d.close());
         document.querySelectorAll(':popover-open').forEach(p => p.hidePopover());
         document.querySelector('[data-testid=viewer-close]')?.click();",
        json!([]),
    );
    // A message about what was read may come a moment later.
    let closed = "(document.querySelectorAll('.toast [aria-label=\"Close message\"]').forEach(b => b.click()),
        !document.querySelector('dialog, [popover], .toast, .pane, [data-testid=preview], [data-testid=drop-overlay]'))";
    app.wait("nothing above the page", closed, 10);
}

/// The page of the entity that all spaces share.
fn shared(app: &App) {
    crate::beliefs::open(app, "Fjord Ferries");
    app.find("[data-testid=shared]");
}

/// The picture of which something will go.
fn picture(app: &App) {
    app.go("/recall");
    crate::redactions::open(app, "club.png");
    app.wait(
        "what was found on it",
        "document.querySelectorAll('[data-testid=page] [data-testid=spot]').length > 1",
        20,
    );
}

/// A session in which something is in hand, and that holds files.
fn session(app: &App) {
    crate::work::session(app, "Ferry timetable");
    app.find("[data-testid=lock-row]");
}

fn review(app: &App) {
    app.go("/review");
    app.wait("a conflict", "document.querySelector('[data-testid=conflict]')", 20);
}

/// A conflict by words of its summary, with its heading.
fn conflict(app: &App, words: &str, heading: &str) {
    let open = app.call("conflicts_list", json!({}));
    let all = open["conflicts"].as_array().expect("a list");
    let found = all.iter().find(|one| one["summary"].as_str().is_some_and(|says| says.contains(words)));
    let id = found.and_then(|one| one["id"].as_str()).unwrap_or_else(|| panic!("no conflict of {words}"));
    app.go(&format!("/review?conflict={id}"));
    app.wait(heading, &format!("document.getElementById('conflict')?.innerText === {heading:?}"), 20);
}

fn dialog(app: &App, keys: &[char], name: &str) {
    app.go("/library");
    // Away from the fields for words, where a key is a letter.
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(keys);
    app.wait_dialog(name);
}

fn library(app: &App, layout: &str) {
    app.go("/library");
    app.click(&format!("[data-testid={layout}]"));
    app.wait("the files", "document.querySelectorAll('[data-testid=library-item]').length > 4", 10);
}

/// The id of the file of that name.
pub fn artifact(app: &App, name: &str) -> String {
    let listed = app.call("artifacts_list", json!({ "space": "default", "name": name }));
    let id = listed["artifacts"][0]["id"].as_str();
    id.unwrap_or_else(|| panic!("{name} is not in the library: {listed:.300}")).to_owned()
}

fn item(app: &App, name: &str) {
    app.go(&format!("/library/{}", artifact(app, name)));
    app.wait("the file's name", &format!("document.querySelector('h1')?.textContent === {name:?}"), 10);
    app.wait("what is about it", "document.querySelector('.facts')", 10);
}

/// Asks one of the questions of [`ANSWERS`] and opens the citation of its file.
pub fn cite(app: &App, answer: usize) {
    let (question, file) = ANSWERS[answer];
    app.ask(question);
    app.click(&card_of(app, file));
    app.wait("the highlight", "document.querySelector('.pane [data-testid=highlight]')", 10);
}

/// The same, up to the preview beside the citation.
fn preview(app: &App, answer: usize) {
    let (question, file) = ANSWERS[answer];
    app.ask(question);
    app.run("document.querySelector(arguments[0]).focus();", json!([card_of(app, file)]));
    app.press(&[key::SPACE]);
    app.find("[data-testid=preview] mark, [data-testid=preview-page] image");
}

/// A selector of the first citation of a file.
pub fn card_of(app: &App, file: &str) -> String {
    let position = app.wait(
        &format!("a citation of {file}"),
        &format!(
            "1 + [...document.querySelectorAll('[data-testid=result]')]
               .findIndex(r => r.querySelector('.citation .file').textContent === {file:?})"
        ),
        5,
    );
    format!("[data-testid=result]:nth-child({position}) [data-testid=citation]")
}
