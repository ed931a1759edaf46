//! What workers do, done by whoever calls: so tests put several workers onto one thing. No door leads here.

use crate::Engine;
use crate::error::Outcome;
use crate::provider::Cancel;
use um_model::MemoryId;

/// Brings the claims in line with a memory, as often at once as it is called.
///
/// # Errors
/// As the job of an extraction.
pub fn extract(engine: &Engine, memory: &MemoryId) -> Outcome<()> {
    crate::belief::extract::extract_memory(engine, memory, false, &|_| {}, &Cancel::default())
}

/// Claims the next extraction under a worker's name and does it. Gives whether one waited.
pub fn extract_next(engine: &Engine, worker: &str) -> bool {
    crate::work::extract_as(engine, worker)
}

/// Compares a memory with the older ones that seem to say the same.
///
/// # Errors
/// As the job of a comparison.
pub fn compare(engine: &Engine, memory: &MemoryId) -> Outcome<()> {
    crate::ingest::dedupe_memory(engine, memory, &Cancel::default())
}
