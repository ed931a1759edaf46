//! The pages.

mod access;
mod activity;
mod beliefs;
mod health;
mod item;
mod library;
mod recall;
mod review;
mod settings;
mod work;

pub use access::{Access, Audit, ExportLedger, OpenFolder, Revoke};
pub use activity::{Activity, CancelMany};
pub use beliefs::{BeliefDialog, Beliefs, Entity, belief_dialog, type_icon, type_name};
pub use item::Item;
pub use library::Library;
pub use recall::{Context, Filters, Packing, Recall, RecallDialog, Trace, Traces, TracesShown, recall_dialog, typed};
pub use review::{
    Ask, Asking, BlackOut, Blacking, Decided, Names, Promotions, Redactions, Review, Waiting, announce_conflicts,
    open_conflicts, open_held, open_names, open_promotions, open_redactions,
};
pub use settings::SettingsPage;
pub use work::{Entry, Resources, Rule, Rules, Session, Sessions, WorkDialog, work_dialog};
