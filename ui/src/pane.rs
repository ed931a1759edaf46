//! The width of the viewer beside a page: 40 % at first, moved by hand or by the arrow keys.

use leptos::{
    ev::{KeyboardEvent, PointerEvent},
    html,
    prelude::*,
};

const NARROWEST: f64 = 25.0;
const WIDEST: f64 = 65.0;
/// One press of an arrow, in hundredths of the window.
const STEP: f64 = 2.0;

/// The line between page and viewer.
#[component]
pub fn Splitter() -> impl IntoView {
    let width = RwSignal::new(stored_width());
    Effect::new(move |_| {
        let width = width.get();
        if let Some(root) = document().document_element() {
            let style = web_sys::HtmlElement::style(wasm_bindgen::JsCast::unchecked_ref(&root));
            // The name is known to every browser.
            let _ = style.set_property("--viewer", &format!("{width}vw"));
        }
        if let Ok(Some(storage)) = window().local_storage() {
            // A full storage costs the memory of the width, nothing else.
            let _ = storage.set_item(KEY, &width.to_string());
        }
    });
    let node = NodeRef::<html::Div>::new();
    let grab = move |event: PointerEvent| {
        if let Some(div) = node.get_untracked() {
            // Without the capture the line follows only while the pointer is on it.
            let _ = div.set_pointer_capture(event.pointer_id());
        }
        event.prevent_default();
    };
    let drag = move |event: PointerEvent| {
        let across = window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(0.0);
        if event.buttons() == 1 && across > 0.0 {
            width.set(bounded(100.0 - f64::from(event.client_x()) / across * 100.0));
        }
    };
    let pressed = move |press: KeyboardEvent| {
        let by = match press.key().as_str() {
            "ArrowLeft" => STEP,
            "ArrowRight" => -STEP,
            _ => return,
        };
        press.prevent_default();
        width.update(|w| *w = bounded(*w + by));
    };
    view! {
        <div class="splitter" node_ref=node role="separator" aria-orientation="vertical" aria-label="Width of the viewer"
            tabindex="0" aria-valuemin=NARROWEST aria-valuemax=WIDEST aria-valuenow=move || width.get().round()
            on:pointerdown=grab on:pointermove=drag on:keydown=pressed></div>
    }
}

const KEY: &str = "um.viewer";

fn bounded(width: f64) -> f64 {
    width.clamp(NARROWEST, WIDEST)
}

fn stored_width() -> f64 {
    let stored = window().local_storage().ok().flatten().and_then(|s| s.get_item(KEY).ok().flatten());
    bounded(stored.and_then(|text| text.parse().ok()).unwrap_or(40.0))
}
