//! Which files an agent may bring in (ADR 0012). A person may bring in whatever they can read; a model that was given "write in
//! this space" is not thereby given their disk: only folders that the person opened to it, and those that the space watches
//! anyway, and in them nothing that is hidden, a key, a link or the memory's own.

use crate::error::{Fault, from_io, invalid};
use crate::{Caller, Engine};
use std::path::{Component, Path, PathBuf};
use um_model::watch::WatchFolder;
use um_model::{ApiError, ErrorCode, SpaceId};
use um_store::{members, watches};

/// What files that are keys or hold some are called, whatever follows a dot, and whatever folder they lie in.
const KEYS: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials",
    "credential",
    "logins",
    "login data",
    "key3",
    "key4",
    "cookies",
    "secrets",
    "wallet",
    "passwords",
    "kubeconfig",
    "htpasswd",
];
/// Parts of names, after a dot, of files that are keys or hold some.
const KEY_ENDS: &[&str] = &[
    "pem", "key", "p12", "pfx", "kdb", "kdbx", "ppk", "jks", "keystore", "token", "ovpn", "asc", "gpg", "pgp",
    "tfstate", "tfvars", "env", "p8",
];
/// What a file that holds a key begins with, or has in its first bytes.
const KEY_WORDS: &[&str] = &["-----BEGIN", "PuTTY-User-Key-File"];
/// So many first bytes are looked at.
const LOOKED_AT: u64 = 4_096;

/// What a caller may bring files in from.
pub(crate) enum Opened {
    /// From wherever the person's own programs can read.
    Everywhere,
    /// From these folders, each without links, and from what these watched ones take.
    Folders(Vec<PathBuf>, Vec<WatchFolder>),
}

/// What is brought in of a path.
pub(super) enum Asked {
    /// All that is there.
    All,
    /// These files.
    These(Vec<PathBuf>),
}

impl Opened {
    /// What a caller may bring into a space. What is watched is open as far as the watch goes, and while it goes on.
    pub(crate) fn to(engine: &Engine, caller: &Caller, space: &SpaceId) -> Result<Self, ApiError> {
        if !caller.is_agent() {
            return Ok(Self::Everywhere);
        }
        let is_paused = engine.is_paused();
        let (named, watched) = engine.read(|c| {
            let agent = members::agent_by_id(c, &caller.actor)?;
            let mut watched = watches::watched(c)?;
            watched.retain(|folder| folder.space_id == *space && !is_paused);
            Ok::<_, Fault>((agent.map(|one| one.folders).unwrap_or_default(), watched))
        })?;
        // One that is gone opens nothing.
        let folders = named.iter().filter_map(|folder| Path::new(folder).canonicalize().ok()).collect();
        Ok(Self::Folders(folders, watched))
    }

    /// Refuses a path that was asked for: an agent is told the same of what is closed to it and of what is not there.
    ///
    /// # Errors
    /// `Forbidden`.
    pub(super) fn check_asked(&self, path: &Path) -> Result<Asked, ApiError> {
        let Self::Folders(folders, watched) = self else { return Ok(Asked::All) };
        let closed = || self.closed(path);
        let whole = path.canonicalize().map_err(|_| closed())?;
        if folder_of(folders, &whole).is_some_and(|folder| !is_hidden(below(folder, &whole))) {
            return Ok(Asked::All);
        }
        let around = watched.iter().find(|folder| whole.starts_with(&folder.path)).ok_or_else(closed)?;
        match crate::watch::taken(around, &whole)? {
            files if files.is_empty() => Err(closed()),
            files => Ok(Asked::These(files)),
        }
    }

    /// Refuses a file that was found, without links in its path.
    ///
    /// # Errors
    /// `Forbidden`.
    pub(crate) fn check_found(&self, file: &Path) -> Result<(), ApiError> {
        let Self::Folders(folders, watched) = self else { return Ok(()) };
        let watched = watched.iter().map(|folder| Path::new(&folder.path)).find(|folder| file.starts_with(folder));
        let folder = folder_of(folders, file).map(PathBuf::as_path).or(watched).ok_or_else(|| self.closed(file))?;
        let kind = match () {
            () if is_hidden(below(folder, file)) => "a hidden file",
            () if is_key(file) => "a key or holds secrets",
            () if has_other_names(file) => "a file with several names (hard links)",
            () => return Ok(()),
        };
        let error = ApiError::new(ErrorCode::Forbidden, format!("{} is {kind}.", file.display()));
        Err(error.hint("Agents do not bring such files in; the person can."))
    }

    /// The same with one folder more, without links in its path.
    pub(crate) fn and(self, folder: Option<PathBuf>) -> Self {
        match self {
            Self::Everywhere => Self::Everywhere,
            Self::Folders(folders, watched) => Self::Folders(folders.into_iter().chain(folder).collect(), watched),
        }
    }

    /// A folder as a whole, without links in its path: one of these, or one in them that is not hidden.
    ///
    /// # Errors
    /// `Forbidden` for an agent, whether the folder is closed to it or is not there.
    pub(crate) fn folder(&self, path: &Path) -> Result<PathBuf, ApiError> {
        let whole = path.canonicalize();
        let Self::Folders(folders, watched) = self else {
            let whole = whole.map_err(|e| from_io("Opening", path, &e))?;
            return whole.is_dir().then_some(whole).ok_or_else(|| invalid(format!("{} is no folder.", path.display())));
        };
        let whole = whole.ok().filter(|whole| whole.is_dir()).ok_or_else(|| self.closed(path))?;
        let mut open = folders.iter().map(PathBuf::as_path).chain(watched.iter().map(|folder| Path::new(&folder.path)));
        match open.any(|folder| whole.starts_with(folder) && !is_hidden(below(folder, &whole))) {
            true => Ok(whole),
            false => Err(self.closed(path)),
        }
    }

    /// Whether a file, without links in its path, could be brought in.
    pub(crate) fn takes(&self, file: &Path) -> bool {
        let is_asked = match self.check_asked(file) {
            Ok(Asked::All) => true,
            Ok(Asked::These(files)) => files.iter().any(|one| one == file),
            Err(_) => false,
        };
        is_asked && self.check_found(file).is_ok()
    }

    fn closed(&self, path: &Path) -> ApiError {
        let message = format!("{} is not there, or in no folder that is open to you.", path.display());
        let open: Vec<String> = match self {
            Self::Everywhere => Vec::new(),
            Self::Folders(folders, watched) => folders
                .iter()
                .map(|folder| folder.display().to_string())
                .chain(watched.iter().map(|folder| folder.path.clone()))
                .collect(),
        };
        let open = if open.is_empty() { "No folder is.".to_owned() } else { format!("Open: {}.", open.join(", ")) };
        let how = "The person can open one: umem agents folders NAME --add FOLDER.";
        ApiError::new(ErrorCode::Forbidden, message).hint(format!("{open} {how}"))
    }
}

/// The one of the folders that a path without links lies in.
fn folder_of<'a>(folders: &'a [PathBuf], whole: &Path) -> Option<&'a PathBuf> {
    folders.iter().find(|folder| whole.starts_with(folder))
}

fn below<'a>(folder: &Path, whole: &'a Path) -> &'a Path {
    whole.strip_prefix(folder).unwrap_or(whole)
}

fn is_hidden(below: &Path) -> bool {
    below.components().any(|part| matches!(part, Component::Normal(name) if name.to_string_lossy().starts_with('.')))
}

/// By its name, or by the mark in its first lines.
fn is_key(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut parts = name.split('.');
    parts.next().is_some_and(|stem| KEYS.contains(&stem))
        || parts.any(|part| KEY_ENDS.contains(&part))
        || says_key(file)
}

fn says_key(file: &Path) -> bool {
    use std::io::Read;
    let mut first = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut first));
    let first = String::from_utf8_lossy(&first);
    read.is_ok() && KEY_WORDS.iter().any(|mark| first.contains(mark))
}

/// Whether the file stands under another name as well, which may lie anywhere.
#[cfg(unix)]
fn has_other_names(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(file).is_ok_and(|metadata| metadata.nlink() > 1)
}

/// Where the system does not tell it cheaply, a hard link passes.
#[cfg(not(unix))]
fn has_other_names(_: &Path) -> bool {
    false
}
