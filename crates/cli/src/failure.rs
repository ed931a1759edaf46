//! How a verb fails: what happened, what to do next, and the exit code.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use um_model::{ApiError, ErrorCode, InvalidId};

/// Why the program does not end with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Something went wrong.
    Failed = 1,
    /// The command line says something that does not exist or cannot be meant.
    Usage = 2,
    /// The product will not do it.
    Refused = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failure with its exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub error: ApiError,
    pub exit: Exit,
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(error: ApiError) -> Self {
        Self { error, exit: Exit::Usage }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self { exit: exit_of(error.code), error }
    }
}

/// An id as it is written, or wrong usage that says where ids are told.
pub(crate) fn id<T>(text: String, parse: fn(String) -> Result<T, InvalidId>, see: &str) -> Result<T, Failure> {
    parse(text).map_err(|error| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("{error}.")).hint(format!("See: {see}")))
    })
}

/// What the system said.
pub(crate) fn system(error: Error) -> Failure {
    ApiError::new(ErrorCode::Io, format!("The system said: {}.", um_server::paths::plain(&error))).into()
}

/// What the system said of the data folder.
pub(crate) fn data_folder(folder: &Path, error: &Error) -> Failure {
    let why = match error.kind() {
        ErrorKind::PermissionDenied => "you may not write there".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file stands in its place or above it".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "its disk cannot be written".to_owned(),
        ErrorKind::StorageFull => "its disk is full".to_owned(),
        _ => um_server::paths::plain(error),
    };
    ApiError::new(ErrorCode::Io, format!("The data folder {} cannot be used: {why}.", folder.display()))
        .hint("Name another with --data DIR or UM_DATA.")
        .into()
}

fn exit_of(code: ErrorCode) -> Exit {
    use ErrorCode::*;
    match code {
        InvalidRequest | Ambiguous => Exit::Usage,
        Forbidden | Forgotten | Held | NotPaired | AccessEnded | AlreadyExists | FileTooLarge | TextTooLong | Empty
        | UnsupportedType | ModelMismatch | DatabaseTooNew | DataFolderInUse | EncryptionMissing | Conflict
        | RateLimited => Exit::Refused,
        NotFound | CorruptFile | PasswordNeeded | KeyNeeded | WrongKey | ModelMissing | LanguageModel | ToolMissing
        | ReaderFailed | TimedOut | Cancelled | Io | Database | Internal => Exit::Failed,
    }
}
