//! What is to be forgotten where it is no single thing: words, a folder, somebody's.

use super::Ask;
use crate::{
    components::{choose_path::PathField, dialog::Close, dialogs::Form},
    state::App,
};
use leptos::{ev, prelude::*};
use um_model::forget::{ForgetExport, ForgetExported, ForgetWhat};

/// What everything that goes has in common.
#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    Words,
    Folder,
    Owner,
}

const ALL: [(By, &str); 3] = [
    (By::Words, "Everything with these words"),
    (By::Folder, "Everything that came from a folder"),
    (By::Owner, "Everything of somebody, or of an agent"),
];

/// What is asked for, where enough is said.
fn asked(by: By, text: &str, space: Option<String>) -> Option<Ask> {
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty())?;
    let what = ForgetWhat { space, ..ForgetWhat::default() };
    Some(match by {
        By::Words => Ask { of: format!("with the words \"{text}\""), what: ForgetWhat { query: Some(text), ..what } },
        By::Folder => Ask { of: format!("from {text}"), what: ForgetWhat { folder: Some(text), ..what } },
        By::Owner => Ask { of: format!("of {text}"), what: ForgetWhat { owner: Some(text), ..what } },
    })
}

/// The dialog that asks what. What would go is shown next.
#[component]
pub fn ForgetChoose() -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let by = RwSignal::new(By::Words);
    let text = RwSignal::new(String::new());
    let only_here = RwSignal::new(false);
    let here = untrack(|| app.current_space());
    let space = here.as_ref().map(|here| here.space.id.to_string());
    let ask = Memo::new(move |_| asked(by.get(), &text.get(), space.clone().filter(|_| only_here.get())));
    let look = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if let Some(ask) = ask.get_untracked() {
            ask.open(app);
        }
    };
    let chosen = move |event: ev::Event| {
        if let Some((kind, _)) = event_target_value(&event).parse().ok().and_then(|at: usize| ALL.get(at)) {
            by.set(*kind);
            text.set(String::new());
        }
    };
    let kinds = ALL.iter().enumerate().map(|(at, (_, words))| view! { <option value=at.to_string()>{*words}</option> });
    view! {
        <form class="form" on:submit=look>
            <label class="label" for="forget-by">"What"</label>
            <select id="forget-by" class="field" data-testid="forget-by" on:change=chosen>{kinds.collect_view()}</select>
            {move || match by.get() {
                By::Folder => view! { <PathField id="forget-folder" label="Folder" value=text files=false/> }.into_any(),
                by => view! {
                    <label class="label" for="forget-text">{if by == By::Words { "Words" } else { "Name" }}</label>
                    <input id="forget-text" class="field" type="text" autocomplete="off" data-testid="forget-text"
                        prop:value=move || text.get() on:input=move |e| text.set(event_target_value(&e))/>
                }.into_any(),
            }}
            {here.map(|here| view! {
                <label class="check">
                    <input type="checkbox" data-testid="forget-here" on:change=move |e| only_here.set(event_target_checked(&e))/>
                    {format!("Only in {}", here.space.name)}
                </label>
            })}
            <p class="muted small">"What would go is shown first."</p>
            <div class="form-foot">
                <button type="button" class="button" on:click=move |_| close.now()>"Cancel"</button>
                <button type="submit" class="button accent" data-testid="form-submit" disabled=move || ask.with(Option::is_none)>"Show what would go"</button>
            </div>
        </form>
    }
}

/// Asks where the proof is to be written.
#[component]
pub fn SaveProof(
    /// The forgetting's id.
    id: String,
) -> impl IntoView {
    let app = App::get();
    let path = RwSignal::new(String::new());
    let id = StoredValue::new(id);
    let request = move || {
        let path = path.get().trim().to_owned();
        (!path.is_empty()).then(|| ForgetExport { id: Some(id.get_value()), path })
    };
    let done = Callback::new(move |done: ForgetExported| app.toasts.say(format!("Written to {}.", done.path)));
    view! {
        <Form request button="Save" done>
            <p>"How much went and what was looked for afterwards, as JSON: ids and numbers, and nothing that was said."</p>
            <PathField id="proof-path" label="New file, or the folder for it" value=path files=false/>
        </Form>
    }
}
