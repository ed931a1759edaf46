//! Errors as they leave the product: a code that a caller may act on, what happened, what to do next.

use crate::enums::text_enum;
use serde::{Deserialize, Serialize};

text_enum! {
    /// Why an operation did not happen. Callers match on this, never on a message.
    ErrorCode {
        /// A request that cannot be understood.
        InvalidRequest = "invalid_request",
        /// Nothing has that id or name.
        NotFound = "not_found",
        /// A name that fits more than one thing; the message lists them.
        Ambiguous = "ambiguous",
        /// A name that is taken.
        AlreadyExists = "already_exists",
        /// The actor may not do this.
        Forbidden = "forbidden",
        /// An agent that the person did not let in yet.
        NotPaired = "not_paired",
        /// An agent whose token was revoked or has run out.
        AccessEnded = "access_ended",
        /// The person asked to forget this; it does not come in again until they allow it.
        Forgotten = "forgotten",
        /// It looks like a secret, or like an order to a model: it waits for the person, who decides whether it is kept, or nothing of it is
        /// kept; the message says which.
        Held = "held",
        /// A file over the limit.
        FileTooLarge = "file_too_large",
        /// A text over the limit.
        TextTooLong = "text_too_long",
        /// A file or text with nothing in it.
        Empty = "empty",
        /// The bytes are not what their type says.
        CorruptFile = "corrupt_file",
        /// No reader knows this type.
        UnsupportedType = "unsupported_type",
        /// The file needs its password, or the password given is wrong.
        PasswordNeeded = "password_needed",
        /// The model that this needs is not installed.
        ModelMissing = "model_missing",
        /// The language model cannot be used as it is set up, or has spent its budget of the day.
        LanguageModel = "language_model",
        /// The model in the settings is not the one that the database was embedded with.
        ModelMismatch = "model_mismatch",
        /// A program or library that this needs is not installed.
        ToolMissing = "tool_missing",
        /// A reader stopped with an error.
        ReaderFailed = "reader_failed",
        /// A reader took too long and was stopped.
        TimedOut = "timed_out",
        /// Somebody cancelled it.
        Cancelled = "cancelled",
        /// The database belongs to a newer version of the product.
        DatabaseTooNew = "database_too_new",
        /// The data folder is encrypted, and what opens it was not given.
        KeyNeeded = "key_needed",
        /// What was given does not open the encrypted data folder; nothing was changed.
        WrongKey = "wrong_key",
        /// The data folder is encrypted, or is to be, and this build cannot do that.
        EncryptionMissing = "encryption_missing",
        /// Another process serves this data folder.
        DataFolderInUse = "data_folder_in_use",
        /// The state of the thing does not allow this.
        Conflict = "conflict",
        /// Reading or writing a file failed.
        Io = "io",
        /// The database refused; nothing was changed.
        Database = "database",
        /// Too many requests; try again later.
        RateLimited = "rate_limited",
        /// A fault of the product itself.
        Internal = "internal",
    }
}

/// An operation's failure, as every door gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, thiserror::Error)]
#[error("{message}{}", hint.as_deref().map(|h| format!(" {h}")).unwrap_or_default())]
pub struct ApiError {
    /// What kind of failure it is.
    pub code: ErrorCode,
    /// What happened, in a sentence.
    pub message: String,
    /// What to do next, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ApiError {
    /// An error without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// The same error with what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
