//! What speaks for an item: each signal that the question asks for has its share of the score.

use super::gather::{Asked, Candidate};
use um_model::EpochMs;
use um_model::work::{ScoreSignal, Why};

const DAY_MS: EpochMs = 24 * 60 * 60 * 1_000;
/// What was written so many days ago counts half as recent.
const HALF_LIFE_DAYS: f64 = 30.0;

/// How strong a signal is beside the others.
fn strength(signal: ScoreSignal) -> f64 {
    match signal {
        ScoreSignal::Relation => 0.30,
        ScoreSignal::Text => 0.25,
        ScoreSignal::Tag | ScoreSignal::Proximity => 0.15,
        ScoreSignal::Priority => 0.10,
        ScoreSignal::Recency => 0.05,
    }
}

/// The signals of an item; their weights make 1.
pub(super) fn why(asked: &Asked<'_>, one: &Candidate, now: EpochMs) -> Vec<Why> {
    let mut values = Vec::new();
    if asked.related.is_some() {
        values.push((ScoreSignal::Relation, one.steps.map_or(0.0, |steps| 1.0 / f64::from(steps.max(1)))));
    }
    if !asked.tags.include.is_empty() {
        values.push((ScoreSignal::Tag, one.tags as f64 / asked.tags.include.len() as f64));
    }
    if asked.levels.len() > 1 {
        values.push((ScoreSignal::Proximity, 1.0 - f64::from(one.level) / asked.levels.len() as f64));
    }
    if asked.expression.is_some() {
        values.push((ScoreSignal::Text, one.rank.map_or(0.0, |rank| 4.0 / (4.0 + rank as f64))));
    }
    // What has no priority is as important as most.
    values.push((ScoreSignal::Priority, one.row.priority.map_or(0.5, |priority| f64::from(priority) / 100.0)));
    // In whole days, so that what is asked twice is answered the same.
    let days = now.saturating_sub(one.row.updated_at).max(0) / DAY_MS;
    values.push((ScoreSignal::Recency, 0.5_f64.powf(days as f64 / HALF_LIFE_DAYS)));
    let all: f64 = values.iter().map(|(signal, _)| strength(*signal)).sum();
    values.into_iter().map(|(signal, value)| Why { signal, weight: strength(signal) / all, value }).collect()
}

/// The score.
pub(super) fn sum(why: &[Why]) -> f64 {
    why.iter().map(|one| one.weight * one.value).sum()
}
