//! Deciding a conflict, with a way back.

use crate::{components::citation::OWNER, ipc, state::App};
use leptos::{prelude::Set, task::spawn_local};
use um_model::{
    ConflictId,
    belief::ResolutionType,
    claims::{Conflict, ConflictsReopen, ConflictsResolve, Resolution},
};

/// The decisions that need nothing but a key: key, words, decision. Key 4 asks what else is right.
pub const CHOICES: [(&str, &str, ResolutionType); 3] = [
    ("1", "A is right", ResolutionType::ClaimAWins),
    ("2", "B is right", ResolutionType::ClaimBWins),
    ("3", "Both disputed", ResolutionType::BothDisputed),
];

/// What was decided, in words; or how it came that nobody had to.
pub fn decision(resolution: &Resolution) -> &'static str {
    if resolution.by_itself {
        return match resolution.resolution_type {
            ResolutionType::ClaimAWins => "Settled by itself: B is no longer believed",
            ResolutionType::ClaimBWins => "Settled by itself: A is no longer believed",
            ResolutionType::BothDisputed | ResolutionType::ManualOverride => "Settled by itself: both can stand",
        };
    }
    match resolution.resolution_type {
        ResolutionType::ClaimAWins => "A is right",
        ResolutionType::ClaimBWins => "B is right",
        ResolutionType::BothDisputed => "Both disputed",
        ResolutionType::ManualOverride => "Something else",
    }
}

/// Who decided: `you`, an agent's name; nobody where it was settled by itself.
pub fn decider(resolution: &Resolution) -> Option<String> {
    let name = if resolution.actor_name == OWNER { "you" } else { &resolution.actor_name };
    (!resolution.by_itself && !name.is_empty()).then(|| format!("by {name}"))
}

/// Decides by one of the choices.
pub fn by_choice(conflict: ConflictId, resolution: ResolutionType) -> ConflictsResolve {
    ConflictsResolve { conflict, resolution, notes: None, value: None, windows: None }
}

/// Decides, says so, and offers the way back. `done` is called once it worked.
pub fn decide(app: App, request: ConflictsResolve, done: impl FnOnce() + 'static) {
    spawn_local(async move {
        match ipc::call(request).await {
            Ok(conflict) => {
                say(app, &conflict);
                done();
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Says what was decided, with the way back.
pub fn say(app: App, conflict: &Conflict) {
    let words = conflict.resolution.as_ref().map_or("Decided", decision);
    let id = conflict.id.clone();
    app.toasts.say_with_undo(format!("Decided: {words}."), move || reopen(app, id.clone()));
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

    #[test]
    fn a_decision_says_what_and_by_whom() {
        let resolution = |kind: ResolutionType, by_itself: bool, actor_name: &str| Resolution {
            resolution_type: kind,
            actor_id: um_model::AgentId::system(),
            actor_name: actor_name.into(),
            by_itself,
            resolved_at: 0,
            notes: None,
        };
        for (resolution, words, by) in [
            (resolution(ResolutionType::ClaimAWins, false, OWNER), "A is right", Some("by you")),
            (resolution(ResolutionType::BothDisputed, false, "Claude"), "Both disputed", Some("by Claude")),
            (
                resolution(ResolutionType::ClaimAWins, true, "system"),
                "Settled by itself: B is no longer believed",
                None,
            ),
            (resolution(ResolutionType::ManualOverride, true, "system"), "Settled by itself: both can stand", None),
        ] {
            assert_eq!((decision(&resolution), decider(&resolution).as_deref()), (words, by));
        }
    }
}
