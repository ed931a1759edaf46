//! A virtual list or grid: only what is seen stands in the page, however many there are.

use super::measure::measured;
use leptos::{ev, html, prelude::*, task::spawn_local};
use std::ops::Range;
use wasm_bindgen::JsCast;

/// Rows kept above and below what is seen, so that scrolling shows no gaps.
const OVERSCAN: usize = 4;

/// The rows that stand in the page, for a list scrolled down by `top` pixels.
pub fn rows_in_view(top: f64, height: f64, row_height: f64, rows: usize) -> Range<usize> {
    let first = (top.max(0.0) / row_height).floor() as usize;
    let last = ((top.max(0.0) + height) / row_height).ceil() as usize;
    first.saturating_sub(OVERSCAN).min(rows)..(last + OVERSCAN).min(rows)
}

/// How far to scroll so that a row is seen whole; `None` where it is already.
pub fn scroll_to_row(row: usize, top: f64, height: f64, row_height: f64) -> Option<f64> {
    let upper = row as f64 * row_height;
    if upper < top {
        Some(upper)
    } else if upper + row_height > top + height {
        Some(upper + row_height - height)
    } else {
        None
    }
}

/// Where an arrow key leads from an item.
pub fn moved(key: &str, at: usize, columns: usize, total: usize) -> Option<usize> {
    let last = total.checked_sub(1)?;
    let to = match key {
        "ArrowDown" => at + columns,
        "ArrowUp" => at.checked_sub(columns)?,
        "ArrowRight" if columns > 1 => at + 1,
        "ArrowLeft" if columns > 1 => at.checked_sub(1)?,
        "Home" => 0,
        "End" => last,
        "PageDown" => (at + 10 * columns).min(last),
        "PageUp" => at.saturating_sub(10 * columns),
        _ => return None,
    };
    (to <= last).then_some(to)
}

/// A virtual list. Each item is drawn by `item` from its index; the element in it that takes the focus
/// carries `data-focus`.
#[component]
pub fn VirtualList<V: IntoView + 'static>(
    /// How many items there are.
    total: Signal<usize>,
    /// Narrowest width of a column in pixels; `None` for one column.
    column_width: Signal<Option<f64>>,
    /// Height of a row in pixels.
    row_height: Signal<f64>,
    /// Its name for screen readers.
    #[prop(into)]
    label: String,
    /// The item that the focus is on, or comes to first.
    cursor: RwSignal<usize>,
    /// The items that stand in the page.
    visible: WriteSignal<Range<usize>>,
    /// What tells an item from all others, however the list is ordered; none where it is not known yet.
    id: impl Fn(usize) -> Option<String> + Send + Sync + Clone + 'static,
    /// Keys that the list itself does not know.
    on_key: Callback<ev::KeyboardEvent>,
    /// Draws an item.
    item: impl Fn(usize) -> V + Send + Sync + Clone + 'static,
) -> impl IntoView {
    let layout = Layout::new(total, column_width, row_height, cursor);
    Effect::new(move |_| visible.set(layout.range.get()));
    let inside = StoredValue::new(false);
    let left = move |event: ev::FocusEvent| {
        if event.related_target().is_some() {
            inside.set_value(false);
            return;
        }
        // The focus went nowhere: by a click beside everything, or because what had it is gone.
        let from: web_sys::Node = event_target(&event);
        request_animation_frame(move || {
            if from.is_connected() && focus_is_lost() {
                inside.try_set_value(false);
            }
        });
    };
    layout.keep_focus(inside, id);
    let pressed = move |press: ev::KeyboardEvent| match layout.leads_to(&press) {
        Some(to) => {
            press.prevent_default();
            layout.focus(to);
        }
        None => on_key.run(press),
    };
    let place = move |index: usize| layout.place(index, item(index));
    let Layout { scroller, top, range, .. } = layout;
    view! {
        <div class="scroller" tabindex="-1" node_ref=scroller on:keydown=pressed on:focusin=move |_| inside.set_value(true) on:focusout=left
            on:scroll=move |_| if let Some(div) = scroller.get_untracked() { top.set(f64::from(div.scroll_top())) }>
            <ul class="virtual" aria-label=label
                style:height=move || format!("{}px", layout.rows.get() as f64 * row_height.get())>
                <For each=move || range.get() key=|index| *index children=place/>
            </ul>
        </div>
    }
}

/// Where the items of a list stand, and which of them do.
#[derive(Clone, Copy)]
struct Layout {
    scroller: NodeRef<html::Div>,
    /// Width and height of what is seen.
    size: ReadSignal<(f64, f64)>,
    /// How far it is scrolled down.
    top: RwSignal<f64>,
    total: Signal<usize>,
    row_height: Signal<f64>,
    columns: Memo<usize>,
    rows: Memo<usize>,
    /// The items that stand in the page.
    range: Memo<Range<usize>>,
    cursor: RwSignal<usize>,
}

impl Layout {
    fn new(
        total: Signal<usize>,
        column_width: Signal<Option<f64>>,
        row_height: Signal<f64>,
        cursor: RwSignal<usize>,
    ) -> Self {
        let scroller = NodeRef::<html::Div>::new();
        let size = measured(scroller);
        let top = RwSignal::new(0.0);
        let columns = Memo::new(move |_| match column_width.get() {
            Some(width) => ((size.get().0 / width).floor() as usize).max(1),
            None => 1,
        });
        let rows = Memo::new(move |_| total.get().div_ceil(columns.get()));
        let range = Memo::new(move |_| {
            let seen = rows_in_view(top.get(), size.get().1, row_height.get(), rows.get());
            seen.start * columns.get()..(seen.end * columns.get()).min(total.get())
        });
        Self { scroller, size, top, total, row_height, columns, rows, range, cursor }
    }

    /// The item that a key leads to.
    fn leads_to(&self, press: &ev::KeyboardEvent) -> Option<usize> {
        let plain = !(press.ctrl_key() || press.meta_key() || press.alt_key());
        let (at, columns) = (self.cursor.get_untracked(), self.columns.get_untracked());
        moved(&press.key(), at, columns, self.total.get_untracked()).filter(|_| plain)
    }

    /// Gives an item the focus, scrolled to where it is seen.
    fn focus(&self, index: usize) {
        self.cursor.set(index);
        let Some(div) = self.scroller.get_untracked() else {
            return;
        };
        let row = index / self.columns.get_untracked();
        let (top, height) = (f64::from(div.scroll_top()), self.size.get_untracked().1);
        if let Some(to) = scroll_to_row(row, top, height, self.row_height.get_untracked()) {
            div.set_scroll_top(to as i32);
        }
        focus_when_drawn(self.scroller, index, self.cursor);
    }

    /// A new answer may move the item that has the focus, draw it anew, or leave it out: then it gets the focus again
    /// where it is now, or what took its place does.
    fn keep_focus(self, inside: StoredValue<bool>, id: impl Fn(usize) -> Option<String> + Send + Sync + 'static) {
        Effect::new(move |before: Option<(usize, Option<String>)>| {
            let (total, cursor) = (self.total.get(), self.cursor.get());
            let ids: Vec<_> = self.range.get().map(|index| (index, id(index))).collect();
            let focused = inside.get_value();
            let held = before.filter(|(was, _)| focused && *was == cursor).and_then(|(_, id)| id);
            let is_now = ids.iter().find(|(_, id)| id.is_some() && *id == held).map(|(index, _)| *index);
            if focused && total > 0 {
                let index = is_now.unwrap_or(cursor.min(total - 1));
                request_animation_frame(move || {
                    let moved = index != cursor && self.cursor.try_get_untracked() == Some(cursor);
                    if (moved || focus_is_lost()) && inside.try_get_value() == Some(true) {
                        self.focus(index);
                    }
                });
            }
            let at_cursor = || ids.iter().find(|(index, _)| *index == cursor).and_then(|(_, id)| id.clone());
            (cursor, held.filter(|_| is_now.is_some()).or_else(at_cursor))
        });
    }

    /// An item in its place.
    fn place<V: IntoView + 'static>(self, index: usize, content: V) -> impl IntoView + use<V> {
        let Self { total, row_height, columns, .. } = self;
        let across = move || 100.0 / columns.get() as f64;
        view! {
            <li
                class="virtual-item"
                data-index=index
                aria-setsize=move || total.get()
                aria-posinset=index + 1
                style:top=move || format!("{}px", (index / columns.get()) as f64 * row_height.get())
                style:left=move || format!("{}%", (index % columns.get()) as f64 * across())
                style:width=move || format!("{}%", across())
                style:height=move || format!("{}px", row_height.get())
            >
                {content}
            </li>
        }
    }
}

/// Whether nothing in the page has the focus.
fn focus_is_lost() -> bool {
    document().active_element().is_none_or(|e| e.tag_name() == "BODY")
}

/// Focuses an item once it is there: a row far away is read first. Meanwhile the list itself has the focus,
/// so that its keys go on working.
fn focus_when_drawn(scroller: NodeRef<html::Div>, index: usize, cursor: RwSignal<usize>) {
    const TRIES: u32 = 60;
    const BETWEEN_MS: u32 = 30;
    if focus_item(scroller, index) {
        return;
    }
    spawn_local(async move {
        for _ in 0..TRIES {
            gloo_timers::future::TimeoutFuture::new(BETWEEN_MS).await;
            if cursor.try_get_untracked() != Some(index) || focus_item(scroller, index) {
                return;
            }
        }
    });
}

fn focus_item(scroller: NodeRef<html::Div>, index: usize) -> bool {
    let Some(div) = scroller.try_get_untracked().flatten() else { return true };
    let item = div.query_selector(&format!("[data-index='{index}'] [data-focus]")).ok().flatten();
    let found = item.is_some();
    let target: web_sys::HtmlElement = item.map_or_else(|| div.unchecked_into(), JsCast::unchecked_into);
    // An element that cannot be focused leaves the focus where it is.
    let _ = target.focus();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_seen_stands_in_the_page() {
        assert_eq!(rows_in_view(0.0, 400.0, 40.0, 10_000), 0..14);
        assert_eq!(rows_in_view(4_000.0, 400.0, 40.0, 10_000), 96..114);
        assert_eq!(rows_in_view(399_900.0, 400.0, 40.0, 10_000), 9_993..10_000);
        assert_eq!(rows_in_view(0.0, 400.0, 40.0, 3), 0..3);
        assert_eq!(rows_in_view(900.0, 400.0, 40.0, 0), 0..0);
    }

    #[test]
    fn a_row_that_is_seen_needs_no_scrolling() {
        assert_eq!(scroll_to_row(3, 0.0, 400.0, 40.0), None);
        assert_eq!(scroll_to_row(10, 0.0, 400.0, 40.0), Some(40.0));
        assert_eq!(scroll_to_row(1, 200.0, 400.0, 40.0), Some(40.0));
    }

    #[test]
    fn arrows_stay_inside() {
        assert_eq!(moved("ArrowDown", 0, 3, 7), Some(3));
        assert_eq!(moved("ArrowDown", 5, 3, 7), None);
        assert_eq!(moved("ArrowUp", 2, 3, 7), None);
        assert_eq!(moved("ArrowRight", 0, 1, 7), None);
        assert_eq!(moved("End", 0, 3, 7), Some(6));
        assert_eq!(moved("PageDown", 0, 1, 7), Some(6));
        assert_eq!(moved("Home", 5, 1, 0), None);
    }
}
