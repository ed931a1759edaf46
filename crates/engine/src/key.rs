//! The key of hashes that nobody else shall be able to make: of what was forgotten, and of the ledger's end. A file of its
//! own in the data folder that only its owner may read, so that whoever has the database alone can neither try words
//! against those hashes (ruling 24) nor write the ledger anew.

use crate::engine::own_only;
use crate::error::{Outcome, from_io};
use std::io::{ErrorKind, Write};
use std::path::Path;
use um_model::{ApiError, ErrorCode};
use um_store::keyed::Key;

/// Its name in the data folder.
const NAME: &str = "forgotten.key";

/// The key of a data folder, made where there is none.
///
/// # Errors
/// `Io`; `CorruptFile` where the file is not what was written.
pub(crate) fn load(data_dir: &Path) -> Outcome<Key> {
    let path = data_dir.join(NAME);
    match std::fs::read(&path) {
        Ok(bytes) => <[u8; 32]>::try_from(bytes).map(Key::new).map_err(|_| {
            ApiError::new(ErrorCode::CorruptFile, format!("{} is damaged.", path.display()))
                .hint("Put back the one from your backup; without it, what was forgotten may come in again, and the ledger cannot be checked.")
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => make(data_dir, &path),
        Err(error) => Err(from_io("Reading", &path, &error)),
    }
}

fn make(data_dir: &Path, path: &Path) -> Outcome<Key> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|e| ApiError::new(ErrorCode::Io, format!("The system gives no random bytes: {e}.")))?;
    let failed = |error: &std::io::Error| from_io("Writing", path, error);
    let mut file = tempfile::Builder::new().prefix(".key-").tempfile_in(data_dir).map_err(|e| failed(&e))?;
    file.write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(|e| failed(&e))?;
    own_only(file.path())?;
    file.persist(path).map_err(|e| failed(&e.error))?;
    Ok(Key::new(bytes))
}
