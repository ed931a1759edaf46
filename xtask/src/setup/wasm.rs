//! A compiler for `wasm32-unknown-unknown`: rustup's target where it can be had, else Debian's toolchain, which
//! carries the standard library's source and builds it as part of the window.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::files::{make_parent, write_if_changed};
use crate::place::Place;
use crate::setup::packages;
use crate::sh::{cargo, command, quiet, succeeds, within};
use crate::step::Outcome;

/// The target's name.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// How long rustup may take. Where it is cut off from its downloads it waits for ever.
const RUSTUP_LIMIT: Duration = Duration::from_secs(15);

const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src"];

/// A toolchain that can build the window.
pub enum Toolchain {
    /// The one in use, which has the target.
    Usual,
    /// Debian's, with the usual toolchain's linker.
    Debian {
        /// The path of `rust-lld`.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// The one to use: `UM_WASM_TOOLCHAIN=debian` asks for Debian's even where the usual one would do.
    pub fn find(place: &Place) -> Option<Toolchain> {
        let only_debian = std::env::var("UM_WASM_TOOLCHAIN").is_ok_and(|choice| choice == "debian");
        if !only_debian && usual_has_target(place) {
            return Some(Toolchain::Usual);
        }
        debian(place)
    }

    /// A `cargo build` for the target; package and profile are yet to be said.
    pub fn cargo_build(&self, place: &Place) -> Command {
        let mut build = match self {
            Toolchain::Usual => cargo(place),
            Toolchain::Debian { linker } => debian_cargo(place, linker),
        };
        build.arg("build");
        if matches!(self, Toolchain::Debian { .. }) {
            build.args(["-Z", "build-std=std,panic_abort"]);
        }
        build.args(["--target", TARGET]);
        build
    }
}

/// Makes sure that there is a toolchain.
pub fn provide(place: &Place) -> Result<Outcome, String> {
    if Toolchain::find(place).is_some() {
        return Ok(Outcome::AlreadyThere);
    }
    let by_rustup = if only_debian() { Ok(()) } else { add_by_rustup(place) };
    if Toolchain::find(place).is_some() {
        return Ok(Outcome::Done("by rustup".into()));
    }
    let names: Vec<String> = DEBIAN_PACKAGES.iter().map(|name| name.to_string()).collect();
    packages::install(place, &names).map_err(|why| format!("{}; {why}", by_rustup.err().unwrap_or_default()))?;
    match Toolchain::find(place) {
        Some(_) => Ok(Outcome::Done("by Debian's rustc-web".into())),
        None => Err(format!("run `rustup target add {TARGET}`, then this again.")),
    }
}

fn only_debian() -> bool {
    std::env::var("UM_WASM_TOOLCHAIN").is_ok_and(|choice| choice == "debian")
}

fn add_by_rustup(place: &Place) -> Result<(), String> {
    let version = quiet(rustc(place, &["--version"]))?;
    let failed_before = place.tool("wasm-target-not-by-rustup");
    if fs::read_to_string(&failed_before).is_ok_and(|old| old == version) {
        return Err("rustup could not add the target before".into());
    }
    let mut add = command(place, "rustup");
    add.args(["target", "add", TARGET]);
    let added = within(add, RUSTUP_LIMIT);
    if added.is_err() {
        make_parent(&failed_before)?;
        write_if_changed(&failed_before, version.as_bytes())?;
    }
    added
}

fn rustc(place: &Place, words: &[&str]) -> Command {
    let mut rustc = command(place, "rustc");
    rustc.args(words);
    rustc
}

/// Whether the target's standard library lies where this compiler looks for it.
fn usual_has_target(place: &Place) -> bool {
    let folder = quiet(rustc(place, &["--print", "target-libdir", "--target", TARGET]));
    let Ok(entries) = fs::read_dir(folder.unwrap_or_default().trim()) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

fn debian(place: &Place) -> Option<Toolchain> {
    let sysroot = |program: &str| {
        let mut ask = command(place, program);
        ask.env_remove("RUSTUP_TOOLCHAIN").args(["--print", "sysroot"]);
        quiet(ask).ok().map(|path| PathBuf::from(path.trim()))
    };
    let source = sysroot(DEBIAN_RUSTC)?.join("lib/rustlib/src/rust/library/Cargo.lock");
    let mut probe = command(place, DEBIAN_CARGO);
    probe.arg("--version");
    if !source.is_file() || !succeeds(probe) {
        return None;
    }
    let linker = find_linker(&sysroot("rustc")?)?;
    Some(Toolchain::Debian { linker })
}

/// `rust-lld` of a rustup toolchain, below `lib/rustlib/<host>/bin`.
fn find_linker(sysroot: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(sysroot.join("lib/rustlib")).ok()?;
    hosts.flatten().map(|host| host.path().join("bin/rust-lld")).find(|linker| linker.is_file())
}

fn debian_cargo(place: &Place, linker: &Path) -> Command {
    let mut cargo = command(place, DEBIAN_CARGO);
    // `-Z build-std` is asked of a stable compiler that carries its own source.
    cargo.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    for inherited in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTDOC"] {
        cargo.env_remove(inherited);
    }
    cargo
}
