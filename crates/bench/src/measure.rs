//! Percentiles, and the table that they are shown in.

use std::time::{Duration, Instant};

/// What was measured, in milliseconds, sorted.
pub struct Sample(Vec<f64>);

impl Sample {
    /// Measures each of these.
    pub fn of<E>(times: impl Iterator<Item = Result<Duration, E>>) -> Result<Self, E> {
        let mut all: Vec<f64> = times.map(|time| time.map(|t| t.as_secs_f64() * 1000.0)).collect::<Result<_, _>>()?;
        all.sort_by(f64::total_cmp);
        Ok(Self(all))
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The smallest value that this share of all does not exceed (nearest rank).
    pub fn at(&self, share: f64) -> f64 {
        let rank = (self.0.len() as f64 * share).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
    }
}

/// How long something takes.
pub fn time<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration, E> {
    let begun = Instant::now();
    work().map(|_| begun.elapsed())
}

/// The design's goals for a p50 and a p95, in milliseconds (spine, part 9.6).
#[derive(Debug, Clone, Copy)]
pub struct Goal(pub f64, pub f64);

/// Prints the head of the table.
pub fn head() {
    println!("| passages | what | n | p50 ms | p95 ms | goal p50 | goal p95 | met |");
    println!("|---:|---|---:|---:|---:|---:|---:|---|");
}

/// Prints a line of the table.
pub fn line(units: usize, what: &str, sample: &Sample, Goal(p50, p95): Goal) {
    let met = if sample.at(0.5) < p50 && sample.at(0.95) < p95 { "yes" } else { "NO" };
    let (mine50, mine95) = (sample.at(0.5), sample.at(0.95));
    println!("| {units} | {what} | {} | {mine50:.1} | {mine95:.1} | {p50:.0} | {p95:.0} | {met} |", sample.0.len());
}

/// Prints the head of a table whose goals, where there are any, are for the p95 alone.
pub fn head_of_p95(of: &str) {
    println!("| {of} | what | n | p50 ms | p95 ms | p99 ms | goal p95 | met |");
    println!("|---:|---|---:|---:|---:|---:|---:|---|");
}

/// Prints a line of such a table.
pub fn line_of_p95(size: usize, what: &str, sample: &Sample, goal: Option<f64>) {
    let (p50, p95, p99) = (sample.at(0.5), sample.at(0.95), sample.at(0.99));
    let goal_p95 = goal.map(|goal| format!("{goal:.0}")).unwrap_or_default();
    let met = goal.map_or("", |goal| if p95 < goal { "yes" } else { "NO" });
    println!("| {size} | {what} | {} | {p50:.2} | {p95:.2} | {p99:.2} | {goal_p95} | {met} |", sample.0.len());
}

/// Prints a line of such a table of what cannot be measured yet.
pub fn not_built(size: usize, what: &str) {
    println!("| {size} | {what} | | | | | | not built |");
}
