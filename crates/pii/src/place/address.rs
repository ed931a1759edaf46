//! Postal addresses: what begins one, and from there on the whole of it.

use super::{corner, postbox, street, tail};
use crate::kind::Kind;
use crate::settle::Found;
use crate::source::Source;

/// What begins an address, before the token where it ends.
pub(crate) struct Begun {
    pub(crate) end: usize,
    pub(crate) confidence: f64,
    pub(crate) detector: &'static str,
}

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < source.tokens.len() {
        let begun =
            postbox::begin(source, at).or_else(|| corner::begin(source, at)).or_else(|| street::begin(source, at));
        let Some(Begun { end, confidence, detector }) = begun else {
            at += 1;
            continue;
        };
        let end = tail::end(source, end);
        found.push(Found { range: source.range(at, end), kind: Kind::Address, detector, confidence });
        at = end;
    }
}
