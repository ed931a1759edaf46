//! Vectors. `memory_embeddings` is the truth; `embeddings_text_dense_vec` is an index of the vectors of
//! units that can be found: active, hot or warm (ruling 5). A changed row is deleted and inserted.

use crate::codes::{Seeming, Wanted};
use crate::filter::{self, Admitted, UnitFilter};
use crate::scan::{self, Best};
use crate::{StoreError, StoreResult, codes, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use std::cell::OnceCell;
use std::collections::HashMap;
use um_model::{EpochMs, MemoryId, SpaceId};

pub use scan::dot;

/// Of so many that are nearest, none is missed for having seemed farther than it is; who stands far down a longer list matters little.
const NEAREST: usize = 10;
/// Where many pass a filter, so many times as many as are wanted are looked for first: where a third of them passes, that is enough. As
/// many more vectors are compared exactly than without a filter.
const FIRST: usize = 3;
/// So many are compared before it is asked again whether one that is left may be among these.
const PORTION: usize = 50;

/// A vector as SQLite keeps it: little-endian 32-bit floats.
pub fn to_blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The vector that SQLite keeps so.
pub(crate) fn from_blob(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|value| f32::from_le_bytes(*value)).collect()
}

/// Which vectors (`e`) stand in the index: those of units (`u`) that can be found with their memories (`m`), by the database's own model.
pub(crate) const INDEXED: &str = "u.status = 'active' AND m.status = 'active' AND m.tier IN ('hot', 'warm')
  AND e.embedding_space = 'text_dense' AND e.status = 'active' AND e.embedding IS NOT NULL
  AND e.model_id = (SELECT value FROM system_settings WHERE key = 'embedding_model_id')";

/// Whether a vector (`e`) is as long as those of the database's model: no other can be indexed.
pub(crate) const READABLE: &str = "length(e.embedding) = 4 *
  (SELECT CAST(value AS INTEGER) FROM system_settings WHERE key = 'embedding_dimensions')";

/// Keeps the vector of a unit, brought to length one, and indexes it where the unit can be found now. Does
/// nothing when the unit has a vector of that model already.
///
/// # Errors
/// [`StoreError::Damaged`](crate::StoreError::Damaged) for a vector without a direction; SQLite's.
pub fn insert_unit(
    connection: &Connection,
    unit_rid: i64,
    model: &str,
    vector: &[f32],
    now: EpochMs,
) -> StoreResult<()> {
    let vector = to_blob(&scan::unit_length(vector)?);
    let is_new = connection
        .prepare_cached(
            "INSERT INTO memory_embeddings (id, space_id, actor_id, unit_id, embedding_space, model_id, dimensions,
               embedding, created_at)
             SELECT ?2, u.space_id, m.actor_id, u.id, 'text_dense', ?3, ?4, ?5, ?6
             FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
             WHERE u.rid = ?1 AND m.is_redacted = 0
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![unit_rid, new_id(now), model, (vector.len() / size_of::<f32>()) as i64, vector, now])?;
    if is_new == 0 {
        return Ok(());
    }
    let rid = connection.last_insert_rowid();
    // What an earlier one of that number left behind gives way; to look for it each time costs as much as the vector.
    index(connection, rid).or_else(|error| match connection.is_autocommit() {
        // The transaction was undone, as where the disk is full: nothing is there any more that could be indexed.
        true => Err(error),
        false => remove(connection, rid).and_then(|()| index(connection, rid)),
    })
}

/// Indexes the vectors of units that can be found and are not in the index yet. Only vectors of the
/// database's own model are indexed; those of another length are left out.
///
/// # Errors
/// SQLite's.
pub fn restore_units(connection: &Connection, unit_rids: &[i64]) -> StoreResult<()> {
    of_each(connection, unit_rids, |rid| remove(connection, rid).and_then(|()| index_readable(connection, rid)))
}

/// Does something with each vector (`memory_embeddings.rid`) of units.
fn of_each(connection: &Connection, unit_rids: &[i64], act: impl Fn(i64) -> StoreResult<()>) -> StoreResult<()> {
    let mut select = connection.prepare_cached(
        "SELECT e.rid FROM text_units u JOIN memory_embeddings e ON e.unit_id = u.id
         WHERE u.rid = ?1 AND e.embedding_space = 'text_dense'",
    )?;
    for unit_rid in unit_rids {
        let rids: Vec<i64> = select.query_map([unit_rid], |row| row.get(0))?.collect::<Result<_, _>>()?;
        rids.into_iter().try_for_each(&act)?;
    }
    Ok(())
}

fn remove(connection: &Connection, rid: i64) -> StoreResult<()> {
    connection.prepare_cached("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = ?1")?.execute([rid])?;
    Ok(())
}

/// Indexes a vector (`memory_embeddings.rid`) that is not in the index, where it belongs there.
fn index(connection: &Connection, rid: i64) -> StoreResult<()> {
    connection.prepare_cached(&format!("{INDEX} WHERE e.rid = ?1 AND {INDEXED}"))?.execute([rid])?;
    Ok(())
}

/// The same, but leaves out one of another length, as where the index is made anew.
fn index_readable(connection: &Connection, rid: i64) -> StoreResult<()> {
    connection.prepare_cached(&format!("{INDEX} WHERE e.rid = ?1 AND {INDEXED} AND {READABLE}"))?.execute([rid])?;
    Ok(())
}

/// Indexes vectors (`e`) of units (`u`) of memories (`m`).
const INDEX: &str = "INSERT INTO embeddings_text_dense_vec (embedding_rid, space_id, embedding)
  SELECT e.rid, e.space_id, e.embedding FROM memory_embeddings e CROSS JOIN text_units u ON u.id = e.unit_id
  CROSS JOIN memories m ON m.id = u.owner_memory_id";

/// Takes the vectors of units out of the index; the vectors themselves stay.
pub(crate) fn remove_units(connection: &Connection, unit_rids: &[i64]) -> StoreResult<()> {
    of_each(connection, unit_rids, |rid| remove(connection, rid))
}

/// Takes the vectors of units away: their words changed.
///
/// # Errors
/// SQLite's.
pub(crate) fn forget_units(connection: &Connection, unit_rids: &[i64]) -> StoreResult<()> {
    remove_units(connection, unit_rids)?;
    let mut delete = connection
        .prepare_cached("DELETE FROM memory_embeddings WHERE unit_id = (SELECT id FROM text_units WHERE rid = ?1)")?;
    for rid in unit_rids {
        delete.execute([rid])?;
    }
    Ok(())
}

/// The last vector that was kept (`memory_embeddings.rid`); 0 where there is none.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> StoreResult<i64> {
    Ok(connection.query_row("SELECT ifnull(max(rid), 0) FROM memory_embeddings", [], |row| row.get(0))?)
}

/// Removes vectors of units that were made with another model than the one in use, among the next `limit` after one
/// (`memory_embeddings.rid`) and up to another. Gives the last one that it looked at and how many it removed; nothing where none is
/// left to be looked at.
///
/// # Errors
/// SQLite's.
pub fn remove_of_others(
    connection: &Connection,
    (after, last): (i64, i64),
    limit: usize,
) -> StoreResult<Option<(i64, u64)>> {
    let looked_at: Vec<(i64, bool)> = connection
        .prepare_cached(
            "SELECT rid, unit_id IS NOT NULL AND embedding_space = 'text_dense' AND is_redacted = 0
               AND ifnull(model_id <> (SELECT value FROM system_settings WHERE key = 'embedding_model_id'), 0)
             FROM memory_embeddings WHERE rid > ?1 AND rid <= ?2 ORDER BY rid LIMIT ?3",
        )?
        .query_map(params![after, last, limit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let Some((reached, _)) = looked_at.last().copied() else { return Ok(None) };
    let mut delete = connection.prepare_cached("DELETE FROM memory_embeddings WHERE rid = ?1")?;
    let mut removed = 0;
    for (rid, _) in looked_at.iter().filter(|(_, is_of_another)| *is_of_another) {
        // None of them is in the index, unless that was not made anew.
        remove(connection, *rid)?;
        delete.execute([rid])?;
        removed += 1;
    }
    Ok(Some((reached, removed)))
}

/// The vector of a memory's own words, where they are one unit, by the model in use.
///
/// # Errors
/// SQLite's.
pub fn of_only_unit(connection: &Connection, memory: &MemoryId) -> StoreResult<Option<Vec<f32>>> {
    let blob: Option<Vec<u8>> = connection
        .prepare_cached(
            "SELECT e.embedding FROM text_units u JOIN memory_embeddings e ON e.unit_id = u.id
             WHERE u.memory_id = ?1 AND u.status = 'active' AND e.embedding_space = 'text_dense' AND e.status = 'active'
               AND e.model_id = (SELECT value FROM system_settings WHERE key = 'embedding_model_id')
               AND NOT EXISTS (SELECT 1 FROM text_units o WHERE o.memory_id = ?1 AND o.rid <> u.rid)",
        )?
        .query_row([memory.as_str()], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(blob.map(|bytes| from_blob(&bytes)))
}

/// The vectors of listed units (`text_units.rid`), by the model in use. CROSS JOIN keeps this order: from the listed, which are few, to
/// their vectors.
const OF_UNITS: &str =
    "SELECT u.rid, e.embedding FROM json_each(?1) listed CROSS JOIN text_units u ON u.rid = listed.value
  CROSS JOIN memory_embeddings e ON e.unit_id = u.id AND e.embedding_space = 'text_dense'
  WHERE e.status = 'active' AND e.embedding IS NOT NULL
    AND e.model_id = (SELECT value FROM system_settings WHERE key = 'embedding_model_id')";

/// The vectors of some units (`text_units.rid`), of length one, by the model in use; those that have none are left out.
///
/// # Errors
/// SQLite's.
pub fn of_units(connection: &Connection, units: &[i64]) -> StoreResult<HashMap<i64, Vec<f32>>> {
    let mut statement = connection.prepare_cached(OF_UNITS)?;
    let mut rows = statement.query([serde_json::to_string(units)?])?;
    let mut found = HashMap::with_capacity(units.len());
    while let Some(row) = rows.next()? {
        found.insert(row.get(0)?, from_blob(scan::as_blob(row.get_ref(1)?)?));
    }
    Ok(found)
}

/// The nearest units of some spaces together that pass: `(text_units.rid, cosine similarity)`, nearest first,
/// ties by rid. Of few, all vectors are compared: the answer is exact. Of many, those that [seem nearest](crate::codes) are.
///
/// # Errors
/// [`StoreError::Damaged`](crate::StoreError::Damaged) for a question without a direction; SQLite's.
pub fn nearest(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    admitted: &Admitted<'_>,
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let query = scan::unit_length(query)?;
    if let Some(filter) = admitted.by_times()
        && let Some(found) = nearest_of_times(connection, spaces, &query, filter, limit)?
    {
        return Ok(found);
    }
    // Where times are all that is asked for, memory was wrong about one just now: then it is not asked for them. But by a clock some that it
    // tells need not pass.
    let times = admitted.times().filter(|_| admitted.by_times().is_none_or(UnitFilter::is_by_clock));
    let first = limit.saturating_mul(FIRST);
    admitted.best(connection, spaces, (limit, first), &OnceCell::new(), |wanted, allowed| {
        let (found, are_all) = match allowed {
            None => {
                let found = nearest_of_all(connection, spaces, (&query, wanted), times)?;
                // What just left the index is left out, and others may come after it.
                let are_all = found.len() < wanted;
                (units_of(connection, found)?, are_all)
            }
            Some(rids) => (among(connection, &query, rids, wanted)?, true),
        };
        Ok((in_order(found, wanted), are_all))
    })
}

/// The units of a space whose cosine with a vector is at least `least`, at most `limit`: `(text_units.rid, cosine)`, nearest first,
/// ties by rid. For `least` of 0.9 or more; of many, those that [seem so near](crate::codes) are compared.
///
/// # Errors
/// [`StoreError::Damaged`](crate::StoreError::Damaged) for a vector without a direction; SQLite's.
pub fn alike(
    connection: &Connection,
    space: &SpaceId,
    vector: &[f32],
    least: f64,
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let (spaces, vector) = (std::slice::from_ref(space), scan::unit_length(vector)?);
    let found = match codes::candidates(connection, spaces, &vector, Wanted::Alike(least as f32), None)? {
        Some(rids) => closely(connection, spaces, &vector, &rids, limit)?,
        None => scan::nearest(connection, spaces, &vector, limit)?,
    };
    let near = found.into_iter().filter(|(cosine, _)| f64::from(*cosine) >= least).collect();
    Ok(in_order(units_of(connection, near)?, limit))
}

/// The same as [`nearest`] of all of some spaces, with each vector compared.
///
/// # Errors
/// [`StoreError::Damaged`] for a question without a direction; SQLite's.
pub fn nearest_exactly(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    limit: usize,
) -> StoreResult<Vec<(i64, f64)>> {
    let found = scan::nearest(connection, spaces, &scan::unit_length(query)?, limit)?;
    Ok(in_order(units_of(connection, found)?, limit))
}

/// The first of what was found: nearest first, ties by rid.
fn in_order(mut found: Vec<(i64, f64)>, limit: usize) -> Vec<(i64, f64)> {
    found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(limit);
    found
}

/// How many vectors can be found.
///
/// # Errors
/// SQLite's.
pub fn count(connection: &Connection) -> StoreResult<u64> {
    Ok(connection.query_row("SELECT count(*) FROM embeddings_text_dense_vec_rowids", [], |row| row.get(0))?)
}

/// The nearest units that a filter by times lets through, where memory knows of enough of these: it tells the times itself, so that
/// nothing else is compared but what is beside them by a clock. Where that is among the nearest, more are looked for, once.
fn nearest_of_times(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    filter: &UnitFilter,
    limit: usize,
) -> StoreResult<Option<Vec<(i64, f64)>>> {
    let mut wanted = limit;
    loop {
        let of_times = codes::candidates(connection, spaces, query, Wanted::Nearest(wanted), Some(filter.times()))?;
        let Some(seeming) = of_times else { return Ok(None) };
        let found = closely(connection, spaces, query, &seeming, wanted)?;
        let mut found = in_order(units_of(connection, found)?, wanted);
        // Without a clock each passes, unless its time just changed.
        let passing = filter.keep(connection, &found.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())?;
        found.retain(|(rid, _)| passing.contains(rid));
        if found.len() >= limit {
            found.truncate(limit);
            return Ok(Some(found));
        }
        if wanted > limit || !filter.is_by_clock() {
            return Ok(None);
        }
        wanted = filter::wider(limit, found.len(), limit).min(limit.saturating_mul(FIRST));
    }
}

/// The nearest vectors of some spaces: `(cosine, memory_embeddings.rid)`, in no order; where memory tells the times, of those alone.
fn nearest_of_all(
    connection: &Connection,
    spaces: &[SpaceId],
    (query, wanted): (&[f32], usize),
    times: Option<(EpochMs, EpochMs)>,
) -> StoreResult<Vec<(f32, i64)>> {
    match codes::candidates(connection, spaces, query, Wanted::Nearest(wanted), times)? {
        Some(rids) => closely(connection, spaces, query, &rids, wanted),
        None => scan::nearest(connection, spaces, query, wanted),
    }
}

/// The nearest of the vectors that seem near: `(cosine, rid)`, in no order. They are compared in the order in which they seem near, until
/// none that is left may be one of the [nearest](NEAREST): each that is compared is a page that is read.
fn closely(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    seeming: &[Seeming],
    wanted: usize,
) -> StoreResult<Vec<(f32, i64)>> {
    let (first, rest) = seeming.split_at(seeming.len().min(codes::EACH * wanted));
    let (mut best, mut nearest) = (Best::new(wanted), Best::new(NEAREST));
    for portion in std::iter::once(first).chain(rest.chunks(PORTION)) {
        let Some((seems, _)) = portion.first() else { break };
        if nearest.last().is_some_and(|last| !codes::may_have(*seems, last, query.len())) {
            break;
        }
        let mut rids: Vec<i64> = portion.iter().map(|(_, rid)| *rid).collect();
        rids.sort_unstable();
        compare_seeming(connection, spaces, query, &rids, |rid, cosine| {
            best.offer(cosine, rid);
            nearest.offer(cosine, rid);
        })?;
    }
    Ok(best.into_found())
}

/// Compares vectors (`memory_embeddings.rid`) of some spaces with one of length one, and tells the cosine of each that is there.
fn compare_seeming(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    rids: &[i64],
    mut tell: impl FnMut(i64, f32),
) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(
        // What a vector's space is, is read here: memory only says where to look.
        "SELECT e.rid, e.embedding FROM json_each(?1) seems CROSS JOIN memory_embeddings e ON e.rid = seems.value
         WHERE e.space_id IN (SELECT value FROM json_each(?2)) AND e.embedding IS NOT NULL",
    )?;
    let mut rows = statement.query([serde_json::to_string(rids)?, filter::ids(spaces)?])?;
    while let Some(row) = rows.next()? {
        let vector = scan::as_blob(row.get_ref(1)?)?;
        if vector.len() != query.len() * 4 {
            return Err(StoreError::Damaged("a vector is of another length".to_owned()));
        }
        tell(row.get(0)?, scan::cosine(vector, query));
    }
    Ok(())
}

/// The units that vectors in the index belong to, with their cosines.
fn units_of(connection: &Connection, found: Vec<(f32, i64)>) -> StoreResult<Vec<(i64, f64)>> {
    let rids: Vec<i64> = found.iter().map(|(_, rid)| *rid).collect();
    let units: HashMap<i64, i64> = connection
        .prepare_cached(
            "SELECT e.rid, u.rid FROM json_each(?1) found
             CROSS JOIN embeddings_text_dense_vec_rowids i ON i.rowid = found.value
             CROSS JOIN memory_embeddings e ON e.rid = found.value CROSS JOIN text_units u ON u.id = e.unit_id",
        )?
        .query_map([serde_json::to_string(&rids)?], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(found.iter().filter_map(|(cosine, rid)| Some((*units.get(rid)?, f64::from(*cosine)))).collect())
}

/// The nearest of some units, by their vectors themselves.
fn among(connection: &Connection, query: &[f32], units: &[i64], wanted: usize) -> StoreResult<Vec<(i64, f64)>> {
    let mut best = Best::new(wanted);
    compare(connection, query, units, |rid, cosine| best.offer(cosine, rid))?;
    Ok(best.into_found().into_iter().map(|(cosine, rid)| (rid, f64::from(cosine))).collect())
}

/// The cosines of some units (`text_units.rid`) with a vector, exactly; those that have no vector of the model in use are left
/// out. Whether they can be found by their meaning does not matter.
///
/// # Errors
/// [`StoreError::Damaged`](crate::StoreError::Damaged) for a vector without a direction; SQLite's.
pub fn cosines(connection: &Connection, vector: &[f32], units: &[i64]) -> StoreResult<HashMap<i64, f64>> {
    let mut found = HashMap::with_capacity(units.len());
    compare(connection, &scan::unit_length(vector)?, units, |rid, cosine| {
        found.insert(rid, f64::from(cosine));
    })?;
    Ok(found)
}

/// Compares units with a vector of length one, and tells the cosine of each that has a vector.
fn compare(connection: &Connection, query: &[f32], units: &[i64], mut tell: impl FnMut(i64, f32)) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(OF_UNITS)?;
    let mut rows = statement.query([serde_json::to_string(units)?])?;
    while let Some(row) = rows.next()? {
        tell(row.get(0)?, scan::cosine(scan::as_blob(row.get_ref(1)?)?, query));
    }
    Ok(())
}

/// Makes the index anew from `memory_embeddings`, of vectors as long as those of the database's model; others are left out. What is
/// there is not read: it may be damaged.
///
/// # Errors
/// SQLite's; [`StoreError::Damaged`] where the database does not say how long they are.
pub fn rebuild(connection: &Connection) -> StoreResult<u64> {
    make_anew(connection)?;
    connection.execute(&format!("{INDEX} WHERE {INDEXED} AND {READABLE} ORDER BY e.rid"), [])?;
    codes::note_all(connection)?;
    count(connection)
}

/// An empty index in the place of the one that is there, as [`rebuild`] makes it; [`index_next`] fills it.
///
/// # Errors
/// SQLite's; [`StoreError::Damaged`] where the database does not say how long vectors are.
pub(crate) fn renew(connection: &Connection) -> StoreResult<()> {
    make_anew(connection)?;
    codes::note_all(connection)
}

/// Indexes those of the next `limit` vectors after one (`memory_embeddings.rid`) that belong into the index and are not there: what
/// came in meanwhile is. Those of another length are left out. Gives the last one that it looked at; nothing where none is left.
///
/// # Errors
/// SQLite's.
pub(crate) fn index_next(connection: &Connection, after: i64, limit: usize) -> StoreResult<Option<i64>> {
    let looked_at: Vec<(i64, bool)> = connection
        .prepare_cached(
            "SELECT e.rid, EXISTS (SELECT 1 FROM embeddings_text_dense_vec_rowids i WHERE i.rowid = e.rid)
             FROM memory_embeddings e WHERE e.rid > ?1 ORDER BY e.rid LIMIT ?2",
        )?
        .query_map(params![after, limit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (rid, _) in looked_at.iter().filter(|(_, is_there)| !is_there) {
        index_readable(connection, *rid)?;
    }
    Ok(looked_at.last().map(|(rid, _)| *rid))
}

/// To drop it is one write, as what it consists of is of use only together, and deleting its rows reads what may be damaged.
fn make_anew(connection: &Connection) -> StoreResult<()> {
    let dimensions = crate::settings::get(connection, crate::settings::EMBEDDING_DIMENSIONS)?;
    let dimensions: usize = dimensions
        .and_then(|dimensions| dimensions.parse().ok())
        .ok_or_else(|| StoreError::Damaged("the length of vectors is not known".to_owned()))?;
    Ok(connection.execute_batch(&format!(
        "DROP TABLE embeddings_text_dense_vec;
         CREATE VIRTUAL TABLE embeddings_text_dense_vec USING vec0(
           embedding_rid INTEGER PRIMARY KEY, space_id TEXT PARTITION KEY,
           embedding float[{dimensions}] distance_metric=cosine, chunk_size=64);"
    ))?)
}
