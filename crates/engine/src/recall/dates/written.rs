//! Dates that are written out in words: `7 May 2023`, `the 7th of May`, `May 2023`, `in May`. Words are read in lower case.

use super::Named;
use super::calendar::has_day;
use crate::lexical::MONTHS;

/// Words before `may` that make it a month.
const BEFORE_MAY: [&str; 7] = ["in", "during", "by", "since", "until", "of", "last"];
/// What leads to a month where that is meant.
const BEFORE_MONTH: [&str; 17] = [
    "in", "during", "by", "since", "until", "till", "of", "from", "last", "this", "next", "before", "after", "between",
    "and", "to", "for",
];

/// All days and months that the words of a sentence name, and their years: `September and October 2024`.
pub(super) fn all(words: &[&str]) -> Vec<Named> {
    let months: Vec<usize> = (0..words.len()).filter(|at| month_number(words[*at]).is_some()).collect();
    let mut all: Vec<Named> = words.iter().filter_map(|word| year(word)).map(Named::Year).collect();
    for (which, at) in months.iter().enumerate() {
        // What stands around a month is its own, and not the next one's.
        let begins = which.checked_sub(1).map_or(0, |before| months[before] + 1).max(at.saturating_sub(2));
        let ends = months.get(which + 1).copied().unwrap_or(words.len()).min(at + 4);
        all.extend(day(&words[begins..ends]).or_else(|| month(&words[begins..ends])));
    }
    all
}

/// Whether each month that a question names without a day or a year is meant as one: it is led by a word that leads to times, or is all
/// that is asked. `march` is something that people do, and `April` somebody.
pub(super) fn months_are_led(words: &[&str]) -> bool {
    let is_number = |at: usize| words.get(at).is_some_and(|word| day_number(word).is_some() || year(word).is_some());
    let is_led = |at: usize| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let leads = before.is_none_or(|word| BEFORE_MONTH.contains(&word)) && (at > 0 || words.len() == 1);
        leads || is_number(at + 1) || at.checked_sub(1).is_some_and(is_number)
    };
    (0..words.len()).filter(|at| month_number(words[*at]).is_some()).all(is_led)
}

/// Any other number of four digits is a count, a price or a house.
pub(super) fn year(word: &str) -> Option<i32> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|year| (1900..2100).contains(year))
}

/// `7`, `7th`.
pub(super) fn day_number(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

/// Whether a word is the name of a month, or its beginning: `sept`.
pub(in crate::recall) fn is_month(word: &str) -> bool {
    word.len() > 2 && MONTHS.iter().any(|month| month.starts_with(word))
}

pub(super) fn month_number(word: &str) -> Option<u32> {
    MONTHS.iter().position(|month| *month == word).map(|at| at as u32 + 1)
}

/// `7 May 2023`, `7th of May`, `May 7th`.
pub(super) fn day(words: &[&str]) -> Option<Named> {
    words.iter().enumerate().find_map(|(at, word)| {
        let month = month_number(word)?;
        let (day, next) = day_beside(words, at)?;
        let year = words.get(next).and_then(|word| year(word));
        has_day(year, month, day).then_some(Named::Day { year, month, day })
    })
}

/// The day that stands beside the month in a place, and the place behind both.
fn day_beside(words: &[&str], at: usize) -> Option<(u32, usize)> {
    let before = match at.checked_sub(1).map(|at| words[at]) {
        Some("of") => at.checked_sub(2).and_then(|at| day_number(words[at])),
        Some(word) => day_number(word),
        None => None,
    };
    match before {
        Some(day) => Some((day, at + 1)),
        None => Some((day_number(words.get(at + 1)?)?, at + 2)),
    }
}

/// `May 2023`, `in May`. `may` alone is no month, nor is one with a day that it does not have.
pub(super) fn month(words: &[&str]) -> Option<Named> {
    words.iter().enumerate().find_map(|(at, word)| {
        let month = month_number(word).filter(|_| day_beside(words, at).is_none())?;
        let next = words.get(at + 1).filter(|word| **word != "of").or_else(|| words.get(at + 2));
        let year = next.and_then(|word| year(word));
        let is_month = *word != "may" || year.is_some() || at > 0 && BEFORE_MAY.contains(&words[at - 1]);
        is_month.then_some(Named::Month { year, month })
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Named, Now, asked, named};

    #[test]
    fn a_day_is_one_that_its_month_has() {
        for (text, expected) in [
            ("on 30 April", Some((None, 4, 30))),
            ("on 31 April", None),
            ("the 31st of February", None),
            ("on February 30th", None),
            ("on 29 February", Some((None, 2, 29))),
            ("on 29 February 1996", Some((Some(1996), 2, 29))),
            ("on 29 February 1995", None),
            ("30 February or 2 March", Some((None, 3, 2))),
        ] {
            let expected = expected.map(|(year, month, day)| Named::Day { year, month, day });
            assert_eq!(named(text, Now::utc(0)), expected, "{text}");
        }
    }

    #[test]
    fn a_month_is_led() {
        for (question, expected) in [
            ("notes from October", true),
            ("October", true),
            ("October 2024", true),
            ("7 October", true),
            ("What did I write on 7 October?", true),
            ("between March and May", true),
            ("last week", true),
            ("Why did we march?", false),
            ("What did April write?", false),
        ] {
            assert_eq!(asked(question, Now::utc(0)).months_are_led, expected, "{question}");
        }
    }
}
