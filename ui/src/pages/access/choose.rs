//! A choice that is kept at once, and put back where it cannot be.

use crate::{ipc, state::App};
use leptos::{ev, prelude::*, task::spawn_local};
use um_model::ops::Request;

/// A field to choose one of several; the choice is asked of the engine at once.
pub fn choose<T, R>(
    label: String,
    test: &'static str,
    all: &'static [T],
    words: fn(T) -> &'static str,
    now: impl Fn() -> Option<T> + Copy + Send + Sync + 'static,
    request: impl Fn(T) -> R + Send + Sync + 'static,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
    R: Request + 'static,
{
    let app = App::get();
    let at = move || now().and_then(|now| all.iter().position(|one| *one == now));
    let chosen = move |event: ev::Event| {
        let field: web_sys::HtmlSelectElement = event_target(&event);
        let Some(wanted) = field.value().parse().ok().and_then(|at: usize| all.get(at)) else { return };
        let request = request(*wanted);
        spawn_local(async move {
            if let Err(error) = ipc::call(request).await {
                app.toasts.trouble(&error);
                field.set_value(&untrack(at).map_or_else(String::new, |at| at.to_string()));
            }
        });
    };
    let options = all.iter().enumerate().map(move |(index, one)| {
        view! { <option value=index.to_string() prop:selected=move || at() == Some(index)>{words(*one)}</option> }
    });
    view! { <select class="field" aria-label=label data-testid=test on:change=chosen>{options.collect_view()}</select> }
}

/// A box to tick; what is asked for is asked of the engine at once.
pub fn tick<R: Request + 'static>(
    label: String,
    words: &'static str,
    (test, value): (&'static str, &'static str),
    now: impl Fn() -> bool + Copy + Send + Sync + 'static,
    request: impl Fn(bool) -> R + Send + Sync + 'static,
) -> impl IntoView {
    let app = App::get();
    let changed = move |event: ev::Event| {
        let field: web_sys::HtmlInputElement = event_target(&event);
        let request = request(field.checked());
        spawn_local(async move {
            if let Err(error) = ipc::call(request).await {
                app.toasts.trouble(&error);
                field.set_checked(untrack(now));
            }
        });
    };
    view! {
        <label class="check small">
            <input type="checkbox" aria-label=label data-testid=test value=value prop:checked=now on:change=changed/>
            <span>{words}</span>
        </label>
    }
}

/// A field for how much is believed of what somebody says, in percent; kept at once.
pub fn trust<R: Request + 'static>(
    label: String,
    now: impl Fn() -> Option<f64> + Copy + Send + Sync + 'static,
    request: impl Fn(f64) -> R + Send + Sync + 'static,
) -> impl IntoView {
    let app = App::get();
    let shown = move || now().map_or_else(String::new, |weight| format!("{:.0}", weight * 100.0));
    let changed = move |event: ev::Event| {
        let field: web_sys::HtmlInputElement = event_target(&event);
        let Some(percent) = field.value().parse().ok().filter(|percent: &f64| (0.0..=100.0).contains(percent)) else {
            field.set_value(&untrack(shown));
            return;
        };
        let request = request(percent / 100.0);
        spawn_local(async move {
            if let Err(error) = ipc::call(request).await {
                app.toasts.trouble(&error);
                field.set_value(&untrack(shown));
            }
        });
    };
    view! {
        <span class="trust">
            <input type="number" class="field number" min="0" max="100" step="5" aria-label=label placeholder="–"
                prop:value=shown on:change=changed/>
            " %"
        </span>
    }
}
