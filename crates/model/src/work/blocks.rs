//! Standing rules (core blocks), and the memories that are pinned beside them: what every agent of a space always reads.

use crate::{AgentId, BlockId, EpochMs, MemoryId, SpaceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A standing rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Block {
    /// Its id.
    pub id: BlockId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// What that space is called.
    pub space: String,
    /// What it is called: one rule of a label in a space.
    pub label: String,
    /// What it says.
    pub content: String,
    /// 0 to 100: what is higher comes first.
    pub authority: u8,
    /// Whether agents leave it as it is.
    pub read_only: bool,
    /// Whether it is in force.
    pub is_active: bool,
    /// The number of its version, from 1.
    pub version: u32,
    /// What else was said of it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// Who set it first.
    pub actor_id: AgentId,
    /// When it was set last.
    pub updated_at: EpochMs,
    /// Whether it comes from a space above the one that was asked for.
    #[serde(default)]
    pub inherited: bool,
}

/// Lists the standing rules of a space, the highest authority first, with what they and the pinned memories may take up.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlocksList {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// Only those of the space itself, not those of the spaces above it.
    #[serde(default)]
    pub own_only: bool,
    /// Those that were removed as well.
    #[serde(default)]
    pub inactive: bool,
}

/// Standing rules and what is pinned.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlocksListed {
    /// The rules: of two with one label, the one of the nearer space.
    pub blocks: Vec<Block>,
    /// The memories that are pinned in the space, the latest first.
    pub pinned: Vec<PinnedMemory>,
    /// How much of what is pinned is read.
    pub budget: PinnedBudget,
}

/// A memory that is pinned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PinnedMemory {
    /// Its id.
    pub id: MemoryId,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// Its title, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it says.
    pub content: String,
    /// How many bytes the whole has, where it is cut short here: memory_get gives that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u64>,
}

/// How much of what is pinned an agent always reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PinnedBudget {
    /// So many characters at most: 100 to 20,000.
    pub max_chars: u32,
    /// So many records at most: 0 to 50.
    pub max_records: u32,
}

impl Default for PinnedBudget {
    fn default() -> Self {
        Self { max_chars: 1_200, max_records: 5 }
    }
}

/// Sets a standing rule: a new one, or the next version of the one of that label.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlockSet {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// What it is called: 1 to 100 characters.
    pub label: String,
    /// What it says: 1 to 4,000 characters.
    pub content: String,
    /// 0 to 100; as it was, or 50. What agents set has 50 at most.
    #[serde(default)]
    pub authority: Option<u8>,
    /// Whether agents leave it as it is; the person's to say.
    #[serde(default)]
    pub read_only: Option<bool>,
    /// Why it changes: 500 characters at most.
    #[serde(default)]
    pub change_reason: Option<String>,
    /// What else is to be kept with it: 4,000 bytes of JSON at most; as it was where nothing is said.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// A rule that was set.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlockSaved {
    /// The rule.
    pub block: Block,
    /// Whether a version was made; not where all was as it is.
    pub created: bool,
}

/// Takes a standing rule out of force. Setting one of its label makes another.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlockRemove {
    /// Its id.
    pub block: BlockId,
}

/// Pins a memory, so that every agent of its space always reads it, or lets it go again.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryPin {
    /// The memory.
    pub id: MemoryId,
    /// Whether it is pinned from now on.
    pub pinned: bool,
}
