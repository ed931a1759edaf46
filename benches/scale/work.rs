//! How long what agents work with takes beside N entries and ten times as many events, and the goals of `docs/design/work.md`:
//! `cargo bench -p um-bench -- work`, or `… -- work 10000` for one size.
//!
//! All of it is asked of the engine, as the person: what a socket and an agent's entry in the ledger add is not in it. Queries
//! and relations are asked for by their names, and are left out with "not built" by a build that has none.

mod crowd;
mod fill;
mod reads;
mod writes;

use super::data;
use fill::{Level, Plan};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use um_bench::measure::{self, Sample};
use um_bench::words::Language;
use um_engine::{Caller, Engine, Handle};
use um_model::work::{EntryGet, SessionStatus, SessionsList};
use um_model::{ApiError, EntryId, ErrorCode, SessionId, ops};

/// Tries of each row, after as many as [`WARM`] that do not count.
const TRIES: usize = 300;
const WARM: usize = 10;

/// Measures beside so many entries.
pub fn measure(size: usize, language: &Language) -> Result<(), ApiError> {
    let plan = Plan { size };
    // What has no relations yet is another database than what has them.
    let name = if is_built("relation_add") { format!("work-{size}") } else { format!("work-unrelated-{size}") };
    let made = data::made(&name, language, |folder| fill::fill(folder, language, plan))?;
    let folder = data::copy_of(&made);
    let engine = data::open(folder.path(), true)?;
    let bench = Bench::new(&engine, language, plan)?;
    let bytes = bytes(&made);
    let (mega, events) = (bytes as f64 / 1e6, plan.sessions() * fill::BATCH);
    eprintln!("{size} entries and {events} events: {mega:.0} MB, {} bytes for each.", bytes / (size + events) as u64);
    measure::head_of_p95("entries");
    reads::measure(&bench)?;
    writes::measure(&bench)?;
    crowd::measure(&bench)?;
    writes::forget(&bench)
}

fn bytes(folder: &Path) -> u64 {
    let files = ["memory.db", "memory.db-wal"].iter().filter_map(|file| folder.join(file).metadata().ok());
    files.map(|file| file.len()).sum()
}

/// Whether this build has that operation.
fn is_built(operation: &str) -> bool {
    ops::operation(operation).is_some()
}

/// What is asked, and of whom.
struct Bench<'a> {
    engine: &'a Engine,
    caller: Caller,
    language: &'a Language,
    plan: Plan,
    /// An entry of the project for each try.
    entries: Vec<EntryId>,
    /// The session that is under way.
    session: SessionId,
}

impl<'a> Bench<'a> {
    fn new(engine: &'a Engine, language: &'a Language, plan: Plan) -> Result<Self, ApiError> {
        let caller = Caller::owner("bench");
        let of_level = plan.entries(Level::Project);
        let entries = (0..WARM + TRIES).map(|at| fill::id(engine, &caller, plan, spread(at, of_level)));
        let entries = entries.collect::<Result<_, _>>()?;
        let open = SessionsList {
            space: Some(Level::Project.space().to_owned()),
            statuses: vec![SessionStatus::Active],
            ..SessionsList::default()
        };
        let session = engine.run(&caller, open)?.sessions.swap_remove(0).id;
        Ok(Self { engine, caller, language, plan, entries, session })
    }

    /// Measures one thing that takes another time each time.
    fn row(
        &self,
        what: &str,
        goal: Option<f64>,
        mut once: impl FnMut(usize) -> Result<Duration, ApiError>,
    ) -> Result<(), ApiError> {
        (0..WARM).try_for_each(|at| once(at).map(drop))?;
        let sample = Sample::of((WARM..WARM + TRIES).map(once))?;
        measure::line_of_p95(self.plan.size, what, &sample, goal);
        Ok(())
    }

    /// Measures an operation, each time with another request.
    fn ask<R: Handle>(&self, what: &str, goal: Option<f64>, request: impl Fn(usize) -> R) -> Result<(), ApiError> {
        self.row(what, goal, |at| {
            let request = request(at);
            measure::time(|| self.engine.run(&self.caller, request))
        })
    }

    /// The same by its name, where there is such an operation, and it takes such requests; `seen` is told each answer.
    fn call(
        &self,
        (what, operation): (&str, &str),
        goal: Option<f64>,
        request: impl Fn(usize) -> Value,
        mut seen: impl FnMut(&Value),
    ) -> Result<(), ApiError> {
        if !is_built(operation) {
            measure::not_built(self.plan.size, what);
            return Ok(());
        }
        let measured = self.row(what, goal, |at| {
            let (request, mut answer) = (request(at), Value::Null);
            let took = measure::time(|| {
                answer = self.engine.call(&self.caller, operation, request)?;
                Ok(())
            });
            seen(&answer);
            took
        });
        match measured {
            Err(error) if error.code == ErrorCode::InvalidRequest => {
                eprintln!("{what}: {error}");
                measure::not_built(self.plan.size, what);
                Ok(())
            }
            measured => measured,
        }
    }

    /// An entry by type and name, looked for from the project up.
    fn named(&self, level: Level, number: usize) -> EntryGet {
        let (entry_type, name) = self.plan.named(level, number);
        let space = Some(Level::Project.space().to_owned());
        EntryGet { space, entry_type: Some(entry_type), name: Some(name), ..EntryGet::default() }
    }
}

/// The number of a try's own among so many: spread over all of them by a step that has no factor in common with their number.
fn spread(at: usize, of: usize) -> usize {
    at * 7_919 % of
}
