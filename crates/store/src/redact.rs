//! Blacking out stretches of a text, while the rest of it stays where it is: each code unit is replaced by `█`, so that
//! every other span keeps its place.

mod short;

pub use short::black_out_short;

use crate::findings::PERSON;
use crate::forget::{Heard, Rows};
use crate::units::{self, Source, source_text};
use crate::{StoreError, StoreResult, fts, vectors};
use rusqlite::{Connection, params};
use serde::Deserialize;
use um_model::findings::FindingKind;
use um_model::{ArtifactId, Bbox, EpochMs, MemoryId, SpaceId, TimeSpan, Utf16Span, ViewId};

/// What stands in the place of each code unit.
pub const MASK: char = '█';

/// A part of a page or recording.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Region {
    /// A box on a page.
    Box {
        /// The page, from 1.
        page: u32,
        /// The box.
        bbox: Bbox,
    },
    /// A stretch of time.
    Time(TimeSpan),
}

/// Words that the person accepted to be blacked out.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// The file's text that has them; none for the memory's own words.
    pub view: Option<ViewId>,
    /// Where.
    pub span: Utf16Span,
    /// What they are.
    pub kind: FindingKind,
    /// Whether somebody marked them, and no detector.
    pub is_marked: bool,
}

/// What is to be blacked out of a file or memory, as the person accepted it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accepted {
    /// The findings.
    pub findings: Vec<String>,
    /// Stretches of the memory's own words and of the file's texts.
    pub stretches: Vec<Stretch>,
    /// Parts of the file itself.
    pub regions: Vec<Region>,
}

impl Accepted {
    /// Where in the memory's own words.
    pub fn words(&self) -> Vec<Utf16Span> {
        self.stretches.iter().filter(|one| one.view.is_none()).map(|one| one.span).collect()
    }
}

/// What a person accepted to be blacked out of a memory, or of the file that it stands for.
///
/// # Errors
/// SQLite's.
pub fn accepted(connection: &Connection, memory: &MemoryId, file: Option<&ArtifactId>) -> StoreResult<Accepted> {
    let mut accepted = Accepted::default();
    let mut statement = connection.prepare_cached(
        "SELECT f.id, f.text_view_id, f.start_offset, f.end_offset, f.place, f.finding_kind, f.detector_id = ?3
         FROM redaction_findings f
         WHERE f.status = 'accepted' AND (f.memory_id = ?1 OR f.artifact_id = ?2
           OR f.text_view_id IN (SELECT id FROM derived_text_views WHERE artifact_id = ?2 AND is_redacted = 0))",
    )?;
    let mut rows = statement.query(params![memory.as_str(), file.map(ArtifactId::as_str), PERSON])?;
    while let Some(row) = rows.next()? {
        accepted.findings.push(row.get(0)?);
        if let Some(place) = row.get::<_, Option<String>>(4)? {
            accepted.regions.push(serde_json::from_str(&place)?);
            continue;
        }
        accepted.stretches.push(Stretch {
            view: row.get::<_, Option<String>>(1)?.map(ViewId::parse).transpose()?,
            span: Utf16Span::new(row.get(2)?, row.get(3)?),
            kind: row.get::<_, String>(5)?.parse()?,
            is_marked: row.get(6)?,
        });
    }
    Ok(accepted)
}

/// Says that findings were applied.
///
/// # Errors
/// SQLite's.
pub fn set_applied(connection: &Connection, findings: &[String], now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE redaction_findings SET status = 'applied', applied_at = ?2
         WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'accepted'",
        params![serde_json::to_string(findings)?, now],
    )?;
    Ok(())
}

/// A text with stretches of it blacked out. Ends of lines stay, as they say nothing.
pub fn blacked(text: &str, spans: &[Utf16Span]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for c in text.chars() {
        let end = at + c.len_utf16() as u32;
        if !matches!(c, '\n' | '\r') && spans.iter().any(|span| span.start < end && at < span.end) {
            masked.extend(std::iter::repeat_n(MASK, c.len_utf16()));
        } else {
            masked.push(c);
        }
        at = end;
    }
    masked
}

/// Blacks out stretches of a text. Its passages are found by what is left of their words at once; their vectors go, to be
/// made anew.
///
/// # Errors
/// SQLite's.
pub fn black_out(
    connection: &Connection,
    space: &SpaceId,
    source: Source<'_>,
    spans: &[Utf16Span],
    now: EpochMs,
) -> StoreResult<()> {
    let (id, is_memory) = match source {
        Source::Memory(id) => (id.as_str(), true),
        Source::View(id) => (id.as_str(), false),
    };
    let masked = blacked(&source_text(connection, id, is_memory)?, spans);
    let sql = match is_memory {
        // The hash is that of no text, as that would tell the words to whoever tries.
        true => "UPDATE memories SET content = ?2, content_hash = 'masked:' || id || ?3, summary = NULL WHERE id = ?1",
        false => "UPDATE derived_text_views SET text = ?2, masked_at = max(?3, ifnull(masked_at, 0) + 1) WHERE id = ?1",
    };
    connection.execute(sql, params![id, masked, now])?;
    renew_units(connection, space, (id, is_memory), spans)
}

/// Puts the passages of a text that overlap with some spans into the indexes anew.
fn renew_units(
    connection: &Connection,
    space: &SpaceId,
    (source, is_memory): (&str, bool),
    spans: &[Utf16Span],
) -> StoreResult<()> {
    let column = if is_memory { "memory_id" } else { "text_view_id" };
    let mut units: Vec<(i64, Utf16Span, bool)> = connection
        .prepare_cached(&format!(
            "SELECT rid, start_offset, end_offset, status = 'active' FROM text_units WHERE {column} = ?1"
        ))?
        .query_map([source], |row| Ok((row.get(0)?, Utf16Span::new(row.get(1)?, row.get(2)?), row.get(3)?)))?
        .collect::<Result<_, _>>()?;
    units.retain(|(_, span, _)| spans.iter().any(|masked| masked.overlaps(*span)));
    let touched: Vec<i64> = units.iter().map(|(rid, ..)| *rid).collect();
    let active: Vec<i64> = units.iter().filter(|(_, _, is_active)| *is_active).map(|(rid, ..)| *rid).collect();
    if let Some(table) = fts::table(connection, space)? {
        fts::remove(connection, &table, &active)?;
    }
    units::index(connection, space, &active)?;
    vectors::forget_units(connection, &touched)
}

/// The evidence that quotes a stretch of a text, and the mentions that stand in one: what goes with it. Mentions that stand
/// elsewhere, too, keep those places.
///
/// # Errors
/// SQLite's.
pub fn resting_on(
    connection: &Connection,
    memory: &MemoryId,
    source: Source<'_>,
    spans: &[Utf16Span],
) -> StoreResult<Rows> {
    let mut rows = Rows::default();
    let (column, id) = match source {
        Source::Memory(id) => ("memory_id", id.as_str()),
        Source::View(id) => ("derived_text_view_id", id.as_str()),
    };
    for span in spans {
        let mut statement = connection.prepare_cached(&format!(
            "SELECT id FROM claim_evidence WHERE {column} = ?1 AND is_redacted = 0 AND start_offset < ?3 AND end_offset > ?2"
        ))?;
        let mut found = statement.query(params![id, span.start, span.end])?;
        while let Some(row) = found.next()? {
            rows.add("claim_evidence", row.get::<_, String>(0)?);
        }
    }
    let view = match source {
        Source::Memory(_) => None,
        Source::View(view) => Some(view.as_str()),
    };
    let links: Vec<(String, String)> = connection
        .prepare_cached("SELECT id, spans FROM memory_entity_links WHERE memory_id = ?1 AND text_view_id IS ?2")?
        .query_map(params![memory.as_str(), view], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (link, places) in links {
        let places: Vec<[u32; 2]> = serde_json::from_str(&places)?;
        let stays = |[start, end]: &&[u32; 2]| !spans.iter().any(|span| span.overlaps(Utf16Span::new(*start, *end)));
        let left: Vec<[u32; 2]> = places.iter().filter(stays).copied().collect();
        if left.is_empty() && !places.is_empty() {
            rows.add("memory_entity_links", link);
        } else if left.len() < places.len() {
            connection
                .prepare_cached("UPDATE memory_entity_links SET spans = ?2 WHERE id = ?1")?
                .execute(params![link, serde_json::to_string(&left)?])?;
        }
    }
    Ok(rows)
}

/// The evidence of a memory or its file for claims that say one of these folded words, wherever it quotes: the claim rests on
/// what was blacked out.
///
/// # Errors
/// SQLite's.
pub fn claimed(
    connection: &Connection,
    (memory, file): (&MemoryId, Option<&ArtifactId>),
    values: &[String],
) -> StoreResult<Rows> {
    let mut rows = Rows::default();
    let mut statement = connection.prepare_cached(
        "SELECT e.id, concat_ws(char(10), c.statement, c.attribute_value, c.qualifiers)
         FROM claim_evidence e JOIN claims c ON c.id = e.claim_id
         WHERE e.is_redacted = 0 AND (e.memory_id = ?1
           OR e.derived_text_view_id IN (SELECT id FROM derived_text_views WHERE artifact_id = ?2))",
    )?;
    let mut found = statement.query(params![memory.as_str(), file.map(ArtifactId::as_str)])?;
    while let Some(row) = found.next()? {
        let said = Heard::new(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
        if values.iter().any(|value| said.says(value)) {
            rows.add("claim_evidence", row.get::<_, String>(0)?);
        }
    }
    Ok(rows)
}

/// What the product made of texts and keeps beside them, where it says one of those words: traces, contexts, names to
/// decide, what undo would bring back.
///
/// # Errors
/// SQLite's.
pub fn made_of(connection: &Connection, values: &[String]) -> StoreResult<Rows> {
    const MADE: &[&str] =
        &["answer_traces", "compiled_contexts", "candidates", "undo_log", "jobs", "verification_records"];
    let found = crate::forget::holders(connection, values)?;
    let mut rows = Rows::default();
    for (kind, id) in found.iter().filter(|(kind, _)| MADE.contains(kind)) {
        rows.add(kind, id);
    }
    Ok(rows)
}

/// Up to where the product's own writings were looked through: what it writes while somebody recalls comes later.
#[derive(Debug, Clone, Copy)]
pub struct Until {
    traces: i64,
    contexts: i64,
}

/// Where the newest trace and the newest context stand.
///
/// # Errors
/// SQLite's.
pub fn newest(connection: &Connection) -> StoreResult<Until> {
    let newest = |table: &str| {
        connection.query_row(&format!("SELECT ifnull(max(rid), 0) FROM {table}"), [], |row| row.get::<_, i64>(0))
    };
    Ok(Until { traces: newest("answer_traces")?, contexts: newest("compiled_contexts")? })
}

/// The traces and contexts that came since, and say one of those words.
///
/// # Errors
/// SQLite's.
pub fn made_since(connection: &Connection, values: &[String], until: Until) -> StoreResult<Rows> {
    let mut new = Rows::default();
    for (kind, since) in [("answer_traces", until.traces), ("compiled_contexts", until.contexts)] {
        let mut statement = connection.prepare_cached(&format!("SELECT id FROM {kind} WHERE rid > ?1"))?;
        let mut found = statement.query([since])?;
        while let Some(row) = found.next()? {
            new.add(kind, row.get::<_, String>(0)?);
        }
    }
    crate::forget::holders_among(connection, &new, values)
}

/// The events that a memory was stated in, as long as it has the same words.
///
/// # Errors
/// SQLite's.
pub fn stated_in(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT e.id FROM memories m JOIN evidence_events e ON e.space_id = m.space_id AND e.content = m.content
             WHERE m.id = ?1 AND e.is_redacted = 0",
        )?
        .query_map([memory.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Views of a file that are in use no more: other readings of the same words.
///
/// # Errors
/// SQLite's.
pub fn other_readings(connection: &Connection, file: &ArtifactId) -> StoreResult<Rows> {
    let mut rows = Rows::default();
    let mut statement = connection.prepare_cached(
        "SELECT id FROM derived_text_views WHERE artifact_id = ?1 AND status <> 'active' AND is_redacted = 0",
    )?;
    let mut found = statement.query([file.as_str()])?;
    while let Some(row) = found.next()? {
        rows.add("derived_text_views", row.get::<_, String>(0)?);
    }
    Ok(rows)
}

/// Puts a rendition in the place of a file: everything that was read from the file, and the memory that stands for it, is of
/// the rendition from now on. Ids and spans stay.
///
/// # Errors
/// SQLite's.
pub fn replace_file(
    connection: &Connection,
    memory: &MemoryId,
    (from, to): (&ArtifactId, &ArtifactId),
    modality: &str,
) -> StoreResult<()> {
    let ids = [from.as_str(), to.as_str()];
    // A part follows the whole that it is a part of.
    loop {
        let moved = connection.execute(
            "UPDATE media_segments AS s SET artifact_id = ?2 WHERE s.artifact_id = ?1 AND (s.parent_segment_id IS NULL
               OR (SELECT p.artifact_id FROM media_segments p WHERE p.id = s.parent_segment_id) = ?2)",
            ids,
        )?;
        if moved == 0 {
            break;
        }
    }
    for table in ["derived_text_views", "redaction_findings", "watched_files", "candidates", "memory_artifact_links"] {
        connection.execute(&format!("UPDATE {table} SET artifact_id = ?2 WHERE artifact_id = ?1"), ids)?;
    }
    connection.execute("UPDATE watched_files SET content_hash = NULL WHERE artifact_id = ?1", [to.as_str()])?;
    let changed = connection.execute(
        "UPDATE memories SET primary_artifact_id = ?2, artifact_ref = ?2, modality = ?3,
           content_hash = 'masked:' || ?2 WHERE id = ?1",
        params![memory.as_str(), to.as_str(), modality],
    )?;
    match changed {
        1 => Ok(()),
        _ => Err(StoreError::Damaged("a file has lost its memory".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::blacked;
    use um_model::Utf16Span;

    #[test]
    fn what_is_blacked_out_keeps_its_length() {
        for (text, span, expected) in [
            ("call 0815 now", (5, 9), "call ████ now"),
            ("a 𝄞b c", (2, 5), "a ███ c"),
            ("one\ntwo", (2, 5), "on█\n█wo"),
            ("x", (0, 9), "█"),
        ] {
            let masked = blacked(text, &[Utf16Span::new(span.0, span.1)]);
            assert_eq!(masked, expected);
            assert_eq!(masked.encode_utf16().count(), text.encode_utf16().count());
        }
    }
}
