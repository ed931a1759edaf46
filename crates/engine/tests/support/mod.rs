//! An engine with doubles in place of models and readers, and a clock that the test sets.

pub mod doubles;
pub mod eyes;
pub mod inputs;

pub use eyes::traces;

use doubles::{Asr, Embedding, Llm, Models, Ner, Nli, Ocr, Pdf, Reranker, Script, SoundBytes};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use um_engine::encryption::{Passphrase, unlock};
use um_engine::provider::Providers;
use um_engine::{Admitted, Claim};
use um_engine::{Caller, Clock, Engine, EngineConfig, Handle};
use um_model::access::{AgentEdit, AgentPair, Grant, MembershipSet, Right};
use um_model::capture::*;
use um_model::health::HealthCheck;
use um_model::jobs::{Job, JobsReport, JobsStatus, WorkPause};
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::spaces::{Space, SpaceCreate};
use um_model::watch::{WatchAdd, WatchFolder, WatchesList};
use um_model::{ApiError, ArtifactId, EpochMs, JobStatus, MemoryId, SpaceId};

/// When the tests' time begins.
pub const BEGIN: EpochMs = 1_750_000_000_000;
/// The model that a new database is made for.
pub const MODEL: &str = "all-MiniLM-L6-v2";
/// The space that every database begins with.
pub const SPACE: &str = um_model::DEFAULT_SPACE;
/// Nothing that a test waits for takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What opens the folders that a test encrypts.
pub fn passphrase() -> Passphrase {
    Passphrase::new("four words, \"seldom\" it's said".to_owned())
}

pub struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> EpochMs {
        self.0.load(Ordering::Relaxed)
    }
}

/// Rings whenever the engine says that something changed.
#[derive(Default)]
struct Bell {
    rung: Mutex<u64>,
    changed: Condvar,
}

/// A data folder with its engine, and a folder for the files that go in. When it goes out of scope, the
/// engine's own health check must find nothing.
pub struct Rig {
    pub script: Arc<Script>,
    pub clock: Arc<SetClock>,
    bell: Arc<Bell>,
    engine: Option<Engine>,
    data: PathBuf,
    folder: tempfile::TempDir,
}

impl Rig {
    /// With its threads running.
    pub fn new() -> Self {
        let rig = Self::resting();
        rig.engine().start();
        rig
    }

    /// Without its threads.
    pub fn resting() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        let script = Script { ocr_config: Mutex::new("1".to_owned()), ..Script::default() };
        script.embeds_left.store(-1, Ordering::Relaxed);
        let mut rig = Self {
            script: Arc::new(script),
            clock: Arc::new(SetClock(AtomicI64::new(BEGIN))),
            bell: Arc::default(),
            engine: None,
            data: folder.path().join("data"),
            folder,
        };
        rig.engine = Some(rig.open(&rig.data.clone(), MODEL).unwrap());
        rig
    }

    /// Opens a data folder with this rig's doubles.
    pub fn open(&self, data_dir: &Path, model: &str) -> Result<Engine, ApiError> {
        let script = &self.script;
        let providers = Providers {
            ocr: Arc::new(Ocr(script.clone())),
            pdf: Arc::new(Pdf(script.clone())),
            sound: Arc::new(SoundBytes(script.clone())),
            asr: Arc::new(Asr(script.clone())),
            embedding: Arc::new(Embedding { script: script.clone(), model: model.to_owned() }),
            entailment: Arc::new(Nli(script.clone())),
            names: Arc::new(Ner(script.clone())),
            reranker: Arc::new(Reranker(script.clone())),
            llm: Arc::new(Llm(script.clone())),
            models: Arc::new(Models(script.clone())),
        };
        let key = unlock(data_dir, Some(&passphrase()))?;
        let config = EngineConfig { data_dir: data_dir.to_owned(), key, providers, clock: self.clock.clone() };
        let engine = Engine::open(config)?;
        let (mut events, bell) = (engine.subscribe(), self.bell.clone());
        std::thread::spawn(move || {
            use tokio::sync::broadcast::error::RecvError;
            while !matches!(events.blocking_recv(), Err(RecvError::Closed)) {
                *bell.rung.lock().unwrap() += 1;
                bell.changed.notify_all();
            }
        });
        Ok(engine)
    }

    pub fn engine(&self) -> &Engine {
        self.engine.as_ref().unwrap()
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Ends the engine and opens the folder again, without its threads.
    pub fn reopen(&mut self, model: &str) {
        self.meanwhile(model, |_| {});
    }

    /// Ends the engine, does something to the folder, and opens it again, without its threads.
    pub fn meanwhile(&mut self, model: &str, act: impl FnOnce(&Path)) {
        self.engine.take().unwrap().stop();
        act(&self.data);
        self.engine = Some(self.open(&self.data, model).unwrap());
    }

    /// Goes on with another data folder: that of a copy.
    pub fn move_to(&mut self, data: PathBuf) {
        self.engine.take().unwrap().stop();
        self.data = data;
        self.engine = Some(self.open(&self.data, MODEL).unwrap());
    }

    /// What the disk holds at this moment, as the death of the process would leave it.
    pub fn copied(&self, number: usize) -> PathBuf {
        fn copy(from: &Path, to: &Path) {
            std::fs::create_dir_all(to).unwrap();
            for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
                let target = to.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    copy(&entry.path(), &target);
                } else {
                    std::fs::copy(entry.path(), target).unwrap();
                }
            }
        }
        let to = self.folder.path().join(format!("copy-{number}"));
        copy(&self.data, &to);
        to
    }

    pub fn now(&self) -> EpochMs {
        self.clock.now()
    }

    pub fn advance(&self, ms: i64) {
        self.clock.0.fetch_add(ms, Ordering::Relaxed);
    }

    pub fn run<R: Handle>(&self, request: R) -> Result<R::Response, ApiError> {
        self.engine().run(&Caller::owner("test"), request)
    }

    /// An agent of that name, let into these spaces with these rights (all, where none is named), as it comes through
    /// the socket: by its token.
    pub fn agent_in(&self, name: &str, spaces: &[&str], rights: &[Right]) -> Caller {
        Caller::agent(self.admit(&self.secret_of(name, spaces, rights), name).unwrap(), "agent")
    }

    /// An agent of that name, let into a space, which was granted that there.
    pub fn agent_granted(&self, name: &str, space: &str, grants: &[Grant]) -> Caller {
        let secret = self.secret_of(name, &[space], &[]);
        let grants = Some(grants.to_vec());
        let (space, agent) = (space.to_owned(), name.to_owned());
        self.run(MembershipSet { space, agent, role: None, status: None, trust_weight: None, grants }).unwrap();
        Caller::agent(self.admit(&secret, name).unwrap(), "agent")
    }

    /// Opens folders to an agent, in place of those before.
    pub fn open_to(&self, agent: &str, folders: &[&Path]) -> Result<Vec<String>, ApiError> {
        let folders = folders.iter().map(|folder| folder.display().to_string()).collect();
        let request = AgentEdit { agent: agent.to_owned(), folders: Some(folders), ..AgentEdit::default() };
        Ok(self.run(request)?.folders)
    }

    /// The token of an agent that is paired by hand.
    pub fn secret_of(&self, name: &str, spaces: &[&str], rights: &[Right]) -> String {
        let spaces = spaces.iter().map(|space| (*space).to_owned()).collect();
        let request = AgentPair { name: name.to_owned(), spaces, rights: rights.to_vec(), ..AgentPair::default() };
        self.run(request).unwrap().token.expect("no request of that name waits")
    }

    /// What the socket does with a token.
    pub fn admit(&self, secret: &str, name: &str) -> Result<Admitted, ApiError> {
        self.engine().admit(&Claim { secret: secret.to_owned(), name: name.to_owned(), ..Claim::default() })
    }

    /// Waits until something is so. Looks when the engine says that something changed, and now and then.
    #[track_caller]
    pub fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let begun = Instant::now();
        let mut seen = *self.bell.rung.lock().unwrap();
        while !is_so() {
            if begun.elapsed() > PATIENCE {
                let JobsReport { counts, mut jobs, .. } = self.jobs();
                jobs.truncate(3);
                panic!("waited too long until {what}: {counts:?} {jobs:?}");
            }
            let rung = self.bell.rung.lock().unwrap();
            let wait = Duration::from_millis(20);
            seen = *self.bell.changed.wait_timeout_while(rung, wait, |rung| *rung == seen).unwrap().0;
        }
    }

    /// Waits until no job is pending or being worked on.
    #[track_caller]
    pub fn settled(&self) {
        self.until("all jobs are settled", || !self.jobs().busy);
    }

    /// Wakes the workers, as any operation does.
    pub fn wake(&self) {
        self.run(WorkPause { paused: false }).unwrap();
    }

    pub fn pause(&self) {
        self.run(WorkPause { paused: true }).unwrap();
    }

    pub fn jobs(&self) -> JobsReport {
        self.run(JobsStatus { limit: Some(1000), ..JobsStatus::default() }).unwrap()
    }

    pub fn space(&self, name: &str) -> Space {
        self.run(SpaceCreate { name: name.to_owned(), ..SpaceCreate::default() }).unwrap()
    }

    pub fn remember(&self, text: &str) -> Memory {
        self.remember_in(SPACE, text)
    }

    pub fn remember_in(&self, space: &str, text: &str) -> Memory {
        let request = MemoryRemember { text: text.to_owned(), space: space.to_owned(), ..MemoryRemember::default() };
        self.run(request).unwrap().memory
    }

    /// Where the files go that are brought in.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("in")
    }

    /// Writes a file below the folder.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn ingest_path(&self, space: &str, path: &Path) -> Vec<IngestedFile> {
        let paths = vec![path.display().to_string()];
        self.run(MemoryIngest { paths, space: space.to_owned(), ..MemoryIngest::default() }).unwrap().files
    }

    /// Writes a file and brings it in.
    #[track_caller]
    pub fn ingest(&self, name: &str, bytes: impl AsRef<[u8]>) -> ArtifactId {
        let path = self.file(name, bytes);
        let file = self.ingest_path(SPACE, &path).remove(0);
        file.artifact_id.unwrap_or_else(|| panic!("{name} was refused: {:?}", file.error))
    }

    pub fn artifact(&self, id: &ArtifactId) -> ArtifactDetail {
        self.run(ArtifactGet { id: id.clone() }).unwrap()
    }

    pub fn reading(&self, id: &ArtifactId) -> Job {
        self.artifact(id).summary.reading.unwrap()
    }

    /// Whether somebody reads it at this moment.
    pub fn reading_now(&self, id: &ArtifactId) -> bool {
        self.reading(id).status == JobStatus::Processing
    }

    #[track_caller]
    pub fn reads(&self, id: &ArtifactId, status: JobStatus) {
        self.until(&format!("its reading is {status}"), || self.reading(id).status == status);
    }

    pub fn memory(&self, id: &MemoryId) -> Memory {
        match self.run(MemoryGet { id: id.to_string() }).unwrap() {
            Got::Memory(memory) => memory,
            other => panic!("{other:?}"),
        }
    }

    pub fn recall(&self, query: &str) -> Recalled {
        self.run(MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() }).unwrap()
    }

    pub fn recall_in(&self, space: &SpaceId, query: &str) -> Vec<Hit> {
        let space = Some(space.to_string());
        self.run(MemoryRecall { query: query.to_owned(), space, ..MemoryRecall::default() }).unwrap().hits
    }

    /// The hits that hold a word of the question.
    pub fn found(&self, query: &str) -> Vec<Hit> {
        self.recall(query).hits.into_iter().filter(|hit| !hit.matches.is_empty()).collect()
    }

    /// The titles of the hits that hold a word of the question, in the order of the alphabet.
    pub fn titles(&self, query: &str) -> Vec<String> {
        let mut titles: Vec<String> = self.found(query).into_iter().map(|hit| hit.title).collect();
        titles.sort();
        titles
    }

    /// The database, as another program sees it.
    pub fn db(&self) -> rusqlite::Connection {
        um_store::register_sqlite_vec();
        let db = rusqlite::Connection::open(self.data.join("memory.db")).unwrap();
        db.busy_timeout(Duration::from_secs(5)).unwrap();
        db
    }

    /// One number out of the database.
    pub fn count(&self, sql: &str) -> i64 {
        self.db().query_row(sql, [], |row| row.get(0)).unwrap_or_else(|e| panic!("{sql}: {e}"))
    }

    /// One text out of the database.
    pub fn text(&self, sql: &str) -> String {
        self.db().query_row(sql, [], |row| row.get(0)).unwrap_or_else(|e| panic!("{sql}: {e}"))
    }

    pub fn watch(&self, change: impl FnOnce(&mut WatchAdd)) -> WatchFolder {
        let path = self.folder().display().to_string();
        let mut request = WatchAdd { path, space: SPACE.to_owned(), ..WatchAdd::default() };
        change(&mut request);
        self.run(request).unwrap()
    }

    /// Starts the engine's threads anew, as a restart does, and waits until every watched folder was
    /// compared with the disk and all that came of it is read.
    #[track_caller]
    pub fn rescan(&self) {
        self.engine().stop();
        self.advance(1000);
        self.engine().start();
        self.compared();
        if !self.jobs().paused {
            self.settled();
        }
    }

    /// Waits until every watched folder that is there was compared at this moment of the clock.
    #[track_caller]
    pub fn compared(&self) {
        let now = self.clock.now();
        self.until("all folders are compared", || {
            let watches = self.run(WatchesList {}).unwrap().watches;
            watches.iter().filter(|w| Path::new(&w.path).is_dir()).all(|w| w.last_scan_at == Some(now))
        });
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.script.ocr.open();
        self.script.embedding.open();
        self.script.sound.open();
        self.script.judging.open();
        self.script.hearing.open();
        let Some(engine) = self.engine.take() else { return };
        engine.stop();
        if !std::thread::panicking() {
            let report = engine.run(&Caller::owner("test"), HealthCheck::default()).unwrap();
            let ill: Vec<_> = report.checks.into_iter().filter(|check| !check.ok).collect();
            assert!(ill.is_empty(), "{ill:#?}");
        }
    }
}

/// Checks that a hit's words are those of its source, at its offsets, with its hash.
#[track_caller]
pub fn check_quote(rig: &Rig, hit: &Hit) {
    use sha2::{Digest, Sha256};
    let source = match &hit.ids.view {
        Some(view) => {
            let read = rig.run(ViewRead { id: view.clone(), span: Some(hit.span) }).unwrap();
            assert_eq!((read.span, &read.text), (hit.span, &hit.quote));
            rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text
        }
        None => rig.memory(&hit.ids.memory).content.unwrap(),
    };
    let units: Vec<u16> = source.encode_utf16().collect();
    let cut = String::from_utf16(&units[hit.span.start as usize..hit.span.end as usize]).unwrap();
    assert_eq!(cut, hit.quote);
    assert_eq!(hit.span_hash, format!("{:x}", Sha256::digest(&hit.quote)));
    for found in &hit.matches {
        assert!(hit.span.start <= found.span.start && found.span.end <= hit.span.end, "{found:?} outside the quote");
    }
}
