//! Adjuncts of time: `in May 2024`, `since 2021`, `on Thursdays at 10:00`, `from 2015 to 2019`, `for ten years`.

use crate::data::words::{ADVERB, MONTH, NUMBER, POSSESSIVE, UNIT, WEEKDAY};
use crate::dates::{self, When};
use crate::noun::Words;
use crate::token::Shape;
use jiff::civil::Date;
use std::ops::Range;

/// How an adjunct places its clause in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// At a date, on a day, in a year.
    At,
    /// From then on.
    Since,
    /// Up to then.
    Until,
    /// From one date to another.
    Between,
    /// For so long.
    For,
    /// Within so long from now.
    Within,
    /// Again and again, or at an hour.
    Schedule,
    /// Before or after something: says too little.
    Other,
}

/// An adjunct of time, in token numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Time {
    /// First token.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The words without their preposition.
    pub value: Range<usize>,
    /// The words of the second date of two.
    pub second: Range<usize>,
    /// How it relates.
    pub relation: Relation,
    /// The date, where there is one; the first of two.
    pub when: Option<When>,
    /// The second of two.
    pub then: Option<When>,
    /// Whether the date was told from the day of saying.
    pub relative: bool,
}

impl Time {
    fn new(start: usize, end: usize, value: Range<usize>, relation: Relation, when: Option<When>) -> Self {
        Self { start, end, value, second: 0..0, relation, when, then: None, relative: false }
    }

    /// The date as a qualifier or value says it: a whole day and a date told from today as ISO writes it, anything
    /// else in the text's own words.
    pub(crate) fn text(&self, words: &Words<'_>) -> String {
        date_text(words, self.when, self.relative, self.value.clone())
    }

    /// The second date, likewise.
    pub(crate) fn second_text(&self, words: &Words<'_>) -> String {
        date_text(words, self.then, false, self.second.clone())
    }
}

fn date_text(words: &Words<'_>, when: Option<When>, relative: bool, range: Range<usize>) -> String {
    match when {
        Some(when) if relative || when.grain == dates::Grain::Day => when.iso(),
        _ => words.slice(range),
    }
}

/// The adjunct of time that begins at `at`.
pub(crate) fn time_at(words: &Words<'_>, at: usize, today: Option<Date>) -> Option<Time> {
    let rest = words.tokens.get(at..).filter(|rest| !rest.is_empty())?;
    if let Some((when, taken)) = dates::relative(rest, today) {
        let mut time = Time::new(at, at + taken, at..at + taken, Relation::At, when);
        time.relative = true;
        return Some(time);
    }
    match words.lower(at) {
        "on" | "in" | "at" | "by" | "around" | "during" | "early" | "late" | "this" | "back" | "as" | "over"
        | "mid" | "about" => point(words, at, today),
        "since" | "from" | "between" | "until" | "till" | "starting" | "effective" | "through" => {
            bounds(words, at, today)
        }
        "to" => {
            let found = any_date(words, at + 1, today).filter(|found| {
                found.when.is_some_and(|when| when.grain != dates::Grain::Year) || found.relation == Relation::Schedule
            })?;
            Some(Time { start: at, ..found })
        }
        // `scheduled for 20 May`
        "for" if length(words, at).is_none() => {
            let found = any_date(words, at + 1, today).filter(|found| {
                found.when.is_some_and(|when| when.grain != dates::Grain::Year) || found.relation == Relation::Schedule
            })?;
            Some(Time { start: at, ..found })
        }
        // `all her life`
        "all" if words.is(at + 1, POSSESSIVE) && words.any(at + 2, " life lives ") => {
            Some(Time::new(at, at + 3, at..at + 3, Relation::Other, None))
        }
        "for" | "within" | "after" => length(words, at),
        "every" | "each" | "daily" | "weekly" | "monthly" | "yearly" | "annually" | "twice" | "once" => {
            recurring(words, at)
        }
        _ if words.is(at, WEEKDAY) && words.capital(at) => recurring(words, at).or_else(|| date(words, at, at)),
        _ if is_clock(words, at) => clock(words, at, at),
        _ => None,
    }
}

fn date(words: &Words<'_>, start: usize, at: usize) -> Option<Time> {
    let (when, taken) = dates::absolute(words.tokens.get(at..)?)?;
    Some(Time::new(start, at + taken, at..at + taken, Relation::At, Some(when)))
}

/// `in May 2024`, `on March 3`, `at 10:00`, `in the summer of 2019`, `in two weeks`, `on Thursdays`.
fn point(words: &Words<'_>, start: usize, today: Option<Date>) -> Option<Time> {
    let mut at = start + usize::from(!matches!(words.lower(start), "early" | "late" | "this" | "mid"));
    if words.lower(start) == "back" {
        at += usize::from(words.any(at, " in on "));
    }
    if words.lower(start) == "as" {
        at += 1;
        if words.lower(start + 1) != "of" {
            return None;
        }
    }
    if words.lower(start) == "in"
        && let Some(within) = duration(words, at)
    {
        let mut time = Time::new(start, within, at..within, Relation::Within, None);
        time.relative = true;
        return Some(time);
    }
    if let Some(found) = date(words, start, at).filter(|_| words.lower(start) != "about") {
        // `in 2018`, but not `at 2018` nor `over 1999`.
        let bare_year = found.when.is_some_and(|when| when.grain == dates::Grain::Year);
        let fits = !bare_year || words.any(start, " in by during around as back ");
        return fits.then_some(found);
    }
    if words.any(start, " on in at by around during back ")
        && let Some((when, taken)) = dates::relative(&words.tokens[at.min(words.tokens.len())..], today)
    {
        let mut time = Time::new(start, at + taken, at..at + taken, Relation::At, when);
        time.relative = true;
        return Some(time);
    }
    let the = usize::from(words.lower(at) == "the");
    let vague = usize::from(words.any(at + the, " early late mid beginning end middle start "));
    let of = usize::from(vague == 1 && words.lower(at + the + vague) == "of");
    let inner = at + the + vague + of;
    if the + vague > 0
        && let Some(found) = date(words, start, inner)
    {
        return Some(Time { value: at..found.end, when: if vague > 0 { None } else { found.when }, ..found });
    }
    if words.any(inner, " summer winter spring autumn fall ") {
        let of = inner + 1 + usize::from(words.lower(inner + 1) == "of");
        let end = if dates::year(words.lower(of)).is_some() { of + 1 } else { inner + 1 };
        return Some(Time::new(start, end, inner..end, Relation::At, None));
    }
    if words.is(inner, MONTH)
        && words.capital(inner)
        && !words.capital(inner + 1)
        && words.any(start, " in by early late during around this mid ")
    {
        return Some(Time::new(start, inner + 1, inner..inner + 1, Relation::At, None));
    }
    if words.any(inner, " morning mornings afternoon afternoons evening evenings weekends night noon midnight ")
        && !words.any(start, " about over as ")
    {
        let end = inner + 1;
        return Some(Time::new(start, end, at..end, Relation::Schedule, None));
    }
    if words.is(at, WEEKDAY) {
        return recurring(words, at).map(|found| Time { start, ..found });
    }
    // `on the first Monday of each month`
    if words.any(at + the, " first second third fourth last ") && words.is(at + the + 1, WEEKDAY) {
        let of = at + the + 2;
        let end = if words.lower(of) == "of" && words.any(of + 1, " each every the ") { of + 3 } else { of };
        return Some(Time::new(start, end, at + the..end, Relation::Schedule, None));
    }
    // `on the first of each month`
    let ordinal = words.any(at + the, " first second third fourth fifth last ")
        || words.lower(at + the).trim_end_matches(char::is_alphabetic).parse::<u8>().is_ok();
    if ordinal
        && words.lower(at + the + 1) == "of"
        && words.any(at + the + 2, " each every the ")
        && words.any(at + the + 3, " month quarter year week ")
    {
        let end = at + the + 4;
        return Some(Time::new(start, end, at + the..end, Relation::Schedule, None));
    }
    if words.any(start, " at around about by ") && (is_clock(words, at) || hour_alone(words, at)) {
        return clock(words, start, at);
    }
    None
}

/// `since 2021`, `until May`, `from 2015 to 2019`, `between 2015 and 2019`.
fn bounds(words: &Words<'_>, start: usize, today: Option<Date>) -> Option<Time> {
    let word = words.lower(start);
    if word == "since" {
        return since(words, start, today);
    }
    if matches!(word, "starting" | "effective") {
        let at = start + 1 + usize::from(words.any(start + 1, " in on from "));
        return date(words, start, at).map(|found| Time { relation: Relation::Since, ..found });
    }
    let first = any_date(words, start + 1, today)?;
    if matches!(word, "until" | "till" | "through") {
        return Some(Time { start, relation: Relation::Until, ..first });
    }
    if !words.any(first.end, " to until till through and - – ") {
        let open = word == "from" && words.any(first.end, " on onward onwards ");
        return open.then(|| Time { start, end: first.end + 1, relation: Relation::Since, ..first });
    }
    let second = any_date(words, first.end + 1, today)?;
    let relation = if first.relation == Relation::Schedule { Relation::Schedule } else { Relation::Between };
    let value = if relation == Relation::Schedule { first.value.start..second.end } else { first.value };
    Some(Time {
        start,
        end: second.end,
        value,
        second: second.value,
        relation,
        then: second.when,
        when: first.when,
        relative: false,
    })
}

fn since(words: &Words<'_>, start: usize, today: Option<Date>) -> Option<Time> {
    if let Some(found) = any_date(words, start + 1, today) {
        return Some(Time { start, relation: Relation::Since, ..found });
    }
    let early = start + 1 + usize::from(words.any(start + 1, " early late mid "));
    if early > start + 1 {
        let found = any_date(words, early, today)?;
        return Some(Time { start, value: start + 1..found.end, when: None, relation: Relation::Since, ..found });
    }
    // `since childhood`, `since I was ten`: true, but no date.
    if words.any(start + 1, " childhood birth college university forever ") {
        return Some(Time::new(start, start + 2, start + 1..start + 2, Relation::Other, None));
    }
    if words.any(start + 1, " i he she we they ") && words.any(start + 2, " was were ") {
        let end = (start + 3..words.tokens.len())
            .find(|at| words.stop(*at) || words.any(*at, " and but so because "))
            .unwrap_or(words.tokens.len());
        return Some(Time::new(start, end, start + 1..end, Relation::Other, None));
    }
    None
}

/// A date, a month, a weekday or an hour, without preposition.
fn any_date(words: &Words<'_>, at: usize, today: Option<Date>) -> Option<Time> {
    if let Some(found) = date(words, at, at) {
        return Some(found);
    }
    if let Some((when, taken)) = dates::relative(words.tokens.get(at..)?, today) {
        let mut time = Time::new(at, at + taken, at..at + taken, Relation::At, when);
        time.relative = true;
        return Some(time);
    }
    if words.is(at, MONTH) && words.capital(at) {
        return Some(Time::new(at, at + 1, at..at + 1, Relation::At, None));
    }
    if words.is(at, WEEKDAY) && words.capital(at) {
        return Some(Time::new(at, at + 1, at..at + 1, Relation::Schedule, None));
    }
    if is_clock(words, at) || hour_alone(words, at) {
        return clock(words, at, at);
    }
    None
}

/// The end of `90 days`, `two weeks`, `a year`.
fn duration(words: &Words<'_>, at: usize) -> Option<usize> {
    let about = at + usize::from(words.any(at, " about over almost nearly around just roughly "));
    let number = words.tokens.get(about)?;
    let vague = words.any(about, " several many ") as usize;
    let few = if words.lower(about) == "a" && words.any(about + 1, " few couple ") {
        2 + usize::from(words.lower(about + 2) == "of")
    } else {
        0
    };
    let counted = dates::count(&number.lower).is_some() || number.is(NUMBER);
    let at = about + if few > 0 { few } else { usize::from(counted || vague > 0) };
    if at == about {
        return None;
    }
    let business = usize::from(words.any(at, " business working full whole more "));
    let unit = at + business;
    let is_unit = words.is(unit, UNIT) && !words.any(unit, " summer winter spring fall morning mornings night ");
    (is_unit && !words.any(unit + 1, " ago old ")).then_some(unit + 1)
}

/// `for ten years`, `for the past three months`, `within 30 days`, `after 90 days`.
fn length(words: &Words<'_>, start: usize) -> Option<Time> {
    let mut at = start + 1;
    if words.lower(at) == "the" && words.any(at + 1, " past last next ") {
        at += 2;
    }
    let relation = if words.lower(start) == "for" { Relation::For } else { Relation::Within };
    if let Some(end) = duration(words, at) {
        let end = end + usize::from(words.any(end, " now "));
        return Some(Time::new(start, end, at..end - usize::from(words.lower(end - 1) == "now"), relation, None));
    }
    if relation == Relation::For && words.any(start + 1, " years ages decades months weeks days hours ") {
        let end = start + 2 + usize::from(words.lower(start + 2) == "now");
        return Some(Time::new(start, end, start + 1..start + 2, Relation::Other, None));
    }
    if relation == Relation::For && words.lower(start + 1) == "a" && words.any(start + 2, " while bit ") {
        let end = start + 3 + usize::from(words.lower(start + 3) == "now");
        return Some(Time::new(start, end, start + 1..end, Relation::Other, None));
    }
    None
}

fn is_clock(words: &Words<'_>, at: usize) -> bool {
    let word = words.lower(at);
    let digits = word.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = word.split(':').collect();
    let colon = digits
        && (2..=3).contains(&parts.len())
        && parts
            .iter()
            .all(|part| !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let half = word.ends_with("am") || word.ends_with("pm");
    let tied = digits && half && word.len() <= 7;
    let spaced = digits && word.len() <= 2 && words.any(at + 1, " am pm a.m p.m a.m. p.m. o'clock ");
    colon || tied || spaced
}

/// `at 9`, where nothing follows that the nine could count.
fn hour_alone(words: &Words<'_>, at: usize) -> bool {
    let hour: Option<u8> = words.lower(at).parse().ok();
    let fits = hour.is_some_and(|hour| (1..=24).contains(&hour)) || words.any(at, " noon midnight ");
    let ends = words.stop(at + 1) || words.any(at + 1, " on every each to in and until ");
    fits && ends
}

/// Takes hours, and what may follow them: `at 10:00 on Thursdays`, `9 am UTC`.
fn clock(words: &Words<'_>, start: usize, at: usize) -> Option<Time> {
    let mut end = at + 1;
    if words.any(end, " am pm a.m p.m a.m. p.m. o'clock ") {
        end += 1;
        end += usize::from(words.lower(end) == "." && !words.stop(end + 1));
    }
    if words.tokens.get(end).is_some_and(|token| token.shape == Shape::Upper)
        && words.any(end, " utc gmt cet cest est pst pdt edt cst bst ist ")
    {
        end += 1;
    }
    Some(Time::new(start, end, at..end, Relation::Schedule, None))
}

/// `every Monday`, `Thursdays`, `Monday mornings`, `daily`, `once a week`, `on the first Monday of each month`.
fn recurring(words: &Words<'_>, start: usize) -> Option<Time> {
    let word = words.lower(start);
    let mut end = start + 1;
    if matches!(word, "every" | "each") {
        end += usize::from(words.any(end, " other second third first last single two three four six "));
        if !words.is(end, UNIT | WEEKDAY | MONTH) {
            return None;
        }
        end += 1;
    } else if matches!(word, "once" | "twice") {
        if !words.any(end, " a per every each ") || !words.is(end + 1, UNIT) {
            return None;
        }
        end += 2;
    } else if words.is(start, ADVERB) {
        // `daily`
        if !words.stop(end) && !words.any(end, " at on in ") {
            return None;
        }
    } else if dates::absolute(&words.tokens[start..]).is_some() {
        return None;
    } else {
        while words.any(end, " and or , - – through to ") && words.is(end + 1, WEEKDAY) {
            end += 2;
        }
    }
    end += usize::from(words.any(end, " morning mornings afternoon afternoons evening evenings night nights "));
    Some(Time::new(start, end, start..end, Relation::Schedule, None))
}
