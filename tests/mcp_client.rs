//! A client that is not ours, the `mcp` package of PyPI, over `umem mcp`.
//!
//! UM_MCP_PYTHON names a Python that has the package; without it the test says so and is skipped.
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

#[test]
fn the_mcp_package_lists_tools_remembers_and_recalls() {
    let Some(python) = std::env::var_os("UM_MCP_PYTHON") else {
        eprintln!("skipped: UM_MCP_PYTHON names no Python with the mcp package");
        return;
    };
    let umem = umem();
    if !umem.exists() {
        eprintln!("skipped: {} is not built; run cargo build -p umem", umem.display());
        return;
    }
    let temp = tempfile::tempdir().expect("a temporary folder");
    let data = temp.path().join("data");
    std::fs::create_dir(&data).expect("a data folder");
    // The package's client calls itself so.
    let paired =
        Command::new(&umem).arg("--data").arg(&data).args(["agents", "pair", "mcp"]).output().expect("umem starts");
    assert!(paired.status.success(), "{}", String::from_utf8_lossy(&paired.stderr));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp_client.py");
    let output = Command::new(python).arg(script).arg(&umem).arg(&data).output().expect("Python starts");
    let stopped = Command::new(&umem).arg("--data").arg(&data).arg("stop").output().expect("umem starts");
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{words}\n{}", String::from_utf8_lossy(&output.stderr));
    let talks: serde_json::Value = serde_json::from_str(words.trim()).expect("the script prints JSON");
    assert!(!talks.as_array().expect("a list").is_empty());
    assert!(stopped.status.success());
}
