//! History: what was decided, each decision with its way back.

use super::{
    decide::{decision, reopen},
    head,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        list::VirtualList,
        states::{Empty, listed},
    },
    dates,
    paged::{PAGE, Paged},
    pages::beliefs::words::{label, side},
    state::App,
};
use leptos::prelude::*;
use um_model::claims::{Conflict, ConflictsList};

/// Height of a row in pixels.
const ROW: f64 = 56.0;

/// The tab.
#[component]
pub fn Decided() -> impl IntoView {
    let app = App::get();
    let list = Paged::new(
        move |offset| ConflictsList {
            space: app.space.get().map(String::from),
            resolved: true,
            offset,
            limit: Some(PAGE),
        },
        move || app.changes.beliefs.track(),
        |listed| (listed.conflicts, listed.total),
    );
    let empty = || view! { <Empty icon=Icon::Clock says="Nothing was decided yet."/> }.into_any();
    view! {
        {head(true)}
        <div class="page-body fill">{listed(list, "The history could not be listed.", empty, move || rows(list).into_any())}</div>
    }
}

fn rows(list: Paged<Conflict>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        let id = Memo::new(move |_| list.row(index).map(|c| c.id));
        move || {
            let _ = id.get();
            match untrack(|| list.row(index)) {
                Some(conflict) => row(conflict, index, cursor).into_any(),
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    view! {
        <VirtualList total=list.length() label="Decided conflicts" cursor
            visible=list.sight() on_key=Callback::new(|_| {}) item
            column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

fn row(conflict: Conflict, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let app = App::get();
    let (a, b) = (side(&conflict.claim_a, &conflict.claim_b), side(&conflict.claim_b, &conflict.claim_a));
    let about = format!("{}, {}", conflict.claim_a.subject.name, label(&conflict.claim_a.predicate).to_lowercase());
    let sides = format!("A {a} | B {b}");
    let resolution = conflict.resolution.clone();
    let when = resolution.as_ref().map(|r| dates::moment(r.resolved_at)).unwrap_or_default();
    let words = resolution.as_ref().map_or("", decision);
    let note = resolution.and_then(|r| r.notes).unwrap_or_default();
    let id = conflict.id.clone();
    view! {
        <div class="decided-row" data-testid="decided-row" on:focusin=move |_| cursor.set(index)>
            <span class="decided-words grow">
                <span class="clip strong" title=about.clone()>{about.clone()}</span>
                <span class="clip muted small" title=sides.clone()>{sides.clone()}</span>
            </span>
            <span class="state muted" title=note><Glyph icon=Icon::Check/> {words}</span>
            <span class="muted small decided-when">{when}</span>
            <button type="button" class="button small" data-testid="reopen" data-focus=""
                tabindex=move || if cursor.get() == index { "0" } else { "-1" }
                on:click=move |_| reopen(app, id.clone())>
                <Glyph icon=Icon::Undo/> "Reopen"
            </button>
        </div>
    }
}
