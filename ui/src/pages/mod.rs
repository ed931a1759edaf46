//! The pages.

mod access;
mod activity;
mod health;
mod item;
mod library;
mod recall;
mod result;
mod settings;

pub use access::Access;
pub use activity::Activity;
pub use item::Item;
pub use library::Library;
pub use recall::Recall;
pub use settings::SettingsPage;
