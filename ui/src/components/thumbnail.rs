//! A small picture of a file: its page, its waveform, or what kind it is.

use super::icon::{Glyph, of_modality};
use crate::{ipc, pictures};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ArtifactId, Modality,
    capture::{Artifact, MediaPart},
};

/// Bars of a small waveform.
const BARS: u32 = 48;

/// A small picture of a file.
#[component]
pub fn Thumbnail(
    /// The file.
    file: Artifact,
) -> impl IntoView {
    let kind = move || view! { <span class="kind"><Glyph icon=of_modality(file.modality)/></span> };
    match file.modality {
        Modality::Image | Modality::Pdf | Modality::Video => {
            // Of a page the upper part is shown, of anything that is not higher than wide the whole.
            let is_page = file.modality == Modality::Pdf;
            let tall = RwSignal::new(false);
            let measure = move |event: web_sys::Event| {
                let image: web_sys::HtmlImageElement = event_target(&event);
                tall.set(is_page && image.natural_height() > image.natural_width());
            };
            let picture = pictures::address(file.id.clone(), MediaPart::Thumbnail);
            (move || match picture.get() {
                Some(Ok(url)) => view! { <img class="thumb" class:tall=move || tall.get() src=url alt="" loading="lazy" on:load=measure/> }.into_any(),
                _ => kind().into_any(),
            })
            .into_any()
        }
        Modality::Audio => small_wave(file.id).into_any(),
        _ => kind().into_any(),
    }
}

fn small_wave(id: ArtifactId) -> impl IntoView {
    let path = RwSignal::new(String::new());
    spawn_local(async move {
        // A recording that cannot be decoded shows its kind and its reason elsewhere.
        if let Ok((_, bytes)) = ipc::media(&id, MediaPart::Waveform { bins: BARS }).await {
            path.try_set(bars(&bytes));
        }
    });
    move || {
        if path.with(String::is_empty) {
            view! { <span class="kind"><Glyph icon=of_modality(Modality::Audio)/></span> }.into_any()
        } else {
            view! {
                <svg class="thumb small-wave" viewBox=format!("0 0 {} 100", BARS * 4) preserveAspectRatio="none" aria-hidden="true">
                    <path d=move || path.get()/>
                </svg>
            }
            .into_any()
        }
    }
}

fn bars(bins: &[u8]) -> String {
    let bar = |(at, loud): (usize, &u8)| {
        let half = (f64::from(*loud) / 255.0 * 42.0).max(2.0);
        format!("M {} {:.0} V {:.0} ", at * 4 + 2, 50.0 - half, 50.0 + half)
    };
    bins.iter().enumerate().map(bar).collect()
}
