//! A conflict in which neither side is right as it stands: both were, at different times, or something else is.

use super::decide::say;
use crate::{components::dialogs::Form, state::App};
use leptos::prelude::*;
use um_model::{
    ConflictId,
    belief::ResolutionType,
    claims::{Conflict, ConflictsResolve, Windows},
};

/// The dialog.
#[component]
pub fn Other(
    /// The conflict.
    conflict: ConflictId,
    /// What the first side says.
    a: String,
    /// What the second side says.
    b: String,
    /// The open conflicts that its sides are part of besides.
    related: Vec<ConflictId>,
) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(conflict);
    let times = RwSignal::new(true);
    let value = RwSignal::new(String::new());
    let dates = [(); 4].map(|()| RwSignal::new(String::new()));
    let when = [(); 2].map(|()| RwSignal::new(String::new()));
    let request = move || {
        let decision = ConflictsResolve::of(id.get_value(), ResolutionType::ManualOverride);
        if times.get() {
            return Some(ConflictsResolve { windows: Some(windows(dates)?), ..decision });
        }
        let (value, [valid_from, valid_until]) = (Some(given(value)?), when.map(given));
        Some(ConflictsResolve { value, valid_from, valid_until, ..decision })
    };
    let related = StoredValue::new(related);
    let done = Callback::new(move |conflict: Conflict| related.with_value(|before| say(app, before, &conflict)));
    let choice = move |both: bool, words: &'static str, testid: &'static str| {
        view! {
            <label class="radio">
                <input type="radio" name="other" data-testid=testid prop:checked=move || times.get() == both
                    on:change=move |_| times.set(both)/>
                {words}
            </label>
        }
    };
    let [a_from, a_until, b_from, b_until] = dates;
    view! {
        <Form request button="Decide" done>
            <fieldset class="choices-row">
                <legend class="hidden-words">"What is right"</legend>
                {choice(true, "Both, at different times", "other-times")}
                {choice(false, "Another value", "other-value")}
            </fieldset>
            {move || if times.get() {
                view! {
                    <Period legend=format!("A: {a}") side="a" from=a_from until=a_until/>
                    <Period legend=format!("B: {b}") side="b" from=b_from until=b_until/>
                }.into_any()
            } else {
                another(value, when).into_any()
            }}
            <p class="muted small">"A date is 2021, 2021-05 or 2021-05-01. What stays empty is open."</p>
        </Form>
    }
}

/// What a field holds; nothing where it is empty.
fn given(field: RwSignal<String>) -> Option<String> {
    Some(field.get().trim().to_owned()).filter(|text| !text.is_empty())
}

/// When each side was so, once any date is given.
fn windows(dates: [RwSignal<String>; 4]) -> Option<Windows> {
    let dates = dates.map(given);
    let any = dates.iter().any(Option::is_some);
    let [a_from, a_until, b_from, b_until] = dates;
    any.then_some(Windows { a_from, a_until, b_from, b_until })
}

fn another(value: RwSignal<String>, [from, until]: [RwSignal<String>; 2]) -> impl IntoView {
    view! {
        <label class="label" for="other-text">"What is right"</label>
        <input id="other-text" class="field" type="text" maxlength="1000" autocomplete="off" data-testid="other-text"
            prop:value=move || value.get() on:input=move |e| value.set(event_target_value(&e))/>
        <Period legend="When it was so".to_owned() side="value" from until/>
    }
}

/// When something was so.
#[component]
fn Period(legend: String, side: &'static str, from: RwSignal<String>, until: RwSignal<String>) -> impl IntoView {
    let field = move |word: &'static str, label: &'static str, value: RwSignal<String>| {
        let id = format!("{side}-{word}");
        view! {
            <span>
                <label class="label" for=id.clone()>{label}</label>
                <input id=id.clone() class="field" type="text" placeholder="2021-05" autocomplete="off" data-testid=id
                    prop:value=move || value.get() on:input=move |e| value.set(event_target_value(&e))/>
            </span>
        }
    };
    view! {
        <fieldset class="period">
            <legend class="strong">{legend}</legend>
            <div class="pair">{field("from", "From", from)} {field("until", "Until", until)}</div>
        </fieldset>
    }
}
