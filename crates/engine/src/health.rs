//! Health: checks of the data folder, the status line, and re-embedding.

use crate::error::{Fault, Outcome, from_store};
use crate::work::{Passed, Underway, check_model_provider, embed_passages};
use crate::{Caller, Engine, outdated};
use std::collections::BTreeMap;
use std::path::Path;
use um_model::health::{Check, Event, HealthCheck, HealthReport, NotEmbedded, Reembed, Reembedded, Status, StatusGet};
use um_model::{ApiError, ErrorCode};
use um_store::{Connection, checks, jobs, rebuild, settings};

/// Checks the data folder.
pub(crate) fn health_check(engine: &Engine, caller: &Caller, request: HealthCheck) -> Outcome<HealthReport> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    if request.rebuild {
        engine.store().rebuild(engine.now()).map_err(from_store)?;
    }
    let known = engine.read(|c| Ok(um_store::artifacts::blob_files(c)?))?;
    let mut found = engine.store().inspect(checks::run).map_err(from_store)?;
    let encrypted = engine.store().is_encrypted();
    found.push(engine.store().inspect(|c| checks::encryption(c, encrypted)).map_err(from_store)?);
    found.push(files_check(engine, &known));
    found.push(engine.store().read(crate::divergence::check).map_err(from_store)?);
    let counts = engine.read(|c| Ok(checks::counts(c)?))?;
    let schema = engine.read(|c| Ok(um_store::schema_version(c)?))?;
    Ok(HealthReport {
        ok: found.iter().all(|check| check.ok),
        checks: found,
        counts,
        timings: engine.timings().report(),
        database_bytes: database_bytes(engine.store().path()),
        schema_version: schema.to_string(),
    })
}

/// How large the database is, with its write-ahead log: what was written last lies there alone.
fn database_bytes(database: &Path) -> u64 {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    [database, Path::new(&log)].into_iter().filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len()).sum()
}

/// Every row's blob is there. Blobs without a row are counted only: they may be on their way in, and the
/// next start sweeps up what was left half done.
fn files_check(engine: &Engine, known: &[String]) -> Check {
    let root = crate::ingest::blobs::folder(engine.data_dir());
    let missing = known.iter().filter(|uri| !root.join(uri).is_file()).count();
    let strays = crate::ingest::blobs::strays(engine.data_dir(), known).len();
    let detail = match (missing, strays) {
        (0, 0) => format!("Large files beside the database: {}, each in its place.", known.len()),
        (0, strays) => {
            format!("Large files beside the database: {}, each in its place; under way: {strays}.", known.len())
        }
        (missing, _) => format!(
            "{missing} of {} large files beside the database are missing. Bring them in again, or put the folder back.",
            known.len()
        ),
    };
    Check { name: "files".to_owned(), ok: missing == 0, detail }
}

/// Tells the state of the service.
pub(crate) fn status_get(engine: &Engine, caller: &Caller, _: StatusGet) -> Outcome<Status> {
    let (jobs, totals, cloud, indexing_anew) = engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let indexing_anew = rebuild::is_renewing_form(c)? || rebuild::is_incomplete(c)?;
        Ok((jobs::counts(c, None)?, checks::totals(c)?, crate::llm::cloud(engine, c)?, indexing_anew))
    })?;
    Ok(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        jobs,
        paused: engine.is_paused(),
        agents_connected: engine.agents_connected(),
        artifacts: totals.artifacts,
        memories: totals.memories,
        units_unembedded: totals.units_unembedded,
        started_at: engine.started_at(),
        socket: engine.socket(),
        cloud,
        encrypted: engine.store().is_encrypted(),
        indexing_anew,
    })
}

/// Passages embedded between two looks at what is left.
const PORTION: usize = 512;
/// So many memories of which passages could not be embedded are told.
const REFUSED_TOLD: usize = 100;

/// Embeds every passage with the model in use, then puts the new vectors in place at once. Interrupted or
/// cancelled, it goes on where it was: what it embedded stays, beside the vectors that are still in use; these go afterwards. Where the
/// model before works here again instead, the change is given up, and what it embedded goes. A passage that the model refuses is told at
/// the end and keeps no other from being embedded.
pub(crate) fn index_reembed(engine: &Engine, caller: &Caller, request: Reembed) -> Outcome<Reembedded> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    let model = check_model_provider(engine, request.model.as_deref())?;
    if engine.read(crate::settings::embedding_model)? != model {
        let (to, now) = (model.clone(), engine.now());
        engine.write(move |tx| outdated::change(tx, &to, now))?;
    }
    let resumed = engine.read(|c| Ok(checks::embedded_with(c, &model)?))?;
    let mut call = Underway::begin::<Reembed>(engine, caller, None)?;
    let passed = embed_all(engine, &mut call, &model)?;
    if let Some(error) = passed.refused.values().next().filter(|_| passed.embedded == 0 && resumed == 0) {
        // It embeds nothing of what is here: the vectors that are in use stay.
        return Err(error.clone());
    }
    let (embedded, refused) = (passed.embedded as u64, passed.refused.len() as u64);
    let refused_of = engine.read(|c| refused_of(c, &passed.refused))?;
    let (dimensions, name, now) = (engine.providers().embedding.dimensions(), model.clone(), engine.now());
    let by = caller.clone();
    engine.write(move |tx| {
        settings::set(tx, settings::EMBEDDING_MODEL, &name, now)?;
        settings::set(tx, settings::EMBEDDING_DIMENSIONS, &dimensions.to_string(), now)?;
        um_store::vectors::rebuild(tx)?;
        outdated::begin(tx, now)?;
        let (object, global) = (("models", name.as_str()), um_model::SpaceId::global());
        let payload = serde_json::json!({ "passages": embedded, "refused": refused });
        Engine::audit(tx, &by, "index.reembedded", object, &global, payload, now)
    })?;
    engine.wake_waiting();
    engine.tell(Event::Models);
    Ok(Reembedded { model, embedded, resumed, refused, refused_of })
}

/// Embeds what has no vector of a model, each portion from where the last one ended; then what came into use again before that.
fn embed_all(engine: &Engine, call: &mut Underway<'_>, model: &str) -> Outcome<Passed> {
    let mut all = Passed::default();
    let (mut after, mut embedded_before) = (0, 0);
    loop {
        let mut rids = engine.read(|c| Ok(checks::without_vector(c, model, after, PORTION)?))?;
        let Some(last) = rids.last().copied() else {
            if all.embedded == embedded_before {
                return Ok(all);
            }
            (after, embedded_before) = (0, all.embedded);
            continue;
        };
        after = last;
        rids.retain(|rid| !all.refused.contains_key(rid));
        let (done, cancel) = (all.done(), call.cancel());
        let tell = |passed: &Passed| call.moved(done + passed.done(), None, "embedding");
        let passed = embed_passages(engine, &rids, (model, cancel), tell)?;
        if call.is_cancelled() {
            return Err(ApiError::new(ErrorCode::Cancelled, "Stopped. What was embedded so far is kept.")
                .hint("Run it again to go on from there."));
        }
        all.embedded += passed.embedded;
        all.refused.extend(passed.refused);
    }
}

/// The memories of passages that the model refuses, with how many of each.
fn refused_of(c: &Connection, refused: &BTreeMap<i64, ApiError>) -> Result<Vec<NotEmbedded>, Fault> {
    let rids: Vec<i64> = refused.keys().copied().collect();
    let mut found: Vec<NotEmbedded> = Vec::new();
    for (rid, memory) in checks::memories_of(c, &rids)? {
        match found.iter().position(|one| one.memory == memory) {
            Some(at) => found[at].passages += 1,
            None if found.len() < REFUSED_TOLD => {
                let reason = refused.get(&rid).map(|error| error.message.clone()).unwrap_or_default();
                found.push(NotEmbedded { memory, title: String::new(), passages: 1, reason });
            }
            None => {}
        }
    }
    let mut names = crate::recall::named(c, found.iter().map(|one| &one.memory))?;
    found.iter_mut().for_each(|one| one.title = names.remove(&one.memory).unwrap_or_default());
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_as_large_as_its_file_and_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("memory.db");
        let check = |written: Option<(&str, usize)>, expected: u64| {
            if let Some((name, length)) = written {
                std::fs::write(folder.path().join(name), "x".repeat(length)).unwrap();
            }
            assert_eq!(database_bytes(&database), expected, "{written:?}");
        };
        check(None, 0);
        check(Some(("memory.db", 300)), 300);
        check(Some(("memory.db-wal", 50)), 350);
        check(Some(("memory.db-shm", 7)), 350);
    }
}
