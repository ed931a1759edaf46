//! What a pointer that stays on a citation, or Space, shows beside it: the region, the lines, or six seconds of sound.
//! One at a time.

use super::{Cited, region, words};
use crate::{
    components::{
        icon::{Glyph, Icon, of_modality},
        measure::measured,
        viewer::Target,
    },
    state::App,
};
use leptos::{ev, html, prelude::*, task::spawn_local};
use std::sync::atomic::{AtomicU64, Ordering};
use um_model::{Modality, citation::CitationState};

/// How long a pointer stays before it is taken to ask, in milliseconds.
const PATIENCE_MS: u32 = 400;
/// How long a pointer may be on its way from the citation to its preview, in milliseconds.
const GRACE_MS: u32 = 250;

/// What a preview shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Whose preview it is.
    pub id: u64,
    /// The place.
    pub target: Target,
    /// What the source is.
    pub modality: Modality,
    /// Whether the words still stand there.
    pub state: CitationState,
    /// The place in words.
    pub place: Option<String>,
}

impl Preview {
    /// The preview of a citation that is drawn now.
    pub fn of(cited: &Cited, target: Target) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            target,
            modality: cited.citation.modality,
            state: cited.citation.state,
            place: cited.place(),
        }
    }
}

/// A rectangle in the window: left, top, right, bottom.
type Edges = [f64; 4];

/// The preview that is open, and the pointer that may ask for one.
#[derive(Clone, Copy)]
pub struct Previews {
    open: RwSignal<Option<(Preview, Edges)>>,
    /// Rises with whatever makes an earlier intention void.
    turn: StoredValue<u32>,
    /// Where the pointer was last.
    pointer: StoredValue<(i32, i32)>,
}

impl Previews {
    /// Begins to follow the pointer. Call once.
    pub fn start() -> Self {
        let previews =
            Self { open: RwSignal::new(None), turn: StoredValue::new(0), pointer: StoredValue::new((-1, -1)) };
        // Both listen as long as the window lives.
        let _ = window_event_listener(ev::pointermove, move |e| {
            previews.pointer.set_value((e.client_x(), e.client_y()));
        });
        let _ = window_event_listener(ev::wheel, move |e| {
            let inside = event_target::<web_sys::Element>(&e).closest("#preview").ok().flatten().is_some();
            if !inside {
                previews.close();
            }
        });
        previews
    }

    /// Whether the pointer came by itself: what moves under a pointer at rest asks for nothing.
    pub fn moved(&self, pointer: &ev::PointerEvent) -> bool {
        let now = (pointer.client_x(), pointer.client_y());
        self.pointer.get_value() != now
    }

    /// Shows it once the pointer has stayed.
    pub fn soon(self, preview: Preview, place: impl Fn() -> Option<web_sys::DomRect> + 'static) {
        if self.is_open_now(preview.id) {
            self.next_turn();
            return;
        }
        self.after(PATIENCE_MS, move || self.show(preview, place()));
    }

    /// Shows it at once, or closes it where it is shown.
    pub fn toggle(&self, preview: Preview, place: impl Fn() -> Option<web_sys::DomRect>) {
        self.next_turn();
        if self.is_open_now(preview.id) { self.close() } else { self.show(preview, place()) }
    }

    /// The pointer left the citation, perhaps for the preview.
    pub fn leave(self) {
        self.after(GRACE_MS, move || self.close());
    }

    /// Closes what is open, and shows nothing that was asked for.
    pub fn close(&self) {
        self.next_turn();
        if self.open.with_untracked(Option::is_some) {
            self.open.set(None);
        }
    }

    /// Closes the preview of one citation.
    pub fn close_of(&self, id: u64) {
        if self.is_open_now(id) {
            self.close();
        }
    }

    /// Whether a preview is open.
    pub fn any(&self) -> bool {
        self.open.with_untracked(Option::is_some)
    }

    /// Whether the preview of one citation is open.
    pub fn is_open(&self, id: u64) -> bool {
        self.open.with(|open| open.as_ref().is_some_and(|(shown, _)| shown.id == id))
    }

    fn is_open_now(&self, id: u64) -> bool {
        self.open.try_with_untracked(|open| open.as_ref().is_some_and(|(shown, _)| shown.id == id)).unwrap_or(false)
    }

    fn show(&self, preview: Preview, place: Option<web_sys::DomRect>) {
        // A citation that has left the page meanwhile has no place.
        if let Some(at) = place.filter(|at| at.width() > 0.0) {
            self.open.set(Some((preview, [at.left(), at.top(), at.right(), at.bottom()])));
        }
    }

    fn next_turn(&self) -> u32 {
        self.turn.update_value(|turn| *turn = turn.wrapping_add(1));
        self.turn.get_value()
    }

    fn after(self, ms: u32, act: impl FnOnce() + 'static) {
        let mine = self.next_turn();
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(ms).await;
            if self.turn.try_get_value() == Some(mine) {
                act();
            }
        });
    }
}

/// The preview beside its citation, while there is one.
#[component]
pub fn PreviewPopover() -> impl IntoView {
    let app = App::get();
    Effect::new(move |_| {
        app.route.track();
        app.dialog.track();
        app.previews.close();
    });
    move || app.previews.open.get().map(|(preview, beside)| view! { <Popover preview beside/> })
}

#[component]
fn Popover(preview: Preview, beside: Edges) -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Div>::new();
    let size = measured(node);
    Effect::new(move |_| {
        let (Some(div), (width, height)) = (node.get(), size.get()) else { return };
        let number = |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
        let window = (number(window().inner_width()), number(window().inner_height()));
        let (x, y) = fit(beside, (width, height), window);
        let style = web_sys::HtmlElement::style(&div);
        // The names are known to every browser.
        let _ = style.set_property("left", &format!("{x}px"));
        let _ = style.set_property("top", &format!("{y}px"));
    });
    let title = preview.target.title.clone();
    let place = preview.place.clone();
    let state = words::state(preview.state).map(|(icon, _, sentence)| {
        view! {
            <p class="small preview-state"><Glyph icon/> {sentence}</p>
        }
    });
    let modality = preview.modality;
    view! {
        <div id="preview" class="preview" node_ref=node role="group" aria-live="polite" aria-label="Preview" data-testid="preview"
            on:pointerenter=move |_| { app.previews.next_turn(); } on:pointerleave=move |_| app.previews.leave()>
            <p class="preview-head small">
                <Glyph icon=of_modality(modality)/>
                <span class="file grow" title=title.clone()>{title.clone()}</span>
                {place.map(|place| view! { <span class="place">{place}</span> })}
            </p>
            {state}
            {region::content(preview)}
        </div>
    }
}

/// Where a preview goes: below its citation, else above, and always inside the window.
fn fit([left, top, _, bottom]: Edges, (width, height): (f64, f64), (across, down): (f64, f64)) -> (f64, f64) {
    const GAP: f64 = 6.0;
    const EDGE: f64 = 8.0;
    let x = left.min(across - width - EDGE).max(EDGE);
    let below = bottom + GAP;
    let above = top - GAP - height;
    let y = if below + height + EDGE <= down {
        below
    } else if above >= EDGE {
        above
    } else {
        (down - height - EDGE).max(EDGE)
    };
    (x, y)
}

/// What is shown where there is nothing to show it by.
pub fn missing(says: &'static str) -> AnyView {
    view! { <p class="small muted"><Glyph icon=Icon::Info/> {says}</p> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_stands_below_or_above_and_inside() {
        let (size, window) = ((400.0, 200.0), (1280.0, 800.0));
        assert_eq!(fit([100.0, 50.0, 300.0, 90.0], size, window), (100.0, 96.0));
        assert_eq!(fit([1100.0, 50.0, 1200.0, 90.0], size, window), (872.0, 96.0));
        assert_eq!(fit([100.0, 700.0, 300.0, 740.0], size, window), (100.0, 494.0));
        assert_eq!(fit([0.0, 20.0, 300.0, 780.0], size, window), (8.0, 592.0));
    }
}
