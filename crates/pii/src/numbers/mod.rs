//! Numbers by which somebody is called or paid.

mod card;
mod iban;
mod labelled;
mod phone;

use crate::pattern::{self, Pattern, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use std::sync::LazyLock;

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    let tables: [&'static [Pattern]; 3] = [&[card::CARD, iban::IBAN], phone::PATTERNS, labelled::PATTERNS];
    tables.into_iter().flat_map(pattern::ready).collect()
});

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    pattern::detect(&READY, source, found);
}

/// The digits of a text.
pub(crate) fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// The check of cards and of many other numbers: every second digit from the right doubled.
pub(crate) fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}
