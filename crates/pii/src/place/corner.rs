//! Corners of streets.

use super::address::Begun;
use super::street_name::{house, name, numbers};
use crate::source::Source;

/// `the corner of Elm Road and Rose Lane`.
pub(crate) fn begin(source: &Source<'_>, at: usize) -> Option<Begun> {
    let of = at + usize::from(source.word(at).eq_ignore_ascii_case("the"));
    if source.word(of) != "corner" || source.word(of + 1) != "of" {
        return None;
    }
    let and = corner_street(source, of + 2);
    let last = corner_street(source, and + 1);
    (source.word(and) == "and" && last > and + 1).then_some(Begun {
        end: last,
        confidence: 0.7,
        detector: "place.corner",
    })
}

/// Where a street of a corner ends, its number before or behind it.
fn corner_street(source: &Source<'_>, from: usize) -> usize {
    let named = name(source, numbers(source, from));
    house(source, named).unwrap_or(named)
}
