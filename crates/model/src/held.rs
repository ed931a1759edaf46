//! Writes of agents that wait for the person: what looks like a secret, or like an order to a model, is neither refused
//! silently nor kept as if it were trusted (ruling 36).

use crate::enums::text_enum;
use crate::{AgentId, CandidateId, EpochMs, EventId, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// Why a write waits.
    HoldReason {
        /// It says what looks like a key, token or password.
        Secret = "secret",
        /// It speaks to a model, and tells it what to do.
        Instruction = "instruction",
        /// It was marked, in a session, to be remembered.
        Marker = "marker",
        /// Somebody says that an answer was wrong, and that this is right.
        Correction = "correction",
        /// An answer that somebody calls wrong rested on it: to be taken out of recall.
        Doubted = "doubted",
    }
}

impl HoldReason {
    /// What it looks like, in words that end a sentence.
    pub fn looks_like(self) -> &'static str {
        match self {
            Self::Secret => "a key, token or password",
            Self::Instruction => "an order to a model",
            Self::Marker => "something to remember",
            Self::Correction => "the correction of an answer",
            Self::Doubted => "what a wrong answer rested on",
        }
    }
}

text_enum! {
    /// What became of a write that was held.
    HeldState {
        /// Nobody decided yet.
        Waiting = "waiting",
        /// The person had it kept; what it said stands where it was kept, and no longer here.
        Kept = "kept",
        /// The person dropped it. It can be taken back for 30 days; then what it said goes.
        Dropped = "dropped",
    }
}

/// Lists writes of agents that wait for the person.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldList {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Those that were dropped rather than those that wait.
    #[serde(default)]
    pub dropped: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Writes that were held.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldListed {
    /// Those that wait: the oldest first. Those that were dropped: the latest first.
    pub held: Vec<HeldWrite>,
    /// How many there are in all.
    pub total: u64,
}

/// A write of an agent that was held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldWrite {
    /// Its id.
    pub id: CandidateId,
    /// The space it is for.
    pub space_id: SpaceId,
    /// Who wrote it.
    pub actor_id: AgentId,
    /// What that agent is called.
    pub actor_name: String,
    /// What it called: `memory_remember`, `facts_add`, `entry_save`, `event_promote` and such.
    pub operation: String,
    /// Its title, where it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is filed under: `key: deploy`, `owner: Ana`, `session: s-1`. A key takes the place of what has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What it says: the text, or a line for each fact. Empty once it was kept.
    pub says: String,
    /// Why it waits: at least one reason.
    pub reasons: Vec<HoldReason>,
    /// What became of it.
    pub state: HeldState,
    /// The event that it was marked in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_event_id: Option<EventId>,
    /// The memory, claim or entry that it became, where it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_id: Option<String>,
    /// When it was held.
    pub created_at: EpochMs,
}

/// Decides a write that was held.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldDecide {
    /// Its id.
    pub id: CandidateId,
    /// What is done with it.
    pub decision: HeldDecision,
}

text_enum! {
    /// What is done with a write that was held.
    HeldDecision {
        /// It is kept as the agent's: as if it had not been held.
        Keep = "keep",
        /// It is not kept.
        Drop = "drop",
        /// It waits again, after it was dropped.
        Wait = "wait",
    }
}
