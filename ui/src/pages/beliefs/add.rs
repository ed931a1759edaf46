//! A fact that a person adds by hand. Its source is what they said.

use super::words::{label, phrase};
use crate::{components::dialogs::Form, format::count, state::App};
use leptos::prelude::*;
use um_model::{
    claims::{Entity, FactInput, FactsAdd, FactsAdded},
    predicates::PREDICATES,
};

/// The dialog.
#[component]
pub fn AddFact(entity: Entity) -> impl IntoView {
    let app = App::get();
    let [predicate, value, from, until] = [(); 4].map(|()| RwSignal::new(String::new()));
    let subject = entity.name.clone();
    let entity = StoredValue::new(entity);
    let given = |field: RwSignal<String>| Some(field.get().trim().to_owned()).filter(|text| !text.is_empty());
    let request = move || {
        let (predicate, object) = (given(predicate)?, given(value)?);
        let fact = entity.with_value(|entity| FactInput {
            subject: entity.name.clone(),
            subject_type: Some(entity.entity_type),
            predicate: name_of(&predicate),
            object,
            valid_from: given(from),
            valid_until: given(until),
            ..FactInput::default()
        });
        Some(FactsAdd { space: entity.with_value(|e| e.space_id.to_string()), facts: vec![fact] })
    };
    let done = Callback::new(move |added: FactsAdded| app.toasts.say(said(&added)));
    let mut known: Vec<String> = PREDICATES.iter().map(|predicate| label(predicate.name)).collect();
    known.sort();
    let known = known.into_iter().map(|name| view! { <option value=name></option> });
    let reads = move || {
        let (predicate, value) = (given(predicate)?, given(value)?);
        Some(format!("{subject} {} {value}.", phrase(&name_of(&predicate))))
    };
    view! {
        <Form request button="Add" done>
            <label class="label" for="fact-predicate">"What about it"</label>
            <input id="fact-predicate" class="field" type="text" list="predicates" maxlength="60" autocomplete="off"
                placeholder="Works at" data-testid="fact-predicate" on:input=move |e| predicate.set(event_target_value(&e))/>
            <datalist id="predicates">{known.collect_view()}</datalist>
            <label class="label" for="fact-value">"A name or a value"</label>
            <input id="fact-value" class="field" type="text" maxlength="1000" autocomplete="off" placeholder="Northwind"
                data-testid="fact-value" on:input=move |e| value.set(event_target_value(&e))/>
            <div class="pair">
                {date("fact-from", "From (may stay empty)", "2021-05", from)}
                {date("fact-until", "Until", "2024", until)}
            </div>
            <p class="quote" data-testid="fact-reads">{reads}</p>
            <p class="muted small">"Its source will be: you said so."</p>
        </Form>
    }
}

fn date(id: &'static str, label: &'static str, like: &'static str, value: RwSignal<String>) -> impl IntoView {
    view! {
        <span>
            <label class="label" for=id>{label}</label>
            <input id=id class="field" type="text" placeholder=like autocomplete="off"
                on:input=move |e| value.set(event_target_value(&e))/>
        </span>
    }
}

/// What became of it: where it disagrees with something, that is said.
fn said(added: &FactsAdded) -> String {
    let conflicts: usize = added.facts.iter().map(|fact| fact.conflicts.len()).sum();
    let became = match conflicts {
        0 => "Added. Its source: you said so.".to_owned(),
        some => format!("Added. It disagrees with {} to decide in Review.", count(some as u64, "claim")),
    };
    let warnings = added.facts.iter().flat_map(|fact| fact.warnings.iter().cloned());
    std::iter::once(became).chain(warnings).collect::<Vec<_>>().join(" ")
}

/// The name of a predicate that a person chose by its label, or wrote.
fn name_of(typed: &str) -> String {
    let known = PREDICATES.iter().find(|predicate| label(predicate.name).eq_ignore_ascii_case(typed.trim()));
    known.map_or_else(|| typed.trim().to_lowercase().replace(' ', "_"), |predicate| predicate.name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lead_back_to_their_predicates() {
        assert_eq!(name_of("Works at"), "works_at");
        assert_eq!(name_of("born"), "birthday");
        assert_eq!(name_of("Shoe size"), "shoe_size");
    }
}
