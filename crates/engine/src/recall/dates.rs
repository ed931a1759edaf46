//! The time that a question names, and how near it something happened: a date as it is written, or counted from now.

mod calendar;
mod numbers;
mod parts;
mod periods;
mod ranges;
mod relative;
mod tongues;
mod written;
mod years;

use super::DAY;
use super::identifiers;
use calendar::{begins, civil, day_count};
use relative::relative;
use um_model::EpochMs;
use um_model::recall::MemoryRecall;
use unicode_segmentation::UnicodeSegmentation;
use written::{day, month};

pub(super) use calendar::year_of;
pub(super) use numbers::{begins_with_date, short_months};
pub(super) use parts::is_short as is_part_of_year;
pub(super) use periods::{asks_no_more, bounds, names_date, span};
pub(super) use tongues::{FRENCH, GERMAN, SPANISH, Tongue, in_english, words_of_times};
pub(super) use written::is_month;

/// No date is farther from 1970 than this, before it or behind it: some 10,000 years.
const FARTHEST: EpochMs = 10_000 * 366 * DAY;

/// What `today` is counted from: a moment, and how far the clock by which it is read is ahead of UTC. All times that are named are
/// those that this clock shows, as if it were one of UTC. How far it is ahead now holds for days on the other side of a change of the clock,
/// too: whoever asks tells an offset and no zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    at: EpochMs,
    ahead: EpochMs,
}

/// How far the clock of whoever asks is ahead of UTC, in milliseconds.
pub(super) fn ahead(request: &MemoryRecall) -> EpochMs {
    EpochMs::from(request.utc_offset) * 60_000
}

impl Now {
    /// By the clock of whoever asks.
    pub(super) fn of(request: &MemoryRecall, at: EpochMs) -> Self {
        Self { at, ahead: ahead(request) }
    }

    /// By the clock of UTC, as sources name their days.
    pub(super) fn utc(at: EpochMs) -> Self {
        Self { at, ahead: 0 }
    }

    /// The moment, by any clock.
    pub(super) fn at(self) -> EpochMs {
        self.at
    }

    /// What the clock says now.
    pub(super) fn local(self) -> EpochMs {
        self.at + self.ahead
    }

    /// What the clock said when something was that is dated so. The first moment of a day in UTC stands for that day, as somebody or a
    /// source told it without a time: it is that day by every clock. Whoever keeps something may date it as they like: what is dated beyond
    /// [all dates](FARTHEST) is as far as these, so that days can be counted from it.
    pub(super) fn shown(self, dated: EpochMs) -> EpochMs {
        let dated = dated.clamp(-FARTHEST, FARTHEST);
        if dated.rem_euclid(DAY) == 0 { dated } else { dated + self.ahead }
    }

    /// The moment at which the clock says so.
    pub(super) fn moment(self, local: EpochMs) -> EpochMs {
        local.saturating_sub(self.ahead)
    }
}

/// The time that a question names, as the [clock](Now) shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// A day of a year, or of any.
    Day { year: Option<i32>, month: u32, day: u32 },
    /// A month of a year, or of any.
    Month { year: Option<i32>, month: u32 },
    /// A season, quarter or half of a year, from its first moment to the first one behind it.
    Part { from: EpochMs, to: EpochMs },
    /// A year.
    Year(i32),
    /// From one moment to another: counted from now, or from one date to another; an open end is the first or last of all moments.
    Window { from: EpochMs, to: EpochMs },
}

/// What a question says of times.
pub(super) struct Asked {
    /// The first range of dates that it names, or else the first time. What is told is read by [`named`] instead: something that was so
    /// since March began in March.
    pub(super) named: Option<Named>,
    /// Whether each month that it names without a day or a year is meant as one.
    pub(super) months_are_led: bool,
}

/// The words of a text, in lower case, that count a part of a year: `third` of `the third quarter of 2026`.
pub(super) fn counted_parts(text: &str) -> Vec<String> {
    parts::ordinals(&legible(text).to_lowercase().unicode_words().collect::<Vec<_>>())
}

/// Reads what a question says of times. `now` is what they are counted from.
pub(super) fn asked(question: &str, now: Now) -> Asked {
    let text = legible(question);
    let typed: Vec<&str> = text.unicode_words().collect();
    let lower: Vec<String> = typed.iter().map(|word| word.to_lowercase()).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    Asked {
        named: ranges::named((&words, &typed), now).or_else(|| first(&words, now)),
        months_are_led: written::months_are_led(&words),
    }
}

/// The first time that a text names. `now` is what `yesterday` and `last spring` are counted from.
pub(super) fn named(text: &str, now: Now) -> Option<Named> {
    first(&legible(text).to_lowercase().unicode_words().collect::<Vec<_>>(), now)
}

/// The first time that words name, in lower case.
fn first(words: &[&str], now: Now) -> Option<Named> {
    let window = |(from, to)| Named::Window { from, to };
    let exact = relative(words, now).map(window).or_else(|| day(words));
    let exact = exact.or_else(|| parts::all(words).next()).or_else(|| month(words));
    exact.or_else(|| years::year(words)).or_else(|| years::decade(words).map(window))
}

/// Whether a text, a title or headings say the date that a question names, or one within its period: one of its sentences or lines names it
/// in words or numbers, among others or alone. What only counts from another day (`yesterday`) says none. `told_at` is when it happened,
/// as the clock [showed](Now::shown) it, where that is known.
pub(super) fn says(text: &str, told_at: Option<EpochMs>, (asked, from, to): (Named, EpochMs, EpochMs)) -> bool {
    let is_dated = |said| !matches!(said, Named::Window { .. });
    let is_within = |said| window(said, told_at).is_some_and(|(begins, ends)| from <= begins && ends <= to);
    let is_it = |said| said == asked || is_of_any_year(asked, said) || is_dated(said) && is_within(said);
    // A sentence may not tell by itself in which language it is, and ends for some at the stop of `7. Mai`.
    let text = in_english(text);
    text.lines().flat_map(str::unicode_sentences).any(|sentence| {
        let lower = legible(sentence).to_lowercase();
        let words: Vec<&str> = lower.unicode_words().collect();
        let all = || written::all(&words).into_iter().chain(parts::all(&words));
        first(&words, Now::utc(0)).is_some_and(is_it) || all().any(is_it)
    })
}

/// Whether a day or month is asked for without its year, and said with any.
fn is_of_any_year(asked: Named, said: Named) -> bool {
    match (asked, said) {
        (Named::Month { year: None, month }, Named::Month { month: of, .. } | Named::Day { month: of, .. }) => {
            month == of
        }
        (Named::Day { year: None, month, day }, Named::Day { month: of, day: on, .. }) => (month, day) == (of, on),
        _ => false,
    }
}

/// A text with its dates in words, all of them English, and without identifiers: the year that one of them has dates nothing.
fn legible(text: &str) -> String {
    numbers::whole_months(&numbers::in_words(&in_english(&identifiers::left_out(text))))
}

/// 0 to 1: how near a named time something happened, by what the clock [showed](Now::shown) then. What is told of a day is told on it
/// or some days later.
pub(super) fn closeness(named: Named, at: EpochMs) -> f64 {
    let (year, month, _) = civil(at);
    let whole = |is_so: bool| f64::from(u8::from(is_so));
    let faded = |days: f64| (-days / if days >= 0.0 { 4.0 } else { -2.0 }).exp();
    match named {
        Named::Year(wanted) => whole(wanted == year),
        Named::Month { year: wanted, month: of } => whole(of == month && wanted.is_none_or(|wanted| wanted == year)),
        Named::Day { year: wanted, month, day } => {
            let years = wanted.map_or(vec![year - 1, year, year + 1], |wanted| vec![wanted]);
            let days = |year: i32| (at.div_euclid(DAY) - day_count(year, month, day)) as f64;
            years.into_iter().map(|year| faded(days(year))).fold(0.0, f64::max)
        }
        Named::Window { from, .. } | Named::Part { from, .. } if at < from => faded((at - from) as f64 / DAY as f64),
        // The first moment behind it is not of it.
        Named::Window { to, .. } | Named::Part { to, .. } if at >= to => faded((at - to + 1) as f64 / DAY as f64),
        Named::Window { .. } | Named::Part { .. } => 1.0,
    }
}

/// The time that is named, from its first moment to the first one behind it. What has no year is of the last one that had begun
/// a month after `near`.
pub(super) fn window(named: Named, near: Option<EpochMs>) -> Option<(EpochMs, EpochMs)> {
    let year_of = |year: Option<i32>, first: &dyn Fn(i32) -> EpochMs| {
        let known = || {
            let (near, year) = (near?, civil(near?).0);
            Some(if first(year) <= near + 31 * DAY { year } else { year - 1 })
        };
        year.or_else(known)
    };
    match named {
        Named::Window { from, to } | Named::Part { from, to } => Some((from, to)),
        Named::Year(year) => Some((begins(year, 1), begins(year + 1, 1))),
        Named::Month { year, month } => {
            let month = i32::try_from(month).ok()?;
            let year = year_of(year, &|year| begins(year, month))?;
            Some((begins(year, month), begins(year, month + 1)))
        }
        Named::Day { year, month, day } => {
            let first = |year: i32| day_count(year, month, day) * DAY;
            let from = first(year_of(year, &first)?);
            Some((from, from + DAY))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(year: i32, month: u32, day: u32) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    #[test]
    fn times_that_questions_name() {
        // A Wednesday.
        let now = at(2025, 6, 18) + 1000;
        let window = |from, to| Some(Named::Window { from, to });
        for (question, expected) in [
            ("What was on 7 May 2023?", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on the 7th of May", Some(Named::Day { year: None, month: 5, day: 7 })),
            ("on May 7th, 2023", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("in May 2023", Some(Named::Month { year: Some(2023), month: 5 })),
            ("What did she do in May?", Some(Named::Month { year: None, month: 5 })),
            ("What may she do?", None),
            ("trips of 2022", Some(Named::Year(2022))),
            ("the number 1200", None),
            ("in May 1200 people came", Some(Named::Month { year: None, month: 5 })),
            ("on 7 May 1987", Some(Named::Day { year: Some(1987), month: 5, day: 7 })),
            ("What was yesterday?", window(at(2025, 6, 17), at(2025, 6, 18))),
            ("last week", window(at(2025, 6, 9), at(2025, 6, 16))),
            ("this week", window(at(2025, 6, 16), at(2025, 6, 23))),
            ("last month", window(at(2025, 5, 1), at(2025, 6, 1))),
            ("last year", window(at(2024, 1, 1), at(2025, 1, 1))),
            ("last spring", window(at(2025, 3, 1), at(2025, 6, 1))),
            ("last summer", window(at(2024, 6, 1), at(2024, 9, 1))),
            ("this autumn", window(at(2025, 9, 1), at(2025, 12, 1))),
            ("last quarter", window(at(2025, 1, 1), at(2025, 4, 1))),
            ("this quarter", window(at(2025, 4, 1), at(2025, 7, 1))),
            ("the last quarter of the match", None),
            ("last winter", window(at(2024, 12, 1), at(2025, 3, 1))),
            ("last Wednesday", window(at(2025, 6, 11), at(2025, 6, 12))),
            ("last Tuesday", window(at(2025, 6, 17), at(2025, 6, 18))),
            ("three days ago", window(at(2025, 6, 15), at(2025, 6, 16))),
            // Three months on both sides of that day; further back, half a year.
            ("a year ago", window(at(2025, 6, 18) - 456 * DAY, at(2025, 6, 18) - 273 * DAY)),
            ("two years ago", window(at(2025, 6, 18) - 821 * DAY, at(2025, 6, 18) - 638 * DAY)),
            ("half a year ago", window(at(2025, 6, 18) - 273 * DAY, at(2025, 6, 18) - 90 * DAY)),
            ("ten years ago", window(at(2025, 6, 18) - 3832 * DAY, at(2025, 6, 18) - 3467 * DAY)),
            ("the last time", None),
            ("the last 3 months", window(at(2025, 3, 20), at(2025, 6, 19))),
            ("last 3 months", window(at(2025, 3, 20), at(2025, 6, 19))),
            ("What did I read in the past two weeks?", window(at(2025, 6, 4), at(2025, 6, 19))),
            ("the last couple of days", window(at(2025, 6, 16), at(2025, 6, 19))),
            ("the past few years", window(at(2022, 6, 19), at(2025, 6, 19))),
            ("Did the trip last two weeks?", None),
            ("Does it last a week?", None),
            ("the last 3 boats", None),
            ("these 3 months", None),
            ("What was on 2023-05-07?", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on 07.05.2023", Some(Named::Day { year: Some(2023), month: 5, day: 7 })),
            ("on 5/17/2023", Some(Named::Day { year: Some(2023), month: 5, day: 17 })),
            ("on 5/7/2023", Some(Named::Year(2023))),
            ("in 2023-05", Some(Named::Month { year: Some(2023), month: 5 })),
            ("Oct 2024", Some(Named::Month { year: Some(2024), month: 10 })),
            ("notes from Sept. 2024", Some(Named::Month { year: Some(2024), month: 9 })),
            ("on 7 Oct", Some(Named::Day { year: None, month: 10, day: 7 })),
            ("on Oct 7, 2024", Some(Named::Day { year: Some(2024), month: 10, day: 7 })),
            ("What does Jan write?", None),
            ("Jan 7 boats", None),
            ("What became of ticket 2024-0031?", None),
            ("2024-0031", None),
            ("Is CVE-2021-44228 mended?", None),
            ("What was INV-2024-03 for?", None),
            ("Who has the number 555-2023?", None),
            ("the ticket 2024-0031 of May 2023", Some(Named::Month { year: Some(2023), month: 5 })),
            ("7 CVE-2021-44228 March", Some(Named::Month { year: None, month: 3 })),
            ("2024-03-05", Some(Named::Day { year: Some(2024), month: 3, day: 5 })),
            ("2024-03-05.md", Some(Named::Day { year: Some(2024), month: 3, day: 5 })),
            ("2024-03", Some(Named::Month { year: Some(2024), month: 3 })),
            ("2021-2024", Some(Named::Year(2021))),
            ("2024", Some(Named::Year(2024))),
            ("mid-2023", Some(Named::Year(2023))),
            ("Q3-2024", Some(Named::Part { from: at(2024, 7, 1), to: at(2024, 10, 1) })),
            ("the mid-1990s", window(at(1990, 1, 1), at(2000, 1, 1))),
        ] {
            assert_eq!(named(question, Now::utc(now)), expected, "{question}");
        }
    }

    #[test]
    fn what_a_text_says_of_a_date() {
        let october = (Named::Month { year: Some(2024), month: 10 }, at(2024, 10, 1), at(2024, 11, 1));
        let check = |text: &str, told_at: Option<EpochMs>, expected: bool| {
            assert_eq!(says(text, told_at, october), expected, "{text}");
        };
        check("Invoice of October 2024", None, true);
        check("It rained. On 2024-10-07 we left.", None, true);
        check("It rained.\nOct 2024", None, true);
        check("We left on 7 October.", Some(at(2024, 11, 3)), true);
        check("We left on 7 October.", Some(at(2025, 11, 3)), false);
        check("We left on 7 October.", None, false);
        check("Invoice of November 2024", None, false);
        check("The plans of 2024", None, false);
        check("It was yesterday.", Some(at(2024, 10, 8)), false);
        check("Notes", None, false);
        // Among other times it is said, too.
        check("On 7 October 2024 we left, as we said last week.", None, true);
        check("Invoices of September and October 2024", None, true);
        check("2024-09-30 to 2024-10-07", None, true);
        check("Invoices of September and October 2023", None, false);
        // Of no year, it is that month of any.
        let any = (Named::Month { year: None, month: 10 }, at(2025, 10, 1), at(2025, 11, 1));
        assert!(says("Invoice of October 2023", None, any) && says("On 7 October 2023", None, any));
        assert!(!says("Invoice of November 2023", None, any));
    }

    #[test]
    fn days_before_now_are_those_of_the_clock_of_whoever_asks() {
        const HOUR: EpochMs = 3_600_000;
        // 01:00 UTC on a Monday: in Los Angeles still Sunday.
        let now = at(2025, 6, 16) + HOUR;
        let clock =
            |hours: i32, at: EpochMs| Now::of(&MemoryRecall { utc_offset: hours * 60, ..MemoryRecall::default() }, at);
        let check = |question: &str, hours: i32, from: EpochMs, to: EpochMs| {
            let expected = Some(Named::Window { from, to });
            assert_eq!(asked(question, clock(hours, now)).named, expected, "{question}, {hours} hours ahead");
        };
        check("What is today?", 0, at(2025, 6, 16), at(2025, 6, 17));
        check("What is today?", -7, at(2025, 6, 15), at(2025, 6, 16));
        check("What was yesterday?", -7, at(2025, 6, 14), at(2025, 6, 15));
        check("last week", 0, at(2025, 6, 9), at(2025, 6, 16));
        check("last week", -7, at(2025, 6, 2), at(2025, 6, 9));
        check("last Monday", 14, at(2025, 6, 9), at(2025, 6, 10));
        check("between last week and yesterday", -7, at(2025, 6, 2), at(2025, 6, 15));
        check("between 3 and 5 May 2025", -7, at(2025, 5, 3), at(2025, 5, 6));
        // What is dated is by that clock, too, unless a day is all that is told of it.
        for (dated, hours, shown) in [
            (now, 0, now),
            (now, -7, at(2025, 6, 15) + 18 * HOUR),
            (now, 14, at(2025, 6, 16) + 15 * HOUR),
            (at(2025, 6, 16), -7, at(2025, 6, 16)),
            (at(2025, 6, 16), 14, at(2025, 6, 16)),
        ] {
            assert_eq!(clock(hours, 0).shown(dated), shown, "{dated}, {hours} hours ahead");
            assert_eq!(clock(hours, 0).moment(shown) == dated, hours == 0 || dated == now, "{dated}, {hours}");
        }
    }

    #[test]
    fn what_is_dated_beyond_all_dates_is_far_from_every_time() {
        let day = Named::Day { year: None, month: 5, day: 7 };
        let month = Named::Month { year: None, month: 9 };
        let before = Named::Window { from: EpochMs::MIN, to: at(1960, 1, 1) };
        let since = Named::Window { from: at(2025, 6, 9), to: EpochMs::MAX };
        let week = Named::Window { from: at(2025, 6, 9), to: at(2025, 6, 16) };
        for dated in [EpochMs::MIN, EpochMs::MIN + 1, EpochMs::MAX - 1, EpochMs::MAX] {
            for utc_offset in [-840, 0, 840] {
                let clock = Now::of(&MemoryRecall { utc_offset, ..MemoryRecall::default() }, 0);
                let shown = clock.shown(dated);
                assert_eq!(closeness(week, shown), 0.0, "{dated}");
                assert_eq!(closeness(before, shown), f64::from(u8::from(dated < 0)), "{dated}");
                assert_eq!(closeness(since, shown), f64::from(u8::from(dated > 0)), "{dated}");
                // A day and a month of no year are of one near it.
                for named in [day, month] {
                    let near = window(named, Some(shown)).is_some_and(|(from, to)| from < to);
                    assert!(near && (0.0..=1.0).contains(&closeness(named, shown)), "{dated}: {named:?}");
                }
            }
        }
    }

    #[test]
    fn named_times_have_a_beginning_and_an_end() {
        let march = Some(at(2025, 3, 10));
        for (named, near, expected) in [
            (Named::Year(2023), None, Some((at(2023, 1, 1), at(2024, 1, 1)))),
            (Named::Month { year: Some(2023), month: 12 }, None, Some((at(2023, 12, 1), at(2024, 1, 1)))),
            (Named::Month { year: None, month: 4 }, march, Some((at(2025, 4, 1), at(2025, 5, 1)))),
            (Named::Month { year: None, month: 5 }, march, Some((at(2024, 5, 1), at(2024, 6, 1)))),
            (Named::Month { year: None, month: 5 }, None, None),
            (Named::Day { year: None, month: 3, day: 7 }, march, Some((at(2025, 3, 7), at(2025, 3, 8)))),
            (Named::Day { year: Some(2020), month: 2, day: 29 }, None, Some((at(2020, 2, 29), at(2020, 3, 1)))),
        ] {
            assert_eq!(window(named, near), expected, "{named:?}");
        }
    }

    #[test]
    fn what_happened_near_is_near() {
        let day = Named::Day { year: Some(2023), month: 5, day: 7 };
        let close = |named, moment| (closeness(named, moment) * 1000.0).round() / 1000.0;
        assert_eq!(close(day, at(2023, 5, 7)), 1.0);
        assert_eq!(close(day, at(2023, 5, 11)), 0.368);
        assert_eq!(close(day, at(2023, 5, 5)), 0.368);
        assert_eq!(close(Named::Day { year: None, month: 1, day: 1 }, at(2022, 12, 31)), 0.607);
        assert_eq!(close(Named::Month { year: None, month: 5 }, at(2020, 5, 9)), 1.0);
        assert_eq!(close(Named::Month { year: Some(2021), month: 5 }, at(2020, 5, 9)), 0.0);
        assert_eq!(close(Named::Year(2020), at(2020, 5, 9)), 1.0);
        let week = Named::Window { from: at(2025, 6, 9), to: at(2025, 6, 16) };
        assert_eq!(close(week, at(2025, 6, 10)), 1.0);
        assert_eq!(close(week, at(2025, 6, 20)), 0.368);
        assert_eq!(close(week, at(2025, 6, 7)), 0.368);
    }
}
