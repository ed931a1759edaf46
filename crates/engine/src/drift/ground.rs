//! What of the disk somebody may have compared. A person has all of it; an agent the folder that is worked in for the space, those
//! that it watches and those that were opened to it (ADR 0012), and in them nothing that is hidden, a key or the memory's own:
//! otherwise comparing would tell what stands anywhere on the disk.

use super::tree::Place;
use crate::error::{Outcome, invalid};
use crate::ingest::Opened;
use crate::{Caller, Engine};
use std::path::{Path, PathBuf};
use um_model::spaces::Space;

pub(super) struct Ground {
    opened: Opened,
    data: PathBuf,
}

impl Ground {
    pub(super) fn of(engine: &Engine, caller: &Caller, space: &Space) -> Outcome<Self> {
        let root = space.root_path.as_deref().and_then(|path| Path::new(path).canonicalize().ok());
        let opened = Opened::to(engine, caller, &space.id)?.and(root);
        Ok(Self { opened, data: engine.data_dir().to_owned() })
    }

    /// The root of a work tree that is named, without links in its path.
    ///
    /// # Errors
    /// `Forbidden` for an agent, whether the folder is closed to it or is not there; `InvalidRequest` for part of a path.
    pub(super) fn root(&self, named: &str) -> Outcome<PathBuf> {
        let path = Path::new(named.trim());
        if !path.is_absolute() {
            return Err(invalid("A work tree is named by its whole path.").hint("For example /home/ana/app."));
        }
        self.opened.folder(path)
    }

    /// Whether what stands at a place, or what is missing at this path, may be told.
    pub(super) fn tells(&self, place: &Place, path: &Path) -> bool {
        match place {
            Place::There(at) if at.starts_with(&self.data) => false,
            Place::There(folder) if folder.is_dir() => self.opened.folder(folder).is_ok(),
            Place::There(file) => self.opened.takes(file),
            Place::Missing => !path.starts_with(&self.data) && self.opened.check_found(path).is_ok(),
            Place::Outside => false,
        }
    }
}
