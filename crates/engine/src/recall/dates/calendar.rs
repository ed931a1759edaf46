//! Days and months of the Gregorian calendar, counted in milliseconds since 1970.

use super::DAY;
use um_model::EpochMs;

/// The first moment of a month; months before January and after December are of other years.
pub(super) fn begins(year: i32, month: i32) -> EpochMs {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    day_count(year, month as u32, 1) * DAY
}

/// The year of a moment, in UTC.
pub(in crate::recall) fn year_of(at: EpochMs) -> i32 {
    civil(at).0
}

/// Days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms", 2013).
pub(super) fn day_count(year: i32, month: u32, day: u32) -> EpochMs {
    let year = EpochMs::from(year) - EpochMs::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((EpochMs::from(month) + 9) % 12) + 2) / 5 + EpochMs::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a moment, in UTC; the inverse of [`day_count`].
pub(super) fn civil(at: EpochMs) -> (i32, u32, u32) {
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

    #[test]
    fn days_are_counted_there_and_back() {
        for days in [-719_468, -1, 0, 59, 11_016, 19_857, 20_000] {
            let (year, month, day) = civil(days * DAY);
            assert_eq!(day_count(year, month, day), days);
        }
        assert_eq!(civil(day_count(2024, 2, 29) * DAY + 5), (2024, 2, 29));
    }
}
