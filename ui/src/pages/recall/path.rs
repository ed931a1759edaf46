//! The path through the graph from a question to a passage: through whom or what both name.

use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
    },
    pages::beliefs::words::{type_icon, type_name},
    route::Route,
};
use leptos::prelude::*;
use um_model::{EntityId, recall::PathStep};

/// A path for each whom the question and the passage's source name, as chips; nothing where they name nobody in common.
pub fn paths(named: &[PathStep]) -> Option<impl IntoView + use<>> {
    let all: Vec<_> = named.iter().map(|step| path(step).into_any()).collect();
    (!all.is_empty()).then(|| view! { <div class="paths">{all}</div> })
}

fn path(step: &PathStep) -> impl IntoView + use<> {
    let label = format!("Path through {}", step.via);
    view! {
        <ol class="path" aria-label=label data-testid="why-path">
            <li><span class="path-chip">"The question"</span></li>
            <li>{next()} {over(step)}</li>
            <li>{next()} <span class="path-chip">"This passage"</span></li>
        </ol>
    }
}

fn next() -> impl IntoView {
    view! { <Glyph icon=Icon::ChevronRight/> }
}

/// Whom or what it leads through, as a link to what is known of them.
fn over(step: &PathStep) -> AnyView {
    let icon = step.entity_type.map_or(Icon::Thing, type_icon);
    let is = step.entity_type.map(|is| view! { <span class="hidden-words">{format!(", {}", type_name(is))}</span> });
    let shown = view! { <Glyph icon/> <span class="path-name">{step.via.clone()}</span>{is} };
    match EntityId::parse(step.from.clone()) {
        Ok(id) => view! {
            <PageLink to=Signal::stored(Route::Entity(id)) class="path-chip over" testid="path-over">{shown}</PageLink>
        }
        .into_any(),
        Err(_) => view! { <span class="path-chip over">{shown}</span> }.into_any(),
    }
}
