//! The words around companies.

use crate::lexicon::Marks;
use crate::source::Source;
use crate::token::Shape;

/// Words before `for` and `at`.
const WORK: &[&str] = &[
    "work",
    "works",
    "worked",
    "working",
    "job",
    "intern",
    "interned",
    "internship",
    "employed",
    "position",
    "role",
    "year",
    "years",
    "recorded",
    "career",
    "engineer",
    "manager",
    "director",
    "contractor",
    "consultant",
    "analyst",
];

/// Words before `of`.
const OF: &[&str] = &[
    "ceo",
    "cto",
    "cfo",
    "founder",
    "cofounder",
    "co-founder",
    "employee",
    "employees",
    "chairman",
    "chairwoman",
    "customer",
    "subsidiary",
    "owner",
    "shareholders",
];

/// Words before a company.
const BEFORE: &[&str] =
    &["became", "joined", "company", "employer", "startup", "support", "versus", "acquired", "acquires", "sued"];

/// What companies are said to be.
const BEING: &[&str] = &[
    "agency",
    "company",
    "firm",
    "startup",
    "start-up",
    "brainchild",
    "corporation",
    "multinational",
    "based",
    "nonprofit",
    "non-profit",
    "subsidiary",
    "manufacturer",
    "ceo",
];

/// Words behind a company.
pub(crate) const BEHIND: &[&str] = &[
    "orchestra",
    "office",
    "offices",
    "headquarters",
    "website",
    "employees",
    "shares",
    "shareholders",
    "invested",
    "announced",
    "acquired",
    "hired",
    "launched",
    "resignation",
];

pub(crate) fn among(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// How sure the words around a name make it that it is a company's, and which of them do.
pub(crate) fn weigh(source: &Source<'_>, from: usize, end: usize) -> Option<(f64, &'static str)> {
    let before = |back: usize| if from >= back { source.word(from - back) } else { "" };
    let partners = end == from + 5 && source.word(end - 2) == "and";
    let of_person = from > 2 && source.tokens[from - 2].is_capital() && source.tokens[from - 3].is(Marks::FIRST_NAME);
    let led = match before(1) {
        "for" | "at" | "by" => among(WORK, before(2)),
        "of" => among(OF, before(2)) || before(2) == "address" || of_person,
        word => among(BEFORE, word),
    };
    let said_to_be = matches!(source.word(end), "is" | "was")
        && before(1) != "from"
        && (end + 1..end + 7).any(|at| among(BEING, source.word(at)));
    let whose = ["the", "her", "his", "their", "our", ","];
    let followed = among(BEHIND, source.word(end)) && among(&whose, before(1));
    let line = partners && matches!(before(1), "" | "\n" | ">" | ":" | "The" | "?");
    let first = source.tokens[from];
    match () {
        () if led => Some((0.65, "trade.cue")),
        () if followed => Some((0.6, "trade.cue")),
        () if said_to_be || line => Some((0.55, "trade.cue")),
        () if heads_letter(source, from, end) => Some((0.5, "trade.line")),
        () if before(1) == "from" && first.is_capital() && !first.is(Marks::FIRST_NAME) && !first.is(Marks::PLACE) => {
            Some((0.4, "trade.from"))
        }
        () if before(1) == "at"
            && !first.is(Marks::FIRST_NAME)
            && !first.is(Marks::PLACE)
            && !first.is(Marks::ORDINARY) =>
        {
            Some((0.35, "trade.at"))
        }
        () => None,
    }
}

/// A line of its own between a name and an address, as under letters.
fn heads_letter(source: &Source<'_>, from: usize, end: usize) -> bool {
    let quote = |at: usize| matches!(source.word(at), ">" | "?" | "*" | "|");
    let shape = |at: usize| source.tokens.get(at).map(|token| token.shape);
    let mut before = from;
    while before > 0 && quote(before - 1) {
        before -= 1;
    }
    let mut behind = end + 1;
    while quote(behind) {
        behind += 1;
    }
    let named = before > 2 && shape(before - 1) == Some(Shape::Break) && source.tokens[before - 2].is_word();
    let unit = shape(behind) == Some(Shape::Upper) && shape(behind + 1) == Some(Shape::Number);
    let address = shape(behind) == Some(Shape::Number) || unit || tail_unit(source, behind);
    let again = before > 2 && is_line_before(source, before - 1, source.word(behind));
    let words = source.tokens[from..end].iter().all(|token| token.is_word());
    let first_name = source.tokens[from].is(Marks::FIRST_NAME);
    named && words && !first_name && shape(end) == Some(Shape::Break) && (address || again)
}

/// `Unit 12`, `Suite 3`.
fn tail_unit(source: &Source<'_>, at: usize) -> bool {
    let unit = source.tokens.get(at).is_some_and(|token| token.is(Marks::UNIT));
    unit && source.tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Number)
}

/// Whether the line that ends at a token begins with a word.
fn is_line_before(source: &Source<'_>, end: usize, word: &str) -> bool {
    let line = (end.saturating_sub(6)..end).rev().take_while(|at| source.tokens[*at].is_word());
    line.last().is_some_and(|first| source.word(first) == word)
}
