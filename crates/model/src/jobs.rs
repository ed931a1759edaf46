//! Durable work: what is being read, what waits, what failed and why.

use crate::{
    ArtifactId, CallId, EmbeddingState, EpochMs, ErrorCode, JobId, JobKind, JobStatus, MemoryId, ModelKind, SpaceId,
};
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

/// Why a job waits or failed. What to do about it follows from the code, in the words of each door.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What happened, in a sentence.
    pub message: String,
    /// The kind of model that it lacks, where the code is `model_missing` or `model_mismatch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelKind>,
}

/// How far a file's passages can be found by their meaning. By their words they are found as soon as they are
/// read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Embedding {
    /// How far it is.
    pub state: EmbeddingState,
    /// How many are done, while only some are: "embedded 320 of 7,444".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why it waits or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<JobError>,
}

/// Asks how far the work is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobsStatus {
    /// Only this space (name or id). Where nothing is said, all; for an agent its only space, else the default project.
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
    /// Whether anything that somebody waits for is pending or processing, or a long call is under way.
    pub busy: bool,
    /// Whether the person has paused all work.
    pub paused: bool,
    /// Long calls under way, the oldest first; `call_cancel` stops one.
    pub calls: Vec<LongCall>,
    /// The jobs: running ones first, then waiting ones, then the newest.
    pub jobs: Vec<Job>,
    /// How many jobs fit the question in all.
    pub total: u64,
}

/// A call under way that takes long: a folder that is brought in, a re-embedding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LongCall {
    /// Its id.
    pub id: CallId,
    /// The operation's name: `memory_ingest`, `index_reembed`.
    pub operation: String,
    /// The space it works in, where it works in one.
    pub space_id: Option<SpaceId>,
    /// How many files or passages are done with.
    pub done: u64,
    /// Of how many, where that is known. A folder's files are not counted beforehand.
    pub total: Option<u64>,
    /// What was done last: a file's path.
    pub note: String,
    /// When it was begun.
    pub begun_at: EpochMs,
}

/// Stops a long call. What it has done stays, and its own answer says so.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CallCancel {
    /// The call.
    pub id: CallId,
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
