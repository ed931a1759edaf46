//! Tokens: 32 random bytes each, in a file that only its owner may read. One is the person's, for the command line;
//! each agent that comes through `umem mcp` has one of its own.

use crate::paths::{self, PathError, io_error};
use std::io::Write;
use std::path::Path;

/// Random bytes in a token.
const TOKEN_BYTES: usize = 32;

/// The secret that every request carries.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The secret as it is sent: 64 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether that is the secret. Takes the same time wherever the first difference stands.
    pub fn matches(&self, given: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), given.as_bytes());
        ours.len() == theirs.len() && ours.iter().zip(theirs).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }

    /// Reads a data folder's token.
    ///
    /// # Errors
    /// [`PathError`] when there is none, or others may read it.
    pub fn read(data_dir: &Path) -> Result<Self, PathError> {
        Self::read_at(&paths::token_path(data_dir))
    }

    /// Reads a data folder's token, or makes one. Only the process that holds the data folder's lock
    /// calls this, so nobody else writes at the same time.
    ///
    /// # Errors
    /// [`PathError`] when the file cannot be made or others may read it.
    pub fn ensure(data_dir: &Path) -> Result<Self, PathError> {
        Self::ensure_at(&paths::token_path(data_dir))
    }

    /// Reads the token of a file, or makes one.
    ///
    /// # Errors
    /// [`PathError`] when the file cannot be made or others may read it.
    pub fn ensure_at(path: &Path) -> Result<Self, PathError> {
        match Self::read_at(path) {
            Err(PathError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
                let token = Self(random_hex::<TOKEN_BYTES>());
                token.keep(path)?;
                Ok(token)
            }
            found => found,
        }
    }

    /// A token that was told, to be kept for an agent.
    ///
    /// # Errors
    /// [`PathError`] when it is none, or the file cannot be made.
    pub fn keep_told(told: &str, path: &Path) -> Result<(), PathError> {
        Self::parse(told, path)?.keep(path)
    }

    fn read_at(path: &Path) -> Result<Self, PathError> {
        #[cfg(unix)]
        paths::check_private(path, false)?;
        Self::parse(&std::fs::read_to_string(path).map_err(io_error(path))?, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, PathError> {
        let text = text.trim();
        if text.len() != 2 * TOKEN_BYTES || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(PathError::NoToken { path: path.to_owned() });
        }
        Ok(Self(text.to_owned()))
    }

    fn keep(&self, path: &Path) -> Result<(), PathError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io_error(folder))?;
        }
        write_private(path, self.as_str()).map_err(io_error(path))
    }
}

/// So many random bytes, in hex.
pub(crate) fn random_hex<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    // A system without randomness can neither keep a secret nor fence content: nothing to go on with.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file that only its owner may read: whole, or not at all.
pub(crate) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let staged = path.with_extension("new");
    match std::fs::remove_file(&staged) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&staged)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&staged, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_read_again() {
        let temp = tempfile::tempdir().unwrap();
        let made = Token::ensure(temp.path()).unwrap();
        assert_eq!(made.as_str().len(), 64);
        assert_eq!(Token::ensure(temp.path()).unwrap(), made);
        assert_eq!(Token::read(temp.path()).unwrap(), made);
        assert!(made.matches(made.as_str()));
        assert!(!made.matches(""));
        assert!(!made.matches(&made.as_str().replace(|c: char| c.is_ascii_digit(), "x")));
        assert_eq!(format!("{made:?}"), "Token(…)");
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        Token::ensure(temp.path()).unwrap();
        let path = paths::token_path(temp.path());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(Token::read(temp.path()), Err(PathError::TooOpen { .. })));
    }

    #[test]
    fn a_file_without_a_token_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        write_private(&paths::token_path(temp.path()), "nonsense").unwrap();
        assert!(matches!(Token::ensure(temp.path()), Err(PathError::NoToken { .. })));
    }
}
