//! Dates and times as sentences say them.

use crate::data::words::{MONTH, NUMBER, UNIT, WEEKDAY};
use crate::token::{Shape, Token};
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use std::ops::RangeInclusive;
use um_model::EpochMs;

/// How exact a date is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// A day.
    Day,
    /// A week; the date is its Monday.
    Week,
    /// Saturday and Sunday; the date is the Saturday.
    Weekend,
    /// A month of a year.
    Month,
    /// A year.
    Year,
    /// A day of any year.
    Anniversary,
}

/// A date, as exact as the text has it; of a month or year it is the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct When {
    /// The day, or the first day.
    pub date: Date,
    /// How much of it counts.
    pub grain: Grain,
}

impl When {
    /// `2025-03-12`, `2025-03`, `2025` or `--07-14`; `week of 2025-03-10` where only the week is known.
    pub(crate) fn iso(self) -> String {
        let (year, month, day) = (self.date.year(), self.date.month(), self.date.day());
        match self.grain {
            Grain::Day => format!("{year:04}-{month:02}-{day:02}"),
            Grain::Week => format!("week of {year:04}-{month:02}-{day:02}"),
            Grain::Weekend => format!("weekend of {year:04}-{month:02}-{day:02}"),
            Grain::Month => format!("{year:04}-{month:02}"),
            Grain::Year => format!("{year:04}"),
            Grain::Anniversary => format!("--{month:02}-{day:02}"),
        }
    }

    /// When it begins; a day of any year begins nowhere.
    pub(crate) fn begins(self) -> Option<EpochMs> {
        (self.grain != Grain::Anniversary).then(|| epoch(self.date))
    }

    /// When it is over.
    pub(crate) fn ends(self) -> Option<EpochMs> {
        let next = match self.grain {
            Grain::Day => self.date.checked_add(1.day()),
            Grain::Week => self.date.checked_add(7.days()),
            Grain::Weekend => self.date.checked_add(2.days()),
            Grain::Month => self.date.checked_add(1.month()),
            Grain::Year => self.date.checked_add(1.year()),
            Grain::Anniversary => return None,
        };
        next.ok().map(epoch)
    }
}

fn epoch(date: Date) -> EpochMs {
    let days = Date::new(1970, 1, 1).ok().and_then(|zero| zero.until(date).ok()).map_or(0, |span| span.get_days());
    i64::from(days) * 86_400_000
}

/// The day of a moment, in UTC.
pub(crate) fn day_of(at: EpochMs) -> Option<Date> {
    let days = jiff::Span::new().try_days(at.div_euclid(86_400_000)).ok()?;
    Date::new(1970, 1, 1).ok()?.checked_add(days).ok()
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// 1 to 12 for the name of a month, in lower case.
pub(crate) fn month_number(lower: &str) -> Option<i8> {
    let bare = lower.trim_end_matches('.');
    let known = crate::data::words::tags(bare) & MONTH != 0;
    let head = bare.get(..3)?;
    let at = MONTHS.iter().position(|month| *month == head)?;
    known.then_some(at as i8 + 1)
}

fn weekday(lower: &str) -> Option<Weekday> {
    const DAYS: [(&str, Weekday); 7] = [
        ("mon", Weekday::Monday),
        ("tue", Weekday::Tuesday),
        ("wed", Weekday::Wednesday),
        ("thu", Weekday::Thursday),
        ("fri", Weekday::Friday),
        ("sat", Weekday::Saturday),
        ("sun", Weekday::Sunday),
    ];
    DAYS.iter().find(|(head, _)| lower.starts_with(head)).map(|(_, day)| *day)
}

/// A number in digits or words, up to a hundred or so; `a` and `an` are one, `a couple` two, `a few` nothing exact.
pub(crate) fn count(lower: &str) -> Option<i32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    if let Some(at) = WORDS.iter().position(|word| *word == lower) {
        return Some(at as i32);
    }
    match lower {
        "a" | "an" => Some(1),
        "couple" => Some(2),
        "thirty" => Some(30),
        "forty" => Some(40),
        "fifty" => Some(50),
        "sixty" => Some(60),
        "ninety" => Some(90),
        _ => lower.parse().ok().filter(|n| (0..=9999).contains(n)),
    }
}

/// The years whose dates are read, written in digits.
pub const YEARS: RangeInclusive<i16> = 1800..=2199;

/// A year in digits: `1987`, `2025`.
pub(crate) fn year(lower: &str) -> Option<i16> {
    (lower.len() == 4).then(|| lower.parse().ok()).flatten().filter(|year| YEARS.contains(year))
}

fn day_number(lower: &str) -> Option<i8> {
    let bare = ["st", "nd", "rd", "th"].iter().find_map(|ending| lower.strip_suffix(ending)).unwrap_or(lower);
    (bare.len() <= 2).then(|| bare.parse().ok()).flatten().filter(|day| (1..=31).contains(day))
}

/// A date in digits: `2026-01-31`, `31.01.2026`, `25/12/2018`, `12-01-19`. Where day and month could be either,
/// the day comes first, as everywhere but in the United States, unless the second number exceeds twelve.
pub(crate) fn numeric(lower: &str) -> Option<When> {
    let separator = ['-', '/', '.'].into_iter().find(|mark| lower.matches(*mark).count() == 2)?;
    let parts: Vec<&str> = lower.split(separator).collect();
    let [a, b, c] = parts[..] else { return None };
    if !parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let full = |year: &str| -> Option<i16> {
        match year.len() {
            4 => self::year(year),
            2 => year.parse::<i16>().ok().map(|short| if short < 70 { 2000 + short } else { 1900 + short }),
            _ => None,
        }
    };
    let date = if a.len() == 4 {
        Date::new(full(a)?, b.parse().ok()?, c.parse().ok()?)
    } else {
        if a.len() > 2 || b.len() > 2 {
            return None;
        }
        let (first, second): (i8, i8) = (a.parse().ok()?, b.parse().ok()?);
        let (day, month) = if second > 12 { (second, first) } else { (first, second) };
        Date::new(full(c)?, month, day)
    };
    date.ok().map(|date| When { date, grain: Grain::Day })
}

/// A date at the head of `tokens`, without a preposition, and how many tokens it takes.
pub(crate) fn absolute(tokens: &[Token]) -> Option<(When, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let capital = |at: usize| tokens.get(at).is_some_and(|token| token.is_capital());
    if let Some(when) = numeric(word(0)).or_else(|| stamped(word(0))) {
        return Some((when, 1));
    }
    // A weekday before a date adds nothing to it.
    if tokens.first().is_some_and(|token| token.is(WEEKDAY)) {
        let skip = if word(1) == "," { 2 } else { 1 };
        return match tokens.get(skip..).and_then(absolute) {
            Some((when, taken)) if when.grain != Grain::Year => Some((when, taken + skip)),
            _ => None,
        };
    }
    let skip_the = usize::from(word(0) == "the");
    if let Some(day) = day_number(word(skip_the)) {
        let at = skip_the + 1;
        let at = at + usize::from(word(at) == "of");
        if let Some(month) = month_number(word(at)).filter(|_| capital(at)) {
            return with_year(tokens, at + 1, month, day);
        }
    }
    if let Some(month) = month_number(word(0)).filter(|_| capital(0)) {
        let the = usize::from(word(1) == "the");
        if let Some(day) = day_number(word(1 + the)) {
            return with_year(tokens, 2 + the, month, day);
        }
        let comma = usize::from(word(1) == "," || word(1) == "of");
        if let Some(year) = year(word(1 + comma)) {
            let date = Date::new(year, month, 1).ok()?;
            return Some((When { date, grain: Grain::Month }, 2 + comma));
        }
    }
    year(word(0)).and_then(|year| Date::new(year, 1, 1).ok()).map(|date| (When { date, grain: Grain::Year }, 1))
}

/// `2026-01` and `2026-01-31t10:00`.
fn stamped(lower: &str) -> Option<When> {
    if let Some((date, _)) = lower.split_once('t') {
        return numeric(date).filter(|_| date.len() == 10);
    }
    let (year_part, month) = lower.split_once('-')?;
    let date = Date::new(year(year_part)?, month.parse().ok().filter(|_| month.len() == 2)?, 1).ok()?;
    Some(When { date, grain: Grain::Month })
}

fn with_year(tokens: &[Token], at: usize, month: i8, day: i8) -> Option<(When, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let comma = usize::from(word(at) == "," || word(at) == "of");
    if let Some(date) = year(word(at + comma)).and_then(|year| Date::new(year, month, day).ok()) {
        return Some((When { date, grain: Grain::Day }, at + comma + 1));
    }
    // 2000 was a leap year, so that 29 February is a day.
    Date::new(2000, month, day).ok().map(|date| (When { date, grain: Grain::Anniversary }, at))
}

/// A date told from the day on which it was said, at the head of `tokens`: `yesterday`, `last week`, `two years ago`,
/// `this morning`, `last Friday`, `the week before last` are known. Gives how many tokens it takes, and the date
/// where the day of saying is known.
pub(crate) fn relative(tokens: &[Token], today: Option<Date>) -> Option<(Option<When>, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let day = |offset: i32| {
        today.and_then(|today| today.checked_add(offset.days()).ok()).map(|date| When { date, grain: Grain::Day })
    };
    match word(0) {
        "yesterday" => {
            let more = usize::from(matches!(word(1), "morning" | "afternoon" | "evening" | "night"));
            return Some((day(-1), 1 + more));
        }
        "today" | "tonight" => return Some((day(0), 1)),
        "tomorrow" => {
            let more = usize::from(matches!(word(1), "morning" | "afternoon" | "evening" | "night"));
            return Some((day(1), 1 + more));
        }
        "last" | "next" | "this" | "past" | "previous" | "coming" => return named_unit(tokens, today),
        "the" if matches!(word(1), "other" | "past" | "last") && is_unit(tokens, 2) => return Some((None, 3)),
        "the" if matches!(word(1), "day" | "week") && word(2) == "before" => return Some((None, 4)),
        "earlier" if word(1) == "this" => {
            return named_unit(&tokens[1..], today).map(|(when, taken)| (when, taken + 1));
        }
        _ => {}
    }
    ago(tokens, today)
}

fn is_unit(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is(UNIT))
}

/// `last week`, `this summer`, `next Friday`, `last May`.
fn named_unit(tokens: &[Token], today: Option<Date>) -> Option<(Option<When>, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let step = match word(0) {
        "last" | "past" | "previous" => -1,
        "next" | "coming" => 1,
        _ => 0,
    };
    let unit = word(1);
    let token = tokens.get(1)?;
    let month = |offset: i32| today.and_then(|today| today.first_of_month().checked_add(offset.months()).ok());
    let when = if let Some(month) = month_number(unit).filter(|_| token.is_capital()) {
        today
            .and_then(|today| {
                let offset = match step {
                    -1 if month >= today.month() => -1,
                    1 if month <= today.month() => 1,
                    _ => 0,
                };
                Date::new(today.year() + offset, month, 1).ok()
            })
            .map(|date| When { date, grain: Grain::Month })
    } else if let Some(weekday) = (token.is(WEEKDAY) && !unit.starts_with("week")).then(|| weekday(unit)).flatten() {
        today
            .and_then(|today| match step {
                -1 => today.nth_weekday(-1, weekday).ok(),
                1 => today.nth_weekday(1, weekday).ok(),
                _ => None,
            })
            .map(|date| When { date, grain: Grain::Day })
    } else if token.is(UNIT) {
        match unit {
            "year" => today
                .and_then(|today| Date::new(today.year() + step as i16, 1, 1).ok())
                .map(|date| When { date, grain: Grain::Year }),
            "month" => month(step).map(|date| When { date, grain: Grain::Month }),
            "night" if step < 0 => {
                today.and_then(|today| today.yesterday().ok()).map(|date| When { date, grain: Grain::Day })
            }
            "morning" | "afternoon" | "evening" | "night" => {
                today.filter(|_| step == 0).map(|date| When { date, grain: Grain::Day })
            }
            "summer" | "winter" | "spring" | "autumn" | "fall" => today.and_then(|today| season(unit, step, today)),
            "week" => today.and_then(|today| week(today, step)),
            "weekend" => today.and_then(|today| weekend(today, step)),
            _ => None,
        }
    } else {
        return None;
    };
    Some((when, 2))
}

fn monday(today: Date) -> Option<Date> {
    today.checked_sub(i32::from(today.weekday().to_monday_zero_offset()).days()).ok()
}

/// The week meant. On a Sunday it depends on the day that one's weeks begin with: the month of both, where they share it.
fn week(today: Date, step: i32) -> Option<When> {
    let monday = monday(today)?.checked_add((7 * step).days()).ok()?;
    if step == 0 || today.weekday() != Weekday::Sunday {
        return Some(When { date: monday, grain: Grain::Week });
    }
    let saturday_after = monday.checked_add(12.days()).ok()?;
    let date = monday.first_of_month();
    (date == saturday_after.first_of_month()).then_some(When { date, grain: Grain::Month })
}

/// The weekend meant. On a Sunday the last one is that of a week ago.
fn weekend(today: Date, step: i32) -> Option<When> {
    let saturday = monday(today)?.checked_add((5 + 7 * step).days()).ok()?;
    Some(When { date: saturday, grain: Grain::Weekend })
}

/// The year of the season meant, where it is sure; a season has no day of its own.
fn season(unit: &str, step: i32, today: Date) -> Option<When> {
    let first = match unit {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        _ => return None,
    };
    let offset = match step {
        -1 if today.month() <= first + 2 => -1,
        1 if today.month() >= first => 1,
        _ => 0,
    };
    Date::new(today.year() + offset, first, 1).ok().map(|date| When { date, grain: Grain::Year })
}

/// `two weeks ago`, `a year ago`, `3 days ago`.
fn ago(tokens: &[Token], today: Option<Date>) -> Option<(Option<When>, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let mut at = usize::from(matches!(word(0), "about" | "around" | "almost" | "nearly" | "over" | "just"));
    let exact = at == 0;
    let number = tokens.get(at)?;
    let few = matches!(number.lower.as_str(), "few" | "several")
        || (word(at) == "a" && matches!(word(at + 1), "few" | "while" | "bit"));
    let couple = word(at) == "a" && word(at + 1) == "couple";
    let amount = if couple { Some(2) } else { count(&number.lower) };
    if !few && !couple && amount.is_none() && !number.is(NUMBER) {
        return None;
    }
    at += if (word(at) == "a" && few) || couple { 2 } else { 1 };
    at += usize::from(word(at) == "of");
    if word(at) == "ago" && few {
        return Some((None, at + 1));
    }
    if !is_unit(tokens, at) || !matches!(word(at + 1), "ago" | "back" | "earlier") {
        return None;
    }
    let when = match (today, amount.filter(|_| exact && !few && !couple)) {
        (Some(today), Some(n)) => match word(at).trim_end_matches('s') {
            "week" => {
                today.checked_sub((7 * n).days()).ok().and_then(monday).map(|date| When { date, grain: Grain::Week })
            }
            "day" => today.checked_sub(n.days()).ok().map(|date| When { date, grain: Grain::Day }),
            "month" => {
                today.first_of_month().checked_sub(n.months()).ok().map(|date| When { date, grain: Grain::Month })
            }
            "year" => i16::try_from(n)
                .ok()
                .and_then(|n| Date::new(today.year() - n, 1, 1).ok())
                .map(|date| When { date, grain: Grain::Year }),
            _ => None,
        },
        _ => None,
    };
    Some((when, at + 2))
}

/// When what is so until a date ends: as that begins, as in facts that are stated; where it began no earlier than that, when
/// the date is over.
pub(crate) fn until(since: Option<EpochMs>, until: When) -> Option<EpochMs> {
    let begins = until.begins();
    if begins > since { begins } else { until.ends() }
}

/// The first date in a text, `12 March 2025` or `2025-03-12`, if the text is nothing but that.
pub(crate) fn whole(text: &str) -> Option<When> {
    let tokens = crate::token::tokenize(text, 0, text.len());
    let (when, taken) = absolute(&tokens)?;
    (taken == tokens.len() && tokens.iter().all(|token| token.shape != Shape::Link)).then_some(when)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokenize;

    fn check(text: &str, iso: Option<&str>) {
        assert_eq!(whole(text).map(When::iso).as_deref(), iso, "{text}");
    }

    #[test]
    fn dates_are_read() {
        check("March 3, 2026", Some("2026-03-03"));
        check("12 March 2025", Some("2025-03-12"));
        check("the 3rd of May 2024", Some("2024-05-03"));
        check("Friday, 5 June 2026", Some("2026-06-05"));
        check("2026-01-31", Some("2026-01-31"));
        check("31.01.2026", Some("2026-01-31"));
        check("25/12/2018", Some("2018-12-25"));
        check("12/25/2018", Some("2018-12-25"));
        check("12-01-19", Some("2019-01-12"));
        check("May 2024", Some("2024-05"));
        check("2024-05", Some("2024-05"));
        check("2018", Some("2018"));
        check("July 14", Some("--07-14"));
        check("14 July", Some("--07-14"));
        check("February 30", None);
        check("may 3 people", None);
        check("1.2.3", None);
        check("99/99/2018", None);
    }

    #[test]
    fn days_told_from_today() {
        let today = Date::new(2023, 5, 8).ok();
        for (text, iso) in [
            ("yesterday", Some("2023-05-07")),
            ("two days ago", Some("2023-05-06")),
            ("last Friday", Some("2023-05-05")),
            ("last month", Some("2023-04")),
            ("last year", Some("2022")),
            ("10 years ago", Some("2013")),
            ("last December", Some("2022-12")),
            ("last week", Some("week of 2023-05-01")),
            ("last weekend", Some("weekend of 2023-05-06")),
            ("a few days ago", None),
            ("about 3 years ago", None),
        ] {
            let tokens = tokenize(text, 0, text.len());
            let (when, taken) = relative(&tokens, today).unwrap_or_else(|| panic!("{text} is no date"));
            assert_eq!(when.map(When::iso).as_deref(), iso, "{text}");
            assert_eq!(taken, tokens.len(), "{text}");
        }
    }

    #[test]
    fn on_a_sunday_two_weeks_may_be_meant() {
        for (today, text, iso) in [
            ((2023, 8, 20), "last week", Some("2023-08")),
            ((2023, 8, 13), "next week", Some("2023-08")),
            ((2023, 1, 1), "last week", Some("2022-12")),
            ((2023, 4, 2), "last week", None),
            ((2023, 8, 13), "this week", Some("week of 2023-08-07")),
            ((2023, 8, 14), "last week", Some("week of 2023-08-07")),
        ] {
            let (year, month, day) = today;
            let (when, _) = relative(&tokenize(text, 0, text.len()), Date::new(year, month, day).ok()).unwrap();
            assert_eq!(when.map(When::iso).as_deref(), iso, "{text} on {today:?}");
        }
    }

    #[test]
    fn days_are_moments() {
        assert_eq!(day_of(1_683_554_160_000).map(|day| day.to_string()).as_deref(), Some("2023-05-08"));
        let day = whole("2023-05-08").unwrap();
        assert_eq!(day.begins(), Some(1_683_504_000_000));
        assert_eq!(day.ends(), Some(1_683_590_400_000));
    }
}
