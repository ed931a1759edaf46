//! Quotes as evidence, for a claim and against it.

use super::confidence::is_live;
use super::record::Origin;
use crate::error::Fault;
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, EvidencePolarity};
use um_model::{ClaimId, EpochMs, SegmentId, SpaceId, Utf16Span, ViewId};
use um_store::evidence::{self, NewEvidence, Source};
use um_store::{Connection, claims};

/// At most so many pieces of evidence come to a claim within a day.
const DAILY_CAP: u32 = 50;
const DAY_MS: i64 = 86_400_000;

/// What adding a quote came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// The claim had nothing from its source before.
    NewSource,
    /// The claim had something from its source.
    SameSource,
    /// The claim has it already, or had too much today.
    Nothing,
}

/// Adds the quote to the claim.
pub(super) fn add_evidence(
    tx: &Connection,
    origin: &Origin<'_>,
    claim: &ClaimId,
    candidate: &ClaimCandidate,
    quote: &str,
    now: EpochMs,
) -> Result<Added, Fault> {
    let known = evidence::of_claims(tx, std::slice::from_ref(claim), super::settle::WEIGHED)?;
    // What nothing in use says yet is never too much.
    let is_said = known.iter().any(|piece| piece.polarity == origin.polarity && is_live(piece));
    if is_said && evidence::recorded_since(tx, claim, now - DAY_MS)? >= DAILY_CAP {
        return Ok(Added::Nothing);
    }
    let new_source = !known.iter().any(|piece| piece.cluster == origin.cluster);
    let piece = piece(origin, claim, candidate, quote);
    Ok(match evidence::insert(tx, &piece, now)? {
        Some(_) if new_source => Added::NewSource,
        Some(_) => Added::SameSource,
        None => Added::Nothing,
    })
}

/// What speaks for a claim speaks against the one that says the opposite at the same time: each gets the other's
/// quotes, whichever came first. Gives the opposite claim, where there is one.
pub(super) fn oppose(
    tx: &Connection,
    space: &SpaceId,
    claim: &ClaimId,
    opposite: &str,
    now: EpochMs,
) -> Result<Option<ClaimId>, Fault> {
    let (Some(claim), Some(opposite)) = (claims::by_id(tx, claim)?, claims::by_key(tx, space, opposite)?) else {
        return Ok(None);
    };
    if !super::conflict::overlap(&claim, &opposite) {
        return Ok(None);
    }
    for (from, to) in [(&claim.id, &opposite.id), (&opposite.id, &claim.id)] {
        let pieces = evidence::of_claims(tx, std::slice::from_ref(from), super::settle::WEIGHED)?;
        for piece in pieces.iter().filter(|piece| piece.polarity == EvidencePolarity::Supporting && !piece.redacted) {
            evidence::insert(tx, &against(piece, to), now)?;
        }
    }
    Ok(Some(opposite.id))
}

/// A piece of evidence for one claim, as evidence against another.
fn against(piece: &evidence::Found, claim: &ClaimId) -> NewEvidence {
    let source = match &piece.source {
        Source::Memory(id) => id.as_str(),
        Source::View(id, _) => id.as_str(),
    };
    NewEvidence {
        claim: claim.clone(),
        space: piece.space.clone(),
        source: piece.source.clone(),
        quote: piece.quote.clone(),
        span: piece.span,
        source_hash: source_hash(claim, source, &piece.span_hash, EvidencePolarity::Contradicting),
        span_hash: piece.span_hash.clone(),
        polarity: EvidencePolarity::Contradicting,
        confidence: piece.confidence,
        method: piece.method,
        cluster: piece.cluster.clone(),
        observed_at: piece.observed_at,
        actor: piece.actor.clone(),
        derived_from: Vec::new(),
    }
}

/// What makes a piece of evidence this piece and no other. The same words may be held for a claim and against it.
fn source_hash(claim: &ClaimId, source: &str, span_hash: &str, polarity: EvidencePolarity) -> String {
    format!("{:x}", Sha256::digest(format!("{claim}\0{source}\0{span_hash}\0{polarity}")))
}

fn piece(origin: &Origin<'_>, claim: &ClaimId, candidate: &ClaimCandidate, quote: &str) -> NewEvidence {
    let source = match origin.view {
        Some(view) => Source::View(view.clone(), segment_of(origin.segments, candidate.quote)),
        None => Source::Memory(origin.memory.clone()),
    };
    let span_hash = format!("{:x}", Sha256::digest(quote.as_bytes()));
    let source_id = origin.view.map_or(origin.memory.as_str(), ViewId::as_str);
    NewEvidence {
        claim: claim.clone(),
        space: origin.space.clone(),
        source,
        quote: quote.to_owned(),
        span: candidate.quote,
        source_hash: source_hash(claim, source_id, &span_hash, origin.polarity),
        span_hash,
        polarity: origin.polarity,
        confidence: candidate.confidence,
        method: origin.method,
        cluster: origin.cluster.to_owned(),
        observed_at: origin.observed_at,
        actor: origin.author.clone(),
        derived_from: Vec::new(),
    }
}

/// The smallest segment that covers the quote, else the first that it touches.
fn segment_of(segments: &[(Utf16Span, SegmentId)], quote: Utf16Span) -> Option<SegmentId> {
    let covers = |span: &Utf16Span| span.start <= quote.start && quote.end <= span.end;
    segments
        .iter()
        .filter(|(span, _)| covers(span))
        .min_by_key(|(span, _)| span.len())
        .or_else(|| segments.iter().find(|(span, _)| span.overlaps(quote)))
        .map(|(_, id)| id.clone())
}
