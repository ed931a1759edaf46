//! Where sentences end: by the sentence bounds of Unicode (UAX #29), but not after abbreviations, and not
//! where a line was only broken because it was full.

use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// The sentences of a stretch of running text, each with the white space around it taken off. Line breaks
/// inside the stretch count as spaces. All that is not white space lies in one of them.
pub(super) fn sentences(text: &str, stretch: Range<usize>) -> Vec<Range<usize>> {
    // Unicode ends a sentence at each line break; one byte for one keeps the offsets.
    let running = match text[stretch.clone()].contains('\n') {
        true => Cow::Owned(text[stretch.clone()].replace('\n', " ")),
        false => Cow::Borrowed(&text[stretch.clone()]),
    };
    let mut found = Vec::new();
    let mut start = stretch.start;
    for (at, part) in running.split_sentence_bound_indices() {
        let end = stretch.start + at + part.len();
        if end < stretch.end && (goes_on(part) || !is_grapheme_boundary(text, end)) {
            continue;
        }
        found.extend(trimmed(text, start..end));
        start = end;
    }
    found
}

/// Whether a sentence goes on after a part of it that has the marks of an end: after an abbreviation, and
/// where a sign of ASCII is followed at once by the next, as in source code and addresses.
fn goes_on(part: &str) -> bool {
    part.ends_with(|c: char| c.is_ascii_graphic()) || ends_with_abbreviation(part)
}

/// Whether a part ends with a word that is written with a full stop inside sentences, or with an initial.
fn ends_with_abbreviation(part: &str) -> bool {
    let Some(word) = part.trim_end().strip_suffix('.') else { return false };
    let from = word.rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„' | '«'));
    let word = from.map_or(word, |at| word[at..].trim_start_matches(|c: char| !c.is_alphanumeric()));
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return letter.is_uppercase() || matches!(letter, 'p' | 'z' | 'd' | 'u' | 'o');
    }
    ABBREVIATIONS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// Abbreviations after which a sentence goes on; sorted. Those that often end one ("etc.", "Inc.") are out.
#[rustfmt::skip]
const ABBREVIATIONS: [&str; 72] = [
    "abb", "abs", "al", "allg", "app", "approx", "apr", "art", "aug", "bzgl", "bzw", "ca", "capt", "cf", "col", "d.h",
    "dec", "dept", "dipl", "dr", "e.g", "ed", "eds", "eq", "evtl", "feb", "fig", "figs", "gen", "ggf", "gov", "hon",
    "hr", "i.e", "ing", "inkl", "jan", "jr", "kap", "lt", "max", "min", "mme", "mr", "mrs", "ms", "mt", "nov", "nr",
    "oct", "op", "pp", "prof", "resp", "rev", "sec", "sen", "sep", "sept", "sgt", "sog", "sr", "sra", "st", "str",
    "u.a", "vgl", "viz", "vol", "vols", "vs", "z.b",
];

/// A range without the white space around it; `None` where nothing is left. A space that carries a
/// combining mark is no white space.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = &text[range.clone()];
    let mut start = range.end - part.trim_start().len();
    let mut end = range.start + part.trim_end().len();
    if start >= end {
        return None;
    }
    while start > range.start && !is_grapheme_boundary(text, start) {
        start -= text[..start].chars().next_back().map_or(1, char::len_utf8);
    }
    while end < range.end && !is_grapheme_boundary(text, end) {
        end += text[end..].chars().next().map_or(1, char::len_utf8);
    }
    Some(start..end)
}

/// Whether a text may be cut at a byte offset without tearing what a reader sees as one character.
pub(super) fn is_grapheme_boundary(text: &str, at: usize) -> bool {
    // With all of the text at hand the answer is never incomplete.
    text.is_char_boundary(at) && GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = sentences(text, 0..text.len()).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(ABBREVIATIONS.is_sorted());
    }

    #[test]
    fn sentences_end_where_readers_end_them() {
        check("", &[]);
        check(" \n ", &[]);
        check("One. Two!  Three? Four", &["One.", "Two!", "Three?", "Four"]);
        check(
            "Dr. Smith met J. R. Jones (cf. Fig. 3). They left.",
            &["Dr. Smith met J. R. Jones (cf. Fig. 3).", "They left."],
        );
        check(
            "Das gilt z. B. Montags bzw. Dienstags. Sonst nicht.",
            &["Das gilt z. B. Montags bzw. Dienstags.", "Sonst nicht."],
        );
        check("It costs 3.50 at shop.example.com. Buy it.", &["It costs 3.50 at shop.example.com.", "Buy it."]);
        check("A line that\nwas broken. And\nanother.", &["A line that\nwas broken.", "And\nanother."]);
        check("#![warn(x)] is odd! Yes.", &["#![warn(x)] is odd!", "Yes."]);
        check("今日は晴れ。明日は雨。", &["今日は晴れ。", "明日は雨。"]);
        check("ذهبنا إلى السوق. عدنا مساءً.", &["ذهبنا إلى السوق.", "عدنا مساءً."]);
        check("Wow 😀! Really? “Yes.” He said so.", &["Wow 😀!", "Really?", "“Yes.”", "He said so."]);
        check("End. \u{301}X", &["End. \u{301}", "X"]);
    }
}
