//! Ranking: what the searches found is scored by its signals beside its neighbours, and what is not worth giving is left out.

use super::fuse::{self, Ranked, Ranking};
use super::naming::Naming;
use super::part::Part;
use super::rerank::Reranking;
use super::search::Found;
use super::wanted::Wanted;
use super::words::Question;
use super::{Steps, diverse, search};
use crate::error::Fault;
use std::collections::{BTreeSet, HashMap, HashSet};
use um_model::EpochMs;
use um_store::filter::{Then, UnitFilter};
use um_store::{Connection, hits, vectors};

/// So many times what a search contributes is considered at most, neighbours aside: what one space may give, by words and by meaning, of a
/// period, and of what is out of use. Of more spaces it is no more.
const SEARCHES: usize = 4;
/// So many of the first of each list by words come before what else has as few of the question's words.
const FIRSTS: u32 = 3;

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
    if narrowed.1.latest {
        // A reranker reads no dates.
        ranked.put_newest_first(asked.0, narrowed.1.now.at());
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
    keep_best(&mut candidates, search::depth(limit));
    meaning(c, &mut candidates, vector)?;
    words_alone(c, &mut candidates, vector.is_some())?;
    let (passages, places) = passages(c, &mut candidates, &found.past, (filter, wanted))?;
    let naming = Naming::of(c, &passages, (filter, wanted))?;
    if !wanted.entities.is_empty() {
        fuse::add_entities(&mut candidates, &passages, &naming);
    }
    if !wanted.is_without(Part::Tags) {
        tagged(c, &mut candidates, &passages, (question, filter.then))?;
    }
    meaning(c, &mut candidates, vector)?;
    let mut ranked = fuse::fuse(candidates, wanted, (passages, &places));
    let by = filter.then.earlier().unwrap_or(EpochMs::MAX);
    ranked.decided_against(&hits::decided_against(c, &ranked.best(fuse::DECIDED.max(limit)), by)?);
    Ok((ranked, naming))
}

/// Keeps the best of what the lists of all spaces name, [`SEARCHES`] times the `depth` of a list at most. Meaning and periods are searched
/// over all spaces together, and what they found stays. Of the rest, the best by words do; and as many as one list may name are taken from
/// what stands first in its own space, so that no other space's many passages outnumber it.
fn keep_best(candidates: &mut fuse::Candidates, depth: usize) {
    let most = SEARCHES * depth;
    if candidates.len() <= most {
        return;
    }
    let is_bounded = |one: &&fuse::Candidate| one.parts.vector_rank.is_some() || one.parts.period.is_some();
    let (kept, mut others): (Vec<_>, Vec<_>) = candidates.values().partition(is_bounded);
    let room = most.saturating_sub(kept.len());
    let words = |one: &fuse::Candidate| one.parts.words.unwrap_or(0.0);
    others.sort_by(|a, b| words(b).total_cmp(&words(a)).then(a.rid.cmp(&b.rid)));
    let best = room.saturating_sub(depth).min(others.len());
    // Those of one place stay in the order of their words.
    others[best..].sort_by_key(|one| one.parts.bm25_rank.unwrap_or(u32::MAX).min(FIRSTS + 1));
    let kept: HashSet<i64> = kept.into_iter().chain(others.into_iter().take(room)).map(|one| one.rid).collect();
    candidates.retain(|rid, _| kept.contains(rid));
}

/// Takes the neighbours of the best candidates in, and reads all of them, with where they stand.
fn passages(
    c: &Connection,
    candidates: &mut fuse::Candidates,
    past: &[i64],
    (filter, wanted): (&UnitFilter, &Wanted),
) -> Result<(HashMap<i64, hits::Passage>, hits::Places), Fault> {
    let (best, mut places) = (fuse::best(candidates), hits::Places::default());
    places.look_up(c, &best)?;
    let mut near: Vec<i64> = match wanted.is_without(Part::Neighbours) {
        true => Vec::new(),
        false => fuse::neighbours_to_add(candidates, &best, &places),
    };
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
    // What has no vector there repeats nothing.
    let vectors = match wanted.is_without(Part::Diversity) {
        true => diverse::Vectors::new(),
        false => diverse::vectors_of(c, &ranked, limit)?,
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use fuse::Lists;

    /// What is kept of lists by words, with how many of the question's words their first ones hold, and of the other lists, where a list
    /// names so many at most.
    fn kept(depth: usize, words: Vec<(usize, Vec<(i64, f64)>)>, lists: Lists) -> Vec<i64> {
        let held = words.iter().filter_map(|(held, list)| Some((list.first()?.0, *held))).collect();
        let lists = Lists { words: words.into_iter().map(|(_, list)| list).collect(), ..lists };
        let mut candidates = fuse::candidates(&lists, &held);
        keep_best(&mut candidates, depth);
        candidates.into_keys().collect()
    }

    /// A list of so many passages from this one on, each somewhat worse than the one before.
    fn list(first: i64, number: i64) -> Vec<(i64, f64)> {
        (0..number).map(|at| (first + at, 9.0 - at as f64 / 100.0)).collect()
    }

    #[test]
    fn nothing_of_one_space_is_left_out() {
        let (in_use, past) = ((1, list(0, 2)), (1, list(100, 2)));
        let lists = Lists { meaning: list(200, 2), period: vec![300, 301], ..Lists::default() };
        assert_eq!(kept(2, vec![in_use, past], lists), [0, 1, 100, 101, 200, 201, 300, 301]);
    }

    #[test]
    fn as_much_is_kept_of_many_spaces_as_one_may_give() {
        for spaces in [5, 40, 300] {
            let words: Vec<_> = (0..spaces).map(|space| (1, list(space * 1_000, 75))).collect();
            let lists = Lists { meaning: list(900, 75), period: (800..875).collect(), ..Lists::default() };
            assert_eq!(kept(75, words, lists).len(), 300, "{spaces}");
        }
    }

    #[test]
    fn what_is_found_by_meaning_or_of_a_period_stays_however_few_words_it_has() {
        let words: Vec<_> = (0..9).map(|space| (4, list(space * 100, 2))).collect();
        let lists = Lists { meaning: vec![(7_000, 0.1)], period: vec![8_000], ..Lists::default() };
        let kept = kept(2, words, lists);
        assert_eq!(kept.len(), 8);
        assert!(kept.ends_with(&[7_000, 8_000]), "{kept:?}");
    }

    #[test]
    fn what_stands_first_in_its_space_is_not_outnumbered() {
        // Those of the others hold all the words, and there are more of them than are kept.
        let mut words: Vec<_> = (0..3).map(|space| (4, list(space * 100, 10))).collect();
        words.push((1, list(1_000, 10)));
        let kept = kept(5, words, Lists::default());
        let of_the_last: Vec<i64> = kept.iter().copied().filter(|rid| *rid >= 1_000).collect();
        assert_eq!((kept.len(), of_the_last.as_slice()), (20, [1_000, 1_001, 1_002].as_slice()), "{kept:?}");
        assert!([0, 1, 2, 3, 4, 100, 104, 200, 204].iter().all(|rid| kept.contains(rid)), "{kept:?}");
    }
}
