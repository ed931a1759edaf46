//! What waits for a model that is not installed: the reason, the size, both ways out.

use super::icon::{Glyph, Icon};
use crate::{
    format::{percent, size},
    ipc,
    state::{App, Dialog},
    voice,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ModelState,
    models::{Model, ModelDownload},
};

/// Starts or stops fetching a model.
pub fn download(app: App, id: String, cancel: bool) {
    spawn_local(async move {
        if let Err(error) = ipc::call(ModelDownload { id, cancel }).await {
            app.toasts.trouble(&error);
        }
        app.models.refresh();
    });
}

/// How far a model's download is, 0 to 1.
pub fn fetched(model: &Model) -> f64 {
    match model.downloaded_bytes {
        Some(bytes) if model.download_bytes > 0 => (bytes as f64 / model.download_bytes as f64).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// How far a download is, with a way to stop it.
#[component]
pub fn DownloadProgress(
    /// The model.
    model: Model,
) -> impl IntoView {
    let app = App::get();
    let share = fetched(&model);
    let words = format!("{} of {}", size(model.downloaded_bytes.unwrap_or(0)), size(model.download_bytes));
    let id = model.id.clone();
    view! {
        <span class="download">
            <progress class="progress" max="1" value=share aria-label=format!("Fetching {}", model.name)></progress>
            <span class="small muted">{words} ", " {percent(share)}</span>
            <button type="button" class="button small" on:click=move |_| download(app, id.clone(), true)>"Cancel"</button>
        </span>
    }
}

/// The models that files wait for: of each kind the one that is being fetched, else the one that is in use,
/// else the first. None of a kind where one is there already.
fn wanted(models: &[Model]) -> Vec<&Model> {
    let waited_for = |m: &&Model| m.jobs_waiting > 0;
    let there = |kind| models.iter().any(|m| m.kind == kind && is_there(m));
    let mut best: Vec<&Model> = Vec::new();
    for model in models.iter().filter(waited_for).filter(|m| !there(m.kind)) {
        let rank = |m: &Model| (m.state == ModelState::Downloading, m.in_use);
        match best.iter_mut().find(|known| known.kind == model.kind) {
            Some(known) if rank(model) > rank(known) => *known = model,
            Some(_) => {}
            None => best.push(model),
        }
    }
    best
}

fn is_there(model: &Model) -> bool {
    matches!(model.state, ModelState::Installed | ModelState::Loaded)
}

/// One notice for each kind of model that files wait for.
#[component]
pub fn ModelNotices() -> impl IntoView {
    let app = App::get();
    move || {
        let models = app.models.value.get().map(|all| all.models).unwrap_or_default();
        wanted(&models).into_iter().map(|model| notice(app, model.clone())).collect_view()
    }
}

fn notice(app: App, model: Model) -> impl IntoView {
    let says = voice::waits_for_model(&model);
    let actions = if model.state == ModelState::Downloading {
        view! { <DownloadProgress model/> }.into_any()
    } else {
        let (id, file) = (model.id.clone(), model.clone());
        view! {
            <button type="button" class="button" data-testid="model-download"
                on:click=move |_| download(app, id.clone(), false)>
                <Glyph icon=Icon::Download/> "Download"
            </button>
            <button type="button" class="button" data-testid="model-use-file"
                on:click=move |_| app.dialog.set(Some(Dialog::UseModelFile(file.clone())))>
                <Glyph icon=Icon::File/> "Use a file"
            </button>
        }
        .into_any()
    };
    view! {
        <div class="notice" data-testid="model-notice">
            <Glyph icon=Icon::Hourglass/>
            <p class="grow">{says}</p>
            <div class="actions">{actions}</div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(id: &str, kind: &str, state: &str, waiting: u64, in_use: bool) -> Model {
        serde_json::from_str(&format!(
            r#"{{"id":"{id}","name":"","purpose":"","kind":"{kind}","download_bytes":1,"licence":"","state":"{state}",
            "downloaded_bytes":null,"problem":null,"jobs_waiting":{waiting},"in_use":{in_use}}}"#
        ))
        .unwrap()
    }

    fn ids(models: &[Model]) -> Vec<&str> {
        wanted(models).into_iter().map(|m| m.id.as_str()).collect()
    }

    #[test]
    fn one_model_of_each_kind_is_asked_for() {
        let mut models = vec![
            model("tiny", "speech", "missing", 3, false),
            model("base", "speech", "missing", 3, true),
            model("small", "speech", "missing", 3, false),
            model("vad", "voice_activity", "missing", 0, true),
        ];
        assert_eq!(ids(&models), ["base"]);
        models[2].state = ModelState::Downloading;
        assert_eq!(ids(&models), ["small"]);
        models[0].state = ModelState::Installed;
        assert!(ids(&models).is_empty());
    }
}
