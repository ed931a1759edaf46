//! Checks of items: who or what looked whether one is still right, and what came of it. None is ever changed; the last one counts.

use super::{ItemKey, ItemRef, ItemType};
use crate::enums::text_enum;
use crate::{AgentId, EpochMs, SpaceId, VerificationId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// How a check came out.
    VerificationStatus {
        /// It is not right.
        Failed = "failed",
        /// It is right.
        Passed = "passed",
        /// It was right, and what it speaks of has changed.
        Stale = "stale",
        /// It cannot be told.
        Unknown = "unknown",
        /// It is right, with something to mind.
        Warning = "warning",
    }
}

text_enum! {
    /// Who or what checked.
    VerificationChecker {
        /// The person.
        Person = "person",
        /// An agent, by reading it.
        Agent = "agent",
        /// A comparison with the work tree.
        Drift = "drift",
        /// A test that was run.
        Test = "test",
        /// A build that was made.
        Build = "build",
    }
}

/// A check of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Verification {
    /// Its id.
    pub id: VerificationId,
    /// The space that the item lies in.
    pub space_id: SpaceId,
    /// What was checked.
    pub item: ItemRef,
    /// How it came out.
    pub status: VerificationStatus,
    /// Who or what checked.
    pub checker: VerificationChecker,
    /// What was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Who wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<AgentId>,
    /// What they are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// When it was checked.
    pub checked_at: EpochMs,
    /// When that was written down.
    pub created_at: EpochMs,
}

/// Writes down that an item was checked, and how that came out. The same check is written down once.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VerificationAdd {
    /// What the item is: a memory, artifact, event, claim, entity, entry, core_block, session_state or resource.
    pub item_type: ItemType,
    /// Its id.
    pub id: String,
    /// How it came out.
    pub status: VerificationStatus,
    /// Who or what checked; `person` is the person's alone to say. The one who asks, where nothing is said.
    #[serde(default)]
    pub checker: Option<VerificationChecker>,
    /// What was found, at most 2,000 bytes.
    #[serde(default)]
    pub detail: Option<String>,
    /// When it was checked, if not now.
    #[serde(default)]
    pub checked_at: Option<EpochMs>,
}

/// Lists checks, the latest first: of one item, or of what lies in a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VerificationsList {
    /// Only those of this item.
    #[serde(default)]
    pub item: Option<ItemKey>,
    /// Name, path, id or scope of the space; all readable ones where neither this nor an item is given.
    #[serde(default)]
    pub space: Option<String>,
    /// Only those that came out so; all where empty.
    #[serde(default)]
    pub statuses: Vec<VerificationStatus>,
    /// Only the last one of each item, which counts.
    #[serde(default)]
    pub latest: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Checks.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VerificationsListed {
    /// Them.
    pub verifications: Vec<Verification>,
    /// How many there are in all.
    pub total: u64,
}
