//! Errors of the layers below, as they leave the engine.

use crate::provider::ProviderError;
use um_model::{ApiError, ErrorCode};
use um_store::StoreError;

/// What an operation gives.
pub type Outcome<T> = Result<T, ApiError>;

/// The store's error inside a transaction, or an operation's own: both end it.
#[derive(Debug)]
pub(crate) enum Fault {
    Store(StoreError),
    Api(ApiError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ApiError> for Fault {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Api(error) => error,
            Fault::Store(error) => from_store(error),
        }
    }
}

/// A store's error for the outside. Its words name tables and columns, never content.
pub(crate) fn from_store(error: StoreError) -> ApiError {
    match &error {
        StoreError::TooNew { .. } => ApiError::new(ErrorCode::DatabaseTooNew, error.to_string())
            .hint("Install the newer version, or choose another data folder."),
        StoreError::KeyNeeded => ApiError::new(ErrorCode::KeyNeeded, "The data folder is encrypted.").hint(
            "Give its passphrase: start `umem serve` in a terminal and type it, or name a file that holds it in UM_PASSPHRASE_FILE.",
        ),
        StoreError::WrongKey => {
            ApiError::new(ErrorCode::WrongKey, "The passphrase does not open the data folder. Nothing was changed.")
                .hint("Try again. Without its passphrase nobody can open it.")
        }
        StoreError::EncryptionMissing => ApiError::new(
            ErrorCode::EncryptionMissing,
            "This build of Ultimate Memory has no encryption, and opens no encrypted data folder.",
        )
        .hint("Use one that was built with `--features encryption`."),
        StoreError::Busy => ApiError::new(ErrorCode::Database, "The database is in use: somebody reads it for long.")
            .hint("Try again in a moment."),
        StoreError::ClaimChange(refused) => ApiError::new(ErrorCode::Conflict, format!("It stays as it is: {refused}.")),
        _ => match error.refusal() {
            Some(words) => ApiError::new(ErrorCode::Conflict, format!("The database refused: {words}.")),
            None => ApiError::new(ErrorCode::Database, format!("{}.", error.to_string().trim_end_matches('.')))
                .hint("Nothing was changed. `umem doctor` checks the data folder."),
        },
    }
}

pub(crate) fn from_io(what: &str, path: &std::path::Path, error: &std::io::Error) -> ApiError {
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound => "Check the path.",
        std::io::ErrorKind::PermissionDenied => "Allow your user to read it, then try again.",
        std::io::ErrorKind::StorageFull => "Free some space, then try again.",
        _ => "Try again.",
    };
    ApiError::new(ErrorCode::Io, format!("{what} {} failed: {}.", path.display(), plain(error))).hint(hint)
}

/// What the system said, without its number.
pub fn plain(error: &std::io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

pub(crate) fn from_provider(error: &ProviderError) -> ApiError {
    // Libraries end their words as they like; a hint follows, so the sentence is closed.
    let message = format!("{}.", error.to_string().trim_end_matches(['.', ' ']));
    match error {
        ProviderError::ModelMissing(_) => {
            ApiError::new(ErrorCode::ModelMissing, message).hint("Download it in Settings, or `umem models add FILE`.")
        }
        ProviderError::ToolMissing { .. } => ApiError::new(ErrorCode::ToolMissing, message),
        ProviderError::PasswordNeeded { wrong: true } => {
            ApiError::new(ErrorCode::PasswordNeeded, "The password does not open this file.")
                .hint("Enter it again, or skip the file.")
        }
        ProviderError::PasswordNeeded { wrong: false } => {
            ApiError::new(ErrorCode::PasswordNeeded, message).hint("Enter it in the window, or skip the file.")
        }
        ProviderError::Corrupt(_) => {
            ApiError::new(ErrorCode::CorruptFile, message).hint("The file itself is kept as it came.")
        }
        ProviderError::Unsupported(_) => {
            ApiError::new(ErrorCode::UnsupportedType, message).hint("The file itself is kept as it came.")
        }
        ProviderError::TimedOut { .. } => {
            ApiError::new(ErrorCode::TimedOut, message).hint("The file itself is kept; retry it from Activity.")
        }
        ProviderError::Waits(_) => {
            ApiError::new(ErrorCode::LanguageModel, message).hint("See the language model's settings, or `umem llm`.")
        }
        ProviderError::Cancelled => ApiError::new(ErrorCode::Cancelled, message),
        ProviderError::Failed(_) => ApiError::new(ErrorCode::ReaderFailed, message).hint("Retry it from Activity."),
    }
}

pub(crate) fn not_found(what: &str, id: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("There is no {what} \"{id}\"."))
}

pub(crate) fn invalid(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, message)
}
