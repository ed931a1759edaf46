//! A field that finds an entity as one types.

use super::words::{type_icon, type_name};
use crate::{components::icon::Glyph, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    EntityId, SpaceId,
    claims::{EntitiesList, EntityRef},
};

/// So many are offered.
const OFFERED: u32 = 8;

/// Finds one of the entities of a space, but not the one named.
#[component]
pub fn PickEntity(
    /// The field's words.
    label: &'static str,
    /// The space.
    space: SpaceId,
    /// Not this one.
    without: EntityId,
    /// What was chosen.
    chosen: Callback<EntityRef>,
) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let found = Query::new(move || {
        app.changes.beliefs.track();
        Some(EntitiesList {
            space: Some(space.to_string()),
            query: Some(typed.get().trim().to_owned()).filter(|query| !query.is_empty()),
            limit: Some(OFFERED + 1),
            ..EntitiesList::default()
        })
    });
    let offers = move || {
        let all = found.value.get().map(|listed| listed.entities).unwrap_or_default();
        let others = all.into_iter().filter(|entity| entity.id != without).take(OFFERED as usize);
        others
            .map(|entity| {
                let one =
                    EntityRef { id: entity.id.clone(), name: entity.name.clone(), entity_type: entity.entity_type };
                view! {
                    <li>
                        <button type="button" class="menu-item" data-testid="pick" on:click=move |_| chosen.run(one.clone())>
                            <Glyph icon=type_icon(entity.entity_type)/>
                            <span class="grow">{entity.name.clone()}</span>
                            <span class="muted small">{type_name(entity.entity_type)}</span>
                        </button>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <label class="label" for="pick-entity">{label}</label>
        <input id="pick-entity" class="field" type="text" autocomplete="off" placeholder="Find by name" data-testid="pick-field"
            on:input=move |e| typed.set(event_target_value(&e))/>
        <ul class="pick-list" aria-label="Entities">{offers}</ul>
    }
}
