//! What a text is made of: prose, turns of talk, headings, lists of values, code.

mod example;
mod letter;
mod talk;

use example::Until;
use letter::Letter;
use std::collections::HashMap;
use std::ops::Range;
use talk::Turn;

pub(crate) use letter::{Card, is_firm};
pub use talk::{Talker, talker};
pub(crate) use talk::{is_machine, is_person};

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// Sentences; whose words they are, if somebody is named.
    Prose(Range<usize>, Option<Speaker>),
    /// Name, duty and firm, as they stand below a letter.
    Card(Card),
    /// The words of a heading.
    Heading(Range<usize>),
    /// `Key: value` on one line: the line, the key, the value.
    Pair(Range<usize>, Range<usize>, Range<usize>),
}

/// Whose words sentences are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Speaker {
    /// The name's bytes.
    pub name: Range<usize>,
    /// Whether it is a turn of talk, and no letter.
    pub talk: bool,
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
    let mut parting = Parting {
        letters: letter::letters(&lines),
        turns: talk::turns(&lines),
        voice: None,
        found: Vec::new(),
        prose: None,
        fence: None,
        example: None,
    };
    let mut at = 0;
    // A card alone, or at the head of a CV.
    if let Some((card, end)) = letter::head_card(&lines) {
        at = end;
        parting.found.push(Block::Card(card));
    }
    while at < lines.len() {
        at = parting.take(&lines, at).max(at + 1);
    }
    parting.close();
    parting.found
}

/// A text that is being parted, line by line.
struct Parting {
    letters: Vec<Letter>,
    /// Who begins to speak at which line.
    turns: HashMap<usize, Turn>,
    /// Who goes on speaking below.
    voice: Option<Speaker>,
    found: Vec<Block>,
    /// The prose that is not yet closed.
    prose: Option<(Range<usize>, Option<Speaker>)>,
    /// The mark that closes the code.
    fence: Option<&'static str>,
    /// How far an example goes.
    example: Option<Until>,
}

impl Parting {
    fn close(&mut self) {
        self.found.extend(self.prose.take().map(|(range, speaker)| Block::Prose(range, speaker)));
    }

    /// Takes a line; gives the number of the next one.
    fn take(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let line = &lines[at];
        if let Some(mark) = self.fence {
            if line.text.starts_with(mark) {
                self.fence = None;
            }
            return at + 1;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| line.text.starts_with(mark)) {
            self.close();
            self.fence = Some(mark);
            return at + 1;
        }
        if self.is_example(line) {
            self.close();
            return at + 1;
        }
        if let Some(next) = self.outside_of_letter(at) {
            self.close();
            return next;
        }
        let writer = self.writer(at);
        if let Some(turn) = self.turns.remove(&at).filter(|_| writer.is_none()) {
            self.begin(line, turn);
        } else if line.text.is_empty() || is_no_prose(line) {
            self.close();
        } else if let Some((_, heading)) = heading(line) {
            self.close();
            self.voice = None;
            self.found.push(Block::Heading(heading));
        } else {
            self.say(line, writer);
        }
        at + 1
    }

    /// Whether a line only shows what something might look like.
    fn is_example(&mut self, line: &Line<'_>) -> bool {
        let heading = heading(line);
        let level = heading.as_ref().map(|(level, _)| *level);
        if let Some(until) = self.example {
            self.example = example::goes_on(until, line, level);
            if self.example.is_some() {
                return true;
            }
        }
        self.example = match &heading {
            Some((level, _)) => example::of_heading(line.text.trim_start_matches('#'), *level),
            None => example::of_line(line),
        };
        self.example.is_some()
    }

    /// Where a line is head, closing or card of a letter: the line behind that.
    fn outside_of_letter(&mut self, at: usize) -> Option<usize> {
        let letter = self.letter(at).filter(|letter| !letter.body.contains(&at))?.clone();
        if at < letter.body.start {
            return Some(letter.body.start);
        }
        if let Some(card) = &letter.card {
            self.found.push(Block::Card(card.clone()));
        }
        Some(letter.whole.end)
    }

    /// The letter that a line belongs to.
    fn letter(&self, at: usize) -> Option<&Letter> {
        let next = self.letters.partition_point(|letter| letter.whole.end <= at);
        self.letters.get(next).filter(|letter| letter.whole.contains(&at))
    }

    /// Who writes the letter that a line belongs to.
    fn writer(&self, at: usize) -> Option<Speaker> {
        let letter = self.letter(at).filter(|letter| letter.body.contains(&at))?;
        Some(Speaker { name: letter.writer.clone(), talk: false })
    }

    /// Takes the line at which somebody begins to speak.
    fn begin(&mut self, line: &Line<'_>, turn: Turn) {
        self.close();
        let speaker = Some(Speaker { name: turn.name, talk: true });
        self.voice = speaker.clone().filter(|_| turn.lasts);
        self.prose = turn.said.map(|said| (said..line.range().end, speaker));
    }

    /// Takes a line that says something.
    fn say(&mut self, line: &Line<'_>, writer: Option<Speaker>) {
        let item = item(line.text);
        if let Some((key, value)) = pair(&line.text[item..]) {
            self.close();
            let base = line.start + item;
            let (key, value) = (base + key.start..base + key.end, base + value.start..base + value.end);
            self.found.push(Block::Pair(line.range(), key, value));
            return;
        }
        if item > 0 {
            self.close();
        }
        self.prose = Some(match self.prose.take() {
            Some((range, speaker)) => (range.start..line.range().end, speaker),
            None => (line.start + item..line.range().end, writer.or_else(|| self.voice.clone())),
        });
    }
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
    code || command || table || tag || log || letters == 0 || crate::readable::is_data(text)
}

/// The level and the words of `## Heading`.
fn heading(line: &Line<'_>) -> Option<(usize, Range<usize>)> {
    let marks = line.text.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.text[marks..].trim_start();
    let fits = (1..=6).contains(&marks) && line.text[marks..].starts_with(' ') && !rest.is_empty();
    let end = line.range().end;
    fits.then(|| (marks, end - rest.len()..end))
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
                Block::Prose(range, Some(Speaker { name, talk })) => {
                    format!("{} {} {}", &text[name], if talk { "says" } else { "writes" }, &text[range])
                }
                Block::Card(card) => {
                    let of = |range: Option<Range<usize>>| range.map_or("-", |range| &text[range]);
                    format!("card {} / {} / {}", &text[card.name], of(card.role), of(card.firm))
                }
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

    #[test]
    fn turns_may_have_their_time() {
        check("[09:14] Ana: I live in Porto.\n[09:15] Bo: You do?", &["Ana says I live in Porto.", "Bo says You do?"]);
        check("12/03/2023, 09:14 - Ana: I know.", &["Ana says I know."]);
        check("[1] Ana lives in Porto.", &["prose [1] Ana lives in Porto."]);
    }

    #[test]
    fn talk_has_many_shapes() {
        let talk = ["ana says I live in Porto.", "bo_2 says you do?"];
        check("[09:14] ana: I live in Porto.\n[09:15] bo_2: you do?", &talk);
        check("ana: I live in Porto.\nbo_2: you do?", &talk);
        check("<ana> I live in Porto.\n<bo_2> you do?", &talk);
        check("18:02 <@ana> I live in Porto.\n18:03 <bo_2> you do?", &talk);
        check(
            "Ana Ruiz  9:14 AM\nI live in Porto.\nBo Li  9:15 AM\nyou do?\n\nI do not.",
            &["Ana Ruiz says I live in Porto.", "Bo Li says you do?", "Bo Li says I do not."],
        );
        for colon in [":** ", "**: "] {
            let text = format!("**Host{colon}Where?\n\n**Olga{colon}I live in Tartu.\n\n**Host{colon}I do not.");
            check(&text, &["Host says Where?", "Olga says I live in Tartu.", "Host says I do not."]);
        }
        check(
            "user: I live in Porto.\nassistant: I know that.",
            &["user says I live in Porto.", "assistant says I know that."],
        );
        // Keys, times and elements are none.
        check("host: db.example\nport: 9100", &["prose host: db.example\nport: 9100"]);
        check("**Due:** 3 May\n**Total:** 5.00", &["Due = 3 May", "Total = 5.00"]);
        check("Lunch 12:30\nI eat.\nCoffee 15:00", &["Lunch 12 = 30", "prose I eat.", "Coffee 15 = 00"]);
        let notes = "**Monday:** I live in Porto now.\n**Budget:** We pay for the car.";
        check(notes, &[&format!("prose {notes}")]);
        check("<p> I live.\n<p> I work.", &[]);
    }

    #[test]
    fn a_letter_ends_with_its_writer() {
        for end in ["Much love,\nAna", "- Ana", "Ana", "Yours ever,\nAna", "Your loving aunt,\nAna", "With love, Ana"] {
            check(
                &format!("Dear Bo,\n\nI moved to Porto.\n\n{end}"),
                &["Ana writes Dear Bo,", "Ana writes I moved to Porto.", "card Ana / - / -"],
            );
        }
        check("I moved to Porto. We miss you all. Ana", &["prose I moved to Porto. We miss you all. Ana"]);
        check("Dear Bo,\nI moved. We miss you all. Ana", &["Ana writes Dear Bo,\nI moved. We miss you all. Ana"]);
        check("I call:\n- Bo\n- Ana", &["prose I call:", "prose Bo", "prose Ana"]);
        check("I call\nAna", &["prose I call\nAna"]);
    }

    #[test]
    fn letters_are_their_writers() {
        let card = "card Ana Ruiz / Head of Sales / Acme Tools";
        check("Hi Tom,\n\nI moved.\n\nBest,\nAna", &["Ana writes Hi Tom,", "Ana writes I moved.", "card Ana / - / -"]);
        check("I moved.\n\nKind regards\n\nAna Ruiz\nHead of Sales\nAcme Tools", &["Ana Ruiz writes I moved.", card]);
        check("From: Ana Ruiz <a@b.example>\nTo: Bo\n\nI moved.", &["Ana Ruiz writes I moved."]);
        check("Ana Ruiz\nHead of Sales\nAcme Tools", &[card]);
        check("To: é\nFrom: \"Ólöf Ána\" <é@é.example>\n\nI moved.", &["Ólöf Ána writes I moved."]);
        check("I moved.\n\nThanks\nTomatoes", &["prose I moved.", "prose Thanks\nTomatoes"]);
        check(
            "CV\n\nOla Wilk\nLandscape architect\n\nBorn in Gdansk.",
            &["card Ola Wilk / Landscape architect / -", "prose Born in Gdansk."],
        );
        check(
            "Rahul Sen\nData Engineer\nr@sen.example | Rotterdam",
            &["card Rahul Sen / Data Engineer / -", "prose r@sen.example | Rotterdam"],
        );
        check("Shopping List\nHead of lettuce\nMilk", &["prose Shopping List\nHead of lettuce\nMilk"]);
        check("To buy: milk", &["To buy = milk"]);
        check("Ana Ruiz\nlives in Porto.", &["prose Ana Ruiz\nlives in Porto."]);
    }

    #[test]
    fn examples_are_left_out() {
        check("Ana works.\n\nExample:\nBo works.\n\nCy works.", &["prose Ana works.", "prose Cy works."]);
        check("Example: Bo works.\nCy too.\n\nDi works.", &["prose Di works."]);
        check(
            "# A\n\n## Examples\n\nBo.\n\n### One\n\nCy.\n\n## Use\n\nDi.",
            &["heading A", "heading Use", "prose Di."],
        );
        check("It looks like this:\n\nBo works.\n\nCy works.", &["prose Cy works."]);
        check("This is an example of patience.", &["prose This is an example of patience."]);
    }
}
