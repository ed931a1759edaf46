//! Words, numbers and signs of a text.

use crate::lexicon::{self, Marks};
use std::ops::Range;

/// How a token is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A word that begins with a small letter, or of a script without capitals.
    Lower,
    /// `Word`, `McWord`.
    Capital,
    /// `WORD`, two letters or more.
    Upper,
    /// `W`.
    Initial,
    /// Digits, with letters behind them: `12`, `12b`.
    Number,
    /// One character that is neither.
    Sign,
    /// The end of a line.
    Break,
}

/// A token, with what the lexicon knows of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    start: u32,
    end: u32,
    pub(crate) shape: Shape,
    pub(crate) marks: Marks,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn is_word(self) -> bool {
        matches!(self.shape, Shape::Lower | Shape::Capital | Shape::Upper | Shape::Initial)
    }

    /// Written as names are.
    pub(crate) fn is_capital(self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }

    pub(crate) fn is(self, mark: Marks) -> bool {
        self.marks.has(mark)
    }
}

/// The tokens of a piece of text. White space other than the ends of lines is none.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        at += first.len_utf8();
        let shape = if is_letter(first) {
            at = word_end(text, start);
            shape_of(&text[start..at])
        } else if first.is_ascii_digit() {
            at = number_end(text, start);
            Shape::Number
        } else if first == '\n' {
            Shape::Break
        } else if first.is_whitespace() {
            continue;
        } else {
            Shape::Sign
        };
        let marks = match shape {
            Shape::Number | Shape::Sign | Shape::Break => Marks::NONE,
            _ => lexicon::marks(&text[start..at]),
        };
        tokens.push(Token { start: start as u32, end: at as u32, shape, marks });
    }
    tokens
}

/// Where a word ends: letters and what combines with them, and a hyphen or an apostrophe between letters. An
/// apostrophe before one last letter (`Anna's`) ends it, other than in `don't`.
fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut rest = text[start..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let inside = match c {
            c if is_letter(c) || is_combining(c) => true,
            '-' => rest.peek().is_some_and(|(_, next)| next.is_alphabetic()),
            '\'' | '’' => {
                let mut after = text[start + at + c.len_utf8()..].chars();
                let before = text[start..start + at].chars().next_back();
                match (before, after.next(), after.next()) {
                    (_, Some(a), Some(b)) if a.is_alphabetic() && b.is_alphabetic() => true,
                    // `don't`, and `SMITH'S` as a whole.
                    (Some('n'), Some('t'), _) => true,
                    (Some(before), Some('S'), _) => before.is_uppercase(),
                    _ => false,
                }
            }
            _ => c.is_ascii_digit(),
        };
        if !inside {
            break;
        }
        end = start + at + c.len_utf8();
    }
    end.max(start + text[start..].chars().next().map_or(0, char::len_utf8))
}

/// Names of Greek towns are often written with the sign for a difference.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '∆'
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}')
}

fn number_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    start + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
}

fn shape_of(word: &str) -> Shape {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    let first_is_upper = letters.next().is_some_and(char::is_uppercase);
    match (first_is_upper, letters.next()) {
        (false, _) => Shape::Lower,
        (true, None) => Shape::Initial,
        (true, Some(second)) => {
            if second.is_lowercase() || letters.any(char::is_lowercase) {
                Shape::Capital
            } else {
                Shape::Upper
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let words: Vec<_> = tokens(text).iter().map(|token| text[token.range()].to_owned()).collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn tokens_are_words_numbers_and_signs() {
        check("Anna's O'Neil, Hauta-aho 12b\n", &["Anna", "'", "s", "O'Neil", ",", "Hauta-aho", "12b", "\n"]);
        check("I'm 35-year-old", &["I", "'", "m", "35", "-", "year-old"]);
        check("e\u{301}té 3.5 😀", &["e\u{301}té", "3", ".", "5", "😀"]);
    }
}
