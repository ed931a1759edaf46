//! What was decided: conflicts, names, personal data, copies, access; each as it stands now.

use crate::access::PairingRequest;
use crate::claims::{Conflict, NameCandidate};
use crate::enums::text_enum;
use crate::findings::{FindingStatus, KindCount};
use crate::held::HeldWrite;
use crate::promote::Promotion;
use crate::{ArtifactId, EpochMs, FindingId, MemoryId, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What was decided about.
    DecisionKind {
        /// Two claims that cannot both stand.
        Conflict = "conflict",
        /// Whom a name means.
        Name = "name",
        /// Personal data of a file or memory.
        Redaction = "redaction",
        /// A copy into another space.
        Promotion = "promotion",
        /// What was proposed and the person dismissed.
        Held = "held",
        /// Whether an agent comes in.
        Access = "access",
    }
}

/// Lists what was decided, the latest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DecisionsList {
    /// Only of this space (name, path or id). Whether an agent comes in is decided for no one space, and always listed.
    #[serde(default)]
    pub space: Option<String>,
    /// Only about this.
    #[serde(default)]
    pub kind: Option<DecisionKind>,
    /// Only what was decided before this: the last of the part before.
    #[serde(default)]
    pub before: Option<DecisionPlace>,
    /// At most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Where a decision stands in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DecisionPlace {
    /// When it was made.
    pub at: EpochMs,
    /// Its id.
    pub id: String,
}

/// What was decided.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DecisionsListed {
    /// The decisions, the latest first.
    pub decisions: Vec<Decision>,
    /// Whether there are older ones.
    pub more: bool,
}

/// A decision.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Decision {
    /// The id of what it is about; of several findings that of the first; of a conflict, which may be decided several times,
    /// that of the decision.
    pub id: String,
    /// When it was made.
    pub at: EpochMs,
    /// Who made it, where they are still known.
    #[serde(default)]
    pub by: Option<String>,
    /// What it is about, as it stands now.
    pub about: Decided,
}

/// What a decision is about.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", content = "of", rename_all = "snake_case")]
pub enum Decided {
    /// Two claims, with the decision between them.
    Conflict(Box<Conflict>),
    /// A name, with whom it means.
    Name(Box<NameCandidate>),
    /// Findings of a file or memory.
    Redaction(DecidedFindings),
    /// A copy into another space.
    Promotion(Box<Promotion>),
    /// What was proposed.
    Held(Box<HeldWrite>),
    /// An agent that asked to come in.
    Access(PairingRequest),
}

/// Findings of a file or memory that were decided together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DecidedFindings {
    /// The memory.
    pub memory_id: MemoryId,
    /// Its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<ArtifactId>,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// Its space.
    pub space_id: SpaceId,
    /// What was decided: `accepted`, `dismissed`; `applied` where it was blacked out since.
    pub status: FindingStatus,
    /// How many there are of each kind.
    pub kinds: Vec<KindCount>,
    /// The findings; to undo it, reopen these. None can be where they were blacked out.
    pub ids: Vec<FindingId>,
}
