//! A memory's envelope: whose it is, where it came from, how sure it is (memory-envelope document). A raw memory says what was
//! said and never changes; a distilled one is what is made of it, and what claims are read from.

use crate::enums::text_enum;
use crate::{EpochMs, MemoryId, MemoryScope, MemoryStatus};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What a memory is.
    MemoryLayer {
        /// What was said, as it was: nothing changes it, and the archive is the one way out.
        Raw = "raw",
        /// What somebody kept of it, or wrote down to be kept.
        Distilled = "distilled",
    }
}

impl Default for MemoryLayer {
    /// What is kept where nothing is said.
    fn default() -> Self {
        Self::Distilled
    }
}

text_enum! {
    /// What a memory is by now: its layer, or what became of it.
    MemoryKind {
        /// What was said, as it was.
        Raw = "raw",
        /// What somebody kept of it.
        Distilled = "distilled",
        /// Another one stands in its place.
        Superseded = "superseded",
        /// Taken out.
        Archived = "archived",
    }
}

impl MemoryKind {
    /// That of a memory of a layer and state.
    pub fn of(layer: MemoryLayer, status: MemoryStatus) -> Self {
        match (status, layer) {
            (MemoryStatus::Superseded, _) => Self::Superseded,
            (MemoryStatus::Archived, _) => Self::Archived,
            (_, MemoryLayer::Raw) => Self::Raw,
            (_, MemoryLayer::Distilled) => Self::Distilled,
        }
    }
}

impl Default for MemoryKind {
    /// That of a memory in use where nothing is said.
    fn default() -> Self {
        Self::Distilled
    }
}

text_enum! {
    /// How sure what a memory says is.
    ConfidenceLabel {
        /// The person says that it is so.
        Verified = "verified",
        /// It was seen or said.
        Observed = "observed",
        /// It was concluded.
        Inferred = "inferred",
        /// It was seen once, and nobody confirmed it for long.
        Stale = "stale",
    }
}

impl Default for ConfidenceLabel {
    /// What is kept where nothing is said.
    fn default() -> Self {
        Self::Observed
    }
}

text_enum! {
    /// How a memory is confirmed.
    Confirmation {
        /// It is so still.
        Observed = "observed",
        /// The person says that it is so.
        Verified = "verified",
    }
}

text_enum! {
    /// What a memory records.
    RecordKind {
        /// What somebody wants.
        UserPreference = "user_preference",
        /// What was decided.
        Decision = "decision",
        /// What was learned.
        LessonLearned = "lesson_learned",
        /// How a machine or service is set up.
        EnvironmentFact = "environment_fact",
        /// How a project does things.
        ProjectConvention = "project_convention",
        /// How far a project is.
        ActiveProjectState = "active_project_state",
        /// How a tool is used.
        ToolNote = "tool_note",
        /// Anything else.
        Other = "other",
    }
}

/// A memory's envelope, beside a passage of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Envelope {
    /// Whether it is raw or distilled.
    pub layer: MemoryLayer,
    /// What it is about.
    pub scope: MemoryScope,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Where it came from: the address of a message, pull request or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_ref: Option<String>,
    /// The session it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// How sure it is.
    pub confidence_label: ConfidenceLabel,
    /// When it was last confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_confirmed_at: Option<EpochMs>,
    /// What it records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters.
    pub importance: f64,
}

/// Says that a memory is still so. That it is verified only the person says.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryConfirm {
    /// The memory.
    pub id: MemoryId,
    /// How; where nothing is said it is observed, and what the person verified stays so.
    #[serde(default)]
    pub label: Option<Confirmation>,
}

/// Says when a memory goes out of use by itself, or that it never does. One that went out of use so comes back where it gets another
/// time, or none.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryExpire {
    /// The memory.
    pub id: MemoryId,
    /// When: a time that is still to come; never where nothing is said.
    #[serde(default)]
    pub expires_at: Option<EpochMs>,
}

/// Says how near at hand a memory is. What is cold stays, and what rests on it is believed; but only a question that asks for cold ones
/// finds it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryTier {
    /// The memory, or the one that stands for a file.
    pub id: MemoryId,
    /// Its tier from now on.
    pub tier: crate::Tier,
}

/// Keeps what a raw memory says as a distilled one, beside it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryDistill {
    /// The raw memory.
    pub id: MemoryId,
    /// What is kept of it; all that it says, word by word, where nothing is said.
    #[serde(default)]
    pub text: Option<String>,
}

#[cfg(test)]
#[test]
fn what_became_of_a_memory_goes_before_its_layer() {
    use MemoryLayer::{Distilled, Raw};
    for (layer, status, kind) in [
        (Raw, MemoryStatus::Active, MemoryKind::Raw),
        (Raw, MemoryStatus::Archived, MemoryKind::Archived),
        (Distilled, MemoryStatus::Active, MemoryKind::Distilled),
        (Distilled, MemoryStatus::Superseded, MemoryKind::Superseded),
        (Distilled, MemoryStatus::Deleted, MemoryKind::Distilled),
    ] {
        assert_eq!(MemoryKind::of(layer, status), kind, "{layer} {status}");
    }
}
