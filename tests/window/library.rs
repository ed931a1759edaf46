//! The library: many files, of which only the rows in sight stand in the page; and removed ones, which can come back.

use crate::app::App;
use crate::browser::key;
use crate::samples::{folder, sample};
use serde_json::json;

/// So many files.
const MANY: usize = 2000;
/// So many rows at most may stand in the page, whatever there is.
const ROWS: u64 = 120;

fn many_files(app: &App) {
    for number in 0..MANY {
        app.file(&format!("many/note-{number:04}.txt"), format!("Note {number}: shelf {}.", number * 7).as_bytes());
    }
    // What is only queued is listed as well, and the test does not wait for two thousand readings.
    app.call("work_pause", json!({ "paused": true }));
    let folder = app.folder().join("many");
    let script = "return (await window.__TAURI__.core.invoke('call', { name: 'memory_ingest',
        request: { paths: [arguments[0]], space: 'default' } })).created;";
    assert_eq!(app.settle(script, json!([folder])), Ok(json!(MANY)));
}

/// Scrolls to the end of a list and checks how many rows stand in the page on the way.
fn scroll(app: &App, row: &str, last: &str) {
    let there = format!("document.querySelectorAll({row:?}).length");
    let seen = app.wait("the first rows", &there, 30).as_u64().expect("a number");
    assert!((4..=ROWS).contains(&seen), "{seen} rows stand in the page");
    assert_eq!(
        app.value("document.querySelector('.virtual-item').getAttribute('aria-setsize')"),
        json!(MANY.to_string())
    );
    app.run("const list = document.querySelector('.scroller'); list.scrollTop = list.scrollHeight;", json!([]));
    let end = format!("[...document.querySelectorAll({row:?})].some(e => e.innerText.includes({last:?}))");
    app.wait(&format!("the last row, {last}"), &end, 30);
    let seen = app.value(&there).as_u64().expect("a number");
    assert!(seen <= ROWS, "{seen} rows stand in the page at the end");
}

#[test]
fn lists_of_thousands_stay_small_in_the_page() {
    let Some(app) = App::start() else { return };
    many_files(&app);
    app.go("/library");
    app.wait("the count", "document.querySelector('.page-head [role=status]').innerText.includes('2,000 files')", 30);
    choose(&app, "Order", "name");
    app.wait(
        "the first by name",
        "document.querySelector('[data-testid=library-item]')?.innerText.includes('note-0000.txt')",
        20,
    );
    scroll(&app, "[data-testid=library-item]", "note-1999.txt");
    app.click("[data-testid=view-list]");
    app.wait("the list", "document.querySelector('.file-row')", 10);
    app.run("document.querySelector('.scroller').scrollTop = 0;", json!([]));
    app.wait(
        "its top",
        "document.querySelector('[data-testid=library-item]')?.innerText.includes('note-0000.txt')",
        10,
    );
    scroll(&app, "[data-testid=library-item]", "note-1999.txt");
    app.go("/activity");
    app.wait("the jobs", "document.querySelectorAll('[data-testid=job-row]').length > 3", 30);
    let rows = app.value("document.querySelectorAll('[data-testid=job-row]').length").as_u64().expect("a number");
    assert!(rows <= ROWS, "{rows} jobs stand in the page");
    // A filter finds one among them.
    app.go("/library");
    app.fill("[data-testid=library-filter]", "note-1234");
    app.wait("the one file", "document.querySelectorAll('[data-testid=library-item]').length === 1", 20);
}

#[test]
fn removed_files_are_listed_and_restored_by_key_and_menu() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("costs.csv"), sample("packing-list.txt"), sample("people.md")]);
    for name in ["costs.csv", "packing-list.txt"] {
        app.call("artifact_remove", json!({ "id": crate::scenes::artifact(&app, name) }));
    }
    app.go("/library");
    let files = |count: u32| {
        let there = format!("document.querySelectorAll('[data-testid=library-item]').length === {count}");
        app.wait(&format!("{count} files"), &there, 20);
    };
    files(1);
    choose(&app, "State", "removed");
    files(2);
    let told = app.value("[...document.querySelectorAll('[data-testid=library-item] .state')].map(s => [s.innerText.trim(), !!s.querySelector('svg')])");
    assert_eq!(told, json!([["Removed", true], ["Removed", true]]));
    app.run("document.querySelector('[data-testid=library-item]').focus();", json!([]));
    app.press(&['r']);
    files(1);
    app.click("[data-testid=library-item] ~ .file-menu button");
    app.click_words("[role=menuitem]", "Restore");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No file was removed.')",
        10,
    );
    app.run("document.getElementById('main').focus();", json!([]));
    app.press(&[key::CTRL, 'z']);
    files(1);
    choose(&app, "State", "");
    files(2);
}

/// Chooses a word of a field in the head of the page.
fn choose(app: &App, field: &str, word: &str) {
    app.run(
        "const field = document.querySelector(`.filters select[aria-label=${arguments[0]}]`);
         field.value = arguments[1];
         field.dispatchEvent(new Event('change', { bubbles: true }));",
        json!([field, word]),
    );
}

#[test]
fn the_menu_of_a_file_is_one_tab_away() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.go("/library");
    app.find("[data-testid=library-item]");
    app.run("document.querySelector('[data-testid=library-item]').focus();", json!([]));
    app.press(&[key::TAB]);
    app.wait("the menu's button", "document.activeElement.matches('.file-menu button')", 10);
    app.press(&[key::ENTER]);
    app.wait("the menu", "document.activeElement.matches('[role=menuitem]')", 10);
    let offers = app.value("[...document.querySelectorAll('[role=menuitem] .grow')].map(e => e.innerText)");
    assert_eq!(offers, json!(["Open original", "Read again", "Remove", "Forget"]));
}
