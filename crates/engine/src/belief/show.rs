//! Claims as they are shown: with the quotes that carry them, the places these stand at, and open conflicts.

use super::confidence::{is_live, source_weight, weight};
use crate::error::Fault;
use crate::extract::line_range;
use crate::recall::cite;
use std::collections::HashMap;
use um_model::belief::EvidencePolarity;
use um_model::capture::Anchor;
use um_model::citation::{Citation, CitationState};
use um_model::claims::{Claim, Evidence};
use um_model::{ClaimId, Modality, Place, ViewId};
use um_store::evidence::{self, Found, Source};
use um_store::{Connection, conflicts, units, views};

/// A claim shows so many quotes; `claim_explain` gives the rest.
const QUOTES: usize = 3;
/// Of so many pieces of evidence the best are chosen.
const CONSIDERED: u32 = 30;

/// Texts and places of sources that were looked up, so that each is once.
#[derive(Default)]
pub(crate) struct Sources {
    texts: HashMap<String, String>,
    anchors: HashMap<ViewId, Vec<Anchor>>,
}

/// Fills in the citations and open conflicts of claims. A few queries, whatever the number of claims.
pub(crate) fn complete(c: &Connection, claims: &mut [Claim]) -> Result<(), Fault> {
    let ids: Vec<ClaimId> = claims.iter().map(|claim| claim.id.clone()).collect();
    let mut by_claim: HashMap<ClaimId, Vec<Found>> = HashMap::new();
    for found in evidence::of_claims(c, &ids, CONSIDERED)? {
        by_claim.entry(found.claim.clone()).or_default().push(found);
    }
    let mut open: HashMap<ClaimId, Vec<um_model::ConflictId>> = HashMap::new();
    for (claim, conflict) in conflicts::open_of(c, &ids)? {
        open.entry(claim).or_default().push(conflict);
    }
    let mut sources = Sources::default();
    for claim in claims {
        claim.conflicts = open.remove(&claim.id).unwrap_or_default();
        let mut found = by_claim.remove(&claim.id).unwrap_or_default();
        found.retain(|piece| piece.polarity == EvidencePolarity::Supporting);
        found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        found.truncate(QUOTES);
        claim.citations = found.iter().map(|piece| citation(c, piece, &mut sources)).collect::<Result<_, _>>()?;
    }
    Ok(())
}

/// A piece of evidence with its citation and weight.
pub(crate) fn shown(c: &Connection, found: &Found, sources: &mut Sources) -> Result<Evidence, Fault> {
    Ok(Evidence {
        id: found.id.clone(),
        citation: citation(c, found, sources)?,
        polarity: found.polarity,
        method: found.method,
        confidence: found.confidence,
        trust: found.trust,
        source_weight: source_weight(&found.source_type),
        quality: found.quality,
        weight: weight(found),
        cluster: found.cluster.clone(),
        live: is_live(found),
    })
}

fn state(found: &Found) -> CitationState {
    match (found.redacted, found.in_use, found.drift.as_str()) {
        (true, ..) => CitationState::Redacted,
        (_, false, _) => CitationState::Older,
        (_, _, "moved") => CitationState::Moved,
        (_, _, "missing") => CitationState::Changed,
        _ => CitationState::Exact,
    }
}

fn citation(c: &Connection, found: &Found, sources: &mut Sources) -> Result<Citation, Fault> {
    let (view, segment, key, is_memory) = match &found.source {
        Source::Memory(id) => (None, None, id.as_str(), true),
        Source::View(id, segment) => (Some(id.clone()), segment.clone(), id.as_str(), false),
    };
    if !sources.texts.contains_key(key) {
        sources.texts.insert(key.to_owned(), units::source_text(c, key, is_memory)?);
    }
    let text = &sources.texts[key];
    let mut place = match &view {
        Some(view) if !found.redacted => {
            if !sources.anchors.contains_key(view) {
                sources.anchors.insert(view.clone(), views::anchors(c, view)?);
            }
            cite::place(&sources.anchors[view], found.span)
        }
        _ => Place::default(),
    };
    if cite::has_lines(found.view_type)
        && let Some(bytes) = found.span.byte_range(text)
    {
        place.lines = Some(line_range(text, bytes));
    }
    Ok(Citation {
        quote: found.quote.clone(),
        span: found.span,
        span_hash: found.span_hash.clone(),
        state: state(found),
        memory_id: found.memory.clone(),
        view_id: view,
        segment_id: segment,
        artifact_id: found.artifact.clone(),
        space_id: found.space.clone(),
        place,
        title: found.title.clone().unwrap_or_else(|| cite::first_words(text)),
        modality: found.modality.parse().unwrap_or(Modality::Other),
        view_type: found.view_type,
        quality: Some(found.quality).filter(|_| cite::is_recognised(found.view_type)),
        actor_name: found.actor_name.clone(),
        occurred_at: found.occurred_at,
        recorded_at: found.recorded_at,
    })
}
