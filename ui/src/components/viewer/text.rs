//! Texts: the real words, the cited ones marked, a long text part by part.

use super::{Redacting, Shown, spots};
use crate::{
    components::states::{Skeleton, Trouble},
    ipc,
    text::{Line, Mark, lines, pieces},
};
use leptos::{html, prelude::*, task::spawn_local};
use um_model::{ApiError, ErrorCode, Utf16Span, ViewId, capture::ViewRead, capture::ViewText};
use wasm_bindgen::JsCast;

/// How much of a long text is read at once, in code units.
const PART: u32 = 100_000;
/// Lines that the browser lays out as one block; those out of sight cost nothing.
const BLOCK: usize = 40;

/// The part of a text of `length` code units to begin with, so that the cited words lie well inside.
pub fn first_part(length: u32, cited: Option<Utf16Span>) -> Utf16Span {
    let middle = cited.map_or(0, |span| span.start);
    let start = middle.saturating_sub(PART / 2).min(length.saturating_sub(PART));
    Utf16Span::new(start, (start + PART).min(length))
}

/// Reads a part of a view. Its ends are moved by one where they would cut a character in half.
pub async fn read_part(id: &ViewId, part: Option<Utf16Span>) -> Result<ViewText, ApiError> {
    let answer = ipc::call(ViewRead { id: id.clone(), span: part }).await;
    let Some(part) = part else { return answer };
    for (start, end) in [(1, 0), (0, 1), (1, 1)] {
        match &answer {
            Err(error) if error.code == ErrorCode::InvalidRequest => {}
            _ => break,
        }
        let moved = Utf16Span::new(part.start + start, part.end.saturating_sub(end));
        if let Ok(text) = ipc::call(ViewRead { id: id.clone(), span: Some(moved) }).await {
            return Ok(text);
        }
    }
    answer
}

/// The parts of a view that were read so far.
#[derive(Clone, Copy)]
struct Parts {
    id: StoredValue<ViewId>,
    read: RwSignal<Vec<ViewText>>,
    error: RwSignal<Option<ApiError>>,
}

impl Parts {
    fn new(id: ViewId) -> Self {
        Self { id: StoredValue::new(id), read: RwSignal::new(Vec::new()), error: RwSignal::new(None) }
    }

    fn load(self, part: Option<Utf16Span>) {
        let id = self.id.get_value();
        spawn_local(async move {
            match read_part(&id, part).await {
                Ok(text) => self.read.try_update(|parts| {
                    parts.push(text);
                    parts.sort_by_key(|part| part.span.start);
                }),
                Err(failed) => self.error.try_update(|error| *error = Some(failed)),
            };
        });
    }

    /// The part before those, where there is one.
    fn earlier(&self) -> Option<Utf16Span> {
        let start = self.read.with(|parts| parts.first().map_or(0, |part| part.span.start));
        (start > 0).then(|| Utf16Span::new(start.saturating_sub(PART), start))
    }

    /// The part after those, where there is one.
    fn later(&self) -> Option<Utf16Span> {
        let ends = |parts: &Vec<ViewText>| parts.last().map_or((0, 0), |part| (part.span.end, part.view.length));
        let (end, length) = self.read.with(ends);
        (end < length).then(|| Utf16Span::new(end, (end + PART).min(length)))
    }
}

/// A text view of a known length, at the cited words.
pub fn view_text(id: ViewId, length: u32, shown: Shown, numbered: bool) -> impl IntoView {
    let parts = Parts::new(id);
    let cited = shown.target.with_value(|t| t.span);
    let first = move || parts.load((length > 2 * PART).then(|| first_part(length, cited)));
    first();
    let more = move |part: Utf16Span, words: &'static str| {
        view! {
            <button type="button" class="button ghost wide" on:click=move |_| parts.load(Some(part))>{words}</button>
        }
    };
    let whole = move || parts.read.with(|p| p.first().is_some_and(|p| p.span.start == 0));
    let each = move || parts.read.get().into_iter().map(|p| (p.span.start, p.text)).collect::<Vec<_>>();
    let retry = Callback::new(move |()| first());
    let view = Some(parts.id.get_value());
    let drawn_view = view.clone();
    frame(shown, view, move || {
        match (parts.error.get(), parts.read.with(Vec::is_empty)) {
        (Some(error), true) => view! { <Trouble what="The text could not be read." error retry/> }.into_any(),
        (None, true) => view! { <Skeleton rows=12 shape="line"/> }.into_any(),
        (_, false) => view! {
            {move || parts.earlier().map(|part| more(part, "Show what stands before"))}
            <For each=each key=|part| part.0
                children={let view = drawn_view.clone(); move |(start, text)| words(&text, start, shown, view.clone(), numbered && whole())}/>
            {move || parts.later().map(|part| more(part, "Show what follows"))}
        }
        .into_any(),
    }
    })
}

/// A memory's own words.
pub fn whole_text(content: String, shown: Shown) -> impl IntoView {
    frame(shown, None, move || words(&content, 0, shown, None, false).into_any())
}

/// The pane around a text; brings the match in use into its middle.
fn frame(shown: Shown, view: Option<ViewId>, content: impl Fn() -> AnyView + Send + 'static) -> impl IntoView {
    let pane = NodeRef::<html::Div>::new();
    let drawn = RwSignal::new(0);
    let content = move || {
        let view = content();
        drawn.update(|n| *n += 1);
        view
    };
    Effect::new(move |_| {
        drawn.track();
        let stop = shown.stop.get();
        request_animation_frame(move || bring_to_middle(pane, stop));
    });
    if let Some(redacting) = shown.redacting {
        follow_spots(pane, redacting, drawn);
    }
    let view = StoredValue::new(view);
    let select = move || {
        if let Some(redacting) = shown.redacting {
            redacting.selected.set(spots::selected().map(|span| (view.get_value(), span)));
        }
    };
    view! {
        <div class="viewer-body text" node_ref=pane tabindex="0" role="region" aria-label="Text"
            on:pointerup=move |_| select() on:keyup=move |_| select()>{content}</div>
    }
}

/// Brings the finding that is looked at to the middle.
fn follow_spots(pane: NodeRef<html::Div>, redacting: Redacting, drawn: RwSignal<i32>) {
    Effect::new(move |_| {
        drawn.track();
        let Some(at) = redacting.at.get() else { return };
        request_animation_frame(move || {
            let Some(div) = pane.try_get_untracked().flatten() else { return };
            if let Ok(Some(mark)) = div.query_selector(&format!("[data-spot='{at}']")) {
                to_middle(&mark);
            }
        });
    });
}

fn to_middle(mark: &web_sys::Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Center);
    mark.scroll_into_view_with_scroll_into_view_options(&options);
}

fn bring_to_middle(pane: NodeRef<html::Div>, stop: usize) {
    let Some(div) = pane.get_untracked() else {
        return;
    };
    let matched = div.query_selector_all("mark.matched").ok();
    let chosen = matched
        .and_then(|all| {
            for at in 0..all.length() {
                let mark: web_sys::Element = all.item(at)?.unchecked_into();
                // The classes are plain words.
                let _ = mark.class_list().toggle_with_force("now", at as usize == stop);
            }
            all.item(stop as u32)
        })
        .map(|node| node.unchecked_into::<web_sys::Element>())
        .or_else(|| div.query_selector("mark.cited").ok().flatten());
    if let Some(mark) = chosen {
        to_middle(&mark);
    }
}

fn words(text: &str, base: u32, shown: Shown, view: Option<ViewId>, numbered: bool) -> impl IntoView + use<> {
    let spans = shown.target.with_value(|target| {
        let cited = target.span.map(|span| (span, Mark::Cited));
        let matched = target.matches.iter().map(|m| (m.span, Mark::Matched));
        cited.into_iter().chain(matched).collect::<Vec<_>>()
    });
    let all = lines(text, base);
    let class = if numbered { "words numbered" } else { "words" };
    let blocks = all.chunks(BLOCK).map(|block| match shown.redacting {
        Some(redacting) => marked_block(block.to_vec(), view.clone(), redacting).into_any(),
        None => {
            let lines = block.iter().map(|line| line_view(line, &spans, numbered)).collect_view();
            view! { <div class="block">{lines}</div> }.into_any()
        }
    });
    view! { <div class=class>{blocks.collect_view()}</div> }
}

/// Lines with what is personal in them; drawn anew where that changes.
fn marked_block(block: Vec<Line>, view: Option<ViewId>, redacting: Redacting) -> impl IntoView {
    let start = block.first().map_or(0, |line| line.start);
    let end = block.last().map_or(0, |line| line.start + um_model::span::utf16_len(&line.text) + 1);
    let here = Utf16Span::new(start, end);
    let marks = Memo::new(move |_| {
        let mut marks = redacting.marks(view.as_ref());
        marks.retain(|(span, _)| span.overlaps(here));
        marks
    });
    let line = move |line: &Line| {
        let words = pieces(&line.text, line.start, &marks.get()).into_iter().map(|piece| match piece.mark {
            Mark::Found(at) | Mark::Goes(at) => redacting.word(piece.text, at),
            _ => view! { {piece.text} }.into_any(),
        });
        view! { <div class="text-line" data-start=line.start>{words.collect_view()}</div> }
    };
    view! { <div class="block">{move || block.iter().map(line).collect_view()}</div> }
}

fn line_view(line: &Line, spans: &[(Utf16Span, Mark)], numbered: bool) -> impl IntoView + use<> {
    let number = numbered.then(|| view! { <span class="line-number" aria-hidden="true">{line.number}</span> });
    let pieces = pieces(&line.text, line.start, spans).into_iter().map(|piece| match piece.mark {
        Mark::Cited => view! { <mark class="cited" data-testid="highlight">{piece.text}</mark> }.into_any(),
        Mark::Matched => view! { <mark class="cited matched" data-testid="highlight">{piece.text}</mark> }.into_any(),
        _ => view! { {piece.text} }.into_any(),
    });
    view! { <div class="text-line">{number}{pieces.collect_view()}</div> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_has_the_cited_words_well_inside() {
        assert_eq!(first_part(500, None), Utf16Span::new(0, 500));
        assert_eq!(first_part(400_000, None), Utf16Span::new(0, PART));
        assert_eq!(first_part(400_000, Some(Utf16Span::new(200_000, 200_010))), Utf16Span::new(150_000, 250_000));
        assert_eq!(first_part(400_000, Some(Utf16Span::new(399_990, 400_000))), Utf16Span::new(300_000, 400_000));
    }
}
