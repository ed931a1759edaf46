//! Claiming: who works on what next.

use super::{DEATHS, LEASE_MS, OfNew, Passage, Subject};
use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::{EpochMs, ErrorCode, JobId, JobKind};

/// A claimed job, as its worker needs it.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// Its id.
    pub id: JobId,
    /// What it works on.
    pub subject: Subject,
    /// This is the how-manyth try, from 1.
    pub attempt: u32,
    /// Whether it is given up where this try fails, or the service dies in it.
    pub is_last: bool,
    /// Its priority.
    pub priority: i64,
    /// The rid of the memory that it goes on with, where it is about several and had a turn, or is about new ones.
    pub at: Option<i64>,
    /// The passage that it goes on with there, where it embeds and had a turn.
    pub passage: Option<Passage>,
    /// How many memories its turns have done, where it is about new ones and had a turn.
    pub done: Option<OfNew>,
}

/// What is claimed with no other: a job on several memories, and one that was there at a death of the service. Whatever takes the
/// service down is then known by it, and costs no other its tries.
const ALONE: &str = "(subject_type = 'space' OR payload ->> '$.deaths' IS NOT NULL)";

/// Claims the next jobs of a kind, at most `limit`, all of the highest priority that waits. Among these goes first
/// who has waited longest since it came or last had its turn. One on several memories is claimed alone, when its turn comes; so is
/// one that was there at a death of the service. One that does not say what it is about has failed, and the next ones are claimed.
///
/// # Errors
/// SQLite's.
pub fn claim(
    connection: &Connection,
    kind: JobKind,
    worker: &str,
    limit: usize,
    now: EpochMs,
) -> StoreResult<Vec<Claimed>> {
    loop {
        let (claimed, unreadable) = claim_next(connection, kind, worker, limit, now)?;
        for rid in &unreadable {
            give_up(connection, *rid, now)?;
        }
        if !claimed.is_empty() || unreadable.is_empty() {
            return Ok(claimed);
        }
    }
}

/// Claims the next jobs; those that can be read, and the rids of those that cannot.
fn claim_next(
    connection: &Connection,
    kind: JobKind,
    worker: &str,
    limit: usize,
    now: EpochMs,
) -> StoreResult<(Vec<Claimed>, Vec<i64>)> {
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    let Some(alone) = is_next_alone(connection, kind, now)? else { return Ok((all, unreadable)) };
    let limit = if alone { 1 } else { limit };
    let mut statement = connection.prepare_cached(&format!(
        "UPDATE jobs SET status = 'processing', lease_owner = ?2, leased_at = ?3, heartbeat_at = ?3,
           lease_expires_at = ?3 + ?4, attempts = attempts + 1, started_at = ifnull(started_at, ?3),
           updated_at = ?3, cancel_requested = 0, payload = json_remove(
             iif(payload ->> '$.since' < payload ->> '$.at', json_set(payload, '$.at', payload ->> '$.since'), payload),
             '$.again', '$.since')
         WHERE rid IN (SELECT rid FROM jobs WHERE kind = ?1 AND status = 'pending' AND not_before <= ?3 AND {ALONE} = ?6
                         AND priority = (SELECT max(priority) FROM jobs
                                         WHERE kind = ?1 AND status = 'pending' AND not_before <= ?3)
                       ORDER BY ifnull(leased_at, created_at), rid LIMIT ?5)
         RETURNING id, subject_type, subject_id, config_hash, attempts, priority, payload ->> '$.at',
           attempts >= max_attempts OR ifnull(payload ->> '$.deaths', 0) + 1 >= {DEATHS}, rid,
           payload -> '$.passage', payload -> '$.done'"
    ))?;
    let mut rows = statement.query(params![kind.as_str(), worker, now, LEASE_MS, limit as i64, alone])?;
    while let Some(row) = rows.next()? {
        match claimed(row) {
            Ok(job) => all.push(job),
            Err(_) => unreadable.push(row.get(8)?),
        }
    }
    Ok((all, unreadable))
}

/// Whether the next job of a kind is claimed alone, where one could be claimed now.
fn is_next_alone(connection: &Connection, kind: JobKind, now: EpochMs) -> StoreResult<Option<bool>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {ALONE} FROM jobs WHERE kind = ?1 AND status = 'pending' AND not_before <= ?2
             ORDER BY priority DESC, ifnull(leased_at, created_at), rid LIMIT 1"
        ))?
        .query_row(params![kind.as_str(), now], |row| row.get(0))
        .optional()?)
}

fn claimed(row: &Row<'_>) -> StoreResult<Claimed> {
    let text = |at: usize| row.get::<_, String>(at);
    let at = row.get(6)?;
    // One that cannot be read is none: then all is gone through, or counted.
    let passage: Option<Passage> = row.get::<_, Option<String>>(9)?.and_then(|json| serde_json::from_str(&json).ok());
    let done: Option<OfNew> = row.get::<_, Option<String>>(10)?.and_then(|json| serde_json::from_str(&json).ok());
    Ok(Claimed {
        id: JobId::parse(text(0)?)?,
        subject: Subject::of(&text(1)?, text(2)?, &text(3)?)?,
        attempt: row.get(4)?,
        priority: row.get(5)?,
        at,
        passage: passage.filter(|passage| passage.at == at),
        is_last: row.get(7)?,
        done,
    })
}

/// Ends a job that was claimed and does not say what it is about: its row was changed from outside.
fn give_up(connection: &Connection, rid: i64, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE jobs SET status = 'failed', last_error_code = ?2, last_error = 'What this job is about cannot be read.',
               completed_at = ?3, lease_owner = NULL, lease_expires_at = NULL, updated_at = ?3 WHERE rid = ?1",
        )?
        .execute(params![rid, ErrorCode::Database.as_str(), now])?;
    Ok(())
}
