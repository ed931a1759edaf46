//! Every page and state of the window that is looked at: what is checked for one, is checked for all.

mod know;
mod recall;
mod work;

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

/// Review, Spaces & access, Activity, Settings, and what stands above the pages.
const REST: &[Scene] = &[
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
    scene("dialog-cancel-job", cancel_job),
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

/// The scenes of some groups: all, or where `UM_SCENES` names some, those whose names begin with one of its words.
pub fn wanted<'a>(groups: &'a [&'a [Scene]]) -> impl Iterator<Item = &'a Scene> {
    let named = std::env::var("UM_SCENES").unwrap_or_default();
    let is_wanted = move |scene: &&Scene| named.is_empty() || named.split(',').any(|word| scene.name.starts_with(word));
    groups.iter().copied().flatten().filter(is_wanted)
}

/// Every scene that needs no model, in the order in which they are shown.
pub const SCENES: [&[Scene]; 4] = [recall::SCENES, know::SCENES, work::SCENES, REST];

/// Scenes that need a recording that was heard: see [`crate::samples::a_model`].
pub const SOUND_SCENES: [&[Scene]; 1] = [&[
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
]];

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

/// Closes all that stands above the pages, and lets go of what narrows questions and traces down.
pub fn leave(app: &App) {
    drag(app, "leave", &[], (0.0, 0.0));
    app.run(
        "document.activeElement?.blur();
         document.querySelectorAll('dialog[open]').forEach(d => d.close());
         document.querySelectorAll(':popover-open').forEach(p => p.hidePopover());
         document.querySelector('[data-testid=viewer-close]')?.click();
         document.querySelector('[data-testid=filters-clear]')?.click();
         document.querySelector('[data-testid=traces-all]')?.click();",
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

/// A note comes in while nothing is worked on, its job is to be cancelled, and all is as before behind the dialog.
fn cancel_job(app: &App) {
    app.go("/library");
    app.call("work_pause", json!({ "paused": true }));
    let text = format!("The hedge was cut {} steps ago.", app.value("Math.round(performance.now())"));
    let kept = app.call("memory_remember", json!({ "text": text, "space": "default" }));
    app.go("/activity");
    let button = "[...document.querySelectorAll('[data-testid=job-row]')]
        .find(e => e.innerText.includes('New notes: personal data'))?.querySelector('[data-testid=job-cancel]')";
    app.wait("a job on new notes", button, 10);
    app.run(&format!("{button}.click();"), json!([]));
    app.wait_dialog("cancel-job");
    app.call("memory_remove", json!({ "id": kept["memory"]["id"] }));
    app.call("work_pause", json!({ "paused": false }));
    app.wait_until_read();
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
