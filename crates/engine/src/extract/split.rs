//! From a text to passages.

use super::Text;
use std::ops::Range;

/// How long passages may be, in tokens as [`super::estimate_tokens`] counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitLimit {
    /// No passage is longer: the window of the model, its own marks included.
    pub tokens: usize,
    /// Passages are about this long, where the text allows it.
    pub target: usize,
    /// So much of a passage's end, at most, is repeated at the beginning of the next.
    pub overlap: usize,
}

/// A passage that was cut from a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitDraft {
    /// Its place in the text.
    pub bytes: Range<usize>,
    /// The headings above it, outermost first, joined by ` › `.
    pub heading_path: Option<String>,
}

/// Cuts.
pub fn split_units(text: &Text, limit: &UnitLimit) -> Vec<UnitDraft> {
    let _ = (text, limit);
    Vec::new()
}
