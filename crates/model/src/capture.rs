//! What came in: artifacts, the texts read from them, memories; and the operations that bring them in.

use crate::envelope::{ConfidenceLabel, Envelope, MemoryKind, MemoryLayer, RecordKind};
use crate::spaces::Space;
use crate::{
    AgentId, ApiError, ArtifactId, Bbox, EpochMs, EventId, MemoryId, MemoryScope, MemoryStatus, Modality, SegmentId,
    SpaceId, Tier, UnitId, Utf16Span, ViewId, ViewType,
    jobs::{Embedding, Job},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The largest file that is taken, in bytes (spine 6.5).
pub const MAX_FILE_BYTES: u64 = 100 * 1024 * 1024;
/// The largest memory text, in bytes of UTF-8 (spine 8.4).
pub const MAX_MEMORY_BYTES: usize = 100 * 1024;
/// Files below this size are kept in the database, others in the folder of blobs (spine 7.10).
pub const INLINE_FILE_BYTES: u64 = 10 * 1024 * 1024;

/// A file as it came in (spine 2.14).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Artifact {
    /// Its id.
    pub id: ArtifactId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// Who brought it in.
    pub actor_id: AgentId,
    /// SHA-256 of its bytes, in hex.
    pub content_hash: String,
    /// Its name.
    pub filename: String,
    /// Its type, found from its content.
    pub mime_type: String,
    /// What it is.
    pub modality: Modality,
    /// Its size in bytes.
    pub byte_size: u64,
    /// Where it came from, where it came from a path.
    pub source_path: Option<String>,
    /// Whether it was deleted (it can be restored).
    pub deleted: bool,
    /// Whether its bytes were destroyed.
    pub redacted: bool,
    /// Pages, of a PDF.
    pub page_count: Option<u32>,
    /// Width in pixels of the upright picture.
    pub width: Option<u32>,
    /// Height in pixels of the upright picture.
    pub height: Option<u32>,
    /// Length of a recording.
    pub duration_ms: Option<u64>,
    /// When the thing itself was made (the file's time), where known.
    pub occurred_at: Option<EpochMs>,
    /// When it came in.
    pub created_at: EpochMs,
}

/// A memory (spine 2.1 with the envelope).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// Who gave it.
    pub actor_id: AgentId,
    /// Its text; absent where it stands for a file.
    pub content: Option<String>,
    /// Its title: a file's name, or none.
    pub title: Option<String>,
    /// `text`, or what its file is.
    pub modality: String,
    /// The file it stands for.
    pub artifact_id: Option<ArtifactId>,
    /// What it is about.
    pub scope: MemoryScope,
    /// 0 to 1: how sure that is.
    #[serde(default)]
    pub classification_confidence: f64,
    /// What else it is about: predefined tags that are sure, and those that its author wrote into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Its state.
    pub status: MemoryStatus,
    /// Its storage tier.
    pub tier: Tier,
    /// Groups the versions of one thing.
    pub memory_key: Option<String>,
    /// The memory that stands in its place now.
    pub superseded_by_id: Option<MemoryId>,
    /// The memory in whose place it stands.
    pub supersedes_id: Option<MemoryId>,
    /// Whose it is (envelope).
    pub owner: Option<String>,
    /// The session it came from (envelope).
    pub session_id: Option<String>,
    /// Whether it is raw or distilled (envelope).
    #[serde(default)]
    pub layer: MemoryLayer,
    /// What it is by now: its layer, or what became of it (envelope).
    #[serde(default)]
    pub kind: MemoryKind,
    /// Where it came from: the address of a message, pull request or file, or the file's id (envelope).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_ref: Option<String>,
    /// How sure it is (envelope).
    #[serde(default)]
    pub confidence_label: ConfidenceLabel,
    /// When it was last confirmed (envelope).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_confirmed_at: Option<EpochMs>,
    /// What it records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters.
    #[serde(default)]
    pub importance: f64,
    /// What goes with it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The events that it was promoted from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_event_ids: Vec<EventId>,
    /// The memories that it was made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<MemoryId>,
    /// When it happened, where known.
    pub occurred_at: Option<EpochMs>,
    /// When it goes out of use by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<EpochMs>,
    /// When it was recorded.
    pub created_at: EpochMs,
}

impl From<&Memory> for Envelope {
    fn from(memory: &Memory) -> Self {
        Self {
            layer: memory.layer,
            scope: memory.scope,
            owner: memory.owner.clone(),
            artifact_ref: memory.artifact_ref.clone(),
            session_id: memory.session_id.clone(),
            confidence_label: memory.confidence_label,
            last_confirmed_at: memory.last_confirmed_at,
            record_kind: memory.record_kind,
            importance: memory.importance,
        }
    }
}

/// A text read from an artifact (spine 2.16), without the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TextView {
    /// Its id.
    pub id: ViewId,
    /// The file it was read from.
    pub artifact_id: ArtifactId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// How it came about.
    pub view_type: ViewType,
    /// The page it shows, from 1.
    pub page: Option<u32>,
    /// Its language (BCP 47), where known.
    pub language: Option<String>,
    /// What read it: `tesseract`, `pdfium`, `whisper`, …
    pub extractor_id: String,
    /// With which model or version.
    pub model_id: Option<String>,
    /// Hash of the reader's settings.
    pub config_hash: String,
    /// 0 to 1: how sure the reader is.
    pub quality: f64,
    /// Its length in UTF-16 code units.
    pub length: u32,
    /// When it was read.
    pub created_at: EpochMs,
}

/// A range of a view's text and the place in the source that it was read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Anchor {
    /// The range in the view's text.
    pub span: Utf16Span,
    /// Its page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Its box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// When it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<crate::TimeSpan>,
    /// 0 to 1: how sure the reader is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// Brings files in. A folder brings in all files under it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryIngest {
    /// Absolute paths of files and folders.
    pub paths: Vec<String>,
    /// Name or id of the space they go to. An agent that names none means the only one that it has, of several `default`.
    #[serde(default)]
    pub space: String,
    /// Whose they are (envelope).
    #[serde(default)]
    pub owner: Option<String>,
    /// The session they come from (envelope).
    #[serde(default)]
    pub session: Option<String>,
    /// When what they hold was made or happened. Without it: what a file says itself (a mail's date, a photo's time), else
    /// when it was last changed.
    #[serde(default)]
    pub occurred_at: Option<EpochMs>,
}

/// So many kept files an answer lists at most, and so many refused ones.
pub const MAX_INGESTED_LISTED: u64 = 1_000;

/// What became of the files.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ingested {
    /// The files, in the order of the paths and, in folders, of their own. At most the first 1,000 that were
    /// kept and the first 1,000 that were refused; the counts are of all.
    pub files: Vec<IngestedFile>,
    /// How many are new.
    pub created: u64,
    /// How many the space had already.
    pub known: u64,
    /// How many were refused.
    pub refused: u64,
    /// Whether it was cancelled before all had come in. What came in before stays.
    pub cancelled: bool,
}

/// What became of one file.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct IngestedFile {
    /// Its path or name.
    pub path: String,
    /// The file as it is kept; absent where it was refused.
    pub artifact_id: Option<ArtifactId>,
    /// The memory that stands for it.
    pub memory_id: Option<MemoryId>,
    /// Whether it is new; `false` when the space had it already.
    pub created: bool,
    /// Why it was refused.
    pub error: Option<ApiError>,
}

/// Keeps a text as a memory.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryRemember {
    /// The text: at most 100 KB.
    pub text: String,
    /// Name, path, id or scope of the space it goes to; `session:ID` names the session it comes from as well. An agent that names none
    /// means the only one that it has, of several `default`.
    #[serde(default)]
    pub space: String,
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

/// A memory that is kept now.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Remembered {
    /// The memory.
    pub memory: Memory,
    /// Whether it is new; `false` when the space had it already.
    pub created: bool,
}

/// Fetches anything by its id.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryGet {
    /// The id of a memory, artifact, text view, passage, space or job.
    pub id: String,
}

/// Asks of memories whether they are in use.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoriesStatus {
    /// Their ids: 200 at most.
    pub ids: Vec<MemoryId>,
}

/// What became of memories.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoriesTold {
    /// Those that are there, in the order in which they were asked for.
    pub memories: Vec<MemoryTold>,
}

/// Whether a memory is in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryTold {
    /// Its id.
    pub id: MemoryId,
    /// Its state.
    pub status: MemoryStatus,
    /// How near at hand it is.
    pub tier: Tier,
}

/// What an id stands for; `item_type` says which.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "item_type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "there is one of it an answer, and it is matched in place")]
pub enum Got {
    /// A memory.
    Memory(Memory),
    /// A file with what was read from it.
    Artifact(Box<ArtifactDetail>),
    /// A text view with its text.
    View(ViewText),
    /// A passage.
    Unit(Unit),
    /// A space.
    Space(Space),
    /// A job.
    Job(Job),
}

/// A passage: what is indexed and found (`text_units`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Unit {
    /// Its id.
    pub id: UnitId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// The memory it leads to.
    pub memory_id: MemoryId,
    /// The view it is cut from; absent where it is cut from the memory's own text.
    pub view_id: Option<ViewId>,
    /// The segment it stands in, where it stands in one.
    pub segment_id: Option<SegmentId>,
    /// Where in that text.
    pub span: Utf16Span,
    /// Its words.
    pub text: String,
    /// The headings above it, outermost first, joined by ` › `.
    pub heading_path: Option<String>,
}

/// Orders of a list of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactOrder {
    /// Newest first.
    #[default]
    Newest,
    /// By name.
    Name,
    /// Largest first.
    Size,
}

/// Lists files.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactsList {
    /// Name or id of a space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only names that contain this, without regard to case.
    #[serde(default)]
    pub name: Option<String>,
    /// Only these types; all where empty.
    #[serde(default)]
    pub modalities: Vec<Modality>,
    /// Only files whose reading is in one of these states; all where empty.
    #[serde(default)]
    pub states: Vec<crate::JobStatus>,
    /// Only files that came in at or after this time.
    #[serde(default)]
    pub since: Option<EpochMs>,
    /// Deleted files instead of those in use.
    #[serde(default)]
    pub deleted: bool,
    /// The order.
    #[serde(default)]
    pub order: ArtifactOrder,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A page of a list of files.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactsListed {
    /// The files.
    pub artifacts: Vec<ArtifactSummary>,
    /// How many fit the question in all.
    pub total: u64,
}

/// A file and how far it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactSummary {
    /// The file.
    #[serde(flatten)]
    pub artifact: Artifact,
    /// The memory that stands for it.
    pub memory_id: Option<MemoryId>,
    /// That memory's state.
    pub memory_status: Option<MemoryStatus>,
    /// The job that reads it.
    pub reading: Option<Job>,
    /// How far what was read can be found by its meaning; absent while there is nothing to be found.
    pub embedding: Option<Embedding>,
    /// Whether any text was read from it.
    pub has_text: bool,
    /// A plain sentence where there is nothing to read, "No reader for this type", or where parts of a mail could not be read.
    pub note: Option<String>,
}

/// Asks for all there is to know about a file.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactGet {
    /// The file.
    pub id: ArtifactId,
}

/// A file with its readings, versions and size of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactDetail {
    /// The file.
    #[serde(flatten)]
    pub summary: ArtifactSummary,
    /// What was read from it, in the order of pages.
    pub views: Vec<TextView>,
    /// Other versions of the same file, newest first.
    pub versions: Vec<FileVersion>,
    /// Paths that this one stood at before it was moved, oldest first.
    #[serde(default)]
    pub earlier_paths: Vec<String>,
    /// Width and height of each page of a PDF in points, or of the upright picture in pixels.
    pub page_sizes: Vec<[f64; 2]>,
}

/// A version of a file that came in more than once under the same path, or was moved between.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FileVersion {
    /// Its memory.
    pub memory_id: MemoryId,
    /// Its file.
    pub artifact_id: ArtifactId,
    /// Its state.
    pub status: MemoryStatus,
    /// Where it stands, or stood last.
    #[serde(default)]
    pub path: Option<String>,
    /// Paths that it stood at before that, oldest first.
    #[serde(default)]
    pub earlier_paths: Vec<String>,
    /// When it came in.
    pub created_at: EpochMs,
}

/// Reads a text view, or a part of it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ViewRead {
    /// The view.
    pub id: ViewId,
    /// Only this part of the text; all of it, up to 200,000 code units, where nothing is said.
    #[serde(default)]
    pub span: Option<Utf16Span>,
}

/// A text view's text with the places it was read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ViewText {
    /// The view.
    pub view: TextView,
    /// Which part of it follows.
    pub span: Utf16Span,
    /// The text of that part.
    pub text: String,
    /// Where its words stand; spans count from the beginning of the view.
    pub anchors: Vec<Anchor>,
}

/// Which bytes of a file are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum MediaPart {
    /// The file as it came in.
    Original,
    /// An upright picture for display, as PNG or JPEG.
    Upright,
    /// A small picture of it, at most 320 pixels wide and high.
    Thumbnail,
    /// A page of a PDF as a picture.
    Page {
        /// The page, from 1.
        page: u32,
        /// Width in pixels: 200 to 3,000.
        width: u32,
    },
    /// A recording's sound as 16 kHz mono WAV.
    Sound,
    /// How loud a recording is, as so many numbers 0 to 255, one byte each.
    Waveform {
        /// How many: 1 to 4,096.
        bins: u32,
    },
}

/// Reads bytes of a file, for display.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MediaRead {
    /// The file.
    pub id: ArtifactId,
    /// Which bytes.
    #[serde(flatten)]
    pub part: MediaPart,
}

/// Bytes of a file.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Media {
    /// Their type.
    pub mime_type: String,
    /// The bytes in base64.
    pub base64: String,
}

/// Takes a memory out of recall, with its file where it stands for one. It can be restored.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryRemove {
    /// The memory.
    pub id: MemoryId,
}

/// Brings a removed memory back.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryRestore {
    /// The memory.
    pub id: MemoryId,
}

/// Takes a file out of recall. It can be restored.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactRemove {
    /// The file.
    pub id: ArtifactId,
}

/// Brings a removed file back.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactRestore {
    /// The file.
    pub id: ArtifactId,
}

/// Reads a file again.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactReread {
    /// The file.
    pub id: ArtifactId,
}

/// Gives the password of a file that needs one. It stays in memory until the service ends, and is never
/// written anywhere.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArtifactUnlock {
    /// The file.
    pub id: ArtifactId,
    /// Its password.
    pub password: String,
}

impl std::fmt::Debug for ArtifactUnlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArtifactUnlock").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Nothing to say but that it was done.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Done {}
