//! What a person says is right instead of both sides of a conflict.

use super::confidence::is_live;
use super::decide::put_out;
use super::facts::{How, Stated, add, check};
use super::key::{CIRCUMSTANCES, canonical_name};
use super::record::Kept;
use super::settle::{WEIGHED, Why, settle_all};
use crate::Caller;
use crate::error::{Fault, invalid, not_found};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::ingest::Met;
use serde::{Deserialize, Serialize};
use um_model::belief::{ClaimState, EvidencePolarity, ResolutionType, ValueKind};
use um_model::claims::{Claim, ClaimObject, ConflictsResolve, FactInput, FactsAdd};
use um_model::held::HoldReason;
use um_model::{ClaimId, EpochMs, ErrorCode, EvidenceId, MemoryId, MemoryStatus};
use um_store::conflicts::Stored;
use um_store::evidence::Found;
use um_store::{Connection, Transaction, claims, entities, events, evidence, memories, units, vocabulary};

/// The claim that stands in place of both sides of a conflict.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Instead {
    pub(super) claim: ClaimId,
    /// Its state before, where there was such a claim.
    pub(super) was: Option<ClaimState>,
    /// The memory of the decision's words, where these were not said before.
    pub(super) said: Option<MemoryId>,
    /// The change of the time in which it is so, where one was told.
    pub(super) timed: Option<String>,
    /// The claim that stood in its place before.
    #[serde(default)]
    pub(super) stood_by: Option<ClaimId>,
    /// The decision as evidence.
    #[serde(default)]
    pub(super) piece: Option<EvidenceId>,
}

/// Makes the claim that stands in place of both sides of a conflict: what they are of, with another value, at the time that the
/// person said. The decision speaks for it, also where the same was said and taken back before.
///
/// # Errors
/// `Held` where an agent passes it on, and would have to wait if it stated it itself.
pub(super) fn instead(
    tx: &Transaction<'_>,
    caller: (&Caller, &Door),
    conflict: &Stored,
    (value, said): (&str, &ConflictsResolve),
    now: EpochMs,
) -> Result<Instead, Fault> {
    let get = |id: &ClaimId| claims::by_id(tx, id)?.ok_or_else(|| Fault::from(not_found("claim", id.as_str())));
    let (a, b) = (get(&conflict.claim_a)?, get(&conflict.claim_b)?);
    let (valid_from, valid_until) = (said.valid_from.clone(), said.valid_until.clone());
    let facts = vec![FactInput { valid_from, valid_until, ..in_common(&a, &b, value) }];
    facts.iter().try_for_each(check)?;
    let states = FactsAdd { space: conflict.space.to_string(), facts };
    held::refuse_passed_on(caller.0, &Written::facts(&states, Met::default()))?;
    let decides = format!("{} {now}", conflict.id);
    let stated = caller.1.pass(tx, Stated(&states.facts))?;
    let how = How { decides: Some(&decides), looked_at: !caller.0.is_agent() };
    let added = add(tx, caller, &stated, how, now).map_err(|fault| match fault {
        Fault::Api(error) if error.code == ErrorCode::Held => held::not_passed_on(&[HoldReason::Displaces]).into(),
        other => other,
    })?;
    let Kept { claim, was, stood_by, piece, timed, .. } = added.kept;
    Ok(Instead { claim, was, said: added.said, timed, stood_by, piece })
}

/// Takes back that a claim stands in place of both sides of a conflict, where nothing but the decision made it so: `since`
/// then it was told by nobody else. Gives whether there is such a claim, as it was not forgotten.
pub(super) fn not_instead(tx: &Connection, instead: &Instead, since: EpochMs, why: &Why<'_>) -> Result<bool, Fault> {
    if let Some(said) = &instead.said {
        unsay(tx, said, since, why)?;
    }
    if !is_there(tx, &instead.claim)? {
        return Ok(false);
    }
    if let Some(piece) = instead.piece.as_ref().filter(|_| instead.said.is_none()) {
        evidence::set_neutral(tx, piece)?;
    }
    let stays = match instead.was {
        Some(ClaimState::Asserted | ClaimState::Disputed) => true,
        Some(ClaimState::Retracted | ClaimState::Superseded) => {
            let found = evidence::of_claims(tx, std::slice::from_ref(&instead.claim), WEIGHED)?;
            let speaks = |piece: &Found| piece.polarity == EvidencePolarity::Supporting && is_live(piece);
            found.iter().any(|piece| speaks(piece) && piece.heard_at > since)
        }
        Some(ClaimState::Draft) | None => evidence::is_supported(tx, &instead.claim)?,
    };
    if !stays {
        let stood_by = match &instead.stood_by {
            Some(by) if instead.was == Some(ClaimState::Superseded) && is_there(tx, by)? => Some(by),
            _ => None,
        };
        put_out(tx, &instead.claim, stood_by, why)?;
    }
    Ok(true)
}

fn is_there(tx: &Connection, claim: &ClaimId) -> Result<bool, Fault> {
    Ok(claims::by_id(tx, claim)?.is_some_and(|claim| !claim.is_forgotten()))
}

/// The side of a conflict that says a value already: to say that it is right is to choose that side.
pub(super) fn chosen(tx: &Connection, sides: [&ClaimId; 2], value: &str) -> Result<Option<ResolutionType>, Fault> {
    let get = |id: &ClaimId| claims::by_id(tx, id)?.ok_or_else(|| Fault::from(not_found("claim", id.as_str())));
    let (a, b) = (get(sides[0])?, get(sides[1])?);
    let kind = vocabulary::attribute(tx, &a.space_id, &a.predicate)?.map_or(ValueKind::Text, |known| known.kind);
    let named = entities::by_name(tx, &a.space_id, &canonical_name(value))?;
    let says = |side: ClaimObject| match side {
        ClaimObject::Value(said) => um_rules::normal_value(&said, kind) == um_rules::normal_value(value, kind),
        ClaimObject::Entity(entity) => {
            value.trim() == entity.id.as_str()
                || canonical_name(&entity.name) == canonical_name(value)
                || named.iter().any(|named| named.id == entity.id)
        }
    };
    match differing(&a, &b).map(says) {
        [true, false] => Ok(Some(ResolutionType::ClaimAWins)),
        [false, true] => Ok(Some(ResolutionType::ClaimBWins)),
        [false, false] => Ok(None),
        [true, true] => Err(invalid("Both sides say so: they disagree on something else.")
            .hint("Choose a or b, or give \"windows\", each of which is right at its time.")
            .into()),
    }
}

/// What two claims of one predicate do not have in common.
fn differing(a: &Claim, b: &Claim) -> [ClaimObject; 2] {
    let subject = |claim: &Claim| ClaimObject::Entity(claim.subject.clone());
    match (&a.object, &b.object) {
        (ClaimObject::Entity(of_a), ClaimObject::Entity(of_b))
            if a.subject.id != b.subject.id && of_a.id == of_b.id =>
        {
            [subject(a), subject(b)]
        }
        (ClaimObject::Entity(of_a), _) if of_a.id == b.subject.id => [subject(a), b.object.clone()],
        _ => [a.object.clone(), b.object.clone()],
    }
}

/// Takes back that a decision of that time said a fact, unless it was stated again since, and settles what rests on it.
fn unsay(tx: &Connection, said: &MemoryId, since: EpochMs, why: &Why<'_>) -> Result<(), Fault> {
    let Some(memory) = memories::by_id(tx, said)?.filter(|memory| memory.status == MemoryStatus::Active) else {
        return Ok(());
    };
    let text = memory.content.as_deref().unwrap_or_default();
    if events::is_stated_after(tx, &memory.space_id, text, memory.created_at.max(since))? {
        return Ok(());
    }
    memories::set_status(tx, said, MemoryStatus::Retracted, why.now)?;
    units::deactivate(tx, &memory.space_id, units::Which::OfMemory(said))?;
    settle_all(tx, evidence::claims_of_memory(tx, said)?, why)
}

/// What two claims of one predicate are of, with `value` for what they disagree on. When, and as what, they were so is theirs.
fn in_common(a: &Claim, b: &Claim, value: &str) -> FactInput {
    let end = |claim: &Claim| match &claim.object {
        ClaimObject::Entity(entity) => Some(entity.id.to_string()),
        ClaimObject::Value(_) => None,
    };
    let subject = a.subject.id.to_string();
    let (subject, object) = match (end(a), end(b)) {
        // Of one object it is the subject that is another; where a relation reads both ways, either end.
        (Some(of_a), Some(of_b)) if a.subject.id != b.subject.id && of_a == of_b => (value.to_owned(), of_a),
        (Some(of_a), _) if of_a == b.subject.id.as_str() => (of_a, value.to_owned()),
        _ => (subject, value.to_owned()),
    };
    let shared = a.qualifiers.iter().filter(|(key, value)| b.qualifiers.get(*key) == Some(value));
    let shared = shared.filter(|(key, _)| !CIRCUMSTANCES.contains(&key.as_str()));
    FactInput {
        subject,
        predicate: a.predicate.clone(),
        object,
        object_is_entity: Some(end(a).is_some()),
        qualifiers: shared.map(|(key, value)| (key.clone(), value.clone())).collect(),
        confidence: Some(1.0),
        ..FactInput::default()
    }
}
