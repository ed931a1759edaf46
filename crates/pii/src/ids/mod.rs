//! Numbers that states give to people. Each has a check digit or excluded ranges; where these leave too much to
//! chance, a word for the number must stand near it.

mod checks;
mod table;

use crate::pattern::{self, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use std::sync::LazyLock;

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pattern::ready(table::PATTERNS));

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    pattern::detect(&READY, source, found);
}
