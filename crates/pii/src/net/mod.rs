//! What names a mailbox, a machine or a place on a network.

mod email;
mod ip;
mod mac;
mod url;

use crate::pattern::{self, Pattern, Ready};
use crate::settle::Found;
use crate::source::Source;
use std::sync::LazyLock;

static PATTERNS: &[Pattern] = &[ip::V4, ip::V6, mac::MAC, url::WEB, url::HOST];
static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pattern::ready(PATTERNS));

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Found>) {
    email::detect(source, found);
    pattern::detect(&READY, source, found);
}
