//! Recall before the first question.

use crate::{
    components::{
        icon::{Glyph, Icon},
        states::Empty,
    },
    format::count,
    route::Route,
    state::{App, Dialog},
    voice,
};
use leptos::prelude::*;

/// What a person sees before the first question.
#[component]
pub fn FirstRun() -> impl IntoView {
    let app = App::get();
    let known = move || app.spaces.value.with(Option::is_some);
    let all_files = move || {
        app.spaces.value.with(|s| s.iter().flat_map(|s| &s.spaces).map(|s| s.artifacts + s.memories).sum::<u64>())
    };
    app.results.set(Vec::new());
    move || {
        match (known(), all_files()) {
        (false, _) => ().into_any(),
        (true, 0) => view! { <Welcome/> }.into_any(),
        (true, _) => view! {
            <Empty icon=Icon::Search says=Signal::derive(move || match app.current_space() {
                Some(space) if space.artifacts + space.memories == 0 => voice::nothing_yet(&app.space_label()),
                Some(space) => format!("{} and what they say are ready. Ask in your own words.", count(space.artifacts, "file")),
                None => "Ask in your own words. All spaces are searched.".to_owned(),
            })>
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            </Empty>
        }
        .into_any(),
    }
    }
}

#[component]
fn Welcome() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="welcome" data-testid="first-run">
            <p class="title">{voice::INVITATION}</p>
            <ul class="cards">
                <li class="card-plain">
                    <Glyph icon=Icon::Plus/>
                    <h2>"Add files"</h2>
                    <p class="muted">"Notes, PDFs, pictures, recordings. Drop them anywhere, or let a folder be watched."</p>
                    <div class="actions">
                        <button type="button" class="button accent" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>"Add files"</button>
                        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::WatchFolder))>"Watch a folder"</button>
                    </div>
                </li>
                <li class="card-plain">
                    <Glyph icon=Icon::Model/>
                    <h2>"Models"</h2>
                    <p class="muted">"Speech needs a model on this machine. You choose which, and see its size first."</p>
                    <div class="actions">
                        <button type="button" class="button" on:click=move |_| app.go(Route::Settings)>"See the models"</button>
                    </div>
                </li>
                <li class="card-plain">
                    <Glyph icon=Icon::Plug/>
                    <h2>"Connect an agent"</h2>
                    <p class="muted">"It asks the same questions over a local socket, and gets the same citations."</p>
                    <div class="actions">
                        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>"Show the line"</button>
                    </div>
                </li>
            </ul>
        </div>
    }
}
