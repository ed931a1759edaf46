//! `jobs`, `job`, `watch`, `models`, `doctor`, `reembed`, `status`: how the service does.

use crate::args;
use crate::capture::absolute;
use crate::failure::{self, Exit, Failure};
use crate::print::{Output, bytes, cell, say, table};
use crate::settle;
use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Duration;
use um_model::health::{HealthCheck, HealthReport, NotEmbedded, Reembed, Reembedded, Status, StatusGet};
use um_model::jobs::{Job, JobCancel, JobRetry, JobsReport, JobsStatus};
use um_model::models::{Model, ModelAdd, ModelDownload, ModelsList, ModelsListed};
use um_model::watch::{WatchAdd, WatchFolder, WatchRemove, WatchesList, WatchesListed};
use um_model::{ApiError, ErrorCode, JobId, ModelState, SpaceId, WatchId};
use um_server::client::Connection;
use um_server::text::count;

/// How long between two looks at work that is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// `umem jobs`
pub(crate) async fn jobs(service: &mut Connection, asked: args::Jobs, output: Output) -> Result<ExitCode, Failure> {
    let args::Jobs { space, limit, offset, wait } = asked;
    let request = JobsStatus { space, limit, offset, ..JobsStatus::default() };
    let mut said = String::new();
    loop {
        let report = service.run(request.clone()).await?;
        if !wait || !report.busy {
            return Ok(output.answer(&report, |report| job_table(report, offset)));
        }
        let words = left(&report);
        if words != said && !words.is_empty() {
            say(&words);
        }
        said = words;
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// What is still to be done, for whoever waits: what is done already only grows.
fn left(report: &JobsReport) -> String {
    if report.paused {
        return settle::PAUSED.to_owned();
    }
    let open: u64 = report.counts.iter().filter(|(status, _)| !status.is_settled()).map(|(_, count)| count).sum();
    match (open, report.calls.len() as u64) {
        (0, 0) => String::new(),
        (0, calls) => format!("{} under way", count(calls, "long call")),
        (open, _) => format!("{} to go", count(open, "job")),
    }
}

fn counts(report: &JobsReport) -> String {
    let counts: Vec<_> = report.counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    let paused = if report.paused { " (paused)" } else { "" };
    if counts.is_empty() { format!("No jobs.{paused}") } else { counts.join(", ") + paused }
}

/// A job a line, and below it why it waits or failed, or how far it is. `offset` jobs come before the first.
fn job_table(report: &JobsReport, offset: u32) -> String {
    let row = |job: &Job| vec![job.status.to_string(), job.kind.to_string(), job.title.clone(), job.id.to_string()];
    let rows = table(&report.jobs.iter().map(row).collect::<Vec<_>>());
    let mut lines = Vec::new();
    for (line, job) in rows.lines().zip(&report.jobs) {
        lines.push(line.to_owned());
        let error = job.error.as_ref().map(|error| settle::explained(error, job.artifact_id.as_ref()));
        let why = error.or(job.progress_note.clone());
        lines.extend(why.map(|why| format!("   {}", cell(&why))));
    }
    let listed = u64::from(offset) + report.jobs.len() as u64;
    if !report.jobs.is_empty() && listed < report.total {
        lines.push(format!("{} more; see them with --offset {listed}", count(report.total - listed, "job")));
    }
    lines.push(counts(report));
    lines.join("\n")
}

/// `umem job …`
pub(crate) async fn job(service: &mut Connection, asked: args::Job, output: Output) -> Result<ExitCode, Failure> {
    let id = |text| failure::id(text, JobId::parse, "umem jobs");
    let job = match asked {
        args::Job::Cancel { id: job } => service.run(JobCancel { id: id(job)? }).await?,
        args::Job::Retry { id: job } => service.run(JobRetry { id: id(job)? }).await?,
    };
    Ok(output.answer(&job, |job| format!("{} of {}: {}", job.kind, job.title, job.status)))
}

/// `umem watch …`
pub(crate) async fn watch(service: &mut Connection, asked: args::Watch, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Watch::Add { dir, space, include, exclude, gitignore, on_delete } => {
            let path = absolute(&dir)?;
            let request = WatchAdd { path, space, include, exclude, honour_gitignore: gitignore, on_delete };
            let folder = service.run(request).await?;
            Ok(output.answer(&folder, |folder| format!("Watching {}, id {}", folder.path, folder.id)))
        }
        args::Watch::List => {
            let listed = service.run(WatchesList {}).await?;
            let paths = crate::spaces::paths(service).await?;
            Ok(output.answer(&listed, |listed| watch_table(listed, &paths)))
        }
        args::Watch::Remove { id } => {
            let removed = service.run(WatchRemove { id: failure::id(id, WatchId::parse, "umem watch list")? }).await?;
            Ok(output.answer(&removed, |_| "No longer watched. What came in stays.".to_owned()))
        }
    }
}

fn watch_table(listed: &WatchesListed, paths: &HashMap<SpaceId, String>) -> String {
    let head = ["FOLDER", "SPACE", "STATE", "ID"].map(str::to_owned).to_vec();
    let row = |folder: &WatchFolder| {
        let state = folder.problem.clone().unwrap_or_else(|| count(folder.files, "file"));
        let space = paths.get(&folder.space_id).cloned().unwrap_or_default();
        vec![folder.path.clone(), space, state, folder.id.to_string()]
    };
    match listed.watches.is_empty() {
        true => "No folder is watched. Watch one: umem watch add DIR --space S".to_owned(),
        false => table(&std::iter::once(head).chain(listed.watches.iter().map(row)).collect::<Vec<_>>()),
    }
}

/// `umem models …`
pub(crate) async fn models(service: &mut Connection, asked: args::Models, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Models::List => Ok(output.answer(&service.run(ModelsList {}).await?, model_table)),
        args::Models::Add { path, id } => {
            let model = service.run(ModelAdd { path: absolute(&path)?, id }).await?;
            Ok(output.answer(&model, |model| format!("Installed {}", model.name)))
        }
        args::Models::Download { id, wait } => {
            let model = service.run(ModelDownload { id, cancel: false }).await?;
            let model = if wait { downloaded(service, model).await? } else { model };
            Ok(output.answer(&model, |model| format!("{}: {}", model.name, model_state(model))))
        }
    }
}

/// Waits until a model is no longer being fetched.
async fn downloaded(service: &mut Connection, mut model: Model) -> Result<Model, Failure> {
    while model.state == ModelState::Downloading {
        say(&format!("{}: {}", model.name, model_state(&model)));
        tokio::time::sleep(4 * LOOK_EVERY).await;
        let listed = service.run(ModelsList {}).await?;
        let gone = || ApiError::new(ErrorCode::NotFound, "The model is no longer in the catalogue.");
        model = listed.models.into_iter().find(|known| known.id == model.id).ok_or_else(gone)?;
    }
    if let Some(problem) = &model.problem {
        return Err(ApiError::new(ErrorCode::Io, problem.clone()).hint("Run the same command again to go on.").into());
    }
    Ok(model)
}

fn model_state(model: &Model) -> String {
    match (model.state, model.downloaded_bytes) {
        (ModelState::Downloading, Some(got)) => format!("{} of {}", bytes(got), bytes(model.download_bytes)),
        (state, _) => model.problem.clone().unwrap_or_else(|| state.to_string()),
    }
}

fn model_table(listed: &ModelsListed) -> String {
    let head = ["ID", "KIND", "SIZE", "STATE", "IN USE", "LICENCE"].map(str::to_owned).to_vec();
    let row = |model: &Model| {
        let in_use = if model.in_use { "yes" } else { "" }.to_owned();
        // What the person brought is not in the catalogue, and has no size there.
        let size = if model.download_bytes == 0 { "unknown".to_owned() } else { bytes(model.download_bytes) };
        vec![model.id.clone(), model.kind.to_string(), size, model_state(model), in_use, model.licence.clone()]
    };
    table(&std::iter::once(head).chain(listed.models.iter().map(row)).collect::<Vec<_>>())
}

/// `umem doctor`
pub(crate) async fn doctor(service: &mut Connection, rebuild: bool, output: Output) -> Result<ExitCode, Failure> {
    let report = service.run(HealthCheck { rebuild }).await?;
    let ok = report.ok;
    let exit = output.answer(&report, health);
    Ok(if ok { exit } else { Exit::Failed.into() })
}

fn health(report: &HealthReport) -> String {
    let mark = |ok: bool| if ok { "ok" } else { "NOT OK" }.to_owned();
    let checks = report.checks.iter().map(|check| vec![mark(check.ok), check.name.clone(), check.detail.clone()]);
    let counts = report.counts.iter().map(|(name, count)| vec!["".to_owned(), name.clone(), count.to_string()]);
    let size = format!("schema {}, database {}", report.schema_version, bytes(report.database_bytes));
    format!("{}\n{size}\n{}", table(&checks.chain(counts).collect::<Vec<_>>()), timings(report)).trim_end().to_owned()
}

fn timings(report: &HealthReport) -> String {
    let row = |(name, timing): (&String, &um_model::health::Timing)| {
        let times = [timing.p50_ms, timing.p95_ms].map(|ms| format!("{ms:.1} ms"));
        let [p50, p95] = times;
        vec![name.clone(), timing.count.to_string(), p50, p95]
    };
    let head = ["OPERATION", "COUNT", "P50", "P95"].map(str::to_owned).to_vec();
    table(&std::iter::once(head).chain(report.timings.iter().map(row)).collect::<Vec<_>>())
}

/// `umem reembed`
pub(crate) async fn reembed(
    service: &mut Connection,
    model: Option<String>,
    output: Output,
) -> Result<ExitCode, Failure> {
    let done = service.run(Reembed { model }).await?;
    Ok(output.answer(&done, |done| {
        let before = if done.resumed > 0 { format!(", {} by an earlier run", done.resumed) } else { String::new() };
        let done_with = format!("{} embedded with {}{before}", count(done.embedded, "passage"), done.model);
        [done_with].into_iter().chain(refused(done)).collect::<Vec<_>>().join("\n")
    }))
}

/// What the model refuses, and of which memories it is.
fn refused(done: &Reembedded) -> Option<String> {
    let of = |one: &NotEmbedded| {
        vec![one.memory.to_string(), one.title.clone(), count(one.passages, "passage"), one.reason.clone()]
    };
    (done.refused > 0).then(|| {
        let head = format!(
            "{} refused by the model, found by words only; `umem reembed` tries again:",
            count(done.refused, "passage")
        );
        format!("{head}\n{}", table(&done.refused_of.iter().map(of).collect::<Vec<_>>()))
    })
}

/// `umem status`
pub(crate) async fn status(service: &mut Connection, output: Output) -> Result<ExitCode, Failure> {
    Ok(output.answer(&service.run(StatusGet {}).await?, status_lines))
}

fn status_lines(status: &Status) -> String {
    let jobs: Vec<_> = status.jobs.iter().map(|(state, count)| format!("{count} {state}")).collect();
    let jobs = if jobs.is_empty() { "none".to_owned() } else { jobs.join(", ") };
    let rows = [
        ("version", status.version.clone()),
        ("socket", status.socket.clone().unwrap_or_default()),
        ("since", um_server::text::iso_time(status.started_at)),
        ("agents connected", status.agents_connected.to_string()),
        ("files", status.artifacts.to_string()),
        ("memories", status.memories.to_string()),
        ("texts are sent to", status.cloud.clone().unwrap_or_else(|| "nobody".to_owned())),
        ("encrypted", if status.encrypted { "yes" } else { "no" }.to_owned()),
        ("passages to embed", status.units_unembedded.to_string()),
        ("indexes", if status.indexing_anew { "being made anew" } else { "whole" }.to_owned()),
        ("jobs", if status.paused { format!("{jobs} (paused)") } else { jobs }),
    ];
    table(&rows.map(|(name, value)| vec![name.to_owned(), value]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_are_not_listed_are_counted() {
        let id = um_model::OWNER_AGENT;
        let job = serde_json::json!({
            "id": id, "kind": "read", "status": "completed", "space_id": id, "artifact_id": id, "memory_id": null,
            "title": "a.pdf", "progress": 1.0, "progress_note": null, "attempts": 1, "error": null, "created_at": 0,
            "updated_at": 0
        });
        for (jobs, offset, total, words) in [
            (2, 0, 2, None),
            (2, 0, 3, Some("1 job more; see them with --offset 2")),
            (2, 5, 250, Some("243 jobs more; see them with --offset 7")),
            (1, 2, 3, None),
            (0, 9, 3, None),
        ] {
            let report = serde_json::json!({
                "counts": {"completed": total}, "busy": false, "paused": false, "calls": [], "jobs": vec![&job; jobs],
                "total": total
            });
            let told = job_table(&serde_json::from_value(report).unwrap(), offset);
            assert_eq!(told.lines().find(|line| line.contains(" more; ")), words, "{told}");
            assert!(told.ends_with(&format!("{total} completed")), "{told}");
        }
    }

    #[test]
    fn that_an_index_is_made_anew_is_part_of_the_status() {
        let check = |indexing_anew: bool, expected: &str| {
            let status = serde_json::json!({"version": "1", "jobs": {}, "paused": false, "agents_connected": 0, "artifacts": 0,
                "memories": 0, "units_unembedded": 0, "started_at": 0, "socket": null, "indexing_anew": indexing_anew});
            let told = status_lines(&serde_json::from_value(status).unwrap());
            let line = told.lines().find(|line| line.starts_with("indexes")).unwrap();
            assert!(line.ends_with(expected), "{told}");
        };
        check(true, "being made anew");
        check(false, "whole");
    }

    #[test]
    fn whoever_waits_is_told_what_is_left() {
        let check = |counts: serde_json::Value, paused: bool, calls: usize, expected: &str| {
            let call = serde_json::json!({"id": um_model::OWNER_AGENT, "operation": "memory_ingest", "space_id": null,
                "done": 0, "total": null, "note": "", "begun_at": 0});
            let report = serde_json::json!({"counts": counts, "busy": true, "paused": paused, "calls": vec![call; calls],
                "jobs": [], "total": 0});
            assert_eq!(left(&serde_json::from_value(report).unwrap()), expected, "{counts}");
        };
        check(
            serde_json::json!({"completed": 3, "pending": 4, "processing": 1, "failed": 2}),
            false,
            0,
            "5 jobs to go",
        );
        check(serde_json::json!({"completed": 7, "pending": 1}), false, 1, "1 job to go");
        check(serde_json::json!({"completed": 8}), false, 1, "1 long call under way");
        check(serde_json::json!({"completed": 8}), false, 0, "");
        check(serde_json::json!({"pending": 1}), true, 0, settle::PAUSED);
    }
}
