//! A list that grows as it is looked at, row by row: where a part of it could not be read, that is tried again from there.

use super::{
    icon::{Glyph, Icon},
    list::VirtualList,
};
use crate::grown::Grown;
use leptos::{ev, prelude::*};

/// Draws the list. A row stays as long as its thing does, whatever is said of that anew, so that the focus stays too.
#[component]
pub fn GrownList<T, V>(
    /// The rows.
    list: Grown<T>,
    /// Its name for screen readers.
    label: &'static str,
    /// Height of a row in pixels.
    height: f64,
    /// What tells a row from all others.
    id: fn(&T) -> String,
    /// The row that the focus is on, or comes to first.
    cursor: RwSignal<usize>,
    /// Keys that the list itself does not know.
    #[prop(optional)]
    on_key: Option<Callback<ev::KeyboardEvent>>,
    /// Draws a row from what is known of it and its index.
    row: fn(Memo<T>, usize, RwSignal<usize>, Grown<T>) -> V,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let item = move |index: usize| {
        let one = Memo::new(move |_| list.row(index));
        let which = Memo::new(move |_| one.with(|one| one.as_ref().map(id)));
        move || {
            which.track();
            match one.get_untracked() {
                Some(first) => {
                    let now = Memo::new(move |_| one.get().unwrap_or_else(|| first.clone()));
                    row(now, index, cursor, list).into_any()
                }
                None if list.error.with(Option::is_some) => view! {
                    <button type="button" class="button small" data-focus="" on:click=move |_| list.refresh()>
                        <Glyph icon=Icon::Reread/> "More could not be read. Try again"
                    </button>
                }
                .into_any(),
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    let on_key = on_key.unwrap_or_else(|| Callback::new(|_| {}));
    view! {
        <VirtualList total=list.length() label cursor id=move |index| list.row(index).as_ref().map(id) visible=list.sight()
            on_key item column_width=Signal::stored(None) row_height=Signal::stored(height)/>
    }
}
