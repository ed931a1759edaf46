//! What is done: one folder a use case.
//!
//! A dropped file goes through [`ingest`] (kept, with a job), [`work`] (the job is claimed), [`reading`]
//! (its text is read and cut into passages), [`extract`] (the pure part of that), embedding in `work`,
//! and comes out of [`recall`] as a cited answer. The engine knows no window, no socket and no model:
//! models are reached through [`provider`].

mod caller;
mod clock;
mod dispatch;
mod engine;
mod error;
pub mod extract;
mod health;
pub mod ingest;
pub mod library;
mod models;
pub mod provider;
pub mod reading;
pub mod recall;
mod settings;
mod spaces;
mod timings;
pub mod watch;
pub mod work;

pub use caller::Caller;
pub use clock::{Clock, SystemClock};
pub use dispatch::Handle;
pub use engine::{Engine, EngineConfig};
