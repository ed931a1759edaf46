//! One question over all that agents work with.

use super::{EntryCategory, EntryType, EntryVersion, ItemRef, ItemType, RelationType};
use crate::claims::Direction;
use crate::enums::text_enum;
use crate::{EpochMs, SessionId, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What speaks for an item that was found.
    ScoreSignal {
        /// How few steps along relations lead to it.
        Relation = "relation",
        /// How many of the tags that were asked for it has.
        Tag = "tag",
        /// How near its level is.
        Proximity = "proximity",
        /// How well its words match.
        Text = "text",
        /// How important it is said to be.
        Priority = "priority",
        /// How lately it was written.
        Recency = "recency",
    }
}

/// Which tags what is found has.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TagFilter {
    /// One of these at least: the more the better.
    #[serde(default)]
    pub include: Vec<String>,
    /// All of these.
    #[serde(default)]
    pub require: Vec<String>,
    /// None of these.
    #[serde(default)]
    pub exclude: Vec<String>,
}

/// What is found is related to this item.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Related {
    /// What the item is.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// Only along these relations.
    #[serde(default)]
    pub relations: Vec<RelationType>,
    /// Which way; both where nothing is said.
    #[serde(default)]
    pub direction: Option<Direction>,
    /// In so many steps at most: 2 where nothing is said, 5 at most.
    #[serde(default)]
    pub depth: Option<u8>,
}

fn yes() -> bool {
    true
}

/// Finds items of any kind that fit all that is said, the best first. What a nearer level overrides is left out.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemsQuery {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session that is worked in.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// What is looked for: `entry`, `core_block`, `resource`, `session_state`, `memory`, `event`; entries, standing rules, resources
    /// and memories where nothing is said.
    #[serde(default)]
    pub types: Vec<ItemType>,
    /// Of entries only those of these types.
    #[serde(default)]
    pub entry_types: Vec<EntryType>,
    /// Of entries only those about this.
    #[serde(default)]
    pub category: Option<EntryCategory>,
    /// Words: what is found says one of them at least. 2,000 characters at most.
    #[serde(default)]
    pub text: Option<String>,
    /// Which tags what is found has.
    #[serde(default)]
    pub tags: TagFilter,
    /// What is found is related to this.
    #[serde(default)]
    pub related_to: Option<Related>,
    /// Whether the spaces above are looked through too; they are where nothing is said.
    #[serde(default = "yes")]
    pub inherit: bool,
    /// Also what a nearer level overrides.
    #[serde(default)]
    pub all_levels: bool,
    /// Also what is out of use.
    #[serde(default)]
    pub inactive: bool,
    /// As it was at this time, in milliseconds since 1970: what was there and in use then, as it stood then, with the tags that it had
    /// then and along the relations that held then, by the priorities of now. What was written down later has the tags of now. One of a
    /// nearer level overrides another only where that holds of it, too. A text is looked for in what was said then. Of
    /// memories, relations and resources it is when something was so (valid time); entries, rules and what is in hand have one time, that
    /// at which they were recorded.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Tell the earlier versions of each entry, the last ten.
    #[serde(default)]
    pub versions: bool,
    /// Skips so many.
    #[serde(default)]
    pub offset: u32,
    /// At most so many: 20 where nothing is said, 100 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

impl Default for ItemsQuery {
    fn default() -> Self {
        Self {
            space: None,
            session: None,
            types: Vec::new(),
            entry_types: Vec::new(),
            category: None,
            text: None,
            tags: TagFilter::default(),
            related_to: None,
            inherit: true,
            all_levels: false,
            inactive: false,
            as_of: None,
            versions: false,
            offset: 0,
            limit: None,
        }
    }
}

/// What one signal brought to a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Why {
    /// The signal.
    pub signal: ScoreSignal,
    /// Its share of the score, 0 to 1; the shares of an item make 1.
    pub weight: f64,
    /// How strong it is, 0 to 1.
    pub value: f64,
}

/// An item that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Found {
    /// It.
    pub item: ItemRef,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// How far its level is: 0 is the nearest.
    pub level: u8,
    /// What it says, or how that begins: 1,000 characters at most.
    pub says: String,
    /// What sort of entry it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_type: Option<EntryType>,
    /// 0 to 100, of what has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// Whether it is in use.
    pub is_active: bool,
    /// Whether what it says stopped to hold by now, of knowledge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ran_out: bool,
    /// When it was last written, in milliseconds since 1970.
    pub updated_at: EpochMs,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Its earlier versions, the last first, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<EntryVersion>,
    /// 0 to 1: the sum of weight times value.
    pub score: f64,
    /// What the score is made of.
    pub why: Vec<Why>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemsFound {
    /// The items, the best first.
    pub items: Vec<Found>,
    /// How many there are, or at least are.
    pub total: u64,
    /// Whether there are no more. Where very many fit, the best 100 of each kind and level are looked at, and the others not counted.
    pub total_is_exact: bool,
    /// What was not compared, where something was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}
