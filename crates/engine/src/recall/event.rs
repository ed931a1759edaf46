//! When an event was that a question names: looked up in what is believed, and else in what is said of it. What is found only
//! draws passages of that time forward, and the answer says what it was taken for; where it is not found, or may be several,
//! nothing changes but that the answer says so.

mod whose;

use super::DAY;
use super::cite;
use super::dates::{self, Named as Time};
use super::features;
use super::fuse::Candidate;
use super::search::Past;
use super::wanted::Wanted;
use super::when::{self, Named, Side};
use super::words::{Question, plain};
use crate::belief::complete_then;
use crate::error::Fault;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use um_model::belief::{ClaimState, Polarity};
use um_model::citation::{Citation, CitationState};
use um_model::claims::Claim;
use um_model::recall::{EventTaken, Hit};
use um_model::{EpochMs, Place, SpaceId};
use um_store::filter::{Admitted, Then, UnitFilter};
use um_store::hits::{self, Passage};
use um_store::{Connection, claims, fts};
use unicode_segmentation::UnicodeSegmentation;
use whose::{Meant, Whose};

/// Of each space, so many of the passages with an event's words are looked at.
const PASSAGES: usize = 40;
/// Of all spaces together so many, those that fit best.
const PASSAGES_OF_ALL: usize = 300;
/// So many claims are.
const CLAIMS: u32 = 40;
/// Passages that fit its words less than this, beside the one that fits best, speak of it in passing.
const FITS: f64 = 0.75;
/// What is told of days no further apart than these is one event.
const TOGETHER: EpochMs = 14 * DAY;

/// Which end of what is believed an event is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Begins,
    Ends,
    Whole,
}

/// Words for an event that is the beginning or end of what is believed, or all the while that it is so. Those of a line stand
/// for each other.
const OF_BELIEFS: &[(&[&str], &[&str], Part)] = &[
    (
        &["move", "moved", "moving", "relocated", "relocation", "umzug", "déménagement", "mudanza"],
        &["lives_in"],
        Part::Begins,
    ),
    (&["live", "lived", "living"], &["lives_in"], Part::Whole),
    (
        &["start", "started", "starting", "join", "joined", "joining", "hired"],
        &["works_at", "member_of", "studied_at"],
        Part::Begins,
    ),
    (&["work", "worked", "working", "job"], &["works_at"], Part::Whole),
    (&["leave", "left", "leaving", "quit", "quitting", "resigned"], &["works_at", "lives_in", "member_of"], Part::Ends),
    (
        &["wedding", "marry", "married", "marrying", "marriage", "hochzeit", "mariage", "boda"],
        &["married_to"],
        Part::Begins,
    ),
    (&["divorce", "divorced", "divorcing", "separation", "scheidung", "divorcio"], &["married_to"], Part::Ends),
    (&["engagement", "engaged"], &["engaged_to"], Part::Begins),
    (&["study", "studied", "studying"], &["studied_at"], Part::Whole),
    (&["graduation", "graduated", "graduating"], &["graduated_from"], Part::Begins),
    (
        &["trip", "visit", "visited", "visiting", "travelled", "traveled", "reise", "voyage", "viaje"],
        &["visited"],
        Part::Whole,
    ),
];
/// What is planned was not yet.
const TO_COME: &[&str] =
    &["will", "tomorrow", "next", "soon", "upcoming", "planning", "plan", "plans", "gonna", "i'll", "we'll"];

/// A time that something tells of an event, in days as sources name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    from: EpochMs,
    until: EpochMs,
}

/// What an event was taken for.
#[derive(Default)]
pub(super) struct Taken {
    /// That; none where the question names none, or it is not clear when it was.
    pub(super) event: Option<EventTaken>,
    /// That, or why it was taken for nothing, in a sentence.
    pub(super) notice: Option<String>,
    /// The same as a trace keeps it: without days that memories tell which the trace does not name.
    pub(super) kept_notice: Option<String>,
}

/// Where it is told.
enum Told {
    Claim(Box<Claim>),
    Passage(i64),
}

/// Reads the event that a question names, where it names no date itself, looks up when it was, and has what is wanted say so.
/// Gives what it was taken for, and a sentence either way; none of its words are those of what tells it. Of another time, what is
/// [`past`](super::search::past) with this filter tells it as well.
pub(super) fn take(
    c: &Connection,
    spaces: &[SpaceId],
    (question, filter, admitted, past): (&Question, &UnitFilter, &Admitted<'_>, &Past<'_>),
    wanted: &mut Wanted,
) -> Result<Taken, Fault> {
    let Some(event) = when::named(&question.text).filter(|_| wanted.date.is_none()) else {
        return Ok(Taken::default());
    };
    let mut found = believed(c, spaces, question, filter, &event)?;
    if together(&found).is_none() {
        found = told(c, spaces, (question, &*wanted), (admitted, past), &event)?;
    }
    let Some(span) = together(&found) else {
        let [notice, kept_notice] = [true, false].map(|names_days| Some(unclear(&event, &found, names_days)));
        return Ok(Taken { event: None, notice, kept_notice });
    };
    let Some((_, best)) = found.into_iter().next() else { return Ok(Taken::default()) };
    let Some((citation, claim)) = cited(c, question, filter, best)? else { return Ok(Taken::default()) };
    let (from, until) = match event.side {
        Side::Before => (None, Some(span.from)),
        Side::After => (Some(span.from), None),
        Side::During => (Some(span.from), Some(span.until).filter(|until| *until < EpochMs::MAX)),
    };
    wanted.date = Some(Time::Window { from: from.unwrap_or(EpochMs::MIN), to: until.unwrap_or(EpochMs::MAX) });
    let notice = Some(format!("“{}” was taken for {}.", event.phrase, range(from, until)));
    let taken = EventTaken { phrase: event.phrase, from, until, claim: claim.map(|claim| claim.id), citation };
    Ok(Taken { event: Some(taken), kept_notice: notice.clone(), notice })
}

/// The one time that all tell, from the first of it to the last.
fn together(found: &[(Span, Told)]) -> Option<Span> {
    one(found.iter().map(|(span, _)| *span))
}

/// The one time that some are, from the first of them to the last.
fn one(spans: impl Iterator<Item = Span> + Clone) -> Option<Span> {
    let from = spans.clone().map(|span| span.from).min()?;
    let last = spans.clone().map(|span| span.from).max()?;
    let until = spans.map(|span| span.until).max()?;
    (last - from <= TOGETHER).then_some(Span { from, until })
}

/// Why an event was taken for nothing: nothing tells when it was, or several days are told.
fn unclear(event: &Named, found: &[(Span, Told)], names_days: bool) -> String {
    let days: BTreeSet<String> = found.iter().filter_map(|(span, _)| um_rules::date_written(span.from)).collect();
    if days.is_empty() {
        return format!("Nothing here tells when “{}” was: passages of all times count alike.", event.what);
    }
    let days: Vec<String> = days.into_iter().take(4).collect();
    let days = if names_days { format!(" ({})", days.join(", ")) } else { String::new() };
    format!("“{}” may be of several days{days}: passages of all times count alike.", event.what)
}

fn range(from: Option<EpochMs>, until: Option<EpochMs>) -> String {
    let day = |at: EpochMs| um_rules::date_written(at).unwrap_or_default();
    match (from, until) {
        (None, Some(until)) => format!("the time before {}", day(until)),
        (Some(from), None) => format!("the time from {} on", day(from)),
        (Some(from), Some(until)) if until <= from + DAY => day(from),
        (Some(from), Some(until)) => format!("{} to {}", day(from), day(until - DAY)),
        (None, None) => String::new(),
    }
}

/// When it was by what is believed: where the filter lets everything of some time through, as claims have no file or tag.
fn believed(
    c: &Connection,
    spaces: &[SpaceId],
    question: &Question,
    filter: &UnitFilter,
    event: &Named,
) -> Result<Vec<(Span, Told)>, Fault> {
    let is_open = UnitFilter { then: Then::default(), ..filter.clone() }.is_open();
    let row_of = |word: &String| OF_BELIEFS.iter().find(|(words, ..)| words.contains(&word.as_str()));
    let row = event.words.iter().find_map(row_of);
    let Some((words, predicates, part)) = row.filter(|_| is_open) else { return Ok(Vec::new()) };
    let rest = Terms::of(event.words.iter().filter(|word| !words.contains(&word.as_str())));
    let mut all = Vec::new();
    for predicate in *predicates {
        let asked = claims::Question {
            spaces: spaces.to_vec(),
            expression: rest.all(),
            predicate: Some((*predicate).to_owned()),
            states: vec![ClaimState::Asserted],
            then: filter.then,
            with_past: true,
            ..claims::Question::default()
        };
        all.extend(claims::first(c, &asked, CLAIMS)?);
    }
    // Asked as of a day, what ended later had not ended yet.
    let is_later =
        |claim: &Claim| span_of(claim, *part).zip(filter.then.as_of).is_some_and(|(span, at)| span.from > at);
    all.retain(|claim| claim.polarity == Polarity::Positive && !is_later(claim));
    let mut fitting = of_whom(question, all);
    if rest.0.is_empty() && *part == Part::Begins {
        // Who moved lived somewhere else before.
        let starts: Vec<_> = fitting.iter().map(|claim| (claim.subject.id.clone(), claim.valid_from)).collect();
        let was_before =
            |claim: &Claim| starts.iter().any(|(who, from)| *who == claim.subject.id && *from < claim.valid_from);
        if fitting.iter().any(was_before) {
            fitting.retain(was_before);
        }
    }
    let dated = |claim: Claim| Some((span_of(&claim, *part)?, Told::Claim(Box::new(claim))));
    Ok(fitting.into_iter().filter_map(dated).collect())
}

/// The claims of those whom the question names or, where it says `I`, of the person; all where there are none.
fn of_whom(question: &Question, all: Vec<Claim>) -> Vec<Claim> {
    let names = question.capitals();
    let first_person = features::parties(&question.text).contains(&"user")
        || question.text.unicode_words().any(|w| w.eq_ignore_ascii_case("we") || w.eq_ignore_ascii_case("our"));
    let is_meant = |claim: &Claim| {
        let subject = plain(&claim.subject.name).to_lowercase();
        subject.unicode_words().any(|word| names.iter().any(|name| name == word))
            || first_person && subject == crate::belief::PERSON
    };
    let (meant, others): (Vec<Claim>, Vec<Claim>) = all.into_iter().partition(is_meant);
    if meant.is_empty() { others } else { meant }
}

fn span_of(claim: &Claim, part: Part) -> Option<Span> {
    let day = |at: EpochMs| Span { from: at, until: at + DAY };
    match part {
        Part::Begins => claim.valid_from.map(day),
        Part::Ends => claim.valid_to.map(day),
        Part::Whole => claim.valid_from.map(|from| Span { from, until: claim.valid_to.unwrap_or(EpochMs::MAX) }),
    }
}

/// What a passage tells of an event.
#[derive(Debug, Clone, Copy)]
struct Telling {
    span: Span,
    /// Whether a date in the sentence tells it, rather than when that was said.
    is_dated: bool,
    meant: Meant,
}

/// When it was by what is said of it: by a date in the sentence that names it, or else by when that was said.
fn told(
    c: &Connection,
    spaces: &[SpaceId],
    (question, wanted): (&Question, &Wanted),
    (admitted, past): (&Admitted<'_>, &Past<'_>),
    event: &Named,
) -> Result<Vec<(Span, Told)>, Fault> {
    let terms = Terms::of(event.words.iter());
    let whose = Whose::of(question, event);
    // Scores of different indexes do not compare (ruling 4): each is told beside the best of its own.
    let mut fitting: Vec<(i64, f64)> = Vec::new();
    for expression in [terms.all(), terms.but_one()].into_iter().flatten() {
        if fitting.is_empty() {
            for space in spaces {
                fitting.extend(fit(fts::search(c, space, &expression, admitted, PASSAGES)?));
                fitting.extend(fit(past.search(space, &expression, PASSAGES)?));
            }
        }
    }
    // What something else did may be said in fewer words: whose it is comes before how well they fit.
    fitting.retain(|(_, fits)| whose.is_some() || *fits >= FITS);
    fitting.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fitting.truncate(PASSAGES_OF_ALL);
    let rids: Vec<i64> = fitting.iter().map(|(rid, _)| *rid).collect();
    let mut passages = hits::passages(c, &rids, &past.rids())?;
    hits::add_texts(c, &mut passages)?;
    let of = |(rid, fits): (i64, f64)| {
        let passage = passages.get(&rid)?;
        let said_at = passage.occurred_at.map(|at| wanted.shown(at));
        Some((rid, fits, tells((&terms, whose.as_ref()), question, passage, said_at)?))
    };
    let told = meant(fitting.into_iter().filter_map(of).collect());
    Ok(told.into_iter().map(|(rid, _, telling)| (telling.span, Told::Passage(rid))).collect())
}

/// Those of what tells an event, the best first, each with how well it fits, that tell the one that is meant: they are of the highest
/// [rank](Meant::rank), do not speak of it in passing, and have a date where any has. Where several days are left, those that tell it most
/// surely, and of these the ones that most tell.
fn meant(mut told: Vec<(i64, f64, Telling)>) -> Vec<(i64, f64, Telling)> {
    let rank = told.iter().map(|(.., telling)| telling.meant.rank()).max().unwrap_or_default();
    told.retain(|(.., telling)| telling.meant.rank() == rank);
    let best = told.iter().map(|(_, fits, _)| *fits).fold(0.0, f64::max);
    let best = if rank > 0 { best } else { 1.0 };
    told.retain(|(_, fits, _)| *fits >= FITS * best);
    if told.iter().any(|(.., telling)| telling.is_dated) {
        told.retain(|(.., telling)| telling.is_dated);
    }
    let is_one = |told: &[(i64, f64, Telling)]| one(told.iter().map(|(.., telling)| telling.span)).is_some();
    if !is_one(&told) {
        let surest = told.iter().map(|(.., telling)| telling.meant).max();
        told.retain(|(.., telling)| Some(telling.meant) == surest);
    }
    let days: Vec<EpochMs> = told.iter().map(|(.., telling)| telling.span.from).collect();
    if !is_one(&told)
        && let Some(first) = most_told(&days)
    {
        told.retain(|(.., telling)| (first..=first + TOGETHER).contains(&telling.span.from));
    }
    told
}

/// The first of the days that lie [`TOGETHER`] and are told more often than any others; none where others are told as often.
fn most_told(days: &[EpochMs]) -> Option<EpochMs> {
    let told = |first: EpochMs| days.iter().filter(|day| (first..=first + TOGETHER).contains(*day)).count();
    let most = days.iter().map(|day| told(*day)).max()?;
    let firsts: Vec<EpochMs> = days.iter().copied().filter(|day| told(*day) == most).collect();
    let (first, last) = (firsts.iter().min()?, firsts.iter().max()?);
    (last - first <= TOGETHER).then_some(*first)
}

/// What of an index has its words, and how well it fits them beside what fits them best.
fn fit(scored: Vec<(i64, f64)>) -> impl Iterator<Item = (i64, f64)> {
    let best = scored.iter().map(|(_, score)| *score).fold(f64::MIN_POSITIVE, f64::max);
    scored.into_iter().map(move |(rid, score)| (rid, score / best))
}

/// What a passage, which was said at that time by the clock of whoever asks, tells of an event. What somebody else than whom the question
/// names says, what is asked and what is only planned tells nothing.
fn tells(
    (terms, whose): (&Terms, Option<&Whose>),
    question: &Question,
    passage: &Passage,
    said_at: Option<EpochMs>,
) -> Option<Telling> {
    let labels = features::said_by(&passage.text);
    if !question.names.is_empty() && !labels.is_empty() && !labels.iter().any(|label| question.names.contains(label)) {
        return None;
    }
    let how = |sentence: &str| whose.map_or(Meant::Something, |whose| whose.meant(sentence));
    // Its dates in English, so that no sentence ends at the stop of `3. Mai`.
    let text = dates::in_english(&passage.text);
    let sentences = text.unicode_sentences().filter(|sentence| terms.are_in(sentence));
    let sentence = sentences.min_by_key(|sentence| Reverse(how(sentence)));
    let meant = sentence.map_or(Meant::Something, how);
    let words = sentence.unwrap_or(&text).trim_end();
    let to_come = |word: &str| TO_COME.contains(&word.to_lowercase().as_str());
    if words.ends_with('?') || words.unicode_words().any(to_come) {
        return None;
    }
    if let Some(span) = sentence.and_then(|sentence| dated(sentence, said_at)) {
        return Some(Telling { span, is_dated: true, meant });
    }
    let from = said_at?.div_euclid(DAY) * DAY;
    Some(Telling { span: Span { from, until: from + DAY }, is_dated: false, meant })
}

/// The time that a sentence names; `yesterday`, and a date without a year, count from when it was said.
fn dated(sentence: &str, said_at: Option<EpochMs>) -> Option<Span> {
    let time = dates::named(sentence, dates::Now::utc(said_at.unwrap_or_default()))?;
    let relative = matches!(time, Time::Window { .. }) && said_at.is_none();
    let (from, until) = dates::window(time, said_at).filter(|_| !relative)?;
    Some(Span { from, until })
}

/// The words of an event, each with those that stand for it.
struct Terms(Vec<Question>);

impl Terms {
    fn of<'a>(words: impl Iterator<Item = &'a String>) -> Self {
        let alike = |word: &String| {
            let row = OF_BELIEFS.iter().map(|(words, ..)| *words).find(|words| words.contains(&word.as_str()));
            Question::parse(&row.map_or_else(|| word.clone(), |row| row.join(" ")))
        };
        Self(words.map(alike).collect())
    }

    /// The FTS5 expression for what has all of them.
    fn all(&self) -> Option<String> {
        let any: Vec<String> = self.0.iter().filter_map(Question::match_expression).collect();
        match any.as_slice() {
            [] => None,
            // Without brackets its rarest words can be told apart.
            [one] => Some(one.clone()),
            several => Some(several.iter().map(|any| format!("({any})")).collect::<Vec<_>>().join(" AND ")),
        }
    }

    /// The FTS5 expression for what has all but one of them, where there are several others.
    fn but_one(&self) -> Option<String> {
        let without = |left_out: usize| {
            let others = self.0.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, term)| term.clone());
            Some(format!("({})", Self(others.collect()).all()?))
        };
        let each: Vec<String> = (0..self.0.len()).filter_map(without).collect();
        (each.len() > 2).then(|| each.join(" OR "))
    }

    /// Whether a text has all of them, or all but one of several.
    fn are_in(&self, text: &str) -> bool {
        let has = |term: &&Question| {
            let stems = term.stems();
            text.unicode_words().any(|word| stems.place(word).is_some())
        };
        let found = self.0.iter().filter(has).count();
        found == self.0.len() || found > 1 && found + 1 == self.0.len()
    }
}

/// The exact words that tell it.
fn cited(
    c: &Connection,
    question: &Question,
    filter: &UnitFilter,
    told: Told,
) -> Result<Option<(Citation, Option<Claim>)>, Fault> {
    match told {
        Told::Claim(claim) => {
            let mut shown = vec![*claim];
            complete_then(c, &mut shown, filter.then, None)?;
            let Some(mut claim) = shown.pop() else { return Ok(None) };
            let first = (!claim.citations.is_empty()).then(|| claim.citations.swap_remove(0));
            Ok(first.map(|citation| (citation, Some(claim))))
        }
        Told::Passage(rid) => {
            let hit = cite::cite(c, question, &[Candidate { rid, ..Candidate::default() }])?.pop();
            Ok(hit.map(|hit| (citation(hit), None)))
        }
    }
}

fn citation(hit: Hit) -> Citation {
    Citation {
        quote: hit.quote,
        span: hit.span,
        span_hash: hit.span_hash,
        state: CitationState::Exact,
        memory_id: hit.ids.memory,
        view_id: hit.ids.view,
        segment_id: hit.ids.segment,
        artifact_id: hit.ids.artifact,
        space_id: hit.ids.space,
        place: Place { page: hit.page, bbox: hit.bbox, boxes: hit.boxes, time: hit.time, lines: hit.lines },
        title: hit.title,
        modality: hit.modality,
        view_type: hit.view_type,
        quality: hit.quality,
        actor_name: hit.actor_name,
        occurred_at: hit.occurred_at,
        recorded_at: hit.recorded_at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_is_told_apart_from_what_is_not() {
        let check = |told: &[(EpochMs, bool, f64, Meant)], expected: &[EpochMs]| {
            let telling = |(day, is_dated, fits, meant): (EpochMs, bool, f64, Meant)| {
                let span = Span { from: day * DAY, until: (day + 1) * DAY };
                (0, fits, Telling { span, is_dated, meant })
            };
            let left = meant(told.iter().copied().map(telling).collect());
            let days: Vec<EpochMs> = left.iter().map(|(.., telling)| telling.span.from / DAY).collect();
            assert_eq!(days, expected, "{told:?}");
        };
        let (other, place, known, person) = (Meant::Something, Meant::AtPlace, Meant::Known, Meant::ByPersonAtPlace);
        check(&[], &[]);
        check(&[(100, false, 1.0, other), (9, false, 0.5, person)], &[9]);
        check(&[(100, true, 1.0, place), (9, false, 0.5, known)], &[9]);
        check(&[(100, false, 1.0, other), (9, true, 0.8, other), (7, true, 0.7, other)], &[9]);
        check(&[(9, false, 0.8, person), (100, false, 0.8, known)], &[9]);
        check(&[(9, false, 0.8, person), (100, true, 0.8, known)], &[100]);
        // Of several days, those that most tell; where as many tell others, none is told from the rest.
        check(&[(9, false, 1.0, other), (50, false, 1.0, other), (52, false, 1.0, other)], &[50, 52]);
        check(&[(9, false, 1.0, other), (50, false, 1.0, other)], &[9, 50]);
    }

    #[test]
    fn one_term_stands_without_brackets() {
        let check = |words: &[&str], expected: Option<&str>| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(Terms::of(words.iter()).all().as_deref(), expected, "{words:?}");
        };
        check(&[], None);
        check(&["ferry"], Some("\"ferry\""));
        check(&["engagement"], Some("\"engagement\" OR \"engaged\""));
        check(&["ferry", "engagement"], Some("(\"ferry\") AND (\"engagement\" OR \"engaged\")"));
    }
}
