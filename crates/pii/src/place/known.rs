//! Names that tables have: countries, large towns, nationalities.

use super::postcode;
use crate::kind::Kind;
use crate::lexicon::{self, Marks};
use crate::settle::Found;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name in the tables.
const WORDS: usize = 6;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < source.tokens.len() {
        at = place(source, at, found).or_else(|| nation(source, at, found)).unwrap_or(at + 1);
    }
}

/// The end of the longest name of the table that begins at a token.
pub(crate) fn phrase(source: &Source<'_>, at: usize, mark: Marks) -> Option<usize> {
    let first = source.tokens.get(at).filter(|token| token.is(mark))?;
    let start = first.range().start;
    (at + 1..=at + WORDS).rev().filter(|end| *end <= source.tokens.len()).find(|end| {
        let last = source.tokens[end - 1];
        last.is_word()
            && last.range().end - start <= 48
            && lexicon::is_phrase(&source.text[start..last.range().end], mark)
    })
}

fn place(source: &Source<'_>, at: usize, found: &mut Vec<Found>) -> Option<usize> {
    let token = source.tokens[at];
    let end = phrase(source, at, Marks::PLACE).filter(|_| token.is_capital())?;
    let short = source.word(at).len() <= 2;
    let confidence =
        if end == at + 1 && (token.is(Marks::FIRST_NAME) || token.is(Marks::ORDINARY) || short) { 0.4 } else { 0.6 };
    let bracketed = source.word(end) == "(" && source.word(end + 2) == ")" && source.tokens[end + 1].is_capital();
    let end = if bracketed { end + 3 } else { end };
    found.push(Found { range: source.range(at, end), kind: Kind::Place, detector: "place.known", confidence });
    town(source, at, found);
    if let Some(to) =
        postcode::at(source, end).filter(|to| source.tokens.get(*to).is_none_or(|next| next.shape == Shape::Break))
    {
        found.push(Found {
            range: source.range(end, to),
            kind: Kind::Address,
            detector: "place.postcode",
            confidence: 0.5,
        });
    }
    Some(end)
}

/// `Polish`, `a Catholic`; in small letters behind `am`, `are` and `proud` only.
fn nation(source: &Source<'_>, at: usize, found: &mut Vec<Found>) -> Option<usize> {
    let token = source.tokens[at];
    let end = phrase(source, at, Marks::NATION)?;
    let said = at > 0 && matches!(source.word(at - 1), "am" | "m" | "are" | "re" | "proud" | "nationality");
    if !token.is_capital() && !said {
        return None;
    }
    found.push(Found {
        range: source.range(at, end),
        kind: Kind::Nationality,
        detector: "place.nation",
        confidence: 0.6,
    });
    Some(end)
}

/// The town before a country or a larger place: `Arnsdorf, Germany`, or on the line above.
fn town(source: &Source<'_>, country: usize, found: &mut Vec<Found>) {
    let mut end = country;
    while end > 0 && source.word(end - 1) == ">" {
        end -= 1;
    }
    if end == 0 || !matches!(source.word(end - 1), "," | "\n") {
        return;
    }
    let line = source.word(end - 1) == "\n";
    end -= 1;
    let is_name = |at: usize| {
        let token = source.tokens[at];
        token.is_capital() || (token.shape == Shape::Lower && token.is(Marks::PARTICLE))
    };
    let start = (end.saturating_sub(4)..end).rev().take_while(|at| is_name(*at)).last();
    let Some(start) = start.filter(|start| source.tokens[*start].is_capital()) else { return };
    let known = source.tokens[start].is(Marks::FIRST_NAME)
        || source.tokens[start..end].iter().all(|token| token.is(Marks::ORDINARY));
    let whole_line = start == 0 || matches!(source.word(start - 1), "\n" | ">");
    if !known && (!line || whole_line) {
        found.push(Found {
            range: source.range(start, end),
            kind: Kind::Place,
            detector: "place.town",
            confidence: 0.5,
        });
    }
}
