//! What stands around a candidate.

use crate::source::Source;
use std::ops::Range;

/// How far labels are looked for, in bytes.
const REACH: usize = 48;

/// Whether one of these words stands shortly before a place, in any case. The words are in lower case; each is
/// looked for at the beginning of a word.
pub(crate) fn follows(source: &Source<'_>, at: usize, words: &[&str]) -> bool {
    has_word(source.before(at, REACH), words)
}

/// Whether one of these words stands shortly before or after a range.
pub(crate) fn near(source: &Source<'_>, range: &Range<usize>, words: &[&str]) -> bool {
    follows(source, range.start, words) || has_word(source.after(range.end, REACH / 2), words)
}

/// Whether one of these words begins somewhere in the text.
pub(crate) fn has_word(text: &str, words: &[&str]) -> bool {
    let small = text.to_lowercase();
    words.iter().any(|word| {
        small.match_indices(word).any(|(at, _)| !small[..at].chars().next_back().is_some_and(char::is_alphanumeric))
    })
}

/// Whether a range is no part of a longer word or number.
pub(crate) fn stands_alone(source: &Source<'_>, range: &Range<usize>) -> bool {
    let before = source.text[..range.start].chars().next_back();
    let after = source.text[range.end..].chars().next();
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    !before.is_some_and(joins) && !after.is_some_and(joins)
}

/// Whether what is around a range makes it a part of a longer number: `1.5` of `1.5.2`, `12` of `12/5`, a sum.
pub(crate) fn number_goes_on(source: &Source<'_>, range: &Range<usize>) -> bool {
    let mut before = source.text[..range.start].chars().rev();
    let mut after = source.text[range.end..].chars();
    let joins = |sign: Option<char>, digit: Option<char>| {
        sign.is_some_and(|c| matches!(c, '.' | ',' | '-' | '/' | ':')) && digit.is_some_and(|c| c.is_ascii_digit())
    };
    joins(before.next(), before.next()) || joins(after.next(), after.next())
}

/// Where the last of these words begins in the text, counted from one; 0 where none does.
pub(crate) fn last_word(text: &str, words: &[&str]) -> usize {
    let small = text.to_lowercase();
    let starts = |at: usize| !small[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    words
        .iter()
        .flat_map(|word| small.rmatch_indices(word))
        .map(|(at, _)| at)
        .filter(|at| starts(*at))
        .map(|at| at + 1)
        .max()
        .unwrap_or(0)
}
