//! Durable work: what is being read, what waits, what failed and why.

use crate::{ApiError, ArtifactId, EpochMs, ErrorCode, JobId, JobKind, JobStatus, MemoryId, SpaceId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A job as a person sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// Its state.
    pub status: JobStatus,
    /// The space it works in.
    pub space_id: SpaceId,
    /// The file it reads.
    pub artifact_id: Option<ArtifactId>,
    /// The memory it works on.
    pub memory_id: Option<MemoryId>,
    /// The file's name or the memory's first words.
    pub title: String,
    /// 0 to 1.
    pub progress: f64,
    /// What is being done: "page 3 of 12".
    pub progress_note: Option<String>,
    /// How often it was begun.
    pub attempts: u32,
    /// Why it waits or failed.
    pub error: Option<JobError>,
    /// When it was queued.
    pub created_at: EpochMs,
    /// When it last changed.
    pub updated_at: EpochMs,
}

/// Why a job waits or failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What happened and what to do next.
    pub message: String,
}

impl From<ApiError> for JobError {
    fn from(error: ApiError) -> Self {
        Self { code: error.code, message: error.to_string() }
    }
}

/// Asks how far the work is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobsStatus {
    /// Only this space (name or id).
    #[serde(default)]
    pub space: Option<String>,
    /// Only these states; all where empty.
    #[serde(default)]
    pub statuses: Vec<JobStatus>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// How far the work is.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobsReport {
    /// How many jobs are in each state (only states that occur).
    pub counts: BTreeMap<JobStatus, u64>,
    /// Whether anything is pending or processing.
    pub busy: bool,
    /// Whether the person has paused all work.
    pub paused: bool,
    /// The jobs: running ones first, then waiting ones, then the newest.
    pub jobs: Vec<Job>,
    /// How many jobs fit the question in all.
    pub total: u64,
}

/// Cancels a job that is pending, waiting or running.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobCancel {
    /// The job.
    pub id: JobId,
}

/// Queues a job anew that failed, was cancelled, or waits.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobRetry {
    /// The job.
    pub id: JobId,
}

/// Pauses or resumes all background work.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkPause {
    /// `true` pauses.
    pub paused: bool,
}
