//! Companies, and what people are there.

mod cues;
mod organization;
mod title;

use crate::settle::Proposal;
use crate::source::Source;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    organization::detect(source, found);
    title::detect(source, found);
}
