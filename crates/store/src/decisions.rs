//! What was decided, in all tables that hold decisions: where each stands in time. What it is about is fetched by its id.

use crate::{StoreResult, conflicts, findings};
use rusqlite::{Connection, Row, named_params};
use um_model::decisions::{DecisionKind, DecisionPlace};
use um_model::findings::{FindingStatus, KindCount};
use um_model::{ArtifactId, FindingId, MemoryId, SpaceId};

/// A decision.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What was decided about.
    pub kind: DecisionKind,
    /// When, and its id.
    pub place: DecisionPlace,
    /// The name of who decided.
    pub by: Option<String>,
}

/// Each decision of a conflict, by its own id: where it stands, was taken back, or was asked about again.
fn conflicts() -> String {
    format!(
        "SELECT 'conflict' AS kind, d.id, d.resolved_at AS at, d.resolved_by_actor AS by
         FROM conflict_resolutions d JOIN conflicts k ON k.id = d.conflict_id
         WHERE d.resolved_at <= :at AND k.space_id IN (SELECT value FROM json_each(:spaces)) AND {}",
        conflicts::TOLD
    )
}

const NAMES: &str = "SELECT 'name' AS kind, k.id, k.reviewed_at AS at, k.reviewed_by AS by
  FROM candidates k JOIN memories m ON m.id = json_extract(k.payload, '$.memory')
  WHERE k.reviewed_at <= :at AND k.space_id IN (SELECT value FROM json_each(:spaces)) AND k.status <> 'pending'
    AND k.kind = 'claim' AND k.reason = 'ambiguous_name' AND k.is_redacted = 0 AND m.status = 'active'";

/// What was kept stands where it was kept.
const HELD: &str = "SELECT 'held' AS kind, k.id, k.reviewed_at AS at, k.reviewed_by AS by FROM candidates k
  WHERE k.reviewed_at <= :at AND k.space_id IN (SELECT value FROM json_each(:spaces)) AND k.status = 'rejected'
    AND k.reason = 'held' AND k.is_redacted = 0";

const PROMOTIONS: &str =
    "SELECT 'promotion' AS kind, p.id, p.reviewed_at AS at, p.reviewed_by AS by FROM promotion_requests p
  WHERE p.reviewed_at <= :at AND p.status <> 'pending' AND (p.source_space_id IN (SELECT value FROM json_each(:spaces))
    OR p.target_space_id IN (SELECT value FROM json_each(:spaces)))";

const ACCESS: &str = "SELECT 'access' AS kind, r.id, r.decided_at AS at, r.decided_by AS by FROM pairing_requests r
  WHERE r.decided_at <= :at AND r.decided_by IS NOT NULL";

/// Findings of one file or memory that got the same state in the same moment.
fn redactions() -> String {
    format!(
        "SELECT 'redaction' AS kind, min(f.id) AS id, f.decided_at AS at, f.decided_by AS by FROM {}
         WHERE f.decided_at <= :at AND f.status <> 'pending' AND m.space_id IN (SELECT value FROM json_each(:spaces))
         GROUP BY f.decided_at, m.rid, f.status",
        findings::FROM
    )
}

fn arm(kind: DecisionKind) -> String {
    match kind {
        DecisionKind::Conflict => conflicts(),
        DecisionKind::Name => NAMES.to_owned(),
        DecisionKind::Held => HELD.to_owned(),
        DecisionKind::Redaction => redactions(),
        DecisionKind::Promotion => PROMOTIONS.to_owned(),
        DecisionKind::Access => ACCESS.to_owned(),
    }
}

/// Decisions of these kinds in these spaces, the latest first.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    kinds: &[DecisionKind],
    before: Option<&DecisionPlace>,
    limit: u32,
) -> StoreResult<Vec<Entry>> {
    let spaces = crate::filter::ids(spaces)?;
    let arms: Vec<String> = kinds.iter().map(|kind| arm(*kind)).collect();
    let (at, id) = before.map_or((i64::MAX, ""), |place| (place.at, place.id.as_str()));
    connection
        .prepare_cached(&format!(
            "SELECT kind, id, at, (SELECT name FROM agents g WHERE g.id = by) FROM ({})
             WHERE at < :at OR (at = :at AND id < :id) ORDER BY at DESC, id DESC LIMIT :limit",
            arms.join(" UNION ALL ")
        ))?
        .query_and_then(named_params! { ":spaces": spaces, ":at": at, ":id": id, ":limit": limit }, entry)?
        .collect()
}

fn entry(row: &Row<'_>) -> StoreResult<Entry> {
    let place = DecisionPlace { id: row.get(1)?, at: row.get(2)? };
    Ok(Entry { kind: row.get::<_, String>(0)?.parse()?, place, by: row.get(3)? })
}

/// Findings that were decided together.
#[derive(Debug, Clone)]
pub struct Together {
    /// Of which memory.
    pub memory: MemoryId,
    /// Its file.
    pub artifact: Option<ArtifactId>,
    /// Its title, or the file's name.
    pub title: Option<String>,
    /// Its space.
    pub space: SpaceId,
    /// What was decided.
    pub status: FindingStatus,
    /// How many there are of each kind.
    pub kinds: Vec<KindCount>,
    /// All of them.
    pub ids: Vec<FindingId>,
}

/// The findings that were decided together with one; `None` where there is none of that id.
///
/// # Errors
/// SQLite's.
pub fn together(connection: &Connection, id: &FindingId) -> StoreResult<Option<Together>> {
    let Some(one) = findings::by_id(connection, id)? else { return Ok(None) };
    let wanted = findings::Wanted {
        spaces: vec![one.space.clone()],
        statuses: vec![one.status],
        memory: Some(one.memory.clone()),
        ..findings::Wanted::default()
    };
    let mut all = findings::list(connection, &wanted, 0, u32::MAX)?;
    all.retain(|other| other.decided_at == one.decided_at);
    let mut kinds: Vec<KindCount> = Vec::new();
    for found in &all {
        match kinds.iter_mut().find(|known| known.kind == found.kind) {
            Some(known) => known.count += 1,
            None => kinds.push(KindCount { kind: found.kind, count: 1 }),
        }
    }
    Ok(Some(Together {
        memory: one.memory,
        artifact: one.artifact,
        title: one.title,
        space: one.space,
        status: one.status,
        kinds,
        ids: all.into_iter().map(|found| found.id).collect(),
    }))
}
