//! Builds the window: Rust to WebAssembly, wasm-bindgen's bindings, and the files that are shipped as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{files_below, make_folder, write_if_changed};
use crate::place::Place;
use crate::setup::wasm::{TARGET, Toolchain};
use crate::sh::{command, loud, quiet};
use crate::step::{Outcome, Step};

/// The page's name for the module, and the crate's.
const MODULE: &str = "um_ui";
/// Folders of `ui/` whose content goes to the same place in `ui/dist/`; `public` goes to its top.
const SHIPPED: &[(&str, &str)] = &[("styles", "styles"), ("icons", "icons"), ("public", "")];

/// A light release: small enough to load at once, and soon built.
const PROFILE: &[&str] = &[
    "profile.wasm.inherits=\"release\"",
    "profile.wasm.opt-level=1",
    "profile.wasm.lto=\"off\"",
    "profile.wasm.codegen-units=16",
    "profile.wasm.panic=\"abort\"",
    "profile.wasm.strip=\"debuginfo\"",
];

/// Views of one type: with a generic type for every piece of the window its code takes a third more room.
const ERASED: &str = "target.wasm32-unknown-unknown.rustflags=[\"--cfg\", \"erase_components\"]";

/// The one step.
pub fn step() -> Step {
    Step { name: "Window (WebAssembly)", act: build, without: None }
}

fn build(place: &Place) -> Result<Outcome, String> {
    let toolchain = Toolchain::find(place).ok_or("no WebAssembly target: run `cargo xtask setup`")?;
    let target = place.at("target/wasm");
    let mut cargo = toolchain.cargo_build(place);
    cargo.args(["--package", "um-ui", "--lib", "--profile", "wasm", "--target-dir"]).arg(&target);
    for line in PROFILE.iter().chain([&ERASED]) {
        cargo.args(["--config", line]);
    }
    loud(cargo)?;
    let module = target.join(TARGET).join("wasm").join(format!("{MODULE}.wasm"));
    let bound = target.join("bound");
    make_folder(&bound)?;
    let mut bindgen = command(place, place.installed("wasm-bindgen"));
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", MODULE, "--out-dir"]);
    bindgen.arg(&bound).arg(module);
    quiet(bindgen)?;
    let wrote = gather(place, &bound)?;
    Ok(Outcome::Done(match wrote {
        0 => "nothing changed".into(),
        count => format!("{count} files in ui/dist"),
    }))
}

/// Brings ui/dist up to date, leaving files alone that are the same: the app embeds them and is built again when
/// one of them changes. Gives how many were written or removed.
fn gather(place: &Place, bound: &Path) -> Result<usize, String> {
    let (ui, dist) = (place.at("ui"), place.at("ui/dist"));
    let mut wanted = vec![(ui.join("index.html"), dist.join("index.html"))];
    let mut whole = |from: PathBuf, to: PathBuf| {
        for file in files_below(&from) {
            let target = to.join(file.strip_prefix(&from).unwrap_or(&file));
            wanted.push((file, target));
        }
    };
    whole(bound.to_path_buf(), dist.clone());
    for (from, to) in SHIPPED {
        whole(ui.join(from), dist.join(to));
    }
    let mut changed = 0;
    for (from, to) in &wanted {
        let bytes = fs::read(from).map_err(|e| format!("{} cannot be read: {e}", from.display()))?;
        changed += usize::from(write_if_changed(to, &bytes)?);
    }
    let kept: BTreeSet<&PathBuf> = wanted.iter().map(|(_, to)| to).collect();
    for stale in files_below(&dist).iter().filter(|file| !kept.contains(file)) {
        fs::remove_file(stale).map_err(|e| format!("{} cannot be removed: {e}", stale.display()))?;
        changed += 1;
    }
    Ok(changed)
}
