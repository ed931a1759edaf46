//! What a question over all kinds of items reads: [which entries](found) and [which others](candidates) lie at a place and fit,
//! and what is [told](rows) of them, now or as of a time that has passed.
//!
//! Now, what each reads is bounded by how much is wanted. As of another time a list is walked in its order for as long as what it comes
//! by was not there then: events, memories and entries until there are enough; rules, resources and what was in hand to its end, as
//! their order is that of their last change. What each of these was is looked up in an index. Words are looked for in the full text of
//! what stands as it stood then, and in memory in what was written anew since (`fts/then.rs`), within bounds.

pub mod candidates;
pub mod found;
mod past;
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
    title: String,
    says: String,
    priority: &'static str,
    updated_at: String,
    is_active: String,
    /// Whether it was there yet.
    there: String,
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

/// Items of a kind as they are; as they were at the time that is bound there, where it is one.
fn source(of: ItemType, at: Option<&str>) -> Source {
    let (table, title) = items::source(of);
    let now = |says: &str, priority: &'static str, updated_at: &str, is_active: &str| Source {
        table,
        title: title.to_owned(),
        says: says.to_owned(),
        priority,
        updated_at: updated_at.to_owned(),
        is_active: is_active.to_owned(),
        there: "1".to_owned(),
    };
    let source = match of {
        ItemType::Entry => now(
            "(SELECT v.body FROM entry_versions v WHERE v.id = t.current_version_id)",
            "t.priority",
            "ifnull(t.updated_at, t.created_at)",
            "t.is_active",
        ),
        ItemType::CoreBlock => now("t.content", "t.authority", "t.updated_at", "t.is_active"),
        ItemType::Resource => now("ifnull(t.content, t.uri)", "NULL", "t.updated_at", "t.status = 'active'"),
        ItemType::SessionState => {
            let says = "concat_ws(char(10), t.current_goal, t.summary)";
            now(says, "NULL", "t.updated_at", "t.status <> 'complete'")
        }
        ItemType::Event => now("t.content", "NULL", "t.occurred_at", "1"),
        _ => now(
            "coalesce(t.content, t.summary, t.title)",
            "CAST(round(t.importance * 100) AS INTEGER)",
            "t.created_at",
            "t.status = 'active'",
        ),
    };
    match at {
        Some(at) => past::source(of, source, at),
        None => source,
    }
}
