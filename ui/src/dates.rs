//! Times of the day and dates, in the person's own zone and language.

use js_sys::{Date, Intl, Object, Reflect};
use um_model::EpochMs;

/// A day: `12 May 2026`, without the year where it is this one.
pub fn day(at: EpochMs) -> String {
    dated(at, &[])
}

/// A day and its time: `12 May, 14:03`, `12 May 2025, 14:03`.
pub fn moment(at: EpochMs) -> String {
    dated(at, &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// Now, in milliseconds since the epoch.
pub fn now() -> EpochMs {
    Date::now() as EpochMs
}

/// A day with these parts of its time, and with its year where that is not this one.
fn dated(at: EpochMs, time: &[(&str, &str)]) -> String {
    let date = Date::new(&(at as f64).into());
    let mut parts = vec![("day", "numeric"), ("month", "short")];
    if Date::new_0().get_full_year() != date.get_full_year() {
        parts.push(("year", "numeric"));
    }
    parts.extend(time);
    written(&date, &parts)
}

/// Milliseconds since the epoch of the beginning of a day such as `2026-05-12`, `days` days later.
pub fn start_of_day(day: &str, days: u32) -> Option<EpochMs> {
    let mut numbers = day.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, date) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let start = Date::new_with_year_month_day(year, month as i32 - 1, (date + days) as i32).get_time();
    (!start.is_nan()).then_some(start as EpochMs)
}

/// A time of the day: `14:03`.
pub fn time_of_day(at: EpochMs) -> String {
    written(&Date::new(&(at as f64).into()), &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// A day as a field for days has it: `2026-05-12`.
pub fn day_field(at: EpochMs) -> String {
    let date = Date::new(&(at as f64).into());
    format!("{:04}-{:02}-{:02}", date.get_full_year(), date.get_month() + 1, date.get_date())
}

/// Milliseconds since the epoch, so many days before now.
pub fn days_ago(days: u32) -> EpochMs {
    (Date::now() - f64::from(days) * 86_400_000.0) as EpochMs
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
