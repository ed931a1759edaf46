//! Where the data folder, the socket and the token are, and who may see them.

use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use um_model::{ApiError, ErrorCode};

/// Why a place that must be private cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// No home folder is known, so there is no default data folder.
    #[error("No home folder is known on this system.")]
    NoHome,
    /// Something stands there that is no folder (or no file), perhaps a symbolic link.
    #[error("{} is not a plain {what}.", path.display())]
    NotPlain {
        /// What stands in the way.
        path: PathBuf,
        /// What should stand there: `folder` or `file`.
        what: &'static str,
    },
    /// It belongs to another user.
    #[error("{} belongs to user {owner}, not to you.", path.display())]
    WrongOwner {
        /// The place.
        path: PathBuf,
        /// The uid that owns it.
        owner: u32,
    },
    /// Others may read or write it.
    #[error("{} is open to other users (mode {mode:03o}).", path.display())]
    TooOpen {
        /// The place.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The path is longer than a socket's address may be.
    #[error("The socket's path {} is longer than {MAX_SOCKET_PATH} bytes.", path.display())]
    TooLong {
        /// The path.
        path: PathBuf,
    },
    /// The token file holds no token.
    #[error("{} holds no token.", path.display())]
    NoToken {
        /// The token file.
        path: PathBuf,
    },
    /// The system said no.
    #[error("{} cannot be used: {}.", path.display(), plain(error))]
    Io {
        /// The place.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl From<PathError> for ApiError {
    fn from(error: PathError) -> Self {
        let message = error.to_string();
        match error {
            PathError::NoHome => {
                ApiError::new(ErrorCode::Io, message).hint("Name the data folder: --data DIR or UM_DATA.")
            }
            PathError::NotPlain { path, .. } => ApiError::new(ErrorCode::Forbidden, message)
                .hint(format!("Look at {} and remove it, then start again.", path.display())),
            PathError::WrongOwner { .. } => ApiError::new(ErrorCode::Forbidden, message)
                .hint("Set XDG_RUNTIME_DIR to a folder of your own, or have its owner remove it."),
            PathError::TooOpen { path, .. } => {
                ApiError::new(ErrorCode::Forbidden, message).hint(format!("Run: chmod go-rwx \"{}\"", path.display()))
            }
            PathError::TooLong { .. } => {
                ApiError::new(ErrorCode::Io, message).hint("Set XDG_RUNTIME_DIR or TMPDIR to a shorter path.")
            }
            PathError::NoToken { path } => ApiError::new(ErrorCode::Io, message)
                .hint(format!("Remove {} and start the service again; it makes a new one.", path.display())),
            PathError::Io { .. } => ApiError::new(ErrorCode::Io, message),
        }
    }
}

/// Longest path that fits a socket's address on every Unix, in bytes (ruling 23).
pub const MAX_SOCKET_PATH: usize = 100;

/// What the system said, without its number.
pub fn plain(error: &io::Error) -> String {
    let said = error.to_string();
    said.split(" (os error").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> PathError {
    let path = path.to_owned();
    move |error| PathError::Io { path, error }
}

fn env_folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The data folder that is used where none is named: the platform's folder for application data.
///
/// # Errors
/// [`PathError::NoHome`] where the environment names no home folder.
pub fn default_data_dir() -> Result<PathBuf, PathError> {
    let found = if cfg!(windows) {
        env_folder("LOCALAPPDATA").map(|folder| folder.join("Ultimate Memory"))
    } else if cfg!(target_os = "macos") {
        env_folder("HOME").map(|home| home.join("Library/Application Support/Ultimate Memory"))
    } else {
        env_folder("XDG_DATA_HOME")
            .or_else(|| env_folder("HOME").map(|home| home.join(".local/share")))
            .map(|folder| folder.join("ultimate-memory"))
    };
    found.ok_or(PathError::NoHome)
}

/// The file that holds the person's token of a data folder: the command line's.
pub fn token_path(data_dir: &Path) -> PathBuf {
    data_dir.join("person.token")
}

/// The file in which the bridge of an agent of that name keeps its token. The name is the agent's own word, so only
/// its letters and digits make the file's, and a hash keeps names apart that differ in the rest.
pub fn agent_token_path(data_dir: &Path, name: &str) -> PathBuf {
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let hash = format!("{:x}", Sha256::digest(name));
    data_dir.join("agents").join(format!("{plain}-{}.token", &hash[..8]))
}

/// The user that this process acts as, where the system has such numbers.
pub(crate) fn own_uid() -> Option<u32> {
    #[cfg(unix)]
    return Some(current_uid());
    #[cfg(not(unix))]
    None
}

/// The file in which a running service names its socket, for clients whose environment leads elsewhere
/// (another XDG_RUNTIME_DIR, for example).
pub fn address_path(data_dir: &Path) -> PathBuf {
    data_dir.join("service.socket")
}

/// The folder of the service's logs.
pub fn logs_dir(data_dir: &Path) -> PathBuf {
    data_dir.join("logs")
}

fn folder_hash(data_dir: &Path) -> String {
    let canonical = std::fs::canonicalize(data_dir)
        .or_else(|_| std::path::absolute(data_dir))
        .unwrap_or_else(|_| data_dir.to_owned());
    Sha256::digest(canonical.as_os_str().as_encoded_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The socket of a data folder: in the user's runtime folder, named after a hash of the data folder's
/// canonical path. On Windows, the name of a pipe.
pub fn socket_path(data_dir: &Path) -> PathBuf {
    let hash = folder_hash(data_dir);
    #[cfg(windows)]
    return PathBuf::from(format!(r"\\.\pipe\ultimate-memory-{hash}"));
    #[cfg(unix)]
    unix::runtime_dir(&format!("{hash}.sock"))
}

#[cfg(unix)]
pub use unix::{check_private, current_uid, prepare_private_dir};

#[cfg(unix)]
mod unix {
    use super::{MAX_SOCKET_PATH, PathError, env_folder, io_error};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    use std::path::{Path, PathBuf};

    /// The uid that this process acts as.
    pub fn current_uid() -> u32 {
        // SAFETY: geteuid takes nothing, touches no memory of ours and cannot fail.
        unsafe { libc::geteuid() }
    }

    /// Where the socket of that name goes. The runtime folder counts only where it exists and leaves the
    /// path short enough; both ends of the socket decide the same way.
    pub(super) fn runtime_dir(name: &str) -> PathBuf {
        let fits = |path: &PathBuf| path.as_os_str().len() <= MAX_SOCKET_PATH;
        env_folder("XDG_RUNTIME_DIR")
            .filter(|folder| folder.is_dir())
            .map(|folder| folder.join("ultimate-memory").join(name))
            .filter(fits)
            .unwrap_or_else(|| std::env::temp_dir().join(format!("ultimate-memory-{}", current_uid())).join(name))
    }

    /// Makes sure that a folder exists and is the user's alone.
    ///
    /// # Errors
    /// [`PathError`] when something else stands there, or it is another user's, or open to others.
    pub fn prepare_private_dir(folder: &Path) -> Result<(), PathError> {
        match std::fs::DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(io_error(folder)(error)),
            _ => {}
        }
        check_private(folder, true)
    }

    /// Checks that a folder (or file) is no symbolic link, is this user's, and open to nobody else.
    ///
    /// # Errors
    /// [`PathError`] that names what is wrong.
    pub fn check_private(path: &Path, is_folder: bool) -> Result<(), PathError> {
        let found = std::fs::symlink_metadata(path).map_err(io_error(path))?;
        let plain = if is_folder { found.is_dir() } else { !found.is_dir() && !found.is_symlink() };
        if !plain {
            let what = if is_folder { "folder" } else { "file" };
            return Err(PathError::NotPlain { path: path.to_owned(), what });
        }
        if found.uid() != current_uid() {
            return Err(PathError::WrongOwner { path: path.to_owned(), owner: found.uid() });
        }
        match found.mode() & 0o777 {
            mode if mode & 0o077 != 0 => Err(PathError::TooOpen { path: path.to_owned(), mode }),
            _ => Ok(()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_private_folder_is_made_and_accepted_again() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("run");
        prepare_private_dir(&folder).unwrap();
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        prepare_private_dir(&folder).unwrap();
    }

    #[test]
    fn a_symlink_a_file_and_an_open_folder_are_refused() {
        let temp = tempfile::tempdir().unwrap();
        let real = temp.path().join("real");
        prepare_private_dir(&real).unwrap();
        let link = temp.path().join("link");
        symlink(&real, &link).unwrap();
        assert!(matches!(prepare_private_dir(&link), Err(PathError::NotPlain { what: "folder", .. })));
        let file = temp.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(matches!(prepare_private_dir(&file), Err(PathError::NotPlain { .. })));
        for mode in [0o710, 0o701, 0o770, 0o755] {
            set_mode(&real, mode);
            assert!(matches!(prepare_private_dir(&real), Err(PathError::TooOpen { mode: found, .. }) if found == mode));
        }
    }

    #[test]
    fn another_users_folder_is_refused() {
        // The file system's root is root's; the check is worth something only for somebody else.
        if current_uid() != 0 {
            assert!(matches!(check_private(Path::new("/"), true), Err(PathError::WrongOwner { owner: 0, .. })));
        } else {
            let temp = tempfile::tempdir().unwrap();
            std::os::unix::fs::chown(temp.path(), Some(12345), None).unwrap();
            assert!(matches!(check_private(temp.path(), true), Err(PathError::WrongOwner { owner: 12345, .. })));
        }
    }

    #[test]
    fn the_socket_follows_the_canonical_folder_and_is_short() {
        let temp = tempfile::tempdir().unwrap();
        let data = temp.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let link = temp.path().join("elsewhere");
        symlink(&data, &link).unwrap();
        assert_eq!(socket_path(&data), socket_path(&link));
        assert_ne!(socket_path(&data), socket_path(temp.path()));
        assert!(socket_path(&data).as_os_str().len() <= MAX_SOCKET_PATH);
    }
}
