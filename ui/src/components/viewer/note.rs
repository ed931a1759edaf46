//! A note: its words, how near at hand it is, and whether every agent of its space always reads it.

use super::{Shown, head, text};
use crate::{
    actions,
    components::{
        at_hand::{AtHand, away_button, memory_now},
        icon::{Glyph, Icon},
        states::shown,
    },
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    Modality,
    capture::{Got, Memory},
    work::BlocksList,
};

/// The whole of it.
pub(super) fn note(memory: Query<Got>, viewer: Shown, close: Option<Callback<()>>) -> impl IntoView {
    view! {
        {head(Modality::Text, viewer, close, false)}
        {shown(memory, "The memory could not be opened.", (3, "row"), move |got| match got {
            Got::Memory(memory) if memory.content.is_some() => {
                let own = memory.id.clone();
                let now = memory_now(App::get(), move || Some(own.clone()));
                let foot = foot(&memory, now);
                let words = text::whole_text(memory.content.unwrap_or_default(), viewer);
                // Above the words: what is told at the bottom for a moment would lie over its buttons.
                view! { <AtHand memory=now/> {words} {foot} }.into_any()
            }
            _ => view! { <p class="viewer-body">"There are no words in it."</p> }.into_any(),
        })}
    }
}

/// What can be done with it; `now` is how it is by now.
fn foot(memory: &Memory, now: Memo<Option<Memory>>) -> impl IntoView + use<> {
    let app = App::get();
    let (id, space) = (memory.id.clone(), memory.space_id.to_string());
    let listed = Query::new(move || {
        app.changes.work.track();
        Some(BlocksList { space: Some(space.clone()), own_only: true, inactive: false })
    });
    let own = id.clone();
    let pinned = Memo::new(move |_| {
        listed.value.with(|listed| listed.as_ref().map(|listed| listed.pinned.iter().any(|one| one.id == own)))
    });
    let is_pinned = move || pinned.get() == Some(true);
    let turn = move |_| {
        if let Some(pinned) = pinned.get_untracked() {
            actions::pin(app, id.clone(), !pinned);
        }
    };
    view! {
        <footer class="viewer-foot">
            <span class="grow muted small">{move || is_pinned().then_some("Every agent of its space always reads it.")}</span>
            {away_button(app, now)}
            <button type="button" class="button ghost" data-testid="note-pin" disabled=move || pinned.get().is_none()
                title="What is pinned, every agent of its space always reads" on:click=turn>
                <Glyph icon=Icon::Pin/> {move || if is_pinned() { "Unpin" } else { "Pin" }}
            </button>
        </footer>
    }
}
