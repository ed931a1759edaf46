//! The source of a claim, as a chip that leads to its place.

use crate::{
    components::{
        icon::{Glyph, of_modality},
        link::is_plain,
        viewer::{Source, Target},
    },
    format::{clock_span, lines_label},
    state::App,
};
use leptos::{ev::MouseEvent, prelude::*};
use um_model::{
    Modality,
    citation::{Citation, CitationState},
};

/// The name of the person whose machine this is, as actors are named.
const OWNER: &str = "owner";

/// Where a source's words stand, in the shortest words. What was only said has no place but who said it.
pub fn place(citation: &Citation) -> String {
    let place = &citation.place;
    if let Some(time) = place.time {
        return clock_span(time);
    }
    if citation.artifact_id.is_none() && citation.actor_name == OWNER {
        return "you said so".into();
    }
    let page = place.page.filter(|_| citation.modality != Modality::Image).map(|page| format!("p. {page}"));
    page.or_else(|| place.lines.filter(|_| citation.artifact_id.is_some()).map(lines_label))
        .unwrap_or_else(|| citation.title.clone())
}

/// Where the viewer is to go.
pub fn target(citation: &Citation) -> Target {
    let source = match &citation.artifact_id {
        Some(id) => Source::File(id.clone()),
        None => Source::Memory(citation.memory_id.clone()),
    };
    let place = &citation.place;
    Target {
        source,
        title: citation.title.clone(),
        view: citation.view_id.clone(),
        span: Some(citation.span),
        page: place.page,
        boxes: if place.boxes.is_empty() { place.bbox.into_iter().collect() } else { place.boxes.clone() },
        time: place.time,
        matches: Vec::new(),
        quote: Some(citation.quote.clone()),
    }
}

fn state_word(state: CitationState) -> Option<&'static str> {
    match state {
        CitationState::Exact => None,
        CitationState::Moved => Some("moved"),
        CitationState::Changed => Some("words changed"),
        CitationState::Older => Some("older version"),
        CitationState::Redacted => Some("blacked out"),
    }
}

/// A citation as a chip: icon and place. It opens the source in the viewer.
#[component]
pub fn Chip(
    /// The citation.
    citation: Citation,
) -> impl IntoView {
    let app = App::get();
    let target = target(&citation);
    let href = target.route().map_or_else(|| app.route.get_untracked().url(), |route| route.url());
    let place = place(&citation);
    let state = state_word(citation.state);
    let title = format!("{}, {place}: \"{}\"", citation.title, citation.quote);
    let open = move |click: MouseEvent| {
        if is_plain(&click) {
            click.prevent_default();
            app.viewer.set(Some(target.clone()));
            app.focus_viewer();
        }
    };
    view! {
        <a class="source-chip" href=href title=title data-testid="claim-source" on:click=open>
            <Glyph icon=of_modality(citation.modality)/>
            <span class="clip">{place}</span>
            {state.map(|state| view! { <span>{state}</span> })}
            <span class="hidden-words">" in "{citation.title.clone()}</span>
        </a>
    }
}
