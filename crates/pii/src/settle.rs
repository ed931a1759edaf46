//! From what the detectors propose to findings that do not overlap.

use crate::kind::Kind;
use std::ops::Range;

/// What a detector proposes.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Where it stands, in bytes, on character boundaries.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// Which detector saw it: `family.name`.
    pub detector: &'static str,
    /// 0 to 1.
    pub confidence: f64,
}

/// Settles overlaps, so that every character that somebody proposed stays in exactly one finding:
///
/// - of those of one kind that overlap, one is made, with the name and confidence of the surest;
/// - one that lies within another of a different kind goes with the other; where both have the same range, the surer
///   stays, and of two equally sure the first in the order of kinds;
/// - of two of different kinds that cross, the surer stays whole and the other keeps what sticks out.
pub(crate) fn settle(found: Vec<Proposal>) -> Vec<Proposal> {
    uncrossed(outermost(united(found)))
}

/// One finding for those of one kind that overlap.
fn united(mut found: Vec<Proposal>) -> Vec<Proposal> {
    found.sort_by_key(|one| (one.kind, one.range.start, one.range.end));
    let mut united: Vec<Proposal> = Vec::with_capacity(found.len());
    for next in found {
        match united.last_mut().filter(|last| last.kind == next.kind && next.range.start < last.range.end) {
            Some(last) => {
                last.range.end = last.range.end.max(next.range.end);
                if next.confidence > last.confidence {
                    (last.detector, last.confidence) = (next.detector, next.confidence);
                }
            }
            None => united.push(next),
        }
    }
    united
}

/// Those that lie within no other, by their places: so their ends rise as their beginnings do.
fn outermost(mut found: Vec<Proposal>) -> Vec<Proposal> {
    let place = |one: &Proposal| (one.range.start, std::cmp::Reverse(one.range.end));
    found.sort_by(|a, b| place(a).cmp(&place(b)).then(b.confidence.total_cmp(&a.confidence)).then(a.kind.cmp(&b.kind)));
    let mut reached = 0;
    found.retain(|one| {
        let sticks_out = one.range.end > reached;
        reached = reached.max(one.range.end);
        sticks_out
    });
    found
}

/// Cuts what crosses. One that is cut from both sides may vanish; then its neighbours cover it.
fn uncrossed(found: Vec<Proposal>) -> Vec<Proposal> {
    let mut settled: Vec<Proposal> = Vec::with_capacity(found.len());
    for mut next in found {
        while let Some(last) = settled.last_mut().filter(|last| next.range.start < last.range.end) {
            if next.confidence <= last.confidence {
                next.range.start = last.range.end;
            } else if next.range.start <= last.range.start {
                settled.pop();
            } else {
                last.range.end = next.range.start;
            }
        }
        settled.push(next);
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: &[(Range<usize>, Kind, f64)], expected: &[(Range<usize>, Kind)]) {
        let found =
            found.iter().cloned().map(|(range, kind, confidence)| Proposal { range, kind, detector: "x", confidence });
        let settled: Vec<_> = settle(found.collect()).into_iter().map(|one| (one.range, one.kind)).collect();
        assert_eq!(settled, expected);
    }

    #[test]
    fn overlaps_are_settled() {
        use Kind::{Address, Person, Phone, Place};
        check(&[(0..4, Person, 0.5), (2..8, Person, 0.9), (8..9, Person, 0.5)], &[(0..8, Person), (8..9, Person)]);
        check(&[(0..9, Address, 0.5), (2..5, Place, 0.9)], &[(0..9, Address)]);
        check(&[(0..4, Place, 0.5), (0..4, Person, 0.6)], &[(0..4, Person)]);
        check(&[(0..4, Place, 0.5), (0..4, Person, 0.5)], &[(0..4, Person)]);
        check(&[(0..6, Person, 0.5), (4..9, Phone, 0.9)], &[(0..4, Person), (4..9, Phone)]);
        check(&[(0..6, Person, 0.9), (4..9, Phone, 0.5)], &[(0..6, Person), (6..9, Phone)]);
        check(&[(0..8, Person, 0.9), (2..10, Place, 0.5), (6..12, Phone, 0.7)], &[(0..8, Person), (8..12, Phone)]);
        check(&[(0..8, Person, 0.5), (2..10, Place, 0.4), (6..12, Phone, 0.9)], &[(0..6, Person), (6..12, Phone)]);
    }
}
