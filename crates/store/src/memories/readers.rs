//! By which classifier and which reader of claims memories were read.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{MemoryId, MemoryScope, SpaceId};

/// Says what a memory is about, by this classifier.
///
/// # Errors
/// SQLite's.
pub fn set_classification(
    connection: &Connection,
    id: &MemoryId,
    scope: MemoryScope,
    confidence: f64,
    classifier: &str,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE memories SET scope = ?2, classification_confidence = ?3, classifier_id = ?4 WHERE id = ?1",
        )?
        .execute(params![id.as_str(), scope.as_str(), confidence, classifier])?;
    Ok(())
}

/// Which classifier said what a memory is about.
///
/// # Errors
/// SQLite's.
pub fn classifier(connection: &Connection, id: &MemoryId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT classifier_id FROM memories WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten())
}

/// By which reader, and which version of it, a memory's claims were last read.
///
/// # Errors
/// SQLite's.
pub fn extractor(connection: &Connection, id: &MemoryId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT extractor_id FROM memories WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten())
}

/// Says by which reader a memory's claims were read.
///
/// # Errors
/// SQLite's.
pub fn set_extractor(connection: &Connection, id: &MemoryId, extractor: &str) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET extractor_id = ?2 WHERE id = ?1 AND extractor_id IS NOT ?2")?
        .execute(params![id.as_str(), extractor])?;
    Ok(())
}

/// A memory in use whose claims were read by another version of the reader than this one, and that no job reads anew.
///
/// # Errors
/// SQLite's.
pub fn read_by_another(connection: &Connection, extractor: &str) -> StoreResult<Option<(MemoryId, SpaceId)>> {
    let of = |condition: &str| {
        format!(
            "SELECT id, space_id FROM memories m WHERE m.extractor_id {condition} ?1 AND m.status = 'active'
               AND m.is_redacted = 0
               AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject_type = 'memory' AND j.subject_id = m.id
                                 AND j.kind = 'extract')"
        )
    };
    // Two ranges of one index; `<>` would go through all memories.
    connection
        .prepare_cached(&format!("{} UNION ALL {} LIMIT 1", of("<"), of(">")))?
        .query_row([extractor], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .optional()?
        .map(|(id, space)| Ok((MemoryId::parse(id)?, SpaceId::parse(space)?)))
        .transpose()
}
