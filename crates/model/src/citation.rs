//! The exact words of a source, with all that leads back to them.

use crate::enums::text_enum;
use crate::{ArtifactId, EpochMs, MemoryId, Modality, Place, SegmentId, SpaceId, Utf16Span, ViewId, ViewType};
use serde::{Deserialize, Serialize};

text_enum! {
    /// Whether a quote still stands where it was found.
    CitationState {
        /// There, word for word.
        Exact = "exact",
        /// The same words, at another place of the source.
        Moved = "moved",
        /// The source no longer has these words.
        Changed = "changed",
        /// A newer version of the source is there.
        Older = "older",
        /// The source was removed.
        Removed = "removed",
        /// The words were blacked out.
        Redacted = "redacted",
    }
}

/// A quote and the place it stands at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Citation {
    /// The exact words of the source.
    pub quote: String,
    /// Where they stand in the source text (of the view, or of the memory), in UTF-16 code units.
    pub span: Utf16Span,
    /// SHA-256 of the quote, in hex.
    pub span_hash: String,
    /// Whether they still stand there.
    pub state: CitationState,
    /// The memory.
    pub memory_id: MemoryId,
    /// The text view; absent for a memory's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_id: Option<ViewId>,
    /// The segment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_id: Option<SegmentId>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<ArtifactId>,
    /// The space.
    pub space_id: SpaceId,
    /// Page, box, time or lines.
    #[serde(flatten)]
    pub place: Place,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// What the source is: `text` for a memory of words.
    pub modality: Modality,
    /// How the text came about; absent for a memory's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_type: Option<ViewType>,
    /// 0 to 1: how sure the reader was; absent for native text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<f64>,
    /// Who brought it in.
    pub actor_name: String,
    /// When it was said or happened, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<EpochMs>,
    /// When it was recorded.
    pub recorded_at: EpochMs,
}
