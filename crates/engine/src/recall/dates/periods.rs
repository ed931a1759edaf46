//! Periods: named times with a beginning and an end, and the words of a question that ask for no more than what is of one.

use super::calendar::{civil, day_count};
use super::relative::{SEASONS, count, days_of};
use super::written::{day_number, is_month, year};
use super::{DAY, Named, Now, numbers, parts, tongues, years};
use crate::lexical::{MONTHS, WEEKDAYS};
use um_model::EpochMs;

/// Words of time beside numbers and the names of days, months and seasons.
const OF_TIME: [&str; 25] = [
    "after",
    "ago",
    "and",
    "before",
    "beginning",
    "between",
    "couple",
    "during",
    "early",
    "end",
    "few",
    "last",
    "late",
    "mid",
    "middle",
    "now",
    "onward",
    "onwards",
    "past",
    "since",
    "start",
    "today",
    "until",
    "weekend",
    "yesterday",
];
/// Words for whatever there is, and for having written or told it.
const WHATEVER: [&str; 37] = [
    "all",
    "anything",
    "entries",
    "entry",
    "everything",
    "find",
    "give",
    "happen",
    "happened",
    "happening",
    "happens",
    "item",
    "items",
    "keep",
    "kept",
    "list",
    "memories",
    "memory",
    "note",
    "noted",
    "notes",
    "please",
    "record",
    "recorded",
    "remember",
    "remembered",
    "said",
    "say",
    "show",
    "something",
    "tell",
    "thing",
    "things",
    "told",
    "write",
    "written",
    "wrote",
];

/// The period that is named, as [`span`] has it; none where it has no beginning or no end.
pub(in crate::recall) fn bounds(named: Named, now: Now) -> Option<(EpochMs, EpochMs)> {
    span(named, now).filter(|(from, to)| *from > EpochMs::MIN && *to < EpochMs::MAX)
}

/// The time that is named, from its first moment to the first one behind it; an open end is the first or last of all moments. What has no
/// year is the last one that has begun.
pub(in crate::recall) fn span(named: Named, now: Now) -> Option<(EpochMs, EpochMs)> {
    let last = |month: u32, day: u32| {
        let (year, ..) = civil(now.local());
        Some(if day_count(year, month, day) * DAY <= now.local() { year } else { year - 1 })
    };
    let dated = match named {
        Named::Month { year: None, month } => Named::Month { year: last(month, 1), month },
        Named::Day { year: None, month, day } => Named::Day { year: last(month, day), month, day },
        other => other,
    };
    super::window(dated, None)
}

/// Whether a word of a question, in lower case, that names a period asks for no more than what is of it: it is of the period's name, or
/// stands for whatever there is.
pub(in crate::recall) fn asks_no_more(word: &str) -> bool {
    WHATEVER.contains(&word) || is_of_time(word)
}

/// Whether a word of a question, in lower case, names a date by itself, so that what is of that date may say it: `October`, `2024`, and
/// not `week`.
pub(in crate::recall) fn names_date(word: &str) -> bool {
    is_month(word)
        || tongues::is_month(word)
        || year(word).is_some()
        || parts::is_short(word)
        || numbers::begins_with_date(word)
        || years::decade(&["the", word]).is_some()
}

fn is_of_time(word: &str) -> bool {
    OF_TIME.contains(&word)
        || MONTHS.contains(&word)
        || SEASONS.iter().any(|(season, _)| *season == word)
        || WEEKDAYS.contains(&word)
        || parts::is_word(word)
        || days_of(word).is_some()
        || year(word).is_some()
        || day_number(word).is_some()
        || count(word).is_some()
        || numbers::begins_with_date(word)
        || years::decade(&["the", word]).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::asked;
    use super::*;
    use crate::recall::words::Question;

    type Day = (i32, u32, u32);

    #[test]
    fn periods_that_questions_name() {
        let at = |(year, month, day): Day| day_count(year, month, day) * DAY;
        // A Wednesday.
        let now = Now::utc(at((2025, 6, 18)) + 1000);
        let check = |question: &str, expected: Option<(Day, Day)>| {
            let found = asked(question, now).named.and_then(|named| bounds(named, now));
            assert_eq!(found, expected.map(|(from, to)| (at(from), at(to))), "{question}");
        };
        check("notes from October 2024", Some(((2024, 10, 1), (2024, 11, 1))));
        check("last month", Some(((2025, 5, 1), (2025, 6, 1))));
        check("What did I write in March?", Some(((2025, 3, 1), (2025, 4, 1))));
        check("What did I write in July?", Some(((2024, 7, 1), (2024, 8, 1))));
        check("on 17 June", Some(((2025, 6, 17), (2025, 6, 18))));
        check("on 19 June", Some(((2024, 6, 19), (2024, 6, 20))));
        check("Where did we stay this spring?", Some(((2025, 3, 1), (2025, 6, 1))));
        check("between May and July 2023", Some(((2023, 5, 1), (2023, 8, 1))));
        check("summer 2024", Some(((2024, 6, 1), (2024, 9, 1))));
        check("in Q3 2024", Some(((2024, 7, 1), (2024, 10, 1))));
        check("in 2022", Some(((2022, 1, 1), (2023, 1, 1))));
        check("since March", None);
        check("before 2020", None);
        check("ticket 2024-0031", None);
        check("What did I write?", None);
    }

    #[test]
    fn words_that_name_a_date_by_themselves() {
        for (word, expected) in [
            ("october", true),
            ("oct", true),
            ("oktober", true),
            ("mayo", true),
            ("2024", true),
            ("2024-10-07", true),
            ("q3", true),
            ("quarter", false),
            ("summer", false),
            ("week", false),
            ("last", false),
            ("two", false),
            ("15", false),
            ("friday", false),
            ("notes", false),
        ] {
            assert_eq!(names_date(word), expected, "{word}");
        }
    }

    #[test]
    fn questions_that_ask_for_no_more_than_what_is_of_a_period() {
        let check = |question: &str, expected: bool| {
            let words = Question::parse(question).words;
            assert_eq!(words.iter().all(|word| asks_no_more(word)), expected, "{question}: {words:?}");
        };
        for question in [
            "notes from October 2026",
            "last month",
            "What did I write in March?",
            "What happened on 07.05.2023?",
            "What happened on 2023-05-07?",
            "everything of the past two weeks",
            "my notes of the 1990s",
            "after March 2026",
            "summer 2025",
            "notes from winter 2024/25",
            "What did I write in Q3 2026?",
            "everything of H1 2025",
            "last quarter",
            "half a year ago",
            "What was said between Monday and Wednesday?",
        ] {
            check(question, true);
        }
        check("Where did we stay this spring?", false);
        check("What did I write about boats in March?", false);
        check("Which invoices are of October 2026?", false);
    }
}
