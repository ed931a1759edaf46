//! A dialog: the browser's own, which holds the focus inside and gives it back at the end.

use super::icon::{Glyph, Icon};
use leptos::{ev::MouseEvent, html, prelude::*};
use wasm_bindgen::JsCast;

/// Closes the dialog that the caller stands in.
#[derive(Clone, Copy)]
pub struct Close(NodeRef<html::Dialog>);

impl Close {
    /// The one of the dialog around this component.
    pub fn get() -> Self {
        expect_context()
    }

    /// Closes it.
    pub fn now(&self) {
        if let Some(dialog) = self.0.get_untracked() {
            dialog.close();
        }
    }
}

/// A form begins in its first field for words, not at the button that closes it.
fn focus_field(dialog: &web_sys::HtmlDialogElement) {
    const FIELDS: &str = ".form input[type=text], .form input[type=password], .form textarea";
    if let Ok(Some(field)) = dialog.query_selector(FIELDS) {
        // An element that cannot be focused leaves the focus where it is.
        let _ = field.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// A modal dialog with a title. It is open as long as it stands in the page; `on_close` must take it out.
#[component]
pub fn DialogBox(
    /// Its title.
    #[prop(into)]
    title: String,
    /// A word for tests: `dialog-{name}`.
    name: &'static str,
    /// Called once it was closed, by whatever means.
    on_close: Callback<()>,
    /// Whether the title is for screen readers alone.
    #[prop(optional)]
    bare: bool,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    provide_context(Close(node));
    Effect::new(move |_| {
        if let Some(dialog) = node.get() {
            // Fails only where it is open already.
            let _ = dialog.show_modal();
            focus_field(&dialog);
        }
    });
    let click_outside = move |click: MouseEvent| {
        let on_backdrop = click.target().is_some_and(|t| t.dyn_ref::<web_sys::HtmlDialogElement>().is_some());
        if on_backdrop {
            Close(node).now();
        }
    };
    let title_id = format!("dialog-title-{name}");
    view! {
        <dialog
            node_ref=node
            class=if bare { "dialog bare" } else { "dialog" }
            data-testid=format!("dialog-{name}")
            aria-labelledby=title_id.clone()
            on:close=move |_| on_close.run(())
            on:mousedown=click_outside
        >
            <div class="dialog-body">
                {head(title_id.clone(), title, bare, Close(node))}
                {children()}
            </div>
        </dialog>
    }
}

fn head(id: String, title: String, bare: bool, close: Close) -> impl IntoView {
    view! {
        <header class="dialog-head" class:hidden-words=bare>
            <h2 id=id>{title}</h2>
            {(!bare).then(|| view! {
                <button type="button" class="button ghost square" aria-label="Close" on:click=move |_| close.now()>
                    <Glyph icon=Icon::Cross/>
                </button>
            })}
        </header>
    }
}
