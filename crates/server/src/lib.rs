//! The local socket: how agents and the command line reach the engine.
//!
//! One line of JSON is one message. Two dialects share the socket: MCP, through `rmcp`, for agents; and
//! plain JSON-RPC with methods named `um/<operation>` for the command line. Both reach the engine by the
//! names of [`um_model::ops::OPERATIONS`] and by no other way.

pub mod client;
mod connection;
mod guides;
pub mod logs;
mod mcp;
pub mod operations;
pub mod paths;
mod progress;
mod rate;
mod rpc;
mod serve;
mod stream;
pub mod text;
pub mod token;
pub mod tools;
mod wire;

pub use operations::Operations;
pub use rpc::Pong;
pub use serve::{Limits, ServeError, ServeOptions, Shutdown, serve, serve_with};
pub use wire::{Line, Lines, parse_line};

use um_model::{ApiError, ErrorCode};

/// The key under `params._meta` that carries the token, in both dialects (ruling 22).
pub const TOKEN_KEY: &str = "org.ultimatememory/token";

/// What a caller without a valid token is told.
pub fn not_paired() -> ApiError {
    ApiError::new(ErrorCode::Forbidden, "This agent is not paired with Ultimate Memory.").hint(format!(
        "Connect through `umem mcp`, which adds the token by itself, or send the token in params._meta[\"{TOKEN_KEY}\"]; \
         it stands in the file agent.token of the data folder."
    ))
}
