//! Names of people, organizations and places: a tagger of tokens (named entity recognition), on ONNX Runtime.
//!
//! Any model of that kind works (BERT, DistilBERT, RoBERTa, …): its graph takes token ids and an attention mask, and gives
//! a number for each label of each token. What differs is read from its `config.json` ([`config`]).

mod config;
mod tagger;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use um_engine::language::{Name, NerProvider};
use um_engine::provider::{Cancel, ProviderError, ProviderResult};
use um_model::ModelKind;

use crate::Locations;
use crate::catalogue::{self, Entry};
use crate::encoder::installed_folder;
use crate::held::Held;
use tagger::Tagger;

pub(crate) use config::is_tagger;

/// The model that is installed, loaded when it is first needed.
pub struct Ner {
    locations: Arc<Locations>,
    pub(crate) held: Held<Tagger>,
}

impl Ner {
    /// Finds the model and ONNX Runtime at these places, once they are needed.
    pub fn new(locations: Arc<Locations>) -> Ner {
        Ner { locations, held: Held::default() }
    }

    /// The model in use and its folder.
    pub(crate) fn chosen(&self) -> Option<(&'static Entry, PathBuf)> {
        catalogue::names().find_map(|entry| Some((entry, installed_folder(&self.locations, entry.id)?)))
    }

    fn load(&self) -> ProviderResult<Tagger> {
        let (_, folder) = self.chosen().ok_or(ProviderError::ModelMissing(ModelKind::Names))?;
        Tagger::load(&self.locations, &folder)
    }
}

impl NerProvider for Ner {
    fn model_id(&self) -> Option<String> {
        let (entry, folder) = self.chosen().filter(|_| !self.held.is_broken())?;
        Some(format!("{}-{}", entry.id, mark(&folder)?))
    }

    fn names(&self, text: &str, cancel: &Cancel) -> ProviderResult<Vec<Name>> {
        self.held.with(|| self.load(), |tagger| tagger.names(text, cancel))
    }
}

/// Tells models that were put in the same place one after the other apart: by what they say of themselves and how large
/// they are, as reading hundreds of megabytes for it would take long.
fn mark(folder: &Path) -> Option<String> {
    let length = fs::metadata(folder.join("model.onnx")).ok()?.len();
    let mut hash = Sha256::new_with_prefix(fs::read(folder.join("config.json")).ok()?);
    hash.update(length.to_le_bytes());
    Some(hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect())
}

/// Loads the model in a folder and has it look for names.
///
/// # Errors
/// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
pub(crate) fn try_folder(locations: &Locations, folder: &Path) -> ProviderResult<()> {
    Tagger::load(locations, folder)?.names("Maya Okafor lives in Oslo.", &Cancel::default()).map(drop)
}
