//! Tags: the predefined ones that every space may use, those of a space, and what bears them.

use super::{ItemKey, ItemType};
use crate::enums::text_enum;
use crate::{SpaceId, TagId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What a tag is about.
    TagCategory {
        /// A language.
        Language = "language",
        /// A field of work.
        Domain = "domain",
        /// What something is good for.
        Meta = "meta",
        /// Anything else.
        Custom = "custom",
    }
}

/// A tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tag {
    /// Its id.
    pub id: TagId,
    /// The space that knows it; `GLOBAL` where every space does.
    pub space_id: SpaceId,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub category: TagCategory,
    /// Whether the product brought it.
    pub is_predefined: bool,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How many items of the spaces that were asked for bear it.
    pub uses: u64,
}

/// Lists tags in the order of the alphabet: those that a space may use, or those of an item.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagsList {
    /// Name, path or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only about this.
    #[serde(default)]
    pub category: Option<TagCategory>,
    /// Only those of this item.
    #[serde(default)]
    pub item: Option<ItemKey>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 500 where nothing is said, 2,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Tags.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagsListed {
    /// Them.
    pub tags: Vec<Tag>,
    /// Whether there are more.
    #[serde(default)]
    pub more: bool,
}

/// Makes a tag that a space knows.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagCreate {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// Its name, 1 to 60 bytes, in small letters.
    pub name: String,
    /// What it is about; `custom` where nothing is said.
    #[serde(default)]
    pub category: Option<TagCategory>,
    /// What it means, at most 500 bytes.
    #[serde(default)]
    pub description: Option<String>,
}

/// Attaches tags to an item. A name that its space does not know becomes a tag of the space.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagAttach {
    /// What the item is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// The names of the tags, at most 20.
    pub tags: Vec<String>,
}

/// Detaches tags from an item.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagDetach {
    /// What the item is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// The names of the tags.
    pub tags: Vec<String>,
}

/// The tags that an item has now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemTags {
    /// The item.
    pub item: ItemKey,
    /// Its space.
    pub space_id: SpaceId,
    /// The names of its tags.
    pub tags: Vec<String>,
}
