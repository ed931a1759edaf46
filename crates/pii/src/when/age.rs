//! How old somebody is.

use crate::kind::Kind;
use crate::pattern::{self, Pattern, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use std::ops::Range;
use std::sync::LazyLock;

static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "when.age",
        kind: Kind::Age,
        pattern: r"(?i-u:\b)([0-9]{1,3})(?i:-jährige?[nrms]?| Jahre alt| jaar oud)(?-u:\b)",
        check: |source, range| likely(source, range).then_some(0.9),
    },
    Pattern {
        detector: "when.age",
        kind: Kind::Age,
        pattern: r"(?i:\b(?:âgée?s? de|âge ?:|tiene|edad ?:|alter ?:))[ \t]{0,3}([0-9]{1,3})(?: ans| años| Jahre|[ \t]*(?:\n|$))",
        check: |source, range| likely(source, range).then_some(0.8),
    },
    Pattern {
        detector: "when.age",
        kind: Kind::Age,
        pattern: r"(?i-u:\b)([0-9]{1,3})(?i:[ -]years?[ -]olds?|[ -]?y/?o|[ -]yrs?[ -]old)(?-u:\b)",
        check: |source, range| likely(source, range).then_some(0.9),
    },
    Pattern {
        detector: "when.age",
        kind: Kind::Age,
        pattern: r"(?i-u:\b)(?i:aged?|at the age of|age of|age:)[ \t]{1,3}([0-9]{1,3})(?-u:\b)",
        check: |source, range| likely(source, range).then_some(0.8),
    },
    Pattern {
        detector: "when.age",
        kind: Kind::Age,
        pattern: r"(?i-u:\b)(?i:turn|turns|turned|turning|(?:when|since) (?:he|she|i|they|you) (?:was|were|is|am)) ([0-9]{1,3})(?-u:\b)",
        check: |source, range| (likely(source, range) && !is_measure(source, range)).then_some(0.7),
    },
];

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pattern::ready(PATTERNS));

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    pattern::detect(&READY, source, found);
}

fn likely(source: &Source<'_>, range: &Range<usize>) -> bool {
    source.text[range.clone()].parse::<u32>().is_ok_and(|years| (1..=120).contains(&years))
}

/// `turned 90 degrees`, `turned 3.5`.
fn is_measure(source: &Source<'_>, range: &Range<usize>) -> bool {
    let after = source.after(range.end, 12);
    let word = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let decimal = after
        .strip_prefix(['.', ',', ':', '%', '/', '-'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    decimal
        || after.starts_with(['%', '°'])
        || ["degrees", "pages", "of", "times", "percent", "points", "minutes", "hours", "to"].contains(&word)
}
