//! Links inside the window: real addresses, followed without loading the page anew.

use crate::{route::Route, state::App};
use leptos::{ev::MouseEvent, prelude::*};

/// Whether a click asks for what the window itself does, and not for a new tab.
pub fn is_plain(click: &MouseEvent) -> bool {
    click.button() == 0 && !click.ctrl_key() && !click.meta_key() && !click.shift_key() && !click.alt_key()
}

/// A link to a page.
#[component]
pub fn PageLink(
    /// Where it leads.
    #[prop(into)]
    to: Signal<Route>,
    /// Its classes.
    #[prop(optional, into)]
    class: String,
    /// What tests know it by.
    #[prop(optional)]
    testid: Option<&'static str>,
    /// Whether Tab reaches it, where it is the one of its row in a list that takes the focus.
    #[prop(optional, into)]
    tabindex: Option<Signal<&'static str>>,
    /// Whether it leads to what is shown, where it is one of several that say so.
    #[prop(optional, into)]
    current: Option<Signal<bool>>,
    /// What else is done where it is followed. What stands around it hears of no click: by then the page that both are on may be gone.
    #[prop(optional)]
    also: Option<Callback<()>>,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    let app = App::get();
    let follow = move |click: MouseEvent| {
        click.prevent_default();
        app.go(to.get_untracked());
        if let Some(also) = also {
            also.run(());
        }
    };
    let focus = tabindex.map(|_| "");
    let current = move || current.is_some_and(|of| of.get()).then_some("page");
    view! {
        <a class=class href=move || to.get().url() data-testid=testid aria-current=current data-focus=focus tabindex=move || tabindex.map(|of| of.get())
            on:click=follow>{children()}</a>
    }
}
