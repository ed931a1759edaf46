//! Finding in a text what a language model says it has read there. Models change white space, quotation marks and the
//! composition of letters when they copy; what is found is always a stretch of the text itself.

use std::ops::Range;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// A text made plain for comparing, with the way back.
pub(super) struct Plain {
    chars: Vec<char>,
    /// The bytes of the text that each stands for.
    bytes: Vec<Range<usize>>,
}

impl Plain {
    /// White space becomes single spaces, typographic marks plain ones, letters are taken apart.
    pub(super) fn new(text: &str) -> Self {
        let mut plain = Self { chars: Vec::new(), bytes: Vec::new() };
        for (at, c) in text.char_indices() {
            let bytes = at..at + c.len_utf8();
            if c.is_whitespace() {
                match plain.chars.last() {
                    Some(' ') => {
                        if let Some(last) = plain.bytes.last_mut() {
                            last.end = bytes.end;
                        }
                    }
                    _ => plain.push(' ', bytes),
                }
                continue;
            }
            decompose_canonical(c, |part| plain.push(straight(part), bytes.clone()));
        }
        plain
    }

    /// The same in lower case.
    pub(super) fn folded(text: &str) -> Self {
        let mut plain = Self::new(text);
        for c in &mut plain.chars {
            *c = c.to_lowercase().next().unwrap_or(*c);
        }
        plain
    }

    fn push(&mut self, c: char, bytes: Range<usize>) {
        self.chars.push(c);
        self.bytes.push(bytes);
    }

    fn trimmed(&self) -> &[char] {
        let start = self.chars.iter().position(|c| *c != ' ').unwrap_or(self.chars.len());
        let end = self.chars.iter().rposition(|c| *c != ' ').map_or(start, |at| at + 1);
        &self.chars[start..end]
    }

    /// The places where `wanted` stands, in order, as indexes.
    fn places<'a>(&'a self, wanted: &'a Plain) -> impl Iterator<Item = Range<usize>> + 'a {
        let wanted = wanted.trimmed();
        let length = wanted.len();
        let whole = move |at: usize| {
            let same_letter = |at: usize| self.bytes.get(at).is_some_and(|here| at > 0 && *here == self.bytes[at - 1]);
            let torn = |at: usize| same_letter(at) || self.chars.get(at).copied().is_some_and(is_combining_mark);
            !torn(at) && !torn(at + length)
        };
        let starts = if length == 0 { 0 } else { (self.chars.len() + 1).saturating_sub(length) };
        (0..starts)
            .filter(move |at| self.chars[*at..*at + length] == *wanted && whole(*at))
            .map(move |at| at..at + length)
    }

    fn source(&self, place: &Range<usize>) -> Range<usize> {
        self.bytes[place.start].start..self.bytes[place.end - 1].end
    }

    /// Whether no word is cut where a place begins or ends. Scripts without capitals may write words without space.
    fn is_bounded(&self, place: &Range<usize>) -> bool {
        let in_word = |c: char| c.is_lowercase() || c.is_uppercase() || c.is_numeric();
        let before = place.start.checked_sub(1).and_then(|at| self.chars.get(at));
        let after = self.chars.get(place.end);
        let cut = |edge: char, beside: Option<&char>| in_word(edge) && beside.is_some_and(|c| in_word(*c));
        !cut(self.chars[place.start], before) && !cut(self.chars[place.end - 1], after)
    }
}

/// Typographic marks as keyboards write them.
fn straight(c: char) -> char {
    match c {
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '–' | '—' | '‐' | '‑' | '−' => '-',
        _ => c,
    }
}

/// Where a quote stands in a text: letter by letter, else but for white space and typography.
pub(super) fn quote(text: &str, plain: &Plain, quote: &str) -> Option<Range<usize>> {
    let quote = quote.trim();
    if !quote.chars().any(char::is_alphanumeric) {
        return None;
    }
    let exact = text.find(quote).map(|at| at..at + quote.len());
    let whole = |range: &Range<usize>| !text[range.end..].starts_with(is_combining_mark);
    exact.filter(whole).or_else(|| Some(plain.source(&plain.places(&Plain::new(quote)).next()?)))
}

/// Where a name or value stands in a text, whatever its case, as whole words.
pub(super) fn words(folded: &Plain, wanted: &str) -> Option<Range<usize>> {
    let wanted = Plain::folded(wanted);
    folded.places(&wanted).find(|place| folded.is_bounded(place)).map(|place| folded.source(&place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, wanted: &str, expected: Option<&str>) {
        let found = quote(text, &Plain::new(text), wanted).map(|range| &text[range]);
        assert_eq!(found, expected, "{wanted:?} in {text:?}");
    }

    #[test]
    fn quotes_are_found_as_the_text_has_them() {
        check("Ana lives in Porto. Ben too.", "Ana lives in Porto.", Some("Ana lives in Porto."));
        check("Ana lives\r\n  in Porto.", "Ana lives in Porto.", Some("Ana lives\r\n  in Porto."));
        check("Ana’s “old” car – red", "Ana's \"old\" car - red", Some("Ana’s “old” car – red"));
        check("Tomás left 😀 today", "Toma\u{301}s left 😀", Some("Tomás left 😀"));
        check("Toma\u{301}s left", "Tomás left", Some("Toma\u{301}s left"));
        check("𝔘nicode 👩‍👩‍👧 here", "𝔘nicode 👩‍👩‍👧", Some("𝔘nicode 👩‍👩‍👧"));
        check("  padded  ", " padded\n", Some("padded"));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        check("Ana lives in Porto.", "Ana lives in Lisbon.", None);
        check("Ana lives in Porto.", "ana lives in porto.", None);
        check("Ana lives in lovely Porto.", "Ana lives in Porto.", None);
        check("Ana … Porto", "…", None);
        check("Ana", "", None);
        check("", "Ana", None);
        // Half a letter is no letter.
        check("Toma\u{301}s", "Toma", None);
        check("  Tomás", "  Toma", None);
    }

    #[test]
    fn names_are_found_as_whole_words() {
        let check = |text: &str, wanted: &str, expected: Option<&str>| {
            let found = words(&Plain::folded(text), wanted).map(|range| &text[range]);
            assert_eq!(found, expected, "{wanted:?} in {text:?}");
        };
        check("At HALDEN  Labs since 2021", "Halden Labs", Some("HALDEN  Labs"));
        check("Anastasia and Ana", "ana", Some("Ana"));
        check("Anastasia", "Ana", None);
        check("20211", "2021", None);
        check("田中さんは東京にいる", "田中", Some("田中"));
        check("Ana's car", "Ana", Some("Ana"));
        check("x", " ", None);
    }

    proptest! {
        #[test]
        fn any_stretch_of_words_is_found_however_it_is_spaced(
            words in proptest::collection::vec("[A-Za-zäéß😀’]{1,6}", 1..12), from in 0usize..12, count in 1usize..6, gap in "[ \r\n\t]{1,3}",
        ) {
            let from = from.min(words.len() - 1);
            let part = &words[from..(from + count).min(words.len())];
            prop_assume!(part.concat().chars().any(char::is_alphanumeric));
            let text = words.join(&gap);
            let found = quote(&text, &Plain::new(&text), &part.join(" "));
            let found = found.map(|range| text[range].split_whitespace().collect::<Vec<_>>().join(" "));
            let found = found.map(|found| found.replace('’', "'"));
            prop_assert_eq!(found, Some(part.join(" ").replace('’', "'")));
        }

        #[test]
        fn what_is_found_is_always_a_part_of_the_text(text in ".{0,40}", wanted in ".{0,8}") {
            if let Some(range) = quote(&text, &Plain::new(&text), &wanted) {
                prop_assert!(text.get(range).is_some());
            }
            if let Some(range) = words(&Plain::folded(&text), &wanted) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
