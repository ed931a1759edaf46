//! Hiding in one text.

use super::Kinds;
use std::ops::Range;
use um_model::Utf16Span;
use um_model::findings::FindingKind;
use um_pii::Rules;

/// Something to be hidden in a text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hidden {
    pub(super) range: Range<usize>,
    pub(super) kind: FindingKind,
}

/// What detectors see in a text.
pub(super) fn seen(text: &str, kinds: &Kinds) -> Vec<Hidden> {
    // Nothing is shorter than an address of a machine, `::1`, and most strings of an answer are.
    if text.len() < 3 || is_id(text) {
        return Vec::new();
    }
    let rules = Rules::of(&kinds.iter().copied().collect::<Vec<_>>());
    let mut found = placed(text, um_pii::find(text, &rules).into_iter().map(|found| (found.kind, found.span)));
    if found.is_empty() {
        return found;
    }
    // What stands in the place of something hidden is no secret itself: `my password is [secret hidden]`.
    let masks: Vec<Range<usize>> = FindingKind::ALL
        .iter()
        .flat_map(|kind| {
            text.match_indices(&words_for(*kind)).map(|(at, words)| at..at + words.len()).collect::<Vec<_>>()
        })
        .collect();
    found.retain(|one| !masks.iter().any(|mask| mask.start <= one.range.start && one.range.end <= mask.end));
    found
}

/// Spans of a text as ranges of its bytes, where they fit.
pub(super) fn placed(text: &str, spans: impl Iterator<Item = (FindingKind, Utf16Span)>) -> Vec<Hidden> {
    let mut spans: Vec<(FindingKind, Utf16Span)> = spans.collect();
    spans.sort_by_key(|(_, span)| (span.start, span.end));
    let mut offsets = um_model::span::Utf16Offsets::new(text);
    let mut hidden = Vec::new();
    let mut end_of_last = 0;
    for (kind, span) in spans {
        // What overlaps the one before begins behind it; so offsets only go forward.
        let start = span.start.max(end_of_last);
        if start >= span.end {
            continue;
        }
        if let (Some(from), Some(to)) = (offsets.byte_at(start), offsets.byte_at(span.end)) {
            hidden.push(Hidden { range: from..to, kind });
            end_of_last = span.end;
        }
    }
    hidden
}

/// The text with words in the place of what is hidden. Ranges that overlap or touch become one.
pub(super) fn without(text: &str, mut hidden: Vec<Hidden>) -> String {
    hidden.sort_by_key(|one| (one.range.start, one.range.end));
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for (number, one) in hidden.iter().enumerate() {
        let goes_on = number > 0 && one.range.start < at;
        if !goes_on {
            shown += &text[at..one.range.start];
            shown += &words_for(one.kind);
        }
        at = at.max(one.range.end);
    }
    shown + &text[at..]
}

/// What stands in the place of something hidden.
pub(super) fn words_for(kind: FindingKind) -> String {
    format!("[{} hidden]", kind.as_str().replace('_', " "))
}

/// Where some words stand in a text, not as a part of other words.
pub(super) fn occurrences(text: &str, words: &str) -> Vec<Range<usize>> {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words)
        .filter(|(at, _)| {
            let (before, after) = (&text[..*at], &text[at + words.len()..]);
            let begins = !is_part(before.chars().next_back()) || !is_part(words.chars().next());
            begins && (!is_part(after.chars().next()) || !is_part(words.chars().next_back()))
        })
        .map(|(at, _)| at..at + words.len())
        .collect()
}

/// A letter of some words: at which code unit it stands in the text that they are taken from, and its bytes in the words.
pub(super) type Letter = (u32, Range<usize>);

/// The letters of the words that a text begins with, where it does: white space may be another, and `…` may stand for the rest.
pub(super) fn begun(text: &str, words: &str) -> Option<Vec<Letter>> {
    let (mut rest, mut unit) = (text.chars().peekable(), 0);
    let mut letters: Vec<Letter> = Vec::new();
    for (at, letter) in words.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
        while let Some(space) = rest.next_if(|c| c.is_whitespace()) {
            unit += space.len_utf16() as u32;
        }
        if rest.next_if_eq(&letter).is_none() {
            let is_rest = letter == '…' && at + letter.len_utf8() == words.trim_end().len();
            return Some(letters).filter(|letters| is_rest && !letters.is_empty());
        }
        letters.push((unit, at..at + letter.len_utf8()));
        unit += letter.len_utf16() as u32;
    }
    Some(letters).filter(|letters| !letters.is_empty())
}

/// The part of a text that letters of some words take, where it is looked at from a code unit on: from the first to the end of the last.
pub(super) fn part_of(words: &str, letters: &[Letter], from: u32) -> Option<Utf16Span> {
    let ((first, _), (last, bytes)) = (letters.first()?, letters.last()?);
    let length = um_model::span::utf16_len(words.get(bytes.clone())?);
    Some(Utf16Span::new(from + first, from + last + length))
}

/// Whether a text is nothing but an id of this product's own: they are in every answer, and hold nothing.
pub(super) fn is_id(text: &str) -> bool {
    um_model::SpaceId::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_not_hidden_again() {
        let kinds = [FindingKind::Secret, FindingKind::Email].into();
        let once = |text: &str| without(text, seen(text, &kinds));
        for (text, hidden) in [
            ("My password is Tr0ub4dor&3", "My password is [secret hidden]"),
            ("password: Tr0ub4dor&3x, mail a@b.example", "password: [secret hidden], mail [email hidden]"),
        ] {
            assert_eq!(once(text), hidden);
            assert_eq!(once(hidden), hidden);
        }
    }

    #[test]
    fn words_stand_in_the_place_of_what_is_hidden() {
        let check = |text: &str, ranges: &[(usize, usize)], expected: &str| {
            let hidden = ranges.iter().map(|(from, to)| Hidden { range: *from..*to, kind: FindingKind::BirthDate });
            assert_eq!(without(text, hidden.collect()), expected);
        };
        check("abcdef", &[], "abcdef");
        check("abcdef", &[(0, 6)], "[birth date hidden]");
        check("abcdef", &[(3, 4), (1, 2)], "a[birth date hidden]c[birth date hidden]ef");
        check("abcdef", &[(1, 4), (2, 3), (3, 5)], "a[birth date hidden]f");
    }

    #[test]
    fn words_are_found_where_they_are_no_part_of_others() {
        let check = |text: &str, words: &str, expected: usize| {
            assert_eq!(occurrences(text, words).len(), expected, "{words} in {text}");
        };
        check("Ana met Ana.", "Ana", 2);
        check("Anabel met Mariana", "Ana", 0);
        check("Ána Ana", "Ana", 1);
        check("(+46 8)+46 8", "+46 8", 2);
        check("x+46 81", "+46 8", 0);
        check("x+46 8", "+46 8", 1);
    }

    #[test]
    fn words_that_a_text_begins_with_are_found_in_it() {
        let check = |text: &str, words: &str, expected: Option<&[u32]>| {
            let units = begun(text, words).map(|letters| letters.into_iter().map(|(unit, _)| unit).collect::<Vec<_>>());
            assert_eq!(units.as_deref(), expected, "{words:?} of {text:?}");
        };
        check("🦊b c", "🦊b c", Some(&[0, 2, 4]));
        check(" \n🦊  b\nc", "🦊 b…", Some(&[2, 6]));
        check("ab", "a", Some(&[0]));
        check("a… b", "a… b", Some(&[0, 1, 3]));
        check("ab", "b", None);
        check("a", "ab", None);
        check("a", "…", None);
        check("ab", "a…c", None);
        check("a", "", None);
    }

    #[test]
    fn the_part_of_a_text_that_words_take_ends_behind_their_last_letter() {
        let check = |text: &str, words: &str, from: u32, expected: Option<(u32, u32)>| {
            let part = part_of(words, &begun(text, words).unwrap_or_default(), from);
            assert_eq!(part, expected.map(|(start, end)| Utf16Span::new(start, end)), "{words:?} of {text:?}");
        };
        check("ab c", "ab", 0, Some((0, 2)));
        check("a🦊 c", "a🦊…", 0, Some((0, 3)));
        check(" 🦊b🦊", "🦊b🦊", 7, Some((8, 13)));
        check("ab", "b", 0, None);
    }

    #[test]
    fn spans_that_overlap_are_placed_one_after_the_other() {
        let spans =
            [(0, 4), (2, 6), (2, 3), (7, 9), (8, 12)].map(|(from, to)| (FindingKind::Email, Utf16Span::new(from, to)));
        let placed = placed("🦊bcdefgh", spans.into_iter());
        let ranges: Vec<_> = placed.into_iter().map(|one| one.range).collect();
        assert_eq!(ranges, [0..6, 6..8, 9..11], "what does not fit the text is left out");
    }
}
