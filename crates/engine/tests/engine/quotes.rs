//! Every hit's quote is its source's words at its offsets, whatever the text.

use crate::support::inputs::{self, Page};
use crate::support::{Rig, SPACE, check_quote};
use proptest::prelude::*;
use um_model::capture::MemoryRemember;
use um_model::recall::MemoryRecall;

/// Texts with what offsets trip over: astral characters, marks, lone carriage returns, long words.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z]{1,9} ",
        2 => Just("marker ".to_owned()),
        1 => Just("😀🏳️‍🌈 ".to_owned()),
        1 => Just("𝔘𝔫𝔦𝔠𝔬𝔡𝔢. ".to_owned()),
        1 => Just("e\u{301}tude\r\n".to_owned()),
        1 => Just("\n\n## Über uns\n\n".to_owned()),
        1 => Just("日本語の文章。".to_owned()),
        1 => Just("- item\n".to_owned()),
        1 => "[A-Za-z0-9]{30,60} ",
        1 => any::<char>().prop_filter("JSON and SQL hold no NUL", |c| *c != '\0').prop_map(String::from),
    ];
    proptest::collection::vec(part, 1..400).prop_map(|parts| parts.concat() + " marker")
}

fn check_all(rig: &Rig, query: &str) {
    let request = MemoryRecall { query: query.into(), limit: Some(100), ..MemoryRecall::default() };
    let found = rig.run(request).unwrap().hits;
    assert!(!found.is_empty());
    found.iter().for_each(|hit| check_quote(rig, hit));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quotes_are_the_words_of_their_source(text in texts(), as_file in any::<bool>()) {
        let rig = Rig::new();
        if as_file {
            rig.ingest("source.md", &text);
        } else {
            rig.run(MemoryRemember { text, space: SPACE.into(), ..MemoryRemember::default() }).unwrap();
        }
        rig.settled();
        check_all(&rig, "marker étude item");
    }
}

#[test]
fn a_long_text_is_cited_at_the_passage_that_answers() {
    let rig = Rig::new();
    let filler = |from: usize| -> String {
        (from..from + 400).map(|n| format!("Entry {n} tells of ordinary weather, 😀 and little more. ")).collect()
    };
    let text = format!("{}The gannet colony lies on Bass Rock.\n\n{}", filler(0), filler(1000));
    rig.ingest("log.txt", &text);
    rig.settled();
    let hit = &rig.found("gannet colony")[0];
    check_quote(&rig, hit);
    assert!(hit.quote.contains("gannet colony"), "{}", hit.quote);
    assert!(hit.quote.len() < 2_000, "a passage, not the file: {}", hit.quote.len());
    assert!(hit.lines.is_some());
    let marked: Vec<&str> = hit.matches.iter().map(|m| m.span.slice(&text).unwrap()).collect();
    assert!(marked.contains(&"gannet") && marked.contains(&"colony"), "{marked:?}");
}

#[test]
fn recognised_words_lead_to_their_boxes_pages_and_seconds() {
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    rig.ingest("shot.png", inputs::png("first line here\nthe kittiwake sits\nlast line"));
    let pages = [Page::Text("the first page speaks of nothing much".into()), Page::Scan("a puffin\nburrows".into())];
    rig.ingest("paper.pdf", inputs::pdf(None, &pages));
    rig.ingest("memo.wav", inputs::wav(&["good morning", "the fulmar glides", "good night"]));
    rig.settled();

    let hit = &rig.found("kittiwake")[0];
    // Words are ten wide a letter, beginning at 10; lines stand at 300, 320, … and are 18 high.
    assert_eq!(hit.matches[0].bbox, Some([50.0, 320.0, 90.0, 18.0]));
    assert_eq!(hit.bbox, Some([10.0, 300.0, 180.0, 58.0]));
    assert_eq!(hit.boxes.len(), 3, "one a line: {:?}", hit.boxes);
    assert_eq!((hit.extractor.as_deref(), hit.quality.is_some()), (Some("double-ocr"), true));

    let hit = &rig.found("puffin")[0];
    assert_eq!(hit.page, Some(2));
    let [x, y, w, h] = hit.matches[0].bbox.unwrap();
    assert!(x >= 0.0 && y >= 0.0 && x + w <= 600.0 && h > 0.0, "in points of the page");

    let hit = &rig.found("fulmar")[0];
    let time = hit.matches[0].time.unwrap();
    assert_eq!((time.start_ms, time.end_ms), (1000, 1900));
    let time = hit.time.unwrap();
    assert!(time.start_ms <= 1000 && time.end_ms >= 1900);
    rig.found("kittiwake puffin fulmar").iter().for_each(|hit| check_quote(&rig, hit));
}
