//! Recall: words and meaning are searched in each space's own indexes, the lists are fused by rank, and
//! every hit is traced back to the exact words of its source.

pub(crate) mod cite;
mod fuse;
pub(crate) mod words;

use crate::error::{Outcome, invalid};
use crate::{Caller, Engine};
use fuse::{Candidate, Lists};
use std::collections::BTreeMap;
use std::time::Instant;
use um_model::SpaceId;
use um_model::recall::{MemoryRecall, Recalled};
use um_store::filter::{Admitted, UnitFilter};
use um_store::{Connection, fts, hits, vectors};
use words::Question;

/// So many passages each search of each space contributes.
const DEPTH: usize = 100;
/// The longest question, in characters.
const MAX_QUERY: usize = 2_000;

/// Finds the passages that answer a question.
pub(crate) fn memory_recall(engine: &Engine, caller: &Caller, request: MemoryRecall) -> Outcome<Recalled> {
    let question = Question::parse(&request.query);
    if question.text.is_empty() || request.query.chars().count() > MAX_QUERY {
        return Err(invalid("A question has 1 to 2,000 characters."));
    }
    if question.words.is_empty() {
        return Err(invalid("There is no word in this question.").hint("Ask with words, letters or numbers."));
    }
    let limit = request.limit.unwrap_or(10).clamp(1, 100) as usize;
    let mut clock = Steps::begin();
    let mut notices = Vec::new();
    let vector = crate::work::embed_query(engine, &question.text)
        .map_err(|error| notices.push(format!("Meaning was not searched, only words. {error}")))
        .ok();
    clock.step("embed");
    let filter = UnitFilter {
        modalities: request.modalities.iter().map(|m| m.as_str().to_owned()).collect(),
        since: request.since,
        until: request.until,
    };
    engine.read(|c| {
        let spaces = crate::spaces::asked(c, caller, request.space.as_deref())?;
        let ids: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let admitted = filter.admit(c, &ids)?;
        clock.step("filter");
        let words = by_words(c, &ids, &question, &admitted)?;
        clock.step("words");
        let meaning = vector.map(|vector| vectors::nearest(c, &ids, &vector, &admitted, DEPTH)).transpose()?;
        clock.step("meaning");
        let ranked = rank(c, &Lists { words, meaning: meaning.unwrap_or_default() }, &filter, limit)?;
        clock.step("fuse");
        let mut hits = cite::cite(c, &question, &ranked)?;
        if !request.why {
            hits.iter_mut().for_each(|hit| hit.envelope = None);
        }
        clock.step("cite");
        let answer = fuse::answerability(&question, &hits);
        Ok(Recalled {
            abstained: answer.abstains,
            reason: answer.reason,
            answerability: answer.score,
            hits,
            notices,
            spaces: ids,
            timings: clock.0.1,
        })
    })
}

/// Searches each space by words, as scores of different spaces do not compare.
fn by_words(
    c: &Connection,
    spaces: &[SpaceId],
    question: &Question,
    admitted: &Admitted<'_>,
) -> Result<Vec<Vec<(i64, f64)>>, crate::error::Fault> {
    let Some(expression) = question.match_expression() else { return Ok(Vec::new()) };
    Ok(spaces.iter().map(|space| fts::search(c, space, &expression, admitted, DEPTH)).collect::<Result<_, _>>()?)
}

/// Fuses the lists, with the neighbourhoods of what they found, and keeps the best passage of each
/// memory.
fn rank(
    c: &Connection,
    lists: &Lists,
    filter: &UnitFilter,
    limit: usize,
) -> Result<Vec<Candidate>, crate::error::Fault> {
    let mut candidates = fuse::candidates(lists);
    let mut near: Vec<i64> = fuse::neighbours_to_add(&candidates);
    if !filter.is_open() {
        // A neighbour is no way around the filter.
        let passing = filter.keep(c, &near)?;
        near.retain(|rid| passing.contains(rid));
    }
    let known: Vec<i64> = candidates.keys().copied().chain(near.iter().copied()).collect();
    let places = hits::neighbourhoods(c, &known)?;
    fuse::add_neighbours(&mut candidates, &near, &places);
    Ok(fuse::fuse(candidates, &places, limit))
}

/// Milliseconds spent, by step.
struct Steps((Instant, BTreeMap<String, f64>));

impl Steps {
    fn begin() -> Self {
        Self((Instant::now(), BTreeMap::new()))
    }

    fn step(&mut self, name: &str) {
        let spent = self.0.0.elapsed().as_secs_f64() * 1000.0;
        self.0.1.insert(name.to_owned(), (spent * 1000.0).round() / 1000.0);
        self.0.0 = Instant::now();
    }
}
