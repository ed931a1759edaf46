//! Watched folders. The watcher's events only say where to look; what is true is found by comparing the
//! disk with what is known, so that a lost event costs a moment and never a file.

mod listen;
mod operations;
mod scan;

pub(crate) use listen::{Watching, start};
pub(crate) use operations::{watch_add, watch_remove, watches_list};
pub(crate) use scan::taken;
