//! How sure a space must be before it answers.

use crate::{ipc, state::App};
use leptos::{ev, prelude::*, task::spawn_local};
use um_model::{
    SpaceId,
    spaces::{ABSTAIN_BELOW, SpaceEdit},
};

/// The slider, kept as soon as it is let go, and the way back to the usual.
#[component]
pub fn Answers(space: StoredValue<SpaceId>) -> impl IntoView {
    let app = App::get();
    let own = Memo::new(move |_| {
        app.spaces.value.with(|all| {
            all.as_ref()?.spaces.iter().find(|one| one.space.id == space.get_value()).and_then(|one| one.abstain_below)
        })
    });
    let usual = Memo::new(move |_| {
        app.spaces.value.with(|all| all.as_ref().map_or(ABSTAIN_BELOW, |all| all.usual_abstain_below))
    });
    // While it is dragged, it stands elsewhere than what is kept.
    let moved = RwSignal::new(None::<u32>);
    Effect::new(move |_| {
        own.track();
        moved.set(None);
    });
    let kept = move || percent(own.get().unwrap_or(usual.get()));
    let stands = move || moved.get().unwrap_or_else(kept);
    let says = move || says(stands(), own.get().is_none() && moved.get().is_none());
    let keep = move |change: SpaceEdit| {
        let request = SpaceEdit { space: space.get_value().into(), ..change };
        spawn_local(async move {
            if let Err(error) = ipc::call(request).await {
                app.toasts.trouble(&error);
                moved.try_set(None);
            }
        });
    };
    let changed = move |event: ev::Event| {
        let Some(to) = chosen(&event_target_value(&event)) else { return };
        keep(SpaceEdit { abstain_below: Some(share(to)), ..SpaceEdit::default() });
    };
    let reset = move |_| keep(SpaceEdit { usual_abstain_below: true, ..SpaceEdit::default() });
    view! {
        <div class="rule" role="group" aria-label="What counts as an answer">
            <label class="rule-name" for="answers-from">"How sure it must be before it answers"</label>
            <input id="answers-from" type="range" class="slider" data-testid="answers-from" min="0" max="100" step="1"
                aria-describedby="answers-says" aria-valuetext=says prop:value=move || stands().to_string()
                on:input=move |event| moved.set(chosen(&event_target_value(&event)).filter(|to| *to != untrack(kept)))
                on:change=changed/>
            <output for="answers-from" class="small" data-testid="answers-at">{says}</output>
            {move || own.get().map(|_| view! {
                <button type="button" class="button ghost small" data-testid="answers-usual" on:click=reset>"Use the usual"</button>
            })}
            <span id="answers-says" class="muted small">"What is less sure is told as \"no answer\", with the closest beside it. At 0 % the nearest always answers."</span>
        </div>
    }
}

/// A share in whole percent.
fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// Whole percent as a share.
fn share(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}

/// What the slider stands at; nothing where it says no percent.
fn chosen(value: &str) -> Option<u32> {
    value.parse().ok().filter(|percent| *percent <= 100)
}

/// What stands beside the slider.
fn says(percent: u32, is_usual: bool) -> String {
    if is_usual { format!("{percent} %, the usual") } else { format!("{percent} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_percent_comes_back_as_it_was() {
        for at in 0..=100 {
            assert_eq!(percent(share(at)), at);
        }
        for (share, expected) in [(0.2, 20), (0.333, 33), (0.289_999, 29), (-1.0, 0), (7.0, 100), (f64::NAN, 0)] {
            assert_eq!(percent(share), expected, "{share}");
        }
    }

    #[test]
    fn the_slider_says_percents_only() {
        for (value, expected) in
            [("0", Some(0)), ("35", Some(35)), ("100", Some(100)), ("101", None), ("", None), ("-5", None)]
        {
            assert_eq!(chosen(value), expected, "{value}");
        }
    }

    #[test]
    fn the_usual_is_called_so() {
        assert_eq!((says(20, true), says(20, false)), ("20 %, the usual".to_owned(), "20 %".to_owned()));
    }
}
