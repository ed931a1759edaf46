//! Contradictions that only a model sees: two values of an attribute that may have many, of which the one cannot
//! be so where the other is. Without the model they stand side by side.

use super::settle::{Why, contradict};
use crate::Engine;
use crate::error::{Outcome, from_provider};
use crate::language::{Entailment, EntailmentLabel};
use crate::provider::{Cancel, ProviderError};
use um_model::belief::{ClaimState, ConflictType, Polarity};
use um_model::claims::{Claim, ClaimObject};
use um_model::{AgentId, MemoryId};
use um_store::claims::{self, Cause, Rivalry};
use um_store::{Connection, conflicts, evidence};

/// Each must contradict the other with at least this probability.
const SURE: f64 = 0.95;
/// At most so many pairs are judged for one memory.
const PAIRS: usize = 32;

/// Other values of the same attribute.
const VALUES: Rivalry = Rivalry { of_subject: true, of_object: false, symmetric: false };

/// Judges the claims of a memory against those beside them, where a model for it is installed.
pub(crate) fn judge(engine: &Engine, memory: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let model = &engine.providers().entailment;
    if model.model_id().is_none() {
        return Ok(());
    }
    let pairs = engine.read(|c| pairs(c, memory))?;
    if pairs.is_empty() {
        return Ok(());
    }
    let words: Vec<(&str, &str)> = pairs
        .iter()
        .flat_map(|(a, b)| [(a.statement.as_str(), b.statement.as_str()), (b.statement.as_str(), a.statement.as_str())])
        .collect();
    let judged = match model.entailment(&words, cancel) {
        // It was taken away in the meantime: as without it.
        Err(ProviderError::ModelMissing(_) | ProviderError::ToolMissing { .. }) => return Ok(()),
        judged => judged.map_err(|e| from_provider(&e))?,
    };
    let contradicts = |e: &Entailment| e.label == EntailmentLabel::Contradicts && e.score >= SURE;
    let found: Vec<(Claim, Claim)> = pairs
        .into_iter()
        .zip(judged.chunks(2))
        .filter(|(_, both)| both.iter().all(contradicts))
        .map(|(p, _)| p)
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    let now = engine.now();
    engine.write(move |tx| {
        let why = Why { actor: &AgentId::system(), now, cause: Cause::Conflict, new_source: false };
        for (claim, rival) in &found {
            // Either may have been taken back since, or the pair been joined by a conflict.
            let now = claims::by_ids(tx, &[claim.id.clone(), rival.id.clone()])?;
            let known = conflicts::of_pair(tx, &claim.id, &rival.id)?.is_some();
            if !known && now.iter().all(is_open_value) {
                contradict(tx, claim, rival, ConflictType::ContradictingValue, &why)?;
            }
        }
        Ok(())
    })
}

/// Believed values of one attribute of one entity, a claim of the memory on one side, that no conflict joins yet.
fn pairs(c: &Connection, memory: &MemoryId) -> Result<Vec<(Claim, Claim)>, crate::error::Fault> {
    let mut pairs = Vec::new();
    for claim in claims::by_ids(c, &evidence::claims_of_memory(c, memory)?)? {
        if !is_open_value(&claim) {
            continue;
        }
        for rival in claims::rivals(c, &claim, VALUES)?.into_iter().filter(is_open_value) {
            if conflicts::of_pair(c, &claim.id, &rival.id)?.is_none() {
                pairs.push((claim.clone(), rival));
            }
            if pairs.len() == PAIRS {
                return Ok(pairs);
            }
        }
    }
    Ok(pairs)
}

fn is_open_value(claim: &Claim) -> bool {
    matches!(claim.object, ClaimObject::Value(_))
        && claim.polarity == Polarity::Positive
        && matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed)
}
