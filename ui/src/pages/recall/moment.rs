//! As of which day a question is asked: a slider from the first day of which anything is known to now, and the day itself.

use crate::{dates, state::App};
use leptos::{prelude::*, task::spawn_local};
use um_model::EpochMs;

/// How long the slider rests before the question is asked again, in milliseconds.
const REST_MS: u32 = 250;

/// The day of a field for days, counted from 1970; none where it is today or later, which is now.
pub fn earlier_day(typed: &str, today: i64) -> Option<i64> {
    dates::day_number(typed).filter(|day| *day < today)
}

/// A day as a field for days has it; empty for now.
pub fn day_value(day: Option<i64>) -> String {
    day.map(dates::numbered_day_field).unwrap_or_default()
}

/// What the slider stands at means: no day where it stands at its end, or beyond.
fn chosen(value: &str, today: i64) -> Option<i64> {
    value.parse::<f64>().ok().map(|day| day as i64).filter(|day| *day < today)
}

/// The first of the times at which spaces were made. Those that are there from the beginning do not tell when that was.
fn first_made(made: impl Iterator<Item = EpochMs>) -> Option<EpochMs> {
    made.filter(|at| *at > 0).min()
}

/// When the first space was made, as far as anything tells it.
pub fn first_space(app: App) -> Option<EpochMs> {
    app.spaces.value.with(|all| first_made(all.iter().flat_map(|all| &all.spaces).map(|one| one.space.created_at)))
}

/// The day on which the first space was made; today where nothing tells it.
pub fn first_day(app: App) -> Signal<i64> {
    Signal::derive(move || dates::local_day(first_space(app).unwrap_or_else(dates::now), dates::utc_offset()))
}

/// The slider, the day that it stands at, and the way back to now.
#[component]
pub fn AsOf(
    /// The day that is asked of; now where there is none.
    day: RwSignal<Option<i64>>,
    /// The first day of which anything is known.
    first: Signal<i64>,
) -> impl IntoView {
    // The day that the slider ends at: where the page stays open over midnight, the next thing that is asked moves it on.
    let today = RwSignal::new(dates::today());
    let stands = RwSignal::new(day.get_untracked());
    Effect::new(move |_| stands.set(day.get()));
    let moved = move |event| {
        let to = chosen(&event_target_value(&event), today.get_untracked());
        today.set(dates::today());
        stands.set(to);
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(REST_MS).await;
            if stands.try_get_untracked() == Some(to) && day.try_get_untracked() != Some(to) {
                day.set(to);
            }
        });
    };
    let says = move || stands.get().map_or_else(|| "now".to_owned(), dates::numbered_day);
    // A slider this short leaves out days: each of them can be typed.
    let typed = move |event: leptos::ev::Event| {
        let field: web_sys::HtmlInputElement = event_target(&event);
        today.set(dates::today());
        let to = earlier_day(&field.value(), today.get_untracked());
        // A day that is still to come is now, as an empty field is.
        field.set_value(&day_value(to));
        day.set(to);
    };
    let stands_at = move || stands.get().unwrap_or_else(|| today.get());
    let least = move || first.get().min(today.get() - 1).min(stands_at());
    view! {
        <div class="as-of" role="group" aria-label="As of which day">
            <label class="small" for="as-of">"As of"</label>
            <input id="as-of" type="range" class="slider" data-testid="as-of" step="1" min=least
                max=move || today.get() prop:value=move || { least(); stands_at().to_string() }
                aria-valuetext=says title="Page Up and Page Down go far, the arrows a day" on:input=moved/>
            <input type="date" class="field" aria-label="The day that is asked of" data-testid="as-of-day"
                prop:value=move || day_value(stands.get()) on:change=typed/>
            {move || match stands.get() {
                None => view! { <span class="small">"now"</span> }.into_any(),
                Some(_) => view! {
                    <button type="button" class="button ghost small" data-testid="as-of-now" on:click=move |_| day.set(None)>"Now"</button>
                }
                .into_any(),
            }}
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
    fn spaces_that_are_there_from_the_beginning_tell_no_first_day() {
        for (made, expected) in [(&[][..], None), (&[0, 0], None), (&[0, 7, 0, 5], Some(5)), (&[9], Some(9))] {
            assert_eq!(first_made(made.iter().copied()), expected, "{made:?}");
        }
    }

    #[test]
    fn a_day_is_earlier_until_today() {
        for (typed, expected) in [("2024-10-03", Some(19_999)), ("2024-10-04", None), ("2024-10-05", None), ("", None)]
        {
            assert_eq!(earlier_day(typed, 20_000), expected, "{typed}");
        }
    }
}
