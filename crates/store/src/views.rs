//! `media_segments`, `derived_text_views` and the places of their words.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};
use um_model::capture::{Anchor, TextView};
use um_model::span::utf16_len;
use um_model::{AgentId, ArtifactId, EpochMs, SegmentId, SpaceId, TimeSpan, Utf16Span, ViewId, ViewType};

/// Where a new segment or view belongs.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The file.
    pub artifact: ArtifactId,
    /// Its space.
    pub space: SpaceId,
    /// In whose name it is read.
    pub actor: AgentId,
}

/// A place in a file that is worth a row: the whole, a page, a block or line, an utterance.
#[derive(Debug, Clone)]
pub struct NewSegment {
    /// `whole`, `temporal`, `page_range`, `bbox`, `text_range`
    pub segment_type: &'static str,
    /// `whole`, `page`, `block`, `line`, `utterance`, `range`
    pub level: &'static str,
    /// Its place among its siblings.
    pub ordinal: u32,
    /// The selector (ruling 12).
    pub selector: serde_json::Value,
    /// 0 to 1.
    pub confidence: Option<f64>,
}

/// Adds a segment, or finds the one with the same selector.
///
/// # Errors
/// SQLite's.
pub fn upsert_segment(
    connection: &Connection,
    owner: &Owner,
    new: &NewSegment,
    parent: Option<&SegmentId>,
    now: EpochMs,
) -> StoreResult<SegmentId> {
    let selector = new.selector.to_string();
    let hash = format!("{:x}", Sha256::digest(format!("{}\0{selector}", new.level)));
    let found: Option<String> = connection
        .prepare_cached("SELECT id FROM media_segments WHERE artifact_id = ?1 AND selector_hash = ?2")?
        .query_row([owner.artifact.as_str(), &hash], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(SegmentId::parse(id)?);
    }
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO media_segments (id, artifact_id, space_id, actor_id, segment_type, selector, selector_hash,
               level, ordinal, parent_segment_id, confidence, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            id,
            owner.artifact.as_str(),
            owner.space.as_str(),
            owner.actor.as_str(),
            new.segment_type,
            selector,
            hash,
            new.level,
            new.ordinal,
            parent.map(SegmentId::as_str),
            new.confidence,
            now
        ])?;
    Ok(SegmentId::parse(id)?)
}

/// A text that was read.
#[derive(Debug, Clone)]
pub struct NewView {
    /// How it came about.
    pub view_type: ViewType,
    /// The segment it shows.
    pub segment: Option<SegmentId>,
    /// Its place among the file's views.
    pub ordinal: u32,
    /// The page it shows.
    pub page: Option<u32>,
    /// The text.
    pub text: String,
    /// Its language.
    pub language: Option<String>,
    /// What read it.
    pub extractor_id: String,
    /// With which model or version.
    pub model_id: Option<String>,
    /// Hash of the reader's settings.
    pub config_hash: String,
    /// 0 to 1.
    pub quality: f64,
    /// Where its words stand.
    pub anchors: Vec<Anchor>,
}

impl Says for NewView {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(&self.text));
    }
}

/// Adds a view with its places, or, where the same reader with the same settings read it before, finds
/// that one. `true` says that it is new.
///
/// # Errors
/// SQLite's.
pub fn upsert(
    connection: &Connection,
    owner: &Owner,
    new: &Checked<NewView>,
    now: EpochMs,
) -> StoreResult<(ViewId, bool)> {
    let found: Option<String> = connection
        .prepare_cached(
            "SELECT id FROM derived_text_views WHERE space_id = ?1 AND artifact_id = ?2
               AND ifnull(segment_id, '__whole__') = ifnull(?3, '__whole__')
               AND view_type = ?4 AND extractor_id = ?5 AND config_hash = ?6",
        )?
        .query_row(
            params![
                owner.space.as_str(),
                owner.artifact.as_str(),
                new.segment.as_ref().map(SegmentId::as_str),
                new.view_type.as_str(),
                new.extractor_id,
                new.config_hash
            ],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(id) = found {
        connection.execute("UPDATE derived_text_views SET status = 'active' WHERE id = ?1", [&id])?;
        return Ok((ViewId::parse(id)?, false));
    }
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO derived_text_views (id, artifact_id, segment_id, space_id, actor_id, view_type, ordinal, page,
               text, language, extractor_id, model_id, config_hash, quality, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )?
        .execute(params![
            id,
            owner.artifact.as_str(),
            new.segment.as_ref().map(SegmentId::as_str),
            owner.space.as_str(),
            owner.actor.as_str(),
            new.view_type.as_str(),
            new.ordinal,
            new.page,
            new.text,
            new.language,
            new.extractor_id,
            new.model_id,
            new.config_hash,
            new.quality.clamp(0.0, 1.0),
            now
        ])?;
    if !new.anchors.is_empty() {
        connection
            .prepare_cached("INSERT INTO text_view_spans (text_view_id, space_id, spans) VALUES (?1, ?2, ?3)")?
            .execute(params![id, owner.space.as_str(), pack(&new.anchors)])?;
    }
    Ok((ViewId::parse(id)?, true))
}

/// Marks every view of a file as deleted that is not in `keep`: a newer reading stands in its place. Views
/// of `but_pages` stay: those pages have no newer reading.
/// Gives the ids of the views that it marked.
///
/// # Errors
/// SQLite's.
pub fn retire_others(
    connection: &Connection,
    artifact: &ArtifactId,
    keep: &[ViewId],
    but_pages: &[u32],
) -> StoreResult<Vec<ViewId>> {
    let keep = serde_json::to_string(&keep.iter().map(ViewId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "UPDATE derived_text_views SET status = 'deleted'
             WHERE artifact_id = ?1 AND status = 'active' AND view_type NOT IN ('user_annotation', 'caption')
               AND id NOT IN (SELECT value FROM json_each(?2))
               AND (page IS NULL OR page NOT IN (SELECT value FROM json_each(?3))) RETURNING id",
        )?
        .query_and_then(params![artifact.as_str(), keep, serde_json::to_string(but_pages)?], |row| {
            Ok(ViewId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

const COLUMNS: &str = "v.id, v.artifact_id, v.space_id, v.view_type, v.page, v.language, v.extractor_id, v.model_id,
  v.config_hash, v.quality, v.created_at, v.text";

fn view(row: &Row<'_>) -> StoreResult<(TextView, String)> {
    let text: String = row.get(11)?;
    let view = TextView {
        id: ViewId::parse(row.get::<_, String>(0)?)?,
        artifact_id: ArtifactId::parse(row.get::<_, String>(1)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(2)?)?,
        view_type: row.get::<_, String>(3)?.parse()?,
        page: row.get(4)?,
        language: row.get(5)?,
        extractor_id: row.get(6)?,
        model_id: row.get(7)?,
        config_hash: row.get(8)?,
        quality: row.get(9)?,
        length: utf16_len(&text),
        created_at: row.get(10)?,
    };
    Ok((view, text))
}

/// The view of that id with its text.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &ViewId) -> StoreResult<Option<(TextView, String)>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM derived_text_views v WHERE v.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(view(row)))
        .optional()?
        .transpose()
}

/// The view in use of a page, or of what has no pages, that this reader made with these settings.
///
/// # Errors
/// SQLite's.
pub fn known(
    connection: &Connection,
    artifact: &ArtifactId,
    page: Option<u32>,
    (view_type, extractor_id, config_hash): (ViewType, &str, &str),
) -> StoreResult<Option<ViewId>> {
    // A view's place among those of its file is that of its page.
    connection
        .prepare_cached(
            "SELECT id FROM derived_text_views WHERE artifact_id = ?1 AND ordinal = ifnull(?2, 0) AND page IS ?2
               AND view_type = ?3 AND extractor_id = ?4 AND config_hash = ?5 AND status = 'active' ORDER BY rid LIMIT 1",
        )?
        .query_row(params![artifact.as_str(), page, view_type.as_str(), extractor_id, config_hash], |row| {
            row.get::<_, String>(0)
        })
        .optional()?
        .map(|id| Ok(ViewId::parse(id)?))
        .transpose()
}

/// Whether a page, or what has no pages, was read before: a view of it is in use. A page is read by its own text or by what is recognised on
/// it, and either stands for it, also one without words: there are other pages. What has no pages may be read in several ways, each of
/// which stands for itself where it has words.
///
/// # Errors
/// SQLite's.
pub fn is_read(
    connection: &Connection,
    artifact: &ArtifactId,
    page: Option<u32>,
    view_type: ViewType,
) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM derived_text_views WHERE artifact_id = ?1 AND ordinal = ifnull(?2, 0) AND page IS ?2
               AND (page IS NOT NULL OR view_type = ?3 AND text <> '') AND status = 'active' AND is_redacted = 0",
        )?
        .exists(params![artifact.as_str(), page, view_type.as_str()])?)
}

/// The views of a file that are in use, in the order of their places.
///
/// # Errors
/// SQLite's.
pub fn of_artifact(connection: &Connection, artifact: &ArtifactId) -> StoreResult<Vec<TextView>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM derived_text_views v WHERE v.artifact_id = ?1 AND v.status = 'active'
             ORDER BY v.ordinal, v.rid"
        ))?
        .query_and_then([artifact.as_str()], |row| Ok(view(row)?.0))?
        .collect()
}

/// A view in use, without its text.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its id.
    pub id: ViewId,
    /// The page that it is of.
    pub page: Option<u32>,
    /// What it is.
    pub view_type: ViewType,
}

/// The views in use of a file in their order. Reads none of their texts, which may be long.
///
/// # Errors
/// SQLite's.
pub fn listed(connection: &Connection, artifact: &ArtifactId) -> StoreResult<Vec<Listed>> {
    connection
        .prepare_cached(
            "SELECT id, page, view_type FROM derived_text_views WHERE artifact_id = ?1 AND status = 'active'
             ORDER BY ordinal, rid",
        )?
        .query_and_then([artifact.as_str()], |row| {
            let (id, view_type) = (ViewId::parse(row.get::<_, String>(0)?)?, row.get::<_, String>(2)?.parse()?);
            Ok(Listed { id, page: row.get(1)?, view_type })
        })?
        .collect()
}

/// The views in use of a page of a file, and those of a file that has no pages.
///
/// # Errors
/// SQLite's.
pub fn on_page(connection: &Connection, artifact: &ArtifactId, page: Option<u32>) -> StoreResult<Vec<ViewId>> {
    connection
        .prepare_cached(
            "SELECT id FROM derived_text_views WHERE artifact_id = ?1 AND status = 'active' AND is_redacted = 0
               AND (page IS NULL OR page IS ?2) ORDER BY ordinal, rid",
        )?
        .query_and_then(params![artifact.as_str(), page], |row| Ok(ViewId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Where a view's words stand, in the order of the text.
///
/// # Errors
/// SQLite's.
pub fn anchors(connection: &Connection, view: &ViewId) -> StoreResult<Vec<Anchor>> {
    anchors_where(connection, view, |_| true)
}

/// Where those of a view's words stand that have a part in one of some spans, in the order of the text.
///
/// # Errors
/// SQLite's.
pub fn anchors_of(connection: &Connection, view: &ViewId, spans: &[Utf16Span]) -> StoreResult<Vec<Anchor>> {
    anchors_where(connection, view, |word| spans.iter().any(|span| word.overlaps(*span)))
}

fn anchors_where(
    connection: &Connection,
    view: &ViewId,
    is_wanted: impl Fn(Utf16Span) -> bool,
) -> StoreResult<Vec<Anchor>> {
    let packed: Option<String> = connection
        .prepare_cached("SELECT spans FROM text_view_spans WHERE text_view_id = ?1")?
        .query_row([view.as_str()], |row| row.get(0))
        .optional()?;
    packed.map_or_else(|| Ok(Vec::new()), |json| unpack(&json, is_wanted))
}

/// One row of `text_view_spans.spans`: start, end, page, x, y, w, h, start_ms, end_ms, confidence in
/// thousandths. What does not apply is null. Numbers only: the row holds no words.
type Packed = (u32, u32, Option<u32>, Option<[f64; 4]>, Option<[u64; 2]>, Option<u32>);

fn pack(anchors: &[Anchor]) -> String {
    let tenth = |v: f64| (v * 10.0).round() / 10.0;
    let rows: Vec<Packed> = anchors
        .iter()
        .map(|a| {
            (
                a.span.start,
                a.span.end,
                a.page,
                a.bbox.map(|b| b.map(tenth)),
                a.time.map(|t| [t.start_ms, t.end_ms]),
                a.confidence.map(|c| (c * 1000.0).round() as u32),
            )
        })
        .collect();
    serde_json::to_string(&rows).expect("numbers are always JSON")
}

fn unpack(json: &str, is_wanted: impl Fn(Utf16Span) -> bool) -> StoreResult<Vec<Anchor>> {
    let rows: Vec<Packed> = serde_json::from_str(json)?;
    Ok(rows
        .into_iter()
        .filter(|(start, end, ..)| is_wanted(Utf16Span::new(*start, *end)))
        .map(|(start, end, page, bbox, time, confidence)| Anchor {
            span: Utf16Span::new(start, end),
            page,
            bbox,
            time: time.map(|[start_ms, end_ms]| TimeSpan { start_ms, end_ms }),
            confidence: confidence.map(|c| f64::from(c) / 1000.0),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_round_trip() {
        let anchors = vec![
            Anchor {
                span: Utf16Span::new(0, 5),
                page: Some(1),
                bbox: Some([1.5, 2.0, 30.3, 4.0]),
                time: None,
                confidence: Some(0.943),
            },
            Anchor {
                span: Utf16Span::new(6, 9),
                page: None,
                bbox: None,
                time: Some(TimeSpan { start_ms: 10, end_ms: 20 }),
                confidence: None,
            },
        ];
        let packed = pack(&anchors);
        assert_eq!(unpack(&packed, |_| true).unwrap(), anchors);
        assert_eq!(unpack(&packed, |word| word.overlaps(Utf16Span::new(5, 7))).unwrap(), anchors[1..]);
    }
}
