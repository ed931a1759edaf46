//! Times of the day and dates, in the person's own zone and language.

use js_sys::{Date, Intl, Object, Reflect};
use um_model::{EpochMs, calendar};

/// A day, in milliseconds.
pub const DAY: EpochMs = 86_400_000;

/// A day: `12 May 2026`, without the year where it is this one.
pub fn day(at: EpochMs) -> String {
    let date = date(at);
    dated(&date, date.get_full_year(), &[])
}

/// A day and its time: `12 May, 14:03`, `12 May 2025, 14:03`.
pub fn moment(at: EpochMs) -> String {
    let date = date(at);
    dated(&date, date.get_full_year(), &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// Until when something is so that ends at a moment: the day alone where that is over then, else the day and its time.
pub fn until(at: EpochMs) -> String {
    last_day(at, begins_day).map_or_else(|| moment(at), day)
}

/// The last moment of the day that ends with a moment, which is its own last one or the first after it; none where no day ends then.
fn last_day(at: EpochMs, begins_day: impl Fn(EpochMs) -> bool) -> Option<EpochMs> {
    [at, at + 1].into_iter().find(|next| begins_day(*next)).map(|next| next - 1)
}

/// Whether a moment is the first of its day in the person's zone.
fn begins_day(at: EpochMs) -> bool {
    let own = date(at);
    // Where the clock is put forward at midnight, a day begins at another time.
    let first = Date::new_with_year_month_day(own.get_full_year(), own.get_month() as i32, own.get_date() as i32);
    first.get_time() == own.get_time()
}

/// A day by its [number](day_number), the same in every zone: `12 May 2026`, without the year where it is this one.
pub fn numbered_day(number: i64) -> String {
    let date = date(number * DAY);
    dated(&date, date.get_utc_full_year(), &[("timeZone", "UTC")])
}

/// Now, in milliseconds since the epoch.
pub fn now() -> EpochMs {
    Date::now() as EpochMs
}

/// How far the person's clock is ahead of UTC now, in minutes.
pub fn utc_offset() -> i32 {
    // The browser counts from the clock to UTC.
    -(Date::new_0().get_timezone_offset() as i32)
}

/// Today by the person's clock, by its [number](day_number).
pub fn today() -> i64 {
    local_day(now(), utc_offset())
}

/// The day of a moment by a clock that is so many minutes ahead of UTC, by its [number](day_number).
pub fn local_day(at: EpochMs, minutes: i32) -> i64 {
    (at + EpochMs::from(minutes) * 60_000).div_euclid(DAY)
}

/// The last moment of a day by its [number](day_number), by a clock that is so many minutes ahead of UTC; by one of UTC, that of a day
/// as sources name it.
pub fn end_of(day: i64, minutes: i32) -> EpochMs {
    (day + 1) * DAY - 1 - EpochMs::from(minutes) * 60_000
}

/// A date of that year with these parts besides, and with its year where that is not this one.
fn dated(date: &Date, year: u32, more: &[(&str, &str)]) -> String {
    let mut parts = vec![("day", "numeric"), ("month", "short")];
    if Date::new_0().get_full_year() != year {
        parts.push(("year", "numeric"));
    }
    parts.extend(more);
    written(date, &parts)
}

/// The number of a day such as `2026-05-12`, counted from 1970.
pub fn day_number(day: &str) -> Option<i64> {
    let mut numbers = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, date) = (numbers.next()??, numbers.next()??, numbers.next()??);
    Some(calendar::day_count(year, month, date))
}

/// Milliseconds since the epoch of the beginning of a day such as `2026-05-12`, `days` days later, in the person's zone.
pub fn start_of_day(day: &str, days: u32) -> Option<EpochMs> {
    // The same day of the calendar: how far the zone is from UTC differs from day to day.
    let named = date((day_number(day)? + i64::from(days)) * DAY);
    let (month, of_month) = (named.get_utc_month() as i32, named.get_utc_date() as i32);
    let start = Date::new_with_year_month_day(named.get_utc_full_year(), month, of_month).get_time();
    (!start.is_nan()).then_some(start as EpochMs)
}

/// A time of the day: `14:03`.
pub fn time_of_day(at: EpochMs) -> String {
    written(&date(at), &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// A day as a field for days has it: `2026-05-12`.
pub fn day_field(at: EpochMs) -> String {
    let date = date(at);
    field(date.get_full_year(), date.get_month(), date.get_date())
}

/// The same of a day by its [number](day_number), the same in every zone.
pub fn numbered_day_field(number: i64) -> String {
    let date = date(number * DAY);
    field(date.get_utc_full_year(), date.get_utc_month(), date.get_utc_date())
}

/// `month` counts from 0.
fn field(year: u32, month: u32, day: u32) -> String {
    format!("{year:04}-{:02}-{day:02}", month + 1)
}

/// Milliseconds since the epoch, so many days before now.
pub fn days_ago(days: u32) -> EpochMs {
    now() - EpochMs::from(days) * DAY
}

fn date(at: EpochMs) -> Date {
    Date::new(&(at as f64).into())
}

fn written(date: &Date, parts: &[(&str, &str)]) -> String {
    let options = Object::new();
    for (name, value) in parts {
        // A plain object takes every property.
        let _ = Reflect::set(&options, &(*name).into(), &(*value).into());
    }
    let locales = js_sys::Array::of1(&"en-GB".into());
    let format = Intl::DateTimeFormat::new(&locales, &options);
    format.format().call1(&wasm_bindgen::JsValue::NULL, date).ok().and_then(|s| s.as_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{DAY, day_number, end_of, field, last_day, local_day};

    #[test]
    fn today_is_that_of_the_clock() {
        let midnight = 20_000 * DAY;
        for (hour, minutes, expected) in
            [(1, 0, 20_000), (1, -480, 19_999), (23, 60, 20_001), (12, 840, 20_001), (0, -1, 19_999)]
        {
            assert_eq!(local_day(midnight + hour * 3_600_000, minutes), expected, "{hour}:00, {minutes} minutes ahead");
        }
    }

    #[test]
    fn a_day_ends_before_the_next_begins() {
        for minutes in [0, 120, -480, 840] {
            for number in [3, 0, -1] {
                let ends = end_of(number, minutes);
                let days = (local_day(ends, minutes), local_day(ends + 1, minutes));
                assert_eq!(days, (number, number + 1), "{minutes} minutes ahead");
            }
        }
        assert_eq!(end_of(3, 0), 4 * DAY - 1);
    }

    #[test]
    fn a_day_that_is_over_is_told_without_its_time() {
        // By a clock that is two hours ahead.
        let begins_day = |at: i64| (at + 7_200_000) % DAY == 0;
        let midnight = 20_000 * DAY - 7_200_000;
        for (at, expected) in [
            (midnight, Some(midnight - 1)),
            (midnight - 1, Some(midnight - 1)),
            (midnight - 2, None),
            (midnight + 1, None),
            (20_000 * DAY, None),
        ] {
            assert_eq!(last_day(at, begins_day), expected, "{} ms after midnight", at - midnight);
        }
    }

    #[test]
    fn a_day_has_a_number() {
        for (day, expected) in [
            ("1970-01-01", Some(0)),
            ("1969-12-31", Some(-1)),
            ("2000-02-29", Some(11_016)),
            ("2000-03-01", Some(11_017)),
            ("2018-05-03", Some(17_654)),
            ("2024-10-04", Some(20_000)),
            ("2018-05", None),
            ("2018-05-x", None),
            ("", None),
        ] {
            assert_eq!(day_number(day), expected, "{day}");
        }
    }

    #[test]
    fn a_field_has_a_day_with_zeros() {
        assert_eq!(field(2026, 4, 3), "2026-05-03");
    }
}
