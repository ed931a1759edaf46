//! The exact search for the nearest vectors. sqlite-vec keeps the vectors, in chunks of one space each;
//! they are compared here, as its own KNN takes several times as long (ADR 9). A test holds the two
//! against each other.

use crate::filter::ids;
use crate::{StoreError, StoreResult};
use rusqlite::Connection;
use um_model::SpaceId;

/// A vector of length one in the same direction: with such, a cosine is a plain sum of products.
///
/// # Errors
/// [`StoreError::Damaged`] for a vector without a direction.
pub(crate) fn unit_length(vector: &[f32]) -> StoreResult<Vec<f32>> {
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length.is_normal() {
        return Ok(vector.iter().map(|value| (f64::from(*value) / length) as f32).collect());
    }
    Err(StoreError::Damaged("a vector has no direction".to_owned()))
}

/// The cosine of two vectors of length one; the stored one is little-endian.
pub(crate) fn cosine(stored: &[u8], query: &[f32]) -> f32 {
    product(stored.as_chunks::<4>().0, query, |value| f32::from_le_bytes(*value))
}

/// The inner product of two vectors: the cosine, where they are of length one.
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    product(one, other, |value| *value)
}

/// Sixteen sums that do not wait for each other are what a compiler can make vector instructions of.
#[inline(always)]
fn product<T>(one: &[T], other: &[f32], value: impl Fn(&T) -> f32) -> f32 {
    const LANES: usize = 16;
    let ((ones, one), (others, other)) = (one.as_chunks::<LANES>(), other.as_chunks::<LANES>());
    let mut sums = [0.0_f32; LANES];
    for (ones, others) in ones.iter().zip(others) {
        for lane in 0..LANES {
            sums[lane] += value(&ones[lane]) * others[lane];
        }
    }
    let rest: f32 = one.iter().zip(other).map(|(one, other)| value(one) * other).sum();
    sums.iter().sum::<f32>() + rest
}

/// Keeps the best of what it is offered, and all that tie with the last of them.
pub(crate) struct Best {
    wanted: usize,
    found: Vec<(f32, i64)>,
    least: f32,
    room: usize,
}

impl Best {
    pub(crate) fn new(wanted: usize) -> Self {
        let wanted = wanted.max(1);
        Self { wanted, found: Vec::new(), least: f32::NEG_INFINITY, room: 2 * wanted }
    }

    pub(crate) fn offer(&mut self, score: f32, id: i64) {
        if score >= self.least {
            self.found.push((score, id));
            if self.found.len() > self.room {
                self.prune();
            }
        }
    }

    fn prune(&mut self) {
        if self.found.len() > self.wanted {
            let (_, last, _) = self.found.select_nth_unstable_by(self.wanted - 1, |a, b| b.0.total_cmp(&a.0));
            self.least = last.0;
            self.found.retain(|(score, _)| *score >= self.least);
        }
        // Where many tie, the next look is far away.
        self.room = 2 * self.found.len().max(self.wanted);
    }

    /// The score of the last that is wanted, where more are kept.
    pub(crate) fn last(&mut self) -> Option<f32> {
        self.prune();
        (self.found.len() > self.wanted || self.least > f32::NEG_INFINITY).then_some(self.least)
    }

    /// What is kept, in no order.
    pub(crate) fn into_found(mut self) -> Vec<(f32, i64)> {
        self.prune();
        self.found
    }
}

/// The nearest vectors in the chunks of some spaces: `(cosine, memory_embeddings.rid)`, at least `wanted` where
/// there are so many, in no order.
pub(crate) fn nearest(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    wanted: usize,
) -> StoreResult<Vec<(f32, i64)>> {
    let mut best = Best::new(wanted);
    let mut statement = connection.prepare_cached(
        // A column of vec0's tables is called rowid and is not: `_rowid_` is the real one.
        "SELECT c.validity, c.rowids, v.vectors FROM embeddings_text_dense_vec_chunks c
         CROSS JOIN embeddings_text_dense_vec_vector_chunks00 v ON v._rowid_ = c.chunk_id
         WHERE c.partition00 IN (SELECT value FROM json_each(?1))",
    )?;
    let mut rows = statement.query([ids(spaces)?])?;
    while let Some(row) = rows.next()? {
        let blob = |at: usize| row.get_ref(at).map_err(StoreError::from).and_then(as_blob);
        let (valid, (rids, _), vectors) = (blob(0)?, blob(1)?.as_chunks::<8>(), blob(2)?);
        if valid.len() * 8 != rids.len() || vectors.len() != rids.len() * query.len() * 4 {
            return Err(StoreError::Damaged("the index of vectors has a chunk of another size".to_owned()));
        }
        for (slot, (rid, vector)) in rids.iter().zip(vectors.chunks_exact(query.len() * 4)).enumerate() {
            if valid[slot / 8] >> (slot % 8) & 1 == 1 {
                best.offer(cosine(vector, query), i64::from_le_bytes(*rid));
            }
        }
    }
    Ok(best.into_found())
}

pub(crate) fn as_blob(value: rusqlite::types::ValueRef<'_>) -> StoreResult<&[u8]> {
    value.as_blob().map_err(|error| StoreError::Damaged(error.to_string()))
}
