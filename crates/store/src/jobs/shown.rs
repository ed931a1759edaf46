//! Jobs as they are shown: one, those of a file, lists and counts.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use um_model::jobs::{Embedding, Job, JobError};
use um_model::numbers::grouped;
use um_model::{ArtifactId, ErrorCode, JobId, JobKind, JobStatus, MemoryId, SpaceId};

const COLUMNS: &str = "j.id, j.kind, j.status, j.space_id, j.subject_type, j.subject_id,
  ifnull(coalesce((SELECT original_filename FROM artifacts WHERE j.subject_type = 'artifact' AND id = j.subject_id),
    (SELECT ifnull(title, substr(content, 1, 60)) FROM memories WHERE j.subject_type = 'memory' AND id = j.subject_id)), ''),
  j.progress, j.progress_note, j.attempts, j.last_error_code, j.last_error, j.created_at, j.updated_at, j.config_hash";

fn job(row: &Row<'_>) -> StoreResult<Job> {
    let (subject_type, subject_id): (String, String) = (row.get(4)?, row.get(5)?);
    let of = |wanted: &str| (subject_type == wanted).then(|| subject_id.clone());
    let status: JobStatus = row.get::<_, String>(2)?.parse()?;
    let kind: JobKind = row.get::<_, String>(1)?.parse()?;
    Ok(Job {
        id: JobId::parse(row.get::<_, String>(0)?)?,
        kind,
        status,
        space_id: SpaceId::parse(row.get::<_, String>(3)?)?,
        artifact_id: of("artifact").map(ArtifactId::parse).transpose()?,
        memory_id: of("memory").map(MemoryId::parse).transpose()?,
        title: title(&subject_type, row)?,
        progress: row.get(7)?,
        progress_note: row.get(8)?,
        attempts: row.get(9)?,
        error: error(kind, row.get(10)?, row.get(11)?).filter(|_| status != JobStatus::Completed),
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

/// The name of what it is about; how many they are where they came in together. That of one whose range cannot be read says so
/// much: it is shown among the others, as what failed.
fn title(subject_type: &str, row: &Row<'_>) -> StoreResult<String> {
    if subject_type != "space" {
        return Ok(row.get(6)?);
    }
    let count = |rids: RangeInclusive<i64>| grouped((rids.end() - rids.start() + 1).unsigned_abs());
    Ok(match super::rids(&row.get::<_, String>(14)?) {
        Ok(rids) if rids == super::NEW => "New notes".to_owned(),
        Ok(rids) => format!("{} notes", count(rids)),
        Err(_) => "Notes".to_owned(),
    })
}

/// Why a job of that kind waits or failed, from what is kept of it.
fn error(kind: JobKind, code: Option<String>, message: Option<String>) -> Option<JobError> {
    let code = code.and_then(|code| code.parse().ok()).unwrap_or(ErrorCode::Internal);
    let lacks_model = matches!(code, ErrorCode::ModelMissing | ErrorCode::ModelMismatch);
    Some(JobError { code, message: message?, model: kind.model().filter(|_| lacks_model) })
}

/// Jobs that are worked on, then those that wait for somebody, then those whose turn comes, then the newest.
const ORDER: &str = "CASE j.status WHEN 'processing' THEN 0 WHEN 'waiting_for_password' THEN 1
  WHEN 'waiting_for_model' THEN 1 WHEN 'pending' THEN 2 ELSE 3 END, j.updated_at DESC, j.rid DESC";

/// The job of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &JobId) -> StoreResult<Option<Job>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM jobs j WHERE j.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(job(row)))
        .optional()?
        .transpose()
}

/// The reading jobs of files, by file.
///
/// # Errors
/// SQLite's.
pub fn reading(connection: &Connection, artifacts: &[ArtifactId]) -> StoreResult<BTreeMap<ArtifactId, Job>> {
    let ids = serde_json::to_string(&artifacts.iter().map(ArtifactId::as_str).collect::<Vec<_>>())?;
    let jobs: Vec<Job> = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM jobs j WHERE j.kind IN ('read', 'listen') AND j.subject_type = 'artifact'
               AND j.subject_id IN (SELECT value FROM json_each(?1))"
        ))?
        .query_and_then([ids], job)?
        .collect::<StoreResult<_>>()?;
    Ok(jobs.into_iter().filter_map(|job| Some((job.artifact_id.clone()?, job))).collect())
}

/// How far the passages of files are embedded, by file; files without passages are not among them.
///
/// # Errors
/// SQLite's.
pub fn embedding(connection: &Connection, artifacts: &[ArtifactId]) -> StoreResult<BTreeMap<ArtifactId, Embedding>> {
    let ids = serde_json::to_string(&artifacts.iter().map(ArtifactId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "SELECT m.primary_artifact_id, j.status, j.last_error_code, j.last_error, j.progress_note FROM memories m
             LEFT JOIN jobs j ON j.kind = 'embed' AND j.subject_type = 'memory' AND j.subject_id = m.id
             WHERE m.primary_artifact_id IN (SELECT value FROM json_each(?1))
               AND EXISTS (SELECT 1 FROM text_units u WHERE u.owner_memory_id = m.id AND u.status = 'active')",
        )?
        .query_and_then([ids], |row| {
            // A job that is done leaves no row.
            let status = row.get::<_, Option<String>>(1)?.map_or(Ok(JobStatus::Completed), |status| status.parse())?;
            let error = error(JobKind::Embed, row.get(2)?, row.get(3)?).filter(|_| status.is_settled());
            let embedding = Embedding { state: status.into(), note: row.get(4)?, error };
            Ok((ArtifactId::parse(row.get::<_, String>(0)?)?, embedding))
        })?
        .collect()
}

/// How many jobs are in each state; of one space, or of all.
///
/// # Errors
/// SQLite's.
pub fn counts(connection: &Connection, space: Option<&SpaceId>) -> StoreResult<BTreeMap<JobStatus, u64>> {
    // Two statements, so that either is counted in an index.
    let condition = if space.is_some() { "space_id = ?1" } else { "?1 IS NULL" };
    connection
        .prepare_cached(&format!("SELECT status, count(*) FROM jobs WHERE {condition} GROUP BY status"))?
        .query_and_then([space.map(SpaceId::as_str)], |row| Ok((row.get::<_, String>(0)?.parse()?, row.get(1)?)))?
        .collect()
}

/// A page of jobs: those worked on first, then those that wait, then the newest. [`counts`] tells how many there are.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    space: Option<&SpaceId>,
    statuses: &[JobStatus],
    offset: u32,
    limit: u32,
) -> StoreResult<Vec<Job>> {
    let statuses = if statuses.is_empty() { JobStatus::ALL } else { statuses };
    let words = serde_json::to_string(&statuses.iter().map(|s| s.as_str()).collect::<Vec<_>>())?;
    let condition = if space.is_some() { "n.space_id = ?1" } else { "?1 IS NULL" };
    connection
        .prepare_cached(&format!(
            // The newest of each state are found in an index, the page is chosen from them, and titles are looked
            // up for its rows only.
            "SELECT {COLUMNS} FROM jobs j WHERE j.rid IN
               (SELECT j.rid FROM json_each(?2) s CROSS JOIN jobs j ON j.rid IN
                  (SELECT n.rid FROM jobs n WHERE n.status = s.value AND {condition}
                   ORDER BY n.updated_at DESC, n.rid DESC LIMIT ?3 + ?4)
                ORDER BY {ORDER} LIMIT ?3 OFFSET ?4)
             ORDER BY {ORDER}"
        ))?
        .query_and_then(params![space.map(SpaceId::as_str), words, limit, offset], job)?
        .collect()
}

/// How many jobs of each kind wait for a model; those that wait for a program are not among them.
///
/// # Errors
/// SQLite's.
pub fn waiting_for_models(connection: &Connection) -> StoreResult<BTreeMap<JobKind, u64>> {
    connection
        .prepare_cached(
            "SELECT kind, count(*) FROM jobs
             WHERE status = 'waiting_for_model' AND last_error_code IS NOT 'tool_missing' GROUP BY kind",
        )?
        .query_and_then([], |row| Ok((row.get::<_, String>(0)?.parse()?, row.get(1)?)))?
        .collect()
}
