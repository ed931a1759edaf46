//! Writes the graph of a BERT encoder as ONNX, with its weights left where they are, in a safetensors file.
//!
//! Formats: ONNX's `onnx.proto` (IR version 8, operator set 17, external data), the Protocol Buffers wire format,
//! and the safetensors header.

mod bert;
mod graph;
mod proto;
mod safetensors;

pub use bert::{Shape, encoder};
pub use safetensors::Weights;
