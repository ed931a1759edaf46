//! Streets with their numbers.

use super::address::Begun;
use super::street_name::{house, is_named_street, is_street, name, numbers};
use super::tail;
use crate::context;
use crate::lexicon::Marks;
use crate::source::Source;
use crate::token::{Shape, Token};

/// Words of sentences that an address follows.
const CUES: &[&str] = &[
    "address",
    "addresses",
    "lives at",
    "lives on",
    "live at",
    "live on",
    "living at",
    "located at",
    "located on",
    "sent to",
    "send it",
    "send to",
    "delivered to",
    "deliver to",
    "delivery to",
    "ship to",
    "shipped to",
    "meet me at",
    "meet you at",
    "meet at",
    "meeting at",
    "moved to",
    "arrived at",
    "drops you off",
    "drop off",
    "return to",
    "residence",
    "resides at",
    "office is at",
    "offices at",
    "new one to",
    "based at",
    "north side of",
    "south side of",
    "east side of",
    "west side of",
    "corner of",
    "it is",
    "it's in",
    "adresse",
    "wohnhaft",
    "dirección",
    "indirizzo",
    "endereço",
    "adres",
    "mailed to",
    "forwarded to",
    "stop at",
    "enter on",
    "to be sent",
];

/// A street with a number before its name, behind it, or both.
pub(crate) fn begin(source: &Source<'_>, at: usize) -> Option<Begun> {
    let first = source.tokens[at];
    let starts =
        first.shape == Shape::Number || first.is_capital() || first.is(Marks::STREET_BEFORE) || first.is(Marks::UNIT);
    let inside = at > 0
        && source.tokens[at - 1].is_capital()
        && first.shape != Shape::Number
        && !first.is(Marks::STREET_BEFORE)
        && !first.is(Marks::UNIT);
    if !starts || inside || (at > 0 && source.touches(at) && joins(source.word(at - 1))) {
        return None;
    }
    // `Suite 541 6343 Skogstien 106`: the flat may come first.
    let begin = tail::unit(source, at).unwrap_or(at);
    let from = numbers(source, begin);
    let to = name(source, from);
    if to == from {
        return small(source, begin, from);
    }
    let behind = house(source, to);
    let end = behind.unwrap_or(to);
    let named = is_named_street(source, from, to);
    let before = from > begin;
    let confidence = match (before, named, behind.is_some()) {
        (true, true, _) => 0.85,
        (false, true, true) => 0.75,
        (true, false, true) if !is_ordinary(source, from, to) && is_likely(source, at, begin, end) => 0.6,
        (false, false, true) if !is_ordinary(source, from, to) && is_led(source, at) => 0.6,
        (true, false, false)
            if is_led(source, at) && source.tokens[from].is_capital() && !is_ordinary(source, from, to) =>
        {
            0.5
        }
        (false, true, false) if to > from + 1 && (is_led(source, at) || is_on(source, at, to)) => 0.5,
        _ => return None,
    };
    Some(Begun { end, confidence, detector: "place.street" })
}

/// A sign that makes a number a part of something else: `3/4 Cup`, `#12 Foo`, `-5`.
fn joins(word: &str) -> bool {
    matches!(word, "." | "-" | "/" | ":" | "#" | "$" | "€" | "£" | "@" | "+" | "=" | "_" | "(" | "v" | "×")
}

fn is_led(source: &Source<'_>, at: usize) -> bool {
    context::has_word(source.before(source.tokens[at].range().start, 40), CUES)
}

/// Words that numbers stand around in other texts: months, units, ordinary words.
fn is_ordinary(source: &Source<'_>, from: usize, to: usize) -> bool {
    let words = &source.tokens[from..to];
    let other = |token: &Token| {
        let particle = token.is(Marks::PARTICLE) && token.shape == Shape::Lower;
        (token.is(Marks::ORDINARY) && !particle) || token.is(Marks::MONTH) || token.is(Marks::TITLE)
    };
    let coded = |token: &Token| token.is_word() && source.text[token.range()].contains(|c: char| c.is_ascii_digit());
    words.iter().any(|token| other(token) || coded(token)) || words.iter().all(|token| token.range().len() <= 2)
}

/// An address in small letters: `605 crown 210 apt. 9`, `12 crown street`.
fn small(source: &Source<'_>, begin: usize, from: usize) -> Option<Begun> {
    let is_small = |at: usize| {
        source.tokens.get(at).is_some_and(|token| token.shape == Shape::Lower && !token.is(Marks::ORDINARY))
    };
    let mut to = from;
    while to - from < 4 && is_small(to) {
        to += 1;
    }
    if from == begin || to == from {
        return None;
    }
    let strong = ["street", "avenue", "road", "lane", "boulevard"];
    let named = to > from + 1 && strong.contains(&source.word(to - 1));
    let told = is_street(source.tokens[to - 1]) || is_led(source, begin);
    let behind = house(source, to).filter(|end| told || tail::unit(source, *end).is_some());
    match (named, behind) {
        (_, Some(end)) => Some(Begun { end, confidence: 0.6, detector: "place.street" }),
        (true, None) => Some(Begun { end: to, confidence: 0.6, detector: "place.street" }),
        _ => None,
    }
}

/// `on Berg Hills Street`.
fn is_on(source: &Source<'_>, at: usize, to: usize) -> bool {
    let street = ["Street", "Avenue", "Road", "Boulevard", "Lane", "Drive"].contains(&source.word(to - 1));
    street && at > 0 && matches!(source.word(at - 1), "on" | "at" | "off" | "near")
}

/// Whether two numbers around a name are those of a house: `Season 3 Episode 9` has such, too. A long number before, a
/// flat behind, or the words before tell.
fn is_likely(source: &Source<'_>, at: usize, begin: usize, end: usize) -> bool {
    let long = source.tokens[begin].range().len() >= 3;
    long || begin > at || tail::unit(source, end).is_some() || is_led(source, at)
}

/// `61, bd Voltaire`, `Avda. de la Constitución, 31`: where the word for a street stands first.
pub(crate) fn with_comma(source: &Source<'_>, at: usize) -> Option<Begun> {
    let begins = |at: usize| {
        let token = source.tokens.get(at).filter(|token| token.is(Marks::STREET_BEFORE) && token.range().len() >= 2);
        token.map(|_| name(source, at)).filter(|end| *end > at + 1 && is_named_street(source, at, *end))
    };
    let before = source.tokens[at].shape == Shape::Number && source.word(at + 1) == ",";
    let end = if before {
        house(source, at).and_then(|comma| begins(comma + 1))
    } else {
        begins(at).filter(|end| source.word(*end) == ",").and_then(|end| house(source, end + 1))
    };
    let capital = end.is_some_and(|end| source.tokens[at..end].iter().any(|token| token.is_capital()));
    end.filter(|_| capital).map(|end| Begun { end, confidence: 0.7, detector: "place.street" })
}
