//! Bringing in: a text or a file is checked, kept in one transaction with its passages or its reading
//! job, and acknowledged. What was acknowledged survives any death of the process.

mod add;
pub mod blobs;
mod bounds;
mod classify;
mod dedupe;
mod files;
mod folders;
mod met;
mod opened;
mod remember;
mod replace;

pub(crate) use add::memories_add;
pub(crate) use classify::{classify, classify_texts};
pub(crate) use dedupe::{dedupe_memory, queue_comparison};
pub(crate) use files::{Arrival, file_name, keep_file, move_versions, path_text, read_on, whole_segment};
pub(crate) use folders::memory_ingest;
pub(crate) use met::{Met, met, text_hash};
pub(crate) use opened::Opened;
pub(crate) use remember::{MadeOf, cut_units, keep_if, keep_text, keep_written, memory_remember};
pub(crate) use replace::bring_back;
