//! Streets with their numbers, boxes and corners, and from there on the whole address.

use super::tail;
use crate::context;
use crate::kind::Kind;
use crate::lexicon::{self, Marks};
use crate::settle::Found;
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

/// The most words of a street's name.
const WORDS: usize = 7;

/// What begins an address, before the token where it ends.
struct Begun {
    end: usize,
    confidence: f64,
    detector: &'static str,
}

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < source.tokens.len() {
        let begun = postbox(source, at).or_else(|| corner(source, at)).or_else(|| street(source, at));
        let Some(Begun { end, confidence, detector }) = begun else {
            at += 1;
            continue;
        };
        let end = tail::end(source, end);
        found.push(Found { range: source.range(at, end), kind: Kind::Address, detector, confidence });
        at = end;
    }
}

/// `P.O. Box 12`, `PSC 3294, Box 91`, `Unit 12 Box 34`, a ship's post office.
fn postbox(source: &Source<'_>, at: usize) -> Option<Begun> {
    let token = source.tokens[at];
    let number = |at: usize| source.tokens.get(at).is_some_and(|token| token.shape == Shape::Number);
    if token.shape == Shape::Number && token.range().len() <= 6 && !number(at + 1) {
        // `77009 P.O. Box 255`
        let begins = is_any(source.word(at + 1), &["P", "PO"]);
        return if begins { postbox(source, at + 1) } else { None };
    }
    if !token.is_word() || token.range().len() > 8 {
        return None;
    }
    let is_box = |at: usize| source.word(at).eq_ignore_ascii_case("box") && number(at + 1);
    let word = source.word(at);
    let end = if word.eq_ignore_ascii_case("P") {
        let o = at + 1 + usize::from(source.word(at + 1) == ".");
        let after = o + 1 + usize::from(source.word(o + 1) == ".");
        (source.word(o).eq_ignore_ascii_case("o") && is_box(after)).then_some(after + 2)
    } else if word.eq_ignore_ascii_case("PO") {
        is_box(at + 1).then_some(at + 3)
    } else if is_any(word, &["Postfach", "Apartado", "Postboks", "Postbus", "BP"]) {
        number(at + 1).then_some(at + 2)
    } else if is_any(word, &["PSC", "CMR", "Unit"]) && number(at + 1) {
        let comma = usize::from(source.word(at + 2) == ",");
        is_box(at + 2 + comma).then_some(at + 4 + comma)
    } else if is_any(word, &["USS", "USNS", "USNV", "USCGC", "HMS"]) {
        let line = (at + 2..at + 5).find(|at| source.word(*at) == "\n");
        line.filter(|line| is_any(source.word(line + 1), &["APO", "FPO", "DPO"]))
    } else {
        None
    };
    end.map(|end| Begun { end, confidence: 0.9, detector: "place.postbox" })
}

fn is_any(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `the corner of Elm Road and Rose Lane`.
fn corner(source: &Source<'_>, at: usize) -> Option<Begun> {
    let of = at + usize::from(source.word(at).eq_ignore_ascii_case("the"));
    if source.word(of) != "corner" || source.word(of + 1) != "of" {
        return None;
    }
    let and = corner_street(source, of + 2);
    let last = corner_street(source, and + 1);
    (source.word(and) == "and" && last > and + 1).then_some(Begun {
        end: last,
        confidence: 0.7,
        detector: "place.corner",
    })
}

/// Where a street of a corner ends, its number before or behind it.
fn corner_street(source: &Source<'_>, from: usize) -> usize {
    let named = name(source, numbers(source, from));
    house(source, named).unwrap_or(named)
}

/// Over up to two numbers of houses.
fn numbers(source: &Source<'_>, from: usize) -> usize {
    let is_house = |at: usize| {
        let token = source.tokens.get(at).filter(|token| token.shape == Shape::Number);
        token.is_some_and(|token| token.range().len() <= 6)
    };
    from + usize::from(is_house(from)) + usize::from(is_house(from) && is_house(from + 1))
}

/// Where the name of a street ends: capital words, with the particles and street words between them.
fn name(source: &Source<'_>, from: usize) -> usize {
    let mut end = from;
    while end - from < WORDS && source.tokens.get(end).is_some_and(|token| is_name_word(source, end, from, *token)) {
        end += 1;
    }
    while end > from && source.tokens[end - 1].shape == Shape::Lower && !is_street(source.tokens[end - 1]) {
        end -= 1;
    }
    end
}

fn is_street(token: Token) -> bool {
    token.is(Marks::STREET_AFTER) || token.is(Marks::STREET_BEFORE)
}

fn is_name_word(source: &Source<'_>, at: usize, from: usize, token: Token) -> bool {
    match token.shape {
        Shape::Capital | Shape::Upper | Shape::Initial => at == from || tail::unit(source, at).is_none(),
        Shape::Lower => token.is(Marks::PARTICLE) || is_street(token) || is_between(source, at, from),
        Shape::Sign if at > from && source.touches(at) => {
            let before = source.tokens[at - 1];
            match source.word(at) {
                "." => is_street(before) || before.shape == Shape::Initial || before.range().len() <= 4,
                "/" => before.range().len() == 1,
                "'" | "’" => true,
                _ => false,
            }
        }
        _ => false,
    }
}

/// A word in small letters inside a name: `Árpád fejedelem útja`, `rue tachkent`.
fn is_between(source: &Source<'_>, at: usize, from: usize) -> bool {
    let beside = |at: usize| source.tokens.get(at).is_some_and(|token| is_street(*token) && !token.is(Marks::PARTICLE));
    at > from && !source.tokens[at].is(Marks::ORDINARY) && (beside(at - 1) || beside(at + 1))
}

/// A street with a number before its name, behind it, or both.
fn street(source: &Source<'_>, at: usize) -> Option<Begun> {
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

/// The number of a house behind the street, with its full stop: `25`, `19.`, `12b`.
fn house(source: &Source<'_>, at: usize) -> Option<usize> {
    let token = source.tokens.get(at).filter(|token| token.shape == Shape::Number && token.range().len() <= 5)?;
    let digits = source.text[token.range()].chars().take_while(char::is_ascii_digit).count();
    let goes_on =
        source.touches(at + 1) && matches!(source.word(at + 1), ":" | "%" | "," | "/") && source.touches(at + 2);
    let decimal = source.touches(at + 1)
        && source.word(at + 1) == "."
        && source.touches(at + 2)
        && source.tokens[at + 2].shape == Shape::Number;
    if digits > 4 || goes_on || decimal {
        return None;
    }
    let stop = source.touches(at + 1)
        && source.word(at + 1) == "."
        && source.tokens.get(at + 2).is_some_and(|next| next.shape != Shape::Lower);
    let ends_sentence = source.tokens.get(at + 2).is_none_or(|next| next.is_capital() && !next.is(Marks::UNIT));
    Some(at + 1 + usize::from(stop && !ends_sentence))
}

/// Whether the words are a street by a word of theirs: `Crown Street`, `Via Roma`, `Koskikatu`.
fn is_named_street(source: &Source<'_>, from: usize, to: usize) -> bool {
    let tokens = &source.tokens[from..to];
    let words = tokens.iter().filter(|token| token.is_word()).count();
    let before = tokens[0].is(Marks::STREET_BEFORE) && words > 1;
    let after = tokens.iter().skip(1).any(|token| token.is(Marks::STREET_AFTER));
    let ending =
        || tokens.iter().any(|token| token.is_capital() && lexicon::ends_like_street(&source.text[token.range()]));
    before || after || ending()
}

/// Words that numbers stand around in other texts: months, units, ordinary words.
fn is_ordinary(source: &Source<'_>, from: usize, to: usize) -> bool {
    let words = &source.tokens[from..to];
    let other = |token: &Token| {
        let particle = token.is(Marks::PARTICLE) && token.shape == Shape::Lower;
        (token.is(Marks::ORDINARY) && !particle) || token.is(Marks::MONTH) || token.is(Marks::TITLE)
    };
    words.iter().any(other) || words.iter().all(|token| token.range().len() <= 2)
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
