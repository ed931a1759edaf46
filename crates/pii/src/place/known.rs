//! Names that tables have: countries, large towns, nationalities.

use super::postcode;
use crate::kind::Kind;
use crate::lexicon::{self, Marks};
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name in the tables.
const WORDS: usize = 6;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
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

fn place(source: &Source<'_>, at: usize, found: &mut Vec<Proposal>) -> Option<usize> {
    let token = source.tokens[at];
    let end = phrase(source, at, Marks::PLACE).filter(|_| token.is_capital())?;
    let short = source.word(at).len() <= 2;
    let confidence =
        if end == at + 1 && (token.is(Marks::FIRST_NAME) || token.is(Marks::ORDINARY) || short) { 0.4 } else { 0.6 };
    let bracketed = source.word(end) == "(" && source.word(end + 2) == ")" && source.tokens[end + 1].is_capital();
    let end = if bracketed { end + 3 } else { end };
    found.push(Proposal { range: source.range(at, end), kind: Kind::Place, detector: "place.known", confidence });
    town(source, at, found);
    if let Some(to) =
        postcode::at(source, end).filter(|to| source.tokens.get(*to).is_none_or(|next| next.shape == Shape::Break))
    {
        found.push(Proposal {
            range: source.range(end, to),
            kind: Kind::Address,
            detector: "place.postcode",
            confidence: 0.5,
        });
    }
    Some(end)
}

/// `Polish`, `a Catholic`; in small letters behind `am`, `are` and `proud` only.
fn nation(source: &Source<'_>, at: usize, found: &mut Vec<Proposal>) -> Option<usize> {
    let token = source.tokens[at];
    if let Some(end) = labelled_nation(source, at) {
        let range = source.range(at, end);
        let (kind, detector) = (Kind::Nationality, "place.nation.label");
        found.push(Proposal { range, kind, detector, confidence: 0.7 });
        return Some(end);
    }
    let end = phrase(source, at, Marks::NATION)?;
    let said = at > 0 && matches!(source.word(at - 1), "am" | "m" | "are" | "re" | "proud" | "nationality");
    if !token.is_capital() && !said {
        return None;
    }
    found.push(Proposal {
        range: source.range(at, end),
        kind: Kind::Nationality,
        detector: "place.nation",
        confidence: 0.6,
    });
    Some(end)
}

/// A word behind a label for nationality, in any language: `Staatsangehörigkeit: deutsch`.
fn labelled_nation(source: &Source<'_>, at: usize) -> Option<usize> {
    const LABELS: &[&str] =
        &["nationality", "citizenship", "staatsangehörigkeit", "nationalität", "nationalité", "nacionalidad"];
    let token = source.tokens[at];
    let colon = at > 1 && source.word(at - 1) == ":";
    let label = at.checked_sub(if colon { 2 } else { 1 }).filter(|label| source.tokens[*label].range().len() >= 10)?;
    let label = source.word(label).to_lowercase();
    let value = token.is_word() && token.range().len() >= 4 && !token.is(Marks::ORDINARY);
    (value && LABELS.contains(&label.as_str()) && (colon || label != "nationality")).then_some(at + 1)
}

/// The town before a country or a larger place: `Arnsdorf, Germany`, or on the line above.
fn town(source: &Source<'_>, country: usize, found: &mut Vec<Proposal>) {
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
        found.push(Proposal {
            range: source.range(start, end),
            kind: Kind::Place,
            detector: "place.town",
            confidence: 0.5,
        });
    }
}
