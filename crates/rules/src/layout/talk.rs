//! Turns of talk, in the shapes that people and programs write them.

use super::{Line, heading};
use crate::data::{attributes, labels, names, nouns, words};
use std::collections::HashMap;
use std::ops::Range;

/// Who begins to speak at a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    /// The name's bytes in the text.
    pub name: Range<usize>,
    /// Where what is said begins; none where it stands on the lines below.
    pub said: Option<usize>,
    /// Whether what stands below, up to the next turn, is said by the same one: a program wrote the name.
    pub lasts: bool,
}

/// How a turn is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `Ana: Hello`
    Plain,
    /// `[09:10] ana: Hello`, `12/03/2023, 09:14 - Ana: Hello`
    Stamped,
    /// `<ana> Hello`
    Nick,
    /// `**Ana:** Hello`
    Bold,
    /// `Ana Ruiz  9:14 AM`, the words below.
    Headed,
}

/// A line that may be a turn.
struct Candidate<'t> {
    line: usize,
    shape: Shape,
    name: &'t str,
    said: Option<&'t str>,
    /// Whether it is one wherever it stands at the head of a text.
    strict: bool,
}

/// Programs that speak in talk with one.
const MACHINES: &str = " assistant system ai chatbot ";
/// What the person is called in talk with a program.
const PERSON: &str = " me user human ";
/// Elements of HTML, which are no nicks.
const ELEMENTS: &str = " a b body br button code dd div dl dt em h1 h2 h3 h4 h5 h6 head html i img input li link meta ol \
    option p pre q s script section small span strong style sub sup svg table tbody td th thead title tr u ul video ";
/// What a log says of a line.
const LEVELS: &str = " error warn warning info debug trace fatal ";

/// Whether nobody speaks by that name but a program.
pub(crate) fn is_machine(name: &str) -> bool {
    words::contains_word(MACHINES, &name.to_lowercase())
}

/// Whether a name means the space's person, whoever that is.
pub(crate) fn is_person(name: &str) -> bool {
    words::contains_word(PERSON, &name.to_lowercase())
}

/// Who speaks in talk between a person and a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talker {
    /// The space's person.
    Person,
    /// The program.
    Machine,
}

/// Whose turn in talk with a program a line begins: `User: I live in Graz`, `**Assistant:** Noted`.
pub fn talker(line: &str) -> Option<Talker> {
    let name = line.split_once(':')?.0.trim_matches(|c: char| !c.is_alphanumeric());
    let machine = is_machine(name).then_some(Talker::Machine);
    machine.or_else(|| is_person(name).then_some(Talker::Person))
}

/// The turns of a text by their lines, and one that its first words may be alone.
pub(super) fn turns(lines: &[Line<'_>]) -> HashMap<usize, Turn> {
    let candidates: Vec<Candidate<'_>> =
        lines.iter().enumerate().filter_map(|(at, line)| candidate(at, line.text)).collect();
    let filled = lines.iter().filter(|line| !line.text.is_empty()).count();
    let first = lines.iter().position(|line| !line.text.is_empty() && heading(line).is_none());
    let mut found = HashMap::new();
    for shape in [Shape::Plain, Shape::Stamped, Shape::Nick, Shape::Bold, Shape::Headed] {
        let of: Vec<&Candidate<'_>> = candidates.iter().filter(|candidate| candidate.shape == shape).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for candidate in &of {
            *times.entry(candidate.name).or_default() += 1;
        }
        let repeated = |candidate: &Candidate<'_>| times[candidate.name] > 1;
        let talk = is_talk(shape, &of, filled, &repeated);
        for candidate in &of {
            let alone = candidate.strict && Some(candidate.line) == first;
            let machine = shape == Shape::Plain && is_machine(candidate.name);
            if alone || machine || talk && takes_part(candidate, repeated(candidate)) {
                found.insert(candidate.line, turn_of(candidate, &lines[candidate.line]));
            }
        }
    }
    found
}

fn turn_of(candidate: &Candidate<'_>, line: &Line<'_>) -> Turn {
    let at = |part: &str| line.start + (part.as_ptr() as usize - line.text.as_ptr() as usize);
    Turn {
        name: at(candidate.name)..at(candidate.name) + candidate.name.len(),
        said: candidate.said.map(at),
        lasts: candidate.shape != Shape::Plain,
    }
}

/// Whether lines of one shape are talk: two of them at least, and no list of keys or of times.
fn is_talk(shape: Shape, of: &[&Candidate<'_>], filled: usize, repeated: &dyn Fn(&Candidate<'_>) -> bool) -> bool {
    let strict = of.iter().filter(|candidate| candidate.strict).count();
    let spoken = of.iter().filter(|candidate| candidate.said.is_some_and(sounds_spoken)).count();
    let several = of.len() > 1;
    match shape {
        Shape::Plain => {
            let nicks = of.iter().filter(|candidate| is_nick(candidate.name)).count();
            strict > 1 && strict * 3 >= filled || nicks > 1 && nicks * 2 >= filled && spoken * 2 >= nicks
        }
        Shape::Stamped | Shape::Nick => several,
        // `**Budget:**` and `**Monday:**` head notes: somebody's name, or one that comes again, tells that it is talk.
        Shape::Bold | Shape::Headed => {
            several && of.iter().any(|candidate| is_given(candidate.name) || repeated(candidate))
        }
    }
}

/// Whether a line of talk is a turn of it, and no note between.
fn takes_part(candidate: &Candidate<'_>, repeated: bool) -> bool {
    let lower = candidate.name.to_lowercase();
    let key = labels::is_note(&lower) || attributes::predicate(&lower).is_some();
    match candidate.shape {
        Shape::Plain => {
            let spoken = candidate.said.is_some_and(sounds_spoken);
            candidate.strict || is_nick(candidate.name) || !key && spoken && repeated
        }
        Shape::Bold => {
            let plain = lower.split(' ').all(|word| words::tags(word) == 0);
            is_given(candidate.name) || !key && plain && (repeated || nouns::is_role(&lower))
        }
        Shape::Stamped => candidate.strict || !labels::is_note(&lower),
        Shape::Nick | Shape::Headed => true,
    }
}

/// Whether a name begins with a first name that is known, or is a nick in lower case.
fn is_given(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or_default();
    names::is_first_name(&first.to_lowercase()) || is_nick(name) && !name.contains(char::is_uppercase)
}

/// Whether a name is nothing else, such as a key or a word of grammar.
fn is_nick(name: &str) -> bool {
    let lower = name.to_lowercase();
    let first = lower.split(' ').next().unwrap_or_default();
    let known = names::is_first_name(first) || is_person(&lower) || is_machine(&lower);
    let thing = attributes::predicate(&lower).is_some()
        || um_model::predicates::lookup(&lower).is_some()
        || nouns::is_role(&lower)
        || nouns::is_common(&lower)
        || crate::data::verbs::form(&lower).is_some()
        || labels::is_note(&lower);
    known || !thing && lower.split(' ').all(|word| words::tags(word) == 0)
}

/// The turn that a line may be.
fn candidate(at: usize, line: &str) -> Option<Candidate<'_>> {
    let of = |shape, name, said, strict| Some(Candidate { line: at, shape, name, said, strict });
    if let Some(name) = headed(line) {
        return of(Shape::Headed, name, None, false);
    }
    let rest = &line[stamp(line)..];
    if let Some((name, said)) = nick(rest) {
        return of(Shape::Nick, name, Some(said), false);
    }
    if let Some((name, said)) = bold(rest) {
        return of(Shape::Bold, name, Some(said), false);
    }
    let (name, said) = rest.split_once(": ")?;
    let (name, said) = (name.trim_end(), said.trim_start());
    let strict = turn(rest).is_some();
    let stamped = rest.len() < line.len();
    let level = stamped && words::contains_word(LEVELS, &name.to_lowercase());
    let shape = if stamped { Shape::Stamped } else { Shape::Plain };
    (strict || is_named(name) && !level && !said.is_empty()).then_some(())?;
    of(shape, name, Some(said), strict)
}

/// Whether words may name somebody in talk: one to three, of letters or as a nick has them.
fn is_named(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '@' || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '@' | '_' | '-' | '.' | '\'' | '’'))
    };
    name.len() <= 40 && (1..=3).contains(&name.split(' ').count()) && name.split(' ').all(word)
}

/// `<ana> Hello`, `<@ana> Hello`, also behind a time.
fn nick(line: &str) -> Option<(&str, &str)> {
    let time = line.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let rest = line[time..].trim_start();
    let (name, said) = rest.strip_prefix('<')?.split_once('>')?;
    let name = name.trim_start_matches(['@', '+', '%', '&', '~', ' ']);
    let element = words::contains_word(ELEMENTS, &name.to_lowercase()) || said.contains("</");
    (is_named(name) && !element && said.starts_with(' ') && !said.trim().is_empty()).then(|| (name, said.trim_start()))
}

/// `**Ana:** Hello`, `**Ana**: Hello`
fn bold(line: &str) -> Option<(&str, &str)> {
    let mark = ["**", "__"].into_iter().find(|mark| line.starts_with(mark))?;
    let (name, rest) = line[2..].split_once(mark)?;
    let (name, said) = match name.strip_suffix(':') {
        Some(name) => (name, rest),
        None => (name, rest.trim_start().strip_prefix(':')?),
    };
    let (name, said) = (name.trim(), said.trim_start());
    (is_named(name) && !said.is_empty()).then_some((name, said))
}

/// `Ana Ruiz  9:14 AM` on a line of its own.
fn headed(line: &str) -> Option<&str> {
    let digit = line.find(|c: char| c.is_ascii_digit())?;
    let (name, time) = line.split_at(digit);
    let bare = name.trim_end_matches([' ', '[', '(', '\t']);
    let time = time.trim_end_matches([']', ')']).to_lowercase();
    let clock = time.trim_end_matches(" am").trim_end_matches(" pm");
    let clock = clock.trim_end_matches("am").trim_end_matches("pm");
    let of_day = clock.split(':').all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()));
    let apart = name.len() >= bare.len() + 2 || time.ends_with('m') || bare.len() < name.trim_end().len();
    (clock.contains(':') && of_day && apart && is_named(bare)).then_some(bare)
}

/// How long the time is that a program writes before a turn: `[09:14] `, `12/03/2023, 09:14 - `.
fn stamp(line: &str) -> usize {
    let plain = |inner: &str| {
        let digits = inner.bytes().filter(u8::is_ascii_digit).count();
        let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
        inner.contains(':') && digits >= 3 && letters <= 2
    };
    if let Some(rest) = line.strip_prefix('[') {
        let end = rest.find(']').filter(|end| *end <= 24 && plain(&rest[..*end]));
        return end.map_or(0, |end| line.len() - rest[end + 1..].trim_start().len());
    }
    let end = line.find(" - ").filter(|end| *end <= 24 && line.starts_with(|c: char| c.is_ascii_digit()));
    end.filter(|end| plain(&line[..*end])).map_or(0, |end| end + 3)
}

/// `Name: ` at the head of a turn: how long the name is, and where what is said begins.
fn turn(text: &str) -> Option<(usize, usize)> {
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
    let label = attributes::predicate(&lower).is_some()
        || um_model::predicates::lookup(&lower).is_some()
        || nouns::is_role(&lower)
        || nouns::is_common(&lower);
    let grammar = parts.iter().any(|part| words::tags(&part.to_lowercase()) & !words::MODAL & !words::MONTH != 0);
    let verb = crate::data::verbs::form(&lower).is_some();
    let shouted = parts.iter().any(|part| part.chars().count() > 1 && part.chars().all(char::is_uppercase));
    let note = labels::is_note(&lower);
    if !known && (note || label || grammar || verb || shouted) || !known && parts.len() == 1 && !sounds_spoken(rest) {
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
