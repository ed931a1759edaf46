//! Diversity: of what answers alike, what repeats the passages before it stands behind what does not, so that neither one
//! matter nor one thread fills the list. Maximal marginal relevance (Carbonell and Goldstein, 1998): the passages are taken
//! one after the other, each time the one whose score is best after the taken ones are held against it.
//!
//! How much a passage repeats is a signal like the others. It only grows as more is taken, so that the order in which
//! passages are taken is that of their scores, and a trace can be computed again.

use super::fuse::{Candidate, Ranked};
use super::score::score;
use crate::error::Fault;
use std::collections::HashMap;
use std::vec::IntoIter;
use um_store::hits::Passage;
use um_store::{Connection, vectors};

/// Beside as many as are asked for, so many more of the best are compared: what stands further behind does not come up.
const MORE: usize = 20;
/// Each taken passage of its own thread weighs so much of what the likest of all weighs (docs/adr/0016).
const OF_ITS_THREAD: f64 = 0.25;

/// Vectors of passages by their rids, of length one.
pub(super) type Vectors = HashMap<i64, Vec<f32>>;

/// The vectors of the passages that may be among the best `limit`.
pub(super) fn vectors_of(c: &Connection, ranked: &Ranked, limit: usize) -> Result<Vectors, Fault> {
    Ok(vectors::of_units(c, &ranked.best(limit + MORE))?)
}

/// Passages that are taken one after the other, the best of what is left each time.
pub(super) struct Choice<'a> {
    near: Vec<Near<'a>>,
    /// What is compared with nothing, best first.
    rest: IntoIter<Candidate>,
}

/// A passage whose likeness to others is known.
struct Near<'a> {
    candidate: Candidate,
    vector: &'a [f32],
    thread: &'a str,
    is_stale: bool,
    /// The cosine of the likest of those that were taken.
    likest: f64,
    /// The sum of the cosines of those of its thread.
    of_its_thread: f64,
}

impl<'a> Choice<'a> {
    /// Of candidates, best first.
    pub(super) fn of(candidates: Vec<Candidate>, vectors: &'a Vectors, passages: &'a HashMap<i64, Passage>) -> Self {
        let (mut near, mut rest) = (Vec::with_capacity(vectors.len()), Vec::new());
        for candidate in candidates {
            match (vectors.get(&candidate.rid), passages.get(&candidate.rid)) {
                (Some(vector), Some(passage)) => {
                    let (thread, is_stale) = (passage.thread.as_str(), passage.is_stale);
                    near.push(Near { candidate, vector, thread, is_stale, likest: 0.0, of_its_thread: 0.0 });
                }
                _ => rest.push(candidate),
            }
        }
        Self { near, rest: rest.into_iter() }
    }

    /// Holds a passage that was given against what is left; but one that nobody confirmed for long against what is stale as well alone,
    /// as it gives way to a fresher one that says much the same.
    pub(super) fn give(&mut self, given: &Candidate, vectors: &Vectors, passages: &HashMap<i64, Passage>) {
        let (Some(vector), Some(passage)) = (vectors.get(&given.rid), passages.get(&given.rid)) else { return };
        for near in self.near.iter_mut().filter(|near| near.is_stale || !passage.is_stale) {
            let cosine = f64::from(vectors::dot(near.vector, vector)).max(0.0);
            near.likest = near.likest.max(cosine);
            near.of_its_thread += if near.thread == passage.thread { cosine } else { 0.0 };
            let parts = &mut near.candidate.parts;
            parts.repeats = Some(near.likest + OF_ITS_THREAD * near.of_its_thread);
            near.candidate.score = score(parts);
        }
    }
}

/// The best of what is left; ties go by rid.
impl Iterator for Choice<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let near = self.near.iter().map(|near| &near.candidate).enumerate();
        let best = near.min_by(|(_, a), (_, b)| best_first(a, b));
        match (best, self.rest.as_slice().first()) {
            (Some((_, near)), Some(other)) if best_first(other, near).is_lt() => self.rest.next(),
            (Some((at, _)), _) => Some(self.near.swap_remove(at).candidate),
            (None, _) => self.rest.next(),
        }
    }
}

/// Higher scores come first; ties go by rid.
pub(super) fn best_first(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.rid.cmp(&b.rid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::recall::ScoreParts;

    /// Passages with their scores by words, directions in degrees and threads, in the order in which they are taken.
    fn check(passages: &[(i64, f64, Option<f64>, &str)], expected: &[i64]) {
        let thread = |rid: i64, thread: &str| Passage { rid, thread: thread.to_owned(), ..Passage::default() };
        let of = passages.iter().map(|(rid, _, _, name)| (*rid, thread(*rid, name))).collect();
        let vector = |degrees: f64| vec![degrees.to_radians().cos() as f32, degrees.to_radians().sin() as f32];
        let vectors = passages.iter().filter_map(|(rid, _, at, _)| Some((*rid, vector((*at)?)))).collect();
        let candidate = |(rid, words, _, _): &(i64, f64, Option<f64>, &str)| {
            let parts = ScoreParts { words: Some(*words), ..ScoreParts::default() };
            Candidate { rid: *rid, score: score(&parts), parts }
        };
        let mut candidates: Vec<Candidate> = passages.iter().map(candidate).collect();
        candidates.sort_by(best_first);
        let mut choice = Choice::of(candidates, &vectors, &of);
        let mut taken: Vec<Candidate> = Vec::new();
        while let Some(next) = choice.next() {
            choice.give(&next, &vectors, &of);
            taken.push(next);
        }
        assert_eq!(taken.iter().map(|one| one.rid).collect::<Vec<_>>(), expected);
        assert!(taken.is_sorted_by(|a, b| a.score >= b.score), "{taken:?}");
        assert!(taken.iter().all(|one| one.score == score(&one.parts)), "{taken:?}");
    }

    #[test]
    fn what_repeats_stands_behind_what_does_not() {
        // The second says what the first says, the third something else.
        let said = |other: f64| [(1, 1.0, Some(0.0), "a"), (2, 0.95, Some(5.0), "b"), (3, other, Some(90.0), "c")];
        check(&said(0.8), &[1, 3, 2]);
        check(&said(0.7), &[1, 2, 3]);
    }

    #[test]
    fn what_is_stale_is_not_held_against_what_is_fresher() {
        let check = |stale: [bool; 2], expected: bool| {
            let passage = |rid: i64| {
                let is_stale = stale[rid as usize - 1];
                (rid, Passage { rid, thread: rid.to_string(), is_stale, ..Passage::default() })
            };
            let passages: HashMap<i64, Passage> = [passage(1), passage(2)].into();
            let vectors = Vectors::from([(1, vec![1.0, 0.0]), (2, vec![1.0, 0.0])]);
            let candidate = |rid: i64| Candidate { rid, ..Candidate::default() };
            let mut choice = Choice::of(vec![candidate(1), candidate(2)], &vectors, &passages);
            let first = choice.next().unwrap();
            choice.give(&first, &vectors, &passages);
            assert_eq!(choice.next().unwrap().parts.repeats.is_some(), expected, "{stale:?}");
        };
        check([true, false], false);
        check([true, true], true);
        check([false, true], true);
        check([false, false], true);
    }

    #[test]
    fn a_thread_that_fills_the_list_makes_room() {
        let thread = |of: [&'static str; 3]| {
            [(1, 1.0, Some(0.0), of[0]), (2, 0.98, Some(60.0), of[1]), (3, 0.96, Some(-60.0), of[2])]
        };
        check(&thread(["a", "a", "b"]), &[1, 3, 2]);
        check(&thread(["a", "b", "b"]), &[1, 2, 3]);
    }

    #[test]
    fn what_cannot_be_compared_keeps_its_place() {
        check(&[(1, 1.0, None, "a"), (2, 0.9, None, "a"), (3, 0.8, Some(0.0), "a")], &[1, 2, 3]);
        check(&[(1, 1.0, Some(0.0), "a"), (2, 0.9, Some(0.0), "a"), (3, 0.8, None, "a")], &[1, 3, 2]);
        check(&[(7, 1.0, None, "a"), (5, 1.0, Some(0.0), "a"), (6, 1.0, None, "a")], &[5, 6, 7]);
    }
}
