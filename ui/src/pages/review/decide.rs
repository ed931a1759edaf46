//! Deciding a conflict, with a way back.

use crate::{ipc, state::App};
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

/// What was decided, in words.
pub fn decision(resolution: &Resolution) -> &'static str {
    match resolution.resolution_type {
        ResolutionType::ClaimAWins => "A is right",
        ResolutionType::ClaimBWins => "B is right",
        ResolutionType::BothDisputed => "Both disputed",
        ResolutionType::ManualOverride => "Something else",
    }
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
