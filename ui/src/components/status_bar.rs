//! The status bar: what leaves the machine (nothing, unless the person turned that on), how far the reading is, who is connected.

use super::icon::{Glyph, Icon};
use crate::{
    format::count,
    route::Route,
    state::{App, Dialog},
    voice,
};
use leptos::prelude::*;

/// The status bar; each of its parts is a button.
#[component]
pub fn StatusBar() -> impl IntoView {
    let app = App::get();
    let work = move || {
        let models = app.models.value.get().map(|all| all.models).unwrap_or_default();
        app.status.value.with(|s| s.as_ref().map_or_else(|| "...".to_owned(), |status| voice::work(status, &models)))
    };
    let agents = move || app.status.value.with(|s| s.as_ref().map_or(0, |s| s.agents_connected));
    let cloud = move || app.status.value.with(|s| s.as_ref().and_then(|s| s.cloud.clone()));
    let unreachable = move || app.status.error.with(Option::is_some);
    view! {
        <footer class="status" aria-label="Status">
            <button type="button" data-testid="status-local" on:click=move |_| app.dialog.set(Some(Dialog::Privacy))>
                <Glyph icon=Icon::Shield/> {move || voice::place(cloud().as_deref())}
            </button>
            <button type="button" data-testid="status-work"
                on:click=move |_| app.go(Route::Activity { health: false })>
                <Glyph icon=Icon::Activity/>
                <span role="status" aria-live="polite">
                    {move || if unreachable() { "The service does not answer".to_owned() } else { work() }}
                </span>
            </button>
            <button type="button" data-testid="status-agents" on:click=move |_| app.go(Route::Access)>
                <Glyph icon=Icon::Agent/> {move || count(agents(), "agent")}
            </button>
        </footer>
    }
}
