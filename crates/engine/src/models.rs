//! Models: listed with what waits for them, added, fetched.

use crate::error::{Outcome, from_provider};
use crate::{Caller, Engine};
use std::path::Path;
use std::sync::Arc;
use um_model::health::Event;
use um_model::models::{Model, ModelAdd, ModelDownload, ModelsList, ModelsListed};
use um_model::{JobKind, ModelKind, ModelState};

/// Lists the models.
pub(crate) fn models_list(engine: &Engine, caller: &Caller, _: ModelsList) -> Outcome<ModelsListed> {
    let (waiting, embedding, reranks) = engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let waiting = um_store::jobs::waiting_for_models(c)?;
        Ok((waiting, crate::settings::embedding_model(c)?, crate::settings::reranks(c)?))
    })?;
    let speech = engine.providers().asr.model_id();
    let entailment = engine.providers().entailment.model_id();
    let names = engine.providers().names.model_id();
    let reranker = engine.providers().reranker.model_id();
    let mut models = engine.providers().models.list();
    for model in &mut models {
        let (waits, in_use) = match model.kind {
            ModelKind::TextEmbedding => (waiting.get(&JobKind::Embed), model.id == embedding),
            ModelKind::Speech => (waiting.get(&JobKind::Listen), speech.as_deref() == Some(model.id.as_str())),
            ModelKind::Entailment => (waiting.get(&JobKind::Dedupe), entailment.as_deref() == Some(model.id.as_str())),
            ModelKind::VoiceActivity => (None, true),
            // There is one place for it.
            ModelKind::Names => (None, names.is_some()),
            ModelKind::Reranking => (None, reranks && reranker.as_deref() == Some(model.id.as_str())),
        };
        model.jobs_waiting = if model.state == ModelState::Loaded { 0 } else { waits.copied().unwrap_or_default() };
        model.in_use = in_use && matches!(model.state, ModelState::Installed | ModelState::Loaded);
    }
    Ok(ModelsListed { models })
}

/// Installs a model from a file or folder.
pub(crate) fn model_add(engine: &Engine, caller: &Caller, request: ModelAdd) -> Outcome<Model> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    let model = engine.providers().models.add(Path::new(&request.path), request.id.as_deref()).map_err(|e| {
        from_provider(&e).hint("Give a whisper ggml file, or a folder with model.onnx, config.json and tokenizer.json (embedding, entailment, names, reranking).")
    })?;
    engine.note(caller, "model.added", ("models", &model.id), serde_json::json!({}))?;
    engine.models_changed();
    Ok(model)
}

/// Fetches a model, or stops fetching it.
pub(crate) fn model_download(engine: &Engine, caller: &Caller, request: ModelDownload) -> Outcome<Model> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    let library = &engine.providers().models;
    if request.cancel {
        library.cancel_download(&request.id);
        engine.tell(Event::Models);
        let known = library.list().into_iter().find(|model| model.id == request.id);
        let model = known.ok_or_else(|| crate::error::not_found("model", &request.id))?;
        engine.note(caller, "model.fetch_stopped", ("models", &model.id), serde_json::json!({}))?;
        return Ok(model);
    }
    let (listener, id) = (engine.clone(), request.id.clone());
    let model = library
        .download(&request.id, Arc::new(move || listener.download_moved_on(&id)))
        .map_err(|e| from_provider(&e).hint("`umem models list` lists the catalogue."))?;
    engine.note(caller, "model.fetch_begun", ("models", &model.id), serde_json::json!({}))?;
    Ok(model)
}

impl Engine {
    /// A download moved on. Only its end may free what waits.
    fn download_moved_on(&self, id: &str) {
        self.tell(Event::Models);
        let is_there =
            |model: &Model| model.id == id && matches!(model.state, ModelState::Installed | ModelState::Loaded);
        if self.providers().models.list().iter().any(is_there) {
            self.wake_waiting();
        }
    }

    /// A model came: what waited for one may run.
    fn models_changed(&self) {
        self.tell(Event::Models);
        self.wake_waiting();
    }

    /// Queues what waits for a model; it waits again where the model is still missing.
    pub(crate) fn wake_waiting(&self) {
        self.wake_those(None);
    }

    /// Queues what waits for the language model. What waits for models that are not installed goes on waiting.
    pub(crate) fn wake_asking(&self) {
        self.wake_those(Some(JobKind::Ask));
    }

    fn wake_those(&self, kind: Option<JobKind>) {
        let now = self.now();
        if let Err(error) = self.write(move |tx| Ok(um_store::jobs::wake_waiting(tx, kind, now)?)) {
            tracing::warn!(code = %error.code, "jobs that wait for a model could not be queued");
        }
        self.tell(Event::Jobs);
    }
}
