//! Postcodes: behind a label, and as the forms that end addresses.

use crate::kind::Kind;
use crate::pattern::{self, Pattern, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;
use std::sync::LazyLock;

static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "place.postcode",
        kind: Kind::Postcode,
        pattern: r"(?i-u:\b)(?i:zip ?code|zip|post ?code|postal code|plz|postleitzahl|code postal|código postal|codice postale|cap|postnummer|irányítószám|psč)\x22?(?i: ?(?:is|was|number|:|=|#)){0,2}[ \t\n]{0,4}\x22?([0-9A-Za-z]{1,6}(?:[ -][0-9A-Z]{2,4})?)(?-u:\b)",
        check: |source, range| source.text[range.clone()].contains(|c: char| c.is_ascii_digit()).then_some(0.85),
    },
    Pattern {
        detector: "place.postcode.uk",
        kind: Kind::Postcode,
        pattern: r"(?-u:\b)[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{2}(?-u:\b)",
        check: |_, _| Some(0.7),
    },
];

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pattern::ready(PATTERNS));

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    pattern::detect(&READY, source, found);
}

/// Where a postcode that begins at this token ends: `1010`, `75001`, `394 13`, `1234 AB`, `3610-114`, `SW1A 1AA`.
pub(crate) fn at(source: &Source<'_>, at: usize) -> Option<usize> {
    let token = source.tokens.get(at)?;
    let digits = |at: usize| {
        let word = source.word(at);
        if word.bytes().all(|c| c.is_ascii_digit()) { word.len() } else { 0 }
    };
    match (token.shape, digits(at)) {
        (Shape::Number, 3) if digits(at + 1) == 2 => Some(at + 2),
        (Shape::Number, 4)
            if source.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Upper)
                && source.word(at + 1).len() == 2 =>
        {
            Some(at + 2)
        }
        (Shape::Number, 4..=6) if source.word(at + 1) == "-" && (3..=4).contains(&digits(at + 2)) => Some(at + 3),
        (Shape::Number, 4..=6) => Some(at + 1),
        (Shape::Upper, _)
            if source.word(at).len() <= 4 && source.word(at).ends_with(|c: char| c.is_ascii_alphanumeric()) =>
        {
            let first = source.word(at).contains(|c: char| c.is_ascii_digit());
            let second = source.word(at + 1);
            (first && second.len() == 3 && second.starts_with(|c: char| c.is_ascii_digit())).then_some(at + 2)
        }
        _ => None,
    }
}
