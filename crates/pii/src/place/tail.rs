//! What follows the street in an address: the flat, the town, the region, the country, the postcode.

use super::postcode;
use crate::lexicon::{self, Marks};
use crate::source::Source;
use crate::token::Shape;

/// The most parts behind a street.
const PARTS: usize = 7;

/// Where an address ends whose street ends before this token.
pub(crate) fn end(source: &Source<'_>, street_end: usize) -> usize {
    let mut end = street_end;
    for _ in 0..PARTS {
        let (from, gap) = skip(source, end);
        match part(source, from, gap) {
            Some(to) => end = to,
            None => break,
        }
    }
    end
}

/// What stands between two parts.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    Space,
    Comma,
    Line,
}

/// Over one comma and one end of a line, with the marks of a quoted mail; an empty line ends an address.
fn skip(source: &Source<'_>, from: usize) -> (usize, Gap) {
    let (mut at, mut gap) = (from, Gap::Space);
    for _ in 0..6 {
        match source.word(at) {
            "." if at == from && source.word(at + 1) == "\n" => at += 1,
            "," if gap != Gap::Comma => (at, gap) = (at + 1, Gap::Comma),
            "\n" if gap == Gap::Space || (gap == Gap::Comma && source.word(at - 1) == ",") => {
                (at, gap) = (at + 1, Gap::Line)
            }
            ">" | "?" if gap == Gap::Line => at += 1,
            _ => break,
        }
    }
    (at, gap)
}

fn part(source: &Source<'_>, from: usize, gap: Gap) -> Option<usize> {
    unit(source, from)
        .or_else(|| forces(source, from))
        .or_else(|| region(source, from, gap))
        .or_else(|| town(source, from, gap))
        .or_else(|| if gap == Gap::Space { None } else { alone(source, from) })
}

/// `Apt. 12`, `Suite 3B`, `#4`.
pub(crate) fn unit(source: &Source<'_>, at: usize) -> Option<usize> {
    let token = source.tokens.get(at)?;
    let number = |at: usize| {
        source.tokens.get(at).is_some_and(|token| token.shape == Shape::Number || token.shape == Shape::Initial)
    };
    let at = match source.word(at + 1) {
        "." | "#" => at + 2,
        _ => at + 1,
    };
    let begins = token.is(Marks::UNIT) || source.word(at - 1) == "#";
    (begins && number(at)).then_some(at + 1)
}

/// `APO AE 09012`.
fn forces(source: &Source<'_>, at: usize) -> Option<usize> {
    let post = ["APO", "FPO", "DPO"].iter().any(|office| source.word(at).eq_ignore_ascii_case(office));
    (post && source.word(at + 1).len() == 2 && source.word(at + 2).len() == 5).then_some(at + 3)
}

/// `, CO 64677`, `, NSW`, in small letters before a postcode only.
fn region(source: &Source<'_>, at: usize, gap: Gap) -> Option<usize> {
    let token = source.tokens.get(at)?;
    let short = matches!(source.word(at).len(), 2..=3) && token.is_word();
    let known = ["in", "on", "at", "of", "to", "by", "the", "and", "for", "our", "not", "nor", "or", "is", "was", "no"];
    if gap != Gap::Comma || !short || known.contains(&source.word(at).to_lowercase().as_str()) {
        return None;
    }
    let code = postcode_after(source, at + 1);
    match token.shape {
        Shape::Upper => Some(code.unwrap_or(at + 1)),
        _ => code,
    }
}

/// A postcode behind a town or region, on its line or the next.
fn postcode_after(source: &Source<'_>, at: usize) -> Option<usize> {
    let at = if source.word(at) == "\n" || source.word(at) == "," { at + 1 } else { at };
    postcode::at(source, at)
}

/// A town, region or country of up to four words, with a postcode before or behind it.
fn town(source: &Source<'_>, from: usize, gap: Gap) -> Option<usize> {
    let start = postcode::at(source, from).unwrap_or(from);
    let mut end = start;
    while end - start < 5 && is_town_word(source, end, start) {
        end += 1;
    }
    while end > start && source.tokens[end - 1].is(Marks::PARTICLE) && source.tokens[end - 1].shape == Shape::Lower {
        end -= 1;
    }
    if end == start {
        return None;
    }
    let code = postcode::at(source, end);
    let ordinary = source.tokens[start].is(Marks::ORDINARY)
        && !lexicon::is_phrase(&source.text[source.range(start, end)], Marks::PLACE);
    let certain = start > from || code.is_some();
    let end = code.unwrap_or_else(|| bracket(source, end));
    let closed = source.tokens.get(end).is_none_or(|token| matches!(token.shape, Shape::Break | Shape::Sign))
        && source.word(end) != ":";
    let spaced = gap == Gap::Space || closed;
    (certain || (!ordinary && spaced && source.word(end) != ":")).then_some(end)
}

fn is_town_word(source: &Source<'_>, at: usize, start: usize) -> bool {
    source.tokens.get(at).is_some_and(|token| match token.shape {
        Shape::Capital | Shape::Upper => at == start || !token.is(Marks::TITLE),
        Shape::Lower => at > start && token.is(Marks::PARTICLE),
        _ => source.word(at) == "." && at > start && source.word(at - 1).len() <= 3,
    })
}

/// `(Greek)` behind a name.
fn bracket(source: &Source<'_>, at: usize) -> usize {
    let closed = source.word(at) == "(" && source.word(at + 2) == ")" && source.tokens[at + 1].is_capital();
    if closed { postcode::at(source, at + 3).unwrap_or(at + 3) } else { at }
}

/// A postcode on a line of its own.
fn alone(source: &Source<'_>, at: usize) -> Option<usize> {
    let end = postcode::at(source, at)?;
    source
        .tokens
        .get(end)
        .is_none_or(|token| token.shape == Shape::Break || source.word(end) == "." || source.word(end) == "?")
        .then_some(end)
}
