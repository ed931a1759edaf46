//! Adding many texts as memories at once.

use crate::capture::MemoryRemember;
use crate::envelope::{ConfidenceLabel, MemoryLayer, RecordKind};
use crate::{ApiError, EpochMs, MemoryId, SpaceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// So many texts are added at once.
pub const MAX_ADDED: usize = 1_000;
/// So many bytes of UTF-8 these have together, with their metadata as JSON.
pub const MAX_ADDED_BYTES: usize = 1 << 20;

/// Keeps many texts as memories of one space, each as `memory_remember` keeps one.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoriesAdd {
    /// Name, path, id or scope of the space they go to; `session:ID` names the session they come from as well. An agent that names none
    /// means the only one that it has, of several `default`.
    #[serde(default)]
    pub space: String,
    /// The texts: at most 1,000, and 1 MB together.
    pub memories: Vec<MemoryText>,
}

/// One of the texts: what `memory_remember` takes, without the space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryText {
    /// The text: at most 100 KB.
    pub text: String,
    /// What is kept: `raw`, what was said as it was, which nothing changes; or `distilled`, as where nothing is said.
    #[serde(default)]
    pub kind: Option<MemoryLayer>,
    /// A title.
    #[serde(default)]
    pub title: Option<String>,
    /// Groups the versions of one thing: a new text with the same key supersedes the old one. Raw memories have none.
    #[serde(default)]
    pub key: Option<String>,
    /// Whose it is (envelope).
    #[serde(default)]
    pub owner: Option<String>,
    /// Where it comes from: the address of a message, pull request or file (envelope).
    #[serde(default)]
    pub artifact_ref: Option<String>,
    /// The session it comes from (envelope).
    #[serde(default)]
    pub session: Option<String>,
    /// How sure it is (envelope): observed where nothing is said, inferred where it is made of others. That it is verified only
    /// the person says.
    #[serde(default)]
    pub confidence_label: Option<ConfidenceLabel>,
    /// What it records.
    #[serde(default)]
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters; 0.5 where nothing is said.
    #[serde(default)]
    pub importance: Option<f64>,
    /// What goes with it. At most 4 KB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// When it happened.
    #[serde(default)]
    pub occurred_at: Option<EpochMs>,
    /// When it goes out of use by itself, as if it were removed; never where nothing is said. Raw memories stay.
    #[serde(default)]
    pub expires_at: Option<EpochMs>,
    /// Ids of the memories of this space that it was made of: a summary, a conclusion. What they say and it repeats is
    /// believed no more for that. At most 50.
    #[serde(default)]
    pub derived_from: Vec<MemoryId>,
}

impl MemoryText {
    /// Asks to keep it alone, in a space.
    pub fn in_space(self, space: String) -> MemoryRemember {
        let Self {
            text,
            kind,
            title,
            key,
            owner,
            artifact_ref,
            session,
            confidence_label,
            record_kind,
            importance,
            metadata,
            occurred_at,
            expires_at,
            derived_from,
        } = self;
        MemoryRemember {
            text,
            space,
            kind,
            title,
            key,
            owner,
            artifact_ref,
            session,
            confidence_label,
            record_kind,
            importance,
            metadata,
            occurred_at,
            expires_at,
            derived_from,
        }
    }
}

/// What became of many texts.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoriesAdded {
    /// The space they went to.
    pub space_id: SpaceId,
    /// What became of each, in their order.
    pub memories: Vec<MemoryAdded>,
    /// How many are new.
    pub created: u64,
    /// How many the space had already.
    pub known: u64,
    /// How many are not kept: each says why.
    pub refused: u64,
}

/// What became of one of many texts.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryAdded {
    /// The memory; absent where it is not kept.
    pub id: Option<MemoryId>,
    /// Whether it is new; `false` when the space had it already, or when it is not kept.
    pub created: bool,
    /// Why it is not kept; `held` where it waits for the person.
    pub error: Option<ApiError>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_what_one_alone_is_but_for_the_space() {
        let fields = |schema: schemars::Schema| {
            let mut fields = Value::from(schema)["properties"].as_object().unwrap().clone();
            fields.remove("space");
            fields
        };
        assert_eq!(fields(schemars::schema_for!(MemoryText)), fields(schemars::schema_for!(MemoryRemember)));
    }
}
