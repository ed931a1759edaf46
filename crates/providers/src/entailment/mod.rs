//! Whether one text follows from another: a small cross-encoder for natural language inference, on ONNX Runtime.
//!
//! Any model of that kind works (DeBERTa, RoBERTa, MiniLM, BERT): its graph takes token ids and an attention mask,
//! and gives three numbers a pair. What differs is read from its `config.json` ([`config`]).

mod config;
mod judge;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use um_engine::language::{Entailment, EntailmentProvider};
use um_engine::provider::{Cancel, ProviderError, ProviderResult};
use um_model::ModelKind;

use crate::catalogue::{self, Entry};
use crate::{Locations, embedding};
use judge::Judge;

pub(crate) use config::is_classifier;

/// The files of a model, once installed.
const FILES: [&str; 3] = ["model.onnx", "config.json", "tokenizer.json"];

/// The model that is installed, loaded when it is first needed.
pub struct Nli {
    locations: Arc<Locations>,
    /// With the time of its last use.
    judge: Mutex<Option<(Judge, Instant)>>,
    in_memory: AtomicBool,
    problem: Mutex<Option<String>>,
}

impl Nli {
    /// Finds the model and ONNX Runtime at these places, once they are needed.
    pub fn new(locations: Arc<Locations>) -> Nli {
        Nli { locations, judge: Mutex::default(), in_memory: AtomicBool::new(false), problem: Mutex::default() }
    }

    /// The model in use and its folder.
    pub(crate) fn chosen(&self) -> Option<(&'static Entry, PathBuf)> {
        catalogue::entailment().find_map(|entry| Some((entry, installed_folder(&self.locations, entry.id)?)))
    }

    /// Whether the model is in memory.
    pub(crate) fn is_loaded(&self) -> bool {
        self.in_memory.load(Ordering::Relaxed)
    }

    /// Why it cannot be loaded, where that was tried.
    pub(crate) fn problem(&self) -> Option<String> {
        lock(&self.problem).clone()
    }

    /// Takes it out of memory, when it has not been used for so long and is not in use; whether it did.
    pub(crate) fn unload_idle(&self, idle: Duration) -> bool {
        let Ok(mut judge) = self.judge.try_lock() else {
            return false;
        };
        let unloaded = judge.take_if(|(_, used)| used.elapsed() >= idle).is_some();
        if unloaded {
            self.in_memory.store(false, Ordering::Relaxed);
        }
        unloaded
    }

    /// Forgets what it knows of files that have changed.
    pub(crate) fn forget(&self) {
        *lock(&self.problem) = None;
        *lock(&self.judge) = None;
        self.in_memory.store(false, Ordering::Relaxed);
    }

    fn loaded(&self) -> ProviderResult<MutexGuard<'_, Option<(Judge, Instant)>>> {
        let mut judge = lock(&self.judge);
        if judge.is_some() {
            return Ok(judge);
        }
        let (_, folder) = self.chosen().ok_or(ProviderError::ModelMissing(ModelKind::Entailment))?;
        let loaded = Judge::load(&self.locations, &folder);
        *lock(&self.problem) = loaded.as_ref().err().map(ToString::to_string);
        *judge = Some((loaded?, Instant::now()));
        self.in_memory.store(true, Ordering::Relaxed);
        Ok(judge)
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
        let mut loaded = self.loaded()?;
        let Some((judge, used)) = loaded.as_mut() else {
            return Err(ProviderError::ModelMissing(ModelKind::Entailment));
        };
        let judged = judge.judge(pairs, cancel);
        *used = Instant::now();
        judged
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves a model or a message behind, both still whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder that a model is used from.
pub(crate) fn installed_folder(locations: &Locations, id: &str) -> Option<PathBuf> {
    locations.model_folders(id).find(|folder| FILES.iter().all(|name| folder.join(name).is_file()))
}

/// The files of a model in a folder: where they are, and what they are called once installed.
///
/// # Errors
/// The name of one that is missing.
pub(crate) fn files(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, String> {
    let graph = embedding::graph(folder).ok_or("model.onnx is missing")?;
    let beside = FILES[1..].iter().map(|name| (folder.join(name), *name));
    let files: Vec<_> = std::iter::once((graph, FILES[0])).chain(beside).collect();
    match files.iter().find(|(path, _)| !path.is_file()) {
        Some((_, name)) => Err(format!("{name} is missing")),
        None => Ok(files),
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

    #[test]
    fn a_folder_must_have_all_three_files() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(files(dir.path()).unwrap_err(), "model.onnx is missing");
        for name in FILES {
            assert!(files(dir.path()).is_err());
            std::fs::write(dir.path().join(name), "{}").unwrap();
        }
        assert_eq!(files(dir.path()).unwrap().len(), 3);
    }
}
