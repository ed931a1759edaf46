//! Work: what agents work with: sessions as a timeline, rules and knowledge in versions, resources as a tree.

mod begin;
mod body;
mod branches;
mod clashes;
mod diff;
mod end;
mod entries;
mod entry;
mod entry_form;
mod events;
mod found;
mod hand;
mod level;
mod locks;
mod narrow;
mod resource;
mod resource_form;
mod resources;
mod rule;
mod rule_form;
mod rules;
mod says;
mod session;
mod sessions;
mod standing;
mod standing_then;
mod texts;
mod then;
mod tree;
mod tree_view;
mod versions;
mod words;

pub use entry::Entry;
pub use resources::Resources;
pub use rule::Rule;
pub use rules::Rules;
pub use session::Session;
pub use sessions::Sessions;
pub use words::session_title;

use crate::{
    components::{
        dialogs::boxed,
        icon::{Glyph, Icon},
        link::PageLink,
        menu::Anchor,
        states::Empty,
        tabs,
    },
    route::{Route, Shown},
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{SpaceId, work};

/// A dialog about what agents work with.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkDialog {
    /// Begin a session by hand.
    Begin,
    /// Say what a session is called and what it is for.
    Rename(Box<work::Session>),
    /// Write down what is in hand in a session.
    WriteDown(Box<work::Session>, Option<Box<work::State>>),
    /// End a session.
    End(Box<work::Session>),
    /// Give a session up.
    GiveUp(Box<work::Session>),
    /// Take a file away from whoever holds it.
    TakeAway(Box<work::Lock>),
    /// Write a new entry in a space.
    NewEntry(SpaceId, work::EntryType),
    /// Write a new version of an entry.
    EditEntry(Box<work::Entry>),
    /// Decide which of two versions counts.
    Decide(Box<work::Clash>, work::ClashOutcome),
    /// Put two versions together.
    Merge(Box<work::Clash>),
    /// Set a new standing rule in a space.
    NewRule(SpaceId),
    /// Change a standing rule.
    EditRule(Box<work::Block>),
    /// Put a new resource into a space, under another one.
    NewResource(SpaceId, Option<String>),
    /// Change a resource.
    EditResource(Box<work::Resource>),
    /// Take a resource away.
    RemoveResource(Box<work::Resource>),
}

impl WorkDialog {
    /// Opens it.
    fn open(self, app: App) {
        app.dialog.set(Some(Dialog::Work(self)));
    }
}

/// Draws one of them.
pub fn work_dialog(dialog: WorkDialog, on_close: Callback<()>) -> AnyView {
    match dialog {
        WorkDialog::Begin => boxed("Begin a session", "begin", on_close, || view! { <begin::Begin/> }),
        WorkDialog::Rename(session) => boxed("Rename", "rename-session", on_close, move || {
            view! { <begin::Rename session=*session/> }
        }),
        WorkDialog::WriteDown(session, state) => boxed("What is in hand", "write-down", on_close, move || {
            view! { <hand::WriteDown session=*session state=state.map(|state| *state)/> }
        }),
        WorkDialog::End(session) => boxed("End the session", "end", on_close, move || {
            view! { <end::End session=*session/> }
        }),
        WorkDialog::GiveUp(session) => boxed("Give the session up", "give-up", on_close, move || {
            view! { <end::GiveUp session=*session/> }
        }),
        WorkDialog::TakeAway(lock) => boxed("Take a file away", "take-away", on_close, move || {
            view! { <locks::TakeAway lock=*lock/> }
        }),
        WorkDialog::NewEntry(space, of) => boxed("New entry", "entry", on_close, move || {
            view! { <entry_form::NewEntry space of/> }
        }),
        WorkDialog::EditEntry(entry) => boxed("New version", "entry", on_close, move || {
            view! { <entry_form::EditEntry entry=*entry/> }
        }),
        WorkDialog::Decide(clash, outcome) => {
            boxed("Decide between two versions", "decide-versions", on_close, move || {
                view! { <clashes::Decide clash=*clash outcome/> }
            })
        }
        WorkDialog::Merge(clash) => boxed("Put both together", "merge-versions", on_close, move || {
            view! { <entry_form::Merge clash=*clash/> }
        }),
        WorkDialog::NewRule(space) => boxed("New standing rule", "rule", on_close, move || {
            view! { <rule_form::NewRule space/> }
        }),
        WorkDialog::EditRule(block) => boxed("Change a standing rule", "rule", on_close, move || {
            view! { <rule_form::EditRule block=*block/> }
        }),
        WorkDialog::NewResource(space, under) => boxed("New resource", "resource", on_close, move || {
            view! { <resource_form::NewResource space under/> }
        }),
        WorkDialog::EditResource(resource) => boxed("Change a resource", "resource", on_close, move || {
            view! { <resource_form::EditResource resource=*resource/> }
        }),
        WorkDialog::RemoveResource(resource) => boxed("Take a resource away", "remove-resource", on_close, move || {
            view! { <resource_form::RemoveResource resource=*resource/> }
        }),
    }
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Sessions,
    Rules,
    Resources,
}

/// The head of all tabs, with what can be done there, and what narrows it down.
fn head(here: Tab, actions: impl IntoView, filters: impl IntoView) -> impl IntoView {
    let tab = |of: Tab, name, testid, to: Route| tabs::Tab::new(name, testid, here == of, to);
    let all = vec![
        tab(Tab::Sessions, "Sessions", "tab-sessions", Route::Sessions),
        tab(Tab::Rules, "Rules & knowledge", "tab-rules", Route::Rules { show: Shown::Always }),
        tab(Tab::Resources, "Resources", "tab-resources", Route::Resources { open: None }),
    ];
    view! {
        <div class="page-head">
            <div class="head-row"><h1 class="grow">"Work"</h1> {actions}</div>
            <tabs::Tabs label="Work" all/>
            {filters}
        </div>
    }
}

/// The way back from the page of one thing.
fn back(to: Route, words: &'static str) -> impl IntoView {
    view! {
        <PageLink to=Signal::stored(to) class="button ghost"><Glyph icon=Icon::ChevronLeft/> {words}</PageLink>
    }
}

/// Where all spaces are looked at, and one has to be chosen.
fn choose_space(says: &'static str) -> impl IntoView {
    let app = App::get();
    let choose = move |_| {
        if let Some(button) = document().get_element_by_id("space-switcher") {
            app.switcher.set(Some(Anchor::below(&button)));
        }
    };
    view! {
        <Empty icon=Icon::Layers says>
            <button type="button" class="button accent" on:click=choose><Glyph icon=Icon::Layers/> "Choose a space"</button>
        </Empty>
    }
}
