//! Vectors. `memory_embeddings` is the truth; `embeddings_text_dense_vec` is an index of the vectors of
//! units that can be found: active, hot or warm (ruling 5). A changed row is deleted and inserted.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use um_model::{EpochMs, SpaceId};

/// The most neighbours that sqlite-vec gives (ruling 5).
pub const MAX_K: usize = 4096;

/// A vector as SQLite keeps it: little-endian 32-bit floats.
pub fn to_blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Keeps the vector of a unit, and indexes it where the unit can be found now. Does nothing when the
/// unit has a vector of that model already.
///
/// # Errors
/// SQLite's.
pub fn insert_unit(
    connection: &Connection,
    unit_rid: i64,
    model: &str,
    vector: &[f32],
    now: EpochMs,
) -> StoreResult<()> {
    let rid = connection
        .prepare_cached(
            "INSERT INTO memory_embeddings (id, space_id, actor_id, unit_id, embedding_space, model_id, dimensions,
               embedding, created_at)
             SELECT ?2, u.space_id, m.actor_id, u.id, 'text_dense', ?3, ?4, ?5, ?6
             FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
             WHERE u.rid = ?1 AND m.is_redacted = 0
             ON CONFLICT DO NOTHING RETURNING rid",
        )?
        .query_row(params![unit_rid, new_id(now), model, vector.len() as i64, to_blob(vector), now], |row| {
            row.get::<_, i64>(0)
        })
        .optional()?;
    if rid.is_some() {
        restore_units(connection, &[unit_rid])?;
    }
    Ok(())
}

/// Indexes the vectors of units that can be found and are not in the index yet. Only vectors of the
/// database's own model are indexed.
///
/// # Errors
/// SQLite's.
pub fn restore_units(connection: &Connection, unit_rids: &[i64]) -> StoreResult<()> {
    let mut select = connection.prepare_cached(
        "SELECT e.rid, e.space_id, e.embedding, m.tier, m.status, u.id
         FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
         JOIN memory_embeddings e ON e.unit_id = u.id AND e.embedding_space = 'text_dense'
         WHERE u.rid = ?1 AND u.status = 'active' AND m.status = 'active' AND m.tier IN ('hot', 'warm')
           AND e.status = 'active' AND e.embedding IS NOT NULL
           AND e.model_id = (SELECT value FROM system_settings WHERE key = 'embedding_model_id')",
    )?;
    let mut delete = connection.prepare_cached("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = ?1")?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO embeddings_text_dense_vec (embedding_rid, space_id, embedding, owner_type, tier, status, owner_id)
         VALUES (?1, ?2, ?3, 'unit', ?4, ?5, ?6)",
    )?;
    for unit_rid in unit_rids {
        type Found = (i64, String, Vec<u8>, String, String, String);
        let found: Option<Found> = select
            .query_row([unit_rid], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?, r.get(5)?)))
            .optional()?;
        if let Some((rid, space, blob, tier, status, unit)) = found {
            delete.execute([rid])?;
            insert.execute(params![rid, space, blob, tier, status, unit])?;
        }
    }
    Ok(())
}

/// Takes the vectors of units out of the index; the vectors themselves stay.
pub(crate) fn remove_units(connection: &Connection, unit_rids: &[i64]) -> StoreResult<()> {
    let mut select = connection.prepare_cached(
        "SELECT e.rid FROM text_units u JOIN memory_embeddings e ON e.unit_id = u.id
         WHERE u.rid = ?1 AND e.embedding_space = 'text_dense'",
    )?;
    let mut delete = connection.prepare_cached("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = ?1")?;
    for unit_rid in unit_rids {
        let rids: Vec<i64> = select.query_map([unit_rid], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for rid in rids {
            delete.execute([rid])?;
        }
    }
    Ok(())
}

/// The nearest units of a space: `(text_units.rid, cosine similarity)`, nearest first. `allowed` limits
/// the search to those units: then the vectors are compared one by one, exactly.
///
/// # Errors
/// SQLite's.
pub fn nearest(
    connection: &Connection,
    space: &SpaceId,
    query: &[f32],
    allowed: Option<&[i64]>,
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    match allowed {
        None => knn(connection, space, query, limit),
        Some(rids) => scan(connection, query, rids, limit),
    }
}

fn knn(connection: &Connection, space: &SpaceId, query: &[f32], limit: usize) -> StoreResult<Vec<(i64, f64)>> {
    Ok(connection
        .prepare_cached(
            // Materialized: else SQLite pushes the join's condition into the KNN, which vec0 refuses.
            "WITH knn AS MATERIALIZED (SELECT owner_id, distance FROM embeddings_text_dense_vec
                WHERE embedding MATCH ?1 AND k = ?2 AND space_id = ?3 AND status = 'active')
             SELECT u.rid, 1.0 - knn.distance FROM knn JOIN text_units u ON u.id = knn.owner_id
             ORDER BY knn.distance, u.rid",
        )?
        .query_map(params![to_blob(query), limit.min(MAX_K) as i64, space.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<_, _>>()?)
}

fn scan(connection: &Connection, query: &[f32], rids: &[i64], limit: usize) -> StoreResult<Vec<(i64, f64)>> {
    Ok(connection
        .prepare_cached(
            // CROSS JOIN keeps this order: from the allowed, of which there may be few, to their vectors.
            "SELECT u.rid, 1.0 - vec_distance_cosine(e.embedding, ?1) AS similarity
             FROM json_each(?2) allowed CROSS JOIN text_units u ON u.rid = allowed.value
             CROSS JOIN memory_embeddings e ON e.unit_id = u.id AND e.embedding_space = 'text_dense'
             WHERE e.status = 'active' AND e.embedding IS NOT NULL
               AND e.model_id = (SELECT value FROM system_settings WHERE key = 'embedding_model_id')
             ORDER BY similarity DESC, u.rid LIMIT ?3",
        )?
        .query_map(params![to_blob(query), serde_json::to_string(rids)?, limit as i64], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<_, _>>()?)
}

/// Rebuilds the index from `memory_embeddings`, a batch of rows at a time.
///
/// # Errors
/// SQLite's.
pub fn rebuild(connection: &Connection) -> StoreResult<u64> {
    connection.execute("DELETE FROM embeddings_text_dense_vec", [])?;
    let rids: Vec<i64> = connection
        .prepare("SELECT rid FROM text_units WHERE status = 'active' ORDER BY rid")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    restore_units(connection, &rids)?;
    Ok(connection.query_row("SELECT count(*) FROM embeddings_text_dense_vec", [], |row| row.get(0))?)
}

/// Makes the index anew for vectors of another length, and fills it with those of the database's model.
///
/// # Errors
/// SQLite's.
pub fn replace_index(connection: &Connection, dimensions: usize) -> StoreResult<u64> {
    connection.execute_batch(&format!(
        "DROP TABLE embeddings_text_dense_vec;
         CREATE VIRTUAL TABLE embeddings_text_dense_vec USING vec0(
           embedding_rid INTEGER PRIMARY KEY, space_id TEXT PARTITION KEY,
           embedding float[{dimensions}] distance_metric=cosine,
           owner_type TEXT, tier TEXT, status TEXT, +owner_id TEXT, chunk_size=64);"
    ))?;
    rebuild(connection)
}
