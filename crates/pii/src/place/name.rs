//! Places that no table has, by the words before them.

use super::postcode;
use crate::kind::Kind;
use crate::lexicon::Marks;
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;

/// The most words of a name.
const WORDS: usize = 5;

/// Words before `in`.
const LIVING: &[&str] = &[
    "live",
    "lives",
    "lived",
    "living",
    "born",
    "up",
    "based",
    "located",
    "reside",
    "resides",
    "resided",
    "am",
    "m",
    "headquartered",
    "raised",
    "stayed",
    "staying",
    "settled",
    "arrived",
    "offices",
    "residing",
    "geboren",
    "wohnhaft",
    "wohnt",
    "lebt",
];
/// Words before `from`.
const COMING: &[&str] = &[
    "here",
    "originally",
    "moved",
    "back",
    "away",
    "come",
    "came",
    "comes",
    "coming",
    "travelled",
    "traveled",
    "flew",
    "flying",
    "home",
    "hail",
    "hails",
];
/// Words before `to`.
const GOING: &[&str] = &[
    "flew",
    "fly",
    "flying",
    "travel",
    "travelling",
    "traveling",
    "travelled",
    "traveled",
    "moved",
    "move",
    "moving",
    "returned",
    "returning",
    "return",
    "went",
    "going",
    "go",
    "back",
    "flight",
    "flights",
    "trip",
    "drive",
    "drove",
    "train",
    "relocated",
    "relocating",
    "tickets",
    "bus",
    "coming",
    "came",
    "welcome",
];
/// Words before `of`.
const OF: &[&str] = &[
    "university",
    "city",
    "town",
    "capital",
    "village",
    "mayor",
    "outskirts",
    "province",
    "municipality",
    "centre",
    "center",
];
/// Words directly before a place.
const BEFORE: &[&str] = &[
    "city", "town", "village", "southern", "northern", "eastern", "western", "downtown", "central", "visit", "visited",
    "visiting", "near",
];
/// Labels before a colon.
const LABELS: &[&str] = &[
    "where",
    "location",
    "city",
    "town",
    "place",
    "hometown",
    "country",
    "birthplace",
    "venue",
    "state",
    "region",
    "geburtsort",
    "wohnort",
    "ort",
    "ville",
    "lieu",
    "ciudad",
];

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for at in 1..source.tokens.len() {
        let token = source.tokens[at];
        let small = token.shape == Shape::Lower && matches!(source.word(at - 1), "in" | "to" | ":");
        let Some((confidence, small)) = (token.is_capital() || small).then(|| cue(source, at)).flatten() else {
            continue;
        };
        let end = name(source, at, small);
        if end > at {
            found.push(Proposal { range: source.range(at, end), kind: Kind::Place, detector: "place.cue", confidence });
            code(source, end, found);
        }
    }
}

/// A postcode behind the name, if it is no year.
fn code(source: &Source<'_>, at: usize, found: &mut Vec<Proposal>) {
    let year = source.word(at).len() == 4 && (source.word(at).starts_with("19") || source.word(at).starts_with("20"));
    if let Some(end) = postcode::at(source, at).filter(|_| !year) {
        let (kind, detector) = (Kind::Postcode, "place.postcode.town");
        found.push(Proposal { range: source.range(at, end), kind, detector, confidence: 0.5 });
    }
}

/// How sure the words before a token make it that a place begins there, and whether even in small letters.
fn cue(source: &Source<'_>, at: usize) -> Option<(f64, bool)> {
    let before = |back: usize| if at >= back { source.word(at - back) } else { "" };
    let known = |words: &[&str], word: &str| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let second = before(2);
    match before(1) {
        "in" if known(LIVING, second) => Some((0.75, matches!(second, "live" | "lives" | "lived" | "born"))),
        "in" | "In" if !source.german || second.starts_with(|c: char| c.is_ascii_digit()) => Some((0.45, false)),
        "à" if !source.tokens[at].is(Marks::FIRST_NAME) => Some((0.45, false)),
        "en" if second.starts_with(|c: char| c.is_ascii_digit()) => Some((0.55, false)),
        "from" if known(COMING, second) => Some((0.7, false)),
        "to" if known(GOING, second) => Some((0.7, matches!(second, "returned" | "moved" | "flew"))),
        "at" if matches!(second, "arrived" | "landed") => Some((0.7, false)),
        "of" if known(OF, second) => Some((0.7, false)),
        ":" if known(LABELS, second) => Some((0.7, true)),
        word if known(BEFORE, word) => Some((0.5, false)),
        _ => None,
    }
}

/// Where the name that begins at a token ends.
fn name(source: &Source<'_>, from: usize, small: bool) -> usize {
    // `New Westminster`: an ordinary word may begin a name of several.
    let ordinary =
        |at: usize| source.tokens.get(at).is_none_or(|token| token.is(Marks::ORDINARY) || !token.is_capital());
    let plain = |at: usize| ordinary(at) && (at > from || ordinary(at + 1));
    let fits = |at: usize| {
        source.tokens.get(at).is_some_and(|token| match token.shape {
            Shape::Capital | Shape::Upper => !token.is(Marks::MONTH) && !token.is(Marks::WEEKDAY) && !plain(at),
            Shape::Lower if small => !token.is(Marks::ORDINARY) && !token.is(Marks::MONTH),
            Shape::Lower => at > from && token.is(Marks::PARTICLE),
            _ => false,
        })
    };
    let mut end = from;
    while end - from < WORDS && fits(end) {
        end += 1;
    }
    while end > from && source.tokens[end - 1].shape == Shape::Lower && source.tokens[end - 1].is(Marks::PARTICLE) {
        end -= 1;
    }
    end
}
