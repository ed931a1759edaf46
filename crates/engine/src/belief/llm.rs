//! Claims and classifications by the language model that the person turned on. It proposes; what is kept must be
//! quoted from the text, letter by letter ([`candidate`]).

mod candidate;
mod find;
mod prompt;

use super::extract::{Source, keep, propose, settle_memory, sources};
use crate::Engine;
use crate::error::{Outcome, from_provider};
use crate::extract::{Text, UnitLimit, split_units};
use crate::language::{
    ClaimExtractor, Classification, Completion, LlmConfig, LlmError, MemoryClassifier, Passage, Prompt,
};
use crate::llm;
use crate::provider::{Cancel, ProviderResult};
use candidate::Dropped;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::llm::LlmUse;
use um_model::{ApiError, MemoryId, MemoryScope};
use um_store::memories;

/// A window is about so long, in tokens as [`crate::extract::estimate_tokens`] counts them: long enough for a page, so
/// short that small models keep all of it in mind.
const WINDOW: UnitLimit = UnitLimit { tokens: 2_000, target: 1_500, overlap: 0 };
/// A window whose answer was cut off is halved, down to so many tokens.
const SHORTEST: usize = 200;
/// What a text is about shows in so many of its first characters.
const HEAD: usize = 6_000;
/// The language model, for one of its uses.
pub(crate) struct Llm {
    engine: Engine,
    config: LlmConfig,
    max_chars: u64,
}

impl Llm {
    /// The language model, where it is on and used for this.
    ///
    /// # Errors
    /// `Io` where its key cannot be read.
    pub(crate) fn wanted_for(engine: &Engine, use_for: LlmUse) -> Outcome<Option<Self>> {
        let Some(settings) = llm::wanted_for(engine, use_for)? else { return Ok(None) };
        let config = llm::config(engine, &settings)?;
        Ok(Some(Self { engine: engine.clone(), config, max_chars: settings.max_memory_chars }))
    }

    fn id(&self) -> String {
        format!("llm-{}:{}", prompt::VERSION, self.config.model)
    }

    fn ask(&self, prompt: &Prompt, cancel: &Cancel) -> Result<Completion, LlmError> {
        llm::ask(&self.engine, &self.config, prompt, cancel)
    }
}

/// Queues the reading of a memory by the language model, where it is on. The same texts are read once by a model,
/// whatever else happens to the memory.
pub(super) fn queue(engine: &Engine, memory: &Memory, sources: &[Source]) -> Outcome<()> {
    let mut texts = Sha256::new();
    let mut wanted = false;
    for use_for in [LlmUse::Claims, LlmUse::Classification] {
        if let Some(llm) = Llm::wanted_for(engine, use_for)? {
            texts.update(format!("{use_for}\0{}\0", llm.id()));
            wanted = true;
        }
    }
    if !wanted {
        return Ok(());
    }
    for source in sources {
        texts.update(source.view.as_ref().map_or(memory.id.as_str(), |view| view.as_str()));
    }
    let (texts, now) = (format!("{:x}", texts.finalize()), engine.now());
    let (id, space) = (memory.id.clone(), memory.space_id.clone());
    engine.write(move |tx| crate::work::queue_asking(tx, &id, &space, &texts, now))?;
    engine.wake();
    Ok(())
}

/// Has the language model read a memory, for what it is on for.
pub(crate) fn read_memory(engine: &Engine, id: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let Some(memory) = engine.read(|c| Ok(memories::by_id(c, id)?))? else { return Ok(()) };
    if !engine.read(|c| Ok(memories::carries_claims(c, id)?))? {
        return Ok(());
    }
    let sources = sources(engine, &memory)?;
    if let Some(llm) = Llm::wanted_for(engine, LlmUse::Claims)? {
        llm.read_claims(&memory, &sources, cancel)?;
    }
    if let Some(llm) = Llm::wanted_for(engine, LlmUse::Classification)? {
        llm.read_subject(&memory, &sources, cancel)?;
    }
    Ok(())
}

impl Llm {
    /// Adds the claims that it finds. A memory is begun only where all of it may be read, so that nothing is paid for
    /// twice.
    fn read_claims(&self, memory: &Memory, sources: &[Source], cancel: &Cancel) -> Outcome<()> {
        let length = sources.iter().map(|source| source.text.chars().count()).sum::<usize>();
        if length as u64 > self.max_chars {
            return Err(failed(LlmError::TooLong { length, most: self.max_chars }));
        }
        llm::afford(&self.engine, sources.iter().map(|source| needed(&source.text)).sum()).map_err(failed)?;
        for source in sources {
            let found = propose(self, memory, source, cancel).map_err(|error| from_provider(&error))?;
            keep(&self.engine, memory, source, found, self.method())?;
        }
        settle_memory(&self.engine, &memory.id)?;
        super::contradict::judge(&self.engine, &memory.id, cancel)?;
        self.engine.tell(Event::Beliefs);
        Ok(())
    }

    /// Says what the memory is about.
    fn read_subject(&self, memory: &Memory, sources: &[Source], cancel: &Cancel) -> Outcome<()> {
        let Some(source) = sources.iter().find(|source| !source.text.trim().is_empty()) else { return Ok(()) };
        let found = self.classify(&source.text, cancel).map_err(|error| from_provider(&error))?;
        let (id, by) = (memory.id.clone(), self.classifier_id());
        self.engine.write(move |tx| Ok(memories::set_classification(tx, &id, found.scope, found.confidence, &by)?))?;
        self.engine.tell(Event::Library);
        Ok(())
    }
}

fn failed(error: LlmError) -> ApiError {
    from_provider(&error.into())
}

impl ClaimExtractor for Llm {
    fn extractor_id(&self) -> String {
        self.id()
    }

    fn method(&self) -> ExtractionMethod {
        ExtractionMethod::Llm
    }

    fn extract(&self, passage: &Passage<'_>, cancel: &Cancel) -> ProviderResult<Vec<ClaimCandidate>> {
        let (found, dropped) = claims(passage, &|prompt| self.ask(prompt, cancel))?;
        if dropped != Dropped::default() {
            tracing::info!(kept = found.len(), ?dropped, "proposals of the language model were dropped");
        }
        Ok(found)
    }
}

impl MemoryClassifier for Llm {
    fn classifier_id(&self) -> String {
        self.id()
    }

    fn classify(&self, text: &str, cancel: &Cancel) -> ProviderResult<Classification> {
        let head: String = text.chars().take(HEAD).collect();
        let completion = self.ask(&prompt::classify(&head), cancel)?;
        Ok(classification(completion).map_err(|_| LlmError::Unfit("it names no scope"))?)
    }
}

/// Tokens that reading a text takes, some.
fn needed(text: &str) -> u64 {
    let windows = split_units(&Text::plain(text.to_owned()), &WINDOW).into_iter();
    let prompts =
        windows.map(|unit| prompt::claims(&Passage { text: &text[unit.bytes], title: None, occurred_at: None }));
    prompts.map(|prompt| llm::needed(&prompt)).sum()
}

/// Asks the language model.
type Ask<'a> = &'a dyn Fn(&Prompt) -> Result<Completion, LlmError>;

/// The claims of a text, window by window, and what was dropped.
fn claims(passage: &Passage<'_>, ask: Ask<'_>) -> Result<(Vec<ClaimCandidate>, Dropped), LlmError> {
    let mut found = (Vec::new(), Dropped::default());
    windows(passage, 0, passage.text, WINDOW, ask, &mut found)?;
    Ok(found)
}

/// Reads a part of a text that begins at a byte of it.
fn windows(
    passage: &Passage<'_>,
    start: usize,
    part: &str,
    limit: UnitLimit,
    ask: Ask<'_>,
    found: &mut (Vec<ClaimCandidate>, Dropped),
) -> Result<(), LlmError> {
    for unit in split_units(&Text::plain(part.to_owned()), &limit) {
        let text = &part[unit.bytes.clone()];
        let offset = start + unit.bytes.start;
        let window = Passage { text, ..*passage };
        let shorter = UnitLimit { tokens: limit.tokens / 2, target: limit.target / 2, overlap: 0 };
        match ask(&prompt::claims(&window)) {
            // There is more to say of it than one answer holds.
            Err(LlmError::CutOff) if shorter.tokens >= SHORTEST => windows(passage, offset, text, shorter, ask, found)?,
            Err(error) => return Err(error),
            Ok(completion) => {
                let proposed = completion.answer["claims"].as_array().ok_or(LlmError::Unfit("it has no claims"))?;
                let (candidates, dropped) = candidate::candidates(proposed, &window, passage.text, offset);
                found.0.extend(candidates);
                found.1.add(dropped);
            }
        }
    }
    Ok(())
}

fn classification(completion: Completion) -> Result<Classification, serde_json::Error> {
    #[derive(Deserialize)]
    struct Answer {
        scope: MemoryScope,
        #[serde(default)]
        confidence: Option<f64>,
    }
    let answer: Answer = serde_json::from_value(completion.answer)?;
    let confidence = answer.confidence.unwrap_or(0.5).clamp(0.0, 1.0);
    // Tags are kept nowhere yet, so that none are asked for.
    Ok(Classification { scope: answer.scope, confidence, tags: Vec::new() })
}

#[cfg(test)]
mod tests;
