//! Why a memory that somebody expected is not among the passages of an answer.

use super::cite::first_words;
use super::rerank::Reranking;
use super::words::Question;
use super::{filter, filter_now, fuse, gates, newest, run, score, search, trace};
use crate::error::{Fault, Outcome, not_found};
use crate::{Caller, Engine};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use um_model::capture::Memory;
use um_model::recall::MemoryRecall;
use um_model::traces::{Gate, Lost, RecallWhyNot, Traced, WhyNot};
use um_model::{ArtifactId, EpochMs, MemoryId, MemoryStatus, SpaceId, Tier};
use um_store::filter::UnitFilter;
use um_store::{Connection, hits, memories, parts, units};

/// Tells why a memory is not among the passages.
pub(crate) fn recall_explain(engine: &Engine, caller: &Caller, request: RecallWhyNot) -> Outcome<WhyNot> {
    let recall = super::read(request.recall, engine.now())?;
    if newest::is_asked(&recall) {
        return among_newest(engine, caller, &recall, &request.expected);
    }
    let question = super::question(engine, caller, &recall)?;
    if let Some(reason) = super::follow_up::reason(&recall) {
        engine.read(|c| expected(c, caller, &request.expected))?;
        return Ok(lost(Lost::NotFound, reason));
    }
    let mut told = run::Told::begin();
    // What is connected with an answer is none of its passages.
    let recall = MemoryRecall { associated: false, ..recall };
    let mut plan = run::plan(engine, (recall, question), None, &mut told);
    let mut reranking = Reranking::of(engine, &plan.question)?;
    engine.read(|c| {
        let memory = expected(c, caller, &request.expected)?;
        let Searched { spaces, rids, past } = match looked_for(c, caller, &plan.request, &memory, &plan.filter)? {
            Ok(found) => found,
            Err(why) => return Ok(why),
        };
        let (gathered, ranking) = run::ranked(c, &mut plan, (spaces, past), (&mut reranking, &mut told))?;
        let cited = run::cite(c, &plan, &gathered, &ranking, &mut told)?;
        let judged = run::judge(c, &plan, &gathered, (&ranking, &cited.hits), &mut told.notices)?;
        let abstains = judged.answer.abstains;
        placed(c, &plan.question, (&memory, &called(caller, &memory)), &rids, (&ranking, abstains))
    })
}

/// Where a memory is looked for.
struct Searched<'a> {
    /// The spaces that are searched.
    spaces: Vec<SpaceId>,
    /// Its passages.
    rids: Vec<i64>,
    /// What is out of use and passes: the whole text of it is indexed once, for all that looks through it.
    past: search::Past<'a>,
}

/// Where a memory is looked for; or why no search of them finds it.
fn looked_for<'a>(
    c: &'a Connection,
    caller: &Caller,
    recall: &MemoryRecall,
    memory: &Memory,
    filter: &UnitFilter,
) -> Result<Result<Searched<'a>, WhyNot>, Fault> {
    let spaces: Vec<SpaceId> =
        crate::spaces::asked(c, caller, recall.space.as_deref())?.into_iter().map(|space| space.id).collect();
    if !spaces.contains(&memory.space_id) {
        return Ok(Err(lost(Lost::Space, "Its space was not searched. Ask in that space, or in all.")));
    }
    let rids = units::rids_of(c, &memory.id)?;
    let is_forgotten = memories::is_redacted(c, &memory.id)?;
    if let Some(why) = unfindable((memory, is_forgotten), (recall, filter.gone_by), rids.is_empty()) {
        return Ok(Err(why));
    }
    let past = search::past(c, &spaces, filter)?;
    let passing: HashSet<i64> = filter.keep(c, &rids)?.into_iter().chain(past.rids()).collect();
    if !rids.iter().any(|rid| passing.contains(rid)) {
        let filtered = filtered(c, memory, recall, &rids)?;
        return Ok(Err(lost(
            Lost::Filter,
            match past.notice().filter(|_| memory.status != MemoryStatus::Active || memory.tier == Tier::Cold) {
                Some(notice) => format!("{filtered} Or it was not looked at. {notice}"),
                None => filtered,
            },
        )));
    }
    Ok(Ok(Searched { spaces, rids, past }))
}

/// Which filter of a question leaves a memory out.
fn filtered(c: &Connection, memory: &Memory, recall: &MemoryRecall, rids: &[i64]) -> Result<String, Fault> {
    // What is out of use or cold passes none of them by itself.
    let by = if memory.status == MemoryStatus::Active && memory.tier != Tier::Cold {
        left_out_by(c, recall, rids)?
    } else {
        Vec::new()
    };
    Ok(match by.as_slice() {
        [] => "A filter of the question leaves it out: its type, date, source, tags or words.".to_owned(),
        by => format!("A filter of the question leaves it out: {}.", by.join("; ")),
    })
}

/// Those of the conditions of a question that a memory does not meet, each by itself, in words for a person.
fn left_out_by(c: &Connection, recall: &MemoryRecall, rids: &[i64]) -> Result<Vec<String>, Fault> {
    let one = || MemoryRecall { utc_offset: recall.utc_offset, ..MemoryRecall::default() };
    let mut conditions = vec![
        (
            MemoryRecall { modalities: recall.modalities.clone(), mails: recall.mails, ..one() },
            "it is of another type".to_owned(),
        ),
        (MemoryRecall { tiers: recall.tiers.clone(), ..one() }, "it is of another tier".to_owned()),
        (MemoryRecall { since: recall.since, ..one() }, "it is dated earlier than that".to_owned()),
        (MemoryRecall { until: recall.until, ..one() }, "it is dated later than that".to_owned()),
        (MemoryRecall { as_of: recall.as_of, ..one() }, "it was not so on the day that is asked about".to_owned()),
        (
            MemoryRecall { known_at: recall.known_at, ..one() },
            "it was not known on the day that is asked about".to_owned(),
        ),
        (
            MemoryRecall { from: recall.from.clone(), ..one() },
            format!("it is not from \"{}\"", recall.from.join("\" or \"")),
        ),
    ];
    // Which tags count is told by the time that is asked for, where the memory was there at that time at all.
    let then = filter(&MemoryRecall { as_of: recall.as_of, known_at: recall.known_at, ..one() });
    let was_there = then.is_open() || !then.keep(c, rids)?.is_empty();
    let (as_of, known_at) = if was_there { (recall.as_of, recall.known_at) } else { (None, None) };
    for tag in &recall.tags {
        let says = format!("it does not carry the tag \"{tag}\"");
        conditions.push((MemoryRecall { tags: vec![tag.clone()], as_of, known_at, ..one() }, says));
    }
    for phrase in &recall.phrases {
        let says = format!("it does not say \"{phrase}\" in these words and this order");
        conditions.push((MemoryRecall { phrases: vec![phrase.clone()], ..one() }, says));
    }
    for without in &recall.without {
        let says = format!("it says \"{without}\"");
        conditions.push((MemoryRecall { without: vec![without.clone()], ..one() }, says));
    }
    let mut unmet = Vec::new();
    for (condition, says) in conditions {
        let condition = filter(&condition);
        if !condition.is_open() && condition.keep(c, rids)?.is_empty() {
            unmet.push(says);
        }
    }
    Ok(unmet)
}

/// Why a memory is not among the newest that pass.
fn among_newest(engine: &Engine, caller: &Caller, recall: &MemoryRecall, id: &str) -> Outcome<WhyNot> {
    let filter = filter_now(engine, recall);
    engine.read(|c| {
        let memory = expected(c, caller, id)?;
        let Searched { spaces, past, .. } = match looked_for(c, caller, recall, &memory, &filter)? {
            Ok(found) => found,
            Err(why) => return Ok(why),
        };
        let given = newest::find(c, &spaces, (&filter, &past), super::limit(recall))?;
        let passages = hits::passages(c, &given, &past.rids())?;
        Ok(match given.iter().position(|rid| is_of(&memory, *rid, &passages)) {
            Some(at) => {
                WhyNot { rank: Some(at as u32 + 1), ..lost(Lost::Given, format!("It is there, in place {}.", at + 1)) }
            }
            None => lost(Lost::Rank, "It passes, and others are newer."),
        })
    })
}

/// The memory of that id, or that stands for the file of that id, where the caller may read it.
fn expected(c: &Connection, caller: &Caller, id: &str) -> Result<Memory, Fault> {
    let unknown = || not_found("memory or file", id);
    let readable = crate::spaces::readable(c, caller, None)?;
    // Both are always asked, so that the database does the same for what is closed as for what is not there.
    let memory = memories::by_id(c, &MemoryId::parse(id.to_owned()).map_err(|_| unknown())?)?;
    let of_file = memories::by_artifact(c, &ArtifactId::parse(id.to_owned()).map_err(|_| unknown())?)?;
    let known = |memory: &Memory| readable.iter().any(|space| space.id == memory.space_id);
    Ok(memory.or(of_file).filter(known).ok_or_else(unknown)?)
}

fn lost(lost: Lost, reason: impl Into<String>) -> WhyNot {
    let reason = reason.into();
    let (words_missing, weights) = (Vec::new(), BTreeMap::new());
    WhyNot { lost, reason, rank: None, traced: None, weights, least_given: None, words_missing }
}

/// What no search can find. `gone_by` is that of the [filter](UnitFilter::gone_by).
fn unfindable(
    (memory, is_forgotten): (&Memory, bool),
    (recall, gone_by): (&MemoryRecall, Option<EpochMs>),
    wordless: bool,
) -> Option<WhyNot> {
    if is_forgotten {
        return Some(lost(Lost::OutOfUse, "It was forgotten, and cannot be restored."));
    }
    if has_expired(memory, recall, gone_by) {
        let told = if recall.as_of.is_some() { EXPIRED_THEN } else { EXPIRED };
        return Some(lost(Lost::OutOfUse, told));
    }
    let now = recall.as_of.is_none() && recall.known_at.is_none();
    match memory.status {
        MemoryStatus::Active if memory.tier == Tier::Cold && !recall.tiers.contains(&Tier::Cold) => {
            return Some(lost(Lost::Filter, "It is cold. Ask with tier:cold, or say that it is warm."));
        }
        MemoryStatus::Active => {}
        MemoryStatus::Deleted => return Some(lost(Lost::OutOfUse, "It was removed from recall. It can be restored.")),
        MemoryStatus::Superseded if now => {
            return Some(lost(Lost::OutOfUse, "Something newer took its place. Ask as of an earlier day to find it."));
        }
        status if now => {
            return Some(lost(Lost::OutOfUse, format!("It is out of use: {}.", status.as_str())));
        }
        _ => {}
    }
    wordless.then(|| lost(Lost::NotRead, "Nothing was read from it yet, or it has no words."))
}

/// What is told of a memory whose time is over.
const EXPIRED: &str = "It expired: its time is over, and it goes out of use by itself. Ask as of an earlier day to find it, or \
                       restore it.";

/// The same where a day is asked about: it may be in use today.
const EXPIRED_THEN: &str = "It expired by then: its time ends before that day. Ask as of an earlier day to find it.";

/// Whether the time of a memory had come by then. It may be in use still, until somebody takes it out: no search finds it either way.
fn has_expired(memory: &Memory, recall: &MemoryRecall, gone_by: Option<EpochMs>) -> bool {
    let by = match memory.status {
        MemoryStatus::Active => gone_by,
        // When it was noticed tells what was known of it.
        MemoryStatus::Expired if recall.known_at.is_none() => Some(recall.as_of.unwrap_or(EpochMs::MAX)),
        _ => None,
    };
    by.zip(memory.expires_at).is_some_and(|(by, at)| at <= by)
}

/// What a memory is called in a sentence. Its first words are nothing that an agent is told here: what is hidden from agents may be in
/// them, and the sentence does not tell where they are from.
fn called(caller: &Caller, memory: &Memory) -> String {
    let first = || memory.content.as_deref().filter(|_| !caller.is_agent()).map(first_words);
    memory.title.clone().or_else(first).map_or_else(|| "It".to_owned(), |name| format!("\"{name}\""))
}

/// Whether a passage is one of a memory.
fn is_of(memory: &Memory, rid: i64, passages: &HashMap<i64, hits::Passage>) -> bool {
    passages.get(&rid).is_some_and(|passage| passage.memory == memory.id.as_str())
}

/// Where its best passage stands, in an answer that may be none.
fn placed(
    c: &Connection,
    question: &Question,
    (memory, called): (&Memory, &str),
    rids: &[i64],
    (ranking, abstains): (&fuse::Ranking, bool),
) -> Result<WhyNot, Fault> {
    let missing = missing(c, question, rids)?;
    let least = ranking.given.last().map(|candidate| candidate.score);
    let is_its = |candidate: &fuse::Candidate| is_of(memory, candidate.rid, &ranking.passages);
    if let Some(at) = ranking.given.iter().position(is_its) {
        let traced = trace::traced(&ranking.given[at], ranking, None);
        let place = at + 1;
        let reason = match abstains {
            true => format!(
                "It was found, in place {place}, but nothing is called an answer: only the closest are shown then."
            ),
            false => format!("It is there, in place {place}."),
        };
        return Ok(whole(lost(Lost::Given, reason), Some(at as u32 + 1), traced, least, missing));
    }
    let Some(at) = ranking.rejected.iter().position(|(candidate, _)| is_its(candidate)) else {
        let words =
            if missing.len() == question.words.len() { "has none of the words" } else { "has too few of the words" };
        let reason = format!("{called} {words}, and its meaning is not among the nearest.");
        return Ok(whole(lost(Lost::NotFound, reason), None, None, least, missing));
    };
    let (candidate, gate) = &ranking.rejected[at];
    let traced = trace::traced(candidate, ranking, Some(*gate));
    Ok(match gate {
        Gate::BeyondLimit => {
            let others = ranking.rejected[..at].iter().filter(|(_, gate)| *gate == Gate::BeyondLimit).count();
            let rank = (ranking.given.len() + others + 1) as u32;
            let reason = format!("It was found, in place {rank}: others fit better.");
            whole(lost(Lost::Rank, reason), Some(rank), traced, least, missing)
        }
        gate => whole(lost(Lost::Gate, gates::in_words(*gate)), None, traced, least, missing),
    })
}

fn whole(of: WhyNot, rank: Option<u32>, traced: Option<Traced>, least: Option<f64>, missing: Vec<String>) -> WhyNot {
    let weights = traced.as_ref().map(|_| score::weights()).unwrap_or_default();
    WhyNot { rank, traced, weights, least_given: least, words_missing: missing, ..of }
}

/// Words of the question that no text has that the passages are cut from, together with its title and headings, as for how well it
/// answers.
fn missing(c: &Connection, question: &Question, rids: &[i64]) -> Result<Vec<String>, Fault> {
    let mut found = BTreeSet::new();
    for (text, name) in units::sources_of(c, rids)? {
        found.extend(parts::look_at(c, &text, |text| question.held_by(&name, text))?);
    }
    let words = question.words.iter().enumerate();
    Ok(words.filter(|(at, _)| !found.contains(at)).map(|(_, word)| word.clone()).collect())
}
