//! The citation: the same in every shape, honest about what became of its words, and with a preview beside it.

use crate::app::App;
use crate::browser::key;
use crate::samples::{a_model, folder};
use crate::scenes::{ANSWERS, card_of};
use serde_json::{Value, json};

const PREVIEW: &str = "document.querySelector('[data-testid=preview]')";

/// The states, each with the word that it is told by.
const STATES: [(&str, &str); 6] = [
    ("exact", ""),
    ("moved", "moved"),
    ("changed", "words changed"),
    ("older", "older version"),
    ("removed", "removed"),
    ("redacted", "blacked out"),
];

/// Lets the window see a state that a data folder takes days to reach: the answers of the engine about beliefs come with
/// it, all else in them is as it is.
fn as_if(app: &App, state: &str) {
    app.run(
        "window.__core ??= window.__TAURI__.core;
         const state = arguments[0];
         const change = part => {
            if (Array.isArray(part)) return part.forEach(change);
            if (part === null || typeof part !== 'object') return;
            if ('span_hash' in part && 'state' in part) part.state = state;
            Object.values(part).forEach(change);
         };
         const invoke = async (name, given, options) => {
            const answer = await window.__core.invoke(name, given, options);
            if (['entity_get', 'claim_explain'].includes(given?.name)) change(answer);
            return answer;
         };
         window.__TAURI__.core = { ...window.__core, invoke };",
        json!([state]),
    );
}

#[test]
fn every_state_has_its_icon_and_its_word() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    for (state, word) in STATES {
        as_if(&app, state);
        app.go("/beliefs");
        crate::beliefs::open(&app, "Ana Ruiz");
        app.click("[data-testid=claim-why]");
        app.find("[data-testid=arithmetic]");
        let shapes =
            [".claim-sources [data-testid=citation].chip", "[data-testid=evidence] [data-testid=citation].card"];
        for shape in shapes {
            let told = app.run(
                "const link = document.querySelector(arguments[0]);
                 const told = link.querySelector('[data-testid=cite-state]');
                 const box = link.getBoundingClientRect();
                 return { tag: link.tagName, high: box.height, edge: getComputedStyle(link).borderLeftWidth,
                    dashed: getComputedStyle(link).borderLeftStyle === 'dashed', word: told?.innerText.trim() ?? '',
                    icon: !!told?.querySelector('svg'), bar: !!link.querySelector('[data-testid=blacked]'),
                    quote: !!link.querySelector('[data-testid=quote]') };",
                json!([shape]),
            );
            assert_eq!((&told["tag"], &told["word"]), (&json!("A"), &json!(word)), "{state} {shape}");
            assert_eq!(told["icon"], json!(!word.is_empty()), "{state} {shape}");
            assert_eq!(told["edge"], "3px", "{state} {shape}");
            assert!(told["high"].as_f64().is_some_and(|high| high >= 24.0), "{state} {shape}: {told}");
            if shape.ends_with(".card") {
                let gone = state == "redacted";
                assert_eq!((&told["bar"], &told["quote"]), (&json!(gone), &json!(!gone)), "{state}");
                assert_eq!(told["dashed"], json!(matches!(state, "changed" | "older" | "removed")), "{state}");
            }
        }
    }
}

#[test]
fn a_removed_source_is_told_as_removed() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/dana.txt", b"Dana Moss lives in Porto.\n");
    let ingested = app.ingest("default", &[file]);
    crate::beliefs::open(&app, "Dana Moss");
    app.call("artifact_remove", json!({ "id": ingested["files"][0]["artifact_id"] }));
    app.click("[data-testid=claims-history]");
    let removed = "document.querySelector('.claim [data-testid=citation]')?.dataset.state === 'removed'";
    app.wait("a claim whose source is gone", removed, 20);
    // Its evidence is named in a row: icon, file, place, and what became of it.
    app.click("[data-testid=claim-why]");
    let row = app.wait(
        "the evidence",
        "document.querySelector('[data-testid=evidence] [data-testid=citation].row')?.innerText.replace(/\\s+/g, ' ').trim()",
        10,
    );
    assert_eq!(row, "dana.txt line 1 removed");
    let why = app.value("document.querySelector('[data-testid=evidence]').innerText");
    assert!(why.as_str().is_some_and(|why| why.contains("its source was removed")), "{why}");
}

#[test]
fn numbers_name_themselves_and_native_text_has_none() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    let quality = |app: &App, answer: usize| {
        let (question, file) = ANSWERS[answer];
        app.ask(question);
        let card = card_of(app, file);
        let words = app.run(
            "return document.querySelector(arguments[0]).querySelector('[data-testid=quality]')?.innerText ?? '';",
            json!([card]),
        );
        words.as_str().expect("words").to_owned()
    };
    assert_eq!((quality(&app, 0), quality(&app, 1)), (String::new(), String::new()));
    let read = quality(&app, 2);
    assert!(read.starts_with("read ") && read.ends_with(" %"), "{read}");
}

fn preview_has(app: &App, what: &str, selector: &str) {
    app.wait(what, &format!("{PREVIEW}?.querySelector({selector:?})"), 10);
}

fn no_preview(app: &App) {
    app.wait("no preview", &format!("!{PREVIEW}"), 10);
}

#[test]
fn space_previews_the_region_or_the_lines_and_esc_closes() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    let kinds = [(0, "mark"), (1, "[data-testid=preview-page] image"), (2, "[data-testid=preview-page] .cited")];
    for (answer, shows) in kinds {
        let (question, file) = ANSWERS[answer];
        app.ask(question);
        app.run("document.querySelector(arguments[0]).focus();", json!([card_of(&app, file)]));
        app.press(&[key::SPACE]);
        preview_has(&app, file, shows);
        assert_eq!(app.value("!document.querySelector('.pane')"), json!(true), "a preview opens no viewer");
        let inside = app.value(
            "(b => b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight)
             (document.querySelector('[data-testid=preview]').getBoundingClientRect())",
        );
        assert_eq!(inside, json!(true), "{file}: the preview lies inside the window");
        app.press(&[key::ESC]);
        no_preview(&app);
        assert_eq!(app.value("document.activeElement.dataset.testid"), "citation", "the focus stays");
    }
}

#[test]
fn a_preview_of_a_long_text_has_the_cited_words_in_its_middle() {
    let Some(app) = App::start() else { return };
    let around = "It rained on the way there and on the way back, and nobody minded. ".repeat(60);
    let file = app.file("in/walk.txt", format!("{around}Dana Moss works at Orbis. {around}\n").as_bytes());
    app.ingest("default", &[file]);
    crate::beliefs::open(&app, "Dana Moss");
    app.run("document.querySelector('.claim-sources [data-testid=citation]').focus();", json!([]));
    app.press(&[key::SPACE]);
    preview_has(&app, "the marked words", "mark");
    let off = "(pane => {
            const [mark, seen] = [pane.querySelector('mark'), pane].map(e => e.getBoundingClientRect());
            return Math.abs((mark.top + mark.bottom) / 2 - (seen.top + seen.bottom) / 2);
        })(document.querySelector('[data-testid=preview-words]'))";
    app.wait("them in the middle", &format!("{off} < 24"), 5);
    assert!(app.value("document.querySelector('[data-testid=preview-words]').scrollTop > 100") == json!(true));
}

#[test]
fn a_pointer_that_stays_previews_one_at_a_time_and_may_enter() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    crate::beliefs::open(&app, "Ana Ruiz");
    let chips = app.value("document.querySelectorAll('.claim-sources [data-testid=citation]').length");
    assert!(chips.as_u64() >= Some(2), "{chips} chips");
    app.run(
        "window.__most = 0;
         new MutationObserver(() => {
            window.__most = Math.max(window.__most, document.querySelectorAll('[data-testid=preview]').length);
         }).observe(document.body, { childList: true, subtree: true });
         document.querySelectorAll('.claim-sources [data-testid=citation]').forEach((e, at) => e.id = 'chip-' + at);",
        json!([]),
    );
    app.hover("#chip-0");
    preview_has(&app, "the lines around", "mark");
    app.hover("[data-testid=preview] mark");
    // Longer than a pointer may be on its way: what it entered stays.
    app.run("window.__until = performance.now() + 600;", json!([]));
    app.wait("some time in the preview", "performance.now() > window.__until", 5);
    assert_eq!(app.value(&format!("!!{PREVIEW}")), json!(true), "the pointer may enter");
    app.run("document.getElementById('chip-1').focus();", json!([]));
    app.press(&[key::SPACE]);
    app.wait("the other preview", "document.getElementById('chip-1').matches('[aria-describedby]')", 10);
    app.press(&[key::ESC]);
    no_preview(&app);
    app.hover("[data-testid=entity-name]");
    app.hover("#chip-0");
    preview_has(&app, "the lines again", "mark");
    app.hover("[data-testid=entity-name]");
    no_preview(&app);
    assert_eq!(app.value("window.__most"), json!(1), "never two at once");
}

#[test]
fn six_seconds_of_sound_are_previewed() {
    let Some(app) = App::start() else { return };
    if !a_model(&app) {
        return;
    }
    app.ingest("default", &[crate::samples::sample("memo.wav")]);
    app.ask("When is the meeting?");
    app.run("document.querySelector(arguments[0]).focus();", json!([card_of(&app, "memo.wav")]));
    app.press(&[key::SPACE]);
    app.wait("the sound", "document.querySelector('[data-testid=preview-audio]')?.readyState >= 1", 20);
    let request = json!({ "query": "When is the meeting?", "space": "default" });
    let recalled = app.call("memory_recall", request);
    let hits = recalled["hits"].as_array().expect("hits");
    let start = hits.iter().find(|hit| hit["title"] == "memo.wav").map(|hit| hit["time"]["start_ms"].clone());
    let start = start.as_ref().and_then(Value::as_f64).expect("a time") / 1000.0;
    let near = format!("Math.abs(document.querySelector('[data-testid=preview-audio]').currentTime - {start}) < 7");
    app.wait("the cited second", &near, 10);
    app.press(&[key::ESC]);
    no_preview(&app);
}
