//! One conflict: both sides beside each other, and the four ways to decide it.

use super::{decide::CHOICES, differ::pieces};
use crate::{
    components::{
        citation::{CitationLink, Shape},
        icon::{Glyph, Icon},
    },
    dates,
    pages::beliefs::{
        EntityLink,
        meter::Meter,
        words::{circumstances, disagreement, heading, phrase, side, window},
    },
};
use leptos::prelude::*;
use um_model::{
    belief::ResolutionType,
    citation::Citation,
    claims::{Claim, Conflict},
};

/// A conflict and its buttons.
#[component]
pub fn Sides(
    /// The conflict.
    conflict: Conflict,
    /// `Conflict 2 of 5`.
    place: String,
    /// Decides it.
    choose: Callback<ResolutionType>,
    /// Asks what else is right.
    other: Callback<()>,
    /// Shows the next (1) or the one before (-1).
    step: Callback<isize>,
) -> impl IntoView {
    let (a, b) = (conflict.claim_a.clone(), conflict.claim_b.clone());
    let (says_a, says_b) = (side(&a, &b), side(&b, &a));
    let buttons = CHOICES.map(|(key, words, resolution)| view! {
        <button type="button" class="button" data-testid=format!("decide-{key}") on:click=move |_| choose.run(resolution)>
            <kbd aria-hidden="true">{key}</kbd> {words}
        </button>
    });
    view! {
        <article class="conflict" aria-labelledby="conflict" data-testid="conflict">
            <header class="conflict-head">
                <h2 id="conflict" tabindex="-1">{heading(&conflict)}</h2>
                <span class="grow muted small" data-testid="conflict-place">{place}</span>
                <button type="button" class="button ghost square" aria-label="Previous conflict" title="Previous (K)"
                    on:click=move |_| step.run(-1)><Glyph icon=Icon::ChevronLeft/></button>
                <button type="button" class="button ghost square" aria-label="Next conflict" title="Next (J)"
                    on:click=move |_| step.run(1)><Glyph icon=Icon::ChevronRight/></button>
                <EntityLink entity=a.subject.clone()/>
            </header>
            <p class="muted">{disagreement(&conflict)} " Nothing was changed."</p>
            <div class="conflict-sides">
                {card("A", &a, &says_a, &says_b)}
                {card("B", &b, &says_b, &says_a)}
            </div>
            <footer class="conflict-foot" role="group" aria-label="Decide">
                {buttons}
                <button type="button" class="button" data-testid="decide-4" on:click=move |_| other.run(())>
                    <kbd aria-hidden="true">"4"</kbd> "Other ..."
                </button>
            </footer>
        </article>
    }
}

/// One side: what it says, how sure, and the words of its sources.
fn card(letter: &'static str, claim: &Claim, own: &str, other: &str) -> impl IntoView + use<> {
    let words = pieces(own, other).into_iter().map(|(piece, differs)| {
        if differs { view! { <u class="differs">{piece}</u>" " }.into_any() } else { view! { {piece}" " }.into_any() }
    });
    let more = [circumstances(&claim.qualifiers), window(claim.valid_from, claim.valid_to)];
    let more = more.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let reads = format!("{} {} ...", claim.subject.name, phrase(&claim.predicate));
    let quotes = claim.citations.iter().cloned().map(quoted).collect_view();
    view! {
        <section class="conflict-side" data-testid=format!("side-{}", letter.to_lowercase()) aria-label=format!("{letter}: {own}") >
            <p class="side-head">
                <span class="side-letter" aria-hidden="true">{letter}</span>
                <span class="side-value" data-testid="side-value" title=reads>{words.collect_view()}</span>
                <Meter confidence=claim.confidence/>
            </p>
            {(!more.is_empty()).then(|| view! { <p class="muted small">{more}</p> })}
            <ol class="side-quotes">{quotes}</ol>
        </section>
    }
}

fn quoted(citation: Citation) -> impl IntoView {
    let when = dates::day(citation.occurred_at.unwrap_or(citation.recorded_at));
    view! {
        <li class="side-quote">
            <CitationLink cited=citation shape=Shape::Card/>
            <span class="muted small">{when}</span>
        </li>
    }
}
