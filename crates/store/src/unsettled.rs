//! Claims that are still to be settled, or to be judged: what was changed in one transaction and is seen to in many. They
//! stand in `system_settings`, a handful of ids a row, so that a service that ends in between goes on where it was.

use crate::{StoreResult, ids::new_id, settings};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use um_model::{AgentId, ClaimId, EpochMs};

/// What claims wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// To be settled.
    Settle,
    /// To be judged against those beside them.
    Judge,
}

impl Queue {
    fn prefix(self) -> &'static str {
        match self {
            Self::Settle => "beliefs.unsettled",
            Self::Judge => "beliefs.unjudged",
        }
    }

    /// Which rows are of this queue: after the dot comes the slash.
    fn keys(self) -> String {
        format!("key > '{0}.' AND key < '{0}/'", self.prefix())
    }
}

/// Claims that are seen to in one turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Turn {
    /// In whose name.
    pub actor: AgentId,
    /// Which.
    pub claims: Vec<ClaimId>,
}

/// Keeps a turn that is to come.
///
/// # Errors
/// SQLite's.
pub fn keep(connection: &Connection, queue: Queue, turn: &Turn, now: EpochMs) -> StoreResult<()> {
    settings::set(connection, &format!("{}.{}", queue.prefix(), new_id(now)), &serde_json::to_string(turn)?, now)
}

/// Takes the first turn that is to come; none where everything is seen to.
///
/// # Errors
/// SQLite's.
pub fn take(connection: &Connection, queue: Queue) -> StoreResult<Option<Turn>> {
    let json: Option<String> = connection
        .prepare_cached(&format!(
            "DELETE FROM system_settings WHERE key = (SELECT min(key) FROM system_settings WHERE {}) RETURNING value",
            queue.keys()
        ))?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}

/// The row of what was kept last.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> StoreResult<i64> {
    Ok(connection
        .prepare_cached("SELECT ifnull(max(rowid), 0) FROM system_settings")?
        .query_row([], |row| row.get(0))?)
}

/// The keys of the turns in rows after that one, in the order of their coming.
///
/// # Errors
/// SQLite's.
pub fn after(connection: &Connection, queue: Queue, row: i64) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT key FROM system_settings WHERE rowid > ?1 AND {} ORDER BY rowid",
            queue.keys()
        ))?
        .query_map([row], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Takes a turn by its key; none where it was taken.
///
/// # Errors
/// SQLite's.
pub fn take_one(connection: &Connection, key: &str) -> StoreResult<Option<Turn>> {
    let json: Option<String> = connection
        .prepare_cached("DELETE FROM system_settings WHERE key = ?1 RETURNING value")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}

/// Whether any turn is to come.
///
/// # Errors
/// SQLite's.
pub fn any(connection: &Connection, queue: Queue) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!("SELECT 1 FROM system_settings WHERE {} LIMIT 1", queue.keys()))?
        .exists([])?)
}
