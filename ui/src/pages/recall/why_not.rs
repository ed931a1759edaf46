//! Why something that was expected is not among the passages.

use super::signals::numbers;
use crate::{
    components::{
        icon::{Glyph, Icon, of_modality},
        states::{Skeleton, Trouble},
    },
    format::{joined, sentence},
    query::Query,
    state::App,
};
use leptos::{html, prelude::*};
use um_model::{
    MemoryId, MemoryStatus, Tier,
    claims::{IdFound, IdsFind, IdsFound, IdsOf},
    recall::MemoryRecall,
    traces::{Lost, RecallWhyNot, WhyNot},
};

/// What may be meant: a file or a note.
#[derive(Clone, PartialEq)]
struct Expected {
    icon: Icon,
    id: String,
    title: String,
    /// Whether it is in use, and its space where that is another one than the question's.
    facts: String,
}

impl Expected {
    /// An id, whatever it is of.
    fn of_id(id: &str) -> Self {
        Self { icon: Icon::Tag, id: id.to_owned(), title: id.to_owned(), facts: String::new() }
    }

    fn of(app: App, found: IdFound, asked: &MemoryRecall) -> Self {
        let Some(told) = found.expected else { return Self { title: found.says, ..Self::of_id(&found.id) } };
        let name = app
            .space_name(&told.space_id)
            .filter(|name| asked.space.as_ref().is_none_or(|space| space != told.space_id.as_str() && space != name));
        let place = name.map(|name| format!("in {name}"));
        let facts: Vec<String> =
            [Some(state(told.status, told.tier).to_owned()), place].into_iter().flatten().collect();
        let icon = told.modality.map_or(Icon::FileText, of_modality);
        Self { icon, id: found.id, title: found.says, facts: facts.join(", ") }
    }
}

/// What became of it, in a word or a few.
fn state(status: MemoryStatus, tier: Tier) -> &'static str {
    match status {
        MemoryStatus::Active if tier == Tier::Cold => "out of the way",
        MemoryStatus::Active => "in use",
        MemoryStatus::Superseded => "replaced",
        MemoryStatus::Consolidated => "summed up in another",
        MemoryStatus::Archived => "archived",
        MemoryStatus::Retracted => "found to be wrong",
        MemoryStatus::Expired => "expired",
        MemoryStatus::Deleted => "removed",
    }
}

/// Whether this is an id, which is taken as it is.
fn is_id(typed: &str) -> bool {
    MemoryId::parse(typed).is_ok()
}

/// Where it was lost, in a word, with its drawing.
fn lost(lost: Lost) -> (Icon, &'static str) {
    match lost {
        Lost::Given => (Icon::CheckCircle, "Given"),
        Lost::Space => (Icon::Layers, "In another space"),
        Lost::OutOfUse => (Icon::Ban, "Out of use"),
        Lost::NotRead => (Icon::Hourglass, "Not read"),
        Lost::Filter => (Icon::Cross, "Left out by a filter"),
        Lost::NotFound => (Icon::Search, "Not found"),
        Lost::Gate => (Icon::Ban, "Found, and passed over"),
        Lost::Rank => (Icon::List, "Found, further down"),
    }
}

/// Finds what was expected, and tells why it is not there.
#[component]
pub fn WhyNotForm(
    /// The question, as it was asked.
    recall: MemoryRecall,
) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let chosen = RwSignal::new(None::<Expected>);
    let recall = StoredValue::new(recall);
    let wanted = Memo::new(move |_| Some(typed.get().trim().to_owned()).filter(|name| name.chars().count() > 1));
    // What lies in another space may be expected, too, and what is out of use.
    let found: Query<IdsFound> = Query::new(move || wanted.get().map(|part| IdsFind { of: IdsOf::Expected, part }));
    let offers = Memo::new(move |_| {
        let all = found.value.get().map(|found| found.found).unwrap_or_default();
        // An id is taken as it is: of what was forgotten, too, that can be told.
        let by_id = wanted.get().filter(|typed| is_id(typed) && all.is_empty()).map(|id| Expected::of_id(&id));
        let offered = all.into_iter().map(|one| recall.with_value(|recall| Expected::of(app, one, recall)));
        by_id.into_iter().chain(offered).collect::<Vec<_>>()
    });
    let question = recall.with_value(|recall| recall.query.clone());
    let field = NodeRef::<html::Input>::new();
    let another = Callback::new(move |()| {
        chosen.set(None);
        focus(field.get_untracked().as_deref());
    });
    let answer = move || chosen.get().map(|expected| view! { <Reason recall=recall.get_value() expected another/> });
    let again = Callback::new(move |()| found.refresh());
    let found_none = move || match (found.error.get(), found.loading.get()) {
        (Some(error), false) => {
            view! { <Trouble what="What may be meant cannot be looked up." error retry=again/> }.into_any()
        }
        (_, true) if offers.with(Vec::is_empty) => view! { <Skeleton rows=1 shape="row"/> }.into_any(),
        (None, false) if offers.with(Vec::is_empty) && wanted.with(Option::is_some) => {
            view! { <p class="muted small" role="status" data-testid="why-not-none">{NONE}</p> }.into_any()
        }
        _ => ().into_any(),
    };
    // Told beside what is offered, too: what is expected may be none of it.
    let cut = move || {
        let is_cut = found.value.with(|found| found.as_ref().is_some_and(|found| found.is_cut));
        is_cut.then(|| view! { <p class="muted small" data-testid="why-not-cut">{IS_CUT}</p> })
    };
    let list = move || {
        let offers = offers.get();
        let offer = |one: Expected| {
            let (words, title, facts) = (one.title.clone(), one.title.clone(), one.facts.clone());
            let icon = one.icon;
            view! {
                <li>
                    <button type="button" class="menu-item" data-testid="why-not-offer" title=title
                        on:click=move |_| chosen.set(Some(one.clone()))>
                        <Glyph icon/> <span class="grow clip">{words}</span>
                        <span class="muted small" data-testid="why-not-facts">{facts}</span>
                    </button>
                </li>
            }
        };
        view! {
            <ul class="pick-list" aria-label="What may be meant">{offers.into_iter().map(offer).collect_view()}</ul>
            {found_none}
            {cut}
        }
    };
    view! {
        <div class="form">
            <p>"You asked: " <span class="strong">{question}</span></p>
            <label class="label" for="why-not-field">"What did you expect? Its name, words of a note, or an id or its first or last eight characters"</label>
            <input id="why-not-field" class="field" type="text" autocomplete="off" node_ref=field data-testid="why-not-field"
                prop:value=move || typed.get() on:input=move |e| { typed.set(event_target_value(&e)); chosen.set(None); }/>
            {move || chosen.with(Option::is_none).then(list)}
            <div role="status">{answer}</div>
        </div>
    }
}

/// That nothing may be meant, of what was looked through.
const NONE: &str = "No file or note is called so, has these words or this id.";

/// That not all was looked through.
const IS_CUT: &str = "Of what is out of use there is so much that only the newest was looked through.";

fn focus(element: Option<&web_sys::HtmlElement>) {
    if let Some(element) = element {
        // An element that cannot be focused leaves the focus where it is.
        let _ = element.focus();
    }
}

#[component]
fn Reason(recall: MemoryRecall, expected: Expected, another: Callback<()>) -> impl IntoView {
    let Expected { icon, id, title, facts } = expected;
    let why: Query<WhyNot> = Query::new(move || Some(RecallWhyNot { recall: recall.clone(), expected: id.clone() }));
    let told = move || match (why.value.get(), why.error.get()) {
        (Some(told), _) => reason(&told).into_any(),
        (None, Some(error)) => view! {
            <Trouble what="Why it is not there cannot be told." error retry=Callback::new(move |()| why.refresh())/>
        }
        .into_any(),
        (None, None) => view! { <Skeleton rows=1 shape="row"/> }.into_any(),
    };
    // What was chosen stands no more in the list, which had the focus.
    let heading = NodeRef::<html::H3>::new();
    Effect::new(move |_| focus(heading.get().as_deref()));
    view! {
        <div class="thing-line">
            <h3 class="grow clip" tabindex="-1" node_ref=heading title=title.clone() data-testid="why-not-title"><Glyph icon/> {title.clone()}</h3>
            <span class="muted small">{facts}</span>
            <button type="button" class="button ghost small" data-testid="why-not-another" on:click=move |_| another.run(())>"Choose another"</button>
        </div>
        {told}
    }
}

/// The words of the question that it lacks, in a sentence.
fn missing(words: &[String]) -> Option<String> {
    let all: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    (!all.is_empty()).then(|| format!("It does not have {}.", joined(&all, "or")))
}

fn reason(told: &WhyNot) -> impl IntoView + use<> {
    let (icon, word) = lost(told.lost);
    let numbers = told.traced.as_ref().map(|one| {
        let least = told.least_given.filter(|_| told.lost != Lost::Given);
        let least = least.map(|least| format!("The last passage that was given has {least:.3} in all."));
        view! {
            {numbers(one.score, &one.signals, &told.weights)}
            {least.map(|least| view! { <p class="muted small">{least}</p> })}
        }
    });
    view! {
        <div class="why-not" data-testid="why-not-reason">
            <p class="state"><Glyph icon/> <span class="strong">{word}</span></p>
            <p>{sentence(&told.reason)}</p>
            {missing(&told.words_missing).map(|words| view! { <p class="muted small">{words}</p> })}
            {numbers}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_in_a_sentence() {
        let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(missing(&[]), None);
        assert_eq!(missing(&words(&["rent"])).as_deref(), Some("It does not have \"rent\"."));
        assert_eq!(missing(&words(&["cold", "rent"])).as_deref(), Some("It does not have \"cold\" or \"rent\"."));
    }

    #[test]
    fn what_became_of_it_is_told_in_words_of_its_own() {
        let mut said: Vec<&str> = MemoryStatus::ALL.iter().map(|status| state(*status, Tier::Warm)).collect();
        said.push(state(MemoryStatus::Active, Tier::Cold));
        let all = said.len();
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), all, "{said:?}");
        assert_eq!(state(MemoryStatus::Deleted, Tier::Cold), "removed");
    }

    #[test]
    fn an_id_is_told_from_a_name() {
        assert!(is_id("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b"));
        assert!(!is_id("lease.pdf"));
    }
}
