//! What agents work with: sessions, events, standing rules, entries, resources, relations, checks, locks.

pub(crate) mod blocks;
pub(crate) mod brief;
pub(crate) mod resources;
