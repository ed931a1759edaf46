//! What is done: one folder a use case.
//!
//! A dropped file goes through `ingest` (kept, with a job), `work` (the job is claimed), `reading`
//! (its text is read and cut into passages), `extract` (the pure part of that), embedding in `work`,
//! and comes out of `recall` as a cited answer. The engine knows no window, no socket and no model:
//! models are reached through [`provider`].

mod access;
mod audit;
mod belief;
mod blocks;
mod bounded;
mod brief;
#[doc(hidden)]
pub mod by_hand;
mod caller;
mod clock;
mod decisions;
mod dispatch;
mod divergence;
mod drift;
pub mod encryption;
mod engine;
mod entries;
mod envelope;
mod error;
mod events;
mod extract;
mod fields;
mod findings;
mod forget;
mod health;
mod held;
mod ingest;
mod key;
pub mod language;
pub mod lexical;
mod library;
mod llm;
mod locks;
mod models;
mod new_file;
mod outdated;
mod promote;
pub mod provider;
mod query;
mod reading;
mod recall;
mod relations;
mod resources;
mod scopes;
mod seen;
mod sessions;
mod settings;
mod spaces;
#[cfg(test)]
mod statements;
mod tags;
mod timings;
mod verification;
mod versions;
mod watch;
mod work;
mod work_file;

pub use access::{Admitted, Claim, Peer, is_open};
pub use caller::{AGENT, Caller, Progress};
pub use clock::{Clock, SystemClock};
pub use dispatch::Handle;
pub use engine::{Engine, EngineConfig};
pub use error::plain;
pub use recall::{Part, SIGNALS, Signal};
