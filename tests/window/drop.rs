//! Files dragged over the window: the space is named before they are let go.

use crate::app::App;
use crate::samples::{sample, space};
use crate::scenes::drag;
use serde_json::json;

fn says(app: &App, words: &str) {
    let said = format!("document.querySelector('[data-testid=drop-words]')?.innerText.trim() === {}", json!(words));
    app.wait(&format!("the overlay says {words:?}"), &said, 10);
}

/// The middle of the tile of a space.
fn tile(app: &App, name: &str) -> (f64, f64) {
    let place = app.run(
        "const tile = [...document.querySelectorAll('[data-testid=drop-tile]')].find(t => t.innerText.trim() === arguments[0]);
         const box = tile.getBoundingClientRect();
         return [box.x + box.width / 2, box.y + box.height / 2].map(n => n * devicePixelRatio);",
        json!([name]),
    );
    (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
}

fn files_of(app: &App, space: &str) -> u64 {
    app.call("artifacts_list", json!({ "space": space }))["total"].as_u64().expect("a number")
}

#[test]
fn the_space_is_named_before_the_drop() {
    let Some(app) = App::start() else { return };
    space(&app, "Home", None);
    let files = [sample("larch-house.md"), sample("costs.csv")].map(|path| path.display().to_string());
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    app.wait("the new space", "window.__TAURI__ && true", 1);
    drag(&app, "enter", &files, (5.0, 5.0));
    says(&app, "Add 2 files (1 KB) to default");
    app.wait("a tile for the new space", "document.querySelectorAll('[data-testid=drop-tile]').length >= 3", 10);
    drag(&app, "over", &[], tile(&app, "Home"));
    says(&app, "Add 2 files (1 KB) to Home");
    drag(&app, "leave", &[], (0.0, 0.0));
    app.wait("no overlay", "!document.querySelector('[data-testid=drop-overlay]')", 10);
    assert_eq!((files_of(&app, "default"), files_of(&app, "Home")), (0, 0));

    drag(&app, "enter", &files, (5.0, 5.0));
    says(&app, "Add 2 files (1 KB) to default");
    drag(&app, "drop", &files, tile(&app, "Home"));
    app.wait(
        "a message",
        "document.querySelector('[data-testid=toast]')?.innerText.includes('Added 2 files to Home.')",
        20,
    );
    assert_eq!((files_of(&app, "default"), files_of(&app, "Home")), (0, 2));
}

#[test]
fn all_spaces_demand_a_tile() {
    let Some(app) = App::start() else { return };
    app.click("[data-testid=space-switcher]");
    app.click_words("[data-testid=space-choice]", "All spaces");
    app.wait("all spaces", "document.title.endsWith('All spaces')", 10);
    let file = sample("costs.csv").display().to_string();
    drag(&app, "enter", &[&file], (5.0, 5.0));
    says(&app, "Add 1 file (277 bytes): choose a space");
    drag(&app, "drop", &[&file], (5.0, 5.0));
    app.wait("a message", "document.querySelector('[data-testid=toast]')?.innerText.includes('Nothing was added')", 10);
    assert_eq!(app.call("artifacts_list", json!({}))["total"], json!(0));
}
