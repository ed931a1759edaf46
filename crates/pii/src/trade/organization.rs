//! Companies: by the word that ends their name, by a table, and by the words around them.

use super::cues;
use crate::kind::Kind;
use crate::lexicon::{self, Marks};
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name.
const WORDS: usize = 7;

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
    "sarl",
    "ohg",
    "kgaa",
    "holdings",
];

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for at in 0..source.tokens.len() {
        known(source, at, found);
        small(source, at, found);
    }
    let mut at = 0;
    while at < source.tokens.len() {
        let Some(end) = name(source, at) else {
            at += 1;
            continue;
        };
        if let Some((confidence, detector)) = ending(source, at, end).or_else(|| cues::weigh(source, at, end)) {
            found.push(Proposal { range: source.range(at, end), kind: Kind::Organization, detector, confidence });
        }
        at = end;
    }
}

/// A name in small letters before a clear ending: `stillwater supercomputing inc.`.
fn small(source: &Source<'_>, at: usize, found: &mut Vec<Proposal>) {
    let ends =
        source.tokens[at].is(Marks::COMPANY_ENDING) && ["inc", "llc", "ltd", "corp", "gmbh"].contains(&source.word(at));
    let is_small = |at: &usize| source.tokens[*at].shape == Shape::Lower && !source.tokens[*at].is(Marks::ORDINARY);
    let words = if ends { (at.saturating_sub(3)..at).rev().take_while(is_small).count() } else { 0 };
    if words > 0 {
        let range = source.range(at - words, at + 1 + usize::from(source.word(at + 1) == "."));
        found.push(Proposal { range, kind: Kind::Organization, detector: "trade.ending", confidence: 0.6 });
    }
}

/// A name of the table.
fn known(source: &Source<'_>, at: usize, found: &mut Vec<Proposal>) {
    let Some((end, confidence)) = listed(source, at) else { return };
    found.push(Proposal {
        range: source.range(at, end),
        kind: Kind::Organization,
        detector: "trade.known",
        confidence,
    });
}

/// Where a name of the table ends, and how sure it is.
fn listed(source: &Source<'_>, at: usize) -> Option<(usize, f64)> {
    let token = source.tokens[at];
    let first = token.is_capital() || token.shape == Shape::Initial;
    let named = |at: usize| source.tokens.get(at).is_some_and(|token| token.is_capital() && !token.is(Marks::ORDINARY));
    if !first || !token.is(Marks::COMPANY) || (at > 0 && named(at - 1)) {
        return None;
    }
    let start = token.range().start;
    let is_listed =
        |end: &usize| lexicon::is_phrase(&source.text[start..source.tokens[end - 1].range().end], Marks::COMPANY);
    let end = (at + 1..=(at + 5).min(source.tokens.len())).rev().find(is_listed).filter(|end| !named(*end))?;
    let doubtful = token.is(Marks::ORDINARY) || token.is(Marks::FIRST_NAME) || source.word(at).len() <= 3;
    Some((end, if doubtful && end == at + 1 { 0.3 } else { 0.6 }))
}

/// Where a name that begins at a token ends: capital words, `&`, and `and` with commas as in `Hill, Reed and Cole`.
fn name(source: &Source<'_>, from: usize) -> Option<usize> {
    let part = |at: usize, shapes: &[Shape]| source.tokens.get(at).is_some_and(|token| shapes.contains(&token.shape));
    let capital = |at: usize| part(at, &[Shape::Capital, Shape::Upper, Shape::Initial, Shape::Number]);
    let numbered = source.tokens[from].shape == Shape::Number && source.word(from).len() <= 3 && capital(from + 1);
    let first = source.tokens[from];
    let leading = first.is(Marks::ORDINARY) && !first.is(Marks::LAST_NAME) && !capital(from + 1);
    if !(source.tokens[from].is_capital() || numbered) || leading || is_opening(source, from) {
        return None;
    }
    let mut end = from + 1;
    while end - from < WORDS {
        end = match source.word(end) {
            word if cues::among(cues::BEHIND, word) => break,
            _ if capital(end) => end + 1,
            "&" if capital(end + 1) => end + 2,
            "." if capital(end + 1) && source.word(end - 1).len() == 1 => end + 2,
            word if CLEAR.contains(&word) => end + 1,
            _ => break,
        };
    }
    let end = partners(source, from, spanish(source, end).unwrap_or(end));
    let short = ["Inc", "inc", "Ltd", "ltd", "Corp", "corp", "Co", "Bros"].contains(&source.word(end - 1));
    let stop = short && source.word(end) == "." && source.touches(end);
    Some(end + usize::from(stop))
}

/// `S.L.` and `S.A.` behind a name, of which `end` is behind the letters or the first of them.
fn spanish(source: &Source<'_>, end: usize) -> Option<usize> {
    let begin = (end.saturating_sub(3)..=end).find(|at| source.word(*at) == "S")?;
    let form =
        source.word(begin + 1) == "." && matches!(source.word(begin + 2), "L" | "A") && source.word(begin + 3) == ".";
    form.then_some(begin + 4)
}

/// `Hill, Reed and Cole`: three surnames in a row.
fn partners(source: &Source<'_>, from: usize, end: usize) -> usize {
    let surname = |at: usize| {
        let capital = source.tokens.get(at).filter(|token| token.shape == Shape::Capital);
        capital.is_some_and(|token| !token.is(Marks::ORDINARY) || token.is(Marks::LAST_NAME))
    };
    let first = source.tokens[from];
    let people = first.is(Marks::FIRST_NAME) && !first.is(Marks::LAST_NAME);
    let row = source.word(end) == "," && surname(end + 1) && source.word(end + 2) == "and" && surname(end + 3);
    let listed = from > 0 && matches!(source.word(from - 1), "," | "and");
    if end == from + 1 && row && !people && !listed { end + 4 } else { end }
}

/// `The`, `In`: words that begin sentences begin no name of a company.
fn is_opening(source: &Source<'_>, at: usize) -> bool {
    let token = source.tokens[at];
    let starts = at == 0 || matches!(source.word(at - 1), "." | "!" | "?" | "\n" | "\"" | ":");
    let article = matches!(
        source.word(at),
        "The" | "A" | "An" | "This" | "That" | "Our" | "My" | "Your" | "In" | "At" | "On" | "For" | "Dear" | "Hi"
    );
    let titled =
        source.tokens.get(at + 1).is_some_and(|next| next.is_capital()) && (at == 0 || source.word(at - 1) == "\n");
    article || (starts && token.is(Marks::ORDINARY) && !token.is(Marks::LAST_NAME) && !titled)
}

fn ending(source: &Source<'_>, from: usize, end: usize) -> Option<(f64, &'static str)> {
    let letters = |at: usize| matches!(source.word(at), "L" | "A");
    if end >= from + 5 && source.word(end - 1) == "." && letters(end - 2) && source.word(end - 4) == "S" {
        return Some((0.75, "trade.ending"));
    }
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
