//! Quotes as evidence, for a claim and against it.

use super::confidence::is_live;
use super::record::Origin;
use crate::error::Fault;
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::{AgentId, ClaimId, EpochMs, SegmentId, Utf16Span, ViewId};
use um_store::evidence::{self, Found, NewEvidence, Source};
use um_store::{Connection, derivations};

/// At most so many pieces of evidence that speak come to a claim within a day (spine 8.4); more are spare.
pub(super) const DAILY_CAP: u32 = 100;
const DAY_MS: i64 = 86_400_000;

/// What adding a quote came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// The claim had nothing from its source before.
    NewSource,
    /// The claim had something from its source.
    SameSource,
    /// The claim has it already, or had too much today, so that it is spare.
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
    let spare = is_said && evidence::recorded_since(tx, claim, now - DAY_MS)? >= DAILY_CAP;
    let sources = evidence::lineage(tx, origin.memory)?;
    let of_them = |piece: &&Found| sources.contains(&piece.cluster);
    let is_known = known.iter().any(|piece| of_them(&piece));
    let new_source = !is_known && !evidence::spares_of(tx, claim)?.iter().any(|piece| of_them(&piece));
    let mut piece = NewEvidence { spare, ..piece(origin, claim, candidate, quote) };
    piece.cluster.clone_from(&sources[0]);
    if derivations::is_derived(tx, origin.memory)? {
        let says_so = |piece: &&Found| !piece.derived && piece.polarity == origin.polarity;
        piece.derived_from = known.iter().filter(of_them).filter(says_so).map(|piece| piece.id.clone()).collect();
    }
    Ok(match evidence::insert(tx, &piece, now)? {
        _ if spare => Added::Nothing,
        Some(_) if new_source => Added::NewSource,
        Some(_) => Added::SameSource,
        None => Added::Nothing,
    })
}

/// What makes a piece of a claim's evidence this piece and no other. The same words may be held for it and against it,
/// and what an agent says of them, the person may say as well.
fn source_hash(origin: &Origin<'_>, span_hash: &str) -> String {
    let source = origin.view.map_or(origin.memory.as_str(), ViewId::as_str);
    let polarity = origin.polarity;
    let mut words = format!("{source}\0{span_hash}\0{polarity}");
    if origin.method == ExtractionMethod::User && *origin.author != AgentId::owner() {
        words += &format!("\0{}", origin.author);
    }
    format!("{:x}", Sha256::digest(words))
}

fn piece(origin: &Origin<'_>, claim: &ClaimId, candidate: &ClaimCandidate, quote: &str) -> NewEvidence {
    let source = match origin.view {
        Some(view) => Source::View(view.clone(), segment_of(origin.segments, candidate.quote)),
        None => Source::Memory(origin.memory.clone()),
    };
    let span_hash = format!("{:x}", Sha256::digest(quote.as_bytes()));
    NewEvidence {
        claim: claim.clone(),
        space: origin.space.clone(),
        source,
        quote: quote.to_owned(),
        span: candidate.quote,
        source_hash: source_hash(origin, &span_hash),
        span_hash,
        polarity: origin.polarity,
        spare: false,
        confidence: candidate.confidence,
        method: origin.method,
        cluster: origin.memory.to_string(),
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
