//! Pictures and the pages of PDFs below each other, with boxes over what is cited. Everything is drawn in the page's
//! own units; only the pages in sight, and one before and after them, stand in the window.

use super::{
    Redacting, Shown,
    geometry::{self, Point, Sheets},
    marks,
    spots::Pen,
    target::{Source, boxes_of_span},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        measure::measured,
        states::{Empty, Trouble},
    },
    pictures,
    state::{App, Dialog},
    voice,
};
use leptos::{html, prelude::*, task::spawn_local};
use um_model::{
    ArtifactId, Bbox, ErrorCode, Modality,
    capture::{ArtifactDetail, MediaPart},
    place::union,
};

/// A page whose size is not known is taken to be a letter's, in points.
const LETTER: [f64; 2] = [612.0, 792.0];
/// How long the citation is pointed at, in milliseconds: the length of the animation.
const PULSE_MS: u32 = 600;

/// What the pages share.
#[derive(Clone, Copy)]
struct Pages {
    shown: Shown,
    file: StoredValue<ArtifactId>,
    is_pdf: bool,
    sizes: StoredValue<Vec<[f64; 2]>>,
    sheets: Memo<Sheets>,
    /// The boxes of the citation, and the page that they are on, from 0.
    boxes: RwSignal<Vec<Bbox>>,
    cited: usize,
    /// Whether that page's picture is there.
    drawn: RwSignal<bool>,
    pulse: RwSignal<bool>,
    pane: NodeRef<html::Div>,
    /// What is to stand in the middle of the pane.
    aim: StoredValue<Point>,
    /// How far it was scrolled for that.
    scrolled: StoredValue<(i32, i32)>,
    /// How far it is scrolled now.
    top: RwSignal<f64>,
}

/// The size of every page: what the file says, filled up where it says too little.
fn sizes_of(file: &ArtifactDetail) -> Vec<[f64; 2]> {
    let artifact = &file.summary.artifact;
    if artifact.modality == Modality::Pdf {
        let mut sizes = file.page_sizes.clone();
        let count = artifact.page_count.unwrap_or(0).max(sizes.len() as u32).max(1);
        sizes.resize(count as usize, sizes.last().copied().unwrap_or(LETTER));
        return sizes;
    }
    let own = artifact.width.zip(artifact.height).map(|(w, h)| [f64::from(w), f64::from(h)]);
    vec![file.page_sizes.first().copied().or(own).unwrap_or(LETTER)]
}

/// A picture or the pages of a PDF.
pub fn page_view(file: ArtifactDetail, shown: Shown) -> impl IntoView {
    let is_pdf = file.summary.artifact.modality == Modality::Pdf;
    let sizes = sizes_of(&file);
    let last = sizes.len() as u32;
    shown.pages.set(last);
    let start = (shown.page.get_untracked().min(last) - 1) as usize;
    let widest = sizes.iter().map(|size| size[0]).fold(1.0, f64::max);
    let boxes = shown.target.with_value(boxes_of_span);
    let pane = NodeRef::<html::Div>::new();
    let size = measured(pane);
    let sizes = StoredValue::new(sizes);
    let fit = Memo::new(move |_| geometry::fit(size.get().0, widest, is_pdf));
    let sheets = Memo::new(move |_| {
        let zoom = shown.zoom.get().unwrap_or_else(|| geometry::readable_zoom(fit.get(), &boxes.get()));
        sizes.with_value(|sizes| Sheets::new(sizes, fit.get() * zoom, size.get()))
    });
    let pages = Pages {
        shown,
        file: StoredValue::new(file.summary.artifact.id.clone()),
        is_pdf,
        sizes,
        sheets,
        boxes,
        cited: shown.target.with_value(|t| t.page).filter(|_| is_pdf).map_or(0, |page| (page.min(last) - 1) as usize),
        drawn: RwSignal::new(false),
        pulse: RwSignal::new(false),
        pane,
        aim: StoredValue::new(Point { page: start, x: 0.0, y: 0.0 }),
        scrolled: StoredValue::new((0, 0)),
        top: RwSignal::new(0.0),
    };
    let ready = Memo::new(move |_| size.get().0 > 0.0);
    pages.follow(ready);
    let seen = Memo::new(move |_| {
        let sight = ready.get().then(|| sheets.with(|s| s.in_sight(pages.top.get())));
        sight.map(Iterator::collect::<Vec<_>>).unwrap_or_default()
    });
    view! {
        <div class="viewer-body paper" node_ref=pane tabindex="0" role="region" aria-label="Pages" on:scroll=move |_| pages.moved()>
            <div class="pages" style:width=move || format!("{}px", sheets.with(Sheets::size).0)
                style:height=move || format!("{}px", sheets.with(Sheets::size).1)>
                <For each=move || seen.get() key=|at| *at children=move |at| pages.page(at)/>
            </div>
        </div>
        {(last > 1).then(|| pager(shown))}
    }
}

impl Pages {
    /// Brings the citation, or a page that is turned to, to the middle, and keeps it there while sizes change.
    fn follow(self, ready: Memo<bool>) {
        Effect::new(move |_| {
            let (lines, stop) = (self.boxes.get(), self.shown.stop.get());
            self.shown.steps.track();
            if ready.get() {
                let matched = self.shown.target.with_value(|t| t.matches.get(stop).and_then(|m| m.bbox));
                let whole = lines.into_iter().reduce(union);
                let sheets = self.sheets.get_untracked();
                let to = whole.map(|whole| sheets.of_box(self.cited, matched.unwrap_or(whole), whole));
                let start = self.shown.page.get_untracked().min(self.shown.pages.get_untracked()) as usize - 1;
                self.go(to.unwrap_or_else(|| sheets.of_page(start)));
            }
        });
        Effect::new(move |_| {
            if let (true, Some(page)) = (ready.get(), self.shown.turn.get()) {
                let page = page.clamp(1, self.shown.pages.get_untracked()) as usize - 1;
                self.go(self.sheets.get_untracked().of_page(page));
            }
        });
        Effect::new(move |_| {
            self.sheets.track();
            self.settle();
        });
        if let Some(redacting) = self.shown.redacting {
            self.follow_spots(ready, redacting);
        }
        // Pointed at once it is there, and again by each step to it.
        Effect::new(move |_| {
            self.shown.stop.track();
            self.shown.steps.track();
            if self.drawn.get() && !self.boxes.with(Vec::is_empty) {
                self.pulse.set(true);
                spawn_local(async move {
                    gloo_timers::future::TimeoutFuture::new(PULSE_MS).await;
                    self.pulse.try_set(false);
                });
            }
        });
    }

    /// Brings the finding that is looked at to the middle; begins a box by keys where the person looks.
    fn follow_spots(self, ready: Memo<bool>, redacting: Redacting) {
        Effect::new(move |_| {
            let at = redacting.at.get().filter(|_| ready.get());
            let first = redacting.spots.with_untracked(|spots| {
                spots.iter().find(|spot| Some(&spot.id) == at.as_ref()).and_then(|spot| spot.boxes.first().copied())
            });
            if let Some((page, bbox)) = first.filter(|(page, _)| *page <= self.shown.pages.get_untracked()) {
                let sheets = self.sheets.get_untracked();
                self.go(sheets.of_box((page as usize).saturating_sub(1), bbox, bbox));
            }
        });
        Effect::new(move |before: Option<u32>| {
            let begun = redacting.begun.get();
            let begins = before.is_some_and(|before| before != begun);
            if let (true, Some(div)) = (begins, self.pane.get_untracked()) {
                let sheets = self.sheets.get_untracked();
                let Point { page, x, y } = sheets.middle((f64::from(div.scroll_left()), f64::from(div.scroll_top())));
                let [width, height] = self.sizes.with_value(|sizes| sizes[page]);
                let (w, h) = ((120.0 / sheets.scale()).min(width), (32.0 / sheets.scale()).min(height));
                let bbox = [(x - w / 2.0).clamp(0.0, width - w), (y - h / 2.0).clamp(0.0, height - h), w, h];
                redacting.draft.set(Some((page, bbox)));
            }
            begun
        });
    }

    fn go(self, to: Point) {
        self.aim.set_value(to);
        self.shown.page.set(to.page as u32 + 1);
        self.settle();
    }

    /// Scrolls to what is aimed at, once sizes are as they are to be.
    fn settle(self) {
        request_animation_frame(move || {
            let (Some(div), Some(aim)) = (self.pane.try_get_untracked().flatten(), self.aim.try_get_value()) else {
                return;
            };
            let (left, top) = self.sheets.with_untracked(|s| s.scroll_to(aim));
            div.set_scroll_left(left.round() as i32);
            div.set_scroll_top(top.round() as i32);
            self.scrolled.set_value((div.scroll_left(), div.scroll_top()));
            self.top.set(f64::from(div.scroll_top()));
        });
    }

    /// The person scrolled: what stands in the middle now is what stays there.
    fn moved(self) {
        let Some(div) = self.pane.get_untracked() else { return };
        let now = (div.scroll_left(), div.scroll_top());
        self.top.set(f64::from(now.1));
        if self.scrolled.get_value() == now {
            return;
        }
        self.sheets.with_untracked(|sheets| {
            self.aim.set_value(sheets.middle((f64::from(now.0), f64::from(now.1))));
            let page = sheets.current(f64::from(now.1)) as u32 + 1;
            if self.shown.page.get_untracked() != page {
                self.shown.page.set(page);
            }
        });
    }

    /// One page.
    fn page(self, at: usize) -> impl IntoView {
        let [width, height] = self.sizes.with_value(|sizes| sizes[at]);
        let part = Memo::new(move |_| {
            if self.is_pdf {
                let scale = self.sheets.with(Sheets::scale);
                let width = geometry::picture_width(width, scale, window().device_pixel_ratio());
                MediaPart::Page { page: at as u32 + 1, width }
            } else {
                MediaPart::Upright
            }
        });
        let again = RwSignal::new(0);
        let picture = Memo::new(move |_| {
            again.track();
            pictures::address(self.file.get_value(), part.get())
        });
        // While a sharper picture is fetched, the one before stays.
        let href = Memo::new(move |before: Option<&Option<String>>| match picture.get().get() {
            Some(Ok(url)) => Some(url),
            _ => before.cloned().flatten(),
        });
        if at == self.cited {
            Effect::new(move |_| self.drawn.set(href.with(Option::is_some)));
        }
        let error = move || picture.get().get().and_then(Result::err);
        let name = self.shown.target.with_value(|t| t.title.clone());
        let label = if self.is_pdf { format!("Page {} of {name}", at + 1) } else { name };
        let picture_label = label.clone();
        let scale = Signal::derive(move || self.sheets.with(Sheets::scale));
        let over = self.shown.redacting.map(|redacting| redacting.over_page(at, [width, height], scale));
        let pen = self.shown.redacting.map(|redacting| Pen::new(redacting, at, [width, height]));
        let place = move |side: usize| move || format!("{}px", self.sheets.with(|s| s.page(at)[side]));
        view! {
            <div class="sheet" style:left=place(0) style:top=place(1) style:width=place(2) style:height=place(3)>
                <svg class="page" role="group" aria-label=label data-testid="page" data-page=at + 1
                    aria-busy=move || (href.with(Option::is_none) && error().is_none()).to_string()
                    class:drawing=pen.is_some()
                    on:pointerdown=move |e| pen.into_iter().for_each(|pen| pen.down(&e))
                    on:pointermove=move |e| pen.into_iter().for_each(|pen| pen.moved(&e))
                    on:pointerup=move |_| pen.into_iter().for_each(Pen::up)
                    on:pointerleave=move |_| pen.into_iter().for_each(Pen::up)
                    viewBox=format!("0 0 {width} {height}") width="100%" height="100%">
                    {move || href.get().map(|url| view! {
                        <image href=url width=width height=height preserveAspectRatio="none" role="img" aria-label=picture_label.clone()/>
                    })}
                    {move || marks::others(self.shown, at, self.is_pdf)}
                    {move || (at == self.cited).then(|| marks::cited(self.boxes.get(), self.shown, self.pulse))}
                    {over}
                </svg>
                {move || error().map(|error| {
                    if error.code == ErrorCode::PasswordNeeded {
                        return locked(self.shown).into_any();
                    }
                    let retry = Callback::new(move |()| again.update(|n| *n += 1));
                    view! { <Trouble what="The page could not be drawn." error retry/> }.into_any()
                })}
            </div>
        }
    }
}

/// What stands in place of a page that needs its file's password.
fn locked(shown: Shown) -> impl IntoView {
    let app = App::get();
    let (source, name) = shown.target.with_value(|t| (t.source.clone(), t.title.clone()));
    let says = voice::needs_password(&name);
    let enter = move |_| {
        if let Source::File(id) = source.clone() {
            app.dialog.set(Some(Dialog::Password { id, name: name.clone() }));
        }
    };
    view! {
        <Empty icon=Icon::Lock says=says>
            <button type="button" class="button" on:click=enter>"Enter"</button>
        </Empty>
    }
}

fn pager(shown: Shown) -> impl IntoView {
    let (page, last) = (shown.page, shown.pages.get_untracked());
    let turn = move |event| {
        if let Ok(to) = event_target_value(&event).parse::<u32>() {
            shown.turn_to(to);
        }
    };
    view! {
        <nav class="pager" aria-label="Pages of the file">
            <button type="button" class="button ghost square" aria-label="Previous page" title="Previous page (PgUp)"
                disabled=move || { page.get() <= 1 } on:click=move |_| shown.turn_by(-1)>
                <Glyph icon=Icon::ChevronLeft/>
            </button>
            <label class="small">
                "Page "
                <input class="field number" type="number" min="1" max=last data-testid="page-number"
                    prop:value=move || page.get() on:change=turn/>
                {format!(" of {last}")}
            </label>
            <button type="button" class="button ghost square" aria-label="Next page" title="Next page (PgDn)"
                disabled=move || { page.get() >= last } on:click=move |_| shown.turn_by(1)>
                <Glyph icon=Icon::ChevronRight/>
            </button>
        </nav>
    }
}
