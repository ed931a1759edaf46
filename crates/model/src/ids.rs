//! Ids: one newtype a table, so that a memory's id cannot be given where a space's is wanted.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An id whose text is neither a UUID nor one of the named ids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an id: expected a UUID such as 0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b")]
pub struct InvalidId(pub String);

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes a UUID's text (or the named id `GLOBAL`).
            ///
            /// # Errors
            /// [`InvalidId`] when the text is neither.
            pub fn parse(text: impl Into<String>) -> Result<Self, InvalidId> {
                let text = text.into();
                if is_uuid(&text) || text == GLOBAL { Ok(Self(text)) } else { Err(InvalidId(text)) }
            }

            /// The id's text, as it stands in the database.
            pub fn as_str(&self) -> &str { &self.0 }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> { Self::parse(text) }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String { id.0 }
        }
    )+};
}

/// The one id that is a name: the space whose entities every space may name.
pub const GLOBAL: &str = "GLOBAL";
/// The seeded project that is used where none is named.
pub const DEFAULT_SPACE: &str = "00000000-0000-7000-8000-000000000002";
/// The seeded agent that stands for the person.
pub const OWNER_AGENT: &str = "00000000-0000-7000-8000-00000000000a";
/// The seeded agent in whose name background work is done.
pub const SYSTEM_AGENT: &str = "00000000-0000-7000-8000-00000000000b";

ids! {
    /// A memory space (`memory_spaces`).
    SpaceId,
    /// An agent: a person, a program or the system itself (`agents`).
    AgentId,
    /// A memory (`memories`).
    MemoryId,
    /// A file as it came in (`artifacts`).
    ArtifactId,
    /// A place in an artifact (`media_segments`).
    SegmentId,
    /// A text that was read from an artifact (`derived_text_views`).
    ViewId,
    /// A passage: what is indexed and found (`text_units`).
    UnitId,
    /// A token of an agent (`agent_tokens`).
    TokenId,
    /// A request for access (`pairing_requests`).
    PairingId,
    /// A durable job (`jobs`).
    JobId,
    /// A call under way that takes long.
    CallId,
    /// A watched folder (`watch_folders`).
    WatchId,
    /// Somebody or something that is spoken of (`entities`).
    EntityId,
    /// A belief (`claims`).
    ClaimId,
    /// A quote that speaks for or against a claim (`claim_evidence`).
    EvidenceId,
    /// Two claims that cannot both stand (`conflicts`).
    ConflictId,
    /// A merge of two entities (`entity_merges`).
    MergeId,
    /// What waits for a person's decision (`candidates`).
    CandidateId,
    /// Something personal or secret that was found or marked (`redaction_findings`).
    FindingId,
    /// A request for a copy in another space (`promotion_requests`).
    PromotionId,
    /// Something that was said or done (`evidence_events`).
    EventId,
    /// A stretch of work (`sessions`).
    SessionId,
    /// What is in hand in a session or a space (`session_states`).
    StateId,
    /// A standing rule (`core_blocks`).
    BlockId,
    /// A resource of a space (`workspace_resources`).
    ResourceId,
    /// A pack as it was handed out (`compiled_contexts`).
    PackId,
    /// A tool, a guideline or a piece of knowledge (`entries`).
    EntryId,
    /// A version of an entry, a standing rule or a resource.
    VersionId,
    /// Two versions of an entry that were written at once (`entry_conflicts`).
    EntryConflictId,
    /// A tag (`tags`).
    TagId,
    /// A relation between two items (`item_relations`).
    RelationId,
    /// How an answer came about.
    TraceId,
    /// A question that is kept.
    SearchId,
    /// A check of an item (`verification_records`).
    VerificationId,
    /// A file that an agent has taken to work on (`file_locks`).
    LockId,
}

impl SpaceId {
    /// The space `GLOBAL`.
    pub fn global() -> Self {
        Self(GLOBAL.to_owned())
    }
    /// The project named `default`.
    pub fn default_project() -> Self {
        Self(DEFAULT_SPACE.to_owned())
    }
}

impl AgentId {
    /// The person whose memory this is.
    pub fn owner() -> Self {
        Self(OWNER_AGENT.to_owned())
    }
    /// The system agent.
    pub fn system() -> Self {
        Self(SYSTEM_AGENT.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_take_uuids_and_global_only() {
        for (text, ok) in [
            (OWNER_AGENT, true),
            (GLOBAL, true),
            ("global", false),
            ("", false),
            ("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1", false),
            ("0190f5e2x7c1a-7d3e-9b1f-2a4c6e8f0a1b", false),
        ] {
            assert_eq!(SpaceId::parse(text).is_ok(), ok, "{text}");
        }
    }
}
