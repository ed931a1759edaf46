//! How many tokens a text has, without its model.

/// An upper estimate.
pub fn estimate_tokens(text: &str) -> usize {
    2 + text.len() / 2
}
