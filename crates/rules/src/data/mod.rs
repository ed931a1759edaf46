//! What the rules know of English, as tables.

pub(crate) mod attributes;
pub(crate) mod frames;
pub(crate) mod labels;
pub(crate) mod names;
pub(crate) mod nouns;
pub(crate) mod verbs;
pub(crate) mod words;
