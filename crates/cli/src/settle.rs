//! How far files are that were brought in: read, embedded, waiting, failed.

use crate::failure::Failure;
use crate::print::say;
use serde::Serialize;
use std::collections::HashSet;
use std::time::Duration;
use um_model::capture::{ArtifactGet, ArtifactSummary, IngestedFile};
use um_model::jobs::{Job, JobError, JobsStatus};
use um_model::{ArtifactId, EmbeddingState, ErrorCode, JobStatus, MemoryId, ModelKind};
use um_server::client::Connection;
use um_server::text::count;

/// Jobs asked for at once.
const PAGE: u32 = 1000;
/// The first and the longest time between two looks at the jobs.
const LOOK_EVERY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// What a person is told who waits for work that rests.
pub(crate) const PAUSED: &str =
    "All work is paused. Resume it in the window, or with: umem call work_pause '{\"paused\": false}'";
/// What a person is told who no longer waits.
const LEFT: &str = "No longer waiting. What came in is kept and read in the background: umem jobs --wait";

/// How a file stands when the verb ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// Kept, and being read or embedded (not waited for).
    Accepted,
    /// Read and embedded, or nothing in it to read.
    Done,
    WaitingForModel,
    WaitingForPassword,
    Cancelled,
    Failed,
    /// Not kept.
    Refused,
}

impl State {
    /// A file is as far as its reading; one that is read, as far as its embedding.
    fn of(summary: &ArtifactSummary) -> Self {
        match summary.reading.as_ref().map(|job| job.status) {
            Some(JobStatus::Pending | JobStatus::Processing) => Self::Accepted,
            Some(JobStatus::Failed | JobStatus::Poison) => Self::Failed,
            // What says something that was forgotten is not kept.
            Some(JobStatus::Cancelled) if summary.artifact.redacted => Self::Refused,
            Some(JobStatus::Cancelled) => Self::Cancelled,
            Some(JobStatus::WaitingForModel) => Self::WaitingForModel,
            Some(JobStatus::WaitingForPassword) => Self::WaitingForPassword,
            // A file without a job has nothing that could be read.
            Some(JobStatus::Completed) | None => match summary.embedding.as_ref().map(|embedding| embedding.state) {
                Some(EmbeddingState::Embedding) => Self::Accepted,
                Some(EmbeddingState::WaitingForModel) => Self::WaitingForModel,
                Some(EmbeddingState::Cancelled) => Self::Cancelled,
                Some(EmbeddingState::Failed) => Self::Failed,
                Some(EmbeddingState::Embedded) | None => Self::Done,
            },
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Done => "done",
            Self::WaitingForModel => "waiting for a model",
            Self::WaitingForPassword => "waiting for its password",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// A file as the verb reports it.
#[derive(Debug, Serialize)]
pub(crate) struct Settled {
    #[serde(flatten)]
    file: IngestedFile,
    pub(crate) state: State,
    /// How far it is found by its meaning, once it was looked at.
    embedding: Option<EmbeddingState>,
    /// Why it waits, failed or was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<JobError>,
    /// What there is to say of a file without text.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Settled {
    /// A file that was brought in a moment ago.
    pub(crate) fn unread(file: IngestedFile) -> Self {
        let refusal =
            |error: &um_model::ApiError| JobError { code: error.code, message: error.to_string(), model: None };
        let reason = file.error.as_ref().map(refusal);
        let state = if reason.is_some() { State::Refused } else { State::Accepted };
        Self { file, state, embedding: None, reason, note: None }
    }

    /// Whether it came in.
    pub(crate) fn is_kept(&self) -> bool {
        self.file.artifact_id.is_some()
    }

    /// Takes in how far it is now.
    fn look(&mut self, summary: ArtifactSummary) {
        self.state = State::of(&summary);
        self.note = summary.note;
        self.embedding = summary.embedding.as_ref().map(|embedding| embedding.state);
        let of_reading = summary.reading.and_then(|job| job.error);
        let of_embedding = summary.embedding.and_then(|embedding| embedding.error);
        self.reason = of_reading.or(of_embedding).filter(|_| !matches!(self.state, State::Done | State::Accepted));
    }

    /// It in words: `/home/ana/lease.pdf: waiting for its password - The file needs its password. …`
    pub(crate) fn line(&self) -> String {
        let lacks_program = self.reason.as_ref().is_some_and(|reason| reason.code == ErrorCode::ToolMissing);
        let state = match self.state {
            State::WaitingForModel if lacks_program => "waiting for a program",
            state => state.words(),
        };
        let mut line = format!("{}: {state}", self.file.path);
        if !self.file.created && self.file.error.is_none() {
            line.push_str(" (known already)");
        }
        let file = self.file.artifact_id.as_ref();
        let because = self.reason.as_ref().map(|reason| explained(reason, file)).or(self.note.clone());
        if let Some(because) = because {
            line.push_str(" - ");
            line.push_str(&because);
        }
        line
    }
}

/// What happened, and what to do about it from the command line.
pub(crate) fn explained(reason: &JobError, file: Option<&ArtifactId>) -> String {
    match advice(reason, file.map_or("ID", ArtifactId::as_str)) {
        Some(advice) => format!("{} {advice}", reason.message),
        None => reason.message.clone(),
    }
}

fn advice(reason: &JobError, file: &str) -> Option<String> {
    let words = match (reason.code, reason.model) {
        (ErrorCode::ModelMissing, Some(ModelKind::TextEmbedding)) => {
            "It is found by its words meanwhile. Install the model: umem models download all-MiniLM-L6-v2, \
             or umem models add FOLDER"
        }
        (ErrorCode::ModelMissing, Some(ModelKind::Entailment)) => {
            "Rules alone judge it meanwhile. Install the model: umem models download nli-deberta-v3-xsmall, \
             or umem models add FOLDER"
        }
        (ErrorCode::ModelMissing, Some(ModelKind::Speech)) => {
            "Install one: umem models download whisper-base, or umem models add FILE"
        }
        (ErrorCode::ModelMissing, _) => "Install one: umem models lists which there are",
        (ErrorCode::ModelMismatch, _) => "Embed all with the model in use: umem reembed",
        (ErrorCode::PasswordNeeded, _) => return Some(format!("Enter it in the window, or with: umem unlock {file}")),
        (ErrorCode::ReaderFailed | ErrorCode::TimedOut | ErrorCode::Internal, _) => {
            return Some(format!("Try it again: umem reread {file}"));
        }
        _ => return None,
    };
    Some(words.to_owned())
}

/// Waits until nothing of these files is to be read or embedded any more, then asks how each ended. Where more
/// came in than are listed, all work of their space is waited for.
pub(crate) async fn wait_for(
    service: &mut Connection,
    space: &str,
    files: &mut [Settled],
    unlisted: bool,
) -> Result<(), Failure> {
    let ids = (!unlisted).then(|| ids(files));
    let waiting = async {
        let mut pause = LOOK_EVERY.0;
        let mut said = String::new();
        loop {
            let (open, paused) = open_jobs(service, space, ids.as_ref()).await?;
            let words = if paused { PAUSED.to_owned() } else { progress(&open, files) };
            if words != said && !words.is_empty() {
                say(&words);
            }
            said = words;
            if open.is_empty() && settle(service, files).await? {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LOOK_EVERY.1);
        }
    };
    tokio::select! {
        settled = waiting => settled,
        Ok(()) = tokio::signal::ctrl_c() => {
            say(LEFT);
            Ok(())
        }
    }
}

/// The artifacts and memories of the files.
fn ids(files: &[Settled]) -> HashSet<String> {
    let artifacts = files.iter().filter_map(|file| file.file.artifact_id.as_ref()).map(ToString::to_string);
    let memories = files.iter().filter_map(|file| file.file.memory_id.as_ref()).map(ToString::to_string);
    artifacts.chain(memories).collect()
}

/// The jobs of these artifacts and memories, or of the whole space, that are not settled; and whether they wait
/// because the person paused all work.
async fn open_jobs(
    service: &mut Connection,
    space: &str,
    ids: Option<&HashSet<String>>,
) -> Result<(Vec<Job>, bool), Failure> {
    let is_ours = |job: &Job| {
        let of = [job.artifact_id.as_ref().map(ToString::to_string), job.memory_id.as_ref().map(ToString::to_string)];
        ids.is_none_or(|ids| of.iter().flatten().any(|id| ids.contains(id)))
    };
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        let statuses = vec![JobStatus::Pending, JobStatus::Processing];
        let page =
            service.run(JobsStatus { space: Some(space.to_owned()), statuses, offset, limit: Some(PAGE) }).await?;
        let listed = page.jobs.len() as u32;
        found.extend(page.jobs.into_iter().filter(is_ours));
        offset += listed;
        if listed < PAGE {
            let paused = page.paused && !found.is_empty();
            return Ok((found, paused));
        }
    }
}

/// How many files are left, and what is done now. A file that was read has further jobs then: they do not count up.
fn progress(open: &[Job], files: &[Settled]) -> String {
    let Some(first) = open.iter().find(|job| job.status == JobStatus::Processing).or(open.first()) else {
        return String::new();
    };
    let note = first.progress_note.as_deref().map(|note| format!(" ({note})")).unwrap_or_default();
    // Of thousands of files, each has several jobs.
    let files_of = open.iter().filter_map(|job| job.artifact_id.as_ref()).map(ArtifactId::as_str);
    let memories_of = open.iter().filter_map(|job| job.memory_id.as_ref()).map(MemoryId::as_str);
    let open_ids: HashSet<&str> = files_of.chain(memories_of).collect();
    let left = files.iter().filter(|file| is_among(&open_ids, &file.file)).count();
    let left = if left == 0 { count(open.len() as u64, "job") } else { count(left as u64, "file") };
    format!("{left} to go; {}: {}{note}", first.kind, first.title)
}

/// Whether some ids are those of a file or of the memory that stands for it.
fn is_among(ids: &HashSet<&str>, file: &IngestedFile) -> bool {
    let of_file = file.artifact_id.as_ref().is_some_and(|id| ids.contains(id.as_str()));
    of_file || file.memory_id.as_ref().is_some_and(|id| ids.contains(id.as_str()))
}

/// Asks how each file ended. Returns whether all have.
async fn settle(service: &mut Connection, files: &mut [Settled]) -> Result<bool, Failure> {
    for file in files.iter_mut().filter(|file| file.state == State::Accepted) {
        let Some(id) = file.file.artifact_id.clone() else { continue };
        file.look(service.run(ArtifactGet { id }).await?.summary);
    }
    Ok(files.iter().all(|file| file.state != State::Accepted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(number: usize) -> String {
        format!("0190f5e2-7c1a-7d3e-9b1f-{number:012}")
    }

    /// A file, its memory being its number and ten.
    fn file(number: usize) -> Settled {
        let file = json!({"path": "x", "artifact_id": id(number), "memory_id": id(number + 10), "created": true, "error": null});
        Settled::unread(serde_json::from_value(file).unwrap())
    }

    fn job(kind: &str, artifact: Option<usize>, memory: Option<usize>) -> Job {
        serde_json::from_value(json!({"id": id(99), "kind": kind, "status": "pending", "space_id": id(98),
            "artifact_id": artifact.map(id), "memory_id": memory.map(id), "title": "lease.pdf", "progress": 0.0,
            "progress_note": null, "attempts": 0, "error": null, "created_at": 0, "updated_at": 0}))
        .unwrap()
    }

    #[test]
    fn what_is_left_is_counted_by_files() {
        let files = [file(1), file(2), file(3)];
        let check = |open: &[Job], expected: &str| assert_eq!(progress(open, &files), expected);
        check(&[], "");
        let read = [1, 2, 3].map(|number| job("read", Some(number), None));
        check(&read, "3 files to go; read: lease.pdf");
        // One that was read is embedded and read for claims then: it is one still.
        let then = [
            ("embed", None, Some(11)),
            ("extract", Some(1), Some(11)),
            ("detect", None, Some(11)),
            ("read", Some(2), None),
        ];
        check(&then.map(|(kind, file, memory)| job(kind, file, memory)), "2 files to go; embed: lease.pdf");
        check(&[job("embed", None, None)], "1 job to go; embed: lease.pdf");
    }
}
