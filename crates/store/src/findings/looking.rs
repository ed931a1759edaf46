//! What detectors find, and which texts they have looked at. Looking again, by the same or another version, changes
//! nothing that a person decided; what nobody decided is replaced by what the newer version finds.

use super::PERSON;
use crate::parts::Text;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;
use um_model::findings::{FindingKind, FindingStatus, Region};
use um_model::{AgentId, ArtifactId, EpochMs, FindingId, MemoryId, SpaceId, Utf16Span, ViewId};

/// Something that a detector found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// Where it stands.
    pub span: Utf16Span,
    /// What it is.
    pub kind: FindingKind,
    /// Which detector saw it.
    pub detector: &'static str,
    /// 0 to 1.
    pub confidence: f64,
}

/// Versions of the detectors by which a text need not be looked at again, the lowest and the highest; the lowest names them.
pub type Versions = std::ops::RangeInclusive<String>;

/// The texts of a memory that none of these versions of the detectors has looked at: its own words, and the views in use
/// of its file. None that was blacked out.
///
/// # Errors
/// SQLite's.
pub fn unlooked(connection: &Connection, memory: &MemoryId, versions: &Versions) -> StoreResult<Vec<Text>> {
    connection
        .prepare_cached(
            "SELECT 0, id, 0 AS place FROM memories
             WHERE id = ?1 AND content IS NOT NULL AND is_redacted = 0
               AND ifnull(detected_by NOT BETWEEN ?2 AND ?3, 1)
             UNION ALL
             SELECT 1, v.id, v.ordinal FROM memories m JOIN derived_text_views v ON v.artifact_id = m.primary_artifact_id
             WHERE m.id = ?1 AND m.is_redacted = 0 AND v.status = 'active' AND v.is_redacted = 0
               AND ifnull(v.detected_by NOT BETWEEN ?2 AND ?3, 1)
             ORDER BY 1, 3",
        )?
        .query_and_then([memory.as_str(), versions.start(), versions.end()], |row| {
            let id: String = row.get(1)?;
            Ok(if row.get(0)? { Text::View(ViewId::parse(id)?) } else { Text::Memory(MemoryId::parse(id)?) })
        })?
        .collect()
}

/// A memory of which a text was looked at, though by none of these versions of the detectors, and that no job looks at anew
/// by them.
///
/// # Errors
/// SQLite's.
pub fn any_unlooked(connection: &Connection, versions: &Versions) -> StoreResult<Option<(MemoryId, SpaceId)>> {
    let no_job = "NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject_type = 'memory' AND j.subject_id = m.id
        AND j.kind = 'detect' AND j.config_hash = ?1)";
    // Two ranges of an index each; `<>` would go through all texts.
    let of = |condition: &str| {
        format!(
            "SELECT m.id, m.space_id FROM memories m WHERE m.detected_by {condition} AND m.is_redacted = 0 AND {no_job}
             UNION ALL
             SELECT m.id, m.space_id FROM derived_text_views v CROSS JOIN memories m ON m.primary_artifact_id = v.artifact_id
             WHERE v.detected_by {condition} AND v.status = 'active' AND v.is_redacted = 0 AND m.is_redacted = 0
               AND {no_job}"
        )
    };
    connection
        .prepare_cached(&format!("{} UNION ALL {} LIMIT 1", of("< ?1"), of("> ?2")))?
        .query_row([versions.start(), versions.end()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .optional()?
        .map(|(id, space)| Ok((MemoryId::parse(id)?, SpaceId::parse(space)?)))
        .transpose()
}

fn id_of(text: &Text) -> &str {
    match text {
        Text::Memory(id) => id.as_str(),
        Text::View(id) => id.as_str(),
    }
}

fn column_of(text: &Text) -> &'static str {
    match text {
        Text::Memory(_) => "memory_id",
        Text::View(_) => "text_view_id",
    }
}

fn owner(text: &Text) -> (Option<&str>, Option<&str>) {
    match text {
        Text::Memory(id) => (Some(id.as_str()), None),
        Text::View(id) => (None, Some(id.as_str())),
    }
}

/// Keeps what this version found in a text. What lies within something of its kind that a person decided is left out. Gives
/// `false`, and keeps nothing, where the text is no longer these words.
///
/// # Errors
/// SQLite's.
pub fn record(
    connection: &Connection,
    (text, words): (&Text, &str),
    version: &str,
    looked: &[Looked],
    now: EpochMs,
) -> StoreResult<bool> {
    let (memory, view) = owner(text);
    let sql = match text {
        Text::Memory(_) => "SELECT space_id FROM memories WHERE id = ?1 AND content = ?2 AND is_redacted = 0",
        Text::View(_) => "SELECT space_id FROM derived_text_views WHERE id = ?1 AND text = ?2 AND is_redacted = 0",
    };
    let space: Option<String> =
        connection.prepare_cached(sql)?.query_row([memory.or(view), Some(words)], |row| row.get(0)).optional()?;
    let Some(space) = space else { return Ok(false) };
    let column = column_of(text);
    let mut statement = connection.prepare_cached(&format!(
        "INSERT INTO redaction_findings (id, space_id, memory_id, text_view_id, start_offset, end_offset, finding_kind,
           detector_id, detector_version, confidence, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
         WHERE NOT EXISTS (SELECT 1 FROM redaction_findings f WHERE f.{column} = ifnull(?3, ?4) AND f.finding_kind = ?7
           AND f.status <> 'pending' AND f.start_offset <= ?5 AND f.end_offset >= ?6)
         ON CONFLICT (coalesce(memory_id, text_view_id, artifact_id), finding_kind, ifnull(start_offset, -1),
           ifnull(end_offset, -1), ifnull(place, '')) DO UPDATE SET detector_id = excluded.detector_id,
           detector_version = excluded.detector_version, confidence = excluded.confidence
         WHERE status = 'pending' AND detector_id <> '{PERSON}'"
    ))?;
    for one in looked {
        let (id, kind) = (new_id(now), one.kind.as_str());
        statement.execute(params![
            id,
            space,
            memory,
            view,
            one.span.start,
            one.span.end,
            kind,
            one.detector,
            version,
            one.confidence,
            now
        ])?;
    }
    Ok(true)
}

/// Says that this version has looked at the whole text: what an earlier one found, nobody decided, and this one no longer
/// finds, goes.
///
/// # Errors
/// SQLite's.
pub fn end(connection: &Connection, text: &Text, version: &str) -> StoreResult<()> {
    let (column, id) = (column_of(text), id_of(text));
    let table = match text {
        Text::Memory(_) => "memories",
        Text::View(_) => "derived_text_views",
    };
    connection
        .prepare_cached(&format!(
            "DELETE FROM redaction_findings WHERE {column} = ?1 AND status = 'pending' AND detector_id <> '{PERSON}'
               AND detector_version <> ?2"
        ))?
        .execute([id, version])?;
    connection
        .prepare_cached(&format!("UPDATE {table} SET detected_by = ?2 WHERE id = ?1 AND is_redacted = 0"))?
        .execute([id, version])?;
    Ok(())
}

/// Where findings of these kinds stand that overlap parts of texts, of each part in its turn: one statement for all. Those that a person
/// dismissed are left out.
///
/// # Errors
/// SQLite's.
pub fn within(
    connection: &Connection,
    parts: &[(Text, Utf16Span)],
    kinds: &[FindingKind],
) -> StoreResult<Vec<Vec<(FindingKind, Utf16Span)>>> {
    let given: Vec<(Option<&str>, Option<&str>, u32, u32)> = parts
        .iter()
        .map(|(text, part)| {
            let (memory, view) = owner(text);
            (memory, view, part.start, part.end)
        })
        .collect();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let mut found = vec![Vec::new(); parts.len()];
    let mut statement = connection.prepare_cached(WITHIN)?;
    let mut rows = statement.query([serde_json::to_string(&given)?, serde_json::to_string(&kinds)?])?;
    while let Some(row) = rows.next()? {
        if let Some(found) = found.get_mut(row.get::<_, usize>(0)?) {
            found.push((row.get::<_, String>(1)?.parse()?, Utf16Span::new(row.get(2)?, row.get(3)?)));
        }
    }
    Ok(found)
}

const WITHIN: &str = "SELECT given.key, f.finding_kind, f.start_offset, f.end_offset
  FROM json_each(?1) given CROSS JOIN redaction_findings f
    ON f.memory_id = given.value ->> 0 OR f.text_view_id = given.value ->> 1
  WHERE f.start_offset < given.value ->> 3 AND f.end_offset > given.value ->> 2 AND +f.status <> 'dismissed'
    AND +f.finding_kind IN (SELECT value FROM json_each(?2))
  ORDER BY given.key, f.rid";

/// Those of some views of which something may be marked elsewhere than in their own text: on their page or recording, or, where nobody
/// looked at them yet, in an earlier reading.
///
/// # Errors
/// SQLite's.
pub fn marked_elsewhere(connection: &Connection, views: &BTreeSet<&ViewId>) -> StoreResult<BTreeSet<ViewId>> {
    let views: Vec<&str> = views.iter().map(|view| view.as_str()).collect();
    connection
        .prepare_cached(MARKED_ELSEWHERE)?
        .query_and_then([serde_json::to_string(&views)?], |row| Ok(ViewId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

const MARKED_ELSEWHERE: &str = "SELECT v.id FROM json_each(?1) given
  CROSS JOIN derived_text_views v ON v.id = given.value
  WHERE v.detected_by IS NULL OR EXISTS (SELECT 1 FROM redaction_findings f WHERE f.artifact_id = v.artifact_id)";

/// The parts of its page or recording that a person marked as of these kinds where a view was read. Those that a person dismissed are
/// left out.
///
/// # Errors
/// SQLite's.
pub fn regions_read(
    connection: &Connection,
    view: &ViewId,
    kinds: &[FindingKind],
) -> StoreResult<Vec<(FindingKind, Region)>> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let found = connection
        .prepare_cached(
            "SELECT f.finding_kind, f.place, v.page
             FROM derived_text_views v CROSS JOIN redaction_findings f ON f.artifact_id = v.artifact_id
             WHERE v.id = ?1 AND f.status <> 'dismissed' AND f.finding_kind IN (SELECT value FROM json_each(?2))
             ORDER BY f.rid",
        )?
        .query_and_then(params![view.as_str(), serde_json::to_string(&kinds)?], |row| {
            let region: Region = serde_json::from_str(&row.get::<_, String>(1)?)?;
            Ok((row.get::<_, String>(0)?.parse()?, region, row.get::<_, Option<u32>>(2)?))
        })?
        .collect::<StoreResult<Vec<(FindingKind, Region, Option<u32>)>>>()?;
    // A view of a page shows no other page, and no recording.
    let is_there = |region: &Region, of: Option<u32>| match region {
        Region::Box { page, .. } => of.is_none_or(|of| of == *page),
        Region::Time(_) => of.is_none(),
    };
    Ok(found
        .into_iter()
        .filter(|(_, region, of)| is_there(region, *of))
        .map(|(kind, region, _)| (kind, region))
        .collect())
}

/// What nobody decided, or is to be blacked out and was not yet, in a text, or in a part of it: each finding's kind and state.
///
/// # Errors
/// SQLite's.
pub fn open_within(
    connection: &Connection,
    text: &Text,
    part: Option<Utf16Span>,
) -> StoreResult<Vec<(FindingKind, FindingStatus)>> {
    let part = part.unwrap_or(Utf16Span::new(0, u32::MAX));
    connection
        .prepare_cached(&format!(
            "SELECT finding_kind, status FROM redaction_findings
             WHERE {} = ?1 AND start_offset < ?3 AND end_offset > ?2 AND status IN ('pending', 'accepted') ORDER BY rid",
            column_of(text)
        ))?
        .query_and_then(params![id_of(text), part.start, part.end], open)?
        .collect()
}

/// The same for the parts of a file's pages or sound that a person marked.
///
/// # Errors
/// SQLite's.
pub fn open_of_file(connection: &Connection, file: &ArtifactId) -> StoreResult<Vec<(FindingKind, FindingStatus)>> {
    connection
        .prepare_cached(
            "SELECT finding_kind, status FROM redaction_findings
             WHERE artifact_id = ?1 AND status IN ('pending', 'accepted') ORDER BY rid",
        )?
        .query_and_then([file.as_str()], open)?
        .collect()
}

fn open(row: &Row<'_>) -> StoreResult<(FindingKind, FindingStatus)> {
    Ok((row.get::<_, String>(0)?.parse()?, row.get::<_, String>(1)?.parse()?))
}

/// Which version of the detectors last looked at a text, where any did.
///
/// # Errors
/// SQLite's.
pub fn looked_at_by(connection: &Connection, text: &Text) -> StoreResult<Option<String>> {
    let sql = match text {
        Text::Memory(_) => "SELECT detected_by FROM memories WHERE id = ?1",
        Text::View(_) => "SELECT detected_by FROM derived_text_views WHERE id = ?1",
    };
    Ok(connection.prepare_cached(sql)?.query_row([id_of(text)], |row| row.get(0)).optional()?.flatten())
}

/// What a person decided in an earlier reading of a page.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// The text of that reading.
    pub view: ViewId,
    /// Where in it.
    pub span: Utf16Span,
    /// What it is.
    pub kind: FindingKind,
    /// What was decided.
    pub status: FindingStatus,
    /// Whether the person marked it.
    pub marked: bool,
    /// Who decided.
    pub by: AgentId,
    /// When.
    pub at: EpochMs,
}

/// What a person decided in earlier readings of the page, or of the file without pages, that a view shows; what was decided
/// last comes last.
///
/// # Errors
/// SQLite's.
pub fn earlier(connection: &Connection, view: &ViewId) -> StoreResult<Vec<Earlier>> {
    connection
        .prepare_cached(
            "SELECT f.text_view_id, f.start_offset, f.end_offset, f.finding_kind, f.status, f.detector_id = ?2,
               f.decided_by, f.decided_at
             FROM derived_text_views n
             CROSS JOIN derived_text_views v ON v.artifact_id = n.artifact_id AND v.ordinal = n.ordinal AND v.page IS n.page
             CROSS JOIN redaction_findings f ON f.text_view_id = v.id
             WHERE n.id = ?1 AND v.rid < n.rid AND v.is_redacted = 0
               AND f.status IN ('accepted', 'dismissed')
             ORDER BY f.decided_at, f.rid",
        )?
        .query_and_then([view.as_str(), PERSON], |row| {
            Ok(Earlier {
                view: ViewId::parse(row.get::<_, String>(0)?)?,
                span: Utf16Span::new(row.get(1)?, row.get(2)?),
                kind: row.get::<_, String>(3)?.parse()?,
                status: row.get::<_, String>(4)?.parse()?,
                marked: row.get(5)?,
                by: AgentId::parse(row.get::<_, String>(6)?)?,
                at: row.get(7)?,
            })
        })?
        .collect()
}

/// The findings of a text that nobody decided.
///
/// # Errors
/// SQLite's.
pub fn pending_in(connection: &Connection, text: &Text) -> StoreResult<Vec<(FindingId, FindingKind, Utf16Span)>> {
    connection
        .prepare_cached(&format!(
            "SELECT id, finding_kind, start_offset, end_offset FROM redaction_findings
             WHERE {} = ?1 AND status = 'pending' ORDER BY start_offset",
            column_of(text)
        ))?
        .query_and_then([id_of(text)], |row| {
            let span = Utf16Span::new(row.get(2)?, row.get(3)?);
            Ok((FindingId::parse(row.get::<_, String>(0)?)?, row.get::<_, String>(1)?.parse()?, span))
        })?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn findings_are_looked_up_by_their_texts() {
        let db = migrated();
        let check = |sql: &str, looked_up: &[&str]| {
            let plan = plan(&db, sql);
            assert!(looked_up.iter().all(|index| plan.contains(index)), "{plan}");
            let scans = plan.lines().filter(|step| step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE"));
            assert_eq!(scans.count(), 0, "{plan}");
        };
        check(WITHIN, &["idx_findings_memory (memory_id=?)", "idx_findings_view (text_view_id=?)"]);
        check(MARKED_ELSEWHERE, &["idx_findings_artifact (artifact_id=?)"]);
    }
}
