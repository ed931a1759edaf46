//! What agents work with: sessions and what is in hand in them, events, standing rules, resources, versioned entries, tags,
//! relations, checks, locks.

mod blocks;
mod brief;
mod items;
mod resources;

pub use blocks::*;
pub use brief::*;
pub use items::*;
pub use resources::*;
