//! Claims that are still to be settled: what was changed in one transaction and is settled in many. They stand in
//! `system_settings`, a handful of ids a row, so that a service that ends in between goes on where it was.

use crate::{StoreResult, ids::new_id, settings};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use um_model::{AgentId, ClaimId, EpochMs};

/// Claims that are settled in one turn.
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
pub fn keep(connection: &Connection, turn: &Turn, now: EpochMs) -> StoreResult<()> {
    settings::set(connection, &format!("beliefs.unsettled.{}", new_id(now)), &serde_json::to_string(turn)?, now)
}

/// Takes the first turn that is to come; none where everything is settled.
///
/// # Errors
/// SQLite's.
pub fn take(connection: &Connection) -> StoreResult<Option<Turn>> {
    let json: Option<String> = connection
        .prepare_cached(
            "DELETE FROM system_settings WHERE key = (SELECT min(key) FROM system_settings
               WHERE key > 'beliefs.unsettled.' AND key < 'beliefs.unsettled/') RETURNING value",
        )?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}

/// Whether any turn is to come.
///
/// # Errors
/// SQLite's.
pub fn any(connection: &Connection) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM system_settings WHERE key > 'beliefs.unsettled.' AND key < 'beliefs.unsettled/' LIMIT 1",
        )?
        .exists([])?)
}
