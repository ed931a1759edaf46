//! The one component that leads from a sentence to its source: as a chip, as a row, or as a card with the quote.

mod preview;
mod region;
mod words;

pub use preview::{PreviewPopover, Previews};
pub use words::{OWNER, SYSTEM, trusted};

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
use leptos::{
    ev::{KeyboardEvent, MouseEvent, PointerEvent},
    html,
    prelude::*,
};
use preview::Preview;
use um_model::{
    Place, ViewType,
    citation::{Citation, CitationState},
    recall::{Hit, Match},
};

/// A citation, with what only an answer knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cited {
    /// The quote and where it stands.
    pub citation: Citation,
    /// The words of the question in it.
    pub matches: Vec<Match>,
    /// The headings above it.
    pub heading: Option<String>,
    /// Its number among the boxes that are cited on the same picture.
    pub number: Option<u32>,
}

impl From<Citation> for Cited {
    fn from(citation: Citation) -> Self {
        Self { citation, matches: Vec::new(), heading: None, number: None }
    }
}

impl From<&Hit> for Cited {
    /// A passage that was found stands in its source word for word: it was cut from it for the answer.
    fn from(hit: &Hit) -> Self {
        let place =
            Place { page: hit.page, bbox: hit.bbox, boxes: hit.boxes.clone(), time: hit.time, lines: hit.lines };
        let citation = Citation {
            quote: hit.quote.clone(),
            span: hit.span,
            span_hash: hit.span_hash.clone(),
            state: CitationState::Exact,
            memory_id: hit.ids.memory.clone(),
            view_id: hit.ids.view.clone(),
            segment_id: hit.ids.segment.clone(),
            artifact_id: hit.ids.artifact.clone(),
            space_id: hit.ids.space.clone(),
            place,
            title: hit.title.clone(),
            modality: hit.modality,
            view_type: hit.view_type,
            quality: hit.quality,
            actor_name: hit.actor_name.clone(),
            occurred_at: hit.occurred_at,
            recorded_at: hit.recorded_at,
        };
        Self { citation, matches: hit.matches.clone(), heading: hit.heading_path.clone(), number: None }
    }
}

impl Cited {
    /// The passages of an answer, their boxes numbered.
    pub fn answer(hits: &[Hit]) -> Vec<Self> {
        let mut all: Vec<Self> = hits.iter().map(Self::from).collect();
        for (one, number) in all.iter_mut().zip(words::box_numbers(hits)) {
            one.number = number;
        }
        all
    }

    /// Where it stands, in the shortest words.
    pub fn place(&self) -> Option<String> {
        words::place(&self.citation, self.number)
    }
}

/// How much of a citation is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Icon, file and place.
    Chip,
    /// Icon and place, where it is plain which file is meant.
    Place,
    /// Icon, file, place and quality.
    Row,
    /// The quote, and the row below it.
    Card,
}

impl Shape {
    fn class(self) -> &'static str {
        match self {
            Shape::Chip | Shape::Place => "citation chip",
            Shape::Row => "citation row",
            Shape::Card => "citation card",
        }
    }
}

/// A link to the place of a quote in its source, in every shape. A click opens the viewer; Space, or a pointer that
/// stays, shows a preview.
#[component]
pub fn CitationLink(
    /// What is cited.
    #[prop(into)]
    cited: Cited,
    /// How much of it is shown.
    shape: Shape,
) -> impl IntoView {
    let app = App::get();
    let target = Target::of(&cited);
    let href = target.route().map_or_else(|| app.route.get_untracked().url(), |route| route.url());
    let Citation { state, span, .. } = cited.citation;
    let link = NodeRef::<html::A>::new();
    let preview = StoredValue::new(Preview::of(&cited, target.clone()));
    let id = preview.with_value(|p| p.id);
    on_cleanup(move || app.previews.close_of(id));
    let place_of_link = move || link.get_untracked().map(|a| a.get_bounding_client_rect());
    let follow = move |click: MouseEvent| {
        app.previews.close();
        if is_plain(&click) {
            click.prevent_default();
            app.viewer.set(Some(target.clone()));
            app.focus_viewer();
        }
    };
    let entered = move |pointer: PointerEvent| {
        if pointer.pointer_type() == "mouse" && app.previews.moved(&pointer) {
            app.previews.soon(preview.get_value(), place_of_link);
        }
    };
    let pressed = move |press: KeyboardEvent| {
        let plain = !(press.ctrl_key() || press.alt_key() || press.meta_key() || press.repeat());
        if press.key() == " " && plain {
            press.prevent_default();
            press.stop_propagation();
            app.previews.toggle(preview.get_value(), place_of_link);
        }
    };
    view! {
        <a class=shape.class() node_ref=link href=href data-testid="citation" data-state=state.as_str()
            data-focus=(shape == Shape::Card).then_some("") data-start=span.start data-end=span.end
            aria-describedby=move || app.previews.is_open(id).then_some("preview")
            on:click=follow on:keydown=pressed on:pointerenter=entered on:pointerleave=move |_| app.previews.leave()
            on:blur=move |_| app.previews.close_of(id)>
            {inside(&cited, shape)}
        </a>
    }
}

fn inside(cited: &Cited, shape: Shape) -> impl IntoView + use<> {
    let Citation { title, modality, view_type, quality, state, .. } = cited.citation.clone();
    let place = cited.place();
    let icon = view! { <Glyph icon=of_modality(modality)/> };
    let state = words::state(state).map(|(icon, word, _)| {
        view! {
            <span class="cite-state" data-testid="cite-state"><Glyph icon/> {word}</span>
        }
    });
    if matches!(shape, Shape::Chip | Shape::Place) {
        let told = shape == Shape::Place && place.is_some();
        let file = words::source(&cited.citation).filter(|_| !told).map(|title| {
            view! { <span class="clip chip-file" title=title.to_owned()>{title.to_owned()}</span> }
        });
        let hidden = told.then(|| view! { <span class="hidden-words">" in "{title}</span> });
        let place = place.map(|place| view! { <span class="chip-place" data-testid="place">{place}</span> });
        return view! { {icon} {file} {place} {state} {hidden} }.into_any();
    }
    // What was only said is called by its first words, which the card shows already.
    let repeated = shape == Shape::Card && words::is_its_own_title(&cited.citation);
    let title = if repeated { "Note".to_owned() } else { title };
    let quality = quality_label(view_type, quality);
    let row = view! {
        {icon}
        <span class="file">{title}</span>
        {place.map(|place| view! { <span class="place" data-testid="place">{place}</span> })}
        {quality.map(|quality| view! { <span class="quality" data-testid="quality">{quality}</span> })}
        {state}
    };
    if shape == Shape::Row {
        return row.into_any();
    }
    view! {
        {cited.heading.clone().map(|path| view! { <span class="heading-path">{path}</span> })}
        {quote(cited)}
        <span class="foot">{row}</span>
    }
    .into_any()
}

/// The quote of a card: its words, those of the question marked; or a bar where they were blacked out.
fn quote(cited: &Cited) -> impl IntoView + use<> {
    let Citation { quote, span, view_type, state, .. } = &cited.citation;
    if *state == CitationState::Redacted {
        return view! { <span class="blacked" data-testid="blacked" aria-hidden="true"></span> }.into_any();
    }
    // The lines of a page are no lines of the text.
    let flowing = matches!(view_type, Some(ViewType::Ocr | ViewType::Pdf));
    let marks: Vec<_> = cited.matches.iter().map(|m| (m.span, Mark::Matched)).collect();
    let words = pieces(quote, span.start, &marks).into_iter().map(|piece| match piece.mark {
        Mark::Matched => view! { <mark>{piece.text}</mark> }.into_any(),
        _ => view! { {piece.text} }.into_any(),
    });
    view! { <span class="quote" class:flowing=flowing data-testid="quote">{words.collect_view()}</span> }.into_any()
}
