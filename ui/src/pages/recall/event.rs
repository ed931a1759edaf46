//! The event by which a question names its time: which days it was taken to be, and the words that tell it.

use super::words::taken;
use crate::{
    components::{
        citation::{CitationLink, Shape},
        icon::{Glyph, Icon},
    },
    dates,
};
use leptos::prelude::*;
use um_model::recall::EventTaken;

/// What was taken, or why nothing was; nothing where the question names no event.
pub fn event(taken_to_be: Option<EventTaken>, notice: Option<String>) -> Option<impl IntoView> {
    let says = taken_to_be.as_ref().map(|event| taken(event, dates::day)).or(notice)?;
    let source = taken_to_be.map(|event| view! { <CitationLink cited=event.citation shape=Shape::Chip/> });
    Some(view! {
        <p class="notice small" data-testid="event-taken"><Glyph icon=Icon::Clock/>
            <span class="grow">{says}</span> {source}</p>
    })
}
