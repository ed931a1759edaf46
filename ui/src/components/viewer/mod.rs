//! The viewer: a source, with the cited words, region or seconds in sight.

pub mod geometry;
mod marks;
mod note;
mod page;
mod sound;
mod spots;
mod target;
mod text;

pub use marks::line_box;
pub use spots::{Fate, Redacting, Spot};
pub use target::{Source, Target, boxes_of_span};
pub use text::read_part;

use super::{
    icon::{Glyph, Icon, of_modality},
    states::Trouble,
};
use crate::{ipc, query::Query, state::App};
use leptos::{ev::KeyboardEvent, prelude::*, task::spawn_local};
use um_model::{
    Modality,
    capture::{ArtifactDetail, ArtifactGet, MemoryGet},
};

/// What the parts of one viewer share.
#[derive(Clone, Copy)]
pub struct Shown {
    /// What is to be shown.
    pub target: StoredValue<Target>,
    /// The page that is looked at, from 1.
    pub page: RwSignal<u32>,
    /// How many pages there are; 0 where there are none to turn.
    pub pages: RwSignal<u32>,
    /// The page that is turned to.
    pub turn: RwSignal<Option<u32>>,
    /// Rises with each step to a match.
    pub steps: RwSignal<u32>,
    /// The magnification; 1 fits the width. `None` before the page chose one.
    pub zoom: RwSignal<Option<f64>>,
    /// Which match is in the middle, from 0.
    pub stop: RwSignal<usize>,
    /// What is personal in it, while a person looks through that.
    pub redacting: Option<Redacting>,
}

impl Shown {
    fn new(target: Target, redacting: Option<Redacting>) -> Self {
        Self {
            page: RwSignal::new(target.page.unwrap_or(1).max(1)),
            pages: RwSignal::new(0),
            turn: RwSignal::new(None),
            steps: RwSignal::new(0),
            target: StoredValue::new(target),
            zoom: RwSignal::new(None),
            stop: RwSignal::new(0),
            redacting,
        }
    }

    fn stops(&self) -> usize {
        self.target.with_value(Target::stops)
    }

    fn step(&self, by: i32) {
        let stops = self.stops() as i32;
        if stops > 0 {
            self.stop.update(|at| *at = (*at as i32 + by).rem_euclid(stops) as usize);
            self.steps.update(|steps| *steps += 1);
        }
    }

    fn turn_to(&self, page: u32) {
        self.turn.set(Some(page.clamp(1, self.pages.get_untracked().max(1))));
    }

    fn turn_by(&self, by: i32) {
        self.turn_to(self.page.get_untracked().saturating_add_signed(by));
    }

    fn magnify(&self, factor: f64) {
        let now = self.zoom.get_untracked().unwrap_or(1.0);
        self.zoom.set(Some((now * factor).clamp(geometry::SMALLEST, geometry::LARGEST)));
    }
}

/// Shows a source. `close` is absent where the viewer is part of the page.
#[component]
pub fn Viewer(
    /// What to show.
    target: Target,
    /// Closes the pane.
    #[prop(optional)]
    close: Option<Callback<()>>,
    /// What is personal in it, while a person looks through that.
    #[prop(optional)]
    redacting: Option<Redacting>,
) -> impl IntoView {
    let app = App::get();
    let shown = Shown::new(target.clone(), redacting);
    Effect::new(move |before: Option<i32>| {
        let now = app.step.get();
        if let Some(before) = before {
            shown.step((now - before).signum());
        }
        now
    });
    let body = match target.source.clone() {
        Source::File(id) => {
            let detail = Query::new(move || Some(ArtifactGet { id: id.clone() }));
            file_view(detail, shown, close).into_any()
        }
        Source::Memory(id) => {
            let memory = Query::new(move || Some(MemoryGet { id: id.to_string() }));
            note::note(memory, shown, close).into_any()
        }
    };
    let pressed = move |press: KeyboardEvent| viewer_key(&press, shown);
    view! { <div class="viewer" data-testid="viewer" on:keydown=pressed>{body}</div> }
}

fn viewer_key(press: &KeyboardEvent, shown: Shown) {
    if press.ctrl_key() || press.alt_key() || press.meta_key() {
        return;
    }
    match press.key().as_str() {
        "+" | "=" => shown.magnify(1.25),
        "-" => shown.magnify(0.8),
        "PageDown" if shown.pages.get_untracked() > 1 => shown.turn_by(1),
        "PageUp" if shown.pages.get_untracked() > 1 => shown.turn_by(-1),
        _ => return,
    }
    press.prevent_default();
}

fn file_view(detail: Query<ArtifactDetail>, shown: Shown, close: Option<Callback<()>>) -> impl IntoView {
    // The file is drawn once; later answers (a reading that moves on) do not disturb what is looked at.
    let file = Memo::new(move |before: Option<&Option<ArtifactDetail>>| match before {
        Some(Some(known)) => Some(known.clone()),
        _ => detail.value.get(),
    });
    move || match (file.get(), detail.error.get()) {
        (Some(file), _) => {
            let modality = file.summary.artifact.modality;
            let pages = matches!(modality, Modality::Image | Modality::Pdf);
            view! {
                {head(modality, shown, close, pages)}
                {body_of(&file, shown)}
                {foot(&file)}
            }
            .into_any()
        }
        (None, Some(error)) => view! {
            {head(Modality::Other, shown, close, false)}
            <Trouble what="The file could not be opened." error
                retry=Callback::new(move |()| detail.refresh())/>
        }
        .into_any(),
        (None, None) => head(Modality::Other, shown, close, false).into_any(),
    }
}

fn body_of(file: &ArtifactDetail, viewer: Shown) -> AnyView {
    let modality = file.summary.artifact.modality;
    let wanted = viewer.target.with_value(|t| t.view.clone());
    let view = file.views.iter().find(|v| Some(&v.id) == wanted.as_ref()).or(file.views.first());
    match modality {
        Modality::Image | Modality::Pdf => page::page_view(file.clone(), viewer).into_any(),
        Modality::Audio | Modality::Video => sound::sound_view(file.clone(), viewer).into_any(),
        _ => match view {
            Some(view) => {
                let numbered = modality == Modality::Source && viewer.redacting.is_none();
                text::view_text(view.id.clone(), view.length, viewer, numbered).into_any()
            }
            None => nothing_to_show(file).into_any(),
        },
    }
}

fn nothing_to_show(file: &ArtifactDetail) -> impl IntoView {
    let reading = file.summary.reading.as_ref().filter(|job| !job.status.is_settled());
    let says = match (&file.summary.note, reading) {
        (Some(note), _) => format!("{note}. The file is kept as it came."),
        (None, Some(_)) => "It is being read.".into(),
        (None, None) => "No text was read from this file.".to_owned(),
    };
    view! { <div class="viewer-body"><super::states::Empty says=says icon=Icon::File/></div> }
}

fn head(modality: Modality, shown: Shown, close: Option<Callback<()>>, pages: bool) -> impl IntoView {
    let title = shown.target.with_value(|t| t.title.clone());
    let stops = shown.stops();
    // Where the viewer is part of a file's own page, that page says its name.
    if close.is_none() && stops < 2 && !pages {
        return None;
    }
    let title = match close {
        Some(_) => view! {
            <Glyph icon=of_modality(modality)/>
            <h2 class="grow file" title=title.clone()>{title.clone()}</h2>
        }
        .into_any(),
        None => view! { <span class="grow"></span> }.into_any(),
    };
    Some(view! {
        <header class="viewer-head">
            {title}
            {(stops > 1).then(|| view! {
                <span class="stops" data-testid="stops" aria-live="polite">
                    {move || format!("match {} of {stops}", shown.stop.get() + 1)}
                </span>
            })}
            {(stops > 1).then(|| view! {
                <button type="button" class="button ghost square" aria-label="Previous match" title="Previous match (Shift+F3)"
                    on:click=move |_| shown.step(-1)><Glyph icon=Icon::ChevronLeft/></button>
                <button type="button" class="button ghost square" aria-label="Next match" title="Next match (F3)"
                    on:click=move |_| shown.step(1)><Glyph icon=Icon::ChevronRight/></button>
            })}
            {pages.then(|| view! {
                <button type="button" class="button ghost square" aria-label="Smaller" title="Smaller (-)"
                    on:click=move |_| shown.magnify(0.8)><Glyph icon=Icon::ZoomOut/></button>
                <button type="button" class="button ghost square" aria-label="Larger" title="Larger (+)"
                    on:click=move |_| shown.magnify(1.25)><Glyph icon=Icon::ZoomIn/></button>
            })}
            {close.map(|close| view! {
                <button type="button" class="button ghost square" aria-label="Close viewer" title="Close (Esc)"
                    data-testid="viewer-close" on:click=move |_| close.run(())><Glyph icon=Icon::Cross/></button>
            })}
        </header>
    })
}

fn foot(file: &ArtifactDetail) -> impl IntoView + use<> {
    let app = App::get();
    let artifact = file.summary.artifact.clone();
    let id = artifact.id.clone();
    let open = move |_| {
        let id = id.clone();
        spawn_local(async move {
            if let Err(error) = ipc::open_original(&id).await {
                app.toasts.trouble(&error);
            }
        });
    };
    let came = crate::dates::day(artifact.created_at);
    let facts = format!("{}, came in {came}", crate::format::size(artifact.byte_size));
    view! {
        <footer class="viewer-foot">
            <span class="grow muted small">{facts}</span>
            <button type="button" class="button ghost" data-testid="open-original" on:click=open>
                <Glyph icon=Icon::Open/> "Open original"
            </button>
        </footer>
    }
}
