//! International bank account numbers: the length of each country, and the check modulo 97.

use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::ops::Range;

/// How long the numbers of each country are.
const LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 \
    EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 \
    LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 \
    QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

pub(crate) const IBAN: Pattern = Pattern {
    detector: "numbers.iban",
    kind: Kind::Iban,
    pattern: r"(?-u:\b)[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?(?-u:\b)",
    check,
};

fn check(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let words = &source.text[range.clone()];
    let compact: String = words.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_uppercase();
    let length = LENGTHS.split_whitespace().find_map(|entry| entry.strip_prefix(&compact[..2]))?;
    let right_length = length.parse() == Ok(compact.len());
    (right_length && remainder(&compact) == 1 && context::stands_alone(source, range)).then_some(0.99)
}

/// The number with its first four characters at the end and letters as 10 to 35, modulo 97.
fn remainder(compact: &str) -> u32 {
    let turned = compact[4..].chars().chain(compact[..4].chars());
    turned
        .filter_map(|c| c.to_digit(36))
        .fold(0, |sum, value| if value < 10 { (sum * 10 + value) % 97 } else { (sum * 100 + value) % 97 })
}
