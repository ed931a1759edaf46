//! The main job: a question, its passages, and the words of the source behind each of them.

use crate::app::App;
use crate::samples::folder;
use crate::scenes::{ANSWERS, card_of};
use serde_json::{Value, json};

/// The hit of a file, as the engine gives it for the same question.
fn hit_of(app: &App, question: &str, file: &str) -> Value {
    let request = json!({ "query": question, "space": "default", "limit": 20 });
    let recalled = app.call("memory_recall", request);
    let hits = recalled["hits"].as_array().expect("a list of hits");
    hits.iter().find(|hit| hit["title"] == file).unwrap_or_else(|| panic!("no hit in {file}: {recalled:.400}")).clone()
}

/// The same words with one space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A span of UTF-16 code units of a text.
fn cut(text: &str, span: &Value) -> String {
    let at = |name: &str| span[name].as_u64().expect("an offset") as usize;
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[at("start")..at("end")]).expect("a span between characters")
}

/// Clicks the citation of a file and gives the milliseconds until something is highlighted in sight.
fn click_and_time(app: &App, file: &str) -> f64 {
    app.run(
        "window.__clicked = window.__seen = null;
         const watch = () => {
            const seen = [...document.querySelectorAll('.pane [data-testid=highlight]')].some(e => {
               const box = e.getBoundingClientRect();
               const pane = e.closest('.viewer-body').getBoundingClientRect();
               return box.width > 0 && box.top < pane.bottom && box.bottom > pane.top
                  && box.left < pane.right && box.right > pane.left;
            });
            if (seen) window.__seen = performance.now(); else requestAnimationFrame(watch);
         };
         addEventListener('click', () => { window.__clicked = performance.now(); watch(); }, { capture: true, once: true });",
        json!([]),
    );
    app.click(&card_of(app, file));
    app.wait("a highlight in sight", "window.__seen", 10);
    app.value("window.__seen - window.__clicked").as_f64().expect("a time")
}

#[test]
fn a_citation_leads_to_its_words() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    for (question, file) in ANSWERS {
        app.ask(question);
        let hit = hit_of(&app, question, file);
        the_quote_is_the_source(&app, &hit);
        the_card_says_so(&app, file, &hit);
        let took = click_and_time(&app, file);
        assert!(took < 1000.0, "{file}: highlighted after {took:.0} ms");
        match hit["modality"].as_str() {
            Some("pdf" | "image") => the_boxes_cover_the_words(&app, &hit),
            _ => the_marks_are_the_quote(&app, &hit),
        }
    }
}

fn the_quote_is_the_source(app: &App, hit: &Value) {
    let view = app.call("view_read", json!({ "id": hit["ids"]["view"] }));
    let quote = hit["quote"].as_str().expect("a quote");
    assert_eq!(cut(view["text"].as_str().expect("a text"), &hit["span"]), quote);
}

fn the_card_says_so(app: &App, file: &str, hit: &Value) {
    let card = card_of(app, file);
    let shown = app.run(
        "const card = document.querySelector(arguments[0]);
         return [card.querySelector('[data-testid=quote]').textContent, +card.dataset.start, +card.dataset.end,
                 card.getAttribute('href'), card.querySelector('[data-testid=place]')?.textContent];",
        json!([card]),
    );
    assert_eq!(shown[0], hit["quote"], "the card shows the exact quote");
    assert_eq!((&shown[1], &shown[2]), (&hit["span"]["start"], &hit["span"]["end"]));
    let address = shown[3].as_str().expect("a citation is a link");
    assert!(address.contains(hit["ids"]["artifact"].as_str().expect("a file")), "{address}");
    let place = shown[4].as_str().expect("a place");
    let named = match hit["modality"].as_str() {
        Some("pdf") => place == format!("p. {}", hit["page"]),
        Some("image") => place.starts_with("box "),
        _ => place.starts_with("line"),
    };
    assert!(named, "{file} is cited at {place:?}");
}

fn the_marks_are_the_quote(app: &App, hit: &Value) {
    let marked = app
        .value("[...document.querySelectorAll('.pane mark[data-testid=highlight]')].map(m => m.textContent).join('')");
    let (marked, quote) = (marked.as_str().unwrap_or_default(), hit["quote"].as_str().expect("a quote"));
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(letters(marked), letters(quote));
}

/// Each word of the quote lies under one of the boxes on the screen, and at least as high as can be read.
fn the_boxes_cover_the_words(app: &App, hit: &Value) {
    let view = app.call("view_read", json!({ "id": hit["ids"]["view"], "span": hit["span"] }));
    let anchors: Vec<&Value> =
        view["anchors"].as_array().expect("anchors").iter().filter(|a| a["bbox"].is_array()).collect();
    assert!(!anchors.is_empty(), "the words have places");
    let boxes = app.value(
        "[...document.querySelectorAll('.pane .cited .edge')].map(r => ['x', 'y', 'width', 'height'].map(a => r[a].baseVal.value))",
    );
    let number = |list: &Value, at: usize| list[at].as_f64().expect("a number");
    for anchor in anchors {
        let word = &anchor["bbox"];
        let (x, y) = (number(word, 0) + number(word, 2) / 2.0, number(word, 1) + number(word, 3) / 2.0);
        let inside = |b: &&Value| {
            let (left, top) = (number(b, 0), number(b, 1));
            (left..=left + number(b, 2)).contains(&x) && (top..=top + number(b, 3)).contains(&y)
        };
        assert!(boxes.as_array().expect("boxes").iter().any(|b| inside(&b)), "no box covers {anchor}: {boxes}");
    }
    let lowest = app.value(
        "Math.min(...[...document.querySelectorAll('.pane .cited .edge')].map(r => r.getBoundingClientRect().height))",
    );
    assert!(lowest.as_f64().is_some_and(|height| height >= 13.5), "cited text is {lowest} px high");
    on_its_page(app, hit);
}

/// A picture of the page stands behind the boxes, and it is the page that was cited.
fn on_its_page(app: &App, hit: &Value) {
    let label = app.value("document.querySelector('.pane [data-testid=page]:has(.cited)').getAttribute('aria-label')");
    if let Some(page) = hit["page"].as_u64().filter(|_| hit["modality"] == "pdf") {
        assert!(label.as_str().is_some_and(|l| l.starts_with(&format!("Page {page} of"))), "{label}");
    }
    app.wait(
        "the picture",
        "document.querySelector('.pane [data-testid=page]:has(.cited) image')?.getBBox().width > 0",
        10,
    );
}

#[test]
fn a_screenshot_is_found_by_its_words() {
    let Some(picture) = crate::samples::shared("ocr/polar-bears.png") else { return };
    let Some(app) = App::start() else { return };
    app.ingest("default", &[picture]);
    app.ask("polar bears");
    let hit = hit_of(&app, "polar bears", "polar-bears.png");
    assert!(words(hit["quote"].as_str().expect("a quote")).to_lowercase().contains("polar bears"), "{}", hit["quote"]);
    let took = click_and_time(&app, "polar-bears.png");
    assert!(took < 1000.0, "highlighted after {took:.0} ms");
    the_boxes_cover_the_words(&app, &hit);
    // The words of the question are underlined one by one, and F3 goes from one to the next.
    let underlined = app.value("document.querySelectorAll('.pane .match').length").as_u64().unwrap_or(0);
    assert!(underlined >= 2, "{underlined} words of the question are underlined");
    let first = app.value("document.querySelector('[data-testid=stops]').innerText");
    assert!(first.as_str().is_some_and(|words| words.starts_with("match 1 of ")), "{first}");
    app.press(&[crate::browser::key::F3]);
    app.wait("the next match", &format!("document.querySelector('[data-testid=stops]').innerText !== {first}"), 10);
}

#[test]
fn a_question_without_an_answer_says_so_and_offers_the_closest() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.ask("How many moons has Jupiter got according to Galileo?");
    let words = app.wait("the sentence", "document.querySelector('[data-testid=no-answer]')?.innerText", 10);
    let words = words.as_str().expect("words");
    assert!(words.contains("Nothing in default answers this.") && words.contains("Show the 3 closest"), "{words}");
    assert_eq!(app.value("document.querySelectorAll('[data-testid=result]').length"), json!(0));
    app.click("[data-testid=show-closest]");
    app.wait("the closest", "document.querySelectorAll('[data-testid=result]').length === 3", 10);
    app.click("[data-testid=why]");
    let why = app.wait("why it is no answer", "document.querySelector('[data-testid=why-gates]')?.innerText", 10);
    let not_sure = "Nothing found is sure enough to be an answer: ";
    assert!(why.as_str().is_some_and(|why| why.starts_with(not_sure)), "{why}");
}
