//! Evidence events: what was said and done, as it was; nothing rewrites it.

use crate::enums::text_enum;
use crate::envelope::{MemoryLayer, RecordKind};
use crate::{AgentId, EpochMs, EventId, SessionId, SpaceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

text_enum! {
    /// What kind of thing was said or done.
    EventKind {
        /// What an assistant said.
        AssistantMessage = "assistant_message",
        /// What somebody asked to be remembered; with `told` in its metadata where an agent tells of that.
        ExplicitMemory = "explicit_memory",
        /// A change of a file.
        FileEdit = "file_edit",
        /// What a program or the product itself noted.
        SystemEvent = "system_event",
        /// A call of a tool.
        ToolCall = "tool_call",
        /// What a tool answered.
        ToolResult = "tool_result",
        /// What the person said.
        UserMessage = "user_message",
    }
}

/// Something that was said or done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// The session that it happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Who told of it.
    pub actor_id: AgentId,
    /// What they are called.
    pub actor: String,
    /// What kind of thing it is.
    pub kind: EventKind,
    /// What was said, or what was done in words.
    pub content: String,
    /// What goes with it: the name of a tool, a path, a commit.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it happened.
    pub occurred_at: EpochMs,
    /// When it was told.
    pub recorded_at: EpochMs,
    /// How many bytes the whole has, where it is cut short here: events_list with its id as `event` gives that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u64>,
}

/// Something that is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NewEvent {
    /// What kind of thing it is.
    pub kind: EventKind,
    /// What was said, or what was done in words; at most 100 KB.
    pub content: String,
    /// What goes with it: the name of a tool, a path, a commit. At most 4 KB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// When it happened; now where nothing is said.
    #[serde(default)]
    pub occurred_at: Option<EpochMs>,
}

/// Appends events, all or none, in their order.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventsAppend {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session that they happened in.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// They: 1 to 500, at most 1 MB in all.
    pub events: Vec<NewEvent>,
}

/// Events that were appended.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventsAppended {
    /// Their ids, in their order.
    pub events: Vec<EventId>,
}

/// Lists events, the latest first; where words are looked for, the best first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventsList {
    /// Name, path, id or scope of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only of this session.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// This one alone, whole: in lists, what is longer than 4,000 characters is cut short.
    #[serde(default)]
    pub event: Option<EventId>,
    /// Only of these kinds; all where none is named.
    #[serde(default)]
    pub kinds: Vec<EventKind>,
    /// Words that they say: of a session all are looked through, of a space the best 500.
    #[serde(default)]
    pub text: Option<String>,
    /// Only what happened at this time or later.
    #[serde(default)]
    pub since: Option<EpochMs>,
    /// Only what happened before this time.
    #[serde(default)]
    pub until: Option<EpochMs>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Events.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventsListed {
    /// Them.
    pub events: Vec<Event>,
    /// Whether there are more.
    pub more: bool,
}

/// Makes a memory of an event, which says which event it is from and is forgotten with it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventPromote {
    /// The event.
    pub event: EventId,
    /// `raw`: what the event says, as it was; `distilled`, as where nothing is said: what is kept of it.
    #[serde(default)]
    pub layer: Option<MemoryLayer>,
    /// What is kept of it; all that it says where nothing is said. Only of a distilled memory.
    #[serde(default)]
    pub text: Option<String>,
    /// A title.
    #[serde(default)]
    pub title: Option<String>,
    /// What it records.
    #[serde(default)]
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters; 0.5 where nothing is said.
    #[serde(default)]
    pub importance: Option<f64>,
}
