//! Days of the Gregorian calendar, counted from 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms", 2013). Years are
//! counted from March, so that the day that leap years add is the last one, in eras of 400 years, as far as which the calendar repeats.

/// Days of an era.
const ERA: i64 = 146_097;
/// From 1 March of the year 0 to 1970.
const TO_1970: i64 = 719_468;

/// Days from 1970-01-01 to a day of a month, 1 to 12.
pub fn day_count(year: i64, month: i64, day: i64) -> i64 {
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_1970
}

/// Year, month and day of so many days after 1970-01-01; the inverse of [`day_count`].
pub fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + TO_1970;
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_there_and_back() {
        for (date, days) in [
            ((0, 3, 1), -719_468),
            ((1600, 2, 29), -135_081),
            ((1969, 12, 31), -1),
            ((1970, 1, 1), 0),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((2100, 2, 28), 47_540),
            ((2100, 3, 1), 47_541),
        ] {
            let (year, month, day) = date;
            assert_eq!((day_count(year, month, day), civil(days)), (days, date), "{date:?}");
        }
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let mut last = civil(-800_000);
        for days in -799_999..200_000 {
            let (year, month, day) = civil(days);
            assert_eq!(day_count(year, month, day), days);
            let follows = day == last.2 + 1 || (day == 1 && month == last.1 % 12 + 1 && last.2 >= 28);
            assert!(follows, "{last:?} and then {year}-{month}-{day}");
            last = (year, month, day);
        }
    }
}
