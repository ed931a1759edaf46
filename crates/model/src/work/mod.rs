//! What agents work with: sessions and what is in hand in them, events, standing rules, resources, versioned entries, tags,
//! relations, checks, locks.

mod items;

pub use items::*;
