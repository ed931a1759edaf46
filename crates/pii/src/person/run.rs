//! Runs of words that are written as a name.

use super::beside;
use crate::lexicon::Marks;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name.
const WORDS: usize = 6;

/// The tokens `from..to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Run {
    pub(crate) fn len(self) -> usize {
        self.to - self.from
    }
}

/// All runs of a source, without the ordinary words that stand before and behind a name.
pub(crate) fn runs(source: &Source<'_>) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < source.tokens.len() {
        if !source.tokens[at].is_capital() {
            at += 1;
            continue;
        }
        let to = end(source, at);
        if let Some(run) = trimmed(source, Run { from: at, to }) {
            runs.push(Run { from: particles(source, run.from), ..run });
        }
        at = to;
    }
    runs
}

/// Where a run ends that begins at a token: capital words, initials with their full stops, and particles between.
fn end(source: &Source<'_>, from: usize) -> usize {
    let capital = |at: usize| source.tokens.get(at).is_some_and(|token| token.is_capital());
    let particle = |at: usize| source.tokens.get(at).is_some_and(|token| token.is(Marks::PARTICLE));
    let stop = |at: usize| source.word(at) == "." && source.touches(at);
    let mut at = from + 1;
    while at - from < WORDS {
        let Some(token) = source.tokens.get(at) else { break };
        at = match token.shape {
            _ if is_column(source, at) => break,
            Shape::Capital | Shape::Upper if goes_on(source, from, at) => at + 1,
            Shape::Initial if stop(at + 1) && (capital(at + 2) || is_initial(source, at + 2)) => at + 2,
            Shape::Initial if capital(at + 1) => at + 1,
            Shape::Lower if particle(at) && (capital(at + 1) || (particle(at + 1) && capital(at + 2))) => at + 1,
            _ => break,
        };
    }
    at
}

/// Whether a token stands three spaces or more behind the one before it, as in a table.
fn is_column(source: &Source<'_>, at: usize) -> bool {
    source.tokens[at].range().start - source.tokens[at - 1].range().end >= 3
}

/// Whether a capital word belongs to the run before it: both are names, or both ordinary words.
fn goes_on(source: &Source<'_>, from: usize, at: usize) -> bool {
    let token = source.tokens[at];
    let surname = token.is(Marks::LAST_NAME) && !is_plain(source, from);
    let street = ["Street", "Avenue", "Road", "Boulevard", "Lane"].contains(&source.word(at));
    let unit =
        street || token.is(Marks::UNIT) && source.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Number);
    !token.is(Marks::TITLE) && !unit && (surname || is_plain(source, at) == is_plain(source, from))
}

fn is_initial(source: &Source<'_>, at: usize) -> bool {
    source.tokens.get(at).is_some_and(|token| token.shape == Shape::Initial)
}

/// Where a name begins whose particles stand behind a form of address: `Mr. van Rensburg`.
fn particles(source: &Source<'_>, from: usize) -> usize {
    let is_particle = |at: usize| source.tokens[at].shape == Shape::Lower && source.tokens[at].is(Marks::PARTICLE);
    let begin = from - (from.saturating_sub(2)..from).rev().take_while(|at| is_particle(*at)).count();
    if begin < from && is_titled(source, begin) { begin } else { from }
}

/// An ordinary word that nobody is called.
fn is_plain(source: &Source<'_>, at: usize) -> bool {
    let token = source.tokens[at];
    let word = token.is(Marks::ORDINARY) || token.is(Marks::ROLE) || token.is(Marks::TITLE);
    word && !token.is(Marks::FIRST_NAME)
}

/// Whether a sentence or a line begins with this token.
pub(crate) fn opens(source: &Source<'_>, at: usize) -> bool {
    const SIGNS: &[&str] = &[".", "!", "?", "\n", "\"", "“", ":", ">", "-", "*", "•", "#"];
    at == 0 || (SIGNS.contains(&source.word(at - 1)) && !is_titled(source, at))
}

/// Whether a form of address stands before this token.
pub(crate) fn is_titled(source: &Source<'_>, at: usize) -> bool {
    let title = |back: usize| at >= back && source.tokens[at - back].is(Marks::TITLE);
    title(1) || (title(2) && source.word(at - 1) == ".")
}

fn trimmed(source: &Source<'_>, run: Run) -> Option<Run> {
    let Run { mut from, mut to } = run;
    while from < to && leads(source, Run { from, to }) {
        from += 1;
    }
    let surname = |at: usize| source.tokens[at].is(Marks::LAST_NAME);
    let trails = |at: usize| (is_plain(source, at) && !surname(at)) || !source.tokens[at].is_capital();
    while to > from && trails(to - 1) {
        to -= 1;
    }
    (from < to).then_some(Run { from, to })
}

/// Whether the first word of a run is no part of a name: an ordinary word, unless it stands alone in a sentence and
/// is a surname; `In` and `May` before a name that is known; `Hausmeister`.
fn leads(source: &Source<'_>, run: Run) -> bool {
    let Run { from, to } = run;
    let token = source.tokens[from];
    let known = |at: usize| source.tokens[at].is(Marks::FIRST_NAME) && !source.tokens[at].is(Marks::ORDINARY);
    let doubtful = token.is(Marks::ORDINARY) && to > from + 1 && known(from + 1);
    let surname = token.is(Marks::LAST_NAME) && to == from + 1 && !opens(source, from);
    let role = beside::is_what_somebody_is(source.word(from));
    (is_plain(source, from) && !surname) || doubtful || role || !token.is_capital()
}
