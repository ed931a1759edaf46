//! The key of what outlives content: a file of its own in the data folder that only its owner may read, so that a copy of
//! the database alone does not let anybody try words against its hashes (ruling 24).

use crate::engine::own_only;
use crate::error::{Outcome, from_io, from_store};
use std::io::{ErrorKind, Write};
use std::path::Path;
use um_model::{ApiError, ErrorCode};
use um_store::keyed::Key;
use um_store::{Store, StoreError};

/// Its name in the data folder.
const NAME: &str = "forgotten.key";

/// The key of a data folder, made where there is none.
///
/// # Errors
/// `Io`; `CorruptFile` where the file is not what was written.
pub(crate) fn load(data_dir: &Path, store: &Store) -> Outcome<Key> {
    let path = data_dir.join(NAME);
    match std::fs::read(&path) {
        Ok(bytes) => <[u8; 32]>::try_from(bytes).map(Key::new).map_err(|_| {
            ApiError::new(ErrorCode::CorruptFile, format!("{} is damaged.", path.display()))
                .hint("Put back the one from your backup; without it, what was forgotten may come in again.")
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => make(data_dir, &path, store),
        Err(error) => Err(from_io("Reading", &path, &error)),
    }
}

fn make(data_dir: &Path, path: &Path, store: &Store) -> Outcome<Key> {
    // SQLite's generator is seeded by the system's.
    let bytes: [u8; 32] = store
        .read(|c| c.query_row("SELECT randomblob(32)", [], |row| row.get(0)).map_err(StoreError::from))
        .map_err(from_store)?;
    let failed = |error: &std::io::Error| from_io("Writing", path, error);
    let mut file = tempfile::Builder::new().prefix(".key-").tempfile_in(data_dir).map_err(|e| failed(&e))?;
    file.write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(|e| failed(&e))?;
    own_only(file.path())?;
    file.persist(path).map_err(|e| failed(&e.error))?;
    Ok(Key::new(bytes))
}
