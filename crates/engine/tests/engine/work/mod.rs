//! What agents work with.

mod blocks;
mod brief;
mod resources;
