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
    MemoryId,
    capture::{ArtifactsList, ArtifactsListed},
    recall::MemoryRecall,
    traces::{Lost, RecallWhyNot, WhyNot},
    work::{ItemType, ItemsFound, ItemsQuery},
};

/// So many files, and so many notes, are offered.
const OFFERED: u32 = 5;

/// What may be meant: a file or a note.
#[derive(Clone, PartialEq)]
struct Expected {
    icon: Icon,
    id: String,
    title: String,
}

/// Whether this is an id, which is taken as it is.
fn is_id(typed: &str) -> bool {
    MemoryId::parse(typed).is_ok()
}

/// Where it was lost, in a word, with its drawing.
fn lost(lost: Lost) -> (Icon, &'static str) {
    match lost {
        Lost::Given => (Icon::CheckCircle, "It is there"),
        Lost::Space => (Icon::Layers, "In another space"),
        Lost::OutOfUse => (Icon::Ban, "Out of use"),
        Lost::NotRead => (Icon::Hourglass, "Not read"),
        Lost::Filter => (Icon::Cross, "Left out by a filter"),
        Lost::NotFound => (Icon::Search, "Not found"),
        Lost::Gate => (Icon::Ban, "Found, and passed over"),
        Lost::Rank => (Icon::List, "Found, further down"),
    }
}

/// Files, each with the id of the memory that stands for it, and then the notes: a file's memory is found as a note, too, and is the file.
fn offered(files: Vec<(Expected, Option<String>)>, notes: Vec<Expected>) -> Vec<Expected> {
    let is_file = |note: &Expected| files.iter().any(|(_, memory)| memory.as_ref() == Some(&note.id));
    let notes: Vec<Expected> = notes.into_iter().filter(|note| !is_file(note)).collect();
    files.into_iter().map(|(file, _)| file).chain(notes).collect()
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
    let space = recall.space.clone();
    let recall = StoredValue::new(recall);
    let wanted = Memo::new(move |_| Some(typed.get().trim().to_owned()).filter(|name| name.chars().count() > 1));
    let files: Query<ArtifactsListed> = Query::new(move || {
        let name = wanted.get().filter(|name| !is_id(name))?;
        // What lies in another space may be expected, too.
        Some(ArtifactsList { name: Some(name), limit: Some(OFFERED), ..ArtifactsList::default() })
    });
    let notes: Query<ItemsFound> = Query::new(move || {
        let text = wanted.get().filter(|name| !is_id(name))?;
        let types = vec![ItemType::Memory];
        Some(ItemsQuery {
            space: space.clone(),
            types,
            text: Some(text),
            limit: Some(OFFERED),
            ..ItemsQuery::default()
        })
    });
    let offers = Memo::new(move |_| {
        let typed = wanted.get();
        let by_id = typed.filter(|typed| is_id(typed)).map(|id| Expected { icon: Icon::Tag, title: id.clone(), id });
        let files = files.value.get().map(|listed| listed.artifacts).unwrap_or_default();
        let files = files.into_iter().map(|file| {
            let memory = file.memory_id.map(|id| id.to_string());
            let icon = of_modality(file.artifact.modality);
            (Expected { icon, id: file.artifact.id.to_string(), title: file.artifact.filename }, memory)
        });
        let notes = notes.value.get().map(|found| found.items).unwrap_or_default();
        let notes =
            notes.into_iter().map(|one| Expected { icon: Icon::FileText, id: one.item.id, title: one.item.title });
        by_id.into_iter().chain(offered(files.collect(), notes.collect())).collect::<Vec<_>>()
    });
    let question = recall.with_value(|recall| recall.query.clone());
    let field = NodeRef::<html::Input>::new();
    let another = Callback::new(move |()| {
        chosen.set(None);
        focus(field.get_untracked().as_deref());
    });
    let answer = move || chosen.get().map(|expected| view! { <Reason recall=recall.get_value() expected another/> });
    let looking = Memo::new(move |_| files.loading.get() || notes.loading.get());
    let failed = Memo::new(move |_| files.error.get().or_else(|| notes.error.get()));
    let again = Callback::new(move |()| {
        files.refresh();
        notes.refresh();
    });
    let found_none = move || match (failed.get(), looking.get()) {
        (Some(error), false) => {
            view! { <Trouble what="What may be meant cannot be looked up." error retry=again/> }.into_any()
        }
        (_, true) if offers.with(Vec::is_empty) => view! { <Skeleton rows=1 shape="row"/> }.into_any(),
        (None, false) if offers.with(Vec::is_empty) && wanted.with(Option::is_some) => {
            let place = recall.with_value(|recall| app.place_of(recall));
            let says = format!("No file is called so, and no note {place} has these words.");
            view! { <p class="muted small" role="status" data-testid="why-not-none">{says}</p> }.into_any()
        }
        _ => ().into_any(),
    };
    let list = move || {
        let offers = offers.get();
        let offer = |one: Expected| {
            let (words, title) = (one.title.clone(), one.title.clone());
            let icon = one.icon;
            view! {
                <li>
                    <button type="button" class="menu-item" data-testid="why-not-offer" title=title
                        on:click=move |_| chosen.set(Some(one.clone()))>
                        <Glyph icon/> <span class="grow clip">{words}</span>
                    </button>
                </li>
            }
        };
        view! {
            <ul class="pick-list" aria-label="What may be meant">{offers.into_iter().map(offer).collect_view()}</ul>
            {found_none}
        }
    };
    view! {
        <div class="form">
            <p>"You asked: " <span class="strong">{question}</span></p>
            <label class="label" for="why-not-field">"What did you expect? Its name, words of a note, or an id"</label>
            <input id="why-not-field" class="field" type="text" autocomplete="off" node_ref=field data-testid="why-not-field"
                prop:value=move || typed.get() on:input=move |e| { typed.set(event_target_value(&e)); chosen.set(None); }/>
            {move || chosen.with(Option::is_none).then(list)}
            <div role="status">{answer}</div>
        </div>
    }
}

fn focus(element: Option<&web_sys::HtmlElement>) {
    if let Some(element) = element {
        // An element that cannot be focused leaves the focus where it is.
        let _ = element.focus();
    }
}

#[component]
fn Reason(recall: MemoryRecall, expected: Expected, another: Callback<()>) -> impl IntoView {
    let Expected { icon, id, title } = expected;
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
    fn notes_are_offered_beside_files_whatever_they_are_called() {
        let one = |id: &str, title: &str| Expected { icon: Icon::FileText, id: id.to_owned(), title: title.to_owned() };
        let files = vec![(one("file", "Lease"), Some("memory of file".to_owned())), (one("unread", "Lease"), None)];
        let notes = vec![one("memory of file", "Lease"), one("first", "Lease"), one("second", "Lease")];
        let ids: Vec<String> = offered(files, notes).into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["file", "unread", "first", "second"]);
    }

    #[test]
    fn an_id_is_told_from_a_name() {
        assert!(is_id("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b"));
        assert!(!is_id("lease.pdf"));
    }
}
