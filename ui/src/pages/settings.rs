//! Settings: folders, models, data folder, privacy, theme, keys.

use crate::{
    actions::{change_settings, open_data_folder, set_theme},
    components::{
        ask_keys::AskKeysField,
        icon::{Glyph, Icon},
        model_notice::{DownloadProgress, download},
        states::shown,
        watched::WatchedFolders,
    },
    format::{count, size},
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{
    ModelKind, ModelState,
    health::{Settings, SettingsSet},
    models::Model,
};

/// The page.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="page-head"><h1>"Settings"</h1></div>
        <div class="page-body narrow">
            <Look/>
            <Folders/>
            <section class="panel" id="models" aria-labelledby="models-title">
                <h2 id="models-title">"Models"</h2>
                <p class="muted">"Each is fetched when you ask for it, checked against its known checksum, and kept on this machine."</p>
                {shown(app.models, "The models could not be listed.", (3, "row"), |listed| view! {
                    <ul class="plain">{listed.models.into_iter().map(model_row).collect_view()}</ul>
                })}
                <Rerank/>
            </section>
            <Answers/>
            <Data/>
        </div>
    }
}

fn setting(app: App, read: fn(&Settings) -> bool) -> impl Fn() -> bool + Copy {
    move || app.settings.value.with(|s| s.as_ref().is_some_and(read))
}

fn theme(app: App, word: &'static str, name: &'static str, icon: Icon) -> impl IntoView {
    let chosen = move || app.settings.value.with(|s| s.as_ref().map_or(word == "system", |s| s.theme == word));
    view! {
        <label class="radio">
            <input type="radio" name="theme" value=word data-testid=format!("theme-{word}")
                prop:checked=chosen on:change=move |_| set_theme(app, word)/>
            <Glyph icon/> {name}
        </label>
    }
}

#[component]
fn Look() -> impl IntoView {
    let app = App::get();
    let single = setting(app, |s| s.single_key_actions);
    let tray = setting(app, |s| s.close_to_tray);
    let set_single = move |e| {
        let on = event_target_checked(&e);
        change_settings(
            app,
            move |s| s.single_key_actions = on,
            SettingsSet { single_key_actions: Some(on), ..Default::default() },
        );
    };
    let set_tray = move |e| {
        let on = event_target_checked(&e);
        change_settings(
            app,
            move |s| s.close_to_tray = on,
            SettingsSet { close_to_tray: Some(on), ..Default::default() },
        );
    };
    view! {
        <section class="panel" aria-labelledby="look-title">
            <h2 id="look-title">"Window"</h2>
            <fieldset class="choices-row">
                <legend class="label">"Theme"</legend>
                {theme(app, "system", "As the system", Icon::System)}
                {theme(app, "light", "Light", Icon::Sun)}
                {theme(app, "dark", "Dark", Icon::Moon)}
            </fieldset>
            <label class="check">
                <input type="checkbox" data-testid="single-keys" prop:checked=single on:change=set_single/>
                "Single letters act in lists (R reads again, C cancels, W tells why)"
            </label>
            <label class="check">
                <input type="checkbox" prop:checked=tray on:change=set_tray/>
                "Closing the window leaves the service running, where there is a tray"
            </label>
            <AskKeysField/>
            <div class="actions">
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::Keys))>
                    <Glyph icon=Icon::Keyboard/> "All keys"
                </button>
            </div>
        </section>
    }
}

#[component]
fn Folders() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="panel" aria-labelledby="folders-title">
            <div class="head-row">
                <h2 id="folders-title" class="grow">"Watched folders"</h2>
                <button type="button" class="button" data-testid="watch-add" on:click=move |_| app.dialog.set(Some(Dialog::WatchFolder))>
                    <Glyph icon=Icon::FolderPlus/> "Watch a folder"
                </button>
            </div>
            <WatchedFolders of=Signal::stored(None)/>
        </section>
    }
}

fn state_words(model: &Model) -> (Icon, String, &'static str) {
    match model.state {
        ModelState::Missing => (Icon::Download, "Not on this machine".into(), "muted"),
        ModelState::Downloading => (Icon::Download, "Being fetched".into(), "working"),
        ModelState::Installed => (Icon::Check, "Installed".into(), "muted"),
        ModelState::Loaded => (Icon::CheckCircle, "Installed, in memory".into(), "muted"),
        ModelState::Broken => {
            (Icon::Alert, model.problem.clone().unwrap_or_else(|| "It cannot be loaded.".into()), "failed")
        }
    }
}

fn model_row(model: Model) -> impl IntoView {
    let app = App::get();
    let (icon, words, class) = state_words(&model);
    let facts =
        format!("{}, {}{}", size(model.download_bytes), model.licence, if model.in_use { ", in use" } else { "" });
    let waiting = (model.jobs_waiting > 0).then(|| format!("{} waiting for it", count(model.jobs_waiting, "file")));
    view! {
        <li class="entry" data-testid="model-row">
            <Glyph icon=Icon::Model/>
            <span class="entry-text grow">
                <span class="file">{model.name.clone()}</span>
                <span class="muted small">{model.purpose.clone()}</span>
                <span class="muted small">{facts}</span>
                <span class=format!("state small {class}")><Glyph icon/> {words} {waiting.map(|w| format!(", {w}"))}</span>
            </span>
            {model_actions(app, model)}
        </li>
    }
}

fn model_actions(app: App, model: Model) -> AnyView {
    match model.state {
        ModelState::Downloading => view! { <DownloadProgress model/> }.into_any(),
        ModelState::Installed | ModelState::Loaded => ().into_any(),
        ModelState::Missing | ModelState::Broken => {
            let (id, file) = (model.id.clone(), model.clone());
            view! {
                <span class="actions">
                    <button type="button" class="button small" aria-label=format!("Download {}", model.name)
                        on:click=move |_| download(app, id.clone(), false)>"Download"</button>
                    <button type="button" class="button small" aria-label=format!("Use a file for {}", model.name)
                        on:click=move |_| app.dialog.set(Some(Dialog::UseModelFile(file.clone())))>"Use a file"</button>
                </span>
            }
            .into_any()
        }
    }
}

/// Whether a reranking model is used: only where one is on this machine.
#[component]
fn Rerank() -> impl IntoView {
    let app = App::get();
    let installed = Memo::new(move |_| {
        let usable = |model: &Model| {
            model.kind == ModelKind::Reranking && matches!(model.state, ModelState::Installed | ModelState::Loaded)
        };
        app.models.value.with(|listed| listed.as_ref().is_some_and(|listed| listed.models.iter().any(usable)))
    });
    let chosen = setting(app, |s| s.rerank);
    let set = move |e| {
        let on = event_target_checked(&e);
        change_settings(app, move |s| s.rerank = on, SettingsSet { rerank: Some(on), ..Default::default() });
    };
    let says = move || match installed.get() {
        true => "Its order is better where words and meaning mislead. Each answer takes longer, by at most 5 seconds.",
        false => "Off until a reranking model is on this machine. Each answer then takes longer, by at most 5 seconds.",
    };
    view! {
        <label class="check">
            <input type="checkbox" data-testid="rerank" aria-describedby="rerank-says" disabled=move || !installed.get()
                prop:checked=move || installed.get() && chosen() on:change=set/>
            "A reranking model reads the best passages of each question"
        </label>
        <p id="rerank-says" class="muted small">{says}</p>
    }
}

/// A number of days that can be set.
fn kept_days(typed: &str) -> Option<u32> {
    typed.trim().parse().ok().filter(|days| *days <= 365)
}

/// How long it is kept how answers came about.
#[component]
fn Answers() -> impl IntoView {
    let app = App::get();
    let days = move || app.settings.value.with(|s| s.as_ref().map(|s| s.traces_kept_days));
    let written = move || days().map(|days| days.to_string()).unwrap_or_default();
    let set = move |e: leptos::ev::Event| {
        let field: web_sys::HtmlInputElement = event_target(&e);
        let Some(days) = kept_days(&field.value()) else {
            field.set_value(&untrack(written));
            return;
        };
        let request = SettingsSet { traces_kept_days: Some(days), ..Default::default() };
        change_settings(app, move |s| s.traces_kept_days = days, request);
    };
    let says = move || match days() {
        Some(0) => "None is kept: Traces stays empty, and no answer can be called right or wrong later.",
        _ => "Traces shows them, on this machine only. 0 keeps none, 365 is the most.",
    };
    view! {
        <section class="panel" aria-labelledby="answers-title">
            <h2 id="answers-title">"Answers"</h2>
            <label class="label" for="traces-kept">"Days for which it is kept how an answer came about"</label>
            <input id="traces-kept" class="field number" type="number" min="0" max="365" data-testid="traces-kept"
                aria-describedby="traces-kept-says" prop:value=written on:change=set/>
            <p id="traces-kept-says" class="muted small">{says}</p>
        </section>
    }
}

#[component]
fn Data() -> impl IntoView {
    let app = App::get();
    let read = move |field: fn(&Settings) -> String| {
        move || app.settings.value.with(|s| s.as_ref().map(field).unwrap_or_default())
    };
    let set_languages = move |e| {
        let languages = event_target_value(&e).trim().to_owned();
        let shown = languages.clone();
        let request = SettingsSet { ocr_languages: Some(languages), ..Default::default() };
        change_settings(app, move |s| s.ocr_languages = shown.clone(), request);
    };
    view! {
        <section class="panel" aria-labelledby="reading-title">
            <h2 id="reading-title">"Reading"</h2>
            <label class="label" for="ocr-languages">"Languages in pictures and scans, as Tesseract names them"</label>
            <input id="ocr-languages" class="field short" type="text" autocomplete="off" spellcheck="false" placeholder="eng+deu"
                prop:value=read(|s| s.ocr_languages.clone()) on:change=set_languages/>
        </section>
        <section class="panel" aria-labelledby="data-title">
            <h2 id="data-title">"Data folder and privacy"</h2>
            <p>"Everything is read on this machine and stays on it. Nothing is sent anywhere."</p>
            <div class="code-line"><code tabindex="0" data-testid="data-folder">{read(|s| s.data_folder.clone())}</code></div>
            <div class="actions">
                <button type="button" class="button" on:click=move |_| open_data_folder(app)>
                    <Glyph icon=Icon::FolderOpen/> "Open the data folder"
                </button>
            </div>
            <p class="muted small">"Searched by meaning with " {read(|s| s.embedding_model.clone())} "."</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::kept_days;

    #[test]
    fn days_are_a_number_up_to_a_year() {
        for (typed, expected) in
            [("0", Some(0)), (" 30 ", Some(30)), ("365", Some(365)), ("366", None), ("-1", None), ("", None)]
        {
            assert_eq!(kept_days(typed), expected, "{typed}");
        }
    }
}
