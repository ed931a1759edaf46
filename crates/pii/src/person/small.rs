//! Names in small letters: behind `name is`, and in lines without capitals.

use crate::kind::Kind;
use crate::lexicon::Marks;
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;

/// Words before `name is`, where it is somebody's.
const WHOSE: &[&str] = &["my", "his", "her", "their", "your", "first", "last", "maiden", "full", "middle"];

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    let mut line = 0;
    while line < source.tokens.len() {
        let end = source.tokens[line..]
            .iter()
            .position(|token| token.shape == Shape::Break)
            .map_or(source.tokens.len(), |at| line + at);
        let capitals = source.tokens[line..end].iter().any(|token| token.is_capital());
        let mut at = line;
        while at < end {
            at = name(source, at, end, capitals, found);
        }
        line = end + 1;
    }
}

/// Looks for a name at a token; gives the next token to look at.
fn name(source: &Source<'_>, at: usize, end: usize, capitals: bool, found: &mut Vec<Proposal>) -> usize {
    let fits = |at: usize| {
        at < end
            && source.tokens[at].shape == Shape::Lower
            && !source.tokens[at].is(Marks::ORDINARY)
            && source.word(at).chars().count() > 1
    };
    let named = at > 1
        && (source.word(at - 1) == "is" || source.word(at - 1) == ":")
        && source.word(at - 2).eq_ignore_ascii_case("name");
    let told = named && at > 2 && WHOSE.iter().any(|word| word.eq_ignore_ascii_case(source.word(at - 3)));
    let known =
        !capitals && at < end && source.tokens[at].is(Marks::FIRST_NAME) && fits(at) && source.word(at).len() > 2;
    if !fits(at) || !(named || known) {
        return at + 1;
    }
    let mut to = at + 1;
    while to - at < 4
        && (fits(to) || (to + 1 < end && source.word(to).len() == 1 && source.tokens[to].is_word() && fits(to + 1)))
    {
        to += 1;
    }
    let confidence = if told { 0.7 } else { 0.4 };
    found.push(Proposal { range: source.range(at, to), kind: Kind::Person, detector: "person.small", confidence });
    to
}
