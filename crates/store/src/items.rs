//! What a row may name by its type and id: in which space it lies, what it is called.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension};
use um_model::SpaceId;
use um_model::work::{ItemKey, ItemRef, ItemType};

/// Where items of a type stand, and by what they are called.
pub(crate) fn source(of: ItemType) -> (&'static str, &'static str) {
    match of {
        ItemType::Memory => ("memories", "ifnull(t.title, substr(t.content, 1, 80))"),
        ItemType::Artifact => ("artifacts", "t.original_filename"),
        ItemType::Event => ("evidence_events", "substr(t.content, 1, 80)"),
        ItemType::Claim => ("claims", "t.statement"),
        ItemType::Entity => ("entities", "t.canonical_name"),
        ItemType::Entry => ("entries", "t.name"),
        ItemType::CoreBlock => ("core_blocks", "t.label"),
        ItemType::Session => ("sessions", "ifnull(t.name, t.purpose)"),
        ItemType::SessionState => ("session_states", "t.current_goal"),
        ItemType::Resource => ("workspace_resources", "t.title"),
        ItemType::Space => ("memory_spaces", "t.name"),
    }
}

/// An item that was not blacked out, with what it is called.
///
/// # Errors
/// SQLite's.
pub fn by_key(connection: &Connection, key: &ItemKey) -> StoreResult<Option<ItemRef>> {
    let (table, title) = source(key.item_type);
    let (space, is_there) = match key.item_type {
        ItemType::Space => ("t.id", "1"),
        _ => ("t.space_id", "t.is_redacted = 0"),
    };
    let found: Option<(String, Option<String>)> = connection
        .prepare_cached(&format!("SELECT {space}, {title} FROM {table} t WHERE t.id = ?1 AND {is_there}"))?
        .query_row([&key.id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    found
        .map(|(space, title)| {
            Ok(ItemRef {
                item_type: key.item_type,
                id: key.id.clone(),
                space_id: SpaceId::parse(space)?,
                title: title.unwrap_or_default(),
            })
        })
        .transpose()
}
