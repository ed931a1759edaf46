//! What a person marks as personal: words, or a part of a page or recording.

use super::{memory_of, show, words};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::capture::Artifact;
use um_model::findings::{Finding, FindingAdd, FindingKind, FindingsMark, FindingsMarked, Region};
use um_model::health::Event;
use um_model::{Bbox, SpaceId, TimeSpan, Utf16Span};
use um_store::findings::{self, Spot};
use um_store::parts::Text;
use um_store::{Connection, artifacts, memories, units, views};

/// Marks something as personal.
pub(crate) fn finding_add(engine: &Engine, caller: &Caller, request: FindingAdd) -> Outcome<Finding> {
    let (caller, now) = (caller.clone(), engine.now());
    let finding = engine.write(move |tx| {
        let (space, spot) = spot(tx, &request)?;
        crate::spaces::resolve(tx, &caller, space.as_str())?;
        let kind = request.kind.unwrap_or(FindingKind::Other);
        let id = findings::mark(tx, &space, &spot, kind, &caller.actor, now)?;
        let payload = serde_json::json!({ "kind": kind });
        Engine::audit(tx, &caller, "finding.marked", ("redaction_findings", id.as_str()), &space, payload, now)?;
        let found = findings::by_id(tx, &id)?.ok_or_else(|| not_found("finding", id.as_str()))?;
        show::shown(tx, vec![found])?.pop().ok_or_else(|| not_found("finding", id.as_str()).into())
    })?;
    engine.tell(Event::Findings);
    Ok(finding)
}

/// The most places that are marked at once.
const MOST: usize = 1_000;

/// Marks every place that says some words.
pub(crate) fn findings_mark(engine: &Engine, caller: &Caller, request: FindingsMark) -> Outcome<FindingsMarked> {
    let (caller, now) = (caller.clone(), engine.now());
    let marked = engine.write(move |tx| {
        let memory = memory_of(tx, &caller, request.artifact.as_ref(), request.memory.as_ref())?
            .ok_or_else(|| invalid("Name the file or the memory in which the words are marked."))?;
        // An archived space is looked at, and not marked in.
        crate::spaces::of_item(tx, &caller, &memory.space_id, || not_found("memory", memory.id.as_str()))?;
        let mut texts = vec![(Text::Memory(memory.id.clone()), memory.content.clone().unwrap_or_default())];
        for view in
            memory.artifact_id.iter().map(|id| views::of_artifact(tx, id)).collect::<Result<Vec<_>, _>>()?.concat()
        {
            let words = units::source_text(tx, view.id.as_str(), false)?;
            texts.push((Text::View(view.id), words));
        }
        let spots = texts.into_iter().flat_map(|(text, said)| {
            words::places(&said, &request.words).into_iter().map(move |span| Spot::Words(text.clone(), span))
        });
        let (space, kind) = (&memory.space_id, request.kind.unwrap_or(FindingKind::Other));
        let marked = spots
            .take(MOST)
            .map(|spot| findings::mark(tx, space, &spot, kind, &caller.actor, now))
            .collect::<Result<Vec<_>, _>>()?;
        if marked.is_empty() {
            return Err(not_found("place with these words", &request.words).into());
        }
        let payload = serde_json::json!({ "kind": kind, "ids": marked });
        Engine::audit(tx, &caller, "findings.marked", ("memories", memory.id.as_str()), space, payload, now)?;
        Ok(FindingsMarked { marked })
    })?;
    engine.tell(Event::Findings);
    Ok(marked)
}

/// Where a person marked something, and in which space that is.
fn spot(c: &Connection, request: &FindingAdd) -> Result<(SpaceId, Spot), Fault> {
    match (&request.view, &request.memory, request.span, &request.artifact, request.region) {
        (Some(id), None, Some(span), None, None) => {
            let (view, text) = views::by_id(c, id)?.ok_or_else(|| not_found("text view", id.as_str()))?;
            Ok((view.space_id, said(Text::View(id.clone()), &text, span)?))
        }
        (None, Some(id), Some(span), None, None) => {
            let memory = memories::by_id(c, id)?.ok_or_else(|| not_found("memory", id.as_str()))?;
            let text = units::source_text(c, id.as_str(), true)?;
            Ok((memory.space_id, said(Text::Memory(id.clone()), &text, span)?))
        }
        (None, None, None, Some(id), Some(region)) => {
            let file = artifacts::by_id(c, id)?.ok_or_else(|| not_found("file", id.as_str()))?;
            let region = part_of(c, &file, region)?;
            Ok((file.space_id, Spot::Region(file.id, region)))
        }
        _ => Err(invalid("Say what is marked.")
            .hint("Give a text view or a memory with a span, or a file with a region.")
            .into()),
    }
}

fn said(text: Text, words: &str, span: Utf16Span) -> Outcome<Spot> {
    let marked = span.slice(words).filter(|marked| !marked.trim().is_empty());
    marked.ok_or_else(|| {
        invalid("There are no words at this span.").hint("A span counts UTF-16 code units from the start of the text.")
    })?;
    Ok(Spot::Words(text, span))
}

/// A region that lies in the file.
fn part_of(c: &Connection, file: &Artifact, region: Region) -> Result<Region, Fault> {
    match region {
        Region::Box { page, bbox } => {
            let sizes = match (file.width, file.height) {
                (Some(width), Some(height)) => vec![[f64::from(width), f64::from(height)]],
                _ => artifacts::page_sizes(c, &file.id)?,
            };
            let size = page.checked_sub(1).and_then(|at| sizes.get(at as usize).copied());
            let size = size.ok_or_else(|| {
                invalid(format!("The file has no page {page}."))
                    .hint("Pages count from 1. What has no pages is marked by its words.")
            })?;
            let bbox = within(bbox, size).ok_or_else(|| {
                invalid("The box does not lie on the page.")
                    .hint("A box is [x, y, width, height] in the page's measure.")
            })?;
            Ok(Region::Box { page, bbox })
        }
        Region::Time(TimeSpan { start_ms, end_ms }) => {
            let length = file.duration_ms.ok_or_else(|| invalid("The file is no recording."))?;
            let end_ms = end_ms.min(length);
            if start_ms >= end_ms {
                return Err(invalid("The time does not lie in the recording.").into());
            }
            Ok(Region::Time(TimeSpan { start_ms, end_ms }))
        }
    }
}

/// The part of a box that lies on a page of that size, in tenths.
fn within(bbox: Bbox, [width, height]: [f64; 2]) -> Option<Bbox> {
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let (left, top) = (tenth(bbox[0].max(0.0)), tenth(bbox[1].max(0.0)));
    let (right, bottom) = (tenth((bbox[0] + bbox[2]).min(width)), tenth((bbox[1] + bbox[3]).min(height)));
    let fits = bbox.iter().all(|value| value.is_finite()) && right > left && bottom > top;
    fits.then(|| [left, top, tenth(right - left), tenth(bottom - top)])
}
