//! The codes of all vectors that can be found, by their spaces. They lie in blocks that readers share: one that a reader still
//! looks at is copied before it is changed.

use super::code::{self, Question};
use crate::scan::Best;
use std::collections::HashMap;
use std::sync::Arc;
use um_model::EpochMs;

/// So many vectors share a block.
const BLOCK: usize = 2_048;

#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// No rid is less, and none is greater.
    range: (i64, i64),
    rids: Vec<i64>,
    /// When what they are of is dated.
    dates: Vec<EpochMs>,
    scales: Vec<f32>,
    codes: Vec<u64>,
}

impl Block {
    fn remove(&mut self, at: usize, words: usize) {
        self.rids.swap_remove(at);
        self.dates.swap_remove(at);
        self.scales.swap_remove(at);
        let last = self.codes.len() - words;
        self.codes.copy_within(last.., at * words);
        // Nothing of what is forgotten stays.
        self.codes[last..].fill(0);
        self.codes.truncate(last);
    }

    /// Takes in all that another one has.
    fn append(&mut self, other: &Self) {
        self.range = (self.range.0.min(other.range.0), self.range.1.max(other.range.1));
        self.rids.extend_from_slice(&other.rids);
        self.dates.extend_from_slice(&other.dates);
        self.scales.extend_from_slice(&other.scales);
        self.codes.extend_from_slice(&other.codes);
    }
}

/// After something is taken out of a block: leaves it out where it is empty, and makes one of it and one beside it where both together
/// have half of a block at most. So what is left of many takes no more than a few times the room that it needs, whatever comes and goes.
fn close_up(blocks: &mut Shared, at: usize) {
    if blocks[at].rids.is_empty() {
        blocks.remove(at);
        return;
    }
    let has_room =
        |first: &usize| matches!(&blocks[*first..], [one, next, ..] if one.rids.len() + next.rids.len() <= BLOCK / 2);
    if let Some(first) = std::iter::once(at).chain(at.checked_sub(1)).find(has_room) {
        let next = blocks.remove(first + 1);
        Arc::make_mut(&mut blocks[first]).append(&next);
    }
}

/// What is dated at or after the one and before the other; whatever its date, where nothing is said.
pub(super) type Times = Option<(EpochMs, EpochMs)>;

/// Blocks that are looked through.
pub(super) type Shared = Vec<Arc<Block>>;

/// What of some times seems nearest to a question, how near and its rid; at least `wanted` where there are so many.
pub(super) fn nearest(blocks: &Shared, question: &Question, wanted: usize, times: Times) -> Vec<(f32, i64)> {
    let mut best = Best::new(wanted);
    for block in blocks {
        let all = (block.codes.as_slice(), block.scales.as_slice(), block.rids.as_slice());
        match times {
            None => question.compare(all, |_| true, &mut best),
            Some((since, until)) => {
                question.compare(all, |at| (since..until).contains(&block.dates[at]), &mut best);
            }
        }
    }
    best.into_found()
}

/// The rids of all that is looked through.
pub(super) fn rids(blocks: &Shared) -> impl Iterator<Item = i64> {
    blocks.iter().flat_map(|block| block.rids.iter().copied())
}

/// The code that a vector has in memory.
#[derive(Debug)]
pub(super) struct Coded {
    pub(super) rid: i64,
    pub(super) space: String,
    scale: f32,
    code: Vec<u64>,
}

impl Coded {
    /// Whether it is that of a vector.
    pub(super) fn is_of(&self, vector: &[f32]) -> bool {
        let mut code = Vec::with_capacity(self.code.len());
        let scale = code::encode(vector, &mut Vec::new(), &mut code);
        scale.to_bits() == self.scale.to_bits() && code == self.code
    }
}

/// The codes.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    dimensions: usize,
    spaces: HashMap<String, Shared>,
    greatest: i64,
    count: u64,
    sum: i64,
    room: Vec<f32>,
}

impl Blocks {
    pub(super) fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    /// How many dimensions its vectors have.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are, and the sum of their rids: what differs from the index differs in these.
    pub(super) fn sums(&self) -> (u64, i64) {
        (self.count, self.sum)
    }

    /// At most `most` of the vectors, each so manieth by its rid, and others in the next turn: while rids lie close, each has its turn.
    pub(super) fn sample(&self, turn: i64, most: usize) -> Vec<Coded> {
        let (words, step) = (code::words_of(self.dimensions), self.count.div_ceil(most as u64).max(1) as i64);
        let mut sample = Vec::new();
        for (space, block) in self.spaces.iter().flat_map(|(space, all)| all.iter().map(move |block| (space, block))) {
            let each = block.rids.iter().zip(&block.scales).zip(block.codes.chunks_exact(words));
            for ((rid, scale), code) in each.filter(|((rid, _), _)| (**rid - turn) % step == 0) {
                if sample.len() == most {
                    return sample;
                }
                sample.push(Coded { rid: *rid, space: space.clone(), scale: *scale, code: code.to_vec() });
            }
        }
        sample
    }

    /// Those of some spaces, with how many vectors they are.
    pub(super) fn of<'a>(&self, spaces: impl Iterator<Item = &'a str>) -> (Shared, usize) {
        let shared: Shared = spaces.filter_map(|space| self.spaces.get(space)).flatten().cloned().collect();
        let count = shared.iter().map(|block| block.rids.len()).sum();
        (shared, count)
    }

    /// Adds a vector that is not there, of something that is dated so.
    pub(super) fn add(&mut self, space: &str, (rid, date): (i64, EpochMs), vector: &[f32]) {
        if !self.spaces.contains_key(space) {
            self.spaces.insert(space.to_owned(), Vec::new());
        }
        let Some(blocks) = self.spaces.get_mut(space) else { return };
        if blocks.last().is_none_or(|block| block.rids.len() >= BLOCK) {
            blocks.push(Arc::new(Block { range: (rid, rid), ..Block::default() }));
        }
        let Some(block) = blocks.last_mut().map(Arc::make_mut) else { return };
        let scale = code::encode(vector, &mut self.room, &mut block.codes);
        block.rids.push(rid);
        block.dates.push(date);
        block.scales.push(scale);
        block.range = (block.range.0.min(rid), block.range.1.max(rid));
        self.greatest = self.greatest.max(rid);
        self.count += 1;
        self.sum = self.sum.wrapping_add(rid);
    }

    /// Takes a vector out, wherever it is. Gives whether it was there.
    pub(super) fn remove(&mut self, rid: i64) -> bool {
        if rid > self.greatest {
            return false;
        }
        let words = code::words_of(self.dimensions);
        for blocks in self.spaces.values_mut() {
            let fits = |block: &Arc<Block>| block.range.0 <= rid && rid <= block.range.1;
            for at in 0..blocks.len() {
                let Some(slot) =
                    Some(&blocks[at]).filter(|b| fits(b)).and_then(|b| b.rids.iter().position(|r| *r == rid))
                else {
                    continue;
                };
                Arc::make_mut(&mut blocks[at]).remove(slot, words);
                close_up(blocks, at);
                self.count -= 1;
                self.sum = self.sum.wrapping_sub(rid);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::UNDATED;

    fn all(blocks: &Shared) -> Vec<i64> {
        rids(blocks).collect()
    }

    #[test]
    fn what_is_added_is_there_until_it_is_removed() {
        let vector = |rid: i64| code::made_up(rid as u64, 64);
        let mut blocks = Blocks::new(64);
        let count = 3 * BLOCK as i64 / 2;
        (1..=count).for_each(|rid| blocks.add("a", (rid, rid / 10), &vector(rid)));
        blocks.add("b", (count + 1, 0), &vector(1));
        let sorted = |blocks: &Blocks, space: &str| {
            let mut rids = all(&blocks.of([space].into_iter()).0);
            rids.sort_unstable();
            rids
        };
        let (before, _) = blocks.of(["a"].into_iter());
        let gone: Vec<i64> = (1..=count).filter(|rid| rid % 3 == 0 || *rid > BLOCK as i64).collect();
        assert!(gone.iter().all(|rid| blocks.remove(*rid)));
        assert!(!blocks.remove(3) && !blocks.remove(count + 2));
        assert_eq!(all(&before).len() as i64, count, "a reader keeps what it looks at");
        let left: Vec<i64> = (1..=BLOCK as i64).filter(|rid| rid % 3 != 0).collect();
        assert_eq!(sorted(&blocks, "a"), left);
        assert_eq!(sorted(&blocks, "b"), [count + 1]);
        assert_eq!(sorted(&blocks, "c"), [0_i64; 0]);
        assert_eq!(blocks.sums(), (left.len() as u64 + 1, left.iter().sum::<i64>() + count + 1));
        // What is left has its own code still.
        let (shared, _) = blocks.of(["a"].into_iter());
        for rid in [1, 2, 500, 2_047] {
            let question = Question::new(&vector(rid));
            let found = nearest(&shared, &question, 20, None);
            assert!(found.iter().any(|(_, found)| *found == rid), "{rid}");
            // And its own date: of that time alone, all that is left is found.
            let of_time = |times| {
                let found = nearest(&shared, &question, 20, Some(times));
                let mut rids: Vec<i64> = found.into_iter().map(|(_, rid)| rid).collect();
                rids.sort_unstable();
                rids
            };
            let date = rid / 10;
            let expected: Vec<i64> = left.iter().copied().filter(|rid| rid / 10 == date).collect();
            assert_eq!(of_time((date, date + 1)), expected, "{rid}");
            assert_eq!(of_time((date, date)), [0_i64; 0]);
        }
        // Each is looked at in its turn, and has the code of its vector and of no other one.
        let mut seen: Vec<i64> = Vec::new();
        for turn in 0..2 {
            let sample = blocks.sample(turn, left.len());
            assert!((1..left.len()).contains(&sample.len()));
            for coded in sample.iter().filter(|coded| coded.space == "a") {
                assert!(coded.is_of(&vector(coded.rid)) && !coded.is_of(&vector(coded.rid + 1)), "{coded:?}");
            }
            seen.extend(sample.iter().filter(|coded| coded.space == "a").map(|coded| coded.rid));
        }
        seen.sort_unstable();
        assert_eq!(seen, left);
        // What is not dated is of no time, however long.
        blocks.add("d", (count + 2, UNDATED), &vector(1));
        let (undated, _) = blocks.of(["d"].into_iter());
        let found = |times| nearest(&undated, &Question::new(&vector(1)), 20, times).len();
        assert_eq!((found(None), found(Some((EpochMs::MIN, EpochMs::MAX)))), (1, 0));
    }

    #[test]
    fn what_is_left_of_many_takes_little_room() {
        let vector = |rid: i64| code::made_up(rid as u64, 64);
        let mut blocks = Blocks::new(64);
        let count = 4 * BLOCK as i64;
        (1..=count).for_each(|rid| blocks.add("a", (rid, rid), &vector(rid)));
        assert_eq!(blocks.of(["a"].into_iter()).0.len(), 4);
        let (left, gone): (Vec<i64>, Vec<i64>) = (1..=count).partition(|rid| rid % 16 == 0);
        assert!(gone.iter().all(|rid| blocks.remove(*rid)));
        let (shared, number) = blocks.of(["a"].into_iter());
        assert_eq!(
            (shared.len(), number, blocks.sums()),
            (1, left.len(), (left.len() as u64, left.iter().sum::<i64>()))
        );
        // Each has its own code and date still, and is taken out like any other.
        for rid in [16, 2_064, 4_096, 8_192] {
            let question = Question::new(&vector(rid));
            let found = nearest(&shared, &question, 20, None);
            assert!(found.iter().any(|(_, found)| *found == rid), "{rid}");
            let found = nearest(&shared, &question, 20, Some((rid, rid + 1)));
            assert_eq!(found.iter().map(|(_, rid)| *rid).collect::<Vec<_>>(), [rid]);
        }
        blocks.add("a", (count + 1, 0), &vector(1));
        assert!(left.iter().chain([&(count + 1)]).all(|rid| blocks.remove(*rid)));
        assert_eq!((blocks.of(["a"].into_iter()).0.len(), blocks.sums()), (0, (0, 0)));
    }
}
