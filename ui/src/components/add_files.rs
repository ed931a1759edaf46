//! Bringing files in: by path, by the system's dialog, by the browser's own field. Always into one space.

use super::{
    choose_path::PathField,
    dialog::{Close, DialogBox},
    icon::{Glyph, Icon},
};
use crate::{format::count, ipc, state::App, voice};
use leptos::{html, prelude::*, task::spawn_local};
use um_model::{
    ApiError, ArtifactId, SpaceId,
    capture::{ArtifactRemove, IngestedFile, MemoryIngest},
};

/// Brings files and folders of this machine into a space, and says what became of them.
pub fn add_paths(app: App, space: SpaceId, paths: Vec<String>) {
    if paths.is_empty() {
        return;
    }
    spawn_local(async move {
        let request = MemoryIngest { paths, space: space.to_string(), ..Default::default() };
        match ipc::call(request).await {
            Ok(ingested) => report(app, &space, &ingested.files),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Brings files in whose bytes the window holds.
fn add_blobs(app: App, space: SpaceId, files: Vec<web_sys::File>) {
    spawn_local(async move {
        let mut done = Vec::with_capacity(files.len());
        for file in files {
            match add_blob(&space, &file).await {
                Ok(file) => done.push(file),
                Err(error) => done.push(IngestedFile {
                    path: file.name(),
                    artifact_id: None,
                    memory_id: None,
                    created: false,
                    error: Some(error),
                }),
            }
        }
        report(app, &space, &done);
    });
}

async fn add_blob(space: &SpaceId, file: &web_sys::File) -> Result<IngestedFile, ApiError> {
    let bytes = ipc::read_file(file).await?;
    ipc::ingest_bytes(&file.name(), space, &bytes).await
}

fn report(app: App, space: &SpaceId, files: &[IngestedFile]) {
    let name = app.space_name(space).unwrap_or_default();
    let created: Vec<ArtifactId> = files.iter().filter(|f| f.created).filter_map(|f| f.artifact_id.clone()).collect();
    let known = files.iter().filter(|f| !f.created && f.error.is_none()).count() as u64;
    if !created.is_empty() {
        let added = format!("Added {} to {name}.", count(created.len() as u64, "file"));
        app.toasts.say_with_undo(added, move || take_back(app, created.clone()));
    } else if known > 0 {
        app.toasts.say(format!("{name} has {} already.", count(known, "file")));
    }
    let failed: Vec<&IngestedFile> = files.iter().filter(|f| f.error.is_some()).collect();
    if let Some(error) = failed.first().and_then(|f| f.error.clone()) {
        let others = failed.len() as u64 - 1;
        let more =
            if others > 0 { format!(" {} more could not be added.", count(others, "file")) } else { String::new() };
        app.toasts.trouble(&ApiError { message: format!("{}: {}{more}", failed[0].path, error.message), ..error });
    }
    app.status.refresh();
}

fn take_back(app: App, files: Vec<ArtifactId>) {
    spawn_local(async move {
        for id in files {
            if let Err(error) = ipc::call(ArtifactRemove { id }).await {
                app.toasts.trouble(&error);
                return;
            }
        }
        app.toasts.say("Taken back.");
    });
}

/// A field that chooses one of the spaces that files can be added to.
#[component]
pub fn SpaceField(
    /// Its id, for its label.
    id: &'static str,
    /// The space chosen.
    chosen: RwSignal<Option<SpaceId>>,
) -> impl IntoView {
    let app = App::get();
    let options = move || {
        let one = |s: um_model::spaces::SpaceSummary| {
            let id = s.space.id.clone();
            let selected = move || chosen.with(|c| c.as_ref() == Some(&id));
            view! { <option value=s.space.id.to_string() prop:selected=selected>{s.space.name}</option> }
        };
        app.writable_spaces().into_iter().map(one).collect_view()
    };
    view! {
        <label class="label" for=id>"Space"</label>
        <select id=id class="field" data-testid="space-field"
            on:change=move |event| chosen.set(SpaceId::parse(event_target_value(&event)).ok())>
            {move || chosen.with(Option::is_none).then(|| view! { <option value="" selected>"Choose a space"</option> })}
            {options}
        </select>
    }
}

/// The dialog of Ctrl+O.
#[component]
pub fn AddFiles(
    /// Takes it out of the page.
    on_close: Callback<()>,
) -> impl IntoView {
    view! { <DialogBox title="Add files" name="add-files" on_close><AddFilesForm/></DialogBox> }
}

#[component]
fn AddFilesForm() -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let space = RwSignal::new(app.space.get_untracked());
    let paths = RwSignal::new(String::new());
    let input = NodeRef::<html::Input>::new();
    let chosen = move |_| {
        let Some((input, space)) = input.get_untracked().zip(space.get_untracked()) else {
            return;
        };
        let list = input.files();
        let files: Vec<_> =
            (0..list.as_ref().map_or(0, |l| l.length())).filter_map(|at| list.as_ref()?.get(at)).collect();
        if !files.is_empty() {
            add_blobs(app, space, files);
            close.now();
        }
    };
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let lines = paths.get_untracked().lines().map(clean_path).filter(|p| !p.is_empty()).collect::<Vec<_>>();
        if let (Some(space), false) = (space.get_untracked(), lines.is_empty()) {
            add_paths(app, space, lines);
            close.now();
        }
    };
    let nowhere = move || space.with(Option::is_none);
    view! {
        <form class="form" on:submit=add>
            <p>{voice::INVITATION}</p>
            <SpaceField id="add-files-space" chosen=space/>
            <label class="label" for="add-files-input">"Files"</label>
            <input id="add-files-input" class="field file" type="file" multiple node_ref=input
                disabled=nowhere on:change=chosen/>
            <PathField id="add-paths-input" label="Paths of files or folders, one a line" value=paths many=true/>
            <div class="form-foot">
                <button type="button" class="button" on:click=move |_| close.now()>"Cancel"</button>
                <button type="submit" class="button accent" data-testid="add-paths-submit"
                    disabled=move || nowhere() || paths.with(|p| p.trim().is_empty())>
                    <Glyph icon=Icon::Plus/> "Add"
                </button>
            </div>
        </form>
    }
}

/// A path as it was pasted: without quotes around it, and as a path where it is a `file:` address.
fn clean_path(line: &str) -> String {
    let line = line.trim().trim_matches(['"', '\'']);
    match line.strip_prefix("file://") {
        Some(address) => crate::text::percent_decode(address),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_paths_are_cleaned() {
        assert_eq!(clean_path("  \"/home/ana/a b.pdf\" "), "/home/ana/a b.pdf");
        assert_eq!(clean_path("file:///home/ana/a%20b.pdf"), "/home/ana/a b.pdf");
        assert_eq!(clean_path("/plain+plus"), "/plain+plus");
    }
}
