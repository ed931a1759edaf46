//! `text_units`: passages, with what keeps them in step with the full text and vector indexes.

use crate::fts::{self, Indexed};
use crate::parts::Text;
use crate::{StoreResult, ids::new_id, vectors};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use um_model::capture::Unit;
use um_model::span::utf16_len;
use um_model::{EpochMs, MemoryId, SegmentId, SpaceId, UnitId, Utf16Span, ViewId};

/// The text that units are cut from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// A memory's own words.
    Memory(&'a MemoryId),
    /// A text view of the file that the memory stands for.
    View(&'a ViewId),
}

/// A passage to be kept.
#[derive(Debug, Clone)]
pub struct NewUnit {
    /// Where in the source text.
    pub span: Utf16Span,
    /// Its words: exactly those of the span.
    pub text: String,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// The segment it stands in.
    pub segment: Option<SegmentId>,
    /// Estimated tokens.
    pub token_count: u32,
    /// The mail that it is of, in a mailbox.
    pub mail: Option<Mail>,
}

/// A mail of a mailbox, as its own head has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Where it begins in the source text, in UTF-16 units.
    pub start: u32,
    /// Whom it is from.
    pub from: Option<String>,
    /// When it was sent. One that does not say so is dated as its mailbox is.
    pub sent_at: Option<EpochMs>,
}

/// Keeps the passages of a text and makes them findable by their words at once. `title` is the name of
/// the memory or its file. Gives their rids, in their order.
///
/// # Errors
/// SQLite's; a cut that exists already among them.
pub fn insert(
    connection: &Connection,
    space: &SpaceId,
    memory: &MemoryId,
    source: Source<'_>,
    title: &str,
    units: &[NewUnit],
    now: EpochMs,
) -> StoreResult<Vec<i64>> {
    let (memory_id, view_id) = match source {
        Source::Memory(id) => (Some(id.as_str()), None),
        Source::View(id) => (None, Some(id.as_str())),
    };
    let mut statement = connection.prepare_cached(
        "INSERT INTO text_units (id, space_id, memory_id, text_view_id, owner_memory_id, ordinal, start_offset,
           end_offset, segment_id, heading_path, token_count, created_at, mail_start, mail_from, mail_sent_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?;
    let mut rids = Vec::with_capacity(units.len());
    for (ordinal, unit) in units.iter().enumerate() {
        rids.push(statement.insert(params![
            new_id(now),
            space.as_str(),
            memory_id,
            view_id,
            memory.as_str(),
            ordinal as i64,
            unit.span.start,
            unit.span.end,
            unit.segment.as_ref().map(SegmentId::as_str),
            unit.heading_path,
            unit.token_count,
            now,
            unit.mail.as_ref().map(|mail| mail.start),
            unit.mail.as_ref().and_then(|mail| mail.from.as_deref()),
            unit.mail.as_ref().and_then(|mail| mail.sent_at)
        ])?);
    }
    let indexed: Vec<Indexed<'_>> = rids
        .iter()
        .zip(units)
        .map(|(rid, unit)| Indexed {
            unit_rid: *rid,
            text: &unit.text,
            heading: unit.heading_path.as_deref().unwrap_or(""),
            title,
        })
        .collect();
    if let Some(table) = fts::table(connection, space)? {
        fts::insert(connection, &table, &indexed)?;
    }
    // A file may be read again while it is cold.
    if let Source::View(view) = source
        && is_cold(connection, memory)?
    {
        deactivate(connection, space, Which::OfView(view))?;
    }
    Ok(rids)
}

/// Which units an act concerns.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// All that lead to a memory.
    OfMemory(&'a MemoryId),
    /// All that are cut from a view.
    OfView(&'a ViewId),
}

impl Which<'_> {
    fn condition(self) -> (&'static str, String) {
        match self {
            Self::OfMemory(id) => ("u.owner_memory_id = ?1", id.as_str().to_owned()),
            Self::OfView(id) => ("u.text_view_id = ?1", id.as_str().to_owned()),
        }
    }
}

/// Takes units out of every index. The rows stay, for history and for a later restore.
///
/// # Errors
/// SQLite's.
pub fn deactivate(connection: &Connection, space: &SpaceId, which: Which<'_>) -> StoreResult<()> {
    let (condition, id) = which.condition();
    let rids: Vec<i64> = connection
        .prepare_cached(&format!("SELECT u.rid FROM text_units u WHERE {condition} AND u.status = 'active'"))?
        .query_map([&id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if let Some(table) = fts::table(connection, space)? {
        fts::remove(connection, &table, &rids)?;
    }
    vectors::remove_units(connection, &rids)?;
    connection
        .prepare_cached(&format!("UPDATE text_units AS u SET status = 'inactive' WHERE {condition}"))?
        .execute([&id])?;
    Ok(())
}

/// Whether a memory is cold: its units stand in no index.
fn is_cold(connection: &Connection, memory: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT tier = 'cold' FROM memories WHERE id = ?1")?
        .query_row([memory.as_str()], |row| row.get(0))?)
}

/// Puts units back into every index, where their view is in use; those of a cold memory stay outside.
///
/// # Errors
/// SQLite's.
pub fn activate(connection: &Connection, space: &SpaceId, memory: &MemoryId) -> StoreResult<()> {
    if is_cold(connection, memory)? {
        return Ok(());
    }
    let rids: Vec<i64> = connection
        .prepare_cached(
            "UPDATE text_units SET status = 'active' WHERE owner_memory_id = ?1 AND status = 'inactive'
               AND (text_view_id IS NULL OR text_view_id IN (SELECT id FROM derived_text_views WHERE status = 'active'))
             RETURNING rid",
        )?
        .query_map([memory.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    index(connection, space, &rids)?;
    vectors::restore_units(connection, &rids)
}

/// Writes units into their space's full text table.
pub(crate) fn index(connection: &Connection, space: &SpaceId, rids: &[i64]) -> StoreResult<()> {
    let Some(table) = fts::table(connection, space)? else { return Ok(()) };
    for found in texts(connection, rids)? {
        fts::insert(
            connection,
            &table,
            &[Indexed {
                unit_rid: found.rid,
                text: &found.text,
                heading: found.heading_path.as_deref().unwrap_or(""),
                title: &found.title,
            }],
        )?;
    }
    Ok(())
}

/// A unit with its words, cut from the source they stand in.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitText {
    /// `text_units.rid`
    pub rid: i64,
    /// `text_units.id`
    pub id: String,
    /// Its words.
    pub text: String,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// The name of the memory or its file.
    pub title: String,
}

/// The rids of a memory's units in use, in their order; of all where none is in use.
///
/// # Errors
/// SQLite's.
pub fn rids_of(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached(
            "SELECT rid FROM text_units WHERE owner_memory_id = ?1 AND (status = 'active' OR NOT EXISTS
               (SELECT 1 FROM text_units used WHERE used.owner_memory_id = ?1 AND used.status = 'active')) ORDER BY rid",
        )?
        .query_map([memory.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// The texts that some units (`text_units.rid`) are cut from, each with what its units are called: the title of their memory and the
/// headings above them.
///
/// # Errors
/// SQLite's.
pub fn sources_of(connection: &Connection, rids: &[i64]) -> StoreResult<BTreeMap<Text, String>> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT u.memory_id, u.text_view_id, ifnull(m.title, ''), ifnull(u.heading_path, '')
         FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
         CROSS JOIN memories m ON m.id = u.owner_memory_id",
    )?;
    let mut rows = statement.query([serde_json::to_string(rids)?])?;
    let mut sources: BTreeMap<Text, String> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let text = match row.get::<_, Option<String>>(0)? {
            Some(memory) => Text::Memory(MemoryId::parse(memory)?),
            None => Text::View(ViewId::parse(row.get::<_, String>(1)?)?),
        };
        let (title, heading): (String, String) = (row.get(2)?, row.get(3)?);
        let called = sources.entry(text).or_insert(title);
        called.push('\n');
        called.push_str(&heading);
    }
    Ok(sources)
}

/// Those of some units (`text_units.rid`) whose whole source has one of some words somewhere, capitals or not; of letters outside of ASCII
/// any will do, and so for `ss`, which may stand there as `ß`. Each source is gone through once, and none is read whose units need not be.
///
/// # Errors
/// SQLite's.
pub fn of_sources_with(connection: &Connection, rids: &[i64], words: &[String]) -> StoreResult<Vec<i64>> {
    // SQLite takes no capital outside of ASCII for its small letter.
    let pattern =
        |word: &String| format!("%{}%", word.replace(|letter: char| !letter.is_ascii(), "%").replace("ss", "%"));
    let patterns: Vec<String> = words.iter().map(pattern).collect();
    Ok(connection
        .prepare_cached(OF_SOURCES_WITH)?
        .query_map([serde_json::to_string(rids)?, serde_json::to_string(&patterns)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

const OF_SOURCES_WITH: &str = "WITH given(rid, memory, view) AS MATERIALIZED (
    SELECT u.rid, u.memory_id, u.text_view_id FROM json_each(?1) g CROSS JOIN text_units u ON u.rid = g.value)
  SELECT rid FROM given
  WHERE memory IN (SELECT m.id FROM (SELECT DISTINCT memory FROM given) s CROSS JOIN memories m ON m.id = s.memory
      WHERE EXISTS (SELECT 1 FROM json_each(?2) word WHERE m.content LIKE word.value))
    OR view IN (SELECT v.id FROM (SELECT DISTINCT view FROM given) s CROSS JOIN derived_text_views v ON v.id = s.view
      WHERE EXISTS (SELECT 1 FROM json_each(?2) word WHERE v.text LIKE word.value))";

/// The words of those units that are there, by their ids.
///
/// # Errors
/// SQLite's; a span that does not fit its text.
pub fn texts_of(connection: &Connection, units: &[&UnitId]) -> StoreResult<Vec<(UnitId, String)>> {
    let ids: Vec<&str> = units.iter().map(|id| id.as_str()).collect();
    let rids: Vec<i64> = connection
        .prepare_cached("SELECT rid FROM text_units WHERE id IN (SELECT value FROM json_each(?1))")?
        .query_map([serde_json::to_string(&ids)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    texts(connection, &rids)?.into_iter().map(|unit| Ok((UnitId::parse(unit.id)?, unit.text))).collect()
}

/// The words of units, in the order of their rids. The source text of each is read once.
///
/// # Errors
/// SQLite's; a span that does not fit its text.
pub fn texts(connection: &Connection, rids: &[i64]) -> StoreResult<Vec<UnitText>> {
    let mut statement = connection.prepare_cached(
        "SELECT u.rid, u.id, u.start_offset, u.end_offset, u.heading_path, ifnull(m.title, ''),
                ifnull(u.memory_id, u.text_view_id), u.memory_id IS NOT NULL
         FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
         WHERE u.rid IN (SELECT value FROM json_each(?1)) ORDER BY u.rid",
    )?;
    let mut rows = statement.query([serde_json::to_string(rids)?])?;
    let mut source: Option<(String, String)> = None;
    // Passages follow each other: each is looked for from where the last one began, not from the text's beginning.
    let mut last = (0, 0);
    let mut found = Vec::with_capacity(rids.len());
    while let Some(row) = rows.next()? {
        let source_id: String = row.get(6)?;
        if source.as_ref().is_none_or(|(id, _)| *id != source_id) {
            source = Some((source_id.clone(), source_text(connection, &source_id, row.get(7)?)?));
            last = (0, 0);
        }
        let whole = source.as_ref().map_or("", |(_, text)| text);
        let span = Utf16Span::new(row.get(2)?, row.get(3)?);
        let text = slice_after(whole, span, &mut last).ok_or_else(|| {
            crate::StoreError::Damaged(format!(
                "unit {} reaches past its text",
                row.get::<_, String>(1).unwrap_or_default()
            ))
        })?;
        found.push(UnitText {
            rid: row.get(0)?,
            id: row.get(1)?,
            text: text.to_owned(),
            heading_path: row.get(4)?,
            title: row.get(5)?,
        });
    }
    Ok(found)
}

/// The words of a span. `last` is the beginning of an earlier one, in code units and in bytes, and becomes that of
/// this one.
fn slice_after<'a>(text: &'a str, span: Utf16Span, last: &mut (u32, usize)) -> Option<&'a str> {
    if span.start < last.0 {
        *last = (0, 0);
    }
    let (unit, byte) = *last;
    let range = Utf16Span::new(span.start - unit, span.end - unit).byte_range(&text[byte..])?;
    *last = (span.start, byte + range.start);
    Some(&text[byte + range.start..byte + range.end])
}

/// A passage that has some words, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithPhrase {
    /// `text_units.rid`
    pub rid: i64,
    /// The memory it leads to.
    pub memory: MemoryId,
    /// The view it is cut from; none where it is cut from the memory's own text.
    pub view: Option<ViewId>,
    /// Where it begins in that text, in UTF-16 code units.
    pub start: u32,
}

/// The passages in use of other memories that have these words after each other, those made last first; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_phrase(
    connection: &Connection,
    space: &SpaceId,
    words: &str,
    not_of: &MemoryId,
    limit: u32,
) -> StoreResult<Vec<WithPhrase>> {
    let Some(table) = fts::table(connection, space)? else { return Ok(Vec::new()) };
    let phrase = phrase(words);
    connection
        .prepare_cached(&format!(
            "SELECT u.rid, u.owner_memory_id, u.text_view_id, u.start_offset
             FROM {table} CROSS JOIN text_units u ON u.rid = {table}.rowid
             WHERE {table} MATCH ?1 AND u.status = 'active' AND u.owner_memory_id <> ?2
             ORDER BY {table}.rowid DESC LIMIT ?3"
        ))?
        .query_and_then(params![phrase, not_of.as_str(), limit], |row| {
            Ok(WithPhrase {
                rid: row.get(0)?,
                memory: MemoryId::parse(row.get::<_, String>(1)?)?,
                view: row.get::<_, Option<String>>(2)?.map(ViewId::parse).transpose()?,
                start: row.get(3)?,
            })
        })?
        .collect()
}

/// The memories of a space in whose texts these words stand after each other.
///
/// # Errors
/// SQLite's.
pub fn saying(connection: &Connection, space: &SpaceId, words: &str) -> StoreResult<BTreeSet<MemoryId>> {
    let Some(table) = fts::table(connection, space)? else { return Ok(BTreeSet::new()) };
    connection
        .prepare_cached(&format!(
            "SELECT DISTINCT u.owner_memory_id FROM {table} CROSS JOIN text_units u ON u.rid = {table}.rowid
             WHERE {table} MATCH ?1 AND u.status = 'active'"
        ))?
        .query_and_then([phrase(words)], |row| Ok(MemoryId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

fn phrase(words: &str) -> String {
    format!("text : {}", fts::quoted(words))
}

/// The text of a memory or view.
///
/// # Errors
/// SQLite's.
pub fn source_text(connection: &Connection, id: &str, is_memory: bool) -> StoreResult<String> {
    let sql = if is_memory {
        "SELECT ifnull(content, '') FROM memories WHERE id = ?1"
    } else {
        "SELECT text FROM derived_text_views WHERE id = ?1"
    };
    Ok(connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?)
}

/// The words around a passage, with where they stand in their text: of a file, those from the passage before it to the one after it; of
/// a memory of words, all.
///
/// # Errors
/// SQLite's.
pub fn around(connection: &Connection, id: &str) -> StoreResult<Option<(Utf16Span, String)>> {
    let Some(unit) = by_id(connection, id)? else { return Ok(None) };
    let Some(view) = &unit.view_id else {
        let text = source_text(connection, unit.memory_id.as_str(), true)?;
        return Ok(Some((Utf16Span::new(0, utf16_len(&text)), text)));
    };
    // Through the index of what belongs to a memory; passages of a file are that of one.
    let near = |sql: &str| -> StoreResult<Option<u32>> {
        Ok(connection
            .prepare_cached(sql)?
            .query_row(params![unit.memory_id.as_str(), view.as_str(), unit.span.start, unit.span.end], |row| {
                row.get(0)
            })
            .optional()?)
    };
    let of_view = "FROM text_units WHERE owner_memory_id = ?1 AND text_view_id = ?2 AND status = 'active'";
    let before = near(&format!(
        "SELECT start_offset {of_view} AND start_offset < ?3 AND ?4 IS NOT NULL ORDER BY start_offset DESC LIMIT 1"
    ))?;
    let after = near(&format!(
        "SELECT end_offset {of_view} AND end_offset > ?4 AND ?3 IS NOT NULL ORDER BY end_offset LIMIT 1"
    ))?;
    let span = Utf16Span::new(before.unwrap_or(unit.span.start), after.unwrap_or(unit.span.end));
    let text = source_text(connection, view.as_str(), false)?;
    Ok(Some(match span.slice(&text) {
        Some(words) => (span, words.to_owned()),
        None => (unit.span, unit.text),
    }))
}

/// The memories whose only passage is one of those, in the order of `rids`.
///
/// # Errors
/// SQLite's.
pub fn owners_of_only(connection: &Connection, rids: &[i64]) -> StoreResult<Vec<MemoryId>> {
    connection
        .prepare_cached(
            "SELECT u.memory_id FROM json_each(?1) wanted CROSS JOIN text_units u ON u.rid = wanted.value
             WHERE u.memory_id IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM text_units o WHERE o.memory_id = u.memory_id AND o.rid <> u.rid)
             ORDER BY wanted.key",
        )?
        .query_and_then([serde_json::to_string(rids)?], |row| Ok(MemoryId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// The segments that a view's passages stand in, with the part of the text that each passage covers.
///
/// # Errors
/// SQLite's.
pub fn segments(connection: &Connection, view: &ViewId) -> StoreResult<Vec<(Utf16Span, SegmentId)>> {
    connection
        .prepare_cached(
            "SELECT start_offset, end_offset, segment_id FROM text_units
             WHERE text_view_id = ?1 AND segment_id IS NOT NULL ORDER BY ordinal",
        )?
        .query_and_then([view.as_str()], |row| {
            Ok((Utf16Span::new(row.get(0)?, row.get(1)?), SegmentId::parse(row.get::<_, String>(2)?)?))
        })?
        .collect()
}

/// The unit of that id with its words.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &str) -> StoreResult<Option<Unit>> {
    type Row = (i64, String, String, Option<String>, Option<String>, u32, u32);
    let row: Option<Row> = connection
        .prepare_cached(
            "SELECT rid, space_id, owner_memory_id, text_view_id, segment_id, start_offset, end_offset
             FROM text_units WHERE id = ?1",
        )?
        .query_row([id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?, r.get(5)?, r.get(6)?)))
        .optional()?;
    let Some((rid, space, memory, view, segment, start, end)) = row else { return Ok(None) };
    let Some(words) = texts(connection, &[rid])?.pop() else { return Ok(None) };
    Ok(Some(Unit {
        id: UnitId::parse(id)?,
        space_id: SpaceId::parse(space)?,
        memory_id: MemoryId::parse(memory)?,
        view_id: view.map(ViewId::parse).transpose()?,
        segment_id: segment.map(SegmentId::parse).transpose()?,
        span: Utf16Span::new(start, end),
        text: words.text,
        heading_path: words.heading_path,
    }))
}

/// That a unit `u` is found by its meaning, as far as that depends on its memory: in use, or of a memory that is cold, of which no index
/// holds it and what asks for cold ones compares its vector.
pub(crate) const HAS_MEANING: &str = "(u.status = 'active'
  OR EXISTS (SELECT 1 FROM memories o WHERE o.id = u.owner_memory_id AND o.tier = 'cold' AND o.status = 'active')
    AND (u.text_view_id IS NULL
      OR EXISTS (SELECT 1 FROM derived_text_views w WHERE w.id = u.text_view_id AND w.status = 'active')))";

/// What is left to embed of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unembedded {
    /// The first of its units in use, or cold, that have no vector yet: `text_units.rid`, in order.
    pub rids: Vec<i64>,
    /// How many have none.
    pub left: usize,
    /// How many such units it has.
    pub total: usize,
}

/// The units of a memory, in use or cold, that have no vector of that model yet, at most `limit` of them listed. A file's mere
/// name is found by its words and has no vector.
///
/// # Errors
/// SQLite's.
pub fn unembedded(connection: &Connection, memory: &MemoryId, model: &str, limit: usize) -> StoreResult<Unembedded> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT u.rid, NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id
           AND e.embedding_space = 'text_dense' AND e.model_id = ?2)
         FROM text_units u LEFT JOIN derived_text_views v ON v.id = u.text_view_id
         WHERE u.owner_memory_id = ?1 AND {HAS_MEANING} AND v.view_type IS NOT 'metadata_text' ORDER BY u.rid"
    ))?;
    let mut rows = statement.query([memory.as_str(), model])?;
    let mut found = Unembedded::default();
    while let Some(row) = rows.next()? {
        found.total += 1;
        if row.get(1)? {
            found.left += 1;
            if found.rids.len() < limit {
                found.rids.push(row.get(0)?);
            }
        }
    }
    Ok(found)
}

/// The same of those from a passage (`text_units.rid`) on, in order: what comes before it is not gone through.
///
/// # Errors
/// SQLite's.
pub fn unembedded_from(
    connection: &Connection,
    memory: &MemoryId,
    from: i64,
    model: &str,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT u.rid FROM text_units u LEFT JOIN derived_text_views v ON v.id = u.text_view_id
             WHERE u.owner_memory_id = ?1 AND u.rid >= ?2 AND {HAS_MEANING} AND v.view_type IS NOT 'metadata_text'
               AND NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id
                                 AND e.embedding_space = 'text_dense' AND e.model_id = ?3)
             ORDER BY u.rid LIMIT ?4"
        ))?
        .query_map(params![memory.as_str(), from, model, limit as i64], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// The first passages of some memories of a space, in use or cold, that have no vector of that model yet, each with the rid of its memory:
/// in the order of these, at most `limit`. The memories are those of `rids` that have words of their own; of the first of them,
/// what comes before the passage `from` is not gone through.
///
/// # Errors
/// SQLite's.
pub fn unembedded_among(
    connection: &Connection,
    space: &SpaceId,
    (rids, from): (&RangeInclusive<i64>, i64),
    model: &str,
    limit: usize,
) -> StoreResult<Vec<(i64, i64)>> {
    // With the plus the rids are gone through, and not all that the space has. Words belong to the memory that says them: by the
    // index of owners, passages come in the order of their rids.
    Ok(connection
        .prepare_cached(&format!(
            "SELECT u.rid, m.rid FROM memories m CROSS JOIN text_units u
               ON u.owner_memory_id = m.id AND u.memory_id IS NOT NULL AND u.rid >= iif(m.rid = ?1, ?6, 0)
             WHERE m.rid BETWEEN ?1 AND ?2 AND +m.space_id = ?3 AND {HAS_MEANING}
               AND NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id
                                 AND e.embedding_space = 'text_dense' AND e.model_id = ?4)
             ORDER BY m.rid, u.rid LIMIT ?5"
        ))?
        .query_map(params![rids.start(), rids.end(), space.as_str(), model, limit as i64, from], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<_, _>>()?)
}
