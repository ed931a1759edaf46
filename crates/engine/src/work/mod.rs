//! Background work: threads that claim jobs and do them, and the operations that show and steer them.

mod embedding;
mod operations;
mod workers;

pub(crate) use embedding::{check_model_provider, embed_batch, embed_query};
pub(crate) use operations::{job_cancel, job_retry, jobs_status, work_pause};
pub(crate) use workers::Workers;
