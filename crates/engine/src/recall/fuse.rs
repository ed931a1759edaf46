//! Fusing ranked lists: reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) over three lists:
//! words, meaning, and the company that a passage keeps.

use super::words::Question;
use std::collections::{BTreeMap, HashMap, HashSet};
use um_model::UnitId;
use um_model::recall::{Hit, ScoreParts};
use um_model::traces::{Gate, RecallTrace};
use um_store::hits::Neighbourhood;

/// The version of the ranking: another one may order the same signals differently.
pub(super) const VERSION: &str = "rrf-company-2";

/// RRF's constant: how much the first ranks stand out. Small, so that one strong signal can win: with
/// the paper's 60 the fused list came out below BM25 alone on the development set of conversations.
const K: f64 = 4.0;
/// What each list weighs; measured on that set.
const WORDS: f64 = 1.0;
const MEANING: f64 = 0.8;
const COMPANY: f64 = 0.4;
/// So many of the best passages bring their neighbours in.
const EXPANDED: usize = 30;
/// A neighbour so many places away counts so much.
const NEAR: [(i64, f64); 2] = [(1, 1.0), (2, 0.5)];
/// What all of a thread's other passages together count beside the nearest ones.
const THREAD: f64 = 0.15;

/// What the searches found.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// By words: one list a space, as BM25 scores of different spaces do not compare.
    pub(super) words: Vec<Vec<(i64, f64)>>,
    /// By meaning, best first: cosines compare across spaces.
    pub(super) meaning: Vec<(i64, f64)>,
}

/// A passage on its way to the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Candidate {
    pub(super) rid: i64,
    pub(super) score: f64,
    pub(super) parts: ScoreParts,
}

fn reciprocal(rank: Option<u32>) -> f64 {
    rank.map_or(0.0, |rank| 1.0 / (K + f64::from(rank)))
}

/// A score, from its signals and nothing else: a trace can be computed again.
pub(super) fn score(parts: &ScoreParts) -> f64 {
    let own = WORDS * reciprocal(parts.bm25_rank) + MEANING * reciprocal(parts.vector_rank);
    own + COMPANY * reciprocal(parts.context_rank)
}

/// Every passage that a list names, with its ranks.
pub(super) fn candidates(lists: &Lists) -> BTreeMap<i64, Candidate> {
    let mut all: BTreeMap<i64, Candidate> = BTreeMap::new();
    for list in &lists.words {
        for (place, (rid, score)) in list.iter().enumerate() {
            let parts = &mut all.entry(*rid).or_default().parts;
            parts.bm25_rank = Some(place as u32 + 1);
            parts.bm25 = Some(*score);
        }
    }
    for (place, (rid, cosine)) in lists.meaning.iter().enumerate() {
        let parts = &mut all.entry(*rid).or_default().parts;
        parts.vector_rank = Some(place as u32 + 1);
        parts.cosine = Some(*cosine);
    }
    for (rid, candidate) in &mut all {
        candidate.rid = *rid;
        candidate.score = score(&candidate.parts);
    }
    all
}

/// The neighbours of the best candidates that are no candidates yet: an answer often stands beside the
/// words that were asked for.
pub(super) fn neighbours_to_add(candidates: &BTreeMap<i64, Candidate>) -> Vec<i64> {
    let mut best: Vec<&Candidate> = candidates.values().collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.rid.cmp(&b.rid)));
    let mut near: Vec<i64> = best
        .iter()
        .take(EXPANDED)
        .flat_map(|candidate| [candidate.rid - 1, candidate.rid + 1])
        .filter(|rid| !candidates.contains_key(rid))
        .collect();
    near.sort_unstable();
    near.dedup();
    near
}

/// Takes those neighbours in that stand in one thread with a candidate.
pub(super) fn add_neighbours(candidates: &mut BTreeMap<i64, Candidate>, near: &[i64], places: &[Neighbourhood]) {
    let threads: HashMap<i64, &str> = places.iter().map(|place| (place.rid, place.thread.as_str())).collect();
    for rid in near {
        let Some(thread) = threads.get(rid) else { continue };
        let beside = [rid - 1, rid + 1]
            .iter()
            .any(|other| candidates.contains_key(other) && threads.get(other) == Some(thread) && !near.contains(other));
        if beside {
            candidates.insert(*rid, Candidate { rid: *rid, ..Candidate::default() });
        }
    }
}

/// The passages of a trace in the order that their signals give, with their scores.
pub(super) fn replay(trace: &RecallTrace) -> Vec<(UnitId, f64)> {
    let mut scored: Vec<(UnitId, f64)> =
        trace.given.iter().map(|traced| (traced.unit.clone(), score(&traced.signals))).collect();
    // Equal scores keep the order in which they stand: that of their rids.
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored
}

/// What is given, and what is not.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// How many passages were considered.
    pub(super) considered: usize,
    /// Best first.
    pub(super) given: Vec<Candidate>,
    /// The best of those that are not, with why, best first.
    pub(super) rejected: Vec<(Candidate, Gate)>,
    /// Where they all stand.
    pub(super) places: HashMap<i64, Neighbourhood>,
}

/// Fuses, keeps the best passage of each memory, and gives the best `limit`; ties go by rid.
pub(super) fn fuse(candidates: BTreeMap<i64, Candidate>, places: Vec<Neighbourhood>, limit: usize) -> Ranking {
    let place_of: HashMap<i64, Neighbourhood> = places.into_iter().map(|place| (place.rid, place)).collect();
    let company = company(&candidates, &place_of);
    let alone = alone(&candidates, &place_of);
    let mut ranked: Vec<Candidate> = candidates
        .into_values()
        .filter(|candidate| place_of.contains_key(&candidate.rid))
        .map(|mut candidate| {
            if let Some((rank, score)) = company.get(&candidate.rid) {
                candidate.parts.context = Some(*score);
                candidate.parts.context_rank = Some(*rank);
            } else {
                candidate.parts.context_rank = alone.get(&candidate.rid).copied();
            }
            candidate.score = score(&candidate.parts);
            candidate
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.rid.cmp(&b.rid)));
    let mut ranking = Ranking { considered: ranked.len(), ..Ranking::default() };
    let mut seen = HashSet::new();
    for candidate in ranked {
        let gate = match seen.contains(place_of[&candidate.rid].memory.as_str()) {
            true => Gate::SameMemory,
            false if ranking.given.len() == limit => Gate::BeyondLimit,
            false => {
                seen.insert(place_of[&candidate.rid].memory.as_str());
                ranking.given.push(candidate);
                continue;
            }
        };
        ranking.rejected.push((candidate, gate));
    }
    ranking.places = place_of;
    ranking
}

/// Passages that are all there is of their thread, each with its own rank: what can have no company is not
/// pushed aside by what has.
fn alone(candidates: &BTreeMap<i64, Candidate>, places: &HashMap<i64, Neighbourhood>) -> HashMap<i64, u32> {
    let mut members: HashMap<&str, u32> = HashMap::new();
    for place in places.values() {
        *members.entry(place.thread.as_str()).or_default() += 1;
    }
    let mut own: Vec<&Candidate> = candidates.values().collect();
    own.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.rid.cmp(&b.rid)));
    own.iter()
        .zip(1..)
        .filter(|(candidate, _)| places.get(&candidate.rid).is_some_and(|place| members[place.thread.as_str()] == 1))
        .map(|(candidate, rank)| (candidate.rid, rank))
        .collect()
}

/// Each candidate's rank and score by the company it keeps: its neighbours' own scores, and a little of
/// its whole thread's.
fn company(candidates: &BTreeMap<i64, Candidate>, places: &HashMap<i64, Neighbourhood>) -> HashMap<i64, (u32, f64)> {
    let own = |rid: i64| candidates.get(&rid).map_or(0.0, |c| c.score);
    let mut threads: HashMap<&str, f64> = HashMap::new();
    for (rid, place) in places {
        *threads.entry(place.thread.as_str()).or_default() += own(*rid);
    }
    let mut scored: Vec<(i64, f64)> = candidates
        .keys()
        .filter_map(|rid| {
            let place = places.get(rid)?;
            let same = |other: i64| places.get(&other).is_some_and(|p| p.thread == place.thread);
            let near: f64 = NEAR
                .iter()
                .flat_map(|(step, weight)| [(rid - step, *weight), (rid + step, *weight)])
                .filter(|(other, _)| same(*other))
                .map(|(other, weight)| weight * own(other))
                .sum();
            let rest = threads[place.thread.as_str()] - own(*rid);
            let score = near + THREAD * rest;
            (score > 0.0).then_some((*rid, score))
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.into_iter().enumerate().map(|(rank, (rid, score))| (rid, (rank as u32 + 1, score))).collect()
}

/// How well the best hit answers.
pub(super) struct Answer {
    /// 0 to 1.
    pub(super) score: f64,
    /// Whether it is too little to be an answer.
    pub(super) abstains: bool,
    /// Why, in words for a person.
    pub(super) reason: Option<String>,
}

/// Below this, nothing that was found is called an answer.
pub(super) const ENOUGH: f64 = 0.12;

/// Judges the best hits: how many of the question's words they hold, and how near their meaning is.
pub(super) fn answerability(question: &Question, hits: &[Hit]) -> Answer {
    let coverage = |hit: &Hit| {
        let found: std::collections::BTreeSet<usize> = um_words(hit).filter_map(|w| question.matching(w)).collect();
        found.len() as f64 / question.words.len().max(1) as f64
    };
    let best = hits
        .iter()
        .take(3)
        .map(|hit| {
            let near = hit.score_parts.cosine.map_or(0.0, |cosine| ((cosine - 0.2) / 0.6).clamp(0.0, 1.0));
            0.5 * coverage(hit) + 0.5 * near
        })
        .fold(0.0, f64::max);
    let reason = match (hits.is_empty(), best < ENOUGH) {
        (true, _) => Some("Nothing here has these words or their meaning.".to_owned()),
        (false, true) => Some("What was found is far from the question.".to_owned()),
        _ => None,
    };
    Answer { score: best, abstains: reason.is_some(), reason }
}

fn um_words(hit: &Hit) -> impl Iterator<Item = &str> {
    use unicode_segmentation::UnicodeSegmentation;
    hit.quote.unicode_words()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(rid: i64, memory: &str, thread: &str) -> Neighbourhood {
        Neighbourhood { rid, memory: memory.to_owned(), thread: thread.to_owned(), ..Neighbourhood::default() }
    }

    fn check(lists: Lists, places: &[Neighbourhood], expected: &[i64]) {
        let mut found = candidates(&lists);
        let near = neighbours_to_add(&found);
        add_neighbours(&mut found, &near, places);
        let rids: Vec<i64> = fuse(found, places.to_vec(), 10).given.iter().map(|c| c.rid).collect();
        assert_eq!(rids, expected);
    }

    #[test]
    fn both_lists_beat_one() {
        let lists = Lists { words: vec![vec![(10, 3.0), (20, 2.0)]], meaning: vec![(20, 0.9), (30, 0.8)] };
        check(lists, &[place(10, "a", "a"), place(20, "b", "b"), place(30, "c", "c")], &[20, 10, 30]);
    }

    #[test]
    fn ties_go_by_rid_and_spaces_by_rank() {
        let lists = Lists { words: vec![vec![(40, 9.0)], vec![(10, 0.1)]], meaning: vec![] };
        check(lists, &[place(10, "a", "a"), place(40, "b", "b")], &[10, 40]);
    }

    #[test]
    fn one_passage_a_memory() {
        let lists = Lists { words: vec![vec![(10, 3.0), (11, 2.0), (20, 1.0)]], meaning: vec![] };
        check(lists, &[place(10, "a", "a"), place(11, "a", "a"), place(20, "b", "b")], &[10, 20]);
    }

    #[test]
    fn a_neighbour_in_the_thread_comes_along_and_a_stranger_does_not() {
        let lists = Lists { words: vec![vec![(10, 3.0)]], meaning: vec![] };
        check(lists, &[place(9, "x", "other"), place(10, "a", "talk"), place(11, "b", "talk")], &[10, 11]);
    }
}
