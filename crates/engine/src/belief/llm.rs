//! Claims and classifications by the language model that the person turned on. It proposes; what is kept must be
//! quoted from the text, letter by letter ([`candidate`]). A text is read in [`parts`]: what one gives is kept, whatever
//! becomes of the others, and remembered with the job ([`asking`]), so that nothing is paid for twice.

mod asking;
mod candidate;
mod find;
mod order;
mod parts;
mod prompt;

use super::extract::{Reading as Keeping, Source, settle_memory, sources};
use crate::Engine;
use crate::error::{Outcome, from_provider};
use crate::language::{Classification, Completion, LlmConfig, LlmError, MemoryClassifier, Prompt};
use crate::llm;
use crate::provider::{Cancel, ProviderError, ProviderResult};
use candidate::Dropped;
use parts::{Parts, Reading, Report, Stop, counted, parts_of};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::llm::LlmUse;
use um_model::{ApiError, ErrorCode, MemoryId, MemoryScope};
use um_store::{memories, tags};

pub(crate) use asking::Asking;

/// What a text is about shows in so many of its first characters.
const HEAD: usize = 6_000;
/// At most so many tags are taken.
const MOST_TAGS: usize = 8;
/// Names the classification among the parts of a job.
const SUBJECT: &str = "subject";

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
    Ok(())
}

/// Has the language model read a memory, for what it is on for and as far as its job has not done so.
pub(crate) fn read_memory(engine: &Engine, id: &MemoryId, mut asking: Asking<'_>) -> Outcome<()> {
    let Some(memory) = engine.read(|c| Ok(memories::by_id(c, id)?))? else { return Ok(()) };
    if !engine.read(|c| Ok(memories::carries_claims(c, id)?))? {
        return Ok(());
    }
    let sources = sources(engine, &memory)?;
    let mut claims = Ok(());
    if let Some(llm) = Llm::wanted_for(engine, LlmUse::Claims)? {
        claims = llm.read_claims(&memory, &sources, &mut asking);
    }
    // Where the model's host is not there for the one, it is not for the other.
    if claims.as_ref().is_err_and(|error| matches!(error.code, ErrorCode::LanguageModel | ErrorCode::Cancelled)) {
        return claims;
    }
    if let Some(llm) = Llm::wanted_for(engine, LlmUse::Classification)?
        && !asking.is_done(SUBJECT)
    {
        llm.read_subject(&memory, &sources, asking.cancel())?;
        asking.done(SUBJECT)?;
    }
    claims
}

impl Llm {
    /// Adds the claims that it finds, part by part. What was found stays, also where another part fails, the budget ends
    /// or the host goes away.
    fn read_claims(&self, memory: &Memory, sources: &[Source], asking: &mut Asking<'_>) -> Outcome<()> {
        let mut report = Report::default();
        let ended = self.read_parts(memory, sources, asking, &mut report);
        settle_memory(&self.engine, &memory.id)?;
        super::contradict::judge(&self.engine, &memory.id, asking.cancel())?;
        self.engine.tell(Event::Beliefs);
        if report.asked > 0 {
            tracing::info!(?report, "the language model read a memory");
        }
        ended?;
        if let Some(why) = report.why.clone() {
            let of = counted(report.asked);
            let error = failed(why);
            let (failed, so_far) = (report.failed, report.in_words());
            return Err(ApiError::new(error.code, format!("{failed} of {of}: {} So far: {so_far}.", error.message)));
        }
        if report.declined > 0 && report.declined == report.asked {
            return Err(failed(LlmError::Declined));
        }
        if report.asked > 0 {
            asking.tell(1.0, &report.in_words());
        }
        Ok(())
    }

    /// Reads the parts of a memory that may be sent, as far as they are not done.
    fn read_parts(
        &self,
        memory: &Memory,
        sources: &[Source],
        asking: &mut Asking<'_>,
        report: &mut Report,
    ) -> Outcome<()> {
        let parts: Vec<Vec<_>> = sources.iter().map(|source| parts_of(&source.text)).collect();
        let total = parts.iter().map(Vec::len).sum::<usize>().max(1);
        let cancel = asking.cancel();
        let ask = |prompt: &Prompt| self.ask(prompt, cancel);
        let (mut sent, mut number) = (0, 0);
        for (source, parts) in sources.iter().zip(parts) {
            let name = source.view.as_ref().map_or("memory", |view| view.as_str());
            let reading = Reading { passage: source.passage(memory), name, ask: &ask };
            let keeping = Keeping::new(&self.engine, memory, source, ExtractionMethod::Llm);
            let mut kept = KeptParts { keeping, asking: &mut *asking };
            for part in parts {
                sent += source.text[part.clone()].chars().count();
                if sent as u64 > self.max_chars {
                    let length = sources.iter().map(|source| source.text.chars().count()).sum();
                    return Err(failed(LlmError::TooLong { length, most: self.max_chars }));
                }
                number += 1;
                if !kept.is_done(&reading.name_of(&part)) {
                    kept.asking.tell((number - 1) as f64 / total as f64, &format!("part {number} of {total}"));
                }
                reading.read(part, &mut kept, report).map_err(|stop| match stop {
                    Stop::Model(error) => failed(error),
                    Stop::Kept(error) => error,
                })?;
            }
        }
        Ok(())
    }

    /// Says what the memory is about.
    fn read_subject(&self, memory: &Memory, sources: &[Source], cancel: &Cancel) -> Outcome<()> {
        let Some(source) = sources.iter().find(|source| !source.text.trim().is_empty()) else { return Ok(()) };
        let mut found = self.classify(&source.text, cancel).map_err(|error| from_provider(&error))?;
        // What local rules are sure of, and what the author wrote, stays beside it.
        found.tags.extend(crate::ingest::classify(&source.text, memory.title.as_deref()).tags);
        found.tags.sort();
        found.tags.dedup();
        let (id, space, by) = (memory.id.clone(), memory.space_id.clone(), self.classifier_id());
        let now = self.engine.now();
        self.engine.write(move |tx| {
            memories::set_classification(tx, &id, found.scope, found.confidence, &by)?;
            Ok(tags::set_of_memory(tx, &space, &id, &found.tags, now)?)
        })?;
        self.engine.tell(Event::Library);
        Ok(())
    }
}

/// The parts of a text, kept as they come.
struct KeptParts<'a, 'b, 'c> {
    keeping: Keeping<'a>,
    asking: &'b mut Asking<'c>,
}

impl Parts for KeptParts<'_, '_, '_> {
    fn is_done(&self, part: &str) -> bool {
        self.asking.is_done(part)
    }

    fn done(&mut self, part: &str, found: Vec<ClaimCandidate>) -> Outcome<Dropped> {
        use super::record::Refused;
        let mut dropped = Dropped::default();
        for refused in self.keeping.keep(&found)?.into_iter().filter_map(Result::err) {
            match refused {
                Refused::NoQuote => dropped.unquoted += 1,
                Refused::Ambiguous(..) | Refused::NoName => dropped.unresolved += 1,
                Refused::NoValue => dropped.malformed += 1,
            }
        }
        self.asking.done(part)?;
        Ok(dropped)
    }
}

fn failed(error: LlmError) -> ApiError {
    from_provider(&error.into())
}

impl MemoryClassifier for Llm {
    fn classifier_id(&self) -> String {
        self.id()
    }

    fn classify(&self, text: &str, cancel: &Cancel) -> ProviderResult<Classification> {
        let head: String = text.chars().take(HEAD).collect();
        let known = self.engine.read(|c| Ok(tags::predefined(c)?));
        let known = known.map_err(|error| ProviderError::Failed(error.message))?;
        let completion = self.ask(&prompt::classify(&head, &known), cancel)?;
        Ok(classification(completion, &head, &known).map_err(|_| LlmError::Unfit("it names no scope"))?)
    }
}

/// What an answer says of a text: of tags only those that are known, and quote the text.
fn classification(completion: Completion, text: &str, known: &[String]) -> Result<Classification, serde_json::Error> {
    #[derive(Deserialize)]
    struct Answer {
        scope: MemoryScope,
        #[serde(default)]
        confidence: Option<f64>,
        #[serde(default)]
        tags: serde_json::Value,
    }
    let answer: Answer = serde_json::from_value(completion.answer)?;
    let confidence = answer.confidence.unwrap_or(0.5).clamp(0.0, 1.0);
    let plain = find::Plain::new(text);
    let proposed = answer.tags.as_array().into_iter().flatten();
    let mut tags: Vec<String> = proposed
        .filter_map(|one| Some((one["tag"].as_str()?.trim().to_lowercase(), one["quote"].as_str()?)))
        .filter(|(tag, quote)| known.contains(tag) && find::quote(text, &plain, quote).is_some())
        .map(|(tag, _)| tag)
        .take(MOST_TAGS)
        .collect();
    tags.sort();
    tags.dedup();
    Ok(Classification { scope: answer.scope, confidence, tags })
}

#[cfg(test)]
mod tests;
