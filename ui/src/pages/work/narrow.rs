//! What narrows the list of entries down, or widens it.

use super::{then, words};
use crate::{route::Shown, state::App};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    SpaceId,
    work::{EntriesList, EntryCategory, EntryType},
};

/// Who types is waited for so long, in milliseconds: what was said on another day is looked through anew for each search.
const REST_MS: u32 = 250;

/// What is typed into a field, once nothing was typed for a moment; that it is empty counts at once.
pub fn rested(typed: RwSignal<String>) -> ReadSignal<String> {
    let (rested, rest) = signal(typed.get_untracked());
    Effect::new(move |_| {
        let now = typed.get();
        let is_other = move |now: &String| rested.try_get_untracked().is_some_and(|before| before != *now);
        if now.is_empty() {
            if is_other(&now) {
                rest.set(now);
            }
            return;
        }
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(REST_MS).await;
            if typed.try_get_untracked().as_ref() == Some(&now) && is_other(&now) {
                rest.set(now);
            }
        });
    });
    rested
}

/// What is listed.
#[derive(Clone, Copy)]
pub struct Filters {
    /// Those of one type, or all.
    pub show: Memo<Shown>,
    /// Only what is about this.
    pub category: RwSignal<Option<EntryCategory>>,
    /// Only what says one of these words.
    typed: RwSignal<String>,
    /// The same, once nothing was typed for a moment.
    rested: ReadSignal<String>,
    inactive: RwSignal<bool>,
    all_levels: RwSignal<bool>,
}

impl Filters {
    /// All that is in use and not overridden.
    pub fn new(show: Memo<Shown>) -> Self {
        let typed = RwSignal::new(String::new());
        let filters = Self {
            show,
            category: RwSignal::new(None),
            typed,
            rested: rested(typed),
            inactive: RwSignal::new(false),
            all_levels: RwSignal::new(false),
        };
        // What another type is about fits this one no more.
        Effect::new(move |_| {
            let of = filters.entry_type();
            if filters.category.get_untracked().is_some_and(|one| of.is_some_and(|of| of != one.of())) {
                filters.category.set(None);
            }
        });
        filters
    }

    /// Those of this type; of any where there is none.
    pub fn entry_type(self) -> Option<EntryType> {
        match self.show.get() {
            Shown::Of(entry_type) => Some(entry_type),
            _ => None,
        }
    }

    /// The words that are looked for.
    pub fn words(self) -> Option<String> {
        Some(self.rested.with(|typed| typed.trim().to_owned())).filter(|words| !words.is_empty())
    }

    /// Lists everything again.
    pub fn clear(self) {
        self.category.set(None);
        self.typed.set(String::new());
    }

    /// The field for words.
    pub fn find(self) -> impl IntoView {
        view! {
            <input id="search" class="field grow" type="text" placeholder="Find by name or words" aria-label="Find by name or words"
                autocomplete="off" data-testid="rules-find" prop:value=move || self.typed.get() on:input=move |e| self.typed.set(event_target_value(&e))/>
        }
    }

    /// What is asked of the engine.
    pub fn request(self, app: App, space: &SpaceId, offset: u32, limit: u32) -> EntriesList {
        EntriesList {
            space: Some(space.to_string()),
            entry_type: self.entry_type(),
            category: self.category.get(),
            text: self.words(),
            as_of: then::as_of(app),
            all_levels: self.all_levels.get(),
            inactive: self.inactive.get(),
            offset,
            limit: Some(limit),
            ..EntriesList::default()
        }
    }

    /// The fields that narrow the list down, or widen it.
    pub fn fields(self) -> impl IntoView {
        let options = move || {
            let of = self.entry_type();
            let fit = EntryCategory::ALL.iter().filter(move |one| of.is_none_or(|of| one.of() == of));
            fit.map(|one| {
                let one = *one;
                view! { <option value=one.as_str() prop:selected=move || self.category.get() == Some(one)>{words::category(one)}</option> }
            })
            .collect_view()
        };
        let tick = |words: &'static str, testid: &'static str, title: &'static str, value: RwSignal<bool>| {
            view! {
                <label class="check small" title=title>
                    <input type="checkbox" data-testid=testid prop:checked=move || value.get() on:change=move |e| value.set(event_target_checked(&e))/>
                    {words}
                </label>
            }
        };
        view! {
            <select class="field" aria-label="About" data-testid="entries-category" on:change=move |e| self.category.set(event_target_value(&e).parse().ok())>
                <option value="" prop:selected=move || self.category.get().is_none()>"About anything"</option>
                {options}
            </select>
            {tick("Out of use, too", "entries-inactive", "What was taken out of use as well", self.inactive)}
            {tick("Overridden, too", "entries-levels", "What a nearer level overrides as well", self.all_levels)}
        }
    }
}
