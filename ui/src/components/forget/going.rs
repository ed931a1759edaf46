//! While something is being forgotten: how far it is, and a way to stop.

use crate::{actions, components::dialog::Close, format::sentence, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    forget::ForgetExecute,
    jobs::{CallCancel, JobsStatus, LongCall},
    ops::Request,
};

/// How far it is.
#[component]
pub fn Going(
    /// What, in words.
    of: String,
) -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let status = Query::new(move || {
        app.changes.jobs.track();
        Some(JobsStatus { limit: Some(1), ..JobsStatus::default() })
    });
    let call = Memo::new(move |_| {
        status.value.with(|status| {
            let mut calls = status.iter().flat_map(|status| &status.calls);
            calls.rfind(|call| call.operation == ForgetExecute::NAME).cloned()
        })
    });
    let portion = |call: LongCall| call.total.filter(|total| *total > 0).map(|total| (call.done, total));
    let says = move || match call.get() {
        Some(call) if !call.note.is_empty() => format!("{}.", sentence(&call.note)),
        _ => "Beginning.".to_owned(),
    };
    let stop = move |_| {
        if let Some(call) = call.get_untracked() {
            actions::run(app, CallCancel { id: call.id });
        }
    };
    view! {
        <div class="form" data-testid="forget-going">
            <p role="status">{format!("All {of} goes. ")} {says}</p>
            <progress class="progress" aria-label="Forgetting" max=move || call.get().and_then(portion).map(|(_, total)| total.to_string())
                value=move || call.get().and_then(portion).map(|(done, _)| done.to_string())></progress>
            <p class="muted small">"What is gone stays gone if you stop. It goes on when this is closed."</p>
            <div class="form-foot">
                <button type="button" class="button" data-testid="forget-stop" disabled=move || call.with(Option::is_none) on:click=stop>"Stop"</button>
                <button type="button" class="button" on:click=move |_| close.now()>"Close"</button>
            </div>
        </div>
    }
}
