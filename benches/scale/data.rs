//! Data folders to measure on: made once through the engine's own operations, so that they hold all that
//! a person's would (audit, jobs, indexes), and kept under `target/bench-data`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;
use um_bench::double::{DIMENSIONS, WordSums, fnv, vector};
use um_bench::words::Language;
use um_engine::encryption::{self, Passphrase};
use um_engine::provider::EmbeddingProvider;
use um_engine::{Caller, Engine, EngineConfig, SystemClock};
use um_model::capture::{MemoryIngest, MemoryRemember};
use um_model::health::Event;
use um_model::jobs::JobsStatus;
use um_model::spaces::SpaceCreate;
use um_model::{ApiError, JobKind};

/// Time between one text and the next, in milliseconds: about a minute.
const STEP_MS: i64 = 60_000;
/// The time of the first text.
const BEGIN_MS: i64 = 1_700_000_000_000;

/// How the texts are spread over spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// All in one.
    One,
    /// A fifth of them in three hundred small spaces, the rest in one huge one.
    Many,
    /// All in one, beside long files, of which questions ask.
    Files,
}

/// The one space, or the huge one.
pub const HUGE: &str = "huge";
/// One of the small spaces.
pub const SMALL: &str = "small-42";

const SMALL_SPACES: usize = 300;

/// So many files, of so many characters each.
const FILES: usize = 200;
const FILE_LENGTH: usize = 200_000;
/// The number of the first text of the first file; the next one begins so many further on, which is more texts than one holds.
const FIRST_OF_FILES: usize = 3_000_000_000;
const OF_FILE: usize = 10_000;
/// Questions ask of so many texts of a file, fewer than each holds.
const ASKED_OF: usize = 200;

/// A database of so many texts, spread like that.
#[derive(Debug, Clone, Copy)]
pub struct Data {
    /// How many texts; each is one passage.
    pub units: usize,
    /// How they are spread.
    pub layout: Layout,
}

impl Data {
    /// When the text of that number happened.
    pub fn time(self, number: usize) -> i64 {
        BEGIN_MS + number as i64 * STEP_MS
    }

    /// The number of the text that the nth question asks of: spread over all by a step that has no factor in common with their number.
    pub fn asked(self, nth: usize) -> usize {
        match self.layout {
            Layout::One | Layout::Many => nth * 7_919 % self.units,
            Layout::Files => FIRST_OF_FILES + nth % FILES * OF_FILE + nth * 7_919 % ASKED_OF,
        }
    }

    fn space(self, number: usize) -> String {
        match (self.layout, number % 5) {
            (Layout::Many, 0) => format!("small-{}", number / 5 % SMALL_SPACES),
            _ => HUGE.to_owned(),
        }
    }

    /// A copy to measure on, gone when it is dropped.
    pub fn copy(self, language: &Language) -> Result<TempDir, ApiError> {
        let kind = match self.layout {
            Layout::One => "one".to_owned(),
            Layout::Many => format!("many-{SMALL_SPACES}"),
            Layout::Files => "files".to_owned(),
        };
        let name = format!("{kind}-{}", self.units);
        Ok(copy_of(&made(&name, language, |folder| self.fill(folder, language))?))
    }

    fn fill(self, folder: &Path, language: &Language) -> Result<(), ApiError> {
        let engine = open(folder, true)?;
        let caller = Caller::owner("bench");
        let smalls = (0..SMALL_SPACES).map(|number| format!("small-{number}"));
        let smalls = smalls.take(if self.layout == Layout::Many { SMALL_SPACES } else { 0 });
        for name in smalls.chain([HUGE.to_owned()]) {
            engine.run(&caller, SpaceCreate { name, ..SpaceCreate::default() })?;
        }
        engine.start();
        for number in 0..self.units {
            // With a key each: what has one is never compared with all others, as it says itself what it replaces.
            let key = Some(format!("text {number}"));
            engine.run(&caller, MemoryRemember { key, ..self.request(language, number) })?;
        }
        if self.layout == Layout::Files {
            bring_files(&engine, &caller, language)?;
        }
        wait_until_idle(&engine, &caller)?;
        engine.stop();
        Ok(())
    }

    /// Asks to remember the text of that number.
    pub fn request(self, language: &Language, number: usize) -> MemoryRemember {
        MemoryRemember {
            text: language.text(number),
            space: self.space(number),
            occurred_at: Some(self.time(number)),
            ..MemoryRemember::default()
        }
    }
}

/// Brings the long files in.
fn bring_files(engine: &Engine, caller: &Caller, language: &Language) -> Result<(), ApiError> {
    let folder = scratch();
    let write = |file: usize| {
        let mut text = String::with_capacity(FILE_LENGTH + 1_000);
        for number in FIRST_OF_FILES + file * OF_FILE.. {
            if text.len() >= FILE_LENGTH {
                break;
            }
            text.push_str(&language.text(number));
            text.push_str("\n\n");
        }
        let path = folder.path().join(format!("manual-{file}.txt"));
        std::fs::write(&path, text).expect("there is room for a file");
        path.display().to_string()
    };
    let paths = (0..FILES).map(write).collect();
    let brought = engine.run(caller, MemoryIngest { paths, space: HUGE.to_owned(), ..MemoryIngest::default() })?;
    assert_eq!(brought.created, FILES as u64, "each is new");
    Ok(())
}

/// The folder of the database of that name; `fill` makes it where it is not there.
pub fn made(
    name: &str,
    language: &Language,
    fill: impl FnOnce(&Path) -> Result<(), ApiError>,
) -> Result<PathBuf, ApiError> {
    let folder = cache().join(format!("{:016x}-{name}", schema_and_texts(language)));
    if folder.is_dir() {
        return Ok(folder);
    }
    let begun = Instant::now();
    eprintln!("Making {} ...", folder.display());
    let unfinished = scratch();
    fill(unfinished.path())?;
    std::fs::rename(unfinished.keep(), &folder).expect("a folder can be renamed where it is");
    eprintln!("... {:.0} s", begun.elapsed().as_secs_f64());
    Ok(folder)
}

/// A copy of such a folder, gone when it is dropped. With its key, as the ledger is sealed under it each time it is written to.
pub fn copy_of(made: &Path) -> TempDir {
    let copy = scratch();
    let files = ["memory.db", "memory.db-wal", "forgotten.key"];
    for file in files.iter().filter(|file| made.join(file).is_file()) {
        std::fs::copy(made.join(file), copy.path().join(file)).expect("there is room for a copy");
    }
    copy
}

/// Opens a folder, with the double or with the real model.
pub fn open(folder: &Path, double: bool) -> Result<Engine, ApiError> {
    open_with(folder, double, None)
}

/// The same, where it may be encrypted.
pub fn open_with(folder: &Path, double: bool, passphrase: Option<&Passphrase>) -> Result<Engine, ApiError> {
    opened(folder, double.then(|| Arc::new(WordSums(DIMENSIONS)) as Arc<dyn EmbeddingProvider>), passphrase)
}

/// Opens a folder with a double of the caller's own.
pub fn open_as(folder: &Path, double: Arc<dyn EmbeddingProvider>) -> Result<Engine, ApiError> {
    opened(folder, Some(double), None)
}

fn opened(
    folder: &Path,
    double: Option<Arc<dyn EmbeddingProvider>>,
    passphrase: Option<&Passphrase>,
) -> Result<Engine, ApiError> {
    let mut providers = um_providers::standard(folder);
    if let Some(double) = double {
        providers.embedding = double;
    }
    let key = encryption::unlock(folder, passphrase)?;
    Engine::open(EngineConfig { data_dir: folder.to_owned(), key, providers, clock: Arc::new(SystemClock) })
}

/// Waits until nothing is pending or being worked on.
pub fn wait_until_idle(engine: &Engine, caller: &Caller) -> Result<(), ApiError> {
    let mut events = engine.subscribe();
    while engine.run(caller, JobsStatus { limit: Some(1), ..JobsStatus::default() })?.busy {
        wait_for_jobs(&mut events);
    }
    Ok(())
}

/// Waits until no job that embeds is left.
pub fn wait_until_embedded(
    engine: &Engine,
    caller: &Caller,
    events: &mut tokio::sync::broadcast::Receiver<Event>,
) -> Result<(), ApiError> {
    let jobs = JobsStatus { limit: Some(20), ..JobsStatus::default() };
    while engine.run(caller, jobs.clone())?.jobs.iter().any(|job| job.kind == JobKind::Embed) {
        wait_for_jobs(events);
    }
    Ok(())
}

/// Waits until a job has moved.
fn wait_for_jobs(events: &mut tokio::sync::broadcast::Receiver<Event>) {
    // What was missed was a move as well.
    while !matches!(events.blocking_recv(), Ok(Event::Jobs) | Err(_)) {}
}

/// An empty folder to measure in, gone when it is dropped.
pub fn scratch() -> TempDir {
    tempfile::tempdir_in(cache()).expect("the cache folder can be written")
}

/// Where databases are kept between runs.
fn cache() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-data");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// Another schema, other texts or other vectors need other databases.
fn schema_and_texts(language: &Language) -> u64 {
    let migrations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(migrations).expect("the migrations are there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut all: String = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    all.push_str(&language.text(1));
    all.push_str(&format!("{:?}", vector("", DIMENSIONS)));
    fnv(&all)
}
