//! Files written into another space: their bytes, what was read from them, and where that stands in them.

use super::{Lineage, decided_findings, led};
use crate::{StoreResult, ids::new_id, units};
use rusqlite::{Connection, params};
use um_model::{ArtifactId, EpochMs, MemoryId, SpaceId, UnitId};

/// Copies a file's row with its bytes. Of a large one, `uri` says where the copy's bytes lie already. Where the file came
/// from stays behind.
///
/// # Errors
/// One with the same bytes in that space; a large one without `uri`; SQLite's.
pub fn copy_file(
    connection: &Connection,
    source: &ArtifactId,
    target: &SpaceId,
    uri: Option<&str>,
    now: EpochMs,
) -> StoreResult<ArtifactId> {
    let (id, bytes) = (new_id(now), new_id(now));
    let inline = connection
        .prepare_cached(
            "INSERT INTO artifact_bytes (id, space_id, blob)
             SELECT ?2, ?3, b.blob FROM artifacts a JOIN artifact_bytes b ON b.id = a.bytes_id WHERE a.id = ?1",
        )?
        .execute(params![source.as_str(), bytes, target.as_str()])?;
    connection
        .prepare_cached(
            "INSERT INTO artifacts (id, space_id, actor_id, content_hash, original_filename, mime_type, modality, byte_size,
               storage_backend, storage_uri, bytes_id, width, height, duration_ms, page_count, occurred_at, valid_from,
               created_at, metadata)
             SELECT ?2, ?3, actor_id, content_hash, original_filename, mime_type, modality, byte_size, storage_backend,
               ?4, ?5, width, height, duration_ms, page_count, occurred_at, valid_from, ?6,
               json_remove(metadata, '$.earlier_paths') FROM artifacts WHERE id = ?1",
        )?
        .execute(params![
            source.as_str(),
            id,
            target.as_str(),
            uri.filter(|_| inline == 0),
            (inline > 0).then_some(bytes),
            now
        ])?;
    Ok(ArtifactId::parse(id)?)
}

/// Copies what was read from a file, for the memory that stands for its copy: its views in use with their passages, which
/// are found by their words at once, and the places that these stand at.
///
/// # Errors
/// SQLite's.
pub fn copy_reading(
    connection: &Connection,
    (source, copy): (&ArtifactId, &ArtifactId),
    (target, memory): (&SpaceId, &MemoryId),
    lineage: &mut Lineage,
    now: EpochMs,
) -> StoreResult<()> {
    let of_file = |sql: &str| -> StoreResult<Vec<String>> {
        Ok(connection.prepare_cached(sql)?.query_map([source.as_str()], |row| row.get(0))?.collect::<Result<_, _>>()?)
    };
    // Parents come before what they hold.
    let places =
        "SELECT id FROM media_segments WHERE artifact_id = ?1 AND status = 'active' AND is_redacted = 0 ORDER BY rid";
    let views = "SELECT id FROM derived_text_views WHERE artifact_id = ?1 AND status = 'active' AND is_redacted = 0
                 ORDER BY rid";
    for segment in of_file(places)? {
        let id = new_id(now);
        copy_segment(connection, (&segment, &id), (copy, target), lineage, now)?;
        led(lineage, "media_segments", &segment, &id);
    }
    for view in of_file(views)? {
        let id = new_id(now);
        copy_view(connection, (&view, &id), (copy, target), lineage, now)?;
        led(lineage, "derived_text_views", &view, &id);
        decided_findings(connection, "text_view_id", (&view, &id), target, now)?;
        copy_units(connection, (&view, &id), (target, memory), lineage, now)?;
    }
    Ok(())
}

/// The copy of a segment that one refers to in a column of a row.
fn copied_segment(
    connection: &Connection,
    (table, column): (&str, &str),
    id: &str,
    lineage: &Lineage,
) -> StoreResult<Option<String>> {
    let found: Option<String> = connection
        .prepare_cached(&format!("SELECT {column} FROM {table} WHERE id = ?1"))?
        .query_row([id], |row| row.get(0))?;
    Ok(found.and_then(|id| lineage.get("media_segments")?.get(&id).cloned()))
}

fn copy_segment(
    connection: &Connection,
    (from, to): (&str, &str),
    (file, target): (&ArtifactId, &SpaceId),
    lineage: &Lineage,
    now: EpochMs,
) -> StoreResult<()> {
    let parent = copied_segment(connection, ("media_segments", "parent_segment_id"), from, lineage)?;
    connection
        .prepare_cached(
            "INSERT INTO media_segments (id, artifact_id, space_id, actor_id, segment_type, selector, selector_hash, level,
               ordinal, parent_segment_id, confidence, created_at, metadata)
             SELECT ?2, ?3, ?4, actor_id, segment_type, selector, selector_hash, level, ordinal, ?5, confidence, ?6,
               metadata FROM media_segments WHERE id = ?1",
        )?
        .execute(params![from, to, file.as_str(), target.as_str(), parent, now])?;
    Ok(())
}

fn copy_view(
    connection: &Connection,
    (from, to): (&str, &str),
    (file, target): (&ArtifactId, &SpaceId),
    lineage: &Lineage,
    now: EpochMs,
) -> StoreResult<()> {
    let segment = copied_segment(connection, ("derived_text_views", "segment_id"), from, lineage)?;
    connection
        .prepare_cached(
            "INSERT INTO derived_text_views (id, artifact_id, segment_id, space_id, actor_id, view_type, ordinal, page, text,
               masked_at, language, extractor_id, model_id, config_hash, quality, created_at, metadata)
             SELECT ?2, ?3, ?4, ?5, actor_id, view_type, ordinal, page, text, masked_at, language, extractor_id, model_id,
               config_hash, quality, ?6, metadata FROM derived_text_views WHERE id = ?1",
        )?
        .execute(params![from, to, file.as_str(), segment, target.as_str(), now])?;
    connection
        .prepare_cached(
            "INSERT INTO text_view_spans (text_view_id, space_id, spans)
             SELECT ?2, ?3, spans FROM text_view_spans WHERE text_view_id = ?1",
        )?
        .execute(params![from, to, target.as_str()])?;
    Ok(())
}

fn copy_units(
    connection: &Connection,
    (from, to): (&str, &str),
    (target, memory): (&SpaceId, &MemoryId),
    lineage: &Lineage,
    now: EpochMs,
) -> StoreResult<()> {
    let found: Vec<String> = connection
        .prepare_cached("SELECT id FROM text_units WHERE text_view_id = ?1 AND status = 'active' ORDER BY ordinal")?
        .query_map([from], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut rids = Vec::with_capacity(found.len());
    for unit in found {
        let unit = UnitId::parse(unit)?;
        let segment = copied_segment(connection, ("text_units", "segment_id"), unit.as_str(), lineage)?;
        rids.push(
            connection
                .prepare_cached(
                    "INSERT INTO text_units (id, space_id, text_view_id, owner_memory_id, ordinal, start_offset, end_offset,
                       segment_id, heading_path, token_count, created_at, mail_start, mail_from, mail_sent_at)
                     SELECT ?2, ?3, ?4, ?5, ordinal, start_offset, end_offset, ?6, heading_path, token_count, ?7, mail_start,
                       mail_from, mail_sent_at
                     FROM text_units WHERE id = ?1",
                )?
                .insert(params![unit.as_str(), new_id(now), target.as_str(), to, memory.as_str(), segment, now])?,
        );
    }
    units::index(connection, target, &rids)
}
