//! Deciding a conflict, with a way back.

use crate::{components::citation::OWNER, format::count, ipc, pages::beliefs::words::sides, state::App};
use leptos::{prelude::Set, task::spawn_local};
use um_model::{
    ConflictId,
    belief::{ClaimState, ResolutionType},
    claims::{Conflict, ConflictsReopen, ConflictsResolve, Resolution},
};

/// The decisions that need nothing but a key: key, words, decision. Key 4 asks what else is right.
pub const CHOICES: [(&str, &str, ResolutionType); 3] = [
    ("1", "A is right", ResolutionType::ClaimAWins),
    ("2", "B is right", ResolutionType::ClaimBWins),
    ("3", "Both disputed", ResolutionType::BothDisputed),
];

/// What was decided, in words; or how it came that nobody had to. Nothing while it is open.
pub fn decision(conflict: &Conflict) -> Option<String> {
    use ResolutionType::{BothDisputed, ClaimAWins, ClaimBWins, ManualOverride};
    let resolution = conflict.resolution.as_ref()?;
    let [a, b] = sides(conflict);
    if resolution.undone_at.is_some() || resolution.asked_again {
        let since = if resolution.asked_again { "Asked again" } else { "Taken back" };
        return Some(no_more(since, resolution.resolution_type, [a, b]));
    }
    if resolution.by_itself && [&conflict.claim_a, &conflict.claim_b].iter().any(|side| side.is_forgotten()) {
        return Some("Settled by itself: one side was forgotten".into());
    }
    Some(match (resolution.by_itself, resolution.resolution_type) {
        (true, ClaimAWins) => format!("Settled by itself: {b} is no longer believed"),
        (true, ClaimBWins) => format!("Settled by itself: {a} is no longer believed"),
        (true, BothDisputed | ManualOverride) => "Settled by itself: both can stand".into(),
        (false, ClaimAWins) => format!("{a} is right"),
        (false, ClaimBWins) => format!("{b} is right"),
        (false, BothDisputed) => "Both stay disputed".into(),
        (false, ManualOverride) => otherwise(conflict).into(),
    })
}

/// A decision that does not stand any more: neither do its claims tell of it.
fn no_more(since: &str, decided: ResolutionType, [a, b]: [String; 2]) -> String {
    let what = match decided {
        ResolutionType::ClaimAWins => format!("{a} is right"),
        ResolutionType::ClaimBWins => format!("{b} is right"),
        ResolutionType::BothDisputed => "Both stay disputed".into(),
        ResolutionType::ManualOverride => "Something else".into(),
    };
    format!("{since}: {what}")
}

/// What was decided where it is neither of both sides alone: told by what became of them.
fn otherwise(conflict: &Conflict) -> &'static str {
    let replaced = [&conflict.claim_a, &conflict.claim_b].map(|side| side.state == ClaimState::Superseded);
    match replaced {
        [true, true] => "Neither is right, but something else",
        [false, false] => "Both are right, at different times",
        _ => "Something else",
    }
}

/// The open conflicts that both sides of a conflict are part of, without itself.
pub fn related(conflict: &Conflict) -> Vec<ConflictId> {
    let mut ids = [conflict.claim_a.conflicts.clone(), conflict.claim_b.conflicts.clone()].concat();
    ids.retain(|id| *id != conflict.id);
    ids.sort();
    ids.dedup();
    ids
}

/// Who decided: `you`, an agent's name; nobody where it was settled by itself.
pub fn decider(resolution: &Resolution) -> Option<String> {
    let name = if resolution.actor_name == OWNER { "you" } else { &resolution.actor_name };
    (!resolution.by_itself && !name.is_empty()).then(|| format!("by {name}"))
}

/// Decides by one of the choices.
pub fn by_choice(conflict: ConflictId, resolution: ResolutionType) -> ConflictsResolve {
    ConflictsResolve::of(conflict, resolution)
}

/// Decides, says so, and offers the way back. `before` is what was related to it; `done` is told
/// what still is, once it worked.
pub fn decide(
    app: App,
    request: ConflictsResolve,
    before: Vec<ConflictId>,
    done: impl FnOnce(Vec<ConflictId>) + 'static,
) {
    spawn_local(async move {
        match ipc::call(request).await {
            Ok(conflict) => {
                say(app, &before, &conflict);
                done(related(&conflict));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Says what was decided, and how many of the conflicts `before` were settled with it; with the way back.
pub fn say(app: App, before: &[ConflictId], conflict: &Conflict) {
    let id = conflict.id.clone();
    app.toasts.say_with_undo(told(before, conflict), move || reopen(app, id.clone()));
}

fn told(before: &[ConflictId], conflict: &Conflict) -> String {
    let left = related(conflict);
    let settled = before.iter().filter(|id| !left.contains(id)).count() as u64;
    let with_it = match settled {
        0 => String::new(),
        more => format!(" That settled {}, too.", count(more, "more conflict")),
    };
    format!("Decided: {}.{with_it}", decision(conflict).unwrap_or_default())
}

/// Takes a decision back.
pub fn reopen(app: App, conflict: ConflictId) {
    app.reopened.set(Some(conflict.clone()));
    spawn_local(async move {
        if let Err(error) = ipc::call(ConflictsReopen { conflict }).await {
            app.reopened.set(None);
            app.toasts.trouble(&error);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(kind: ResolutionType, by_itself: bool, actor_name: &str) -> Conflict {
        let id = "00000000-0000-7000-8000-000000000001";
        let claim = |value: &str| {
            serde_json::json!({
                "id": id, "space_id": id, "claim_type": "attribute", "predicate": "lives_in", "statement": "",
                "subject": { "id": id, "name": "Ana", "entity_type": "person" }, "object": { "value": value },
                "qualifiers": {}, "polarity": "positive", "state": "asserted", "confidence": 0.8, "evidence_count": 1,
                "last_updated_at": 0, "citations": [], "conflicts": [],
            })
        };
        serde_json::from_value(serde_json::json!({
            "id": id, "conflict_type": "contradicting_value", "summary": "", "claim_a": claim("Marlow"),
            "claim_b": claim("Halden"), "detected_at": 0, "space_id": id, "found_by": "rule",
            "resolution": { "resolution_type": kind, "actor_id": id, "actor_name": actor_name, "by_itself": by_itself,
                "resolved_at": 0 },
        }))
        .unwrap()
    }

    #[test]
    fn a_decision_says_what_and_by_whom() {
        use ResolutionType::{BothDisputed, ClaimAWins, ClaimBWins, ManualOverride};
        for (kind, by_itself, name, words, by) in [
            (ClaimAWins, false, OWNER, "Marlow is right", Some("by you")),
            (BothDisputed, false, "Claude", "Both stay disputed", Some("by Claude")),
            (ManualOverride, false, OWNER, "Both are right, at different times", Some("by you")),
            (ClaimBWins, true, "system", "Settled by itself: Marlow is no longer believed", None),
            (ManualOverride, true, "system", "Settled by itself: both can stand", None),
        ] {
            let conflict = conflict(kind, by_itself, name);
            let by_whom = conflict.resolution.as_ref().and_then(decider);
            assert_eq!((decision(&conflict).as_deref(), by_whom.as_deref()), (Some(words), by));
        }
    }

    #[test]
    fn a_side_that_was_forgotten_is_said_to_be() {
        let mut one = conflict(ResolutionType::ClaimBWins, false, OWNER);
        one.claim_b.statement = "[REDACTED]".into();
        assert_eq!(decision(&one).as_deref(), Some("What was forgotten is right"));
        one.resolution.as_mut().unwrap().by_itself = true;
        assert_eq!(decision(&one).as_deref(), Some("Settled by itself: one side was forgotten"));
    }

    #[test]
    fn what_is_right_instead_of_both_is_told_by_what_became_of_them() {
        let mut neither = conflict(ResolutionType::ManualOverride, false, OWNER);
        neither.claim_a.state = ClaimState::Superseded;
        assert_eq!(decision(&neither).as_deref(), Some("Something else"));
        neither.claim_b.state = ClaimState::Superseded;
        assert_eq!(decision(&neither).as_deref(), Some("Neither is right, but something else"));
    }

    #[test]
    fn what_a_decision_settled_with_it_is_counted() {
        let id = |n: u8| ConflictId::parse(format!("00000000-0000-7000-8000-0000000000{n:02}")).unwrap();
        let mut open = conflict(ResolutionType::ClaimAWins, false, OWNER);
        open.claim_a.conflicts = vec![id(1), id(2)];
        open.claim_b.conflicts = vec![id(1), id(3)];
        let before = related(&open);
        assert_eq!(before, [id(2), id(3)]);
        (open.claim_a.conflicts, open.claim_b.conflicts) = (vec![id(2)], Vec::new());
        assert_eq!(told(&before, &open), "Decided: Marlow is right. That settled 1 more conflict, too.");
        assert_eq!(told(&[], &open), "Decided: Marlow is right.");
    }
}
