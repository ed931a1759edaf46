//! Diversity: of what answers alike, what repeats the passages before it stands behind what does not, so that neither one
//! matter nor one thread fills the list. Maximal marginal relevance (Carbonell and Goldstein, 1998): the passages are taken
//! one after the other, each time the one whose score is best after the taken ones are held against it.
//!
//! How much a passage repeats is a signal like the others. It only grows as more is taken, so that the order in which
//! passages are taken is that of their scores, but for those that are put back, and a trace can be computed again.

use super::fuse::{Candidate, Ranked};
use super::score::score;
use crate::error::Fault;
use std::collections::{HashMap, VecDeque};
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
    rest: VecDeque<Candidate>,
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

impl<'a> Near<'a> {
    /// Of a candidate that nothing is held against yet.
    fn of(candidate: Candidate, (vector, passage): (&'a [f32], &'a Passage)) -> Self {
        let (thread, is_stale) = (passage.thread.as_str(), passage.is_stale);
        Self { candidate, vector, thread, is_stale, likest: 0.0, of_its_thread: 0.0 }
    }

    /// Holds a passage that was given against it; but one that nobody confirmed for long only where it is stale as well, as that one gives
    /// way to a fresher one that says much the same. What it repeats only grows.
    fn hold(&mut self, vector: &[f32], passage: &Passage) {
        if passage.is_stale && !self.is_stale {
            return;
        }
        let cosine = f64::from(vectors::dot(self.vector, vector)).max(0.0);
        self.likest = self.likest.max(cosine);
        self.of_its_thread += if self.thread == passage.thread { cosine } else { 0.0 };
        let parts = &mut self.candidate.parts;
        let repeats = self.likest + OF_ITS_THREAD * self.of_its_thread;
        // Most of what is given is of another thread, and less like it than something before.
        if parts.repeats.is_none_or(|before| before < repeats) {
            parts.repeats = Some(repeats);
            self.candidate.score = score(parts);
        }
    }
}

/// What a passage is compared by, where it can be.
fn known<'a>(rid: i64, vectors: &'a Vectors, passages: &'a HashMap<i64, Passage>) -> Option<(&'a [f32], &'a Passage)> {
    Some((vectors.get(&rid)?.as_slice(), passages.get(&rid)?))
}

impl<'a> Choice<'a> {
    /// Of candidates, best first.
    pub(super) fn of(candidates: Vec<Candidate>, vectors: &'a Vectors, passages: &'a HashMap<i64, Passage>) -> Self {
        let (mut near, mut rest) = (Vec::with_capacity(vectors.len()), VecDeque::new());
        for candidate in candidates {
            match known(candidate.rid, vectors, passages) {
                Some(by) => near.push(Near::of(candidate, by)),
                None => rest.push_back(candidate),
            }
        }
        Self { near, rest }
    }

    /// Holds a passage that was given against what is left.
    pub(super) fn give(&mut self, given: &Candidate, vectors: &Vectors, passages: &HashMap<i64, Passage>) {
        if let Some((vector, passage)) = known(given.rid, vectors, passages) {
            self.near.iter_mut().for_each(|near| near.hold(vector, passage));
        }
    }

    /// Puts a passage back that was taken and not given. It is held against all that is given by now.
    pub(super) fn put_back(
        &mut self,
        candidate: Candidate,
        given: &[Candidate],
        vectors: &'a Vectors,
        passages: &'a HashMap<i64, Passage>,
    ) {
        match known(candidate.rid, vectors, passages) {
            Some(by) => {
                let mut near = Near::of(candidate, by);
                let given = given.iter().filter_map(|one| known(one.rid, vectors, passages));
                given.for_each(|(vector, passage)| near.hold(vector, passage));
                self.near.push(near);
            }
            None => {
                let place = self.rest.partition_point(|one| best_first(one, &candidate).is_lt());
                self.rest.insert(place, candidate);
            }
        }
    }
}

/// The best of what is left; ties go by rid.
impl Iterator for Choice<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let near = self.near.iter().map(|near| &near.candidate).enumerate();
        let best = near.min_by(|(_, a), (_, b)| best_first(a, b));
        match (best, self.rest.front()) {
            (Some((_, near)), Some(other)) if best_first(other, near).is_lt() => self.rest.pop_front(),
            (Some((at, _)), _) => Some(self.near.swap_remove(at).candidate),
            (None, _) => self.rest.pop_front(),
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
    fn what_is_put_back_is_held_against_what_is_given_and_gains_nothing() {
        let passage =
            |rid: i64, is_stale: bool| (rid, Passage { rid, thread: rid.to_string(), is_stale, ..Passage::default() });
        let passages: HashMap<i64, Passage> = [passage(1, false), passage(2, true), passage(3, false)].into();
        let vectors = Vectors::from([(1, vec![1.0, 0.0]), (2, vec![0.6, 0.8])]);
        let check = |rid: i64, before: Option<f64>, expected: Option<f64>| {
            let parts = ScoreParts { words: Some(0.5), repeats: before, ..ScoreParts::default() };
            let candidate = Candidate { rid, score: score(&parts), parts };
            let given = [Candidate { rid: 1, ..Candidate::default() }];
            let mut choice = Choice::of(Vec::new(), &vectors, &passages);
            choice.put_back(candidate, &given, &vectors, &passages);
            let back = choice.next().unwrap();
            let repeats = back.parts.repeats.map(|repeats| (repeats * 1e6).round() / 1e6);
            assert_eq!((repeats, back.score), (expected, score(&back.parts)), "{rid} {before:?}");
        };
        check(2, None, Some(0.6));
        check(2, Some(0.9), Some(0.9));
        check(3, None, None);
    }

    #[test]
    fn what_cannot_be_compared_keeps_its_place() {
        check(&[(1, 1.0, None, "a"), (2, 0.9, None, "a"), (3, 0.8, Some(0.0), "a")], &[1, 2, 3]);
        check(&[(1, 1.0, Some(0.0), "a"), (2, 0.9, Some(0.0), "a"), (3, 0.8, None, "a")], &[1, 3, 2]);
        check(&[(7, 1.0, None, "a"), (5, 1.0, Some(0.0), "a"), (6, 1.0, None, "a")], &[5, 6, 7]);
    }
}
