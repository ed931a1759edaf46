//! What a text is made of: prose, turns of talk, headings, lists of values, code.

use crate::data::{names, nouns, words};
use std::ops::Range;

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// Sentences; the speaker's name, if somebody is named as speaking.
    Prose(Range<usize>, Option<Range<usize>>),
    /// The words of a heading.
    Heading(Range<usize>),
    /// `Key: value` on one line: the line, the key, the value.
    Pair(Range<usize>, Range<usize>, Range<usize>),
}

/// A line without the white space around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// Where it begins.
    pub start: usize,
    /// Its words.
    pub text: &'t str,
    /// How many columns it is indented.
    pub indent: usize,
}

impl Line<'_> {
    /// Its bytes.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The lines of a text, blank ones too.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let mut found = Vec::new();
    for raw in text.split('\n') {
        let inner = raw.trim_start();
        let lead = raw.len() - inner.len();
        let indent = raw[..lead].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        found.push(Line { start: at + lead, text: inner.trim_end(), indent });
        at += raw.len() + 1;
    }
    found
}

/// Parts a text into its blocks.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let lines = lines(text);
    let turns = lines.iter().filter(|line| turn(line.text).is_some()).count();
    let talk = turns > 1 && turns * 3 >= lines.iter().filter(|line| !line.text.is_empty()).count();
    let mut found = Vec::new();
    let mut prose: Option<(Range<usize>, Option<Range<usize>>)> = None;
    let mut fence: Option<&str> = None;
    let mut first = true;
    for line in &lines {
        if let Some(mark) = fence {
            if line.text.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| line.text.starts_with(mark)) {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
            fence = Some(mark);
            continue;
        }
        if line.text.is_empty() || is_no_prose(line) {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
            continue;
        }
        if let Some(heading) = heading(line) {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
            found.push(Block::Heading(heading));
            first = false;
            continue;
        }
        let spoken = if first || talk { turn(line.text) } else { None };
        first = false;
        if let Some((name, said)) = spoken {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
            let speaker = line.start..line.start + name;
            prose = Some((line.start + said..line.range().end, Some(speaker)));
            continue;
        }
        let item = item(line.text);
        if let Some((key, value)) = pair(&line.text[item..]) {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
            let base = line.start + item;
            found.push(Block::Pair(
                line.range(),
                base + key.start..base + key.end,
                base + value.start..base + value.end,
            ));
            continue;
        }
        if item > 0 {
            found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
        }
        prose = Some(match prose.take() {
            Some((range, speaker)) => (range.start..line.range().end, speaker),
            None => (line.start + item..line.range().end, None),
        });
    }
    found.extend(prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
    found
}

/// Code, tables, quotations, commands, logs, rules, links.
fn is_no_prose(line: &Line<'_>) -> bool {
    let text = line.text;
    let signs = text
        .chars()
        .filter(|c| matches!(c, '{' | '}' | ';' | '=' | '$' | '<' | '>' | '|' | '\\' | '`' | '(' | ')' | '"'))
        .count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let code = line.indent >= 4 && signs >= 2 || text.ends_with(['{', '}', ';']) || signs * 6 > letters + 12;
    let command = text.starts_with("$ ")
        || text.starts_with("> ")
        || text.starts_with(">>>")
        || text.starts_with("//")
        || text.starts_with("#!");
    let table = text.starts_with('|') || text.matches('|').count() >= 3 || text.matches('\t').count() >= 2;
    let tag = text.starts_with('<') && text.contains('>');
    let log = ["ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL"]
        .iter()
        .any(|level| text.starts_with(level) && text[level.len()..].starts_with([' ', ':', ']']));
    code || command || table || tag || log || letters == 0
}

/// The words of `## Heading`.
fn heading(line: &Line<'_>) -> Option<Range<usize>> {
    let marks = line.text.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.text[marks..].trim_start();
    let fits = (1..=6).contains(&marks) && line.text[marks..].starts_with(' ') && !rest.is_empty();
    let end = line.range().end;
    fits.then(|| end - rest.len()..end)
}

/// How long the mark of a list item is, with the space behind it.
fn item(text: &str) -> usize {
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "• ", "– "] {
        if text.starts_with(mark) {
            return mark.len();
        }
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = (1..=3).contains(&digits) && (text[digits..].starts_with(". ") || text[digits..].starts_with(") "));
    if numbered { digits + 2 } else { 0 }
}

/// `Name: ` at the head of a turn: how long the name is, and where what is said begins.
pub(crate) fn turn(text: &str) -> Option<(usize, usize)> {
    let (name, rest) = text.split_once(": ")?;
    let parts: Vec<&str> = name.split(' ').collect();
    let capital = |word: &&str| {
        word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '.'))
    };
    if parts.is_empty() || parts.len() > 3 || !parts.iter().all(capital) || rest.split_whitespace().count() < 2 {
        return None;
    }
    let lower = name.to_lowercase();
    let known = names::is_first_name(parts[0].to_lowercase().as_str());
    let label = crate::data::attributes::predicate(&lower).is_some()
        || um_model::predicates::lookup(&lower).is_some()
        || nouns::is_role(&lower)
        || nouns::is_common(&lower);
    let grammar = parts.iter().any(|part| words::tags(&part.to_lowercase()) & !words::MODAL & !words::MONTH != 0);
    let verb = crate::data::verbs::form(&lower).is_some();
    let shouted = parts.iter().any(|part| part.chars().count() > 1 && part.chars().all(char::is_uppercase));
    if !known && (label || grammar || verb || shouted) || !known && parts.len() == 1 && !sounds_spoken(rest) {
        return None;
    }
    Some((name.len(), name.len() + 2))
}

/// Whether words are as somebody says them, and not as a form has them.
fn sounds_spoken(rest: &str) -> bool {
    let lower = format!(" {} ", rest.to_lowercase());
    rest.ends_with(['.', '!', '?', ']', '"', ')'])
        || [" i ", " i'm ", " i’m ", " my ", " you ", " we "].iter().any(|word| lower.contains(word))
}

/// `Key: value`, in which the key is a few words and the value no sentence.
fn pair(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let colon = text.find([':', '：']).filter(|at| *at < 48)?;
    let width = text[colon..].chars().next().map_or(1, char::len_utf8);
    let marks = |c: char| c == '*' || c == '_' || c.is_whitespace();
    let key = text[..colon].trim_matches(marks);
    let value = text[colon + width..].trim_matches(marks);
    let starts = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let words = key.split_whitespace().count();
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '/' | '.' | '#' | '(' | ')' | '\'' | '&' | '°'));
    let titled = key.starts_with(|c: char| c.is_uppercase());
    let sentence = value.split_whitespace().count() > 12
        || value.ends_with(['.', '!', '?']) && value.split_whitespace().count() > 3;
    if !plain || !titled || words > 4 || value.is_empty() || sentence || value.starts_with("//") {
        return None;
    }
    let range = |part: &str| starts(part)..starts(part) + part.len();
    Some((range(key), range(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = blocks(text)
            .into_iter()
            .map(|block| match block {
                Block::Prose(range, None) => format!("prose {}", &text[range]),
                Block::Prose(range, Some(name)) => format!("{} says {}", &text[name], &text[range]),
                Block::Heading(range) => format!("heading {}", &text[range]),
                Block::Pair(_, key, value) => format!("{} = {}", &text[key], &text[value]),
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn texts_are_parted() {
        check("Ana works\nhere.\n\nBo too.", &["prose Ana works\nhere.", "prose Bo too."]);
        check("# Atlas\r\n- Owner: Kim\r\n- It hums.", &["heading Atlas", "Owner = Kim", "prose It hums."]);
        check("Ana: I live in Porto.\nBo: You do?", &["Ana says I live in Porto.", "Bo says You do?"]);
        check("Jo: Hi there.", &["Jo says Hi there."]);
        check("```\nAna works.\n```\n| a | b |\n> quoted", &[]);
        check("Total: EUR 5.00", &["Total = EUR 5.00"]);
        check("**Due date:** 3 May 2025", &["Due date = 3 May 2025"]);
        check("", &[]);
    }
}
