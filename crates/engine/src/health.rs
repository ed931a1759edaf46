//! Health: checks of the data folder, the status line, and re-embedding.

use crate::error::{Outcome, from_store};
use crate::work::{Underway, check_model_provider, embed_passages};
use crate::{Caller, Engine};
use um_model::health::{Check, Event, HealthCheck, HealthReport, Reembed, Reembedded, Status, StatusGet};
use um_model::{ApiError, ErrorCode};
use um_store::{checks, jobs, settings};

/// Checks the data folder.
pub(crate) fn health_check(engine: &Engine, caller: &Caller, request: HealthCheck) -> Outcome<HealthReport> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    if request.rebuild {
        let now = engine.now();
        engine.store().write(move |tx| checks::rebuild(tx, now)).map_err(from_store)?;
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
        database_bytes: std::fs::metadata(engine.store().path()).map_or(0, |m| m.len()),
        schema_version: schema.to_string(),
    })
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
    let (jobs, totals, cloud) = engine.read(|c| {
        crate::access::may_act(c, caller)?;
        Ok((jobs::counts(c, None)?, checks::totals(c)?, crate::llm::cloud(engine, c)?))
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
    })
}

/// Passages embedded between two looks at what is left.
const PORTION: usize = 512;

/// Embeds every passage with the model in use, then puts the new vectors in place at once. Interrupted or
/// cancelled, it goes on where it was: what it embedded stays, beside the vectors that are still in use.
pub(crate) fn index_reembed(engine: &Engine, caller: &Caller, request: Reembed) -> Outcome<Reembedded> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    let model = check_model_provider(engine, request.model.as_deref())?;
    let resumed = engine.read(|c| Ok(checks::embedded_with(c, &model)?))?;
    let mut call = Underway::begin::<Reembed>(engine, caller, None)?;
    let mut embedded = 0;
    loop {
        let rids = engine.read(|c| Ok(checks::without_vector(c, &model, PORTION)?))?;
        if rids.is_empty() {
            break;
        }
        let passages: Vec<_> = rids.into_iter().map(|rid| (rid, call.cancel())).collect();
        embed_passages(engine, &passages, &model, |kept| call.moved(embedded + kept as u64, None, "embedding"))?;
        if call.is_cancelled() {
            return Err(ApiError::new(ErrorCode::Cancelled, "Stopped. What was embedded so far is kept.")
                .hint("Run it again to go on from there."));
        }
        embedded += passages.len() as u64;
    }
    let (dimensions, name, now) = (engine.providers().embedding.dimensions(), model.clone(), engine.now());
    let by = caller.clone();
    engine.write(move |tx| {
        settings::set(tx, settings::EMBEDDING_MODEL, &name, now)?;
        settings::set(tx, settings::EMBEDDING_DIMENSIONS, &dimensions.to_string(), now)?;
        um_store::vectors::rebuild(tx)?;
        let (object, global) = (("models", name.as_str()), um_model::SpaceId::global());
        let payload = serde_json::json!({ "passages": embedded });
        Engine::audit(tx, &by, "index.reembedded", object, &global, payload, now)
    })?;
    engine.wake_waiting();
    engine.tell(Event::Models);
    Ok(Reembedded { model, embedded, resumed })
}
