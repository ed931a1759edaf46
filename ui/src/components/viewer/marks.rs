//! What is drawn over a page: the boxes of the citation, the words of the question, the other passages.

use super::{Shown, geometry, target::Target};
use crate::state::App;
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{Bbox, place::union};

/// The box of a cited line: a tint, and an edge that is seen on every ground.
pub fn line_box(line: Bbox) -> impl IntoView {
    let [x, y, w, h] = geometry::roomy(line);
    view! {
        <rect class="tint" x=x y=y width=w height=h/>
        <rect class="halo" x=x y=y width=w height=h/>
        <rect class="edge" x=x y=y width=w height=h/>
    }
}

/// The boxes of the citation and the words of the question in them.
pub fn cited(lines: Vec<Bbox>, shown: Shown, pulse: RwSignal<bool>) -> impl IntoView {
    let quote = shown.target.with_value(|t| t.quote.clone()).unwrap_or_else(|| "Cited words".into());
    let matched: Vec<Bbox> = shown.target.with_value(|t| t.matches.iter().filter_map(|m| m.bbox).collect());
    let shows_citation = !lines.is_empty();
    let boxes = lines.into_iter().enumerate().map(|(at, line)| {
        // A quote of many lines is one thing to the keyboard: its first box.
        let focus = (at == 0).then_some("0");
        let name = (at == 0).then(|| quote.clone());
        view! {
            <g class="cited" class:pulse=move || pulse.get() data-testid="highlight" tabindex=focus role=focus.map(|_| "img")
                aria-label=name aria-hidden=focus.is_none().then_some("true")>
                {line_box(line)}
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

/// The other results on a page, counted from 0: outlined, and one press away.
pub fn others(shown: Shown, page: usize, is_pdf: bool) -> Vec<AnyView> {
    let app = App::get();
    let here = shown.target.get_value();
    // A file that was not opened by a citation has nothing to do with the last question.
    if here.span.is_none() {
        return Vec::new();
    }
    let number = Some(page as u32 + 1);
    let same_page = move |t: &Target| t.same_source(&here) && t.span != here.span && (!is_pdf || t.page == number);
    app.results.get().into_iter().filter(same_page).filter_map(|target| other(app, target)).collect()
}

fn other(app: App, target: Target) -> Option<AnyView> {
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
    let view = view! {
        <rect class="other" tabindex="0" role="button" aria-label=name x=x y=y width=w height=h
            on:click=move |_| app.viewer.set(Some(target.clone())) on:keydown=by_key/>
    };
    Some(view.into_any())
}
