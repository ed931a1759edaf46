//! What names a mailbox, a machine or a place on a network.

mod email;
mod ip;
mod mac;
mod url;

use crate::pattern::{self, Pattern, Ready};
use crate::settle::Proposal;
use crate::source::Source;
use std::sync::LazyLock;

static NUMBERS: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    static TABLE: &[Pattern] = &[ip::V4, ip::V6, mac::MAC];
    pattern::ready(TABLE)
});
static NAMES: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    static TABLE: &[Pattern] = &[url::WEB, url::HOST];
    pattern::ready(TABLE)
});

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    email::detect(source, found);
    pattern::detect(&NUMBERS, source, found);
    pattern::detect_anywhere(&NAMES, source, found);
}
