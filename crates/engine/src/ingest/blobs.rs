//! The folder of large files: `blobs/<space>/<first two digits>/<SHA-256>`, owner-only. A file is
//! written under a temporary name, synced, and renamed, so that a name stands for whole bytes or for
//! nothing. Paths are per space, so that one space's redaction cannot destroy another's bytes (ruling 15).

use crate::Engine;
use crate::error::{Outcome, from_io};
use crate::work_file::{WorkFile, overwrite};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use um_model::{ApiError, ErrorCode, SpaceId, capture};
use um_store::artifacts::Bytes;

/// A file's bytes on their way in: read once, hashed, and small ones held, large ones on disk already.
pub(crate) struct Incoming {
    pub(crate) hash: String,
    pub(crate) size: u64,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Small(Vec<u8>),
    /// Written and synced under a temporary name in the folder of blobs.
    Large(WorkFile),
}

/// Where blobs lie.
pub fn folder(data_dir: &Path) -> PathBuf {
    data_dir.join("blobs")
}

fn relative(space: &SpaceId, hash: &str) -> String {
    format!("{space}/{}/{hash}", &hash[..2])
}

/// Reads a file to its end, within the limits.
///
/// # Errors
/// `FileTooLarge`, `Io`.
pub(crate) fn take(engine: &Engine, path: &Path) -> Outcome<Incoming> {
    let mut file = File::open(path).map_err(|e| from_io("Opening", path, &e))?;
    // The size that the system gives spares reading what will be refused; what is read counts.
    check_size(file.metadata().map_err(|e| from_io("Opening", path, &e))?.len(), path)?;
    let mut digest = Sha256::new();
    let mut small = Vec::new();
    let mut large: Option<WorkFile> = None;
    let mut size = 0u64;
    let mut buffer = vec![0u8; 256 * 1024];
    loop {
        let read = file.read(&mut buffer).map_err(|e| from_io("Reading", path, &e))?;
        if read == 0 {
            break;
        }
        size += read as u64;
        check_size(size, path)?;
        digest.update(&buffer[..read]);
        match &large {
            Some(spill) => spill.write(&buffer[..read])?,
            None if size >= engine.inline_below() => {
                let spill = begin(engine.data_dir())?;
                spill.write(&small)?;
                spill.write(&buffer[..read])?;
                small = Vec::new();
                large = Some(spill);
            }
            None => small.extend_from_slice(&buffer[..read]),
        }
    }
    finish(format!("{:x}", digest.finalize()), size, small, large)
}

/// Takes bytes that are in memory already.
///
/// # Errors
/// `FileTooLarge`, `Io`.
pub(crate) fn take_bytes(engine: &Engine, bytes: Vec<u8>, name: &str) -> Outcome<Incoming> {
    let path = Path::new(name);
    let size = bytes.len() as u64;
    check_size(size, path)?;
    let hash = format!("{:x}", Sha256::digest(&bytes));
    if size < engine.inline_below() {
        return finish(hash, size, bytes, None);
    }
    let spill = begin(engine.data_dir())?;
    spill.write(&bytes)?;
    finish(hash, size, Vec::new(), Some(spill))
}

fn check_size(size: u64, path: &Path) -> Outcome<()> {
    if size > capture::MAX_FILE_BYTES {
        return Err(ApiError::new(ErrorCode::FileTooLarge, format!("{} is larger than 100 MB.", path.display()))
            .hint("Split it, or keep only the part you need."));
    }
    Ok(())
}

fn begin(data_dir: &Path) -> Outcome<WorkFile> {
    let folder = folder(data_dir);
    std::fs::create_dir_all(&folder).map_err(|e| from_io("Making", &folder, &e))?;
    crate::engine::own_only(&folder)?;
    WorkFile::begin(&folder, INCOMING)
}

fn finish(hash: String, size: u64, small: Vec<u8>, large: Option<WorkFile>) -> Outcome<Incoming> {
    let body = match large {
        Some(spill) => {
            spill.sync()?;
            Body::Large(spill)
        }
        None => Body::Small(small),
    };
    Ok(Incoming { hash, size, body })
}

impl Incoming {
    /// The bytes' beginning and their type.
    pub(crate) fn file_type(&self, name: &str) -> Outcome<crate::extract::FileType> {
        match &self.body {
            Body::Small(bytes) => Ok(crate::extract::sniff_bytes(bytes, name)),
            Body::Large(file) => {
                crate::extract::sniff_file(file.path(), name).map_err(|e| from_io("Reading", file.path(), &e))
            }
        }
    }

    /// Whether a large file is not in its place.
    pub(crate) fn is_lacking(&self, data_dir: &Path, space: &SpaceId) -> bool {
        matches!(self.body, Body::Large(_)) && !folder(data_dir).join(relative(space, &self.hash)).is_file()
    }

    /// Puts a large file in its place and says where the bytes are. Called before the row is written:
    /// a file without a row is swept up at the next start, a row without its file would be a loss.
    pub(crate) fn place(self, data_dir: &Path, space: &SpaceId) -> Outcome<Bytes> {
        let file = match self.body {
            Body::Small(bytes) => return Ok(Bytes::Inline(bytes)),
            Body::Large(file) => file,
        };
        let uri = relative(space, &self.hash);
        let target = folder(data_dir).join(&uri);
        let parent = target.parent().unwrap_or(&target);
        std::fs::create_dir_all(parent).map_err(|e| from_io("Making", parent, &e))?;
        for made in parent.ancestors().take_while(|made| made.starts_with(folder(data_dir))) {
            crate::engine::own_only(made)?;
        }
        file.persist(&target)?;
        sync_folder(parent);
        Ok(Bytes::File(uri))
    }
}

/// Makes a rename durable where the system can.
pub(crate) fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(handle) = File::open(folder) {
        drop(handle.sync_all());
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Destroys a large file that no row names any more.
///
/// # Errors
/// `Io`.
pub(crate) fn destroy(data_dir: &Path, uri: &str) -> Outcome<()> {
    destroy_file(&folder(data_dir).join(uri))
}

/// Overwrites a file with zeros, then removes it: see [`overwrite`].
///
/// # Errors
/// `Io`; a file that is not there is destroyed already.
pub(crate) fn destroy_file(path: &Path) -> Outcome<()> {
    let failed = |error: &std::io::Error| from_io("Destroying", path, error);
    let mut file = match File::options().write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(&error)),
    };
    overwrite(&mut file).map_err(|e| failed(&e))?;
    drop(file);
    std::fs::remove_file(path).map_err(|e| failed(&e))?;
    path.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// How files are called that are on their way in.
const INCOMING: &str = "incoming-";

/// What an earlier process left half done. Where the database names no large file at all it may not be the one that
/// these belong to: it was moved away, and a new one was made in its place. Then only what was on its way in goes.
pub(crate) fn left_behind(data_dir: &Path, known: &[String]) -> Vec<PathBuf> {
    let is_incoming =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(INCOMING.as_bytes()));
    let mut left = strays(data_dir, known);
    left.retain(|path| !known.is_empty() || is_incoming(path));
    left
}

/// Files in the folder of blobs that no row names: left by a death between the rename and the commit.
pub(crate) fn strays(data_dir: &Path, known: &[String]) -> Vec<PathBuf> {
    let root = folder(data_dir);
    let known: std::collections::HashSet<&str> = known.iter().map(String::as_str).collect();
    ignore::WalkBuilder::new(&root)
        .standard_filters(false)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|t| t.is_file()))
        .filter(|entry| {
            let relative = entry.path().strip_prefix(&root).map(|p| p.to_string_lossy().replace('\\', "/"));
            relative.is_ok_and(|relative| !known.contains(relative.as_str()))
        })
        .map(ignore::DirEntry::into_path)
        .collect()
}
