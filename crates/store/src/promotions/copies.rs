//! Rows written into another space, from what a row of the first one says. Nothing that refers into the first space goes
//! along: sessions, versions, keys and what a memory was made of stay behind; nor what nobody was shown: summary, owner, tags
//! and links to skills.

use crate::memories::UNTOLD;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use um_model::{ArtifactId, EpochMs, MemoryId, SpaceId};

/// What a copy of a memory says otherwise than the memory.
#[derive(Debug, Clone, Default)]
pub struct Copied<'a> {
    /// Its words, with their hash, where these are only some of the memory's.
    pub words: Option<(&'a str, &'a str)>,
    /// The copy of its file.
    pub artifact: Option<&'a ArtifactId>,
}

/// Copies a memory: it is distilled, as somebody looked at it.
///
/// # Errors
/// One with the same words in that space; SQLite's.
pub fn copy_memory(
    connection: &Connection,
    source: &MemoryId,
    target: &SpaceId,
    copied: &Copied<'_>,
    now: EpochMs,
) -> StoreResult<MemoryId> {
    let id = new_id(now);
    let artifact = copied.artifact.map(ArtifactId::as_str);
    connection
        .prepare_cached(&format!(
            "INSERT INTO memories (id, space_id, actor_id, content, content_hash, modality, primary_artifact_id, title,
               scope, classification_confidence, classifier_id, record_kind, importance, trust_level, tier,
               expires_at, occurred_at, source_type, artifact_ref, confidence_label, last_confirmed_at,
               valid_from, created_at, metadata)
             SELECT ?2, ?3, actor_id, ifnull(?4, content), ifnull(?5, content_hash),
               CASE WHEN ?4 IS NULL THEN modality ELSE 'text' END, ?6, title,
               scope, classification_confidence, classifier_id, record_kind, importance, trust_level,
               iif(tier = 'cold', 'warm', tier),
               expires_at, occurred_at, source_type,
               CASE WHEN ?6 IS NOT NULL THEN ?6 WHEN primary_artifact_id IS NULL THEN artifact_ref END,
               confidence_label, last_confirmed_at, valid_from, ?7,
               (SELECT iif(?6 IS NULL AND {UNTOLD}, json_object('untold', 1), '{{}}') FROM memories m
                LEFT JOIN artifacts f ON f.id = m.primary_artifact_id WHERE m.id = ?1)
             FROM memories WHERE id = ?1"
        ))?
        .execute(params![
            source.as_str(),
            id,
            target.as_str(),
            copied.words.map(|(words, _)| words),
            copied.words.map(|(_, hash)| hash),
            artifact,
            now
        ])?;
    if artifact.is_some() {
        connection
            .prepare_cached(
                "INSERT INTO memory_artifact_links (id, space_id, memory_id, artifact_id, role, created_at)
                 VALUES (?1, ?2, ?3, ?4, 'primary', ?5)",
            )?
            .execute(params![new_id(now), target.as_str(), id, artifact, now])?;
    }
    Ok(MemoryId::parse(id)?)
}

/// Copies what a person decided to leave as it is in a text, so that it is not asked about anew. `column` is that of the
/// text in `redaction_findings`.
///
/// # Errors
/// SQLite's.
pub fn decided_findings(
    connection: &Connection,
    column: &'static str,
    (from, to): (&str, &str),
    target: &SpaceId,
    now: EpochMs,
) -> StoreResult<()> {
    let found: Vec<i64> = connection
        .prepare_cached(&format!("SELECT rid FROM redaction_findings WHERE {column} = ?1 AND status = 'dismissed'"))?
        .query_map([from], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut copy = connection.prepare_cached(&format!(
        "INSERT INTO redaction_findings (id, space_id, {column}, start_offset, end_offset, finding_kind, detector_id,
           detector_version, confidence, status, decided_by, decided_at, created_at)
         SELECT ?2, ?3, ?4, start_offset, end_offset, finding_kind, detector_id, detector_version, confidence, status,
           decided_by, decided_at, ?5 FROM redaction_findings WHERE rid = ?1"
    ))?;
    for rid in found {
        copy.execute(params![rid, new_id(now), target.as_str(), to, now])?;
    }
    Ok(())
}
