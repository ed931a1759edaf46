//! The files and memories, of which one is looked at.

use super::{
    desk::{Desk, Listing},
    words,
};
use crate::{
    components::{
        icon::{Glyph, Icon, of_modality},
        list::VirtualList,
    },
    format::grouped,
};
use leptos::prelude::*;
use std::ops::Range;
use um_model::findings::RedactionItem;

/// Height of a row in pixels.
const ROW: f64 = 64.0;

/// The list, of those that wait or those in which something was blacked out.
#[component]
pub fn Items(desk: Desk) -> impl IntoView {
    let at = move || desk.place().map(|(at, _)| at);
    let cursor = RwSignal::new(untrack(at).unwrap_or(0));
    Effect::new(move |_| {
        if let Some(at) = at() {
            cursor.set(at);
        }
    });
    let (_, set_visible) = signal::<Range<usize>>(0..1);
    let items = Memo::new(move |_| desk.items.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.items.clone())));
    let id = move |index: usize| items.with(|all| all.get(index).map(|item| item.memory_id.to_string()));
    let item = move |index: usize| {
        let one = Memo::new(move |_| items.with(|all| all.get(index).cloned()));
        move || one.get().map(|item| view! { <Row desk item index cursor/> })
    };
    let names = Memo::new(move |_| desk.names.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)));
    let choice = move |of: Listing, words: &'static str, testid: &'static str| {
        let choose = move |_| {
            if desk.listing.get_untracked() != of {
                desk.current.set(None);
                desk.listing.set(of);
            }
        };
        let number = move || {
            Some(names.get())
                .filter(|names| of == Listing::Names && *names > 0)
                .map(|names| format!(" ({})", grouped(names)))
        };
        view! {
            <button type="button" class="button small" data-testid=testid on:click=choose
                aria-pressed=move || (desk.listing.get() == of).to_string()>{words} {number}</button>
        }
    };
    let keep = move || {
        (desk.listing.get() == Listing::Names && names.get() > 0).then(|| {
            view! {
                <button type="button" class="button small" data-testid="keep-names" on:click=move |_| desk.keep_names()>
                    <Glyph icon=Icon::Check/> "Keep all names"
                </button>
            }
        })
    };
    view! {
        <div class="review-list">
            <span class="segmented" role="group" aria-label="Which">
                {choice(Listing::Waiting, "Waiting", "redact-waiting")}
                {choice(Listing::Names, "Names", "redact-names")}
                {choice(Listing::Applied, "Blacked out", "redact-applied")}
            </span>
            {keep}
            <VirtualList total=Signal::derive(move || items.with(Vec::len)) label="Files and notes" cursor id visible=set_visible
                on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
        </div>
    }
}

#[component]
fn Row(desk: Desk, item: RedactionItem, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let id = StoredValue::new(item.memory_id.clone());
    let here = Memo::new(move |_| desk.current.with(|current| id.with_value(|id| current.as_ref() == Some(id))));
    let show = move || {
        if !here.get_untracked() {
            desk.current.set(Some(id.get_value()));
        }
    };
    let (kinds, standing, title) = (words::kinds(&item.kinds), words::standing(&item), item.title.clone());
    view! {
        <button type="button" class="conflict-row redact-row" class:here=here data-focus="" data-testid="redact-row"
            aria-current=move || here.get().then_some("true")
            tabindex=move || if cursor.get() == index { "0" } else { "-1" }
            on:focus=move |_| show() on:click=move |_| show()>
            <Glyph icon=of_modality(item.modality)/>
            <span class="conflict-words">
                <span class="clip strong" title=title>{item.title}</span>
                <span class="clip small" title=kinds.clone()>{standing} <span class="muted">{format!(": {kinds}")}</span></span>
            </span>
        </button>
    }
}
