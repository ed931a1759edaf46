//! `space`, `recall`, `get`, `artifacts`: what is there.

use crate::args;
use crate::failure::Failure;
use crate::print::{Output, bytes, table};
use std::process::ExitCode;
use um_model::capture::{ArtifactsList, ArtifactsListed, MemoryGet};
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::spaces::{SpaceCreate, SpaceSummary, SpacesList, SpacesListed};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text;

/// A failure because of a space that does not exist, or a name that fits several, is wrong usage, and the
/// person wants to see what there is.
pub(crate) async fn explain(service: &mut Connection, failure: Failure, space: Option<&str>) -> Failure {
    let Some(space) = space else { return failure };
    if !matches!(failure.error.code, ErrorCode::NotFound | ErrorCode::Ambiguous) {
        return failure;
    }
    let Ok(SpacesListed { spaces }) = service.run(SpacesList {}).await else { return failure };
    let named: Vec<&SpaceSummary> = spaces.iter().filter(|known| is_named(known, space)).collect();
    let (message, candidates) = match named.len() {
        0 => (format!("There is no space \"{space}\"."), spaces.iter().collect()),
        1 => return failure,
        _ => (format!("The name \"{space}\" fits several spaces."), named),
    };
    let candidates: Vec<_> =
        candidates.iter().map(|known| format!("{} ({})", known.space.name, known.space.id)).collect();
    let code = if message.starts_with("There") { ErrorCode::NotFound } else { ErrorCode::Ambiguous };
    Failure::usage(ApiError::new(code, message).hint(format!("Use one of: {}.", candidates.join(", "))))
}

fn is_named(known: &SpaceSummary, name: &str) -> bool {
    known.space.id.as_str() == name || known.space.name.to_lowercase() == name.to_lowercase()
}

/// `umem space …`
pub(crate) async fn space(service: &mut Connection, asked: args::Space, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Space::Create { name, space_type, parent } => {
            let made = service.run(SpaceCreate { name, space_type, parent }).await?;
            Ok(output.answer(&made, |space| format!("Made {} ({}), id {}", space.name, space.space_type, space.id)))
        }
        args::Space::List => Ok(output.answer(&service.run(SpacesList {}).await?, spaces)),
    }
}

fn spaces(listed: &SpacesListed) -> String {
    let head = ["NAME", "TYPE", "FILES", "MEMORIES", "ID"].map(str::to_owned).to_vec();
    let row = |known: &SpaceSummary| {
        let space = &known.space;
        let counts = [known.artifacts, known.memories].map(|count| count.to_string());
        let [artifacts, memories] = counts;
        vec![space.name.clone(), space.space_type.to_string(), artifacts, memories, space.id.to_string()]
    };
    table(&std::iter::once(head).chain(listed.spaces.iter().map(row)).collect::<Vec<_>>())
}

/// `umem recall`
pub(crate) async fn recall(service: &mut Connection, asked: args::Recall, output: Output) -> Result<ExitCode, Failure> {
    let args::Recall { query, space, limit } = asked;
    let recalled = service.run(MemoryRecall { query, space, limit, ..MemoryRecall::default() }).await?;
    Ok(output.answer(&recalled, passages))
}

fn passages(recalled: &Recalled) -> String {
    let mut parts: Vec<String> = recalled.hits.iter().map(passage).collect();
    if recalled.hits.is_empty() {
        parts.push("Nothing found.".to_owned());
    }
    if recalled.abstained {
        let reason = recalled.reason.as_deref().unwrap_or("nothing fits well enough");
        parts.push(format!("This may not be an answer: {reason}"));
    }
    parts.extend(recalled.notices.iter().map(|notice| format!("Note: {notice}")));
    parts.join("\n\n")
}

fn passage(hit: &Hit) -> String {
    let place = text::place(hit).join(", ");
    let ids: Vec<_> = text::ids(hit).into_iter().map(|(name, id)| format!("{name} {id}")).collect();
    let quote = hit.quote.lines().map(|line| format!("   | {line}")).collect::<Vec<_>>().join("\n");
    let head = format!("{}. {}  {place}", hit.rank, hit.title);
    format!("{}\n{quote}\n   {}, score {:.4}\n   {}", head.trim_end(), hit.space_name, hit.score, ids.join(", "))
}

/// `umem get`
pub(crate) async fn get(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    let got = service.run(MemoryGet { id }).await?;
    Ok(output.answer(&got, |got| serde_json::to_string_pretty(got).unwrap_or_default()))
}

/// `umem artifacts`
pub(crate) async fn artifacts(
    service: &mut Connection,
    asked: args::Artifacts,
    output: Output,
) -> Result<ExitCode, Failure> {
    let args::Artifacts { space, limit, offset } = asked;
    let listed = service.run(ArtifactsList { space, limit, offset, ..ArtifactsList::default() }).await?;
    Ok(output.answer(&listed, files))
}

fn files(listed: &ArtifactsListed) -> String {
    let head = ["NAME", "TYPE", "SIZE", "READING", "ID"].map(str::to_owned).to_vec();
    let rows = listed.artifacts.iter().map(|summary| {
        let file = &summary.artifact;
        let reading = summary.reading.as_ref().map(|job| job.status.to_string());
        let state = summary.note.clone().or(reading).unwrap_or_default();
        vec![file.filename.clone(), file.modality.to_string(), bytes(file.byte_size), state, file.id.to_string()]
    });
    let table = table(&std::iter::once(head).chain(rows).collect::<Vec<_>>());
    format!("{table}\n{} of {}", listed.artifacts.len(), listed.total)
}
