//! `ingest` and `remember`: what comes in.

use crate::args;
use crate::failure::{Exit, Failure, system};
use crate::lines;
use crate::print::{Live, Output, list};
use crate::settle::{self, Settled, State};
use crate::when;
use crate::work;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::process::ExitCode;
use um_model::capture::{Ingested, MemoryIngest, MemoryRemember, Remembered};
use um_model::{ApiError, ErrorCode};
use um_server::client::{Connection, Heard};
use um_server::text::count;

/// What the verb answers.
#[derive(Debug, Serialize)]
struct Report {
    files: Vec<Settled>,
    /// How the listed files stand.
    counts: BTreeMap<State, usize>,
    /// Of all files, listed or not.
    #[serde(flatten)]
    total: Total,
}

#[derive(Debug, Serialize)]
struct Total {
    created: u64,
    known: u64,
    refused: u64,
    cancelled: bool,
}

/// `umem ingest`
pub(crate) async fn ingest(service: &mut Connection, asked: args::Ingest, output: Output) -> Result<ExitCode, Failure> {
    let paths = asked.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
    let args::Ingest { space, owner, session, occurred_at, wait, .. } = asked;
    let request = MemoryIngest { paths, space: space.clone(), owner, session, occurred_at };
    let mut line = Live::default();
    let ingested = service.run_long(request, |heard| line.show(&taken(&heard)), interrupted()).await?;
    line.clear();
    let Ingested { files, created, known, refused, cancelled } = ingested;
    let mut files: Vec<Settled> = files.into_iter().map(Settled::unread).collect();
    if wait && !cancelled {
        let unlisted = created + known > files.iter().filter(|file| file.is_kept()).count() as u64;
        settle::wait_for(service, &space, &mut files, unlisted).await?;
    }
    let mut counts = BTreeMap::new();
    files.iter().for_each(|file| *counts.entry(file.state).or_insert(0) += 1);
    let has = |state: State| counts.contains_key(&state);
    let failed = cancelled || refused > 0 || has(State::Failed) || has(State::Refused);
    let total = Total { created, known, refused, cancelled };
    let exit = output.answer(&Report { files, counts, total }, report);
    Ok(if failed { Exit::Failed.into() } else { exit })
}

/// Returns at the first Ctrl+C; whoever cannot wait for the service's last word ends the program with a second.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Where it cannot be heard, it ends the program as it always does.
        return std::future::pending().await;
    }
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(Exit::Failed as i32);
        }
    });
}

/// `312 files: /home/ana/notes/lease.pdf`
fn taken(heard: &Heard) -> String {
    let Heard { done, total, note } = heard;
    match total {
        Some(total) => format!("{done} of {}: {note}", count(*total, "file")),
        None => format!("{}: {note}", count(*done, "file")),
    }
}

/// A path as the service can find it, whose working folder is another.
pub(crate) fn absolute(path: &std::path::Path) -> Result<String, Failure> {
    let path = std::path::absolute(path).map_err(system)?;
    path.into_os_string().into_string().map_err(|path| {
        Failure::usage(
            ApiError::new(ErrorCode::InvalidRequest, format!("{} is not text.", path.display())).hint("Rename it."),
        )
    })
}

fn report(report: &Report) -> String {
    let mut lines: Vec<String> = report.files.iter().map(Settled::line).collect();
    let counts: Vec<_> = report.counts.iter().map(|(state, count)| format!("{count} {}", state.words())).collect();
    lines.push(if counts.is_empty() { "No files.".to_owned() } else { counts.join(", ") });
    let Total { created, known, refused, cancelled } = report.total;
    let listed = report.files.len() as u64;
    if created + known + refused > listed {
        lines.push(format!(
            "In all {created} new, {known} known already, {refused} refused; the first {listed} are listed. \
             umem artifacts lists what is kept."
        ));
    }
    if cancelled {
        lines.push("Stopped. What came in is kept; the same command goes on with the rest.".to_owned());
    }
    list(lines)
}

/// `umem remember`
pub(crate) async fn remember(
    service: &mut Connection,
    asked: args::Remember,
    output: Output,
) -> Result<ExitCode, Failure> {
    if let Some(file) = &asked.file {
        return lines::remember(service, (file, &asked), output).await;
    }
    let request = MemoryRemember {
        text: words(asked.text.unwrap_or_default())?,
        space: asked.space,
        kind: asked.kind,
        title: asked.title,
        key: asked.key,
        owner: asked.owner,
        artifact_ref: asked.artifact_ref,
        session: asked.session,
        confidence_label: asked.confidence,
        record_kind: asked.record_kind,
        importance: asked.importance,
        metadata: work::metadata(asked.metadata)?.unwrap_or_default(),
        occurred_at: asked.occurred_at,
        expires_at: when::until(asked.expires.as_deref())?,
        derived_from: asked.derived_from,
    };
    Ok(output.answer(&service.run(request).await?, remembered))
}

/// `Remembered: memory 0190…`
pub(crate) fn remembered(kept: &Remembered) -> String {
    let what = if kept.created { "Remembered" } else { "Known already" };
    format!("{what}: memory {}", kept.memory.id)
}

/// Words as they were given; `-` reads them from standard input.
pub(crate) fn words(given: String) -> Result<String, Failure> {
    if given == "-" { standard_input() } else { Ok(given) }
}

fn standard_input() -> Result<String, Failure> {
    const MOST: usize = um_model::capture::MAX_MEMORY_BYTES;
    // One byte more tells whether it is too long; how much too long is not read.
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST as u64 + 1).read_to_end(&mut bytes).map_err(system)?;
    let by_file = "Save it as a file and bring that in: umem ingest PATH --space S";
    if bytes.len() > MOST {
        let message = format!("The text has more than {MOST} bytes, which is the most that a memory has.");
        return Err(ApiError::new(ErrorCode::TextTooLong, message).hint(by_file).into());
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, "Standard input is not UTF-8 text.").hint(by_file))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_line() {
        for (done, total, words) in
            [(1, None, "1 file: /a/b.txt"), (3, None, "3 files: /a/b.txt"), (3, Some(7), "3 of 7 files: /a/b.txt")]
        {
            assert_eq!(taken(&Heard { done, total, note: "/a/b.txt".into() }), words);
        }
    }
}
