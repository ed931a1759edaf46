//! Times that are counted from now: `yesterday`, `three weeks ago`, `last spring`, `the past two months`.

use super::calendar::{begins, civil};
use super::{DAY, Now, parts};
use crate::lexical::WEEKDAYS;
use um_model::EpochMs;

/// The first month of each season, as the north has them.
pub(super) const SEASONS: [(&str, i32); 5] = [("spring", 3), ("summer", 6), ("fall", 9), ("autumn", 9), ("winter", 12)];
/// A year, in days.
const YEAR: EpochMs = 365;
/// Behind one of these, `last` may be a verb: `Did the trip last two weeks?`.
const AUXILIARIES: [&str; 12] =
    ["did", "do", "does", "will", "would", "can", "could", "should", "may", "might", "must", "to"];
/// But not right behind one of these.
const BEFORE_LAST: [&str; 11] = ["the", "these", "those", "my", "our", "your", "his", "her", "their", "in", "during"];

/// `yesterday`, `three weeks ago`, `last spring`, `this month`, `last Tuesday`: from the first moment to the first one behind it.
pub(super) fn relative(words: &[&str], now: Now) -> Option<(EpochMs, EpochMs)> {
    counted(words, now.local().div_euclid(DAY) * DAY)
}

/// The same, by the clock whose today begins then.
fn counted(words: &[&str], today: EpochMs) -> Option<(EpochMs, EpochMs)> {
    words.iter().enumerate().find_map(|(at, word)| match *word {
        "yesterday" => Some((today - DAY, today)),
        "today" => Some((today, today + DAY)),
        "ago" => {
            let unit = days_of(words.get(at.checked_sub(1)?)?)?;
            let (back, about) = how_long(words, at, unit)?;
            Some((today - (back + about) * DAY, today - (back - about - 1) * DAY))
        }
        // `Last summer 2025` is of that year, and `the last quarter of the match` of none.
        "last" | "this" | "past" if !is_part(words, at) => {
            let back = i32::from(*word != "this");
            period(words.get(at + 1)?, back, today).or_else(|| several(words, at, today))
        }
        _ => None,
    })
}

/// How many days a time `ago` was, and how many more or fewer it may have been, each of this many days: `two weeks ago` is some day of about
/// that week, and `a year ago` of three months before or behind that day; further back, of half a year.
fn how_long(words: &[&str], ago: usize, unit: EpochMs) -> Option<(EpochMs, EpochMs)> {
    let counted = ago.checked_sub(2)?;
    let count = count(words.get(counted)?)?;
    let is_half = matches!(words[counted], "a" | "an") && counted.checked_sub(1).is_some_and(|at| words[at] == "half");
    Some(match unit {
        _ if is_half => (unit / 2, unit / 4),
        YEAR if count <= 2 => (count * unit, unit / 4),
        _ => (count * unit, unit / 2),
    })
}

/// Whether words that begin in a place, or behind it, are a part of a year that is told, or of something else.
fn is_part(words: &[&str], at: usize) -> bool {
    let is_of_else = words.get(at + 1) == Some(&"quarter") && words.get(at + 2) == Some(&"of");
    is_of_else || parts::at(words, at).or_else(|| parts::at(words, at + 1)).is_some()
}

/// `the last 3 months`, `the past two weeks`, `the last couple of days`: so many days, and today.
fn several(words: &[&str], at: usize, today: EpochMs) -> Option<(EpochMs, EpochMs)> {
    let before = at.checked_sub(1).map_or("the", |at| words[at]);
    let is_verb = !BEFORE_LAST.contains(&before) && words[..at].iter().any(|word| AUXILIARIES.contains(word));
    if words[at] == "this" || words[at] == "last" && is_verb {
        return None;
    }
    let count = words.get(at + 1).filter(|word| !matches!(**word, "a" | "an")).and_then(|word| count(word))?;
    let unit = at + 2 + usize::from(words.get(at + 2) == Some(&"of"));
    Some((today - count * days_of(words.get(unit)?)? * DAY, today + DAY))
}

/// A week, month, quarter, year, season or weekday: the one of now, or the one before it.
fn period(word: &str, back: i32, today: EpochMs) -> Option<(EpochMs, EpochMs)> {
    let (year, month, _) = civil(today);
    // 1970 began on a Thursday.
    let weekday = (today.div_euclid(DAY) + 3).rem_euclid(7);
    let monday = today - (weekday + 7 * EpochMs::from(back)) * DAY;
    match word {
        "week" => Some((monday, monday + 7 * DAY)),
        "weekend" => Some((monday + 5 * DAY, monday + 7 * DAY)),
        "month" => {
            let first = i32::try_from(month).ok()? - back;
            Some((begins(year, first), begins(year, first + 1)))
        }
        "quarter" => {
            let first = (i32::try_from(month).ok()? - 1) / 3 * 3 + 1 - 3 * back;
            Some((begins(year, first), begins(year, first + 3)))
        }
        "year" => Some((begins(year - back, 1), begins(year - back + 1, 1))),
        _ => {
            if let Some(&(_, first)) = SEASONS.iter().find(|(season, _)| *season == word) {
                // A winter that is not over in January began in the year before.
                let year = if first == 12 && month <= 2 { year - 1 } else { year };
                let is_over = begins(year, first + 3) <= today;
                let year = if is_over || back == 0 { year } else { year - 1 };
                return Some((begins(year, first), begins(year, first + 3)));
            }
            let wanted = WEEKDAYS.iter().position(|day| *day == word)? as EpochMs;
            let ago = (weekday - wanted).rem_euclid(7);
            let ago = if ago == 0 && back > 0 { 7 } else { ago };
            Some((today - ago * DAY, today - (ago - 1) * DAY))
        }
    }
}

pub(super) fn count(word: &str) -> Option<EpochMs> {
    const NUMBERS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    match word {
        "a" | "an" => Some(1),
        "couple" => Some(2),
        "few" => Some(3),
        _ => NUMBERS.iter().position(|number| *number == word).map(|at| at as EpochMs).or_else(|| word.parse().ok()),
    }
    .filter(|count| (1..=1000).contains(count))
}

pub(super) fn days_of(unit: &str) -> Option<EpochMs> {
    match unit.trim_end_matches('s') {
        "day" => Some(1),
        "week" => Some(7),
        "month" => Some(30),
        "year" => Some(YEAR),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::calendar::day_count;
    use super::super::{Named, named};
    use super::*;

    fn at(year: i32, month: u32, day: u32) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    #[test]
    fn a_winter_goes_on_into_the_next_year() {
        let check = |question: &str, now: EpochMs, began: i32| {
            let winter = Named::Window { from: at(began, 12, 1), to: at(began + 1, 3, 1) };
            assert_eq!(named(question, Now::utc(now)), Some(winter), "{question}, {now}");
        };
        for (now, this, last) in [
            (at(2025, 1, 15), 2024, 2023),
            (at(2025, 2, 28), 2024, 2023),
            (at(2025, 3, 1), 2025, 2024),
            (at(2025, 12, 1), 2025, 2024),
        ] {
            check("this winter", now, this);
            check("last winter", now, last);
        }
        let spring = Named::Window { from: at(2024, 3, 1), to: at(2024, 6, 1) };
        assert_eq!(named("last spring", Now::utc(at(2025, 1, 15))), Some(spring));
    }
}
