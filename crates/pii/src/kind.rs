//! What a finding is.

pub use um_model::findings::FindingKind as Kind;
