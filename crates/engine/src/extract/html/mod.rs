//! HTML.
use super::{Text, plain};
pub(super) fn read(bytes: &[u8]) -> Text { plain::read(bytes) }
