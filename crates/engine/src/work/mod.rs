//! Background work: threads that claim jobs and do them, and the operations that show and steer them.

mod arrivals;
mod bells;
mod calls;
mod embedding;
mod operations;
mod queue;
mod several;
mod workers;

pub(crate) use arrivals::Arrivals;
pub(crate) use bells::{Bell, Bells};
pub(crate) use calls::{Running, Underway, call_cancel, cancel_all, stop_calls_of};
pub(crate) use embedding::{Ahead, Passed, check_model_provider, embed_passages, embed_query};
pub(crate) use operations::{job_cancel, job_retry, jobs_status, work_pause};
pub(crate) use queue::{
    queue_asking, queue_dedupe, queue_detection, queue_embedding, queue_extraction, queue_new, queue_read,
    queue_reading, queue_several,
};
pub(crate) use workers::{Workers, extract_as};
