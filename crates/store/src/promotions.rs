//! `promotion_requests`: what is asked for, and which copies were made of what.

mod copies;
mod files;

pub use copies::{Copied, copy_memory, decided_findings};
pub use files::{copy_file, copy_reading};

use crate::rejected::{Checked, Remark, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use um_model::promote::{PromotedKind, Promotion, PromotionStatus};
use um_model::{AgentId, EpochMs, MemoryId, PromotionId, SpaceId};

/// Which copies were made, by table: each source's id with that of its copy.
pub type Lineage = BTreeMap<&'static str, BTreeMap<String, String>>;

/// Keeps which copy was made of what.
pub fn led(lineage: &mut Lineage, table: &'static str, source: &str, copy: &str) {
    lineage.entry(table).or_default().insert(source.to_owned(), copy.to_owned());
}

const COLUMNS: &str = "p.id, p.object_type, p.object_id, p.source_space_id, p.target_space_id, p.status, p.requested_by,
  asker.name, p.requested_at, p.notes, p.reviewed_by, reviewer.name, p.reviewed_at, p.review_notes, p.promoted_object_id,
  p.asked_hmac,
  CASE p.object_type
    WHEN 'memory' THEN (SELECT coalesce(title, substr(content, 1, 200)) FROM memories WHERE id = p.object_id)
    WHEN 'claim' THEN (SELECT statement FROM claims WHERE id = p.object_id)
    WHEN 'entity' THEN (SELECT name FROM entities WHERE id = p.object_id)
    ELSE (SELECT original_filename FROM artifacts WHERE id = p.object_id) END";

const FROM: &str = "promotion_requests p JOIN agents asker ON asker.id = p.requested_by
  LEFT JOIN agents reviewer ON reviewer.id = p.reviewed_by";

/// A row of `promotion_requests`. The paths of its spaces are left to whoever knows all spaces.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The request.
    pub promotion: Promotion,
    /// A keyed hash of what the object said when it was asked for.
    pub asked: Option<String>,
}

fn stored(row: &Row<'_>) -> StoreResult<Stored> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Stored {
        promotion: Promotion {
            id: PromotionId::parse(text(0)?)?,
            kind: text(1)?.parse()?,
            object_id: text(2)?,
            title: row.get::<_, Option<String>>(16)?.unwrap_or_default(),
            space_id: SpaceId::parse(text(3)?)?,
            space: String::new(),
            target_space_id: SpaceId::parse(text(4)?)?,
            target_space: String::new(),
            status: text(5)?.parse()?,
            requested_by: AgentId::parse(text(6)?)?,
            requested_by_name: text(7)?,
            requested_at: row.get(8)?,
            notes: row.get(9)?,
            reviewed_by: row.get::<_, Option<String>>(10)?.map(AgentId::parse).transpose()?,
            reviewed_by_name: row.get(11)?,
            reviewed_at: row.get(12)?,
            review_notes: row.get(13)?,
            promoted_id: row.get(14)?,
        },
        asked: row.get(15)?,
    })
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct NewRequest<'a> {
    /// What it is.
    pub kind: PromotedKind,
    /// Its id.
    pub object: &'a str,
    /// The space that it is in.
    pub source: &'a SpaceId,
    /// The space that the copy is for.
    pub target: &'a SpaceId,
    /// Who asks.
    pub by: &'a AgentId,
    /// Why.
    pub notes: Option<&'a str>,
    /// A keyed hash of what it says.
    pub asked: &'a str,
}

impl Says for NewRequest<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.notes.iter().for_each(|notes| tell(Said::Text(notes)));
    }
}

/// Keeps a request.
///
/// # Errors
/// One that is pending for the same; an object that is not in its space; SQLite's.
pub fn insert(connection: &Connection, new: &Checked<NewRequest<'_>>, now: EpochMs) -> StoreResult<PromotionId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by,
               requested_at, notes, asked_hmac) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            id,
            new.kind.as_str(),
            new.object,
            new.source.as_str(),
            new.target.as_str(),
            new.by.as_str(),
            now,
            new.notes,
            new.asked
        ])?;
    Ok(PromotionId::parse(id)?)
}

/// The request of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &PromotionId) -> StoreResult<Option<Stored>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM {FROM} WHERE p.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(stored(row)))
        .optional()?
        .transpose()
}

/// The first request that is pending for a copy of an object in a space, of anybody or of that agent.
///
/// # Errors
/// SQLite's.
pub fn pending(
    connection: &Connection,
    kind: PromotedKind,
    object: &str,
    target: &SpaceId,
    by: Option<&AgentId>,
) -> StoreResult<Option<PromotionId>> {
    let id: Option<String> = connection
        .prepare_cached(
            "SELECT id FROM promotion_requests
             WHERE object_type = ?1 AND object_id = ?2 AND target_space_id = ?3 AND status = 'pending'
               AND (?4 IS NULL OR requested_by = ?4)
             ORDER BY rid LIMIT 1",
        )?
        .query_row(params![kind.as_str(), object, target.as_str(), by.map(AgentId::as_str)], |row| row.get(0))
        .optional()?;
    Ok(id.map(PromotionId::parse).transpose()?)
}

/// How many requests of somebody nobody decided yet.
///
/// # Errors
/// SQLite's.
pub fn pending_of(connection: &Connection, agent: &AgentId) -> StoreResult<u64> {
    Ok(connection
        .prepare_cached("SELECT count(*) FROM promotion_requests WHERE requested_by = ?1 AND status = 'pending'")?
        .query_row([agent.as_str()], |row| row.get(0))?)
}

/// The copies of a memory that promotions made and that are not forgotten.
///
/// # Errors
/// SQLite's.
pub fn copies_of(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<MemoryId>> {
    connection
        .prepare_cached(
            "SELECT DISTINCT m.id FROM promotion_requests p JOIN memories m ON m.id = json_extract(p.lineage, ?1)
             WHERE m.is_redacted = 0",
        )?
        .query_and_then([format!("$.memories.\"{memory}\"")], |row| Ok(MemoryId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Whether facts that rest on a memory's words were copied, and rest on their copies' words still.
///
/// # Errors
/// SQLite's.
pub fn is_quoted_elsewhere(connection: &Connection, memory: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM promotion_requests p, json_each(p.lineage, '$.claim_evidence') made
               JOIN claim_evidence source ON source.id = made.key
               JOIN claim_evidence copy ON copy.id = made.value AND copy.is_redacted = 0
             WHERE source.memory_id = ?1 OR source.derived_text_view_id IN (
               SELECT v.id FROM derived_text_views v JOIN memories m ON m.primary_artifact_id = v.artifact_id WHERE m.id = ?1)",
        )?
        .exists([memory.as_str()])?)
}

/// Which requests are wanted.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// In these states.
    pub statuses: Vec<PromotionStatus>,
    /// From or for this space.
    pub space: Option<SpaceId>,
    /// Those that this agent may see; all where nothing is said.
    pub seen_by: Option<SeenBy>,
}

/// What an agent may see: of requests between spaces that it reads, its own and those that it may decide.
#[derive(Debug, Clone)]
pub struct SeenBy {
    /// The agent.
    pub agent: AgentId,
    /// The spaces that it reads.
    pub reads: Vec<SpaceId>,
    /// The spaces that it decides for.
    pub decides: Vec<SpaceId>,
}

impl Wanted {
    fn bound(&self) -> StoreResult<[Option<String>; 5]> {
        let json = |words: Vec<&str>| serde_json::to_string(&words);
        let spaces = |spaces: &[SpaceId]| json(spaces.iter().map(SpaceId::as_str).collect());
        let seen = self.seen_by.as_ref();
        Ok([
            Some(json(self.statuses.iter().map(|status| status.as_str()).collect())?),
            self.space.as_ref().map(|space| space.to_string()),
            seen.map(|seen| seen.agent.to_string()),
            seen.map(|seen| spaces(&seen.reads)).transpose()?,
            seen.map(|seen| spaces(&seen.decides)).transpose()?,
        ])
    }
}

const FITS: &str = "p.status IN (SELECT value FROM json_each(?1))
  AND (?2 IS NULL OR ?2 IN (p.source_space_id, p.target_space_id))
  AND (?3 IS NULL OR (p.source_space_id IN (SELECT value FROM json_each(?4))
    AND p.target_space_id IN (SELECT value FROM json_each(?4))
    AND (p.requested_by = ?3 OR p.target_space_id IN (SELECT value FROM json_each(?5)))))";

/// Requests, the newest first, and how many there are in all.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, wanted: &Wanted, offset: u32, limit: u32) -> StoreResult<(Vec<Stored>, u64)> {
    let [a, b, c, d, e] = wanted.bound()?;
    let found = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM {FROM} WHERE {FITS} ORDER BY p.rid DESC LIMIT ?6 OFFSET ?7"))?
        .query_and_then(params![a, b, c, d, e, limit, offset], stored)?
        .collect::<StoreResult<_>>()?;
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM promotion_requests p WHERE {FITS}"))?
        .query_row(params![a, b, c, d, e], |row| row.get(0))?;
    Ok((found, total))
}

/// Says that a request was rejected.
///
/// # Errors
/// One that was decided; SQLite's.
pub fn reject(
    connection: &Connection,
    id: &PromotionId,
    (by, notes): (&AgentId, &Checked<Remark<'_>>),
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE promotion_requests SET status = 'rejected', reviewed_by = ?2, reviewed_at = ?3, review_notes = ?4
             WHERE id = ?1",
        )?
        .execute(params![id.as_str(), by.as_str(), now, notes.0])?;
    Ok(())
}

/// Says that a request was approved, and which copies were made. Others that wait for the same are approved with it.
///
/// # Errors
/// One that was decided; a copy that is not in the target; SQLite's.
pub fn approve(
    connection: &Connection,
    id: &PromotionId,
    (by, notes): (&AgentId, &Checked<Remark<'_>>),
    (promoted, lineage): (&str, &Lineage),
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE promotion_requests SET status = 'approved', reviewed_by = ?2, reviewed_at = ?3,
               review_notes = iif(id = ?1, ?4, NULL), promoted_object_id = ?5, lineage = ?6
             WHERE id = ?1 OR (status = 'pending' AND (object_type, object_id, target_space_id)
               = (SELECT object_type, object_id, target_space_id FROM promotion_requests WHERE id = ?1))",
        )?
        .execute(params![id.as_str(), by.as_str(), now, notes.0, promoted, serde_json::to_string(lineage)?])?;
    Ok(())
}
