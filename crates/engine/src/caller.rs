//! Who asks. No operation runs without one.

use crate::provider::Cancel;
use std::fmt;
use std::sync::Arc;
use um_model::AgentId;
use um_model::jobs::LongCall;

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
        }
    }

    /// Whether an agent asks, and not the person.
    pub fn is_agent(&self) -> bool {
        self.purpose.as_deref() == Some(AGENT)
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
