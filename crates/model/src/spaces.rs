//! Spaces: the boundaries that memories do not cross.

use crate::access::{ReadPolicy, WritePolicy};
use crate::findings::FindingKind;
use crate::work::PinnedBudget;
use crate::{AgentId, EpochMs, SpaceId, SpaceType};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A memory space (spine 2.6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Space {
    /// Its id.
    pub id: SpaceId,
    /// Its name, unique under its parent without regard to case.
    pub name: String,
    /// What it is for.
    pub space_type: SpaceType,
    /// The space it stands under.
    pub parent_space_id: Option<SpaceId>,
    /// Who reads it.
    pub read_policy: ReadPolicy,
    /// Who writes to it.
    pub write_policy: WritePolicy,
    /// Who made it.
    pub created_by_actor: Option<AgentId>,
    /// When it was made.
    pub created_at: EpochMs,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The folder that is worked in for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_path: Option<String>,
    /// What else was said of it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it was changed last, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<EpochMs>,
}

/// A space with what it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpaceSummary {
    /// The space.
    #[serde(flatten)]
    pub space: Space,
    /// Files in use.
    pub artifacts: u64,
    /// Memories in use.
    pub memories: u64,
    /// Watched folders.
    pub watches: u64,
    /// Kinds of personal and secret data that are hidden from agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask_kinds: Vec<FindingKind>,
    /// 0 to 1: what answers a question by less is no answer here, where that is another than the usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstain_below: Option<f64>,
}

/// Makes a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpaceCreate {
    /// Its name: 1 to 100 characters.
    pub name: String,
    /// What it is for; a project where nothing is said.
    #[serde(default)]
    pub space_type: Option<SpaceType>,
    /// Name or id of the space it stands under.
    #[serde(default)]
    pub parent: Option<String>,
    /// What it is about: 1,000 characters at most.
    #[serde(default)]
    pub description: Option<String>,
    /// The folder that is worked in for it, with its whole path.
    #[serde(default)]
    pub root_path: Option<String>,
    /// What else is to be kept with it: 4,000 bytes of JSON at most.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

impl SpaceCreate {
    /// Whether more is said of it than what it is called and where it stands.
    pub fn says_more(&self) -> bool {
        self.description.is_some() || self.root_path.is_some() || !self.metadata.is_empty()
    }
}

/// Lists the spaces that the caller may read.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpacesList {}

/// The spaces, parents before children.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpacesListed {
    /// The spaces.
    pub spaces: Vec<SpaceSummary>,
    /// Spaces that were archived: nothing of them is found until they are brought back.
    #[serde(default)]
    pub archived: Vec<Space>,
    /// What answers a question by less is no answer, in spaces that say nothing else.
    #[serde(default = "usually")]
    pub usual_abstain_below: f64,
}

/// What answers a question by less is no answer, where a space says nothing else (docs/adr/0016).
pub const ABSTAIN_BELOW: f64 = 0.2;

fn usually() -> f64 {
    ABSTAIN_BELOW
}

/// Renames a space, says who reads and writes it, archives it, or brings an archived one back. Nothing that it holds is changed or lost.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpaceEdit {
    /// Name or id of the space.
    pub space: String,
    /// Its new name: 1 to 100 characters.
    #[serde(default)]
    pub name: Option<String>,
    /// `true` takes the space with all that it holds out of every list and answer; `false` brings it back.
    #[serde(default)]
    pub archived: Option<bool>,
    /// Who reads it.
    #[serde(default)]
    pub read_policy: Option<ReadPolicy>,
    /// Who writes to it.
    #[serde(default)]
    pub write_policy: Option<WritePolicy>,
    /// What it is about: 1,000 characters at most; nothing any more where empty.
    #[serde(default)]
    pub description: Option<String>,
    /// The folder that is worked in for it, with its whole path; none any more where empty.
    #[serde(default)]
    pub root_path: Option<String>,
    /// What else is to be kept with it, in place of what was: 4,000 bytes of JSON at most.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
    /// What was not confirmed for so many days counts as stale: 1 to 3,650.
    #[serde(default)]
    pub stale_after_days: Option<u32>,
    /// 0 to 1: what answers a question by less is no answer here; 0.2 where nothing is said. 0 gives whatever is nearest.
    #[serde(default)]
    pub abstain_below: Option<f64>,
    /// `true` goes back to the usual of `abstain_below`.
    #[serde(default)]
    pub usual_abstain_below: bool,
    /// How much of the standing rules and of what is pinned is always read.
    #[serde(default)]
    pub pinned: Option<PinnedBudget>,
}

/// Says which kinds of personal and secret data of a space are hidden from agents. The person still sees them.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpaceMask {
    /// Name, path or id of the space.
    pub space: String,
    /// The kinds, in place of those before; none where empty.
    pub kinds: Vec<FindingKind>,
}

/// What a space hides from agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpaceMasked {
    /// The space.
    pub space_id: SpaceId,
    /// The kinds that are hidden.
    pub mask_kinds: Vec<FindingKind>,
}

/// What stands between the names of a path.
const SEPARATOR: char = '/';

/// A space's name after those of the spaces that it stands under: `Travel/Japan`.
pub fn path(spaces: &[Space], space: &Space) -> String {
    let mut names = vec![space.name.as_str()];
    let mut above = &space.parent_space_id;
    // No space is its own ancestor; the limit holds even where a list says otherwise.
    while let Some(parent) = spaces.iter().find(|one| above.as_ref() == Some(&one.id)).filter(|_| names.len() < 100) {
        names.push(&parent.name);
        above = &parent.parent_space_id;
    }
    names.reverse();
    names.join(&SEPARATOR.to_string())
}

/// The spaces that an id, a name, or the end of a path (`Japan`, `Travel/Japan`) may mean, without regard to case.
/// Where one of them has exactly this path, it alone is meant: a space that stands under no other goes before those
/// of the same name that do.
pub fn meant<'a>(spaces: &'a [Space], wanted: &str) -> Vec<&'a Space> {
    if let Some(space) = spaces.iter().find(|space| space.id.as_str() == wanted.trim()) {
        return vec![space];
    }
    let fold = |path: &str| path.split(SEPARATOR).map(|name| name.trim().to_lowercase()).collect::<Vec<_>>();
    let wanted = fold(wanted);
    let fits: Vec<_> = spaces
        .iter()
        .map(|space| (space, fold(&path(spaces, space))))
        .filter(|(_, path)| path.ends_with(&wanted))
        .collect();
    match fits.iter().find(|(_, path)| *path == wanted) {
        Some((space, _)) => vec![*space],
        None => fits.into_iter().map(|(space, _)| space).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(number: u8, name: &str, parent: Option<u8>) -> Space {
        let id = |number: u8| SpaceId::parse(format!("00000000-0000-7000-8000-0000000001{number:02}")).unwrap();
        Space {
            id: id(number),
            name: name.to_owned(),
            space_type: SpaceType::Project,
            parent_space_id: parent.map(id),
            read_policy: ReadPolicy::Members,
            write_policy: WritePolicy::Members,
            created_by_actor: None,
            created_at: 0,
            description: None,
            root_path: None,
            metadata: Map::new(),
            updated_at: None,
        }
    }

    #[test]
    fn names_paths_and_ids_mean_spaces() {
        let spaces = [
            space(0, "Travel", None),
            space(1, "Notes", None),
            space(2, "Notes", Some(0)),
            space(3, "Japan", Some(0)),
            space(4, "Notes", Some(3)),
            space(5, "Old", Some(0)),
            space(6, "Old", Some(3)),
            space(7, "a/b", None),
            space(8, "Ämter", None),
        ];
        for (wanted, expected) in [
            // One that stands under no other goes before its namesakes.
            ("notes", vec![1]),
            ("Travel/Notes", vec![2]),
            ("japan/notes", vec![4]),
            ("Travel / Japan / Notes", vec![4]),
            ("Japan", vec![3]),
            ("old", vec![5, 6]),
            ("Travel/Old", vec![5]),
            ("Japan/Old", vec![6]),
            ("a/b", vec![7]),
            ("b", vec![7]),
            ("äMTER", vec![8]),
            ("Notes/Japan", vec![]),
            ("", vec![]),
            ("/Notes", vec![]),
            (spaces[6].id.as_str(), vec![6]),
        ] {
            let found: Vec<_> = meant(&spaces, wanted).into_iter().map(|one| one.id.clone()).collect();
            let expected: Vec<_> = expected.into_iter().map(|at: usize| spaces[at].id.clone()).collect();
            assert_eq!(found, expected, "{wanted:?}");
        }
        assert_eq!(path(&spaces, &spaces[4]), "Travel/Japan/Notes");
    }
}
