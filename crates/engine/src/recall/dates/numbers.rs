//! Dates that are written in numbers: `2023-05-07`, `07.05.2023`, `5/17/2023`, `2023-05`. They are put into words, as all other dates
//! are read, where only one reading is possible.

use super::calendar::has_day;
use super::written::{self, day_number};
use crate::lexical::MONTHS;
use std::borrow::Cow;

/// A text with its dates in numbers in words: `7 may 2023`.
pub(super) fn in_words(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    text.split_inclusive(char::is_whitespace).map(part_in_words).collect::<String>().into()
}

/// The same of what stands between two spaces, with what is before the date and behind it: `(2023-05-07),`.
fn part_in_words(part: &str) -> Cow<'_, str> {
    let core = part.trim_matches(|c: char| !c.is_ascii_digit());
    // `Q3/2026` is no month.
    let is_led = part.split(core).next().is_some_and(|before| before.ends_with(char::is_alphabetic));
    match date(core).filter(|_| !is_led) {
        Some((year, month, Some(day))) => part.replacen(core, &format!("{day} {} {year}", month_name(month)), 1).into(),
        Some((year, month, None)) => part.replacen(core, &format!("{} {year}", month_name(month)), 1).into(),
        None => Cow::Borrowed(part),
    }
}

/// Whether what stands between two spaces begins with a date in numbers: `2024-03-05.md`.
pub(in crate::recall) fn begins_with_date(part: &str) -> bool {
    let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
    part.starts_with(|c: char| c.is_ascii_digit())
        && date(part.trim_end_matches(|c: char| !c.is_ascii_digit())).is_some()
}

/// A text with its months in full where they are in short and stand in a date: behind a day or before a year, as `Jan` and `Mar` may be
/// other words.
pub(super) fn whole_months(text: &str) -> String {
    if !text.contains(|letter: char| letter.is_ascii_digit()) {
        return text.to_owned();
    }
    let parts: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let whole = |at: usize| match short_month(&parts, at) {
        Some(month) => parts[at].replacen(core(parts[at]), month, 1),
        None => parts[at].to_owned(),
    };
    (0..parts.len()).map(whole).collect()
}

/// The words of a text that are months in short, in lower case.
pub(in crate::recall) fn short_months(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let months = (0..parts.len()).filter(|at| short_month(&parts, *at).is_some());
    months.map(|at| core(parts[at]).to_lowercase()).collect()
}

/// The month that the part in this place is, in short; `May` is whole.
fn short_month(parts: &[&str], at: usize) -> Option<&'static str> {
    let short = core(parts[at]).to_lowercase();
    let is_short = short.len() == 3 && short != "may" || short == "sept";
    let month = MONTHS.into_iter().find(|month| is_short && month.starts_with(&short))?;
    let part = |at: usize| parts.get(at).map(|part| core(part));
    let is_year = |at: usize| part(at).and_then(year).is_some();
    let is_day = |at: usize| part(at).and_then(day_number).is_some();
    let is_dated = at > 0 && is_day(at - 1) || is_year(at + 1) || is_day(at + 1) && is_year(at + 2);
    is_dated.then_some(month)
}

/// What stands between two spaces, without the signs around it.
fn core(part: &str) -> &str {
    part.trim_matches(|letter: char| !letter.is_alphanumeric())
}

fn month_name(month: u32) -> &'static str {
    MONTHS[month as usize - 1]
}

/// Year, month and day. The time of a day may follow: `2023-05-07T10:30`.
fn date(written: &str) -> Option<(i32, u32, Option<u32>)> {
    let written = written.split_once('T').map_or(written, |(date, _)| date);
    let sign = ['-', '.', '/'].into_iter().find(|sign| written.contains(*sign))?;
    let parts: Vec<&str> = written.split(sign).collect();
    match (parts.as_slice(), sign) {
        ([first, month, day], '-' | '/') if first.len() == 4 => whole(year(first)?, number(month)?, number(day)?),
        ([day, month, last], '.') => whole(year(last)?, number(month)?, number(day)?),
        ([one, other, last], '-' | '/') => {
            let (year, one, other) = (year(last)?, number(one)?, number(other)?);
            match (whole(year, one, other), whole(year, other, one)) {
                (Some(date), None) | (None, Some(date)) => Some(date),
                (month_first, _) => month_first.filter(|_| one == other),
            }
        }
        // `2010-11` may be two years as well.
        ([first, month], '-') if month.len() == 2 => {
            let (year, month) = (year(first)?, number(month)?);
            ((1..=12).contains(&month) && month as i32 <= year % 100).then_some((year, month, None))
        }
        ([month, last], '/') => {
            let (year, month) = (year(last)?, number(month)?);
            (1..=12).contains(&month).then_some((year, month, None))
        }
        _ => None,
    }
}

/// A day that there is.
fn whole(year: i32, month: u32, day: u32) -> Option<(i32, u32, Option<u32>)> {
    let is_one = (1..=12).contains(&month) && has_day(Some(year), month, day);
    is_one.then_some((year, month, Some(day)))
}

fn year(digits: &str) -> Option<i32> {
    is_digits(digits).then(|| written::year(digits)).flatten()
}

fn number(written: &str) -> Option<u32> {
    (is_digits(written) && written.len() <= 2).then(|| written.parse().ok()).flatten()
}

fn is_digits(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_numbers_are_put_into_words() {
        for (text, expected) in [
            ("on 2023-05-07", "on 7 may 2023"),
            ("(2023-05-07), then", "(7 may 2023), then"),
            ("2023-05-07T10:30 at the harbour", "7 may 2023 at the harbour"),
            ("2023/5/7", "7 may 2023"),
            ("07.05.2023.", "7 may 2023."),
            ("7.5.2023", "7 may 2023"),
            ("5/17/2023", "17 may 2023"),
            ("17/5/2023", "17 may 2023"),
            ("17-05-2023", "17 may 2023"),
            ("5/5/2023", "5 may 2023"),
            ("since 2023-05?", "since may 2023?"),
            ("05/2023", "may 2023"),
            ("between 2024-02-29 and 2024-03-01", "between 29 february 2024 and 1 march 2024"),
        ] {
            assert_eq!(in_words(text), expected, "{text}");
        }
    }

    #[test]
    fn short_months_are_whole_in_dates() {
        for (text, expected) in [
            ("Oct 2026", "october 2026"),
            ("since Sept. 2024?", "since september. 2024?"),
            ("7 Mar", "7 march"),
            ("Mar 7, 2024", "march 7, 2024"),
            ("Mar 7", "Mar 7"),
            ("Jan has 7 boats", "Jan has 7 boats"),
            ("", ""),
        ] {
            assert_eq!(whole_months(text), expected, "{text}");
        }
        assert_eq!(short_months("notes from Oct 2026"), ["oct"]);
    }

    #[test]
    fn what_is_no_date_or_may_be_two_stays() {
        for text in [
            "no number",
            "5/7/2023",
            "05-07-2023",
            "2023-02-29",
            "2023-13-01",
            "31.04.2023",
            "7.13.2023",
            "2010-11",
            "2019-2021",
            "2023-5",
            "1.2.3",
            "192.168.1.2023",
            "1/2",
            "24/7",
            "1850-05-07",
            "555-2023",
            "2023-05-07-11",
            "12.2023",
            "Q3/2026",
            "",
        ] {
            assert_eq!(in_words(text), text);
        }
    }
}
