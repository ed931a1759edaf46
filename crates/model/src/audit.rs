//! The ledger of what was done: who did what to what, and when; never what it said (spine 7.1).

use crate::enums::text_enum;
use crate::{AgentId, EpochMs, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What an entry is about.
    AuditTopic {
        /// What agents asked, and were told of.
        Asked = "asked",
        /// Files and notes: kept, moved, removed, restored; watched folders.
        Sources = "sources",
        /// What is believed, and what was decided about it.
        Beliefs = "beliefs",
        /// Personal data: found, decided, blacked out.
        Personal = "personal",
        /// What agents work with: sessions, events, rules, tools, knowledge, resources.
        Work = "work",
        /// Copies in other spaces.
        Copies = "copies",
        /// What was forgotten for good.
        Forgotten = "forgotten",
        /// Spaces, agents, and who may do what.
        Access = "access",
        /// Settings, models, and work that was begun anew, stopped or held up.
        Upkeep = "upkeep",
    }
}

text_enum! {
    /// What something is that an entry is about and that is still there.
    AuditThingKind {
        /// A file, by its id.
        File = "file",
        /// A note, by the id of its memory.
        Note = "note",
        /// Somebody or something that is known, by the id of the entity.
        Entity = "entity",
        /// A fact, by the id of the entity that it tells of.
        Claim = "claim",
        /// A conflict, by its id.
        Conflict = "conflict",
    }
}

/// Something that an entry is about and that is still there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditThing {
    /// What it is.
    pub kind: AuditThingKind,
    /// The id that leads to it.
    pub id: String,
    /// What it is called now. The ledger itself holds no names.
    pub title: String,
}

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
    /// What it is about and is still there, at most three; only where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<AuditThing>,
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
    /// What the entries are about.
    #[serde(default)]
    pub topic: Option<AuditTopic>,
    /// The object's id.
    #[serde(default)]
    pub object: Option<String>,
    /// Whether to tell what each entry is about that is still there, by its name of now.
    #[serde(default)]
    pub with_things: bool,
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

/// Writes the whole ledger to a new file, one entry as JSON a line, the newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditExport {
    /// Path of the new file; or of a folder, in which `ledger.jsonl` is made.
    pub path: String,
}

/// The file that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditExported {
    /// Its path.
    pub path: String,
    /// The entries in it.
    pub entries: u64,
}
