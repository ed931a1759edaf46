//! ONNX Runtime, a shared library that is found at run time. It is looked at before it is loaded: loading a file
//! that is cut short ends the process, and `ort` panics when it finds nothing.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ort::environment::Environment;
use um_engine::provider::{ProviderError, ProviderResult};

use crate::Locations;
use crate::process::Tool;

const ONNX_RUNTIME: Tool = Tool {
    name: "ONNX Runtime",
    hint: "Run `cargo xtask run` once in a checkout, put libonnxruntime beside the program or into $UM_TOOLS_DIR/onnxruntime, or name it in ORT_DYLIB_PATH. What waits for it then goes on by itself.",
};

/// Where packages of Linux systems and Homebrew put libraries.
const SYSTEM: &[&str] = &[
    "/usr/local/lib",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
];

/// The one environment of this process: ONNX Runtime allows no second one.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// The environment that sessions are made in; loads the library the first time.
///
/// # Errors
/// `ToolMissing` when there is no library, or none that can be used.
pub fn environment(locations: &Locations) -> ProviderResult<Environment> {
    let mut known = ENVIRONMENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(environment) = known.as_ref() {
        return Ok(environment.clone());
    }
    let library = find(locations).ok_or_else(|| ONNX_RUNTIME.missing())?;
    if !is_whole(&library) {
        return Err(unusable(&library));
    }
    let builder = ort::init_from(&library).map_err(|error| refused(&library, &error))?;
    let environment = builder.build().map_err(|error| refused(&library, &error))?;
    Ok(known.insert(environment).clone())
}

fn find(locations: &Locations) -> Option<PathBuf> {
    let named = env::var_os("ORT_DYLIB_PATH").map(PathBuf::from).filter(|path| path.is_file());
    let file = format!("{}onnxruntime{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let system = || SYSTEM.iter().map(|dir| Path::new(dir).join(&file)).find(|path| path.is_file());
    named.or_else(|| locations.library("onnxruntime", "onnxruntime")).or_else(system)
}

/// What the loader says is for whoever mends it, and not for whoever uses it.
fn refused(library: &Path, error: &dyn std::fmt::Display) -> ProviderError {
    tracing::warn!(library = %library.display(), %error, "ONNX Runtime could not be loaded");
    unusable(library)
}

fn unusable(library: &Path) -> ProviderError {
    ProviderError::ToolMissing {
        what: format!(
            "A usable ONNX Runtime (what lies at {} is broken or made for another system)",
            library.display()
        ),
        hint: ONNX_RUNTIME.hint.into(),
    }
}

/// Whether an ELF file is as long as its header says; other systems' loaders check that themselves.
fn is_whole(library: &Path) -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let Ok(mut file) = File::open(library) else {
        return false;
    };
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut header = [0; 64];
    file.read_exact(&mut header).is_ok() && elf_end(&header).is_some_and(|end| end <= length)
}

/// The end of the section table, which linkers write last: e_shoff + e_shentsize * e_shnum of a little-endian
/// ELF64 header (System V ABI, chapter 4).
fn elf_end(header: &[u8; 64]) -> Option<u64> {
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = u64::from_le_bytes(header[0x28..0x30].try_into().ok()?);
    let entry = u64::from(u16::from_le_bytes(header[0x3A..0x3C].try_into().ok()?));
    let count = u64::from(u16::from_le_bytes(header[0x3C..0x3E].try_into().ok()?));
    table.checked_add(entry * count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_library_cut_short_is_told_from_a_whole_one() {
        let program = std::env::current_exe().unwrap();
        assert!(is_whole(&program));
        let bytes = std::fs::read(program).unwrap();
        let dir = tempfile::tempdir().unwrap();
        for (name, part) in
            [("half", &bytes[..bytes.len() / 2]), ("head", &bytes[..10]), ("text", b"no library at all")]
        {
            let path = dir.path().join(name);
            std::fs::write(&path, part).unwrap();
            assert!(!is_whole(&path), "{name}");
        }
    }

    #[test]
    fn without_a_library_the_error_says_what_to_do() {
        let error = unusable(Path::new("x.so")).to_string();
        assert!(error.contains("x.so is broken") && error.contains("cargo xtask run"), "{error}");
    }
}
