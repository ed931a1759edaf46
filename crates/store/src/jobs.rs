//! `jobs`: one durable queue (ruling 40). A job is claimed by a lease; whoever finds a lease that ran
//! out may claim it again, so that the death of a worker loses nothing.
//!
//! A job that is wanted again while it is worked on carries `again` in its payload: however that work ends,
//! it is queued anew, with all its tries.
//!
//! One on several memories keeps in its payload which it goes on with (`at`). Of one on [`NEW`] memories `since` is the first that
//! came in while it was worked on: it may have escaped it. One that reads a file again keeps by which `reader`.

mod claiming;
mod parts;
mod shown;
mod tools;

pub use claiming::{Claimed, claim};
pub use parts::{add_part, parts};
pub use tools::{any_lack_tools, look_for_tools};

pub use shown::{by_id, counts, embedding, list, reading, waiting_for_models};

use crate::{StoreError, StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use um_model::{ApiError, ArtifactId, EpochMs, JobId, JobKind, JobStatus, MemoryId, SpaceId};

/// How long a lease lasts without a heartbeat, in milliseconds.
pub const LEASE_MS: i64 = 60_000;

/// What a person just gave goes first.
pub const PRIORITY_PERSON: i64 = 100;
/// What an agent gave.
pub const PRIORITY_AGENT: i64 = 50;
/// What a scan found.
pub const PRIORITY_SCAN: i64 = 0;
/// What was done before, and is done again by a newer version.
pub const PRIORITY_AGAIN: i64 = -100;

/// What a job works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A file.
    Artifact(ArtifactId),
    /// A memory.
    Memory(MemoryId),
    /// The memories of a space that came in together or one after the other, by their rids: one row for all, where one for each
    /// would be most of what is written for them.
    Memories(SpaceId, RangeInclusive<i64>),
}

impl Subject {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Artifact(id) => ("artifact", id.as_str()),
            Self::Memory(id) => ("memory", id.as_str()),
            Self::Memories(space, _) => ("space", space.as_str()),
        }
    }

    /// What tells it apart from others of the same id.
    fn variant(&self) -> Option<String> {
        match self {
            Self::Memories(_, rids) => Some(format!("{}-{}", rids.start(), rids.end())),
            Self::Artifact(_) | Self::Memory(_) => None,
        }
    }

    fn of(subject_type: &str, id: String, variant: &str) -> StoreResult<Self> {
        Ok(match subject_type {
            "artifact" => Self::Artifact(ArtifactId::parse(id)?),
            "memory" => Self::Memory(MemoryId::parse(id)?),
            "space" => Self::Memories(SpaceId::parse(id)?, rids(variant)?),
            _ => return Err(StoreError::Damaged(format!("no job is about a {subject_type}"))),
        })
    }
}

/// The range of a job on the new memories of a space. From which of them on stands in its payload; it has no last one.
pub const NEW: RangeInclusive<i64> = 1..=i64::MAX;

/// The rids that are [written](Subject::variant) so.
fn rids(variant: &str) -> StoreResult<RangeInclusive<i64>> {
    let parsed = variant.split_once('-').and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
    parsed
        .filter(|rids| (1..=*rids.end()).contains(rids.start()))
        .ok_or_else(|| StoreError::Damaged("a job does not say which memories it is about".to_owned()))
}

/// The job that does this: its kind, what it works on (type and id), and what tells it apart from others on that.
const THIS: &str = "kind = ?1 AND subject_type = ?2 AND subject_id = ?3 AND processor_id = '' AND config_hash = ?4";

/// A job to be queued.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    /// What it does.
    pub kind: JobKind,
    /// What it works on.
    pub subject: &'a Subject,
    /// Its space.
    pub space: &'a SpaceId,
    /// Higher goes first.
    pub priority: i64,
    /// Whether one that has ended is queued anew.
    pub again: bool,
}

/// Queues a job, or finds the one that does the same. One that is being worked on and is wanted again runs
/// once more when it is done: what came since may have escaped it.
///
/// # Errors
/// SQLite's.
pub fn enqueue(connection: &Connection, new: &NewJob<'_>, now: EpochMs) -> StoreResult<JobId> {
    enqueue_variant(connection, new, "", now)
}

/// The same for one of several jobs of a kind that work on one thing, such as by different models; `variant` tells
/// them apart. Those on several memories are told apart by these.
///
/// # Errors
/// SQLite's.
pub fn enqueue_variant(connection: &Connection, new: &NewJob<'_>, variant: &str, now: EpochMs) -> StoreResult<JobId> {
    let NewJob { kind, subject, space, priority, again } = *new;
    let (subject_type, subject_id) = subject.parts();
    let variant = subject.variant().unwrap_or_else(|| variant.to_owned());
    let id = new_id(now);
    // What gives rows back keeps them in a table of its own, which costs more than the row: only what is there already needs that.
    let is_new = connection
        .prepare_cached(
            "INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, priority, config_hash, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?8, ?7, ?7)
             ON CONFLICT (kind, subject_type, subject_id, processor_id, config_hash) DO NOTHING",
        )?
        .execute(params![id, kind.as_str(), subject_type, subject_id, space.as_str(), priority, now, variant])?;
    if is_new == 1 {
        return Ok(JobId::parse(id)?);
    }
    let anew = "?6 AND status NOT IN ('pending', 'processing')";
    let id: String = connection
        .prepare_cached(&format!(
            "UPDATE jobs SET
               priority = max(priority, ?5),
               status = CASE WHEN {anew} THEN 'pending' ELSE status END,
               attempts = CASE WHEN {anew} THEN 0 ELSE attempts END,
               not_before = CASE WHEN {anew} THEN 0 ELSE not_before END,
               progress = CASE WHEN {anew} THEN 0 ELSE progress END,
               last_error = CASE WHEN {anew} THEN NULL ELSE last_error END,
               last_error_code = CASE WHEN {anew} THEN NULL ELSE last_error_code END,
               payload = CASE WHEN {anew} THEN '{{}}'
                 WHEN ?6 AND status = 'processing' THEN json_set(payload, '$.again', json('true')) ELSE payload END,
               updated_at = ?7
             WHERE {THIS} RETURNING id"
        ))?
        .query_row(params![kind.as_str(), subject_type, subject_id, variant, priority, again, now], |row| row.get(0))?;
    Ok(JobId::parse(id)?)
}

/// Notes with a job by which reader, told by its settings, a file is read again. That stays as it ends, until it is queued anew.
///
/// # Errors
/// SQLite's.
pub fn set_reader(connection: &Connection, id: &JobId, reader: &str) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE jobs SET payload = json_set(payload, '$.reader', ?2) WHERE id = ?1")?
        .execute([id.as_str(), reader])?;
    Ok(())
}

/// Queues a job on the memories of a space from this one (its rid) on. Where one waits already nothing is written: it comes to this
/// memory as well. One that has ended begins anew here: what it left undone is tried again, or not, by whoever wants that.
///
/// # Errors
/// SQLite's.
pub fn enqueue_new(
    connection: &Connection,
    (kind, priority): (JobKind, i64),
    (space, rid): (&SpaceId, i64),
    now: EpochMs,
) -> StoreResult<()> {
    let subject = Subject::Memories(space.clone(), NEW);
    let ((subject_type, space), variant) = (subject.parts(), subject.variant());
    let waits = connection
        .prepare_cached(&format!(
            "SELECT 1 FROM jobs WHERE {THIS} AND status = 'pending' AND payload ->> '$.at' <= ?5"
        ))?
        .exists(params![kind.as_str(), subject_type, space, variant, rid])?;
    if waits {
        return Ok(());
    }
    let is_new = connection
        .prepare_cached(
            "INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, priority, config_hash, payload, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, json_object('at', ?7), ?8, ?8)
             ON CONFLICT (kind, subject_type, subject_id, processor_id, config_hash) DO NOTHING",
        )?
        .execute(params![new_id(now), kind.as_str(), subject_type, space, priority, variant, rid, now])?;
    if is_new == 1 {
        return Ok(());
    }
    // A rid is given again where its memory was the last one and was erased: the job may be past it.
    let changed = connection
        .prepare_cached(&format!(
            "UPDATE jobs SET updated_at = ?6, payload = iif(status = 'pending', json_set(payload, '$.at', ?5),
               json_set(payload, '$.again', json('true'), '$.since', ?5))
             WHERE {THIS} AND CASE status WHEN 'pending' THEN ifnull(payload ->> '$.at', ?5) > ?5
               WHEN 'processing' THEN ifnull(payload ->> '$.since', ?5 + 1) > ?5 END"
        ))?
        .execute(params![kind.as_str(), subject_type, space, variant, rid, now])?;
    if changed == 0 {
        connection
            .prepare_cached(&format!(
                "UPDATE jobs SET status = 'pending', payload = json_object('at', ?5), attempts = 0, not_before = 0, progress = 0,
                   progress_note = NULL, last_error = NULL, last_error_code = NULL, completed_at = NULL, leased_at = NULL,
                   created_at = ?6, updated_at = ?6
                 WHERE {THIS} AND status IN ('completed', 'failed', 'cancelled', 'poison')"
            ))?
            .execute(params![kind.as_str(), subject_type, space, variant, rid, now])?;
    }
    Ok(())
}

/// Says that a job is still worked on, and how far it is. `false` when the lease is lost or somebody
/// asked to cancel: the worker stops.
///
/// # Errors
/// SQLite's.
pub fn heartbeat(
    connection: &Connection,
    id: &JobId,
    worker: &str,
    progress: f64,
    note: Option<&str>,
    now: EpochMs,
) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "UPDATE jobs SET heartbeat_at = ?3, lease_expires_at = ?3 + ?4, progress = ?5, progress_note = ?6, updated_at = ?3
             WHERE id = ?1 AND status = 'processing' AND lease_owner = ?2 RETURNING cancel_requested = 0",
        )?
        .query_row(params![id.as_str(), worker, now, LEASE_MS, progress.clamp(0.0, 1.0), note], |row| row.get(0))
        .optional()?
        .unwrap_or(false))
}

/// How a job ended, or what it waits for. Of an error, its code and its message are kept: what to do about
/// it, each door says in its own words.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Done.
    Completed,
    /// Failed for good.
    Failed(ApiError),
    /// Failed in a way that may pass: tried again after so many milliseconds, or poison after the last try.
    Retry(ApiError, i64),
    /// Cancelled.
    Cancelled,
    /// Waits for a model or a password.
    Waiting(JobStatus, ApiError),
}

/// Ends a worker's hold of a job. Does nothing when the lease is lost. What came of a question to the language model stays
/// in its note, and how far one on several memories is stays where it goes on there. A newer request to do it again counts
/// for more than how this one ended; one on [`NEW`] memories goes on with those that came since, where it did or dropped the
/// others. Where it no longer lacks the program that it waited for, all that wait for the same are queued.
///
/// # Errors
/// SQLite's.
pub fn finish(connection: &Connection, id: &JobId, worker: &str, outcome: &Outcome, now: EpochMs) -> StoreResult<()> {
    tools::free_others(connection, id, outcome, now)?;
    if matches!(outcome, Outcome::Completed) && remove_done(connection, id, worker)? {
        return Ok(());
    }
    let (status, error, delay) = match outcome {
        Outcome::Completed => ("completed", None, 0),
        Outcome::Failed(error) => ("failed", Some(error), 0),
        Outcome::Retry(error, delay) => ("pending", Some(error), *delay),
        Outcome::Cancelled => ("cancelled", None, 0),
        Outcome::Waiting(status, error) => (status.as_str(), Some(error), 0),
    };
    connection
        .prepare_cached(
            "UPDATE jobs SET
               status = CASE WHEN payload ->> '$.again' THEN 'pending'
                 WHEN ?3 = 'pending' AND attempts >= max_attempts THEN 'poison' ELSE ?3 END,
               attempts = CASE WHEN payload ->> '$.again' OR ?3 IN ('waiting_for_model', 'waiting_for_password')
                 THEN 0 ELSE attempts END,
               last_error_code = ?4, last_error = ?5,
               progress_note = CASE WHEN iif(?3 = 'completed', kind = 'ask', payload ->> '$.at' IS NOT NULL) THEN progress_note END,
               not_before = CASE WHEN payload ->> '$.again' THEN 0 ELSE ?6 + ?7 END,
               created_at = iif(?3 = 'completed' AND payload ->> '$.since' IS NOT NULL, ?6, created_at),
               payload = iif(?3 IN ('completed', 'cancelled') AND payload ->> '$.since' IS NOT NULL,
                 json_set(json_remove(payload, '$.done'), '$.at', payload ->> '$.since'), payload),
               progress = CASE WHEN ?3 = 'completed' THEN payload ->> '$.again' IS NULL
                 WHEN payload ->> '$.at' IS NOT NULL THEN progress ELSE 0 END,
               completed_at = CASE WHEN payload ->> '$.again' OR ?3 = 'pending' THEN NULL ELSE ?6 END,
               lease_owner = NULL, lease_expires_at = NULL, updated_at = ?6
             WHERE id = ?1 AND status = 'processing' AND lease_owner = ?2",
        )?
        .execute(params![
            id.as_str(),
            worker,
            status,
            error.map(|e| e.code.as_str()),
            error.map(|e| e.message.as_str()),
            now,
            delay
        ])?;
    Ok(())
}

/// Removes a job that is done and whose doing shows elsewhere: that a memory is embedded shows in its vectors, what it claims in
/// its evidence, what was found in it in its findings; a row for each would soon be most of the table. One that is wanted again
/// stays. Gives whether it went.
fn remove_done(connection: &Connection, id: &JobId, worker: &str) -> StoreResult<bool> {
    let removed = connection
        .prepare_cached(
            "DELETE FROM jobs WHERE id = ?1 AND status = 'processing' AND lease_owner = ?2
               AND kind IN ('embed', 'extract', 'dedupe', 'detect') AND payload ->> '$.again' IS NULL",
        )?
        .execute([id.as_str(), worker])?;
    Ok(removed > 0)
}

/// Renews the leases of jobs that are still worked on.
///
/// # Errors
/// SQLite's.
pub fn renew(connection: &Connection, ids: &[JobId], now: EpochMs) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(
        "UPDATE jobs SET heartbeat_at = ?2, lease_expires_at = ?2 + ?3 WHERE id = ?1 AND status = 'processing'",
    )?;
    for id in ids {
        statement.execute(params![id.as_str(), now, LEASE_MS])?;
    }
    Ok(())
}

/// How far a job came in its turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The share that is done, 0 to 1.
    pub share: f64,
    /// What is done, in words.
    pub note: String,
    /// The rid of the memory that it goes on with, where it is about several.
    pub at: Option<i64>,
    /// The passage that it goes on with, where it embeds.
    pub passage: Option<Passage>,
    /// How many memories are done, where it is about [`NEW`] ones: of those, no range tells.
    pub done: Option<OfNew>,
}

/// How many of [`NEW`] memories are done, and how many there were when they were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfNew {
    /// Those that its turns have done.
    pub done: u64,
    /// All of them, those included.
    pub total: u64,
    /// Whether there were more than were counted.
    pub is_least: bool,
}

/// The passage that an embedding goes on with, so that its next turn does not go through what has its vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The rid of its memory, where the job is about several: where that goes on with another one by then, this tells it nothing.
    pub at: Option<i64>,
    /// Where it goes on: a `text_units.rid`. What has no vector may have come before it meanwhile.
    pub rid: i64,
    /// How many passages of the memory had none yet, where it is about one.
    pub left: usize,
    /// How many passages that memory had.
    pub total: usize,
}

/// Puts a job back that had its turn and is not done: others of its priority that wait longer go before it, and a long
/// one that a person gave no longer keeps what agents gave waiting. What it did counts for its tries: it has all of
/// them again, and earlier deaths of the service no longer count. Like [`finish`], it queues what waited for the same program.
///
/// # Errors
/// SQLite's.
pub fn pass_on(connection: &Connection, id: &JobId, worker: &str, turn: &Turn, now: EpochMs) -> StoreResult<()> {
    tools::free_others(connection, id, &Outcome::Completed, now)?;
    connection
        .prepare_cached(
            "UPDATE jobs SET
               status = CASE WHEN cancel_requested = 1 AND payload ->> '$.again' IS NULL THEN 'cancelled' ELSE 'pending' END,
               attempts = 0, progress = ?3, progress_note = ?4, leased_at = ?5, last_error = NULL, last_error_code = NULL,
               priority = min(priority, ?6),
               payload = json_patch(json_remove(iif(?7 IS NULL, payload, json_set(payload, '$.at',
                 iif(cancel_requested = 1, ifnull(payload ->> '$.since', ?7), ?7))), '$.deaths'),
                 json_object('passage', json(?8), 'done', json(?9))),
               lease_owner = NULL, lease_expires_at = NULL, updated_at = ?5
             WHERE id = ?1 AND status = 'processing' AND lease_owner = ?2",
        )?
        .execute(params![
            id.as_str(),
            worker,
            turn.share.clamp(0.0, 1.0),
            turn.note,
            now,
            PRIORITY_AGENT,
            turn.at,
            serde_json::to_string(&turn.passage)?,
            serde_json::to_string(&turn.done)?
        ])?;
    Ok(())
}

/// Puts a job back that its worker could not end because the service stops: the try does not count.
///
/// # Errors
/// SQLite's.
pub fn give_back(connection: &Connection, id: &JobId, worker: &str, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE jobs SET
           status = CASE WHEN cancel_requested = 1 AND payload ->> '$.again' IS NULL THEN 'cancelled' ELSE 'pending' END,
           attempts = max(attempts - 1, 0), lease_owner = NULL, lease_expires_at = NULL, updated_at = ?3
         WHERE id = ?1 AND status = 'processing' AND lease_owner = ?2",
        params![id.as_str(), worker, now],
    )?;
    Ok(())
}

/// Whether a job of that kind could be claimed now.
///
/// # Errors
/// SQLite's.
pub fn any_pending(connection: &Connection, kind: JobKind, now: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM jobs WHERE status = 'pending' AND kind = ?1 AND not_before <= ?2 LIMIT 1")?
        .exists(params![kind.as_str(), now])?)
}

/// Whether a job of that kind is worked on, or could be claimed now.
///
/// # Errors
/// SQLite's.
pub fn any_open(connection: &Connection, kind: JobKind, now: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM jobs WHERE status IN ('pending', 'processing') AND kind = ?1
               AND (status = 'processing' OR not_before <= ?2) LIMIT 1",
        )?
        .exists(params![kind.as_str(), now])?)
}

/// Whether a job of that kind on the [`NEW`] memories of a space comes to those that are written now.
///
/// # Errors
/// SQLite's.
pub fn takes_new(connection: &Connection, kind: JobKind, space: &SpaceId) -> StoreResult<bool> {
    let subject = Subject::Memories(space.clone(), NEW);
    Ok(connection
        .prepare_cached(&format!("SELECT 1 FROM jobs WHERE {THIS} AND status IN ('pending', 'processing')"))?
        .exists(params![kind.as_str(), subject.parts().0, space.as_str(), subject.variant()])?)
}

/// When the job came in that is the next of its kind, and whether it is one on [`NEW`] memories; where one could be claimed now.
///
/// # Errors
/// SQLite's.
pub fn next(connection: &Connection, kind: JobKind, now: EpochMs) -> StoreResult<Option<(EpochMs, bool)>> {
    Ok(connection
        .prepare_cached(
            "SELECT created_at, subject_type, config_hash FROM jobs WHERE kind = ?1 AND status = 'pending' AND not_before <= ?2
             ORDER BY priority DESC, ifnull(leased_at, created_at), rid LIMIT 1",
        )?
        .query_row(params![kind.as_str(), now], |row| {
            let is_new = row.get::<_, String>(1)? == "space" && rids(&row.get::<_, String>(2)?).is_ok_and(|of| of == NEW);
            Ok((row.get(0)?, is_new))
        })
        .optional()?)
}

/// Whether anything that somebody waits for is pending or worked on, in a space or in all: what is done again by a newer
/// version is not.
///
/// # Errors
/// SQLite's.
pub fn any_wanted(connection: &Connection, space: Option<&SpaceId>) -> StoreResult<bool> {
    // Two statements, so that neither goes through what waits in other spaces.
    let condition = if space.is_some() { "space_id = ?2" } else { "?2 IS NULL" };
    Ok(connection
        .prepare_cached(&format!(
            "SELECT 1 FROM jobs WHERE status IN ('pending', 'processing') AND {condition} AND priority > ?1 LIMIT 1"
        ))?
        .exists(params![PRIORITY_AGAIN, space.map(SpaceId::as_str)])?)
}

/// Whether any pending job waits for its time.
///
/// # Errors
/// SQLite's.
pub fn any_delayed(connection: &Connection) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM jobs INDEXED BY idx_jobs_delayed WHERE status = 'pending' AND not_before > 0 LIMIT 1",
        )?
        .exists([])?)
}

/// So many deaths of the service in the middle of one job make it poison. More than the tries of a job
/// that fails by itself: a reader is kept in a process of its own where it can be, so that the job was
/// most likely a bystander.
const DEATHS: u32 = 12;

/// A job that was there at more than one death rests for so long, in milliseconds, for each earlier one: what
/// may have taken the service down lets the others go first, and a bystander is not always the next victim.
const REST_MS: i64 = 3_000;

/// Gives back every job whose worker is gone: all of them at start (`at_start`), else those whose lease
/// ran out. That costs the job no try of its own, but see [`DEATHS`]; where it was wanted again meanwhile,
/// that counts for more. Gives how many there were.
///
/// # Errors
/// SQLite's.
pub fn recover(connection: &Connection, at_start: bool, now: EpochMs) -> StoreResult<usize> {
    let dead = "(ifnull(payload ->> '$.deaths', 0) + 1)";
    let again = "payload ->> '$.again' IS NOT NULL";
    Ok(connection.execute(
        &format!(
            "UPDATE jobs SET
               status = CASE WHEN {again} THEN 'pending' WHEN cancel_requested = 1 THEN 'cancelled'
                 WHEN {dead} >= {DEATHS} THEN 'poison' ELSE 'pending' END,
               last_error_code = CASE WHEN {dead} >= {DEATHS} THEN 'reader_failed' ELSE last_error_code END,
               last_error = CASE WHEN {dead} >= {DEATHS}
                 THEN 'The program stopped each time while it worked on this.' ELSE last_error END,
               not_before = ?2 + {REST_MS} * ifnull(payload ->> '$.deaths', 0),
               payload = iif({again} AND {dead} >= {DEATHS}, json_remove(payload, '$.again', '$.deaths'),
                 json_set(payload, '$.deaths', {dead})),
               attempts = max(attempts - 1, 0), lease_owner = NULL, lease_expires_at = NULL, updated_at = ?2
             WHERE status = 'processing' AND (?1 OR lease_expires_at < ?2)"
        ),
        params![at_start, now],
    )?)
}

/// Asks for a job to stop: at once where nobody works on it, else at its next heartbeat.
///
/// # Errors
/// SQLite's.
pub fn cancel(connection: &Connection, id: &JobId, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE jobs SET cancel_requested = (status = 'processing'), payload = json_remove(payload, '$.again', '$.since'),
           status = CASE WHEN status IN ('pending', 'waiting_for_model', 'waiting_for_password') THEN 'cancelled' ELSE status END,
           updated_at = ?2
         WHERE id = ?1 AND status IN ('pending', 'processing', 'waiting_for_model', 'waiting_for_password')",
        params![id.as_str(), now],
    )?;
    Ok(())
}

/// Queues a job anew that ended or waits. What it has done of its parts stays done.
///
/// # Errors
/// SQLite's.
pub fn retry(connection: &Connection, id: &JobId, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE jobs SET status = 'pending', attempts = 0, not_before = 0,
           progress = iif(payload ->> '$.at' IS NULL, 0, progress), payload = json_remove(payload, '$.again', '$.since', '$.deaths'),
           last_error = NULL,
           last_error_code = NULL, completed_at = NULL, cancel_requested = 0, priority = max(priority, ?3), updated_at = ?2
         WHERE id = ?1 AND status NOT IN ('pending', 'processing')",
        params![id.as_str(), now, PRIORITY_PERSON],
    )?;
    Ok(())
}

/// Cancels every job on a subject that nobody works on yet: its file is gone.
///
/// # Errors
/// SQLite's.
pub fn cancel_subject(connection: &Connection, subject: &Subject, now: EpochMs) -> StoreResult<()> {
    let (subject_type, subject_id) = subject.parts();
    connection.execute(
        "UPDATE jobs SET cancel_requested = (status = 'processing'),
           status = CASE status WHEN 'processing' THEN status ELSE 'cancelled' END, updated_at = ?3
         WHERE subject_type = ?1 AND subject_id = ?2
           AND status IN ('pending', 'processing', 'waiting_for_model', 'waiting_for_password')",
        params![subject_type, subject_id, now],
    )?;
    Ok(())
}

/// Tells why the reading of a file was cancelled that was not let in, as the person is to read it.
///
/// # Errors
/// SQLite's.
pub fn tell_refused(connection: &Connection, file: &ArtifactId, error: &ApiError, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE jobs SET last_error_code = ?2, last_error = ?3, updated_at = ?4
         WHERE subject_type = 'artifact' AND subject_id = ?1 AND kind IN ('read', 'listen') AND status = 'cancelled'",
        params![file.as_str(), error.code.as_str(), error.to_string(), now],
    )?;
    Ok(())
}

/// Queues every job that waits for a model, of one kind or of all: each waits again where it is still missing.
///
/// # Errors
/// SQLite's.
pub fn wake_waiting(connection: &Connection, kind: Option<JobKind>, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE jobs SET status = 'pending', attempts = 0, not_before = 0, updated_at = ?1
         WHERE status = 'waiting_for_model' AND (?2 IS NULL OR kind = ?2)",
        params![now, kind.map(JobKind::as_str)],
    )?;
    Ok(())
}
