//! Days, years and times; those on which somebody was born are told by the words before them.

use crate::context;
use crate::kind::Kind;
use crate::lexicon::Marks;
use crate::pattern::{self, Pattern, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;
use std::ops::Range;
use std::sync::LazyLock;

const BIRTH: &[&str] = &[
    "born",
    "birth",
    "birthday",
    "birthdate",
    "dob",
    "d.o.b",
    "geboren",
    "geburtsdatum",
    "geb.",
    "né le",
    "née le",
    "naissance",
    "nacido",
    "nacida",
    "nacimiento",
    "nato il",
    "nata il",
    "nascita",
    "nascido",
    "nascimento",
    "geboortedatum",
    "född",
    "født",
    "syntynyt",
];

static PATTERNS: &[Pattern] = &[
    Pattern {
        detector: "when.date",
        kind: Kind::Date,
        pattern: r"(?-u:\b)(?:19|20)[0-9]{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12][0-9]|3[01])(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?(?-u:\b)",
        check: |source, range| context::stands_alone(source, range).then_some(0.8),
    },
    Pattern {
        detector: "when.date",
        kind: Kind::Date,
        pattern: r"(?-u:\b)(?:(?:Mo|Di|Mi|Do|Fr|Sa|So)\.?,? )?(?:0?[1-9]|[12][0-9]|3[01])(?:/(?:0?[1-9]|[12][0-9]|3[01])/|\. ?(?:0?[1-9]|1[0-2])\. ?|-(?:0?[1-9]|1[0-2])-)(?:(?:19|20)[0-9]{2}|[0-9]{2})(?:,? [0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?: [AP]M| Uhr)?)?(?-u:\b)",
        check: |source, range| {
            (context::stands_alone(source, range) && !context::number_goes_on(source, range)).then_some(0.75)
        },
    },
    Pattern {
        detector: "when.date",
        kind: Kind::Date,
        pattern: r"(?i-u:\b)(?:0?[1-9]|[12][0-9]|3[01])-(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-(?:(?:19|20)[0-9]{2}|[0-9]{2})(?-u:\b)",
        check: |source, range| context::stands_alone(source, range).then_some(0.75),
    },
    Pattern {
        detector: "when.month",
        kind: Kind::Date,
        pattern: r"(?-u:\b)(?:0[1-9]|1[0-2])/(?:19|20)[0-9]{2}(?-u:\b)",
        check: |source, range| {
            (context::stands_alone(source, range) && !context::number_goes_on(source, range)).then_some(0.6)
        },
    },
    Pattern {
        detector: "when.month",
        kind: Kind::Date,
        pattern: r"(?i-u:\b)(?i:exp|expires|expiry|cad|caduca|valid|gültig bis)[\x22':. ]{1,6}((?:0[1-9]|1[0-2])/[0-9]{2})(?-u:\b)",
        check: |source, range| (!context::number_goes_on(source, range)).then_some(0.7),
    },
    Pattern {
        detector: "when.year",
        kind: Kind::Date,
        pattern: r"(?-u:\b)(?:19|20)[0-9]{2} ?[-–] ?(?:19|20)[0-9]{2}(?-u:\b)",
        check: |source, range| {
            (context::stands_alone(source, range) && !context::number_goes_on(source, range)).then_some(0.4)
        },
    },
    Pattern {
        detector: "when.year",
        kind: Kind::Date,
        pattern: r"[a-z] ((?:19[0-9]|20[0-4])[0-9])(?-u:\b)",
        check: |source, range| {
            (context::stands_alone(source, range) && !context::number_goes_on(source, range)).then_some(0.4)
        },
    },
];

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pattern::ready(PATTERNS));

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    let first = found.len();
    pattern::detect(&READY, source, found);
    with_words(source, found);
    for one in &mut found[first..] {
        if one.detector != "when.year" && context::follows(source, one.range.start, BIRTH) {
            (one.kind, one.detector, one.confidence) = (Kind::BirthDate, "when.birth", 0.9);
        }
    }
}

/// Dates with a word in them: `March 3, 2024`, `3 March`, `Tuesday`.
fn with_words(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for (at, token) in source.tokens.iter().enumerate() {
        if token.is(Marks::WEEKDAY) && (token.is_capital() || is_day_in_small(source.word(at))) {
            found.push(Proposal { range: token.range(), kind: Kind::Date, detector: "when.weekday", confidence: 0.5 });
        } else if token.is(Marks::MONTH) && token.shape != Shape::Initial {
            let range = around_month(source, at);
            if let Some(range) = range {
                found.push(Proposal { range, kind: Kind::Date, detector: "when.date", confidence: 0.75 });
            }
        }
    }
}

/// The day and year beside a month.
fn around_month(source: &Source<'_>, month: usize) -> Option<Range<usize>> {
    let day = |at: usize| {
        let word = source.word(at);
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        number.len() <= 2 && number.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day)) && word.len() <= 4
    };
    let year = |at: usize| {
        let word = source.word(at);
        word.len() == 4
            && word.bytes().all(|c| c.is_ascii_digit())
            && (word.starts_with("19") || word.starts_with("20"))
    };
    let mut from = month;
    if month > 0 && day(month - 1) {
        from = month - 1;
    } else if month > 1 && matches!(source.word(month - 1), "." | "of" | "de") && day(month - 2) {
        from = month - 2;
    }
    let mut to = month + 1;
    if source.word(to) == "." && (day(to + 1) || year(to + 1)) {
        to += 1;
    }
    if from == month && day(to) {
        to += 1;
    }
    let comma = usize::from(matches!(source.word(to), "," | "de" | "of"));
    let clocked = time(source, to);
    if clocked > to && year(clocked) {
        to = clocked + 1;
    } else if year(to + comma) {
        to += comma + 1;
    }
    if to - from > 1 {
        to = time(source, to + usize::from(source.word(to) == ",")).max(to);
        to -= usize::from(source.word(to - 1) == ",");
    }
    let from = weekday(source, from);
    (to - from > 1 && source.tokens[from..to].iter().all(|token| token.shape != Shape::Break))
        .then(|| source.range(from, to))
}

/// The day of the week before a day: `Monday, September 2`, `jueves 7 de noviembre`.
fn weekday(source: &Source<'_>, from: usize) -> usize {
    let at = from - usize::from(from > 0 && source.word(from - 1) == ",");
    let short = |word: &str| ["Mon", "Tue", "Tues", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(&word);
    let day = at > 0 && (source.tokens[at - 1].is(Marks::WEEKDAY) || short(source.word(at - 1)));
    if day { at - 1 } else { from }
}

/// Where a time of day ends that begins at a token: `14:22:09`, `8:41 AM`, `4:52 Uhr`.
fn time(source: &Source<'_>, at: usize) -> usize {
    let two = |at: usize| source.word(at).len() == 2 && source.word(at).bytes().all(|byte| byte.is_ascii_digit());
    let hour = source.word(at).len() <= 2 && source.word(at).starts_with(|c: char| c.is_ascii_digit());
    let minutes = |at: usize| source.word(at) == ":" && source.touches(at) && two(at + 1);
    if !hour || !minutes(at + 1) {
        return at;
    }
    let end = if minutes(at + 3) { at + 5 } else { at + 3 };
    end + usize::from(matches!(source.word(end), "AM" | "PM" | "Uhr"))
}

/// Days that French and Spanish write in small letters, without those that are other words, too.
fn is_day_in_small(word: &str) -> bool {
    const DAYS: &[&str] = &[
        "lundi",
        "mardi",
        "mercredi",
        "jeudi",
        "vendredi",
        "samedi",
        "dimanche",
        "miércoles",
        "jueves",
        "viernes",
        "sábado",
        "domingo",
    ];
    DAYS.contains(&word)
}
