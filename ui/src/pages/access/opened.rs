//! The folders that an agent may bring in files from: listed, opened, closed.

use crate::{
    actions::run,
    components::{
        choose_path::PathField,
        dialogs::Form,
        icon::{Glyph, Icon},
        pairing::plain,
    },
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{
    AgentId,
    access::{AgentEdit, AgentInfo},
};

/// The folders of one agent, with what opens another.
pub fn folders(app: App, agent: &AgentInfo) -> impl IntoView + use<> {
    let (id, name, open) = (agent.id.clone(), plain(&agent.name), agent.folders.clone());
    let says = if open.is_empty() {
        "Brings in files only from folders that its spaces watch."
    } else {
        "Brings in files from these folders, and those that its spaces watch:"
    };
    let row = |folder: &String| {
        let others: Vec<String> = open.iter().filter(|one| *one != folder).cloned().collect();
        let id = id.to_string();
        let close = move |_| {
            run(app, AgentEdit { agent: id.clone(), folders: Some(others.clone()), ..AgentEdit::default() });
        };
        view! {
            <li class="token" data-testid="folder-row">
                <Glyph icon=Icon::Folder/>
                <span class="grow">{folder.clone()}</span>
                <button type="button" class="button small" aria-label=format!("Close {folder} to {name}") on:click=close>"Close"</button>
            </li>
        }
    };
    let rows: Vec<_> = open.iter().map(row).collect();
    let label = format!("Open a folder to {name}");
    let another = move |_| {
        app.dialog.set(Some(Dialog::OpenFolder { id: id.clone(), name: name.clone(), open: open.clone() }));
    };
    view! {
        <div class="head-row">
            <span class="grow muted small">{says}</span>
            <button type="button" class="button small" data-testid="folder-open" aria-label=label on:click=another>"Open a folder"</button>
        </div>
        <ul class="plain">{rows}</ul>
    }
}

/// Asks which folder is opened to an agent.
#[component]
pub fn OpenFolder(
    /// The agent.
    id: AgentId,
    /// What it calls itself.
    name: String,
    /// The folders that are open to it already.
    open: Vec<String>,
) -> impl IntoView {
    let app = App::get();
    let path = RwSignal::new(String::new());
    let asked = StoredValue::new((id.to_string(), open));
    let request = move || {
        let path = path.get().trim().to_owned();
        let (agent, open) = asked.get_value();
        let folders = Some(open.into_iter().chain([path.clone()]).collect());
        (!path.is_empty()).then_some(AgentEdit { agent, folders, ..AgentEdit::default() })
    };
    let done = Callback::new(move |_: AgentInfo| app.agents.refresh());
    view! {
        <Form request button="Open" done>
            <p>{format!("{name} may then bring any file below the folder into its spaces, except hidden files and keys, and read it there.")}</p>
            <PathField id="open-folder-path" label="Folder" value=path files=false/>
        </Form>
    }
}
