//! From placed words and timed utterances to text with anchors.

use super::Text;
use crate::provider::{PlacedWord, Transcript, WordPage};
use um_model::capture::Anchor;
use um_model::span::utf16_len;
use um_model::{TimeSpan, Utf16Span};

/// Text under construction; counts UTF-16 code units as it grows.
#[derive(Default)]
struct Composed {
    text: Text,
    units: u32,
    /// Sum of confidences, each times the length of its words.
    confidence: f64,
}

impl Composed {
    fn push(&mut self, part: &str) {
        self.text.text.push_str(part);
        self.units += utf16_len(part);
    }

    /// Adds words that have a place.
    fn push_anchored(&mut self, words: &str, place: Anchor) {
        let start = self.units;
        self.push(words);
        let confidence = place.confidence.unwrap_or(0.0);
        self.confidence += confidence * f64::from(self.units - start);
        self.text.anchors.push(Anchor { span: Utf16Span::new(start, self.units), ..place });
    }

    fn finish(mut self) -> Text {
        let anchored: u32 = self.text.anchors.iter().map(|anchor| anchor.span.len()).sum();
        self.text.quality = if anchored == 0 { 0.0 } else { self.confidence / f64::from(anchored) };
        self.text
    }
}

/// Puts the words of a page together: words of a line joined by a space, lines by `\n`, blocks by a blank
/// line. One anchor a word, one block range a block; the quality is the mean confidence, weighted by
/// length. `number` is the page's number, from 1, where the source has pages.
pub fn compose_page(page: &WordPage, number: Option<u32>) -> Text {
    let mut out = Composed::default();
    let mut previous: Option<&PlacedWord> = None;
    for word in &page.words {
        // White space inside a word would look like the space between two.
        let letters: String = word.text.split_whitespace().collect();
        if letters.is_empty() {
            continue;
        }
        let (joint, new_block) = match previous {
            None => ("", true),
            Some(last) if last.block != word.block => ("\n\n", true),
            Some(last) if last.line != word.line => ("\n", false),
            Some(_) => (" ", false),
        };
        out.push(joint);
        let start = out.text.text.len();
        let place = Anchor {
            span: Utf16Span::new(0, 0),
            page: number,
            bbox: Some(word.bbox),
            time: None,
            confidence: Some(share(word.confidence)),
        };
        out.push_anchored(&letters, place);
        let end = out.text.text.len();
        match out.text.blocks.last_mut() {
            Some(block) if !new_block => block.end = end,
            _ => out.text.blocks.push(start..end),
        }
        previous = Some(word);
    }
    out.finish()
}

/// Puts the utterances of a recording together: one line, one anchor and one block range each.
pub fn compose_transcript(transcript: &Transcript) -> Text {
    let mut out = Composed::default();
    for utterance in &transcript.utterances {
        let words = utterance.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            continue;
        }
        if !out.text.text.is_empty() {
            out.push("\n");
        }
        let start = out.text.text.len();
        let time = TimeSpan { start_ms: utterance.start_ms, end_ms: utterance.end_ms.max(utterance.start_ms) };
        let place = Anchor {
            span: Utf16Span::new(0, 0),
            page: None,
            bbox: None,
            time: Some(time),
            confidence: Some(share(utterance.confidence)),
        };
        out.push_anchored(&words, place);
        let end = out.text.text.len();
        out.text.blocks.push(start..end);
    }
    out.text.language.clone_from(&transcript.language);
    out.finish()
}

/// A confidence between 0 and 1; what is no number is none.
fn share(confidence: f32) -> f64 {
    if confidence.is_finite() { f64::from(confidence).clamp(0.0, 1.0) } else { 0.0 }
}

/// Whether the text layer of a PDF page can stand for the page. It cannot when it is empty, when its
/// characters are mostly without meaning (a font without a map to Unicode), or when it holds but a few
/// stray words, such as the stamp at the edge of a scan. OCR reads the page then.
pub fn usable_text_layer(page: &WordPage) -> bool {
    /// Fewer words than this are strays.
    const WORDS: usize = 5;
    /// A page whose only words stand in its margins has at least this many.
    const MARGIN_WORDS: usize = 60;
    let (mut all, mut unmapped, mut letters) = (0usize, 0usize, 0usize);
    for word in &page.words {
        let bare = word.text.starts_with("(cid:");
        for c in word.text.chars() {
            all += 1;
            unmapped += usize::from(bare || is_unmapped(c));
            letters += usize::from(c.is_alphanumeric());
        }
    }
    let words = page.words.len();
    words >= WORDS
        && unmapped * 10 <= all // at most a tenth without meaning
        && letters * 5 >= all * 2 // at least two fifths letters and digits
        && (words >= MARGIN_WORDS || page.words.iter().any(|word| !in_margin(word, page.height)))
}

/// Characters that a font without a map to Unicode leaves behind.
fn is_unmapped(c: char) -> bool {
    c == char::REPLACEMENT_CHARACTER
        || c.is_control()
        || matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}

/// Whether a word stands in the uppermost or lowest twelfth of the page.
fn in_margin(word: &PlacedWord, height: f64) -> bool {
    let [_, y, _, h] = word.bbox;
    height > 0.0 && (y + h <= height / 12.0 || y >= height * 11.0 / 12.0)
}

#[cfg(test)]
mod tests;
