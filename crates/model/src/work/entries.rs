//! Tools, guidelines and knowledge: entries of a space or of a session, each with versions that nothing rewrites.

use super::EntryBody;
use crate::enums::text_enum;
use crate::{AgentId, EntryConflictId, EntryId, EpochMs, SessionId, SpaceId, VersionId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

text_enum! {
    /// What an entry is.
    EntryType {
        /// Something that can be called or run.
        Tool = "tool",
        /// How things are done.
        Guideline = "guideline",
        /// What is so, or was decided.
        Knowledge = "knowledge",
    }
}

impl EntryType {
    /// What one is called at the beginning of a sentence.
    pub fn called(self) -> &'static str {
        match self {
            Self::Tool => "A tool",
            Self::Guideline => "A guideline",
            Self::Knowledge => "Knowledge",
        }
    }
}

text_enum! {
    /// What an entry is about; each fits one type.
    EntryCategory {
        /// A tool that is reached by MCP.
        Mcp = "mcp",
        /// A tool of the command line.
        Cli = "cli",
        /// A function that is called.
        Function = "function",
        /// An API that is asked.
        Api = "api",
        /// A guideline for how code looks.
        CodeStyle = "code_style",
        /// A guideline for how to act.
        Behavior = "behavior",
        /// A guideline that keeps things safe.
        Security = "security",
        /// A guideline that keeps things quick.
        Performance = "performance",
        /// A guideline for what to do with errors.
        ErrorHandling = "error_handling",
        /// A guideline for what is logged.
        Logging = "logging",
        /// Knowledge: what was decided.
        Decision = "decision",
        /// Knowledge: what is so.
        Fact = "fact",
        /// Knowledge: what surrounds it.
        Context = "context",
        /// Knowledge: where more of it stands.
        Reference = "reference",
    }
}

impl EntryCategory {
    /// The type that it fits.
    pub fn of(self) -> EntryType {
        match self {
            Self::Mcp | Self::Cli | Self::Function | Self::Api => EntryType::Tool,
            Self::CodeStyle
            | Self::Behavior
            | Self::Security
            | Self::Performance
            | Self::ErrorHandling
            | Self::Logging => EntryType::Guideline,
            Self::Decision | Self::Fact | Self::Context | Self::Reference => EntryType::Knowledge,
        }
    }
}

/// An entry in one of its versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// What that space is called.
    pub space: String,
    /// The session that it belongs to alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What it is.
    pub entry_type: EntryType,
    /// Its name: one of a type and name stands in a space, or in a session.
    pub name: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<EntryCategory>,
    /// 0 to 100, higher is more important.
    pub priority: u8,
    /// Whether it is in use.
    pub is_active: bool,
    /// Whether what it says stopped to hold: by now, or by the time as of which it is asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ran_out: bool,
    /// When it was first written.
    pub created_at: EpochMs,
    /// When its current version was written.
    pub updated_at: EpochMs,
    /// The version: the current one, where no other was asked for.
    pub version: EntryVersion,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Versions that were written without regard to one another and that nobody decided between yet.
    pub open_conflicts: u32,
    /// How far the level is that it lies on, from where it was asked for: 0 is the nearest.
    pub level: u8,
}

/// A version of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryVersion {
    /// Its id.
    pub id: VersionId,
    /// Its number, from 1 without a gap.
    pub number: u32,
    /// What it says.
    pub body: EntryBody,
    /// Why it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_reason: Option<String>,
    /// Whether it was written without regard to the one before it.
    pub conflict_flag: bool,
    /// When it was written.
    pub created_at: EpochMs,
    /// Who wrote it.
    pub created_by: Option<AgentId>,
    /// What they are called.
    #[serde(default)]
    pub author: String,
    /// Where it was written: branch, commit, file.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// How many bytes the whole has, where it is cut short here: entry_get with the entry's id and the number of the version gives that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u64>,
}

/// Writes an entry, or a new version of one.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntrySave {
    /// Name, path, id or scope (`global`, `organization:NAME`, `project:NAME`, `session:ID`) of where it lies; where
    /// neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session that it belongs to alone, and ends with.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// What it is.
    pub entry_type: EntryType,
    /// Its name, 1 to 200 bytes. What has the type and name there already gets a new version.
    pub name: String,
    /// What it is about; as it was where nothing is said.
    #[serde(default)]
    pub category: Option<EntryCategory>,
    /// 0 to 100, higher is more important; as it was where nothing is said, 50 at first.
    #[serde(default)]
    pub priority: Option<u8>,
    /// What it says, at most 64 KB in all.
    pub body: EntryBody,
    /// Why it is written, at most 500 bytes.
    #[serde(default)]
    pub change_reason: Option<String>,
    /// The number of the version that you saw. With it, a version that somebody wrote meanwhile is told as a conflict, and none
    /// is told where you saw the last.
    #[serde(default)]
    pub base_version: Option<u32>,
    /// Where it was written: branch, commit, file. At most 4 KB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// Tags that are attached to it, besides those that it has.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// An entry that was written.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntrySaved {
    /// It, as it is now.
    pub entry: Entry,
    /// Whether a version was written: not where the last one says just that.
    pub created: bool,
    /// The conflict with the version before it, which somebody else had just written or which you had not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<EntryConflictId>,
}

/// Fetches an entry, by its id, or by its type and name from the nearest level that has it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryGet {
    /// Its id.
    #[serde(default)]
    pub id: Option<EntryId>,
    /// Name, path, id or scope of the space to look in, and above it.
    #[serde(default)]
    pub space: Option<String>,
    /// The session to look in first.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// What it is.
    #[serde(default)]
    pub entry_type: Option<EntryType>,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// Every level that has it, the nearest first.
    #[serde(default)]
    pub all_levels: bool,
    /// Those out of use as well.
    #[serde(default)]
    pub inactive: bool,
    /// The number of the version; the current one where nothing is said.
    #[serde(default)]
    pub version: Option<u32>,
    /// As it was at this time: in its newest version of then, of the nearest level that had one in use. Entries have one time, that at
    /// which each version was recorded.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
}

/// An entry that was asked for.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryGot {
    /// It.
    pub entry: Entry,
    /// Where every level was asked for: those of its type and name farther away, which it overrides, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Entry>,
}

/// Lists entries, those of the nearest level first, by priority.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntriesList {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session whose own entries come first.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// Only of this type.
    #[serde(default)]
    pub entry_type: Option<EntryType>,
    /// Only about this.
    #[serde(default)]
    pub category: Option<EntryCategory>,
    /// Words: what is listed says one of them at least, or said it then; of each level the best come first, and 2,000 at most. 2,000
    /// characters at most.
    #[serde(default)]
    pub text: Option<String>,
    /// Only what lies there itself, nothing of the spaces above it.
    #[serde(default)]
    pub only_here: bool,
    /// What is overridden by a nearer level as well.
    #[serde(default)]
    pub all_levels: bool,
    /// Those out of use as well.
    #[serde(default)]
    pub inactive: bool,
    /// As they were at this time: those that there were and that were in use, each in its newest version of then, by the priorities of
    /// now. One of a nearer level overrides another only where that holds of it, too. Entries have one time, that at which each version
    /// was recorded.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 20 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Entries.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntriesListed {
    /// Them.
    pub entries: Vec<Entry>,
    /// Whether there are more.
    pub more: bool,
    /// What was not compared, where something was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// Takes an entry out of use: it is found no more, and hides nothing farther away.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryDisable {
    /// Its id.
    pub id: EntryId,
}

/// Takes an entry into use again.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EntryEnable {
    /// Its id.
    pub id: EntryId,
}

text_enum! {
    /// How two versions were decided between.
    ClashOutcome {
        /// The earlier one counts: it is written again.
        KeepA = "keep_a",
        /// The later one counts.
        KeepB = "keep_b",
        /// Both were brought together in a new version.
        Merged = "merged",
        /// They do not contradict each other.
        Dismissed = "dismissed",
    }
}

/// Two versions of an entry that were written without regard to one another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Clash {
    /// Its id.
    pub id: EntryConflictId,
    /// The space of the entry.
    pub space_id: SpaceId,
    /// The entry.
    pub entry_id: EntryId,
    /// What it is.
    pub entry_type: EntryType,
    /// Its name.
    pub name: String,
    /// The earlier version.
    pub a: EntryVersion,
    /// The later one.
    pub b: EntryVersion,
    /// When it was noticed.
    pub detected_at: EpochMs,
    /// How it was decided; nothing where it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<ClashOutcome>,
    /// What was said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<EpochMs>,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<AgentId>,
}

/// Lists conflicts between versions, the latest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClashesList {
    /// Name, path or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only of this entry.
    #[serde(default)]
    pub entry: Option<EntryId>,
    /// Those that were decided, rather than those that are open.
    #[serde(default)]
    pub resolved: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 20 where nothing is said, 50 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Conflicts between versions.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClashesListed {
    /// Them.
    pub clashes: Vec<Clash>,
    /// How many there are in all.
    pub total: u64,
}

/// Decides between two versions. No version is rewritten: what counts from now on is the last.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClashResolve {
    /// The id of the conflict.
    pub clash: EntryConflictId,
    /// How.
    pub outcome: ClashOutcome,
    /// What both become, where they are merged.
    #[serde(default)]
    pub body: Option<EntryBody>,
    /// Why; an agent says on whose word. At most 500 bytes.
    #[serde(default)]
    pub note: Option<String>,
}
