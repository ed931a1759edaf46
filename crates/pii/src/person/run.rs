//! Runs of words that are written as a name.

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
            runs.push(run);
        }
        at = to;
    }
    runs
}

/// Where a run ends that begins at a token: capital words, initials with their full stops, and particles between.
fn end(source: &Source<'_>, from: usize) -> usize {
    let capital = |at: usize| source.tokens.get(at).is_some_and(|token| token.is_capital());
    let mut at = from + 1;
    while at - from < WORDS {
        let Some(token) = source.tokens.get(at) else { break };
        let breaks = token.is(Marks::TITLE)
            || (token.is(Marks::ORDINARY) && !token.is(Marks::FIRST_NAME)) != is_plain(source, at - 1);
        at = match token.shape {
            Shape::Capital | Shape::Upper if !breaks => at + 1,
            Shape::Initial
                if source.word(at + 1) == "."
                    && source.touches(at + 1)
                    && (capital(at + 2) || is_initial(source, at + 2)) =>
            {
                at + 2
            }
            Shape::Initial if capital(at + 1) => at + 1,
            Shape::Lower
                if token.is(Marks::PARTICLE)
                    && (capital(at + 1)
                        || (source.tokens.get(at + 1).is_some_and(|next| next.is(Marks::PARTICLE))
                            && capital(at + 2))) =>
            {
                at + 1
            }
            _ => break,
        };
    }
    at
}

fn is_initial(source: &Source<'_>, at: usize) -> bool {
    source.tokens.get(at).is_some_and(|token| token.shape == Shape::Initial)
}

/// An ordinary word that nobody is called.
fn is_plain(source: &Source<'_>, at: usize) -> bool {
    let token = source.tokens[at];
    let word = token.is(Marks::ORDINARY) || token.is(Marks::ROLE) || token.is(Marks::TITLE);
    word && !token.is(Marks::FIRST_NAME)
}

fn trimmed(source: &Source<'_>, run: Run) -> Option<Run> {
    let Run { mut from, mut to } = run;
    // `In`, `May`: of a run of several, an ordinary word before a name that is known is none of it.
    let leads = |from: usize, to: usize| {
        let next_is_name = from + 1 < to
            && source.tokens[from + 1].is(Marks::FIRST_NAME)
            && !source.tokens[from + 1].is(Marks::ORDINARY);
        let doubtful = source.tokens[from].is(Marks::ORDINARY) && next_is_name;
        is_plain(source, from) || doubtful || !source.tokens[from].is_capital()
    };
    while from < to && leads(from, to) {
        from += 1;
    }
    while to > from
        && (is_plain(source, to - 1)
            || !source.tokens[to - 1].is_word()
            || source.tokens[to - 1].shape == Shape::Initial)
    {
        to -= 1;
    }
    (from < to).then_some(Run { from, to })
}
