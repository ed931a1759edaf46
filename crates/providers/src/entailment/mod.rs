//! Whether one text follows from another: a small cross-encoder for natural language inference, on ONNX Runtime.
//!
//! Any model of that kind works (DeBERTa, RoBERTa, MiniLM, BERT): its graph takes token ids and an attention mask,
//! and gives three numbers a pair. What differs is read from its `config.json` ([`config`]).

mod config;
mod judge;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use um_engine::language::{Entailment, EntailmentProvider};
use um_engine::provider::{Cancel, ProviderError, ProviderResult};
use um_model::ModelKind;

use crate::Locations;
use crate::catalogue::{self, Entry};
use crate::encoder::installed_folder;
use crate::held::Held;
use judge::Judge;

pub(crate) use config::is_classifier;

/// The model that is installed, loaded when it is first needed.
pub struct Nli {
    locations: Arc<Locations>,
    pub(crate) held: Held<Judge>,
}

impl Nli {
    /// Finds the model and ONNX Runtime at these places, once they are needed.
    pub fn new(locations: Arc<Locations>) -> Nli {
        Nli { locations, held: Held::default() }
    }

    /// The model in use and its folder.
    pub(crate) fn chosen(&self) -> Option<(&'static Entry, PathBuf)> {
        catalogue::entailment().find_map(|entry| Some((entry, installed_folder(&self.locations, entry.id)?)))
    }

    fn load(&self) -> ProviderResult<Judge> {
        let (_, folder) = self.chosen().ok_or(ProviderError::ModelMissing(ModelKind::Entailment))?;
        Judge::load(&self.locations, &folder)
    }
}

impl EntailmentProvider for Nli {
    fn model_id(&self) -> Option<String> {
        self.chosen().map(|(entry, _)| entry.id.to_owned())
    }

    fn entailment(&self, pairs: &[(&str, &str)], cancel: &Cancel) -> ProviderResult<Vec<Entailment>> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        self.held.with(|| self.load(), |judge| judge.judge(pairs, cancel))
    }
}

/// Loads the model in a folder and has it judge something.
///
/// # Errors
/// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
pub(crate) fn try_folder(locations: &Locations, folder: &Path) -> ProviderResult<()> {
    let pairs = [("A dog sleeps on the sofa.", "An animal sleeps."), ("It rained all day.", "The day was dry.")];
    Judge::load(locations, folder)?.judge(&pairs, &Cancel::default()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_model_it_says_so() {
        let nli = Nli::new(Arc::default());
        let missing = ProviderError::ModelMissing(ModelKind::Entailment);
        assert_eq!(nli.entailment(&[("a", "b")], &Cancel::default()), Err(missing));
        assert_eq!(nli.entailment(&[], &Cancel::default()), Ok(vec![]));
        assert_eq!(nli.model_id(), None);
    }
}
