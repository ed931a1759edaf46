//! Quotes as evidence, for a claim and against it.

use super::confidence::{is_live, weight};
use super::record::Origin;
use super::settle::is_of_agent;
use crate::error::Fault;
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::{AgentId, ClaimId, EpochMs, EvidenceId, MemoryId, SegmentId, Utf16Span, ViewId};
use um_store::evidence::{self, Found, NewEvidence, Source};
use um_store::{Connection, derivations};

/// At most so many pieces of evidence that speak come to a claim within a day (spine 8.4); more are spare.
const DAILY_CAP: usize = 100;
const DAY_MS: i64 = 86_400_000;

/// What adding a quote came to.
pub(super) struct Added {
    /// The piece of evidence; none where the claim has it already.
    pub(super) piece: Option<EvidenceId>,
    /// Whether it speaks, and the claim had nothing from its source before.
    pub(super) new_source: bool,
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
    let known = known(tx, claim)?;
    let voice = Voice::of(tx, origin)?;
    let new_source = origin.decides.is_some() || voice.is_new_to(tx, claim, &known)?;
    let mut piece = piece(origin, claim, candidate, quote);
    piece.cluster.clone_from(&voice.sources[0]);
    if derivations::is_derived(tx, origin.memory)? {
        let says_so = |piece: &&Found| {
            voice.sources.contains(&piece.cluster) && !piece.derived && piece.polarity == origin.polarity
        };
        piece.derived_from = known.iter().filter(says_so).map(|piece| piece.id.clone()).collect();
    }
    let piece = evidence::insert(tx, &piece, now)?;
    let spare = if origin.decides.is_none() { spare_weakest(tx, claim, now)? } else { None };
    let speaks = piece.is_some() && piece != spare;
    Ok(Added { new_source: new_source && speaks, piece })
}

/// Of more pieces than may speak within a day the weakest says nothing: which it is does not depend on the order of their
/// coming. Gives it.
fn spare_weakest(tx: &Connection, claim: &ClaimId, now: EpochMs) -> Result<Option<EvidenceId>, Fault> {
    let of_day = evidence::recorded_since(tx, claim, now - DAY_MS)?;
    if of_day.len() <= DAILY_CAP {
        return Ok(None);
    }
    let found = known(tx, claim)?;
    let weakest = found.iter().filter(|piece| of_day.contains(&piece.id)).max_by(|a, b| strongest_first(a, b));
    let Some(weakest) = weakest else { return Ok(None) };
    evidence::set_spare(tx, &weakest.id)?;
    Ok(Some(weakest.id.clone()))
}

/// Lets the strongest spare pieces of a claim speak that are in use, as long as fewer speak than may within a day: they take
/// the place of what is gone.
pub(super) fn take_spares(tx: &Connection, claim: &ClaimId) -> Result<(), Fault> {
    let mut spares = evidence::spares_of(tx, claim)?;
    if spares.is_empty() {
        return Ok(());
    }
    let speaking = known(tx, claim)?.iter().filter(|piece| is_live(piece)).count();
    spares.retain(is_live);
    spares.sort_by(strongest_first);
    for spare in spares.iter().take(DAILY_CAP.saturating_sub(speaking)) {
        evidence::let_speak(tx, &spare.id)?;
    }
    Ok(())
}

fn strongest_first(a: &Found, b: &Found) -> std::cmp::Ordering {
    weight(b).total_cmp(&weight(a)).then_with(|| a.span_hash.cmp(&b.span_hash)).then_with(|| a.cluster.cmp(&b.cluster))
}

fn known(tx: &Connection, claim: &ClaimId) -> Result<Vec<Found>, Fault> {
    Ok(evidence::of_claims(tx, std::slice::from_ref(claim), super::settle::WEIGHED)?)
}

/// Who says something: an agent in its own words, or a source.
pub(super) struct Voice<'a> {
    author: &'a AgentId,
    memory: &'a MemoryId,
    /// Whether the words are no file's.
    written: bool,
    pub(super) of_agent: bool,
    sources: Vec<String>,
}

impl<'a> Voice<'a> {
    pub(super) fn of(tx: &Connection, origin: &'a Origin<'a>) -> Result<Self, Fault> {
        let is_owner = *origin.author == AgentId::owner();
        let in_file = origin.view.is_some() && (is_owner || evidence::is_in_file(tx, origin.memory)?);
        Ok(Self {
            author: origin.author,
            memory: origin.memory,
            written: origin.view.is_none(),
            of_agent: is_of_agent(origin.author, origin.method, in_file),
            sources: evidence::lineage(tx, origin.memory)?,
        })
    }

    /// Whose words a piece of evidence is.
    pub(super) fn of_piece(tx: &Connection, piece: &'a Found) -> Result<Self, Fault> {
        Ok(Self {
            author: &piece.actor,
            memory: &piece.memory,
            written: matches!(piece.source, Source::Memory(_)),
            of_agent: is_of_agent(&piece.actor, piece.method, piece.in_file),
            sources: evidence::lineage(tx, &piece.memory)?,
        })
    }

    /// Whether a piece of evidence is of its saying.
    pub(super) fn said(&self, piece: &Found) -> bool {
        let of_agent = || is_of_agent(&piece.actor, piece.method, piece.in_file);
        let same_voice = self.of_agent && piece.actor == *self.author && of_agent();
        // Two that state the same outright are two.
        let stated_by_another = piece.stated && piece.actor != *self.author;
        same_voice || (self.sources.contains(&piece.cluster) && !stated_by_another)
    }

    /// Whether it said such a piece before: what the person writes is said anew each time.
    pub(super) fn said_before(&self, piece: &Found) -> bool {
        let own_words = *self.author == AgentId::owner() && self.written;
        self.said(piece) && (!own_words || piece.memory == *self.memory)
    }

    /// Whether a claim, of which that is known, has nothing of its saying.
    fn is_new_to(&self, tx: &Connection, claim: &ClaimId, known: &[Found]) -> Result<bool, Fault> {
        let said = |piece: &Found| self.said(piece);
        Ok(!known.iter().any(said) && !evidence::spares_of(tx, claim)?.iter().any(said))
    }
}

/// Whether two pieces of evidence are of one voice: one agent's own, or of one source; what the person writes is said anew each
/// time.
pub(super) fn is_one_voice(a: &Found, b: &Found) -> bool {
    let of_agent = |piece: &Found| is_of_agent(&piece.actor, piece.method, piece.in_file);
    let written = |piece: &Found| piece.actor == AgentId::owner() && piece.artifact.is_none();
    if a.actor == b.actor && (of_agent(a) || written(a)) && (of_agent(b) || written(b)) {
        return of_agent(a) || a.memory == b.memory;
    }
    a.cluster == b.cluster && !(a.actor != b.actor && (a.stated || b.stated))
}

/// Whether a claim has nothing from the source of a text yet.
pub(super) fn is_new_source(tx: &Connection, origin: &Origin<'_>, claim: &ClaimId) -> Result<bool, Fault> {
    Ok(origin.decides.is_some() || Voice::of(tx, origin)?.is_new_to(tx, claim, &known(tx, claim)?)?)
}

/// What makes a piece of a claim's evidence this piece and no other. The same words may be held for it and against it,
/// and what a reader finds in them, the person may say as well, and an agent: each of these stands by itself.
fn source_hash(origin: &Origin<'_>, span_hash: &str) -> String {
    let source = origin.view.map_or(origin.memory.as_str(), ViewId::as_str);
    let polarity = origin.polarity;
    let mut words = format!("{source}\0{span_hash}\0{polarity}");
    if origin.method == ExtractionMethod::User {
        words += &format!("\0{}", origin.author);
    }
    words.extend(origin.decides.map(|decision| format!("\0{decision}")));
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
        confidence: candidate.confidence,
        method: origin.method,
        cluster: origin.memory.to_string(),
        observed_at: origin.observed_at,
        untold: origin.method == ExtractionMethod::User && origin.said_at.is_none(),
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
