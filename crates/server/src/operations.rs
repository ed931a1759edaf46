//! What the socket asks of the engine: the one seam between protocol and product.

use serde_json::Value;
use std::path::Path;
use um_engine::provider::Cancel;
use um_engine::{Admitted, Caller, Claim, Progress};
use um_model::ApiError;

/// A call as it reaches the engine.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The operation's name.
    pub operation: String,
    /// Names the request in logs and audit: unique while the service runs.
    pub request_id: String,
    /// Which door it came through: [`um_engine::AGENT`] or `socket`.
    pub purpose: &'static str,
    /// The agent that makes it; the person where there is none.
    pub agent: Option<Admitted>,
    /// Says that it is wanted no longer.
    pub cancel: Cancel,
    /// Hears how far it is, where it takes long.
    pub progress: Progress,
}

/// All that the socket needs of the engine. Calls block and are made on blocking threads.
pub trait Operations: Send + Sync + 'static {
    /// Does an operation.
    ///
    /// # Errors
    /// What the operation says.
    fn call(&self, call: &Call, request: Value) -> Result<Value, ApiError>;
    /// Lets an agent in that the person let in, and asks the person about one that nobody knows.
    ///
    /// # Errors
    /// What the agent is told.
    fn admit(&self, claim: &Claim) -> Result<Admitted, ApiError>;
    /// The folder that is served.
    fn data_dir(&self) -> &Path;
    /// Tells where the socket is, for the status line; `None` once it is closed.
    fn set_socket(&self, socket: Option<String>);
    /// Asks for the window of this service.
    fn show_window(&self);
    /// An agent came.
    fn agent_connected(&self);
    /// An agent went.
    fn agent_disconnected(&self);
}

impl Operations for um_engine::Engine {
    fn call(&self, call: &Call, request: Value) -> Result<Value, ApiError> {
        let who = match call.agent.clone() {
            Some(admitted) => Caller::agent(admitted, &call.request_id),
            None => Caller { purpose: Some(call.purpose.to_owned()), ..Caller::owner(&call.request_id) },
        };
        let caller = Caller { cancel: call.cancel.clone(), progress: call.progress.clone(), ..who };
        Self::call(self, &caller, &call.operation, request)
    }

    fn admit(&self, claim: &Claim) -> Result<Admitted, ApiError> {
        Self::admit(self, claim)
    }

    fn data_dir(&self) -> &Path {
        Self::data_dir(self)
    }

    fn set_socket(&self, socket: Option<String>) {
        Self::set_socket(self, socket);
    }

    fn show_window(&self) {
        Self::show_window(self);
    }

    fn agent_connected(&self) {
        Self::agent_connected(self);
    }

    fn agent_disconnected(&self) {
        Self::agent_disconnected(self);
    }
}
