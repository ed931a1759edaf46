//! What a page shows before it has something to show: a skeleton, an empty state, an error.

use super::icon::{Glyph, Icon};
use crate::{clipboard, query::Query, state::App, voice};
use leptos::{prelude::*, task::spawn_local};
use um_model::ApiError;

/// How long nothing is shown before a skeleton is, in milliseconds.
const PATIENCE_MS: u32 = 150;

/// Bars where rows will be. They come only when the answer takes its time.
#[component]
pub fn Skeleton(
    /// How many rows.
    rows: usize,
    /// `row`, `card` or `tile`: how high each is.
    shape: &'static str,
) -> impl IntoView {
    let late = RwSignal::new(false);
    spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(PATIENCE_MS).await;
        late.try_set(true);
    });
    let bars = move || (0..rows).map(|_| view! { <div class=format!("bar {shape}")></div> }).collect_view();
    view! {
        <div class="skeleton" class:late=move || late.get() aria-busy="true" data-testid="skeleton">
            <span class="hidden-words" role="status">"Loading"</span>
            {bars()}
        </div>
    }
}

/// One sentence where there is nothing, and what to do about it.
#[component]
pub fn Empty(
    /// The sentence.
    #[prop(into)]
    says: Signal<String>,
    /// Its drawing.
    icon: Icon,
    /// Actions.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty" data-testid="empty">
            <Glyph icon/>
            <p>{says}</p>
            {children.map(|actions| view! { <div class="actions">{actions()}</div> })}
        </div>
    }
}

/// A sentence, with what is to be typed (between backticks) set as code.
pub fn prose(says: &str) -> impl IntoView + use<> {
    let part = |(at, part): (usize, &str)| {
        let words = part.to_owned();
        if at % 2 == 1 { view! { <code>{words}</code> }.into_any() } else { words.into_any() }
    };
    says.split('`').enumerate().map(part).collect_view()
}

/// What failed, what still works, and what to do next.
#[component]
pub fn Trouble(
    /// What was tried, as in "The list could not be read."
    what: &'static str,
    /// Why it failed.
    error: ApiError,
    /// Tries again.
    retry: Callback<()>,
) -> impl IntoView {
    let app = App::get();
    let details = format!("{what} [{}] {error}", error.code);
    view! {
        <div class="trouble" role="alert" data-testid="error">
            <Glyph icon=Icon::Alert/>
            <div class="grow">
                <p class="strong">{what}</p>
                <p>{error.message.clone()}</p>
                {error.hint.as_deref().and_then(voice::hint).map(|hint| view! { <p>{hint}</p> })}
                <p class="muted small">"Nothing was changed. The other pages go on working."</p>
                <div class="actions">
                    <button type="button" class="button" on:click=move |_| retry.run(())>
                        <Glyph icon=Icon::Reread/> "Try again"
                    </button>
                    <button type="button" class="button ghost"
                        on:click=move |_| clipboard::copy(app, details.clone(), "Details copied.")>
                        <Glyph icon=Icon::Copy/> "Copy details"
                    </button>
                </div>
            </div>
        </div>
    }
}

/// Shows an answer once it is there, a skeleton before, and an error instead where there is nothing else to show.
pub fn shown<T, V>(
    query: Query<T>,
    what: &'static str,
    skeleton: (usize, &'static str),
    content: impl Fn(T) -> V + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    move || match (query.value.get(), query.error.get()) {
        (Some(value), _) => content(value).into_any(),
        (None, Some(error)) => {
            view! { <Trouble what error retry=Callback::new(move |()| query.refresh())/> }.into_any()
        }
        (None, None) => view! { <Skeleton rows=skeleton.0 shape=skeleton.1/> }.into_any(),
    }
}

/// Shows something once an answer is there, a skeleton before, and an error instead where there is nothing else to show.
/// An answer that changes draws nothing anew: what is shown follows it by itself.
pub fn kept<T: Clone + Send + Sync + 'static>(
    query: Query<T>,
    what: &'static str,
    skeleton: (usize, &'static str),
    content: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    // What is there stays, whatever comes after: a later failure leaves it as it is.
    let shape = Memo::new(move |_| match query.value.with(Option::is_some) {
        true => (true, None),
        false => (false, query.error.get()),
    });
    move || match shape.get() {
        (true, _) => untrack(&content),
        (false, Some(error)) => {
            view! { <Trouble what error retry=Callback::new(move |()| query.refresh())/> }.into_any()
        }
        (false, None) => view! { <Skeleton rows=skeleton.0 shape=skeleton.1/> }.into_any(),
    }
}

/// What is known of a long list.
#[derive(Clone, Copy)]
pub struct Listing {
    /// Whether it has no rows; `None` before that is known.
    pub is_empty: Signal<Option<bool>>,
    /// Why the newest attempt failed.
    pub error: RwSignal<Option<ApiError>>,
    /// Reads it anew.
    pub retry: Callback<()>,
}

/// Shows a list once it has rows, what `empty` draws where it has none, a skeleton before, and an error instead where
/// there is nothing else to show. Rows that change while the list stands draw nothing anew.
pub fn listed(
    list: Listing,
    what: &'static str,
    empty: impl Fn() -> AnyView + Send + Sync + 'static,
    rows: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    let shape = Memo::new(move |_| (list.is_empty.get(), list.error.with(Option::is_some)));
    move || match (shape.get().0, list.error.get_untracked()) {
        (Some(true), _) => untrack(&empty),
        (Some(false), _) => untrack(&rows),
        (None, Some(error)) => view! { <Trouble what error retry=list.retry/> }.into_any(),
        (None, None) => view! { <Skeleton rows=6 shape="row"/> }.into_any(),
    }
}
