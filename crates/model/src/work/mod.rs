//! What agents work with: sessions and what is in hand in them, events, standing rules, resources, versioned entries, tags,
//! relations, checks, locks.

mod blocks;
mod bodies;
mod brief;
mod drift;
mod entries;
mod events;
mod items;
mod locks;
mod query;
mod relations;
mod resources;
mod sessions;
mod tags;
mod verification;
mod versions;

pub use blocks::*;
pub use bodies::*;
pub use brief::*;
pub use drift::*;
pub use entries::*;
pub use events::*;
pub use items::*;
pub use locks::*;
pub use query::*;
pub use relations::*;
pub use resources::*;
pub use sessions::*;
pub use tags::*;
pub use verification::*;
pub use versions::*;
