//! How long operations take: the last few hundred of each, in memory only.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;
use um_model::health::Timing;

const KEPT: usize = 512;

/// Durations by operation.
#[derive(Debug, Default)]
pub(crate) struct Timings(Mutex<BTreeMap<&'static str, (u64, VecDeque<f32>)>>);

impl Timings {
    /// Adds one.
    pub(crate) fn record(&self, operation: &'static str, took: Duration) {
        let mut all = self.0.lock().expect("recording does not panic");
        let (count, last) = all.entry(operation).or_default();
        *count += 1;
        if last.len() == KEPT {
            last.pop_front();
        }
        last.push_back(took.as_secs_f32() * 1000.0);
    }

    /// Median and 95th percentile of what is kept.
    pub(crate) fn report(&self) -> BTreeMap<String, Timing> {
        let all = self.0.lock().expect("recording does not panic");
        all.iter()
            .map(|(name, (count, last))| {
                let mut sorted: Vec<f32> = last.iter().copied().collect();
                sorted.sort_by(f32::total_cmp);
                let at = |share: f64| f64::from(sorted[((sorted.len() - 1) as f64 * share).round() as usize]);
                ((*name).to_owned(), Timing { count: *count, p50_ms: at(0.5), p95_ms: at(0.95) })
            })
            .collect()
    }
}
