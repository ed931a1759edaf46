//! Files that a person asked for: made anew, and never over one that is there.

use crate::error::{Outcome, from_io, invalid};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use um_model::{ApiError, ErrorCode};

/// A file that did not exist before, being written.
pub(crate) struct NewFile {
    path: PathBuf,
    file: File,
}

impl NewFile {
    /// Makes the file at an absolute path; where that is a folder, one of that name in it.
    ///
    /// # Errors
    /// `InvalidRequest` for a path that is not whole; `Conflict` where something is there already; the system's.
    pub(crate) fn create(asked: &str, name: &str) -> Outcome<Self> {
        let path = PathBuf::from(asked.trim());
        if !path.is_absolute() {
            return Err(
                invalid("The file needs its whole path.").hint("Give a path that begins at the top, or a folder's.")
            );
        }
        let path = if path.is_dir() { path.join(name) } else { path };
        match File::create_new(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(ApiError::new(ErrorCode::Conflict, format!("{} is there already.", path.display()))
                    .hint("Give another name."))
            }
            Err(e) => Err(from_io("Writing", &path, &e)),
        }
    }

    /// Writes bytes at its end.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.file.write_all(bytes).map_err(|e| from_io("Writing", &self.path, &e))
    }

    /// Its path.
    pub(crate) fn path(&self) -> String {
        self.path.display().to_string()
    }
}
