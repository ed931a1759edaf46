//! The ledger of what was done: who did what to what, and when; never what it said (spine 7.1).

use crate::{AgentId, EpochMs, SpaceId};
use serde::{Deserialize, Serialize};

/// An entry of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditEvent {
    /// Its number, from 1 without a gap.
    pub number: i64,
    /// Its id.
    pub id: String,
    /// `memory.remembered`, `agent.memory_recall`, …
    pub event_type: String,
    /// The table of the object.
    pub object_type: String,
    /// The object's id.
    pub object_id: String,
    /// The object's space.
    pub space_id: SpaceId,
    /// Who did it.
    pub actor_id: AgentId,
    /// What they call themselves, where they are still known.
    pub actor: Option<String>,
    /// The request it belongs to.
    pub request_id: Option<String>,
    /// What for, where the caller said so.
    pub purpose: Option<String>,
    /// Ids, counts and hashes.
    pub payload: serde_json::Value,
    /// When.
    pub at: EpochMs,
    /// The hash of this entry and all before it: SHA-256 in hex.
    pub hash: String,
}

/// Lists entries of the ledger, the newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditList {
    /// Name, path or id of a space.
    #[serde(default)]
    pub space: Option<String>,
    /// Name or id of an agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Entries whose type is this or begins with it: `agent`, `memory.remembered`.
    #[serde(default)]
    pub event_type: Option<String>,
    /// The object's id.
    #[serde(default)]
    pub object: Option<String>,
    /// Not before.
    #[serde(default)]
    pub since: Option<EpochMs>,
    /// Before.
    #[serde(default)]
    pub until: Option<EpochMs>,
    /// Only entries before this number: the last one of the page before.
    #[serde(default)]
    pub before: Option<i64>,
    /// At most so many, up to 1,000; 100 where nothing is said.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Entries of the ledger.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditListed {
    /// The entries, the newest first.
    pub events: Vec<AuditEvent>,
    /// Whether there are older ones.
    pub more: bool,
}

/// Checks the ledger: each entry holds the hash of the one before it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditVerify {}

/// What the check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditVerified {
    /// Whether every entry is as it was written, none missing and none moved.
    pub ok: bool,
    /// Entries that were looked at.
    pub checked: u64,
    /// The number of the first entry that does not fit.
    pub first_break: Option<i64>,
    /// What is wrong there, in a sentence.
    pub message: Option<String>,
    /// The hash of the last entry: kept elsewhere, it proves the ledger up to there.
    pub last_hash: Option<String>,
}
