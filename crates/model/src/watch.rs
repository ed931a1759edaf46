//! Watched folders.

use crate::{DeletePolicy, EpochMs, SpaceId, WatchId};
use serde::{Deserialize, Serialize};

/// A folder whose files come in by themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchFolder {
    /// Its id.
    pub id: WatchId,
    /// The space its files go to.
    pub space_id: SpaceId,
    /// The folder's absolute path.
    pub path: String,
    /// Only files that match one of these globs (all where empty), relative to the folder.
    pub include: Vec<String>,
    /// Never files that match one of these globs.
    pub exclude: Vec<String>,
    /// Whether `.gitignore` files are obeyed.
    pub honour_gitignore: bool,
    /// What a deleted file means.
    pub on_delete: DeletePolicy,
    /// When it was last compared with the disk.
    pub last_scan_at: Option<EpochMs>,
    /// Files that are present.
    pub files: u64,
    /// Why it cannot be watched now, where it cannot.
    pub problem: Option<String>,
}

/// Begins to watch a folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchAdd {
    /// The folder.
    pub path: String,
    /// Name or id of the space its files go to.
    pub space: String,
    /// Only files that match one of these globs.
    #[serde(default)]
    pub include: Vec<String>,
    /// Never files that match one of these globs.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Whether `.gitignore` files are obeyed.
    #[serde(default)]
    pub honour_gitignore: bool,
    /// What a deleted file means; `mark` where nothing is said.
    #[serde(default)]
    pub on_delete: Option<DeletePolicy>,
}

/// Lists the watched folders.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchesList {}

/// The watched folders.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchesListed {
    /// The folders.
    pub watches: Vec<WatchFolder>,
}

/// Ends the watching of a folder; what came in from it stays.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchRemove {
    /// The watched folder.
    pub id: WatchId,
}
