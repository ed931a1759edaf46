//! Where things are in a checkout.

use std::path::{Path, PathBuf};

/// The checkout that the command works on.
pub struct Place {
    root: PathBuf,
}

impl Place {
    /// The checkout around the current folder, or the one that this program was built from.
    pub fn find() -> Result<Place, String> {
        let built_from = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let here = std::env::current_dir().map_err(|e| format!("the current folder cannot be read: {e}"))?;
        here.ancestors()
            .chain(built_from.ancestors())
            .find(|folder| folder.join("xtask/Cargo.toml").is_file() && folder.join("Cargo.lock").is_file())
            .map(|folder| Place { root: folder.to_path_buf() })
            .ok_or_else(|| "no checkout of Ultimate Memory here: run this inside one".to_string())
    }

    /// The folder with the workspace's Cargo.toml.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the checkout.
    pub fn at(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// What set-up fetched: programs, libraries, the default model. Never committed.
    pub fn tools(&self) -> PathBuf {
        self.at(".tools")
    }

    /// A path below [`Place::tools`].
    pub fn tool(&self, relative: &str) -> PathBuf {
        self.tools().join(relative)
    }

    /// A program that `cargo install` put among the tools.
    pub fn installed(&self, program: &str) -> PathBuf {
        self.tool("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Real data to test against. It may be absent, and then what needs it skips.
    pub fn shared_data(&self) -> PathBuf {
        match std::env::var_os("UM_SHARED_DATA") {
            Some(named) => PathBuf::from(named),
            None => self.at("../shared/data"),
        }
    }
}
