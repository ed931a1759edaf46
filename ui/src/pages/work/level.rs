//! Where something counts: in one session, in a space and those beneath it, or in every space.

use crate::{
    components::icon::{Glyph, Icon},
    state::App,
};
use leptos::prelude::*;
use um_model::{SpaceId, SpaceType, spaces::SpaceSummary};

/// A space, and those above it up to GLOBAL, the nearest first, as far as they are known.
fn above(spaces: &[SpaceSummary], of: &SpaceId) -> Vec<SpaceSummary> {
    let find = |id: &SpaceId| spaces.iter().find(|one| one.space.id == *id).cloned();
    let mut chain: Vec<SpaceSummary> = Vec::new();
    let mut next = find(of);
    while let Some(space) = next.filter(|space| chain.iter().all(|one| one.space.id != space.space.id)) {
        next = space.space.parent_space_id.as_ref().and_then(find);
        chain.push(space);
    }
    let global = find(&SpaceId::global()).filter(|global| chain.iter().all(|one| one.space.id != global.space.id));
    chain.extend(global);
    chain
}

fn told(space: &SpaceSummary) -> (Icon, String) {
    let name = &space.space.name;
    match space.space.space_type {
        SpaceType::Global => (Icon::Globe, "GLOBAL: every space".to_owned()),
        SpaceType::Organization => (Icon::Building, format!("Organization {name}")),
        SpaceType::Project => (Icon::Folder, format!("Project {name}")),
        SpaceType::UserCore | SpaceType::UserPersonal => (Icon::Person, format!("Personal {name}")),
        SpaceType::Shared | SpaceType::Hive => (Icon::Layers, format!("Shared {name}")),
    }
}

/// The level of a space in words: `Project Apollo`, `Organization Acme`, `GLOBAL: every space`.
pub fn level(app: App, space: &SpaceId) -> (Icon, String) {
    let of = app.spaces.value.with(|all| all.as_ref()?.spaces.iter().find(|one| one.space.id == *space).map(told));
    of.unwrap_or_else(|| (Icon::Layers, "Another space".to_owned()))
}

/// The level of something, with its drawing.
#[component]
pub fn LevelMark(
    /// The space it lies in.
    space: SpaceId,
    /// Whether it belongs to one session alone.
    session: bool,
) -> impl IntoView {
    let app = App::get();
    move || {
        let (icon, words) = if session { (Icon::Clock, "One session".to_owned()) } else { level(app, &space) };
        view! {
            <span class="level muted small" data-testid="level" title=words.clone()><Glyph icon/> <span class="clip">{words.clone()}</span></span>
        }
    }
}

/// A field for where something is to count: the space in use, those above it, or every space.
#[component]
pub fn LevelField(
    /// Its id, for its label.
    id: &'static str,
    /// The nearest that can be chosen.
    nearest: SpaceId,
    /// The space chosen.
    chosen: RwSignal<SpaceId>,
) -> impl IntoView {
    let app = App::get();
    let options = move || {
        let levels =
            app.spaces.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| above(&all.spaces, &nearest)));
        let one = |space: SpaceSummary| {
            let words = told(&space).1;
            let id = space.space.id.clone();
            let selected = move || chosen.with(|chosen| *chosen == id);
            view! { <option value=space.space.id.to_string() selected=selected>{words}</option> }
        };
        levels.into_iter().map(one).collect_view()
    };
    view! {
        <label class="label" for=id>"Where it counts, and in what lies beneath"</label>
        <select id=id class="field" data-testid="level-field"
            on:change=move |event| if let Ok(id) = SpaceId::parse(event_target_value(&event)) { chosen.set(id) }>{options}</select>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(number: u8, name: &str, kind: &str, parent: Option<u8>) -> SpaceSummary {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}");
        let own = if kind == "global" { "GLOBAL".to_owned() } else { id(number) };
        serde_json::from_value(serde_json::json!({ "id": own, "name": name, "space_type": kind,
            "parent_space_id": parent.map(id), "read_policy": "members", "write_policy": "members",
            "created_by_actor": null, "created_at": 0, "artifacts": 0, "memories": 0, "watches": 0 }))
        .unwrap()
    }

    #[test]
    fn levels_go_up_to_every_space() {
        let spaces = [
            space(1, "Acme", "organization", None),
            space(2, "Apollo", "project", Some(1)),
            space(3, "Zeus", "project", Some(1)),
            space(4, "GLOBAL", "global", None),
        ];
        let words =
            |at: usize| -> Vec<String> { above(&spaces, &spaces[at].space.id).iter().map(|one| told(one).1).collect() };
        assert_eq!(words(1), ["Project Apollo", "Organization Acme", "GLOBAL: every space"]);
        assert_eq!(words(3), ["GLOBAL: every space"]);
    }

    #[test]
    fn a_ring_of_spaces_ends() {
        let spaces = [space(1, "a", "project", Some(2)), space(2, "b", "project", Some(1))];
        assert_eq!(above(&spaces, &spaces[0].space.id).len(), 2);
    }
}
