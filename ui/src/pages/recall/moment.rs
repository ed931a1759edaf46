//! As of which day a question is asked: a slider from the first day of which anything is known to now.

use crate::dates;
use leptos::{prelude::*, task::spawn_local};
use um_model::EpochMs;

/// A day, in milliseconds.
pub const DAY: EpochMs = 86_400_000;
/// How long the slider rests before the question is asked again, in milliseconds.
const REST_MS: u32 = 250;

/// The day of a moment, counted from 1970, in UTC as sources name their days.
pub fn day_of(at: EpochMs) -> i64 {
    at.div_euclid(DAY)
}

/// The last moment of a day.
pub fn end_of(day: i64) -> EpochMs {
    (day + 1) * DAY - 1
}

/// The middle of a day: then it is the same day in nearly every zone.
pub fn noon(day: i64) -> EpochMs {
    day * DAY + DAY / 2
}

/// A day as it is written.
pub fn written(day: i64) -> String {
    dates::day(noon(day))
}

/// What the slider stands at means: no day where it stands at its end, or beyond.
fn chosen(value: &str, today: i64) -> Option<i64> {
    value.parse::<f64>().ok().map(|day| day as i64).filter(|day| *day < today)
}

/// The slider, and the way back to now.
#[component]
pub fn AsOf(
    /// The day that is asked of; now where there is none.
    day: RwSignal<Option<i64>>,
    /// The first day of which anything is known.
    first: Signal<i64>,
) -> impl IntoView {
    let today = day_of(dates::now());
    let stands = RwSignal::new(day.get_untracked());
    Effect::new(move |_| stands.set(day.get()));
    let moved = move |event| {
        let to = chosen(&event_target_value(&event), today);
        stands.set(to);
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(REST_MS).await;
            if stands.try_get_untracked() == Some(to) && day.try_get_untracked() != Some(to) {
                day.set(to);
            }
        });
    };
    let says = move || stands.get().map_or_else(|| "now".to_owned(), written);
    let least = move || first.get().min(today - 1).min(stands.get().unwrap_or(today));
    view! {
        <div class="as-of" role="group" aria-label="As of which day">
            <label class="small" for="as-of">"As of"</label>
            <input id="as-of" type="range" class="slider" data-testid="as-of" step="1" min=least max=today
                prop:value=move || { least(); stands.get().unwrap_or(today).to_string() }
                aria-valuetext=says title="Page Up and Page Down go far, the arrows a day" on:input=moved/>
            <output for="as-of" class="as-of-day small" data-testid="as-of-day">{says}</output>
            {move || stands.get().map(|_| view! {
                <button type="button" class="button ghost small" data-testid="as-of-now" on:click=move |_| day.set(None)>"Now"</button>
            })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_slider_is_now() {
        for (value, expected) in
            [("19999", Some(19_999)), ("20000", None), ("20001", None), ("", None), ("-5", Some(-5))]
        {
            assert_eq!(chosen(value, 20_000), expected, "{value}");
        }
    }

    #[test]
    fn a_day_ends_before_the_next_begins() {
        assert_eq!(day_of(end_of(3)), 3);
        assert_eq!(day_of(end_of(3) + 1), 4);
        assert_eq!(day_of(-1), -1);
    }
}
