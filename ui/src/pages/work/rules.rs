//! Rules & knowledge: what every agent always reads, and what it looks up.

use super::{
    Tab, WorkDialog, choose_space,
    clashes::{SpaceClashes, open_clashes},
    entries::Entries,
    head,
    narrow::Filters,
    standing::Standing,
    standing_then::StandingThen,
    then::{self, Day, Then},
    words::type_names,
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
    },
    format::grouped,
    route::{Route, Shown},
    state::App,
};
use leptos::prelude::*;
use um_model::{SpaceId, work::EntryType};

/// The page.
#[component]
pub fn Rules() -> impl IntoView {
    let app = App::get();
    let show = Memo::new(move |before: Option<&Shown>| match app.route.get() {
        Route::Rules { show } => show,
        // What is left is drawn as it was until it is gone.
        _ => before.copied().unwrap_or_default(),
    });
    let filters = Filters::new(show);
    let entries = Memo::new(move |_| matches!(show.get(), Shown::All | Shown::Of(_)));
    let new = move |space: SpaceId| match show.get_untracked() {
        Shown::Always => WorkDialog::NewRule(space).open(app),
        Shown::Of(of) => WorkDialog::NewEntry(space, of).open(app),
        Shown::All | Shown::Clashes => WorkDialog::NewEntry(space, EntryType::Guideline).open(app),
    };
    let word = move || if show.get() == Shown::Always { "New rule" } else { "New entry" };
    let actions = move || {
        app.space.get().filter(|_| show.get() != Shown::Clashes).map(|space| {
            let space = StoredValue::new(space);
            view! {
                <button type="button" class="button accent" data-testid="rules-new" disabled=move || then::is_past(app)
                    title=move || then::reason(app) on:click=move |_| new(space.get_value())>
                    <Glyph icon=Icon::Plus/> {word}
                </button>
            }
        })
    };
    // Another type in the list draws the list anew by itself.
    let clashes = Memo::new(move |_| show.get() == Shown::Clashes);
    let body = move || match (clashes.get(), app.space.get()) {
        (true, _) => view! { <div class="scroll-area"><SpaceClashes/></div> }.into_any(),
        (false, None) => choose_space(
            "Rules and knowledge belong to a space, and to those beneath it. Choose one to see what counts there.",
        )
        .into_any(),
        (false, Some(space)) => {
            let (asked, list) = (StoredValue::new(space.clone()), Memo::new(move |_| entries.get()));
            let create = Callback::new(move |()| new(asked.get_value()));
            // Standing rules are listed with what is pinned; of another day, or by words, without.
            let apart = Memo::new(move |_| !list.get() && (then::is_past(app) || filters.words().is_some()));
            let content = move || match (list.get(), apart.get()) {
                (true, _) => view! { <Entries space=asked.get_value() filters new=create/> }.into_any(),
                (false, true) => view! { <StandingThen space=asked.get_value() filters/> }.into_any(),
                (false, false) => view! { <Standing space=asked.get_value() new=create/> }.into_any(),
            };
            view! { {content} }.into_any()
        }
    };
    let narrow = move || entries.get().then(|| filters.fields());
    let find = move || (!clashes.get()).then(|| view! { {filters.find()} <Day/> });
    let bar = view! {
        <div class="filters">
            {kinds(show)}
            {narrow}
            {find}
        </div>
        {move || (!clashes.get()).then(|| view! { <Then/> })}
    };
    view! {
        {head(Tab::Rules, actions, bar)}
        <div class="page-body fill rules">{body}</div>
    }
}

/// What can be listed. What waits for a decision stands there while anything does.
fn kinds(show: Memo<Shown>) -> impl IntoView {
    let app = App::get();
    let waiting = open_clashes(app, None, 1);
    let waits = Memo::new(move |_| waiting.value.with(|waiting| waiting.as_ref().map_or(0, |waiting| waiting.total)));
    let kind = move |of: Shown, testid: &'static str, words: AnyView, title: &'static str| {
        let here = Memo::new(move |_| show.get() == of);
        view! {
            <span class="kind-choice" class:here=here title=title data-testid=testid>
                <PageLink to=Signal::stored(Route::Rules { show: of }) class="button small">{words}</PageLink>
                {move || here.get().then(|| view! { <span class="hidden-words">", shown"</span> })}
            </span>
        }
    };
    let of = move |of: EntryType, testid| {
        let (name, is) = type_names(of);
        kind(Shown::Of(of), testid, name.into_any(), is)
    };
    let clashes = move || {
        let number = waits.get();
        (number > 0 || show.get() == Shown::Clashes).then(|| {
            let words = if number > 0 { format!("To decide ({})", grouped(number)) } else { "To decide".to_owned() };
            kind(Shown::Clashes, "rules-clashes", words.into_any(), "Versions that were written at once")
        })
    };
    view! {
        <nav class="kind-choices" aria-label="Which rules and knowledge">
            {kind(Shown::Always, "rules-always", "Always read".into_any(), "Standing rules and pinned notes: every agent reads them before it works")}
            {of(EntryType::Guideline, "rules-guideline")}
            {of(EntryType::Tool, "rules-tool")}
            {of(EntryType::Knowledge, "rules-knowledge")}
            {kind(Shown::All, "rules-all", "All three".into_any(), "Guidelines, tools and knowledge")}
            {clashes}
        </nav>
    }
}
