//! Spaces: the boundaries that memories do not cross.

use crate::{AgentId, EpochMs, SpaceId, SpaceType};
use serde::{Deserialize, Serialize};

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
    /// Who made it.
    pub created_by_actor: Option<AgentId>,
    /// When it was made.
    pub created_at: EpochMs,
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
}

/// Lists the spaces that the caller may read.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpacesList {}

/// The spaces, parents before children.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SpacesListed {
    /// The spaces.
    pub spaces: Vec<SpaceSummary>,
}
