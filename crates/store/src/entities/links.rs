//! `memory_entity_links`: the memories that name an entity, and where.

use crate::parts::Text;
use crate::{StoreResult, filter, ids::new_id};
use rusqlite::{Connection, Row, params};
use std::collections::{BTreeSet, HashMap};
use um_model::belief::MatchType;
use um_model::{ArtifactId, EntityId, EpochMs, MemoryId, SpaceId, Utf16Span, ViewId, ViewType};

/// Where a text names an entity.
#[derive(Debug, Clone)]
pub struct Link<'a> {
    /// The memory.
    pub memory: &'a MemoryId,
    /// The view of its file that holds the words, where it is one.
    pub view: Option<&'a ViewId>,
    /// The entity.
    pub entity: &'a EntityId,
    /// `subject` or `mention`
    pub link_type: &'static str,
    /// How it was matched.
    pub match_type: MatchType,
    /// Where.
    pub span: Option<Utf16Span>,
}

/// Says that a memory names an entity; a further place is added to those known. Places in a text that is no longer in
/// use give way to those in another text.
///
/// # Errors
/// SQLite's.
pub fn link(connection: &Connection, space: &SpaceId, link: &Link<'_>, now: EpochMs) -> StoreResult<()> {
    let span = link.span.map_or_else(|| "[]".to_owned(), |s| format!("[[{},{}]]", s.start, s.end));
    connection
        .prepare_cached(
            "INSERT INTO memory_entity_links (id, memory_id, entity_id, link_type, match_type, text_view_id, spans,
               space_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (memory_id, entity_id, link_type) DO UPDATE SET
               spans = iif(text_view_id IS excluded.text_view_id, json_insert(spans, '$[#]', json(?10)), excluded.spans),
               text_view_id = excluded.text_view_id
             WHERE text_view_id IS excluded.text_view_id AND ?10 IS NOT NULL AND json_array_length(spans) < 50
               AND NOT EXISTS (SELECT 1 FROM json_each(memory_entity_links.spans) WHERE value = ?10)
             OR text_view_id IS NOT excluded.text_view_id AND text_view_id IN
               (SELECT id FROM derived_text_views WHERE status <> 'active')",
        )?
        .execute(params![
            new_id(now),
            link.memory.as_str(),
            link.entity.as_str(),
            link.link_type,
            link.match_type.as_str(),
            link.view.map(ViewId::as_str),
            span,
            space.as_str(),
            now,
            link.span.map(|s| format!("[{},{}]", s.start, s.end)),
        ])?;
    Ok(())
}

/// The entities of its space that a memory names and no other does, at most `limit`, with their names. You yourself are
/// named by everything.
///
/// # Errors
/// SQLite's.
pub fn named_only_in(connection: &Connection, memory: &MemoryId, limit: u32) -> StoreResult<Vec<(EntityId, String)>> {
    connection
        .prepare_cached(
            "SELECT DISTINCT e.id, e.name FROM memory_entity_links l JOIN entities e ON e.id = l.entity_id
             WHERE l.memory_id = ?1 AND e.space_id = l.space_id AND e.is_active = 1 AND e.canonical_name <> 'user'
               AND NOT EXISTS (SELECT 1 FROM memory_entity_links o WHERE o.entity_id = e.id AND o.memory_id <> ?1)
             ORDER BY e.rid DESC LIMIT ?2",
        )?
        .query_and_then(params![memory.as_str(), limit], |row| {
            Ok((EntityId::parse(row.get::<_, String>(0)?)?, row.get(1)?))
        })?
        .collect()
}

/// The memories of a space that name an entity, those last found to first; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn memories_naming(
    connection: &Connection,
    space: &SpaceId,
    entity: &EntityId,
    limit: u32,
) -> StoreResult<Vec<MemoryId>> {
    connection
        .prepare_cached(
            "SELECT memory_id FROM memory_entity_links WHERE entity_id = ?1 AND +space_id = ?2
             GROUP BY memory_id ORDER BY max(rid) DESC LIMIT ?3",
        )?
        .query_and_then(params![entity.as_str(), space.as_str(), limit], |row| {
            Ok(MemoryId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// Those of some memories that name one of some entities, each with the places in `entities` of those that it names, the first first, as
/// far as that was on record at `known_at`. You yourself are named by everything, and do not count.
///
/// # Errors
/// SQLite's.
pub fn naming_any(
    connection: &Connection,
    memories: &[&str],
    entities: &[&str],
    known_at: Option<EpochMs>,
) -> StoreResult<HashMap<String, BTreeSet<usize>>> {
    let (memories, entities) = (serde_json::to_string(memories)?, serde_json::to_string(entities)?);
    let mut naming: HashMap<String, BTreeSet<usize>> = HashMap::new();
    let mut statement = connection.prepare_cached(
        "SELECT l.memory_id, n.key FROM json_each(?2) n JOIN entities e ON e.id = n.value AND e.canonical_name <> 'user'
         CROSS JOIN json_each(?1) m CROSS JOIN memory_entity_links l ON l.memory_id = m.value AND l.entity_id = e.id
         WHERE l.created_at <= ?3",
    )?;
    let mut rows = statement.query(params![memories, entities, known_at.unwrap_or(EpochMs::MAX)])?;
    while let Some(row) = rows.next()? {
        naming.entry(row.get(0)?).or_default().insert(row.get::<_, u32>(1)? as usize);
    }
    Ok(naming)
}

/// Forgets that memories of a space name an entity, where that was found since a time, unless somebody stated a fact of it by
/// their words. Gives these memories.
///
/// # Errors
/// SQLite's.
pub fn unlink_since(
    connection: &Connection,
    space: &SpaceId,
    entity: &EntityId,
    since: EpochMs,
) -> StoreResult<BTreeSet<MemoryId>> {
    connection
        .prepare_cached(
            "DELETE FROM memory_entity_links AS l WHERE entity_id = ?1 AND +space_id = ?2 AND created_at >= ?3
               AND NOT EXISTS (SELECT 1 FROM claim_evidence e JOIN claims c ON c.id = e.claim_id
                 WHERE e.memory_id = l.memory_id AND e.extraction_method = 'user'
                   AND ?1 IN (c.entity_id, c.target_entity_id))
             RETURNING memory_id",
        )?
        .query_and_then(params![entity.as_str(), space.as_str(), since], |row| {
            Ok(MemoryId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// A memory that names an entity, of which nothing that is believed rests on it.
#[derive(Debug, Clone)]
pub struct Mentioned {
    /// The memory.
    pub memory: MemoryId,
    /// The view of its file that holds the words, where it is one.
    pub view: Option<ViewId>,
    /// Its space.
    pub space: SpaceId,
    /// Its file.
    pub artifact: Option<ArtifactId>,
    /// How the name was matched.
    pub match_type: MatchType,
    /// Where the name stands, in UTF-16 units of the view's text or the memory's own words.
    pub spans: Vec<Utf16Span>,
    /// The memory's title or the file's name.
    pub title: Option<String>,
    /// What the source is.
    pub modality: String,
    /// How the text came about.
    pub view_type: Option<ViewType>,
    /// The reader's quality; 1 for native text.
    pub quality: f64,
    /// Who brought it in.
    pub actor_name: String,
    /// When it was said, where known.
    pub occurred_at: Option<EpochMs>,
    /// When it was recorded.
    pub recorded_at: EpochMs,
}

/// The memories in use that name an entity without a claim of it: of the last `?3` links of `?1` in the spaces `?2`, one a
/// memory.
const UNCLAIMED: &str = "FROM (SELECT * FROM memory_entity_links WHERE entity_id = ?1 AND spans <> '[]'
      AND +space_id IN (SELECT value FROM json_each(?2)) ORDER BY rid DESC LIMIT ?3) l JOIN memories m ON m.id = l.memory_id
    LEFT JOIN derived_text_views v ON v.id = l.text_view_id LEFT JOIN artifacts f ON f.id = m.primary_artifact_id
  WHERE m.status IN ('active', 'consolidated', 'archived') AND m.is_redacted = 0
    AND ifnull(v.status, 'active') = 'active' AND ifnull(f.status, 'active') = 'active'
    AND l.rid = (SELECT min(o.rid) FROM memory_entity_links o
      WHERE o.memory_id = l.memory_id AND +o.entity_id = l.entity_id AND o.spans <> '[]')
    AND NOT EXISTS (SELECT 1 FROM claim_evidence e JOIN claims c ON c.id = e.claim_id
      WHERE e.memory_id = m.id AND ?1 IN (c.entity_id, c.target_entity_id) AND c.state IN ('asserted', 'disputed'))
    AND NOT EXISTS (SELECT 1 FROM derived_text_views w JOIN claim_evidence e ON e.derived_text_view_id = w.id
      JOIN claims c ON c.id = e.claim_id
      WHERE w.artifact_id = m.primary_artifact_id AND ?1 IN (c.entity_id, c.target_entity_id)
        AND c.state IN ('asserted', 'disputed'))";

/// Whom much is said of is named in thousands of memories: so many links are looked through, those made last.
pub const LOOKED_THROUGH: u32 = 2_000;

/// A page of the memories of these spaces that name an entity while nothing that is believed of it rests on them, the
/// last read first; with their number among those that are looked through ([`LOOKED_THROUGH`]).
///
/// # Errors
/// SQLite's.
pub fn mentions(
    connection: &Connection,
    entity: &EntityId,
    spaces: &[SpaceId],
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<Mentioned>, u64)> {
    let all: Vec<i64> = connection
        .prepare_cached(&format!("SELECT l.rid {UNCLAIMED} ORDER BY l.rid DESC"))?
        .query_map(params![entity.as_str(), filter::ids(spaces)?, LOOKED_THROUGH], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let page: Vec<i64> = all.iter().skip(offset as usize).take(limit as usize).copied().collect();
    let page = connection
        .prepare_cached(
            "SELECT l.memory_id, l.text_view_id, l.space_id, m.primary_artifact_id, ifnull(l.match_type, 'exact'),
               l.spans, ifnull(m.title, f.original_filename), ifnull(f.modality, m.modality), v.view_type,
               ifnull(v.quality, 1.0), g.name, m.occurred_at, m.created_at
             FROM json_each(?1) wanted CROSS JOIN memory_entity_links l ON l.rid = wanted.value
             JOIN memories m ON m.id = l.memory_id JOIN agents g ON g.id = m.actor_id
             LEFT JOIN derived_text_views v ON v.id = l.text_view_id
             LEFT JOIN artifacts f ON f.id = m.primary_artifact_id ORDER BY wanted.key",
        )?
        .query_and_then([serde_json::to_string(&page)?], mentioned)?
        .collect::<StoreResult<_>>()?;
    Ok((page, all.len() as u64))
}

/// Where texts name an entity: in the last `limit` memories that do.
///
/// # Errors
/// SQLite's.
pub fn named_at(connection: &Connection, entity: &EntityId, limit: u32) -> StoreResult<Vec<(Text, Utf16Span)>> {
    let mut statement = connection.prepare_cached(
        "SELECT memory_id, text_view_id, spans FROM memory_entity_links WHERE entity_id = ?1 AND spans <> '[]'
         ORDER BY rid DESC LIMIT ?2",
    )?;
    let mut rows = statement.query(params![entity.as_str(), limit])?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        let text = match row.get::<_, Option<String>>(1)? {
            Some(view) => Text::View(ViewId::parse(view)?),
            None => Text::Memory(MemoryId::parse(row.get::<_, String>(0)?)?),
        };
        let spans: Vec<[u32; 2]> = serde_json::from_str(&row.get::<_, String>(2)?)?;
        places.extend(spans.into_iter().map(|[start, end]| (text.clone(), Utf16Span::new(start, end))));
    }
    Ok(places)
}

fn mentioned(row: &Row<'_>) -> StoreResult<Mentioned> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let spans: Vec<[u32; 2]> = serde_json::from_str(&row.get::<_, String>(5)?)?;
    Ok(Mentioned {
        memory: MemoryId::parse(row.get::<_, String>(0)?)?,
        view: text(1)?.map(ViewId::parse).transpose()?,
        space: SpaceId::parse(row.get::<_, String>(2)?)?,
        artifact: text(3)?.map(ArtifactId::parse).transpose()?,
        match_type: row.get::<_, String>(4)?.parse()?,
        spans: spans.into_iter().map(|[start, end]| Utf16Span::new(start, end)).collect(),
        title: text(6)?,
        modality: row.get(7)?,
        view_type: text(8)?.map(|word| word.parse()).transpose()?,
        quality: row.get(9)?,
        actor_name: row.get(10)?,
        occurred_at: row.get(11)?,
        recorded_at: row.get(12)?,
    })
}
