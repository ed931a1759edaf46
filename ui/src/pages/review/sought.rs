//! The conflict that an address names. It may lie behind those that are listed, or be open no more by now.

use super::{Inbox, decide::decision};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
    },
    ipc,
    route::Route,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ConflictId,
    claims::{Conflict, ConflictsList},
};

/// What became of the conflict that was come for.
#[derive(Clone)]
pub enum Sought {
    /// None is named, or it was said already.
    Nothing,
    /// It is asked for.
    Awaited,
    /// It is open: it is shown, whether it is listed or not.
    Open(Box<Conflict>),
    /// Nothing can be decided of it any more, in words.
    Over(String),
}

impl Sought {
    /// What was found under its id.
    fn found(conflict: Option<Conflict>) -> Self {
        match conflict {
            None => Self::Over("The conflict that you came for is there no more.".to_owned()),
            Some(conflict) => match decision(&conflict) {
                None => Self::Open(Box::new(conflict)),
                Some(decided) => Self::Over(format!("The conflict that you came for is open no more. {decided}.")),
            },
        }
    }

    /// The same where it was found open before: that it is decided by now, whoever decided it sees.
    fn after(self) -> Self {
        match self {
            Self::Over(_) => Self::Nothing,
            other => other,
        }
    }

    /// It, while it is open.
    pub fn open(&self) -> Option<&Conflict> {
        match self {
            Self::Open(conflict) => Some(conflict),
            _ => None,
        }
    }
}

/// Asks for the conflict that the address names, and again for one that is open when something changed.
pub(super) fn seek(app: App, inbox: Inbox) {
    Effect::new(move |_| match app.route.get() {
        Route::Review { conflict: Some(id) } => {
            inbox.current.set(Some(id.clone()));
            inbox.sought.set(Sought::Awaited);
            ask(app, inbox, id, Sought::found);
        }
        Route::Review { conflict: None } => {
            inbox.asked.update_value(|asked| *asked += 1);
            inbox.sought.set(Sought::Nothing);
        }
        _ => {}
    });
    Effect::new(move |before: Option<()>| {
        app.changes.beliefs.track();
        let open = inbox.sought.with_untracked(|sought| sought.open().map(|conflict| conflict.id.clone()));
        if let Some(id) = open.filter(|_| before.is_some()) {
            ask(app, inbox, id, |found| Sought::found(found).after());
        }
    });
}

/// Asks for a conflict. Its answer is dropped where another one is asked for by then, or the page is gone.
fn ask(app: App, inbox: Inbox, id: ConflictId, told: fn(Option<Conflict>) -> Sought) {
    inbox.asked.update_value(|asked| *asked += 1);
    let mine = inbox.asked.get_value();
    spawn_local(async move {
        let answer = ipc::call(ConflictsList { conflict: Some(id), ..ConflictsList::default() }).await;
        if inbox.asked.try_get_value() != Some(mine) {
            return;
        }
        inbox.sought.set(match answer {
            Ok(listed) => told(listed.conflicts.into_iter().next()),
            Err(error) => {
                app.toasts.trouble(&error);
                Sought::Nothing
            }
        });
    });
}

/// That it is open no more, with the way to what was decided.
pub(super) fn over(inbox: Inbox) -> impl IntoView {
    move || {
        let Sought::Over(says) = inbox.sought.get() else { return None };
        Some(view! {
            <p class="notice" role="status" data-testid="conflict-over">
                <Glyph icon=Icon::Info/> <span class="grow">{says}</span>
                <PageLink to=Signal::stored(Route::Decided) class="button small">"History"</PageLink>
            </p>
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A conflict of where Ana lives, decided or open.
    fn conflict(decided: bool) -> Conflict {
        let id = um_model::OWNER_AGENT;
        let claim = |value: &str| {
            serde_json::json!({ "id": id, "space_id": id, "claim_type": "attribute", "predicate": "lives_in",
                "statement": "", "subject": { "id": id, "name": "Ana", "entity_type": "person" },
                "object": { "value": value }, "qualifiers": {}, "polarity": "positive", "state": "disputed",
                "confidence": 0.8, "evidence_count": 1, "last_updated_at": 0, "citations": [], "conflicts": [] })
        };
        let resolution = serde_json::json!({ "resolution_type": "both_disputed", "actor_id": id, "actor_name": "owner",
            "by_itself": false, "resolved_at": 0 });
        let conflict = serde_json::json!({ "id": id, "conflict_type": "contradicting_value", "found_by": "rule",
            "summary": "", "claim_a": claim("Marlow"), "claim_b": claim("Halden"), "detected_at": 0, "space_id": id,
            "resolution": decided.then_some(resolution) });
        serde_json::from_value(conflict).unwrap()
    }

    #[test]
    fn what_was_come_for_is_shown_while_it_is_open_and_else_said_to_be_over() {
        let over = |says: &str| (false, Some(says.to_owned()));
        for (found, at_first, later) in [
            (Some(conflict(false)), (true, None), (true, None)),
            (
                Some(conflict(true)),
                over("The conflict that you came for is open no more. Both stay disputed."),
                (false, None),
            ),
            (None, over("The conflict that you came for is there no more."), (false, None)),
        ] {
            let told = |sought: Sought| match sought {
                Sought::Over(says) => (false, Some(says)),
                other => (other.open().is_some(), None),
            };
            assert_eq!(told(Sought::found(found.clone())), at_first);
            assert_eq!(told(Sought::found(found).after()), later);
        }
    }
}
