//! Questions that are kept: saved under a name, asked again, dropped.

use super::words::narrowed;
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
    },
    dates, ipc,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    recall::MemoryRecall,
    traces::{SavedSearch, SearchDrop, SearchSave},
};

/// The longest name, in characters.
const LONGEST: usize = 80;

/// The question as a name: its first words.
fn name_of(query: &str) -> String {
    query.trim().trim_end_matches('?').chars().take(LONGEST).collect::<String>().trim().to_owned()
}

/// Where a question is asked, and what narrows it down.
fn narrowed_in(app: App, recall: &MemoryRecall) -> Vec<String> {
    std::iter::once(app.place_of(recall)).chain(narrowed(recall, dates::day, dates::numbered_day)).collect()
}

/// Keeps a question.
#[component]
pub fn Save(
    /// The question with its filters.
    recall: MemoryRecall,
) -> impl IntoView {
    let app = App::get();
    let name = RwSignal::new(name_of(&recall.query));
    let asked = match recall.query.clone() {
        query if query.is_empty() => "Nothing is asked: the newest that pass are given.".into_any(),
        query => view! { "Question: " <span class="strong">{query}</span> }.into_any(),
    };
    let narrowed = untrack(|| narrowed_in(app, &recall)).join(", ");
    let recall = StoredValue::new(recall);
    let request = move || {
        let name = name.get().trim().to_owned();
        (!name.is_empty()).then(|| SearchSave { name, recall: recall.get_value() })
    };
    let done = Callback::new(move |saved: SavedSearch| {
        app.searches.refresh();
        app.toasts.say(format!("Saved as {}.", saved.name));
    });
    view! {
        <Form request button="Save" done>
            <label class="label" for="search-name">"Name"</label>
            <input id="search-name" class="field" type="text" maxlength=LONGEST.to_string() autocomplete="off" data-testid="search-name"
                prop:value=move || name.get() on:input=move |e| name.set(event_target_value(&e))/>
            <p class="muted">{asked}</p>
            <p class="muted small">{narrowed}</p>
            <p class="muted small">"What is saved is the question, not its answer. One of the same name is replaced."</p>
        </Form>
    }
}

/// The questions that are kept; nothing where there are none.
#[component]
pub fn Chips() -> impl IntoView {
    let app = App::get();
    let all =
        Memo::new(move |_| app.searches.value.with(|s| s.as_ref().map(|s| s.searches.clone()).unwrap_or_default()));
    move || {
        (!all.with(Vec::is_empty)).then(|| {
            view! {
                <ul class="saved" aria-label="Saved searches">
                    {all.get().into_iter().map(|one| chip(app, one)).collect_view()}
                </ul>
            }
        })
    }
}

fn chip(app: App, one: SavedSearch) -> impl IntoView {
    let (recall, dropped) = (one.recall.clone(), one.clone());
    let asked = Some(one.recall.query.clone()).filter(|query| !query.is_empty());
    let title = asked.into_iter().chain(narrowed_in(app, &one.recall)).collect::<Vec<_>>();
    view! {
        <li class="saved-chip" data-testid="saved-search">
            <button type="button" class="saved-ask" title=title.join(", ") on:click=move |_| app.ask(&recall)>
                <Glyph icon=Icon::Saved/> <span class="clip">{one.name.clone()}</span>
            </button>
            <button type="button" class="saved-drop" data-testid="saved-drop" aria-label=format!("Drop {}", one.name)
                title="Drop it; it can be undone" on:click=move |_| forget(app, dropped.clone())><Glyph icon=Icon::Cross/></button>
        </li>
    }
}

/// Drops a question; undone by keeping it again.
fn forget(app: App, one: SavedSearch) {
    spawn_local(async move {
        match ipc::call(SearchDrop { id: one.id.clone() }).await {
            Ok(_) => {
                app.searches.refresh();
                let words = format!("{} is saved no more.", one.name);
                app.toasts.say_with_undo(words, move || keep(app, one.clone()));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

fn keep(app: App, one: SavedSearch) {
    spawn_local(async move {
        match ipc::call(SearchSave { name: one.name, recall: one.recall }).await {
            Ok(_) => app.searches.refresh(),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_question_is_named_by_its_first_words() {
        assert_eq!(name_of(" When is the boiler serviced? "), "When is the boiler serviced");
        assert_eq!(name_of(&"long ".repeat(40)).chars().count(), 79);
    }
}
