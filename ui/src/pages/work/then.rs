//! Rules, knowledge and resources as of a day that has passed: the field for the day, that nothing is changed there, and the way back.

use crate::{
    components::icon::{Glyph, Icon},
    dates,
    pages::recall::{AsOf, first_day},
    state::App,
};
use leptos::prelude::*;
use um_model::EpochMs;

/// Why what can be changed now cannot be changed there.
const FIXED: &str = "What was on another day cannot be changed. Go back to now first.";

/// Whether another day is looked at.
pub fn is_past(app: App) -> bool {
    app.work_day.with(Option::is_some)
}

/// The moment that is asked of: the end of that day; none for now.
pub fn as_of(app: App) -> Option<EpochMs> {
    app.work_day.get().map(|day| dates::end_of(day, dates::utc_offset()))
}

/// Why a button is off on another day.
pub fn reason(app: App) -> Option<&'static str> {
    is_past(app).then_some(FIXED)
}

/// The field for the day. Nothing is older than the first space.
#[component]
pub fn Day() -> impl IntoView {
    let app = App::get();
    view! { <AsOf day=app.work_day first=first_day(app)/> }
}

/// That another day is looked at, and the way back.
#[component]
pub fn Then() -> impl IntoView {
    let app = App::get();
    move || {
        app.work_day.get().map(|day| {
            let says = format!("As it was on {}. What was cannot be changed.", dates::numbered_day(day));
            view! {
                <div class="notice" role="status" data-testid="work-then">
                    <Glyph icon=Icon::Older/>
                    <span class="grow">{says}</span>
                    <button type="button" class="button ghost small" data-testid="work-now" on:click=move |_| app.work_day.set(None)>"Back to now"</button>
                </div>
            }
        })
    }
}

/// What was not compared with the words that were typed.
pub fn notices(all: Vec<String>) -> impl IntoView {
    all.into_iter().map(|says| view! { <p class="muted small" data-testid="work-notice">{says}</p> }).collect_view()
}
