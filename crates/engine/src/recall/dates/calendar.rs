//! Days and months of the Gregorian calendar, counted in milliseconds since 1970.

use super::DAY;
use um_model::{EpochMs, calendar};

/// The first moment of a month; months before January and after December are of other years.
pub(super) fn begins(year: i32, month: i32) -> EpochMs {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    day_count(year, month as u32, 1) * DAY
}

/// The year of a moment, in UTC.
pub(in crate::recall) fn year_of(at: EpochMs) -> i32 {
    civil(at).0
}

/// Days since 1970.
pub(super) fn day_count(year: i32, month: u32, day: u32) -> EpochMs {
    calendar::day_count(year.into(), month.into(), day.into())
}

/// Year, month and day of a moment, in UTC.
pub(super) fn civil(at: EpochMs) -> (i32, u32, u32) {
    let (year, month, day) = calendar::civil(at.div_euclid(DAY));
    (year as i32, month as u32, day as u32)
}

/// Whether a month, 1 to 12, has a day in a year; or in any, where none is told.
pub(super) fn has_day(year: Option<i32>, month: u32, day: u32) -> bool {
    const LEAP_YEAR: i32 = 2000;
    let year = year.unwrap_or(LEAP_YEAR);
    civil(day_count(year, month, day) * DAY) == (year, month, day)
}
