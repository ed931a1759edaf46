//! Encryption at rest: turned on and off for a whole data folder, while nothing serves it. The database is SQLCipher's
//! then, and every file lies in it, however large; what opens it is in `memory.key`.

mod convert;
mod key;

pub use convert::{turn_off, turn_on};
pub use key::{Passphrase, change_passphrase, needs_passphrase, unlock};
pub use um_store::cipher::{BUILT_IN, DatabaseKey};

pub(crate) use convert::{destroy_folder, settle};

use crate::error::Outcome;
use std::path::{Path, PathBuf};
use um_model::{ApiError, ErrorCode};

/// Whether a data folder is encrypted. One that does not exist is not.
pub fn is_encrypted(data_dir: &Path) -> bool {
    let files = Files::of(data_dir);
    // Between two renames of a conversion there is no database under its own name.
    let database = if files.database.exists() { &files.database } else { &files.new };
    um_store::cipher::is_encrypted(database)
}

/// The files of a data folder that encryption is about.
pub(crate) struct Files {
    /// The database.
    pub(crate) database: PathBuf,
    /// A conversion's result, before it takes the database's place. Whole as soon as `old` is there.
    new: PathBuf,
    /// The database as it was before a conversion, until nothing is left of it.
    old: PathBuf,
    /// What opens an encrypted database.
    key: PathBuf,
}

impl Files {
    pub(crate) fn of(data_dir: &Path) -> Self {
        let named = |name: &str| data_dir.join(name);
        Self {
            database: named("memory.db"),
            new: named("memory.db.new"),
            old: named("memory.db.old"),
            key: named("memory.key"),
        }
    }

    /// A key without its database: making a new one would give a person who encrypted theirs one that is not.
    ///
    /// # Errors
    /// `Conflict`.
    pub(crate) fn check_database_is_there(&self) -> Outcome<()> {
        let is_there = std::fs::metadata(&self.database).is_ok_and(|found| found.len() > 0);
        if self.key.exists() && !is_there {
            return Err(ApiError::new(
                ErrorCode::Conflict,
                format!("{} is here, but not the encrypted database that it opens.", self.key.display()),
            )
            .hint("Put memory.db back beside it; to begin anew, move memory.key away."));
        }
        Ok(())
    }
}
