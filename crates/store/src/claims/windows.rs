//! The changes of the time in which a claim is so.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, Row, params};
use um_model::claims::WindowChange;
use um_model::{AgentId, ClaimId, EpochMs};

/// From and until, in milliseconds; an end that is none is open.
pub type Window = (Option<EpochMs>, Option<EpochMs>);

/// Why a window changes: the words of `claim_window_history.cause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowCause {
    /// A conflict was decided.
    Decision,
    /// A decision was taken back.
    Undo,
    /// Its words are read anew, and tell another moment.
    Told,
}

impl WindowCause {
    /// Its word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Undo => "undo",
            Self::Told => "told",
        }
    }
}

/// Says when a claim is so: the row of history is the change, which the schema carries out. Gives the id of that row; none
/// where the claim has that window already.
///
/// # Errors
/// A window that ends before it begins; SQLite's.
pub fn set_window(
    connection: &Connection,
    claim: &ClaimId,
    window: Window,
    cause: WindowCause,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<Option<String>> {
    let id = new_id(now);
    let changed = connection
        .prepare_cached(
            "INSERT INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from,
               to_valid_to, cause, actor_id, changed_at)
             SELECT ?1, space_id, id, valid_from, valid_to, ?3, ?4, ?5, ?6, ?7 FROM claims
             WHERE id = ?2 AND (valid_from IS NOT ?3 OR valid_to IS NOT ?4)",
        )?
        .execute(params![id, claim.as_str(), window.0, window.1, cause.as_str(), actor.as_str(), now])?;
    Ok((changed > 0).then_some(id))
}

/// Keeps the ends of a claim's time that its own words do not tell and others of the same fact do. They follow from what is
/// there, so that no history of them is kept. Gives whether they changed.
///
/// # Errors
/// SQLite's.
pub fn set_ends_told(connection: &Connection, claim: &ClaimId, (from, until): Window) -> StoreResult<bool> {
    let changed = connection
        .prepare_cached(
            "UPDATE claims SET told_from = ?2, told_to = ?3
             WHERE id = ?1 AND is_redacted = 0 AND (told_from IS NOT ?2 OR told_to IS NOT ?3)",
        )?
        .execute(params![claim.as_str(), from, until])?;
    Ok(changed > 0)
}

fn change(row: &Row<'_>) -> StoreResult<WindowChange> {
    Ok(WindowChange {
        id: row.get(0)?,
        from: (row.get(1)?, row.get(2)?),
        to: (row.get(3)?, row.get(4)?),
        cause: row.get(5)?,
        actor_id: AgentId::parse(row.get::<_, String>(6)?)?,
        changed_at: row.get(7)?,
    })
}

/// Each change of a claim's window, the first one first; at most 500.
///
/// # Errors
/// SQLite's.
pub fn window_history(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<WindowChange>> {
    connection
        .prepare_cached(
            "SELECT id, from_valid_from, from_valid_to, to_valid_from, to_valid_to, cause, actor_id, changed_at
             FROM claim_window_history WHERE claim_id = ?1 ORDER BY rid LIMIT 500",
        )?
        .query_and_then([claim.as_str()], change)?
        .collect()
}
