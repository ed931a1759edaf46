//! Sessions: stretches of work of an agent in a space, and what is in hand in them.

use super::{Briefing, Entry, Event, Lock, NewEvent, Policy};
use crate::enums::text_enum;
use crate::{AgentId, CandidateId, EpochMs, EventId, SessionId, SpaceId, StateId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

text_enum! {
    /// How far a session is (ruling 17).
    SessionStatus {
        /// Under way.
        Active = "active",
        /// Put off; it goes on when it is taken up again.
        Paused = "paused",
        /// Done.
        Completed = "completed",
        /// Given up: what belonged to it alone is gone.
        Discarded = "discarded",
    }
}

impl SessionStatus {
    /// Whether it has ended; what has ended stays so.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Discarded)
    }

    /// Whether a session of this status may become that.
    pub fn may_become(self, next: Self) -> bool {
        !self.is_over() && self != next
    }
}

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// What that space is called.
    pub space: String,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Whose it is.
    pub agent_id: Option<AgentId>,
    /// What they are called.
    #[serde(default)]
    pub agent: String,
    /// What its program calls it, while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_ref: Option<String>,
    /// How far it is.
    pub status: SessionStatus,
    /// When it began.
    pub started_at: EpochMs,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<EpochMs>,
    /// What its program notes of it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// How many events happened in it.
    pub events: u64,
}

/// Begins a session, or takes one up again.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionBegin {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// What it is called, at most 200 bytes.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is for, at most 1,000 bytes.
    #[serde(default)]
    pub purpose: Option<String>,
    /// What your program calls it, at most 200 bytes: the session of that name that is under way is taken up again.
    #[serde(default)]
    pub client_ref: Option<String>,
    /// The id of a session of yours that is taken up again.
    #[serde(default)]
    pub resume: Option<SessionId>,
    /// What your program notes of it, at most 4 KB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// What goes into the briefing.
    #[serde(default)]
    pub policy: Option<Policy>,
    /// So many tokens the briefing has at most: 200 to 32,000; 1,200 where nothing is said.
    #[serde(default)]
    pub budget_tokens: Option<u32>,
    /// The root of the work tree that is worked in, with its whole path: what is in the briefing is compared with it, and warned of
    /// where it was written in another state. For an agent the space's own folder, one that it watches, or one that was opened to
    /// it. Nothing on the disk is looked at where nothing is said.
    #[serde(default)]
    pub workspace: Option<String>,
}

/// A session that began or goes on.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionBegun {
    /// It.
    pub session: Session,
    /// Whether it was under way already.
    pub resumed: bool,
    /// What was asked for and not done, in sentences: a session that goes on keeps its name, purpose and metadata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What is in hand: of the session, or of its space where it has none of its own yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// What to read before working: standing rules, what is in hand, guidelines, tools, knowledge, what came of the last session.
    pub briefing: Briefing,
}

/// Pauses a session, takes it up again, or says what it is.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionSet {
    /// Its id.
    pub session: SessionId,
    /// `active` or `paused`; as it was where nothing is said. `session_end` ends it.
    #[serde(default)]
    pub status: Option<SessionStatus>,
    /// What it is called.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub purpose: Option<String>,
    /// What your program notes of it, in the place of what it noted.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// Ends a session. Lines of its messages that begin with `Remember:`, `Lesson learned:` or `Decision:` wait for the person, who
/// decides what of them is kept.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionEnd {
    /// Its id.
    pub session: SessionId,
    /// What came of it, at most 8 KB: whoever goes on with the space's work reads that first.
    #[serde(default)]
    pub summary: Option<String>,
    /// Events that are appended first.
    #[serde(default)]
    pub transcript: Vec<NewEvent>,
}

/// A session that has ended.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionEnded {
    /// It.
    pub session: Session,
    /// What was marked to be remembered, and waits for the person.
    pub held: Vec<CandidateId>,
    /// How many marked texts are not held, as too much waits for the person already.
    #[serde(default, skip_serializing_if = "is_none")]
    pub not_held: u32,
}

fn is_none(number: &u32) -> bool {
    *number == 0
}

/// Gives a session up: what is in hand in it, its own entries and what waits of it are gone for good; events stay.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionDiscard {
    /// Its id.
    pub session: SessionId,
}

/// Lists sessions, the latest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionsList {
    /// Name, path, id or scope of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only of these statuses; all where none is named.
    #[serde(default)]
    pub statuses: Vec<SessionStatus>,
    /// Only of this agent.
    #[serde(default)]
    pub agent: Option<AgentId>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Sessions.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionsListed {
    /// Them.
    pub sessions: Vec<Session>,
    /// Whether there are more.
    pub more: bool,
}

/// Fetches a session with what belongs to it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionGet {
    /// Its id.
    pub session: SessionId,
    /// So many of its last events; 20 where nothing is said, 200 at most.
    #[serde(default)]
    pub events: Option<u32>,
}

/// A session with what belongs to it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionDetail {
    /// It.
    pub session: Session,
    /// What is in hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// Its own tools, guidelines and knowledge, at most 50.
    pub entries: Vec<Entry>,
    /// Its last events, the latest first.
    pub events: Vec<Event>,
    /// The files that it holds.
    pub locks: Vec<Lock>,
}

text_enum! {
    /// How far what is in hand is.
    StateStatus {
        /// Under way.
        Active = "active",
        /// Something is in its way.
        Blocked = "blocked",
        /// Done.
        Complete = "complete",
    }
}

/// What is in hand, in a session or in a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct State {
    /// Its id.
    pub id: StateId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// How far it is.
    pub status: StateStatus,
    /// What is wanted.
    pub current_goal: String,
    /// How far it came, and what is next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Files and things that are worked on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub working_set: Vec<String>,
    /// The events that say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_event_ids: Vec<EventId>,
    /// What goes with it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it was first written down.
    pub created_at: EpochMs,
    /// When it was last.
    pub updated_at: EpochMs,
}

/// Writes down what is in hand, in the place of what was. What was stays as an event.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StateSet {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session that it belongs to.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// How far it is; as it was where nothing is said, `active` where nothing was in hand.
    #[serde(default)]
    pub status: Option<StateStatus>,
    /// What is wanted, at most 2 KB; as it was where nothing is said.
    #[serde(default)]
    pub current_goal: Option<String>,
    /// How far it came, and what is next, at most 8 KB; as it was where nothing is said.
    #[serde(default)]
    pub summary: Option<String>,
    /// Files and things that are worked on, at most 100; as they were where nothing is said.
    #[serde(default)]
    pub working_set: Option<Vec<String>>,
    /// The events of the space that say so, at most 50; as they were where nothing is said.
    #[serde(default)]
    pub source_event_ids: Option<Vec<EventId>>,
    /// What goes with it, at most 4 KB; as it was where nothing is said.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// Asks what is in hand in a session, or in a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StateGet {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session.
    #[serde(default)]
    pub session: Option<SessionId>,
}

/// What is in hand.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StateGot {
    /// It, where anything is.
    pub state: Option<State>,
}
