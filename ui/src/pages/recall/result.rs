//! One passage of an answer, with why it is there.

use super::{
    passed::{Told, left_out},
    path::paths,
    signals::{self, Scale, bars},
    since::Since,
    warned, words,
};
use crate::{
    clipboard,
    components::{
        citation::{CitationLink, Cited, Shape},
        forget::Ask,
        icon::{Glyph, Icon},
        menu::{Item as MenuItem, MenuButton},
        viewer::Target,
    },
    dates,
    format::reader_word,
    state::App,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{ViewType, forget::ForgetWhat, recall::Hit};

/// A quote longer than this is shown in part, until asked for.
const LONG: usize = 480;

/// The quote and its place, as it is copied.
fn copied(hit: &Hit, place: Option<&str>) -> String {
    let place = place.map(|p| format!(", {p}")).unwrap_or_default();
    format!("\"{}\" ({}{place})", hit.quote.trim(), hit.title)
}

/// A passage: the citation, who read it and when, and why it is here.
#[component]
pub fn ResultCard(
    /// The passage.
    hit: Hit,
    /// What it cites.
    cited: Cited,
    /// What the signals of the answer count, and the greatest of its bars.
    scale: StoredValue<Scale>,
    /// The trace of the answer, where one is kept.
    trace: Option<Told>,
    /// What became of the passages since the answer came, where what is so now was asked for.
    since: Option<Since>,
) -> impl IntoView {
    let app = App::get();
    let memory = hit.ids.memory.clone();
    let gone = Memo::new(move |_| since.and_then(|since| since.gone(&memory)));
    let why = RwSignal::new(false);
    // What the question is about must not be hidden, wherever in the quote it stands.
    let late = hit.matches.iter().any(|m| (m.span.start - hit.span.start) as usize > LONG - 80);
    let long = hit.quote.chars().count() > LONG;
    let whole = RwSignal::new(!long || late);
    let target = StoredValue::new(Target::of(&cited));
    let text = StoredValue::new(copied(&hit, cited.place().as_deref()));
    let pressed = move |press: KeyboardEvent| match press.key().as_str() {
        "c" if press.ctrl_key() || press.meta_key() => {
            clipboard::copy(app, text.get_value(), "Quote and place copied.");
            press.prevent_default();
        }
        "w" | "W" if app.single_keys() && !press.ctrl_key() && !press.alt_key() && !press.meta_key() => {
            why.update(|w| *w = !*w);
        }
        _ => {}
    };
    let shown_now = move || app.viewer.with(|v| v.as_ref().is_some_and(|v| target.with_value(|t| t == v)));
    let meta = meta_words(app, &hit);
    let items = menu(app, &hit, text);
    let parts = hit.score_parts.clone();
    let (score, named) = (hit.score, hit.named.clone());
    let careful = hit.warnings.iter().map(|warning| {
        let says = words::warns(warning);
        view! {
            <p class="state waiting small" data-testid="hit-warning">
                <Glyph icon=Icon::Alert/> <span>{says}</span> {warned::link(warning)}
            </p>
        }
    });
    let careful = careful.collect_view();
    let ended = hit.valid_to.map(|to| format!("so until {}", dates::day(to)));
    let wordless = hit.note.as_ref().map(|note| format!("Found by its name alone. {note}"));
    view! {
        <li class="result" class:clamped=move || !whole.get() class:open=shown_now
            class:gone=move || gone.get().is_some() data-testid="result" on:keydown=pressed>
            <CitationLink cited shape=Shape::Card/>
            {move || gone.get().map(|says| view! {
                <p class="state waiting small" role="status" data-testid="hit-gone">
                    <Glyph icon=Icon::Alert/> <span>{says}</span>
                </p>
            })}
            {wordless.map(|says| view! { <p class="muted small">{says}</p> })}
            {careful}
            <div class="result-foot">
                <span class="muted small grow">{meta}</span>
                {ended.map(|ended| view! {
                    <span class="state waiting small" data-testid="so-until"><Glyph icon=Icon::Older/> {ended}</span>
                })}
                {long.then(|| view! {
                    <button type="button" class="button ghost small" on:click=move |_| whole.update(|w| *w = !*w)
                        aria-expanded=move || whole.get().to_string()>
                        {move || if whole.get() { "Show less" } else { "Show all" }}
                    </button>
                })}
                <MenuButton label="More" items/>
                <button type="button" class="button ghost small" data-testid="why" aria-expanded=move || why.get().to_string()
                    title="Why this (W)" on:click=move |_| why.update(|w| *w = !*w)>
                    "Why this" <Glyph icon=Icon::ChevronDown/>
                </button>
            </div>
            {move || why.get().then(|| view! {
                <div class="why">
                    <p class="why-says" data-testid="why-says">{scale.with_value(|scale| signals::why(&parts, &scale.weights))}</p>
                    {paths(&named)}
                    {scale.with_value(|scale| bars(score, &parts, scale))}
                    {trace.map(left_out)}
                </div>
            })}
        </li>
    }
}

/// What can be done with a passage, and with what it is of.
fn menu(app: App, hit: &Hit, text: StoredValue<String>) -> Callback<(), Vec<MenuItem>> {
    let what = ForgetWhat { memory: Some(hit.ids.memory.clone()), ..ForgetWhat::default() };
    let ask = StoredValue::new(Ask::named(what, &hit.title));
    Callback::new(move |()| {
        let copy = Callback::new(move |()| clipboard::copy(app, text.get_value(), "Quote and place copied."));
        let forget = Callback::new(move |()| ask.get_value().open(app));
        let item = |label: &str, icon, key, act| MenuItem { label: label.into(), icon, key, act };
        vec![item("Copy quote and place", Icon::Copy, Some("Ctrl+C"), copy), item("Forget", Icon::Eraser, None, forget)]
    })
}

/// Who read it, when it happened, and its space where all are searched.
fn meta_words(app: App, hit: &Hit) -> String {
    let recognised = matches!(hit.view_type, Some(ViewType::Ocr | ViewType::Asr));
    let reader = hit.extractor.as_deref().filter(|_| recognised).map(|reader| reader_word(reader).to_owned());
    let when = dates::day(hit.occurred_at.unwrap_or(hit.recorded_at));
    let space = app.space.with_untracked(Option::is_none).then(|| hit.space_name.clone());
    [reader, Some(when), space].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
