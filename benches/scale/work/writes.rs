//! What is written, and what is forgotten again.

use super::super::data;
use super::fill::{self, BATCH, Level, TAGS, tag};
use super::{Bench, spread};
use serde_json::{Value, json};
use um_bench::measure::{self, Sample};
use um_model::capture::MemoryRemember;
use um_model::work::*;
use um_model::{ApiError, ErrorCode};

/// The goal for the p95 of one event, and of forgetting, in milliseconds.
const APPEND: Option<f64> = Some(2.0);
const GONE: Option<f64> = Some(5_000.0);
/// Memories and sessions that are forgotten, one after the other.
const FORGOTTEN: usize = 3;

/// Measures what is written.
pub fn measure(bench: &Bench<'_>) -> Result<(), ApiError> {
    bench.ask("events_append, 1 event", APPEND, |at| told(bench, at, 1))?;
    bench.ask("events_append, 50 events", None, |at| told(bench, at, 50))?;
    let of_level = bench.plan.entries(Level::Project);
    bench.ask("entry_save, a version of another body", None, |at| {
        let number = spread(at, of_level);
        let (entry_type, name) = bench.plan.named(Level::Project, number);
        // What it says is another entry's.
        let saved = fill::save(bench.language, entry_type, number + bench.plan.size * 4);
        EntrySave { name, change_reason: Some("Measured.".to_owned()), ..saved }
    })?;
    bench.ask("state_set", None, |at| StateSet {
        session: Some(bench.session.clone()),
        current_goal: Some(format!("Measure {at}")),
        summary: Some(bench.language.text(at)),
        working_set: Some((0..10).map(|file| format!("src/part-{at}/file-{file}.rs")).collect()),
        ..StateSet::default()
    })?;
    bench.ask("tag_attach", None, |at| TagAttach {
        item_type: ItemType::Entry,
        id: bench.entries[at].to_string(),
        tags: vec![tag(1 + at * 13 % TAGS)],
    })?;
    bench.ask("lock_checkout", None, |at| LockCheckout {
        space: Some(Level::Project.space().to_owned()),
        path: format!("src/part-{at}/file.rs"),
        ..LockCheckout::default()
    })?;
    bench.ask("session_begin, with its briefing", None, |at| fill::session(&format!("measured {at}")))
}

/// New events of the session under way.
pub fn told(bench: &Bench<'_>, at: usize, count: usize) -> EventsAppend {
    let events = fill::events(bench.language, 1_000_000_000 + at * count, count);
    EventsAppend { space: None, session: Some(bench.session.clone()), events }
}

/// Measures what forgetting takes, with the proof that it went.
pub fn forget(bench: &Bench<'_>) -> Result<(), ApiError> {
    let (engine, caller) = (bench.engine, &bench.caller);
    let space = Level::Project.space().to_owned();
    let mut memories = Vec::new();
    let mut sessions = Vec::new();
    engine.start();
    for number in 0..FORGOTTEN {
        let text = format!("The zanzibar paper of number {number}. {}", bench.language.text(2_000_000_000 + number));
        let request = MemoryRemember { text, space: space.clone(), ..MemoryRemember::default() };
        memories.push(json!({ "memory": engine.run(caller, request)?.memory.id }));
        let session = engine.run(caller, fill::session(&format!("forgotten {number}")))?.session.id;
        let events = fill::events(bench.language, 3_000_000_000 + number * BATCH, BATCH);
        engine.run(caller, EventsAppend { space: None, session: Some(session.clone()), events })?;
        sessions.push(json!({ "session": session }));
    }
    data::wait_until_idle(engine, caller)?;
    let measured = one_by_one(bench, "one memory", memories)
        .and_then(|()| one_by_one(bench, &format!("one session of {BATCH} events"), sessions));
    engine.stop();
    measured
}

fn one_by_one(bench: &Bench<'_>, what: &str, all: Vec<Value>) -> Result<(), ApiError> {
    let (mut shown, mut gone) = (Vec::new(), Vec::new());
    for mut request in all {
        let mut plan = Value::Null;
        let took = measure::time(|| {
            plan = bench.engine.call(&bench.caller, "forget_preview", request.clone())?;
            Ok::<_, ApiError>(())
        });
        // A build that forgets no sessions knows no such field.
        if took.as_ref().is_err_and(|error| error.code == ErrorCode::InvalidRequest) {
            measure::not_built(bench.plan.size, &format!("forgetting {what}"));
            return Ok(());
        }
        shown.push(took?);
        request["token"] = plan["token"].take();
        gone.push(measure::time(|| {
            let report = bench.engine.call(&bench.caller, "forget_execute", request)?;
            assert_eq!(report["proof"]["left"], 0, "nothing is left");
            Ok::<_, ApiError>(())
        })?);
    }
    let sample = |times: Vec<_>| Sample::of(times.into_iter().map(Ok::<_, ApiError>));
    measure::line_of_p95(bench.plan.size, &format!("forgetting {what}: what would go"), &sample(shown)?, None);
    measure::line_of_p95(bench.plan.size, &format!("forgetting {what}: gone, with its proof"), &sample(gone)?, GONE);
    Ok(())
}
