//! Days and times as they are written after `--as-of`, `--known-at` and the like: every verb reads them here.

use crate::clock::utc_offset;
use crate::failure::Failure;
use std::time::SystemTime;
use um_model::{ApiError, EpochMs, ErrorCode};

/// What is said of every `--as-of`.
pub(crate) const AS_OF: &str = "Only what was so as that day, minute or second ended (2025-06-01, today, yesterday, \
     2025-06-01T14:30), or as that month or year began (2025-06, 2025)";
/// What is said of every `--known-at`.
pub(crate) const KNOWN_AT: &str =
    "Only what was known then, as it stood then; written as --as-of is, and never later than now";
/// What is said of every `--since`.
pub(crate) const SINCE: &str = "Only from the beginning of that day, month, year or time on, by your clock (2025-06-01, today, \
     yesterday, 2025-06, 2025-06-01T14:30)";
/// What is said of every `--until`.
pub(crate) const UNTIL: &str = "Only until that day, minute or second has ended (2025-06-01, today, yesterday, 2025-06-01T14:30), \
     or until that month or year began (2025-06, 2025)";

const SECOND: EpochMs = 1_000;
const MINUTE: EpochMs = 60 * SECOND;
const DAY: EpochMs = 24 * 60 * MINUTE;
/// What is shorter is no number of milliseconds, but a date that is written in another way: it would be one of the first days of 1970.
const LEAST_MOMENT: u64 = 10_000_000_000;
const DATES: &str = "Write 2024-05-01, 2024-05, 2024, today, yesterday, 2024-05-01T14:30, or milliseconds since 1970, \
     of eleven digits or more.";
/// What is written where a time is to come.
const TO_COME: &str = "Write 2030-05-01, 2030-05, 2030, today, tomorrow, in 3 days, in 2 weeks, 2030-05-01T14:30, or milliseconds since \
     1970, of eleven digits or more.";
const TIMES: &str =
    "Write a day with its time from 00:00 to 23:59, such as 2024-05-01T14:30, or 2024-05-01T14:30Z for UTC.";

/// The moment by the person's clock as of which something is asked that is kept with its moment: of a day, minute or second its last
/// one, of a month or year its first.
///
/// # Errors
/// Wrong usage: it names none, or may name several.
pub(crate) fn by_clock(text: Option<&str>) -> Result<Option<EpochMs>, Failure> {
    text.map(|text| ended(text, Days::OfClock, Clock::here())).transpose()
}

/// The same where it goes by dates as sources name them: today is that of the person's clock, and ends as any day of a source.
///
/// # Errors
/// As of [`by_clock`].
pub(crate) fn of_sources(text: Option<&str>) -> Result<Option<EpochMs>, Failure> {
    text.map(|text| ended(text, Days::OfSources, Clock::here())).transpose()
}

/// The moment at which something was known: that of [`by_clock`], or now, as nothing is known of later.
///
/// # Errors
/// As of [`by_clock`].
pub(crate) fn known(text: Option<&str>) -> Result<Option<EpochMs>, Failure> {
    text.map(|text| known_by(text, Clock::here())).transpose()
}

/// When something goes out of use by itself: as the day, minute or second by the person's clock is over, so that it is in use as of all
/// of it; of a month or year as that begins.
///
/// # Errors
/// As of [`by_clock`].
pub(crate) fn until(text: Option<&str>) -> Result<Option<EpochMs>, Failure> {
    text.map(|text| over(text, Clock::here())).transpose()
}

/// From when on something is asked for that is kept with its moment: the first one of a day, month, year or time of day by the person's
/// clock.
///
/// # Errors
/// As of [`by_clock`].
pub(crate) fn since(text: Option<&str>) -> Result<Option<EpochMs>, Failure> {
    text.map(|text| from(text, Clock::here())).transpose()
}

/// When something begins: the first moment in UTC of a date that is written out, or that of a time of day, by the person's clock where
/// it names none.
///
/// # Errors
/// What to write instead.
pub(crate) fn begins(text: &str) -> Result<EpochMs, String> {
    begun(text, Clock::here())
        .map_err(|Failure { error, .. }| [Some(error.message), error.hint].map(Option::unwrap_or_default).join(" "))
}

/// Whose days are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Days {
    /// Those of the person's clock: of what is kept with its moment.
    OfClock,
    /// Those that sources name, in UTC: of what is so from one date to another, wherever it is asked for.
    OfSources,
}

/// The person's clock.
#[derive(Debug, Clone, Copy)]
struct Clock {
    /// The moment that it is now.
    now: EpochMs,
    /// How far it is ahead of UTC, in milliseconds.
    ahead: EpochMs,
}

impl Clock {
    fn here() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = EpochMs::try_from(since.as_millis()).unwrap_or_default();
        Self { now, ahead: EpochMs::from(utc_offset().unwrap_or_default()) * MINUTE }
    }

    /// The first moment of today, as its hands show it.
    fn today(self) -> EpochMs {
        (self.now + self.ahead).div_euclid(DAY) * DAY
    }
}

/// What a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named {
    /// Its first moment, as the hands of its clock show it.
    begins: EpochMs,
    /// The one as of which it is asked, likewise.
    ends: EpochMs,
    of: Of,
}

/// By what a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// It says itself which moment it is.
    Itself,
    /// A time of day, by a clock that it does not name.
    Hands,
    /// A date.
    Calendar,
}

fn ended(text: &str, days: Days, clock: Clock) -> Result<EpochMs, Failure> {
    Ok(last(read(text, clock, DATES)?, days, clock))
}

fn over(text: &str, clock: Clock) -> Result<EpochMs, Failure> {
    let named = read(text, clock, TO_COME)?;
    // What lasts is asked for as of its last moment, and that still belongs to it.
    Ok(last(named, Days::OfClock, clock) + EpochMs::from(named.ends > named.begins))
}

fn from(text: &str, clock: Clock) -> Result<EpochMs, Failure> {
    let named = read(text, clock, DATES)?;
    Ok(named.begins - if named.of == Of::Itself { 0 } else { clock.ahead })
}

/// The moment as of which it is asked, in UTC.
fn last(named: Named, days: Days, clock: Clock) -> EpochMs {
    let is_of_clock = named.of != Of::Itself && days == Days::OfClock;
    named.ends - if is_of_clock { clock.ahead } else { 0 }
}

fn known_by(text: &str, clock: Clock) -> Result<EpochMs, Failure> {
    Ok(ended(text, Days::OfClock, clock)?.min(clock.now))
}

fn begun(text: &str, clock: Clock) -> Result<EpochMs, Failure> {
    if days_ahead(text.trim()).is_some() {
        return Err(usage(
            format!("\"{text}\" is no date that is written out."),
            "Write the date: 2024-05-01, 2024-05, 2024, or 2024-05-01T14:30.",
        ));
    }
    let named = read(text, clock, DATES)?;
    Ok(named.begins - if named.of == Of::Hands { clock.ahead } else { 0 })
}

/// Reads a text; `dates` says what to write where it names no date.
fn read(text: &str, clock: Clock, dates: &str) -> Result<Named, Failure> {
    let text = text.trim();
    if let Some(at) = text.parse().ok().filter(|ms: &EpochMs| ms.unsigned_abs() >= LEAST_MOMENT) {
        return Ok(Named { begins: at, ends: at, of: Of::Itself });
    }
    let (date, time) = parts(text);
    let from_today = days_ahead(date);
    let begins = match from_today {
        Some(days) => clock.today() + days * DAY,
        None => {
            refuse_two_readings(date)?;
            um_rules::date_begins(date).ok_or_else(|| unreadable((text, date), dates))?
        }
    };
    let is_day = from_today.is_some() || um_rules::is_day(date);
    let Some(time) = time else {
        return Ok(Named { begins, ends: if is_day { begins + DAY - 1 } else { begins }, of: Of::Calendar });
    };
    let time = Some(time).filter(|_| is_day).and_then(time_of_day);
    let Time { since_midnight, length, ahead } =
        time.ok_or_else(|| usage(format!("\"{text}\" names no time of a day."), TIMES))?;
    let begins = begins + since_midnight - ahead.unwrap_or_default();
    Ok(Named { begins, ends: begins + length - 1, of: if ahead.is_some() { Of::Itself } else { Of::Hands } })
}

/// How many days after today a day is that is named from it: `yesterday`, `tomorrow`, `in 3 days`, `in 2 weeks`.
fn days_ahead(date: &str) -> Option<EpochMs> {
    let lower = date.to_ascii_lowercase();
    match lower.split_whitespace().collect::<Vec<_>>()[..] {
        ["today"] => Some(0),
        ["yesterday"] => Some(-1),
        ["tomorrow"] => Some(1),
        ["in", count, "day" | "days"] => count.parse::<u16>().ok().map(EpochMs::from),
        ["in", count, "week" | "weeks"] => count.parse::<u16>().ok().map(|weeks| EpochMs::from(weeks) * 7),
        _ => None,
    }
}

/// Why a date is not read: it is none, or of a year whose dates are not.
fn unreadable((text, date): (&str, &str), dates: &str) -> Failure {
    if !is_beyond(date) {
        return usage(format!("\"{text}\" is no date that can be read."), dates);
    }
    let (first, last) = (*um_rules::YEARS.start(), *um_rules::YEARS.end());
    let message = format!("\"{text}\" is beyond the dates that are read: those of the years {first} to {last}.");
    usage(message, &format!("Write a date from {first}-01-01 to {last}-12-31, or milliseconds since 1970."))
}

/// Whether a text would be a date, were its year one whose dates are read.
fn is_beyond(date: &str) -> bool {
    let is_far =
        |part: &&str| part.len() == 4 && part.parse::<i16>().is_ok_and(|year| !um_rules::YEARS.contains(&year));
    let mut years = date.split(|c: char| !c.is_ascii_digit()).filter(is_far);
    // A leap year, so that no day is missing.
    years.any(|year| um_rules::date_begins(&date.replacen(year, "2000", 1)).is_some())
}

/// The date of a text, and what follows it as its time: after a T, or after a space and with a colon.
fn parts(text: &str) -> (&str, Option<&str>) {
    let in_digits =
        |date: &str| date.len() >= 8 && date.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.'));
    let is_between = |&(at, c): &(usize, char)| {
        let (date, after) = (&text[..at], &text[at + c.len_utf8()..]);
        match c {
            'T' | 't' => in_digits(date),
            c => c.is_whitespace() && after.split_whitespace().next().is_some_and(|word| word.contains(':')),
        }
    };
    match text.char_indices().find(is_between) {
        Some((at, c)) => (text[..at].trim_end(), Some(&text[at + c.len_utf8()..])),
        None => (text, None),
    }
}

/// A time of a day.
#[derive(Debug, Clone, Copy)]
struct Time {
    since_midnight: EpochMs,
    /// That of a minute, or of a second where it names one.
    length: EpochMs,
    /// How far the clock that it names is ahead of UTC, in milliseconds.
    ahead: Option<EpochMs>,
}

/// Reads `14:30` or `14:30:15`, with `Z` or `+02:00` behind it where it is of another clock than the person's.
fn time_of_day(text: &str) -> Option<Time> {
    let text: String = text.split_whitespace().collect();
    let (time, zone) = text.split_at(text.find(['Z', 'z', '+', '-']).unwrap_or(text.len()));
    let ahead = match zone {
        "" => None,
        "Z" | "z" => Some(0),
        zone => {
            let (sign, hours) = match zone.strip_prefix('-') {
                Some(hours) => (-1, hours),
                None => (1, zone.strip_prefix('+')?),
            };
            Some(sign * hands(hours)?.0)
        }
    };
    let (since_midnight, length) = hands(time)?;
    Some(Time { since_midnight, length, ahead })
}

/// Hours, minutes and maybe seconds as milliseconds, and how long the smallest of them is.
fn hands(text: &str) -> Option<(EpochMs, EpochMs)> {
    let number = |part: &str| -> Option<EpochMs> {
        let is_one = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| is_one)
    };
    let parts = text.split(':').map(number).collect::<Option<Vec<_>>>()?;
    let (hour, minute, second, length) = match parts[..] {
        [hour, minute] => (hour, minute, 0, MINUTE),
        [hour, minute, second] => (hour, minute, second, SECOND),
        _ => return None,
    };
    let is_shown = hour < 24 && minute < 60 && second < 60;
    is_shown.then_some(((hour * 60 + minute) * MINUTE + second * SECOND, length))
}

/// Refuses a date such as 05/01/2024: some read it as a day of January, others as one of May.
fn refuse_two_readings(date: &str) -> Result<(), Failure> {
    let Some([day_first, month_first]) = um_rules::two_readings(date) else { return Ok(()) };
    Err(usage(
        format!("\"{date}\" may be two days."),
        &format!("Write {day_first} if the day stands first in it, or {month_first} if the month does."),
    ))
}

fn usage(message: String, hint: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2021-05-03, twenty past two at night in UTC.
    const NIGHT: EpochMs = 1_620_008_400_000;
    /// The first moment of that day.
    const THIRD: EpochMs = 1_620_000_000_000;

    fn ahead(minutes: EpochMs) -> Clock {
        Clock { now: NIGHT, ahead: minutes * MINUTE }
    }

    #[test]
    fn a_day_is_asked_for_as_it_ends_and_a_month_as_it_begins() {
        for (text, expected) in [
            ("today", THIRD + DAY - 1),
            ("2021-05-03", THIRD + DAY - 1),
            ("Yesterday", THIRD - 1),
            ("2021-05-02", THIRD - 1),
            ("2 May 2021", THIRD - 1),
            ("the 2nd of May 2021", THIRD - 1),
            ("02.05.2021", THIRD - 1),
            ("2021-05-04", THIRD + 2 * DAY - 1),
            ("2021-05", THIRD - 2 * DAY),
            ("2021", 1_609_459_200_000),
            ("1620008400000", NIGHT),
        ] {
            for days in [Days::OfClock, Days::OfSources] {
                assert_eq!(ended(text, days, ahead(0)).ok(), Some(expected), "{text}, {days:?}");
            }
        }
    }

    #[test]
    fn today_is_that_of_the_clock_and_ends_with_it() {
        // In Los Angeles it is still the second of May, and on Kiritimati long the third.
        for (text, minutes, of_sources) in [
            ("today", -420, THIRD - 1),
            ("2021-05-02", -420, THIRD - 1),
            ("yesterday", -420, THIRD - DAY - 1),
            ("2021-05", -420, THIRD - 2 * DAY),
            ("today", 840, THIRD + DAY - 1),
            ("2021-05-03", 840, THIRD + DAY - 1),
            ("yesterday", 840, THIRD - 1),
            ("2021", 840, 1_609_459_200_000),
            ("2021-05-02 14:30", 840, THIRD - DAY + 871 * MINUTE - 1),
        ] {
            let found = |days| ended(text, days, ahead(minutes)).ok();
            assert_eq!(found(Days::OfSources), Some(of_sources), "{text}, {minutes} minutes ahead");
            let of_clock = of_sources - minutes * MINUTE;
            assert_eq!(found(Days::OfClock), Some(of_clock), "{text}, {minutes} minutes ahead");
        }
    }

    #[test]
    fn what_goes_out_of_use_is_in_use_to_the_last_moment_of_its_day() {
        for (text, minutes, lasts) in [
            ("2021-05-03", 0, true),
            ("2021-05-03", -420, true),
            ("today", 840, true),
            ("2021-05-03T14:30", 120, true),
            ("2021-05-03T14:30:15Z", 120, true),
            ("2021-05", 120, false),
            ("2021", 120, false),
            ("1620008400000", 120, false),
        ] {
            let asked = ended(text, Days::OfClock, ahead(minutes)).ok();
            let gone = asked.map(|at| if lasts { at + 1 } else { at });
            assert_eq!(over(text, ahead(minutes)).ok(), gone, "{text}, {minutes} minutes ahead");
        }
        assert_eq!(over("2021-05-03", ahead(0)).ok(), Some(THIRD + DAY));
    }

    #[test]
    fn a_day_begins_by_the_clock_from_which_on_is_asked() {
        for (text, minutes, expected) in [
            ("today", 0, THIRD),
            ("today", -420, THIRD - DAY),
            ("yesterday", 840, THIRD - DAY),
            ("2021-05-03", 0, THIRD),
            ("2021-05", 120, THIRD - 2 * DAY),
            ("2021-05-03T14:30", 120, THIRD + 870 * MINUTE),
            ("2021-05-03T14:30Z", 0, THIRD + 870 * MINUTE),
        ] {
            assert_eq!(
                from(text, ahead(minutes)).ok(),
                Some(expected - minutes * MINUTE),
                "{text}, {minutes} minutes ahead"
            );
        }
        assert_eq!(from("1620008400000", ahead(120)).ok(), Some(NIGHT));
        assert!(from("soon", ahead(0)).is_err());
    }

    #[test]
    fn days_to_come_are_named_from_today() {
        for (text, ends) in [
            ("Tomorrow", THIRD + 2 * DAY),
            ("tomorrow 14:30", THIRD + DAY + 871 * MINUTE),
            ("in 0 days", THIRD + DAY),
            ("in 1 day", THIRD + 2 * DAY),
            ("in 3 days", THIRD + 4 * DAY),
            ("In  2 weeks", THIRD + 15 * DAY),
            ("in 3 days 14:30", THIRD + 3 * DAY + 871 * MINUTE),
        ] {
            assert_eq!(over(text, ahead(0)).ok(), Some(ends), "{text}");
            assert_eq!(ended(text, Days::OfClock, ahead(0)).ok(), Some(ends - 1), "{text}");
            assert_eq!(begun(text, ahead(0)).is_ok(), text.contains(':'), "{text}: a date that begins is written out");
        }
        let Failure { error, .. } = over("soon", ahead(0)).unwrap_err();
        let hint = error.hint.unwrap_or_default();
        assert!(hint.contains("tomorrow, in 3 days") && !hint.contains("yesterday"), "{hint}");
    }

    #[test]
    fn nothing_is_known_later_than_now() {
        for (text, minutes, expected) in [
            ("today", 0, NIGHT),
            ("today", -420, NIGHT),
            ("today", 840, NIGHT),
            ("2030", 0, NIGHT),
            ("2021-05-03T02:20", 0, NIGHT),
            ("2021-05-03T02:19", 0, NIGHT - 1),
            ("yesterday", 0, THIRD - 1),
        ] {
            assert_eq!(known_by(text, ahead(minutes)).ok(), Some(expected), "{text}, {minutes} minutes ahead");
        }
    }

    #[test]
    fn a_time_of_day_counts() {
        // By a clock that is two hours ahead; minutes of UTC.
        let at = |minutes: EpochMs| THIRD + minutes * MINUTE;
        for (text, expected) in [
            ("2021-05-03T14:30", at(751) - 1),
            ("2021-05-03t14:30", at(751) - 1),
            ("2021-05-03 14:30", at(751) - 1),
            ("today 14:30", at(751) - 1),
            ("3 May 2021 14:30", at(751) - 1),
            ("2021-05-03T9:05", at(426) - 1),
            ("2021-05-03T14:30:15", at(750) + 16 * SECOND - 1),
            // A clock that is named is that of the time.
            ("2021-05-03T14:30Z", at(871) - 1),
            ("2021-05-03T14:30:00Z", at(870) + SECOND - 1),
            ("2021-05-03T14:30+02:00", at(751) - 1),
            ("2021-05-03 14:30 -01:00", at(931) - 1),
        ] {
            assert_eq!(ended(text, Days::OfClock, ahead(120)).ok(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_what_to_write() {
        for (text, says) in [
            ("soon", "is no date"),
            ("in three days", "is no date"),
            ("in 3 months", "is no date"),
            ("in -3 days", "is no date"),
            ("9999-12-31", "those of the years 1800 to 2199"),
            ("2200-12-31", "those of the years 1800 to 2199"),
            ("2400-02-29T14:30", "those of the years 1800 to 2199"),
            ("1 May 1799", "those of the years 1800 to 2199"),
            ("2200", "those of the years 1800 to 2199"),
            ("9999-13-31", "is no date"),
            ("2023-02-29", "is no date"),
            ("", "is no date"),
            ("14:30", "is no date"),
            ("20240501", "is no date"),
            ("2024-13-01", "is no date"),
            ("2024-05-01 3pm", "is no date"),
            ("1 May 2024 at 14:30", "is no date"),
            ("2024-05-01T25:99", "names no time of a day"),
            ("2024-05-01 24:00", "names no time of a day"),
            ("2024-05-01T14:30:60", "names no time of a day"),
            ("2024-05-01T14:30CET", "names no time of a day"),
            ("2024-05-01T", "names no time of a day"),
            ("2024-05-01T10", "names no time of a day"),
            ("2024-05 14:30", "names no time of a day"),
            ("2024 14:30", "names no time of a day"),
            ("yesterday 25:00", "names no time of a day"),
            ("05/01/2024", "may be two days"),
            ("5/1/24", "may be two days"),
            ("05-01-2024", "may be two days"),
            ("05/01/2024 14:30", "may be two days"),
        ] {
            for days in [Days::OfClock, Days::OfSources] {
                let Failure { error, .. } = ended(text, days, ahead(0)).unwrap_err();
                let hint = error.hint.as_deref().unwrap_or_default();
                assert!(error.message.contains(says) && hint.starts_with("Write "), "{text}: {error}");
            }
        }
    }

    #[test]
    fn a_date_in_numbers_is_read_where_it_can_be_one_day_alone() {
        for (text, expected) in [
            ("25/12/2020", Some("2020-12-25")),
            ("12/25/2020", Some("2020-12-25")),
            ("05/05/2020", Some("2020-05-05")),
            ("05.01.2020", Some("2020-01-05")),
            ("2020-05-01", Some("2020-05-01")),
            ("05/01/2020", None),
        ] {
            let found = begun(text, ahead(0)).ok().and_then(um_rules::date_written);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let Failure { error, .. } = begun("05/01/2024", ahead(0)).unwrap_err();
        let hint = error.hint.unwrap_or_default();
        assert!(hint.contains("2024-01-05") && hint.contains("2024-05-01"), "{hint}");
    }

    #[test]
    fn what_begins_does_so_with_its_date_or_at_its_time() {
        for (text, expected) in [
            ("2021-05-03", Some(THIRD)),
            ("2021-05", Some(THIRD - 2 * DAY)),
            ("1620008400000", Some(NIGHT)),
            ("-11000000000", Some(-11_000_000_000)),
            ("2021-05-03T04:20", Some(NIGHT)),
            ("2021-05-03T02:20Z", Some(NIGHT)),
            ("yesterday", None),
            ("Today", None),
            ("20210503", None),
        ] {
            assert_eq!(begun(text, ahead(120)).ok(), expected, "{text}");
        }
    }
}
