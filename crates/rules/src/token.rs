//! Tokens: words, numbers and marks with their places. Clitics (`'s`, `n't`, `'ll`) are tokens of their own, so
//! that `I'm` is a subject and a verb; what belongs together (`10:00`, `co-founder`, `a.b@c.org`) stays whole.

use crate::data::verbs::{self, VerbForm};
use crate::data::words::{self, Tags, contains_word};

/// One token of a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// First byte in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The word in lower case, apostrophes made straight, clitics made whole (`'m` is `am`).
    pub lower: String,
    /// What closed classes it is of.
    pub tags: Tags,
    /// The verb that it can be a form of.
    pub verb: Option<VerbForm>,
    /// What it is made of.
    pub shape: Shape,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A word in lower case.
    Lower,
    /// A word that begins with a capital.
    Capital,
    /// A word with two capitals or more, or with a capital inside: `CTO`, `GitHub`.
    Upper,
    /// Something that begins with a digit: `15`, `10:00`, `3rd`.
    Number,
    /// An address of the web or of a mailbox, a path.
    Link,
    /// A mark.
    Mark,
}

impl Token {
    /// Whether the word begins with a capital.
    pub(crate) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }

    /// Whether it is a word, number or link.
    pub(crate) fn is_word(&self) -> bool {
        self.shape != Shape::Mark
    }

    /// Whether it is of one of the classes.
    pub(crate) fn is(&self, tags: Tags) -> bool {
        self.tags & tags != 0
    }
}

/// The tokens of `text[range]`.
pub(crate) fn tokenize(text: &str, start: usize, end: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = start;
    let mut spaced = true;
    while at < end {
        let rest = &text[at..end];
        let Some(first) = rest.chars().next() else { break };
        if first.is_whitespace() || is_invisible(first) {
            at += first.len_utf8();
            spaced = true;
            continue;
        }
        let mut length =
            if is_inner(first) || starts_symbol_word(rest) { word_length(rest) } else { mark_length(rest, first) };
        if keeps_period(&rest[..length], &rest[length..]) {
            length += 1;
        }
        push(&mut tokens, text, at, at + length, spaced);
        spaced = false;
        at += length;
    }
    tokens
}

/// Abbreviations whose period is theirs: before a name or number always, of companies inside a sentence only.
const TITLES: &str = " dr mr mrs ms prof st no nos vs approx fig jan feb mar apr jun jul aug sep sept oct nov dec ";
const SUFFIXES: &str = " inc ltd co corp jr sr bros etc e.g i.e a.m p.m u.s u.k bhd sdn dept ";

fn keeps_period(word: &str, after: &str) -> bool {
    let Some(after) = after.strip_prefix('.') else { return false };
    let next = after.trim_start().chars().next();
    let spaced = after.starts_with([' ', '\u{a0}']);
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word != "I" && word.chars().all(char::is_uppercase);
    if matches!(lower.as_str(), "e.g" | "i.e") {
        return next.is_some();
    }
    if initial || contains_word(TITLES, &lower) {
        return spaced && next.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    }
    contains_word(SUFFIXES, &lower) && next.is_some_and(|c| c.is_lowercase() || c == ',' || c.is_ascii_digit())
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' | '\u{ad}')
}

/// Characters that words are made of.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\u{300}'..='\u{36f}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ')
}

/// `$5`, `€5`, `#tag`, `@name`, `.NET`: a sign that belongs to the word after it.
fn starts_symbol_word(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (Some(first), Some(second)) = (chars.next(), chars.next()) else { return false };
    match first {
        '$' | '€' | '£' | '¥' => second.is_ascii_digit(),
        '#' | '@' => second.is_alphanumeric(),
        '~' | '/' => second.is_alphanumeric(),
        '.' => second.is_uppercase() && chars.next().is_some_and(char::is_uppercase),
        '-' | '+' => second.is_ascii_digit(),
        _ => false,
    }
}

fn mark_length(rest: &str, first: char) -> usize {
    // Runs of one mark (`...`, `!!!`, `--`) are one token.
    if matches!(first, '.' | '!' | '?' | '-' | '*' | '=' | '_' | '~' | '#' | '<' | '>') {
        rest.chars().take_while(|c| *c == first).map(char::len_utf8).sum()
    } else {
        first.len_utf8()
    }
}

const LINKS: &[&str] = &["http://", "https://", "ftp://", "www.", "mailto:"];

/// How many bytes the word at the head of `rest` takes.
fn word_length(rest: &str) -> usize {
    if LINKS.iter().any(|scheme| rest.starts_with(scheme)) {
        let link =
            rest.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | ')' | ']')).next().unwrap_or(rest);
        return link.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']).len();
    }
    let mut at = rest.chars().next().map_or(0, char::len_utf8);
    while at < rest.len() {
        let mut chars = rest[at..].chars();
        let Some(c) = chars.next() else { break };
        let next = chars.next();
        let joins = match c {
            c if is_inner(c) => true,
            c if is_apostrophe(c) => next.is_some_and(char::is_alphabetic),
            '.' | '/' | '@' | '&' | '-' | '‑' | '=' => next.is_some_and(is_inner),
            ':' if rest[..at].ends_with(char::is_uppercase) => next.is_some_and(char::is_uppercase),
            ',' | ':' => rest[..at].ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(|c| c.is_ascii_digit()),
            '+' if rest[..at].ends_with(|c: char| c.is_ascii_digit()) => !next.is_some_and(is_inner),
            '+' => at == 1 || rest[..at].ends_with(|c: char| c == '+' || c.is_uppercase()),
            '#' => at == 1,
            '%' => rest[..at].ends_with(|c: char| c.is_ascii_digit()),
            _ => false,
        };
        if !joins {
            break;
        }
        at += c.len_utf8();
    }
    at
}

/// Endings that are tokens of their own, and the word they stand for.
const CLITICS: &[(&str, &str)] =
    &[("n't", "not"), ("'s", "'s"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "'d")];

/// Words that are written as one, as in chats: what they are, and where they part.
const RUN_TOGETHER: &[(&str, &str, &str, usize)] = &[
    ("cannot", "can", "not", 3),
    ("im", "i", "am", 1),
    ("ive", "i", "have", 1),
    ("dont", "do", "not", 2),
    ("doesnt", "does", "not", 4),
    ("didnt", "did", "not", 3),
    ("isnt", "is", "not", 2),
    ("arent", "are", "not", 3),
    ("wasnt", "was", "not", 3),
    ("cant", "can", "not", 2),
    ("wont", "will", "not", 2),
    ("havent", "have", "not", 4),
    ("hasnt", "has", "not", 3),
];

fn push(tokens: &mut Vec<Token>, text: &str, start: usize, end: usize, spaced: bool) {
    let word = &text[start..end];
    let lower: String =
        word.chars().flat_map(char::to_lowercase).map(|c| if is_apostrophe(c) { '\'' } else { c }).collect();
    if !word.contains(is_apostrophe) {
        match RUN_TOGETHER.iter().find(|(whole, ..)| *whole == lower) {
            Some((_, first, second, cut)) if word.is_ascii() => {
                tokens.push(token(text, start, start + cut, (*first).to_owned(), spaced));
                tokens.push(token(text, start + cut, end, (*second).to_owned(), false));
            }
            _ => tokens.push(token(text, start, end, lower, spaced)),
        }
        return;
    }
    // Lower case may change lengths in rare alphabets; then the word stays whole.
    let clitic = CLITICS.iter().find(|(ending, _)| lower.ends_with(ending) && lower.len() > ending.len());
    let bytes = clitic.map(|(ending, _)| ending.chars().count());
    let cut = bytes.and_then(|n| word.char_indices().rev().nth(n - 1)).map(|(at, _)| start + at);
    match (clitic, cut) {
        (Some((ending, whole)), Some(cut)) if cut > start => {
            let stem = &lower[..lower.len() - ending.len()];
            let stem = match (*ending, stem) {
                ("n't", "ca") => "can",
                ("n't", "wo") => "will",
                ("n't", "sha") => "shall",
                ("n't", "ai") => "is",
                _ => stem,
            };
            tokens.push(token(text, start, cut, stem.to_owned(), spaced));
            tokens.push(token(text, cut, end, (*whole).to_owned(), false));
        }
        _ => tokens.push(token(text, start, end, lower, spaced)),
    }
}

fn token(text: &str, start: usize, end: usize, lower: String, spaced: bool) -> Token {
    let word = &text[start..end];
    let shape = shape_of(word);
    let tags = words::tags(&lower);
    let verb = if shape == Shape::Mark { None } else { verbs::form(&lower) };
    Token { start, end, lower, tags, verb, shape, spaced }
}

fn shape_of(word: &str) -> Shape {
    let Some(first) = word.chars().next() else { return Shape::Mark };
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let signed = matches!(first, '$' | '€' | '£' | '¥' | '-' | '+');
    if first.is_ascii_digit() || (signed && word.chars().nth(1).is_some_and(|c| c.is_ascii_digit())) {
        Shape::Number
    } else if word.contains("://")
        || word.starts_with("www.")
        || (word.contains('@') && word.contains('.'))
        || first == '/'
    {
        Shape::Link
    } else if !word.chars().any(char::is_alphanumeric) {
        Shape::Mark
    } else if first.is_uppercase() && capitals == 1 {
        Shape::Capital
    } else if capitals > 0 {
        Shape::Upper
    } else {
        Shape::Lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let tokens = tokenize(text, 0, text.len());
        let words: Vec<&str> = tokens.iter().map(|token| token.lower.as_str()).collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_are_cut_where_grammar_cuts_them() {
        check("I'm Ana’s aunt.", &["i", "am", "ana", "'s", "aunt", "."]);
        check("We can't, won't and cannot", &["we", "can", "not", ",", "will", "not", "and", "can", "not"]);
        check("Node.js 22, C++ and C#", &["node.js", "22", ",", "c++", "and", "c#"]);
        check("EUR 1,249.00 at 10:00!!!", &["eur", "1,249.00", "at", "10:00", "!!!"]);
        check("O'Brien's co-op — R&D", &["o'brien", "'s", "co-op", "—", "r&d"]);
        check("$5 or 20% of a.b@c.org", &["$5", "or", "20%", "of", "a.b@c.org"]);
        check("the dogs' beds", &["the", "dogs", "'", "beds"]);
        check("", &[]);
    }
}
