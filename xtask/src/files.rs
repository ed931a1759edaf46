//! Small dealings with files that several steps share.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Writes a file, with the folders above it, unless it already has these bytes: an untouched time stamp spares a
/// build. Says whether it wrote.
///
/// # Errors
/// The disk's, with the path.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, String> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    make_parent(path)?;
    fs::write(path, bytes).map_err(|e| format!("{} cannot be written: {e}", path.display()))?;
    Ok(true)
}

/// Reads a file as text.
///
/// # Errors
/// The disk's, with the path.
pub fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
}

/// Makes the folder that a file is to stand in.
///
/// # Errors
/// The disk's, with the path.
pub fn make_parent(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)
}

/// Makes a folder and those above it.
///
/// # Errors
/// The disk's, with the path.
pub fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))
}

/// Removes a folder and all in it; one that is not there is fine.
///
/// # Errors
/// The disk's, with the path.
pub fn remove_folder(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{} cannot be removed: {e}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// All files below a folder, sorted; none where there is no such folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
