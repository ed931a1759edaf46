//! `umem bench`: times, memory and disk among so many passages.

use crate::fill::{self, Plan, failed, open};
use crate::load::Load;
use crate::measure::{Sample, time};
use crate::nearest;
use crate::words::Language;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use um_engine::{Caller, Engine};
use um_model::ApiError;
use um_model::capture::MemoryRemember;
use um_model::recall::MemoryRecall;

/// Questions that are asked and texts that are stored, after as many as `WARM` that do not count.
pub(crate) const TRIES: usize = 300;
pub(crate) const WARM: usize = 20;
/// Hits that are asked for.
pub(crate) const HITS: u32 = 50;

/// How long something took, in milliseconds.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What.
    pub what: String,
    /// How often it was done.
    pub tries: usize,
    /// The median.
    pub p50_ms: f64,
    /// What one in twenty exceeds.
    pub p95_ms: f64,
}

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// How many passages there were.
    pub units: usize,
    /// How long their vectors were.
    pub dimensions: usize,
    /// Over how many spaces they were spread.
    pub spaces: usize,
    /// How long things took.
    pub times: Vec<Row>,
    /// What storing all the time does to those who ask meanwhile, and after how long what is stored is found.
    pub load: Load,
    /// The median of each step of a recall, in milliseconds.
    pub steps_ms: BTreeMap<String, f64>,
    /// The share of the exactly nearest ten passages that the search by meaning finds.
    pub recall_at_10: f64,
    /// Bytes of the database.
    pub disk_bytes: u64,
    /// The same for 100,000 passages; none where too little was measured to tell.
    pub disk_bytes_per_100k: Option<u64>,
    /// Bytes of memory that the process takes besides; where the system tells it.
    pub memory_bytes: Option<u64>,
    /// The same for 100,000 passages; none where too little was measured to tell.
    pub memory_bytes_per_100k: Option<u64>,
}

/// Fills an empty folder and measures, under load for so many seconds. `tell` is told how far it is.
///
/// # Errors
/// What the engine and the store say.
pub fn measure(folder: &Path, plan: Plan, seconds: u64, tell: impl Fn(&str)) -> Result<Report, ApiError> {
    let language = Arc::new(Language::new());
    let spaces = fill::fill(folder, &language, plan, |made| {
        if made.is_multiple_of(50_000) {
            tell(&format!("{made} of {} passages are made ...", plan.units));
        }
    })?;
    let disk = ["memory.db", "memory.db-wal"].iter().filter_map(|file| folder.join(file).metadata().ok());
    let disk: u64 = disk.map(|file| file.len()).sum();
    tell("Comparing with the exact answers ...");
    let recall_at_10 = nearest::recall_at_10(folder, &spaces[0], &language, plan).map_err(failed)?;
    tell("Asking and storing ...");
    let before = memory();
    let asked = Asked { engine: open(folder, plan)?, language, plan };
    let (recalled, steps_ms) = asked.recall()?;
    let mut times = vec![recalled];
    let memory = before.zip(memory()).map(|(before, now)| now.saturating_sub(before));
    times.push(asked.store()?);
    asked.engine.start();
    tell("Asking and storing at once ...");
    let under_load = asked.under_load(seconds);
    asked.engine.stop();
    let (load, rows) = under_load?;
    times.extend(rows);
    Ok(Report {
        units: plan.units,
        dimensions: plan.dimensions,
        spaces: plan.spaces,
        times,
        load,
        steps_ms,
        recall_at_10,
        disk_bytes: disk,
        disk_bytes_per_100k: per_100k(disk, plan.units),
        memory_bytes: memory,
        memory_bytes_per_100k: memory.and_then(|bytes| per_100k(bytes, plan.units)),
    })
}

/// Of fewer passages, or where they take less, most of what is measured is there without any.
const LEAST_UNITS: usize = 10_000;
const LEAST_BYTES: u64 = 1_000_000;

/// What 100,000 passages take where so many take so many bytes; none where that is too little to tell.
fn per_100k(bytes: u64, units: usize) -> Option<u64> {
    let is_enough = units >= LEAST_UNITS && bytes >= LEAST_BYTES;
    is_enough.then(|| (bytes as f64 * 100_000.0 / units as f64) as u64)
}

/// The bytes of memory that are this process's own, besides files that it reads.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Who is asked, of what.
pub struct Asked {
    /// The engine that answers.
    pub engine: Engine,
    pub(crate) language: Arc<Language>,
    pub(crate) plan: Plan,
}

impl Asked {
    /// Fills an empty folder, and asks of that.
    ///
    /// # Errors
    /// What the engine and the store say.
    pub fn fill(folder: &Path, plan: Plan) -> Result<Self, ApiError> {
        let language = Arc::new(Language::new());
        fill::fill(folder, &language, plan, |_| ())?;
        Ok(Self { engine: open(folder, plan)?, language, plan })
    }

    /// A question, each number another one.
    pub fn question(&self, at: usize) -> MemoryRecall {
        let number = at * 7_919 % self.plan.units;
        let (query, space) = (self.language.question(number), Some(self.plan.space(number)));
        MemoryRecall { query, space, limit: Some(HITS), ..MemoryRecall::default() }
    }

    /// A text to be stored, each number another one.
    pub fn text(&self, number: usize) -> MemoryRemember {
        let (text, space) = (self.language.text(1_000_000_000 + number), self.plan.space(number));
        // With a key each: what has one is never compared with all others, as it says itself what it replaces.
        MemoryRemember { text, space, key: Some(format!("text {number}")), ..MemoryRemember::default() }
    }

    fn recall(&self) -> Result<(Row, BTreeMap<String, f64>), ApiError> {
        let mut steps: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut once = |at| {
            let mut timings = BTreeMap::new();
            let took = time(|| {
                let recalled = self.engine.run(&Caller::owner("bench"), self.question(at))?;
                timings = recalled.timings;
                Ok::<_, ApiError>(())
            });
            timings.into_iter().for_each(|(step, ms)| steps.entry(step).or_default().push(ms));
            took
        };
        // What is kept in memory for it is read beside the first questions.
        let read = Instant::now() + Duration::from_millis(500 + self.plan.units as u64 / 50);
        while Instant::now() < read {
            once(0)?;
        }
        (0..WARM).try_for_each(|at| once(at).map(drop))?;
        let sample = Sample::of((WARM..WARM + TRIES).map(&mut once))?;
        let steps = steps.into_iter().map(|(step, times)| (step, median(times))).collect();
        Ok((row(&format!("recall: one space, {HITS} hits with their sources"), &sample), steps))
    }

    fn store(&self) -> Result<Row, ApiError> {
        let once = |number| time(|| self.engine.run(&Caller::owner("bench"), self.text(number)));
        (0..WARM).try_for_each(|number| once(number).map(drop))?;
        Ok(row("store: kept with its vector, in the ledger, found", &Sample::of((WARM..WARM + TRIES).map(once))?))
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A row of what was measured.
pub(crate) fn row(what: &str, sample: &Sample) -> Row {
    let (p50_ms, p95_ms) = (sample.at(0.5), sample.at(0.95));
    Row { what: what.to_owned(), tries: sample.count(), p50_ms, p95_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_under_load_is_found_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan { units: 60, dimensions: 16, spaces: 2 };
        let report = measure(folder.path(), plan, 1, |_| ()).unwrap();
        let load = &report.load;
        assert!(load.markers > 0 && load.lost == 0 && load.found_at_once <= load.markers, "{load:?}");
        assert!(load.slowest_find_ms > Some(0.0) && load.stored_per_second > 0.0, "{load:?}");
        assert!(load.recall_p95_ratio > 0.0, "{load:?}");
        let tries: Vec<usize> = report.times.iter().map(|row| row.tries).collect();
        assert_eq!((tries.len(), tries[5]), (6, load.markers), "{tries:?}");
        assert!(tries.iter().all(|tries| *tries > 0), "{tries:?}");
    }

    #[test]
    fn what_is_too_little_is_not_scaled_up() {
        for (bytes, units, expected) in [
            (50_000_000, 10_000, Some(500_000_000)),
            (9_000_000, 100_000, Some(9_000_000)),
            (9_000_000, 200_000, Some(4_500_000)),
            (1_000_000, 10_000, Some(10_000_000)),
            (50_000_000, 9_999, None),
            (999_999, 10_000, None),
            (999_999, 100_000, None),
            (0, 1, None),
        ] {
            assert_eq!(per_100k(bytes, units), expected, "{bytes} of {units}");
        }
    }
}
