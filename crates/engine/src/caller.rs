//! Who asks. No operation runs without one.

use crate::access::{Admitted, Wish};
use crate::provider::Cancel;
use std::fmt;
use std::sync::Arc;
use um_model::access::{Grant, Right};
use um_model::jobs::LongCall;
use um_model::{AgentId, SpaceId, TokenId};

/// Who asks for an operation, and for what.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The agent in whose name it is done.
    pub actor: AgentId,
    /// Names the request in the audit ledger.
    pub request_id: String,
    /// What for, where the caller says so.
    pub purpose: Option<String>,
    /// Says that the caller wants it no longer: an operation that takes long stops with what it has done.
    pub cancel: Cancel,
    /// Hears how far an operation is that takes long.
    pub progress: Progress,
    /// What an agent calls itself.
    pub agent_name: Option<String>,
    /// The token that let an agent in.
    pub token: Option<TokenId>,
    /// The spaces that an agent's token opens; whatever its roles allow where nothing is said. Of the person those of which alone a
    /// question is asked, as where they ask again what an agent asked; all where nothing is said.
    pub spaces: Option<Vec<SpaceId>>,
    /// What an agent's token is for.
    pub rights: Vec<Right>,
    /// What an agent was granted beyond its roles, by space.
    pub grants: Vec<(SpaceId, Grant)>,
    /// What the operation under way wants to do in each space that it touches; the engine sets it.
    pub wish: Wish,
}

/// The purpose of calls that agents make.
pub const AGENT: &str = "mcp";

impl Caller {
    /// The person at this machine, through the window or the command line.
    pub fn owner(request_id: impl Into<String>) -> Self {
        Self {
            actor: AgentId::owner(),
            request_id: request_id.into(),
            purpose: None,
            cancel: Cancel::default(),
            progress: Progress::default(),
            agent_name: None,
            token: None,
            spaces: None,
            rights: Right::ALL.to_vec(),
            grants: Vec::new(),
            wish: Wish::Use(Right::Write),
        }
    }

    /// An agent that was let in.
    pub fn agent(admitted: Admitted, request_id: impl Into<String>) -> Self {
        Self {
            actor: admitted.agent,
            purpose: Some(AGENT.to_owned()),
            agent_name: Some(admitted.name),
            token: Some(admitted.token),
            spaces: Some(admitted.spaces),
            rights: admitted.rights,
            grants: admitted.grants,
            ..Self::owner(request_id)
        }
    }

    /// Whether an agent asks, and not the person or the product itself.
    pub fn is_agent(&self) -> bool {
        self.actor != AgentId::owner() && self.actor != AgentId::system()
    }

    /// Whether it may read where it has part: an agent's token may let it write alone.
    pub(crate) fn reads(&self) -> bool {
        !self.is_agent() || self.rights.contains(&Right::Read)
    }

    /// What the person calls an agent, for a command that they may give.
    pub(crate) fn called(&self) -> &str {
        self.agent_name.as_deref().unwrap_or(self.actor.as_str())
    }

    /// The same caller, in an operation that wants to do this in each space that it touches.
    pub(crate) fn wishing(&self, wish: Wish) -> Self {
        Self { wish, ..self.clone() }
    }

    /// The product itself: watched folders and background work.
    pub fn system(purpose: &str) -> Self {
        Self { actor: AgentId::system(), purpose: Some(purpose.to_owned()), ..Self::owner("system") }
    }
}

/// What is called at each step.
type Heard = dyn Fn(&LongCall) + Send + Sync;

/// Hears how far a call is; nobody listens where nothing is said. Called on the thread that does the work, as
/// often as it moves on.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Heard>>);

impl Progress {
    /// Calls `heard` at each step.
    pub fn new(heard: impl Fn(&LongCall) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(heard)))
    }

    /// Tells whoever listens.
    pub fn tell(&self, call: &LongCall) {
        if let Some(heard) = &self.0 {
            heard(call);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Progress").field(&self.0.is_some()).finish()
    }
}
