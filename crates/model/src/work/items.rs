//! What a row may name by its type and id.

use crate::SpaceId;
use crate::enums::text_enum;
use serde::{Deserialize, Serialize};

text_enum! {
    /// What an item is.
    ItemType {
        /// A memory.
        Memory = "memory",
        /// A file.
        Artifact = "artifact",
        /// Something that was said or done.
        Event = "event",
        /// A claim.
        Claim = "claim",
        /// Somebody or something that is known.
        Entity = "entity",
        /// A tool, a guideline or a piece of knowledge.
        Entry = "entry",
        /// A standing rule.
        CoreBlock = "core_block",
        /// A stretch of work.
        Session = "session",
        /// What is in hand.
        SessionState = "session_state",
        /// A resource of a space.
        Resource = "resource",
        /// A space.
        Space = "space",
    }
}

impl ItemType {
    /// Whether tags can be attached to it (`item_tags.item_type`).
    pub fn can_be_tagged(self) -> bool {
        self != Self::SessionState
    }

    /// Whether relations lead from and to it (`item_relations.from_type`).
    pub fn can_be_related(self) -> bool {
        self != Self::Session
    }

    /// Whether it can be checked (`verification_records.target_type`).
    pub fn can_be_checked(self) -> bool {
        !matches!(self, Self::Session | Self::Space)
    }

    /// What a person calls it.
    pub fn called(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Artifact => "file",
            Self::Event => "event",
            Self::Claim => "fact",
            Self::Entity => "entity",
            Self::Entry => "entry",
            Self::CoreBlock => "standing rule",
            Self::Session => "session",
            Self::SessionState => "session state",
            Self::Resource => "resource",
            Self::Space => "space",
        }
    }
}

/// An item, as another one names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemKey {
    /// What it is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
}

/// An item, with what it is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemRef {
    /// What it is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// What it is called, or how it begins; empty where it has no words.
    #[serde(default)]
    pub title: String,
}

impl ItemRef {
    /// What it is named by.
    pub fn key(&self) -> ItemKey {
        ItemKey { item_type: self.item_type, id: self.id.clone() }
    }
}
