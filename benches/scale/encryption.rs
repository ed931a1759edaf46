//! What encryption at rest costs: the same database, plain and encrypted, beside each other.

use super::data::{self, Data, HUGE, Layout};
use super::{Asked, Goals, QUESTIONS, STORED, questions};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;
use um_bench::measure::{self, Sample};
use um_bench::words::Language;
use um_engine::encryption::{self, Passphrase};
use um_engine::{Caller, Clock, Engine, SystemClock};
use um_model::capture::{MediaPart, MediaRead, MemoryIngest};
use um_model::{ApiError, ErrorCode};

/// Bytes of the file that is brought in and read.
const FILE: usize = 64 << 20;
/// So often it is read.
const READS: usize = 9;

/// Measures with a database of so many passages.
pub fn measure(language: &Language, units: usize) -> Result<(), ApiError> {
    let data = Data { units, layout: Layout::One };
    for encrypted in [false, true] {
        let how = if encrypted { "encrypted" } else { "plain" };
        let folder = data.copy(language)?;
        if encrypted {
            let begun = Instant::now();
            encryption::turn_on(folder.path(), &passphrase(), SystemClock.now())?;
            eprintln!("Encrypted {units} passages in {:.1} s.", begun.elapsed().as_secs_f64());
        }
        let begun = Instant::now();
        let engine = data::open_with(folder.path(), true, Some(&passphrase()))?;
        eprintln!("Opened, {how}, in {:.0} ms.", begun.elapsed().as_secs_f64() * 1000.0);
        both(language, data, &engine, how)?;
        file(&engine, how)?;
    }
    Ok(())
}

fn passphrase() -> Passphrase {
    Passphrase::new("not worth keeping".to_owned())
}

fn both(language: &Language, data: Data, engine: &Engine, how: &str) -> Result<(), ApiError> {
    let goals = Goals::of(data.units);
    let asked = Asked { what: "recall", space: Some(HUGE), one_in: None, times: QUESTIONS };
    let sample = questions(language, data, engine, &asked, &mut BTreeMap::new())?;
    measure::line(data.units, &format!("recall, {how}"), &sample, goals.recall);
    let caller = Caller::owner("bench");
    let remember = |number| measure::time(|| engine.run(&caller, data.request(language, number)));
    let sample = Sample::of((data.units..data.units + STORED).map(remember))?;
    measure::line(data.units, &format!("store, {how}"), &sample, goals.store);
    Ok(())
}

/// A large file on its way in, and out again as the window gets it.
fn file(engine: &Engine, how: &str) -> Result<(), ApiError> {
    let io = |e: std::io::Error| ApiError::new(ErrorCode::Io, e.to_string());
    let caller = Caller::owner("bench");
    let mut large = tempfile::NamedTempFile::new().map_err(io)?;
    let bytes: Vec<u8> =
        (0..FILE as u32 / 4).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    large.write_all(&bytes).map_err(io)?;
    let paths = vec![large.path().display().to_string()];
    let ingest = MemoryIngest { paths, space: HUGE.to_owned(), ..MemoryIngest::default() };
    let mut id = None;
    let took = measure::time(|| {
        engine.run(&caller, ingest).map(|done| id = done.files.into_iter().find_map(|f| f.artifact_id))
    })?;
    let id = id.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "The file was not taken."))?;
    let speed = |seconds: f64| FILE as f64 / 1e6 / seconds;
    eprintln!("A file of 64 MB, {how}: brought in at {:.0} MB/s.", speed(took.as_secs_f64()));
    let read = |_| measure::time(|| engine.run(&caller, MediaRead { id: id.clone(), part: MediaPart::Original }));
    let sample = Sample::of((0..READS).map(read))?;
    eprintln!("A file of 64 MB, {how}: read at {:.0} MB/s.", speed(sample.at(0.5) / 1000.0));
    Ok(())
}
