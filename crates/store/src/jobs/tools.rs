//! Jobs that wait for a program or library. Nothing tells when one is installed; so now and then one job of those
//! that lack the same is tried, and when it no longer lacks it, so are all others.

use super::Outcome;
use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{EpochMs, ErrorCode, JobId};

/// A job is tried so long after the last one that lacked the same, in milliseconds.
const LOOK_MS: i64 = 15_000;

/// The first of those that lack the same, where none is being tried and the last try is long enough ago. What a job
/// lacks stands in its error.
const DUE: &str = "SELECT min(CASE WHEN status = 'waiting_for_model' THEN rid END)
  FROM jobs INDEXED BY idx_jobs_lacking
  WHERE status IN ('waiting_for_model', 'pending', 'processing') AND last_error_code = 'tool_missing'
  GROUP BY last_error HAVING max(updated_at) <= ?1 AND min(status = 'waiting_for_model')";

/// Whether it is time to look for a program that some job lacks.
///
/// # Errors
/// SQLite's.
pub fn any_lack_tools(connection: &Connection, now: EpochMs) -> StoreResult<bool> {
    Ok(connection.prepare_cached(DUE)?.exists([now - LOOK_MS])?)
}

/// Queues one job of those that lack the same program.
///
/// # Errors
/// SQLite's.
pub fn look_for_tools(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    let sql = format!("UPDATE jobs SET status = 'pending', not_before = 0, updated_at = ?2 WHERE rid IN ({DUE})");
    connection.prepare_cached(&sql)?.execute(params![now - LOOK_MS, now])?;
    Ok(())
}

/// Queues what waits for the program that this job lacked before and does not lack now. To be asked before the job's
/// outcome is kept.
pub(super) fn free_others(connection: &Connection, id: &JobId, outcome: &Outcome, now: EpochMs) -> StoreResult<()> {
    let lacked: Option<String> = connection
        .prepare_cached("SELECT last_error FROM jobs WHERE id = ?1 AND last_error_code = 'tool_missing'")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten();
    let lacks = match outcome {
        Outcome::Cancelled => return Ok(()),
        Outcome::Waiting(_, error) | Outcome::Failed(error) | Outcome::Retry(error, _) => Some(error),
        Outcome::Completed => None,
    };
    let lacks = lacks.filter(|error| error.code == ErrorCode::ToolMissing).map(|error| error.message.as_str());
    if let Some(lacked) = lacked.filter(|lacked| lacks != Some(lacked.as_str())) {
        connection
            .prepare_cached(
                "UPDATE jobs SET status = 'pending', not_before = 0, updated_at = ?3
                 WHERE status = 'waiting_for_model' AND last_error_code = 'tool_missing' AND last_error = ?2 AND id <> ?1",
            )?
            .execute(params![id.as_str(), lacked, now])?;
    }
    Ok(())
}
