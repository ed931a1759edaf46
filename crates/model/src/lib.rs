//! What is said between the parts of Ultimate Memory: ids, spans, domain types, and the one list of
//! operations that the window, the socket and the command line all speak.
//!
//! No I/O happens here, no clock is read and no id is made, so that the crate builds for the window
//! (wasm) as well as for the engine.

pub mod access;
pub mod audit;
pub mod belief;
pub mod calendar;
pub mod capture;
pub mod citation;
pub mod claims;
pub mod decisions;
pub mod enums;
pub mod envelope;
pub mod error;
pub mod findings;
pub mod forget;
pub mod health;
pub mod held;
pub mod ids;
pub mod jobs;
pub mod llm;
pub mod memories;
pub mod models;
pub mod numbers;
pub mod ops;
pub mod place;
pub mod predicates;
pub mod promote;
pub mod recall;
pub mod scope;
pub mod spaces;
pub mod span;
pub mod traces;
pub mod watch;
pub mod work;

pub use enums::*;
pub use error::{ApiError, ErrorCode};
pub use ids::*;
pub use place::{Bbox, Place, TimeSpan};
pub use span::Utf16Span;

/// Milliseconds since the Unix epoch, UTC: the one unit of time at every boundary.
pub type EpochMs = i64;
