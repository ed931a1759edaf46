//! The pieces that passages are put together from: sentences and lines.

use super::super::Text;
use super::super::sentence::{is_grapheme_boundary, sentences, trimmed};
use super::super::tokens::Tally;
use super::UnitLimit;
use std::ops::Range;

/// What stands before a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// The end of a sentence, or a cut inside one.
    Sentence,
    /// The end of a line that was ended on purpose.
    Line,
    /// The end of a paragraph, block or utterance.
    Block,
}

/// A piece of a section: no longer than the window, without white space around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) bytes: Range<usize>,
    pub(super) gap: Gap,
}

/// Cuts a section into pieces.
pub(super) fn pieces(text: &Text, section: Range<usize>, limit: &UnitLimit) -> Vec<Piece> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text, section) {
        let mut gap = Gap::Block;
        for stretch in stretches(&text.text, paragraph) {
            for sentence in sentences(&text.text, stretch) {
                for bytes in within(&text.text, sentence, limit) {
                    found.push(Piece { bytes, gap });
                    gap = Gap::Sentence;
                }
            }
            gap = Gap::Line.max_with(gap);
        }
    }
    found
}

impl Gap {
    /// The gap after something was read: a line's end, unless nothing stood on the line.
    fn max_with(self, before: Self) -> Self {
        if before == Self::Block { before } else { self }
    }
}

/// The paragraphs of a section: what lies between blank lines, and between the blocks that the source knows.
fn paragraphs(text: &Text, section: Range<usize>) -> Vec<Range<usize>> {
    let whole = &text.text;
    let first = text.blocks.partition_point(|block| block.start <= section.start);
    let mut blocks = text.blocks[first..].iter().map(|block| block.start).peekable();
    let mut found = Vec::new();
    let mut start = section.start;
    let mut at = section.start;
    for line in whole[section.clone()].split_inclusive('\n') {
        let end = at + line.len();
        while let Some(block) = blocks.next_if(|block| *block < end) {
            found.extend(trimmed(whole, start..block));
            start = block;
        }
        if line.trim().is_empty() {
            found.extend(trimmed(whole, start..end));
            start = end;
        }
        at = end;
    }
    found.extend(trimmed(whole, start..section.end));
    found
}

/// The stretches of a paragraph inside which line breaks only mean that a line was full.
fn stretches(text: &str, paragraph: Range<usize>) -> Vec<Range<usize>> {
    let lines: Vec<&str> = text[paragraph.clone()].split_inclusive('\n').collect();
    let widest = lines.iter().map(|line| line.trim_end().chars().count()).max().unwrap_or(0);
    let mut found = Vec::new();
    let (mut start, mut at) = (paragraph.start, paragraph.start);
    for (index, line) in lines.iter().enumerate() {
        at += line.len();
        if lines.get(index + 1).is_some_and(|next| ends_on_purpose(line, next, widest)) {
            found.push(start..at);
            start = at;
        }
    }
    found.push(start..paragraph.end);
    found
}

/// Whether the break between two lines of a paragraph was meant: before an item of a list, between rows of
/// a table, where the indentation changes, after what ends a line of code, or where the next word would
/// still have found room.
fn ends_on_purpose(line: &str, next: &str, widest: usize) -> bool {
    let (bare, next_bare) = (line.trim(), next.trim());
    if opens_item(next_bare) || is_row(bare) || is_row(next_bare) || bare.ends_with([';', '{', '}', ':']) {
        return true;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    if indent(line) != indent(next) && !opens_item(bare) {
        return true;
    }
    let word = next_bare.split_whitespace().next().unwrap_or_default();
    // A margin of an eighth, as no two lines of running text are of one length.
    line.trim_end().chars().count() + 1 + word.chars().count() <= widest - widest / 8
}

/// Whether a line begins an item of a list, a quotation or a row.
fn opens_item(line: &str) -> bool {
    let mut chars = line.chars();
    if matches!(chars.next(), Some('-' | '*' | '+' | '•' | '–' | '—' | '◦' | '▪' | '‣' | '·')) {
        return chars.next().is_none_or(char::is_whitespace);
    }
    if line.starts_with(['|', '>']) {
        return true;
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let letter = usize::from(line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let number = if digits > 0 { digits } else { letter };
    (1..=4).contains(&number)
        && matches!(line.as_bytes().get(number), Some(b'.' | b')'))
        && line[number + 1..].starts_with(char::is_whitespace)
}

/// Whether a line is a row of a table.
fn is_row(line: &str) -> bool {
    line.contains('\t') || line.starts_with('|') || line.contains("   ")
}

/// A sentence in parts that fit the window: itself, or cut at white space, or else between characters.
fn within(text: &str, sentence: Range<usize>, limit: &UnitLimit) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    while start < sentence.end {
        let end = match first_beyond(&text[start..sentence.end], limit.tokens) {
            None => sentence.end,
            Some(beyond) => cut(text, start, start + beyond, limit),
        };
        found.extend(trimmed(text, start..end));
        start = end;
    }
    found
}

/// Where the longest beginning of a text that fits so many tokens ends; `None` when all of it fits.
fn first_beyond(text: &str, tokens: usize) -> Option<usize> {
    let mut tally = Tally::default();
    for (at, c) in text.char_indices() {
        tally.push(c);
        if tally.tokens() > tokens {
            return Some(at);
        }
    }
    None
}

/// A place to cut a text that begins at `start` and must end at or before `beyond`: after the last line
/// that ends within the target, else after the last such word, else before the character at `beyond`.
fn cut(text: &str, start: usize, beyond: usize, limit: &UnitLimit) -> usize {
    let target = first_beyond(&text[start..beyond], limit.target).map_or(beyond, |at| start + at);
    for end in [target, beyond] {
        let part = &text[start..end];
        let half = part.len() / 2;
        let after = |at: Option<usize>| at.map(|at| next_char(text, start + at)).filter(|at| *at > start + half);
        let line = after(part.rfind('\n')).or_else(|| after(part.rfind(char::is_whitespace)));
        if let Some(at) = line.filter(|at| *at < beyond && is_grapheme_boundary(text, *at)) {
            return at;
        }
    }
    let grapheme = (start + 1..=target).rev().find(|at| is_grapheme_boundary(text, *at));
    // A character longer than the window is torn.
    grapheme.unwrap_or(target).max(next_char(text, start))
}

/// Where the character after the one at `at` begins.
fn next_char(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(0, char::len_utf8)
}
