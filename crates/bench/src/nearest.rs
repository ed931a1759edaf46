//! How much of the exact answer the search by meaning finds.

use crate::double::vector;
use crate::fill::{Plan, open_store};
use crate::words::Language;
use std::path::Path;
use std::time::{Duration, Instant};
use um_model::SpaceId;
use um_store::filter::Admitted;
use um_store::{Connection, StoreResult, vectors};

/// Questions that are compared.
const QUESTIONS: usize = 20;
/// So many of the best count.
const BEST: usize = 10;
/// Passages compared at once.
const PORTION: usize = 10_000;

/// The share of the exactly nearest ten passages of a space that are found, on average.
pub(crate) fn recall_at_10(folder: &Path, space: &SpaceId, language: &Language, plan: Plan) -> StoreResult<f64> {
    let store = open_store(folder)?;
    let question = |at: usize| vector(&language.question(at * 7_919 % plan.units), plan.dimensions);
    let found = |of: &[f32]| store.read(|c| vectors::nearest(c, std::slice::from_ref(space), of, &Admitted::All, BEST));
    // What is kept in memory for it is read beside the first questions.
    let read = Instant::now() + Duration::from_millis(500 + plan.units as u64 / 50);
    while Instant::now() < read {
        found(&question(0))?;
    }
    let mut agreed = 0;
    let mut all = 0;
    for at in 0..QUESTIONS {
        let of = question(at);
        let exact = store.read(|c| exactly(c, space, &of))?;
        let found: Vec<i64> = found(&of)?.into_iter().map(|(rid, _)| rid).collect();
        agreed += exact.iter().filter(|rid| found.contains(rid)).count();
        all += exact.len();
    }
    Ok(agreed as f64 / all.max(1) as f64)
}

/// The nearest passages of a space, by comparing each.
fn exactly(c: &Connection, space: &SpaceId, of: &[f32]) -> StoreResult<Vec<i64>> {
    let rids: Vec<i64> = c
        .prepare_cached("SELECT rid FROM text_units WHERE space_id = ?1 AND status = 'active'")?
        .query_map([space.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut best: Vec<(f64, i64)> = Vec::new();
    for portion in rids.chunks(PORTION) {
        best.extend(vectors::cosines(c, of, portion)?.into_iter().map(|(rid, cosine)| (cosine, rid)));
        best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.truncate(BEST);
    }
    Ok(best.into_iter().map(|(_, rid)| rid).collect())
}
