//! Findings as they are shown: with their words, which are read from the source now, and the place these stand at.

use super::{memory_of, words_in};
use crate::belief::Sources;
use crate::error::{Fault, Outcome};
use crate::recall::cite;
use crate::{Caller, Engine};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use um_model::citation::{Citation, CitationState};
use um_model::findings::{Finding, FindingStatus, FindingsList, FindingsListed, KindCount, Region};
use um_model::span::utf16_len;
use um_model::{ArtifactId, FindingId, MemoryStatus, Modality, Utf16Span};
use um_store::findings::{self, Found, Spot, Wanted};
use um_store::parts::{self, Text};
use um_store::{Connection, units};

/// So many code units before and after a finding are shown with it.
const AROUND: u32 = 80;
/// The most of a finding's words that is shown, in code units.
const MOST: u32 = 1_000;

/// Lists findings.
pub(crate) fn findings_list(engine: &Engine, caller: &Caller, request: FindingsList) -> Outcome<FindingsListed> {
    let limit = request.limit.unwrap_or(100).min(1000);
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let memory = memory_of(c, caller, request.artifact.as_ref(), request.memory.as_ref())?;
        let statuses =
            if request.statuses.is_empty() { vec![FindingStatus::Pending] } else { request.statuses.clone() };
        let wanted = Wanted {
            spaces: spaces.into_iter().map(|space| space.id).collect(),
            statuses,
            kinds: request.kinds.clone(),
            memory: memory.map(|memory| memory.id),
            names_only: None,
        };
        let counts = findings::counts(c, &wanted)?;
        let asked_for = |kind| wanted.kinds.is_empty() || wanted.kinds.contains(kind);
        Ok(FindingsListed {
            findings: shown(c, findings::list(c, &wanted, request.offset, limit)?)?,
            total: counts.iter().filter(|(kind, _)| asked_for(kind)).map(|(_, count)| count).sum(),
            kinds: counts.into_iter().map(|(kind, count)| KindCount { kind, count }).collect(),
        })
    })
}

/// Words of a text among those around them: where these begin, and what they are.
type Around = Option<(Utf16Span, String)>;

/// Findings with their words and places. Each text is gone through a few times, whatever the number of findings in it.
pub(super) fn shown(c: &Connection, found: Vec<Found>) -> Result<Vec<Finding>, Fault> {
    let mut by_text: BTreeMap<&Text, Vec<(&FindingId, Utf16Span)>> = BTreeMap::new();
    for one in found.iter().filter(|one| is_readable(one)) {
        if let Spot::Words(text, span) = &one.spot {
            by_text.entry(text).or_default().push((&one.id, *span));
        }
    }
    let mut around: HashMap<FindingId, Around> = HashMap::new();
    for (text, places) in by_text {
        let spans: Vec<Utf16Span> = places.iter().map(|(_, span)| *span).collect();
        let words = parts::around_each(c, text, &spans, AROUND)?;
        around.extend(places.into_iter().map(|(id, _)| id.clone()).zip(words));
    }
    let mut sources = Sources::default();
    let with_lines = found.iter().filter(|one| around.contains_key(&one.id) && cite::has_lines(one.view_type));
    let spot = |one: &Found| match &one.spot {
        Spot::Words(text, span) => Some((text.clone(), *span)),
        Spot::Region(..) => None,
    };
    sources.look_up(c, with_lines.filter_map(spot))?;
    found.into_iter().map(|one| finding(c, one, &mut around, &mut sources)).collect()
}

/// Whether its words still stand where they were found.
fn is_readable(found: &Found) -> bool {
    !found.redacted && found.status != FindingStatus::Applied
}

fn finding(
    c: &Connection,
    found: Found,
    around: &mut HashMap<FindingId, Around>,
    sources: &mut Sources,
) -> Result<Finding, Fault> {
    let title = match (&found.title, &found.spot) {
        (Some(title), _) => title.clone(),
        (None, Spot::Words(text, _)) if is_readable(&found) => sources.head(c, text)?,
        (None, _) => String::new(),
    };
    let (mut value, mut citation, mut span, mut region) = (String::new(), None, None, None);
    match &found.spot {
        Spot::Words(text, at) => {
            span = Some(*at);
            if let Some((from, words)) = around.remove(&found.id).flatten() {
                let within = Utf16Span::new(at.start - from.start, at.end - from.start);
                value = shortened(within.slice(&words).unwrap_or_default());
                citation = Some(cited(c, &found, (text, *at), (from, words), &title, sources)?);
            }
        }
        Spot::Region(file, part) => {
            region = Some(*part);
            if is_readable(&found) {
                value = words_under(c, file, part)?;
            }
        }
    }
    Ok(Finding {
        id: found.id,
        kind: found.kind,
        status: found.status,
        detector: found.detector,
        detector_version: found.version,
        confidence: found.confidence,
        space_id: found.space,
        memory_id: found.memory,
        artifact_id: found.artifact,
        title,
        span,
        value,
        citation,
        region,
        decided_by: found.decided_by,
        decided_at: found.decided_at,
        created_at: found.created_at,
    })
}

/// The words around a finding, with the place of its own words.
fn cited(
    c: &Connection,
    found: &Found,
    (text, at): (&Text, Utf16Span),
    (span, quote): (Utf16Span, String),
    title: &str,
    sources: &mut Sources,
) -> Result<Citation, Fault> {
    Ok(Citation {
        span,
        span_hash: format!("{:x}", Sha256::digest(quote.as_bytes())),
        quote,
        state: match found.memory_status {
            MemoryStatus::Active => CitationState::Exact,
            MemoryStatus::Deleted => CitationState::Removed,
            _ => CitationState::Older,
        },
        memory_id: found.memory.clone(),
        view_id: match text {
            Text::View(id) => Some(id.clone()),
            Text::Memory(_) => None,
        },
        segment_id: None,
        artifact_id: found.artifact.clone(),
        space_id: found.space.clone(),
        place: sources.place(c, text, at, true)?,
        title: title.to_owned(),
        modality: found.modality.parse().unwrap_or(Modality::Other),
        view_type: found.view_type,
        quality: Some(found.quality).filter(|_| cite::is_recognised(found.view_type)),
        actor_name: found.actor_name.clone(),
        occurred_at: found.occurred_at,
        recorded_at: found.recorded_at,
    })
}

/// The words under a part of a file, one after the other.
fn words_under(c: &Connection, file: &ArtifactId, region: &Region) -> Result<String, Fault> {
    let mut words = String::new();
    for (view, span) in words_in(c, file, region)? {
        let text = units::source_text(c, view.as_str(), false)?;
        let Some(part) = span.slice(&text) else { continue };
        if !words.is_empty() {
            words.push(' ');
        }
        words += part;
        if utf16_len(&words) > MOST {
            break;
        }
    }
    Ok(shortened(&words))
}

/// No more than [`MOST`] code units.
fn shortened(words: &str) -> String {
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16() as u32;
        units <= MOST
    };
    words.chars().take_while(fits).collect()
}
