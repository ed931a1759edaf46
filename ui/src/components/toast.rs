//! Short messages, with a way back where there is one.

use super::icon::{Glyph, Icon};
use leptos::{prelude::*, task::spawn_local};
use um_model::ApiError;

/// A message.
#[derive(Clone)]
pub struct Toast {
    id: u64,
    text: String,
    trouble: bool,
    undo: Option<Callback<()>>,
}

/// The messages shown, oldest first.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

/// How long an undo is offered, and any message shown, in milliseconds.
const SHOWN_MS: u32 = 10_000;

impl Default for Toasts {
    fn default() -> Self {
        Self { shown: RwSignal::new(Vec::new()), next: StoredValue::new(0) }
    }
}

impl Toasts {
    /// Says what happened.
    pub fn say(&self, text: impl Into<String>) {
        self.push(text.into(), false, None);
    }

    /// Says what happened, with a way back.
    pub fn say_with_undo(&self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.push(text.into(), false, Some(Callback::new(move |()| undo())));
    }

    /// Says what failed and what to do next. It stays until it is closed.
    pub fn trouble(&self, error: &ApiError) {
        self.push(crate::voice::failure(error), true, None);
    }

    /// Takes the newest thing back that can be.
    pub fn undo_last(&self) {
        let last = self.shown.with_untracked(|all| all.iter().rev().find(|t| t.undo.is_some()).cloned());
        if let Some(toast) = last {
            self.undo(&toast);
        }
    }

    fn undo(&self, toast: &Toast) {
        self.close(toast.id);
        if let Some(undo) = toast.undo {
            undo.run(());
        }
    }

    fn push(&self, text: String, trouble: bool, undo: Option<Callback<()>>) {
        let toasts = *self;
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        self.shown.update(|all| all.push(Toast { id, text, trouble, undo }));
        if !trouble {
            spawn_local(async move {
                gloo_timers::future::TimeoutFuture::new(SHOWN_MS).await;
                toasts.close(id);
            });
        }
    }

    fn close(&self, id: u64) {
        self.shown.update(|all| all.retain(|t| t.id != id));
    }
}

/// Where the messages stand. Screen readers are told politely of what happened and at once of failures.
#[component]
pub fn ToastShelf(
    /// The messages.
    toasts: Toasts,
) -> impl IntoView {
    let those = move |trouble: bool| {
        move || toasts.shown.get().into_iter().filter(|t| t.trouble == trouble).collect::<Vec<_>>()
    };
    view! {
        <section class="toasts" aria-label="Messages">
            <div role="status" aria-live="polite">
                <For each=those(false) key=|t| t.id children=move |t| toast_view(toasts, t)/>
            </div>
            <div role="alert" aria-live="assertive">
                <For each=those(true) key=|t| t.id children=move |t| toast_view(toasts, t)/>
            </div>
        </section>
    }
}

fn toast_view(toasts: Toasts, toast: Toast) -> impl IntoView {
    let id = toast.id;
    let undoable = toast.undo.map(|_| {
        let toast = toast.clone();
        view! {
            <button type="button" class="button small" data-testid="toast-undo" on:click=move |_| toasts.undo(&toast)>
                "Undo"
            </button>
        }
    });
    view! {
        <div class="toast" class:trouble=toast.trouble data-testid="toast">
            <Glyph icon=if toast.trouble { Icon::Alert } else { Icon::Check }/>
            <span class="grow">{toast.text}</span>
            {undoable}
            <button type="button" class="button ghost square small" aria-label="Close message"
                on:click=move |_| toasts.close(id)>
                <Glyph icon=Icon::Cross/>
            </button>
        </div>
    }
}
