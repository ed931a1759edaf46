//! Files of an open database, read beside SQLite. On POSIX systems a process loses all of its locks on a file as soon as it closes
//! any descriptor of it, those that SQLite holds too; another process then takes the database for unused, and clears its log away
//! (<https://www.sqlite.org/howtocorrupt.html>, 2.2). So such a file is opened once, and closed after the database.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a file is, whatever it is called.
type Identity = (u64, u64);

/// What is open, of all databases.
static OPEN: Mutex<Vec<(Identity, Weak<File>)>> = Mutex::new(Vec::new());

/// A file for reading: the one that is open already, where it is. It is closed once nobody holds it.
pub(crate) fn open(path: &Path) -> io::Result<Arc<File>> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, file)| file.strong_count() > 0);
    let identity = identity(path)?;
    if let Some(file) = open.iter().find(|(known, _)| Some(*known) == identity).and_then(|(_, file)| file.upgrade()) {
        return Ok(file);
    }
    let file = Arc::new(File::open(path)?);
    open.extend(identity.map(|identity| (identity, Arc::downgrade(&file))));
    Ok(file)
}

/// Told without opening it.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Option<Identity>> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path)?;
    Ok(Some((metadata.dev(), metadata.ino())))
}

/// Elsewhere locks belong to what was opened, and are not lost.
#[cfg(not(unix))]
fn identity(_: &Path) -> io::Result<Option<Identity>> {
    Ok(None)
}

/// Reads a shared file from its beginning, whoever else reads it.
pub(crate) struct Reader {
    file: Arc<File>,
    at: u64,
}

impl Reader {
    pub(crate) fn new(file: Arc<File>) -> Self {
        Self { file, at: 0 }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use crate::{Keys, Store, keyed, pages};

    /// The process and device:inode of each lock, as the system lists them.
    fn locks_on(path: &std::path::Path) -> usize {
        use std::os::unix::fs::MetadataExt;
        let inode = format!(":{} ", std::fs::metadata(path).unwrap().ino());
        let own = format!(" {} ", std::process::id());
        let all = std::fs::read_to_string("/proc/locks").unwrap();
        all.lines().filter(|line| line.contains(&inode) && line.contains(&own)).count()
    }

    #[test]
    fn looking_into_an_open_database_leaves_its_locks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let store = Store::open(&path, Keys::hashing(keyed::Key::new([7; 32])), 1).unwrap();
        store.write(|tx| Ok::<_, crate::StoreError>(tx.execute_batch("CREATE TABLE seen(x)")?)).unwrap();
        let before = locks_on(&path);
        assert!(before > 0, "a database in use is locked");
        for file in ["memory.db", "memory.db-wal", "memory.db-shm"] {
            std::io::copy(&mut store.raw(&folder.path().join(file)).unwrap(), &mut std::io::sink()).unwrap();
        }
        assert!(!crate::cipher::is_encrypted(&path));
        drop(pages::open(&path, None).unwrap());
        store
            .read(|c| {
                Ok::<_, crate::StoreError>(c.query_row("SELECT count(*) FROM seen", [], |row| row.get::<_, i64>(0))?)
            })
            .unwrap();
        assert_eq!(locks_on(&path), before);
    }
}
