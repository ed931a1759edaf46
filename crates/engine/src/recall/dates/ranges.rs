//! Ranges of dates that a question names: `between May and July 2023`, `from 2019 to 2021`, `since March`, `before 2020`.
//! What a range leaves open ends with time itself.

use super::calendar::{begins, civil, day_count, has_day};
use super::relative::relative;
use super::written::{day_number, month_number, year};
use super::years::decade;
use super::{DAY, Named, Now, parts};
use um_model::EpochMs;

/// What a word before one date leaves open, and on which side of the date the other end lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// From its first moment on.
    Since,
    /// From behind it on.
    After,
    /// To its first moment.
    Before,
    /// To its last moment.
    Until,
}

const LEADS: [(&str, Lead); 5] = [
    ("since", Lead::Since),
    ("after", Lead::After),
    ("before", Lead::Before),
    ("until", Lead::Until),
    ("till", Lead::Until),
];
/// Words before two dates, with those between them.
const PAIRS: [(&str, &[&str]); 2] = [("between", &["and"]), ("from", &["to", "until", "till", "through"])];
/// What is never over.
const NOW: [&str; 3] = ["now", "today", "present"];
/// Behind `from` and a date, these leave the end open.
const ONWARD: [&str; 3] = ["on", "onward", "onwards"];
/// Where a date is taken at its first or last moment.
const EDGES: [(&str, Edge); 3] = [("beginning", Edge::First), ("start", Edge::First), ("end", Edge::Last)];
/// Before a lead, these count from the date: `the day after June 3rd`, `two weeks before 2020`.
const COUNTED: [&str; 9] = ["days", "weeks", "months", "years", "hours", "shortly", "soon", "right", "just"];
/// Before `since` and `until` these do not: `every day since March`.
const COUNTED_ONE: [&str; 4] = ["day", "week", "month", "year"];
/// What is counted in thousands is of no year.
pub(super) const THINGS: [&str; 8] = ["dollars", "euros", "files", "items", "miles", "people", "steps", "words"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// A date as it is written.
#[derive(Clone, Copy)]
struct Date {
    year: Option<i32>,
    /// None of a whole year, and of a day whose month the other date tells.
    month: Option<u32>,
    day: Option<u32>,
    edge: Option<Edge>,
}

/// One end of a range, as it is written.
#[derive(Clone, Copy)]
enum Bound {
    Date(Date),
    /// `yesterday`, `last week`, `the 1990s`.
    Span(EpochMs, EpochMs),
    /// `today`, where something goes on until then.
    Open,
}

/// The first range that the words of a question name, in lower case and as they were typed.
pub(super) fn named((words, typed): (&[&str], &[&str]), now: Now) -> Option<Named> {
    let window = |(from, to): (EpochMs, EpochMs)| (from < to).then_some(Named::Window { from, to });
    (0..words.len()).find_map(|at| {
        let pair = PAIRS.iter().find(|(word, _)| *word == words[at]);
        let lead = LEADS.iter().find(|(word, _)| *word == words[at]);
        match (pair, lead) {
            (Some((_, joints)), _) => two(words, at + 1, joints, now).and_then(window),
            (_, Some((_, lead))) => one((words, typed), at, *lead, now).and_then(window),
            _ => None,
        }
    })
}

/// `since March 2023`, `before 2020`, `until the end of May`.
fn one((words, typed): (&[&str], &[&str]), at: usize, lead: Lead, now: Now) -> Option<(EpochMs, EpochMs)> {
    let before = at.checked_sub(1).map(|at| words[at]);
    let is_one = matches!(lead, Lead::After | Lead::Before);
    if before.is_some_and(|word| COUNTED.contains(&word) || is_one && COUNTED_ONE.contains(&word)) {
        return None;
    }
    let (bound, next) = bound(words, at + 1, now)?;
    // `What was before may matter`: alone, it is a month where it is written as one, or ends the question.
    let is_verb = next == at + 2 && words[at + 1] == "may" && next < words.len() && typed[at + 1] == "may";
    let (from, to) = bound.span(now).filter(|_| !is_verb)?;
    Some(match lead {
        Lead::Since => (from, EpochMs::MAX),
        Lead::After => (to, EpochMs::MAX),
        Lead::Before => (EpochMs::MIN, from),
        Lead::Until => (EpochMs::MIN, to),
    })
}

/// `from Q1 to Q3 2026`, `between autumn and spring 2025`: the second tells the year.
fn two_parts(words: &[&str], at: usize, joints: &[&str]) -> Option<(EpochMs, EpochMs)> {
    let (first, next) = parts::months(words, at)?;
    let (second, _) = parts::at(words, next + 1).filter(|_| joints.contains(&words[next]))?;
    let (from, to) = (first.of(second.year).0, second.span().1);
    Some((if from < to { from } else { first.of(second.year - 1).0 }, to))
}

/// `between May and July 2023`, `from 3 to 12 June`, `from 2019 until now`, `from 2019 on`.
fn two(words: &[&str], at: usize, joints: &[&str], now: Now) -> Option<(EpochMs, EpochMs)> {
    if let Some(both) = two_parts(words, at, joints) {
        return Some(both);
    }
    let (first, next) = bound(words, at, now).or_else(|| bare_day(words, at))?;
    let joint = words.get(next)?;
    if joints.contains(&"to") && ONWARD.contains(joint) {
        return Some((first.span(now)?.0, EpochMs::MAX));
    }
    if !joints.contains(joint) {
        return None;
    }
    let is_now = words.get(next + 1).is_some_and(|word| NOW.contains(word));
    let second = if is_now { Bound::Open } else { bound(words, next + 1, now)?.0 };
    let (first, second) = match (first, second) {
        (Bound::Date(first), Bound::Date(second)) => together(first, second, now)?,
        _ => (first, second),
    };
    let to = if is_now { EpochMs::MAX } else { second.span(now)?.1 };
    Some((first.span(now)?.0, to))
}

/// What one of two dates leaves out, the other tells.
fn together(mut first: Date, mut second: Date, now: Now) -> Option<(Bound, Bound)> {
    if first.month.is_none() && first.day.is_some() {
        // `from 3 to June` tells no two days.
        second.day?;
        first.month = second.month;
    }
    let is_told = first.year.or(second.year).is_some();
    let turns = |first: Date, second: Date| i32::from(first.begins(2000) > second.begins(2000));
    match (first.year, second.year) {
        (None, Some(year)) => first.year = Some(year - turns(first, second)),
        (first_year, None) => {
            let year = first_year.unwrap_or_else(|| first.last_begun(now));
            (first.year, second.year) = (Some(year), Some(year + turns(first, second)));
        }
        _ => {}
    }
    // A year that nobody told needs not have each day that other years have.
    let are_there = [first, second].iter().all(|date| date.is_there(date.year.filter(|_| is_told)));
    are_there.then_some((Bound::Date(first), Bound::Date(second)))
}

/// The end of a range that stands in a place, and the place behind it.
fn bound(words: &[&str], at: usize, now: Now) -> Option<(Bound, usize)> {
    let (edge, at) = edge(words, at);
    if let Some((part, next)) = parts::at(words, at + usize::from(words.get(at) == Some(&"the"))) {
        let (from, to) = edge_of(part.span(), edge);
        return Some((Bound::Span(from, to), next));
    }
    let counted = [1, 2].into_iter().find_map(|length| {
        let part = words.get(at..at + length)?;
        Some((edge_of(relative(part, now).or_else(|| decade(part))?, edge), at + length))
    });
    if let Some(((from, to), next)) = counted {
        return Some((Bound::Span(from, to), next));
    }
    let (date, next) = date(words, at).filter(|(date, _)| date.is_there(date.year))?;
    Some((Bound::Date(Date { edge, ..date }), next))
}

/// `the end of`.
fn edge(words: &[&str], at: usize) -> (Option<Edge>, usize) {
    let first = at + usize::from(words.get(at) == Some(&"the"));
    let edge = EDGES.iter().find(|(word, _)| words.get(first) == Some(word) && words.get(first + 1) == Some(&"of"));
    edge.map_or((None, at), |(_, edge)| (Some(*edge), first + 2))
}

/// `7 May 2023`, `the 7th of May`, `May 7th`, `May 2023`, `May`, `2023`.
fn date(words: &[&str], at: usize) -> Option<(Date, usize)> {
    let word = |at: usize| words.get(at).copied();
    let with_year = |month: u32, day: Option<u32>, next: usize| {
        let year = word(next).and_then(year);
        (Date { year, month: Some(month), day, edge: None }, next + usize::from(year.is_some()))
    };
    let of_day = at + usize::from(word(at) == Some("the"));
    if let Some(day) = word(of_day).and_then(day_number) {
        let of_month = of_day + 1 + usize::from(word(of_day + 1) == Some("of"));
        return Some(with_year(month_number(word(of_month)?)?, Some(day), of_month + 1));
    }
    if let Some(month) = word(at).and_then(month_number) {
        let day = word(at + 1).and_then(day_number);
        let is_of = day.is_none() && word(at + 1) == Some("of") && word(at + 2).and_then(year).is_some();
        return Some(with_year(month, day, at + 1 + usize::from(day.is_some() || is_of)));
    }
    let year = word(at).and_then(year).filter(|_| word(at + 1).is_none_or(|word| !THINGS.contains(&word)))?;
    Some((Date { year: Some(year), month: None, day: None, edge: None }, at + 1))
}

/// `from 3 to 12 June`: the second date tells the month.
fn bare_day(words: &[&str], at: usize) -> Option<(Bound, usize)> {
    let day = day_number(words.get(at)?)?;
    Some((Bound::Date(Date { year: None, month: None, day: Some(day), edge: None }), at + 1))
}

fn edge_of((from, to): (EpochMs, EpochMs), edge: Option<Edge>) -> (EpochMs, EpochMs) {
    match edge {
        None => (from, to),
        Some(Edge::First) => (from, from),
        Some(Edge::Last) => (to, to),
    }
}

impl Bound {
    /// From its first moment to the first one behind it.
    fn span(self, now: Now) -> Option<(EpochMs, EpochMs)> {
        match self {
            Self::Open => None,
            Self::Span(from, to) => Some((from, to)),
            Self::Date(date) if date.month.is_none() && date.day.is_some() => None,
            Self::Date(date) => {
                let year = date.year.unwrap_or_else(|| date.last_begun(now));
                Some(edge_of((date.begins(year), date.ends(year)), date.edge))
            }
        }
    }
}

impl Date {
    /// Whether its month has its day in a year, or in any.
    fn is_there(self, year: Option<i32>) -> bool {
        self.month.zip(self.day).is_none_or(|(month, day)| has_day(year, month, day))
    }

    fn begins(self, year: i32) -> EpochMs {
        day_count(year, self.month.unwrap_or(1), self.day.unwrap_or(1)) * DAY
    }

    fn ends(self, year: i32) -> EpochMs {
        match (self.month, self.day) {
            (_, Some(_)) => self.begins(year) + DAY,
            (Some(month), None) => begins(year, month as i32 + 1),
            (None, None) => begins(year + 1, 1),
        }
    }

    /// The last year in which it had begun.
    fn last_begun(self, now: Now) -> i32 {
        let now = now.local();
        let year = civil(now).0;
        if self.begins(year) <= now { year } else { year - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::legible;
    use super::*;
    use unicode_segmentation::UnicodeSegmentation;

    type Day = (i32, u32, u32);

    fn check(question: &str, from: Option<Day>, to: Option<Day>) {
        // A Wednesday.
        let now = Now::utc(at((2025, 6, 18)) + 1000);
        let window = Named::Window { from: from.map_or(EpochMs::MIN, at), to: to.map_or(EpochMs::MAX, at) };
        let expected = (from, to) != (None, None);
        let text = legible(question);
        let (typed, lower): (Vec<&str>, String) = (text.unicode_words().collect(), text.to_lowercase());
        let words: Vec<&str> = lower.unicode_words().collect();
        assert_eq!(named((&words, &typed), now), expected.then_some(window), "{question}");
    }

    fn at((year, month, day): Day) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    #[test]
    fn ranges_of_two_dates() {
        for (question, from, to) in [
            ("What was between May and July 2023?", (2023, 5, 1), (2023, 8, 1)),
            ("between 3 May and 12 June 2024", (2024, 5, 3), (2024, 6, 13)),
            ("between May 3rd and June 12th, 2024", (2024, 5, 3), (2024, 6, 13)),
            ("between 3 and 12 June 2024", (2024, 6, 3), (2024, 6, 13)),
            ("between 29 February and 3 March 2024", (2024, 2, 29), (2024, 3, 4)),
            ("trips from March to May", (2025, 3, 1), (2025, 6, 1)),
            ("from August to October", (2024, 8, 1), (2024, 11, 1)),
            ("from november to february 2024", (2023, 11, 1), (2024, 3, 1)),
            ("from November 2022 to February", (2022, 11, 1), (2023, 3, 1)),
            ("from November to February", (2024, 11, 1), (2025, 3, 1)),
            ("from 2019 to 2021", (2019, 1, 1), (2022, 1, 1)),
            ("from 1994 until 1996", (1994, 1, 1), (1997, 1, 1)),
            ("from the 3rd of May through the end of June 2024", (2024, 5, 3), (2024, 7, 1)),
            ("between last month and yesterday", (2025, 5, 1), (2025, 6, 18)),
            ("between 2024-05-03 and 2024-06-12", (2024, 5, 3), (2024, 6, 13)),
            ("from 03.05.2024 to 12.06.2024", (2024, 5, 3), (2024, 6, 13)),
            ("between the 1980s and the 1990s", (1980, 1, 1), (2000, 1, 1)),
        ] {
            check(question, Some(from), Some(to));
        }
    }

    #[test]
    fn ranges_that_are_open() {
        for (question, from, to) in [
            ("What happened since March 2023?", Some((2023, 3, 1)), None),
            ("since May", Some((2025, 5, 1)), None),
            ("Since May she has been ill", Some((2025, 5, 1)), None),
            ("every day since August", Some((2024, 8, 1)), None),
            ("since last week", Some((2025, 6, 9)), None),
            ("since March of 2023", Some((2023, 3, 1)), None),
            ("after June 3rd", Some((2025, 6, 4)), None),
            ("after the 20th of June", Some((2024, 6, 21)), None),
            ("after 2020", Some((2021, 1, 1)), None),
            ("before 2020", None, Some((2020, 1, 1))),
            ("before March 2023", None, Some((2023, 3, 1))),
            ("until the end of May", None, Some((2025, 6, 1))),
            ("until the beginning of 2024", None, Some((2024, 1, 1))),
            ("till 3 May 2024", None, Some((2024, 5, 4))),
            ("from 2019 until now", Some((2019, 1, 1)), None),
            ("from March 2024 on", Some((2024, 3, 1)), None),
            ("since 2023-05-07", Some((2023, 5, 7)), None),
            ("before 5/17/2023", None, Some((2023, 5, 17))),
            ("since the 1990s", Some((1990, 1, 1)), None),
            ("until the end of the 90s", None, Some((2000, 1, 1))),
        ] {
            check(question, from, to);
        }
    }

    #[test]
    fn what_is_no_range() {
        for question in [
            "What is there between us?",
            "a letter from Maria to Ben",
            "a letter from May to Ben",
            "Who may go from here to there?",
            "What happened before may matter",
            "What comes after may be better",
            "from 9 to 5",
            "between 3 and 12 people",
            "between 2000 and 2050 steps",
            "before 2000 people came",
            "before the 2020 election",
            "since when?",
            "since I moved in March 2023",
            "the day after June 3rd",
            "two weeks before 2020",
            "before we moved",
            "after the march",
            "until the end of the road",
            "since 2024-0031",
            "between CVE-2021-44228 and 2024-0031",
            "from 2021 to 2019",
            "since 31 February",
            "until the 31st of April 2024",
            "between 1 and 31 April 2024",
            "between 29 February and 3 March 2023",
            "from March with love",
            "in May 2023",
            "",
        ] {
            check(question, None, None);
        }
    }
}
