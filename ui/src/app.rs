//! The window: its regions, its keys, its title and theme.

use crate::{
    components::icon::Icon,
    components::{
        citation::PreviewPopover, dialogs::OpenDialog, drop_overlay::DropOverlay, menu::Anchor, nav::Nav,
        pairing::PairingPrompt, space_switcher::SpaceSwitcher, states::Empty, status_bar::StatusBar, toast::ToastShelf,
        viewer::Viewer,
    },
    ipc,
    keys::{Command, Press, command},
    pages::{
        Access, Activity, Asking, Audit, Beliefs, Context, Decided, Entity, Entry, Item, Library, Names, Promotions,
        Recall, Redactions, Resources, Review, Rule, Rules, Session, Sessions, SettingsPage, Trace, Traces,
    },
    pane::Splitter,
    route::{Route, Shown, pages},
    state::{App, Dialog},
};
use leptos::{ev, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;

/// The whole window.
#[component]
pub fn Window() -> impl IntoView {
    let app = App::start();
    follow_history(app);
    follow_keys(app);
    follow_title(app);
    follow_theme(app);
    follow_pages(app);
    follow_ask_keys(app);
    refuse_browser_drops();
    // A viewer that was opened beside one page, or one answer, does not follow to another.
    Effect::new(move |before: Option<Route>| {
        let now = app.route.get();
        if before.is_some_and(|before| before != now) {
            app.viewer.set(None);
        }
        now
    });
    view! {
        <div class="shell" data-testid="shell">
            <Nav/>
            <main class="main" id="main" tabindex="-1">{move || page_of(app)}</main>
            <Pane/>
            <StatusBar/>
        </div>
        <SpaceSwitcher/>
        <OpenDialog/>
        <ToastShelf toasts=app.toasts/>
        <PreviewPopover/>
        <DropOverlay/>
        <PairingPrompt/>
    }
}

/// The page of the route. A new question does not draw the page anew, another file does.
fn page_of(app: App) -> AnyView {
    let drawn = Memo::new(move |_| match app.route.get() {
        Route::Recall { .. } => Route::Recall { query: String::new() },
        Route::Review { .. } => Route::Review { conflict: None },
        Route::Redactions { .. } => Route::Redactions { memory: None },
        Route::Rules { .. } => Route::Rules { show: Shown::Always },
        Route::Resources { .. } => Route::Resources { open: None },
        other => other,
    });
    (move || match drawn.get() {
        Route::Recall { .. } => view! { <Recall/> }.into_any(),
        Route::Context => view! { <Context/> }.into_any(),
        Route::Traces => view! { <Traces/> }.into_any(),
        Route::Trace(id) => view! { <Trace id/> }.into_any(),
        Route::Library => view! { <Library/> }.into_any(),
        Route::Item { id, at } => view! { <Item id at/> }.into_any(),
        Route::Beliefs => view! { <Beliefs/> }.into_any(),
        Route::Entity(id) => view! { <Entity id/> }.into_any(),
        Route::Sessions => view! { <Sessions/> }.into_any(),
        Route::Session(id) => view! { <Session id/> }.into_any(),
        Route::Rules { .. } => view! { <Rules/> }.into_any(),
        Route::Rule(id) => view! { <Rule id/> }.into_any(),
        Route::Entry(id) => view! { <Entry id/> }.into_any(),
        Route::Resources { .. } => view! { <Resources/> }.into_any(),
        Route::Review { .. } => view! { <Review/> }.into_any(),
        Route::Redactions { .. } => view! { <Redactions/> }.into_any(),
        Route::Promotions => view! { <Promotions/> }.into_any(),
        Route::Names => view! { <Names/> }.into_any(),
        Route::Asking => view! { <Asking/> }.into_any(),
        Route::Decided => view! { <Decided/> }.into_any(),
        Route::Access => view! { <Access/> }.into_any(),
        Route::Audit { agent } => view! { <Audit agent/> }.into_any(),
        Route::Activity { health } => view! { <Activity health/> }.into_any(),
        Route::Settings => view! { <SettingsPage/> }.into_any(),
        Route::Unknown(_) => view! { <NotFound/> }.into_any(),
    })
    .into_any()
}

#[component]
fn NotFound() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="page-head"><h1>"Not found"</h1></div>
        <div class="page-body">
            <Empty icon=Icon::Search says="No page has this address.">
                <button type="button" class="button accent" on:click=move |_| app.go(Route::Recall { query: String::new() })>"Go to Recall"</button>
            </Empty>
        </div>
    }
}

/// The viewer beside the page, while something is open in it.
#[component]
fn Pane() -> impl IntoView {
    let app = App::get();
    let close = Callback::new(move |()| close_viewer(app));
    move || {
        app.viewer.get().map(|target| view! {
            <aside class="pane" id="viewer" aria-label="Viewer" tabindex="-1"><Splitter/><Viewer target close/></aside>
        })
    }
}

fn close_viewer(app: App) {
    // Back to where it was opened from; else to the passage that it shows, which is marked only as long as it is open.
    let opener = app.opener.get_value().filter(|e| e.is_connected()).map(Into::into);
    let opened_from = opener.or_else(|| document().query_selector(".result.open [data-focus]").ok().flatten());
    app.viewer.set(None);
    match opened_from {
        Some(element) => focus(&element),
        None => {
            let _ = focus_in("#search");
        }
    }
}

fn focus(element: &web_sys::Element) {
    // An element that cannot be focused leaves the focus where it is.
    let _ = element.unchecked_ref::<web_sys::HtmlElement>().focus();
}

/// Focuses the first element that the selectors find, in the order of the selectors.
fn focus_in(selectors: &str) -> bool {
    let found = selectors.split(", ").find_map(|one| document().query_selector(one).ok().flatten());
    if let Some(element) = &found {
        focus(element);
    }
    found.is_some()
}

fn follow_history(app: App) {
    // The listeners live as long as the window.
    let _ = window_event_listener(ev::popstate, move |_| app.route.set(Route::current()));
}

fn follow_title(app: App) {
    Effect::new(move |_| {
        let title = format!("{} - {}", app.route.with(Route::name), app.space_label());
        document().set_title(&title);
        spawn_local(async move { ipc::set_title(&title).await });
    });
}

/// Kept beside the settings so that the first picture of the window has the right colours.
const THEME_KEY: &str = "um.theme";

fn follow_theme(app: App) {
    let theme = Memo::new(move |_| app.settings.value.with(|s| s.as_ref().map(|s| s.theme.clone())));
    Effect::new(move |_| {
        let (Some(theme), Some(root)) = (theme.get(), document().document_element()) else {
            return;
        };
        // Neither can fail for plain words; a full storage costs one picture in the wrong colours.
        let _ = match theme.as_str() {
            "light" | "dark" => root.set_attribute("data-theme", &theme),
            _ => root.remove_attribute("data-theme"),
        };
        if let Ok(Some(storage)) = window().local_storage() {
            let _ = storage.set_item(THEME_KEY, &theme);
        }
    });
}

/// A file dropped where the shell did not see it must not replace the window.
fn refuse_browser_drops() {
    let _ = window_event_listener(ev::dragover, |event| event.prevent_default());
    let _ = window_event_listener(ev::drop, |event| event.prevent_default());
}

/// Where a page went with what had the focus, the page that came has it.
fn follow_pages(app: App) {
    Effect::new(move |_| {
        app.route.track();
        request_animation_frame(|| {
            if has_no_focus() {
                let _ = focus_in("#main");
            }
        });
    });
}

/// Whether nothing has the focus.
pub fn has_no_focus() -> bool {
    document().active_element().is_none_or(|element| element.tag_name() == "BODY")
}

/// The first of what a page lists gets the focus, where none of it has it: from the page itself, from its filter, or from
/// the question.
fn into_page() -> bool {
    let outside = has_no_focus()
        || document()
            .active_element()
            .is_some_and(|e| e.id() == "main" || e.closest("[role=search] input[type=text]").ok().flatten().is_some());
    outside && focus_in(".page-body [data-focus][tabindex='0'], .page-body [data-focus]")
}

fn follow_keys(app: App) {
    let _ = window_event_listener(ev::keydown, move |press| {
        let key = press.key();
        let bare = !(press.ctrl_key() || press.meta_key() || press.alt_key() || press.shift_key());
        let free = !press.default_prevented() && !app.holds_keys();
        if key == "ArrowDown" && bare && free && into_page() {
            press.prevent_default();
            return;
        }
        let asked = command(Press {
            key: &key,
            ctrl: press.ctrl_key() || press.meta_key(),
            shift: press.shift_key(),
            alt: press.alt_key(),
            typing: is_typing(&press),
        });
        if let Some(asked) = asked.filter(|_| !press.default_prevented())
            && obey(app, asked)
        {
            press.prevent_default();
        }
    });
}

fn is_typing(press: &ev::KeyboardEvent) -> bool {
    let Some(element) = press.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else {
        return false;
    };
    let kind = element.get_attribute("type").unwrap_or_else(|| "text".into());
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(kind.as_str(), "checkbox" | "radio" | "button" | "file"),
        _ => false,
    }
}

/// Does what a key asks for; `false` where the key means nothing now.
fn obey(app: App, asked: Command) -> bool {
    let is_asked = untrack(|| app.asking()).is_some();
    if is_asked || (app.holds_keys() && asked != Command::Palette) {
        // A dialog holds the keys; Esc in it is the browser's.
        return false;
    }
    match asked {
        Command::Palette => app.dialog.set(Some(Dialog::Palette)),
        Command::Page(number) => match pages().into_iter().nth(usize::from(number) - 1) {
            Some(Route::Recall { .. }) => app.go(untrack(|| app.recall())),
            Some(page) => app.go(page),
            None => return false,
        },
        Command::Settings => app.go(Route::Settings),
        Command::AddFiles => app.dialog.set(Some(Dialog::AddFiles)),
        Command::Spaces => open_switcher(app),
        Command::Search => to_search(app),
        Command::NextRegion => next_region(),
        Command::Back => drop(window().history().and_then(|h| h.back())),
        Command::Forward => drop(window().history().and_then(|h| h.forward())),
        Command::Undo => app.toasts.undo_last(),
        Command::Help => app.dialog.set(Some(Dialog::Keys)),
        Command::NextMatch => app.step.update(|n| *n += 1),
        Command::PreviousMatch => app.step.update(|n| *n -= 1),
        Command::Close if app.previews.any() => app.previews.close(),
        Command::Close => {
            if app.viewer.with_untracked(Option::is_none) || app.switcher.with_untracked(Option::is_some) {
                return false;
            }
            close_viewer(app);
        }
    }
    true
}

/// The keys of the settings lead to the question, wherever they were pressed. What holds the keys keeps them.
fn follow_ask_keys(app: App) {
    ipc::on_ask(move || {
        if untrack(|| app.asking()).is_some() || app.holds_keys() {
            return;
        }
        if !app.route.with_untracked(|route| matches!(route, Route::Recall { .. })) {
            app.go(untrack(|| app.recall()));
        }
        request_animation_frame(|| {
            let _ = select_search();
        });
    });
}

fn open_switcher(app: App) {
    if let Some(button) = document().get_element_by_id("space-switcher") {
        app.switcher.set(Some(Anchor::below(&button)));
    }
}

fn to_search(app: App) {
    // At once where it is there: the next key is typed into it already.
    if !select_search() {
        app.go(untrack(|| app.recall()));
        request_animation_frame(|| {
            let _ = select_search();
        });
    }
}

/// The search box of the page gets the focus, and what is typed next takes the place of what stands there.
fn select_search() -> bool {
    let field = document().get_element_by_id("search").and_then(|e| e.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(field) = &field {
        // A field that cannot be focused is left alone.
        let _ = field.focus();
        field.select();
    }
    field.is_some()
}

/// The regions in the order of F6; the first that is there after the one with the focus gets it.
const REGIONS: [(&str, &str); 5] = [
    (".nav", ".nav .here a, .nav button"),
    // The head of the page, whose field for words is not on every page a search.
    ("[role=search], .page-head", "#search, .page-head a, .page-head button:not(:disabled)"),
    (
        ".page-body, .item",
        ".page-body [data-focus][tabindex='0'], .page-body [data-focus], .page-body button, .page-body a, .item-side",
    ),
    (".pane", ".pane button"),
    (".status", ".status button"),
];

fn next_region() {
    let here = document().active_element();
    let inside = |region: &str| here.as_ref().is_some_and(|e| e.closest(region).ok().flatten().is_some());
    let at = REGIONS.iter().position(|(region, _)| inside(region));
    let from = at.map_or(0, |at| at + 1);
    for (_, first) in REGIONS.iter().cycle().skip(from).take(REGIONS.len()) {
        if focus_in(first) {
            return;
        }
    }
}
