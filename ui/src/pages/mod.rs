//! The pages.

mod access;
mod activity;
mod beliefs;
mod health;
mod item;
mod library;
mod recall;
mod result;
mod review;
mod settings;

pub use access::{Access, Revoke};
pub use activity::Activity;
pub use beliefs::{BeliefDialog, Beliefs, Entity, belief_dialog, type_icon, type_name};
pub use item::Item;
pub use library::Library;
pub use recall::Recall;
pub use review::{Decided, Names, Review, announce_conflicts, open_conflicts};
pub use settings::SettingsPage;
