//! Made-up texts and vectors, and how long storing and recalling take among them: what `umem bench` and
//! `cargo bench -p um-bench` share.

pub mod double;
mod fill;
mod load;
pub mod measure;
mod nearest;
pub mod report;
pub mod words;

pub use fill::Plan;
pub use load::Load;
