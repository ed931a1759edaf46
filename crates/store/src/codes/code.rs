//! A vector in one bit a dimension, and how near it seems to a question. As RaBitQ (Gao and Long, 2024,
//! <https://arxiv.org/abs/2405.12497>): a vector is turned, always the same way, so that no dimension says more than others; of
//! each the sign is kept, with what makes the products with the signs those with the vector. The question keeps four bits a
//! dimension, so that a product is a few counts of ones.

use crate::scan::Best;

/// Bits that are kept of each dimension of a question.
const PLANES: usize = 4;
/// So often a vector is turned.
const ROUNDS: usize = 4;
/// So many codes are compared at once: what they seem to be is counted without a look at the others.
const AT_ONCE: usize = 256;

/// How many words a code of so many dimensions has.
pub(super) fn words_of(dimensions: usize) -> usize {
    dimensions.div_ceil(64)
}

/// The signs that a round changes, 64 dimensions each: SplitMix64 (Steele, Lea and Flood, 2014).
fn signs(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Turns a vector: angles and lengths stay. Some signs are changed and Walsh and Hadamard's transformation made, of as many
/// dimensions from the first on as are a power of two, and of as many up to the last, in turns.
fn turn(vector: &mut [f32]) {
    if vector.is_empty() {
        return;
    }
    let power = 1 << vector.len().ilog2();
    let rest = vector.len() - power;
    for round in 0..ROUNDS {
        for (place, part) in vector.chunks_mut(64).enumerate() {
            let changed = signs((round * 1_000 + place) as u64);
            for (at, value) in part.iter_mut().enumerate() {
                *value = f32::from_bits(value.to_bits() ^ ((changed >> at) as u32 & 1) << 31);
            }
        }
        let from = if round % 2 == 0 { 0 } else { rest };
        transform(&mut vector[from..from + power]);
    }
}

/// Walsh and Hadamard's transformation, of a power of two dimensions.
fn transform(vector: &mut [f32]) {
    let mut half = 1;
    while half < vector.len() {
        for both in vector.chunks_exact_mut(2 * half) {
            let (left, right) = both.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let scale = 1.0 / (vector.len() as f32).sqrt();
    vector.iter_mut().for_each(|value| *value *= scale);
}

/// Appends the code of a vector of length one to others. Gives what its products with a question are to be multiplied by.
pub(super) fn encode(vector: &[f32], turned: &mut Vec<f32>, codes: &mut Vec<u64>) -> f32 {
    turned.clear();
    turned.extend_from_slice(vector);
    turn(turned);
    codes.extend(turned.chunks(64).map(|part| {
        part.iter().enumerate().fold(0, |word, (at, value)| word | u64::from(value.is_sign_positive()) << at)
    }));
    1.0 / turned.iter().map(|value| value.abs()).sum::<f32>()
}

/// A question, made ready to be compared with codes.
pub(super) struct Question {
    /// The bits of its dimensions, the lowest first, each as a code.
    planes: [Vec<u64>; PLANES],
    /// What a dimension with no bit set is, and what one more is.
    least: f32,
    step: f32,
    sum: f32,
}

impl Question {
    pub(super) fn new(vector: &[f32]) -> Self {
        let mut turned = vector.to_vec();
        turn(&mut turned);
        let least = turned.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = turned.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let step = ((greatest - least) / ((1 << PLANES) - 1) as f32).max(f32::MIN_POSITIVE);
        let mut planes = [const { Vec::new() }; PLANES];
        let mut sum = 0.0;
        for part in turned.chunks(64) {
            let levels = part.iter().map(|value| ((value - least) / step).round() as u64);
            planes.iter_mut().for_each(|plane| plane.push(0));
            for (at, level) in levels.enumerate() {
                sum += least + step * level as f32;
                for (bit, plane) in planes.iter_mut().enumerate() {
                    if let Some(word) = plane.last_mut() {
                        *word |= (level >> bit & 1) << at;
                    }
                }
            }
        }
        Self { planes, least, step, sum }
    }

    /// Offers what codes seem to be near, by their rids; of those whose places are admitted.
    pub(super) fn compare(
        &self,
        (codes, scales, rids): (&[u64], &[f32], &[i64]),
        admits: impl Fn(usize) -> bool,
        best: &mut Best,
    ) {
        let words = self.planes[0].len();
        let mut room = [0.0; AT_ONCE];
        let parts = codes.chunks(words * AT_ONCE).zip(scales.chunks(AT_ONCE)).zip(rids.chunks(AT_ONCE));
        for (part, ((codes, scales), rids)) in parts.enumerate() {
            let seems = &mut room[..rids.len()];
            self.seem(codes, scales, seems);
            for (at, (seems, rid)) in seems.iter().zip(rids).enumerate() {
                if admits(part * AT_ONCE + at) {
                    best.offer(*seems, *rid);
                }
            }
        }
    }

    /// The cosines that vectors seem to have by their codes.
    fn seem(&self, codes: &[u64], scales: &[f32], seems: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let counts_one = has!("popcnt");
            if counts_one && has!("avx512f") && has!("avx512dq") && has!("avx512vpopcntdq") {
                // SAFETY: the processor has all that this needs.
                return unsafe { self.seem_by_eight(codes, scales, seems) };
            }
            if counts_one {
                // SAFETY: the processor has the one instruction that this needs.
                return unsafe { self.seem_by_one(codes, scales, seems) };
            }
        }
        self.seem_by_words(codes, scales, seems);
    }

    /// The same for processors that count the ones of eight words in one instruction: in less than half the time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,avx512f,avx512dq,avx512vpopcntdq")]
    fn seem_by_eight(&self, codes: &[u64], scales: &[f32], seems: &mut [f32]) {
        self.seem_by_words(codes, scales, seems);
    }

    /// The same for those that count the ones of a word in one: all since 2009, and no compiler may take that for granted.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn seem_by_one(&self, codes: &[u64], scales: &[f32], seems: &mut [f32]) {
        self.seem_by_words(codes, scales, seems);
    }

    #[inline(always)]
    fn seem_by_words(&self, codes: &[u64], scales: &[f32], seems: &mut [f32]) {
        // A number of words that the compiler knows makes it twice as fast: of 384, 768 and 1,024 dimensions.
        match self.planes[0].len() {
            6 => self.seem_each(6, codes, scales, seems),
            12 => self.seem_each(12, codes, scales, seems),
            16 => self.seem_each(16, codes, scales, seems),
            words => self.seem_each(words, codes, scales, seems),
        }
    }

    #[inline(always)]
    fn seem_each(&self, words: usize, codes: &[u64], scales: &[f32], seems: &mut [f32]) {
        let planes = self.planes.each_ref().map(|plane| &plane[..words]);
        for ((code, scale), seems) in codes.chunks_exact(words).zip(scales).zip(seems) {
            let (mut ones, mut levels) = (0, 0);
            for word in 0..words {
                ones += code[word].count_ones();
                for (bit, plane) in planes.iter().enumerate() {
                    levels += (code[word] & plane[word]).count_ones() << bit;
                }
            }
            // What the signs add up to: twice what has a plus, less all.
            let sum = 2.0 * (self.least * ones as f32 + self.step * levels as f32) - self.sum;
            *seems = sum * scale;
        }
    }
}

/// A vector of length one that points anywhere, another for each number.
#[cfg(test)]
pub(super) fn made_up(number: u64, dimensions: usize) -> Vec<f32> {
    let value = |at| (signs(number * 100_000 + at) >> 40) as f32 / 8_388_608.0 - 1.0;
    crate::scan::unit_length(&(0..dimensions as u64).map(value).collect::<Vec<_>>()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn hardly_any_vector_is_much_nearer_than_it_seems() {
        let (dimensions, question) = (384, made_up(1, 384));
        let mut room = Vec::new();
        let (mut all, mut farther) = (0, 0);
        for number in 2..2_002 {
            // From a right angle to the same direction.
            let near = (number % 20) as f32 / 20.0;
            let other = made_up(number, dimensions);
            let mixed: Vec<f32> = question.iter().zip(&other).map(|(a, b)| near * a + (1.0 - near) * b).collect();
            let vector = crate::scan::unit_length(&mixed).unwrap();
            let mut codes = Vec::new();
            let scale = encode(&vector, &mut room, &mut codes);
            let mut best = Best::new(1);
            Question::new(&question).compare((&codes, &[scale], &[1]), |_| true, &mut best);
            let seems = best.into_found()[0].0;
            all += 1;
            farther += usize::from(!super::super::may_have(seems, product(&question, &vector), dimensions));
        }
        assert!(farther * 200 < all, "{farther} of {all} are missed");
        // What seems nearer than that is looked at in any case, and so is what is to be compared.
        assert!([0.5, 0.9, f32::INFINITY].iter().all(|seems| super::super::may_have(*seems, 0.5, dimensions)));
        assert!(!super::super::may_have(0.2, 0.9, dimensions));
    }

    #[test]
    fn all_ways_to_count_tell_the_same() {
        for (dimensions, number) in [(1, 1), (100, 3), (384, 2 * AT_ONCE + 7), (768, AT_ONCE), (1_024, 9)] {
            let question = Question::new(&made_up(1, dimensions));
            let (mut codes, mut room, words) = (Vec::new(), Vec::new(), words_of(dimensions));
            let of = 2..2 + number as u64;
            let scales: Vec<f32> =
                of.clone().map(|of| encode(&made_up(of, dimensions), &mut room, &mut codes)).collect();
            let rids: Vec<i64> = of.map(|of| of as i64).collect();
            let mut best = Best::new(number);
            question.compare((&codes, &scales, &rids), |at| at % 2 == 0, &mut best);
            let mut found: Vec<(i64, u32)> =
                best.into_found().into_iter().map(|(seems, rid)| (rid, seems.to_bits())).collect();
            found.sort_unstable();
            let each = codes.chunks_exact(words).zip(&scales).zip(&rids).step_by(2);
            let one_by_one = each.map(|((code, scale), rid)| {
                let mut seems = [0.0];
                question.seem_by_words(code, &[*scale], &mut seems);
                (*rid, seems[0].to_bits())
            });
            assert_eq!(found, one_by_one.collect::<Vec<_>>(), "{dimensions}");
        }
    }

    #[test]
    fn turning_keeps_products_and_codes_come_near_them() {
        let check = |dimensions: usize, allowed: f32| {
            let (one, other) = (made_up(1, dimensions), made_up(2, dimensions));
            // Half of the one and half of the other.
            let between: Vec<f32> = one.iter().zip(&other).map(|(a, b)| a + b).collect();
            let between = crate::scan::unit_length(&between).unwrap();
            let (mut turned_one, mut turned) = (one.clone(), between.clone());
            turn(&mut turned_one);
            turn(&mut turned);
            assert!((product(&turned_one, &turned) - product(&one, &between)).abs() < 1e-5, "{dimensions}");
            let (mut codes, mut room) = (Vec::new(), Vec::new());
            let scales: Vec<f32> =
                [&one, &other, &between].iter().map(|vector| encode(vector, &mut room, &mut codes)).collect();
            assert_eq!(codes.len(), 3 * words_of(dimensions));
            let mut best = Best::new(3);
            Question::new(&one).compare((&codes, &scales, &[0, 1, 2]), |_| true, &mut best);
            for (seems, rid) in best.into_found() {
                let is = product(&one, [&one, &other, &between][rid as usize]);
                assert!((seems - is).abs() < allowed, "{dimensions}, {rid}: {seems} {is}");
            }
        };
        check(384, 0.12);
        check(768, 0.09);
        check(1_024, 0.08);
        check(300, 0.14);
        check(64, 0.35);
    }
}
