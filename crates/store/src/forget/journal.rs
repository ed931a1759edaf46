//! `forgettings`: what was begun and must come to its end.

use super::Rows;
use crate::{StoreError, StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use um_model::forget::{ForgetProof, ForgetReport};
use um_model::{AgentId, EpochMs};

/// How far a forgetting is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Rows are being emptied.
    Running,
    /// All rows are emptied; what is left of them in files is to be cleared away.
    Erased,
    /// Nothing is left.
    Done,
    /// The person stopped it; what was not reached is there as before.
    Cancelled,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Erased => "erased",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A forgetting that was begun.
#[derive(Debug, Clone)]
pub struct Forgetting {
    /// Its id.
    pub id: String,
    /// Who began it.
    pub actor: AgentId,
    /// What was named: `memory`, `artifact`, …
    pub selector: String,
    /// The rows it begins from.
    pub roots: Rows,
    /// How many rows of each kind lost something so far.
    pub counts: BTreeMap<String, u64>,
    /// When it was begun.
    pub begun_at: EpochMs,
}

/// Says that these rows are being forgotten, before any of them is. Gives the forgetting's id.
///
/// # Errors
/// SQLite's.
pub fn begin(
    connection: &Connection,
    actor: &AgentId,
    selector: &str,
    roots: &Rows,
    now: EpochMs,
) -> StoreResult<String> {
    let id = new_id(now);
    connection.execute(
        "INSERT INTO forgettings (id, actor_id, selector, roots, begun_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id, actor.as_str(), selector, serde_json::to_string(roots)?, now],
    )?;
    Ok(id)
}

/// Adds to how many rows lost something.
///
/// # Errors
/// SQLite's.
pub fn count(connection: &Connection, id: &str, more: &BTreeMap<String, u64>) -> StoreResult<()> {
    let counts: String =
        connection.query_row("SELECT counts FROM forgettings WHERE id = ?1", [id], |row| row.get(0))?;
    let mut counts: BTreeMap<String, u64> = serde_json::from_str(&counts)?;
    for (kind, count) in more {
        *counts.entry(kind.clone()).or_default() += count;
    }
    connection
        .execute("UPDATE forgettings SET counts = ?2 WHERE id = ?1", params![id, serde_json::to_string(&counts)?])?;
    Ok(())
}

/// Says how far it is, with what was looked for afterwards.
///
/// # Errors
/// SQLite's.
pub fn finish(connection: &Connection, id: &str, status: Status, proof: &ForgetProof, now: EpochMs) -> StoreResult<()> {
    let ended = matches!(status, Status::Done | Status::Cancelled).then_some(now);
    connection.execute(
        "UPDATE forgettings SET status = ?2, proof = ?3, ended_at = ?4 WHERE id = ?1",
        params![id, status.word(), serde_json::to_string(proof)?, ended],
    )?;
    Ok(())
}

/// The last forgetting, by its number; 0 where there was none. Whatever is refused anew comes with another.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> StoreResult<i64> {
    Ok(connection.prepare_cached("SELECT ifnull(max(rid), 0) FROM forgettings")?.query_row([], |row| row.get(0))?)
}

/// The report of a forgetting; of the last one where no id is given.
///
/// # Errors
/// SQLite's.
pub fn report(connection: &Connection, id: Option<&str>) -> StoreResult<Option<ForgetReport>> {
    connection
        .prepare(
            "SELECT id, status, counts, proof, begun_at, ended_at, roots FROM forgettings
             WHERE ?1 IS NULL OR id = ?1 ORDER BY rid DESC LIMIT 1",
        )?
        .query_and_then([id], |row| {
            let (status, roots) = (row.get::<_, String>(1)?, row.get::<_, String>(6)?);
            let stays = match status.as_str() {
                // One that was stopped may still be to be cleared away.
                "running" | "erased" | "cancelled" => {
                    super::still_there(connection, &serde_json::from_str(&roots)?)?.counts()
                }
                _ => BTreeMap::new(),
            };
            Ok(ForgetReport {
                id: row.get(0)?,
                status,
                stays,
                failed: None,
                counts: serde_json::from_str(&row.get::<_, String>(2)?)?,
                proof: serde_json::from_str(&row.get::<_, String>(3)?)?,
                begun_at: row.get(4)?,
                ended_at: row.get(5)?,
            })
        })?
        .next()
        .transpose()
}

/// Those that were begun and did not come to their end, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn unfinished(connection: &Connection) -> StoreResult<Vec<(Forgetting, Status)>> {
    connection
        .prepare(
            "SELECT id, actor_id, selector, roots, counts, begun_at, status FROM forgettings
             WHERE ended_at IS NULL ORDER BY rid",
        )?
        .query_and_then([], |row| {
            let forgetting = Forgetting {
                id: row.get(0)?,
                actor: AgentId::parse(row.get::<_, String>(1)?)?,
                selector: row.get(2)?,
                roots: serde_json::from_str(&row.get::<_, String>(3)?)?,
                counts: serde_json::from_str(&row.get::<_, String>(4)?)?,
                begun_at: row.get(5)?,
            };
            match row.get::<_, String>(6)?.as_str() {
                "running" => Ok((forgetting, Status::Running)),
                "erased" => Ok((forgetting, Status::Erased)),
                other => Err(StoreError::Damaged(format!("a forgetting is {other}"))),
            }
        })?
        .collect()
}
