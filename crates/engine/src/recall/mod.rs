//! Recall: words and meaning are searched in each space's own indexes, what they find is scored by its signals, and
//! every hit is traced back to the exact words of its source.

mod answer;
mod before;
pub(crate) mod cite;
mod common;
mod dates;
mod diverse;
mod event;
mod expected;
mod features;
mod feedback;
mod follow_up;
mod fuse;
mod gates;
mod graph;
mod identifiers;
mod naming;
mod newest;
mod part;
mod rank;
mod replay;
mod rerank;
mod run;
mod score;
mod search;
mod searches;
mod syntax;
mod trace;
mod traces;
mod wanted;
mod when;
mod why_not;
pub(crate) mod words;

pub(crate) use expected::{Meant, meant};
pub(crate) use feedback::trace_feedback;
pub use part::Part;
pub use score::{SIGNALS, Signal};
pub(crate) use searches::{search_drop, search_save, searches_list};
pub(crate) use traces::{expire, keep_for, named, settle, trace_get, trace_replay, traces_list};
pub(crate) use why_not::recall_explain;

use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use fuse::Candidate;
use std::collections::BTreeMap;
use std::time::Instant;
use um_model::numbers::grouped;
use um_model::recall::{Associate, Hit, MemoryRecall, Recalled};
use um_model::traces::{RecallTrace, TracedAssociate};
use um_model::{EpochMs, MemoryId, SpaceId, UnitId, ViewType};
use um_store::filter::{Then, UnitFilter};
use um_store::{Connection, hits, space_settings};
use words::Question;

/// The longest question, in characters.
const MAX_QUERY: usize = 2_000;
/// How far a clock is from UTC at most, in minutes.
const MAX_UTC_OFFSET: u32 = 14 * 60;
/// The longest period before now, in days: a hundred years.
const MAX_PAST_DAYS: u32 = 36_500;
/// A day, in milliseconds.
const DAY: EpochMs = 86_400_000;
/// So many names, tags, phrases, words to leave out, types or tiers are read at most.
const MAX_PARTS: usize = 20;

/// What is told while vectors are missing in their index.
const INCOMPLETE: &str = "The index for searching by meaning is being made again: until that is done, passages that mean what is asked may \
    be missing. What has its words is found.";

/// What is told first where meaning was not searched.
const NO_MEANING: &str = "Meaning was not searched, only words.";

/// What is told after that where a vector, or the index of them, is not what it should be.
const MEANING_IS_LOST: &str = "Its index holds what does not fit: `umem doctor --rebuild` makes it anew.";

/// What is told of words of scripts without spaces while full text has some in a form in which they are not found.
const OLD_FORM: &str = "The index of words is being made again: until that is done, passages in scripts without spaces between words, or with ß, \
    may be missing.";

/// What is told of any other words meanwhile.
const OLD_WORDS: &str = "The index of words is being made again: until that is done, some of what was kept before the last update may not be \
    found by its words.";

/// Whether a notice says that one of the searches was not done, or that the best were not reranked.
pub(crate) fn is_of_lost_search(notice: &str) -> bool {
    [NO_MEANING, INCOMPLETE, OLD_FORM, OLD_WORDS, rerank::NOT_RERANKED].iter().any(|lost| notice.starts_with(lost))
}

/// Whether a notice says words of the question: it is kept nowhere that the question is not.
pub(crate) fn says_the_question(notice: &str) -> bool {
    identifiers::is_notice(notice) || answer::is_gap(notice)
}

/// Finds the passages that answer a question, and keeps a trace of how, or of why that failed.
pub(crate) fn memory_recall(engine: &Engine, caller: &Caller, request: MemoryRecall) -> Outcome<Recalled> {
    let notices = syntax::notices(&request);
    Ok(traced(engine, caller, notices, request)?.0)
}

/// The same for a pack, which reads no fields and can be asked for none, so that nothing is told of those; and whether the trace keeps the
/// words of the question: whatever else is kept of it must not where that does not.
pub(crate) fn recall(engine: &Engine, caller: &Caller, request: MemoryRecall) -> Outcome<(Recalled, bool)> {
    traced(engine, caller, Vec::new(), request)
}

fn traced(engine: &Engine, caller: &Caller, notices: Vec<String>, request: MemoryRecall) -> Outcome<(Recalled, bool)> {
    let forgotten = engine.read(|c| Ok(um_store::forget::last(c)?))?;
    let request = read(request, engine.now())?;
    match answered(engine, caller, notices, request.clone()) {
        Ok((mut recalled, trace)) => {
            let keeps_words = traces::keeps_words(&trace);
            recalled.trace = traces::keep(engine, caller, trace, forgotten)?;
            Ok((recalled, keeps_words))
        }
        Err(error) => {
            traces::keep_failed(engine, caller, request, &error, forgotten);
            Err(error)
        }
    }
}

/// The same of which nothing is kept: the person looks what the caller would find.
pub(crate) fn untraced(engine: &Engine, caller: &Caller, request: MemoryRecall) -> Outcome<(Recalled, bool)> {
    let request = read(request, engine.now())?;
    let (recalled, trace) = answered(engine, caller, Vec::new(), request)?;
    Ok((recalled, traces::keeps_words(&trace)))
}

/// Finds the passages that answer a question that is [read], of which something is to be known.
fn answered(
    engine: &Engine,
    caller: &Caller,
    notices: Vec<String>,
    request: MemoryRecall,
) -> Outcome<(Recalled, RecallTrace)> {
    let wordless = syntax::wordless(&request);
    let (mut recalled, trace) = run::run(engine, caller, request, None)?;
    recalled.notices.extend(notices.into_iter().chain(wordless.map(str::to_owned)));
    Ok((recalled, trace))
}

/// What the person should know of the index of words, while some of it is in a form in which words may not be found.
fn old_form(c: &Connection, request: &MemoryRecall) -> Result<Option<&'static str>, Fault> {
    if !um_store::rebuild::is_of_old_form(c)? {
        return Ok(None);
    }
    let mut words = request.phrases.iter().chain(&request.without).chain([&request.query]);
    let has_other_form = words.any(|words| words.contains(um_store::fts::is_unspaced) || words.contains(['ß', 'ẞ']));
    Ok(Some(if has_other_form { OLD_FORM } else { OLD_WORDS }))
}

/// The passages, cited, with what speaks against them; with the tags that they carried then, where that is asked for, and with their
/// envelopes, where those are.
fn cited(
    c: &Connection,
    question: &Question,
    given: &[Candidate],
    request: &MemoryRecall,
    now: EpochMs,
) -> Result<Vec<Hit>, Fault> {
    let mut hits = cite::cite(c, question, given)?;
    for hit in hits.iter_mut().filter(|hit| hit.view_type == Some(ViewType::Metadata)) {
        if let Some(file) = &hit.ids.artifact {
            hit.note = crate::library::why_wordless(c, file)?.map(str::to_owned);
        }
    }
    crate::brief::warn_of_hits(c, &mut hits, request, now)?;
    let then = Then { as_of: request.as_of, known_at: request.known_at };
    if !then.is_now() {
        let memories: Vec<&MemoryId> = hits.iter().map(|hit| &hit.ids.memory).collect();
        let tags = hits::tags_then(c, &memories, then)?;
        hits.iter_mut().for_each(|hit| hit.tags = tags.get(&hit.ids.memory).cloned().unwrap_or_default());
    }
    if !request.why {
        hits.iter_mut().for_each(|hit| hit.envelope = None);
    }
    Ok(hits)
}

/// How well a question must be answered in those spaces that say so.
fn enough(c: &Connection) -> Result<Vec<(SpaceId, f64)>, Fault> {
    Ok(space_settings::of_all(c, space_settings::ABSTAIN_BELOW)?)
}

/// What is connected with the passages, cited as they are; and as a trace tells it, with what is connected too little.
fn associates(
    c: &Connection,
    spaces: &[SpaceId],
    (question, named): (&Question, &[graph::Named]),
    hits: &[Hit],
    (request, filter, past): (&MemoryRecall, &UnitFilter, &[i64]),
    now: EpochMs,
) -> Result<(Vec<Associate>, Vec<TracedAssociate>), Fault> {
    let mut reached = graph::associated(c, spaces, named, hits, (filter, past), now)?;
    let traced = reached.iter().map(graph::Reached::traced).collect();
    reached.retain(|one| one.gate.is_none());
    let candidates: Vec<Candidate> = reached.iter().map(|one| one.candidate.clone()).collect();
    let hits = cited(c, question, &candidates, request, now)?;
    let mut paths: BTreeMap<UnitId, _> = reached.into_iter().map(|one| (one.unit, one.path)).collect();
    let with_path = hits.into_iter().filter_map(|hit| Some((paths.remove(&hit.ids.unit)?, hit)));
    Ok((with_path.map(|(path, hit)| Associate { activation: hit.score, hit, path }).collect(), traced))
}

/// The question of a request, about whoever speaks in what it searches.
fn question(engine: &Engine, caller: &Caller, request: &MemoryRecall) -> Outcome<Question> {
    let question = Question::parse(&request.query);
    if question.words.is_empty() {
        return Err(invalid("There is no word in this question.").hint("Ask with words, letters or numbers."));
    }
    let names = engine.read(|c| {
        let spaces = crate::spaces::asked(c, caller, request.space.as_deref())?;
        let ids: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        search::speakers(c, &ids, &question, &filter(request))
    })?;
    Ok(question.about(names))
}

/// Refuses a clock that shows the time of no place.
pub(crate) fn check_utc_offset(minutes: i32) -> Outcome<()> {
    if minutes.unsigned_abs() <= MAX_UTC_OFFSET {
        return Ok(());
    }
    let error = invalid("A clock is 14 hours from UTC at most.");
    Err(error.hint("Give `utc_offset` in minutes, -840 to 840: 120 for two hours ahead of UTC. Or leave it out."))
}

/// Refuses a question that is too long.
pub(crate) fn check_length(query: &str) -> Outcome<()> {
    match query.chars().count() {
        length if length > MAX_QUERY => {
            let given = grouped(length as u64);
            Err(invalid(format!("A question has 1 to 2,000 characters, and this one has {given}.")))
        }
        _ => Ok(()),
    }
}

/// A request whose question is in its fields, and within its bounds.
fn read(request: MemoryRecall, now: EpochMs) -> Outcome<MemoryRecall> {
    let bounds = || invalid("A question has 1 to 2,000 characters.");
    check_length(&request.query)?;
    check_utc_offset(request.utc_offset)?;
    let says_nothing = syntax::notices(&request).into_iter().next();
    let request = if request.fielded { syntax::read(request, now)? } else { request };
    check_parts(&request)?;
    let request = from_now(request, now)?;
    if request.query.trim().is_empty() && filter(&request).is_open() {
        return Err(says_nothing
            .map_or_else(bounds, invalid)
            .hint("Ask something, or say what narrows it down: then the newest that pass are given."));
    }
    Ok(request)
}

/// Refuses what narrows a question down by too much of a kind, or by something that is longer than any question.
fn check_parts(request: &MemoryRecall) -> Outcome<()> {
    let MemoryRecall { modalities, tiers, from, tags, phrases, without, .. } = request;
    let said = [("names", from), ("tags", tags), ("phrases", phrases), ("words to leave out", without)];
    let chosen = [("types", modalities.len()), ("tiers", tiers.len())];
    for (what, number) in said.map(|(what, list)| (what, list.len())).into_iter().chain(chosen) {
        if number > MAX_PARTS {
            let given = grouped(number as u64);
            let error = invalid(format!("A question has at most {MAX_PARTS} {what}, and this one has {given}."));
            return Err(error.hint("Leave some out, or ask several questions."));
        }
    }
    for (what, list) in said {
        let lengths = list.iter().map(|one| one.chars().count());
        if let Some(length) = lengths.max().filter(|length| *length > MAX_QUERY) {
            let given = grouped(length as u64);
            let error = format!("Of the {what} of a question, each has at most 2,000 characters, and one has {given}.");
            return Err(invalid(error));
        }
    }
    Ok(())
}

/// A request whose period before now begins at a moment: a trace tells which one that was.
fn from_now(mut request: MemoryRecall, now: EpochMs) -> Outcome<MemoryRecall> {
    let Some(days) = request.past_days.take() else { return Ok(request) };
    if !(1..=MAX_PAST_DAYS).contains(&days) {
        let error = invalid("A question is of the past 1 to 36,500 days.");
        return Err(error.hint("Give another number in `past_days`, or leave it out for all times."));
    }
    request.since = request.since.max(Some(now - EpochMs::from(days) * DAY));
    Ok(request)
}

/// So many hits are given at most.
fn limit(request: &MemoryRecall) -> usize {
    request.limit.unwrap_or(10).clamp(1, 100) as usize
}

/// What a request lets through.
fn filter(request: &MemoryRecall) -> UnitFilter {
    let phrases: Vec<String> = request.phrases.iter().filter_map(|phrase| words::phrase(phrase)).collect();
    let without: Vec<String> = request.without.iter().filter_map(|phrase| words::phrase(phrase)).collect();
    UnitFilter {
        modalities: request.modalities.iter().map(|m| m.as_str().to_owned()).collect(),
        mails: request.mails,
        since: request.since,
        until: request.until,
        ahead: dates::ahead(request),
        from: request.from.clone(),
        // As they are kept.
        tags: request.tags.iter().map(|tag| crate::tags::folded(tag)).collect(),
        tiers: request.tiers.clone(),
        must: (!phrases.is_empty()).then(|| phrases.join(" AND ")),
        must_not: (!without.is_empty()).then(|| without.join(" OR ")),
        then: Then { as_of: request.as_of, known_at: request.known_at },
        gone_by: None,
    }
}

/// The same, without what is due to go out of use and could not be taken out yet.
fn filter_now(engine: &Engine, request: &MemoryRecall) -> UnitFilter {
    let filter = filter(request);
    UnitFilter { gone_by: crate::library::gone_by(engine, filter.then), ..filter }
}

/// Milliseconds spent, by step.
struct Steps((Instant, BTreeMap<String, f64>));

impl Steps {
    fn begin() -> Self {
        Self((Instant::now(), BTreeMap::new()))
    }

    /// Lays the time since the last step to this one, which may come several times.
    fn step(&mut self, name: &str) {
        let spent = (self.0.0.elapsed().as_secs_f64() * 1_000_000.0).round();
        let sum = self.0.1.entry(name.to_owned()).or_default();
        *sum = ((*sum * 1000.0).round() + spent) / 1000.0;
        self.0.0 = Instant::now();
    }

    /// Lays the time since the last step to none.
    fn leave_out(&mut self) {
        self.0.0 = Instant::now();
    }
}
