//! Files dragged over the window: where they would go is said before they are let go.

use super::{
    add_files::add_paths,
    icon::{Glyph, Icon},
};
use crate::{
    ipc::{self, Drag, Weight},
    state::App,
    voice,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::SpaceId;

/// A drag that is under way.
#[derive(Clone, Default, PartialEq)]
struct Dragged {
    files: u64,
    bytes: Option<u64>,
    over: Option<SpaceId>,
}

/// The space of the tile under a point, if there is one.
fn tile_at((x, y): (f64, f64)) -> Option<SpaceId> {
    let element = document().element_from_point(x as f32, y as f32)?;
    let tile = element.closest("[data-drop-space]").ok().flatten()?;
    SpaceId::parse(tile.get_attribute("data-drop-space")?).ok()
}

/// Covers the window while files are dragged over it.
#[component]
pub fn DropOverlay() -> impl IntoView {
    let app = App::get();
    let drag = RwSignal::new(None::<Dragged>);
    ipc::on_drag(move |event| match event {
        Drag::Enter { paths, at } => {
            drag.set(Some(Dragged { files: paths.len() as u64, bytes: None, over: tile_at(at) }));
            weigh(drag, paths);
        }
        Drag::Over { at } => {
            let over = tile_at(at);
            if drag.with_untracked(|d| d.as_ref().is_some_and(|d| d.over != over)) {
                drag.update(|d| {
                    if let Some(d) = d {
                        d.over = over
                    }
                });
            }
        }
        Drag::Drop { paths, at } => {
            let target = tile_at(at).or_else(|| app.space.get_untracked());
            drag.set(None);
            match target {
                Some(space) => add_paths(app, space, paths),
                None => app.toasts.say("Nothing was added: drop the files on one of the spaces."),
            }
        }
        Drag::Leave => drag.set(None),
    });
    move || drag.get().map(|dragged| overlay(app, &dragged))
}

fn weigh(drag: RwSignal<Option<Dragged>>, paths: Vec<String>) {
    spawn_local(async move {
        // Without an answer the number of paths is shown, without their size.
        if let Ok(Weight { files, bytes }) = ipc::weigh_paths(&paths).await {
            drag.update(|d| {
                if let Some(d) = d {
                    (d.files, d.bytes) = (files, Some(bytes))
                }
            });
        }
    });
}

fn overlay(app: App, dragged: &Dragged) -> impl IntoView + use<> {
    let target = dragged.over.clone().or_else(|| app.space.get());
    let name = target.as_ref().and_then(|id| app.space_name(id));
    let says = voice::add_files(dragged.files, dragged.bytes, name.as_deref());
    let tiles = app.writable_spaces().into_iter().map(|space| {
        let won = target.as_ref() == Some(&space.space.id);
        view! {
            <li class="drop-tile" class:won=won data-drop-space=space.space.id.to_string() data-testid="drop-tile">
                <Glyph icon=if won { Icon::Check } else { Icon::Layers }/>
                <span class="file">{space.space.name}</span>
            </li>
        }
    });
    view! {
        <section class="drop" aria-label="Drop files" data-testid="drop-overlay">
            <p class="drop-words" role="status" data-testid="drop-words"><Glyph icon=Icon::Upload/> {says}</p>
            <ul class="drop-tiles">{tiles.collect_view()}</ul>
        </section>
    }
}
