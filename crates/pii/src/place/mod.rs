//! Postal addresses, postcodes, and the names of places.

mod known;
mod name;
mod postcode;
mod street;
mod tail;

use crate::settle::Found;
use crate::source::Source;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    street::detect(source, found);
    postcode::detect(source, found);
    known::detect(source, found);
    name::detect(source, found);
}
