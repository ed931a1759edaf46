//! Where in a work tree items were written: what their metadata say of it.

use crate::StoreResult;
use crate::items::{self, source};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value};
use um_model::work::{ItemKey, ItemRef, ItemType, Provenance};
use um_model::{SessionId, SpaceId};

/// An item with its metadata.
pub type Written = (ItemRef, Map<String, Value>);

/// The types of items that are listed, each with which of them: those in use, of the space or of the session `?2`.
const LISTED: [(ItemType, &str); 6] = [
    (ItemType::SessionState, "t.status <> 'complete' AND (t.session_id IS NULL OR t.session_id = ?2)"),
    (ItemType::Entry, "t.is_active = 1 AND (t.session_id IS NULL OR t.session_id = ?2)"),
    (ItemType::CoreBlock, "t.is_active = 1"),
    (ItemType::Resource, "t.status = 'active'"),
    (ItemType::Memory, "t.status = 'active'"),
    (ItemType::Session, "t.status IN ('active', 'paused')"),
];

/// Where the metadata of items of a type stand; nothing for a type that says nothing of work trees.
fn metadata_of(of: ItemType) -> Option<&'static str> {
    match of {
        // That of the version that counts.
        ItemType::Entry => Some("(SELECT v.metadata FROM entry_versions v WHERE v.id = t.current_version_id)"),
        ItemType::SessionState
        | ItemType::CoreBlock
        | ItemType::Resource
        | ItemType::Memory
        | ItemType::Session
        | ItemType::Event => Some("t.metadata"),
        ItemType::Artifact | ItemType::Claim | ItemType::Entity | ItemType::Space => None,
    }
}

/// The metadata of an item that was not blacked out; empty where it has none.
///
/// # Errors
/// SQLite's.
pub fn of_item(connection: &Connection, key: &ItemKey) -> StoreResult<Map<String, Value>> {
    let Some(metadata) = metadata_of(key.item_type) else { return Ok(Map::new()) };
    let (table, _) = source(key.item_type);
    let found: Option<Option<String>> = connection
        .prepare_cached(&format!("SELECT {metadata} FROM {table} t WHERE t.id = ?1 AND t.is_redacted = 0"))?
        .query_row([&key.id], |row| row.get(0))
        .optional()?;
    Ok(found.flatten().map(|json| serde_json::from_str(&json)).transpose()?.unwrap_or_default())
}

/// The items of a space, and of a session in it, that say something of a work tree which can have changed: the latest of each
/// type first, so many at most.
///
/// # Errors
/// SQLite's.
pub fn listed(
    connection: &Connection,
    (space, session): (&SpaceId, Option<&SessionId>),
    most: usize,
) -> StoreResult<Vec<Written>> {
    let keys = Provenance::KEYS.as_flattened().iter().map(|key| format!("'{key}'")).collect::<Vec<_>>().join(", ");
    let mut found = Vec::new();
    for (item_type, which) in LISTED {
        let (Some(metadata), (table, _)) = (metadata_of(item_type), source(item_type)) else { continue };
        let mut statement = connection.prepare_cached(&format!(
            "SELECT t.id FROM {table} t
             WHERE t.space_id = ?1 AND t.is_redacted = 0 AND ?2 IS ?2 AND {which}
               AND EXISTS (SELECT 1 FROM json_each({metadata}) WHERE key IN ({keys}))
             ORDER BY t.rid DESC LIMIT ?3"
        ))?;
        let (session, left) = (session.map(SessionId::as_str), most - found.len());
        let ids = statement.query_map(params![space.as_str(), session, left as i64], |row| row.get(0))?;
        for id in ids.collect::<Result<Vec<String>, _>>()? {
            let key = ItemKey { item_type, id };
            if let Some(item) = items::by_key(connection, &key)? {
                found.push((item, of_item(connection, &key)?));
            }
        }
    }
    Ok(found)
}
