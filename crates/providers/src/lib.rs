//! Who does the reading: adapters of programs, libraries and models to the traits of `um-engine`.
//!
//! Nothing is loaded before it is needed, and what is not installed says so in an error that tells what to do.

pub mod asr;
mod catalogue;
pub mod embedding;
mod encoder;
pub mod entailment;
mod held;
pub mod llm;
mod locations;
mod memory;
mod model_config;
mod models;
pub mod names;
pub mod ocr;
mod onnx_runtime;
pub mod pdf;
mod process;
pub mod rerank;
pub mod sound;

use std::path::Path;
use std::sync::Arc;

use um_engine::provider::Providers;

pub use locations::Locations;
pub use models::Library;

/// The first line of every program's `main`: when the program was started to read a PDF, serves that and ends the
/// process; else returns at once.
pub fn run_if_child() {
    pdf::run_if_child();
}

/// All readers and models, with what is found beside the program, in `UM_TOOLS_DIR`, on the path and in the data
/// folder.
pub fn standard(data_dir: &Path) -> Providers {
    with_locations(Locations::standard(data_dir))
}

/// All readers and models, looked for where the caller says.
pub fn with_locations(locations: Locations) -> Providers {
    let locations = Arc::new(locations);
    let asr = Arc::new(asr::Whisper::new(locations.clone()));
    let embedding = Arc::new(embedding::MiniLm::new(locations.clone()));
    let entailment = Arc::new(entailment::Nli::new(locations.clone()));
    let names = Arc::new(names::Ner::new(locations.clone()));
    let reranker = Arc::new(rerank::Reranker::new(locations.clone()));
    let readers = (asr.clone(), embedding.clone(), entailment.clone(), names.clone(), reranker.clone());
    let models = Arc::new(Library::new(locations.clone(), readers));
    Providers {
        ocr: Arc::new(ocr::Tesseract::new(locations.clone())),
        pdf: Arc::new(pdf::Pdfium::new(locations.clone())),
        sound: Arc::new(sound::Decoder::new(locations)),
        asr,
        embedding,
        entailment,
        names,
        reranker,
        llm: Arc::new(llm::HttpLlm::default()),
        models,
    }
}
