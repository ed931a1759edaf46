//! Menus: the browser's own popover, placed beside the button that opened it.

use super::icon::{Glyph, Icon};
use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;

/// Where a popover opens, in pixels of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
}

impl Anchor {
    /// Below an element.
    pub fn below(element: &web_sys::Element) -> Self {
        let place = element.get_bounding_client_rect();
        Self { x: place.left(), y: place.bottom() + 4.0 }
    }
}

/// A box above the page that closes at Esc or a click elsewhere, and gives the focus back.
#[component]
pub fn Popover(
    /// Where it opens.
    at: Anchor,
    /// Its role.
    role: &'static str,
    /// Its name for screen readers.
    label: &'static str,
    /// Its classes.
    #[prop(optional)]
    class: &'static str,
    /// Called once it was closed; must take it out of the page.
    on_close: Callback<()>,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let Some(div) = node.get() else { return };
        // Fails only where it is open already.
        let _ = div.show_popover();
        let (width, height) = (f64::from(div.offset_width()), f64::from(div.offset_height()));
        let (x, y) = fit(at, (width, height), window_size());
        let style = web_sys::HtmlElement::style(&div);
        // The names are known to every browser.
        let _ = style.set_property("left", &format!("{x}px"));
        let _ = style.set_property("top", &format!("{y}px"));
        focus_first(&div);
    });
    let toggled = move |event: web_sys::Event| {
        let state = js_sys::Reflect::get(&event, &"newState".into()).ok().and_then(|s| s.as_string());
        if state.as_deref() == Some("closed") {
            on_close.run(());
        }
    };
    view! {
        <div node_ref=node popover="auto" class=format!("popover {class}") role=role aria-label=label
            on:toggle=move |event| toggled(event.unchecked_into())>
            {children()}
        </div>
    }
}

/// Closes the popover around an element.
pub fn close_around(element: &web_sys::Element) {
    if let Ok(Some(popover)) = element.closest("[popover]") {
        // Fails only where it is closed already.
        let _ = popover.unchecked_into::<web_sys::HtmlElement>().hide_popover();
    }
}

fn window_size() -> (f64, f64) {
    let number = |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
    (number(window().inner_width()), number(window().inner_height()))
}

/// Where a box of that size goes so that it stays inside the window.
fn fit(at: Anchor, (width, height): (f64, f64), (across, down): (f64, f64)) -> (f64, f64) {
    const EDGE: f64 = 8.0;
    (at.x.min(across - width - EDGE).max(EDGE), at.y.min(down - height - EDGE).max(EDGE))
}

fn focus_first(inside: &web_sys::Element) {
    if let Ok(Some(first)) = inside.query_selector("input, [role=menuitem]:not([disabled]), button") {
        // An element that cannot be focused leaves the focus where it is.
        let _ = first.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// One thing that a menu offers.
#[derive(Clone)]
pub struct Item {
    /// Its words.
    pub label: String,
    /// Its drawing.
    pub icon: Icon,
    /// The key that does the same.
    pub key: Option<&'static str>,
    /// What it does.
    pub act: Callback<()>,
}

/// A button that opens a menu.
#[component]
pub fn MenuButton(
    /// Its name for screen readers.
    label: &'static str,
    /// What it offers.
    items: Callback<(), Vec<Item>>,
    /// Whether Tab reaches it, as `tabindex` says it.
    #[prop(default = "0".into(), into)]
    tabindex: Signal<&'static str>,
) -> impl IntoView {
    let open = RwSignal::new(None::<Anchor>);
    let toggle = move |click: ev::MouseEvent| {
        let button: web_sys::Element = event_target(&click);
        open.set(Some(Anchor::below(&button.closest("button").ok().flatten().unwrap_or(button))));
    };
    view! {
        <button type="button" class="button ghost square" aria-label=label title=label aria-haspopup="menu" tabindex=tabindex
            aria-expanded=move || open.get().is_some().to_string() on:click=toggle>
            <Glyph icon=Icon::More/>
        </button>
        {move || open.get().map(|at| view! {
            <Popover at role="menu" label class="menu" on_close=Callback::new(move |()| open.set(None))>
                <div class="menu-items" on:keydown=move_inside>
                    {items.run(()).into_iter().map(menu_item).collect_view()}
                </div>
            </Popover>
        })}
    }
}

fn menu_item(item: Item) -> impl IntoView {
    let act = move |click: ev::MouseEvent| {
        close_around(&event_target::<web_sys::Element>(&click));
        item.act.run(());
    };
    view! {
        <button type="button" role="menuitem" class="menu-item" on:click=act>
            <Glyph icon=item.icon/>
            <span class="grow">{item.label}</span>
            {item.key.map(|key| view! { <kbd>{key}</kbd> })}
        </button>
    }
}

fn move_inside(press: ev::KeyboardEvent) {
    let step: i32 = match press.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    press.prevent_default();
    let here: web_sys::Element = event_target(&press);
    let Ok(Some(menu)) = here.closest("[role=menu]") else {
        return;
    };
    let Ok(items) = menu.query_selector_all("[role=menuitem]") else {
        return;
    };
    let count = items.length() as i32;
    let at = (0..count).find(|at| items.item(*at as u32).as_ref() == Some(here.unchecked_ref::<web_sys::Node>()));
    let next = (at.unwrap_or(0) + step).rem_euclid(count.max(1));
    if let Some(item) = items.item(next as u32) {
        // An element that cannot be focused leaves the focus where it is.
        let _ = item.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_stays_inside_the_window() {
        let window = (800.0, 600.0);
        assert_eq!(fit(Anchor { x: 10.0, y: 20.0 }, (200.0, 100.0), window), (10.0, 20.0));
        assert_eq!(fit(Anchor { x: 700.0, y: 590.0 }, (200.0, 100.0), window), (592.0, 492.0));
        assert_eq!(fit(Anchor { x: 700.0, y: 0.0 }, (900.0, 700.0), window), (8.0, 8.0));
    }
}
