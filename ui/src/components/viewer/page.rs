//! Pictures and pages of PDFs, with boxes over what is cited. Everything is drawn in the page's own units.

use super::{
    Shown, geometry,
    target::{Source, Target},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        measure::measured,
        states::{Empty, Skeleton, Trouble},
    },
    ipc, pictures,
    state::{App, Dialog},
    voice,
};
use leptos::{ev::KeyboardEvent, html, prelude::*, task::spawn_local};
use um_model::{
    Bbox, ErrorCode, Modality,
    capture::{ArtifactDetail, MediaPart, ViewRead},
    place::union,
};

/// How far one press of an arrow scrolls, in pixels, is the browser's; a page is turned here.
fn turn(press: &KeyboardEvent, page: RwSignal<u32>, last: u32) {
    let to = match press.key().as_str() {
        "PageDown" => page.get_untracked() + 1,
        "PageUp" => page.get_untracked().saturating_sub(1),
        _ => return,
    };
    if (1..=last).contains(&to) {
        press.prevent_default();
        page.set(to);
    }
}

/// The boxes of the citation; where only its words are known, they are looked up in the view.
fn cited_boxes(shown: Shown) -> RwSignal<Vec<Bbox>> {
    let target = shown.target.get_value();
    let boxes = RwSignal::new(target.boxes.clone());
    if let (true, Some(view), Some(span)) = (target.boxes.is_empty(), target.view, target.span) {
        spawn_local(async move {
            // Without an answer the page is shown without boxes; the page itself says what is wrong.
            if let Ok(text) = ipc::call(ViewRead { id: view, span: Some(span) }).await {
                boxes.try_set(geometry::boxes_of(&text.anchors, span));
            }
        });
    }
    boxes
}

/// A picture or the pages of a PDF.
pub fn page_view(file: ArtifactDetail, shown: Shown) -> impl IntoView {
    let artifact = file.summary.artifact.clone();
    let is_pdf = artifact.modality == Modality::Pdf;
    let last = if is_pdf { artifact.page_count.unwrap_or(file.page_sizes.len() as u32).max(1) } else { 1 };
    let boxes = cited_boxes(shown);
    let pane = NodeRef::<html::Div>::new();
    let pane_size = measured(pane);
    let sizes = StoredValue::new(file.page_sizes.clone());
    let page_size = Memo::new(move |_| {
        let at = if is_pdf { shown.page.get() as usize - 1 } else { 0 };
        let own = artifact.width.zip(artifact.height).map(|(w, h)| [f64::from(w), f64::from(h)]);
        sizes.with_value(|sizes| sizes.get(at).copied()).or(own).unwrap_or([612.0, 792.0])
    });
    let fit = Memo::new(move |_| geometry::fit(pane_size.get().0, page_size.get(), is_pdf));
    let cited_page = shown.target.with_value(|t| t.page).unwrap_or(1);
    let here = Memo::new(move |_| if !is_pdf || shown.page.get() == cited_page { boxes.get() } else { Vec::new() });
    let zoom = Memo::new(move |_| shown.zoom.get().unwrap_or_else(|| geometry::readable_zoom(fit.get(), &here.get())));
    let scale = Memo::new(move |_| fit.get() * zoom.get());

    let id = artifact.id.clone();
    let part = Memo::new(move |_| {
        if is_pdf {
            let width = geometry::picture_width(page_size.get()[0], scale.get(), window().device_pixel_ratio());
            MediaPart::Page { page: shown.page.get(), width }
        } else {
            MediaPart::Upright
        }
    });
    let again = RwSignal::new(0);
    let picture = Memo::new(move |_| {
        again.track();
        // Nothing is asked for before the pane has a width.
        (pane_size.get().0 > 0.0).then(|| pictures::address(id.clone(), part.get()))
    });
    // While a sharper picture is fetched, the one before stays.
    let href = Memo::new(move |before: Option<&Option<(u32, String)>>| {
        let page = shown.page.get();
        match picture.get().and_then(|p| p.get()) {
            Some(Ok(url)) => Some((page, url)),
            _ => before.cloned().flatten().filter(|(of, _)| *of == page),
        }
    });
    // Once the page is drawn, the cited words come to its middle; a page without them begins at its top.
    Effect::new(move |_| {
        let (size, scale, stop) = (pane_size.get(), scale.get(), shown.stop.get());
        let lines = here.get();
        let drawn = href.with(|h| h.as_ref().map(|(page, _)| *page));
        if size.0 > 0.0 && drawn.is_some() {
            let whole = || lines.iter().copied().reduce(union);
            let focus = stop_box(shown, stop).filter(|_| !lines.is_empty()).or_else(whole);
            let to = focus.map_or((0.0, 0.0), |focus| geometry::centred(focus, scale, size));
            request_animation_frame(move || {
                if let Some(div) = pane.get_untracked() {
                    div.set_scroll_left(to.0 as i32);
                    div.set_scroll_top(to.1 as i32);
                }
            });
        }
    });
    let error = move || picture.get().and_then(|p| p.get()).and_then(Result::err);
    let name = shown.target.with_value(|t| t.title.clone());
    let label = move || {
        if is_pdf { format!("Page {} of {name}", shown.page.get()) } else { name.clone() }
    };
    let drawing = move || {
        let [width, height] = page_size.get();
        let (_, url) = href.get()?;
        let (label, picture_label) = (label(), label());
        Some(view! {
            <svg class="page" role="group" aria-label=label data-testid="page"
                viewBox=format!("0 0 {width} {height}")
                width=move || width * scale.get() height=move || height * scale.get()>
                <image href=url width=width height=height preserveAspectRatio="none" role="img" aria-label=picture_label/>
                {move || others(shown, is_pdf)}
                {move || cited(here.get(), shown)}
            </svg>
        })
    };
    view! {
        <div class="viewer-body paper" node_ref=pane tabindex="0" role="region" aria-label="Page"
            on:keydown=move |press| turn(&press, shown.page, last)>
            {move || match error() {
                Some(error) if error.code == ErrorCode::PasswordNeeded => locked(shown).into_any(),
                Some(error) => view! {
                    <Trouble what="The page could not be drawn." error
                        retry=Callback::new(move |()| again.update(|n| *n += 1))/>
                }.into_any(),
                None if href.with(Option::is_none) => view! { <Skeleton rows=1 shape="page"/> }.into_any(),
                None => drawing().into_any(),
            }}
        </div>
        {(last > 1).then(|| pager(shown.page, last))}
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

fn stop_box(shown: Shown, stop: usize) -> Option<Bbox> {
    shown.target.with_value(|t| t.matches.get(stop).and_then(|m| m.bbox))
}

fn cited(lines: Vec<Bbox>, shown: Shown) -> impl IntoView {
    let quote = shown.target.with_value(|t| t.quote.clone()).unwrap_or_else(|| "Cited words".into());
    let matched: Vec<Bbox> = shown.target.with_value(|t| t.matches.iter().filter_map(|m| m.bbox).collect());
    let shows_citation = !lines.is_empty();
    let boxes = lines.into_iter().enumerate().map(|(at, [x, y, w, h])| {
        // A quote of many lines is one thing to the keyboard: its first box.
        let focus = (at == 0).then_some("0");
        let name = (at == 0).then(|| quote.clone());
        view! {
            <g class="cited" data-testid="highlight" tabindex=focus role=focus.map(|_| "img") aria-label=name
                aria-hidden=focus.is_none().then_some("true")>
                <rect class="tint" x=x y=y width=w height=h/>
                <rect class="halo" x=x y=y width=w height=h/>
                <rect class="edge" x=x y=y width=w height=h/>
            </g>
        }
    });
    let words = matched.into_iter().enumerate().filter(|_| shows_citation).map(|(at, [x, y, w, h])| {
        view! {
            <line class="match" class:now=move || shown.stop.get() == at x1=x x2=x + w y1=y + h y2=y + h/>
        }
    });
    view! { {boxes.collect_view()} {words.collect_view()} }
}

/// The other results on the same page: outlined, and one press away.
fn others(shown: Shown, is_pdf: bool) -> Vec<AnyView> {
    let app = App::get();
    let here = shown.target.get_value();
    // A file that was not opened by a citation has nothing to do with the last question.
    if here.span.is_none() {
        return Vec::new();
    }
    let page = shown.page.get();
    let same_page = move |t: &Target| t.same_source(&here) && t.span != here.span && (!is_pdf || t.page == Some(page));
    app.results
        .get()
        .into_iter()
        .filter(same_page)
        .filter_map(|target| {
            let [x, y, w, h] = target.boxes.iter().copied().reduce(union)?;
            let name = target.quote.clone().unwrap_or_default();
            let chosen = target.clone();
            let by_key = move |press: KeyboardEvent| {
                if press.key() == "Enter" || press.key() == " " {
                    press.prevent_default();
                    app.viewer.set(Some(chosen.clone()));
                    app.focus_viewer();
                }
            };
            Some(
                view! {
                    <rect class="other" tabindex="0" role="button" aria-label=name x=x y=y width=w height=h
                        on:click=move |_| app.viewer.set(Some(target.clone())) on:keydown=by_key/>
                }
                .into_any(),
            )
        })
        .collect()
}

fn pager(page: RwSignal<u32>, last: u32) -> impl IntoView {
    let (at_first, at_last) = (move || page.get() <= 1, move || page.get() >= last);
    let turn = move |event| {
        if let Ok(to) = event_target_value(&event).parse::<u32>() {
            page.set(to.clamp(1, last));
        }
    };
    view! {
        <nav class="pager" aria-label="Pages of the file">
            <button type="button" class="button ghost square" aria-label="Previous page" title="Previous page (PgUp)"
                disabled=at_first on:click=move |_| page.update(|p| *p -= 1)>
                <Glyph icon=Icon::ChevronLeft/>
            </button>
            <label class="small">
                "Page "
                <input class="field number" type="number" min="1" max=last prop:value=move || page.get() on:change=turn/>
                {format!(" of {last}")}
            </label>
            <button type="button" class="button ghost square" aria-label="Next page" title="Next page (PgDn)"
                disabled=at_last on:click=move |_| page.update(|p| *p += 1)>
                <Glyph icon=Icon::ChevronRight/>
            </button>
        </nav>
    }
}
