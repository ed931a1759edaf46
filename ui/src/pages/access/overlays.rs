//! The spaces that are read with a space.

use super::{choose::choose, words};
use crate::{actions::run, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    SpaceId,
    access::{Access, Overlay, OverlayMode, OverlaySet},
};

/// The spaces that are read with the space, and which to add.
#[component]
pub fn Overlays(space: StoredValue<SpaceId>, access: Query<Access>) -> impl IntoView {
    let all = Memo::new(move |_| {
        access.value.with(|access| access.as_ref().map_or_else(Vec::new, |access| access.overlays.clone()))
    });
    view! {
        <h3>"Read together with it"</h3>
        <p class="muted small">"Who asks this space gets what these hold, too, as far as they may read it. Nothing is copied."</p>
        <ul class="plain">
            <For each=move || all.get() key=|one| one.space_id.clone()
                children=move |one| view! { <Row space one all/> }/>
        </ul>
        <Add space all/>
    }
}

fn set(space: StoredValue<SpaceId>, overlay: &SpaceId, mode: Option<OverlayMode>) -> OverlaySet {
    OverlaySet { space: space.get_value().into(), overlay: overlay.to_string(), mode }
}

#[component]
fn Row(space: StoredValue<SpaceId>, one: Overlay, all: Memo<Vec<Overlay>>) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(one.space_id);
    let mode = move || all.with(|all| all.iter().find(|one| one.space_id == id.get_value()).map(|one| one.mode));
    view! {
        <li class="rule" data-testid="overlay-row">
            <span class="rule-name strong">{one.space.clone()}</span>
            {choose(format!("How {} is included", one.space), "overlay-mode", OverlayMode::ALL, words::overlay, mode,
                move |mode| set(space, &id.get_value(), Some(mode)))}
            <button type="button" class="button small" aria-label=format!("End reading {} with it", one.space) data-testid="overlay-end"
                on:click=move |_| run(app, set(space, &id.get_value(), None))>"End"</button>
        </li>
    }
}

#[component]
fn Add(space: StoredValue<SpaceId>, all: Memo<Vec<Overlay>>) -> impl IntoView {
    let app = App::get();
    let chosen = RwSignal::new(String::new());
    let others = Memo::new(move |_| {
        let is_in =
            |id: &SpaceId| *id == space.get_value() || all.with(|all| all.iter().any(|one| one.space_id == *id));
        let free = app.writable_spaces().into_iter().filter(|one| !is_in(&one.space.id));
        free.map(|one| (one.space.id, one.space.name)).collect::<Vec<_>>()
    });
    let add = move |_| {
        let Ok(overlay) = SpaceId::parse(chosen.get_untracked()) else { return };
        run(app, set(space, &overlay, Some(OverlayMode::ReadOnly)));
        chosen.set(String::new());
    };
    move || {
        (!others.with(Vec::is_empty)).then(|| {
            let names = others.get().into_iter().map(|(id, name)| view! { <option value=id.to_string()>{name}</option> });
            view! {
                <div class="rule">
                    <select class="field" aria-label="Space to read with it" data-testid="overlay-add-space"
                        prop:value=move || chosen.get() on:change=move |e| chosen.set(event_target_value(&e))>
                        <option value="">"Choose a space"</option>
                        {names.collect_view()}
                    </select>
                    <button type="button" class="button" data-testid="overlay-add" disabled=move || chosen.with(String::is_empty)
                        on:click=add>"Read it with this one"</button>
                </div>
            }
        })
    }
}
