//! Days, and how old somebody is.

mod age;
mod date;

use crate::settle::Proposal;
use crate::source::Source;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    date::detect(source, found);
    age::detect(source, found);
}
