//! What opens an encrypted data folder: `memory.key` holds the database's key, and a passphrase opens it.

use super::Files;
use crate::engine::own_only;
use crate::error::{Outcome, from_io, from_store, invalid};
use crate::ingest::blobs::{destroy_file, sync_folder};
use std::io::BufRead;
use std::path::Path;
use um_model::{ApiError, ErrorCode};
use um_store::StoreError;
use um_store::cipher::{self, DatabaseKey, KEY_BYTES};
use zeroize::Zeroizing;

/// So many characters a new passphrase has at least.
const SHORTEST: usize = 8;

/// A passphrase. Overwritten in memory when it is dropped.
#[derive(PartialEq, Eq)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// What was typed, or read from a file.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The next line of what a person wrote into a file.
    ///
    /// # Errors
    /// The system's.
    pub fn read(lines: &mut impl BufRead) -> std::io::Result<Self> {
        let mut line = Zeroizing::new(String::new());
        lines.read_line(&mut line)?;
        Ok(Self::new(line.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// As it was typed, for whoever hands it on to the process that opens the folder.
    pub fn text(&self) -> &str {
        &self.0
    }

    fn check_new(&self) -> Outcome<()> {
        if self.0.chars().count() < SHORTEST {
            return Err(invalid(format!("A passphrase has at least {SHORTEST} characters."))
                .hint("Several words that do not belong together are easy to keep and hard to guess."));
        }
        Ok(())
    }
}

/// Whether a data folder opens with a passphrase alone.
pub fn needs_passphrase(data_dir: &Path) -> bool {
    super::is_encrypted(data_dir) && Files::of(data_dir).key.exists()
}

/// The key of a data folder; none where it is not encrypted. Changes nothing.
///
/// # Errors
/// `KeyNeeded` without a passphrase, or where `memory.key` is gone; `WrongKey`; `EncryptionMissing`; `Database`.
pub fn unlock(data_dir: &Path, passphrase: Option<&Passphrase>) -> Outcome<Option<DatabaseKey>> {
    if !super::is_encrypted(data_dir) {
        return Ok(None);
    }
    if !cipher::BUILT_IN {
        return Err(from_store(StoreError::EncryptionMissing));
    }
    let path = Files::of(data_dir).key;
    if !path.exists() {
        return Err(ApiError::new(
            ErrorCode::KeyNeeded,
            format!("The database is encrypted, and {} is missing.", path.display()),
        )
        .hint("Put it back from your backup: nothing else opens the database."));
    }
    let passphrase = passphrase.ok_or_else(|| from_store(StoreError::KeyNeeded))?;
    cipher::unseal(&path, &passphrase.0).map(Some).map_err(from_store)
}

/// Lets another passphrase open a data folder. The database and its key stay as they are.
///
/// # Errors
/// `InvalidRequest` where it is too short, or nothing is encrypted; those of [`unlock`]; `Io`.
pub fn change_passphrase(data_dir: &Path, old: &Passphrase, new: &Passphrase) -> Outcome<()> {
    new.check_new()?;
    let key = unlock(data_dir, Some(old))?.ok_or_else(|| invalid("The data folder is not encrypted."))?;
    keep(data_dir, &key, new)
}

/// The key of a folder that is about to be encrypted: a new one; where a conversion was cut off, that one's.
pub(super) fn make(data_dir: &Path, passphrase: &Passphrase) -> Outcome<DatabaseKey> {
    passphrase.check_new()?;
    let path = Files::of(data_dir).key;
    if path.exists() {
        return cipher::unseal(&path, &passphrase.0).map_err(|error| match error {
            StoreError::WrongKey => ApiError::new(
                ErrorCode::Conflict,
                format!("{} is here already, and another passphrase opens it.", path.display()),
            )
            .hint("Give that one; or move the file away, if no database of yours needs it."),
            error => from_store(error),
        });
    }
    let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
    getrandom::fill(&mut *bytes)
        .map_err(|e| ApiError::new(ErrorCode::Internal, format!("The system gives no random numbers: {e}.")))?;
    let key = DatabaseKey::new(*bytes);
    keep(data_dir, &key, passphrase)?;
    Ok(key)
}

/// Writes a key for a passphrase, in the place of what is there.
fn keep(data_dir: &Path, key: &DatabaseKey, passphrase: &Passphrase) -> Outcome<()> {
    let path = Files::of(data_dir).key;
    let new = path.with_extension("key.new");
    destroy_file(&new)?;
    std::fs::File::create(&new).map_err(|e| from_io("Writing", &new, &e))?;
    own_only(&new)?;
    cipher::seal(&new, &passphrase.0, key).map_err(from_store)?;
    std::fs::rename(&new, &path).map_err(|e| from_io("Writing", &path, &e))?;
    sync_folder(data_dir);
    Ok(())
}
