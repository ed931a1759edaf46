//! What is told of items of a kind: what they are ordered by, and what they say.

use super::source;
use crate::{StoreResult, tags};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};
use std::collections::HashMap;
use um_model::work::{EntryBody, EntryType, ItemType};
use um_model::{EpochMs, SpaceId};

/// So much is told of what an item says, in characters.
const SAYS: usize = 1_000;

/// What an item is ordered by.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its rid.
    pub rid: i64,
    /// Its id.
    pub id: String,
    /// The space it lies in.
    pub space_id: SpaceId,
    /// What it is called, or how it begins.
    pub title: String,
    /// 0 to 100, of what has one.
    pub priority: Option<u8>,
    /// When it was last written.
    pub updated_at: EpochMs,
    /// Whether it is in use.
    pub is_active: bool,
    /// What sort of entry it is.
    pub entry_type: Option<EntryType>,
}

/// Items of a kind by their rids, in that order, as they are, or as they were at a time; what was blacked out, or was not there yet,
/// is left out.
///
/// # Errors
/// SQLite's.
pub fn rows(connection: &Connection, of: ItemType, rids: &[i64], as_of: Option<EpochMs>) -> StoreResult<Vec<Row>> {
    let from = source(of, as_of.map(|_| "?2"));
    let sort = if of == ItemType::Entry { "t.entry_type" } else { "NULL" };
    // What the person removed is theirs to look at.
    let shown = if of == ItemType::Memory { "t.status <> 'deleted'" } else { "1" };
    connection
        .prepare_cached(&format!(
            "SELECT t.rid, t.id, t.space_id, {}, {}, {}, {}, {sort}
             FROM json_each(?1) f CROSS JOIN {} t ON t.rid = f.value WHERE t.is_redacted = 0 AND {shown} AND {}
             ORDER BY f.key",
            from.title, from.priority, from.updated_at, from.is_active, from.table, from.there
        ))?
        .query_and_then(bound(serde_json::to_string(rids)?, as_of), |row| {
            Ok(Row {
                rid: row.get(0)?,
                id: row.get(1)?,
                space_id: SpaceId::parse(row.get::<_, String>(2)?)?,
                title: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
                priority: row.get(4)?,
                updated_at: row.get(5)?,
                is_active: row.get(6)?,
                entry_type: row.get::<_, Option<String>>(7)?.map(|word| word.parse()).transpose()?,
            })
        })?
        .collect()
}

/// What is asked for, and the time that it is asked of, where it is one.
pub(super) fn bound(asked: impl Into<Value>, as_of: Option<EpochMs>) -> impl rusqlite::Params {
    params_from_iter([asked.into()].into_iter().chain(as_of.map(Value::from)))
}

/// What an item says, or said at a time, or how that begins.
///
/// # Errors
/// SQLite's.
pub fn says(connection: &Connection, of: ItemType, rid: i64, as_of: Option<EpochMs>) -> StoreResult<String> {
    let from = source(of, as_of.map(|_| "?2"));
    let said: Option<String> = connection
        .prepare_cached(&format!("SELECT {} FROM {} t WHERE t.rid = ?1 AND {}", from.says, from.table, from.there))?
        .query_row(bound(rid, as_of), |row| row.get(0))
        .optional()?
        .flatten();
    let said = said.unwrap_or_default();
    let words = match of {
        ItemType::Entry => serde_json::from_str::<EntryBody>(&said)?.words().join("\n"),
        _ => said,
    };
    Ok(match words.char_indices().nth(SAYS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    })
}

/// The tags of items of a kind, by their ids, as they are or were at a time, in the order of the alphabet.
///
/// # Errors
/// SQLite's.
pub fn tags(
    connection: &Connection,
    of: ItemType,
    ids: &[&str],
    as_of: Option<EpochMs>,
) -> StoreResult<HashMap<String, Vec<String>>> {
    let mut all: HashMap<String, Vec<String>> = HashMap::new();
    let mut statement = connection.prepare_cached(&tags_of(of, as_of.map(|_| "?2")))?;
    let found = statement.query_map(bound(serde_json::to_string(ids)?, as_of), |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    for row in found {
        let (id, name) = row?;
        all.entry(id).or_default().push(name);
    }
    Ok(all)
}

/// Reads the tags of items ?1 of a kind, at the time that is bound there, where it is one.
pub(super) fn tags_of(of: ItemType, at: Option<&str>) -> String {
    // CROSS JOIN keeps this order. Of itself SQLite goes through all tags by their names, and then through all that have them.
    let on = |table: &str, when: &str| {
        format!(
            "SELECT i.item_id, t.name FROM json_each(?1) f CROSS JOIN {table} i ON i.item_type = '{of}' AND i.item_id = f.value
             CROSS JOIN tags t ON t.id = i.tag_id WHERE {when}"
        )
    };
    let on = match at.map(|at| tags::was_on(of, at)) {
        None => on("item_tags", "1"),
        Some([is_on, taken_off]) => {
            format!("{} UNION {}", on("item_tags", &is_on), on("past_item_tags", &taken_off))
        }
    };
    format!("{on} ORDER BY 2")
}
