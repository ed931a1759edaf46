//! Showing and steering the work.

use crate::error::{Outcome, not_found};
use crate::{Caller, Engine};
use um_model::JobId;
use um_model::capture::Done;
use um_model::health::Event;
use um_model::jobs::{Job, JobCancel, JobRetry, JobsReport, JobsStatus, WorkPause};
use um_store::{jobs, settings};

/// Tells how far the work is.
pub(crate) fn jobs_status(engine: &Engine, caller: &Caller, request: JobsStatus) -> Outcome<JobsReport> {
    let limit = request.limit.unwrap_or(100).min(1000);
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let space = match request.space.as_deref() {
            None if !caller.is_agent() => None,
            wanted => Some(crate::spaces::resolve_or_usual(c, caller, wanted)?),
        };
        let space = space.as_ref().map(|s| &s.id);
        let counts = jobs::counts(c, space)?;
        let calls = super::calls::underway(engine, space);
        let busy = !calls.is_empty() || jobs::any_wanted(c, space)?;
        let is_listed = |status| request.statuses.is_empty() || request.statuses.contains(status);
        let total = counts.iter().filter(|(status, _)| is_listed(status)).map(|(_, number)| number).sum();
        let jobs = jobs::list(c, space, &request.statuses, request.offset, limit)?;
        Ok(JobsReport { counts, busy, paused: engine.is_paused(), calls, jobs, total })
    })
}

fn change(
    engine: &Engine,
    caller: &Caller,
    id: &JobId,
    event_type: &'static str,
    act: impl FnOnce(&um_store::Connection, i64) -> um_store::StoreResult<()> + Send + 'static,
) -> Outcome<Job> {
    let (caller, id, now) = (caller.clone(), id.clone(), engine.now());
    let job = engine.write(move |tx| {
        crate::access::may_act(tx, &caller)?;
        act(tx, now)?;
        let job = jobs::by_id(tx, &id)?.ok_or_else(|| not_found("job", id.as_str()))?;
        let payload = serde_json::json!({ "kind": job.kind, "status": job.status });
        Engine::audit(tx, &caller, event_type, ("jobs", id.as_str()), &job.space_id, payload, now)?;
        Ok(job)
    })?;
    engine.tell(Event::Jobs);
    Ok(job)
}

/// Cancels a job.
pub(crate) fn job_cancel(engine: &Engine, caller: &Caller, request: JobCancel) -> Outcome<Job> {
    let id = request.id.clone();
    let job = change(engine, caller, &request.id, "job.cancelled", move |tx, now| jobs::cancel(tx, &id, now))?;
    if let Some(cancel) = crate::engine::lock(&engine.core().running).get(&request.id) {
        cancel.cancel();
    }
    Ok(job)
}

/// Queues a job anew.
pub(crate) fn job_retry(engine: &Engine, caller: &Caller, request: JobRetry) -> Outcome<Job> {
    let id = request.id.clone();
    change(engine, caller, &request.id, "job.retried", move |tx, now| jobs::retry(tx, &id, now))
}

/// Pauses or resumes all background work. What is being done is finished first.
pub(crate) fn work_pause(engine: &Engine, caller: &Caller, request: WorkPause) -> Outcome<Done> {
    let (caller, now, paused) = (caller.clone(), engine.now(), request.paused);
    engine.write(move |tx| {
        crate::access::may_act(tx, &caller)?;
        settings::set(tx, crate::settings::PAUSED, &paused.to_string(), now)?;
        let event_type = if paused { "work.paused" } else { "work.resumed" };
        let (object, global) = (("system_settings", crate::settings::PAUSED), um_model::SpaceId::global());
        Engine::audit(tx, &caller, event_type, object, &global, serde_json::json!({}), now)
    })?;
    engine.set_paused(paused);
    engine.tell(Event::Jobs);
    Ok(Done {})
}
