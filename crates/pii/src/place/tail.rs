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
        .or_else(|| floor(source, from, gap))
        .or_else(|| care_of(source, from, gap))
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

/// `5º izda`, `2.º C`: a floor in Spain, and the side.
fn floor(source: &Source<'_>, at: usize, gap: Gap) -> Option<usize> {
    let numbered = source.tokens.get(at).is_some_and(|token| token.shape == Shape::Number) && gap != Gap::Line;
    let own = source.word(at).ends_with(['º', 'ª']);
    let apart = source.word(at + 1) == "." && matches!(source.word(at + 2), "º" | "ª");
    let end = if own { at + 1 } else { at + 3 };
    let side = matches!(source.word(end), "izda" | "izq" | "dcha" | "der" | "centro");
    let door = source.tokens.get(end).is_some_and(|token| token.shape == Shape::Initial);
    (numbered && (own || apart)).then_some(end + usize::from(side || door))
}

/// `c/o Jansen` on a line of its own.
fn care_of(source: &Source<'_>, at: usize, gap: Gap) -> Option<usize> {
    let begins =
        gap != Gap::Space && matches!((source.word(at), source.word(at + 1), source.word(at + 2)), ("c", "/", "o"));
    let named = |at: &usize| source.tokens.get(*at).is_some_and(|token| token.is_capital());
    let words = if begins { (at + 3..at + 7).take_while(named).count() } else { 0 };
    (words > 0).then_some(at + 3 + words)
}

/// `APO AE 09012`.
fn forces(source: &Source<'_>, at: usize) -> Option<usize> {
    let post = ["APO", "FPO", "DPO"].iter().any(|office| source.word(at).eq_ignore_ascii_case(office));
    (post && source.word(at + 1).len() == 2 && source.word(at + 2).len() == 5).then_some(at + 3)
}

/// Short words that are no regions.
const FUNCTION: &[&str] = &[
    "in", "on", "at", "of", "to", "by", "the", "and", "for", "our", "not", "nor", "or", "is", "was", "no", "as", "it",
    "he", "we",
];

/// `, CO 64677`, `, NSW`, in small letters before a postcode only.
fn region(source: &Source<'_>, at: usize, gap: Gap) -> Option<usize> {
    let token = source.tokens.get(at)?;
    if gap == Gap::Comma && token.shape == Shape::Number && token.range().len() <= 3 && source.word(at + 1) == "\n" {
        return postcode::at(source, at + 2);
    }
    let postbox = source.word(at + 1).eq_ignore_ascii_case("box");
    let short = matches!(source.word(at).len(), 2..=3) && token.is_word() && !postbox;
    if gap != Gap::Comma || !short || FUNCTION.contains(&source.word(at).to_lowercase().as_str()) {
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
    while end > start && source.tokens[end - 1].shape == Shape::Lower {
        end -= 1;
    }
    if end == start {
        return small_town(source, from);
    }
    let words = &source.tokens[start..end];
    let known = lexicon::is_phrase(&source.text[source.range(start, end)], Marks::PLACE);
    let ordinary = words.iter().all(|token| token.is(Marks::ORDINARY)) && !known;
    let coded = postcode::at(source, end).or_else(|| small_region(source, end));
    let end = coded.unwrap_or_else(|| bracket(source, if known { district(source, end) } else { end }));
    let closed = source.tokens.get(end).is_none_or(|token| matches!(token.shape, Shape::Break | Shape::Sign));
    let labels = source.word(end) == ":";
    let certain = start > from || coded.is_some() || leads_on(source, end);
    (!labels && (certain || (!ordinary && (gap == Gap::Space || closed)))).then_some(end)
}

/// A region in small letters behind a town, with the postcode behind it: `Springfield il 62701`.
fn small_region(source: &Source<'_>, at: usize) -> Option<usize> {
    let token =
        source.tokens.get(at).filter(|token| token.shape == Shape::Lower && matches!(token.range().len(), 2..=3))?;
    let closed = source.tokens.get(at + 1).is_none_or(|next| next.shape == Shape::Break);
    let behind = postcode::at(source, at + 1);
    let last = (closed && !token.is(Marks::ORDINARY) && !token.is(Marks::PARTICLE)).then_some(at + 1);
    if FUNCTION.contains(&source.word(at)) { None } else { behind.or(last) }
}

/// Whether a known place or a region with its postcode is the next part.
fn leads_on(source: &Source<'_>, end: usize) -> bool {
    let (at, gap) = skip(source, end);
    let known = source.tokens.get(at).is_some_and(|token| token.is_capital() && token.is(Marks::PLACE));
    gap != Gap::Space && (known || region(source, at, gap).is_some_and(|to| to > at + 1))
}

fn is_town_word(source: &Source<'_>, at: usize, start: usize) -> bool {
    let numbered = || source.word(at).contains(|c: char| c.is_ascii_digit());
    source.tokens.get(at).is_some_and(|token| match token.shape {
        Shape::Capital | Shape::Upper => !numbered() && (at == start || !token.is(Marks::TITLE)),
        Shape::Lower => at > start && (token.is(Marks::PARTICLE) || matches!(source.word(at), "am" | "sur")),
        _ => source.word(at) == "." && at > start && source.word(at - 1).len() <= 3,
    })
}

/// The number of a district: `Dublin 8`, `Paris 11e`.
fn district(source: &Source<'_>, at: usize) -> usize {
    let word = source.word(at).trim_end_matches("er").trim_end_matches('e');
    let number = matches!(word.len(), 1..=2) && word.bytes().all(|byte| byte.is_ascii_digit());
    let closed = source.tokens.get(at + 1).is_none_or(|next| matches!(next.shape, Shape::Break | Shape::Sign));
    at + usize::from(number && closed && source.word(at + 1) != ":")
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

/// A town in small letters, before a region and a postcode only.
fn small_town(source: &Source<'_>, from: usize) -> Option<usize> {
    let small = |at: &usize| {
        source.tokens.get(*at).is_some_and(|token| token.shape == Shape::Lower && !token.is(Marks::ORDINARY))
    };
    let end = from + (from..from + 4).take_while(small).count();
    let coded = postcode::at(source, end).filter(|_| end > from);
    coded.or_else(|| (end > from && leads_on(source, end)).then_some(end))
}
