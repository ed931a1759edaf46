//! As of which day a question is asked: a slider from the first day of which anything is known to now, and the day itself.

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

/// The day of a field for days, counted from 1970; none where it is today or later, which is now.
pub fn earlier_day(typed: &str, today: i64) -> Option<i64> {
    let mut numbers = typed.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    Some(days_from_civil(year, month, day)).filter(|day| *day < today)
}

/// The number of a day of the calendar, counted from 1970: years begin in March, so that the leap day comes last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A day as a field for days has it; empty for now.
pub fn day_value(day: Option<i64>) -> String {
    day.map(|day| dates::day_field(noon(day))).unwrap_or_default()
}

/// What the slider stands at means: no day where it stands at its end, or beyond.
fn chosen(value: &str, today: i64) -> Option<i64> {
    value.parse::<f64>().ok().map(|day| day as i64).filter(|day| *day < today)
}

/// The slider, the day that it stands at, and the way back to now.
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
    // A slider this short leaves out days: each of them can be typed.
    let typed = move |event: leptos::ev::Event| {
        let field: web_sys::HtmlInputElement = event_target(&event);
        let to = earlier_day(&field.value(), today);
        // A day that is still to come is now, as an empty field is.
        field.set_value(&day_value(to));
        day.set(to);
    };
    let least = move || first.get().min(today - 1).min(stands.get().unwrap_or(today));
    view! {
        <div class="as-of" role="group" aria-label="As of which day">
            <label class="small" for="as-of">"As of"</label>
            <input id="as-of" type="range" class="slider" data-testid="as-of" step="1" min=least max=today
                prop:value=move || { least(); stands.get().unwrap_or(today).to_string() }
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
    fn a_day_is_known_by_its_number_until_today() {
        for (typed, expected) in [
            ("1970-01-01", Some(0)),
            ("2000-02-29", Some(11_016)),
            ("2018-05-03", Some(17_654)),
            ("2024-10-04", None),
            ("2018-05", None),
            ("", None),
        ] {
            assert_eq!(earlier_day(typed, 20_000), expected, "{typed}");
        }
        assert_eq!(days_from_civil(2024, 10, 4), 20_000);
    }

    #[test]
    fn a_day_ends_before_the_next_begins() {
        assert_eq!(day_of(end_of(3)), 3);
        assert_eq!(day_of(end_of(3) + 1), 4);
        assert_eq!(day_of(-1), -1);
    }
}
