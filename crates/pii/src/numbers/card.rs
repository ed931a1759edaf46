//! Payment cards: the ranges of the issuers, and the check digit.

use super::{digits, luhn};
use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::ops::Range;

const WORDS: &[&str] = &[
    "card",
    "cc",
    "visa",
    "mastercard",
    "amex",
    "maestro",
    "diners",
    "discover",
    "credit",
    "debit",
    "karte",
    "carte",
    "tarjeta",
    "carta",
    "kort",
    "cartão",
];

/// First and last leading digits of an issuer, and how long its numbers are.
struct Issuer(u32, u32, &'static [usize]);

const ISSUERS: &[Issuer] = &[
    Issuer(4, 4, &[13, 16, 19]),
    Issuer(51, 55, &[16]),
    Issuer(2221, 2720, &[16]),
    Issuer(34, 34, &[15]),
    Issuer(37, 37, &[15]),
    Issuer(300, 305, &[14, 16]),
    Issuer(3095, 3095, &[14, 16]),
    Issuer(36, 36, &[14, 16]),
    Issuer(38, 39, &[14, 16]),
    Issuer(6011, 6011, &[16, 19]),
    Issuer(644, 649, &[16, 19]),
    Issuer(65, 65, &[16, 19]),
    Issuer(3528, 3589, &[16, 19]),
    Issuer(2131, 2131, &[15]),
    Issuer(1800, 1800, &[15]),
    Issuer(62, 62, &[16, 17, 18, 19]),
    Issuer(5018, 5018, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(5020, 5020, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(5038, 5038, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(5868, 5899, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(6304, 6304, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(6759, 6763, &[12, 13, 14, 15, 16, 17, 18, 19]),
    Issuer(2200, 2204, &[16]),
];

pub(crate) const CARD: Pattern = Pattern {
    detector: "numbers.card",
    kind: Kind::Card,
    pattern: r"(?-u:\b)(?:[0-9]{12,19}|[0-9]{4}(?: [0-9]{4}){3}(?: [0-9]{1,3})?|[0-9]{4}(?:-[0-9]{4}){3}|[0-9]{4} [0-9]{6} [0-9]{4,5}|[0-9]{4}-[0-9]{6}-[0-9]{4,5})(?-u:\b)",
    check,
};

/// Without a word for a card near it, a number must have an issuer, the issuer's length and at least 14 digits:
/// shorter runs pass the check by chance.
fn check(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let digits = digits(&source.text[range.clone()]);
    let labelled = context::near(source, range, WORDS);
    let same = digits.windows(2).all(|pair| pair[0] == pair[1]);
    if same || !luhn(&digits) || !context::stands_alone(source, range) || context::number_goes_on(source, range) {
        return None;
    }
    match (issued(&digits), labelled) {
        (true, true) => Some(0.99),
        (true, false) if digits.len() >= 14 => Some(0.85),
        (false, true) => Some(0.7),
        _ => None,
    }
}

fn issued(digits: &[u32]) -> bool {
    ISSUERS.iter().any(|Issuer(first, last, lengths)| {
        let width = first.to_string().len();
        let lead = digits.iter().take(width).fold(0, |lead, digit| lead * 10 + digit);
        (*first..=*last).contains(&lead) && lengths.contains(&digits.len())
    })
}
