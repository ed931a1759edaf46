//! A spoken memo: heard, found by its words, cited by its seconds, and played from there.

use crate::app::App;
use crate::samples::{a_model, shared};
use crate::scenes::card_of;
use serde_json::json;

/// How far the player may stand from the cited start.
const NEAR_S: f64 = 0.5;

#[test]
fn a_sound_citation_seeks_to_its_second() {
    let Some(app) = App::start() else { return };
    let Some(memo) = shared("asr/memo/memo-1.wav").filter(|_| a_model(&app)) else { return };
    app.ingest("default", &[memo]);
    let question = "When was the office moved?";
    app.ask(question);
    let recalled = app.call("memory_recall", json!({ "query": question, "space": "default" }));
    let hit = &recalled["hits"][0];
    assert!(hit["quote"].as_str().is_some_and(|q| q.to_lowercase().contains("office")), "{recalled:.600}");
    app.click(&card_of(&app, "memo-1.wav"));
    app.wait("the sound", "document.querySelector('.pane [data-testid=audio]')?.readyState >= 1", 20);
    app.wait("the cited seconds in the waveform", "document.querySelector('.pane .wave-cited')", 10);
    let seconds = |time: &serde_json::Value| time["start_ms"].as_f64().expect("a time") / 1000.0;
    stands_near(&app, seconds(&hit["time"]));
    // F3 leads on to the second at which the next word of the question is said.
    app.press(&[crate::browser::key::F3]);
    stands_near(&app, seconds(&hit["matches"][1]["time"]));
    let marked = app.value("[...document.querySelectorAll('.pane mark')].map(m => m.textContent).join(' ')");
    assert!(marked.as_str().is_some_and(|m| m.to_lowercase().contains("office")), "{marked}");
    // A line of the transcript seeks, too.
    app.click("[data-testid=transcript-line]");
    app.wait("the beginning", "document.querySelector('.pane [data-testid=audio]').currentTime < 1.0", 10);
}

fn stands_near(app: &App, start: f64) {
    let near =
        format!("Math.abs(document.querySelector('.pane [data-testid=audio]').currentTime - {start}) <= {NEAR_S}");
    app.wait(&format!("the player at {start} s"), &near, 10);
}
