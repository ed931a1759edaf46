//! The first minutes: an empty data folder explains itself.

use crate::app::App;
use serde_json::json;

#[test]
fn the_first_run_explains_itself() {
    let Some(app) = App::start() else { return };
    app.wait("the welcome", "document.querySelector('[data-testid=first-run]')", 10);
    let welcome = app.value("document.querySelector('[data-testid=first-run]').innerText");
    let words = welcome.as_str().expect("words");
    assert!(words.starts_with("Drop a file, or watch a folder. It is read here and stays here."), "{words}");
    let cards = app.value("[...document.querySelectorAll('[data-testid=first-run] h2')].map(h => h.textContent)");
    assert_eq!(cards, json!(["Add files", "Models", "Connect an agent"]));
    println!("{}", app.words());
    std::fs::write("/tmp/shot.png", app.screenshot()).unwrap();
}
