//! The envelope columns of `memories`: how sure one is, when it was last confirmed, and what nobody confirmed for long.

use crate::StoreResult;
use crate::ids::new_id;
use crate::rejected::{Said, tell_map};
use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value};
use um_model::envelope::{ConfidenceLabel, Envelope, MemoryLayer, RecordKind};
use um_model::{EpochMs, EventId, MemoryId, SpaceId};

/// What is told of a memory beside its words when it is kept.
#[derive(Debug, Clone)]
pub struct NewEnvelope {
    /// Raw or distilled.
    pub layer: MemoryLayer,
    /// Where it came from; the file's id of one that stands for a file.
    pub artifact_ref: Option<String>,
    /// How sure it is.
    pub confidence_label: ConfidenceLabel,
    /// What it records.
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters.
    pub importance: f64,
    /// The event that it is promoted from.
    pub event: Option<EventId>,
    /// What goes with it.
    pub metadata: Map<String, Value>,
}

impl Default for NewEnvelope {
    /// That of a memory of which nothing is told.
    fn default() -> Self {
        Self {
            layer: MemoryLayer::default(),
            artifact_ref: None,
            confidence_label: ConfidenceLabel::default(),
            record_kind: None,
            importance: 0.5,
            event: None,
            metadata: Map::new(),
        }
    }
}

impl NewEnvelope {
    /// Tells all of its content.
    pub(crate) fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.artifact_ref.iter().for_each(|words| tell(Said::Name(words)));
        tell_map(&self.metadata, tell);
    }

    /// `memories.sources`
    pub(crate) fn sources(&self) -> StoreResult<String> {
        let sources: Vec<Value> = self.event.iter().map(|event| serde_json::json!({ "event": event })).collect();
        Ok(serde_json::to_string(&sources)?)
    }
}

/// The columns that an envelope is read from, of a memory `m`.
pub(crate) const COLUMNS: &str = "m.layer, m.scope, m.owner, m.artifact_ref, m.session_id, m.confidence_label,
    m.last_confirmed_at, m.record_kind, m.importance";

/// The envelope of a row whose [`COLUMNS`] begin there.
pub(crate) fn envelope(row: &Row<'_>, from: usize) -> StoreResult<Envelope> {
    let text = |at: usize| row.get::<_, String>(from + at);
    Ok(Envelope {
        layer: text(0)?.parse()?,
        scope: text(1)?.parse()?,
        owner: row.get(from + 2)?,
        artifact_ref: row.get(from + 3)?,
        session_id: row.get(from + 4)?,
        confidence_label: text(5)?.parse()?,
        last_confirmed_at: row.get(from + 6)?,
        // The column takes any word; one that is not known says nothing.
        record_kind: row.get::<_, Option<String>>(from + 7)?.and_then(|word| word.parse().ok()),
        importance: row.get(from + 8)?,
    })
}

/// Keeps how sure a memory is, as somebody said it now.
///
/// # Errors
/// SQLite's.
pub fn confirm(connection: &Connection, id: &MemoryId, label: ConfidenceLabel, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET confidence_label = ?2, last_confirmed_at = ?3 WHERE id = ?1")?
        .execute(params![id.as_str(), label.as_str(), now])?;
    Ok(())
}

/// Keeps that a memory was said again. What the person verified was last confirmed by them.
///
/// # Errors
/// SQLite's.
pub fn seen_again(connection: &Connection, id: &MemoryId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET last_confirmed_at = ?2 WHERE id = ?1 AND confidence_label <> 'verified'")?
        .execute(params![id.as_str(), now])?;
    Ok(())
}

/// Before which time what was not confirmed is stale.
#[derive(Debug, Clone)]
pub struct Cutoffs {
    /// Where a space says nothing.
    pub usual: EpochMs,
    /// Of spaces that say it themselves.
    pub own: Vec<(SpaceId, EpochMs)>,
}

/// An observed memory that nobody confirmed for long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The memory.
    pub id: MemoryId,
    /// Its space.
    pub space: SpaceId,
    /// When it was last confirmed, or recorded.
    pub seen_at: EpochMs,
}

/// The statement that reads them: ?1 from when on, ?2 before when at the latest, ?3 and ?4 the cutoffs, ?5 how many. The
/// expression of the index stands in it literally, else it is not taken.
pub const UNSEEN: &str =
    "SELECT id, space_id, ifnull(last_confirmed_at, created_at) FROM memories INDEXED BY idx_memories_unseen
    WHERE ifnull(last_confirmed_at, created_at) >= ?1 AND ifnull(last_confirmed_at, created_at) < ?2
      AND confidence_label = 'observed' AND status = 'active' AND is_redacted = 0
      AND ifnull(last_confirmed_at, created_at) < ifnull((SELECT value FROM json_each(?3) WHERE key = space_id), ?4)
    ORDER BY ifnull(last_confirmed_at, created_at) LIMIT ?5";

/// Observed memories that nobody confirmed for long, the longest first, from a time on: `limit` at most.
///
/// # Errors
/// SQLite's.
pub fn unseen(connection: &Connection, cutoffs: &Cutoffs, from: EpochMs, limit: u32) -> StoreResult<Vec<Unseen>> {
    let latest = cutoffs.own.iter().map(|(_, at)| *at).chain([cutoffs.usual]).max().unwrap_or(cutoffs.usual);
    let own: Map<String, Value> = cutoffs.own.iter().map(|(space, at)| (space.to_string(), Value::from(*at))).collect();
    connection
        .prepare_cached(UNSEEN)?
        .query_and_then(params![from, latest, serde_json::to_string(&own)?, cutoffs.usual, limit], |row| {
            Ok(Unseen {
                id: MemoryId::parse(row.get::<_, String>(0)?)?,
                space: SpaceId::parse(row.get::<_, String>(1)?)?,
                seen_at: row.get(2)?,
            })
        })?
        .collect()
}

/// Says of memories that they are stale.
///
/// # Errors
/// SQLite's.
pub fn set_stale(connection: &Connection, ids: &[MemoryId]) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE memories SET confidence_label = 'stale' WHERE id IN (SELECT value FROM json_each(?1))")?
        .execute([serde_json::to_string(ids)?])?;
    Ok(())
}

/// Keeps that a look for stale memories was made, and how many it found (`maintenance_runs`).
///
/// # Errors
/// SQLite's.
pub fn looked(connection: &Connection, staled: u64, spaces: u64, (from, to): (EpochMs, EpochMs)) -> StoreResult<()> {
    let report = serde_json::json!({ "memories": staled, "spaces": spaces }).to_string();
    connection
        .prepare_cached(
            "INSERT INTO maintenance_runs (id, task, status, applied, report, started_at, finished_at)
             VALUES (?1, 'staleness', 'done', 1, ?2, ?3, ?4)",
        )?
        .execute(params![new_id(to), report, from, to])?;
    Ok(())
}
