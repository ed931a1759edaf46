//! The one component that leads from a sentence to its source: as a row, or as a card with the quote.

use super::{
    icon::{Glyph, of_modality},
    link::is_plain,
};
use crate::{
    components::viewer::Target,
    format::quality_label,
    state::App,
    text::{Mark, pieces},
};
use leptos::{ev::MouseEvent, prelude::*};
use um_model::{ViewType, recall::Hit};

/// The words of a quote, those of the question marked.
pub fn quote_view(quote: &str, base: u32, spans: &[(um_model::Utf16Span, Mark)]) -> impl IntoView + use<> {
    pieces(quote, base, spans)
        .into_iter()
        .map(|piece| match piece.mark {
            Mark::Matched => view! { <mark>{piece.text}</mark> }.into_any(),
            _ => view! { {piece.text} }.into_any(),
        })
        .collect_view()
}

/// A citation of a hit: its quote, then icon, file, place and quality. A link to its place in the source.
#[component]
pub fn CitationCard(
    /// The hit.
    hit: Hit,
    /// Where it stands, in words.
    place: Option<String>,
    /// Opens it in the viewer; without it, the link leads to the file's own page.
    open: Callback<Target>,
) -> impl IntoView {
    let target = Target::of_hit(&hit);
    let spans: Vec<_> = hit.matches.iter().map(|m| (m.span, Mark::Matched)).collect();
    let quote = quote_view(&hit.quote, hit.span.start, &spans);
    let href = target.route().map(|route| route.url()).unwrap_or_else(|| App::get().route.get_untracked().url());
    let flowing = matches!(hit.view_type, Some(ViewType::Ocr | ViewType::Pdf));
    let quality = quality_label(hit.view_type, hit.quality);
    let follow = move |click: MouseEvent| {
        if is_plain(&click) {
            click.prevent_default();
            open.run(target.clone());
        }
    };
    view! {
        <a class="citation card" href=href data-testid="citation" data-focus="" on:click=follow
            data-start=hit.span.start data-end=hit.span.end>
            {hit.heading_path.clone().map(|path| view! { <span class="heading-path">{path}</span> })}
            <span class="quote" class:flowing=flowing data-testid="quote">{quote}</span>
            <span class="row">
                <Glyph icon=of_modality(hit.modality)/>
                <span class="file">{hit.title.clone()}</span>
                {place.map(|place| view! { <span class="place" data-testid="place">{place}</span> })}
                {quality.map(|quality| view! { <span class="quality">{quality}</span> })}
            </span>
        </a>
    }
}
