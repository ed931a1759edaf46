//! The dialogs that any part of the window may open.

use super::{
    add_files::{AddFiles, SpaceField},
    choose_path::PathField,
    dialog::{Close, DialogBox},
    forget::{Forget, ForgetChoose, Proof, SaveProof},
    icon::{Glyph, Icon},
    palette::Palette,
};
use crate::{
    clipboard,
    format::size,
    ipc, keys,
    pages::{BlackOut, CancelMany, ExportLedger, OpenFolder, Revoke, belief_dialog, recall_dialog, work_dialog},
    state::{App, Dialog},
    voice,
};
use leptos::{ev::SubmitEvent, prelude::*, task::spawn_local};
use um_model::{
    ArtifactId, DeletePolicy, SpaceType,
    capture::ArtifactUnlock,
    models::{Model, ModelAdd},
    ops::Request,
    spaces::SpaceCreate,
    watch::WatchAdd,
};

/// The dialog that is open, if one is.
#[component]
pub fn OpenDialog() -> impl IntoView {
    let app = App::get();
    let on_close = Callback::new(move |()| app.dialog.set(None));
    move || {
        app.dialog.get().map(|dialog| match dialog {
            Dialog::Palette => view! { <Palette on_close/> }.into_any(),
            Dialog::AddFiles => view! { <AddFiles on_close/> }.into_any(),
            Dialog::Keys => boxed("All keys", "keys", on_close, || view! { <Keys/> }),
            Dialog::NewSpace => boxed("New space", "new-space", on_close, || view! { <NewSpace/> }),
            Dialog::WatchFolder => boxed("Watch a folder", "watch", on_close, || view! { <WatchForm/> }),
            Dialog::UseModelFile(model) => {
                boxed("Use a file", "model-file", on_close, move || view! { <ModelFile model/> })
            }
            Dialog::Password { id, name } => {
                boxed("Password", "password", on_close, move || view! { <Password id name/> })
            }
            Dialog::ConnectAgent => boxed("Connect an agent", "connect", on_close, || view! { <Connect/> }),
            Dialog::RevokeAgent { id, name } => {
                boxed("Take access back", "revoke", on_close, move || view! { <Revoke id name/> })
            }
            Dialog::OpenFolder { id, name, open } => {
                boxed("Open a folder", "open-folder", on_close, move || view! { <OpenFolder id name open/> })
            }
            Dialog::Belief(dialog) => belief_dialog(dialog, on_close),
            Dialog::Recall(dialog) => recall_dialog(dialog, on_close),
            Dialog::Work(dialog) => work_dialog(dialog, on_close),
            Dialog::BlackOut(ask) => boxed("Black out", "black-out", on_close, move || view! { <BlackOut ask/> }),
            Dialog::Forget(ask) => boxed("Forget", "forget", on_close, move || view! { <Forget ask=*ask/> }),
            Dialog::ForgetChoose => boxed("Forget", "forget-choose", on_close, || view! { <ForgetChoose/> }),
            Dialog::Proof(id) => boxed("Forgotten", "proof", on_close, move || view! { <Proof id/> }),
            Dialog::SaveProof(id) => {
                // The proof is what it was opened from.
                let of = id.clone();
                let back = Callback::new(move |()| app.dialog.set(Some(Dialog::Proof(of.clone()))));
                boxed("Save the proof", "save-proof", back, move || view! { <SaveProof id/> })
            }
            Dialog::ExportLedger => boxed("Export the ledger", "export-ledger", on_close, || view! { <ExportLedger/> }),
            Dialog::CancelJob(job) => {
                boxed("Cancel a job", "cancel-job", on_close, move || view! { <CancelMany job=*job/> })
            }
            Dialog::Privacy => boxed("Local only", "privacy", on_close, || view! { <Privacy/> }),
        })
    }
}

/// A dialog with a title, around some content.
pub fn boxed<V: IntoView + 'static>(
    title: &'static str,
    name: &'static str,
    on_close: Callback<()>,
    content: impl FnOnce() -> V + Send + 'static,
) -> AnyView {
    view! { <DialogBox title name on_close>{content()}</DialogBox> }.into_any()
}

/// A form that runs one operation: it closes when that worked, and says in itself why it did not.
#[component]
pub fn Form<R: Request + 'static>(
    /// What to run; `None` while the form is not filled in.
    request: impl Fn() -> Option<R> + Copy + Send + Sync + 'static,
    /// The button's words.
    button: &'static str,
    /// The words of the button that leaves everything as it is.
    #[prop(default = "Cancel")]
    keep: &'static str,
    /// Called with the answer.
    done: Callback<R::Response>,
    /// The fields.
    children: Children,
) -> impl IntoView
where
    R::Response: Send + Sync + 'static,
{
    let close = Close::get();
    let failed = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(request) = untrack(request) else {
            return;
        };
        busy.set(true);
        spawn_local(async move {
            let answer = ipc::call(request).await;
            busy.try_set(false);
            match answer {
                Ok(answer) => {
                    close.now();
                    done.run(answer);
                }
                Err(error) => drop(failed.try_set(Some(crate::voice::failure(&error)))),
            }
        });
    };
    view! {
        <form class="form" on:submit=submit>
            {children()}
            <p class="form-error" role="alert">{move || failed.get()}</p>
            <div class="form-foot">
                <button type="button" class="button" on:click=move |_| close.now()>{keep}</button>
                <button type="submit" class="button accent" data-testid="form-submit"
                    disabled=move || busy.get() || request().is_none()>{button}</button>
            </div>
        </form>
    }
}

#[component]
fn Keys() -> impl IntoView {
    let group = |(name, rows): &(&'static str, &'static [(&'static str, &'static str)])| {
        let rows = rows.iter().map(|(key, does)| view! { <div><dt><kbd>{*key}</kbd></dt><dd>{*does}</dd></div> });
        view! { <section><h3>{*name}</h3><dl class="keys">{rows.collect_view()}</dl></section> }
    };
    view! {
        <div class="keys-all">{keys::TABLE.iter().map(group).collect_view()}</div>
        <p class="muted small">"Single letters act only in a list that has the focus. Settings can switch them off."</p>
    }
}

fn type_name(space: SpaceType) -> &'static str {
    match space {
        SpaceType::Global => "Global",
        SpaceType::UserCore => "Core facts about you",
        SpaceType::UserPersonal => "Personal",
        SpaceType::Organization => "Organization",
        SpaceType::Project => "Project",
        SpaceType::Shared => "Shared with others",
        SpaceType::Hive => "Shared by a swarm of agents",
    }
}

/// The types that a person makes; the others are there from the beginning.
const MADE: [SpaceType; 5] =
    [SpaceType::Project, SpaceType::UserPersonal, SpaceType::Organization, SpaceType::Shared, SpaceType::Hive];

#[component]
fn NewSpace() -> impl IntoView {
    let app = App::get();
    let name = RwSignal::new(String::new());
    let space_type = RwSignal::new(SpaceType::Project);
    let parent = RwSignal::new(String::new());
    let request = move || {
        let name = name.get().trim().to_owned();
        let parent = Some(parent.get()).filter(|p| !p.is_empty());
        (!name.is_empty()).then(|| SpaceCreate {
            name,
            space_type: Some(space_type.get()),
            parent,
            ..SpaceCreate::default()
        })
    };
    let done = Callback::new(move |space: um_model::spaces::Space| {
        app.spaces.refresh();
        app.toasts.say(format!("{} is there, and in use.", space.name));
        app.space.set(Some(space.id));
    });
    let types = MADE.map(|t| view! { <option value=t.as_str()>{type_name(t)}</option> });
    let parents = move || {
        let one =
            |s: um_model::spaces::SpaceSummary| view! { <option value=s.space.id.to_string()>{s.space.name}</option> };
        app.writable_spaces().into_iter().map(one).collect_view()
    };
    view! {
        <Form request button="Make the space" done>
            <label class="label" for="space-name">"Name"</label>
            <input id="space-name" class="field" type="text" maxlength="100" autocomplete="off" required
                data-testid="space-name" on:input=move |e| name.set(event_target_value(&e))/>
            <label class="label" for="space-type">"What it is for"</label>
            <select id="space-type" class="field"
                on:change=move |e| if let Ok(t) = event_target_value(&e).parse() { space_type.set(t) }>{types}</select>
            <label class="label" for="space-parent">"Under"</label>
            <select id="space-parent" class="field" on:change=move |e| parent.set(event_target_value(&e))>
                <option value="">"Nothing: at the top"</option>
                {parents}
            </select>
        </Form>
    }
}

/// The globs of a field: separated by commas or spaces.
fn globs(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[component]
fn WatchForm() -> impl IntoView {
    let app = App::get();
    let space = RwSignal::new(app.space.get_untracked());
    let (path, include, exclude) =
        (RwSignal::new(String::new()), RwSignal::new(String::new()), RwSignal::new(String::new()));
    let gitignore = RwSignal::new(true);
    let keep = RwSignal::new(false);
    let request = move || {
        let (path, space) = (path.get().trim().to_owned(), space.get()?);
        (!path.is_empty()).then(|| WatchAdd {
            path,
            space: space.to_string(),
            include: globs(&include.get()),
            exclude: globs(&exclude.get()),
            honour_gitignore: gitignore.get(),
            on_delete: Some(if keep.get() { DeletePolicy::Keep } else { DeletePolicy::Mark }),
        })
    };
    let done = Callback::new(move |watch: um_model::watch::WatchFolder| {
        app.spaces.refresh();
        app.changes.spaces.update(|n| *n += 1);
        app.toasts.say(format!("{} is watched. Its files are read as they come.", watch.path));
    });
    view! {
        <Form request button="Watch it" done>
            <PathField id="watch-path" label="Folder" value=path files=false/>
            <SpaceField id="watch-space" chosen=space/>
            <label class="label" for="watch-include">"Only these files (all where empty)"</label>
            <input id="watch-include" class="field" type="text" placeholder="*.pdf, notes/**" autocomplete="off"
                on:input=move |e| include.set(event_target_value(&e))/>
            <label class="label" for="watch-exclude">"Never these"</label>
            <input id="watch-exclude" class="field" type="text" placeholder="*.tmp, node_modules/**" autocomplete="off"
                on:input=move |e| exclude.set(event_target_value(&e))/>
            <label class="check">
                <input type="checkbox" prop:checked=move || gitignore.get()
                    on:change=move |e| gitignore.set(event_target_checked(&e))/>
                "Leave out what .gitignore leaves out"
            </label>
            <label class="check">
                <input type="checkbox" prop:checked=move || keep.get() on:change=move |e| keep.set(event_target_checked(&e))/>
                "Keep in recall what is deleted from the folder"
            </label>
        </Form>
    }
}

#[component]
fn ModelFile(model: Model) -> impl IntoView {
    let app = App::get();
    let path = RwSignal::new(String::new());
    let id = StoredValue::new(model.id.clone());
    let request = move || {
        let path = path.get().trim().to_owned();
        (!path.is_empty()).then(|| ModelAdd { path, id: Some(id.get_value()) })
    };
    let done = Callback::new(move |model: Model| {
        app.models.refresh();
        app.toasts.say(format!("{} is installed. What waited for it goes on.", model.name));
    });
    let says = format!(
        "{} is {} and comes under {}. A copy from another machine is checked, then kept in the data folder.",
        model.name,
        size(model.download_bytes),
        model.licence
    );
    view! {
        <Form request button="Install" done>
            <p>{says}</p>
            <PathField id="model-path" label="File or folder of the model" value=path/>
        </Form>
    }
}

#[component]
fn Password(id: ArtifactId, name: String) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(id);
    let password = RwSignal::new(String::new());
    let request = move || {
        let password = password.get();
        (!password.is_empty()).then(|| ArtifactUnlock { id: id.get_value(), password })
    };
    let title = name.clone();
    let done = Callback::new(move |_| app.toasts.say(format!("{title} is being read.")));
    view! {
        <Form request button="Enter" done>
            <p>{voice::needs_password(&name)} " It is used once and never stored."</p>
            <label class="label" for="password">"Password"</label>
            <input id="password" class="field" type="password" autocomplete="off" data-testid="password"
                on:input=move |e| password.set(event_target_value(&e))/>
        </Form>
    }
}

/// How well-known agents are told of the bridge: name, and the line or the setting.
const CLIENTS: &[(&str, &str)] = &[
    ("Claude Code", "claude mcp add ultimate-memory -- umem mcp"),
    ("Codex", "codex mcp add ultimate-memory -- umem mcp"),
    ("VS Code", r#"code --add-mcp '{"name":"ultimate-memory","command":"umem","args":["mcp"]}'"#),
    ("Claude Desktop, Cursor", r#"{"mcpServers":{"ultimate-memory":{"command":"umem","args":["mcp"]}}}"#),
];

/// How an agent is connected.
#[component]
pub fn Connect() -> impl IntoView {
    let app = App::get();
    let client = |(name, line): &(&'static str, &'static str)| {
        let (name, line) = (*name, *line);
        view! {
            <div class="client">
                <p class="label">{name}</p>
                <div class="code-line">
                    <code tabindex="0">{line}</code>
                    <button type="button" class="button ghost square" aria-label=format!("Copy the line for {name}")
                        on:click=move |_| clipboard::copy(app, line.to_owned(), "Copied.")>
                        <Glyph icon=Icon::Copy/>
                    </button>
                </div>
            </div>
        }
    };
    let socket = move || app.status.value.with(|s| s.as_ref().and_then(|s| s.socket.clone()));
    view! {
        <p>"An agent asks over a local socket and gets the same citations that you see. Give it this line. When it comes the first time, you are asked whether to let it in."</p>
        {CLIENTS.iter().map(client).collect_view()}
        {move || socket().map(|socket| view! {
            <p class="small muted">"Socket: " <code>{socket}</code></p>
        })}
    }
}

#[component]
fn Privacy() -> impl IntoView {
    let app = App::get();
    let folder = move || app.settings.value.with(|s| s.as_ref().map(|s| s.data_folder.clone()).unwrap_or_default());
    let cloud = move || app.status.value.with(|s| s.as_ref().and_then(|s| s.cloud.clone()));
    view! {
        <p>{move || voice::privacy(cloud().as_deref())}</p>
        <p>"Only the models that you ask for are fetched; each is checked against its known checksum."</p>
        <p class="small muted">"Kept in " <code>{folder}</code></p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_separated_by_commas_and_spaces() {
        assert_eq!(globs("*.pdf, notes/** ,,x"), ["*.pdf", "notes/**", "x"]);
        assert!(globs("  ").is_empty());
    }
}
