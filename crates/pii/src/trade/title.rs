//! Forms of address, and occupations.

use crate::kind::Kind;
use crate::lexicon::Marks;
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for at in 0..source.tokens.len() {
        if let Some((end, detector, confidence)) = address(source, at).or_else(|| occupation(source, at)) {
            found.push(Proposal { range: source.range(at, end), kind: Kind::Title, detector, confidence });
        }
    }
}

/// `Dr.`, `Prof. Dr.` before a name.
fn address(source: &Source<'_>, at: usize) -> Option<(usize, &'static str, f64)> {
    let title = |at: usize| source.tokens.get(at).is_some_and(|token| token.is(Marks::TITLE) && token.is_capital());
    let stop = |at: usize| at + usize::from(source.word(at) == "." && source.touches(at));
    let mut end = stop(at + 1);
    while end < at + 8 && title(end) {
        end = stop(end + 1);
    }
    let named = source
        .tokens
        .get(end)
        .is_some_and(|next| next.is_capital() || next.shape == Shape::Initial || next.is(Marks::PARTICLE));
    (title(at) && named).then_some((end, "trade.address", 0.7))
}

/// A line that ends or begins with an occupation; `as engineer,`; `, the engineer,`.
fn occupation(source: &Source<'_>, at: usize) -> Option<(usize, &'static str, f64)> {
    let begins_line = at == 0 || source.tokens[at - 1].shape == Shape::Break;
    let before = |back: usize| if at >= back { source.word(at - back) } else { "" };
    let said = before(1) == "as" || (before(1) == "the" && before(2) == ",");
    if !begins_line && !said {
        return None;
    }
    let inside = |at: usize| {
        source.tokens.get(at).is_some_and(|token| {
            token.is_word() || (begins_line && matches!(source.word(at), "," | "'" | "/" | "&" | "(" | ")"))
        })
    };
    let mut end = at;
    while end - at < 8 && inside(end) {
        end += 1;
    }
    let closed =
        source.tokens.get(end).is_none_or(|token| token.shape == Shape::Break || (said && source.word(end) == ","));
    let first_is_capital = source.tokens[at].is_capital();
    let role = end > at && (source.tokens[end - 1].is(Marks::ROLE) || source.tokens[at].is(Marks::ROLE));
    let lined = begins_line && at > 0 && end - at >= 2;
    (closed && role && ((said && first_is_capital) || lined)).then_some((end, "trade.occupation", 0.5))
}
