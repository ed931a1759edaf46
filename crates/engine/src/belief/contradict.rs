//! Contradictions that only a model sees: two values of an attribute that may have many, of which the one cannot
//! be so where the other is, at the same time. Without the model they stand side by side.

use super::conflict::overlap;
use super::ledger::told;
use super::settle::{Why, contradict};
use crate::error::{Fault, Outcome, from_provider};
use crate::language::{Entailment, EntailmentLabel, EntailmentProvider};
use crate::provider::{Cancel, ProviderError};
use crate::{Caller, Engine};
use std::collections::{BTreeSet, HashSet};
use um_model::belief::{ClaimState, Polarity};
use um_model::claims::{Claim, ClaimObject};
use um_model::{AgentId, ClaimId, MemoryId};
use um_store::claims::{self, Cause, Rivalry};
use um_store::unsettled::{self, Queue};
use um_store::{Connection, conflicts, evidence};

/// Each must contradict the other with at least this probability.
const SURE: f64 = 0.95;
/// At most so many others are held against one claim, those whose words are nearest to its own first.
const NEAREST: usize = 32;
/// At most so many pairs are judged for one memory, or in one turn, so that a book keeps no note waiting for long.
const MOST: usize = 1_024;
/// So many pairs are judged at once; in between it may be cancelled.
const BATCH: usize = 32;

/// Other values of the same attribute.
const VALUES: Rivalry = Rivalry { of_subject: true, of_object: false, symmetric: false };

/// Two claims that may contradict each other.
type Pair = (Claim, Claim);

/// What is put to the model, and how many pairs are not.
#[derive(Default)]
struct Candidates {
    pairs: Vec<Pair>,
    left: usize,
}

/// Judges the claims of a memory against those beside them, where a model for it is installed.
pub(crate) fn judge(engine: &Engine, memory: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    if !is_on(engine) {
        return Ok(());
    }
    let claims = engine.read(|c| Ok(evidence::claims_of_memory(c, memory)?))?;
    judge_claims(engine, &claims, ("memories", memory.as_str()), cancel)
}

/// Whether a model that judges is installed.
pub(super) fn is_on(engine: &Engine) -> bool {
    engine.providers().entailment.model_id().is_some()
}

/// Judges the claims that were marked for it, in turns, until none is left or `wanted` says so. Gives whether any was.
pub(super) fn judge_marked(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<bool> {
    let mut any = false;
    while wanted() && engine.read(|c| Ok(unsettled::any(c, Queue::Judge)?))? {
        let turn = engine.write(|tx| Ok::<_, Fault>(unsettled::take(tx, Queue::Judge)?))?;
        let claims = turn.map(|turn| turn.claims).unwrap_or_default();
        if let Some(first) = claims.first().filter(|_| is_on(engine)) {
            judge_claims(engine, &claims, ("claims", first.as_str()), &Cancel::default())?;
        }
        any = true;
    }
    Ok(any)
}

/// Judges claims. What was too much to be judged is said in the ledger, of `object`, and in the log.
fn judge_claims(engine: &Engine, claims: &[ClaimId], object: (&'static str, &str), cancel: &Cancel) -> Outcome<()> {
    let model = engine.providers().entailment.as_ref();
    let Candidates { pairs, left } = engine.read(|c| candidates(c, claims))?;
    if left > 0 {
        tell_left(engine, object, &pairs, left)?;
    }
    for batch in pairs.chunks(BATCH) {
        let found = match contradicting(model, batch, cancel) {
            // It was taken away in the meantime: as without it.
            Err(ProviderError::ModelMissing(_) | ProviderError::ToolMissing { .. }) => return Ok(()),
            found => found.map_err(|e| from_provider(&e))?,
        };
        if !found.is_empty() {
            dispute(engine, found)?;
        }
    }
    Ok(())
}

/// Those of the pairs of which each side contradicts the other.
fn contradicting(model: &dyn EntailmentProvider, pairs: &[Pair], cancel: &Cancel) -> Result<Vec<Pair>, ProviderError> {
    cancel.check()?;
    let words: Vec<(&str, &str)> = pairs
        .iter()
        .flat_map(|(a, b)| [(a.statement.as_str(), b.statement.as_str()), (b.statement.as_str(), a.statement.as_str())])
        .collect();
    let contradicts = |e: &Entailment| e.label == EntailmentLabel::Contradicts && e.score >= SURE;
    let judged = model.entailment(&words, cancel)?;
    let both = pairs.iter().zip(judged.chunks(2)).filter(|(_, both)| both.len() == 2 && both.iter().all(contradicts));
    Ok(both.map(|(pair, _)| pair.clone()).collect())
}

fn dispute(engine: &Engine, found: Vec<Pair>) -> Outcome<()> {
    let now = engine.now();
    engine.write(move |tx| {
        let why = Why { actor: &AgentId::system(), now, cause: Cause::Conflict, new_source: false };
        let Some((first, _)) = found.first() else { return Ok(()) };
        told(tx, "beliefs.settled", ("claims", first.id.as_str()), &first.space_id, now, || {
            for (claim, rival) in &found {
                // Either may have been taken back since, or the pair been joined by a conflict.
                let sides = claims::by_ids(tx, &[claim.id.clone(), rival.id.clone()])?;
                let known = conflicts::of_pair(tx, &claim.id, &rival.id)?.is_some();
                if !known && sides.len() == 2 && sides.iter().all(is_open_value) && overlap(&sides[0], &sides[1]) {
                    contradict(tx, claim, rival, &why)?;
                }
            }
            Ok(())
        })
    })
}

/// Says how many pairs were too many to be judged.
fn tell_left(engine: &Engine, (table, id): (&'static str, &str), pairs: &[Pair], left: usize) -> Outcome<()> {
    let Some((first, _)) = pairs.first() else { return Ok(()) };
    tracing::info!(judged = pairs.len(), left, "some claims were not compared with all that may contradict them");
    let (id, space, judged, now) = (id.to_owned(), first.space_id.clone(), pairs.len(), engine.now());
    engine.write(move |tx| {
        let payload = serde_json::json!({ "judged": judged, "left": left });
        Engine::audit(tx, &Caller::system("beliefs"), "beliefs.judged", (table, &id), &space, payload, now)
    })
}

/// Believed values of one attribute of one entity at one time, one of the claims on one side, that no conflict joins yet.
fn candidates(c: &Connection, claims: &[ClaimId]) -> Result<Candidates, Fault> {
    let mut found = Candidates::default();
    let mut seen: BTreeSet<(ClaimId, ClaimId)> = BTreeSet::new();
    for claim in claims::by_ids(c, claims)? {
        if !is_open_value(&claim) {
            continue;
        }
        let joined: Vec<ClaimId> =
            conflicts::of_claim(c, &claim.id)?.iter().map(|known| known.other(&claim.id).clone()).collect();
        let mut rivals = claims::rivals(c, &claim, VALUES)?;
        rivals.retain(|rival| is_open_value(rival) && overlap(&claim, rival) && !joined.contains(&rival.id));
        nearest_first(&claim, &mut rivals);
        let room = NEAREST.min(MOST - found.pairs.len());
        let mut taken = 0;
        for rival in rivals {
            let pair = if claim.id < rival.id { (&claim.id, &rival.id) } else { (&rival.id, &claim.id) };
            if !seen.insert((pair.0.clone(), pair.1.clone())) {
                continue;
            }
            if taken == room {
                found.left += 1;
                continue;
            }
            taken += 1;
            found.pairs.push((claim.clone(), rival));
        }
    }
    Ok(found)
}

/// Those that share most of their words with a claim come first; of equals, the newer ones, as they come.
fn nearest_first(claim: &Claim, rivals: &mut [Claim]) {
    let words = |claim: &Claim| -> HashSet<String> {
        let ClaimObject::Value(value) = &claim.object else { return HashSet::new() };
        value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let own = words(claim);
    let likeness = |rival: &Claim| {
        let other = words(rival);
        let shared = own.intersection(&other).count();
        let all = own.len() + other.len() - shared;
        std::cmp::Reverse((shared * 1_000).checked_div(all).unwrap_or_default())
    };
    rivals.sort_by_cached_key(likeness);
}

fn is_open_value(claim: &Claim) -> bool {
    matches!(claim.object, ClaimObject::Value(_))
        && claim.polarity == Polarity::Positive
        && matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed)
}
