//! The time that a question names, and how near it something happened: a date as it is written, or counted from now.

mod numbers;
mod periods;
mod ranges;
mod years;

use super::DAY;
use super::identifiers;
use um_model::EpochMs;
use um_model::recall::MemoryRecall;
use unicode_segmentation::UnicodeSegmentation;

pub(super) use numbers::{begins_with_date, short_months};
pub(super) use periods::{asks_no_more, bounds, names_date, span};

/// What `today` is counted from: a moment, and how far the clock by which it is read is ahead of UTC. All times that are named are
/// those that this clock shows, as if it were one of UTC. How far it is ahead now holds for days on the other side of a change of the clock,
/// too: whoever asks tells an offset and no zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    at: EpochMs,
    ahead: EpochMs,
}

/// How far the clock of whoever asks is ahead of UTC, in milliseconds.
pub(super) fn ahead(request: &MemoryRecall) -> EpochMs {
    EpochMs::from(request.utc_offset) * 60_000
}

impl Now {
    /// By the clock of whoever asks.
    pub(super) fn of(request: &MemoryRecall, at: EpochMs) -> Self {
        Self { at, ahead: ahead(request) }
    }

    /// By the clock of UTC, as sources name their days.
    pub(super) fn utc(at: EpochMs) -> Self {
        Self { at, ahead: 0 }
    }

    /// What the clock says now.
    pub(super) fn local(self) -> EpochMs {
        self.at + self.ahead
    }

    /// What the clock said when something was that is dated so. The first moment of a day in UTC stands for that day, as somebody or a
    /// source told it without a time: it is that day by every clock.
    pub(super) fn shown(self, dated: EpochMs) -> EpochMs {
        if dated.rem_euclid(DAY) == 0 { dated } else { dated.saturating_add(self.ahead) }
    }

    /// The moment at which the clock says so.
    pub(super) fn moment(self, local: EpochMs) -> EpochMs {
        local.saturating_sub(self.ahead)
    }
}

/// The time that a question names, as the [clock](Now) shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// A day of a year, or of any.
    Day { year: Option<i32>, month: u32, day: u32 },
    /// A month of a year, or of any.
    Month { year: Option<i32>, month: u32 },
    /// A year.
    Year(i32),
    /// From one moment to another: counted from now, or from one date to another; an open end is the first or last of all moments.
    Window { from: EpochMs, to: EpochMs },
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// The first month of each season, as the north has them.
const SEASONS: [(&str, u32); 5] = [("spring", 3), ("summer", 6), ("fall", 9), ("autumn", 9), ("winter", 12)];
/// Words before `may` that make it a month.
const BEFORE_MAY: [&str; 7] = ["in", "during", "by", "since", "until", "of", "last"];
/// Behind one of these, `last` may be a verb: `Did the trip last two weeks?`.
const AUXILIARIES: [&str; 12] =
    ["did", "do", "does", "will", "would", "can", "could", "should", "may", "might", "must", "to"];
/// What leads to a month where that is meant.
const BEFORE_MONTH: [&str; 17] = [
    "in", "during", "by", "since", "until", "till", "of", "from", "last", "this", "next", "before", "after", "between",
    "and", "to", "for",
];
/// But not right behind one of these.
const BEFORE_LAST: [&str; 11] = ["the", "these", "those", "my", "our", "your", "his", "her", "their", "in", "during"];

/// The first range of dates that a question names, or else the first time. `now` is what both are counted from. What is told is
/// read by [`named`] instead: something that was so since March began in March.
pub(super) fn asked(question: &str, now: Now) -> Option<Named> {
    ranges::named(question, now).or_else(|| named(question, now))
}

/// The first time that a text names. `now` is what `yesterday` and `last spring` are counted from.
pub(super) fn named(question: &str, now: Now) -> Option<Named> {
    let lower = legible(question).to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
    let window = |(from, to)| Named::Window { from, to };
    let exact = relative(&words, now).map(window).or_else(|| day(&words)).or_else(|| month(&words));
    exact.or_else(|| years::year(&words)).or_else(|| years::decade(&words).map(window))
}

/// Whether a text, a title or headings say the date that a question names, or one within its period: one of its sentences or lines names it
/// in words or numbers, among others or alone. What only counts from another day (`yesterday`) says none. `told_at` is when it happened,
/// as the clock [showed](Now::shown) it, where that is known.
pub(super) fn says(text: &str, told_at: Option<EpochMs>, (asked, from, to): (Named, EpochMs, EpochMs)) -> bool {
    let is_dated = |said| !matches!(said, Named::Window { .. });
    let is_within = |said| window(said, told_at).is_some_and(|(begins, ends)| from <= begins && ends <= to);
    let is_it = |said| said == asked || is_of_any_year(asked, said) || is_dated(said) && is_within(said);
    text.lines()
        .flat_map(str::unicode_sentences)
        .any(|sentence| named(sentence, Now::utc(0)).is_some_and(is_it) || written(sentence).into_iter().any(is_it))
}

/// Whether a day or month is asked for without its year, and said with any.
fn is_of_any_year(asked: Named, said: Named) -> bool {
    match (asked, said) {
        (Named::Month { year: None, month }, Named::Month { month: of, .. } | Named::Day { month: of, .. }) => {
            month == of
        }
        (Named::Day { year: None, month, day }, Named::Day { month: of, day: on, .. }) => (month, day) == (of, on),
        _ => false,
    }
}

/// All days and months that a sentence names, and its years: `September and October 2024`.
fn written(sentence: &str) -> Vec<Named> {
    let lower = legible(sentence).to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
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
pub(super) fn months_are_led(question: &str) -> bool {
    let lower = legible(question).to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
    let is_number = |at: usize| words.get(at).is_some_and(|word| day_number(word).is_some() || year(word).is_some());
    let is_led = |at: usize| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let leads = before.is_none_or(|word| BEFORE_MONTH.contains(&word)) && (at > 0 || words.len() == 1);
        leads || is_number(at + 1) || at.checked_sub(1).is_some_and(is_number)
    };
    (0..words.len()).filter(|at| month_number(words[*at]).is_some()).all(is_led)
}

/// A text with its dates in words, and without identifiers: the year that one of them has dates nothing.
fn legible(text: &str) -> String {
    numbers::whole_months(&numbers::in_words(&identifiers::left_out(text)))
}

/// Any other number of four digits is a count, a price or a house.
fn year(word: &str) -> Option<i32> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|year| (1900..2100).contains(year))
}

/// `7`, `7th`.
fn day_number(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

/// Whether a word is the name of a month, or its beginning: `sept`.
pub(super) fn is_month(word: &str) -> bool {
    word.len() > 2 && MONTHS.iter().any(|month| month.starts_with(word))
}

fn month_number(word: &str) -> Option<u32> {
    MONTHS.iter().position(|month| *month == word).map(|at| at as u32 + 1)
}

/// `7 May 2023`, `7th of May`, `May 7th`.
fn day(words: &[&str]) -> Option<Named> {
    words.iter().enumerate().find_map(|(at, word)| {
        let month = month_number(word)?;
        let before = match at.checked_sub(1).map(|at| words[at]) {
            Some("of") => at.checked_sub(2).and_then(|at| day_number(words[at])),
            Some(word) => day_number(word),
            None => None,
        };
        let (day, next) = match before {
            Some(day) => (day, at + 1),
            None => (day_number(words.get(at + 1)?)?, at + 2),
        };
        Some(Named::Day { year: words.get(next).and_then(|word| year(word)), month, day })
    })
}

/// `May 2023`, `in May`. `may` alone is no month.
fn month(words: &[&str]) -> Option<Named> {
    words.iter().enumerate().find_map(|(at, word)| {
        let month = month_number(word)?;
        let next = words.get(at + 1).filter(|word| **word != "of").or_else(|| words.get(at + 2));
        let year = next.and_then(|word| year(word));
        let is_month = *word != "may" || year.is_some() || at > 0 && BEFORE_MAY.contains(&words[at - 1]);
        is_month.then_some(Named::Month { year, month })
    })
}

/// `yesterday`, `three weeks ago`, `last spring`, `this month`, `last Tuesday`: from the first moment to the first one behind it.
fn relative(words: &[&str], now: Now) -> Option<(EpochMs, EpochMs)> {
    counted(words, now.local().div_euclid(DAY) * DAY)
}

/// The same, by the clock whose today begins then.
fn counted(words: &[&str], today: EpochMs) -> Option<(EpochMs, EpochMs)> {
    words.iter().enumerate().find_map(|(at, word)| match *word {
        "yesterday" => Some((today - DAY, today)),
        "today" => Some((today, today + DAY)),
        "ago" => {
            let unit = days_of(words.get(at.checked_sub(1)?)?)?;
            let back = count(words.get(at.checked_sub(2)?)?)? * unit;
            // `Two weeks ago` is some day of about that week.
            Some((today - (back + unit / 2) * DAY, today - (back - unit.div_euclid(2) - 1) * DAY))
        }
        "last" | "this" | "past" => {
            let back = i32::from(*word != "this");
            period(words.get(at + 1)?, back, today).or_else(|| several(words, at, today))
        }
        _ => None,
    })
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

/// A week, month, year, season or weekday: the one of now, or the one before it.
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
        "year" => Some((begins(year - back, 1), begins(year - back + 1, 1))),
        _ => {
            if let Some((_, first)) = SEASONS.iter().find(|(season, _)| *season == word) {
                let first = i32::try_from(*first).ok()?;
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

fn count(word: &str) -> Option<EpochMs> {
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

fn days_of(unit: &str) -> Option<EpochMs> {
    match unit.trim_end_matches('s') {
        "day" => Some(1),
        "week" => Some(7),
        "month" => Some(30),
        "year" => Some(365),
        _ => None,
    }
}

/// 0 to 1: how near a named time something happened, by what the clock [showed](Now::shown) then. What is told of a day is told on it or some days later.
pub(super) fn closeness(named: Named, at: EpochMs) -> f64 {
    let (year, month, _) = civil(at);
    let whole = |is_so: bool| f64::from(u8::from(is_so));
    let faded = |days: f64| (-days / if days >= 0.0 { 4.0 } else { -2.0 }).exp();
    match named {
        Named::Year(wanted) => whole(wanted == year),
        Named::Month { year: wanted, month: of } => whole(of == month && wanted.is_none_or(|wanted| wanted == year)),
        Named::Day { year: wanted, month, day } => {
            let years = wanted.map_or(vec![year - 1, year, year + 1], |wanted| vec![wanted]);
            let days = |year: i32| (at.div_euclid(DAY) - day_count(year, month, day)) as f64;
            years.into_iter().map(|year| faded(days(year))).fold(0.0, f64::max)
        }
        Named::Window { from, .. } if at < from => faded((at - from) as f64 / DAY as f64),
        Named::Window { to, .. } if at >= to => faded((at - to) as f64 / DAY as f64),
        Named::Window { .. } => 1.0,
    }
}

/// The time that is named, from its first moment to the first one behind it. What has no year is of the last one that had begun
/// a month after `near`.
pub(super) fn window(named: Named, near: Option<EpochMs>) -> Option<(EpochMs, EpochMs)> {
    let year_of = |year: Option<i32>, first: &dyn Fn(i32) -> EpochMs| {
        let known = || {
            let (near, year) = (near?, civil(near?).0);
            Some(if first(year) <= near + 31 * DAY { year } else { year - 1 })
        };
        year.or_else(known)
    };
    match named {
        Named::Window { from, to } => Some((from, to)),
        Named::Year(year) => Some((begins(year, 1), begins(year + 1, 1))),
        Named::Month { year, month } => {
            let month = i32::try_from(month).ok()?;
            let year = year_of(year, &|year| begins(year, month))?;
            Some((begins(year, month), begins(year, month + 1)))
        }
        Named::Day { year, month, day } => {
            let first = |year: i32| day_count(year, month, day) * DAY;
            let from = first(year_of(year, &first)?);
            Some((from, from + DAY))
        }
    }
}

/// The first moment of a month; months before January and after December are of other years.
fn begins(year: i32, month: i32) -> EpochMs {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    day_count(year, month as u32, 1) * DAY
}

/// The year of a moment, in UTC.
pub(super) fn year_of(at: EpochMs) -> i32 {
    civil(at).0
}

/// Days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms", 2013).
fn day_count(year: i32, month: u32, day: u32) -> EpochMs {
    let year = EpochMs::from(year) - EpochMs::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((EpochMs::from(month) + 9) % 12) + 2) / 5 + EpochMs::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a moment, in UTC; the inverse of [`day_count`].
fn civil(at: EpochMs) -> (i32, u32, u32) {
    let days = at.div_euclid(DAY) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + EpochMs::from(month <= 2);
    (year as i32, month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(year: i32, month: u32, day: u32) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    #[test]
    fn days_are_counted_there_and_back() {
        for days in [-719_468, -1, 0, 59, 11_016, 19_857, 20_000] {
            let (year, month, day) = civil(days * DAY);
            assert_eq!(day_count(year, month, day), days);
        }
        assert_eq!(civil(at(2024, 2, 29) + 5), (2024, 2, 29));
    }

    #[test]
    fn times_that_questions_name() {
        // A Wednesday.
        let now = at(2025, 6, 18) + 1000;
        let window = |from, to| Some(Named::Window { from, to });
        for (question, expected) in [
            ("What was on 7 May 2023?", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on the 7th of May", Some(Named::Day { year: None, month: 5, day: 7 })),
            ("on May 7th, 2023", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("in May 2023", Some(Named::Month { year: Some(2023), month: 5 })),
            ("What did she do in May?", Some(Named::Month { year: None, month: 5 })),
            ("What may she do?", None),
            ("trips of 2022", Some(Named::Year(2022))),
            ("the number 1200", None),
            ("in May 1200 people came", Some(Named::Month { year: None, month: 5 })),
            ("on 7 May 1987", Some(Named::Day { year: Some(1987), month: 5, day: 7 })),
            ("What was yesterday?", window(at(2025, 6, 17), at(2025, 6, 18))),
            ("last week", window(at(2025, 6, 9), at(2025, 6, 16))),
            ("this week", window(at(2025, 6, 16), at(2025, 6, 23))),
            ("last month", window(at(2025, 5, 1), at(2025, 6, 1))),
            ("last year", window(at(2024, 1, 1), at(2025, 1, 1))),
            ("last spring", window(at(2025, 3, 1), at(2025, 6, 1))),
            ("last winter", window(at(2024, 12, 1), at(2025, 3, 1))),
            ("last Wednesday", window(at(2025, 6, 11), at(2025, 6, 12))),
            ("last Tuesday", window(at(2025, 6, 17), at(2025, 6, 18))),
            ("three days ago", window(at(2025, 6, 15), at(2025, 6, 16))),
            ("the last time", None),
            ("the last 3 months", window(at(2025, 3, 20), at(2025, 6, 19))),
            ("last 3 months", window(at(2025, 3, 20), at(2025, 6, 19))),
            ("What did I read in the past two weeks?", window(at(2025, 6, 4), at(2025, 6, 19))),
            ("the last couple of days", window(at(2025, 6, 16), at(2025, 6, 19))),
            ("the past few years", window(at(2022, 6, 19), at(2025, 6, 19))),
            ("Did the trip last two weeks?", None),
            ("Does it last a week?", None),
            ("the last 3 boats", None),
            ("these 3 months", None),
            ("What was on 2023-05-07?", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on 07.05.2023", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on 5/17/2023", Some(Named::Day { year: Some(2023), month: 5, day: 17 })),
            ("on 5/7/2023", Some(Named::Year(2023))),
            ("in 2023-05", Some(Named::Month { year: Some(2023), month: 5 })),
            ("Oct 2024", Some(Named::Month { year: Some(2024), month: 10 })),
            ("notes from Sept. 2024", Some(Named::Month { year: Some(2024), month: 9 })),
            ("on 7 Oct", Some(Named::Day { year: None, month: 10, day: 7 })),
            ("on Oct 7, 2024", Some(Named::Day { year: Some(2024), month: 10, day: 7 })),
            ("What does Jan write?", None),
            ("Jan 7 boats", None),
            ("What became of ticket 2024-0031?", None),
            ("2024-0031", None),
            ("Is CVE-2021-44228 mended?", None),
            ("What was INV-2024-03 for?", None),
            ("Who has the number 555-2023?", None),
            ("the ticket 2024-0031 of May 2023", Some(Named::Month { year: Some(2023), month: 5 })),
            ("7 CVE-2021-44228 March", Some(Named::Month { year: None, month: 3 })),
            ("2024-03-05", Some(Named::Day { year: Some(2024), month: 3, day: 5 })),
            ("2024-03-05.md", Some(Named::Day { year: Some(2024), month: 3, day: 5 })),
            ("2024-03", Some(Named::Month { year: Some(2024), month: 3 })),
            ("2021-2024", Some(Named::Year(2021))),
            ("2024", Some(Named::Year(2024))),
            ("mid-2023", Some(Named::Year(2023))),
            ("Q3-2024", Some(Named::Year(2024))),
            ("the mid-1990s", window(at(1990, 1, 1), at(2000, 1, 1))),
        ] {
            assert_eq!(named(question, Now::utc(now)), expected, "{question}");
        }
    }

    #[test]
    fn what_a_text_says_of_a_date() {
        let october = (Named::Month { year: Some(2024), month: 10 }, at(2024, 10, 1), at(2024, 11, 1));
        let check = |text: &str, told_at: Option<EpochMs>, expected: bool| {
            assert_eq!(says(text, told_at, october), expected, "{text}");
        };
        check("Invoice of October 2024", None, true);
        check("It rained. On 2024-10-07 we left.", None, true);
        check("It rained.\nOct 2024", None, true);
        check("We left on 7 October.", Some(at(2024, 11, 3)), true);
        check("We left on 7 October.", Some(at(2025, 11, 3)), false);
        check("We left on 7 October.", None, false);
        check("Invoice of November 2024", None, false);
        check("The plans of 2024", None, false);
        check("It was yesterday.", Some(at(2024, 10, 8)), false);
        check("Notes", None, false);
        // Among other times it is said, too.
        check("On 7 October 2024 we left, as we said last week.", None, true);
        check("Invoices of September and October 2024", None, true);
        check("2024-09-30 to 2024-10-07", None, true);
        check("Invoices of September and October 2023", None, false);
        // Of no year, it is that month of any.
        let any = (Named::Month { year: None, month: 10 }, at(2025, 10, 1), at(2025, 11, 1));
        assert!(says("Invoice of October 2023", None, any) && says("On 7 October 2023", None, any));
        assert!(!says("Invoice of November 2023", None, any));
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
            assert_eq!(months_are_led(question), expected, "{question}");
        }
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

    #[test]
    fn days_before_now_are_those_of_the_clock_of_whoever_asks() {
        const HOUR: EpochMs = 3_600_000;
        // 01:00 UTC on a Monday: in Los Angeles still Sunday.
        let now = at(2025, 6, 16) + HOUR;
        let clock =
            |hours: i32, at: EpochMs| Now::of(&MemoryRecall { utc_offset: hours * 60, ..MemoryRecall::default() }, at);
        let check = |question: &str, hours: i32, from: EpochMs, to: EpochMs| {
            let expected = Some(Named::Window { from, to });
            assert_eq!(asked(question, clock(hours, now)), expected, "{question}, {hours} hours ahead");
        };
        check("What is today?", 0, at(2025, 6, 16), at(2025, 6, 17));
        check("What is today?", -7, at(2025, 6, 15), at(2025, 6, 16));
        check("What was yesterday?", -7, at(2025, 6, 14), at(2025, 6, 15));
        check("last week", 0, at(2025, 6, 9), at(2025, 6, 16));
        check("last week", -7, at(2025, 6, 2), at(2025, 6, 9));
        check("last Monday", 14, at(2025, 6, 9), at(2025, 6, 10));
        check("between last week and yesterday", -7, at(2025, 6, 2), at(2025, 6, 15));
        check("between 3 and 5 May 2025", -7, at(2025, 5, 3), at(2025, 5, 6));
        // What is dated is by that clock, too, unless a day is all that is told of it.
        for (dated, hours, shown) in [
            (now, 0, now),
            (now, -7, at(2025, 6, 15) + 18 * HOUR),
            (now, 14, at(2025, 6, 16) + 15 * HOUR),
            (at(2025, 6, 16), -7, at(2025, 6, 16)),
            (at(2025, 6, 16), 14, at(2025, 6, 16)),
        ] {
            assert_eq!(clock(hours, 0).shown(dated), shown, "{dated}, {hours} hours ahead");
            assert_eq!(clock(hours, 0).moment(shown) == dated, hours == 0 || dated == now, "{dated}, {hours}");
        }
    }

    #[test]
    fn named_times_have_a_beginning_and_an_end() {
        let march = Some(at(2025, 3, 10));
        for (named, near, expected) in [
            (Named::Year(2023), None, Some((at(2023, 1, 1), at(2024, 1, 1)))),
            (Named::Month { year: Some(2023), month: 12 }, None, Some((at(2023, 12, 1), at(2024, 1, 1)))),
            (Named::Month { year: None, month: 4 }, march, Some((at(2025, 4, 1), at(2025, 5, 1)))),
            (Named::Month { year: None, month: 5 }, march, Some((at(2024, 5, 1), at(2024, 6, 1)))),
            (Named::Month { year: None, month: 5 }, None, None),
            (Named::Day { year: None, month: 3, day: 7 }, march, Some((at(2025, 3, 7), at(2025, 3, 8)))),
            (Named::Day { year: Some(2020), month: 2, day: 29 }, None, Some((at(2020, 2, 29), at(2020, 3, 1)))),
        ] {
            assert_eq!(window(named, near), expected, "{named:?}");
        }
    }

    #[test]
    fn what_happened_near_is_near() {
        let day = Named::Day { year: Some(2023), month: 5, day: 7 };
        let close = |named, moment| (closeness(named, moment) * 1000.0).round() / 1000.0;
        assert_eq!(close(day, at(2023, 5, 7)), 1.0);
        assert_eq!(close(day, at(2023, 5, 11)), 0.368);
        assert_eq!(close(day, at(2023, 5, 5)), 0.368);
        assert_eq!(close(Named::Day { year: None, month: 1, day: 1 }, at(2022, 12, 31)), 0.607);
        assert_eq!(close(Named::Month { year: None, month: 5 }, at(2020, 5, 9)), 1.0);
        assert_eq!(close(Named::Month { year: Some(2021), month: 5 }, at(2020, 5, 9)), 0.0);
        assert_eq!(close(Named::Year(2020), at(2020, 5, 9)), 1.0);
        let week = Named::Window { from: at(2025, 6, 9), to: at(2025, 6, 16) };
        assert_eq!(close(week, at(2025, 6, 10)), 1.0);
        assert_eq!(close(week, at(2025, 6, 20)), 0.368);
        assert_eq!(close(week, at(2025, 6, 7)), 0.368);
    }
}
