//! How sure it is that a run of capital words is somebody's name.

use super::cues;
use super::run::{self, Run};
use crate::lexicon::{self, Marks};
use crate::source::Source;
use crate::token::Shape;

/// Ends of surnames of many languages.
const ENDINGS: &[&str] = &[
    "son", "sen", "sson", "dóttir", "dottir", "ová", "ova", "eva", "ski", "ska", "wski", "czyk", "ev", "ov", "yev",
    "iev", "nen", "ić", "vić", "vich", "ich", "ez", "ström", "berg", "borg", "lund", "gren", "quist", "qvist", "mann",
    "stein", "meier", "meyer", "bauer", "ini", "elli", "etti", "ucci", "eira", "inho", "enko", "chuk", "shvili", "ian",
    "yan", "oğlu", "poulos", "idis", "akis", "aitis", "sma", "stra", "ský", "cký", "ák", "ík", "ek", "ányi", "csy",
    "ffy", "vsky", "skaya", "kova", "uk",
];

/// The confidence, and which of its marks gave it; nothing where a run is rather something else.
pub(crate) fn weigh(source: &Source<'_>, run: Run) -> Option<(f64, &'static str)> {
    if is_other(source, run) {
        return None;
    }
    let (own, detector) = by_itself(source, run);
    let around = cues::weight(source, run.from, run.to);
    let confidence = 1.0 - (1.0 - own) * (1.0 - around);
    let detector = if around > own { "person.cue" } else { detector };
    (confidence >= LEAST).then_some((confidence.min(0.97), detector))
}

/// Less is not worth a finding.
const LEAST: f64 = 0.22;

/// What the words themselves tell.
fn by_itself(source: &Source<'_>, run: Run) -> (f64, &'static str) {
    let tokens = &source.tokens[run.from..run.to];
    let names = tokens.iter().filter(|token| token.is_capital()).count();
    let initial = tokens.iter().any(|token| token.shape == Shape::Initial);
    let first = tokens[0].is(Marks::FIRST_NAME);
    let sure = tokens.iter().any(|token| token.is(Marks::FIRST_NAME) && !token.is(Marks::ORDINARY));
    let doubtful = tokens[0].is(Marks::ORDINARY) || tokens[0].is(Marks::PLACE) || tokens[0].is(Marks::NATION);
    let behind = tokens.iter().skip(1).any(|token| token.is(Marks::LAST_NAME));
    let surname = behind || tokens.iter().any(|token| is_surname(&source.text[token.range()]));
    let opens = run::opens(source, run.from);
    let alone = fills_line(source, run);
    let known = tokens.iter().any(|token| token.is(Marks::FIRST_NAME)) || surname || initial;
    if source.german && !known {
        return (0.0, "person.capitals");
    }
    match (names, first) {
        (2.., _) if initial && (first || surname || !doubtful) => (0.85, "person.initial"),
        (2.., true) if sure => (0.8, "person.first-name"),
        (2.., _) if sure => (0.6, "person.first-name"),
        (2..=3, _) if surname => (0.6, "person.surname"),
        (2..=4, _) if alone || !opens => (0.4, "person.capitals"),
        (2..=4, _) => (0.25, "person.capitals"),
        (_, true) if doubtful => (if opens { 0.1 } else { 0.3 }, "person.first-name"),
        (_, true) => (if opens && !alone { 0.45 } else { 0.55 }, "person.first-name"),
        _ if tokens[0].is(Marks::ORDINARY) => (0.15, "person.surname"),
        _ if surname || tokens[0].is(Marks::LAST_NAME) => (0.3, "person.surname"),
        _ if opens && !alone => (0.1, "person.capitals"),
        _ => (0.2, "person.capitals"),
    }
}

fn is_surname(word: &str) -> bool {
    let small = word.to_lowercase();
    let prefix = ["O'", "O’", "Mc"].iter().any(|prefix| word.starts_with(prefix));
    word.len() >= 5 && (prefix || ENDINGS.iter().any(|ending| small.ends_with(ending)))
}

/// Whether the run is a place, a company, a day, a heading or an abbreviation.
fn is_other(source: &Source<'_>, run: Run) -> bool {
    let tokens = &source.tokens[run.from..run.to];
    let words = &source.text[source.range(run.from, run.to)];
    let known = [Marks::PLACE, Marks::NATION, Marks::COMPANY]
        .iter()
        .any(|mark| tokens[0].is(*mark) && lexicon::is_phrase(words, *mark));
    let last = tokens[tokens.len() - 1];
    let company = last.is(Marks::COMPANY_ENDING)
        || source.tokens.get(run.to).is_some_and(|next| next.is(Marks::COMPANY_ENDING) && next.is_capital());
    let day = tokens.iter().all(|token| token.is(Marks::MONTH) || token.is(Marks::WEEKDAY));
    let shouted = tokens.iter().all(|token| token.shape == Shape::Upper) && !tokens[0].is(Marks::FIRST_NAME);
    let part = run.from > 0
        && source.touches(run.from)
        && matches!(source.word(run.from - 1), "." | "/" | "-" | "_" | "@" | "#" | "\\" | "$")
        || source.touches(run.to)
            && matches!(source.word(run.to), "(" | "/" | "_" | "@" | "\\" | "=" | "[" | "<" | "-")
            && !(source.word(run.to) == "<" && source.word(run.to + 1) == "/");
    let mixed = tokens.iter().any(|token| is_mixed(&source.text[token.range()]));
    (known && !is_first_name_alone(source, run)) || company || day || shouted || part || mixed
}

/// `Jordan` and `Florence` are people as often as places.
fn is_first_name_alone(source: &Source<'_>, run: Run) -> bool {
    run.len() == 1 && source.tokens[run.from].is(Marks::FIRST_NAME)
}

/// `TypeName`, `WiFi`: a capital inside, other than in `McDonald`, `O'Neil` and `Hauta-Aho`.
fn is_mixed(word: &str) -> bool {
    let inner = |part: &str| {
        let part = ["Mc", "Mac", "De", "La", "Van", "Di", "Le", "Du", "Fitz", "O'", "D'"]
            .iter()
            .find_map(|prefix| part.strip_prefix(prefix))
            .unwrap_or(part);
        part.chars().any(char::is_lowercase) && part.chars().skip(1).any(char::is_uppercase)
    };
    word.split(['-', '\'', '’']).any(inner)
}

fn fills_line(source: &Source<'_>, run: Run) -> bool {
    let begins = run.from == 0 || matches!(source.word(run.from - 1), "\n" | ">" | ":" | "?");
    begins && source.tokens.get(run.to).is_none_or(|token| token.shape == Shape::Break)
}
