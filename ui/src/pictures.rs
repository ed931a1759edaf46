//! Pictures and sounds that the window holds: each is fetched once and kept while there is room.

use crate::ipc;
use leptos::{prelude::*, task::spawn_local};
use std::cell::RefCell;
use um_model::{ApiError, ArtifactId, capture::MediaPart};

/// How many are kept.
const ROOM: usize = 200;

thread_local! {
    /// Key and address, the most recently used last.
    static KEPT: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// An address under which the window shows a part of a file: `None` until it is there.
pub fn address(id: ArtifactId, part: MediaPart) -> RwSignal<Option<Result<String, ApiError>>> {
    let shown = RwSignal::new(None);
    let key = format!("{id} {part:?}");
    if let Some(url) = kept(&key) {
        shown.set(Some(Ok(url)));
        return shown;
    }
    spawn_local(async move {
        let answer = ipc::media(&id, part).await.map(|(mime_type, bytes)| keep(key, &mime_type, &bytes));
        shown.try_set(Some(answer));
    });
    shown
}

/// Lets all of them go: one may show what was just forgotten.
pub fn let_go() {
    KEPT.with_borrow_mut(|all| all.drain(..).for_each(|(_, url)| ipc::forget_url(&url)));
}

fn kept(key: &str) -> Option<String> {
    KEPT.with_borrow_mut(|all| {
        let at = all.iter().position(|(known, _)| known == key)?;
        let entry = all.remove(at);
        let url = entry.1.clone();
        all.push(entry);
        Some(url)
    })
}

fn keep(key: String, mime_type: &str, bytes: &[u8]) -> String {
    let url = ipc::blob_url(mime_type, bytes).unwrap_or_default();
    KEPT.with_borrow_mut(|all| {
        all.push((key, url.clone()));
        if all.len() > ROOM {
            ipc::forget_url(&all.remove(0).1);
        }
    });
    url
}
