//! Fields for words of several lines, and lists of them.

use crate::components::icon::{Glyph, Icon};
use leptos::prelude::*;

/// A field for words of several lines, with its label.
pub fn area((id, label): (&'static str, &'static str), value: RwSignal<String>, rows: u32) -> impl IntoView {
    view! {
        <label class="label" for=id>{label}</label>
        <textarea id=id class="field" rows=rows spellcheck="true" data-testid=id prop:value=move || value.get()
            on:input=move |e| value.set(event_target_value(&e))></textarea>
    }
}

/// A field for words of one line, with its label.
pub fn line((id, label): (&'static str, &'static str), value: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="label" for=id>{label}</label>
        <input id=id class="field" type="text" autocomplete="off" data-testid=id prop:value=move || value.get()
            on:input=move |e| value.set(event_target_value(&e))/>
    }
}

/// Texts that are added and taken out one by one. Each keeps its own field, whatever comes before it.
#[derive(Clone, Copy)]
pub struct Texts(RwSignal<Vec<(usize, RwSignal<String>)>>);

impl Texts {
    /// Fields of these texts.
    pub fn of(texts: &[String]) -> Self {
        Self(RwSignal::new(texts.iter().cloned().map(RwSignal::new).enumerate().collect()))
    }

    /// The texts, without those that say nothing.
    pub fn all(self) -> Vec<String> {
        let texts = self.0.with(|all| all.iter().map(|(_, text)| text.get()).collect::<Vec<_>>());
        texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
    }

    fn add(self) {
        self.0.update(|all| {
            let next = all.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
            all.push((next, RwSignal::new(String::new())));
        });
    }
}

/// The fields of several texts.
pub fn many(texts: Texts, (id, label, one): (&'static str, &'static str, &'static str)) -> impl IntoView {
    let field = move |(at, text): (usize, RwSignal<String>)| {
        view! {
            <li class="text-field">
                <textarea class="field grow" rows="2" aria-label=one prop:value=move || text.get()
                    on:input=move |e| text.set(event_target_value(&e))></textarea>
                <button type="button" class="button ghost square" aria-label=format!("Take out: {one}") title="Take out"
                    on:click=move |_| texts.0.update(|all| all.retain(|(id, _)| *id != at))><Glyph icon=Icon::Cross/></button>
            </li>
        }
    };
    view! {
        <fieldset class="texts" data-testid=id>
            <legend class="label">{label}</legend>
            <ul class="plain"><For each=move || texts.0.get() key=|(id, _)| *id children=field/></ul>
            <button type="button" class="button small" on:click=move |_| texts.add()><Glyph icon=Icon::Plus/> {format!("Add: {one}")}</button>
        </fieldset>
    }
}
