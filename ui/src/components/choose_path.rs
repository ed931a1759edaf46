//! A field for a path, with the system's dialog beside it.

use super::icon::{Glyph, Icon};
use crate::{ipc, state::App};
use leptos::{prelude::*, task::spawn_local};

/// A field for one path, or for several, one a line.
#[component]
pub fn PathField(
    /// The field's id.
    id: &'static str,
    /// Its label.
    label: &'static str,
    /// What it holds.
    value: RwSignal<String>,
    /// Whether it takes several paths.
    #[prop(optional)]
    many: bool,
    /// Whether files can be chosen.
    #[prop(default = true)]
    files: bool,
    /// Whether folders can be chosen.
    #[prop(default = true)]
    folders: bool,
) -> impl IntoView {
    let app = App::get();
    let pick = move |folder: bool| choose(app, value, many, folder);
    view! {
        <label class="label" for=id>{label}</label>
        {field(id, value, many)}
        <div class="actions">
            {files.then(|| view! {
                <button type="button" class="button" on:click=move |_| pick(false)>
                    <Glyph icon=Icon::File/> {if many { "Choose files" } else { "Choose a file" }}
                </button>
            })}
            {folders.then(|| view! {
                <button type="button" class="button" on:click=move |_| pick(true)>
                    <Glyph icon=Icon::Folder/> "Choose a folder"
                </button>
            })}
        </div>
    }
}

fn field(id: &'static str, value: RwSignal<String>, many: bool) -> AnyView {
    if many {
        view! {
            <textarea id=id class="field" rows="3" spellcheck="false" autocomplete="off" data-testid=id
                prop:value=move || value.get() on:input=move |e| value.set(event_target_value(&e))></textarea>
        }
        .into_any()
    } else {
        view! {
            <input id=id class="field" type="text" spellcheck="false" autocomplete="off" data-testid=id
                prop:value=move || value.get() on:input=move |e| value.set(event_target_value(&e))/>
        }
        .into_any()
    }
}

/// Asks the system's dialog; what is chosen is added to several paths, or takes the place of one.
fn choose(app: App, value: RwSignal<String>, many: bool, folder: bool) {
    spawn_local(async move {
        match ipc::pick_paths(folder).await {
            Ok(paths) if paths.is_empty() => {}
            Ok(paths) if many => value.update(|text| {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&paths.join("\n"));
            }),
            Ok(paths) => value.set(paths.into_iter().next().unwrap_or_default()),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}
