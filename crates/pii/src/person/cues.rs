//! The words around names.

use super::run;
use crate::lexicon::Marks;
use crate::source::Source;

/// Words directly before a name, after which a name is likely.
const BEFORE: &[&str] = &[
    "named",
    "called",
    "dear",
    "hi",
    "hello",
    "hey",
    "meet",
    "met",
    "by",
    "starring",
    "said",
    "says",
    "asked",
    "told",
    "thanks",
    "regards",
    "sincerely",
    "cheers",
    "kid",
    "son",
    "daughter",
    "brother",
    "sister",
    "mother",
    "father",
    "wife",
    "husband",
    "partner",
    "friend",
    "uncle",
    "aunt",
    "cousin",
    "nephew",
    "niece",
    "fiancé",
    "fiancée",
    "colleague",
    "boss",
    "ask",
    "tell",
    "contact",
    "born",
    "née",
    "name",
    "user",
    "hallo",
    "liebe",
    "lieber",
    "hola",
    "bonjour",
    "cher",
    "chère",
    "grüße",
    "gruß",
    "saludos",
    "appelez",
    "vorname",
    "nachname",
];
/// Words directly before a name, after which other words are about as likely.
const PERHAPS: &[&str] = &["and", "is", "with", "why", "add", "remember", "under"];
/// Pairs of words before a name, after which a name is very likely.
const PAIRS: &[(&str, &str)] = &[
    ("name", "is"),
    ("names", "are"),
    ("name", ":"),
    ("name", "?"),
    ("nachname", ":"),
    ("vorname", ":"),
    ("kontoinhaber", ":"),
    ("kontoinhaberin", ":"),
    ("anwesend", ":"),
    ("nom", ":"),
    ("prénom", ":"),
    ("nombre", ":"),
    ("apellidos", ":"),
    ("cliente", ":"),
    ("llamar", "a"),
    ("llamad", "a"),
    ("user", ":"),
    ("customer", ":"),
    ("contact", ":"),
    ("from", ":"),
    ("to", ":"),
    ("attn", ":"),
    ("by", ":"),
    ("author", ":"),
    ("patient", ":"),
    ("client", ":"),
    ("employee", ":"),
    ("applicant", ":"),
    ("owner", ":"),
    ("signed", ":"),
    ("signed", ","),
    ("regards", ","),
    ("sincerely", ","),
    ("call", "me"),
    ("calls", "me"),
    ("named", "him"),
    ("named", "her"),
    ("it", "to"),
    ("up", "with"),
    ("heard", "of"),
    ("tribute", "to"),
    ("said", "to"),
    ("this", "is"),
    ("that", "is"),
    ("not", "by"),
    ("directed", "by"),
    ("written", "by"),
    ("sung", "by"),
    ("played", "by"),
    ("had", "given"),
    ("behalf", "of"),
    ("gave", "to"),
    ("shouted", "at"),
    ("assistant", "to"),
    ("name", "of"),
    ("know", "me"),
    ("i", "m"),
    ("here", "s"),
    ("named", "after"),
    ("married", "to"),
    ("wife", "of"),
];
/// Words directly behind a name.
const BEHIND: &[&str] = &[
    "said",
    "says",
    "asked",
    "asks",
    "told",
    "tells",
    "wrote",
    "writes",
    "thinks",
    "thought",
    "lives",
    "lived",
    "replied",
    "answered",
    "explained",
    "explains",
    "shouted",
    "whispered",
    "smiled",
    "laughed",
    "loves",
    "hates",
    "believes",
    "wants",
    "likes",
    "married",
    "died",
    "spent",
    "graduated",
    "sings",
    "sang",
    "speaks",
    "speaking",
    "shouts",
    "points",
    "signed",
    "novel",
    "poem",
    "painting",
    "interview",
    "family",
];

/// Words directly behind a name, behind which other words are about as likely.
const PERHAPS_BEHIND: &[&str] = &[
    "is", "was", "has", "had", "will", "works", "worked", "moved", "called", "just", "began", "version", "concert",
    "book", "song", "album",
];
/// Words with which somebody who was named before a comma is asked.
const ASKING: &[&str] =
    &["can", "could", "please", "would", "will", "do", "did", "are", "you", "what", "why", "how", "where", "when"];

/// How much the words around a run make it a name, from 0 to 1.
pub(crate) fn weight(source: &Source<'_>, from: usize, to: usize) -> f64 {
    let speaks = source.word(to) == ":" && (from == 0 || source.word(from - 1) == "\n");
    let speaks = if speaks { 0.2 } else { 0.0 };
    (before(source, from) + behind(source, to) + speaks).min(1.0)
}

fn before(source: &Source<'_>, from: usize) -> f64 {
    let word = |back: usize| if from >= back { source.word(from - back).to_lowercase() } else { String::new() };
    let first = word(1);
    // What stands between a label and its value counts for nothing; nor do the quotes of `"name": "Ana"`.
    let (first, second) = match first.as_str() {
        "\n" => (word(2), word(3)),
        "\"" if word(2) == ":" && word(3) == "\"" => (word(2), word(4)),
        _ => (word(1), word(2)),
    };
    match () {
        () if run::is_titled(source, from) => 0.9,
        () if PAIRS.iter().any(|(a, b)| *a == second && *b == first) => 0.6,
        () if from > 0 && source.tokens[from - 1].is(Marks::ROLE) => 0.45,
        () if BEFORE.contains(&first.as_str()) => 0.3,
        () if PERHAPS.contains(&first.as_str()) => 0.15,
        () => 0.0,
    }
}

fn behind(source: &Source<'_>, to: usize) -> f64 {
    let possessive = matches!(source.word(to), "'" | "’") && source.word(to + 1) == "s";
    let addressed = source.word(to) == "," && ASKING.contains(&source.word(to + 1));
    match source.word(to) {
        _ if possessive || addressed => 0.25,
        word if BEHIND.contains(&word) => 0.25,
        word if PERHAPS_BEHIND.contains(&word) => 0.15,
        _ => 0.0,
    }
}
