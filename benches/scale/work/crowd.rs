//! What several do at once.

use super::fill::{self, Level};
use super::reads::{asked, tagged};
use super::writes::told;
use super::{Bench, TRIES, is_built, spread};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use um_bench::measure::{self, Sample};
use um_model::ApiError;
use um_model::work::{EntrySave, EntryType};

/// Those who query while somebody tells of events.
const READERS: usize = 4;
/// Those who write to one entry.
const WRITERS: usize = 20;
/// The operation that readers ask for.
const QUERY: &str = "items_query";

/// Measures it.
pub fn measure(bench: &Bench<'_>) -> Result<(), ApiError> {
    beside_readers(bench)?;
    one_entry(bench)
}

fn beside_readers(bench: &Bench<'_>) -> Result<(), ApiError> {
    let what = format!("events_append, 1 event, while {READERS} query");
    if !is_built(QUERY) {
        measure::not_built(bench.plan.size, &what);
        return Ok(());
    }
    let is_over = AtomicBool::new(false);
    let is_over = &is_over;
    std::thread::scope(|scope| {
        let read = |reader: usize| {
            let mut times: Vec<Duration> = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let at = reader + times.len() * READERS;
                let text = bench.language.question(spread(at, bench.plan.size));
                let request = asked(json!({ "tags": tagged(at, at.is_multiple_of(2)), "text": text }));
                times.push(measure::time(|| bench.engine.call(&bench.caller, QUERY, request))?);
            }
            Ok::<_, ApiError>(times)
        };
        let readers: Vec<_> = (0..READERS).map(|reader| scope.spawn(move || read(reader))).collect();
        let measured = bench.ask(&what, None, |at| told(bench, 1_000_000 + at, 1));
        is_over.store(true, Ordering::Relaxed);
        let read = readers.into_iter().map(|reader| reader.join().expect("no reader panics"));
        let times = read.collect::<Result<Vec<_>, _>>()?.concat();
        measured?;
        let sample = Sample::of(times.into_iter().map(Ok::<_, ApiError>))?;
        measure::line_of_p95(bench.plan.size, "items_query, of those who query meanwhile", &sample, None);
        Ok(())
    })
}

fn one_entry(bench: &Bench<'_>) -> Result<(), ApiError> {
    const EACH: usize = TRIES / WRITERS;
    let (entry_type, name) = (EntryType::Guideline, "written by many".to_owned());
    let save = |number: usize| {
        let said = fill::save(bench.language, entry_type, bench.plan.size * 8 + number);
        EntrySave { name: name.clone(), ..said }
    };
    let save = &save;
    let begun = Instant::now();
    let times: Vec<Duration> = std::thread::scope(|scope| {
        let write = |writer: usize| {
            let all = (0..EACH).map(|nth| save(writer * EACH + nth));
            all.map(|request| measure::time(|| bench.engine.run(&bench.caller, request))).collect::<Result<Vec<_>, _>>()
        };
        let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        let written = writers.into_iter().map(|writer| writer.join().expect("no writer panics"));
        written.collect::<Result<Vec<_>, ApiError>>().map(|times| times.concat())
    })?;
    let wall = begun.elapsed().as_secs_f64() * 1000.0;
    let last = bench.engine.run(&bench.caller, {
        let space = Some(Level::Project.space().to_owned());
        let (entry_type, name) = (Some(entry_type), Some(name.clone()));
        um_model::work::EntryGet { space, entry_type, name, ..Default::default() }
    })?;
    assert_eq!(last.entry.version.number as usize, WRITERS * EACH, "no number is left out and none is given twice");
    let sample = Sample::of(times.into_iter().map(Ok::<_, ApiError>))?;
    let what = format!("entry_save, {WRITERS} writers on one entry, {wall:.0} ms for all");
    measure::line_of_p95(bench.plan.size, &what, &sample, None);
    Ok(())
}
