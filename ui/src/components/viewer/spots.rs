//! What is personal in a source, drawn over it: hatched where it was found, black where it will go. A person adds more by
//! dragging a box, by moving one with the arrow keys, by selecting words, or by a stretch of the waveform.

use crate::text::Mark;
use leptos::{
    ev::{KeyboardEvent, PointerEvent},
    prelude::*,
};
use um_model::{Bbox, FindingId, TimeSpan, Utf16Span, ViewId};
use wasm_bindgen::JsCast;

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It was found, and nobody decided.
    Found,
    /// It will be blacked out.
    Goes,
}

/// A finding as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The finding.
    pub id: FindingId,
    /// What it is: `1, e-mail`.
    pub label: String,
    /// What becomes of it.
    pub fate: Fate,
    /// Its words: those of a text view, or of a memory itself.
    pub words: Option<(Option<ViewId>, Utf16Span)>,
    /// Its boxes, each with its page from 1.
    pub boxes: Vec<(u32, Bbox)>,
    /// When it is said.
    pub time: Option<TimeSpan>,
}

/// The findings of a source while a person looks through them.
#[derive(Clone, Copy)]
pub struct Redacting {
    /// What is drawn.
    pub spots: Memo<Vec<Spot>>,
    /// The one that is looked at.
    pub at: RwSignal<Option<FindingId>>,
    /// Whether the source is shown as it is; else as it will be.
    pub before: RwSignal<bool>,
    /// The words that are selected, in the view or the memory that is shown.
    pub selected: RwSignal<Option<(Option<ViewId>, Utf16Span)>>,
    /// A box that is being made: its page from 0.
    pub draft: RwSignal<Option<(usize, Bbox)>>,
    /// A stretch that is being made.
    pub stretch: RwSignal<Option<TimeSpan>>,
    /// Rises with each box that is to be made by keys.
    pub begun: RwSignal<u32>,
    /// The box that was marked last: its page from 1.
    pub marked: RwSignal<Option<(u32, Bbox)>>,
}

impl Redacting {
    /// The words of a view or memory that are marked.
    pub fn marks(&self, view: Option<&ViewId>) -> Vec<(Utf16Span, Mark)> {
        let mark = |(at, spot): (usize, &Spot)| {
            let (of, span) = spot.words.as_ref()?;
            let mark = match spot.fate {
                Fate::Found => Mark::Found(at as u32),
                Fate::Goes => Mark::Goes(at as u32),
            };
            (of.as_ref() == view).then_some((*span, mark))
        };
        self.spots.with(|spots| spots.iter().enumerate().filter_map(mark).collect())
    }

    /// Words that are marked, as they will be or as they are.
    pub fn word(self, text: String, at: u32) -> AnyView {
        let spot = self.spots.with_untracked(|spots| spots.get(at as usize).cloned());
        let Some(spot) = spot else { return text.into_any() };
        let (id, goes) = (spot.id.clone(), spot.fate == Fate::Goes);
        let here = move || self.at.with(|at| at.as_ref() == Some(&id));
        let id = spot.id.clone();
        let look = move |_| self.at.set(Some(id.clone()));
        let gone = "█".repeat(text.encode_utf16().count());
        let words = move || if goes && !self.before.get() { gone.clone() } else { text.clone() };
        let is_gone = move || goes && !self.before.get();
        view! {
            <mark class="spot" class:will=goes class:goes=is_gone class:now=here.clone() data-testid="spot" data-spot=spot.id.to_string()
                title=spot.label on:click=look>{words}</mark>
        }
        .into_any()
    }

    /// What is drawn over a page, counted from 0. `scale` is pixels for one of its units.
    pub fn over_page(self, page: usize, size: [f64; 2], scale: Signal<f64>) -> impl IntoView {
        let hatch = format!("hatch-{page}");
        let fill = format!("url(#{hatch})");
        let step = move || 7.0 / scale.get();
        let drafted = Memo::new(move |_| self.draft.with(|draft| draft.is_some_and(|(on, _)| on == page)));
        let spots = move || {
            let on_page = |spot: Spot| {
                let boxes: Vec<Bbox> =
                    spot.boxes.iter().filter(|(of, _)| *of as usize == page + 1).map(|(_, bbox)| *bbox).collect();
                (!boxes.is_empty()).then(|| self.on_page(spot, boxes, fill.clone()))
            };
            self.spots.get().into_iter().filter_map(on_page).collect_view()
        };
        view! {
            <defs>
                <pattern id=hatch patternUnits="userSpaceOnUse" patternTransform="rotate(45)" width=step height=step>
                    <rect class="hatch" x="0" y="0" width=move || 1.5 / scale.get() height=step/>
                </pattern>
            </defs>
            {spots}
            {move || drafted.get().then(|| self.drafted(page, size, scale))}
        }
    }

    fn on_page(self, spot: Spot, boxes: Vec<Bbox>, hatch: String) -> impl IntoView {
        let goes = spot.fate == Fate::Goes;
        let [here, look, press] = [spot.id.clone(), spot.id.clone(), spot.id.clone()];
        let label = match spot.fate {
            Fate::Found => format!("{}, found", spot.label),
            Fate::Goes => format!("{}, will go", spot.label),
        };
        let by_key = move |event: KeyboardEvent| {
            if event.key() == "Enter" || event.key() == " " {
                event.prevent_default();
                self.at.set(Some(press.clone()));
            }
        };
        let one = move |[x, y, w, h]: Bbox| {
            let hatch = hatch.clone();
            view! {
                <rect class="ground" x=x y=y width=w height=h/>
                <rect class="fill" x=x y=y width=w height=h fill=hatch/>
            }
        };
        view! {
            <g class="spot" class:goes=move || goes && !self.before.get() class:will=goes
                class:now=move || self.at.with(|at| at.as_ref() == Some(&here))
                tabindex="0" role="button" aria-label=label data-testid="spot" data-spot=spot.id.to_string()
                on:click=move |_| self.at.set(Some(look.clone())) on:keydown=by_key>
                {boxes.into_iter().map(one).collect_view()}
            </g>
        }
    }

    /// The box that is being made. By keys, arrows move it, with Shift they size it, Enter marks it and Escape drops it.
    fn drafted(self, page: usize, size: [f64; 2], scale: Signal<f64>) -> impl IntoView {
        let pressed = move |press: KeyboardEvent| {
            let step = 8.0 / scale.get_untracked();
            let moved = match press.key().as_str() {
                "ArrowLeft" => (-step, 0.0),
                "ArrowRight" => (step, 0.0),
                "ArrowUp" => (0.0, -step),
                "ArrowDown" => (0.0, step),
                "Enter" => {
                    self.keep();
                    (0.0, 0.0)
                }
                "Escape" => {
                    self.draft.set(None);
                    (0.0, 0.0)
                }
                _ => return,
            };
            press.prevent_default();
            press.stop_propagation();
            let sizes = press.shift_key();
            self.draft.update(|draft| {
                if let Some((_, bbox)) = draft {
                    *bbox = if sizes { sized(*bbox, moved, step, size) } else { shifted(*bbox, moved, size) };
                }
            });
        };
        let side = move |at: usize| move || self.draft.with(|draft| draft.map_or(0.0, |(_, bbox)| bbox[at]));
        let node = NodeRef::<leptos::svg::Rect>::new();
        Effect::new(move |_| {
            if let Some(rect) = node.get() {
                focus(&rect);
            }
        });
        view! {
            <rect class="draft" node_ref=node data-testid="draft" data-page=page + 1 x=side(0) y=side(1) width=side(2) height=side(3)
                tabindex="0" role="button"
                aria-label="New box. Arrow keys move it, with Shift they size it; Enter marks it, Escape drops it"
                on:keydown=pressed/>
        }
    }

    /// Marks what was being made, and is done with it.
    fn keep(self) {
        if let Some((page, bbox)) = self.draft.get_untracked() {
            self.draft.set(None);
            self.marked.set(Some((page as u32 + 1, bbox)));
        }
    }
}

fn focus(element: &web_sys::SvgElement) {
    // An element that cannot be focused leaves the focus where it is.
    let _ = js_sys::Reflect::get(element, &"focus".into())
        .ok()
        .and_then(|focus| focus.dyn_into::<js_sys::Function>().ok())
        .map(|focus| focus.call0(element));
}

/// A box that is moved, and stays on its page.
fn shifted([x, y, w, h]: Bbox, (across, down): (f64, f64), [width, height]: [f64; 2]) -> Bbox {
    [(x + across).clamp(0.0, (width - w).max(0.0)), (y + down).clamp(0.0, (height - h).max(0.0)), w, h]
}

/// A box whose right and lower edges are moved, and stay on its page; it is never smaller than `least`.
fn sized([x, y, w, h]: Bbox, (across, down): (f64, f64), least: f64, [width, height]: [f64; 2]) -> Bbox {
    let within = |value: f64, most: f64| value.max(least).min(most.max(least));
    [x, y, within(w + across, width - x), within(h + down, height - y)]
}

/// The box between two points, on its page.
fn between((ax, ay): (f64, f64), (bx, by): (f64, f64), [width, height]: [f64; 2]) -> Bbox {
    let on = |value: f64, most: f64| value.clamp(0.0, most);
    let (left, right) = (on(ax.min(bx), width), on(ax.max(bx), width));
    let (top, bottom) = (on(ay.min(by), height), on(ay.max(by), height));
    [left, top, right - left, bottom - top]
}

/// Pixels that a pointer moves before a press becomes a box.
const DRAG: f64 = 4.0;

/// A pointer that draws boxes on a page.
#[derive(Clone, Copy)]
pub struct Pen {
    redacting: Redacting,
    page: usize,
    size: [f64; 2],
    /// Where it was pressed, in the page's units.
    from: StoredValue<Option<(f64, f64)>>,
    /// Whether it has drawn since.
    drawn: StoredValue<bool>,
}

impl Pen {
    /// One for a page, counted from 0.
    pub fn new(redacting: Redacting, page: usize, size: [f64; 2]) -> Self {
        Self { redacting, page, size, from: StoredValue::new(None), drawn: StoredValue::new(false) }
    }

    fn point(self, event: &PointerEvent) -> Option<((f64, f64), f64)> {
        let svg: web_sys::Element = event.current_target()?.dyn_into().ok()?;
        let place = svg.get_bounding_client_rect();
        let scale = place.width() / self.size[0];
        let at = (f64::from(event.client_x()) - place.left(), f64::from(event.client_y()) - place.top());
        (scale > 0.0).then(|| ((at.0 / scale, at.1 / scale), scale))
    }

    /// The pointer went down.
    pub fn down(self, event: &PointerEvent) {
        if event.button() == 0 {
            self.from.set_value(self.point(event).map(|(at, _)| at));
        }
    }

    /// It moved.
    pub fn moved(self, event: &PointerEvent) {
        let (Some(from), Some((to, scale))) = (self.from.get_value(), self.point(event)) else { return };
        let draft = between(from, to, self.size);
        if draft[2] * scale >= DRAG && draft[3] * scale >= DRAG {
            event.prevent_default();
            self.drawn.set_value(true);
            self.redacting.draft.set(Some((self.page, draft)));
        }
    }

    /// It went up, wherever.
    pub fn up(self) {
        self.from.set_value(None);
        if self.drawn.get_value() {
            self.drawn.set_value(false);
            self.redacting.keep();
        }
    }
}

/// Where the words that are selected stand in their text: both ends must be in lines of it.
pub fn selected() -> Option<Utf16Span> {
    let selection = window().get_selection().ok()??;
    let range = selection.get_range_at(0).ok().filter(|_| !selection.is_collapsed())?;
    let start = offset(&range.start_container().ok()?, range.start_offset().ok()?)?;
    let end = offset(&range.end_container().ok()?, range.end_offset().ok()?)?;
    (start < end).then(|| Utf16Span::new(start, end))
}

/// Where a point of the page stands in the text that it shows.
fn offset(node: &web_sys::Node, at: u32) -> Option<u32> {
    let element = node.dyn_ref::<web_sys::Element>().cloned().or_else(|| node.parent_element())?;
    let line = element.closest("[data-start]").ok()??;
    let start: u32 = line.get_attribute("data-start")?.parse().ok()?;
    let before = document().create_range().ok()?;
    before.set_start(&line, 0).ok()?;
    before.set_end(node, at).ok()?;
    Some(start + before.to_string().length())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: [f64; 2] = [100.0, 50.0];

    #[test]
    fn boxes_stay_on_their_page() {
        assert_eq!(shifted([10.0, 10.0, 20.0, 5.0], (8.0, -20.0), PAGE), [18.0, 0.0, 20.0, 5.0]);
        assert_eq!(shifted([90.0, 10.0, 20.0, 5.0], (8.0, 0.0), PAGE), [80.0, 10.0, 20.0, 5.0]);
        assert_eq!(sized([10.0, 10.0, 20.0, 5.0], (100.0, -20.0), 2.0, PAGE), [10.0, 10.0, 90.0, 2.0]);
        assert_eq!(between((30.0, 40.0), (-5.0, 10.0), PAGE), [0.0, 10.0, 30.0, 30.0]);
        assert_eq!(between((90.0, 40.0), (120.0, 60.0), PAGE), [90.0, 40.0, 10.0, 10.0]);
    }
}
