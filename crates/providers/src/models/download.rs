//! Fetching models: each file by HTTP into the folder `<id>.part`, going on where an earlier try stopped, checked by
//! length and SHA-256, and the whole folder renamed once all are right.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use um_engine::plain;
use um_engine::provider::Cancel;
use ureq::http::StatusCode;
use ureq::http::header::{CONTENT_RANGE, RANGE};
use ureq::{Agent, Body};

use super::install::{put, sha256};
use crate::catalogue::{self, Entry};

/// Longer without a byte, and the line is dead.
const STALL: Duration = Duration::from_secs(30);
/// How often progress is told: whenever so many bytes have come.
const STEP: u64 = 1 << 20;

/// Why a model was not fetched.
#[derive(Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody cancelled it; what was fetched is kept.
    Cancelled,
    /// In words, with what to do next.
    Failed(String),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Failed(format!("The disk refused: {}.", plain(&error)))
    }
}

/// One fetching: what to fetch, from where, and who watches.
pub struct Fetch<'a> {
    /// The model.
    pub entry: &'a Entry,
    /// Stands for the place where models are published.
    pub base_url: &'a str,
    /// Where models are installed.
    pub models_dir: &'a Path,
    /// Counts the bytes that are there.
    pub bytes: &'a AtomicU64,
    /// Stops it.
    pub cancel: &'a Cancel,
    /// Called as it moves on.
    pub changed: &'a dyn Fn(),
}

impl Fetch<'_> {
    /// Fetches all files and installs the model.
    ///
    /// # Errors
    /// See [`Stopped`]; what was fetched well is kept for the next try.
    pub fn run(&self) -> Result<(), Stopped> {
        let folder = self.models_dir.join(format!("{}.part", self.entry.id));
        fs::create_dir_all(&folder)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(STALL))
            .timeout_recv_response(Some(STALL))
            .timeout_per_read(Some(STALL))
            .user_agent(concat!("ultimate-memory/", env!("CARGO_PKG_VERSION")));
        let agent = config.build().new_agent();
        for file in self.entry.files {
            let done = folder.join(file.name);
            // It has that name only once it was checked.
            if fs::metadata(&done).is_ok_and(|found| found.len() == file.bytes) {
                self.bytes.fetch_add(file.bytes, Ordering::Relaxed);
                continue;
            }
            let part = folder.join(format!("{}.part", file.name));
            self.file(&agent, file, &part)?;
            check(file, &part)?;
            fs::rename(&part, &done)?;
        }
        put(&folder, &self.models_dir.join(self.entry.id))?;
        Ok(())
    }

    /// Fetches a file; a line that breaks is taken up again as long as each try brings something.
    fn file(&self, agent: &Agent, file: &catalogue::File, part: &Path) -> Result<(), Stopped> {
        let length = || fs::metadata(part).map_or(0, |found| found.len());
        let before = self.bytes.load(Ordering::Relaxed);
        // An old part that is too long cannot be the file's beginning.
        if length() > file.bytes {
            fs::remove_file(part)?;
        }
        while length() < file.bytes {
            let had = length();
            self.bytes.store(before + had, Ordering::Relaxed);
            let outcome = self.attempt(agent, file, part, Progress { before, had });
            if self.cancel.is_cancelled() {
                return Err(Stopped::Cancelled);
            }
            match outcome {
                Err(stopped) if length() <= had => return Err(stopped),
                Ok(()) if length() <= had => {
                    return Err(broke_off(file, "the server sent nothing"));
                }
                _ => {}
            }
        }
        self.bytes.store(before + file.bytes, Ordering::Relaxed);
        Ok(())
    }

    fn attempt(&self, agent: &Agent, file: &catalogue::File, part: &Path, progress: Progress) -> Result<(), Stopped> {
        let had = progress.had;
        let url = format!("{}/{}/{}", self.base_url.trim_end_matches('/'), self.entry.source, file.path);
        let mut request = agent.get(&url);
        if had > 0 {
            request = request.header(RANGE, format!("bytes={had}-"));
        }
        let response = request.call().map_err(|error| broke_off(file, &error.to_string()))?;
        let (head, body) = response.into_parts();
        let goes_on = head.headers.get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
        let append = match head.status {
            StatusCode::PARTIAL_CONTENT if goes_on.is_some_and(|range| range.starts_with(&format!("bytes {had}-"))) => {
                true
            }
            // A server that knows no ranges sends all of it.
            StatusCode::OK => false,
            StatusCode::NOT_FOUND => {
                return Err(Stopped::Failed(format!(
                    "The server has no {} (404). Fetch the model elsewhere and choose “use a file”.",
                    file.path
                )));
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                fs::remove_file(part)?;
                return Err(broke_off(file, "what was fetched before does not fit and was thrown away"));
            }
            status => return Err(broke_off(file, &format!("the server answered {status}"))),
        };
        let mut target = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(part)?;
        self.take(body, &mut target, file, Progress { had: if append { had } else { 0 }, ..progress })
    }

    fn take(&self, body: Body, target: &mut File, file: &catalogue::File, progress: Progress) -> Result<(), Stopped> {
        // One byte more shows that it is another file.
        let most = file.bytes - progress.had + 1;
        let mut stream = body.into_with_config().limit(u64::MAX).reader().take(most);
        let (mut buffer, mut have, mut told) = (vec![0; 64 * 1024], progress.had, progress.had);
        loop {
            if self.cancel.is_cancelled() {
                return Err(Stopped::Cancelled);
            }
            let count = stream.read(&mut buffer).map_err(|error| broke_off(file, &error.to_string()))?;
            if count == 0 {
                target.sync_all()?;
                return Ok(());
            }
            target.write_all(&buffer[..count])?;
            have += count as u64;
            self.bytes.store(progress.before + have, Ordering::Relaxed);
            if have - told >= STEP {
                told = have;
                (self.changed)();
            }
        }
    }
}

/// How far a fetching is.
#[derive(Clone, Copy)]
struct Progress {
    /// Bytes of the files that are done.
    before: u64,
    /// Bytes of this one that are there.
    had: u64,
}

fn broke_off(file: &catalogue::File, why: &str) -> Stopped {
    Stopped::Failed(format!("Fetching {} broke off: {why}. What was fetched is kept; try again.", file.name))
}

fn check(file: &catalogue::File, part: &Path) -> Result<(), Stopped> {
    let length = fs::metadata(part)?.len();
    if length == file.bytes && sha256(part)? == file.sha256 {
        return Ok(());
    }
    fs::remove_file(part)?;
    Err(Stopped::Failed(format!(
        "{} is not the published file: its length or SHA-256 differs. It was thrown away; try again, or choose “use a file”.",
        file.name
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::loopback::{Served, Server};
    use um_model::ModelKind;

    /// A model of two files with this content.
    fn entry(contents: [&'static [u8]; 2]) -> Entry {
        let file = |name: &'static str, content: &[u8]| {
            let whole = tempfile::NamedTempFile::new().unwrap();
            fs::write(whole.path(), content).unwrap();
            let sha256 = sha256(whole.path()).unwrap().leak();
            catalogue::File { path: name, name, bytes: content.len() as u64, sha256 }
        };
        let files = vec![file("one.json", contents[0]), file("two.bin", contents[1])];
        Entry {
            id: "model",
            name: "Model",
            purpose: "",
            kind: ModelKind::Speech,
            licence: "MIT",
            source: "owner/name/resolve/1",
            files: files.leak(),
            window_seconds: 1,
        }
    }

    const ONE: &[u8] = b"{\"a\":1}";
    const TWO: &[u8] = &[7; 300_000];

    struct Place {
        dir: tempfile::TempDir,
        entry: Entry,
        bytes: AtomicU64,
        cancel: Cancel,
    }

    impl Place {
        fn new() -> Place {
            let dir = tempfile::tempdir().unwrap();
            Place { dir, entry: entry([ONE, TWO]), bytes: AtomicU64::new(0), cancel: Cancel::default() }
        }

        fn fetch(&self, server: &Server, changed: &dyn Fn()) -> Result<(), Stopped> {
            self.bytes.store(0, Ordering::Relaxed);
            let (base_url, models_dir) = (server.url(), self.dir.path());
            Fetch {
                entry: &self.entry,
                base_url: &base_url,
                models_dir,
                bytes: &self.bytes,
                cancel: &self.cancel,
                changed,
            }
            .run()
        }

        fn is_whole(&self) -> bool {
            let at = |name: &str| fs::read(self.dir.path().join("model").join(name)).unwrap_or_default();
            at("one.json") == ONE && at("two.bin") == TWO && !self.dir.path().join("model.part").exists()
        }
    }

    fn serving(one: Served, two: Served) -> Server {
        Server::start(move |path| match path {
            "/owner/name/resolve/1/one.json" => one.clone(),
            "/owner/name/resolve/1/two.bin" => two.clone(),
            _ => Served::NotFound,
        })
    }

    #[test]
    fn a_model_is_fetched_checked_and_put_in_its_place() {
        let place = Place::new();
        place.fetch(&serving(Served::Whole(ONE), Served::Whole(TWO)), &|| {}).unwrap();
        assert!(place.is_whole());
        assert_eq!(place.bytes.load(Ordering::Relaxed), (ONE.len() + TWO.len()) as u64);
    }

    #[test]
    fn a_line_that_breaks_is_taken_up_where_it_broke() {
        let place = Place::new();
        let server = serving(Served::Whole(ONE), Served::Pieces(TWO, 100_000));
        place.fetch(&server, &|| {}).unwrap();
        assert!(place.is_whole());
        let ranges: Vec<_> = server.asked().into_iter().filter_map(|(_, range)| range).collect();
        assert_eq!(ranges, ["bytes=100000-", "bytes=200000-"]);
    }

    #[test]
    fn the_next_try_begins_where_the_last_one_stopped() {
        let place = Place::new();
        let first = place.fetch(&serving(Served::Whole(ONE), Served::Once(TWO, 120_000)), &|| {});
        assert!(matches!(first, Err(Stopped::Failed(why)) if why.contains("kept")));
        let server = serving(Served::Whole(ONE), Served::Pieces(TWO, 300_000));
        place.fetch(&server, &|| {}).unwrap();
        assert!(place.is_whole());
        let asked = server.asked();
        assert_eq!(asked, [("/owner/name/resolve/1/two.bin".to_string(), Some("bytes=120000-".to_string()))]);
    }

    #[test]
    fn a_server_without_ranges_is_asked_for_all_of_it() {
        let place = Place::new();
        let part = place.dir.path().join("model.part");
        fs::create_dir(&part).unwrap();
        fs::write(part.join("two.bin.part"), b"stale").unwrap();
        place.fetch(&serving(Served::Whole(ONE), Served::Whole(TWO)), &|| {}).unwrap();
        assert!(place.is_whole());
    }

    #[test]
    fn other_bytes_of_the_same_length_are_thrown_away() {
        let place = Place::new();
        let refused = place.fetch(&serving(Served::Whole(ONE), Served::Whole(&[8; 300_000])), &|| {});
        assert!(matches!(refused, Err(Stopped::Failed(why)) if why.contains("SHA-256")));
        assert!(!place.dir.path().join("model").exists());
        assert!(!place.dir.path().join("model.part/two.bin.part").exists());
    }

    #[test]
    fn a_longer_file_is_thrown_away() {
        let place = Place::new();
        let refused = place.fetch(&serving(Served::Whole(ONE), Served::Whole(&[7; 400_000])), &|| {});
        assert!(matches!(refused, Err(Stopped::Failed(why)) if why.contains("length")));
    }

    #[test]
    fn what_the_server_lacks_is_said_with_the_way_out() {
        let place = Place::new();
        let refused = place.fetch(&serving(Served::Whole(ONE), Served::NotFound), &|| {});
        assert!(matches!(refused, Err(Stopped::Failed(why)) if why.contains("404") && why.contains("use a file")));
    }

    #[test]
    fn a_cancelled_fetch_keeps_what_it_has() {
        let place = Place::new();
        // Progress is told every megabyte; this file has less, so the cancelling is done by the server's answer.
        let cancel = place.cancel.clone();
        let server = Server::start(move |path| {
            if path.ends_with("two.bin") {
                cancel.cancel();
                return Served::Pieces(TWO, 100_000);
            }
            Served::Whole(ONE)
        });
        assert_eq!(place.fetch(&server, &|| {}), Err(Stopped::Cancelled));
        assert!(place.dir.path().join("model.part/one.json").exists());
        assert!(!place.dir.path().join("model").exists());
    }
}
