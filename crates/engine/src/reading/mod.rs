//! Reading: a file's text is found, kept as views with the places of its words, and cut into passages.
//! Each view is kept in a transaction of its own, so that an interrupted reading goes on where it was.

mod again;
mod document;
mod keep;
mod pdf;
mod picture;
mod recording;
mod sound;

pub(crate) use again::{OldMails, queue_next as queue_next_again};

use crate::Engine;
use crate::error::{Outcome, from_io, from_provider};
use crate::extract::{self, Reader};
use crate::provider::{Cancel, ProviderError};
use std::path::Path;
use um_model::capture::Artifact;
use um_model::{ApiError, EpochMs, ErrorCode, JobStatus, MemoryId};
use um_store::artifacts::{self, Bytes};
use um_store::memories;

/// How a reading ended, where it did not end well.
#[derive(Debug, Clone)]
pub(crate) enum Stopped {
    /// It waits for a model, a program or a password.
    Waits(JobStatus, ApiError),
    /// It will fail again.
    Fails(ApiError),
    /// It may work another time.
    Retries(ApiError),
    /// Somebody cancelled it, or its file is gone.
    Cancelled,
}

impl From<ProviderError> for Stopped {
    fn from(error: ProviderError) -> Self {
        let api = from_provider(&error);
        match error {
            // A program or library is looked for again by itself, as a model is.
            ProviderError::ModelMissing(_) | ProviderError::ToolMissing { .. } | ProviderError::Waits(_) => {
                Self::Waits(JobStatus::WaitingForModel, api)
            }
            ProviderError::PasswordNeeded { .. } => Self::Waits(JobStatus::WaitingForPassword, api),
            ProviderError::Cancelled => Self::Cancelled,
            ProviderError::Failed(_) => Self::Retries(api),
            ProviderError::Corrupt(_) | ProviderError::Unsupported(_) | ProviderError::TimedOut { .. } => {
                Self::Fails(api)
            }
        }
    }
}

impl From<ApiError> for Stopped {
    fn from(error: ApiError) -> Self {
        match error.code {
            ErrorCode::Database | ErrorCode::Io => Self::Retries(error),
            _ => Self::Fails(error),
        }
    }
}

/// A reading under way.
pub(crate) struct Reading<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) artifact: &'a Artifact,
    pub(crate) memory: &'a MemoryId,
    /// Priority of the work that follows from it.
    pub(crate) priority: i64,
    pub(crate) cancel: &'a Cancel,
    /// Says how far it is: 0 to 1, and what is being done.
    pub(crate) progress: &'a (dyn Fn(f64, &str) + Sync),
}

/// A file that says it was made later than this after now says nothing: a clock was wrong. A day, as cameras
/// write their local time.
const AHEAD_MS: i64 = 86_400_000;

impl Reading<'_> {
    /// Whether something that is there can have been made then.
    fn can_be_of(&self, at: EpochMs) -> bool {
        at <= self.engine.now() + AHEAD_MS
    }

    /// Keeps when what the file holds was made, by the file's own word, where it has one that can be true. That
    /// counts for more than the time of the copy on disk.
    fn was_made(&self, at: Option<EpochMs>) -> Result<(), Stopped> {
        if let Some(at) = at.filter(|at| self.can_be_of(*at)) {
            let id = self.artifact.id.clone();
            self.engine.write(move |tx| Ok(memories::set_occurred(tx, &id, at)?))?;
        }
        Ok(())
    }
}

/// How recognising words stops: running out of time may pass, as the machine may have been busy.
fn recognising(error: ProviderError) -> Stopped {
    match &error {
        ProviderError::TimedOut { .. } => Stopped::Retries(from_provider(&error)),
        _ => error.into(),
    }
}

/// Reads a file. What was read before with the same readers and settings is kept as it is.
///
/// # Errors
/// How it ended, where it did not end well.
pub(crate) fn read(reading: &Reading<'_>) -> Result<(), Stopped> {
    with_file(reading.engine, reading.artifact, |path| Ok(read_file(reading, path)))?
}

fn read_file(reading: &Reading<'_>, path: &Path) -> Result<(), Stopped> {
    let file_type = extract::sniff_file(path, &reading.artifact.filename).map_err(|e| from_io("Reading", path, &e))?;
    let views = match file_type.reader {
        Reader::Text | Reader::Source | Reader::Markdown | Reader::Html | Reader::Docx | Reader::Mail => {
            document::read(reading, file_type.reader, path)?
        }
        Reader::Picture => picture::read(reading, path)?,
        Reader::Pdf => pdf::read(reading, path)?,
        Reader::Sound | Reader::Film => sound::read(reading, path)?,
        Reader::None => {
            return Err(Stopped::Fails(ApiError::new(
                ErrorCode::UnsupportedType,
                "No reader for this type. It is kept as it came.",
            )));
        }
    };
    keep::settle(reading, &views, &[])
}

/// Hands a file's bytes to `work` as a file on disk: the blob itself, or a copy that only the owner may
/// read and that is overwritten and gone afterwards.
pub(crate) fn with_file<T>(engine: &Engine, artifact: &Artifact, work: impl FnOnce(&Path) -> Outcome<T>) -> Outcome<T> {
    let gone = || ApiError::new(ErrorCode::Conflict, "The file's bytes were destroyed.");
    let bytes = engine.read(|c| Ok(artifacts::bytes(c, &artifact.id)?))?.ok_or_else(gone)?;
    match bytes {
        Bytes::Gone => Err(gone()),
        Bytes::File(uri) => work(&crate::ingest::blobs::folder(engine.data_dir()).join(uri)),
        Bytes::Inline(bytes) => {
            let scratch = engine.data_dir().join("tmp");
            let copy = crate::work_file::WorkFile::begin(&scratch, "read-")?;
            copy.write(&bytes)?;
            let done = work(copy.path());
            copy.destroy()?;
            done
        }
    }
}
