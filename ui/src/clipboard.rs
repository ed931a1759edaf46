//! The system's clipboard.

use crate::state::App;
use leptos::{prelude::*, task::spawn_local};
use um_model::{ApiError, ErrorCode};
use wasm_bindgen_futures::JsFuture;

/// Copies a text, and says so.
pub fn copy(app: App, text: String, done: &'static str) {
    spawn_local(async move {
        let written = JsFuture::from(window().navigator().clipboard().write_text(&text)).await;
        match written {
            Ok(_) => app.toasts.say(done),
            Err(_) => app.toasts.trouble(&ApiError::new(ErrorCode::Io, "The clipboard could not be reached.")),
        }
    });
}
