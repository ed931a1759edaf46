//! What a preview holds: a part of a picture or page, the lines around the words, or the seconds themselves.

use super::preview::{Preview, missing};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::shown,
        viewer::{Source, Target, boxes_of_span, geometry, line_box, read_part},
    },
    format::clock,
    pictures,
    query::Query,
    text::{Mark, Piece, lines, pieces},
};
use leptos::{html, prelude::*, task::spawn_local};
use um_model::{
    ArtifactId, Bbox, Modality, TimeSpan, Utf16Span,
    capture::{ArtifactDetail, ArtifactGet, Got, MediaPart, Memory, MemoryGet},
    citation::CitationState,
};

/// Width and height of a region on the screen, in pixels.
const WINDOW: (f64, f64) = (416.0, 208.0);
/// So many lines before and after the cited ones.
const AROUND: u32 = 2;
/// How far those lines are looked for, in code units.
const REACH: u32 = 600;
/// So much of a recording is played, in milliseconds.
const SECONDS_MS: u64 = 6_000;

/// What a preview shows of its place.
pub fn content(preview: Preview) -> AnyView {
    let Preview { target, state, .. } = preview;
    if state == CitationState::Redacted {
        return view! { <span class="blacked" aria-hidden="true"></span> }.into_any();
    }
    match target.source.clone() {
        Source::Memory(id) => {
            let memory = Query::new(move || Some(MemoryGet { id: id.to_string() }));
            shown(memory, "The words could not be read.", (3, "line"), move |got| match got {
                Got::Memory(Memory { content: Some(content), .. }) => around(&content, 0, &target),
                _ => missing("There are no words in it."),
            })
            .into_any()
        }
        Source::File(id) => {
            let detail = Query::new(move || Some(ArtifactGet { id: id.clone() }));
            shown(detail, "The file could not be opened.", (3, "line"), move |file| of_file(file, target.clone()))
                .into_any()
        }
    }
}

fn of_file(file: ArtifactDetail, target: Target) -> AnyView {
    match file.summary.artifact.modality {
        Modality::Image | Modality::Pdf => region(file, target).into_any(),
        Modality::Audio | Modality::Video => match target.time {
            Some(time) => seconds(file.summary.artifact.id, time, &target).into_any(),
            None => missing("It is not known when this is said."),
        },
        _ => words_of(&file, target),
    }
}

/// The part of a page to show, `[x, y, width, height]` in its own units: the cited boxes in the middle, large enough to
/// be read, and never past the page's edges. Of a quote that is higher than that, the matched words are in the middle,
/// or else its beginning is there.
fn part(boxes: &[Bbox], matched: &[Bbox], page: [f64; 2]) -> Bbox {
    let all = boxes.iter().copied().reduce(um_model::place::union).unwrap_or([0.0, 0.0, page[0], 0.0]);
    let line = boxes.iter().map(|b| b[3]).fold(f64::INFINITY, f64::min);
    let line = if line.is_finite() { line.max(1.0) } else { page[1] / 60.0 };
    // A line of text is 14 pixels high, unless the quote is wider than that allows.
    let readable = WINDOW.0 * line / 14.0;
    let width = readable.max(all[2] + 2.0 * line).min(page[0]);
    let height = (width * WINDOW.1 / WINDOW.0).min(page[1]);
    let x = (all[0] + all[2] / 2.0 - width / 2.0).clamp(0.0, page[0] - width);
    let middle = match matched.first() {
        Some(word) if all[3] > height => word[1] + word[3] / 2.0,
        _ => all[1] + all[3].min(height) / 2.0,
    };
    let y = (middle - height / 2.0).clamp(0.0, page[1] - height);
    [x, y, width, height]
}

fn region(file: ArtifactDetail, target: Target) -> impl IntoView {
    let artifact = file.summary.artifact;
    let is_pdf = artifact.modality == Modality::Pdf;
    let number = target.page.filter(|_| is_pdf).unwrap_or(1);
    let own = artifact.width.zip(artifact.height).map(|(w, h)| [f64::from(w), f64::from(h)]);
    let page = file.page_sizes.get(number as usize - 1).copied().or(own).unwrap_or([612.0, 792.0]);
    let boxes = boxes_of_span(&target);
    let matched: Vec<Bbox> = target.matches.iter().filter_map(|one| one.bbox).collect();
    let seen = Memo::new(move |_| part(&boxes.get(), &matched, page));
    let id = artifact.id;
    let picture = Memo::new(move |_| {
        let scale = WINDOW.0 / seen.get()[2];
        let width = geometry::picture_width(page[0], scale, window().device_pixel_ratio());
        let part = if is_pdf { MediaPart::Page { page: number, width } } else { MediaPart::Upright };
        pictures::address(id.clone(), part)
    });
    let mark = |line: Bbox| view! { <g class="cited">{line_box(line)}</g> };
    let marks = move || boxes.get().into_iter().map(mark).collect_view();
    let label = target.quote.unwrap_or_default();
    move || match picture.get().get() {
        None => view! { <div class="preview-page bar"></div> }.into_any(),
        Some(Err(_)) => missing("The page cannot be drawn now."),
        Some(Ok(url)) => {
            let [x, y, width, height] = seen.get();
            view! {
                <svg class="page preview-page" viewBox=format!("{x} {y} {width} {height}") role="img" aria-label=label.clone()
                    data-testid="preview-page" width=WINDOW.0 height=WINDOW.0 * height / width>
                    <image href=url width=page[0] height=page[1] preserveAspectRatio="none"/>
                    {marks}
                </svg>
            }
            .into_any()
        }
    }
}

fn words_of(file: &ArtifactDetail, target: Target) -> AnyView {
    let view = file.views.iter().find(|v| Some(&v.id) == target.view.as_ref()).or(file.views.first());
    let (Some(view), Some(span)) = (view, target.span) else {
        return missing("No text was read from this file.");
    };
    let part = Utf16Span::new(span.start.saturating_sub(REACH), (span.end + REACH).min(view.length));
    let id = view.id.clone();
    let read = RwSignal::new(None);
    spawn_local(async move {
        let answer = read_part(&id, Some(part)).await;
        read.try_set(Some(answer));
    });
    (move || match read.get() {
        None => view! { <div class="bar line"></div> }.into_any(),
        Some(Ok(text)) => around(&text.text, text.span.start, &target),
        Some(Err(_)) => missing("The words could not be read."),
    })
    .into_any()
}

/// The cited words and those of the question among them, as they are marked in a text.
fn marks_of(target: &Target) -> Vec<(Utf16Span, Mark)> {
    let cited = target.span.map(|span| (span, Mark::Cited));
    cited.into_iter().chain(target.matches.iter().map(|one| (one.span, Mark::Matched))).collect()
}

fn marked(text: &str, base: u32, marks: &[(Utf16Span, Mark)]) -> impl IntoView + use<> {
    let one = |piece: Piece| match piece.mark {
        Mark::Cited => view! { <mark class="quoted">{piece.text}</mark> }.into_any(),
        Mark::Matched => view! { <mark class="quoted matched">{piece.text}</mark> }.into_any(),
        _ => view! { {piece.text} }.into_any(),
    };
    pieces(text, base, marks).into_iter().map(one).collect_view()
}

/// A box of limited height around words, moved so that what is cited is in it: the matched words in the middle, else
/// the quote, of which the beginning where it is higher than the box.
fn centred(words: impl IntoView + 'static, class: &'static str) -> AnyView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if node.get().is_some() {
            request_animation_frame(move || {
                if let Some(pane) = node.try_get_untracked().flatten() {
                    bring_to_middle(&pane);
                }
            });
        }
    });
    view! { <div class=format!("preview-words {class}") node_ref=node data-testid="preview-words">{words}</div> }
        .into_any()
}

fn bring_to_middle(pane: &web_sys::Element) {
    let first = |selector| pane.query_selector(selector).ok().flatten();
    let Some(mark) = first("mark.matched").or_else(|| first("mark")) else { return };
    let (mark, seen) = (mark.get_bounding_client_rect(), pane.get_bounding_client_rect());
    let above = scroll_to(mark.top() - seen.top(), mark.height(), seen.height());
    pane.set_scroll_top(pane.scroll_top() + above as i32);
}

/// How far a box of some height is moved so that what lies at `top` and is `height` high is in its middle, or begins
/// in it below a line's height.
fn scroll_to(top: f64, height: f64, room: f64) -> f64 {
    const LINE: f64 = 24.0;
    if height + 2.0 * LINE > room { top - LINE } else { top + height / 2.0 - room / 2.0 }
}

/// The cited lines of a text, and some around them.
fn around(text: &str, base: u32, target: &Target) -> AnyView {
    let (all, cited) = (lines(text, base), target.span);
    let hit = |start: u32, text: &str| {
        let end = start + um_model::span::utf16_len(text);
        cited.is_some_and(|span| span.start <= end && span.end > start)
    };
    let first = all.iter().position(|l| hit(l.start, &l.text)).unwrap_or(0);
    let last = all.iter().rposition(|l| hit(l.start, &l.text)).unwrap_or(first);
    let from = first.saturating_sub(AROUND as usize);
    let marks = marks_of(target);
    let shown = all.into_iter().skip(from).take(last - from + 1 + AROUND as usize).map(|line| {
        view! { <div class="text-line">{marked(&line.text, line.start, &marks)}</div> }
    });
    centred(shown.collect_view(), "words")
}

fn play_from(audio: NodeRef<html::Audio>, start_ms: u64) {
    let Some(audio) = audio.get_untracked() else { return };
    audio.set_current_time(start_ms as f64 / 1000.0);
    if let Ok(promise) = audio.play() {
        spawn_local(async move {
            // A refusal (no sound device, no press of a key yet) leaves it paused, which the button shows.
            let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
        });
    }
}

/// Plays the cited seconds once, at most six.
fn seconds(id: ArtifactId, time: TimeSpan, target: &Target) -> impl IntoView + use<> {
    let base = target.span.map_or(0, |span| span.start);
    let matched: Vec<_> = target.matches.iter().map(|one| (one.span, Mark::Matched)).collect();
    let quote = target.quote.as_ref().map(|quote| centred(marked(quote, base, &matched), "quote"));
    let (start, end) = (time.start_ms, time.end_ms.max(time.start_ms + 1_000).min(time.start_ms + SECONDS_MS));
    let address = pictures::address(id, MediaPart::Sound);
    let audio = NodeRef::<html::Audio>::new();
    let at = RwSignal::new(start);
    let playing = RwSignal::new(false);
    let play = move || play_from(audio, start);
    let stop = move || {
        // What cannot be paused is not playing.
        let _ = audio.get_untracked().map(|audio| audio.pause());
    };
    let moved = move |_| {
        let Some(now) = audio.get_untracked().map(|audio| (audio.current_time() * 1000.0) as u64) else { return };
        at.set(now.clamp(start, end));
        if now >= end {
            stop();
        }
    };
    let sound = move || match address.get() {
        Some(Ok(url)) => view! {
            <audio node_ref=audio src=url preload="auto" data-testid="preview-audio" on:loadedmetadata=move |_| play()
                on:timeupdate=moved on:play=move |_| playing.set(true) on:pause=move |_| playing.set(false)></audio>
        }
        .into_any(),
        Some(Err(_)) => missing("The sound cannot be played now."),
        None => ().into_any(),
    };
    let of_all = move || at.get().saturating_sub(start) as f64 / (end - start).max(1) as f64;
    view! {
        {quote}
        <p class="preview-sound">
            <button type="button" class="button small square" aria-label=move || if playing.get() { "Pause" } else { "Play" }
                on:click=move |_| if playing.get_untracked() { stop() } else { play() }>
                {move || view! { <Glyph icon=if playing.get() { Icon::Pause } else { Icon::Play }/> }}
            </button>
            <progress class="progress thin" max="1" value=of_all aria-label="Played of the cited seconds"></progress>
            <span class="time">{move || clock(at.get())}</span>
        </p>
        {sound}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_page_holds_its_boxes_and_stays_on_it() {
        let page = [600.0, 800.0];
        let of = |boxes: &[Bbox]| part(boxes, &[], page);
        let [x, y, w, h] = of(&[[10.0, 780.0, 50.0, 12.0]]);
        assert!(x == 0.0 && (y + h - 800.0).abs() < 1e-9 && w < 400.0, "{x} {y} {w} {h}");
        let [x, _, w, _] = of(&[[20.0, 100.0, 560.0, 10.0]]);
        assert!(x <= 20.0 && x + w >= 580.0, "a wide line is seen whole");
        let [x, y, w, _] = of(&[]);
        assert_eq!((x, y), (0.0, 0.0));
        assert!(w <= 600.0);
    }

    #[test]
    fn of_a_long_quote_the_matched_words_are_in_the_middle() {
        let page = [600.0, 800.0];
        let lines: Vec<Bbox> = (0..50).map(|line| [20.0, 50.0 + 14.0 * f64::from(line), 560.0, 12.0]).collect();
        let word = [100.0, 610.0, 40.0, 12.0];
        let [_, y, _, h] = part(&lines, &[word], page);
        assert!((y + h / 2.0 - 616.0).abs() < 1e-9, "{y} {h}");
        let [_, y, _, h] = part(&lines, &[], page);
        assert!(y <= 50.0 && y + h > 62.0, "its beginning, where no word of it matched: {y} {h}");
        // A short quote is seen whole, whichever of its words matched.
        assert_eq!(part(&lines[..2], &[word], page), part(&lines[..2], &[], page));
    }

    #[test]
    fn words_are_brought_to_the_middle_of_their_box() {
        assert_eq!(scroll_to(400.0, 20.0, 200.0), 310.0);
        assert_eq!(scroll_to(400.0, 500.0, 200.0), 376.0, "of what is higher, the beginning");
    }
}
