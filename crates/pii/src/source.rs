//! A piece of text with its tokens, and the cutting of a text into such pieces.

use crate::token::{Shape, Token, tokens};
use std::ops::Range;

/// The most bytes that are looked at together.
pub const PIECE: usize = 256 * 1024;

/// A piece of text with its tokens.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// Stretches around digits; see [`numeric`].
    pub(crate) numeric: Vec<Range<usize>>,
    /// Whether it is rather German, where all nouns have capitals.
    pub(crate) german: bool,
}

/// How much is taken before a digit, for the words that tell what a number is, and behind it.
const BEFORE: usize = 96;
const BEHIND: usize = 48;

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let tokens = tokens(text);
        let german = is_german(text, &tokens);
        Self { text, tokens, numeric: numeric(text), german }
    }

    /// The words of a token.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range()])
    }

    /// The bytes from the first token to the last one before `to`.
    pub(crate) fn range(&self, from: usize, to: usize) -> Range<usize> {
        self.tokens[from].range().start..self.tokens[to - 1].range().end
    }

    /// Whether a token touches the one before it.
    pub(crate) fn touches(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| self.tokens[at - 1].range().end == token.range().start)
    }

    /// What stands before a byte, at most `reach` bytes of it.
    pub(crate) fn before(&self, at: usize, reach: usize) -> &'a str {
        let mut start = at.saturating_sub(reach);
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        &self.text[start..at]
    }

    /// What stands from a byte on, at most `reach` bytes of it.
    pub(crate) fn after(&self, at: usize, reach: usize) -> &'a str {
        &self.text[at..floor(self.text, at + reach)]
    }
}

/// Words of every German text, and words of texts in the languages that are most often beside it.
const GERMAN: &[&str] =
    &["der", "die", "das", "und", "ist", "nicht", "mit", "für", "ich", "wir", "den", "dem", "im", "auf"];
const OTHER: &[&str] =
    &["the", "of", "and", "to", "is", "for", "with", "le", "la", "les", "et", "el", "y", "que", "het", "en"];

/// Whether more German words than others are among the short ones, and at least two.
fn is_german(text: &str, tokens: &[Token]) -> bool {
    let (mut german, mut other) = (0, 0);
    for token in tokens.iter().filter(|token| token.shape == Shape::Lower && token.range().len() <= 5) {
        let word = &text[token.range()];
        german += usize::from(GERMAN.contains(&word));
        other += usize::from(OTHER.contains(&word));
    }
    german >= 2 && german > other
}

/// The last character boundary up to a byte.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The pieces of a text, in order and without gaps.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let piece = start..start + cut(rest);
        start = piece.end;
        Some(piece)
    })
}

/// Where the first piece of a text ends: at its last empty line, else its last line, else its last space.
fn cut(text: &str) -> usize {
    if text.len() <= PIECE {
        return text.len();
    }
    let most = &text[..floor(text, PIECE)];
    let last = |gap: &str| most.rfind(gap).map(|at| at + gap.len());
    last("\n\n").or_else(|| last("\n")).or_else(|| last(" ")).unwrap_or(most.len())
}

/// The stretches around all digits, in order and without overlaps: most text is far from any, and patterns with digits
/// in them need not look at it.
fn numeric(text: &str) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        let end = at + 1 + BEHIND;
        match stretches.last_mut().filter(|last| at <= last.end + BEFORE) {
            Some(last) => last.end = end,
            None => stretches.push(at.saturating_sub(BEFORE)..end),
        }
    }
    for stretch in &mut stretches {
        *stretch = floor(text, stretch.start)..floor(text, stretch.end);
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_text_and_end_where_lines_do() {
        for text in [String::new(), "é".repeat(PIECE), "a b\n".repeat(PIECE / 2), "ab\n\ncd\n".repeat(PIECE / 3)] {
            let pieces: Vec<_> = pieces(&text).collect();
            assert_eq!(pieces.iter().map(|piece| &text[piece.clone()]).collect::<String>(), text);
            assert!(pieces.iter().all(|piece| piece.len() <= PIECE));
            let ends =
                pieces.iter().rev().skip(1).all(|piece| !text.contains('\n') || text[..piece.end].ends_with('\n'));
            assert!(ends);
        }
    }
}
