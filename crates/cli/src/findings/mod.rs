//! `findings`: personal and secret data, and what is decided about it.

pub(crate) mod args;

use crate::failure::{Exit, Failure, id};
use crate::forget::{confirmed, is_clean, searched};
use crate::print::{Output, say, table};
use args::{Mark, Which};
use std::process::ExitCode;
use um_model::findings::*;
use um_model::forget::{RedactionApplied, RedactionApply};
use um_model::{ApiError, ArtifactId, ErrorCode, FindingId, MemoryId, TimeSpan, Utf16Span, ViewId};
use um_server::client::Connection;
use um_server::text::{count, place_of};

/// So many ids are decided in one request.
const AT_ONCE: usize = 1_000;

fn artifact(text: Option<String>) -> Result<Option<ArtifactId>, Failure> {
    text.map(|text| id(text, ArtifactId::parse, "umem artifacts")).transpose()
}

fn memory(text: Option<String>) -> Result<Option<MemoryId>, Failure> {
    text.map(|text| id(text, MemoryId::parse, "umem recall")).transpose()
}

/// `umem findings …`
pub(crate) async fn findings(
    service: &mut Connection,
    asked: args::Findings,
    output: Output,
) -> Result<ExitCode, Failure> {
    match asked {
        args::Findings::List { space, status, kind, artifact: file, memory: of, limit, offset } => {
            let (artifact, memory) = (artifact(file)?, memory(of)?);
            let request = FindingsList { space, statuses: status, kinds: kind, artifact, memory, offset, limit };
            Ok(output.answer(&service.run(request).await?, listed))
        }
        args::Findings::Accept(which) => decide(service, FindingDecision::Accept, which, output).await,
        args::Findings::Dismiss(which) => decide(service, FindingDecision::Dismiss, which, output).await,
        args::Findings::Reopen(which) => decide(service, FindingDecision::Reopen, which, output).await,
        args::Findings::Apply { artifact: file, memory: of, yes } => {
            let (artifact, memory) = (artifact(file)?, memory(of)?);
            let statuses = vec![FindingStatus::Accepted];
            let list = FindingsList {
                statuses,
                artifact: artifact.clone(),
                memory: memory.clone(),
                ..FindingsList::default()
            };
            let accepted = service.run(list).await?;
            if !yes && accepted.total > 0 {
                say(&format!("This is blacked out, and the original destroyed:\n{}", listed(&accepted)));
                if !confirmed("redact")? {
                    say("Nothing was blacked out.");
                    return Ok(Exit::Refused.into());
                }
            }
            let applied = service.run(RedactionApply { artifact, memory }).await?;
            let clean = is_clean(&applied.proof);
            let exit = output.answer(&applied, blacked_out);
            Ok(if clean { exit } else { Exit::Failed.into() })
        }
        args::Findings::Add(mark) => {
            let marked = service.run(request(mark)?).await?;
            Ok(output.answer(&marked, |one| {
                format!("Marked: {}\nUndo: umem findings dismiss {}", line(one).join("  "), one.id)
            }))
        }
    }
}

fn blacked_out(applied: &RedactionApplied) -> String {
    let kept = match (applied.kept_as.as_deref(), &applied.artifact_id) {
        (Some("pages"), Some(id)) => format!("\nIts pages are kept without it: {id}"),
        (Some(kept), Some(id)) => format!("\nIts {kept} is kept without it: {id}"),
        _ => String::new(),
    };
    let facts = match applied.facts {
        0 => String::new(),
        facts => format!("\n{} went, as nothing else says so.", count(facts, "fact")),
    };
    let copies = match applied.copies {
        0 => String::new(),
        copies => format!("\nBlacked out in {} in other spaces, too.", count(copies, "copy")),
    };
    let searched = searched(&applied.proof);
    format!("{} blacked out.{kept}{facts}{copies}\n{searched}", count(applied.findings, "finding"))
}

/// Decides about some findings, or about all that fit, as many requests as that takes.
async fn decide(
    service: &mut Connection,
    decision: FindingDecision,
    which: Which,
    output: Output,
) -> Result<ExitCode, Failure> {
    let mut changed = Vec::new();
    if which.all {
        let all = AllFindings {
            kind: which.kind,
            space: which.space,
            artifact: artifact(which.artifact)?,
            memory: memory(which.memory)?,
            names_only: false,
        };
        loop {
            let request = FindingsDecide { decision, ids: Vec::new(), all: Some(all.clone()) };
            let decided = service.run(request).await?;
            let is_done = decided.left == 0 || decided.changed.is_empty();
            changed.extend(decided.changed);
            if is_done {
                break;
            }
        }
    } else {
        let ids: Vec<FindingId> = which
            .ids
            .into_iter()
            .map(|text| id(text, FindingId::parse, "umem findings list"))
            .collect::<Result<_, _>>()?;
        for ids in ids.chunks(AT_ONCE) {
            let request = FindingsDecide { decision, ids: ids.to_vec(), all: None };
            changed.extend(service.run(request).await?.changed);
        }
    }
    let words = match decision {
        FindingDecision::Accept => "accepted: to be blacked out",
        FindingDecision::Dismiss => "dismissed",
        FindingDecision::Reopen => "open again",
    };
    let decided = FindingsDecided { changed, left: 0 };
    Ok(output.answer(&decided, |done| format!("{} {words}", count(done.changed.len() as u64, "finding"))))
}

fn request(mark: Mark) -> Result<FindingAdd, Failure> {
    let too_large = |_| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, "No text is that long.").hint("See: umem get VIEW"))
    };
    let span = match mark.span {
        Some((from, to)) => {
            Some(Utf16Span::new(u32::try_from(from).map_err(too_large)?, u32::try_from(to).map_err(too_large)?))
        }
        None => None,
    };
    let time = mark.time.map(|(start_ms, end_ms)| Region::Time(TimeSpan { start_ms, end_ms }));
    let region = mark.region.map(|bbox| Region::Box { page: mark.page, bbox }).or(time);
    Ok(FindingAdd {
        kind: mark.kind,
        view: mark.view.map(|text| id(text, ViewId::parse, "umem get FILE")).transpose()?,
        memory: memory(mark.memory)?,
        span,
        artifact: artifact(mark.artifact)?,
        region,
    })
}

fn listed(listed: &FindingsListed) -> String {
    let head = ["KIND", "STATE", "WORDS", "WHERE", "ID"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(listed.findings.iter().map(line)).collect();
    let kinds: Vec<String> = listed.kinds.iter().map(|one| format!("{} {}", one.count, one.kind)).collect();
    let mut lines = vec![table(&rows), format!("{} of {}", listed.findings.len(), listed.total)];
    if !kinds.is_empty() {
        lines.push(kinds.join(", "));
    }
    lines.join("\n")
}

/// A finding as a row: no more of its words than a person needs to know it again.
fn line(finding: &Finding) -> Vec<String> {
    const MOST: usize = 40;
    let mut words: String = finding.value.chars().take(MOST).collect();
    if finding.value.chars().nth(MOST).is_some() {
        words.push('…');
    }
    let mut place = vec![finding.title.clone()];
    if let Some(citation) = &finding.citation {
        place.extend(place_of(&citation.place));
    }
    match finding.region {
        Some(Region::Box { page, .. }) => place.push(format!("page {page}")),
        Some(Region::Time(time)) => place.push(format!("{} to {} ms", time.start_ms, time.end_ms)),
        None => {}
    }
    let kind = finding.kind.as_str().replace('_', " ");
    vec![kind, finding.status.to_string(), words, place.join(", "), finding.id.to_string()]
}
