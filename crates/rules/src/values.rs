//! Normal forms of values: what makes two of them the same.

use crate::dates;
use um_model::EpochMs;
use um_model::belief::ValueKind;
use unicode_normalization::UnicodeNormalization;

/// The form of a value in which equal values are equal: NFKC, case folded, trimmed, single spaces, no article in
/// front, dates as ISO writes them (`--07-14` for a day of any year), numbers without separators. Claim keys and
/// evaluation both compare this form.
pub fn normal_value(text: &str, kind: ValueKind) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let plain: String = folded.chars().map(|c| if matches!(c, '’' | 'ʼ') { '\'' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let spaced = words.join(" ");
    let bare = spaced.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '"' | '“' | '”'));
    let bare = ["the ", "a ", "an "].iter().find_map(|article| bare.strip_prefix(article)).unwrap_or(bare);
    if kind != ValueKind::Boolean {
        // Dates stand in values of words, too: `since: May 2024`.
        if let Some(when) = dates::whole(text.trim()) {
            return when.iso();
        }
    }
    match kind {
        ValueKind::Number => number(bare),
        ValueKind::Boolean if matches!(bare, "yes" | "true" | "1") => "true".to_owned(),
        ValueKind::Boolean if matches!(bare, "no" | "false" | "0") => "false".to_owned(),
        _ => bare.to_owned(),
    }
}

/// Whether a value reads as one of that kind; any words do as text.
pub fn reads_as(text: &str, kind: ValueKind) -> bool {
    match kind {
        ValueKind::Text => true,
        ValueKind::Date => dates::whole(text.trim()).is_some(),
        ValueKind::Number => text.chars().any(char::is_numeric),
        ValueKind::Boolean => matches!(normal_value(text, kind).as_str(), "true" | "false"),
    }
}

/// Whether the word, in lower case, names a currency.
pub(crate) fn is_currency(lower: &str) -> bool {
    const WORDS: &str = " eur usd gbp chf jpy cad aud nzd sek nok dkk pln czk huf ron brl mxn inr cny sgd hkd myr rm thb krw try zar \
        euro euros dollar dollars pound pounds franc francs yen cent cents ";
    crate::data::words::contains_word(WORDS, lower)
}

/// The first moment, in UTC, of a date that is all of the text: `2021-05-01`, `2021-05`, `2021`, `1 May 2021`. None for
/// anything else, and for a day of no year.
pub fn date_begins(text: &str) -> Option<EpochMs> {
    dates::whole(text.trim()).and_then(dates::When::begins)
}

/// Whether all of the text is a date of one day, rather than of a month or a year: `2021-05-01`, `1 May 2021`.
pub fn is_day(text: &str) -> bool {
    dates::whole(text.trim()).is_some_and(|when| when.grain == dates::Grain::Day)
}

/// The day of a moment, in UTC, as [`date_begins`] reads it: `2021-05-01`. None before the year 1 and after 9999.
pub fn date_written(at: EpochMs) -> Option<String> {
    dates::day_of(at).filter(|date| date.year() > 0).map(|date| date.to_string())
}

/// The two days that a date in numbers may be, such as 05/01/2024: first where the day stands first in it, then where the month does,
/// both as [`date_begins`] reads them. None of a text without such a date.
pub fn two_readings(text: &str) -> Option<[String; 2]> {
    text.split_whitespace().map(|word| word.trim_matches(',')).find_map(two_days)
}

fn two_days(word: &str) -> Option<[String; 2]> {
    let mark = ['/', '-'].into_iter().find(|mark| word.matches(*mark).count() == 2)?;
    let mut parts = word.split(mark).map(|part| part.parse::<u8>().ok());
    let (first, second) = (parts.next()??, parts.next()??);
    if first == second || first > 12 || second > 12 {
        return None;
    }
    let written = date_begins(word).and_then(date_written)?;
    let year = written.get(..4)?;
    Some([format!("{year}-{second:02}-{first:02}"), format!("{year}-{first:02}-{second:02}")])
}

/// `eur 1,249.00` as `eur 1249`, `three` as `3`; what is no number stays as it is.
fn number(text: &str) -> String {
    let spelled = |word: &str| (word.len() > 2).then(|| dates::count(word)).flatten().map(|count| count.to_string());
    let plain = |word: &str| plain_number(word).or_else(|| spelled(word)).unwrap_or_else(|| word.to_owned());
    text.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

fn plain_number(word: &str) -> Option<String> {
    let digits = word.replace(',', "");
    let valid = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if !valid || fraction.contains('.') {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_beyond_the_calendar_has_no_day() {
        const YEAR: EpochMs = 31_557_600_000;
        for (at, expected) in [
            (0, Some("1970-01-01")),
            (-1, Some("1969-12-31")),
            (9_000 * YEAR, None),
            (-2_000 * YEAR, None),
            (50_000 * YEAR, None),
            (EpochMs::MAX, None),
            (EpochMs::MIN, None),
        ] {
            assert_eq!(date_written(at).as_deref(), expected, "{at}");
        }
    }

    #[test]
    fn a_date_in_numbers_may_be_two_days() {
        let both = Some(["2024-01-05", "2024-05-01"]);
        for (text, expected) in [
            ("05/01/2024", both),
            ("5/1/24", both),
            ("05-01-2024", both),
            (" 05/01/2024, ", both),
            ("25/12/2024", None),
            ("05/05/2024", None),
            ("05.01.2024", None),
            ("2024-05-01", None),
            ("2024", None),
            ("5/1", None),
        ] {
            let found = two_readings(text);
            assert_eq!(found.as_ref().map(|days| days.each_ref().map(String::as_str)), expected, "{text}");
        }
    }

    #[test]
    fn equal_values_have_one_form() {
        for (a, b, kind) in [
            ("July 14", "14 July", ValueKind::Date),
            ("--07-14", "14th of July", ValueKind::Date),
            ("March 3, 2026", "2026-03-03", ValueKind::Text),
            ("May 2024", "2024-05", ValueKind::Text),
            ("EUR 1,249.00", "eur 1249", ValueKind::Number),
            ("three", "3", ValueKind::Number),
            ("The Staging  Server", "staging server", ValueKind::Text),
            ("Ａcme", "acme", ValueKind::Text),
            ("Ana’s flat", "ana's flat", ValueKind::Text),
            ("Yes", "true", ValueKind::Boolean),
        ] {
            assert_eq!(normal_value(a, kind), normal_value(b, kind), "{a} and {b}");
        }
        assert_ne!(normal_value("12", ValueKind::Number), normal_value("1.2", ValueKind::Number));
    }
}
