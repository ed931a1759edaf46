//! Bringing in: a text or a file is checked, kept in one transaction with its passages or its reading
//! job, and acknowledged. What was acknowledged survives any death of the process.

pub mod blobs;
mod classify;
mod files;
mod remember;

pub(crate) use files::{Arrival, file_name, keep_file, memory_ingest, queue_reading, read_on, whole_segment};
pub(crate) use remember::{bring_back, cut_units, memory_remember};
