//! Extraction: bringing the claims in line with a memory (spine 6.2). Its texts are read for claims, and every
//! claim that rests on it is settled anew; done twice, it changes nothing.

use super::full_names::FullNames;
use super::ledger::told;
use super::quotes::Voice;
use super::record::{Kept, Origin, Refused, record};
use super::settle::{Why, settle_all};
use super::speaker::{self, Spoken};
use crate::Engine;
use crate::error::{Fault, Outcome, from_provider};
use crate::language::{ClaimExtractor, Passage};
use crate::provider::{Cancel, ProviderResult};
use um_model::belief::{ClaimCandidate, EvidencePolarity, ExtractionMethod};
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::{AgentId, ClaimId, EpochMs, MemoryId, MemoryStatus, SegmentId, SpaceId, Utf16Span, ViewId, ViewType};
use um_store::claims::Cause;
use um_store::{Connection, events, evidence, memories, spaces, units, views};

/// So many candidates are kept in one transaction, so that a long text does not keep others waiting.
pub(super) const BATCH: usize = 50;

/// The default extractor: the local rules.
pub(crate) struct Rules;

impl ClaimExtractor for Rules {
    fn extractor_id(&self) -> String {
        format!("rules-{}", um_rules::VERSION)
    }

    fn method(&self) -> ExtractionMethod {
        ExtractionMethod::Rule
    }

    fn extract(&self, passage: &Passage<'_>, cancel: &Cancel) -> ProviderResult<Vec<ClaimCandidate>> {
        cancel.check()?;
        let Passage { title, occurred_at, written_by, .. } = *passage;
        let context = um_rules::Context { occurred_at, written_by, speaker: None, title };
        Ok(um_rules::claims(passage.text, &context))
    }
}

/// A text that claims are looked for in.
pub(super) struct Source {
    pub(super) view: Option<ViewId>,
    pub(super) text: String,
    segments: Vec<(Utf16Span, SegmentId)>,
    /// When it was said, where anything tells: the last change of a file does not.
    said_at: Option<EpochMs>,
}

impl Source {
    /// The text with what is known of it beside its words.
    pub(super) fn passage<'a>(&'a self, memory: &'a Memory) -> Passage<'a> {
        let written_by = memory.occurred_at.filter(|_| self.said_at.is_none());
        Passage { text: &self.text, title: memory.title.as_deref(), occurred_at: self.said_at, written_by }
    }
}

/// Brings the claims in line with a memory. `ask` where the language model is to hear of it too, if one is on: what is
/// only read again by newer rules was not given for that.
/// `told` hears how many claims the rules found.
pub(crate) fn extract_memory(
    engine: &Engine,
    id: &MemoryId,
    ask: bool,
    told: &dyn Fn(usize),
    cancel: &Cancel,
) -> Outcome<()> {
    let Some(memory) = engine.read(|c| Ok(memories::by_id(c, id)?))? else { return Ok(()) };
    let (carries, is_fact) = engine.read(|c| Ok((memories::carries_claims(c, id)?, is_fact(c, &memory)?)))?;
    let sources = sources(engine, &memory)?;
    if carries && !is_fact {
        told(super::again::read(engine, &memory, &sources, &Rules, cancel)?);
        super::held::take_up(engine, &memory, &sources)?;
        super::mentions::link_named(engine, &memory, &sources)?;
    }
    // What is out of use by now is told apart as well: it may be asked for as of another day.
    if memory.status != MemoryStatus::Deleted {
        let texts = sources.iter().map(|source| source.text.clone()).collect();
        crate::ingest::classify_texts(engine, &memory, texts)?;
    }
    if carries && !is_fact && ask {
        super::llm::queue(engine, &memory, &sources)?;
    }
    // The text may have told that two are one.
    super::turns::settle_marked(engine, &|| true)?;
    settle_memory(engine, id)?;
    if carries {
        let (id, by) = (id.clone(), Rules.extractor_id());
        engine.write(move |tx| Ok(memories::set_extractor(tx, &id, &by)?))?;
    }
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
    engine.read(|c| sources_in(c, memory))
}

fn sources_in(c: &Connection, memory: &Memory) -> Result<Vec<Source>, Fault> {
    let said_at = memories::said_at(c, &memory.id)?;
    let source = |(view, text): (Option<ViewId>, String)| {
        let segments = view.as_ref().map_or(Ok(Vec::new()), |view| units::segments(c, view))?;
        Ok(Source { view, text, segments, said_at })
    };
    texts_in(c, memory)?.into_iter().map(source).collect()
}

/// The texts of a memory, each with its view where it was read from a file.
fn texts_in(c: &Connection, memory: &Memory) -> Result<Vec<(Option<ViewId>, String)>, Fault> {
    let mut texts: Vec<_> = memory.content.iter().map(|text| (None, text.clone())).collect();
    if let Some(artifact) = &memory.artifact_id {
        for view in views::of_artifact(c, artifact)?.into_iter().filter(|v| v.view_type != ViewType::Metadata) {
            let text = units::source_text(c, view.id.as_str(), false)?;
            texts.push((Some(view.id), text));
        }
    }
    Ok(texts)
}

/// The texts of a memory as they stand; none where it was removed.
pub(crate) fn texts(c: &Connection, id: &MemoryId) -> Result<Option<Vec<String>>, Fault> {
    let memory = memories::by_id(c, id)?.filter(|memory| memory.status != MemoryStatus::Deleted);
    let texts = |memory: Memory| Ok(texts_in(c, &memory)?.into_iter().map(|(_, text)| text).collect());
    memory.map(texts).transpose()
}

/// A text of a memory that is being read, with the full names that it gives.
pub(super) struct Reading<'a> {
    engine: &'a Engine,
    memory: &'a Memory,
    source: &'a Source,
    method: ExtractionMethod,
    names: FullNames,
}

impl<'a> Reading<'a> {
    /// Begins to read a text; what is found is marked as found by that method.
    pub(super) fn new(engine: &'a Engine, memory: &'a Memory, source: &'a Source, method: ExtractionMethod) -> Self {
        Self { engine, memory, source, method, names: FullNames::in_text(&source.text) }
    }

    /// Keeps candidates, in batches. Gives what became of each, in their order; of none where the memory carries claims
    /// no more.
    pub(super) fn keep(&mut self, candidates: &[ClaimCandidate]) -> Outcome<Vec<Result<Kept, Refused>>> {
        self.names.note(candidates);
        let mut all = Vec::with_capacity(candidates.len());
        for batch in candidates.chunks(BATCH) {
            all.append(&mut self.keep_batch(batch.to_vec())?);
        }
        Ok(all)
    }

    fn keep_batch(&self, batch: Vec<ClaimCandidate>) -> Outcome<Vec<Result<Kept, Refused>>> {
        let (memory, method, now) = (self.memory.clone(), self.method, self.engine.now());
        let (view, text) = (self.source.view.clone(), self.source.text.clone());
        let segments = self.source.segments.clone();
        let (names, said_at) = (self.names.clone(), self.source.said_at);
        self.engine.write(move |tx| {
            // It may have been removed or superseded since it was read.
            if !memories::carries_claims(tx, &memory.id)? {
                return Ok(Vec::new());
            }
            let origin = Origin {
                space: &memory.space_id,
                memory: &memory.id,
                view: view.as_ref(),
                segments: &segments,
                text: &text,
                observed_at: memory.occurred_at.unwrap_or(memory.created_at),
                said_at,
                author: &memory.actor_id,
                method,
                polarity: EvidencePolarity::Supporting,
                decides: None,
            };
            let of_agent = Voice::of(tx, &origin)?.of_agent;
            let spoken = Spoken { text: &text, owner: memory.owner.as_deref(), of_agent };
            let batch: Vec<ClaimCandidate> = batch
                .into_iter()
                .map(|candidate| speaker::settled(tx, &memory.space_id, spoken, candidate))
                .collect::<Result<_, _>>()?;
            let object = ("memories", memory.id.as_str());
            told(tx, "beliefs.read", object, &memory.space_id, now, || record(tx, &origin, &batch, &names, now))
        })
    }
}

/// The claims that an extractor finds in a text.
pub(super) fn propose(
    extractor: &dyn ClaimExtractor,
    memory: &Memory,
    source: &Source,
    cancel: &Cancel,
) -> Outcome<Vec<ClaimCandidate>> {
    extractor.extract(&source.passage(memory), cancel).map_err(|error| from_provider(&error))
}

/// Settles every claim that rests on a memory.
pub(super) fn settle_memory(engine: &Engine, id: &MemoryId) -> Outcome<()> {
    // What was read may have joined two entities.
    super::turns::settle_marked(engine, &|| true)?;
    let claims: Vec<ClaimId> = engine.read(|c| Ok(evidence::claims_of_memory(c, id)?))?;
    let space = engine.read(|c| Ok(spaces::of_thing(c, id.as_str())?))?.unwrap_or_else(SpaceId::global);
    let now: EpochMs = engine.now();
    for batch in claims.chunks(BATCH) {
        let (batch, id, space) = (batch.to_vec(), id.clone(), space.clone());
        engine.write(move |tx| {
            let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
            told(tx, "beliefs.settled", ("memories", id.as_str()), &space, now, || settle_all(tx, batch, &why))
        })?;
    }
    Ok(())
}
