//! What is connected with an answer, apart from it, with the way there.

use super::signals::connected_bar;
use crate::components::citation::{CitationLink, Cited, Shape};
use crate::format::sentence;
use leptos::prelude::*;
use um_model::recall::{Associate, Basis, PathStep};

/// So many are shown.
const SHOWN: usize = 5;

/// A step of the way in words: `both name Ana Ruiz`.
fn step(step: &PathStep) -> String {
    let via = step.via.as_str();
    match step.basis {
        Basis::Entity => format!("both name {via}"),
        Basis::Tag => format!("both carry the tag {via}"),
        Basis::Relation => format!("by \"{}\"", via.replace('_', " ")),
        Basis::CoUse => "both answered before".into(),
    }
}

/// The way in words: its steps, one after the other.
pub fn way(path: &[PathStep]) -> String {
    sentence(&path.iter().map(step).collect::<Vec<_>>().join(", then "))
}

/// The list; nothing where nothing is connected.
pub fn connected(all: Vec<Associate>) -> Option<impl IntoView> {
    let row = |one: Associate| {
        view! {
            <li class="connected-row" data-testid="connected">
                <CitationLink cited=Cited::from(&one.hit) shape=Shape::Row/>
                <span class="connected-way">
                    <span class="muted small grow">{way(&one.path)}</span> {connected_bar(one.activation)}
                </span>
            </li>
        }
    };
    (!all.is_empty()).then(|| {
        view! {
            <section class="passed" aria-labelledby="connected-title">
                <h2 id="connected-title">"Connected with it"</h2>
                <ul class="connected">{all.into_iter().take(SHOWN).map(row).collect_view()}</ul>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_told_step_by_step() {
        let to = |basis, via: &str| PathStep { from: String::new(), basis, via: via.into(), entity_type: None };
        let path = [to(Basis::Entity, "Ana Ruiz"), to(Basis::Tag, "tax")];
        assert_eq!(way(&path), "Both name Ana Ruiz, then both carry the tag tax");
        assert_eq!(way(&[to(Basis::CoUse, "")]), "Both answered before");
    }
}
