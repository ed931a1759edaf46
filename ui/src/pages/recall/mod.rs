//! Recall: a question and the passages that answer it; packs for agents; how answers came about.

mod answer;
mod ask;
mod before;
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
mod path;
mod replay;
mod result;
mod saved;
mod signals;
mod since;
mod trace;
mod traces;
mod warned;
mod why_not;
mod words;

pub use ask::Recall;
pub use context::{Context, Packing};
pub use filters::Filters;
pub use moment::{AsOf, first_day};
pub use trace::Trace;
pub use traces::{Traces, TracesShown};
pub use words::typed;

use crate::{
    components::{
        dialogs::boxed,
        tabs::{Tab, Tabs},
    },
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
    let all = vec![
        Tab::new("Ask", "tab-ask", here == 0, Signal::derive(move || app.recall())),
        Tab::new("Context", "tab-context", here == 1, Route::Context),
        Tab::new("Traces", "tab-traces", here == 2, Route::Traces),
    ];
    view! { <Tabs label="Recall" all/> }
}
