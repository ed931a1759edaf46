//! Drift: what was written of a work tree, and is so no more.

use super::{ItemKey, RecallWarning};
use crate::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where, and of what state of a work tree, something was written: five keys of its metadata, each also known by its name in
/// camel case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// `workspace_path`: the root of the work tree, where the item has one of its own.
    pub workspace_path: Option<String>,
    /// `git_branch`: the branch.
    pub git_branch: Option<String>,
    /// `git_commit`: the commit, whole or its first seven digits or more.
    pub git_commit: Option<String>,
    /// `file_path`: the file that it speaks of, from the root or whole.
    pub file_path: Option<String>,
    /// `content_sha256`: SHA-256 of what that file said, in hexadecimal.
    pub content_sha256: Option<String>,
}

impl Provenance {
    /// The keys that say something which can have changed, each with its other name.
    pub const KEYS: [[&str; 2]; 3] =
        [["git_branch", "gitBranch"], ["git_commit", "gitCommit"], ["file_path", "filePath"]];

    /// The keys of the state of a work tree, which is filled in where its writer names none: it is another after each commit.
    pub const STATE: [&str; 3] = ["git_branch", "git_commit", "content_sha256"];

    /// What metadata say of it. What is no text is not said.
    pub fn of(metadata: &Map<String, Value>) -> Self {
        let text = |keys: [&str; 2]| {
            let said = keys.iter().find_map(|key| metadata.get(*key)?.as_str().map(str::trim));
            said.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let [git_branch, git_commit, file_path] = Self::KEYS;
        Self {
            workspace_path: text(["workspace_path", "workspacePath"]),
            git_branch: text(git_branch),
            git_commit: text(git_commit),
            file_path: text(file_path),
            content_sha256: text(["content_sha256", "contentSha256"]),
        }
    }

    /// Whether it says anything that can have changed.
    pub fn can_drift(&self) -> bool {
        self.git_branch.is_some() || self.git_commit.is_some() || self.file_path.is_some()
    }

    /// Whether it says of what state something is.
    pub fn has_state(&self) -> bool {
        self.git_branch.is_some() || self.git_commit.is_some() || self.content_sha256.is_some()
    }
}

/// Compares what was written of a work tree with the work tree as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DriftCheck {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session whose own items are checked too.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The root of the work tree, with its whole path; the folder that is worked in for the space where nothing is said. For an
    /// agent that folder, one that the space watches, or one that was opened to it. An item that names a root of its own is
    /// compared with that one.
    #[serde(default)]
    pub workspace: Option<String>,
    /// What is checked, at most 200; all of the space that can have changed where none is named, the latest 500.
    #[serde(default)]
    pub items: Vec<ItemKey>,
}

/// What has changed since it was written of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Drifted {
    /// What speaks against relying on an item, in the order of the items.
    pub warnings: Vec<RecallWarning>,
    /// So many items were compared with a work tree.
    pub checked: u32,
    /// So many more say where they were written, and could not be: there is no such work tree, it is closed to you, or the file
    /// lies outside of it.
    pub skipped: u32,
    /// Whether there are more than were looked at.
    pub more: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn provenance_is_read_by_both_names() {
        let of = |value: Value| Provenance::of(value.as_object().unwrap());
        let said = |text: &str| Some(text.to_owned());
        let snake = json!({"workspace_path": "/w", "git_branch": " main ", "git_commit": "abc", "file_path": "a.rs",
            "content_sha256": "00"});
        let camel = json!({"workspacePath": "/w", "gitBranch": "main", "gitCommit": "abc", "filePath": "a.rs",
            "contentSha256": "00"});
        let whole = Provenance {
            workspace_path: said("/w"),
            git_branch: said("main"),
            git_commit: said("abc"),
            file_path: said("a.rs"),
            content_sha256: said("00"),
        };
        for (metadata, expected, can_drift) in [
            (snake, whole.clone(), true),
            (camel, whole, true),
            (json!({}), Provenance::default(), false),
            (json!({"git_branch": 7, "file_path": " ", "git_commit": null}), Provenance::default(), false),
            (
                json!({"workspace_path": "/w"}),
                Provenance { workspace_path: said("/w"), ..Provenance::default() },
                false,
            ),
        ] {
            let provenance = of(metadata.clone());
            assert_eq!(provenance, expected, "{metadata}");
            assert_eq!(provenance.can_drift(), can_drift, "{metadata}");
        }
    }
}
