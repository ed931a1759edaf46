//! WebKit shows the page in a process of its own, which can die of faults that are not ours. The engine and what agents
//! ask go on meanwhile; the window alone would stay blank.

use std::cell::Cell;
use std::time::{Duration, Instant};
use tauri::WebviewWindow;
use webkit2gtk::WebViewExt;

/// A page that dies sooner than this after it was loaded anew would die again and again.
const LIVED: Duration = Duration::from_secs(5);

/// Loads the page anew, at the same address, whenever its process has died.
pub fn revive(window: &WebviewWindow) -> tauri::Result<()> {
    window.with_webview(|view| {
        let revived: Cell<Option<Instant>> = Cell::new(None);
        view.inner().connect_web_process_terminated(move |view, reason| {
            tracing::error!(?reason, "the process that shows the window has died");
            if revived.get().is_none_or(|last| last.elapsed() > LIVED) {
                revived.set(Some(Instant::now()));
                view.reload();
            }
        });
    })
}
