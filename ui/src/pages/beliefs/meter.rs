//! How sure the product is of a claim: four steps and a number.

use crate::format::percent;
use leptos::prelude::*;

const STEPS: u32 = 4;

/// How many of four steps are filled.
fn filled(confidence: f64) -> u32 {
    (confidence.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u32
}

/// A bar of four steps and the percentage.
#[component]
pub fn Meter(
    /// 0 to 1.
    confidence: f64,
) -> impl IntoView {
    let filled = filled(confidence);
    let steps = (0..STEPS).map(|step| {
        let class = if step < filled { "step full" } else { "step" };
        view! { <rect class=class x=step * 9 + 1 y="1" width="7" height="10" rx="1"></rect> }
    });
    view! {
        <span class="meter">
            <svg width="37" height="12" viewBox="0 0 37 12" aria-hidden="true" focusable="false">{steps.collect_view()}</svg>
            <span class="meter-number">{percent(confidence)}</span>
        </span>
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn steps_follow_the_share() {
        for (confidence, steps) in [(0.92, 4), (0.78, 3), (0.61, 2), (0.1, 0), (1.4, 4), (-1.0, 0)] {
            assert_eq!(super::filled(confidence), steps, "{confidence}");
        }
    }
}
