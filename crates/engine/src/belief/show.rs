//! Claims as they are shown: with the quotes that carry them, the places these stand at, and open conflicts.

use super::confidence::{is_live, source_weight, weight};
use super::settle::WEIGHED;
use crate::error::Fault;
use crate::recall::cite;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use um_model::belief::EvidencePolarity;
use um_model::capture::Anchor;
use um_model::citation::{Citation, CitationState};
use um_model::claims::{Claim, EntityMention, Evidence};
use um_model::{ArtifactId, ClaimId, Modality, Place, Utf16Span, ViewId};
use um_store::entities::Mentioned;
use um_store::evidence::{self, Found, Source};
use um_store::filter::Then;
use um_store::parts::{self, Text};
use um_store::{Connection, claims, conflicts, views};

/// A claim shows so many quotes; `claim_explain` gives the rest.
const QUOTES: usize = 3;
/// Of so many pieces of evidence the best are chosen.
const CONSIDERED: u32 = 30;

/// A memory without a title is named by its first words: those of so many characters.
const HEAD: u32 = 2_000;
/// So many code units before and after a name are shown with it.
const AROUND: u32 = 120;

/// Places in sources that were looked up, so that each source is gone through once. Quotes are kept with the evidence: no
/// text is read for them.
#[derive(Default)]
pub(crate) struct Sources {
    lines: HashMap<(Text, Utf16Span), [u32; 2]>,
    anchors: HashMap<ViewId, Vec<Anchor>>,
    heads: HashMap<Text, String>,
}

impl Sources {
    /// Looks up the lines that some pieces of evidence stand on.
    pub(crate) fn of<'a>(c: &Connection, pieces: impl IntoIterator<Item = &'a Found>) -> Result<Self, Fault> {
        let mut sources = Self::default();
        let wanted = pieces.into_iter().filter(|piece| cite::has_lines(piece.view_type));
        sources.look_up(c, wanted.map(|piece| (text_of(piece), piece.span)))?;
        Ok(sources)
    }

    pub(crate) fn look_up(
        &mut self,
        c: &Connection,
        wanted: impl Iterator<Item = (Text, Utf16Span)>,
    ) -> Result<(), Fault> {
        let mut by_text: BTreeMap<Text, Vec<Utf16Span>> = BTreeMap::new();
        for (text, span) in wanted {
            by_text.entry(text).or_default().push(span);
        }
        for (text, spans) in by_text {
            let lines = parts::lines(c, &text, &spans)?;
            let found = spans.into_iter().zip(lines);
            self.lines.extend(found.filter_map(|(span, lines)| Some(((text.clone(), span), lines?))));
        }
        Ok(())
    }

    /// Where words of a text stand; `anchored` where the places of a view's words are wanted.
    pub(crate) fn place(
        &mut self,
        c: &Connection,
        text: &Text,
        span: Utf16Span,
        anchored: bool,
    ) -> Result<Place, Fault> {
        let mut place = match text {
            Text::View(view) if anchored => {
                if !self.anchors.contains_key(view) {
                    self.anchors.insert(view.clone(), views::anchors(c, view)?);
                }
                cite::place(&self.anchors[view], span)
            }
            _ => Place::default(),
        };
        place.lines = self.lines.get(&(text.clone(), span)).copied();
        Ok(place)
    }

    /// The first words of a text, for one that has no title.
    pub(crate) fn head(&mut self, c: &Connection, text: &Text) -> Result<String, Fault> {
        if !self.heads.contains_key(text) {
            self.heads.insert(text.clone(), cite::first_words(&parts::beginning(c, text, HEAD)?));
        }
        Ok(self.heads[text].clone())
    }
}

/// The text that a piece of evidence is from.
fn text_of(found: &Found) -> Text {
    match &found.source {
        Source::Memory(id) => Text::Memory(id.clone()),
        Source::View(id, _) => Text::View(id.clone()),
    }
}

/// Fills in the citations and open conflicts of claims, and which of them a language model alone read. A few queries, whatever the
/// number of claims.
pub(crate) fn complete(c: &Connection, shown: &mut [Claim]) -> Result<(), Fault> {
    fill_in(c, shown, Then::default(), None)
}

/// As [`complete`], of claims as of another time: their state and their time then, and of their quotes those that had come in and whose
/// sources were in use. What nobody had claimed yet is left out. How sure they are is told of now. The quotes of one file come first,
/// where that is what was asked for.
pub(crate) fn complete_then(
    c: &Connection,
    shown: &mut Vec<Claim>,
    then: Then,
    file: Option<&ArtifactId>,
) -> Result<(), Fault> {
    claims::as_then(c, shown, then)?;
    fill_in(c, shown, then, file)?;
    if then.known_at.is_some() {
        // Which are open is told of now.
        shown.iter_mut().for_each(|claim| claim.conflicts.clear());
    }
    Ok(())
}

/// The evidence of claims of which the best is shown. As of a day it is what was in use then, where any of a claim was: a fact of long ago
/// may have been told later.
fn considered(c: &Connection, ids: &[ClaimId], then: Then) -> Result<Vec<Found>, Fault> {
    let mut found = match then.as_of {
        Some(_) => evidence::of_claims_then(c, ids, then, CONSIDERED)?,
        None => Vec::new(),
    };
    let speaks = |piece: &&Found| piece.polarity == EvidencePolarity::Supporting;
    let told: BTreeSet<&ClaimId> = found.iter().filter(speaks).map(|piece| &piece.claim).collect();
    let others: Vec<ClaimId> = ids.iter().filter(|id| !told.contains(id)).cloned().collect();
    // The newest pieces are not those that were known once.
    let most = if then.known_at.is_some() { WEIGHED } else { CONSIDERED };
    let of_others = evidence::of_claims(c, &others, most)?;
    found.extend(of_others.into_iter().filter(|piece| then.known_at.is_none_or(|at| piece.heard_at <= at)));
    Ok(found)
}

fn fill_in(c: &Connection, shown: &mut [Claim], then: Then, file: Option<&ArtifactId>) -> Result<(), Fault> {
    let ids: Vec<ClaimId> = shown.iter().map(|claim| claim.id.clone()).collect();
    let behind = claims::behind(c, &ids)?;
    let mut counts: HashMap<&ClaimId, u32> = HashMap::new();
    for (_, more, count) in &behind {
        *counts.entry(more).or_default() += count;
    }
    // What says less shows its words with what says more.
    let fronts: HashMap<&ClaimId, &ClaimId> = behind.iter().map(|(less, more, _)| (less, more)).collect();
    let all: BTreeSet<ClaimId> = ids.iter().chain(behind.iter().map(|(less, ..)| less)).cloned().collect();
    let mut by_claim: HashMap<ClaimId, Vec<Found>> = HashMap::new();
    for found in considered(c, &all.into_iter().collect::<Vec<_>>(), then)? {
        if let Some(more) = fronts.get(&found.claim) {
            by_claim.entry((*more).clone()).or_default().push(found.clone());
        }
        by_claim.entry(found.claim.clone()).or_default().push(found);
    }
    let mut open: HashMap<ClaimId, Vec<um_model::ConflictId>> = HashMap::new();
    for (claim, conflict) in conflicts::open_of(c, &ids)? {
        open.entry(claim).or_default().push(conflict);
    }
    for found in by_claim.values_mut() {
        found.retain(|piece| piece.polarity == EvidencePolarity::Supporting);
        let elsewhere = |piece: &Found| file.is_some_and(|file| piece.artifact.as_ref() != Some(file));
        found.sort_by(|a, b| elsewhere(a).cmp(&elsewhere(b)).then_with(|| weight(b).total_cmp(&weight(a))));
        // Words that several say so of are shown once.
        let mut shown = BTreeSet::new();
        found.retain(|piece| shown.insert((text_of(piece), piece.span)));
        found.truncate(QUOTES);
    }
    let mut sources = Sources::of(c, by_claim.values().flatten())?;
    let of_model = evidence::only_of_model(c, &ids, then.known_at)?;
    for claim in shown {
        claim.of_model = of_model.contains(&claim.id);
        claim.evidence_count += counts.get(&claim.id).copied().unwrap_or_default();
        claim.conflicts = open.remove(&claim.id).unwrap_or_default();
        let found = by_claim.remove(&claim.id).unwrap_or_default();
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
        actor_name: found.actor_name.clone(),
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
        (..) if found.removed => CitationState::Removed,
        (_, false, _) => CitationState::Older,
        (_, _, "moved") => CitationState::Moved,
        (_, _, "missing") => CitationState::Changed,
        _ => CitationState::Exact,
    }
}

fn citation(c: &Connection, found: &Found, sources: &mut Sources) -> Result<Citation, Fault> {
    let text = text_of(found);
    let (view, segment) = match &found.source {
        Source::Memory(_) => (None, None),
        Source::View(id, segment) => (Some(id.clone()), segment.clone()),
    };
    let place = sources.place(c, &text, found.span, !found.redacted)?;
    let title = match &found.title {
        Some(title) => title.clone(),
        None => sources.head(c, &text)?,
    };
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
        title,
        modality: found.modality.parse().unwrap_or(Modality::Other),
        view_type: found.view_type,
        quality: Some(found.quality).filter(|_| cite::is_recognised(found.view_type)),
        actor_name: found.author_name.clone(),
        occurred_at: found.occurred_at,
        recorded_at: found.recorded_at,
    })
}

/// Memories that name an entity, with the words around its name.
pub(crate) fn mentions(c: &Connection, found: Vec<Mentioned>) -> Result<Vec<EntityMention>, Fault> {
    let mut cited = Vec::with_capacity(found.len());
    for mentioned in found {
        let text = match &mentioned.view {
            Some(view) => Text::View(view.clone()),
            None => Text::Memory(mentioned.memory.clone()),
        };
        let Some(first) = mentioned.spans.iter().min().copied() else { continue };
        // What no longer fits its text names nobody.
        let Some((span, quote)) = parts::around(c, &text, first, AROUND)? else { continue };
        cited.push((mentioned, text, span, quote));
    }
    let mut sources = Sources::default();
    let with_lines = cited.iter().filter(|(mentioned, ..)| cite::has_lines(mentioned.view_type));
    sources.look_up(c, with_lines.map(|(_, text, span, _)| (text.clone(), *span)))?;
    cited.into_iter().map(|one| mention(c, one, &mut sources)).collect()
}

fn mention(
    c: &Connection,
    (found, text, span, quote): (Mentioned, Text, Utf16Span, String),
    sources: &mut Sources,
) -> Result<EntityMention, Fault> {
    let place = sources.place(c, &text, span, true)?;
    let title = match found.title {
        Some(title) => title,
        None => sources.head(c, &text)?,
    };
    let citation = Citation {
        span,
        span_hash: format!("{:x}", Sha256::digest(quote.as_bytes())),
        quote,
        state: CitationState::Exact,
        memory_id: found.memory,
        view_id: found.view,
        segment_id: None,
        artifact_id: found.artifact,
        space_id: found.space,
        place,
        title,
        modality: found.modality.parse().unwrap_or(Modality::Other),
        view_type: found.view_type,
        quality: Some(found.quality).filter(|_| cite::is_recognised(found.view_type)),
        actor_name: found.actor_name,
        occurred_at: found.occurred_at,
        recorded_at: found.recorded_at,
    };
    Ok(EntityMention { citation, match_type: found.match_type, spans: found.spans })
}
