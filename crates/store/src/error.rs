//! What can go wrong in the store.

use um_model::belief::{ClaimState, Needs};

/// What a store function gives.
pub type StoreResult<T> = Result<T, StoreError>;

/// What can go wrong in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database was made by a newer version.
    #[error("this data folder belongs to a newer version of Ultimate Memory (schema {found}; this one knows {known})")]
    TooNew {
        /// The schema found.
        found: i64,
        /// The newest schema known.
        known: i64,
    },
    /// The database is encrypted, and no key was given.
    #[error("the database is encrypted")]
    KeyNeeded,
    /// The key or passphrase is another one.
    #[error("the key does not open the database")]
    WrongKey,
    /// The database is encrypted, and this build cannot open such.
    #[error("the database is encrypted, and this build of Ultimate Memory opens no encrypted ones")]
    EncryptionMissing,
    /// SQLite refused.
    #[error("database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A stored value does not fit its type: the file was changed from outside.
    #[error("the database holds a value that does not fit: {0}")]
    Damaged(String),
    /// A claim never changes its state so, or what the change needs is not there.
    #[error("{0}")]
    ClaimChange(#[from] ChangeRefused),
    /// Readers were in the way for too long.
    #[error("the database is in use; the rest is done later")]
    Busy,
    /// The writer has stopped.
    #[error("the database is closed")]
    Closed,
}

/// Why a claim's state stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefused {
    /// No claim changes so.
    #[error("no claim that is {from} becomes {to}")]
    Never {
        /// The state it is in.
        from: ClaimState,
        /// The state asked for.
        to: ClaimState,
    },
    /// Something is missing that the change needs.
    #[error("a claim that is {from} becomes {to} only {}", wanting(*needs))]
    Wants {
        /// The state it is in.
        from: ClaimState,
        /// The state asked for.
        to: ClaimState,
        /// What is missing.
        needs: Needs,
    },
}

fn wanting(needs: Needs) -> &'static str {
    match needs {
        Needs::Nothing => "freely",
        Needs::Support => "with supporting evidence",
        Needs::NewSupport => "with new supporting evidence",
        Needs::Undo => "by undo",
    }
}

impl StoreError {
    /// Whether a unique index or trigger refused a row that is there already.
    pub fn is_duplicate(&self) -> bool {
        matches!(self, Self::Sqlite(rusqlite::Error::SqliteFailure(e, _))
            if e.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
    }

    /// Whether a trigger or CHECK refused; with its words.
    pub fn refusal(&self) -> Option<&str> {
        match self {
            Self::Sqlite(rusqlite::Error::SqliteFailure(e, Some(words)))
                if e.code == rusqlite::ErrorCode::ConstraintViolation =>
            {
                Some(words)
            }
            _ => None,
        }
    }
}

impl From<um_model::enums::UnknownWord> for StoreError {
    fn from(error: um_model::enums::UnknownWord) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<um_model::ids::InvalidId> for StoreError {
    fn from(error: um_model::ids::InvalidId) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}
