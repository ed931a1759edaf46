//! History: what was decided, each decision with its way back.

use super::{
    Tab,
    decide::{decider, decision, reopen},
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
    pages::beliefs::words::{about, label, sides},
    route::Route,
    state::App,
};
use leptos::{ev, prelude::*};
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
        {head(Tab::History)}
        <div class="page-body fill">{listed(list, "The history could not be listed.", empty, move || rows(list).into_any())}</div>
    }
}

fn rows(list: Paged<Conflict>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        // What was reopened and decided again is another decision.
        let told = Memo::new(move |_| {
            list.row(index).map(|c| (c.id.clone(), decision(&c), c.resolution.map(|r| r.resolved_at)))
        });
        move || {
            let _ = told.get();
            match untrack(|| list.row(index)) {
                Some(conflict) => row(conflict, index, cursor).into_any(),
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    view! {
        <VirtualList total=list.length() label="Decided conflicts" cursor
            id=move |index| list.row(index).map(|conflict| conflict.id.to_string()) visible=list.sight() on_key=Callback::new(|_| {}) item
            column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

fn row(conflict: Conflict, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let app = App::get();
    let [a, b] = sides(&conflict);
    let of_whom = format!("{}, {}", about(&conflict).name, label(&conflict.claim_a.predicate).to_lowercase());
    let both = format!("A {a} | B {b}");
    let words = decision(&conflict).unwrap_or_default();
    let resolution = conflict.resolution.as_ref();
    let by_itself = resolution.is_some_and(|r| r.by_itself);
    let stands = resolution.is_some_and(|r| !r.by_itself && r.undone_at.is_none());
    let when = resolution.map(|r| dates::moment(r.resolved_at));
    let by = [resolution.and_then(decider), when].into_iter().flatten().collect::<Vec<_>>().join(", ");
    // What was said with the decision stands in its title; what the product says of itself says nothing more.
    let note = resolution.filter(|r| !r.by_itself).and_then(|r| r.notes.clone());
    let title = [Some(words.clone()), note].into_iter().flatten().collect::<Vec<_>>().join(". ");
    let act = act(app, &conflict, stands, Signal::derive(move || if cursor.get() == index { "0" } else { "-1" }));
    let icon = if by_itself || !stands { Icon::Reread } else { Icon::Check };
    view! {
        <div class="decided-row" data-testid="decided-row" on:focusin=move |_| cursor.set(index)>
            <span class="decided-words grow">
                <span class="clip strong" title=of_whom.clone()>{of_whom.clone()}</span>
                <span class="clip muted small" title=both.clone()>{both.clone()}</span>
            </span>
            <span class="decided-how muted">
                <span class="state" title=title data-testid="decision"><Glyph icon/> <span class="clip">{words}</span></span>
                <span class="clip small" title=by.clone() data-testid="decided-by">{by.clone()}</span>
            </span>
            {act}
        </div>
    }
}

/// The way back. What nobody decided, or was taken back, has no decision to take back: there the way leads to what is believed now.
fn act(app: App, conflict: &Conflict, stands: bool, tabindex: Signal<&'static str>) -> AnyView {
    if stands {
        let id = conflict.id.clone();
        return view! {
            <button type="button" class="button small" data-testid="reopen" data-focus="" tabindex=tabindex
                on:click=move |_| reopen(app, id.clone())>
                <Glyph icon=Icon::Undo/> "Reopen"
            </button>
        }
        .into_any();
    }
    let to = Route::Entity(conflict.claim_a.subject.id.clone());
    let href = to.url();
    let follow = move |click: ev::MouseEvent| {
        click.prevent_default();
        app.go(to.clone());
    };
    view! {
        <a class="button small" href=href data-testid="settled-open" data-focus="" tabindex=tabindex on:click=follow>"Open"</a>
    }
    .into_any()
}
