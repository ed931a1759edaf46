//! Extraction: bringing the claims in line with a memory (spine 6.2). Its texts are read for claims, and every
//! claim that rests on it is settled anew; done twice, it changes nothing.

use super::record::{Origin, record};
use super::resolve::FullNames;
use super::settle::{Why, settle_all};
use crate::Engine;
use crate::error::{Fault, Outcome, from_provider};
use crate::language::{ClaimExtractor, Passage};
use crate::provider::{Cancel, ProviderResult};
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, EvidencePolarity, ExtractionMethod};
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::{AgentId, ClaimId, EpochMs, MemoryId, SegmentId, Utf16Span, ViewId, ViewType};
use um_store::claims::Cause;
use um_store::{Connection, events, evidence, memories, units, views};

/// So many candidates are kept in one transaction, so that a long text does not keep others waiting.
const BATCH: usize = 50;

/// The default extractor: the local rules.
pub(crate) struct Rules;

impl ClaimExtractor for Rules {
    fn extractor_id(&self) -> String {
        "rules-en-1".to_owned()
    }

    fn method(&self) -> ExtractionMethod {
        ExtractionMethod::Rule
    }

    fn extract(&self, passage: &Passage<'_>, cancel: &Cancel) -> ProviderResult<Vec<ClaimCandidate>> {
        cancel.check()?;
        let context = um_rules::Context { occurred_at: passage.occurred_at, speaker: None, title: passage.title };
        Ok(um_rules::claims(passage.text, &context))
    }
}

/// Names the source that a memory's texts come from, so that its versions, its pages and its passages count as
/// one (ruling 27).
pub(crate) fn cluster(memory: &Memory) -> String {
    match (&memory.memory_key, &memory.artifact_id) {
        // A key may be a path or a person's words; what stands in evidence tells neither.
        (Some(key), _) => format!("{:x}", Sha256::digest(format!("{}\0{key}", memory.space_id)))[..32].to_owned(),
        (None, Some(artifact)) => artifact.to_string(),
        (None, None) => memory.id.to_string(),
    }
}

/// A text that claims are looked for in.
pub(super) struct Source {
    pub(super) view: Option<ViewId>,
    pub(super) text: String,
    segments: Vec<(Utf16Span, SegmentId)>,
}

/// Brings the claims in line with a memory.
pub(crate) fn extract_memory(engine: &Engine, id: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let Some(memory) = engine.read(|c| Ok(memories::by_id(c, id)?))? else { return Ok(()) };
    if engine.read(|c| Ok(memories::carries_claims(c, id)? && !is_fact(c, &memory)?))? {
        let sources = sources(engine, &memory)?;
        for source in &sources {
            let found = propose(&Rules, &memory, source, cancel).map_err(|e| from_provider(&e))?;
            keep(engine, &memory, source, found, Rules.method())?;
        }
        super::llm::queue(engine, &memory, &sources)?;
    }
    settle_memory(engine, id)?;
    super::contradict::judge(engine, id, cancel)?;
    engine.tell(Event::Beliefs);
    Ok(())
}

/// Whether a memory is nothing but a fact in words: whoever stated it said what it claims.
fn is_fact(c: &Connection, memory: &Memory) -> Result<bool, Fault> {
    let Some(text) = &memory.content else { return Ok(false) };
    Ok(events::is_stated(c, &memory.space_id, text, memory.created_at)?)
}

/// The texts of a memory: its own words, and what was read from its file.
pub(super) fn sources(engine: &Engine, memory: &Memory) -> Outcome<Vec<Source>> {
    engine.read(|c| {
        let mut sources = Vec::new();
        if let Some(text) = &memory.content {
            sources.push(Source { view: None, text: text.clone(), segments: Vec::new() });
        }
        if let Some(artifact) = &memory.artifact_id {
            for view in views::of_artifact(c, artifact)?.into_iter().filter(|v| v.view_type != ViewType::Metadata) {
                let text = units::source_text(c, view.id.as_str(), false)?;
                let segments = units::segments(c, &view.id)?;
                sources.push(Source { view: Some(view.id), text, segments });
            }
        }
        Ok(sources)
    })
}

pub(super) fn propose(
    extractor: &dyn ClaimExtractor,
    memory: &Memory,
    source: &Source,
    cancel: &Cancel,
) -> ProviderResult<Vec<ClaimCandidate>> {
    let said_at = memory.occurred_at.or_else(|| memory.artifact_id.is_none().then_some(memory.created_at));
    let passage = Passage { text: &source.text, title: memory.title.as_deref(), occurred_at: said_at };
    extractor.extract(&passage, cancel)
}

pub(super) fn keep(
    engine: &Engine,
    memory: &Memory,
    source: &Source,
    candidates: Vec<ClaimCandidate>,
    method: ExtractionMethod,
) -> Outcome<()> {
    let now = engine.now();
    let mut names = FullNames::default();
    for batch in candidates.chunks(BATCH) {
        let mut known = std::mem::take(&mut names);
        let (memory, batch) = (memory.clone(), batch.to_vec());
        let (view, text, segments) = (source.view.clone(), source.text.clone(), source.segments.clone());
        let refused;
        (refused, names) = engine.write(move |tx| {
            // It may have been removed or superseded since it was read.
            if !memories::carries_claims(tx, &memory.id)? {
                return Ok((0, known));
            }
            let cluster = cluster(&memory);
            let origin = Origin {
                space: &memory.space_id,
                memory: &memory.id,
                view: view.as_ref(),
                segments: &segments,
                text: &text,
                cluster: &cluster,
                observed_at: memory.occurred_at.unwrap_or(memory.created_at),
                author: &memory.actor_id,
                method,
                polarity: EvidencePolarity::Supporting,
            };
            let kept = record(tx, &origin, &batch, &mut known, now)?;
            Ok((kept.iter().filter(|kept| kept.is_err()).count(), known))
        })?;
        if refused > 0 {
            tracing::debug!(refused, "candidates were not kept");
        }
    }
    Ok(())
}

/// Settles every claim that rests on a memory.
pub(super) fn settle_memory(engine: &Engine, id: &MemoryId) -> Outcome<()> {
    let claims: Vec<ClaimId> = engine.read(|c| Ok(evidence::claims_of_memory(c, id)?))?;
    let now: EpochMs = engine.now();
    for batch in claims.chunks(BATCH) {
        let batch = batch.to_vec();
        engine.write(move |tx| {
            let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
            settle_all(tx, batch, &why).map(drop)
        })?;
    }
    Ok(())
}
