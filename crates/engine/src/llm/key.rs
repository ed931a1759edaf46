//! The language model's key: a file of its own in the data folder that only its owner may read, so that it is in no
//! copy of the database. It is never told and never logged.

use crate::engine::own_only;
use crate::error::{Outcome, from_io, invalid};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use um_model::llm::Secret;

/// The longest key that is one.
const LONGEST: usize = 4096;

fn file(data_dir: &Path) -> PathBuf {
    data_dir.join("language-model.key")
}

/// The key, where one is kept.
pub(super) fn read(data_dir: &Path) -> Outcome<Option<Secret>> {
    let path = file(data_dir);
    match std::fs::read_to_string(&path) {
        Ok(key) => Ok(Some(Secret::new(key))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(from_io("Reading", &path, &error)),
    }
}

/// Whether a key is kept.
pub(super) fn is_set(data_dir: &Path) -> bool {
    file(data_dir).is_file()
}

/// Checks that a key can go into a request, and takes the white space around it off.
pub(super) fn checked(key: &Secret) -> Outcome<Option<Secret>> {
    let key = key.reveal().trim();
    if key.len() > LONGEST || !key.chars().all(|c| c.is_ascii_graphic()) {
        return Err(invalid("This is no key: keys are one word of ASCII letters, digits and signs."));
    }
    Ok((!key.is_empty()).then(|| Secret::new(key)))
}

/// Keeps a key in place of the old one: all of it, or the old one stays.
pub(super) fn write(data_dir: &Path, key: &Secret) -> Outcome<()> {
    let path = file(data_dir);
    let failed = |error: &std::io::Error| from_io("Writing", &path, error);
    // A temporary file of this library is its owner's alone from the beginning.
    let mut filled = tempfile::Builder::new().prefix(".key-").tempfile_in(data_dir).map_err(|e| failed(&e))?;
    filled.write_all(key.reveal().as_bytes()).and_then(|()| filled.as_file().sync_all()).map_err(|e| failed(&e))?;
    own_only(filled.path())?;
    filled.persist(&path).map(drop).map_err(|e| failed(&e.error))
}

/// Takes the key away.
pub(super) fn remove(data_dir: &Path) -> Outcome<()> {
    let path = file(data_dir);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(from_io("Removing", &path, &error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_owners_alone_and_goes_without_a_trace() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()).unwrap(), None);
        for key in ["sk-one", "sk-two"] {
            write(dir.path(), &Secret::new(key)).unwrap();
            assert_eq!(read(dir.path()).unwrap(), Some(Secret::new(key)));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(file(dir.path())).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        remove(dir.path()).unwrap();
        remove(dir.path()).unwrap();
        assert!(!is_set(dir.path()));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_go_into_a_request_is_no_key() {
        let given = |key: &str| checked(&Secret::new(key));
        assert_eq!(given("  sk-a_b.c \n").unwrap(), Some(Secret::new("sk-a_b.c")));
        assert_eq!(given(" ").unwrap(), None);
        for odd in ["two words", "line\nbreak", "schlüssel", &"x".repeat(5000)] {
            let error = given(odd).unwrap_err();
            assert!(!error.to_string().contains(odd));
        }
    }
}
