//! What is believed of whom a question names, as of the day that it asks of.

use super::words::bare;
use crate::{
    components::{
        citation::{CitationLink, Shape},
        link::PageLink,
    },
    dates,
    pages::beliefs::{
        meter::Meter,
        words::{object, phrase, read_by, time},
    },
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    EpochMs,
    claims::{Claim, FactsFound, FactsSearch},
};

/// So many beliefs are shown.
const SHOWN: usize = 4;
/// So many are looked at for those whose names the question says.
const LOOKED_AT: u32 = 40;
/// Words with fewer letters are no name.
const SHORTEST: usize = 3;

/// Whether a question says a name, or a part of it: `When was Ana born?` says `Ana Ruiz`.
fn says(question: &str, name: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .map(str::to_lowercase)
            .filter(|w| w.chars().count() >= SHORTEST)
            .collect()
    };
    let asked = words(question);
    words(name).iter().any(|word| asked.contains(word))
}

/// Those that are of whom or what the question names, in their order.
fn fitting(question: &str, facts: Vec<Claim>) -> Vec<Claim> {
    let named = |claim: &Claim| says(question, &claim.subject.name) || says(question, claim.object.text());
    facts.into_iter().filter(named).take(SHOWN).collect()
}

/// The beliefs; nothing where none fits.
#[component]
pub fn Believed(
    /// The question.
    query: String,
    /// The moment whose knowledge is asked; all that is known where there is none.
    known: Option<EpochMs>,
    /// The day that is asked of; now where there is none.
    day: RwSignal<Option<i64>>,
) -> impl IntoView {
    let app = App::get();
    let question = bare(&query);
    // What was drawn stays with the day that it was asked of.
    let of = day.get_untracked();
    // What is believed is so from one date to another, as sources name them: what begins today counts wherever the day begins earlier.
    let at = move || dates::end_of(of.unwrap_or_else(dates::today), 0);
    let asked = question.clone();
    let found: Query<FactsFound> = Query::new(move || {
        app.changes.beliefs.track();
        (!asked.is_empty()).then(|| FactsSearch {
            space: app.space.get_untracked().map(String::from),
            query: Some(asked.clone()),
            as_of: Some(at()),
            known_at: known,
            limit: Some(LOOKED_AT),
            uncounted: true,
            ..FactsSearch::default()
        })
    });
    let fits = Memo::new(move |_| {
        fitting(&question, found.value.with(|found| found.as_ref().map(|f| f.facts.clone()).unwrap_or_default()))
    });
    let title = of.map_or_else(|| "Believed".to_owned(), |day| format!("Believed as of {}", dates::numbered_day(day)));
    move || {
        let claims = fits.get();
        (!claims.is_empty()).then(|| {
            view! {
                <aside class="believed" aria-label=title.clone() data-testid="believed">
                    <h2>{title.clone()}</h2>
                    <ul>{claims.into_iter().map(row).collect_view()}</ul>
                </aside>
            }
        })
    }
}

fn row(claim: Claim) -> impl IntoView {
    let says = format!(" {} {}", phrase(&claim.predicate), object(&claim));
    let when = time(&claim, dates::now());
    let by = read_by(&claim);
    let to = Signal::stored(Route::Entity(claim.subject.id.clone()));
    let source = claim.citations.into_iter().next();
    view! {
        <li class="belief" data-testid="belief">
            <span class="belief-says"><PageLink to class="entity-name">{claim.subject.name}</PageLink> {says}</span>
            <span class="belief-foot">
                <Meter confidence=claim.confidence/>
                {when.map(|when| view! { <span class="muted small" data-testid="belief-time">{when}</span> })}
                {by.map(|by| view! { <span class="muted small" data-testid="of-model">{by}</span> })}
                {source.map(|citation| view! { <CitationLink cited=citation shape=Shape::Place/> })}
            </span>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_question_says_a_name_by_any_word_of_it() {
        for (question, name, expected) in [
            ("When was Ana born?", "Ana Ruiz", true),
            ("where does ruiz work", "Ana Ruiz", true),
            ("When is the boiler serviced?", "Ana Ruiz", false),
            ("Is it so?", "IT", false),
            ("What does Northwind's ferry cost?", "Northwind", true),
        ] {
            assert_eq!(says(question, name), expected, "{question}");
        }
    }
}
