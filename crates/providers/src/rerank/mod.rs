//! How well passages answer a question: a cross-encoder, which reads each of them together with the question, on ONNX
//! Runtime.
//!
//! Any model of that kind works (BERT, XLM-RoBERTa, MiniLM, …): its graph takes token ids and an attention mask, and gives
//! one number a pair. It runs in the same encoder as the models for entailment and names, and not in fastembed's own
//! reranker, which cannot be stopped between batches and gives each batch the length of whatever stands beside it.

mod config;
mod scorer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use um_engine::provider::{Cancel, ProviderError, ProviderResult, RerankerProvider};
use um_model::ModelKind;

use crate::Locations;
use crate::catalogue::{self, Entry};
use crate::encoder::installed_folder;
use crate::held::Held;
use scorer::Scorer;

pub(crate) use config::is_reranker;

/// The model that is installed, loaded when it is first needed.
pub struct Reranker {
    locations: Arc<Locations>,
    pub(crate) held: Held<Scorer>,
}

impl Reranker {
    /// Finds the model and ONNX Runtime at these places, once they are needed.
    pub fn new(locations: Arc<Locations>) -> Reranker {
        Reranker { locations, held: Held::default() }
    }

    /// The model in use and its folder.
    pub(crate) fn chosen(&self) -> Option<(&'static Entry, PathBuf)> {
        catalogue::reranking().find_map(|entry| Some((entry, installed_folder(&self.locations, entry.id)?)))
    }

    fn load(&self) -> ProviderResult<Scorer> {
        let (_, folder) = self.chosen().ok_or(ProviderError::ModelMissing(ModelKind::Reranking))?;
        Scorer::load(&self.locations, &folder)
    }
}

impl RerankerProvider for Reranker {
    fn model_id(&self) -> Option<String> {
        self.chosen().map(|(entry, _)| entry.id.to_owned())
    }

    fn rerank(&self, question: &str, passages: &[&str], cancel: &Cancel) -> ProviderResult<Vec<f64>> {
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        self.held.with(|| self.load(), |scorer| scorer.score(question, passages, cancel))
    }
}

/// Loads the model in a folder and has it score something.
///
/// # Errors
/// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
pub(crate) fn try_folder(locations: &Locations, folder: &Path) -> ProviderResult<()> {
    let passages = ["The ferry leaves at noon.", "It rained all day."];
    Scorer::load(locations, folder)?.score("When does the ferry leave?", &passages, &Cancel::default()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_model_it_says_so() {
        let reranker = Reranker::new(Arc::default());
        let missing = ProviderError::ModelMissing(ModelKind::Reranking);
        assert_eq!(reranker.rerank("a", &["b"], &Cancel::default()), Err(missing));
        assert_eq!(reranker.rerank("a", &[], &Cancel::default()), Ok(vec![]));
        assert_eq!(reranker.model_id(), None);
    }
}
