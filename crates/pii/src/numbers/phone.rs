//! Telephone numbers: forms that are clear by themselves, and others beside a word for a telephone.

use super::digits;
use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::ops::Range;

const WORDS: &[&str] = &[
    "phone",
    "tel",
    "telephone",
    "mobile",
    "mob",
    "cell",
    "cellphone",
    "fax",
    "call",
    "calling",
    "called",
    "dial",
    "ring me",
    "desk",
    "sms",
    "text me",
    "message",
    "messages",
    "whatsapp",
    "signal",
    "hotline",
    "extension",
    "ext",
    "reach me",
    "reach us",
    "reached at",
    "answering",
    "office",
    "contact number",
    "telefon",
    "handy",
    "téléphone",
    "portable",
    "teléfono",
    "móvil",
    "celular",
    "telefono",
    "cellulare",
    "telefone",
    "telemóvel",
    "puhelin",
    "puh",
    "telefoon",
    "mobil",
    "numer",
    "rückruf",
    "tél",
    "llamar",
    "appelez",
    "τηλ",
];
/// Words before numbers of other things.
const OTHERS: &[&str] = &[
    "order", "invoice", "isbn", "issn", "account", "part no", "item", "sku", "ref", "version", "serial", "card", "ssn",
    "tracking",
];

/// An extension: `x769`, `ext. 12`.
macro_rules! with_extension {
    ($number:literal) => {
        concat!($number, r"(?: ?(?:x|ext\.?|extension|Durchwahl|#) ?[0-9]{1,6})?(?-u:\b)")
    };
}

pub(crate) static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "numbers.phone.international",
        kind: Kind::Phone,
        pattern: with_extension!(
            r"(?:\+|(?-u:\b)00|\(\+)[1-9][0-9]{0,2}\)?[ ./-]?(?:\([0-9]{1,5}\)[ ./-]?)?[0-9]{1,6}(?:[ ./-]?[0-9]{2,6}){1,5}"
        ),
        check: international,
    },
    Pattern {
        detector: "numbers.phone.america",
        kind: Kind::Phone,
        pattern: with_extension!(
            r"(?:(?-u:\b)001[ .-]|(?-u:\b)1[ .-])?(?:\([2-9][0-9]{2}\)[ .-]?|(?-u:\b)[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}"
        ),
        check: |source, range| {
            (sized(source, range, 10..=13) && !context::follows(source, range.start, OTHERS))
                .then(|| sure(source, range, 0.8))
        },
    },
    Pattern {
        detector: "numbers.phone.area",
        kind: Kind::Phone,
        pattern: with_extension!(r"\([0-9]{2,5}\)[ -]?[0-9]{2,5}(?:[ ./-]?[0-9]{2,5}){1,4}"),
        check: |source, range| sized(source, range, 7..=12).then(|| sure(source, range, 0.7)),
    },
    Pattern {
        detector: "numbers.phone.national",
        kind: Kind::Phone,
        pattern: with_extension!(r"(?-u:\b)0[1-9][0-9]{0,4}(?:(?: ?[/–-] ?|[ .])[0-9]{1,8}){1,5}"),
        check: |source, range| {
            (sized(source, range, 9..=12) && !context::follows(source, range.start, OTHERS))
                .then(|| sure(source, range, 0.7))
        },
    },
    Pattern {
        detector: "numbers.phone.spain",
        kind: Kind::Phone,
        pattern: r"(?-u:\b)(?:[679][0-9]{2} [0-9]{2} [0-9]{2} [0-9]{2}|9[1-8] [0-9]{3} [0-9]{2} [0-9]{2}|9[1-8]-[0-9]{3}-[0-9]{2}-[0-9]{2})(?-u:\b)",
        check: |source, range| {
            let alone = sized(source, range, 9..=9) && !is_longer(source, range);
            (alone && !context::follows(source, range.start, OTHERS)).then(|| sure(source, range, 0.6))
        },
    },
    Pattern {
        detector: "numbers.phone.beside",
        kind: Kind::Phone,
        pattern: with_extension!(r"(?-u:\b)[0-9]{1,5}(?:[ .-][0-9]{1,5}){1,4}"),
        check: |source, range| (sized(source, range, 6..=12) && is_beside(source, range)).then_some(0.8),
    },
    Pattern {
        detector: "numbers.phone.beside",
        kind: Kind::Phone,
        pattern: with_extension!(r"(?-u:\b)[0-9]{7,12}"),
        check: |source, range| (sized(source, range, 7..=12) && is_beside(source, range)).then_some(0.75),
    },
];

/// With `00` before it and no gaps, a number of ten digits or more.
fn international(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let words = &source.text[range.clone()];
    let run = words.starts_with("00") && words.bytes().all(|byte| byte.is_ascii_digit());
    let least = if run { 12 } else { 8 };
    sized(source, range, least..=15).then_some(if run { 0.6 } else { 0.95 })
}

/// Whether digits stand one space before or behind.
fn is_longer(source: &Source<'_>, range: &Range<usize>) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let before = source.text[..range.start].strip_suffix(' ').and_then(|text| text.chars().next_back());
    let behind = source.text[range.end..].strip_prefix(' ').and_then(|text| text.chars().next());
    digit(before) || digit(behind)
}

/// Whether the number has so many digits, and is no date, no sum and no part of something longer.
fn sized(source: &Source<'_>, range: &Range<usize>, sizes: std::ops::RangeInclusive<usize>) -> bool {
    let words = &source.text[range.clone()];
    let number = words.split(['x', '#', 'e', 'D']).next().unwrap_or(words);
    sizes.contains(&digits(number).len())
        && !is_date(number)
        && context::stands_alone(source, range)
        && !context::number_goes_on(source, range)
        && !is_amount(source, range)
}

fn sure(source: &Source<'_>, range: &Range<usize>, alone: f64) -> f64 {
    if is_beside(source, range) { 0.95 } else { alone }
}

/// Whether a word for a telephone stands shortly before, or right behind: `781 1704 office`, `3660170548-Fax`.
/// Of a word before and one for something else the nearer one counts.
fn is_beside(source: &Source<'_>, range: &Range<usize>) -> bool {
    let last = |words| context::last_word(source.before(range.start, 48), words);
    let behind = source.after(range.end, 10).trim_start_matches([' ', '-', '(', ',']);
    let ends = context::has_word(behind, &["office", "fax", "mobile", "cell", "home", "work", "mob", "tel", "desk"]);
    ends || last(WORDS) > last(OTHERS)
}

/// `01.02.2024`, `2024-02-01`, and with a time behind it.
fn is_date(number: &str) -> bool {
    let groups: Vec<&str> = number.split(['.', '/', '-', '–', ' ']).filter(|group| !group.is_empty()).collect();
    let within = |group: &str, most: u32| {
        group.len() <= 2 && group.parse::<u32>().is_ok_and(|value| (1..=most).contains(&value))
    };
    let year = |group: &str| group.len() == 4 && (group.starts_with("19") || group.starts_with("20"));
    match groups[..] {
        [a, b, c, ..] if year(c) => (within(a, 31) && within(b, 12)) || (within(a, 12) && within(b, 31)),
        [a, b, c, ..] if year(a) => within(b, 12) && within(c, 31),
        [a, b, c] if number.contains(['.', '/']) && c.len() == 2 => within(a, 31) && within(b, 12),
        [a, b] => year(a) && year(b),
        _ => false,
    }
}

/// A sum of money, or a measure: `€ 120 000`, `1 200 000 kg`.
fn is_amount(source: &Source<'_>, range: &Range<usize>) -> bool {
    let before = source.before(range.start, 8).trim_end();
    let after = source.after(range.end, 8).trim_start();
    let currency =
        |text: &str| ["€", "$", "£", "EUR", "USD", "GBP", "CHF", "kr", "Kč", "zł", "Ft", "¥", "₹"].contains(&text);
    let unit = after.split(|c: char| !c.is_alphanumeric() && c != '%' && c != '€' && c != '$').next().unwrap_or("");
    let assigned = before.ends_with('=') && !source.text[range.start..].starts_with('+');
    assigned
        || before.ends_with(['€', '$', '£', '¥', '₹', '*', '×'])
        || ["EUR", "USD", "GBP", "CHF"].iter().any(|code| before.ends_with(code))
        || currency(unit)
        || ["kg", "km", "cm", "mm", "ml", "MB", "GB", "bytes", "px", "°C", "%", "ms", "people", "users"].contains(&unit)
}
