use super::*;
use crate::provider::Utterance;

fn word(text: &str, line: u32, block: u32) -> PlacedWord {
    PlacedWord { text: text.into(), bbox: [1.0, 300.0, 3.0, 4.0], confidence: 0.5, line, block }
}

fn page(words: Vec<PlacedWord>) -> WordPage {
    WordPage { words, width: 600.0, height: 800.0 }
}

/// Every anchor covers its own word.
fn anchored(text: &Text) -> Vec<&str> {
    text.anchors.iter().map(|anchor| anchor.span.slice(&text.text).unwrap()).collect()
}

#[test]
fn a_page_keeps_words_lines_and_blocks() {
    let words =
        vec![word("Größe", 0, 0), word("😀", 0, 0), word("two", 1, 0), word(" ", 1, 0), word("new block", 2, 1)];
    let text = compose_page(&page(words), Some(3));
    assert_eq!(text.text, "Größe 😀\ntwo\n\nnewblock");
    assert_eq!(anchored(&text), ["Größe", "😀", "two", "newblock"]);
    let blocks: Vec<_> = text.blocks.iter().map(|block| &text.text[block.clone()]).collect();
    assert_eq!(blocks, ["Größe 😀\ntwo", "newblock"]);
    assert!(text.anchors.iter().all(|anchor| anchor.page == Some(3) && anchor.bbox.is_some() && anchor.time.is_none()));
    assert!((text.quality - 0.5).abs() < 1e-9);
}

#[test]
fn quality_is_weighted_by_length() {
    let sure = PlacedWord { confidence: 1.0, ..word("abc", 0, 0) };
    let unsure = PlacedWord { confidence: 0.0, ..word("d", 0, 0) };
    let nan = PlacedWord { confidence: f32::NAN, ..word("d", 0, 0) };
    assert!((compose_page(&page(vec![sure, unsure]), None).quality - 0.75).abs() < 1e-9);
    assert_eq!(compose_page(&page(vec![]), None), Text::default());
    assert!(compose_page(&page(vec![nan]), None).quality.is_finite());
}

#[test]
fn a_transcript_has_a_line_an_utterance() {
    let say = |text: &str, start_ms, end_ms| Utterance { text: text.into(), start_ms, end_ms, confidence: 0.9 };
    let transcript = Transcript {
        utterances: vec![say("call Anna\non Friday", 0, 900), say(" ", 900, 950), say("at seven 😀", 1000, 800)],
        language: Some("en".into()),
    };
    let text = compose_transcript(&transcript);
    assert_eq!(text.text, "call Anna on Friday\nat seven 😀");
    assert_eq!(anchored(&text), ["call Anna on Friday", "at seven 😀"]);
    let times: Vec<_> = text.anchors.iter().map(|anchor| anchor.time.unwrap()).collect();
    assert_eq!(times, [TimeSpan { start_ms: 0, end_ms: 900 }, TimeSpan { start_ms: 1000, end_ms: 1000 }]);
    assert_eq!(text.blocks, [0..19, 20..33]);
    assert_eq!(text.language.as_deref(), Some("en"));
    assert_eq!(compose_transcript(&Transcript::default()), Text::default());
}

fn check(words: &[&str], y: f64, expected: bool) {
    let words = words.iter().map(|text| PlacedWord { bbox: [50.0, y, 20.0, 10.0], ..word(text, 0, 0) }).collect();
    assert_eq!(usable_text_layer(&page(words)), expected);
}

#[test]
fn a_layer_is_usable_when_it_says_something() {
    let sentence = ["The", "quick", "brown", "fox", "jumps", "over", "it."];
    check(&sentence, 300.0, true);
    check(&["Быстрая", "лиса", "прыгает", "через", "собаку"], 300.0, true);
    check(&["明日の会議は", "午後三時から", "始まります。", "資料を", "忘れずに"], 300.0, true);
    check(&["1.5", "2.75", "-3", "4.0", "12/2020"], 300.0, true);
    check(&[], 300.0, false);
    check(&["Page", "12"], 300.0, false);
    check(&sentence, 20.0, false);
    check(&sentence, 780.0, false);
    check(&["\u{FFFD}\u{FFFD}\u{FFFD}"; 40], 300.0, false);
    check(&["\u{F0A7}\u{F0A8}x"; 40], 300.0, false);
    check(&["(cid:12)(cid:33)"; 40], 300.0, false);
    check(&["!\"#", "$%&", "'()", "*+,", "-./", "#$%"], 300.0, false);
}
