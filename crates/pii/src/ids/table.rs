//! The numbers, state by state.

use super::checks;
use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::ops::Range;

pub(crate) static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "ids.us-ssn",
        kind: Kind::UsSsn,
        pattern: r"(?-u:\b)[0-9]{3}(?:-[0-9]{2}-|[ .][0-9]{2}[ .]|[0-9]{2})[0-9]{4}(?-u:\b)",
        check: |source, range| {
            let form = source.text[range.clone()].contains('-').then_some(0.85);
            checked(
                source,
                range,
                checks::us_ssn,
                form,
                &["ssn", "social security", "soc sec", "ss#", "tin", "taxpayer"],
            )
        },
    },
    Pattern {
        detector: "ids.uk-nino",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?-u:\b)",
        check: |source, range| {
            checked(source, range, checks::uk_nino, Some(0.8), &["national insurance", "nino", "ni number", "ni no"])
        },
    },
    Pattern {
        detector: "ids.de-tax",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[1-9][0-9](?: [0-9]{3}){3}(?-u:\b)|(?-u:\b)[1-9][0-9]{10}(?-u:\b)",
        check: |source, range| {
            checked(
                source,
                range,
                checks::de_tax,
                None,
                &["steuer", "idnr", "id-nr", "tin", "tax id", "tax identification"],
            )
        },
    },
    Pattern {
        detector: "ids.fr-nir",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}(?-u:\b)",
        check: |source, range| {
            checked(source, range, checks::fr_nir, Some(0.9), &["sécurité sociale", "nir", "insee", "sécu"])
        },
    },
    Pattern {
        detector: "ids.es-dni",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)(?:[0-9]{8}|[XYZ]-?[0-9]{7})-?[A-HJ-NP-TV-Z](?-u:\b)",
        check: |source, range| checked(source, range, checks::es_dni, Some(0.85), &["dni", "nie", "nif", "documento"]),
    },
    Pattern {
        detector: "ids.it-fiscal",
        kind: Kind::NationalId,
        pattern: r"(?i-u:\b)(?i:[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z])(?-u:\b)",
        check: |source, range| checked(source, range, checks::it_fiscal, Some(0.97), &["codice fiscale", "c.f.", "cf"]),
    },
    Pattern {
        detector: "ids.nl-bsn",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[0-9]{9}(?-u:\b)|(?-u:\b)[0-9]{4}[. ][0-9]{2}[. ][0-9]{3}(?-u:\b)",
        check: |source, range| {
            checked(source, range, checks::nl_bsn, None, &["bsn", "burgerservicenummer", "sofinummer", "sofi-nummer"])
        },
    },
    Pattern {
        detector: "ids.in-aadhaar",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[2-9][0-9]{3}(?: [0-9]{4}){2}(?-u:\b)|(?-u:\b)[2-9][0-9]{11}(?-u:\b)",
        check: |source, range| {
            let form = source.text[range.clone()].contains(' ').then_some(0.7);
            checked(source, range, checks::in_aadhaar, form, &["aadhaar", "aadhar", "uidai", "uid"])
        },
    },
    Pattern {
        detector: "ids.in-pan",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[A-Z]{3}[ABCFGHLJPT][A-Z][0-9]{4}[A-Z](?-u:\b)",
        check: |source, range| checked(source, range, |_| true, Some(0.7), &["pan", "permanent account", "income tax"]),
    },
    Pattern {
        detector: "ids.pl-pesel",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[0-9]{11}(?-u:\b)",
        check: |source, range| checked(source, range, checks::pl_pesel, None, &["pesel"]),
    },
    Pattern {
        detector: "ids.se-person",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)(?:(?:19|20)[0-9]{2}|[0-9]{2})(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}(?-u:\b)",
        check: |source, range| {
            checked(source, range, checks::se_person, Some(0.85), &["personnummer", "pers.nr", "personal identity"])
        },
    },
    Pattern {
        detector: "ids.fi-person",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y](?-u:\b)",
        check: |source, range| checked(source, range, checks::fi_person, Some(0.95), &["henkilötunnus", "hetu"]),
    },
    Pattern {
        detector: "ids.br-cpf",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?-u:\b)",
        check: |source, range| checked(source, range, checks::br_cpf, Some(0.95), &["cpf"]),
    },
    Pattern {
        detector: "ids.be-nrn",
        kind: Kind::NationalId,
        pattern: r"(?-u:\b)[0-9]{2}\.(?:0[1-9]|1[0-2])\.[0-9]{2}-[0-9]{3}\.[0-9]{2}(?-u:\b)",
        check: |source, range| {
            checked(source, range, checks::be_nrn, Some(0.95), &["rijksregister", "registre national"])
        },
    },
];

/// The confidence in a number that passes its check: by its form alone (or not at all), or beside a word for it.
fn checked(
    source: &Source<'_>,
    range: &Range<usize>,
    check: fn(&str) -> bool,
    by_form: Option<f64>,
    words: &[&str],
) -> Option<f64> {
    let alone = context::stands_alone(source, range) && !context::number_goes_on(source, range);
    if !alone || !check(&source.text[range.clone()]) {
        return None;
    }
    if context::near(source, range, words) { Some(0.97) } else { by_form }
}
