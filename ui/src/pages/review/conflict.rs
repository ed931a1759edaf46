//! One conflict: both sides beside each other, the four ways to decide it, and what is decided beside it.

use super::{decide::CHOICES, differ::pieces};
use crate::{
    components::{
        citation::{CitationLink, Shape},
        icon::{Glyph, Icon},
    },
    dates,
    format::joined,
    pages::beliefs::{
        EntityLink,
        meter::Meter,
        words::{about, circumstances, disagreements, heading, phrase, sides, time},
    },
};
use leptos::prelude::*;
use um_model::{
    ConflictId,
    belief::{ConflictFinder, ResolutionType},
    citation::Citation,
    claims::{Claim, Conflict},
};

/// A conflict and its buttons.
#[component]
pub fn Sides(
    /// The conflict.
    conflict: Conflict,
    /// It, and those that share a claim with it.
    #[prop(into)]
    matter: Signal<Vec<Conflict>>,
    /// `Conflict 2 of 5`.
    #[prop(into)]
    place: Signal<String>,
    /// Decides it.
    choose: Callback<ResolutionType>,
    /// Asks what else is right.
    other: Callback<()>,
    /// Shows the next (1) or the one before (-1).
    step: Callback<isize>,
    /// Shows another one of the matter.
    show: Callback<ConflictId>,
) -> impl IntoView {
    let (a, b) = (&conflict.claim_a, &conflict.claim_b);
    let [says_a, says_b] = sides(&conflict);
    let judged = (conflict.found_by == ConflictFinder::Model)
        .then_some("A model on this machine found that the two contradict each other. ");
    let again = conflict.reopened_at.map(|at| format!("Open again since {}.", dates::moment(at)));
    let buttons = CHOICES.map(|(key, words, resolution)| view! {
        <button type="button" class="button" data-testid=format!("decide-{key}") on:click=move |_| choose.run(resolution)>
            <kbd aria-hidden="true">{key}</kbd> {words}
        </button>
    });
    view! {
        <article class="conflict" aria-labelledby="conflict" data-testid="conflict">
            <header class="conflict-head">
                <h2 id="conflict" tabindex="-1">{move || matter.with(|matter| heading(matter))}</h2>
                <span class="grow muted small" data-testid="conflict-place">{place}</span>
                <button type="button" class="button ghost square" aria-label="Previous conflict" title="Previous (K)"
                    on:click=move |_| step.run(-1)><Glyph icon=Icon::ChevronLeft/></button>
                <button type="button" class="button ghost square" aria-label="Next conflict" title="Next (J)"
                    on:click=move |_| step.run(1)><Glyph icon=Icon::ChevronRight/></button>
                <EntityLink entity=about(&conflict)/>
            </header>
            <p class="muted" data-testid="conflict-says">
                {move || matter.with(|matter| disagreements(matter))} " Nothing was changed. " {judged} {again}
            </p>
            <Pairs of=conflict.id.clone() matter show/>
            <div class="conflict-sides">
                {card("A", a, &says_a, &says_b)}
                {card("B", b, &says_b, &says_a)}
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

/// Where more than two values stand against each other: two of them at a time, and what that does to the others.
#[component]
fn Pairs(of: ConflictId, matter: Signal<Vec<Conflict>>, show: Callback<ConflictId>) -> impl IntoView {
    let of = StoredValue::new(of);
    let pair = move |one: Conflict| {
        let here = of.with_value(|of| *of == one.id);
        let words = joined(&sides(&one), "or");
        let id = one.id;
        view! {
            <li>
                <button type="button" class="button small pair-choice" aria-current=here.then_some("true") data-testid="pair"
                    on:click=move |_| show.run(id.clone())>{words}</button>
            </li>
        }
    };
    move || {
        let all = matter.get();
        (all.len() > 1).then(|| {
            view! {
                <section class="pairs" aria-label="Two at a time" data-testid="pairs">
                    <p class="small">"Decide between two at a time. What is not right drops out of the others, too."</p>
                    <ul>{all.into_iter().map(pair).collect_view()}</ul>
                </section>
            }
        })
    }
}

/// One side: what it says, how sure, and the words of its sources.
fn card(letter: &'static str, claim: &Claim, own: &str, other: &str) -> impl IntoView + use<> {
    let words = pieces(own, other).into_iter().map(|(piece, differs)| {
        if differs { view! { <u class="differs">{piece}</u>" " }.into_any() } else { view! { {piece}" " }.into_any() }
    });
    let more = [circumstances(&claim.qualifiers), time(claim, dates::now())];
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
