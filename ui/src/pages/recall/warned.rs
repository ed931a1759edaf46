//! Where what a warning speaks of is decided, or was.

use crate::{components::link::PageLink, route::Route, state::App};
use leptos::prelude::*;
use um_model::SpaceId;
use um_model::work::{RecallWarning, WarningKind};

/// How a warning of two facts ends that wait for the person; one of a relation does not, and waits for nobody.
const UNDECIDED: &str = "nobody has decided between them.";

/// The page that a warning leads to, with the words of the way there; none where nothing is decided.
fn leads(one: &RecallWarning) -> Option<(&'static str, Route)> {
    match one.kind {
        WarningKind::DecidedAgainst => Some(("What you decided", Route::Decided)),
        // What was kept of an answer by an earlier version does not say which conflict it is.
        WarningKind::TemporalContradiction if one.conflict.is_some() || one.message.ends_with(UNDECIDED) => {
            Some(("Decide", Route::Review { conflict: one.conflict.clone() }))
        }
        _ => None,
    }
}

/// Whether what waits in a space is not listed while another one is in use: an answer has passages of spaces that are read with it, too.
fn is_elsewhere(shown: Option<&SpaceId>, of: &SpaceId) -> bool {
    shown.is_some_and(|shown| shown != of)
}

/// The link there. Where it leads to another space than the one in use, that one is in use from then on, as if it had been chosen.
pub fn link(one: &RecallWarning) -> Option<impl IntoView + use<>> {
    let app = App::get();
    let of = one.target.space_id.clone();
    leads(one).map(|(says, to)| {
        let change = Callback::new(move |()| {
            if app.space.with_untracked(|shown| is_elsewhere(shown.as_ref(), &of)) {
                app.space.set(Some(of.clone()));
            }
        });
        view! {
            <PageLink to=Signal::stored(to) class="button ghost small" testid="warning-leads" also=change>{says}</PageLink>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_in_another_space_is_shown_there() {
        let [one, other] = [SpaceId::global(), SpaceId::default_project()];
        for (shown, expected) in [(None, false), (Some(&one), false), (Some(&other), true)] {
            assert_eq!(is_elsewhere(shown, &one), expected);
        }
    }

    #[test]
    fn a_warning_leads_to_what_is_decided() {
        // As the engine says them.
        let engine = include_str!("../../../../crates/engine/src/brief/warnings.rs");
        assert!(engine.contains(UNDECIDED), "its sentence is another one now");
        let conflict = um_model::ConflictId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b").unwrap();
        let undecided =
            "A fact that it says and another one contradict each other, and nobody has decided between them.";
        let review = |conflict| Some(Route::Review { conflict });
        for (kind, message, conflict, expected) in [
            ("decided_against", "A fact that it says was decided against.", None, Some(Route::Decided)),
            ("temporal_contradiction", undecided, Some(&conflict), review(Some(conflict.clone()))),
            ("temporal_contradiction", undecided, None, review(None)),
            ("temporal_contradiction", "It and another one contradict each other.", None, None),
            ("stale", "Nobody confirmed it for long.", None, None),
        ] {
            let target = serde_json::json!({ "item_type": "memory", "id": "m", "title": "",
                "space_id": um_model::SpaceId::default_project() });
            let warning = serde_json::json!({ "id": "0", "kind": kind, "target": target, "message": message,
                "conflict": conflict });
            let warning = serde_json::from_value(warning).unwrap();
            assert_eq!(leads(&warning).map(|(_, to)| to), expected, "{kind}: {message}");
        }
    }
}
