//! What is done: one folder a use case.

pub mod extract;
pub mod provider;
