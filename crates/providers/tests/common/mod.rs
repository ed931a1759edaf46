//! What the tests of this crate share: where things are, and how to say that a test was skipped.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::{Path, PathBuf};

use um_engine::provider::Providers;
use um_providers::Locations;

/// A file that the tests bring along.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The tools folder: `UM_TOOLS_DIR`, else the checkout's.
pub fn tools_dir() -> PathBuf {
    let named = std::env::var_os("UM_TOOLS_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools"))
}

/// Everything at the usual places, with models installed into `models_dir`.
pub fn locations(models_dir: &Path) -> Locations {
    Locations {
        tools_dirs: vec![tools_dir()],
        models_dir: models_dir.into(),
        pdf_child: env!("CARGO_BIN_EXE_um-pdf-child").into(),
        model_base_url: None,
    }
}

/// The readers, without any model installed but those of the tools.
pub fn providers() -> Providers {
    um_providers::with_locations(locations(Path::new("no-models-here")))
}

/// A folder or file of the real data to measure against: `UM_SHARED_DATA`, else beside the checkout.
pub fn shared(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("UM_SHARED_DATA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    there(folder.join(name))
}

/// A tool's file, where set-up has fetched it.
pub fn tool(name: &str) -> Option<PathBuf> {
    there(tools_dir().join(name))
}

/// Whether a program can be started.
pub fn program(name: &str, argument: &str) -> Option<()> {
    let ran = std::process::Command::new(name).arg(argument).output().is_ok();
    if !ran {
        eprintln!("skipped: {name} is not installed");
    }
    ran.then_some(())
}

fn there(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// Edits to turn one sequence into another, over the length of the first.
pub fn error_rate<T: PartialEq>(expected: &[T], actual: &[T]) -> f64 {
    let mut row: Vec<usize> = (0..=actual.len()).collect();
    for (i, want) in expected.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, have) in actual.iter().enumerate() {
            let change = diagonal + usize::from(want != have);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[actual.len()] as f64 / expected.len().max(1) as f64
}
