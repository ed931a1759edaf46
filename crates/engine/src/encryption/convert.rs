//! Encrypting a data folder and back. The new database is written beside the old one, compared with it, and takes its
//! place by two renames; then what is left of the old one is destroyed. Wherever it is cut off, one of both is whole, and
//! [`settle`] ends it at the next start.

use super::key::{self, Passphrase};
use super::{DatabaseKey, Files};
use crate::engine::{lock_folder, own_only, prepare_folder};
use crate::error::{Outcome, from_io, from_store, invalid};
use crate::ingest::blobs::{self, destroy_file, sync_folder};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use um_model::{ApiError, EpochMs, ErrorCode};
use um_store::cipher;
use um_store::{Keys, Store, StoreError, artifacts};

/// Encrypts a data folder, which a passphrase opens from then on. Files beside the database move into it.
///
/// # Errors
/// `DataFolderInUse`, `EncryptionMissing`; `InvalidRequest` where it is encrypted, or the passphrase too short; `Conflict`
/// where a `memory.key` of another passphrase is there; `Io`, `Database`.
pub fn turn_on(data_dir: &Path, passphrase: &Passphrase, now: EpochMs) -> Outcome<()> {
    let (data_dir, _lock) = begin(data_dir)?;
    if super::is_encrypted(&data_dir) {
        return Err(invalid("The data folder is encrypted already."));
    }
    Files::of(&data_dir).check_database_is_there()?;
    let key = key::make(&data_dir, passphrase)?;
    convert(&data_dir, None, Some(&key), now)
}

/// Makes an encrypted data folder a plain one.
///
/// # Errors
/// `DataFolderInUse`, `EncryptionMissing`; `InvalidRequest` where it is not encrypted; `WrongKey`, `Io`, `Database`.
pub fn turn_off(data_dir: &Path, passphrase: &Passphrase, now: EpochMs) -> Outcome<()> {
    let (data_dir, _lock) = begin(data_dir)?;
    let key = key::unlock(&data_dir, Some(passphrase))?.ok_or_else(|| invalid("The data folder is not encrypted."))?;
    convert(&data_dir, Some(&key), None, now)?;
    destroy_file(&Files::of(&data_dir).key)
}

fn begin(data_dir: &Path) -> Outcome<(PathBuf, File)> {
    if !cipher::BUILT_IN {
        return Err(from_store(StoreError::EncryptionMissing));
    }
    let data_dir = prepare_folder(data_dir)?;
    let lock = lock_folder(&data_dir)?;
    settle(&data_dir)?;
    Ok((data_dir, lock))
}

fn convert(data_dir: &Path, from: Option<&DatabaseKey>, to: Option<&DatabaseKey>, now: EpochMs) -> Outcome<()> {
    let files = Files::of(data_dir);
    let made = make(data_dir, &files, from, to, now);
    if made.is_err() {
        // The old one is as it was.
        discard(&files.new)?;
        return made;
    }
    put_in_place(data_dir, &files)?;
    settle(data_dir)
}

fn make(
    data_dir: &Path,
    files: &Files,
    from: Option<&DatabaseKey>,
    to: Option<&DatabaseKey>,
    now: EpochMs,
) -> Outcome<()> {
    // Brings the schema up to date; the last connection that closes empties the write-ahead log.
    let hashes = crate::key::load(data_dir)?;
    let keys = |database: Option<&DatabaseKey>| Keys { database: database.cloned(), hashes: hashes.clone() };
    drop(Store::open(&files.database, keys(from), now).map_err(from_store)?);
    File::create(&files.new).map_err(|e| from_io("Writing", &files.new, &e))?;
    own_only(&files.new)?;
    cipher::copy_as((&files.database, from), (&files.new, to)).map_err(from_store)?;
    if to.is_some() {
        let new = Store::open(&files.new, keys(to), now).map_err(from_store)?;
        bring_in(data_dir, &new, now)?;
    }
    for database in [&files.database, &files.new] {
        let log = beside(database, "-wal");
        if log.exists() {
            return Err(ApiError::new(ErrorCode::Conflict, format!("{} is in use.", log.display()))
                .hint("End every program that has it open, then try again."));
        }
    }
    File::open(&files.new).and_then(|new| new.sync_all()).map_err(|e| from_io("Writing", &files.new, &e))
}

/// Moves the large files into the database. One that is missing stays missed: `umem doctor` says so.
fn bring_in(data_dir: &Path, new: &Store, now: EpochMs) -> Outcome<()> {
    for uri in new.read(artifacts::blob_files).map_err(from_store)? {
        let path = blobs::folder(data_dir).join(&uri);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(from_io("Reading", &path, &error)),
        };
        new.write(move |tx| artifacts::bring_in(tx, &uri, &bytes, now)).map_err(from_store)?;
    }
    Ok(())
}

fn put_in_place(data_dir: &Path, files: &Files) -> Outcome<()> {
    rename(&files.database, &files.old)?;
    sync_folder(data_dir);
    rename(&files.new, &files.database)?;
    sync_folder(data_dir);
    Ok(())
}

/// Ends a conversion that was cut off: goes back where the new database was not whole yet, and forward where it was.
/// Nothing may have the folder open. Needs no key.
///
/// # Errors
/// `Io`.
pub(crate) fn settle(data_dir: &Path) -> Outcome<()> {
    let files = Files::of(data_dir);
    if !files.old.exists() {
        return discard(&files.new);
    }
    if !files.database.exists() {
        rename(&files.new, &files.database)?;
        sync_folder(data_dir);
    }
    if cipher::is_encrypted(&files.database) {
        // All of them are in the database now.
        destroy_folder(&blobs::folder(data_dir))?;
    }
    destroy_folder(&data_dir.join("tmp"))?;
    // Last, as it says that there is something to be done.
    destroy_file(&files.old)
}

/// Destroys a database that did not come to be, with what SQLite makes beside it.
fn discard(database: &Path) -> Outcome<()> {
    ["-wal", "-shm", "-journal", ""].iter().try_for_each(|ending| destroy_file(&beside(database, ending)))
}

/// Overwrites and removes every file in a folder, however deep. A file that cannot be overwritten, as another program holds it,
/// keeps no other from that; it is removed where it can be.
///
/// # Errors
/// `Io`, of the first file that could not be.
pub(crate) fn destroy_folder(folder: &Path) -> Outcome<()> {
    let walk = ignore::WalkBuilder::new(folder).standard_filters(false).build();
    let files = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|t| t.is_file()));
    let failed: Vec<_> = files.filter_map(|file| destroy_file(file.path()).err()).collect();
    let removed = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(from_io("Emptying", folder, &error)),
        _ => Ok(()),
    };
    failed.into_iter().next().map_or(removed, Err)
}

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(ending);
    path.into()
}

fn rename(from: &Path, to: &Path) -> Outcome<()> {
    std::fs::rename(from, to).map_err(|e| from_io("Renaming", from, &e))
}
