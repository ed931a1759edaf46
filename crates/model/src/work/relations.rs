//! Relations: how items bear on one another, and from when to when.

use super::{ItemKey, ItemRef, ItemType};
use crate::claims::Direction;
use crate::enums::text_enum;
use crate::{AgentId, EpochMs, EventId, RelationId, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// How one item bears on another (`item_relations.relation_type`).
    RelationType {
        /// They cannot both be right.
        Contradicts = "contradicts",
        /// It was made of the other.
        Derives = "derives",
        /// It adds to the other.
        Extends = "extends",
        /// It speaks for the other.
        Supports = "supports",
        /// It stands in the other's place.
        Supersedes = "supersedes",
        /// It holds for the other.
        AppliesTo = "applies_to",
        /// It needs the other.
        DependsOn = "depends_on",
        /// They cannot both be followed.
        ConflictsWith = "conflicts_with",
        /// They have to do with one another.
        RelatedTo = "related_to",
    }
}

impl RelationType {
    /// Whether it says the same from either end.
    pub fn is_mutual(self) -> bool {
        matches!(self, Self::Contradicts | Self::ConflictsWith | Self::RelatedTo)
    }
}

/// A relation. It lies in the space of the item that it leads from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Relation {
    /// Its id.
    pub id: RelationId,
    /// The space that it lies in.
    pub space_id: SpaceId,
    /// The item that it leads from.
    pub from: ItemRef,
    /// The item that it leads to.
    pub to: ItemRef,
    /// How the first bears on the second.
    pub relation_type: RelationType,
    /// Since when, in milliseconds since 1970; always where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<EpochMs>,
    /// Until when, in milliseconds since 1970; it goes on where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<EpochMs>,
    /// The events that it rests on.
    #[serde(default)]
    pub source_event_ids: Vec<EventId>,
    /// When it was written down, in milliseconds since 1970.
    pub created_at: EpochMs,
    /// Who wrote it down, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<AgentId>,
}

/// Says how one item bears on another of its space or of `GLOBAL`. Said again while it holds, it is answered as it is.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationAdd {
    /// The item that it leads from.
    pub from: ItemKey,
    /// The item that it leads to.
    pub to: ItemKey,
    /// How the first bears on the second.
    pub relation_type: RelationType,
    /// Since when, in milliseconds since 1970; always where nothing is said.
    #[serde(default)]
    pub valid_from: Option<EpochMs>,
    /// Until when, in milliseconds since 1970; it goes on where nothing is said.
    #[serde(default)]
    pub valid_until: Option<EpochMs>,
    /// The events that it rests on: 100 at most.
    #[serde(default)]
    pub source_event_ids: Vec<EventId>,
}

/// Says that a relation holds no longer. It stays on record.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationEnd {
    /// Its id.
    pub relation: RelationId,
    /// Until when it held, in milliseconds since 1970; until now where nothing is said.
    #[serde(default)]
    pub at: Option<EpochMs>,
}

/// Takes a relation back that never held.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationRemove {
    /// Its id.
    pub relation: RelationId,
}

/// Lists relations, the last written down first: those of an item, or those of a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationsList {
    /// Only those that lead from or to this item.
    #[serde(default)]
    pub item: Option<ItemKey>,
    /// Name, path, id or scope of the space; where no item is named either, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// Only of these types.
    #[serde(default)]
    pub types: Vec<RelationType>,
    /// Only those that hold at this time, in milliseconds since 1970.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// As they were on record at this time, in milliseconds since 1970: what was ended later goes on.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// Skips so many.
    #[serde(default)]
    pub offset: u32,
    /// At most so many: 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Relations.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationsListed {
    /// Them.
    pub relations: Vec<Relation>,
    /// Whether there are more.
    pub more: bool,
}

/// Walks along relations from an item, within its space and `GLOBAL`, the nearest items first.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationsWalk {
    /// What the item is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// Only along these types.
    #[serde(default)]
    pub types: Vec<RelationType>,
    /// Which way; both where nothing is said. What says the same from either end is followed both ways.
    #[serde(default)]
    pub direction: Option<Direction>,
    /// So many steps: 2 where nothing is said, 5 at most.
    #[serde(default)]
    pub depth: Option<u8>,
    /// Only along those that hold at this time, in milliseconds since 1970; now where nothing is said.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// As they were on record at this time, in milliseconds since 1970: what was ended later goes on.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
}

/// An item that a walk reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reached {
    /// It.
    pub item: ItemRef,
    /// In so many steps.
    pub steps: u8,
}

/// What a walk reached.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationsWalked {
    /// The items, the nearest first, without the one that it began at.
    pub items: Vec<Reached>,
    /// The relations that it followed.
    pub relations: Vec<Relation>,
    /// Whether there is more than one answer holds: 200 items, 100 relations of one item.
    pub truncated: bool,
}
