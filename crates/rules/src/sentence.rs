//! Sentences of a stretch of prose.

use crate::data::nouns;
use crate::data::words::{self, contains_word};
use crate::token::{Shape, Token, tokenize};

/// One sentence: its tokens, without what stands in brackets.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    /// The tokens that carry grammar.
    pub tokens: Vec<Token>,
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte, with the closing mark.
    pub end: usize,
    /// Whether it asks.
    pub asks: bool,
    /// Whether it is called out.
    pub exclaims: bool,
}

/// Longer sentences are tables, lists or noise, not prose.
const MAX_TOKENS: usize = 120;

/// The sentences of `text[start..end]`.
pub(crate) fn sentences(text: &str, start: usize, end: usize) -> Vec<Sentence> {
    let tokens = tokenize(text, start, end);
    let mut found = Vec::new();
    let mut from = 0;
    let mut depth: Vec<&str> = Vec::new();
    for at in 0..tokens.len() {
        let mark = &text[tokens[at].start..tokens[at].end];
        match mark {
            "(" | "[" => depth.push(mark),
            ")" | "]" => drop(depth.pop()),
            _ => {}
        }
        let line_ends = at + 1 < tokens.len() && breaks_line(text, &tokens[from..=at], &tokens[at + 1]);
        let closes = depth.is_empty() && (is_stop(mark) && stops(text, &tokens, at) || ends_quote(text, &tokens, at));
        if (closes || line_ends) && !closes_later(&tokens, at, text) {
            push(&mut found, text, &tokens[from..=at]);
            from = at + 1;
            depth.clear();
        }
    }
    push(&mut found, text, &tokens[from..]);
    found
}

fn is_stop(mark: &str) -> bool {
    mark.starts_with(['.', '!', '?', '…', '。'])
}

/// A closing quote behind a stop.
fn ends_quote(text: &str, tokens: &[Token], at: usize) -> bool {
    let mark = &text[tokens[at].start..tokens[at].end];
    let stopped = at > 0 && !tokens[at].spaced && is_stop(&text[tokens[at - 1].start..tokens[at - 1].end]);
    stopped
        && matches!(mark, "\"" | "”" | ")" | "]")
        && tokens.get(at + 1).is_none_or(|next| next.spaced && next.shape != Shape::Lower)
}

/// Whether the stop at `at` ends a sentence, and not an abbreviation or a number.
fn stops(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(next) = tokens.get(at + 1) else { return true };
    next.spaced || next.shape == Shape::Mark || !text[tokens[at].start..tokens[at].end].starts_with('.')
}

/// A closing quote or bracket, or one more stop, belongs to the sentence before it.
fn closes_later(tokens: &[Token], at: usize, text: &str) -> bool {
    tokens.get(at + 1).is_some_and(|next| {
        let mark = &text[next.start..next.end];
        !next.spaced && (is_stop(mark) || matches!(mark, "\"" | "”" | ")" | "]" | "'" | "’"))
    })
}

/// Whether a line break after the last of `before` ends the sentence: blank lines do, and so does the end of a line
/// that is no full one.
fn breaks_line(text: &str, before: &[Token], next: &Token) -> bool {
    let Some(last) = before.last() else { return false };
    let between = &text[last.end..next.start];
    let breaks = between.matches('\n').count();
    if breaks != 1 {
        return breaks > 1;
    }
    let line_start = text[..last.end].rfind('\n').map_or(0, |at| at + 1);
    let short = text[line_start..last.end].chars().count() < 50;
    let open = last.lower == "," || last.is(words::CLOSED) || next.shape == Shape::Lower;
    short && !open
}

fn push(found: &mut Vec<Sentence>, text: &str, tokens: &[Token]) {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
    let tail: Vec<&str> = tokens.iter().rev().take(4).map(|token| &text[token.start..token.end]).collect();
    let ending = |mark: char| {
        tail.iter().take_while(|word| !word.chars().any(char::is_alphanumeric)).any(|word| word.contains(mark))
    };
    let (asks, exclaims) = (ending('?'), ending('!'));
    let (start, end) = (spoken_from(text, tokens).unwrap_or(first.start), last.end);
    let mut tokens = without_asides(text, tokens);
    if is_shouted(&tokens) {
        tokens.iter_mut().for_each(calm);
    }
    if tokens.iter().any(Token::is_word) && tokens.len() <= MAX_TOKENS {
        found.push(Sentence { tokens, start, end, asks, exclaims });
    }
}

/// Where a sentence begins behind the mark that closes what was emphasized before it: `**Hiring.** Ana leads it`.
fn spoken_from(text: &str, tokens: &[Token]) -> Option<usize> {
    let is_emphasis = |token: &&Token| contains_word(" * ** *** _ __ ", &text[token.start..token.end]);
    let marks = tokens.iter().take_while(is_emphasis).count();
    tokens.get(marks).filter(|next| marks > 0 && next.spaced).map(|next| next.start)
}

/// Whether all of a sentence is in capitals.
fn is_shouted(tokens: &[Token]) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|token| token.is_word() && token.shape != Shape::Number).collect();
    words.len() >= 3
        && words.iter().all(|token| {
            token.shape == Shape::Upper || token.lower == "i" || token.shape == Shape::Capital && token.lower.len() == 1
        })
}

/// A word of a sentence in capitals as it would stand in a plain one, where grammar knows it.
fn calm(token: &mut Token) {
    if token.shape == Shape::Upper {
        let common = token.tags != 0
            || token.verb.is_some()
            || nouns::kin_noun(&token.lower).is_some()
            || nouns::is_role(&token.lower) && token.lower.len() > 3
            || words::contains_word(nouns::PETS, &token.lower);
        token.shape = if common { Shape::Lower } else { Shape::Capital };
    } else if token.lower == "a" {
        token.shape = Shape::Lower;
    }
}

/// Drops brackets with what is in them, and marks of emphasis.
fn without_asides(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut depth = 0usize;
    for token in tokens {
        let mark = &text[token.start..token.end];
        match mark {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 || contains_word(" * ** *** _ __ ` `` > ", mark) => {}
            _ => kept.push(token.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> =
            sentences(text, 0, text.len()).iter().map(|found| &text[found.start..found.end]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sentences_end_where_they_do() {
        check("Ana works here. Ben does not!", &["Ana works here.", "Ben does not!"]);
        check("Dr. Ruiz met J. Smith at Acme Inc. in May.", &["Dr. Ruiz met J. Smith at Acme Inc. in May."]);
        check("It runs Node 22.3. \"Good.\" He left?", &["It runs Node 22.3.", "\"Good.\"", "He left?"]);
        check(
            "A long line that was broken by\nthe width of the page. Next.",
            &["A long line that was broken by\nthe width of the page.", "Next."],
        );
        check("Heading\nAna works here", &["Heading", "Ana works here"]);
        check("One.\r\n\r\nTwo", &["One.", "Two"]);
        check("I went (it was fun. Really!) home.", &["I went (it was fun. Really!) home."]);
        check("...", &[]);
        check("**Hiring.** Ana leads it. **Bo** helps.", &["**Hiring.", "Ana leads it.", "**Bo** helps."]);
    }
}
