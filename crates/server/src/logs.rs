//! Logs: lines of JSON in the data folder's `logs`, of bounded size, without content.

use crate::paths::logs_dir;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tracing_subscriber::EnvFilter;

/// Bytes of a log file before the next one is begun.
const FILE_BYTES: u64 = 5 * 1024 * 1024;
/// Files kept, the one in use included.
const FILES: usize = 5;
/// What is logged where UM_LOG says nothing.
const FILTER: &str = "info";

/// A file that is put aside and begun anew when it is full: `name`, `name.1`, … with the oldest last.
#[derive(Debug)]
pub struct RotatingFile {
    path: PathBuf,
    file: File,
    written: u64,
    limit: u64,
}

impl RotatingFile {
    /// Opens the file to write at its end.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path, limit: u64) -> io::Result<Self> {
        let file = open_private(path)?;
        let written = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, written, limit })
    }

    fn numbered(&self, number: usize) -> PathBuf {
        if number == 0 { self.path.clone() } else { PathBuf::from(format!("{}.{number}", self.path.display())) }
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (0..FILES - 1).rev() {
            match std::fs::rename(self.numbered(number), self.numbered(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.file = open_private(&self.path)?;
        self.written = 0;
        Ok(())
    }
}

fn open_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Write for RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written > 0 && self.written + bytes.len() as u64 > self.limit {
            self.rotate()?;
        }
        self.file.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Sends this process's log to the data folder. UM_LOG chooses what is logged, as `tracing` filters do;
/// a second call in one process changes nothing.
///
/// # Errors
/// What the system says of the folder or file.
pub fn start(data_dir: &Path) -> io::Result<()> {
    let folder = logs_dir(data_dir);
    std::fs::create_dir_all(&folder)?;
    let file = RotatingFile::open(&folder.join("service.log"), FILE_BYTES)?;
    let filter = EnvFilter::try_from_env("UM_LOG").unwrap_or_else(|_| EnvFilter::new(FILTER));
    // The protocol library quotes messages, which are content: it stays silent whatever UM_LOG says.
    let filter = filter.add_directive("rmcp=off".parse().map_err(io::Error::other)?);
    let subscriber = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(Mutex::new(file)).finish();
    // Whoever was first keeps the log.
    let _ = tracing::subscriber::set_global_default(subscriber);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_files_are_put_aside_and_the_oldest_goes() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        let mut log = RotatingFile::open(&path, 10).unwrap();
        for number in 0..8 {
            log.write_all(format!("line {number}\n").as_bytes()).unwrap();
        }
        let mut names: Vec<_> =
            std::fs::read_dir(temp.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["x.log", "x.log.1", "x.log.2", "x.log.3", "x.log.4"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line 7\n");
        assert_eq!(std::fs::read_to_string(temp.path().join("x.log.4")).unwrap(), "line 3\n");
    }

    #[test]
    fn an_old_file_is_continued() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        for _ in 0..2 {
            RotatingFile::open(&path, 100).unwrap().write_all(b"line\n").unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line\nline\n");
    }
}
