//! The window of Ultimate Memory: pages, components, and one module that speaks with the shell.
//!
//! It knows `um-model` and nothing else of the product. What it shows comes from the engine's operations; what
//! it keeps for itself is the theme, the width of the viewer and the space in use.

mod actions;
mod app;
mod clipboard;
mod components;
mod dates;
mod files;
mod format;
mod grown;
mod ipc;
mod keys;
mod paged;
mod pages;
mod pane;
mod pictures;
mod query;
mod route;
mod state;
mod text;
mod tree;
mod voice;

use wasm_bindgen::prelude::wasm_bindgen;

/// Draws the window into the page.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::Window);
}
