//! Who asks. No operation runs without one.

use um_model::AgentId;

/// Who asks for an operation, and for what.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The agent in whose name it is done.
    pub actor: AgentId,
    /// Names the request in the audit ledger.
    pub request_id: String,
    /// What for, where the caller says so.
    pub purpose: Option<String>,
}

impl Caller {
    /// The person at this machine, through the window or the command line.
    pub fn owner(request_id: impl Into<String>) -> Self {
        Self { actor: AgentId::owner(), request_id: request_id.into(), purpose: None }
    }

    /// The product itself: watched folders and background work.
    pub fn system(purpose: &str) -> Self {
        Self { actor: AgentId::system(), request_id: "system".to_owned(), purpose: Some(purpose.to_owned()) }
    }
}
