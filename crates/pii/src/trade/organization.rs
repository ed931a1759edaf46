//! Companies: by the word that ends their name, by a table, and by the words around them.

use crate::kind::Kind;
use crate::lexicon::{self, Marks};
use crate::settle::Found;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name.
const WORDS: usize = 7;

/// Words before `for` and `at`.
const WORK: &[&str] = &[
    "work",
    "works",
    "worked",
    "working",
    "job",
    "intern",
    "interned",
    "internship",
    "employed",
    "position",
    "role",
    "year",
    "years",
    "recorded",
    "career",
    "engineer",
    "manager",
    "director",
    "contractor",
    "consultant",
    "analyst",
];
/// Words before `of`.
const OF: &[&str] = &[
    "ceo",
    "cto",
    "cfo",
    "founder",
    "cofounder",
    "co-founder",
    "employee",
    "employees",
    "chairman",
    "chairwoman",
    "customer",
    "subsidiary",
    "owner",
    "shareholders",
];
/// Words before a company.
const BEFORE: &[&str] =
    &["became", "joined", "company", "employer", "startup", "support", "versus", "acquired", "acquires", "sued"];
/// Words behind a company.
const BEHIND: &[&str] = &[
    "orchestra",
    "office",
    "offices",
    "headquarters",
    "website",
    "employees",
    "shares",
    "shareholders",
    "invested",
    "announced",
    "acquired",
    "hired",
    "launched",
    "resignation",
];
/// What companies are said to be.
const BEING: &[&str] = &[
    "agency",
    "company",
    "firm",
    "startup",
    "start-up",
    "brainchild",
    "corporation",
    "multinational",
    "based",
    "501",
    "nonprofit",
    "non-profit",
    "subsidiary",
    "manufacturer",
    "keynote",
    "ceo",
];
/// Endings that are clear by themselves.
const CLEAR: &[&str] = &[
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "llc",
    "llp",
    "ltd",
    "limited",
    "plc",
    "gmbh",
    "oyj",
    "spa",
    "srl",
    "holdings",
];

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < source.tokens.len() {
        if let Some(end) = known(source, at, found) {
            at = end;
            continue;
        }
        let Some(end) = name(source, at) else {
            at += 1;
            continue;
        };
        if let Some((confidence, detector)) = ending(source, at, end).or_else(|| around(source, at, end)) {
            found.push(Found { range: source.range(at, end), kind: Kind::Organization, detector, confidence });
        }
        at = end;
    }
}

/// A name of the table.
fn known(source: &Source<'_>, at: usize, found: &mut Vec<Found>) -> Option<usize> {
    let token = source.tokens[at];
    let first = token.is_capital() || token.shape == Shape::Initial;
    if !first
        || !token.is(Marks::COMPANY)
        || (at > 0 && source.tokens[at - 1].is_capital() && !source.tokens[at - 1].is(Marks::ORDINARY))
    {
        return None;
    }
    let start = token.range().start;
    let end = (at + 1..=(at + 5).min(source.tokens.len()))
        .rev()
        .find(|end| lexicon::is_phrase(&source.text[start..source.tokens[end - 1].range().end], Marks::COMPANY))?;
    if source.tokens.get(end).is_some_and(|next| next.is_capital() && !next.is(Marks::ORDINARY)) {
        return None;
    }
    let common =
        end == at + 1 && (token.is(Marks::ORDINARY) || token.is(Marks::FIRST_NAME) || source.word(at).len() <= 3);
    let confidence = if common { 0.3 } else { 0.6 };
    found.push(Found { range: source.range(at, end), kind: Kind::Organization, detector: "trade.known", confidence });
    Some(end)
}

/// Where a name that begins at a token ends: capital words, `&`, and `and` with commas as in `Hill, Reed and Cole`.
fn name(source: &Source<'_>, from: usize) -> Option<usize> {
    let capital = |at: usize| {
        source
            .tokens
            .get(at)
            .is_some_and(|token| token.is_capital() || token.shape == Shape::Initial || token.shape == Shape::Number)
    };
    let starts = source.tokens[from].is_capital()
        || (source.tokens[from].shape == Shape::Number && capital(from + 1) && source.word(from).len() <= 3);
    let leading = source.tokens[from].is(Marks::ORDINARY) && !capital(from + 1);
    if !starts || leading || is_opening(source, from) {
        return None;
    }
    let mut end = from + 1;
    while end - from < WORDS {
        end = match source.word(end) {
            _ if capital(end) => end + 1,
            "&" | "." if capital(end + 1) && (source.word(end) == "&" || source.word(end - 1).len() == 1) => end + 2,
            _ if source.tokens.get(end).is_some_and(|token| token.is(Marks::COMPANY_ENDING)) => end + 1,
            _ => break,
        };
    }
    end = partners(source, from, end);
    let stop = source.tokens[end - 1].is(Marks::COMPANY_ENDING)
        && source.word(end) == "."
        && source.touches(end)
        && source.word(end - 1).len() <= 4;
    Some(end + usize::from(stop))
}

/// `Hill, Reed and Cole`: three names in a row.
fn partners(source: &Source<'_>, from: usize, end: usize) -> usize {
    let capital = |at: usize| {
        source.tokens.get(at).is_some_and(|token| token.shape == Shape::Capital && !token.is(Marks::ORDINARY))
    };
    let three = end == from + 1
        && source.word(end) == ","
        && capital(end + 1)
        && source.word(end + 2) == "and"
        && capital(end + 3);
    if three && !(from > 0 && matches!(source.word(from - 1), "," | "founders")) { end + 4 } else { end }
}

/// `The`, `In`: words that begin sentences begin no name of a company.
fn is_opening(source: &Source<'_>, at: usize) -> bool {
    let token = source.tokens[at];
    let starts = at == 0 || matches!(source.word(at - 1), "." | "!" | "?" | "\n" | "\"" | ":");
    let article = matches!(
        source.word(at),
        "The" | "A" | "An" | "This" | "That" | "Our" | "My" | "Your" | "In" | "At" | "On" | "For" | "Dear" | "Hi"
    );
    article || (starts && token.is(Marks::ORDINARY))
}

fn ending(source: &Source<'_>, from: usize, end: usize) -> Option<(f64, &'static str)> {
    let last = if source.word(end - 1) == "." { end - 2 } else { end - 1 };
    let clear = CLEAR.iter().any(|ending| ending.eq_ignore_ascii_case(source.word(last)));
    let marked = source.tokens[last].is(Marks::COMPANY_ENDING) && last > from;
    let ordinary = source.tokens[from..last].iter().all(|token| token.is(Marks::ORDINARY));
    match (marked, clear) {
        (true, true) => Some((0.85, "trade.ending")),
        (true, false) if !ordinary => Some((0.55, "trade.ending")),
        _ => None,
    }
}

fn around(source: &Source<'_>, from: usize, end: usize) -> Option<(f64, &'static str)> {
    let before = |back: usize| if from >= back { source.word(from - back) } else { "" };
    let among = |words: &[&str], word: &str| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let three = end == from + 5;
    let led = match before(1) {
        "for" | "at" | "by" => among(WORK, before(2)),
        "of" => among(OF, before(2)) || before(2) == "address" || (three && before(2) != ","),
        word => among(BEFORE, word),
    };
    let next = source.word(end);
    let said_to_be = matches!(next, "is" | "was")
        && (end + 1..end + 7).any(|at| among(BEING, source.word(at)))
        && before(1) != "from";
    let followed = among(BEHIND, next)
        && (before(1) == "The"
            || before(1) == "the"
            || before(1) == "her"
            || before(1) == "his"
            || before(1) == "their"
            || before(1) == ",");
    let line = three && (from == 0 || matches!(before(1), "\n" | ">" | ":" | "The" | "?"));
    match () {
        () if led => Some((0.65, "trade.cue")),
        () if followed => Some((0.6, "trade.cue")),
        () if said_to_be || line => Some((0.55, "trade.cue")),
        () if before(1) == "from"
            && !source.tokens[from].is(Marks::FIRST_NAME)
            && !source.tokens[from].is(Marks::PLACE) =>
        {
            Some((0.4, "trade.from"))
        }
        () => None,
    }
}
