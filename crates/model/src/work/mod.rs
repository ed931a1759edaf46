//! What agents work with: sessions and what is in hand in them, events, standing rules, resources, versioned entries, tags,
//! relations, checks, locks.

mod entries;
mod events;
mod items;
mod locks;
mod sessions;
mod tags;
mod versions;

pub use entries::*;
pub use events::*;
pub use items::*;
pub use locks::*;
pub use sessions::*;
pub use tags::*;
pub use versions::*;
