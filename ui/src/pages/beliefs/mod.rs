//! Beliefs: what is believed about whom, and why.

mod add;
mod claims;
mod edit;
mod entity;
mod list;
mod mentions;
mod merge;
pub mod meter;
mod near;
mod pick;
mod share;
mod timeline;
mod why;
pub mod words;

pub use entity::Entity;
pub use list::{Beliefs, EntityLink};
pub use words::{type_icon, type_name};

use super::review::Other;
use crate::components::dialogs::boxed;
use leptos::prelude::*;
use um_model::{
    ConflictId,
    claims::{Entity as Known, EntityRef},
};

/// A dialog about a belief.
#[derive(Debug, Clone, PartialEq)]
pub enum BeliefDialog {
    /// Put two entities together; the other one is chosen first where none is named.
    Merge(Box<Known>, Option<EntityRef>),
    /// Give an entity another name.
    Rename(Box<Known>),
    /// Give it one more name.
    AddName(Box<Known>),
    /// Say what it is.
    Retype(Box<Known>),
    /// Let every space name it.
    Share(Box<Known>),
    /// Give each space its own one again.
    Unshare(Box<Known>),
    /// Add a fact about it.
    AddFact(Box<Known>),
    /// Decide a conflict otherwise than by one of its sides.
    Other {
        /// The conflict.
        conflict: ConflictId,
        /// What both sides say.
        sides: [String; 2],
        /// The open conflicts that they are part of besides.
        related: Vec<ConflictId>,
    },
}

/// Draws one of them.
pub fn belief_dialog(dialog: BeliefDialog, on_close: Callback<()>) -> AnyView {
    match dialog {
        BeliefDialog::Merge(entity, with) => boxed("Merge", "merge", on_close, move || {
            view! { <merge::Merge entity=*entity with/> }
        }),
        BeliefDialog::Rename(entity) => boxed("Rename", "rename", on_close, move || {
            view! { <edit::Rename entity=*entity/> }
        }),
        BeliefDialog::AddName(entity) => boxed("Add a name", "add-name", on_close, move || {
            view! { <edit::AddName entity=*entity/> }
        }),
        BeliefDialog::Retype(entity) => boxed("What it is", "retype", on_close, move || {
            view! { <edit::Retype entity=*entity/> }
        }),
        BeliefDialog::Share(entity) => boxed("Share with all spaces", "share", on_close, move || {
            view! { <share::Share entity=*entity/> }
        }),
        BeliefDialog::Unshare(entity) => boxed("Stop sharing", "unshare", on_close, move || {
            view! { <share::Unshare entity=*entity/> }
        }),
        BeliefDialog::AddFact(entity) => boxed("Add a fact", "add-fact", on_close, move || {
            view! { <add::AddFact entity=*entity/> }
        }),
        BeliefDialog::Other { conflict, sides: [a, b], related } => {
            boxed("Something else", "other", on_close, move || {
                view! { <Other conflict a b related/> }
            })
        }
    }
}
