//! A file of settings: read, kept beside itself, and replaced as a whole.

use crate::failure::Failure;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use um_model::{ApiError, EpochMs, ErrorCode};
use um_server::paths::plain;

/// So many links are followed from one to the next.
const MAX_LINKS: usize = 20;

/// A file as it was found.
#[derive(Debug)]
pub(super) struct Found {
    /// Where it really stands: what a link points to.
    pub target: PathBuf,
    /// What it says; nothing where there is none.
    pub text: Option<String>,
}

/// Reads a file, or what a link in its place points to.
pub(super) fn find(path: &Path) -> Result<Found, Failure> {
    let target = target(path)?;
    let text = match std::fs::read(&target) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| {
            let error = ApiError::new(ErrorCode::CorruptFile, format!("{} is no text in UTF-8.", target.display()));
            Failure::from(error.hint("Save it as UTF-8, then do this again. Nothing was written."))
        })?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed("read", &target, &error)),
    };
    Ok(Found { target, text })
}

fn target(path: &Path) -> Result<PathBuf, Failure> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let to = std::fs::read_link(&path).map_err(|error| failed("read", &path, &error))?;
                path = path.parent().unwrap_or(Path::new("")).join(to);
            }
            _ => return Ok(plainly(path)),
        }
    }
    Err(failed("read", &path, &Error::other("its links lead in a circle")))
}

/// Without the `..` that a link has brought in.
fn plainly(path: PathBuf) -> PathBuf {
    let has_steps = path.components().any(|part| part == std::path::Component::ParentDir);
    match (path.parent().filter(|_| has_steps).map(Path::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path,
    }
}

impl Found {
    /// Refuses a file that is kept from being written: replacing it would get around that.
    pub(super) fn refuse_read_only(&self) -> Result<(), Failure> {
        match self.target.metadata() {
            Ok(found) if found.permissions().readonly() => {
                let what = format!("{} is kept from being written.", self.target.display());
                let hint = "Allow writing it, or write it by hand: --print shows what. Nothing was written.";
                Err(ApiError::new(ErrorCode::Io, what).hint(hint).into())
            }
            _ => Ok(()),
        }
    }

    /// Puts a text in its place at once, and keeps what it said in a file beside it, which this returns. A file that has
    /// changed since it was found stays.
    pub(super) fn replace(&self, text: &str, now: EpochMs) -> Result<Option<PathBuf>, Failure> {
        if find(&self.target)?.text != self.text {
            let what = format!("{} was changed meanwhile.", self.target.display());
            let hint = "Do this again: it begins with what stands there now. Nothing was written.";
            return Err(ApiError::new(ErrorCode::Conflict, what).hint(hint).into());
        }
        let failed = |error| failed("written", &self.target, &error);
        let backup = match &self.text {
            Some(before) => Some(keep(&self.target, before, now).map_err(failed)?),
            None => None,
        };
        swap(&self.target, text).map_err(failed)?;
        Ok(backup)
    }
}

/// Writes what a file says to a new file beside it, called by the time.
fn keep(target: &Path, text: &str, now: EpochMs) -> Result<PathBuf, Error> {
    let stamp: String = um_server::text::iso_time(now)
        .chars()
        .filter_map(|c| match c {
            'T' => Some('-'),
            c => c.is_ascii_digit().then_some(c),
        })
        .collect();
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let found = target.metadata()?;
    let mut number = 1;
    loop {
        let more = if number == 1 { String::new() } else { format!("-{number}") };
        let path = target.with_file_name(format!("{name}.bak-{stamp}{more}"));
        match create(&path, &found) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1_000 => number += 1,
            Err(error) => return Err(error),
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(path);
            }
        }
    }
}

/// A new file that only those may read who may read the other: settings can hold keys.
fn create(path: &Path, like: &Metadata) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    file.set_permissions(like.permissions())?;
    Ok(file)
}

/// Puts a text in the place of a file: whoever reads it sees what was there or what is new, never a part.
fn swap(target: &Path, text: &str) -> Result<(), Error> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let there = match target.metadata() {
        Ok(there) => Some(there),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".umem-");
    // A new file is as open as any that its user makes; one that was there stays as it was.
    #[cfg(unix)]
    let fresh: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    if there.is_none() {
        builder.permissions(fresh);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(there) = &there {
        same_owner(file.as_file(), there)?;
        file.as_file().set_permissions(there.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// The new file belongs to whom the old one did, also where somebody else writes it (`sudo`).
#[cfg(unix)]
fn same_owner(file: &File, there: &Metadata) -> Result<(), Error> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = file.metadata()?;
    match (now.uid(), now.gid()) == (there.uid(), there.gid()) {
        true => Ok(()),
        false => fchown(file, Some(there.uid()), Some(there.gid())),
    }
}

#[cfg(not(unix))]
fn same_owner(_: &File, _: &Metadata) -> Result<(), Error> {
    Ok(())
}

fn failed(what: &str, path: &Path, error: &Error) -> Failure {
    let why = match error.kind() {
        ErrorKind::PermissionDenied => "you may not".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file stands in the place of its folder".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "its disk cannot be written".to_owned(),
        ErrorKind::StorageFull => "its disk is full".to_owned(),
        _ => plain(error),
    };
    let what = format!("{} cannot be {what}: {why}.", path.display());
    ApiError::new(ErrorCode::Io, what).hint("--print shows what to write there by hand.").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-24 10:08:13.
    const NOW: EpochMs = 1_795_514_893_000;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_what_it_said_is_kept_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/mcp.json");
        assert_eq!(find(&path).unwrap().replace("1", NOW).unwrap(), None, "there was nothing to keep");
        for (text, kept) in [("2", "mcp.json.bak-20261124-100813"), ("3", "mcp.json.bak-20261124-100813-2")] {
            let found = find(&path).unwrap();
            let backup = found.replace(text, NOW).unwrap().unwrap();
            assert_eq!(backup.file_name().unwrap(), kept);
            assert_eq!(Some(std::fs::read_to_string(backup).unwrap()), found.text);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(path.parent().unwrap()).len(), 3, "nothing else is left behind");
    }

    #[test]
    fn what_changed_meanwhile_or_is_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp.json");
        let found = find(&path).unwrap();
        std::fs::write(&path, "theirs").unwrap();
        assert_eq!(found.replace("ours", NOW).unwrap_err().error.code, ErrorCode::Conflict);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(find(&path).unwrap_err().error.code, ErrorCode::CorruptFile);
        assert_eq!(find(folder.path()).unwrap_err().error.code, ErrorCode::Io);
        assert!(find(&path.join("x")).is_err() || find(&path.join("x")).unwrap().replace("ours", NOW).is_err());
        assert_eq!(names(folder.path()), ["mcp.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real/settings"), folder.path().join("mcp.json"));
        std::fs::create_dir(real.parent().unwrap()).unwrap();
        symlink("real/settings", &link).unwrap();
        find(&link).unwrap().replace("1", NOW).unwrap();
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "1", "a link to nothing yet");
        for mode in [0o600, 0o640] {
            std::fs::set_permissions(&real, PermissionsExt::from_mode(mode)).unwrap();
            let backup = find(&link).unwrap().replace("2", NOW).unwrap().unwrap();
            assert_eq!(backup.parent(), real.parent());
            for path in [&real, &backup] {
                assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
            }
        }
        assert!(link.is_symlink());
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o444)).unwrap();
        let refused = find(&link).unwrap().refuse_read_only().unwrap_err();
        assert_eq!(refused.error.code, ErrorCode::Io);
        assert!(refused.error.message.contains("kept from being written"), "{}", refused.error.message);
        let around = folder.path().join("around.json");
        symlink("real/../real/settings", &around).unwrap();
        assert_eq!(find(&around).unwrap().target, real.canonicalize().unwrap(), "told without the way around");
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(find(&circle).unwrap_err().error.message.contains("circle"));
    }
}
