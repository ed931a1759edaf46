//! Files that hold what somebody keeps for a while, as a copy that a program reads: overwritten before they go, as nothing else
//! takes their bytes off the disk.

use crate::error::{Outcome, from_io};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file that only the owner may read. Whatever ends its use, a failure too, it is overwritten with zeros and removed.
pub(crate) struct WorkFile(Option<NamedTempFile>);

impl WorkFile {
    /// Makes one in a folder; its name begins so.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn begin(folder: &Path, prefix: &str) -> Outcome<Self> {
        let file = tempfile::Builder::new().prefix(prefix).tempfile_in(folder);
        Ok(Self(Some(file.map_err(|e| from_io("Writing in", folder, &e))?)))
    }

    fn inner(&self) -> &NamedTempFile {
        self.0.as_ref().expect("it is there until it is given away")
    }

    pub(crate) fn path(&self) -> &Path {
        self.inner().path()
    }

    /// Writes bytes at its end.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn write(&self, bytes: &[u8]) -> Outcome<()> {
        self.inner().as_file().write_all(bytes).map_err(|e| from_io("Writing", self.path(), &e))
    }

    /// Waits until its bytes are on disk.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn sync(&self) -> Outcome<()> {
        self.inner().as_file().sync_all().map_err(|e| from_io("Writing", self.path(), &e))
    }

    /// Gives it another name, for good.
    ///
    /// # Errors
    /// `Io`; then it is removed as others are.
    pub(crate) fn persist(mut self, target: &Path) -> Outcome<()> {
        let file = self.0.take().expect("it is there until it is given away");
        file.persist(target).map(drop).map_err(|e| {
            self.0 = Some(e.file);
            from_io("Writing", target, &e.error)
        })
    }

    /// Overwrites and removes it.
    ///
    /// # Errors
    /// `Io`, where its bytes may still be on disk.
    pub(crate) fn destroy(mut self) -> Outcome<()> {
        let mut file = self.0.take().expect("it is there until it is given away");
        overwrite(file.as_file_mut()).map_err(|e| from_io("Destroying", file.path(), &e))
    }
}

impl Drop for WorkFile {
    fn drop(&mut self) {
        if let Some(mut file) = self.0.take()
            && let Err(error) = overwrite(file.as_file_mut())
        {
            tracing::warn!(kind = %error.kind(), "a work file could not be overwritten before it was removed");
        }
    }
}

/// Overwrites a file with zeros, to the disk. Where the file system keeps old blocks, as journals and solid state disks do,
/// this reaches the new ones only; no program can do more.
///
/// # Errors
/// The system's.
pub(crate) fn overwrite(file: &mut File) -> std::io::Result<()> {
    let length = file.metadata()?.len();
    file.rewind()?;
    std::io::copy(&mut std::io::repeat(0).take(length), file)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in a work file once its use has ended, as one who has it open sees it.
    fn left(end: impl FnOnce(WorkFile)) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let file = WorkFile::begin(folder.path(), "a-").unwrap();
        file.write(b"what ").and_then(|()| file.write(b"was read")).unwrap();
        let mut open = File::open(file.path()).unwrap();
        end(file);
        let mut bytes = Vec::new();
        open.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_work_file_is_overwritten_however_its_use_ends() {
        let nothing = vec![0; 13];
        assert_eq!(left(drop), nothing, "where it is dropped");
        assert_eq!(left(|file| file.destroy().unwrap()), nothing, "where it is destroyed");
        let unplaced = left(|file| assert!(file.persist(Path::new("/nowhere/at/all")).is_err()));
        assert_eq!(unplaced, nothing, "where it cannot be put in its place");
        let panics = |file: WorkFile| {
            let work = std::panic::AssertUnwindSafe(move || {
                let _file = file;
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(std::panic::catch_unwind(work).is_err());
        };
        assert_eq!(left(panics), nothing, "where its user panics");
        let target = tempfile::tempdir().unwrap();
        let placed = left(|file| file.persist(&target.path().join("b")).unwrap());
        assert_eq!(placed, b"what was read", "what is kept stays as it is");
    }
}
