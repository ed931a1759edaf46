//! Recall: a question and the passages that answer it; packs for agents; how answers came about.

mod answer;
mod ask;
mod behind;
mod believed;
mod connected;
mod context;
mod event;
mod filters;
mod first_run;
mod moment;
mod opinion;
mod pack;
mod passed;
mod replay;
mod result;
mod saved;
mod signals;
mod trace;
mod traces;
mod why_not;
mod words;

pub use ask::Recall;
pub use context::Context;
pub use filters::Filters;
pub use trace::Trace;
pub use traces::Traces;

use crate::{
    components::{dialogs::boxed, link::PageLink},
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::recall::MemoryRecall;

/// A dialog about a question.
#[derive(Debug, Clone, PartialEq)]
pub enum RecallDialog {
    /// Keep the question.
    Save(Box<MemoryRecall>),
    /// Why something is not among the passages.
    WhyNot(Box<MemoryRecall>),
    /// How a question is narrowed down by words.
    Syntax,
}

/// Draws one of them.
pub fn recall_dialog(dialog: RecallDialog, on_close: Callback<()>) -> AnyView {
    match dialog {
        RecallDialog::Save(recall) => {
            boxed("Save this search", "save-search", on_close, move || view! { <saved::Save recall=*recall/> })
        }
        RecallDialog::WhyNot(recall) => {
            boxed("Why not...", "why-not", on_close, move || view! { <why_not::WhyNotForm recall=*recall/> })
        }
        RecallDialog::Syntax => boxed("Narrow it down by words", "syntax", on_close, || view! { <filters::Syntax/> }),
    }
}

/// The tabs of the page; the one at `here` is shown.
fn tabs(here: usize) -> impl IntoView {
    let app = App::get();
    let all = [
        ("Ask", "tab-ask", Signal::derive(move || app.recall())),
        ("Context", "tab-context", Signal::stored(Route::Context)),
        ("Traces", "tab-traces", Signal::stored(Route::Traces)),
    ];
    let tab = move |(at, (name, testid, to)): (usize, (&'static str, &'static str, Signal<Route>))| {
        view! { <span class="tab" class:here=at == here data-testid=testid><PageLink to>{name}</PageLink></span> }
    };
    view! { <nav class="tabs" aria-label="Recall">{all.into_iter().enumerate().map(tab).collect_view()}</nav> }
}
