//! Parts of a year that are called by its number: `summer 2025`, `winter 2024/25`, `Q3 2026`, `the third quarter of 2026`, `H1 2025`.
//! Seasons are those of meteorology in the north: whole months, winter from December on. A winter is of the year in which it begins.

use super::Named;
use super::calendar::begins;
use super::ranges::THINGS;
use super::relative::SEASONS;
use super::written::year;
use um_model::EpochMs;

/// How quarters and halves are counted; the last one by how many there are.
const ORDINALS: [(&str, i32); 8] =
    [("first", 1), ("1st", 1), ("second", 2), ("2nd", 2), ("third", 3), ("3rd", 3), ("fourth", 4), ("4th", 4)];
/// What a year is cut into, and into how many.
const CUTS: [(&str, i32); 2] = [("quarter", 4), ("half", 2)];
/// The same, as it is written before a number: `Q3`, `H1`.
const SHORT: [(char, i32); 2] = [('q', 4), ('h', 2)];

/// Months that are called together, of no year yet.
#[derive(Clone, Copy)]
pub(super) struct Months {
    first: i32,
    count: i32,
}

/// Such months of a year.
#[derive(Clone, Copy)]
pub(super) struct Part {
    months: Months,
    /// The year in which they begin.
    pub(super) year: i32,
}

impl Months {
    /// One of the equal parts of a year: the second of two has six months, from July on.
    fn cut((which, of): (i32, i32)) -> Option<Self> {
        let count = 12 / of;
        (1..=of).contains(&which).then_some(Self { first: (which - 1) * count + 1, count })
    }

    /// Of a year: from their first moment to the first one behind them.
    pub(super) fn of(self, year: i32) -> (EpochMs, EpochMs) {
        (begins(year, self.first), begins(year, self.first + self.count))
    }
}

impl Part {
    /// From its first moment to the first one behind it.
    pub(super) fn span(self) -> (EpochMs, EpochMs) {
        self.months.of(self.year)
    }
}

/// The months that are called so in a place, and the place behind them: `summer`, `q3`, `third quarter`, `last half`.
pub(super) fn months(words: &[&str], at: usize) -> Option<(Months, usize)> {
    let word = *words.get(at)?;
    if let Some(&(_, first)) = SEASONS.iter().find(|(season, _)| *season == word) {
        return Some((Months { first, count: 3 }, at + 1));
    }
    if let Some(short) = short(word) {
        return Some((short, at + 1));
    }
    let (_, of) = CUTS.iter().find(|(cut, _)| words.get(at + 1) == Some(cut))?;
    let which = ORDINALS.iter().find(|(ordinal, _)| *ordinal == word).map(|(_, which)| *which);
    Some((Months::cut((which.or_else(|| (word == "last").then_some(*of))?, *of))?, at + 2))
}

/// `q3`, `h1`.
fn short(word: &str) -> Option<Months> {
    let (_, of) = SHORT.iter().find(|(letter, _)| word.starts_with(*letter))?;
    let digit = word.get(1..).filter(|digit| digit.len() == 1)?;
    Months::cut((digit.parse().ok()?, *of))
}

/// The part of a year that is named in a place, and the place behind it.
pub(super) fn at(words: &[&str], at: usize) -> Option<(Part, usize)> {
    let number = |at: usize| words.get(at).and_then(|word| year(word));
    // `2026-Q3`.
    if let (Some(year), Some(months)) = (number(at), words.get(at + 1).and_then(|word| short(word))) {
        return Some((Part { months, year }, at + 2));
    }
    let (months, next) = months(words, at)?;
    let is_of = words.get(next) == Some(&"of");
    let next = next + usize::from(is_of);
    let year = number(next)?;
    // `In summer 2000 people came` tells no year.
    if !is_of && words.get(next + 1).is_some_and(|word| THINGS.contains(word)) {
        return None;
    }
    // `Winter 2024/25`.
    let goes_on = |word: &&str| **word == (year + 1).to_string() || **word == format!("{:02}", (year + 1) % 100);
    let is_over_two = months.first + months.count > 13 && words.get(next + 1).is_some_and(goes_on);
    Some((Part { months, year }, next + 1 + usize::from(is_over_two)))
}

/// All that words name, in lower case.
pub(super) fn all(words: &[&str]) -> impl Iterator<Item = Named> {
    let part = |(part, _): (Part, usize)| {
        let (from, to) = part.span();
        Named::Part { from, to }
    };
    (0..words.len()).filter_map(move |place| at(words, place).map(part))
}

/// Whether a word names such a part by itself, where its year is told: `q3`.
pub(in crate::recall) fn is_short(word: &str) -> bool {
    short(word).is_some()
}

/// Whether a word, in lower case, is one of those that name such parts and count nothing else: `q3`, `quarter`.
pub(super) fn is_word(word: &str) -> bool {
    is_short(word) || CUTS.iter().any(|(cut, _)| *cut == word)
}

/// Words, in lower case, that count a part of a year there: `third` of `the third quarter of 2026`.
pub(super) fn ordinals(words: &[&str]) -> Vec<String> {
    let counts = |place: &usize| ORDINALS.iter().any(|(ordinal, _)| words.get(*place) == Some(ordinal));
    let places = (0..words.len()).filter(counts).filter(|place| at(words, *place).is_some());
    places.map(|place| words[place].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::calendar::day_count;
    use super::super::{DAY, Now, asked, counted_parts, says, window};
    use super::*;

    type Day = (i32, u32, u32);

    fn day((year, month, day): Day) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    /// On a Wednesday.
    fn named(question: &str) -> Option<Named> {
        asked(question, Now::utc(day((2025, 6, 18)) + 1000)).named
    }

    #[test]
    fn parts_of_years() {
        for (question, from, to) in [
            ("summer 2025", (2025, 6, 1), (2025, 9, 1)),
            ("Where were we in the summer of 1995?", (1995, 6, 1), (1995, 9, 1)),
            ("spring of 2024", (2024, 3, 1), (2024, 6, 1)),
            ("in autumn 2024", (2024, 9, 1), (2024, 12, 1)),
            ("Fall 2024", (2024, 9, 1), (2024, 12, 1)),
            ("winter 2024", (2024, 12, 1), (2025, 3, 1)),
            ("winter 2024/25", (2024, 12, 1), (2025, 3, 1)),
            ("the winter of 2024-2025", (2024, 12, 1), (2025, 3, 1)),
            ("winter 1999/00", (1999, 12, 1), (2000, 3, 1)),
            ("last summer 2023", (2023, 6, 1), (2023, 9, 1)),
            ("Q3 2026", (2026, 7, 1), (2026, 10, 1)),
            ("in Q4 of 2026?", (2026, 10, 1), (2027, 1, 1)),
            ("Q1-2026", (2026, 1, 1), (2026, 4, 1)),
            ("Q2/2026", (2026, 4, 1), (2026, 7, 1)),
            ("2026-Q3", (2026, 7, 1), (2026, 10, 1)),
            ("2026 Q3", (2026, 7, 1), (2026, 10, 1)),
            ("the third quarter of 2026", (2026, 7, 1), (2026, 10, 1)),
            ("3rd quarter 2026", (2026, 7, 1), (2026, 10, 1)),
            ("the last quarter of 2024", (2024, 10, 1), (2025, 1, 1)),
            ("H1 2025", (2025, 1, 1), (2025, 7, 1)),
            ("the second half of 2024", (2024, 7, 1), (2025, 1, 1)),
        ] {
            assert_eq!(named(question), Some(Named::Part { from: day(from), to: day(to) }), "{question}");
        }
    }

    #[test]
    fn ranges_of_them() {
        for (question, from, to) in [
            ("since summer 2024", Some((2024, 6, 1)), None),
            ("before the third quarter of 2024", None, Some((2024, 7, 1))),
            ("after winter 2023/24", Some((2024, 3, 1)), None),
            ("until the end of Q1 2025", None, Some((2025, 4, 1))),
            ("between Q1 2024 and summer 2025", Some((2024, 1, 1)), Some((2025, 9, 1))),
            ("from Q1 to Q3 2024", Some((2024, 1, 1)), Some((2024, 10, 1))),
            ("from autumn to spring 2025", Some((2024, 9, 1)), Some((2025, 6, 1))),
        ] {
            let from = from.map_or(EpochMs::MIN, day);
            let expected = Named::Window { from, to: to.map_or(EpochMs::MAX, day) };
            assert_eq!(named(question), Some(expected), "{question}");
        }
    }

    #[test]
    fn what_is_no_part_of_a_year() {
        for question in [
            "What does the Audi Q3 cost?",
            "Q5 2026 people came",
            "the first half of the match",
            "the last quarter of the match",
            "In summer 3000 people came",
            "What did we do in summer?",
            "H3",
        ] {
            let found = named(question);
            assert!(!matches!(found, Some(Named::Part { .. } | Named::Window { .. })), "{question}: {found:?}");
        }
        assert_eq!(named("In summer 2000 people came"), None);
    }

    #[test]
    fn a_text_says_the_part_that_is_asked_for_or_a_time_within_it() {
        let check = |question: &str, text: &str, expected: bool| {
            let asked = named(question).unwrap();
            let (from, to) = window(asked, None).unwrap();
            assert_eq!(says(text, None, (asked, from, to)), expected, "{question}: {text}");
        };
        check("Q3 2026", "Q2 2026 went well, Q3 2026 did not.", true);
        check("Q3 2026", "Costs of the third quarter of 2026", true);
        check("Q3 2026", "Invoice of August 2026", true);
        check("Q3 2026", "Costs of 2026", false);
        check("Q3 2026", "Q3 2025", false);
        check("summer 2025", "The bill of 2025", false);
        check("summer 2025", "We met in June 2025.", true);
        check("in 2025", "We met in summer 2025.", true);
    }

    #[test]
    fn words_that_count_a_part_are_of_its_name() {
        let check = |text: &str, expected: &[&str]| assert_eq!(counted_parts(text), expected, "{text}");
        check("notes of the third quarter of 2026", &["third"]);
        check("the third note of the quarter", &[]);
    }
}
