//! The indexes compared with what they stand for, a slice at a time: what differs is indexed anew or taken out. How far a round is,
//! and what it came to, is kept with the runs of upkeep (`maintenance_runs`), so that it goes on where it was.

use crate::fts::Kind;
use crate::fts::sources::{self, Compared};
use crate::{StoreResult, ids::new_id, rebuild, vectors};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use um_model::EpochMs;

/// So many rows of a source are compared at once: what takes longest is to mend all of them, which nothing stops in between.
pub const SLICE: u32 = 500;

/// So many rows that differ are mended in one transaction, so that whoever writes meanwhile waits some tens of milliseconds: to take a row of
/// a long passage out of its full text, so that nothing of it is left, takes some milliseconds (`secure-delete`), and to put one in a
/// hundredth of that.
pub const MENDED: usize = 16;

/// A round through all indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    id: String,
    /// When it began.
    pub begun_at: EpochMs,
    /// What it came to so far.
    pub report: Report,
}

/// What a round came to so far, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Which index is compared: the kinds of full text, then the vectors.
    index: usize,
    /// The rid that was compared last.
    after: i64,
    /// How many rows were compared.
    pub compared: u64,
    /// How many differed, and were mended.
    pub mended: u64,
    /// How many slices could not be compared or mended.
    pub failed: u64,
    /// How many rows should be there, and what they say cannot be read: no index can be made of these.
    #[serde(default)]
    pub unreadable: u64,
}

impl Report {
    const BEGIN: Self = Self { index: 0, after: i64::MIN, compared: 0, mended: 0, failed: 0, unreadable: 0 };

    /// Whether everything was compared.
    pub fn is_whole(&self) -> bool {
        self.index > Kind::ALL.len()
    }

    /// What is compared next; none where everything was.
    ///
    /// # Errors
    /// SQLite's.
    pub fn next(&self, connection: &Connection, most: u32) -> StoreResult<Option<Slice>> {
        if self.is_whole() {
            return Ok(None);
        }
        let of = Kind::ALL.get(self.index).copied();
        let rows = of.map_or("memory_embeddings", sources::rows_of);
        let last: Option<i64> = connection
            .prepare_cached(&format!("SELECT rid FROM {rows} WHERE rid > ?1 ORDER BY rid LIMIT 1 OFFSET ?2"))?
            .query_row(params![self.after, most.saturating_sub(1)], |row| row.get(0))
            .optional()?;
        Ok(Some(Slice { of, after: self.after, last }))
    }

    /// The same once a slice was compared.
    #[must_use]
    pub fn behind(self, slice: &Slice) -> Self {
        match slice.last {
            Some(last) => Self { after: last, ..self },
            None => Self { index: self.index + 1, after: i64::MIN, ..self },
        }
    }
}

/// A part of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The kind of full text; none where it is of the vectors.
    of: Option<Kind>,
    after: i64,
    /// The last rid of it; none where it goes to the end.
    last: Option<i64>,
}

/// What a slice came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many rows should be there.
    pub rows: u64,
    /// How many differ.
    pub differing: u64,
    /// The parts of it in which these are, no more than [`MENDED`] in each: they are mended one after the other.
    pub parts: Vec<Slice>,
    /// How many say what cannot be read.
    pub unreadable: u64,
}

enum Found {
    Text(Kind, Compared),
    /// Those that differ, how many there should be, and how many cannot be read.
    Vectors(Vec<Vector>, u64, u64),
}

/// A vector of the index that is not what it should be, with the passage that it should be of.
struct Vector {
    rid: i64,
    unit: Option<i64>,
}

impl Slice {
    /// What the slice is of, in words.
    pub fn called(&self) -> &'static str {
        self.of.map_or("vectors", Kind::called)
    }

    /// Compares it.
    ///
    /// # Errors
    /// SQLite's; an index that cannot be read among them.
    pub fn compare(&self, connection: &Connection) -> StoreResult<Outcome> {
        let (mut differing, rows, unreadable): (Vec<i64>, _, _) = match self.find(connection)? {
            Found::Text(_, Compared { rows, differing, unreadable }) => {
                (differing.into_iter().map(|one| one.rid).collect(), rows, unreadable)
            }
            Found::Vectors(differing, rows, unreadable) => {
                (differing.into_iter().map(|one| one.rid).collect(), rows, unreadable)
            }
        };
        differing.sort_unstable();
        Ok(Outcome { rows, differing: differing.len() as u64, parts: self.parts(differing), unreadable })
    }

    /// The parts in which some rows of it are, that are given in their order.
    fn parts(&self, mut rids: Vec<i64>) -> Vec<Self> {
        // A row may differ in the full texts of two spaces: it is in one part.
        rids.dedup();
        let part = |rids: &[i64]| Self { after: rids[0].saturating_sub(1), last: rids.last().copied(), ..*self };
        rids.chunks(MENDED).map(part).collect()
    }

    /// Compares it again, and mends what differs. Gives how many rows did.
    ///
    /// # Errors
    /// SQLite's; an index that cannot be written among them.
    pub fn mend(&self, connection: &Connection, now: EpochMs) -> StoreResult<u64> {
        match self.find(connection)? {
            Found::Text(kind, Compared { differing, .. }) => {
                sources::mend(connection, kind, &differing, now)?;
                Ok(differing.len() as u64)
            }
            Found::Vectors(differing, ..) => {
                let mut delete =
                    connection.prepare_cached("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = ?1")?;
                for Vector { rid, unit } in &differing {
                    delete.execute([rid])?;
                    vectors::restore_units(connection, unit.as_slice())?;
                }
                Ok(differing.len() as u64)
            }
        }
    }

    fn find(&self, connection: &Connection) -> StoreResult<Found> {
        let range = (self.after, self.last.unwrap_or(i64::MAX));
        Ok(match self.of {
            Some(kind) => Found::Text(kind, sources::compare(connection, kind, range)?),
            None => {
                let (differing, rows, unreadable) = compare_vectors(connection, range)?;
                Found::Vectors(differing, rows, unreadable)
            }
        })
    }
}

/// Compares vectors of the index, number by number, with those that they stand for.
/// Gives those that differ, how many there should be, and how many of these are of another length than the index holds.
fn compare_vectors(connection: &Connection, (after, upto): (i64, i64)) -> StoreResult<(Vec<Vector>, u64, u64)> {
    let mut indexed: HashSet<i64> = connection
        .prepare_cached("SELECT rowid FROM embeddings_text_dense_vec_rowids WHERE rowid > ?1 AND rowid <= ?2")?
        .query_map([after, upto], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut is_so = connection.prepare_cached(
        "SELECT space_id = ?2 AND embedding = ?3 FROM embeddings_text_dense_vec WHERE embedding_rid = ?1",
    )?;
    let mut wanted = connection.prepare_cached(&format!(
        "SELECT e.rid, u.rid, e.space_id, e.embedding, {} FROM memory_embeddings e CROSS JOIN text_units u ON u.id = e.unit_id
         CROSS JOIN memories m ON m.id = u.owner_memory_id WHERE e.rid > ?1 AND e.rid <= ?2 AND {}",
        vectors::READABLE,
        vectors::INDEXED
    ))?;
    let (mut differing, mut count, mut unreadable) = (Vec::new(), 0, 0);
    let mut rows = wanted.query([after, upto])?;
    while let Some(row) = rows.next()? {
        let (rid, unit, space, vector) =
            (row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get::<_, Vec<u8>>(3)?);
        count += 1;
        if row.get::<_, Option<bool>>(4)? == Some(false) {
            // What the index has in its place is taken out.
            unreadable += 1;
            continue;
        }
        let is_there = indexed.remove(&rid);
        if !is_there || is_so.query_row(params![rid, space, vector], |row| row.get(0)).optional()? != Some(true) {
            differing.push(Vector { rid, unit: Some(unit) });
        }
    }
    differing.extend(indexed.into_iter().map(|rid| Vector { rid, unit: None }));
    Ok((differing, count, unreadable))
}

/// The round that is under way, if one is.
///
/// # Errors
/// SQLite's.
pub fn under_way(connection: &Connection) -> StoreResult<Option<Round>> {
    let found: Option<(String, EpochMs, String)> = connection
        .prepare_cached(
            "SELECT id, started_at, report FROM maintenance_runs WHERE task = 'divergence' AND status = 'running'
             ORDER BY rid DESC LIMIT 1",
        )?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    found.map(|(id, begun_at, report)| Ok(Round { id, begun_at, report: serde_json::from_str(&report)? })).transpose()
}

/// Begins a round.
///
/// # Errors
/// SQLite's.
pub fn begin(connection: &Connection, now: EpochMs) -> StoreResult<Round> {
    let round = Round { id: new_id(now), begun_at: now, report: Report::BEGIN };
    connection
        .prepare_cached(
            "INSERT INTO maintenance_runs (id, task, applied, report, started_at) VALUES (?1, 'divergence', 1, ?2, ?3)",
        )?
        .execute(params![round.id, serde_json::to_string(&round.report)?, now])?;
    Ok(round)
}

/// Keeps how far a round is; one that is whole is done, or failed where something could not be read or mended.
///
/// # Errors
/// SQLite's.
pub fn keep(connection: &Connection, round: &Round, now: EpochMs) -> StoreResult<()> {
    let status = match (round.report.is_whole(), round.report.failed + round.report.unreadable) {
        (false, _) => "running",
        (true, 0) => "done",
        (true, _) => "failed",
    };
    let finished = round.report.is_whole().then_some(now);
    connection
        .prepare_cached("UPDATE maintenance_runs SET report = ?2, status = ?3, finished_at = ?4 WHERE id = ?1")?
        .execute(params![round.id, serde_json::to_string(&round.report)?, status, finished])?;
    // What could not be compared may be in an older form.
    match round.report.is_whole() && round.report.failed == 0 {
        true => rebuild::form_is_renewed(connection),
        false => Ok(()),
    }
}

/// What the last whole round came to, with when it ended; none where there was none since the indexes were made anew.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> StoreResult<Option<(Report, EpochMs)>> {
    let last: Option<(String, String, EpochMs)> = connection
        .prepare_cached(
            "SELECT task, report, finished_at FROM maintenance_runs WHERE task IN ('divergence', 'rebuild') AND status <> 'running'
             ORDER BY finished_at DESC, rid DESC LIMIT 1",
        )?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let last = last.filter(|(task, ..)| task == "divergence");
    last.map(|(_, report, at)| Ok((serde_json::from_str(&report)?, at))).transpose()
}

/// Has everything compared from the beginning.
pub(crate) fn again(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    match under_way(connection)? {
        Some(round) => keep(connection, &Round { report: Report::BEGIN, ..round }, now),
        None => begin(connection, now).map(drop),
    }
}

/// Keeps that the indexes were made anew: what failed before is mended, and a round that is under way begins again.
pub(crate) fn rebuilt(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    if under_way(connection)?.is_some() {
        again(connection, now)?;
    }
    rebuild::form_is_renewed(connection)?;
    connection.execute(
        "INSERT INTO maintenance_runs (id, task, status, applied, started_at, finished_at) VALUES (?1, 'rebuild', 'done', 1, ?2, ?2)",
        params![new_id(now), now],
    )?;
    Ok(())
}
