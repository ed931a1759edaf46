//! The models of the catalogue on this machine.

mod download;
pub mod ggml;
mod install;
#[cfg(test)]
mod loopback;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use um_engine::plain;
use um_engine::provider::{Cancel, ModelLibrary, ProviderError, ProviderResult};
use um_model::models::Model;
use um_model::{ModelKind, ModelState};

use crate::asr::{self, Whisper};
use crate::catalogue::{self, BASE_URL, Entry};
use crate::embedding::MiniLm;
use crate::entailment::Nli;
use crate::names::Ner;
use crate::rerank::Reranker;
use crate::{Locations, memory};
use download::{Fetch, Stopped};
pub(crate) use install::sha256;

/// Finds, fetches, installs and unloads the models of the catalogue. Clones share one state.
#[derive(Clone)]
pub struct Library {
    locations: Arc<Locations>,
    asr: Arc<Whisper>,
    embedding: Arc<MiniLm>,
    entailment: Arc<Nli>,
    names: Arc<Ner>,
    reranker: Arc<Reranker>,
    downloads: Arc<Mutex<HashMap<&'static str, Download>>>,
}

/// A fetching that is under way, or the last one of a model.
#[derive(Clone, Default)]
struct Download {
    bytes: Arc<AtomicU64>,
    cancel: Cancel,
    running: bool,
    problem: Option<String>,
}

/// The readers of the models of each kind.
pub type Readers = (Arc<Whisper>, Arc<MiniLm>, Arc<Nli>, Arc<Ner>, Arc<Reranker>);

impl Library {
    /// The models at these places, and the readers that use them.
    pub fn new(locations: Arc<Locations>, (asr, embedding, entailment, names, reranker): Readers) -> Library {
        Library { locations, asr, embedding, entailment, names, reranker, downloads: Arc::default() }
    }

    fn downloads(&self) -> MutexGuard<'_, HashMap<&'static str, Download>> {
        // Each change is one insertion, whole or not at all.
        self.downloads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn download_of(&self, entry: &Entry) -> Option<Download> {
        self.downloads().get(entry.id).cloned()
    }

    fn model(&self, entry: &Entry) -> Model {
        let download = self.download_of(entry).unwrap_or_default();
        let fetching = download.running && !download.cancel.is_cancelled();
        let installed = install::is_installed(&self.locations, entry);
        let broken = self.problem(entry).filter(|_| installed);
        let state = match (&broken, fetching, installed) {
            (_, true, _) => ModelState::Downloading,
            (Some(_), _, _) => ModelState::Broken,
            (None, _, true) if self.is_loaded(entry) => ModelState::Loaded,
            (None, _, true) => ModelState::Installed,
            (None, _, false) => ModelState::Missing,
        };
        Model {
            id: entry.id.into(),
            name: entry.name.into(),
            purpose: entry.purpose.into(),
            kind: entry.kind,
            download_bytes: entry.bytes(),
            licence: entry.licence.into(),
            state,
            downloaded_bytes: fetching.then(|| download.bytes.load(Ordering::Relaxed)),
            problem: broken.or(download.problem.filter(|_| !installed)),
            jobs_waiting: 0,
            in_use: false,
        }
    }

    fn is_loaded(&self, entry: &Entry) -> bool {
        match entry.kind {
            ModelKind::TextEmbedding => self.embedding.held.is_loaded(),
            ModelKind::Speech => {
                self.asr.is_loaded() && self.asr.chosen().is_some_and(|(chosen, _)| chosen.id == entry.id)
            }
            ModelKind::Entailment => {
                let chosen = self.entailment.chosen().is_some_and(|(chosen, _)| chosen.id == entry.id);
                chosen && self.entailment.held.is_loaded()
            }
            ModelKind::Names => self.names.held.is_loaded(),
            ModelKind::Reranking => {
                let chosen = self.reranker.chosen().is_some_and(|(chosen, _)| chosen.id == entry.id);
                chosen && self.reranker.held.is_loaded()
            }
            ModelKind::VoiceActivity => false,
        }
    }

    fn problem(&self, entry: &Entry) -> Option<String> {
        match entry.kind {
            ModelKind::TextEmbedding => self.embedding.held.problem(),
            ModelKind::Speech => self.asr.problem(&asr::installed_file(&self.locations, entry.id)?),
            ModelKind::Entailment => {
                let (chosen, _) = self.entailment.chosen()?;
                self.entailment.held.problem().filter(|_| chosen.id == entry.id)
            }
            ModelKind::Names => self.names.held.problem(),
            ModelKind::Reranking => {
                let (chosen, _) = self.reranker.chosen()?;
                self.reranker.held.problem().filter(|_| chosen.id == entry.id)
            }
            ModelKind::VoiceActivity => None,
        }
    }

    /// The readers look anew at what is installed.
    fn forget(&self, entry: &Entry) {
        match entry.kind {
            ModelKind::TextEmbedding => self.embedding.held.forget(),
            ModelKind::Speech => self.asr.forget(),
            ModelKind::Entailment => self.entailment.held.forget(),
            ModelKind::Names => self.names.held.forget(),
            ModelKind::Reranking => self.reranker.held.forget(),
            ModelKind::VoiceActivity => {}
        }
    }

    /// Fetches on the caller's thread, and writes down how it ended.
    fn fetch(&self, entry: &'static Entry, download: &Download, changed: &(dyn Fn() + Send + Sync)) {
        let base_url = self.locations.model_base_url.as_deref().unwrap_or(BASE_URL);
        let (models_dir, bytes, cancel) = (&self.locations.models_dir, &download.bytes, &download.cancel);
        let fetched = Fetch { entry, base_url, models_dir, bytes, cancel, changed: &|| changed() }.run();
        let problem = match fetched {
            Ok(()) => {
                self.forget(entry);
                None
            }
            Err(Stopped::Cancelled) => None,
            Err(Stopped::Failed(why)) => Some(why),
        };
        self.downloads().insert(entry.id, Download { running: false, problem, ..download.clone() });
        changed();
    }
}

impl ModelLibrary for Library {
    fn list(&self) -> Vec<Model> {
        let shown = |entry: &&Entry| entry.is_offered() || install::is_installed(&self.locations, entry);
        catalogue::ENTRIES.iter().filter(shown).map(|entry| self.model(entry)).collect()
    }

    fn add(&self, path: &Path, id: Option<&str>) -> ProviderResult<Model> {
        let found = install::recognise(&self.locations, path, id)?;
        install::copy(&found, &self.locations.models_dir)?;
        self.forget(found.entry);
        Ok(self.model(found.entry))
    }

    fn download(&self, id: &str, changed: Arc<dyn Fn() + Send + Sync>) -> ProviderResult<Model> {
        let entry = catalogue::entry(id).ok_or_else(|| install::unknown(id))?;
        if !entry.is_offered() {
            return Err(ProviderError::Unsupported(format!(
                "{} cannot be fetched: choose its file instead.",
                entry.name
            )));
        }
        let whole = install::is_installed(&self.locations, entry) && self.problem(entry).is_none();
        let download = Download { running: true, ..Download::default() };
        let old = self.download_of(entry).filter(|old| old.running);
        match old {
            Some(old) if old.cancel.is_cancelled() => {
                return Err(ProviderError::Failed("The earlier try is still ending: try again in a moment.".into()));
            }
            Some(_) => return Ok(self.model(entry)),
            None if whole => return Ok(self.model(entry)),
            None => self.downloads().insert(entry.id, download.clone()),
        };
        let library = self.clone();
        let spawned = thread::Builder::new().name("model-download".into());
        let spawned = spawned.spawn(move || library.fetch(entry, &download, changed.as_ref()));
        if let Err(error) = spawned {
            self.downloads().remove(entry.id);
            return Err(ProviderError::Failed(format!("Fetching cannot be begun: {}.", plain(&error))));
        }
        Ok(self.model(entry))
    }

    fn cancel_download(&self, id: &str) {
        if let Some(download) = self.downloads().get(id) {
            download.cancel.cancel();
        }
    }

    fn state(&self, kind: ModelKind) -> ModelState {
        let entries = || catalogue::ENTRIES.iter().filter(|entry| entry.kind == kind);
        let chosen = match kind {
            ModelKind::Speech => self.asr.chosen().map(|(entry, _)| entry),
            ModelKind::Entailment => self.entailment.chosen().map(|(entry, _)| entry),
            ModelKind::Names => self.names.chosen().map(|(entry, _)| entry),
            ModelKind::Reranking => self.reranker.chosen().map(|(entry, _)| entry),
            _ => entries().next(),
        };
        if let Some(chosen) = chosen {
            return self.model(chosen).state;
        }
        let fetching = entries().any(|entry| self.model(entry).state == ModelState::Downloading);
        if fetching { ModelState::Downloading } else { ModelState::Missing }
    }

    fn unload_idle(&self, idle: Duration) {
        // All are asked, whatever the first one did.
        let unloaded = [
            self.asr.unload_idle(idle),
            self.embedding.held.unload_idle(idle),
            self.entailment.held.unload_idle(idle),
            self.names.held.unload_idle(idle),
            self.reranker.held.unload_idle(idle),
        ];
        if unloaded.contains(&true) {
            memory::give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopback::{Served, Server};
    use std::sync::mpsc;

    fn library(models_dir: &Path, base_url: Option<String>) -> Library {
        let locations = Locations { models_dir: models_dir.into(), model_base_url: base_url, ..Locations::default() };
        let locations = Arc::new(locations);
        let (asr, embedding) = (Whisper::new(locations.clone()), MiniLm::new(locations.clone()));
        let (nli, ner) = (Nli::new(locations.clone()), Ner::new(locations.clone()));
        let reranker = Arc::new(Reranker::new(locations.clone()));
        Library::new(locations, (Arc::new(asr), Arc::new(embedding), Arc::new(nli), Arc::new(ner), reranker))
    }

    /// Fetches until it is over.
    fn download(library: &Library, id: &str) -> Model {
        let (sender, ended) = mpsc::channel();
        let sender = Mutex::new(sender);
        library.download(id, Arc::new(move || sender.lock().unwrap().send(()).unwrap_or_default())).unwrap();
        let model = || library.list().into_iter().find(|model| model.id == id).unwrap();
        while model().state == ModelState::Downloading {
            ended.recv().unwrap();
        }
        model()
    }

    #[test]
    fn what_is_offered_is_listed_and_the_rest_only_once_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let library = library(dir.path(), None);
        let ids = || library.list().into_iter().map(|model| model.id).collect::<Vec<_>>();
        assert_eq!(
            ids(),
            [
                "all-MiniLM-L6-v2",
                "whisper-tiny",
                "whisper-base",
                "whisper-small",
                "silero-vad",
                "nli-deberta-v3-xsmall",
                "jina-reranker-v1-turbo-en",
                "bge-reranker-base"
            ]
        );
        assert_eq!(library.state(ModelKind::Speech), ModelState::Missing);
        let memo = dir.path().join("memo-whisper");
        std::fs::create_dir(&memo).unwrap();
        std::fs::write(memo.join("model.bin"), "x").unwrap();
        assert!(ids().iter().any(|id| id == "memo-whisper"));
        assert_eq!(library.state(ModelKind::Speech), ModelState::Installed);
        assert!(matches!(library.download("memo-whisper", Arc::new(|| {})), Err(ProviderError::Unsupported(_))));
        assert!(matches!(library.download("no-such", Arc::new(|| {})), Err(ProviderError::Unsupported(_))));
    }

    #[test]
    fn a_failed_fetch_leaves_the_model_missing_and_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let server = Server::start(|_| Served::NotFound);
        let model = download(&library(dir.path(), Some(server.url())), "whisper-tiny");
        assert_eq!(model.state, ModelState::Missing);
        assert!(model.problem.unwrap().contains("404"));
        let path = &server.asked()[0].0;
        assert!(path.starts_with("/ggerganov/whisper.cpp/resolve/") && path.ends_with("/ggml-tiny.bin"), "{path}");
    }

    #[test]
    fn other_bytes_are_never_installed() {
        let dir = tempfile::tempdir().unwrap();
        let server = Server::start(|_| Served::Whole(b"<html>sign in to the network first</html>"));
        let model = download(&library(dir.path(), Some(server.url())), "all-MiniLM-L6-v2");
        assert_eq!(model.state, ModelState::Missing);
        assert!(model.problem.is_some() && !dir.path().join("all-MiniLM-L6-v2").exists());
    }

    #[test]
    fn a_model_that_cannot_be_loaded_is_broken_and_says_why() {
        use um_engine::provider::{AsrProvider, Sound};
        let dir = tempfile::tempdir().unwrap();
        let library = library(dir.path(), None);
        let folder = dir.path().join("whisper-tiny");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("model.bin"), ggml::sample(0)).unwrap();
        let heard = library.asr.transcribe(&Sound { samples: vec![0.0; 99] }, &|_| {}, &Cancel::default());
        assert!(matches!(heard, Err(ProviderError::Failed(_))));
        let model = library.list().into_iter().find(|model| model.id == "whisper-tiny").unwrap();
        assert_eq!(model.state, ModelState::Broken);
        assert!(model.problem.unwrap().contains("no weights"));
    }
}
