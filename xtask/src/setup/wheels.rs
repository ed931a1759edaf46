//! Shared libraries that Python packages carry: a registry that every machine can reach has them built and hashed.
//! Nothing of Python is used beyond `pip download` and its archive module.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{files_below, make_folder, make_parent, remove_folder};
use crate::place::Place;
use crate::sh::{python, quiet};
use crate::step::Outcome;

/// ONNX Runtime among the tools.
pub const ONNX_RUNTIME: &str = if cfg!(target_os = "macos") {
    "onnxruntime/libonnxruntime.dylib"
} else if cfg!(windows) {
    "onnxruntime/onnxruntime.dll"
} else {
    "onnxruntime/libonnxruntime.so"
};

/// pdfium among the tools.
const PDFIUM: &str = if cfg!(target_os = "macos") {
    "pdfium/libpdfium.dylib"
} else if cfg!(windows) {
    "pdfium/pdfium.dll"
} else {
    "pdfium/libpdfium.so"
};

/// Fetches ONNX Runtime.
pub fn provide_onnx_runtime(place: &Place) -> Result<Outcome, String> {
    provide_library(place, "onnxruntime==1.31.1", ONNX_RUNTIME)
}

/// Fetches pdfium.
pub fn provide_pdfium(place: &Place) -> Result<Outcome, String> {
    provide_library(place, "pypdfium2==5.15.2", PDFIUM)
}

fn provide_library(place: &Place, wanted: &str, target: &str) -> Result<Outcome, String> {
    let target = place.tool(target);
    if is_library(&target) {
        return Ok(Outcome::AlreadyThere);
    }
    let unpacked = unpack(place, wanted)?;
    let stem = target.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let found = files_below(&unpacked).into_iter().find(|path| is_this_library(path, &stem));
    let found = found.ok_or_else(|| format!("the package {wanted} has no {stem} in it any more"))?;
    move_into_place(&found, &target)?;
    remove_folder(&unpacked)?;
    Ok(Outcome::Done(wanted.replace("==", " ")))
}

/// Downloads one package without those it depends on and unpacks it; the folder is the caller's to remove.
///
/// # Errors
/// pip's, with what it printed last.
pub fn unpack(place: &Place, wanted: &str) -> Result<PathBuf, String> {
    let name = wanted.split("==").next().unwrap_or(wanted);
    let folder = place.tool("unpacked").join(name);
    remove_folder(&folder)?;
    make_folder(&folder)?;
    let mut pip = python(place);
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--only-binary", ":all:", "--dest"]).arg(&folder).arg(wanted);
    quiet(pip).map_err(|why| format!("{wanted} cannot be fetched: {why}"))?;
    let wheel = files_below(&folder).into_iter().find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| format!("pip left no archive of {wanted}"))?;
    let mut zipfile = python(place);
    zipfile.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&folder);
    quiet(zipfile)?;
    fs::remove_file(&wheel).map_err(|e| format!("{} cannot be removed: {e}", wheel.display()))?;
    Ok(folder)
}

/// Moves a file, so that the target is either whole or not there at all.
///
/// # Errors
/// The disk's.
pub fn move_into_place(from: &Path, to: &Path) -> Result<(), String> {
    make_parent(to)?;
    fs::rename(from, to).map_err(|e| format!("{} cannot be moved to {}: {e}", from.display(), to.display()))
}

/// `libonnxruntime.so.1.31.1`, `libonnxruntime.1.31.1.dylib`, `onnxruntime.dll`; not `libonnxruntime_providers.so`.
fn is_this_library(path: &Path, stem: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(rest) = name.strip_prefix(stem) else {
        return false;
    };
    rest.starts_with('.') && [".so", ".dylib", ".dll"].iter().any(|kind| rest.contains(kind))
}

/// A file of some size that starts as this system's libraries do: a broken one would end the app that loads it.
fn is_library(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    let starts: &[&[u8]] = &[b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
    read.is_ok() && starts.iter().any(|known| start.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_told_from_its_neighbours() {
        let is = |name: &str| is_this_library(Path::new(name), "libonnxruntime");
        assert!(is("capi/libonnxruntime.so.1.31.1"));
        assert!(is("capi/libonnxruntime.1.31.1.dylib"));
        assert!(!is("capi/libonnxruntime_providers_shared.so"));
        assert!(!is("capi/libonnxruntime.md"));
    }
}
