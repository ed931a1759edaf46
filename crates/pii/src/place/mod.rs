//! Postal addresses, postcodes, and the names of places.

mod address;
mod corner;
mod known;
mod name;
mod postbox;
mod postcode;
mod street;
mod street_name;
mod tail;

use crate::settle::Proposal;
use crate::source::Source;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    address::detect(source, found);
    postcode::detect(source, found);
    known::detect(source, found);
    name::detect(source, found);
}
