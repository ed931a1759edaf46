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
mod packs;
pub mod paths;
mod places;
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

/// The key under `params._meta` of what an agent asks for that is not let in yet: `{"spaces": […], "rights": […],
/// "process": "…"}`, all optional.
pub const ASKS_KEY: &str = "org.ultimatememory/asks";

/// The key under `params._meta` of the profile of tools that a connection asks to be shown: a word of
/// [`ToolProfile`](um_model::access::ToolProfile). Without it the agent's own counts.
pub const PROFILE_KEY: &str = "org.ultimatememory/profile";

/// The key under a failed result's `_meta` that carries the error for programs.
pub const ERROR_KEY: &str = "org.ultimatememory/error";

/// What a client of the command line's dialect is told that has not the folder's token.
pub(crate) fn no_token() -> ApiError {
    ApiError::new(ErrorCode::Forbidden, "This door is the person's: its token did not come with the request.").hint(
        format!(
            "Send the token in params._meta[\"{TOKEN_KEY}\"]; it stands in the file person.token of the data folder. \
             Agents speak MCP, through `umem mcp`."
        ),
    )
}
