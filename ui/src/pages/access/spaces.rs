//! The tree of spaces: what each holds, and behind each row who may read and write it.

use super::space::SpaceAccess;
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::kept,
    },
    format::{count, grouped},
    state::App,
    tree::{Branch, branches},
};
use leptos::prelude::*;
use um_model::{SpaceId, SpaceType};

/// The section.
#[component]
pub fn Spaces() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="panel" aria-labelledby="spaces-title">
            <h2 id="spaces-title">"Spaces"</h2>
            <p class="muted">"Memories do not cross from one space to another. Open one to see who may read it."</p>
            {kept(app.spaces, "The spaces could not be listed.", (4, "row"), move || view! { <Tree/> }.into_any())}
        </section>
    }
}

/// The rows stay while what they tell changes, so that what is open in one stays, too.
#[component]
fn Tree() -> impl IntoView {
    let app = App::get();
    let open = RwSignal::new(None::<SpaceId>);
    let all = Memo::new(move |_| {
        app.spaces.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| branches(&all.spaces)))
    });
    let place = |branch: &Branch| (branch.space.space.id.clone(), branch.depth, branch.space.space.name.clone());
    view! {
        <div class="tree-head muted small" aria-hidden="true">
            <span class="grow">"Name"</span><span class="column">"Files"</span><span class="column">"Memories"</span><span class="column wide"></span>
        </div>
        <ul class="plain tree" data-testid="space-tree">
            <For each=move || all.get() key=place children=move |branch| view! { <Row branch all open/> }/>
        </ul>
    }
}

fn type_word(space: SpaceType) -> &'static str {
    match space {
        SpaceType::Global => "names that every space may use",
        SpaceType::UserCore => "core facts about you",
        SpaceType::UserPersonal => "personal",
        SpaceType::Organization => "organization",
        SpaceType::Project => "project",
        SpaceType::Shared => "shared",
        SpaceType::Hive => "swarm",
    }
}

#[component]
fn Row(branch: Branch, all: Memo<Vec<Branch>>, open: RwSignal<Option<SpaceId>>) -> impl IntoView {
    let Branch { space: drawn, depth } = branch;
    let id = StoredValue::new(drawn.space.id.clone());
    let now = Memo::new(move |_| {
        all.with(|all| all.iter().find(|one| one.space.space.id == id.get_value()).map(|one| one.space.clone()))
    });
    let number = move |of: fn(&um_model::spaces::SpaceSummary) -> u64| now.with(|now| now.as_ref().map_or(0, of));
    let name = drawn.space.name.clone();
    let label = move || {
        let memories = number(|one| one.memories);
        let noun = if memories == 1 { "memory" } else { "memories" };
        format!("{name}: {}, {} {noun}", count(number(|one| one.artifacts), "file"), grouped(memories))
    };
    let usable = drawn.space.space_type != SpaceType::Global;
    let is_open = Memo::new(move |_| usable && open.with(|open| *open == Some(id.get_value())));
    let toggle = move |_| open.update(|open| *open = if is_open.get_untracked() { None } else { Some(id.get_value()) });
    let words = view! {
        <span class="file">{drawn.space.name.clone()}</span> " "
        <span class="muted small">{type_word(drawn.space.space_type)}</span>
    };
    let head = match usable {
        false => view! { <Glyph icon=Icon::Layers/> <span class="grow">{words}</span> }.into_any(),
        true => view! {
            <button type="button" class="tree-open grow" data-testid="space-open" aria-expanded=move || is_open.get().to_string()
                title="Who may read and write it" on:click=toggle>
                {move || view! { <Glyph icon=if is_open.get() { Icon::ChevronDown } else { Icon::ChevronRight }/> }}
                <span>{words}</span>
            </button>
        }
        .into_any(),
    };
    view! {
        <li data-testid="space-row" aria-label=label>
            <div class="tree-row">
                <span class="indent" style:width=format!("{}px", depth * 24)></span>
                {head}
                <span class="column">{move || grouped(number(|one| one.artifacts))}</span>
                <span class="column">{move || grouped(number(|one| one.memories))}</span>
                <span class="column wide">{move || usable.then(|| use_button(id.get_value()))}</span>
            </div>
            {move || is_open.get().then(|| view! { <SpaceAccess id=id.get_value()/> })}
        </li>
    }
}

fn use_button(id: SpaceId) -> impl IntoView {
    let app = App::get();
    let name = untrack(|| app.space_name(&id)).unwrap_or_default();
    let chosen = id.clone();
    let here = Memo::new(move |_| app.space.with(|space| space.as_ref() == Some(&chosen)));
    move || match here.get() {
        true => view! { <span class="in-use small"><Glyph icon=Icon::Check/> "In use"</span> }.into_any(),
        false => {
            let id = id.clone();
            view! {
                <button type="button" class="button small" aria-label=format!("Use {name}")
                    on:click=move |_| app.space.set(Some(id.clone()))>"Use"</button>
            }
            .into_any()
        }
    }
}
