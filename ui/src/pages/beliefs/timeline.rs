//! When each claim was so, drawn along the years. Geometry stands in SVG attributes alone.

use super::{
    entity::Page,
    words::{civil, label, object, window},
};
use crate::dates;
use leptos::prelude::*;
use um_model::{EpochMs, belief::ClaimState, claims::Claim};

/// Height of a bar's row, and of the line of years, in pixels.
const ROW: usize = 28;
const YEARS: usize = 24;
/// More bars than this are left to the list above.
const BARS: usize = 24;

/// Claims with a time, the earliest first.
fn timed(claims: &[Claim]) -> Vec<Claim> {
    let mut timed: Vec<Claim> =
        claims.iter().filter(|c| c.valid_from.is_some() || c.valid_to.is_some()).cloned().collect();
    timed.sort_by_key(|c| (c.valid_from.unwrap_or(i64::MIN), c.valid_to.unwrap_or(i64::MAX)));
    timed.truncate(BARS);
    timed
}

/// The span of years that shows all of it: whole years, from the first moment known to now or later.
fn years(claims: &[Claim], now: EpochMs) -> (i64, i64) {
    let moments = || claims.iter().flat_map(|c| [c.valid_from, c.valid_to]).flatten();
    let first = civil(moments().min().unwrap_or(now)).0;
    let last = civil(moments().max().unwrap_or(now).max(now)).0 + 1;
    // Where only an end is known, there must be room before it.
    let open = claims.iter().any(|c| c.valid_from.is_none());
    (first - i64::from(open), last)
}

/// Where a moment lies between two years, in hundredths of the width.
fn share(at: EpochMs, (first, last): (i64, i64)) -> f64 {
    let (year, month, day) = civil(at);
    let years = (year - first) as f64 + (month as f64 - 1.0) / 12.0 + (day as f64 - 1.0) / 366.0;
    (years / (last - first).max(1) as f64 * 100.0).clamp(0.0, 100.0)
}

/// The years that are written, so that no more than eight are.
fn marks((first, last): (i64, i64)) -> Vec<i64> {
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| last - first <= 8 * step).unwrap_or(500);
    (first..last).filter(|year| year.rem_euclid(step) == 0).collect()
}

/// The timeline; nothing where no claim has a time.
#[component]
pub fn Timeline(page: Page) -> impl IntoView {
    let claims = Memo::new(move |_| {
        timed(&page.detail.value.with(|d| d.as_ref().map(|d| d.claims.clone()).unwrap_or_default()))
    });
    move || {
        (!claims.with(Vec::is_empty)).then(|| {
            view! {
                <section class="panel" aria-labelledby="timeline-title">
                    <h2 id="timeline-title">"When it was so"</h2>
                    {drawing(claims.get(), dates::now())}
                </section>
            }
        })
    }
}

fn drawing(claims: Vec<Claim>, now: EpochMs) -> impl IntoView {
    let span = years(&claims, now);
    let height = claims.len() * ROW + YEARS;
    let lines = marks(span).into_iter().map(move |year| {
        let x = format!("{:.2}%", (year - span.0) as f64 / (span.1 - span.0) as f64 * 100.0);
        view! {
            <g>
                <line class="year-line" x1=x.clone() x2=x.clone() y1="0" y2=height - YEARS></line>
                <text class="year" x=x dx="4" y=height - 7>{year.to_string()}</text>
            </g>
        }
    });
    let today = format!("{:.2}%", share(now, span));
    let bars = claims.iter().enumerate().map(|(row, claim)| bar(claim, row, span, now)).collect_view();
    let said = claims.iter().map(|claim| sentence(claim, now)).collect::<Vec<_>>().join("; ");
    view! {
        <svg class="timeline" width="100%" height=height role="img" aria-label=said data-testid="timeline">
            {lines.collect_view()}
            <line class="now-line" x1=today.clone() x2=today y1="0" y2=height - YEARS></line>
            {bars}
        </svg>
    }
}

fn sentence(claim: &Claim, now: EpochMs) -> String {
    let time = window(claim.valid_from, claim.valid_to, now).unwrap_or_default();
    format!("{} {}, {time}", label(&claim.predicate), object(claim))
}

fn bar(claim: &Claim, row: usize, span: (i64, i64), now: EpochMs) -> impl IntoView + use<> {
    let from = claim.valid_from.map_or(0.0, |at| share(at, span));
    let to = claim.valid_to.map_or_else(|| share(now, span), |at| share(at, span)).max(from + 0.6);
    let open = claim.valid_from.is_none() || claim.valid_to.is_none();
    let class = match (claim.state, open) {
        (ClaimState::Disputed, _) => "time-bar disputed-bar",
        (_, true) => "time-bar open-bar",
        (_, false) => "time-bar",
    };
    let disputed = if claim.state == ClaimState::Disputed { " (disputed)" } else { "" };
    let words = format!("{}{disputed}", object(claim));
    let top = row * ROW;
    // Words begin in the bar, or end before it where little room is left after its beginning.
    let (x, anchor, dx) = if from > 66.0 { (from, "end", "-6") } else { (from, "start", "8") };
    view! {
        <g>
            <rect class=class x=format!("{from:.2}%") y=top + 3 width=format!("{:.2}%", to - from) height=ROW - 6 rx="4"></rect>
            <text class="time-words" x=format!("{x:.2}%") dx=dx y=top + 18 text-anchor=anchor>{words}</text>
            <title>{sentence(claim, now)}</title>
        </g>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const Y2018: EpochMs = 1_514_764_800_000;
    const Y2021: EpochMs = 1_609_459_200_000;

    #[test]
    fn a_moment_lies_where_its_date_is() {
        assert_eq!(share(Y2018, (2018, 2022)), 0.0);
        assert_eq!(share(Y2021, (2018, 2022)), 75.0);
        assert_eq!(share(0, (2018, 2022)), 0.0);
    }

    #[test]
    fn few_years_are_written() {
        assert_eq!(marks((2018, 2022)), [2018, 2019, 2020, 2021]);
        assert_eq!(marks((1984, 2027)), [1990, 2000, 2010, 2020]);
        assert!(marks((1000, 2027)).len() <= 12);
    }
}
