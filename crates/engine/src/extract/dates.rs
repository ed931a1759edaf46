//! Times as files write them.

use um_model::EpochMs;
use um_model::calendar::day_count;

/// The first year that a file can speak of: there were no photographs before.
const FIRST_YEAR: i64 = 1800;

/// A time of the Gregorian calendar, so many minutes ahead of UTC, as milliseconds since 1970; `None` where it
/// is no time, such as the zeros of a camera whose clock was never set.
pub(super) fn epoch_ms(day: [i64; 3], time: [i64; 3], offset: i64) -> Option<EpochMs> {
    let ([year, month, day], [hour, minute, second]) = (day, time);
    let in_bounds = (FIRST_YEAR..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !in_bounds || !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..=60).contains(&second) {
        return None;
    }
    Some((((day_count(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000)
}

/// A date as PDFs write it, `D:20240131093000+01'00'` (ISO 32000-1, 7.9.4), as milliseconds since 1970. What is
/// left out of the time counts as zero, and without an offset it counts as UTC; a date without its day is none.
pub fn pdf_date(text: &str) -> Option<EpochMs> {
    let text = text.trim().trim_start_matches("D:");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let number = |at: usize, length: usize| match text.get(at..at + length) {
        Some(part) if at + length <= digits => part.parse::<i64>().ok(),
        _ => None,
    };
    let day = [number(0, 4)?, number(4, 2)?, number(6, 2)?];
    let time = [8, 10, 12].map(|at| number(at, 2).unwrap_or(0));
    epoch_ms(day, time, offset(&text[digits..])?)
}

/// Minutes ahead of UTC: `+01'00'`, `-0800`, `Z`, nothing; `None` for what is no offset.
fn offset(text: &str) -> Option<i64> {
    let sign = match text.chars().next() {
        None | Some('Z') => return Some(0),
        Some('+') => 1,
        Some('-') => -1,
        Some(_) => return None,
    };
    let digits: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
    let hours = digits.get(..2)?.parse::<i64>().ok()?;
    let minutes = digits.get(2..4).map_or(Some(0), |minutes| minutes.parse().ok())?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<EpochMs>) {
        assert_eq!(pdf_date(text), expected, "{text}");
    }

    #[test]
    fn dates_of_pdfs() {
        check("D:19700101000000Z", Some(0));
        check("D:20240229123456+01'30'", Some(1_709_204_696_000));
        check("D:20240229123456-0800", Some(1_709_238_896_000));
        check("20240229", Some(1_709_164_800_000));
        check("D:2024022912", Some(1_709_208_000_000));
        check("D:20240229123456+01", Some(1_709_206_496_000));
        for no_date in
            ["", "D:", "D:2024", "D:202402", "D:20241301", "D:00010101", "D:00000000000000", "D:20240229x", "yesterday"]
        {
            check(no_date, None);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_trips_it(text in ".{0,40}") {
            let _ = pdf_date(&text);
        }
    }
}
