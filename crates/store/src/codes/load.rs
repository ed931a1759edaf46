//! Reading the codes from the index, beside all else that goes on.

use super::blocks::Blocks;
use super::{Codes, UNDATED, dates, lock};
use crate::scan::as_blob;
use crate::{Keys, StoreError, StoreResult, connection, writer};
use rusqlite::Connection;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The thread that reads them. Dropping it waits for its end, which it hastens.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    thread: Mutex<Option<JoinHandle<()>>>,
    stopping: Arc<AtomicBool>,
}

impl Loader {
    /// Begins to read where that is wanted and nobody does.
    pub(crate) fn tend(&self, codes: &Arc<Codes>, path: &Path, keys: &Keys, writer: &writer::Writer) {
        if !codes.is_wanted.load(Ordering::Relaxed) {
            return;
        }
        let mut thread = lock(&self.thread);
        let (Some(queue), true) = (writer.sender(), codes.begin_loading()) else { return };
        let (own, path, keys, stopping) = (codes.clone(), path.to_owned(), keys.clone(), self.stopping.clone());
        let load = move || {
            let read = connection::open_reader(&path, keys.database.as_ref()).and_then(|c| load(&c, &stopping));
            // Where nobody writes any more, nobody reads either.
            let publish = move |connection: &mut Connection| own.publish(connection, read);
            drop(queue.send(writer::Work::Now(Box::new(publish))));
        };
        let named = std::thread::Builder::new().name("um-vectors".to_owned());
        match named.spawn(load) {
            Ok(started) => *thread = Some(started),
            Err(error) => codes.give_up(&error),
        }
    }

    /// Waits until what is being read is queued for the writer.
    pub(crate) fn wait(&self) {
        if let Some(thread) = lock(&self.thread).take() {
            drop(thread.join());
        }
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.wait();
    }
}

/// So many chunks are read at once: whoever empties the log waits for that long, and not for all.
const AT_ONCE: usize = 256;

/// Reads them; nothing where it is to stop.
fn load(connection: &Connection, stopping: &AtomicBool) -> StoreResult<Option<Blocks>> {
    let begun = std::time::Instant::now();
    let mut blocks = Blocks::default();
    let mut last = Some(0);
    // What changes between two portions is looked up again when all are read.
    while let Some(after) = last {
        if stopping.load(Ordering::Relaxed) {
            return Ok(None);
        }
        last = portion(connection, after, &mut blocks)?;
    }
    tracing::info!(vectors = blocks.sums().0, ms = begun.elapsed().as_millis() as u64, "the vectors are in memory");
    Ok(Some(blocks))
}

/// Reads the next chunks after one. Gives the last of them, where there were any.
fn portion(connection: &Connection, after: i64, blocks: &mut Blocks) -> StoreResult<Option<i64>> {
    let mut statement = connection.prepare_cached(
        // A column of vec0's tables is called rowid and is not: `_rowid_` is the real one.
        "SELECT c.partition00, c.validity, c.rowids, v.vectors, c.chunk_id FROM embeddings_text_dense_vec_chunks c
         CROSS JOIN embeddings_text_dense_vec_vector_chunks00 v ON v._rowid_ = c.chunk_id
         WHERE c.chunk_id > ?1 ORDER BY c.chunk_id LIMIT ?2",
    )?;
    let mut last = None;
    let mut rows = statement.query((after, AT_ONCE))?;
    while let Some(row) = rows.next()? {
        last = Some(row.get(4)?);
        let space: String = row.get(0)?;
        let blob = |at: usize| row.get_ref(at).map_err(StoreError::from).and_then(as_blob);
        let (valid, (rids, _), vectors) = (blob(1)?, blob(2)?.as_chunks::<8>(), blob(3)?);
        let dimensions = vectors.len() / (4 * rids.len()).max(1);
        // The vectors of all chunks are as long as those of the first one.
        let is_as_long = [0, dimensions].contains(&blocks.dimensions()) && dimensions * 4 * rids.len() == vectors.len();
        if dimensions == 0 || valid.len() * 8 != rids.len() || !is_as_long {
            return Err(StoreError::Damaged("the index of vectors has a chunk of another size".to_owned()));
        }
        let bytes = 4 * dimensions;
        if blocks.dimensions() == 0 {
            *blocks = Blocks::new(dimensions);
        }
        let there = rids.iter().zip(vectors.chunks_exact(bytes)).enumerate();
        let there: Vec<(i64, &[u8])> = there
            .filter(|(slot, _)| valid[slot / 8] >> (slot % 8) & 1 == 1)
            .map(|(_, (rid, vector))| (i64::from_le_bytes(*rid), vector))
            .collect();
        let dates = dates(connection, &there.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())?;
        for (rid, vector) in there {
            let date = dates.get(&rid).copied().unwrap_or(UNDATED);
            blocks.add(&space, (rid, date), &crate::vectors::from_blob(vector));
        }
    }
    Ok(last)
}
