//! The tabs of a page: links, of which one leads to what is shown.

use super::link::PageLink;
use crate::{format::grouped, route::Route};
use leptos::prelude::*;

/// One tab.
pub struct Tab {
    name: &'static str,
    testid: &'static str,
    here: bool,
    to: Signal<Route>,
    waiting: Signal<u64>,
}

impl Tab {
    /// A tab by its name, and what tests know it by. `here` says whether it is the one that is shown.
    pub fn new(name: &'static str, testid: &'static str, here: bool, to: impl Into<Signal<Route>>) -> Self {
        Self { name, testid, here, to: to.into(), waiting: Signal::stored(0) }
    }

    /// The same, with how much waits in it.
    pub fn with(self, waiting: Signal<u64>) -> Self {
        Self { waiting, ..self }
    }
}

/// The tabs.
#[component]
pub fn Tabs(
    /// Their name for screen readers.
    label: &'static str,
    /// They, in their order.
    all: Vec<Tab>,
) -> impl IntoView {
    let tab = |Tab { name, testid, here, to, waiting }: Tab| {
        let number = move || Some(waiting.get()).filter(|n| *n > 0).map(|n| format!(" ({})", grouped(n)));
        view! {
            <span class="tab" class:here=here data-testid=testid>
                <PageLink to current=Signal::stored(here)>{name}{number}</PageLink>
            </span>
        }
    };
    view! { <nav class="tabs" aria-label=label>{all.into_iter().map(tab).collect_view()}</nav> }
}
