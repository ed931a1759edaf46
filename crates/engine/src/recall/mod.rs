//! Recall: words and meaning are searched in each space's own indexes, the lists are fused by rank, and
//! every hit is traced back to the exact words of its source.

mod cite;
mod fuse;
mod words;

use crate::error::{Outcome, invalid};
use crate::{Caller, Engine};
use fuse::{Candidate, Lists};
use std::collections::BTreeMap;
use std::time::Instant;
use um_model::recall::{MemoryRecall, Recalled};
use um_model::spaces::Space;
use um_store::fts::UnitFilter;
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
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let mut lists = Lists::default();
        for space in &spaces {
            search_space(c, space, &question, vector.as_deref(), &filter, &mut lists)?;
        }
        clock.step("search");
        let ranked = rank(c, &lists, limit)?;
        clock.step("fuse");
        let hits = cite::cite(c, &question, &ranked)?;
        clock.step("cite");
        let answer = fuse::answerability(&question, &hits);
        Ok(Recalled {
            abstained: answer.abstains,
            reason: answer.reason,
            answerability: answer.score,
            hits,
            notices,
            spaces: spaces.into_iter().map(|space| space.id).collect(),
            timings: clock.0.1,
        })
    })
}

/// Searches one space by words and by meaning, each within what the filter lets through.
fn search_space(
    c: &Connection,
    space: &Space,
    question: &Question,
    vector: Option<&[f32]>,
    filter: &UnitFilter,
    lists: &mut Lists,
) -> Result<(), crate::error::Fault> {
    let allowed = if filter.is_open() { None } else { Some(filter.rids(c, &space.id)?) };
    if let Some(allowed) = &allowed {
        lists.allowed.get_or_insert_default().extend(allowed);
    }
    if let (Some(table), Some(expression)) = (fts::table(c, &space.id)?, question.match_expression()) {
        lists.words.push(fts::search(c, &table, &expression, allowed.as_deref(), DEPTH)?);
    }
    if let Some(vector) = vector {
        lists.meaning.extend(vectors::nearest(c, &space.id, vector, allowed.as_deref(), DEPTH)?);
    }
    Ok(())
}

/// Fuses the lists, with the neighbourhoods of what they found, and keeps the best passage of each
/// memory.
fn rank(c: &Connection, lists: &Lists, limit: usize) -> Result<Vec<Candidate>, crate::error::Fault> {
    let mut candidates = fuse::candidates(lists);
    let mut near: Vec<i64> = fuse::neighbours_to_add(&candidates);
    // A neighbour is no way around the filter.
    near.retain(|rid| lists.allowed.as_ref().is_none_or(|allowed| allowed.contains(rid)));
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
