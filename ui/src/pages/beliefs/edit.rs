//! What a person says of an entity itself: its name, one more name, what it is.

use super::words::type_name;
use crate::{components::dialogs::Form, state::App};
use leptos::prelude::*;
use um_model::{
    belief::EntityType,
    claims::{Entity, EntityDetail, EntityEdit},
};

fn edit(entity: &Entity) -> EntityEdit {
    EntityEdit { entity: entity.id.to_string(), ..EntityEdit::default() }
}

/// Gives it another name; the old one stays as one more.
#[component]
pub fn Rename(entity: Entity) -> impl IntoView {
    let app = App::get();
    let before = entity.name.clone();
    let name = RwSignal::new(entity.name.clone());
    let entity = StoredValue::new(entity);
    let request = move || {
        let wanted = name.get().trim().to_owned();
        entity.with_value(|e| {
            (!wanted.is_empty() && wanted != e.name).then(|| EntityEdit { name: Some(wanted), ..edit(e) })
        })
    };
    let done =
        Callback::new(move |now: EntityDetail| app.toasts.say(format!("{before} is called {} now.", now.entity.name)));
    view! {
        <Form request button="Rename" done>
            <label class="label" for="entity-name">"Name"</label>
            <input id="entity-name" class="field" type="text" maxlength="120" autocomplete="off" data-testid="name-field"
                prop:value=move || name.get() on:input=move |e| name.set(event_target_value(&e))/>
            <p class="muted small">"The old name stays as another name, so that it is still recognized."</p>
        </Form>
    }
}

/// Gives it one more name.
#[component]
pub fn AddName(entity: Entity) -> impl IntoView {
    let app = App::get();
    let name = entity.name.clone();
    let alias = RwSignal::new(String::new());
    let entity = StoredValue::new(entity);
    let request = move || {
        let wanted = alias.get().trim().to_owned();
        entity.with_value(|e| (!wanted.is_empty()).then(|| EntityEdit { alias: Some(wanted), ..edit(e) }))
    };
    let done = Callback::new(move |_: EntityDetail| app.toasts.say(format!("{name} has one more name.")));
    view! {
        <Form request button="Add" done>
            <label class="label" for="entity-alias">"Another name"</label>
            <input id="entity-alias" class="field" type="text" maxlength="120" autocomplete="off" data-testid="alias-field"
                on:input=move |e| alias.set(event_target_value(&e))/>
        </Form>
    }
}

/// Says what it is.
#[component]
pub fn Retype(entity: Entity) -> impl IntoView {
    let app = App::get();
    let chosen = RwSignal::new(entity.entity_type);
    let name = entity.name.clone();
    let entity = StoredValue::new(entity);
    let request = move || {
        let wanted = chosen.get();
        entity.with_value(|e| (wanted != e.entity_type).then(|| EntityEdit { entity_type: Some(wanted), ..edit(e) }))
    };
    let done = Callback::new(move |now: EntityDetail| {
        app.toasts.say(format!("{name} is kept as: {}.", type_name(now.entity.entity_type)));
    });
    let is = entity.with_value(|e| e.entity_type);
    let types = EntityType::ALL.iter().map(move |t| {
        view! { <option value=t.as_str() selected=*t == is>{type_name(*t)}</option> }
    });
    view! {
        <Form request button="Save" done>
            <label class="label" for="entity-type">"It is a"</label>
            <select id="entity-type" class="field"
                on:change=move |e| if let Ok(t) = event_target_value(&e).parse() { chosen.set(t) }>{types.collect_view()}</select>
        </Form>
    }
}
