//! Companies, and what people are there.

mod cues;
mod organization;
mod title;

use crate::settle::Found;
use crate::source::Source;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    organization::detect(source, found);
    title::detect(source, found);
}
