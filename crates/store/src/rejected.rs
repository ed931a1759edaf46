//! `rejected_values`: what was forgotten and must not come back, as keyed hashes.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet};
use um_model::forget::RejectedKind;
use um_model::{AgentId, EpochMs, SpaceId};

/// What a row would say of what may be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Said<'a> {
    /// Words.
    Text(&'a str),
    /// What something is called by, in which words may be joined by other signs than blanks.
    Name(&'a str),
    /// Where a file lies.
    Path(&'a str),
    /// The SHA-256 of a file's bytes.
    Bytes(&'a str),
}

impl<'a> Said<'a> {
    /// Its words.
    pub fn words(self) -> &'a str {
        match self {
            Self::Text(words) | Self::Name(words) | Self::Path(words) | Self::Bytes(words) => words,
        }
    }
}

/// A row, or a change of one, that brings words in which somebody gave.
pub trait Says {
    /// Tells all of its content.
    fn says(&self, tell: &mut dyn FnMut(Said<'_>));
}

/// What was compared with all that is refused. Whatever brings words in takes such a one, so that no door can leave it out.
#[derive(Debug)]
pub struct Checked<T>(T);

impl<T: Says> Checked<T> {
    /// Asks `compare` of all that it says.
    ///
    /// # Errors
    /// The first of `compare`.
    pub fn new<E>(row: T, mut compare: impl FnMut(Said<'_>) -> Result<(), E>) -> Result<Self, E> {
        let mut outcome = Ok(());
        row.says(&mut |said| {
            if outcome.is_ok() {
                outcome = compare(said);
            }
        });
        outcome.map(|()| Self(row))
    }

    /// What the database says already, in another row, and what the product says of itself.
    pub fn held(row: T) -> Self {
        Self(row)
    }
}

impl<T> std::ops::Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Tells every word of a JSON value: names and texts.
pub fn tell_json<'a, T: FnMut(Said<'a>) + ?Sized>(value: &'a serde_json::Value, tell: &mut T) {
    match value {
        serde_json::Value::String(text) => tell(Said::Text(text)),
        serde_json::Value::Array(items) => items.iter().for_each(|item| tell_json(item, tell)),
        serde_json::Value::Object(fields) => tell_map(fields, tell),
        _ => {}
    }
}

/// The same of an object's fields.
pub fn tell_map<'a, T: FnMut(Said<'a>) + ?Sized>(fields: &'a serde_json::Map<String, serde_json::Value>, tell: &mut T) {
    for (name, value) in fields {
        tell(Said::Name(name));
        tell_json(value, tell);
    }
}

/// A remark.
#[derive(Debug, Clone, Copy)]
pub struct Remark<'a>(pub Option<&'a str>);

impl Says for Remark<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.0.iter().for_each(|words| tell(Said::Text(words)));
    }
}

/// Refuses a value from now on, in one space or, where that is GLOBAL, in all. Gives whether it was not refused there before.
///
/// # Errors
/// SQLite's.
pub fn reject(
    connection: &Connection,
    space: &SpaceId,
    (kind, hmac): (RejectedKind, &str),
    source: (&str, &str),
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<bool> {
    let changed = connection
        .prepare_cached(
            "INSERT INTO rejected_values (id, space_id, value_kind, value_hmac, reason, source_type, source_id, actor_id,
               created_at)
             VALUES (?1, ?2, ?3, ?4, 'forgotten', ?5, ?6, ?7, ?8)
             ON CONFLICT (space_id, value_kind, value_hmac) DO UPDATE SET allowed_at = NULL, allowed_by = NULL
               WHERE allowed_at IS NOT NULL",
        )?
        .execute(params![
            new_id(now),
            space.as_str(),
            kind.as_str(),
            hmac,
            source.0,
            source.1,
            actor.as_str(),
            now
        ])?;
    Ok(changed > 0)
}

/// Those of some hashes that one of some spaces refuses.
///
/// # Errors
/// SQLite's.
pub fn refused(connection: &Connection, spaces: &[SpaceId], hmacs: &[String]) -> StoreResult<Vec<String>> {
    // With the plus the few hashes are looked up, and not all that the spaces refuse.
    Ok(connection
        .prepare_cached(&format!(
            "SELECT r.value_hmac FROM json_each(?2) wanted CROSS JOIN rejected_values r ON r.value_hmac = wanted.value
             WHERE +r.space_id IN ({AND_GLOBAL}) AND r.allowed_at IS NULL"
        ))?
        .query_map(params![crate::filter::ids(spaces)?, serde_json::to_string(hmacs)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// What a value is that is refused, or was.
///
/// # Errors
/// SQLite's.
pub fn kind_of(connection: &Connection, hmac: &str) -> StoreResult<Option<RejectedKind>> {
    let word: Option<String> = connection
        .prepare_cached("SELECT value_kind FROM rejected_values WHERE value_hmac = ?1 LIMIT 1")?
        .query_row([hmac], |row| row.get(0))
        .optional()?;
    Ok(word.and_then(|word| word.parse().ok()))
}

/// Whether one of some spaces refuses anything of a kind, so that it is worth looking.
///
/// # Errors
/// SQLite's.
pub fn any(connection: &Connection, spaces: &[SpaceId], kind: RejectedKind) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT 1 FROM rejected_values WHERE space_id IN ({AND_GLOBAL}) AND value_kind = ?2 AND allowed_at IS NULL LIMIT 1"
        ))?
        .exists([crate::filter::ids(spaces)?.as_str(), kind.as_str()])?)
}

/// The spaces `?1`, and GLOBAL, where what is refused is refused in all.
const AND_GLOBAL: &str = "SELECT value FROM json_each(?1) UNION ALL SELECT 'GLOBAL'";

/// What is refused since a forgetting, and was not let in again, by the space that refuses it.
///
/// # Errors
/// SQLite's.
pub fn of_forgetting(connection: &Connection, id: &str) -> StoreResult<BTreeMap<SpaceId, BTreeSet<String>>> {
    let mut found: BTreeMap<SpaceId, BTreeSet<String>> = BTreeMap::new();
    let mut values = connection.prepare_cached(
        "SELECT space_id, value_hmac FROM rejected_values
         WHERE source_type = 'forgettings' AND source_id = ?1 AND allowed_at IS NULL",
    )?;
    for row in values.query_map([id], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))? {
        let (space, hmac) = row?;
        found.entry(SpaceId::parse(space)?).or_default().insert(hmac);
    }
    Ok(found)
}

/// Lets values come in again in one space: what says them is there still.
///
/// # Errors
/// SQLite's.
pub fn lift(
    connection: &Connection,
    space: &SpaceId,
    hmacs: &[String],
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE rejected_values SET allowed_at = ?3, allowed_by = ?4
             WHERE space_id = ?1 AND value_hmac IN (SELECT value FROM json_each(?2)) AND allowed_at IS NULL",
        )?
        .execute(params![space.as_str(), serde_json::to_string(hmacs)?, now, actor.as_str()])?)
}

/// Lets values come in again. Gives how many were refused till now.
///
/// # Errors
/// SQLite's.
pub fn allow(connection: &Connection, hmacs: &[String], actor: &AgentId, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE rejected_values SET allowed_at = ?2, allowed_by = ?3
             WHERE value_hmac IN (SELECT value FROM json_each(?1)) AND allowed_at IS NULL",
        )?
        .execute(params![serde_json::to_string(hmacs)?, now, actor.as_str()])?)
}

/// Lets all in again that is refused since a forgetting of one of these files alone, as its bytes are; what something else was forgotten
/// for as well, or before, is refused still. Gives how many were refused till now.
///
/// # Errors
/// SQLite's.
pub fn allow_with_file(connection: &Connection, bytes: &[String], actor: &AgentId, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE rejected_values SET allowed_at = ?2, allowed_by = ?3
             WHERE allowed_at IS NULL AND rid IN (
               SELECT o.rid FROM json_each(?1) wanted
               CROSS JOIN rejected_values f ON f.value_hmac = wanted.value
               CROSS JOIN forgettings g ON g.id = f.source_id
               JOIN rejected_values o
                 ON o.source_type = f.source_type AND o.source_id = f.source_id AND o.space_id = f.space_id
               WHERE f.value_kind = 'artifact' AND f.source_type = 'forgettings' AND g.selector = 'artifact'
                 AND NOT EXISTS (SELECT 1 FROM rejected_values other
                   WHERE other.source_type = f.source_type AND other.source_id = f.source_id
                     AND other.value_kind = 'artifact' AND other.value_hmac <> f.value_hmac))",
        )?
        .execute(params![serde_json::to_string(bytes)?, now, actor.as_str()])?)
}

/// Those of some whole texts that are refused since the forgetting that refused a file's bytes, which were let in again.
const WITH_BYTES: &str = "SELECT o.rid FROM rejected_values f
    JOIN rejected_values o ON o.source_type = f.source_type AND o.source_id = f.source_id AND o.space_id = f.space_id
    WHERE f.value_hmac = ?1 AND f.value_kind = 'artifact' AND f.allowed_at IS NOT NULL
      AND o.value_hmac IN (SELECT value FROM json_each(?2)) AND o.value_kind = 'content' AND o.allowed_at IS NULL";

/// Whether a file's bytes were let in again, and one of its texts, that was forgotten with them, is refused still.
///
/// # Errors
/// SQLite's.
pub fn lacks_text(connection: &Connection, bytes: &str, texts: &[String]) -> StoreResult<bool> {
    Ok(connection.prepare_cached(WITH_BYTES)?.exists(params![bytes, serde_json::to_string(texts)?])?)
}

/// Lets those texts in, as the bytes were.
///
/// # Errors
/// SQLite's.
pub fn allow_texts(connection: &Connection, bytes: &str, texts: &[String], now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(&format!(
            "UPDATE rejected_values SET allowed_at = ?3,
               allowed_by = (SELECT allowed_by FROM rejected_values
                 WHERE value_hmac = ?1 AND value_kind = 'artifact' AND allowed_at IS NOT NULL LIMIT 1)
             WHERE rid IN ({WITH_BYTES})"
        ))?
        .execute(params![bytes, serde_json::to_string(texts)?, now])?)
}
