//! What a question over all kinds of items reads: [which entries](found) and [which others](candidates) lie at a place and fit,
//! and what is [told](rows) of them. Each is bounded.

pub mod candidates;
pub mod found;
pub mod rows;
mod sql;
#[cfg(test)]
mod tests;

pub use sql::{Tags, tag_ids};

use crate::items;
use um_model::work::ItemType;

/// Where items of a kind stand and what their columns are called there: `t` is the row.
struct Source {
    table: &'static str,
    title: &'static str,
    says: &'static str,
    priority: &'static str,
    updated_at: &'static str,
    is_active: &'static str,
}

/// The kinds that can be looked for.
pub const KINDS: [ItemType; 6] = [
    ItemType::Entry,
    ItemType::CoreBlock,
    ItemType::Resource,
    ItemType::SessionState,
    ItemType::Memory,
    ItemType::Event,
];

fn source(of: ItemType) -> Source {
    let (table, title) = items::source(of);
    let base = Source { table, title, says: "t.content", priority: "NULL", updated_at: "t.updated_at", is_active: "1" };
    match of {
        ItemType::Entry => Source {
            says: "(SELECT v.body FROM entry_versions v WHERE v.id = t.current_version_id)",
            priority: "t.priority",
            updated_at: "ifnull(t.updated_at, t.created_at)",
            is_active: "t.is_active",
            ..base
        },
        ItemType::CoreBlock => Source { priority: "t.authority", is_active: "t.is_active", ..base },
        ItemType::Resource => Source { says: "ifnull(t.content, t.uri)", is_active: "t.status = 'active'", ..base },
        ItemType::SessionState => Source {
            says: "concat_ws(char(10), t.current_goal, t.summary)",
            is_active: "t.status <> 'complete'",
            ..base
        },
        ItemType::Event => Source { updated_at: "t.occurred_at", ..base },
        _ => Source {
            says: "coalesce(t.content, t.summary, t.title)",
            priority: "CAST(round(t.importance * 100) AS INTEGER)",
            updated_at: "t.created_at",
            is_active: "t.status = 'active'",
            ..base
        },
    }
}
