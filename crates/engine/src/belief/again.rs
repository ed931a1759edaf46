//! Reading a memory, and reading it again once the rules know better. A later version adds what it finds beside what is
//! there, twice nothing; what only the earlier one found stays as words that say nothing, so that a claim that nobody
//! else supports is retracted, and comes back where a still later version finds it.

use super::extract::{BATCH, Reading, Rules, Source, propose};
use super::settle::{Why, settle_all};
use crate::Engine;
use crate::error::Outcome;
use crate::language::ClaimExtractor;
use crate::provider::Cancel;
use std::collections::BTreeSet;
use um_model::belief::{ClaimState, ExtractionMethod};
use um_model::capture::Memory;
use um_model::claims::Claim;
use um_model::{AgentId, ClaimId, Utf16Span, ViewId, predicates};
use um_store::claims::{self, Cause};
use um_store::evidence::{self, Quoted};
use um_store::{jobs, memories};

/// Queues one memory that an earlier version of the rules read, where there is one: at the lowest priority, and the next
/// one not before this one is done. Gives whether it queued any.
pub(crate) fn queue_next(engine: &Engine) -> Outcome<bool> {
    let current = Rules.extractor_id();
    let Some((id, space)) = engine.read(|c| Ok(memories::read_by_another(c, &current)?))? else { return Ok(false) };
    let now = engine.now();
    engine.write(move |tx| crate::work::queue_extraction(tx, &id, &space, jobs::PRIORITY_AGAIN, now))?;
    Ok(true)
}

/// Where a reading found something: the text, and the place in it.
type Place = (Option<ViewId>, u32, u32);

/// What a reading found.
#[derive(Default)]
struct Found {
    claims: BTreeSet<(ClaimId, Place)>,
    /// What could not be kept, such as a name that may mean several, by its predicate: it is said all the same.
    unkept: BTreeSet<(String, Place)>,
}

impl Found {
    fn says(&self, quoted: &Quoted, claim: &Claim) -> bool {
        let place = place(quoted.view.as_ref(), quoted.span);
        self.claims.contains(&(quoted.claim.clone(), place.clone()))
            || self.unkept.contains(&(claim.predicate.clone(), place))
    }
}

fn place(view: Option<&ViewId>, span: Utf16Span) -> Place {
    (view.cloned(), span.start, span.end)
}

/// Reads the texts of a memory, and takes back what only another version of the same reader found in them. Gives how many
/// claims it found.
pub(super) fn read(
    engine: &Engine,
    memory: &Memory,
    sources: &[Source],
    extractor: &dyn ClaimExtractor,
    cancel: &Cancel,
) -> Outcome<usize> {
    let mut found = Found::default();
    for source in sources {
        let candidates = propose(extractor, memory, source, cancel)?;
        let kept = Reading::new(engine, memory, source, extractor.method()).keep(&candidates)?;
        for (candidate, kept) in candidates.iter().zip(kept) {
            let place = place(source.view.as_ref(), candidate.quote);
            match kept {
                Ok(kept) => drop(found.claims.insert((kept.claim, place))),
                Err(_) => {
                    let (predicate, _) = predicates::canonical(&candidate.predicate);
                    found.unkept.insert((predicate.into_owned(), place));
                }
            }
        }
    }
    let claims = found.claims.iter().map(|(claim, _)| claim).collect::<BTreeSet<_>>().len();
    let earlier = engine.read(|c| Ok(memories::extractor(c, &memory.id)?))?;
    let is_rule = extractor.method() == ExtractionMethod::Rule;
    if is_rule && earlier.is_some_and(|earlier| earlier != extractor.extractor_id()) {
        take_back(engine, memory, sources, found)?;
    }
    Ok(claims)
}

/// Leaves what the reading did not find again as words that speak neither for nor against.
fn take_back(engine: &Engine, memory: &Memory, sources: &[Source], found: Found) -> Outcome<()> {
    let read: Vec<Option<ViewId>> = sources.iter().map(|source| source.view.clone()).collect();
    let gone = engine.read(|c| {
        let mut gone = Vec::new();
        let of_rules = |quoted: &Quoted| quoted.method == ExtractionMethod::Rule && read.contains(&quoted.view);
        for quoted in evidence::read_in(c, &memory.id)?.into_iter().filter(of_rules) {
            // What a merge or a decision put aside keeps its words, for it may be brought back.
            let claim = claims::by_id(c, &quoted.claim)?.filter(|claim| claim.state != ClaimState::Superseded);
            if claim.is_some_and(|claim| !found.says(&quoted, &claim)) {
                gone.push(quoted);
            }
        }
        Ok(gone)
    })?;
    let now = engine.now();
    for batch in gone.chunks(BATCH) {
        let batch = batch.to_vec();
        engine.write(move |tx| {
            for quoted in &batch {
                evidence::set_neutral(tx, &quoted.id)?;
            }
            let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
            settle_all(tx, batch.into_iter().map(|quoted| quoted.claim), &why)
        })?;
    }
    Ok(())
}
