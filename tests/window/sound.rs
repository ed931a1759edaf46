//! A spoken memo: heard, found by its words, cited by its seconds, and played from there.

use crate::app::App;
use crate::samples::shared;
use crate::scenes::card_of;
use serde_json::json;

/// How far the player may stand from the cited start.
const NEAR_S: f64 = 0.5;

#[test]
fn a_sound_citation_seeks_to_its_second() {
    let (Some(model), Some(memo)) = (shared("asr/memo-whisper.bin"), shared("asr/memo/memo-1.wav")) else { return };
    let Some(app) = App::start() else { return };
    app.call("model_add", json!({ "path": model, "id": "memo-whisper" }));
    app.ingest("default", &[memo]);
    let question = "When was the office moved?";
    app.ask(question);
    let recalled = app.call("memory_recall", json!({ "query": question, "space": "default" }));
    let hit = &recalled["hits"][0];
    assert!(hit["quote"].as_str().is_some_and(|q| q.to_lowercase().contains("office")), "{recalled:.600}");
    app.run("window.__log=[]; const d=Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype,'currentTime'); Object.defineProperty(HTMLMediaElement.prototype,'currentTime',{configurable:true,get(){return d.get.call(this)},set(v){__log.push('set '+v+' rs='+this.readyState); d.set.call(this,v)}}); for (const k of ['loadstart','loadedmetadata','loadeddata','canplay','seeking','seeked','timeupdate','emptied','durationchange']) addEventListener(k,e=>__log.push(k+' ct='+d.get.call(e.target)+' rs='+e.target.readyState+' seeking='+e.target.seeking),true);", json!([]));
    app.click(&card_of(&app, "memo-1.wav"));
    app.wait("the sound", "document.querySelector('.pane [data-testid=audio]')?.readyState >= 1", 20);
    app.wait("the cited seconds in the waveform", "document.querySelector('.pane .wave-cited')", 10);
    let matched = &hit["matches"][0]["time"]["start_ms"];
    let start = matched.as_f64().or(hit["time"]["start_ms"].as_f64()).expect("a sound is cited by its time") / 1000.0;
    println!("DBG {}", app.settle("await new Promise(d=>setTimeout(d,1000)); return __log", json!([])).unwrap());
    let near = format!("Math.abs(document.querySelector('.pane [data-testid=audio]').currentTime - {start}) <= {NEAR_S}");
    app.wait(&format!("the player at {start} s"), &near, 10);
    let marked = app.value("[...document.querySelectorAll('.pane mark')].map(m => m.textContent).join(' ')");
    assert!(marked.as_str().is_some_and(|m| m.to_lowercase().contains("office")), "{marked}");
    // A line of the transcript seeks, too.
    app.click("[data-testid=transcript-line]");
    app.wait("the beginning", "document.querySelector('.pane [data-testid=audio]').currentTime < 1.0", 10);
}
