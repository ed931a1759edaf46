//! `memories`.

mod dated;
mod labels;
mod put_away;
mod readers;

pub(crate) use dated::UNTOLD;
pub use dated::{said_at, set_occurred, set_only_modified, tell_occurred};
pub use labels::{Label, rename_key, set_label, set_superseded_by, versions};
pub use put_away::{PutAway, put_away};
pub use readers::{classifier, extractor, read_by_another, set_classification, set_extractor};

use crate::StoreResult;
use crate::envelope::{self, NewEnvelope};
use crate::ids::{has_part, new_id};
use crate::rejected::{Checked, Said, Says};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::ops::RangeInclusive;
use um_model::capture::{Memory, MemoryTold};
use um_model::envelope::{MemoryKind, RecordKind};
use um_model::{AgentId, ArtifactId, EpochMs, MemoryId, MemoryScope, MemoryStatus, SpaceId, Tier};

const COLUMNS: &str = "m.id, m.space_id, m.actor_id, m.content, m.title, m.modality, m.primary_artifact_id, m.metadata,
  m.status, m.tier, m.memory_key, m.superseded_by_id, m.supersedes_id, m.occurred_at, m.created_at,
  m.classification_confidence,
  (SELECT json_group_array(name) FROM (SELECT t.name FROM item_tags i JOIN tags t ON t.id = i.tag_id
     WHERE i.item_type = 'memory' AND i.item_id = m.id ORDER BY t.name)),
  (SELECT json_group_array(to_id) FROM (SELECT r.to_id FROM item_relations r WHERE r.from_type = 'memory'
     AND r.from_id = m.id AND r.to_type = 'event' AND r.relation_type = 'derives' ORDER BY r.rid)),
  (SELECT json_group_array(d.source_memory_id) FROM memory_derivations d WHERE d.derived_memory_id = m.id),
  m.expires_at";
/// Where the columns of the envelope begin.
const ENVELOPE: usize = 20;

fn memory(row: &Row<'_>) -> StoreResult<Memory> {
    let memory_id = |text: Option<String>| text.map(MemoryId::parse).transpose();
    let envelope = envelope::envelope(row, ENVELOPE)?;
    let status = row.get::<_, String>(8)?.parse()?;
    Ok(Memory {
        id: MemoryId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        actor_id: AgentId::parse(row.get::<_, String>(2)?)?,
        content: row.get(3)?,
        title: row.get(4)?,
        modality: row.get(5)?,
        artifact_id: row.get::<_, Option<String>>(6)?.map(ArtifactId::parse).transpose()?,
        scope: envelope.scope,
        classification_confidence: row.get(15)?,
        tags: serde_json::from_str(&row.get::<_, String>(16)?)?,
        status,
        tier: row.get::<_, String>(9)?.parse()?,
        memory_key: row.get(10)?,
        superseded_by_id: memory_id(row.get(11)?)?,
        supersedes_id: memory_id(row.get(12)?)?,
        owner: envelope.owner,
        session_id: envelope.session_id,
        layer: envelope.layer,
        kind: MemoryKind::of(envelope.layer, status),
        artifact_ref: envelope.artifact_ref,
        confidence_label: envelope.confidence_label,
        last_confirmed_at: envelope.last_confirmed_at,
        record_kind: envelope.record_kind,
        importance: envelope.importance,
        metadata: serde_json::from_str(&row.get::<_, String>(7)?)?,
        source_event_ids: serde_json::from_str(&row.get::<_, String>(17)?)?,
        derived_from: serde_json::from_str(&row.get::<_, String>(18)?)?,
        occurred_at: row.get(13)?,
        expires_at: row.get(19)?,
        created_at: row.get(14)?,
    })
}

/// What is known of a memory when it is kept.
#[derive(Debug, Clone)]
pub struct NewMemory {
    /// The space it goes to.
    pub space: SpaceId,
    /// Who gives it.
    pub actor: AgentId,
    /// Its text; `None` where it stands for a file.
    pub content: Option<String>,
    /// Idempotency key within the space.
    pub content_hash: String,
    /// `text`, or its file's modality.
    pub modality: String,
    /// The file it stands for.
    pub artifact: Option<ArtifactId>,
    /// Its title.
    pub title: Option<String>,
    /// What it is about.
    pub scope: MemoryScope,
    /// 0 to 1: how sure the classifier is.
    pub classification_confidence: f64,
    /// Which classifier said so.
    pub classifier_id: String,
    /// `observation` or `user_input`.
    pub source_type: &'static str,
    /// Groups the versions of one thing.
    pub memory_key: Option<String>,
    /// The version before it.
    pub supersedes: Option<MemoryId>,
    /// Envelope: whose it is.
    pub owner: Option<String>,
    /// Envelope: the session it came from.
    pub session: Option<String>,
    /// When it happened.
    pub occurred_at: Option<EpochMs>,
    /// The rest of its envelope.
    pub envelope: NewEnvelope,
}

impl Says for NewMemory {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.content.iter().for_each(|words| tell(Said::Text(words)));
        let labels = [&self.title, &self.memory_key, &self.owner, &self.session];
        labels.into_iter().flatten().for_each(|label| tell(Said::Name(label)));
        self.envelope.says(tell);
    }
}

/// Adds a memory, with the link to its file.
///
/// It is so since it happened (valid time); what is only to come is kept as so since it is known, and left out as of the days before it
/// comes. A file that tells only later when it was made is so since then, where it took nothing's place. Gives its rid as well.
///
/// # Errors
/// A duplicate of (space, content hash) or of an active key; SQLite's.
pub fn insert(connection: &Connection, new: &Checked<NewMemory>, now: EpochMs) -> StoreResult<(MemoryId, i64)> {
    let id = new_id(now);
    let rid = connection
        .prepare_cached(
            "INSERT INTO memories (id, space_id, actor_id, content, content_hash, modality, primary_artifact_id, title,
               scope, classification_confidence, classifier_id, source_type, memory_key, supersedes_id, owner,
               session_id, occurred_at, artifact_ref, layer, confidence_label, last_confirmed_at, record_kind, importance,
               sources, metadata, valid_from, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?20, ?21,
               iif(?21 = 'verified', ?19, NULL), ?22, ?23, ?24, ?25, min(ifnull(?17, ?19), ?19), ?19)",
        )?
        .insert(params![
            id,
            new.space.as_str(),
            new.actor.as_str(),
            new.content,
            new.content_hash,
            new.modality,
            new.artifact.as_ref().map(ArtifactId::as_str),
            new.title,
            new.scope.as_str(),
            new.classification_confidence,
            new.classifier_id,
            new.source_type,
            new.memory_key,
            new.supersedes.as_ref().map(MemoryId::as_str),
            new.owner,
            new.session,
            new.occurred_at,
            new.envelope.artifact_ref.as_deref().or(new.artifact.as_ref().map(ArtifactId::as_str)),
            now,
            new.envelope.layer.as_str(),
            new.envelope.confidence_label.as_str(),
            new.envelope.record_kind.map(RecordKind::as_str),
            new.envelope.importance,
            new.envelope.sources()?,
            serde_json::to_string(&new.envelope.metadata)?
        ])?;
    if let Some(artifact) = &new.artifact {
        connection
            .prepare_cached(
                "INSERT INTO memory_artifact_links (id, space_id, memory_id, artifact_id, role, created_at)
                 VALUES (?1, ?2, ?3, ?4, 'primary', ?5)",
            )?
            .execute(params![new_id(now), new.space.as_str(), id, artifact.as_str(), now])?;
    }
    Ok((MemoryId::parse(id)?, rid))
}

fn one(connection: &Connection, condition: &str, params: impl rusqlite::Params) -> StoreResult<Option<Memory>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS}, {} FROM memories m WHERE {condition}", envelope::COLUMNS))?
        .query_row(params, |row| Ok(memory(row)))
        .optional()?
        .transpose()
}

/// The memory of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &MemoryId) -> StoreResult<Option<Memory>> {
    one(connection, "m.id = ?1", [id.as_str()])
}

/// What those of these memories are called that are not removed: their titles, or the words of those that have none.
///
/// # Errors
/// SQLite's.
pub fn called(connection: &Connection, ids: &[&MemoryId]) -> StoreResult<Vec<(MemoryId, Called)>> {
    let ids = serde_json::to_string(&ids.iter().map(|id| id.as_str()).collect::<Vec<_>>())?;
    connection
        .prepare_cached(CALLED)?
        .query_and_then([ids], |row| {
            let called = match row.get(1)? {
                Some(title) => Called::Title(title),
                None => Called::Words(row.get::<_, Option<String>>(2)?.unwrap_or_default()),
            };
            Ok((MemoryId::parse(row.get::<_, String>(0)?)?, called))
        })?
        .collect()
}

const CALLED: &str = "SELECT m.id, m.title, iif(m.title IS NULL, m.content, NULL)
     FROM json_each(?1) wanted CROSS JOIN memories m ON m.id = wanted.value WHERE m.status <> 'deleted'";

/// By what a memory is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// Its title.
    Title(String),
    /// All its words, as it has no title.
    Words(String),
}

/// What became of the memories of those ids that lie in these spaces, in the order of the ids.
///
/// # Errors
/// SQLite's.
pub fn told(connection: &Connection, spaces: &[SpaceId], ids: &[MemoryId]) -> StoreResult<Vec<MemoryTold>> {
    let ids = serde_json::to_string(&ids.iter().map(MemoryId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "SELECT m.id, m.status, m.tier FROM json_each(?1) wanted CROSS JOIN memories m ON m.id = wanted.value
             WHERE +m.space_id IN (SELECT value FROM json_each(?2)) ORDER BY wanted.key",
        )?
        .query_and_then(params![ids, crate::filter::ids(spaces)?], |row| -> StoreResult<MemoryTold> {
            Ok(MemoryTold {
                id: MemoryId::parse(row.get::<_, String>(0)?)?,
                status: row.get::<_, String>(1)?.parse()?,
                tier: row.get::<_, String>(2)?.parse()?,
            })
        })?
        .collect()
}

/// The memories in these spaces whose ids begin or end so, or those of the files that they stand for; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_part(connection: &Connection, spaces: &[SpaceId], part: &str, limit: u32) -> StoreResult<Vec<Memory>> {
    let spaces = crate::filter::ids(spaces)?;
    connection.prepare_cached(&of_part())?.query_and_then(params![spaces, part, limit], memory)?.collect()
}

/// Finds them: of all that was brought in within one minute, whose ids begin alike, only those are read that are given.
fn of_part() -> String {
    format!(
        "SELECT {COLUMNS}, {} FROM memories m WHERE m.id IN (SELECT b.id FROM memories b WHERE ({} OR {})
             AND b.is_redacted = 0 AND +b.space_id IN (SELECT value FROM json_each(?1)) ORDER BY b.id LIMIT ?3)
         ORDER BY m.id",
        envelope::COLUMNS,
        has_part("b.id", "memories"),
        has_part("b.primary_artifact_id", "artifacts")
    )
}

/// Whether these spaces keep any memory, in whatever state, whose words are there.
///
/// # Errors
/// SQLite's.
pub fn any(connection: &Connection, spaces: &[SpaceId]) -> StoreResult<bool> {
    let mut kept =
        connection.prepare_cached("SELECT 1 FROM memories WHERE space_id = ?1 AND is_redacted = 0 LIMIT 1")?;
    for space in spaces {
        if kept.exists([space.as_str()])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// By when the first memory of these spaces is dated, and when the first was kept, of those that can be found as of any time; nothing
/// where there is none.
///
/// # Errors
/// SQLite's.
pub fn earliest(connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Option<(EpochMs, EpochMs)>> {
    // One step in an index for each space and state; of what was kept, what was taken out since is passed over.
    let mut dated = connection.prepare_cached(
        "SELECT ifnull(occurred_at, created_at) FROM memories INDEXED BY idx_memories_when
         WHERE space_id = ?1 AND status = ?2 AND is_redacted = 0 ORDER BY ifnull(occurred_at, created_at) LIMIT 1",
    )?;
    let mut kept = connection.prepare_cached(
        "SELECT created_at FROM memories INDEXED BY idx_memories_space_created
         WHERE space_id = ?1 AND status NOT IN ('retracted', 'deleted') AND is_redacted = 0 ORDER BY created_at LIMIT 1",
    )?;
    let was_so = |status: &&MemoryStatus| !matches!(status, MemoryStatus::Retracted | MemoryStatus::Deleted);
    let mut first: Option<(EpochMs, EpochMs)> = None;
    for space in spaces {
        let Some(kept) = kept.query_row([space.as_str()], |row| row.get::<_, EpochMs>(0)).optional()? else { continue };
        // What is only to come is so since it was kept.
        let mut earliest = (kept, kept);
        for status in MemoryStatus::ALL.iter().filter(was_so) {
            let at = dated.query_row([space.as_str(), status.as_str()], |row| row.get::<_, EpochMs>(0)).optional()?;
            earliest.0 = at.map_or(earliest.0, |at| at.min(earliest.0));
        }
        first = Some(first.map_or(earliest, |(dated, kept)| (dated.min(earliest.0), kept.min(earliest.1))));
    }
    Ok(first)
}

/// The space's memory with that hash, whatever its state.
///
/// # Errors
/// SQLite's.
pub fn by_hash(connection: &Connection, space: &SpaceId, hash: &str) -> StoreResult<Option<Memory>> {
    one(connection, "m.space_id = ?1 AND m.content_hash = ?2", [space.as_str(), hash])
}

/// The space's active memory with that key.
///
/// # Errors
/// SQLite's.
pub fn active_by_key(connection: &Connection, space: &SpaceId, key: &str) -> StoreResult<Option<Memory>> {
    one(connection, "m.space_id = ?1 AND m.memory_key = ?2 AND m.status = 'active'", [space.as_str(), key])
}

/// Whether claims may be read from a memory: it is in use, distilled, and no consolidation (spine 6.2, ruling 32).
///
/// # Errors
/// SQLite's.
pub fn carries_claims(connection: &Connection, id: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM memories WHERE id = ?1 AND status = 'active' AND layer = 'distilled' AND is_redacted = 0
               AND source_type <> 'consolidation'",
        )?
        .exists([id.as_str()])?)
}

/// Whether what a memory said was destroyed.
///
/// # Errors
/// SQLite's; no such memory.
pub fn is_redacted(connection: &Connection, id: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT is_redacted FROM memories WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))?)
}

/// The memory that stands for a file.
///
/// # Errors
/// SQLite's.
pub fn by_artifact(connection: &Connection, artifact: &ArtifactId) -> StoreResult<Option<Memory>> {
    one(connection, "m.primary_artifact_id = ?1", [artifact.as_str()])
}

/// Moves a memory to another state; the schema refuses what ruling 26 does not allow.
///
/// # Errors
/// A refusal; SQLite's.
pub fn set_status(connection: &Connection, id: &MemoryId, to: MemoryStatus, now: EpochMs) -> StoreResult<()> {
    let ends = (to != MemoryStatus::Active).then_some(now);
    connection
        .prepare_cached(
            "UPDATE memories SET status = ?2, status_changed_at = ?3,
               valid_to = CASE WHEN ?4 IS NULL THEN NULL ELSE max(?4, valid_from) END WHERE id = ?1",
        )?
        .execute(params![id.as_str(), to.as_str(), now, ends])?;
    Ok(())
}

/// Takes a memory that another one stands in the place of out of use: it was so `until` then, whenever that is noticed.
///
/// # Errors
/// A refusal; SQLite's.
pub fn supersede(connection: &Connection, id: &MemoryId, until: EpochMs, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE memories SET status = 'superseded', status_changed_at = ?3, valid_to = max(?2, valid_from)
             WHERE id = ?1",
        )?
        .execute(params![id.as_str(), until, now])?;
    Ok(())
}

/// Says of which tier a memory is. That its units stand in the indexes or not is whoever calls to see to.
///
/// # Errors
/// SQLite's.
pub fn set_tier(connection: &Connection, id: &MemoryId, tier: Tier) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET tier = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), tier.as_str()])?;
    Ok(())
}

/// The first notes of a space with one of these rids, at most `limit`, without those that were removed or forgotten.
///
/// # Errors
/// SQLite's.
pub fn among(
    connection: &Connection,
    space: &SpaceId,
    rids: &RangeInclusive<i64>,
    limit: usize,
) -> StoreResult<Vec<(i64, MemoryId)>> {
    // With the plus the rids are gone through, and not all that the space has.
    connection
        .prepare_cached(
            "SELECT rid, id FROM memories WHERE rid BETWEEN ?1 AND ?2 AND +space_id = ?3 AND primary_artifact_id IS NULL
               AND status <> 'deleted' AND is_redacted = 0 ORDER BY rid LIMIT ?4",
        )?
        .query_and_then(params![rids.start(), rids.end(), space.as_str(), limit as i64], |row| {
            Ok((row.get(0)?, MemoryId::parse(row.get::<_, String>(1)?)?))
        })?
        .collect()
}

/// How many notes [`among`] would give of the first `most` memories there, whatever space these are of; and whether there may be more.
///
/// # Errors
/// SQLite's.
pub fn count_among(c: &Connection, space: &SpaceId, of: &RangeInclusive<i64>, most: i64) -> StoreResult<(u64, bool)> {
    Ok(c.prepare_cached(
        "SELECT count(*) FILTER (WHERE space_id = ?3 AND primary_artifact_id IS NULL AND status <> 'deleted' AND is_redacted = 0),
           count(*) = ?4 FROM (SELECT space_id, primary_artifact_id, status, is_redacted FROM memories
             WHERE rid BETWEEN ?1 AND ?2 ORDER BY rid LIMIT ?4)",
    )?
    .query_row(params![of.start(), of.end(), space.as_str(), most], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn what_memories_are_called_is_looked_up_by_their_ids() {
        let plan = plan(&migrated(), CALLED);
        assert!(plan.contains("SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)"), "{plan}");
    }

    #[test]
    fn memories_are_looked_up_by_a_part_of_their_ids_before_they_are_read() {
        let plan = plan(&migrated(), &of_part());
        for step in [
            "SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)",
            "SEARCH b USING INDEX sqlite_autoindex_memories_1 (id>? AND id<?)",
            "SEARCH b USING INDEX idx_memories_artifact (primary_artifact_id>? AND primary_artifact_id<?)",
        ] {
            assert!(plan.contains(step), "{step}: {plan}");
        }
    }
}
