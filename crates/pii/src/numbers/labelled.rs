//! Numbers that only the words before them tell: accounts, passports, licences.

use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::ops::Range;

/// Between a label and its value.
macro_rules! label {
    ($label:literal, $value:literal) => {
        concat!(
            r"(?i-u:\b)(?i:",
            $label,
            r")(?i: ?(?:number|numbers|no\.?|nr\.?|#|code))?(?i: ?(?:is|was|:|=|#|-)){0,2}[ \t\n]{0,4}",
            $value,
            r"(?-u:\b)"
        )
    };
}

pub(crate) static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "numbers.driver-licence",
        kind: Kind::DriverLicence,
        pattern: label!(
            r"driv(?:er|ing)(?:['’]?s)? ?licen[cs]e|dl|führerschein|permis de conduire",
            r"([A-Za-z0-9][A-Za-z0-9-]{4,18})"
        ),
        check: has_digits,
    },
    Pattern {
        detector: "numbers.passport",
        kind: Kind::Passport,
        pattern: label!(
            r"passport|reisepass|passeport|pasaporte|passaporto",
            r"([A-Za-z]{0,2}[0-9]{6,9}[A-Za-z]?|[A-Z][A-Z0-9]{7,8})"
        ),
        check: has_digits,
    },
    Pattern {
        detector: "numbers.account",
        kind: Kind::BankAccount,
        pattern: label!(
            r"(?:bank )?(?:account|acct\.?|konto(?:nummer)?|kontonr\.?|compte|cuenta)",
            r"([0-9][0-9 -]{5,18}[0-9])"
        ),
        check: has_digits,
    },
    Pattern {
        detector: "numbers.routing",
        kind: Kind::BankAccount,
        pattern: label!(r"routing|aba|sort|bankleitzahl|blz", r"([0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{6}|[0-9]{8,9})"),
        check: has_digits,
    },
];

fn has_digits(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let digits = source.text[range.clone()].chars().filter(char::is_ascii_digit).count();
    (digits >= 4).then_some(0.8)
}
