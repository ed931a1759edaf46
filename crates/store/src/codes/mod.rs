//! What recall by meaning looks through first, where there are many vectors: a [code](code) of each in memory. Which vectors
//! seem nearest by their codes is then compared exactly (ADR 14). Nothing of it is on disk. It is read from the index when
//! it is needed first, and follows each transaction that changes the index as soon as that is committed.

mod blocks;
mod code;
mod load;

use crate::{StoreError, StoreResult, filter};
use blocks::{Blocks, Coded, Times};
use code::Question;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Null, ToSqlOutput, Value};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use um_model::{EpochMs, SpaceId};

pub(crate) use load::Loader;

/// Where the nearest are wanted, up to so many vectors are compared one by one, from the index itself or by their rids: that takes as
/// long.
const FEW: usize = 8_192;
/// As long as reading so many vectors takes it to find the next chunk of the index.
const CHUNK: usize = 64;
/// So many that seem nearest are compared exactly at most, and one more for so many that are looked through, as the more there are, the more
/// seem nearer than they are; or so many for each that is wanted, where that is more. The ten nearest are among the first 600 of a million; who
/// stands far down a longer list matters little, and each costs a page that is read.
const CLOSELY: usize = 450;
const ONE_MORE: usize = 6_600;
pub(crate) const EACH: usize = 2;
/// What is nearer than 0.9 seems nearer or farther by less than that at so many dimensions: five times as much as in the mean. With
/// fewer it is more, by the root of their share.
const MARGIN: (f32, f32) = (0.08, 384.0);
/// By so much a vector of 384 dimensions seems nearer or farther than it is, where it stands at a right angle to the question: the
/// standard deviation. The nearer, the less: by the sine of the angle.
const DEVIATION: f32 = 0.037;
/// So many deviations more than it seems hardly any vector is.
const DEVIATIONS: f32 = 3.0;

/// Where more vectors change at once, all are read anew.
const AT_ONCE: usize = 20_000;

/// So many codes are compared with their vectors at once: that takes some milliseconds.
const SAMPLE: usize = 512;

/// Has every change of the index noted, so that none has to be remembered: of a vector by its rid.
const TRIGGERS: &str = "
    CREATE TEMP TRIGGER IF NOT EXISTS vectors_in AFTER INSERT ON main.embeddings_text_dense_vec_rowids
    BEGIN SELECT note_vector(NEW.rowid); END;
    CREATE TEMP TRIGGER IF NOT EXISTS vectors_out AFTER DELETE ON main.embeddings_text_dense_vec_rowids
    BEGIN SELECT note_vector(OLD.rowid); END;";
/// The same of the dates of what is in it.
const DATED: &str = "
    CREATE TEMP TRIGGER IF NOT EXISTS vectors_dated AFTER UPDATE OF occurred_at ON main.memories
    WHEN NEW.occurred_at IS NOT OLD.occurred_at
    BEGIN SELECT note_vector(e.rid) FROM text_units u CROSS JOIN memory_embeddings e ON e.unit_id = u.id
      WHERE u.owner_memory_id = NEW.id; END;";
/// When what a vector `e` is of is dated, as filters have it.
const DATE: &str = "(SELECT ifnull(u.mail_sent_at, ifnull(m.occurred_at, m.created_at)) FROM text_units u
  CROSS JOIN memories m ON m.id = u.owner_memory_id WHERE u.id = e.unit_id)";
/// What stands for no unit is found at no time.
const UNDATED: EpochMs = EpochMs::MAX;
/// Noted where the whole index changed.
const ALL: i64 = 0;

#[derive(Debug)]
enum State {
    /// Not in memory. The index has room for so many vectors.
    Out(usize),
    /// Not in memory, as the index is damaged: it is read again once it is made anew.
    Damaged,
    /// Being read, beside which these changed.
    Loading(Vec<i64>),
    In(Blocks),
}

/// The codes of a database.
#[derive(Debug)]
pub(crate) struct Codes {
    state: Mutex<State>,
    /// What changed in the transaction under way.
    noted: Mutex<Vec<i64>>,
    is_wanted: AtomicBool,
    /// How often codes were compared with their vectors: each time others are.
    turn: AtomicI64,
}

fn failed(why: &dyn std::fmt::Display) {
    tracing::warn!(%why, "the vectors could not be read into memory");
}

/// Whether what was read is not what it should be: only making it anew mends that.
fn is_of_damage(error: &StoreError) -> bool {
    use rusqlite::{Error, ErrorCode};
    match error {
        StoreError::Damaged(_)
        | StoreError::Sqlite(Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..)) => true,
        StoreError::Sqlite(Error::SqliteFailure(failure, _)) => failure.code == ErrorCode::DatabaseCorrupt,
        _ => false,
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a connection that belongs to no [`Store`](crate::Store) has: nothing is noted, and all vectors are compared.
pub(crate) fn register_none(connection: &Connection) -> StoreResult<()> {
    connection.create_scalar_function("note_vector", 1, FunctionFlags::SQLITE_UTF8, |_| Ok(Null))?;
    connection.create_scalar_function("vector_candidates", 6, FunctionFlags::SQLITE_UTF8, |_| Ok(Null))?;
    Ok(())
}

/// Says that the index was made anew.
///
/// # Errors
/// SQLite's.
pub(crate) fn note_all(connection: &Connection) -> StoreResult<()> {
    connection.execute_batch(TRIGGERS)?;
    Ok(connection.query_row("SELECT note_vector(?1)", [ALL], |_| Ok(()))?)
}

/// Which vectors are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// So many that are nearest.
    Nearest(usize),
    /// Those whose cosine is at least so high.
    Alike(f32),
}

/// A vector that may be one of those that are looked for, by its rid, and the cosine that it seems to have; infinity where it is to be
/// compared in any case.
pub(crate) type Seeming = (f32, i64);

/// Whether a vector of so many dimensions that seems to have a cosine may have one as high as `cosine`.
pub(crate) fn may_have(seems: f32, cosine: f32, dimensions: usize) -> bool {
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let deviation = DEVIATION * sine * (MARGIN.1 / dimensions as f32).sqrt();
    seems + DEVIATIONS * deviation >= cosine
}

/// The vectors of some spaces and times that seem to be those that are looked for, those that seem nearest first; nothing where they are
/// to be compared one by one. Of the times, as of all else, memory only says where to look: what it found may be dated otherwise where
/// it just changed.
///
/// # Errors
/// SQLite's.
pub(crate) fn candidates(
    connection: &Connection,
    spaces: &[SpaceId],
    query: &[f32],
    wanted: Wanted,
    times: Times,
) -> StoreResult<Option<Vec<Seeming>>> {
    let (count, least) = match wanted {
        Wanted::Nearest(count) => (Some(count as i64), None),
        Wanted::Alike(least) => (None, Some(least)),
    };
    let found: Option<Vec<u8>> =
        connection.prepare_cached("SELECT vector_candidates(?1, ?2, ?3, ?4, ?5, ?6)")?.query_row(
            params![
                crate::vectors::to_blob(query),
                filter::ids(spaces)?,
                count,
                least,
                times.map(|(since, _)| since),
                times.map(|(_, until)| until)
            ],
            |row| row.get(0),
        )?;
    Ok(found.map(|bytes| bytes.as_chunks::<12>().0.iter().map(from_bytes).collect()))
}

fn to_bytes((seems, rid): &Seeming) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&seems.to_le_bytes());
    bytes[4..].copy_from_slice(&rid.to_le_bytes());
    bytes
}

fn from_bytes(bytes: &[u8; 12]) -> Seeming {
    let [a, b, c, d, rid @ ..] = *bytes;
    (f32::from_le_bytes([a, b, c, d]), i64::from_le_bytes(rid))
}

/// By so much less a vector of so many dimensions may seem alike than it is.
fn margin(dimensions: usize) -> f32 {
    let (margin, of) = MARGIN;
    margin * (of / dimensions as f32).sqrt().max(1.0)
}

/// How many vectors the chunks of the index have room for, or had once: told at once.
fn about(connection: &Connection) -> StoreResult<usize> {
    let chunks: Option<usize> = connection
        .prepare_cached("SELECT max(_rowid_) FROM embeddings_text_dense_vec_chunks")?
        .query_row([], |row| row.get(0))?;
    Ok(chunks.unwrap_or_default().saturating_mul(CHUNK))
}

/// The space, the date and the vector of a row of the index.
fn indexed(connection: &Connection, rid: i64) -> StoreResult<Option<(String, EpochMs, Vec<f32>)>> {
    let found: Option<(String, Option<EpochMs>, Vec<u8>)> = connection
        .prepare_cached(&format!(
            "SELECT e.space_id, {DATE}, e.embedding FROM memory_embeddings e
             JOIN embeddings_text_dense_vec_rowids i ON i.rowid = e.rid WHERE e.rid = ?1 AND e.embedding IS NOT NULL"
        ))?
        .query_row([rid], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    Ok(found.map(|(space, date, bytes)| (space, date.unwrap_or(UNDATED), crate::vectors::from_blob(&bytes))))
}

/// Whether the index has the vectors that have these codes.
fn are_indexed(connection: &Connection, sample: &[Coded]) -> StoreResult<bool> {
    let mut statement = connection
        .prepare_cached("SELECT space_id, embedding FROM embeddings_text_dense_vec WHERE embedding_rid = ?1")?;
    for coded in sample {
        let found: Option<(String, Vec<u8>)> =
            statement.query_row([coded.rid], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let is_so = |(space, vector): (String, Vec<u8>)| {
            space == coded.space && coded.is_of(&crate::vectors::from_blob(&vector))
        };
        if !found.is_some_and(is_so) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The dates of some vectors.
fn dates(connection: &Connection, rids: &[i64]) -> StoreResult<HashMap<i64, EpochMs>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT e.rid, {DATE} FROM json_each(?1) given CROSS JOIN memory_embeddings e ON e.rid = given.value"
    ))?;
    let rows = statement.query_map([serde_json::to_string(rids)?], |row| {
        Ok((row.get(0)?, row.get::<_, Option<EpochMs>>(1)?.unwrap_or(UNDATED)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Codes {
    /// Follows what the write connection does.
    pub(crate) fn follow(writer: &Connection) -> StoreResult<Arc<Self>> {
        let about = about(writer)?;
        let codes = Arc::new(Self {
            state: Mutex::new(State::Out(about)),
            noted: Mutex::default(),
            is_wanted: AtomicBool::new(about > FEW),
            turn: AtomicI64::new(0),
        });
        let noting = codes.clone();
        writer.create_scalar_function("note_vector", 1, FunctionFlags::SQLITE_UTF8, move |of| {
            lock(&noting.noted).push(of.get(0)?);
            Ok(Null)
        })?;
        writer.execute_batch(TRIGGERS)?;
        writer.execute_batch(DATED)?;
        codes.answer(writer, true)?;
        Ok(codes)
    }

    /// Lets a connection ask for candidates; the one that writes is told what it changed itself, too.
    pub(crate) fn answer(self: &Arc<Self>, connection: &Connection, is_writer: bool) -> StoreResult<()> {
        let codes = self.clone();
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
        connection.create_scalar_function("vector_candidates", 6, flags, move |of| {
            let (query, spaces) = (of.get::<Vec<u8>>(0)?, of.get::<String>(1)?);
            let wanted = match of.get(3)? {
                Some(least) => Wanted::Alike(least),
                None => Wanted::Nearest(of.get::<i64>(2)? as usize),
            };
            let times = of.get::<Option<EpochMs>>(4)?.zip(of.get::<Option<EpochMs>>(5)?);
            let spaces: Vec<String> =
                serde_json::from_str(&spaces).map_err(|e| rusqlite::Error::UserFunctionError(e.into()))?;
            let found = codes.nearest(&crate::vectors::from_blob(&query), &spaces, (wanted, times), is_writer);
            let bytes = found.map(|found| found.iter().flat_map(to_bytes).collect());
            Ok(ToSqlOutput::Owned(bytes.map_or(Value::Null, Value::Blob)))
        })?;
        Ok(())
    }

    fn nearest(
        &self,
        query: &[f32],
        spaces: &[String],
        (wanted, times): (Wanted, Times),
        is_writer: bool,
    ) -> Option<Vec<Seeming>> {
        let ((shared, count), all) = match &*lock(&self.state) {
            State::In(blocks) if blocks.dimensions() == query.len() => {
                (blocks.of(spaces.iter().map(String::as_str)), blocks.sums().0 as usize)
            }
            State::Out(about) if *about > FEW => {
                self.is_wanted.store(true, Ordering::Relaxed);
                return None;
            }
            _ => return None,
        };
        let (closely, least) = match wanted {
            Wanted::Nearest(wanted) => ((wanted * EACH).max(CLOSELY + count / ONE_MORE), f32::NEG_INFINITY),
            Wanted::Alike(least) => (CLOSELY + count / ONE_MORE, least - margin(query.len())),
        };
        let are_few = matches!(wanted, Wanted::Nearest(_)) && count + CHUNK * shared.len() <= FEW;
        let anyway = |rid: i64| (f32::INFINITY, rid);
        let mut found: Vec<Seeming> = match are_few {
            // For the chunks of some spaces the index goes through those of all. Where that is more than to read each vector by its
            // rid, it would only tell how much there is in other spaces.
            true if count <= closely.max(all / CHUNK) => blocks::rids(&shared).map(anyway).collect(),
            true => return None,
            false => blocks::nearest(&shared, &Question::new(query), closely, times),
        };
        if let Wanted::Alike(_) = wanted {
            found = found.into_iter().filter(|(seems, _)| *seems >= least).map(|(_, rid)| anyway(rid)).collect();
        }
        if is_writer {
            let noted: BTreeSet<i64> = lock(&self.noted).iter().copied().collect();
            found.retain(|(_, rid)| !noted.contains(rid));
            found.extend(noted.into_iter().map(anyway));
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Some(found)
    }

    /// A transaction begins.
    pub(crate) fn begin(&self) {
        lock(&self.noted).clear();
    }

    /// A transaction is committed: what it changed is read again, so that it does not matter how. Where it cannot be read, all
    /// is read anew later.
    pub(crate) fn committed(&self, connection: &Connection) {
        let changed: BTreeSet<i64> = std::mem::take(&mut *lock(&self.noted)).into_iter().collect();
        if changed.is_empty() {
            return;
        }
        let mut state = lock(&self.state);
        match &mut *state {
            State::Loading(missed) => missed.extend(changed),
            State::Damaged if !changed.contains(&ALL) => {}
            State::In(_) if !changed.contains(&ALL) && changed.len() <= AT_ONCE => {
                drop(state);
                self.refresh(connection, &changed);
            }
            _ => self.leave(state, connection),
        }
    }

    /// Nothing is in memory any more. It is read when it is needed.
    fn leave(&self, mut state: MutexGuard<'_, State>, connection: &Connection) {
        *state = State::Out(about(connection).unwrap_or_default());
    }

    /// Only the writer's thread changes what is in memory, so nothing changes between reading and changing it.
    fn refresh(&self, connection: &Connection, changed: &BTreeSet<i64>) {
        let read: StoreResult<Vec<_>> = changed.iter().map(|rid| Ok((*rid, indexed(connection, *rid)?))).collect();
        let mut state = lock(&self.state);
        let (Ok(read), State::In(blocks)) = (read, &mut *state) else { return self.leave(state, connection) };
        for (rid, now) in read {
            // One that moved while all were read may have been read twice.
            while blocks.remove(rid) {}
            match now {
                Some((space, date, vector)) if vector.len() == blocks.dimensions() => {
                    blocks.add(&space, (rid, date), &vector);
                }
                Some(_) => return self.leave(state, connection),
                None => {}
            }
        }
    }

    /// Whether they are to be read now; says that they are being read.
    fn begin_loading(&self) -> bool {
        let mut state = lock(&self.state);
        let begins = self.is_wanted.swap(false, Ordering::Relaxed) && matches!(*state, State::Out(_));
        if begins {
            *state = State::Loading(Vec::new());
        }
        begins
    }

    /// What was read is what is looked through from now on, with what changed meanwhile. On the writer's thread.
    fn publish(&self, connection: &Connection, read: StoreResult<Option<Blocks>>) {
        let mut state = lock(&self.state);
        let State::Loading(missed) = std::mem::replace(&mut *state, State::Out(0)) else { return };
        let missed: BTreeSet<i64> = missed.into_iter().collect();
        match read {
            Ok(Some(blocks)) if !missed.contains(&ALL) && missed.len() <= AT_ONCE => {
                *state = State::In(blocks);
                drop(state);
                self.refresh(connection, &missed);
            }
            Ok(Some(_)) => self.leave(state, connection),
            // The end was near.
            Ok(None) => {}
            Err(error) => {
                if is_of_damage(&error) && !missed.contains(&ALL) {
                    *state = State::Damaged;
                }
                drop(state);
                failed(&error);
            }
        }
    }

    /// They could not be read: all are compared one by one until the index changes again, which takes longer and finds the same.
    fn give_up(&self, why: &dyn std::fmt::Display) {
        *lock(&self.state) = State::Out(0);
        failed(why);
    }

    /// Compares what is in memory with the index: which vectors there are, and of [some](SAMPLE) of them, others each time, whether they have
    /// their own codes. Where they differ, all is read anew. On the writer's thread.
    ///
    /// # Errors
    /// SQLite's.
    pub(crate) fn check(&self, connection: &Connection) -> Result<bool, StoreError> {
        let sums = connection.query_row(
            "SELECT count(*), ifnull(sum(rowid), 0) FROM embeddings_text_dense_vec_rowids",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        // Nothing but this thread changes what is in memory: recall need not wait until the vectors are read.
        let sample = match &*lock(&self.state) {
            State::In(blocks) if blocks.sums() == sums => {
                Some(blocks.sample(self.turn.fetch_add(1, Ordering::Relaxed), SAMPLE))
            }
            State::In(_) => None,
            _ => return Ok(true),
        };
        let agrees = match sample {
            Some(sample) => are_indexed(connection, &sample)?,
            None => false,
        };
        if !agrees {
            self.leave(lock(&self.state), connection);
        }
        Ok(agrees)
    }

    /// How many are in memory.
    pub(crate) fn count(&self) -> u64 {
        match &*lock(&self.state) {
            State::In(blocks) => blocks.sums().0,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_much_changed_while_they_were_read_they_are_read_anew() {
        let db = crate::migrate::migrated();
        let check = |changed: usize, is_in: bool| {
            let codes = Codes::follow(&db).unwrap();
            *lock(&codes.state) = State::Loading((1..=changed as i64).collect());
            codes.publish(&db, Ok(Some(Blocks::default())));
            assert_eq!(matches!(*lock(&codes.state), State::In(_)), is_in, "{changed}");
        };
        check(3, true);
        check(AT_ONCE + 1, false);
    }

    #[test]
    fn a_damaged_index_is_read_again_once_it_is_made_anew() {
        let db = crate::migrate::migrated();
        let check = |missed: &[i64], error: StoreError, changed: &[i64], is_out: bool| {
            let codes = Codes::follow(&db).unwrap();
            *lock(&codes.state) = State::Loading(missed.to_vec());
            codes.publish(&db, Err(error));
            lock(&codes.noted).extend(changed);
            codes.committed(&db);
            assert_eq!(matches!(*lock(&codes.state), State::Out(_)), is_out, "{missed:?} {changed:?}");
        };
        let damaged = || StoreError::Damaged("the index".to_owned());
        check(&[], damaged(), &[7], false);
        check(&[], damaged(), &[7, ALL], true);
        check(&[ALL], damaged(), &[], true);
        let of_sqlite =
            |code| StoreError::Sqlite(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None));
        check(&[], of_sqlite(rusqlite::ffi::SQLITE_CORRUPT), &[7], false);
        let no_blob = rusqlite::Error::InvalidColumnType(0, "rowids".to_owned(), rusqlite::types::Type::Null);
        check(&[], StoreError::Sqlite(no_blob), &[7], false);
        // What may be over soon is tried again.
        check(&[], of_sqlite(rusqlite::ffi::SQLITE_IOERR), &[7], true);
        check(&[], StoreError::Busy, &[7], true);
    }
}
