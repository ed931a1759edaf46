//! Ranking: what the searches found is scored by its signals beside its neighbours, and what is not worth giving is left out.

use super::fuse::{self, Ranked, Ranking};
use super::naming::Naming;
use super::rerank::Reranking;
use super::search::Found;
use super::wanted::Wanted;
use super::words::Question;
use super::{Steps, diverse};
use crate::error::Fault;
use std::collections::{BTreeSet, HashMap, HashSet};
use um_model::EpochMs;
use um_store::filter::{Then, UnitFilter};
use um_store::{Connection, hits, vectors};

/// Ranks the passages that the searches found, and their neighbours: they are scored, reranked where somebody reads them, and gated.
pub(super) fn rank(
    c: &Connection,
    found: Found,
    asked: (&Question, Option<&[f32]>),
    narrowed: (&UnitFilter, &Wanted),
    (reranking, clock): (&mut Reranking, &mut Steps),
    limit: usize,
) -> Result<Ranking, Fault> {
    let (mut ranked, naming) = score(c, &found, asked, narrowed, limit)?;
    clock.step("fuse");
    if reranking.rerank(&mut ranked) {
        clock.step("rerank");
    }
    let ranking = gate(c, (found, ranked, naming), narrowed.1, limit)?;
    clock.step("fuse");
    Ok(ranking)
}

/// Scores the passages that the searches found, and their neighbours, by all but what a reranker says of them. Gives as well whom they name.
fn score(
    c: &Connection,
    found: &Found,
    (question, vector): (&Question, Option<&[f32]>),
    (filter, wanted): (&UnitFilter, &Wanted),
    limit: usize,
) -> Result<(Ranked, Naming), Fault> {
    let mut candidates = fuse::candidates(&found.lists, &firsts(c, question, found)?);
    meaning(c, &mut candidates, vector)?;
    words_alone(c, &mut candidates, vector.is_some())?;
    let (passages, places) = passages(c, &mut candidates, &found.past, filter)?;
    let naming = Naming::of(c, &passages, (filter, wanted))?;
    if !wanted.entities.is_empty() {
        fuse::add_entities(&mut candidates, &passages, &naming);
    }
    tagged(c, &mut candidates, &passages, (question, filter.then))?;
    meaning(c, &mut candidates, vector)?;
    let mut ranked = fuse::fuse(candidates, wanted, (passages, &places));
    let by = filter.then.earlier().unwrap_or(EpochMs::MAX);
    ranked.decided_against(&hits::decided_against(c, &ranked.best(fuse::DECIDED.max(limit)), by)?);
    Ok((ranked, naming))
}

/// Takes the neighbours of the best candidates in, and reads all of them, with where they stand.
fn passages(
    c: &Connection,
    candidates: &mut fuse::Candidates,
    past: &[i64],
    filter: &UnitFilter,
) -> Result<(HashMap<i64, hits::Passage>, hits::Places), Fault> {
    let (best, mut places) = (fuse::best(candidates), hits::Places::default());
    places.look_up(c, &best)?;
    let mut near: Vec<i64> = fuse::neighbours_to_add(candidates, &best, &places);
    if !filter.is_open() {
        // A neighbour is no way around the filter; what is out of use and passes is known already.
        let mut passing = filter.keep(c, &near)?;
        passing.extend(past);
        near.retain(|rid| passing.contains(rid));
    }
    let known: Vec<i64> = candidates.keys().copied().chain(near.iter().copied()).collect();
    let mut passages = hits::passages(c, &known, past)?;
    places.look_up(c, &fuse::in_threads(&passages))?;
    fuse::add_neighbours(candidates, &near, &passages, &places);
    // Only what may be given is read.
    passages.retain(|rid, _| candidates.contains_key(rid));
    if !filter.then.is_now() {
        // What nobody confirmed for long by now was fresh then, as far as anything tells. Who is trusted how far, how much a memory matters
        // and whether the person verified it is taken as it is now: how it was is not kept.
        passages.values_mut().for_each(|passage| passage.is_stale = false);
    }
    hits::add_texts(c, &mut passages)?;
    Ok((passages, places))
}

/// Gives the best of what is scored, and leaves out what is not worth giving, with its reason.
fn gate(
    c: &Connection,
    (found, ranked, naming): (Found, Ranked, Naming),
    wanted: &Wanted,
    limit: usize,
) -> Result<Ranking, Fault> {
    let vectors = diverse::vectors_of(c, &ranked, limit)?;
    let Found { nothing_passes, lacks_phrase, unheld, .. } = found;
    Ok(Ranking { nothing_passes, lacks_phrase, unheld, naming, ..fuse::give(ranked, wanted, &vectors, limit) })
}

/// How many of the question's words the first passage of each list by words holds; nothing where there is only one list.
fn firsts(c: &Connection, question: &Question, found: &Found) -> Result<HashMap<i64, usize>, Fault> {
    let firsts: Vec<i64> = found.lists.words.iter().filter_map(|list| list.first()).map(|(rid, _)| *rid).collect();
    if firsts.len() < 2 {
        return Ok(HashMap::new());
    }
    let mut passages = hits::passages(c, &firsts, &found.past)?;
    hits::add_texts(c, &mut passages)?;
    Ok(passages.into_iter().map(|(rid, one)| (rid, question.held_by(&one.name, &one.text).len())).collect())
}

/// Notes which words of the question are tags of the memories: one statement for all. Where another time is asked for, those count that a
/// filter by tags counts then.
fn tagged(
    c: &Connection,
    candidates: &mut fuse::Candidates,
    passages: &HashMap<i64, hits::Passage>,
    (question, then): (&Question, Then),
) -> Result<(), Fault> {
    let memories: BTreeSet<&str> = passages.values().map(|one| one.memory.as_str()).collect();
    let tags = hits::tags_attached(c, &memories.into_iter().collect::<Vec<_>>(), then)?;
    if !tags.is_empty() {
        fuse::add_tags(candidates, passages, (question, &tags));
    }
    Ok(())
}

/// Notes the cosines that are not known yet.
fn meaning(c: &Connection, candidates: &mut fuse::Candidates, vector: Option<&[f32]>) -> Result<(), Fault> {
    let Some(vector) = vector else { return Ok(()) };
    let cosines = vectors::cosines(c, vector, &fuse::without_meaning(candidates))?;
    fuse::add_meaning(candidates, &cosines);
    Ok(())
}

/// Lets words count for meaning as well where a passage has none: where meaning is not searched, all of them, and else those that are not
/// embedded yet. What is a file's name alone never is.
fn words_alone(c: &Connection, candidates: &mut fuse::Candidates, is_searched: bool) -> Result<(), Fault> {
    let without = fuse::without_meaning(candidates);
    let names = match is_searched && !without.is_empty() {
        true => hits::names_alone(c, &without)?,
        false => HashSet::new(),
    };
    fuse::let_words_stand(candidates, &names);
    Ok(())
}
