//! How much of the exact answer the search by meaning finds.

use crate::double::vector;
use crate::fill::{Plan, open_store};
use crate::words::Language;
use std::path::Path;
use std::time::{Duration, Instant};
use um_model::SpaceId;
use um_store::filter::Admitted;
use um_store::{StoreResult, vectors};

/// Questions that are compared.
const QUESTIONS: usize = 20;
/// So many of the best count.
const BEST: usize = 10;

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
        let exact = store.read(|c| vectors::nearest_exactly(c, std::slice::from_ref(space), &of, BEST))?;
        let found: Vec<i64> = found(&of)?.into_iter().map(|(rid, _)| rid).collect();
        agreed += exact.iter().filter(|(rid, _)| found.contains(rid)).count();
        all += exact.len();
    }
    Ok(agreed as f64 / all.max(1) as f64)
}
