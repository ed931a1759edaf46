//! `redaction_findings`: personal and secret data that detectors found or a person marked. Where it stands, never its
//! words.
//!
//! Whoever blacks something out takes those of status `accepted` ([`list`]): the words of a [`Spot::Words`], and of a
//! [`Spot::Region`] the region itself with the words that stand in it, if any. When that is done, [`decide`] makes them
//! `applied`.

mod looking;

pub use looking::{
    Earlier, Looked, Versions, any_unlooked, earlier, end, looked_at_by, marked_elsewhere, open_of_file, open_within,
    pending_in, record, regions_read, unlooked, within,
};

use crate::parts::Text;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter, types::Value};
use std::collections::BTreeMap;
use um_model::findings::{FindingKind, FindingStatus, Region};
use um_model::{AgentId, ArtifactId, EpochMs, FindingId, MemoryId, SpaceId, Utf16Span, ViewId, ViewType};

/// The detector of what a person marked.
pub const PERSON: &str = "person";

/// Where a finding is.
#[derive(Debug, Clone, PartialEq)]
pub enum Spot {
    /// Words of a text.
    Words(Text, Utf16Span),
    /// A part of a file: of a page or a recording.
    Region(ArtifactId, Region),
}

/// A finding, with what its source is.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its id.
    pub id: FindingId,
    /// Its space.
    pub space: SpaceId,
    /// Where it is.
    pub spot: Spot,
    /// What it is.
    pub kind: FindingKind,
    /// What became of it.
    pub status: FindingStatus,
    /// Which detector saw it; [`PERSON`] where a person marked it.
    pub detector: String,
    /// Which version of the detectors.
    pub version: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Who decided.
    pub decided_by: Option<AgentId>,
    /// When.
    pub decided_at: Option<EpochMs>,
    /// When it was found.
    pub created_at: EpochMs,
    /// The memory that it is in.
    pub memory: MemoryId,
    /// That memory's file.
    pub artifact: Option<ArtifactId>,
    /// The memory's title: a file's name.
    pub title: Option<String>,
    /// What the source is.
    pub modality: String,
    /// How the text came about.
    pub view_type: Option<ViewType>,
    /// How sure the reader was.
    pub quality: f64,
    /// Who brought it in.
    pub actor_name: String,
    /// When it happened.
    pub occurred_at: Option<EpochMs>,
    /// When it was recorded.
    pub recorded_at: EpochMs,
    /// The memory's state.
    pub memory_status: um_model::MemoryStatus,
    /// Whether its text was blacked out.
    pub redacted: bool,
}

/// Which findings are wanted.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of these spaces.
    pub spaces: Vec<SpaceId>,
    /// In these states; in any where empty.
    pub statuses: Vec<FindingStatus>,
    /// Of these kinds; of any where empty.
    pub kinds: Vec<FindingKind>,
    /// Only of this memory, in the order of its pages and words. Else only of memories in use.
    pub memory: Option<MemoryId>,
    /// Only where nothing but names waits (`true`), or only where more does (`false`).
    pub names_only: Option<bool>,
}

const COLUMNS: &str =
    "f.id, f.space_id, f.memory_id, f.text_view_id, f.artifact_id, f.start_offset, f.end_offset, f.place,
  f.finding_kind, f.status, f.detector_id, f.detector_version, f.confidence, f.decided_by, f.decided_at, f.created_at,
  m.id, m.primary_artifact_id, ifnull(m.title, a.original_filename), ifnull(a.modality, m.modality), v.view_type,
  ifnull(v.quality, 1.0), g.name, m.occurred_at, m.created_at, m.status,
  m.is_redacted OR ifnull(v.is_redacted, 0) OR ifnull(a.is_redacted, 0)";

pub(crate) const FROM: &str = "redaction_findings f
  LEFT JOIN derived_text_views v ON v.id = f.text_view_id
  CROSS JOIN memories m ON m.id = ifnull(f.memory_id, (SELECT p.id FROM memories p
    WHERE p.primary_artifact_id = ifnull(v.artifact_id, f.artifact_id) ORDER BY p.rid LIMIT 1))
  LEFT JOIN artifacts a ON a.id = m.primary_artifact_id
  JOIN agents g ON g.id = m.actor_id";

fn found(row: &Row<'_>) -> StoreResult<Found> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let words = |of| -> StoreResult<Spot> { Ok(Spot::Words(of, Utf16Span::new(row.get(5)?, row.get(6)?))) };
    let spot = match (text(2)?, text(3)?) {
        (Some(memory), _) => words(Text::Memory(MemoryId::parse(memory)?))?,
        (None, Some(view)) => words(Text::View(ViewId::parse(view)?))?,
        (None, None) => {
            let region = serde_json::from_str(&row.get::<_, String>(7)?)?;
            Spot::Region(ArtifactId::parse(row.get::<_, String>(4)?)?, region)
        }
    };
    Ok(Found {
        id: FindingId::parse(row.get::<_, String>(0)?)?,
        space: SpaceId::parse(row.get::<_, String>(1)?)?,
        spot,
        kind: row.get::<_, String>(8)?.parse()?,
        status: row.get::<_, String>(9)?.parse()?,
        detector: row.get(10)?,
        version: row.get(11)?,
        confidence: row.get(12)?,
        decided_by: text(13)?.map(AgentId::parse).transpose()?,
        decided_at: row.get(14)?,
        created_at: row.get(15)?,
        memory: MemoryId::parse(row.get::<_, String>(16)?)?,
        artifact: text(17)?.map(ArtifactId::parse).transpose()?,
        title: text(18)?,
        modality: row.get(19)?,
        view_type: text(20)?.map(|word| word.parse()).transpose()?,
        quality: row.get(21)?,
        actor_name: row.get(22)?,
        occurred_at: row.get(23)?,
        recorded_at: row.get(24)?,
        memory_status: row.get::<_, String>(25)?.parse()?,
        redacted: row.get(26)?,
    })
}

impl Wanted {
    /// The condition, and what is bound to it: `?1` on.
    fn condition(&self, of_any_kind: bool) -> StoreResult<(String, Vec<Value>)> {
        let words = |words: Vec<&str>| -> StoreResult<Value> { Ok(Value::Text(serde_json::to_string(&words)?)) };
        let statuses = if self.statuses.is_empty() { FindingStatus::ALL } else { &self.statuses };
        let mut bound = vec![
            words(self.spaces.iter().map(SpaceId::as_str).collect())?,
            words(statuses.iter().map(|status| status.as_str()).collect())?,
        ];
        // A view that another one replaced is no longer asked about.
        let mut condition = "f.space_id IN (SELECT value FROM json_each(?1))
            AND f.status IN (SELECT value FROM json_each(?2))
            AND (v.id IS NULL OR v.status = 'active' OR f.status <> 'pending')"
            .to_owned();
        match &self.memory {
            Some(memory) => {
                bound.push(Value::Text(memory.to_string()));
                // By the index of each owner; those of spaces and states are of no use here.
                condition = condition.replacen("f.space_id", "+f.space_id", 1).replacen("f.status", "+f.status", 1);
                condition += &format!(
                    " AND f.rid IN (SELECT rid FROM redaction_findings WHERE memory_id = ?3
                      UNION ALL SELECT o.rid FROM derived_text_views w JOIN redaction_findings o ON o.text_view_id = w.id
                        WHERE w.artifact_id = {FILE}
                      UNION ALL SELECT rid FROM redaction_findings WHERE artifact_id = {FILE})"
                );
            }
            None => condition += " AND m.status = 'active'",
        }
        if let Some(only) = self.names_only {
            condition += &format!(" AND {} ({MORE_THAN_NAMES})", if only { "NOT EXISTS" } else { "EXISTS" });
        }
        if !of_any_kind && !self.kinds.is_empty() {
            bound.push(words(self.kinds.iter().map(|kind| kind.as_str()).collect())?);
            condition += &format!(" AND f.finding_kind IN (SELECT value FROM json_each(?{}))", bound.len());
        }
        Ok((condition, bound))
    }
}

/// What waits in the memory `m` and is no name that nobody decided. `a` is its file.
const MORE_THAN_NAMES: &str =
    "SELECT 1 FROM redaction_findings o LEFT JOIN derived_text_views w ON w.id = o.text_view_id
    WHERE o.rid IN (SELECT rid FROM redaction_findings WHERE memory_id = m.id
        UNION ALL SELECT i.rid FROM derived_text_views x JOIN redaction_findings i ON i.text_view_id = x.id
          WHERE x.artifact_id = a.id
        UNION ALL SELECT rid FROM redaction_findings WHERE artifact_id = a.id)
      AND ((o.status = 'pending' AND o.finding_kind <> 'person' AND (w.id IS NULL OR w.status = 'active'))
        OR o.status = 'accepted')";

/// The file of the memory `?3`.
const FILE: &str = "(SELECT primary_artifact_id FROM memories WHERE id = ?3)";

/// Findings, in the order in which they were found; those of one memory in the order of its pages and words.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, wanted: &Wanted, offset: u32, limit: u32) -> StoreResult<Vec<Found>> {
    let (condition, mut bound) = wanted.condition(false)?;
    bound.extend([Value::Integer(limit.into()), Value::Integer(offset.into())]);
    let order = if wanted.memory.is_some() {
        "ifnull(v.ordinal, ifnull(f.place ->> '$.page', 0)), ifnull(f.start_offset, 0), f.rid"
    } else {
        "f.rid"
    };
    let (limit, offset) = (bound.len() - 1, bound.len());
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM {FROM} WHERE {condition} ORDER BY {order} LIMIT ?{limit} OFFSET ?{offset}"
        ))?
        .query_and_then(params_from_iter(bound), found)?
        .collect()
}

/// How many findings there are of each kind, whichever kinds are wanted.
///
/// # Errors
/// SQLite's.
pub fn counts(connection: &Connection, wanted: &Wanted) -> StoreResult<BTreeMap<FindingKind, u64>> {
    let (condition, bound) = wanted.condition(true)?;
    connection
        .prepare_cached(&format!("SELECT f.finding_kind, count(*) FROM {FROM} WHERE {condition} GROUP BY 1"))?
        .query_and_then(params_from_iter(bound), |row| Ok((row.get::<_, String>(0)?.parse()?, row.get(1)?)))?
        .collect()
}

/// A memory with findings.
#[derive(Debug, Clone)]
pub struct Item {
    /// The memory.
    pub memory: MemoryId,
    /// Its file.
    pub artifact: Option<ArtifactId>,
    /// Its title: a file's name.
    pub title: Option<String>,
    /// What it is.
    pub modality: String,
    /// Its space.
    pub space: SpaceId,
    /// How many are pending, accepted, applied.
    pub counts: [u64; 3],
    /// When the last of these was found or applied.
    pub at: EpochMs,
}

/// The memories in use that have such findings, and how many there are: in the order in which they were found; those in
/// which something was applied by that, the last one first.
///
/// # Errors
/// SQLite's.
pub fn items(connection: &Connection, wanted: &Wanted, offset: u32, limit: u32) -> StoreResult<(Vec<Item>, u64)> {
    let (condition, mut bound) = wanted.condition(true)?;
    let total = connection
        .prepare_cached(&format!("SELECT count(DISTINCT m.rid) FROM {FROM} WHERE {condition}"))?
        .query_row(params_from_iter(bound.clone()), |row| row.get(0))?;
    bound.extend([Value::Integer(limit.into()), Value::Integer(offset.into())]);
    let (limit, offset) = (bound.len() - 1, bound.len());
    let items = connection
        .prepare_cached(&format!(
            "SELECT m.id, m.primary_artifact_id, ifnull(m.title, a.original_filename), ifnull(a.modality, m.modality),
               m.space_id, sum(f.status = 'pending'), sum(f.status = 'accepted'), sum(f.status = 'applied'),
               max(ifnull(f.applied_at, f.created_at))
             FROM {FROM} WHERE {condition} GROUP BY m.rid ORDER BY max(ifnull(f.applied_at, 0)) DESC, min(f.rid)
             LIMIT ?{limit} OFFSET ?{offset}"
        ))?
        .query_and_then(params_from_iter(bound), |row| {
            Ok(Item {
                memory: MemoryId::parse(row.get::<_, String>(0)?)?,
                artifact: row.get::<_, Option<String>>(1)?.map(ArtifactId::parse).transpose()?,
                title: row.get(2)?,
                modality: row.get(3)?,
                space: SpaceId::parse(row.get::<_, String>(4)?)?,
                counts: [row.get(5)?, row.get(6)?, row.get(7)?],
                at: row.get(8)?,
            })
        })?
        .collect::<StoreResult<_>>()?;
    Ok((items, total))
}

/// The finding of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &FindingId) -> StoreResult<Option<Found>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM {FROM} WHERE f.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(found(row)))
        .optional()?
        .transpose()
}

/// Gives a finding another state. `false` where it has it already, or was applied.
///
/// # Errors
/// A refusal (only what is accepted can be applied); SQLite's.
pub fn decide(
    connection: &Connection,
    id: &FindingId,
    to: FindingStatus,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<bool> {
    let changed = connection
        .prepare_cached(
            "UPDATE redaction_findings SET status = ?2, applied_at = CASE WHEN ?2 = 'applied' THEN ?4 END,
               decided_by = CASE WHEN ?2 <> 'pending' THEN ?3 END, decided_at = CASE WHEN ?2 <> 'pending' THEN ?4 END
             WHERE id = ?1 AND status <> ?2 AND status <> 'applied'",
        )?
        .execute(params![id.as_str(), to.as_str(), by.as_str(), now])?;
    Ok(changed > 0)
}

/// Keeps what a person marked: it is accepted at once. Where it was found before, that is accepted.
///
/// # Errors
/// SQLite's.
pub fn mark(
    connection: &Connection,
    space: &SpaceId,
    spot: &Spot,
    kind: FindingKind,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<FindingId> {
    let place = match spot {
        Spot::Region(_, region) => Some(serde_json::to_string(region)?),
        Spot::Words(..) => None,
    };
    let (owner, span) = match spot {
        Spot::Words(Text::Memory(id), span) => ([Some(id.as_str()), None, None], Some(*span)),
        Spot::Words(Text::View(id), span) => ([None, Some(id.as_str()), None], Some(*span)),
        Spot::Region(id, _) => ([None, None, Some(id.as_str())], None),
    };
    let id: String = connection
        .prepare_cached(
            "INSERT INTO redaction_findings (id, space_id, memory_id, text_view_id, artifact_id, start_offset, end_offset,
               place, finding_kind, detector_id, confidence, status, decided_by, decided_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 1.0, 'accepted', ?11, ?12, ?12)
             ON CONFLICT (coalesce(memory_id, text_view_id, artifact_id), finding_kind, ifnull(start_offset, -1),
               ifnull(end_offset, -1), ifnull(place, '')) DO UPDATE SET
               decided_by = CASE WHEN status IN ('accepted', 'applied') THEN decided_by ELSE excluded.decided_by END,
               decided_at = CASE WHEN status IN ('accepted', 'applied') THEN decided_at ELSE excluded.decided_at END,
               status = CASE WHEN status = 'applied' THEN status ELSE 'accepted' END
             RETURNING id",
        )?
        .query_row(
            params![
                new_id(now),
                space.as_str(),
                owner[0],
                owner[1],
                owner[2],
                span.map(|span| span.start),
                span.map(|span| span.end),
                place,
                kind.as_str(),
                PERSON,
                by.as_str(),
                now
            ],
            |row| row.get(0),
        )?;
    Ok(FindingId::parse(id)?)
}
