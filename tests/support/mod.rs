//! The product as it is used: the program `umem`, a data folder of its own, and the service behind it.
#![allow(dead_code, reason = "each test program uses a part")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use um_server::client::Connection;

/// `umem`, where it was built; else says why the test is skipped.
pub fn umem() -> Option<PathBuf> {
    let path = std::env::var_os("UM_UMEM_BIN").map(PathBuf::from).unwrap_or_else(|| {
        // This test stands in <target>/<profile>/deps.
        let here = std::env::current_exe().expect("this program has a path");
        let profile = here.ancestors().nth(2).expect("tests stand two folders below the profile's");
        profile.join(format!("umem{}", std::env::consts::EXE_SUFFIX))
    });
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not built; run cargo build -p umem", path.display());
    None
}

/// The folder of shared data; else says why the test is skipped.
pub fn shared_data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("UM_SHARED_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there; UM_SHARED_DATA names the shared data", folder.display());
    None
}

/// A data folder; its service ends with it.
pub struct Place {
    umem: PathBuf,
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new(umem: PathBuf) -> Self {
        Self { umem, folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A folder for files beside the data folder.
    pub fn files(&self) -> PathBuf {
        let files = self.folder.path().join("files");
        std::fs::create_dir_all(&files).expect("a folder for files");
        files
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.umem);
        command.env_remove("UM_DATA").arg("--data").arg(self.data()).args(args).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("umem starts")
    }

    /// What a verb answers, whatever its exit code.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let output = self.command(args).arg("--json").output().expect("umem starts");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {}", words(&output)))
    }

    /// Begins a service, or finds it, and connects to it.
    pub fn connect(&self, runtime: &tokio::runtime::Runtime) -> Connection {
        let status = self.run(&["status"]);
        assert!(status.status.success(), "{}", words(&status));
        runtime.block_on(Connection::open(&self.data())).expect("the service answers")
    }

    /// The database, as another program sees it.
    pub fn db(&self) -> rusqlite::Connection {
        let db = rusqlite::Connection::open(self.data().join("memory.db")).expect("the database opens");
        db.busy_timeout(std::time::Duration::from_secs(5)).expect("a timeout is set");
        db
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.db().query_row(sql, [], |row| row.get(0)).unwrap_or_else(|e| panic!("{sql}: {e}"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["stop"]);
    }
}

pub fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A runtime for connections.
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

/// `umem doctor` finds nothing.
#[track_caller]
pub fn check_doctor(place: &Place) {
    let report = place.json(&["doctor"]);
    assert_eq!(report["ok"], true, "{report:#}");
}

/// Numbers that look random, the same for the same seed (a linear congruential generator; Knuth's MMIX
/// constants).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
