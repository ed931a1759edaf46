//! Measuring detectors: which characters of a text they found, of those that a person marked.

use crate::{Finding, Kind};
use std::collections::BTreeMap;
use um_model::Utf16Span;

/// What others call the kinds, beside their own names.
const ALIASES: &[(&str, Kind)] = &[
    ("name", Kind::Person),
    ("email_address", Kind::Email),
    ("phone_number", Kind::Phone),
    ("street_address", Kind::Address),
    ("zip_code", Kind::Postcode),
    ("date_of_birth", Kind::BirthDate),
    ("credit_card", Kind::Card),
    ("iban_code", Kind::Iban),
    ("us_bank_number", Kind::BankAccount),
    ("us_passport", Kind::Passport),
    ("us_driver_license", Kind::DriverLicence),
    ("domain_name", Kind::Url),
    ("date_time", Kind::Date),
    ("gpe", Kind::Place),
    ("location", Kind::Place),
    ("nrp", Kind::Nationality),
];

/// The kind of that name, in any case: its own, or what other sets call it.
pub fn kind_of(name: &str) -> Option<Kind> {
    let small = name.to_lowercase();
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == small).map(|(_, kind)| *kind);
    small.parse().ok().or_else(alias)
}

/// Characters, in UTF-16 code units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Proposal, and marked.
    pub right: usize,
    /// Proposal.
    pub found: usize,
    /// Marked.
    pub expected: usize,
}

impl Score {
    /// The share of what was found that is marked; one where nothing was found.
    pub fn precision(self) -> f64 {
        if self.found == 0 { 1.0 } else { self.right as f64 / self.found as f64 }
    }

    /// The share of what is marked that was found; one where nothing is marked.
    pub fn recall(self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.right as f64 / self.expected as f64 }
    }

    /// Both in one, recall counting four times as much: what is not found stays where it should not.
    pub fn f2(self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall == 0.0 { 0.0 } else { 5.0 * precision * recall / (4.0 * precision + recall) }
    }
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.found += other.found;
        self.expected += other.expected;
    }
}

/// How the findings of a text compare with its marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores {
    /// A character is right where it was found as what it is.
    pub kinds: BTreeMap<Kind, Score>,
    /// A character is right where it was found as anything.
    pub any_kind: Score,
}

impl Scores {
    /// Adds what another text gave.
    pub fn add(&mut self, other: &Scores) {
        for (kind, score) in &other.kinds {
            *self.kinds.entry(*kind).or_default() += *score;
        }
        self.any_kind += other.any_kind;
    }

    /// All kinds together.
    pub fn overall(&self) -> Score {
        let mut sum = Score::default();
        self.kinds.values().for_each(|score| sum += *score);
        sum
    }
}

/// Compares findings with marks, character by character. Days of birth count as days.
pub fn compare(findings: &[Finding], marks: &[(Utf16Span, Kind)]) -> Scores {
    let found = by_character(findings.iter().map(|finding| (finding.span, finding.kind)));
    let marked = by_character(marks.iter().copied());
    let mut scores = Scores::default();
    for (at, kind) in &found {
        scores.kinds.entry(*kind).or_default().found += 1;
        scores.any_kind.found += 1;
        scores.any_kind.right += usize::from(marked.contains_key(at));
    }
    for (at, kind) in &marked {
        let score = scores.kinds.entry(*kind).or_default();
        score.expected += 1;
        score.right += usize::from(found.get(at) == Some(kind));
        scores.any_kind.expected += 1;
    }
    scores
}

/// The kind of each character; of two marks on one character the first counts.
fn by_character(spans: impl Iterator<Item = (Utf16Span, Kind)>) -> BTreeMap<u32, Kind> {
    let mut characters = BTreeMap::new();
    for (span, kind) in spans {
        let kind = if kind == Kind::BirthDate { Kind::Date } else { kind };
        (span.start..span.end).for_each(|at| {
            characters.entry(at).or_insert(kind);
        });
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_compared_one_by_one() {
        let finding =
            |start, end, kind| Finding { span: Utf16Span::new(start, end), kind, detector: "x", confidence: 1.0 };
        let findings = [finding(0, 4, Kind::Person), finding(10, 12, Kind::BirthDate)];
        let marks = [
            (Utf16Span::new(2, 8), Kind::Person),
            (Utf16Span::new(10, 12), Kind::Date),
            (Utf16Span::new(3, 4), Kind::Place),
        ];
        let scores = compare(&findings, &marks);
        assert_eq!(scores.kinds[&Kind::Person], Score { right: 2, found: 4, expected: 6 });
        assert_eq!(scores.kinds[&Kind::Date], Score { right: 2, found: 2, expected: 2 });
        assert_eq!(scores.overall(), Score { right: 4, found: 6, expected: 8 });
        assert_eq!(scores.any_kind, scores.overall());
        assert_eq!(Score { right: 1, found: 2, expected: 1 }.f2(), 5.0 * 0.5 / 3.0);
    }

    #[test]
    fn kinds_are_known_by_their_names_and_by_others() {
        assert_eq!(kind_of("PERSON"), Some(Kind::Person));
        assert_eq!(kind_of("GPE"), Some(Kind::Place));
        assert_eq!(kind_of("colour"), None);
    }
}
