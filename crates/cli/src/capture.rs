//! `ingest` and `remember`: what comes in.

use crate::args;
use crate::failure::{Exit, Failure, system};
use crate::print::{Output, say};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;
use um_model::capture::{ArtifactGet, IngestedFile, MemoryIngest, MemoryRemember};
use um_model::jobs::{Job, JobError, JobsStatus};
use um_model::{ApiError, ErrorCode, JobStatus};
use um_server::client::Connection;

/// Jobs asked for at once.
const PAGE: u32 = 1000;
/// The first and the longest time between two looks at the jobs.
const LOOK_EVERY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// What a person is told who waits for work that rests.
const PAUSED: &str = "All work is paused. Resume it in the window, or with: umem call work_pause '{\"paused\": false}'";

/// How a file stands when the verb ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Kept, and being read (without `--wait`).
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
    fn of(status: JobStatus) -> Self {
        match status {
            JobStatus::Pending | JobStatus::Processing => Self::Accepted,
            JobStatus::Completed => Self::Done,
            JobStatus::Failed | JobStatus::Poison => Self::Failed,
            JobStatus::Cancelled => Self::Cancelled,
            JobStatus::WaitingForModel => Self::WaitingForModel,
            JobStatus::WaitingForPassword => Self::WaitingForPassword,
        }
    }

    fn words(self) -> &'static str {
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
struct Settled {
    #[serde(flatten)]
    file: IngestedFile,
    state: State,
    /// Why it waits, failed or was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<JobError>,
    /// What there is to say of a file without text.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Settled {
    fn unread(file: IngestedFile) -> Self {
        let reason = file.error.clone().map(JobError::from);
        let state = if reason.is_some() { State::Refused } else { State::Accepted };
        Self { file, state, reason, note: None }
    }
}

/// What the verb answers.
#[derive(Debug, Serialize)]
struct Report {
    files: Vec<Settled>,
    counts: BTreeMap<State, usize>,
}

/// `umem ingest`
pub(crate) async fn ingest(service: &mut Connection, asked: args::Ingest, output: Output) -> Result<ExitCode, Failure> {
    let paths = asked.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
    let args::Ingest { space, owner, session, wait, .. } = asked;
    let request = MemoryIngest { paths, space: space.clone(), owner, session };
    let ingested = service.run(request).await?;
    let mut files: Vec<Settled> = ingested.files.into_iter().map(Settled::unread).collect();
    if wait {
        wait_for(service, &space, &mut files).await?;
    }
    let mut counts = BTreeMap::new();
    files.iter().for_each(|file| *counts.entry(file.state).or_insert(0) += 1);
    let failed = files.iter().any(|file| matches!(file.state, State::Failed | State::Refused));
    let exit = output.answer(&Report { files, counts }, report);
    Ok(if failed { Exit::Failed.into() } else { exit })
}

/// A path as the service can find it, whose working folder is another.
pub(crate) fn absolute(path: &std::path::Path) -> Result<String, Failure> {
    let path = std::path::absolute(path).map_err(system)?;
    path.into_os_string().into_string().map_err(|path| {
        Failure::usage(
            ApiError::new(ErrorCode::InvalidRequest, format!("{} is not text.", path.display())).hint("Rename it."),
        )
    })
}

fn report(report: &Report) -> String {
    let mut lines: Vec<String> = report.files.iter().map(line).collect();
    let counts: Vec<_> = report.counts.iter().map(|(state, count)| format!("{count} {}", state.words())).collect();
    lines.push(if counts.is_empty() { "No files.".to_owned() } else { counts.join(", ") });
    lines.join("\n")
}

fn line(file: &Settled) -> String {
    let mut line = format!("{}: {}", file.file.path, file.state.words());
    if !file.file.created && file.file.error.is_none() {
        line.push_str(" (known already)");
    }
    let because = file.reason.as_ref().map(|reason| &reason.message).or(file.note.as_ref());
    if let Some(because) = because {
        line.push_str(" - ");
        line.push_str(because);
    }
    line
}

/// Waits until no job of these files is pending or being worked on, then asks how each ended.
async fn wait_for(service: &mut Connection, space: &str, files: &mut [Settled]) -> Result<(), Failure> {
    let mut pause = LOOK_EVERY.0;
    let mut said = String::new();
    loop {
        let (open, paused) = open_jobs(service, space, &ids(files)).await?;
        let words = if paused { PAUSED.to_owned() } else { progress(&open) };
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
}

/// The artifacts and memories of the files.
fn ids(files: &[Settled]) -> HashSet<String> {
    let artifacts = files.iter().filter_map(|file| file.file.artifact_id.as_ref()).map(ToString::to_string);
    let memories = files.iter().filter_map(|file| file.file.memory_id.as_ref()).map(ToString::to_string);
    artifacts.chain(memories).collect()
}

/// The jobs of these artifacts and memories that are not settled, and whether they wait because the person
/// paused all work.
async fn open_jobs(service: &mut Connection, space: &str, ids: &HashSet<String>) -> Result<(Vec<Job>, bool), Failure> {
    let is_ours = |job: &Job| {
        job.artifact_id.as_ref().is_some_and(|id| ids.contains(id.as_str()))
            || job.memory_id.as_ref().is_some_and(|id| ids.contains(id.as_str()))
    };
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        let statuses = vec![JobStatus::Pending, JobStatus::Processing];
        let page =
            service.run(JobsStatus { space: Some(space.to_owned()), statuses, offset, limit: Some(PAGE) }).await?;
        let count = page.jobs.len() as u32;
        found.extend(page.jobs.into_iter().filter(is_ours));
        offset += count;
        if count < PAGE {
            let paused = page.paused && !found.is_empty();
            return Ok((found, paused));
        }
    }
}

fn progress(open: &[Job]) -> String {
    let Some(first) = open.iter().find(|job| job.status == JobStatus::Processing).or(open.first()) else {
        return String::new();
    };
    let note = first.progress_note.as_deref().map(|note| format!(" ({note})")).unwrap_or_default();
    format!("{} to go; {}: {}{note}", open.len(), first.kind, first.title)
}

/// Asks how each file ended. Returns whether all have.
async fn settle(service: &mut Connection, files: &mut [Settled]) -> Result<bool, Failure> {
    for file in files.iter_mut().filter(|file| file.state == State::Accepted) {
        let Some(id) = file.file.artifact_id.clone() else { continue };
        let detail = service.run(ArtifactGet { id }).await?;
        file.note = detail.summary.note;
        // A file without a job has nothing that could be read.
        file.state = detail.summary.reading.as_ref().map_or(State::Done, |job| State::of(job.status));
        file.reason = detail.summary.reading.and_then(|job| job.error).filter(|_| file.state != State::Done);
    }
    Ok(files.iter().all(|file| file.state != State::Accepted || file.file.artifact_id.is_none()))
}

/// `umem remember`
pub(crate) async fn remember(
    service: &mut Connection,
    asked: args::Remember,
    output: Output,
) -> Result<ExitCode, Failure> {
    let text = if asked.text == "-" { standard_input()? } else { asked.text };
    let args::Remember { space, title, key, owner, session, occurred_at, .. } = asked;
    let remembered = service.run(MemoryRemember { text, space, title, key, owner, session, occurred_at }).await?;
    Ok(output.answer(&remembered, |remembered| {
        let what = if remembered.created { "Remembered" } else { "Known already" };
        format!("{what}: memory {}", remembered.memory.id)
    }))
}

fn standard_input() -> Result<String, Failure> {
    // One byte over the limit is enough for the service to refuse it; the rest need not be read.
    let limit = um_model::capture::MAX_MEMORY_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(system)?;
    let whole = bytes.len() as u64 == limit;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // The cut may have gone through a character.
        Err(error) if whole => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(_) => Err(Failure::usage(
            ApiError::new(ErrorCode::InvalidRequest, "Standard input is not UTF-8 text.")
                .hint("Bring files in with: umem ingest PATH --space S"),
        )),
    }
}
