//! The navigation: the space in use on top, then the pages by what they are for.

use super::{
    icon::{Glyph, Icon},
    link::PageLink,
    menu::Anchor,
};
use crate::{
    format::grouped,
    route::{Route, pages},
    state::App,
};
use leptos::prelude::*;

fn icon_of(route: &Route) -> Icon {
    match route {
        Route::Recall { .. } | Route::Context | Route::Traces | Route::Trace(_) => Icon::Search,
        Route::Library | Route::Item { .. } => Icon::Library,
        Route::Beliefs | Route::Entity(_) => Icon::Beliefs,
        Route::Sessions
        | Route::Session(_)
        | Route::Rules { .. }
        | Route::Rule(_)
        | Route::Entry(_)
        | Route::Resources { .. } => Icon::Agent,
        Route::Review { .. }
        | Route::Redactions { .. }
        | Route::Promotions
        | Route::Names
        | Route::Asking
        | Route::Decided => Icon::Conflict,
        Route::Access | Route::Audit { .. } => Icon::Layers,
        Route::Activity { .. } => Icon::Activity,
        Route::Settings | Route::Unknown(_) => Icon::Settings,
    }
}

fn word_of(route: &Route) -> &'static str {
    match route {
        Route::Recall { .. } | Route::Context | Route::Traces | Route::Trace(_) => "recall",
        Route::Library | Route::Item { .. } => "library",
        Route::Beliefs | Route::Entity(_) => "beliefs",
        Route::Sessions
        | Route::Session(_)
        | Route::Rules { .. }
        | Route::Rule(_)
        | Route::Entry(_)
        | Route::Resources { .. } => "work",
        Route::Review { .. }
        | Route::Redactions { .. }
        | Route::Promotions
        | Route::Names
        | Route::Asking
        | Route::Decided => "review",
        Route::Access | Route::Audit { .. } => "access",
        Route::Activity { .. } => "activity",
        Route::Settings | Route::Unknown(_) => "settings",
    }
}

/// The navigation.
#[component]
pub fn Nav() -> impl IntoView {
    let [recall, library, beliefs, work, review, access, activity, settings] = pages();
    view! {
        <nav class="nav" aria-label="Pages">
            <SpaceButton/>
            <Group name="Ask" routes=vec![(recall, "1")]/>
            <Group name="Know" routes=vec![(library, "2"), (beliefs, "3"), (work, "4")]/>
            <Group name="Decide" routes=vec![(review, "5")]/>
            <Group name="Control" routes=vec![(access, "6"), (activity, "7"), (settings, ",")]/>
        </nav>
    }
}

#[component]
fn Group(name: &'static str, routes: Vec<(Route, &'static str)>) -> impl IntoView {
    let links = routes.into_iter().map(|(to, key)| view! { <li><NavLink to key/></li> }).collect_view();
    view! {
        <div class="nav-group">
            <h2 class="nav-title">{name}</h2>
            <ul>{links}</ul>
        </div>
    }
}

#[component]
fn NavLink(to: Route, key: &'static str) -> impl IntoView {
    let app = App::get();
    let (name, word, icon) = (to.name(), word_of(&to), icon_of(&to));
    // Recall is as it was left.
    let to = match to {
        Route::Recall { .. } => Signal::derive(move || app.recall()),
        other => Signal::stored(other),
    };
    let here = move || app.route.with(|route| word_of(route) == word && !matches!(route, Route::Unknown(_)));
    view! {
        <span class="nav-item" title=format!("{name} (Ctrl+{key})") data-testid=format!("nav-{word}")
            class:here=here>
            <PageLink to current=Signal::derive(here)>
                <Glyph icon/>
                <span class="nav-word">{name}</span>
                {(word == "review").then(|| view! { <Waiting/> })}
            </PageLink>
        </span>
    }
}

/// How many decisions are waited for, and of which kinds they are.
#[component]
fn Waiting() -> impl IntoView {
    let app = App::get();
    let waiting = Memo::new(move |_| app.waiting());
    move || {
        let waiting = waiting.get();
        (waiting.total() > 0).then(|| {
            view! {
                <span class="nav-count" data-testid="review-count" title=waiting.words()>
                    <span aria-hidden="true">{grouped(waiting.total())}</span>
                    <span class="hidden-words">{waiting.words()}</span>
                </span>
            }
        })
    }
}

#[component]
fn SpaceButton() -> impl IntoView {
    let app = App::get();
    let open = move |click: leptos::ev::MouseEvent| {
        let button: web_sys::Element = event_target(&click);
        let button = button.closest("button").ok().flatten().unwrap_or(button);
        app.switcher.set(Some(Anchor::below(&button)));
    };
    view! {
        <button type="button" id="space-switcher" class="space-button" data-testid="space-switcher" aria-haspopup="dialog"
            aria-expanded=move || app.switcher.get().is_some().to_string()
            title=move || format!("{} (Ctrl+Shift+S)", app.space_label()) on:click=open>
            <Glyph icon=Icon::Layers/>
            <span class="nav-word grow">{move || app.space_label()}</span>
            <Glyph icon=Icon::ChevronDown/>
        </button>
    }
}
