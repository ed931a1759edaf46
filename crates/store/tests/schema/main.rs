//! The schema: what it is, which columns hold content, and that nothing gets past its triggers and CHECKs.

mod attacks;
mod checks;
mod content;
mod forgetting;
mod keepers;
mod rules;
mod snapshot;
mod specials;
mod support;
mod triggers;
mod walk;
