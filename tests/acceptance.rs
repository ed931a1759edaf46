//! What the documents of the model promise, over the socket, by a client that is not ours: the `mcp` package of PyPI.
//!
//! UM_MCP_PYTHON names a Python that has the package; without it the tests say so and are skipped.
//! UM_UMEM_BIN names the program; else the one in the target folder is taken.

use std::path::PathBuf;
use std::process::Command;

/// The program, where it was built.
fn umem() -> PathBuf {
    if let Some(named) = std::env::var_os("UM_UMEM_BIN") {
        return named.into();
    }
    // This test stands in <target>/<profile>/deps.
    let here = std::env::current_exe().expect("this program has a path");
    let profile = here.ancestors().nth(2).expect("tests stand two folders below the profile's");
    profile.join(format!("umem{}", std::env::consts::EXE_SUFFIX))
}

/// Plays a scenario, each in a data folder of its own.
fn check(scenario: &str) {
    let (Some(python), umem) = (std::env::var_os("UM_MCP_PYTHON"), umem()) else {
        eprintln!("skipped: UM_MCP_PYTHON names no Python with the mcp package");
        return;
    };
    if !umem.exists() {
        eprintln!("skipped: {} is not built; run cargo build -p umem", umem.display());
        return;
    }
    let temp = tempfile::tempdir().expect("a temporary folder");
    let data = temp.path().join("data");
    std::fs::create_dir(&data).expect("a data folder");
    let script = format!("{}/tests/acceptance/{scenario}.py", env!("CARGO_MANIFEST_DIR"));
    let played = Command::new(python).arg(script).arg(&umem).arg(&data).env("PYTHONDONTWRITEBYTECODE", "1").output();
    let played = played.expect("Python starts");
    let doctor = Command::new(&umem).arg("--data").arg(&data).arg("doctor").output().expect("umem starts");
    let stopped = Command::new(&umem).arg("--data").arg(&data).arg("stop").output().expect("umem starts");
    let words = format!("{}\n{}", String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert!(played.status.success(), "{words}");
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
    assert!(stopped.status.success());
}

#[test]
fn versioned_entries() {
    check("versioned_entries");
}

#[test]
fn continuity() {
    check("continuity");
}

#[test]
fn context_pack() {
    check("context_pack");
}

#[test]
fn memory_envelope() {
    check("memory_envelope");
}
