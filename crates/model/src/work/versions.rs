//! Versions of what keeps them, and what changed between two of them.

use crate::enums::text_enum;
use crate::{EpochMs, SpaceId, VersionId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

text_enum! {
    /// What keeps versions.
    VersionedType {
        /// A tool, a guideline or a piece of knowledge.
        Entry = "entry",
        /// A standing rule.
        CoreBlock = "core_block",
        /// A resource of a space.
        Resource = "resource",
    }
}

/// Lists the versions of something, the last first.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionsList {
    /// What it is.
    pub item_type: VersionedType,
    /// Its id.
    pub id: String,
    /// The version of this number alone, whole: in lists, what is long is cut short.
    #[serde(default)]
    pub version: Option<u32>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Versions.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionsListed {
    /// Them.
    pub versions: Vec<ItemVersion>,
    /// How many there are in all.
    pub total: u64,
}

/// A version of something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemVersion {
    /// Its id.
    pub id: VersionId,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// Its number, from 1 without a gap.
    pub number: u32,
    /// What it says, by field.
    pub says: Map<String, Value>,
    /// Why it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_reason: Option<String>,
    /// Whether it was written without regard to the one before it.
    #[serde(default)]
    pub conflict_flag: bool,
    /// When it was written.
    pub created_at: EpochMs,
    /// Who wrote it.
    #[serde(default)]
    pub author: String,
    /// How many bytes the whole has, where it is cut short here: versions_list with its number as `version` gives that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u64>,
}

/// Asks what changed between two versions of something.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionsDiff {
    /// What it is.
    pub item_type: VersionedType,
    /// Its id.
    pub id: String,
    /// The number of one version.
    pub from: u32,
    /// The number of the other.
    pub to: u32,
}

/// What changed between two versions.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionsDiffed {
    /// The space it lies in.
    pub space_id: SpaceId,
    /// The fields that differ, by name.
    pub fields: Vec<FieldDiff>,
}

/// How a field changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FieldDiff {
    /// Its name.
    pub field: String,
    /// Its lines: those of both, those of the one alone, those of the other alone.
    pub lines: Vec<DiffLine>,
}

text_enum! {
    /// Where a line stands.
    DiffSide {
        /// In both versions.
        Both = "both",
        /// In the first version alone.
        From = "from",
        /// In the second version alone.
        To = "to",
    }
}

/// A line of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DiffLine {
    /// Where it stands.
    pub side: DiffSide,
    /// What it says.
    pub text: String,
}
