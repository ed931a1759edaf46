//! Postal addresses: what begins one, and from there on the whole of it.

use super::{corner, postbox, street, tail};
use crate::kind::Kind;
use crate::settle::Proposal;
use crate::source::Source;

/// What begins an address, before the token where it ends.
pub(crate) struct Begun {
    pub(crate) end: usize,
    pub(crate) confidence: f64,
    pub(crate) detector: &'static str,
}

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    let mut at = 0;
    while at < source.tokens.len() {
        let begun =
            postbox::begin(source, at).or_else(|| corner::begin(source, at)).or_else(|| begin_street(source, at));
        let Some(Begun { end, confidence, detector }) = begun else {
            at += 1;
            continue;
        };
        let end = tail::end(source, end);
        found.push(Proposal { range: source.range(at, end), kind: Kind::Address, detector, confidence });
        at = end;
    }
}

/// A street, with the flat that stands before it (`Flat 3B, 118 Lavender Hill`), or a comma beside its number
/// (`61, bd Voltaire`; `Avda. de la Paz, 31`).
fn begin_street(source: &Source<'_>, at: usize) -> Option<Begun> {
    let comma = |at: usize| source.word(at) == ",";
    let behind = |end: &usize| source.tokens[at].is_capital() && comma(*end) && end + 1 < source.tokens.len();
    if let Some(end) = tail::unit(source, at).filter(behind) {
        return street::begin(source, end + 1);
    }
    street::begin(source, at).or_else(|| street::with_comma(source, at))
}
