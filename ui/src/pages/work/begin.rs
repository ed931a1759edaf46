//! A session that a person begins, and what one is called.

use super::words::session_title;
use crate::{
    components::{add_files::SpaceField, dialogs::Form},
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::work::{Session, SessionBegin, SessionBegun, SessionSet};

/// What stands in a field, where anything does.
pub fn given(field: RwSignal<String>) -> Option<String> {
    Some(field.get().trim().to_owned()).filter(|text| !text.is_empty())
}

fn fields(name: RwSignal<String>, purpose: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="label" for="session-name">"Name"</label>
        <input id="session-name" class="field" type="text" maxlength="100" autocomplete="off" data-testid="session-name"
            prop:value=move || name.get() on:input=move |e| name.set(event_target_value(&e))/>
        <label class="label" for="session-purpose">"What it is for"</label>
        <input id="session-purpose" class="field" type="text" maxlength="300" autocomplete="off" data-testid="session-purpose"
            prop:value=move || purpose.get() on:input=move |e| purpose.set(event_target_value(&e))/>
    }
}

/// Begins a session by hand.
#[component]
pub fn Begin() -> impl IntoView {
    let app = App::get();
    let [name, purpose] = [(); 2].map(|()| RwSignal::new(String::new()));
    let space = RwSignal::new(app.space.get_untracked());
    let request = move || {
        let space = space.get()?.to_string();
        let (name, purpose) = (given(name)?, given(purpose));
        Some(SessionBegin { space: Some(space), name: Some(name), purpose, ..SessionBegin::default() })
    };
    let done = Callback::new(move |begun: SessionBegun| {
        app.toasts.say(format!("{} is under way.", session_title(&begun.session)));
        app.go(Route::Session(begun.session.id));
    });
    view! {
        <Form request button="Begin" done>
            <p>"An agent can take it up, and write down in it what it does."</p>
            {fields(name, purpose)}
            <SpaceField id="session-space" chosen=space/>
        </Form>
    }
}

/// Says what a session is called and what it is for.
#[component]
pub fn Rename(session: Session) -> impl IntoView {
    let app = App::get();
    let name = RwSignal::new(session.name.clone().unwrap_or_default());
    let purpose = RwSignal::new(session.purpose.clone().unwrap_or_default());
    let id = StoredValue::new(session.id);
    let request = move || {
        let (name, purpose) = (given(name)?, given(purpose));
        Some(SessionSet { session: id.get_value(), status: None, name: Some(name), purpose, metadata: None })
    };
    let done = Callback::new(move |now: Session| app.toasts.say(format!("It is called {} now.", session_title(&now))));
    view! { <Form request button="Rename" done>{fields(name, purpose)}</Form> }
}
